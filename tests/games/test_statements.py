"""Every enforced statement has cases on both sides of it, and referee and model judge each of them alike."""

from __future__ import annotations

import itertools
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from planner.errors import InputError
from planner.objective.scoring import score
from planner.reachability.conditional_reach import ConditionalReach
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict, Violation
from planner.rules.attack_losses import PossibleResult
from planner.rules.attack_prospect import AttackProspect, attack_rule_in_force
from planner.rules.attack_referee import AssessedAttack
from planner.rules.demands import Arc
from planner.rules.rulebook import Statement
from planner.rules.rulebook_file import load_rulebook, model_folder, shipped_models
from planner.scenario import build_scenario
from planner.search.search import Search
from planner.solver.judged_worlds import worlds
from planner.solver.plan_judge import judge
from tests.games.statements import a_world_at_war, classic_hex, crossroads, dai_senso, great_war, ocs
from tests.games.statements.board import LINE, Board, Case, board, draw, i2

CASES: dict[str, tuple[Case, ...]] = {
    "dai_senso": dai_senso.CASES,
    "ocs": ocs.CASES,
    "a_world_at_war": a_world_at_war.CASES,
    "great_war": great_war.CASES,
    "classic_hex": classic_hex.CASES,
    "crossroads": crossroads.CASES,
}
DICED = [case for cases in CASES.values() for case in cases if case.dice or case.battles]

FOUGHT = [case for case in CASES["classic_hex"] if case.chance or case.places or case.shaken is not None]


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split()]


ROLLED = [case for case in CASES["crossroads"] if case.places]
ATTACKED = [case for cases in CASES.values() for case in cases if case.odds or case.results]


def _params() -> list[object]:
    """Return the cases, each named by its statement, its side, and its number on it."""
    seen: Counter[tuple[str, str]] = Counter()
    params = []
    for case in itertools.chain(*CASES.values()):
        side = case.statement, "right" if case.allowed else "wrong"
        seen[side] += 1
        params.append(pytest.param(case, id=f"{'-'.join(side)}-{seen[side]}"))
    return params


def _played(case: Case) -> Verdict:
    scenario = case.on.scenario
    plan = case.on.plan(case.moves)
    scenario.check_names(plan, "case")
    return Referee(scenario.game).play(plan, scenario.start)


def _assessed(case: Case) -> AssessedAttack:
    return _played(case).attacks[-1]


def _outcome(case: Case, result: PossibleResult) -> str:
    """Say what comes of a result as cases have it."""
    lost = [f"{unit} lost" for unit in (*result.own.eliminated, *result.enemy.eliminated)]
    back = [f"{unit} back {far}" for unit, far in result.retreats]
    told = [*lost, *back, *(f"{case.on.letter(label)} open" for label in result.enterable)]
    return f"{result.probability}: {', '.join(told)}"


def _judged(case: Case) -> list[Violation]:
    return judge(case.on.scenario, case.on.plan(case.moves))


def _check(case: Case, violations: Iterable[Violation]) -> None:
    violations = list(violations)
    told = "\n".join([case.moves, case.note, *map(str, violations)])
    assert {(v.rule, case.on.letter(v.at)) for v in violations} == case.expected, told
    meant = [v for v in violations if (v.rule, case.on.letter(v.at)) == (case.rule, case.at)]
    blamed = {enemy for v in meant for enemy in v.blame}
    if meant:
        assert blamed == set(case.blame.split()), told
        assert not case.unit or {v.unit for v in meant} == {case.unit}, told
    plan = case.on.plan(case.moves)
    for violation in violations:
        if violation.move is not None:
            assert violation.step is not None
            assert plan.moves[violation.move].path[violation.step] == violation.at, told
            assert violation.unit in plan.moves[violation.move].units, told


@pytest.mark.parametrize("case", _params())
def test_referee_and_model_see_a_case_as_the_statement_has_it(case: Case) -> None:
    """But for results of attacks that couldn't be rolled: that they are written down is the referee's matter alone."""
    verdict = _played(case)
    _check(case, verdict.violations)
    if not re.search("->.*=", case.moves):
        judged = _judged(case)
        _check(case, judged)
        assert {violation.key for violation in judged} == {violation.key for violation in verdict.violations}
    if case.mp:
        assert verdict.moves[-1].mp == Fraction(case.mp)
    if case.stops is not None:
        assert {stop.paragraph for stop in verdict.moves[-1].stopped} == set(filter(None, case.stops.split(", ")))
    if case.dice:
        rolls = {roll.step: roll.dice for roll in verdict.moves[-1].rolls}
        assert [rolls.get(step, 0) for step in range(1, len(verdict.moves[-1].move.path))] == _numbers(case.dice)
    if case.battles:
        scores = score(case.on.scenario.game, case.on.scenario.tiers, verdict)
        assert scores[0].count == Fraction(case.battles)
    assert {unit: verdict.position.boxes.get(unit) for unit in case.boxes} == case.boxes


@pytest.mark.parametrize("case", FOUGHT, ids=lambda case: case.statement)
def test_the_referee_draws_combats_as_the_statement_has_it(case: Case) -> None:
    verdict = _played(case)
    positions = [outcome.position for outcome in verdict.outcomes] or [verdict.position]
    for unit, letters in case.places.items():
        found = {case.on.letter(position.at[unit]) if unit in position.at else "-" for position in positions}
        assert "".join(sorted(found)) == letters, unit
    if case.shaken is not None:
        shaken = {unit for position in positions for unit in position.demoralized if unit in position.at}
        assert shaken == set(case.shaken.split())
    if case.chance:
        rolls = verdict.moves[-1].rolls
        good = verdict.position.at.get(verdict.moves[-1].move.units[0]) == verdict.moves[-1].move.path[-1]
        chance = rolls[-1].chance if rolls else Fraction(1)
        assert (chance if good else 0) == Fraction(case.chance)


@pytest.mark.parametrize("case", FOUGHT, ids=lambda case: case.statement)
def test_the_model_draws_combats_as_the_statement_has_it(case: Case) -> None:
    found = list(worlds(ConditionalReach(case.on.scenario.game), case.on.plan(case.moves)))
    for unit, letters in case.places.items():
        assert "".join(sorted({case.on.letter(world.where(unit) or "-") for world in found})) == letters, unit
    if case.shaken is not None:
        assert {unit for w in found for unit in w.shaken if w.where(unit)} == set(case.shaken.split())
    if case.chance:
        [choices] = found[0].crossroads
        assert sum(choice.probability for choice in choices if choice.good) == Fraction(case.chance)


@pytest.mark.parametrize("case", ATTACKED, ids=lambda case: case.statement)
def test_the_referee_says_of_attacks_what_the_statement_has(case: Case) -> None:
    told = _assessed(case)
    assert case.odds in ("", told.label)
    found = {one.code: _outcome(case, one) for one in told.results if one.code in case.results}
    assert found == case.results


@pytest.mark.parametrize("case", ROLLED, ids=lambda case: case.statement)
def test_attacks_that_have_been_made_leave_everybody_where_the_statement_has_it(case: Case) -> None:
    at = _played(case).position.at
    assert {unit: case.on.letter(at[unit]) if unit in at else "-" for unit in case.places} == case.places


@pytest.mark.parametrize("case", [case for case in ATTACKED if case.odds], ids=lambda case: case.statement)
def test_the_model_puts_attacks_into_the_column_that_the_statement_has(case: Case) -> None:
    game, told = case.on.scenario.game, _assessed(case)
    where = {unit: game.homes[unit] for unit in told.attack.attackers}
    rule = attack_rule_in_force(game)
    assert rule is not None
    prospect = AttackProspect(game, rule, {unit: [label] for unit, label in where.items()}, ())
    column = prospect.column(told.attack.hexes, told.defenders, where)
    assert column is not None
    assert rule.columns[column].text == told.shifted


@pytest.mark.parametrize("case", [case for case in DICED if case.dice], ids=lambda case: case.statement)
def test_the_model_rolls_as_many_dice_as_the_statement_has_it(case: Case) -> None:
    """The probabilities of the solver's face; the dice show the bad side once in six rolls."""
    game, move = case.on.scenario.game, case.on.plan(case.moves).moves[-1]
    reach, unit = ConditionalReach(game), game.units[move.units[0]]
    found = [reach.roll_of(unit, Arc(*step), number) for number, step in enumerate(pairwise(move.path), 1)]
    assert found == [Fraction(5, 6) ** dice for dice in _numbers(case.dice)]


PLANNED = [case for case in DICED if case.battles and not any(one.failed for one in case.on.plan(case.moves).moves)]
"""Who bogs down for certain is no matter of planning."""


@pytest.mark.parametrize("case", PLANNED, ids=lambda case: case.statement)
def test_a_search_counts_battles_as_the_statement_has_it(case: Case) -> None:
    """With everybody where the case leaves them."""
    plan = case.on.plan(case.moves)
    moved = {move.units[0]: move for move in plan.moves}
    own = [unit["id"] for unit in case.on.data["unit"] if unit["side"] == "allied" and unit["id"] not in moved]
    goals = [{"kind": "end", "unit": unit, "at": move.end, "weight": 100} for unit, move in moved.items()]
    goals += [{"kind": "stay", "units": own, "weight": 100}] if own else []
    tiers = [{"terms": goals}] if goals else []
    scenario = build_scenario({**case.on.data, "tier": [*tiers, *case.on.data["tier"]]}, "case")
    result = Search(scenario).run()
    assert result.status == "optimal"
    assert result.value[-1] == Fraction(case.battles)


def test_a_road_that_costs_more_than_the_terrain_need_not_be_used(tmp_path: Path) -> None:
    """DS-32: a price may be paid, not must. No route of the shipped chart is dearer than the terrain, so one is made."""
    model = tmp_path / "dear_roads"
    shutil.copytree(model_folder("dai_senso"), model)
    chart = model / "terrain.toml"
    chart.write_text(
        re.sub(r"(units = \{ steps_min = 2 \}, mp = )1\b", r"\g<1>3", chart.read_text(encoding="utf-8")),
        encoding="utf-8",
    )
    drawn = board(LINE, i2("A", ma=2), road="ABC")
    case = Case("DS-32", True, Board({**drawn.data, "model": str(model)}, drawn.labels), "i2 A-B-C")
    verdict = _played(case)
    assert verdict.legal
    assert verdict.moves[0].mp == 2
    assert not _judged(case)


# ------------------------------------------------------------------------------------------------- whether anything lacks


@pytest.mark.parametrize("model", CASES)
def test_every_enforced_statement_has_a_case_on_each_side(model: str) -> None:
    sides = defaultdict(set)
    for case in CASES[model]:
        sides[case.statement].add(case.allowed)
    wanting = [s.id for s in _enforced(model) if sides[s.id] != {True, False}]
    assert _enforced(model)
    assert not wanting


@pytest.mark.parametrize("model", CASES)
def test_every_case_shows_an_enforced_statement(model: str) -> None:
    assert {case.statement for case in CASES[model]} <= {s.id for s in _enforced(model)}


@pytest.mark.parametrize("model", CASES)
def test_every_paragraph_has_a_case_exactly_at_the_limit(model: str) -> None:
    at_the_limit = {case.statement for case in CASES[model] if case.borderline}
    paragraphs = defaultdict(set)
    for statement in _enforced(model):
        paragraphs[statement.paragraph].add(statement.id)
    assert [number for number, ids in paragraphs.items() if ids.isdisjoint(at_the_limit)] == []


@pytest.mark.parametrize("model", CASES)
def test_every_illegal_case_names_a_paragraph(model: str) -> None:
    assert [case for case in CASES[model] if bool(case.rule) == case.is_legal] == []


@pytest.mark.parametrize("model", CASES)
def test_no_two_cases_are_the_same(model: str) -> None:
    told = Counter((c.statement, repr(c.on.data), c.moves) for c in CASES[model])
    assert [key for key, count in told.items() if count > 1] == []


@pytest.mark.parametrize("model", shipped_models())
def test_every_statement_of_a_shipped_model_is_sound_though_nobody_looks_before_somebody_asks(model: str) -> None:
    rulebook = load_rulebook(model_folder(model))
    assert rulebook.statements
    assert list(rulebook.statement_problems(model)) == []


def test_of_a_model_that_doesnt_ship_every_statement_is_looked_at_at_once(tmp_path: Path) -> None:
    shutil.copytree(model_folder("classic_hex"), tmp_path / "mine")
    with (tmp_path / "mine" / "statements.toml").open("a") as file:
        file.write('\n[[statement]]\nid = "X-1"\nparagraph = "1"\ntext = "x"\nrule = "nobody"\n')
    with pytest.raises(InputError, match="rule must be one of the rulebook's, not 'nobody'"):
        load_rulebook(tmp_path / "mine")


def _enforced(model: str) -> list[Statement]:
    return [s for s in load_rulebook(model_folder(model)).statements if s.state == "enforced"]


# ------------------------------------------------------------------------------------------------------------ the pictures


def test_a_picture_puts_hexes_where_it_shows_them() -> None:
    labels = draw("\n Y C\nA B G\n X T\n")
    numbering = load_rulebook(model_folder("dai_senso")).numbering
    around = {letter for letter, label in labels.items() if label in numbering.neighbours(labels["B"])}
    assert around == set("AYCGTX")
    assert numbering.distance(labels["A"], labels["G"]) == 2


def test_moves_are_spelt_with_letters_or_with_labels() -> None:
    drawn = Board({}, draw("A B"))
    assert str(drawn.plan("i1 A-B; arm AxB")) == "i1 w1010-w1011\narm w1010xw1011"
    assert str(Board({}).plan("plv w5525-w5425xw5426")) == "plv w5525-w5425xw5426"
