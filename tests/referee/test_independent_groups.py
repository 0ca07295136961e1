"""Moves that have nothing to do with each other are gone through by themselves: all that is known of them is the same."""

from __future__ import annotations

import copy
import json
import pickle
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

import planner
from planner.errors import TooManyOutcomesError
from planner.objective import Tally
from planner.objective.scoring import score, tier_values
from planner.plans.plan import Move, Plan
from planner.referee import independent_groups, outcomes
from planner.referee.combined_outcomes import CombinedOutcomes, Outcome
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict
from planner.scenario import Scenario, build_scenario
from planner.world.position import Position
from tests.conftest import long_ones, sized
from tests.oracles.skirmishes import draw_skirmish, random_sortie
from tests.oracles.stacks import draw_reliance, random_stack_plan
from tests.oracles.trenches import draw_trenches, random_march

POSITIONS = sized(4, 20, 3_000)
CANDIDATES = 24
"""How many moves are tried for a plan."""
LISTED = 600
"""How many outcomes a plan has at most, so that all of them can be listed many times."""


def draw_strong_stacks(rng: random.Random) -> dict[str, Any]:
    """Return a position of stacks that are strong enough for overruns."""
    data = draw_reliance(rng)
    del data["confidence"]
    return data


DRAWN: dict[str, tuple[Callable[[random.Random], dict[str, Any]], Callable[[Scenario, random.Random], Plan], str]] = {
    "stacks": (draw_strong_stacks, random_stack_plan, r"\b(1[0-2]\.)(1[0-2])\b"),
    "trenches": (draw_trenches, random_march, r"\b([D-F])([4-6])\b"),
    "skirmishes": (draw_skirmish, random_sortie, r"\b(0[4-6])(0[4-6])\b"),
}
"""How positions and plans are drawn, and what labels look like: the second part counts the rows."""


def side_by_side(kind: str, rng: random.Random) -> Scenario:
    """Return a position of two or three small ones, that overlap, touch or are apart."""
    draw, _, labels = DRAWN[kind]
    places = rng.choice(([0, 1], [0, 3]) if kind == "trenches" else ([0, 1], [0, 1, 2], [0, 3, 6], [0, 5, 10]))
    drawn = []
    for number, by in enumerate(places):
        text = json.dumps(draw(rng))

        def shifted(found: re.Match[str], by: int = by) -> str:
            return f"{found[1]}{int(found[2]) + by:0{len(found[2])}}"

        text = re.sub(labels, shifted, text)
        drawn.append(json.loads(re.sub(r'"(u\d+|e\d*|big)"', rf'"\1{"abc"[number]}"', text)))
    data, *others = drawn
    for other in others:
        data["map"]["hexes"] |= other["map"]["hexes"]
        for name, some in other["map"].get("hexsides", {}).items():
            data["map"]["hexsides"][name] += some
        taken = {unit["at"] for unit in data["unit"]}
        data["unit"] += [unit for unit in other["unit"] if unit["at"] not in taken]
        there = {unit["id"] for unit in data["unit"]}
        terms = other["tier"][0]["terms"]
        data["tier"][0]["terms"] += [
            one for one in terms if there.issuperset([*one.get("units", ()), *([one["unit"]] if "unit" in one else [])])
        ]
        if "marker" in data:
            known = {marker["at"] for marker in data["marker"]}
            data["marker"] += [marker for marker in other["marker"] if marker["at"] not in known]
            data["orders"] = dict.fromkeys(data["orders"], 9)
    return build_scenario(data, kind)


def all_listed(scenario: Scenario, plan: Plan, monkeypatch: pytest.MonkeyPatch) -> Verdict | None:
    """Return the verdict for which all outcomes are listed; None if they are too many."""
    monkeypatch.setattr(independent_groups, "MANY_ROLLS", 10**9)
    monkeypatch.setattr(outcomes, "MOST_OUTCOMES", LISTED)
    try:
        return Referee(scenario.game).play(plan, scenario.start)
    except TooManyOutcomesError:
        return None


def in_groups(scenario: Scenario, plan: Plan, monkeypatch: pytest.MonkeyPatch) -> Verdict:
    """Return the verdict for which moves are taken apart, however few rolls there are."""
    monkeypatch.setattr(independent_groups, "MANY_ROLLS", 0)
    return Referee(scenario.game).play(plan, scenario.start)


def legal_plan(scenario: Scenario, kind: str, rng: random.Random, monkeypatch: pytest.MonkeyPatch) -> Plan:
    """Return a plan of as many moves, drawn at random, as are legal whatever is rolled."""
    moves: tuple[Move, ...] = ()
    drawn: list[Move] = []
    for _ in range(CANDIDATES):
        drawn = drawn or [*DRAWN[kind][1](scenario, rng).moves]
        more = (*moves, drawn.pop())
        verdict = all_listed(scenario, Plan(more), monkeypatch)
        if verdict is not None and verdict.legal and (verdict.moves[-1].rolls or rng.random() < 0.2):
            moves = more
    return Plan(moves)


def told(outcome: Outcome) -> tuple[object, ...]:
    """Return all that an outcome is, with the order in which units have come."""
    position = outcome.position
    return (
        outcome.failed,
        outcome.probability,
        tuple(position.at.items()),
        tuple(position.boxes.items()),
        tuple(position.under_way.items()),
        tuple(position.taken),
        position.key,
        outcome.tally,
    )


def same(scenario: Scenario, mine: Verdict, listed: Verdict, where: str) -> bool:
    """Ensure that two verdicts on a plan say the same; tell whether the first one's moves were taken apart."""
    assert mine.violations == listed.violations, where
    assert mine.moves == listed.moves, where
    assert mine.probability == listed.probability, where
    if not isinstance(mine.outcomes, CombinedOutcomes):
        assert mine.outcomes == listed.outcomes, where
        return False
    assert sorted(map(told, mine.outcomes), key=repr) == sorted(map(told, listed.outcomes), key=repr), where
    assert [told(mine.outcomes[index]) for index in range(len(mine.outcomes))] == [*map(told, mine.outcomes)], where
    assert score(scenario.game, scenario.tiers, mine) == score(scenario.game, scenario.tiers, listed), where
    for term in (term for tier in scenario.tiers for term in tier.terms):
        for one in (term, *term.addends(scenario.game)):

            def holds(position: Any, tally: Any, one: Any = one) -> bool:
                return bool(one.score(scenario.game, position, tally) >= 1)

            assert mine.probability_that(holds) == listed.probability_that(holds), where
            assert mine.always(holds) is listed.always(holds), where
    for unit in scenario.game.order:
        for label in scenario.game.board.hexes:
            assert mine.chance_to_end(unit, (label,)) == listed.chance_to_end(unit, (label,)), where
    return len(mine.outcomes.groups) > 1


@pytest.mark.parametrize("kind", long_ones(DRAWN, "skirmishes"))
def test_legal_plans_come_to_the_same_as_if_all_outcomes_were_listed(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    apart = together = 0
    for seed in range(POSITIONS):
        rng = random.Random(f"side by side {kind} {seed}")
        scenario = side_by_side(kind, rng)
        plan = legal_plan(scenario, kind, rng, monkeypatch)
        listed = all_listed(scenario, plan, monkeypatch)
        assert listed is not None
        mine = in_groups(scenario, plan, monkeypatch)
        apart += same(scenario, mine, listed, f"seed {seed}")
        if mine.groups is not None:
            rolling = sum(bool(one.rolls) for one in mine.moves)
            together += len(mine.groups.groups) < rolling
    assert apart >= POSITIONS / 20


@pytest.mark.parametrize("kind", long_ones(DRAWN, "skirmishes"))
def test_illegal_plans_are_judged_alike(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A legal plan with moves that are drawn at random among its own is often illegal, at times in some outcomes alone."""
    illegal = 0
    for seed in range(POSITIONS):
        rng = random.Random(f"illegal {kind} {seed}")
        scenario = side_by_side(kind, rng)
        moves = [*legal_plan(scenario, kind, rng, monkeypatch).moves]
        for move in DRAWN[kind][1](scenario, rng).moves[: rng.choice((1, 1, 2))]:
            moves.insert(rng.randint(0, len(moves)), move)
        plan = Plan(tuple(moves))
        listed = all_listed(scenario, plan, monkeypatch)
        if listed is not None:
            same(scenario, in_groups(scenario, plan, monkeypatch), listed, f"seed {seed}")
            illegal += bool(listed.outcomes) and not listed.legal
    assert illegal


def overruns(*rows: int) -> Scenario:
    """Return overruns in some rows, 8 to 4 in the open; the hexes between them are there, too."""
    units = []
    for row in rows:
        units.append({"id": f"tank{row}", "side": "axis", "type": "tank", "values": "8-4-7", "at": f"10.{row}"})
        units.append({"id": f"line{row}", "side": "allied", "type": "infantry", "values": "4-4-3", "at": f"11.{row}"})
    units.append({"id": "truck", "side": "axis", "type": "motorized", "values": "1-1-20", "at": "09.10"})
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "ocs",
            "phase": "movement",
            "phasing": "axis",
            "map": {"hexes": {" ".join(f"{c:02}.{r}" for c in range(8, 13) for r in range(10, max(rows) + 3)): "open"}},
            "unit": units,
            "tier": [{"terms": [{"kind": "eliminate", "units": [f"line{row}" for row in rows]}]}],
        },
        "overruns",
    )


def groups_of(scenario: Scenario, *lines: str) -> list[int]:
    """Return how many outcomes each group of a plan has, which is legal."""
    verdict = Referee(scenario.game).play(Plan.parse(lines), scenario.start)
    assert verdict.legal, verdict
    assert verdict.groups is not None
    return sorted(len(group.outcomes) for group in verdict.groups.groups)


def test_overruns_far_from_each_other_are_gone_through_one_by_one() -> None:
    """2 to the power of 7, as 7 times 2."""
    rows = range(10, 29, 3)
    assert groups_of(overruns(*rows), *(f"tank{row} 10.{row}x11.{row}" for row in rows)) == [2] * 7


def test_who_passes_an_enemy_that_may_be_gone_is_gone_through_with_those_who_overrun_it() -> None:
    """In 10.12 the truck is in the EZOC of line13, unless that has been overrun before; legal it is both times."""
    rows = range(10, 29, 3)
    tanks, truck = [f"tank{row} 10.{row}x11.{row}" for row in rows], "truck 09.10-09.11-09.12-10.12"
    assert len(groups_of(overruns(*rows), *tanks, truck)) < 7
    assert groups_of(overruns(*rows), truck, *tanks) == [2] * 7


def test_what_may_come_of_many_rolls_is_counted_without_a_list() -> None:
    """Each overrun goes through with the same chance p: 7 p are eliminated on average, and nothing fails with p ** 7."""
    rows = range(10, 29, 3)
    scenario = overruns(*rows)
    verdict = Referee(scenario.game).play(Plan.parse([f"tank{row} 10.{row}x11.{row}" for row in rows]), scenario.start)
    chance = verdict.moves[0].rolls[0].chance
    assert 0 < chance < 1
    assert tier_values(scenario.tiers, score(scenario.game, scenario.tiers, verdict)) == (7 * chance,)
    assert verdict.probability == chance**7
    assert verdict.chance_to_end("tank13", ("11.13",)) == chance
    assert len(verdict.outcomes) == len(verdict.all_outcomes()) == 2**7
    assert sum(one.probability for one in verdict.outcomes) == 1


@pytest.mark.parametrize("kind", ["distance", "turns", "worth"])
def test_what_each_unit_comes_to_is_added_up_however_many_rolls_there_are(kind: str) -> None:
    """Of 2 to the power of 18 outcomes: each tank is where it is to be, or one hex, and one turn, away."""
    rows = range(10, 62, 3)
    goals = [f"11.{row}" for row in rows]
    scenario = overruns(*rows)
    term: dict[str, Any] = {"kind": kind}
    if kind == "worth":
        term["table"] = "\n".join([" ".join(goals), *(f"tank{row} {' '.join(['2'] * len(goals))}" for row in rows)])
    else:
        term |= {"to": goals, "of": {"types": "tank"}}
    tiers = build_scenario({**scenario.data, "tier": [{"terms": [term]}]}, kind).tiers
    plan = Plan.parse([f"tank{row} 10.{row}x11.{row}" for row in rows])
    verdict = Referee(scenario.game).play(plan, scenario.start)
    chance = verdict.moves[0].rolls[0].chance
    value = 2 * len(rows) * chance if kind == "worth" else -len(rows) * (1 - chance)
    assert tier_values(tiers, score(scenario.game, tiers, verdict)) == (value,)


def test_what_looks_at_everything_tells_as_many_outcomes_apart_as_it_may() -> None:
    rows = range(10, 29, 3)
    scenario = overruns(*rows)
    verdict = Referee(scenario.game).play(Plan.parse([f"tank{row} 10.{row}x11.{row}" for row in rows]), scenario.start)
    assert verdict.groups is not None

    def all_of_it(position: Position, _: Tally) -> object:
        return tuple(position.at.items())

    assert len(verdict.groups.distribution(all_of_it, 2**7)) == 2**7
    with pytest.raises(TooManyOutcomesError):
        verdict.groups.distribution(all_of_it, 2**7 - 1)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda verdict: pickle.loads(pickle.dumps(verdict))])
def test_verdicts_in_groups_are_compared_and_copied_as_others_are(copied: Callable[[Verdict], Verdict]) -> None:
    rows = range(10, 29, 3)
    scenario = overruns(*rows)
    plan = Plan.parse([f"tank{row} 10.{row}x11.{row}" for row in rows])
    verdict, other = (Referee(scenario.game).play(plan, scenario.start) for _ in range(2))
    assert verdict.groups is not None
    assert verdict == other
    assert verdict != Referee(scenario.game).play(Plan(plan.moves[::-1]), scenario.start)
    twin = copied(verdict)
    assert twin == verdict
    assert [*map(told, twin.outcomes)] == [*map(told, verdict.outcomes)]


@pytest.mark.thorough
def test_moves_that_could_not_be_made_in_the_world_of_a_group_are_gone_through_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If all goes well e0c is driven back and destroyed by the last move; it may be gone before that."""
    rng = random.Random("side by side skirmishes 82")
    scenario = side_by_side("skirmishes", rng)
    plan = legal_plan(scenario, "skirmishes", rng, monkeypatch)
    listed = all_listed(scenario, plan, monkeypatch)
    assert listed is not None
    assert same(scenario, in_groups(scenario, plan, monkeypatch), listed, "seed 82")


@pytest.mark.parametrize("kind", long_ones(DRAWN, "trenches"))
def test_of_too_many_outcomes_only_what_is_illegal_for_certain_is_told(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is told where only few may be gone through is also told where all are, and that there may be more."""
    told = 0
    for seed in range(2 * POSITIONS):
        rng = random.Random(f"if all goes well {kind} {seed}")
        scenario = side_by_side(kind, rng)
        if kind == "stacks":
            scenario = build_scenario({**scenario.data, "confidence": rng.choice(["1/2", "3/4", 1])}, kind)
        plan = Plan()
        for move in (move for _ in range(CANDIDATES // 2) for move in DRAWN[kind][1](scenario, rng).moves):
            more = Plan((*plan.moves, move))
            plan = more if Referee(scenario.game).play(more, scenario.start, rolls=False).legal else plan
        listed = all_listed(scenario, plan, monkeypatch)
        if listed is None or len(listed.outcomes) < 2:
            continue
        monkeypatch.setattr(outcomes, "MOST_OUTCOMES", 1)
        try:
            part = Referee(scenario.game).play(plan, scenario.start)
        except TooManyOutcomesError:
            continue
        assert not part.complete
        assert part.violations
        assert {one.key for one in part.violations} <= {one.key for one in listed.violations}, seed
        told += any(one.message.startswith("if ") for one in part.violations)
    assert told or kind != "stacks"  # combats on entering are hardly ever legal but in some outcomes


def test_a_plan_that_is_illegal_in_one_of_very_many_outcomes_is_illegal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 2 to the power of 11: where the overrun of 11.10 fails, the truck runs into an enemy."""
    monkeypatch.setattr(outcomes, "MOST_OUTCOMES", 1_000)
    rows = range(10, 43, 3)
    scenario = overruns(*rows)
    tanks = [f"tank{row} 10.{row}x11.{row}" for row in rows]
    verdict = planner.check(scenario, [*tanks, "truck 09.10-10.10-11.10"])
    assert not verdict.complete
    assert any(
        one.message.startswith("if the overrun of 11.10 fails, ") and one.unit == "truck" for one in verdict.violations
    )
    assert verdict.probability == verdict.moves[0].rolls[0].chance ** 11


@pytest.mark.thorough
def test_a_plan_that_is_illegal_if_all_goes_well_is_illegal_however_many_outcomes_it_has() -> None:
    """The last tank doesn't reach what it is to overrun."""
    rows = range(10, 62, 3)
    scenario = overruns(*rows)
    tanks = [f"tank{row} 10.{row}x11.{row}" for row in rows]
    verdict = planner.check(scenario, [*tanks[:-1], tanks[-1].replace("10.61x", "10.61-08.10x")])
    assert [one.unit for one in verdict.violations if one.step == 1] == ["tank61"]
