"""Where in the text of a puzzle its claims stand, for what is reported of them."""

from __future__ import annotations

import re


class FileLines:
    """Where in the text of a scenario file things stand.

    Parameters
    ----------
    text : str
        The text; empty where it isn't known.

    Attributes
    ----------
    answer, adaptive : int
        The line of the answer, and of what it says of plans that react, from 1; 1 where there is none.
    verdicts, hints : dict of int to int
        The lines of those that are written as tables of their own, by their number from 0.
    """

    def __init__(self, text: str) -> None:
        self.answer = self.adaptive = 1
        self.verdicts: dict[int, int] = {}
        self.hints: dict[int, int] = {}
        for number, line in enumerate(text.splitlines(), 1):
            if match := re.match(r"\s*\[+\s*(answer(?:\.hints|\.adaptive)?|verdict)\s*\]+", line):
                if match[1] == "verdict":
                    self.verdicts[len(self.verdicts)] = number
                elif match[1] == "answer":
                    self.answer = number
                    self.adaptive = max(self.adaptive, number)
                elif match[1] == "answer.adaptive":
                    self.adaptive = number
                else:
                    self.hints[len(self.hints)] = number
