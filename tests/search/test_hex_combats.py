"""What combats for a hex come to at best where enemies may give way into others' hexes, and who might pass through."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

import planner
from planner.limits import Limits
from planner.objective import Term, Tier
from planner.objective.goals import Eliminate, End, Hold
from planner.objective.scoring import score, tier_values
from planner.plans.plan import Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.referee.referee import Referee
from planner.rules.combat_roles import Fights
from planner.rules.demands import Arc
from planner.scenario import Scenario, build_scenario
from planner.search import combat_search
from planner.search.confirmation import unconfirmed
from planner.search.context import SearchContext
from planner.search.hex_combats import Prize
from planner.search.loose_routes import LooseRoutes
from planner.search.search import best_plan
from tests.oracles.skirmishes import skirmish

CLEAR = " ".join(f"{column:02}{row:02}" for column in range(3, 9) for row in range(3, 9))


def board(*units: str, hexes: str = CLEAR, hills: str = "", goals: tuple[str, ...] = ()) -> Scenario:
    """Return a position: each unit as "id strength-MA hex", enemies' ids with e; enemies are to be eliminated."""
    data: dict[str, Any] = {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {hexes: "clear", **({hills: "hills"} if hills else {})}},
        "unit": [
            {"id": name, "side": "red" if name[0] == "e" else "blue", "type": "infantry", "values": values, "at": at}
            for name, values, at in map(str.split, units)
        ],
        "tier": [{"terms": [{"kind": "eliminate", "units": list(goals)}]}] if goals else [],
    }
    return build_scenario(data, "combats")


def loose(scenario: Scenario) -> LooseRoutes:
    [rule] = scenario.game.rulebook.of(Fights)
    return LooseRoutes(ConditionalReach(scenario.game, Limits()), rule)


ROW = ("x 6-1 0504", "y 6-1 0406", "e1 2-2 0505", "e2 2-2 0506")
"""x attacks e1, behind which e2 stands, whom y attacks: 6 against 2 is the column of 200 %, of one hit or two, half each."""


def test_whoever_may_be_joined_by_those_who_give_way_is_no_more_surely_destroyed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By hand: if it is hit once, e2 goes straight on to 0605, where nobody gets; e1 beside it would make it no weaker."""
    monkeypatch.setattr(combat_search._Proposing, "_look_at_the_next", lambda *given: pytest.fail("one was proposed"))
    required = replace(board(*ROW), requirements=(Eliminate(kind="eliminate", units=("e2",)),))
    assert planner.suggest(required).status == "infeasible"


def test_the_best_of_two_combats_of_which_one_drives_an_enemy_into_the_other_is_proved() -> None:
    """By hand: each is destroyed half the time, whoever is attacked first; e1, driven into 0506, makes 6 against 3 of it."""
    found = planner.suggest(board(*ROW, goals=("e1", "e2")))
    assert (found.status, found.value) == ("optimal", (1,))


def test_who_gives_way_beside_a_friend_of_the_attackers_may_be_caught_there() -> None:
    """By hand: w holds 0506, straight on, so that e1 goes to 0605, where z, 6 against 1, destroys it for certain."""
    found = planner.suggest(board("x 6-1 0504", "w 1-0 0506", "z 6-1 0705", "e1 2-2 0505", goals=("e1",)))
    assert (found.status, found.value) == ("optimal", (1,))


def test_nobody_gives_way_past_a_hex_that_is_open_to_all() -> None:
    """By hand: from 0504 straight on is 0506, then 0605, then 0405; only who holds one drives others farther."""
    alone, held = (board("x 6-1 0504", "e1 2-2 0505", *more) for more in ((), ("w 1-0 0506",)))
    assert loose(alone).combats("0505").refuges == ("0506",)
    assert loose(held).combats("0505").refuges == ("0506", "0605")


def test_who_is_shut_in_is_destroyed_though_those_around_it_move_on_afterwards() -> None:
    """By hand: while u, v and w stand behind e1, it can go nowhere; they leave when it is gone."""
    around = ("u 1-1 0405", "v 1-1 0605", "w 1-1 0506")
    leave = (("u", "0305"), ("v", "0705"), ("w", "0507"))
    scenario = board("x 6-1 0504", *around, "e1 2-2 0505", goals=("e1",))
    required = tuple(End(kind="end", unit=unit, at=(to,)) for unit, to in leave)
    found = planner.suggest(replace(scenario, requirements=required))
    assert (found.status, found.value) == ("optimal", (1,))


def test_who_has_been_behind_an_enemy_may_be_back_where_it_came_from_in_the_end() -> None:
    """By hand: y goes to 0406, where e can't go then; x, in the column of 100 %, destroys it, 5 in 6; y goes home."""
    scenario = board("x 12-3 0404", "y 2-4 0408", "e 3-2 0405", hexes="0404 0406 0407 0408", hills="0405")
    terms: tuple[Term, ...] = (Eliminate(kind="eliminate", units=("e",)), End(kind="end", unit="y", at=("0408",)))
    found = planner.suggest(replace(scenario, tiers=(Tier(terms=terms),)))
    assert (found.status, found.value) == ("optimal", (Fraction(11, 6),))


def test_who_passes_a_hex_if_others_clear_it_fights_for_it_if_they_do_not() -> None:
    """By hand: x, 4 against 3, takes 0405 from e, half the time, and t goes on; else t, 12 against 3 or less, takes it."""
    scenario = board("x 4-1 0404", "t 12-3 0404", "e 3-2 0405", hexes="0404 0405 0304")
    terms: tuple[Term, ...] = (
        Eliminate(kind="eliminate", units=("e",)),
        Hold(kind="hold", hexes=("0405",)),
        End(kind="end", unit="t", at=("0304",)),
    )
    rarely = replace(scenario.game.situation, confidence=Fraction(1, 6))
    scenario = replace(scenario, tiers=(Tier(terms=terms),), game=replace(scenario.game, situation=rarely))
    plan = Plan.parse(["x 0404x0405", "t 0404-0405", "t 0405-0404-0304"])
    verdict = Referee(scenario.game).play(plan, scenario.start)
    assert verdict.legal
    assert tier_values(scenario.tiers, score(scenario.game, scenario.tiers, verdict)) == (Fraction(5, 2),)
    assert planner.suggest(scenario).bound >= (Fraction(5, 2),)


@pytest.mark.parametrize(("strength", "passes"), [(6, True), (5, False)])
def test_a_unit_might_pass_a_hex_that_others_clear_for_certain_alone(strength: int, passes: bool) -> None:
    """By hand: 6 against 2 drives e1 away in any case; 5 against 2, a column lower, fails by 1:1, and y goes back.

    x itself is no help: whoever has fought moves no further.
    """
    names = "0504 0404 0505 0506 0507"
    scenario = board("x 9-3 0504", f"y {strength}-1 0404", "e1 2-2 0505", hexes=names)
    assert planner.check(scenario, ["y 0404x0505", "x 0504-0505-0506"]).legal == passes
    assert ("0506" in loose(scenario).routes["x"].ends) == passes
    told = planner.reach(scenario, "x")
    assert ("0506" in [one.hex for one in told.with_help], told.open) == (passes, ())


def test_who_gives_way_alone_does_so_once_and_two_together_get_farther() -> None:
    """By hand: each time one of those who give way is hit, and nobody survives two hits.

    So e1, driven from 0505 into 0506, is destroyed there or stays; with e3 it may be driven on twice, into 0508. And e2
    comes to 0507 at most, where it meets nobody.
    """
    alone = ("x 6-1 0504", "y 6-3 0404", "z 6-3 0408", "e1 2-2 0505", "e2 2-2 0508")
    assert loose(board(*alone)).combats("0508").visitors == ()
    assert loose(board(*alone, "e3 2-2 0505")).combats("0508").visitors == ("e1", "e3")


def test_whoever_gives_way_is_hit_or_one_of_those_with_it() -> None:
    gave_way = 0
    for seed in range(40):
        game = skirmish(seed)[0].game
        [rule] = game.rulebook.of(Fights)
        own = [game.units[unit] for unit in game.homes if unit in game.friends]
        for label in {game.homes[unit] for unit in game.homes if game.is_enemy(unit)}:
            foes = [game.units[enemy] for enemy in game.enemies_at(label)]
            for origin in game.board.neighbours[label]:
                for result in rule.aftermath(game, own, foes, Arc(origin, label), (), lambda *_: False):
                    if {enemy for enemy, _ in result.back} & {foe.id for foe in foes}:
                        gave_way += 1
                        assert (result.shaken | result.eliminated) & {foe.id for foe in foes}
    assert gave_way > 50


def test_where_any_plan_will_do_the_first_one_that_is_worth_something_ends_the_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By hand: nobody moves is worth nothing; the first proposal attacks, and the bound, 1½, isn't come to by any."""
    looked = list[int]()
    really = combat_search._Proposing._look_at_the_next

    def look(self: combat_search._Proposing, exactly: bool = False) -> bool:
        looked.append(1)
        return really(self, exactly)

    monkeypatch.setattr(combat_search._Proposing, "_look_at_the_next", look)
    found = best_plan(SearchContext(board(*ROW, goals=("e1", "e2")), Limits(), unconfirmed, enough=bool))
    assert found.value > (0,)
    assert len(looked) == 1


def test_a_search_for_what_no_plan_comes_to_looks_at_no_proposal(monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand: x, 6 against 2, destroys e1 half the time, so that all of the goal is more than can be had."""
    monkeypatch.setattr(combat_search._Proposing, "_look_at_the_next", lambda *given: pytest.fail("one was proposed"))
    sought = SearchContext(board(*ROW[::2], goals=("e1",)), Limits(), unconfirmed, enough=lambda value: value >= 1)
    found = best_plan(sought)
    assert found.bound[0] < 1
    assert found.status == "feasible"


def test_what_is_sure_to_be_cleared_is_what_all_defenders_are_expected_to_be_gone_from() -> None:
    sure = []
    for seed in range(60):
        scenario, *_ = skirmish(seed)
        ways = loose(scenario)
        for label in {scenario.game.homes[unit] for unit in scenario.game.homes if scenario.game.is_enemy(unit)}:
            combats, foes = ways.combats(label), scenario.game.enemies_at(label)
            each = Prize(Fraction(0), dict.fromkeys(foes, Fraction(1)))
            for size in range(len(combats.candidates) + 1):
                for some in map(frozenset, combinations(combats.candidates, size)):
                    sure.append(combats.surely(some))
                    assert sure[-1] == (combats.worth(some, each, caught=True) == len(foes))
    assert 10 < sum(sure) < len(sure) - 10
