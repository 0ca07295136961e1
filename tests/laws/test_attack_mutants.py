"""Read any parameter of a rule of attacks otherwise than it is, and a search is found out.

The solver's face alone gets another rule, the referee the real one: the search must contradict the referee, or come to
another value. And the oracle that is held against the referee gets another one: they must disagree.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import pytest

import planner
import planner.rules.attack_prospect as attack_prospect
import planner.solver.coupling.final_position as final_position
from planner.errors import DisagreementError, PlannerError
from planner.formats.odds import parse_odds
from planner.formats.table import Table
from planner.objective import Tier
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.rules.attack_prospect import attack_rule_in_force
from planner.rules.attack_table import (
    Advances,
    AttackBar,
    AttackColumn,
    AttackRange,
    AttackRule,
    ColumnShift,
    Retreats,
    StrengthFactor,
    Suffered,
)
from planner.rules.kinds.attack import Attack
from planner.scenario import Scenario
from planner.search.search import Search
from planner.solver.coupling.attacks import AttackVariables
from planner.world.selectors import UnitSelector
from tests.laws.test_attacks import compare
from tests.oracles.attack_declarations import Board, draw
from tests.oracles.attack_games import attack, position
from tests.oracles.attack_plans import field, mined
from tests.oracles.rulebooks import with_rules

SEEDS = {
    "advances": 8,
    "advances.units": 63,
    "against": 71,
    "attackers_together": 183,
    "bars.from_hexes": 98,
    "bars.hexes": 170,
    "bars.hexsides": 122,
    "bars.units": 169,
    "below": 30,
    "by": 151,
    "columns.difference": 79,
    "columns.odds": 17,
    "columns.results": 2,
    "defenders_together": 79,
    "dice": 8,
    "factors": 20,
    "factors.from_afar": 38,
    "factors.from_hexes": 85,
    "factors.hexes": 13,
    "factors.hexsides": 48,
    "factors.of": 10,
    "factors.times": 20,
    "factors.units": 57,
    "losses_first": 142,
    "most_hexes": 140,
    "must_attack": 50,
    "must_be_attacked": 11,
    "odds": 10,
    "only_across": 203,
    "ranges": 63,
    "ranges.alone": 166,
    "ranges.range": 63,
    "ranges.units": 10,
    "results.attackers.eliminated": 50,
    "results.attackers.retreat": 6,
    "results.attackers.steps": 8,
    "results.defenders.eliminated": 16,
    "results.defenders.retreat": 8,
    "results.defenders.steps": 17,
    "results.exchange": 16,
    "retreats": 50,
    "retreats.cannot": 8,
    "retreats.into_ezoc": 78,
    "retreats.most_friends": 86,
    "shifts": 24,
    "shifts.attackers": 17,
    "shifts.columns": 20,
    "shifts.defenders": 35,
    "shifts.hexes": 50,
    "shifts.hexsides": 19,
    "shifts.markers": 119,
    "sides": 19,
}
"""For each parameter, or field of one, a position in which it matters to the solver, found at random."""

REFEREE = {
    "advances": ("ratio", 0),
    "advances.units": ("artillery", 37),
    "against": ("difference", 0),
    "attackers_together": ("difference", 16),
    "bars.from_hexes": ("mandatory", 2),
    "bars.hexes": ("artillery", 8),
    "bars.hexsides": ("mandatory", 11),
    "bars.units": ("artillery", 1),
    "below": ("artillery", 2),
    "by": ("difference", 13),
    "columns.difference": ("difference", 11),
    "columns.odds": ("ratio", 3),
    "columns.results": ("difference", 1),
    "defenders_together": ("ratio", 11),
    "dice": ("artillery", 1),
    "factors": ("artillery", 1),
    "factors.from_afar": ("ratio", 3),
    "factors.from_hexes": ("artillery", 1),
    "factors.hexes": ("artillery", 1),
    "factors.hexsides": ("artillery", 1),
    "factors.of": ("artillery", 1),
    "factors.times": ("mandatory", 2),
    "factors.units": ("difference", 4),
    "losses_first": ("difference", 20),
    "most_hexes": ("difference", 23),
    "must_attack": ("mandatory", 7),
    "must_be_attacked": ("mandatory", 23),
    "only_across": ("difference", 2),
    "ranges": ("artillery", 8),
    "ranges.alone": ("artillery", 12),
    "ranges.range": ("artillery", 8),
    "ranges.safe": ("artillery", 33),
    "ranges.units": ("ratio", 8),
    "results.attackers.eliminated": ("difference", 1),
    "results.attackers.retreat": ("mandatory", 14),
    "results.attackers.steps": ("artillery", 2),
    "results.defenders.eliminated": ("artillery", 1),
    "results.defenders.retreat": ("ratio", 0),
    "results.defenders.steps": ("difference", 5),
    "results.exchange": ("artillery", 1),
    "retreats": ("difference", 5),
    "retreats.cannot": ("difference", 5),
    "retreats.into_ezoc": ("ratio", 3),
    "retreats.most_friends": ("artillery", 43),
    "rounded": ("artillery", 32),
    "rounding": ("mandatory", 16),
    "shifts": ("difference", 3),
    "shifts.attackers": ("artillery", 1),
    "shifts.columns": ("difference", 1),
    "shifts.defenders": ("ratio", 1),
    "shifts.hexes": ("artillery", 1),
    "shifts.hexsides": ("ratio", 3),
    "sides": ("difference", 1),
    "uncrossable": ("difference", 14),
}
"""The same for the referee: a family of positions, and the number of one in it."""

PLAIN: dict[str, Any] = {
    "ranges.units": UnitSelector(),
    "ranges.range": 1,
    "ranges.alone": True,
    "ranges.safe": False,
    "bars.units": UnitSelector(),
    "factors.units": UnitSelector(),
    "factors.of": lambda of: "attack" if of == "defense" else "defense",
    "factors.times": Fraction(1),
    "shifts.columns": lambda columns: -columns,
    "columns.odds": lambda odds: parse_odds(f"{2 * odds.numerator}:{odds.denominator}"),
    "columns.difference": lambda difference: difference + 1,
    "columns.results": lambda results: results[:1] * len(results),
    "advances.units": UnitSelector(),
    "retreats.into_ezoc": "never",
    "retreats.most_friends": 0,
    "retreats.cannot": "eliminated",
    "eliminated": False,
    "steps": 0,
    "retreat": 0,
}
"""What a field is changed to, or how; those that aren't named here, to nothing."""

FAMILIES = {
    "attack_places": 12,
    "attack_odds": 19,
    "must_attack": 50,
    "attackers_together": 183,
    "must_be_attacked": 11,
    "attack_once": 28,
    "attack_companions": 166,
}
"""For each family of constraints a position in which it matters."""


def changed(rule: AttackRule, name: str) -> AttackRule:
    """Return a rule of which a parameter is as if it weren't given, or is another."""
    parameter, _, key = name.partition(".")
    if name == "dice":
        return rule.model_copy(update={"dice": 1, "sides": len(rule.sums)})
    if name == "sides" and rule.dice == 1:  # as many sums, if that is possible
        by_two = {"dice": 2, "sides": rule.sides // 2 + 1} if rule.sides % 2 else {"sides": rule.sides - 1}
        return rule.model_copy(update=by_two)
    if not key:
        default = AttackRule.model_fields[parameter].get_default(call_default_factory=True)
        return rule.model_copy(update={parameter: default})
    value = PLAIN.get(name, PLAIN.get(key.partition(".")[2]))

    def other(entry: Table, key: str) -> Table:
        now = getattr(entry, key)
        return entry.model_copy(update={key: value if not callable(value) else now if now is None else value(now)})

    held = getattr(rule, parameter)
    if parameter in ("retreats", "advances"):
        return rule.model_copy(update={parameter: other(held, key)}) if held is not None else rule
    if parameter == "results":
        side, _, inner = key.partition(".")
        results = {
            code: one.model_copy(update={side: other(getattr(one, side), inner) if inner else None})
            for code, one in rule.results.items()
        }
        return rule.model_copy(update={parameter: results})
    return rule.model_copy(update={parameter: tuple(other(entry, key) for entry in held)})


@contextmanager
def read_otherwise(rule: AttackRule) -> Iterator[None]:
    """Let the solver's face read another rule of attacks."""
    with (
        patch.object(final_position, "attack_rule_in_force", lambda game: rule),
        patch.object(attack_prospect, "attack_rule_in_force", lambda game: rule),
    ):
        yield


def is_noticed(scenario: Scenario, rule: AttackRule | None = None, without: frozenset[str] = frozenset()) -> bool:
    """Tell whether a search that gets something wrong contradicts the referee, or comes to another value."""
    right = Search(scenario).run().value
    with read_otherwise(rule) if rule is not None else nullcontext():
        try:
            return Search(scenario, without=without).run().value != right
        except PlannerError:
            return True


@pytest.mark.parametrize("name", SEEDS)
def test_a_parameter_that_the_solver_reads_otherwise_is_noticed(name: str) -> None:
    scenario = field(SEEDS[name])
    rule = attack_rule_in_force(scenario.game)
    assert rule is not None
    other = changed(rule, name)
    assert other != rule
    assert is_noticed(scenario, other)


def wanted(*rules: Attack, units: dict[str, tuple[str, str]], **keys: Any) -> Scenario:
    """Return a position under rules of attacks, the last of which is in force, in which a hex is to be emptied cheaply."""
    found = position(rules[-1], units, **keys)
    found = with_rules(found, [*rules[:-1], *found.game.rulebook.rules])
    tiers = ({"terms": [{"kind": "emptied"}]}, {"terms": [{"kind": "own_losses"}]})
    return replace(found, tiers=tuple(Tier.model_validate(tier) for tier in tiers))


HALVED = [{"of": "attack", "times": "1/2"}]
RANGES = [{"units": {"types": "artillery"}, "range": 2, "safe": True}]
BY_HAND: dict[str, tuple[dict[str, Any], dict[str, tuple[str, str]], dict[str, Any]]] = {
    # Nobody can cross into a lake, nor attack there.
    "uncrossable": ({"uncrossable": True}, {"a": ("4-3-0", "0403")}, {"hexes": {"0404": {"terrain": "lake"}}}),
    # 3/2 against 2 is less than 1:1, and 2 against 2 isn't. Nor is 1 and twice 1/2, if the sum alone is rounded down.
    "rounding": ({"rounding": "up", "factors": HALVED}, {"a": ("3-3-0", "0403")}, {}),
    "rounded": (
        {"rounding": "down", "rounded": "total", "factors": HALVED},
        {"a": ("2-3-0", "0403"), "b": ("1-3-0", "0403"), "c": ("1-3-0", "0304")},
        {},
    ),
    # An attack of 4 against 2 loses its gun by one result of six.
    "ranges.safe": ({"ranges": RANGES}, {"g": ("4-3-0", "0402")}, {}),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_what_matters_seldom_is_noticed_by_hand(name: str) -> None:
    parameters, units, keys = BY_HAND[name]
    rule = attack(**parameters)
    scenario = wanted(rule, units={**units, "e": ("1-2-1", "0404")}, **keys)
    assert is_noticed(scenario, changed(rule, name))


def test_that_a_rule_is_of_another_phase_is_noticed() -> None:
    certain = attack(columns=[{"odds": "1:1", "results": ["DE"] * 6}], phases="second_movement")
    units = {"a": ("4-3-0", "0403"), "e": ("1-2-1", "0404")}
    assert is_noticed(wanted(certain, attack(phases="movement"), units=units), certain)


def committed() -> Scenario:
    """Return a position in which an attack has been declared that nobody would make again."""
    rule, units = attack(below="lowest"), {"a": ("1-3-0", "0403"), "e": ("1-4-1", "0404")}
    cheap = (Tier.model_validate({"terms": [{"kind": "own_losses"}]}),)
    return replace(wanted(rule, units=units), tiers=cheap).after(["a -> 0404"])


def test_that_all_attacks_are_declared_at_once_is_noticed() -> None:
    """Read otherwise, by either face, nobody is held to what has been declared."""
    scenario = committed()
    rule = attack_rule_in_force(scenario.game)
    assert rule is not None
    other = rule.model_copy(update={"declared": "one_by_one"})
    with read_otherwise(other), pytest.raises(DisagreementError, match="must be made"):
        Search(scenario).run()
    rules = [one if one.id != rule.id else other for one in scenario.game.rulebook.rules]
    none = Plan((), ())
    assert not planner.check(scenario, none).legal
    assert Referee(with_rules(scenario, rules).game).play(none, scenario.start).legal


@pytest.mark.parametrize("family", AttackVariables.FAMILIES)
def test_a_family_of_constraints_that_is_missing_is_noticed(family: str) -> None:
    declared = family == "attacks_declared"
    assert is_noticed(committed() if declared else field(FAMILIES[family]), without=frozenset([family]))


@pytest.mark.parametrize("name", REFEREE)
def test_a_parameter_that_the_referee_reads_otherwise_is_noticed(name: str) -> None:
    family, number = REFEREE[name]
    scenario = draw(family, random.Random(f"{family} {number}"))
    rule = attack_rule_in_force(scenario.game)
    assert rule is not None
    board = Board(scenario)
    board.rule = changed(rule, name).model_dump(mode="json")
    compare(scenario)
    with pytest.raises(AssertionError):
        compare(scenario, board)


TWO = {"a": ("4-4-4", "0302"), "b": ("3-2-4", "0202"), "e": ("2-2-4", "0303")}


ALONE: list[dict[str, Any]] = [
    {"phases": "second_movement"},
    {"advances": {"most": 1}},
    {"eliminated_to": [{"box": "away"}]},
]


@pytest.mark.parametrize("parameters", ALONE)
def test_what_the_referee_alone_reads_is_noticed(parameters: dict[str, Any]) -> None:
    def made(**changes: Any) -> str:
        scenario = position(attack(advances={}, **changes) if "advances" not in changes else attack(**changes), TWO)
        try:
            now = scenario.after(["a+b -> 0303=DE a 0302-0303, b 0202-0303"]).start
        except PlannerError as error:
            return str(error)
        return f"{now.at} {now.boxes}"

    assert made(**parameters) != made()


MINES = [{"name": "the mines", "columns": -2, "markers": {"types": "mines"}}]


def at_odds(scenario: Scenario) -> str:
    """Return the odds of an attack of 7 on 2, before and after shifts."""
    [told] = planner.check(scenario, ["a+b -> 0303"]).attacks
    return told.label


def test_a_marker_shifts_the_column_in_the_hex_attacked_alone_and_of_the_enemy_alone() -> None:
    """The referee, by hand; without `markers` the shift holds always, which is noticed."""
    plain = position(attack(shifts=MINES), TWO)
    assert at_odds(mined(plain, ["0303"])) == "3:1, 1:1 for the mines"
    assert at_odds(plain) == "3:1"
    assert at_odds(mined(plain, ["0302"])) == "3:1"
    ours = mined(plain, ["0303"])
    [mine] = ours.game.situation.markers
    situation = replace(ours.game.situation, markers=(replace(mine, side="blue"),))
    assert at_odds(replace(ours, game=replace(ours.game, situation=situation, _cache={}))) == "3:1"
    rule = attack_rule_in_force(plain.game)
    assert rule is not None
    other = with_rules(
        plain, [one if one.id != rule.id else changed(rule, "shifts.markers") for one in plain.game.rulebook.rules]
    )
    assert at_odds(other) != at_odds(plain)


WORDS = {"id", "kind", "paragraph", "once_paragraph", "must_paragraph", "assumed", "because", "name", "text"}
"""What messages say; statements and tests of the referee have them."""

BETWEEN = {"declared"}
"""What matters between attacks: see `test_that_all_attacks_are_declared_at_once_is_noticed`, and `test_attack_policies`."""

AFTERWARDS = {"advances.most", "eliminated_to"}
"""What comes of attacks that have been made: the referee makes them, and nothing of it is in a model."""


def parameters() -> set[str]:
    """Return every parameter of a rule of attacks, and every field of its tables, but for what messages say."""
    tables: dict[str, type[Table]] = {
        "ranges": AttackRange,
        "bars": AttackBar,
        "factors": StrengthFactor,
        "shifts": ColumnShift,
        "columns": AttackColumn,
        "retreats": Retreats,
        "advances": Advances,
    }
    found = {f"{name}.{field}" for name, table in tables.items() for field in table.model_fields if field not in WORDS}
    found |= {f"results.{side}.{field}" for side in ("attackers", "defenders") for field in Suffered.model_fields}
    found |= {name for name in Attack.model_fields if name not in (*WORDS, "columns", "results", "bars", "odds")}
    return found | {"results.exchange"}


def test_no_parameter_is_forgotten() -> None:
    """A new one needs a position in which it matters to the solver, and one in which it matters to the referee."""
    solver = {*SEEDS, *BY_HAND, "phases"}
    alone = (
        {"shifts.markers"}
        | {key for one in ALONE for key in one}
        | {f"{key}.{k}" for one in ALONE for key, v in one.items() for k in v}
    )
    assert parameters() - BETWEEN - AFTERWARDS - solver == set()
    assert parameters() - BETWEEN - REFEREE.keys() - alone == set()
