"""What an explanation says of remedies that it doesn't name."""

from __future__ import annotations

from dataclasses import dataclass

from typing_extensions import TypedDict


class UnnamedData(TypedDict):
    """What is not named beside remedies of a kind."""

    more: int
    """How many others are as cheap, and known to work."""
    no_others: bool
    """Whether there are no others that are as cheap, of all that are ever tried."""


@dataclass(frozen=True)
class Unnamed:
    """What is not named beside remedies of a kind.

    Attributes
    ----------
    more : int
        How many others are as cheap, and known to work.
    none : bool
        Whether there are no others that are as cheap, of all that are ever tried; otherwise others may do as well.
    tried : bool
        Whether any were tried at all.
    """

    more: int = 0
    none: bool = False
    tried: bool = True

    def to_dict(self) -> UnnamedData:
        """Return the same as JSON has it."""
        return {"more": self.more, "no_others": self.none}


NOT_KNOWN = Unnamed()
"""Others may do as well."""

NOT_TRIED = Unnamed(tried=False)
"""Nothing of the kind was tried."""

NONE_HELPS = Unnamed(none=True, tried=False)
"""Nothing of the kind could do it, so nothing was tried."""
