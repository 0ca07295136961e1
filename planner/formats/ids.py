"""What names may look like in files, as regular expressions."""

UNIT_ID = r"[A-Za-z_][A-Za-z0-9_]{0,63}"
BOX_ID = r"[a-z][a-z0-9_]{0,59}"
HEX_LABEL = r"[A-Za-z]{0,16}[0-9]{1,12}(?:\.[0-9]{1,12})?"
"""Moves are read by it."""
RESULT_CODE = r"[A-Za-z][A-Za-z0-9]{0,7}"
"""How results of a table are abbreviated: DE, D1, EX."""
