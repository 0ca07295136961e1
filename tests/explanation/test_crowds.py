"""Units that are all to end in one hex, and are too many for it."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import planner
from planner.explanation.crowds import crowded
from planner.explanation.needs import Aim
from planner.explanation.relaxation import Memory, Scope
from planner.explanation.single_unit_bounds import SingleUnitBounds
from planner.limits import Limits
from planner.referee.referee import Referee
from tests.oracles.legal_plans import legal_plans


def test_that_more_are_needed_in_a_hex_than_may_stay_there_is_the_whole_reason() -> None:
    """At most two may stay in a clear hex; all four have the MP, and what else might be different was searched for."""
    found = planner.explain(
        "crossroads/start", require=[f"{one} to 0505" for one in ("b1", "b2", "b3", "b4")], time_limit=60
    )
    assert [str(one) for one in found.instances] == ["6.1: 0505 holds 4 units, at most 2 may stay"]
    assert found.complete


def test_no_plan_ends_with_those_in_a_hex_who_are_called_too_many_for_it() -> None:
    """Against every legal plan of three units beside each other; two in a hex are none too many, three are."""
    unit = {"side": "blue", "type": "infantry", "values": "1-1-2"}
    data = {
        "format": "planner/scenario-1",
        "model": "crossroads",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"0403 0404 0405": "clear"}},
        "unit": [{**unit, "id": one, "at": at} for one, at in (("a", "0403"), ("b", "0404"), ("c", "0404"))],
    }
    scenario = planner.Scenario.from_dict(data, "a row")
    bounds, play = SingleUnitBounds(scenario, Memory(), Limits()), Referee(scenario.game).play
    ends = [play(plan, scenario.start).position.at for plan in legal_plans(scenario)]
    for label in scenario.game.board.hexes:
        for units in (some for size in (2, 3) for some in combinations("abc", size)):
            needs = [(Aim(one, frozenset([label])),) for one in units]
            had = any(all(at[one] == label for one in units) for at in ends)
            for confirm in (False, True):
                assert crowded(bounds, None, needs, confirm) is not had, (label, units)
    three = [(Aim(one, frozenset(["0403"])),) for one in "abc"]
    assert not crowded(bounds, [], three, confirm=False)  # where no rule is in force
    assert crowded(bounds, [Scope(rule.id) for rule in scenario.game.rulebook.rules], three, confirm=True)
    attacking = scenario.start.copy()
    attacking.declared = ()
    after = SingleUnitBounds(replace(scenario, start=attacking), Memory(), Limits())
    assert not crowded(after, None, three, confirm=False)  # retreats may crowd
