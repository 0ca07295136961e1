"""Leave out any rule or family of constraints, and some position notices.

A search that lacks a constraint must contradict the referee, or come to another value; the solver as a judge must find
other things wrong. Some rules are no constraints of a search but its form, or follow from others in it, so only the judge
can lack them: steps lead to neighbouring hexes, and each unit makes one move.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from planner.errors import DisagreementError
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.rules.rulebook_file import load_rulebook, model_folder
from planner.search.search import Search
from planner.solver.coupling import Coupling
from planner.solver.plan_judge import judge
from tests.laws.mutants import a_world_at_war, classic_hex, dai_senso, great_war, ocs
from tests.laws.mutants.case import Case

GAMES = {
    "dai_senso": dai_senso,
    "ocs": ocs,
    "a_world_at_war": a_world_at_war,
    "great_war": great_war,
    "classic_hex": classic_hex,
}
CASES: dict[tuple[str, str], Case] = {
    (name, family): case for name, game in GAMES.items() for family, case in game.CASES.items()
}
BY_SEARCH = [key for key in CASES if key[1] not in GAMES[key[0]].FORM_OF_THE_SEARCH]
BY_JUDGE = [key for key in CASES if key[1] not in GAMES[key[0]].FORM_OF_THE_JUDGE]


def test_there_is_a_case_for_every_rule_and_family() -> None:
    for name, game in GAMES.items():
        rules = {rule.id for rule in load_rulebook(model_folder(name)).rules}
        assert rules <= set(game.CASES)
        assert set(game.CASES) <= rules | set(Coupling.FAMILIES)
    assert {family for game in GAMES.values() for family in game.CASES} >= set(Coupling.FAMILIES)


@pytest.mark.parametrize("key", CASES, ids="-".join)
def test_with_every_constraint_the_search_comes_to_the_value_worked_out_by_hand(key: tuple[str, str]) -> None:
    assert Search(CASES[key].scenario()).run().value == (Fraction(CASES[key].value),)


@pytest.mark.parametrize("key", CASES, ids="-".join)
def test_with_every_constraint_referee_and_judge_find_the_plan_as_stated(key: tuple[str, str]) -> None:
    scenario, plan = CASES[key].scenario(), Plan.parse(CASES[key].moves)
    assert Referee(scenario.game).play(plan, scenario.start).legal == CASES[key].legal
    assert (not judge(scenario, plan)) == CASES[key].legal


@pytest.mark.parametrize("key", BY_SEARCH, ids="-".join)
def test_a_search_that_lacks_a_constraint_is_found_out(key: tuple[str, str]) -> None:
    case = CASES[key]
    try:
        result = Search(case.scenario(), without=frozenset({key[1]})).run()
    except DisagreementError:
        return
    assert result.value != (Fraction(case.value),)


@pytest.mark.parametrize("key", BY_JUDGE, ids="-".join)
def test_a_judge_that_lacks_a_constraint_is_found_out(key: tuple[str, str]) -> None:
    scenario, plan = CASES[key].scenario(), Plan.parse(CASES[key].moves)
    assert judge(scenario, plan, without=frozenset({key[1]})) != judge(scenario, plan)
