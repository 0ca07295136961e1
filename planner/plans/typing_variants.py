"""Ways of typing a move that aren't the notation, written as the notation has it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from planner.formats.ids import BOX_ID, HEX_LABEL, UNIT_ID

LONGEST = 1_000
"""In longer texts nothing is looked for."""

_PLACE = rf"(?:{HEX_LABEL}|\[\s*{BOX_ID}\s*\])"
_UNITS = (
    (rf"^\s*({UNIT_ID}(?:\s*\+\s*{UNIT_ID})*)\s*:\s*", r"\1 "),
    (rf"^\s*({UNIT_ID})\s*(?:,|&|\band\b)\s*(?={UNIT_ID}\s)", r"\1+"),
)
_STEPS = (
    ("[\u2010-\u2015\u2212\u2190-\u21ff]", "-"),  # hyphens, dashes, the minus sign, arrows
    ("\N{MULTIPLICATION SIGN}", "x"),
    (r"-+>|={1,2}>|--+", "-"),
    (rf"(?<=[\d\]])\s*X\s*(?={_PLACE})", "x"),
    (rf"(?<=[\d\]])\s+to\s+(?={_PLACE})", "-"),
    (rf"/\s*({UNIT_ID})\s*x\s*(?=\d)", r"/\1 x"),  # the sign of an overrun, not a letter of the unit dropped before it
    (r"(?<=\S)\s*-\s*", "-"),
)
_POINTS = (r"(?<=\d)[,:](?=\d)", ".")
_HYPHENS = (rf"(?<=[\d\]])(?:\s*[,>]\s*|\s+)(?={_PLACE})", "-")


def typing_variants(text: str) -> Iterator[str]:
    """Yield what may have been meant by a text that isn't a move: other signs for the same, likeliest first."""
    if len(text) > LONGEST:
        return
    text = re.sub(r"^\s*[0-9]+[.)]\s+", "", text)  # the number of a line, as answers have it
    begun = re.match(rf"\s*{UNIT_ID}(?:\s*\+\s*{UNIT_ID})*\s+", _rewritten(text, *_UNITS), re.ASCII)
    if begun is None:
        return
    steps = _rewritten(begun.string[begun.end() :], *_STEPS).rstrip(" \t-.,;")
    for further in ((), (_POINTS,), (_HYPHENS,), (_POINTS, _HYPHENS)):
        yield begun[0] + _rewritten(steps, *further)


def _rewritten(text: str, *signs: tuple[str, str]) -> str:
    for pattern, sign in signs:
        text = re.sub(pattern, sign, text, flags=re.ASCII)
    return text
