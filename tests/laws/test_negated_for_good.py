"""Where friends negate an EZOC only by staying, what comes after a part of a plan is judged as in the whole plan.

On a column of hexes, the scout g passes f, who negates the EZOC of the guard e in 03.02 (and 03.03), and may leave; h stands
there, too, and doesn't negate.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from pathlib import Path

import pytest

from planner.errors import InputError
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.scenario.phase_in_progress import reached
from planner.solver.plan_judge import judge
from tests.conftest import long_ones, sized
from tests.plain_game import Variant, build

COSTS = [("enter", "cost", "no"), ("leave", "cost", "no"), ("enter", "cost", "same"), ("enter", "cost", "any")]
EFFECTS = [("enter", "stop", "no"), ("enter", "forbid", "same"), ("enter", "forbid", "any"), ("leave", "stop", "no")]

ZOC = """
[[rule]]
id = "zoc"
kind = "zone_of_control"
paragraph = "zoc"
exerted_by = {{ types = "guard" }}
negated_by = {{ types = "foot" }}
negated_for_good = {good}
[[rule.effects]]
paragraph = "effect"
on = "{on}"
does = "{does}"
from_ezoc = "{from_ezoc}"
mp = {mp}
"""

PASSING = [
    "g 03.01-03.02",
    "g 03.01-03.02-03.03",
    "g 03.01-03.02-03.03-03.04",
    "g 03.01-02.02-03.02-03.03",
]
BY_F, BY_H = [None, "f 03.02-02.02", "f 03.02-03.03"], [None, "h 03.02-02.03", "h 03.02-03.01"]
LEAVING = sized((BY_F, [None]), (BY_F, BY_H), (BY_F, BY_H))


def position(effect: tuple[str, str, str], good: bool, waits: bool, folder: Path) -> Scenario:
    """Return the position, where EZOCs do one thing."""
    on, does, from_ezoc = effect
    rule = ZOC.format(mp=int(does == "cost"), on=on, does=does, from_ezoc=from_ezoc, good=str(good).lower())
    units = "scout g 03.01 4", "foot f 03.02 2", "scout h 03.02 3"
    turns = "waiting = {}\n" if waits else ""
    return build(Variant("stays", rule, units=units, enemies=("guard e 04.02 3",), turns=turns), folder)


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("good", [False, True])
@pytest.mark.parametrize("effect", long_ones([*EFFECTS, *COSTS], *COSTS[:3]))
def test_who_must_stay_is_the_same_after_a_part_of_a_plan(
    effect: tuple[str, str, str], good: bool, waits: bool, tmp_path: Path
) -> None:
    """Where EZOCs cost MP: the same after as many MP as have been paid; whoever saves others some must stay."""
    scenario = position(effect, good, waits, tmp_path)
    seen: Counter[bool] = Counter()
    for passing, *leaving in product(PASSING, *LEAVING):
        whole = Move.parse(passing)
        others = [Move.parse(one) for one in leaving if one is not None]
        for step in range(1, len(whole.path)):
            first = whole.until(step)
            rest = [Move(whole.units, whole.path[step:])] if step < len(whole.path) - 1 else []
            try:
                now = scenario.after(Plan((first,)))
            except InputError:
                continue
            for order in permutations([*rest, *others]):
                if not waits and rest and order[0] is not rest[0]:
                    continue  # its move would be over
                plan = Plan((first, *order) if waits or not rest else (whole, *order[1:]))
                judged = Referee(scenario.game).play(plan, scenario.start)
                found = Referee(now.game).play(Plan(order), now.start)
                told = f"{plan}\nafter {first}: {judged.violations}, {found.violations}"
                paid = effect not in COSTS or found.tally.mp == judged.tally.mp
                assert found.legal == (judged.legal and paid) == (not judge(now, Plan(order))), told
                seen[found.legal] += 1
    assert seen[True]
    assert seen[False] or not good


def test_of_several_who_save_a_part_in_each_of_two_hexes_one_must_stay_in_each(tmp_path: Path) -> None:
    """G has paid 2 MP: leaving 03.02, and entering 03.03, cost 1 more each if neither a nor b, or neither c nor d, stays."""
    both = ZOC.format(mp=1, on="enter", does="cost", from_ezoc="any", good="true").replace('from_ezoc = "any"\n', "")
    both += both[both.index("[[rule.effects]]") :].replace("enter", "leave")
    units = "scout g 03.01 9", "foot a 03.02 2", "foot b 03.02 2", "foot c 03.03 2", "foot d 03.03 2"
    scenario = build(Variant("stay", both, units=units, enemies=("guard e 04.02 3",)), tmp_path)
    done, left = Plan.parse(["g 03.01-03.02-03.03"]), {"a": "03.02-02.02", "b": "03.02-02.02", "c": "03.03-02.03"}
    now = scenario.after(done)
    for leaving, legal in (("c", True), ("ac", True), ("cd", False), ("ab", False)):
        rest = Plan.parse([f"{unit} {left.get(unit, left['c'])}" for unit in leaving])
        assert (
            Referee(scenario.game).play(Plan((*done.moves, *rest.moves)), scenario.start).tally.mp["g"] == 2
        ) == legal
        wrong = Referee(now.game).play(rest, now.start).violations
        assert len(wrong) == (not legal), leaving
        assert (not judge(now, rest)) == legal, leaving


def test_who_has_been_eliminated_since_lifts_the_stop_of_a_unit_that_waits(tmp_path: Path) -> None:
    """The scout g waits beside f, who negates e's EZOC there, and falls: it has moved no more, so that g may go on."""
    scenario, done = position(EFFECTS[0], True, True, tmp_path), Plan.parse(["g 03.01-03.02"])
    after = scenario.after(done).start.copy()
    after.remove("f", "eliminated")
    for now in (scenario.after(done), reached(scenario, after, done.moves)):
        for plan in (Plan.parse(["g 03.02-03.03"]), Plan.parse(["h 03.02-03.01", "g 03.02-03.03"])):
            assert Referee(now.game).play(plan, now.start).violations == ()
            assert judge(now, plan) == []
    left = Plan.parse(["f 03.02-02.02", "g 03.02-03.03"])
    now = scenario.after(done)
    assert [one.rule for one in Referee(now.game).play(left, now.start).violations] == ["effect"]
    assert [one.rule for one in judge(now, left)] == ["effect"]
