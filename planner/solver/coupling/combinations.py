"""Of units of several strengths, how many of each are enough together: what the linear relaxation doesn't see of a sum.

Where nine are asked for, two units and a quarter of strength 4 will do in the relaxation, and a unit is divided among
targets. That some smallest combination of whole units is there follows from the sum: three units of strength 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def smallest(units: Mapping[int, int], least: int) -> Iterator[dict[int, int]]:
    """Yield how many units of each strength come to so much together, and to less without any one of them.

    Parameters
    ----------
    units : dict of int
        Strengths, and how many units have them.
    least : int
        What they are to come to, greater than 0.
    """
    strengths = sorted((strength for strength in units if strength > 0), reverse=True)
    return _go_on([(strength, units[strength]) for strength in strengths], least)


def _go_on(units: Sequence[tuple[int, int]], missing: int) -> Iterator[dict[int, int]]:
    """Yield what makes up for so much; the strongest first: whoever comes last is the weakest, and is needed."""
    if missing <= 0:
        yield {}
    elif missing <= sum(strength * number for strength, number in units):
        (strength, most), *others = units
        for number in range(min(most, -(-missing // strength)) + 1):
            for rest in _go_on(others, missing - number * strength):
                yield {strength: number, **rest} if number else rest
