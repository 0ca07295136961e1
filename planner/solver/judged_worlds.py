"""The worlds in which a plan is judged moment by moment: what its rolls may come to, as far as it may not rely on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from planner.errors import InputError, Problem, TooManyOutcomesError
from planner.plans.plan import Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.combat_table import Aftermath
from planner.solver.timeline_judge import Moments

MOST_WORLDS = 20_000

Roll = tuple[int, int]
"""A move and a step for which something is rolled."""


def worlds(reach: ConditionalReach, plan: Plan) -> Iterator[Moments]:
    """Yield a plan as it goes if all goes well, and then as it goes wherever rolls may come out otherwise.

    Parameters
    ----------
    reach : ConditionalReach
        The steps with what the rules say of them.
    plan : Plan
        The moves.

    Raises
    ------
    TooManyOutcomesError
        If there are more than `MOST_WORLDS` worlds.
    InputError
        If an overrun may fail: where units go on later, or support it, what it leads to is more than is gone through.
    """
    confidence = reach.game.situation.confidence
    likely = dict[Roll, Fraction]()
    if confidence < 1:  # how likely a result is depends on what else is rolled, reliable or not
        for moments in _explored(reach, plan, lambda roll: False, as_played=True):
            for roll, good in moments.results:
                likely[roll] = likely.get(roll, Fraction(0)) + moments.probability * good
    yield from _explored(reach, plan, lambda roll: likely.get(roll, 0) >= confidence)


def _explored(
    reach: ConditionalReach, plan: Plan, relied_upon: Callable[[Roll], bool], as_played: bool = False
) -> Iterator[Moments]:
    """Yield the worlds that differ by results of rolls that nobody may rely upon; those as good as the best always do."""
    scripts: list[tuple[Aftermath, ...]] = [()]
    number = 0
    while scripts:
        script = scripts.pop()
        number += 1
        if number > MOST_WORLDS:
            what = f"the plan's rolls have more than {MOST_WORLDS:,} outcomes: the referee alone may judge it"
            raise TooManyOutcomesError([Problem(what, "solver")])
        moments = Moments(reach, plan, script, as_played)
        if moments.doubtful:
            what = "where units go on after overruns that may fail, or support them, the referee alone judges the plan"
            raise InputError([Problem(what, "solver")])
        yield moments
        done: list[Aftermath] = list(script)
        rolled = zip(moments.results, moments.crossroads, strict=True)
        for (roll, _), choices in list(rolled)[len(script) :]:
            reliable = relied_upon(roll)
            scripts += [(*done, one) for one in choices[1:] if one.good == choices[0].good or not reliable]
            done.append(choices[0])
