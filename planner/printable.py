"""Text from files as it may be shown: nothing that a file or a name holds steers a terminal, a page or a log."""

from __future__ import annotations

import json
import re

_CONTROLS = "\x00-\x1f\x7f-\x9f"
_FORMATS = "\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
_SURROGATES = "\ud800-\udfff"

STEERING = re.compile(f"[{_CONTROLS}{_FORMATS}{_SURROGATES}]")
"""Control signs, line breaks, what turns the direction of writing or isn't seen, and what has no form in UTF-8."""

_LEFT_BY_JSON = f"[\x7f-\x9f{_FORMATS}{_SURROGATES}]"
"""Those of them that JSON leaves as they are: the others it writes out, and its line breaks are its own."""


def printable(text: str, keep: str = "") -> str:
    r"""Return a text on one line, in which what would steer whoever shows it is written out, as ``\x1b``.

    Parameters
    ----------
    text : str
        The text.
    keep : str
        Signs that stay as they are, such as a line break.
    """
    return STEERING.sub(lambda found: found[0] if found[0] in keep else repr(found[0])[1:-1], text)


def json_text(value: object) -> str:
    """Return JSON of the same content in which no sign steers whoever shows it."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return re.sub(_LEFT_BY_JSON, lambda found: json.dumps(found[0])[1:-1], text) + "\n"
