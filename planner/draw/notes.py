"""What others want said of a hex."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Note:
    """Something that is said of a hex or box.

    Attributes
    ----------
    at : str
        The label of the hex, or the id of the box.
    tag : str
        What stands at the hex, a few letters: a paragraph of the rules, say.
    text : str
        All of it, in one sentence.
    good : bool
        Whether it speaks for the hex, such as for a defender there: marked in blue with a check, not in red with a cross.
    """

    at: str
    tag: str
    text: str
    good: bool = False
