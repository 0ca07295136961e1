"""Listing what teams can do: nothing is left out that could count, and prospects are never too dear."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from operator import le
from typing import Any

import pytest

import planner
from planner.reachability.alike_units import Likeness
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.stakes import Stakes
from planner.reachability.step_rules import Step
from planner.reachability.step_table import StepTable
from planner.reachability.team_label import TeamLabel, TeamRolls, dominates
from planner.reachability.team_possibility import TeamPossibility
from planner.reachability.team_prospect import TeamProspect
from planner.reachability.team_reach import TeamReach, _as_good
from planner.reachability.team_search import TeamSearch
from planner.rules.demands import Arc
from planner.scenario import Scenario, build_scenario, load_scenario
from planner.solver.model import what_matters
from tests.conftest import DEEP, sized
from tests.oracles.stacks import draw_stacks, stacks

SEEDS = sized(12, 40, 1_000)


def listed(scenario: Scenario, matter: frozenset[str] | None) -> list[TeamPossibility]:
    """Return what the teams of a scenario can do."""
    return TeamReach(ConditionalReach(scenario.game), Stakes(matter)).all_possibilities()


def not_matched(some: Iterable[TeamPossibility], others: Iterable[TeamPossibility]) -> list[TeamPossibility]:
    """Return those of some possibilities of which no other one comes to the same and is as good."""
    alike: dict[object, list[TeamPossibility]] = {}

    def key(one: TeamPossibility) -> object:
        return one.units, one.ends, tuple((fork.at, fork.chance, fork.units) for fork in one.forks)

    for other in others:
        alike.setdefault(key(other), []).append(other)
    return [one for one in some if not any(_as_good(other, one, False, True) for other in alike.get(key(one), ()))]


def check(scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> int:
    """Hold the list against one without a look ahead; return how many possibilities it has left out."""
    matter = what_matters(scenario)
    with_it = listed(scenario, matter)
    with monkeypatch.context() as patch:
        patch.setattr(TeamSearch, "_may_go_on", lambda self, label: True)
        patch.setattr(TeamSearch, "_may_be_of_use", lambda self, label, choice: True)
        without = listed(scenario, matter)
    assert not not_matched(with_it, without)
    missing = not_matched(without, with_it)
    for one in missing:
        # Whoever goes on ends where nothing counts, and had better stay where the others are, or where it overran.
        assert matter is not None
        assert one.path[-1] not in matter
        assert len(one.path) - 1 not in one.overruns
    return len(missing)


def test_a_step_that_is_not_made_leads_to_a_label_that_would_not_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = 0
    looks_ahead = TeamSearch._may_be_of_use

    def counting(search: TeamSearch, label: TeamLabel, choice: Any) -> bool:
        nonlocal refused
        refused += not looks_ahead(search, label, choice)
        return True

    for seed in range(SEEDS // 5):
        scenario = stacks(seed)[0]
        matter = what_matters(scenario)
        with_it = listed(scenario, matter)
        with monkeypatch.context() as patch:
            patch.setattr(TeamSearch, "_may_be_of_use", counting)
            assert listed(scenario, matter) == with_it, f"seed {seed}"
    assert refused > SEEDS // 5


@pytest.mark.parametrize("overdraws", [False, True])
def test_what_may_have_been_spent_before_a_step_is_what_may_lead_on_after_it(overdraws: bool) -> None:
    reach = ConditionalReach(load_scenario("scenarios/ocs/two_overruns.toml").game)
    prospect = TeamProspect(reach, "armor", frozenset({"10.12", "line"}))
    search = TeamSearch(reach, ("armor",), Stakes(), [prospect])
    search._overdraws_later = [overdraws]
    most, answers = search._most[0], set[bool]()
    for to in (*prospect.goal, "99.99"):
        for spent in range(0, most + 2):
            for cost in (0, reach.scale, most):
                enough = search._enough(0, to, cost)
                for which, tells in enumerate((prospect.overrun, prospect.through, prospect.goal), 1):
                    label = TeamLabel(to, 1, (spent + cost,), ((),), (0,), ("",), 0, 0, ((),), TeamRolls(), None, None)
                    label.depth = 1
                    able = search._is_able(label, 0, tells)
                    assert (spent <= enough[which]) == able, f"{to}, {spent} + {cost}"
                    answers.add(able)
    assert answers == {False, True}


def test_nothing_is_left_out_that_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(SEEDS):
        check(stacks(seed)[0], monkeypatch)


@pytest.mark.parametrize("name", ["carpet", "two_overruns", "swamp", *(["breakthrough"] if DEEP else [])])
def test_nothing_is_left_out_of_a_scenario(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    left_out = check(load_scenario(f"scenarios/ocs/{name}.toml"), monkeypatch)
    assert left_out > 0 or name != "breakthrough"


def cut_short(one: TeamPossibility, other: TeamPossibility, matter: frozenset[str]) -> bool:
    """Tell whether one move is another without its last overruns, and as good: nobody spends more, and as much counts."""
    rolls = [(fork.at, fork.chance, fork.units) for fork in one.forks]
    counts = [(enemy, chance) for enemy, chance in other.removes if enemy in matter]
    ends = zip(one.ends, other.ends, strict=True)
    return (
        one.units == other.units
        and rolls == [(fork.at, fork.chance, fork.units) for fork in other.forks][: len(rolls)]
        and set(counts) <= set(one.removes)
        and all(end == further or further not in matter for end, further in ends)
        and all(map(le, one.expected_mp, other.expected_mp))
        and one.needs <= other.needs
    )


def of_whom_one_counts(seed: int) -> Scenario:
    """Return a position with enough MP for two overruns, and up to three enemies; who is gone counts of one of them."""
    rng = random.Random(f"one counts {seed}")
    data = draw_stacks(rng)
    taken = {unit["at"] for unit in data["unit"]}
    free = [label for label in data["map"]["hexes"] if label not in taken]
    for unit in data["unit"]:
        unit["ma"] += 4 if unit["side"] == "axis" else 0
    enemy = {"type": "infantry", "side": "allied", "attack": 1, "defense": 1, "ma": 0}
    data["unit"].append({"id": "other", "at": rng.choice(free), **enemy})
    data["tier"][0]["terms"] = [term for term in data["tier"][0]["terms"] if term.get("units") != ["e1"]]
    return build_scenario(data, f"one counts {seed}")


def test_an_overrun_after_which_nothing_counts_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def counts(search: TeamSearch, here: int, arc: Arc) -> bool:
        return True

    left_out = 0
    for seed in range(SEEDS):
        scenario = of_whom_one_counts(seed)
        matter = what_matters(scenario)
        assert matter is not None
        reach, with_it = ConditionalReach(scenario.game), listed(scenario, matter)
        with monkeypatch.context() as patch:
            patch.setattr(TeamSearch, "_counts", counts)
            patch.setattr(TeamSearch, "_may_go_on", lambda self, label: True)
            patch.setattr(TeamSearch, "_may_be_of_use", lambda self, label, choice: True)
            without = listed(scenario, matter)
        for one in not_matched(without, with_it):
            if len(one.path) - 1 in one.overruns and one.path[-1] not in matter:
                left_out += 1
                victims = scenario.game.enemies_at(one.path[-1])
                assert matter.isdisjoint(victims), f"seed {seed}: {one}"
                if any(enemy in matter for enemy, _ in one.removes) or len(one.forks) > 1:
                    assert any(cut_short(other, one, matter) for other in with_it), f"seed {seed}: {one}"
                elif (here := one.forks[0].at) in matter:  # whoever goes there may as well stay
                    for unit, mp in zip(one.units, one.mp, strict=True):
                        there = (found for found in reach.possibilities(unit) if found.end == here)
                        at_home = scenario.game.homes[unit] == here
                        assert at_home or min(found.mp for found in there) <= mp, f"seed {seed}: {one}"
    assert left_out


def test_where_everything_matters_all_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(SEEDS // 3):
        scenario, _ = stacks(seed)
        with_it = listed(scenario, None)
        with monkeypatch.context() as patch:
            patch.setattr(TeamSearch, "_may_go_on", lambda self, label: True)
            patch.setattr(TeamSearch, "_may_be_of_use", lambda self, label, choice: True)
            assert listed(scenario, None) == with_it, f"seed {seed}"


def test_a_prospect_is_what_the_cheapest_way_costs() -> None:
    """Two overruns, of scenarios/ocs: an attempt on 10.11 costs 3 MP, and each hex 1; 10.12 matters.

    From 10.10 it is 3 MP to the end of an overrun, and 2 to 10.12, if the enemy in between is gone by then. What steps need
    isn't asked.
    """
    scenario = load_scenario("scenarios/ocs/two_overruns.toml")
    reach = ConditionalReach(scenario.game)
    prospect = TeamProspect(reach, "armor", frozenset({"10.12", "line"}))
    assert prospect.overrun["10.10"] == 3 * reach.scale
    assert prospect.through["10.10"] == 3 * reach.scale
    assert prospect.goal["10.10"] == 2 * reach.scale
    assert prospect.goal["10.11"] == reach.scale
    assert TeamProspect(reach, "armor", frozenset({"10.12"})).through["10.10"] == 4 * reach.scale, "10.12 alone counts"
    assert prospect.goal["10.13"] == reach.scale
    assert TeamProspect(reach, "armor", None).goal["10.12"] == reach.scale


def test_what_cannot_be_reached_has_no_prospect() -> None:
    scenario = load_scenario("scenarios/ocs/two_overruns.toml")
    prospect = TeamProspect(ConditionalReach(scenario.game), "mech", frozenset({"10.12"}))
    assert "99.99" not in prospect.goal
    assert "10.13" in prospect.goal


def test_of_teams_that_are_made_up_alike_one_is_searched_and_the_others_do_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All units of a side become like its first, where it stands; each team's own search finds what it is said to do."""
    shared, real = 0, TeamReach.possibilities
    for seed in range(SEEDS):
        data = draw_stacks(random.Random(f"alike {seed}"))
        first: dict[str, dict[str, Any]] = {}
        for unit in data["unit"]:
            like = first.setdefault(unit["side"], unit)
            unit.update({key: value for key, value in like.items() if key not in ("id", "name")})
        reach = ConditionalReach(build_scenario(data, f"alike {seed}").game)
        teams: list[tuple[str, ...]] = []

        def searched(self: TeamReach, team: tuple[str, ...], *more: Any, known: list[Any] = teams) -> Any:
            known.append(team)
            return real(self, team, *more)

        with monkeypatch.context() as patch:
            patch.setattr(TeamReach, "possibilities", searched)
            found = TeamReach(reach).all_possibilities()
        every = TeamReach(reach)
        alone = [(unit,) for unit in reach.movers if reach.rolls_alone(reach.game.units[unit])]
        own = [(team, every.possibilities(team)) for team in [*alone, *every._joint_teams()]]
        assert found == [one for _, some in own for one in some], f"seed {seed}"
        shared += sum(bool(some) and team not in teams for team, some in own)
    assert shared >= SEEDS / 4


@pytest.mark.thorough
def test_units_share_what_they_overrun_only_where_nothing_but_their_names_tells_them_apart() -> None:
    """Of every second position, the units of a side become like its first, but for MA; its own table knows nobody else."""
    shared = 0
    for seed in range(SEEDS // 4):
        data = draw_stacks(random.Random(f"kinds {seed}"))
        first: dict[str, dict[str, Any]] = {}
        for unit in data["unit"] if seed % 2 else ():
            like = first.setdefault(unit["side"], unit)
            unit.update({key: value for key, value in like.items() if key not in ("id", "name", "at", "ma")})
        game = build_scenario(data, f"kinds {seed}").game
        table, known = StepTable(game), list[tuple[Step, ...]]()
        hexes = {home for enemy, home in game.homes.items() if game.is_enemy(enemy) and home in game.board.hexes}
        for unit in game.friends:
            own = StepTable(game)
            for label in hexes:
                for origin in game.board.neighbours[label]:
                    for attempts in (1, 2):
                        found = table.overrun_steps(game.units[unit], origin, label, attempts)
                        assert found == own.overrun_steps(game.units[unit], origin, label, attempts), (
                            f"seed {seed}: {unit}"
                        )
                        shared += bool(found) and any(found is other for other in known)
                        known.append(found)
    assert shared >= SEEDS / 4


def test_ways_to_the_same_rolls_are_rivals_however_many_hexes_they_have(monkeypatch: pytest.MonkeyPatch) -> None:
    # In the swamp each hex is a roll: 46 labels would be kept only for their rolls' being of another step.
    run, searches = TeamSearch.run, list[TeamSearch]()

    def noting(search: TeamSearch) -> list[TeamLabel]:
        searches.append(search)
        return run(search)

    monkeypatch.setattr(TeamSearch, "run", noting)
    scenario = load_scenario("scenarios/ocs/swamp.toml")
    listed(scenario, what_matters(scenario))
    rivals: dict[object, list[TeamLabel]] = {}
    for number, search in enumerate(searches):
        for label in (label for labels in search._kept.values() for label in labels if label.rolls):
            key = number, label.hex, label.here, label.ends, label.pending, label.rolls.made
            rivals.setdefault(key, []).append(label)
    assert len(rivals) > 100
    for labels in rivals.values():
        for one, other in permutations(labels, 2):
            assert not dominates(one, other, exactly=False, welcome=True)


def test_what_an_overrun_needs_of_all_is_what_the_rules_say_beside_those_who_were_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known, crowded = TeamSearch._together, set[tuple[str, ...]]()

    def compared(search: TeamSearch, label: TeamLabel, choice: Any) -> Any:
        found = known(search, label, choice)
        assert found == known(search, label, replace(choice, beside={}))
        if label.hex in label.ends and len(choice.beside) > 1:
            crowded.add(label.ends)
        return found

    monkeypatch.setattr(TeamSearch, "_together", compared)
    for seed in range(SEEDS // 5):
        scenario = stacks(seed)[0]
        listed(scenario, what_matters(scenario))
    for name in ("carpet", "two_overruns"):
        scenario = load_scenario(f"scenarios/ocs/{name}.toml")
        listed(scenario, what_matters(scenario))
    assert crowded


@pytest.mark.parametrize(("first", "second"), [("10.09", "10.11"), ("10.11", "10.09")])
def test_whom_it_matters_most_to_be_rid_of_is_overrun_first(first: str, second: str) -> None:
    """A tank of 12 MP stands between two enemies, and is to stay there in the end.

    2:1 goes through with 5/12: 5 x 95/144 of the first in two attempts, 4 x 95/144 x 5/12 of the second, and 5 for the hex
    are 1015/108, for 11 MP. With the same rolls for the same MP it is less the other way round, and less, too, three times
    against the first: 5 x 1385/1728 + 5.
    """
    enemy = {"side": "allied", "type": "infantry", "values": "4-4-3"}
    goals = [{"kind": "eliminate", "units": [one], "weight": weight} for one, weight in (("one", 5), ("other", 4))]
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"10.09 10.10 10.11": "open"}},
        "unit": [
            {"id": "tank", "side": "axis", "type": "tank", "values": "8-4-12", "at": "10.10"},
            {"id": "one", "at": first, **enemy},
            {"id": "other", "at": second, **enemy},
        ],
        "tier": [{"terms": [*goals, {"kind": "hold", "hexes": "10.10", "weight": 5}]}],
    }
    found = planner.suggest(build_scenario(data, "between two"))
    assert (found.status, found.value) == ("optimal", (Fraction(1015, 108),))


@pytest.mark.parametrize("name", [pytest.param("ocs/breakthrough", marks=pytest.mark.thorough), "ocs/two_overruns"])
def test_how_units_get_about_is_the_same_for_units_that_are_alike(name: str) -> None:
    """What is shared by all searches, and by units that differ by their names alone, is what each would work out itself."""
    scenario = load_scenario(name)
    shared = ConditionalReach(scenario.game)
    for matter in (None, frozenset([*scenario.game.board.hexes][::7])):
        for unit in shared.movers:
            one, other = (TeamProspect(reach, unit, matter) for reach in (shared, ConditionalReach(scenario.game)))
            assert (one.overrun, one.through, one.goal) == (other.overrun, other.through, other.goal)
    assert 0 < len(shared.grounds) < len(shared.movers) or name != "ocs/breakthrough"


def test_units_that_are_alike_may_be_dropped_in_each_others_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three units of a stack, two of them alike, and two enemies: the same is listed as where nothing is alike."""
    like = {"side": "allied", "type": "infantry", "values": "3-3-6", "size": 1, "at": "10.10"}
    units = [{"id": "a", **like}, {"id": "b", **like}, {"id": "c", **like, "values": "4-3-6"}]
    enemies = [
        {"id": f"e{at[:2]}", "side": "axis", "type": "infantry", "values": "1-1-2", "at": at}
        for at in ("10.11", "11.12")
    ]
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "allied",
        "map": {"hexes": {"10.10 10.11 11.11 11.12 10.12": "open"}},
        "unit": [*units, *enemies],
        "tier": [{"terms": [{"kind": "mp_spent"}]}],
    }
    scenario = build_scenario(data, "stack")
    found = listed(scenario, None)
    assert any(one.drops for one in found)
    with monkeypatch.context() as patch:
        patch.setattr(Likeness, "of", lambda self, team: team)
        every = listed(scenario, None)
    assert len(found) == len(every)
    assert Counter(map(_told, found)) == Counter(map(_told, every))


def _told(one: TeamPossibility) -> object:
    """Return what a possibility comes to, whichever of several ways there are."""
    return one.units, one.ends, one.mp, one.expected_mp, one.needs, frozenset(one.removes), len(one.drops)
