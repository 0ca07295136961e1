"""What is wrong, as players read it: what is the same of several units of a stack, or of several steps, is said once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from planner.referee.verdict import Verdict, Violation


def told_together(verdict: Verdict, move: int | None = None) -> Iterator[Violation]:
    """Yield what is wrong: of those that are said as one the first, with a message that says it of all.

    Parameters
    ----------
    verdict : Verdict
        What is wrong with some moves.
    move : int, optional
        The index of the move of which it is to be said; by default, everything is.
    """
    of_units: dict[object, list[Violation]] = {}
    for number, one in enumerate(one for one in verdict.violations if move is None or one.move == move):
        of_units.setdefault(_same_of_units(one) or number, []).append(one)
    of_steps: dict[object, list[list[Violation]]] = {}
    for number, those in enumerate(of_units.values()):
        units = tuple(one.unit for one in those)
        same = _same_of_steps(those[0], verdict)
        of_steps.setdefault((units, same) if same else number, []).append(those)
    for those, *later in of_steps.values():
        first, *others = those
        told = first.message
        if others:
            told += f"; likewise {listed([one.unit for one in others if one.unit is not None])}"
        if later:
            places = dict.fromkeys(one.at for one, *_ in later)
            there = listed([f"{label} again" if label == first.at else label for label in places])
            told += f"; likewise {'all of them ' if others else ''}in {there}"
        yield replace(first, message=told)


def listed(names: Sequence[str]) -> str:
    """Return names, one at least, as sentences list them: ``a, b and c``."""
    *some, last = names
    return f"{', '.join(some)}{' and ' if some else ''}{last}"


def of_whom(violations: Iterable[Violation]) -> list[list[Violation]]:
    """Return what is wrong with units, whatever they do: together what is the same of several of them.

    Parameters
    ----------
    violations : iterable of Violation
        What is wrong with one unit each.
    """
    alike: dict[object, list[Violation]] = {}
    for one in violations:
        alike.setdefault((one.rule, _with_numbers(one.message, {one.unit or "": 0})), []).append(one)
    return list(alike.values())


def _same_of_units(one: Violation) -> object:
    """Return what units of a stack have in common that is told as one; None: it is told by itself."""
    if one.move is None or one.attack is not None or one.unit is None:
        return None
    return one.rule, one.move, one.step, one.at, _with_numbers(one.message, {one.unit: 0})


def _same_of_steps(one: Violation, verdict: Verdict) -> object:
    """Return what steps of a move have in common that is told as one; None: it is told by itself."""
    if one.move is None or one.attack is not None or not one.step:
        return None
    path = verdict.moves[one.move].move.path
    if one.step >= len(path):
        return None
    return one.rule, one.move, _with_numbers(one.message, {path[one.step - 1]: 0, path[one.step]: 1, one.at: 2})


def _with_numbers(message: str, numbers: dict[str, int]) -> tuple[object, ...]:
    """Return the words of a sentence, some replaced by numbers, as no word can be one."""
    return tuple(numbers.get(word, word) for word in re.split(r"([\w.-]+)", message))
