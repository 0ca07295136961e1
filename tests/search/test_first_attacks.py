"""A phase with attacks begins with a plan that has some, made hex by hex before there is a model."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import count

import pytest

import planner
from planner.limits import Limits
from planner.objective import Tally, Tier
from planner.objective.scoring import TermScore
from planner.plans.plan import Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.attack_referee import AttackReferee
from planner.rules.game import Game
from planner.rules.play import Finding
from planner.scenario import Scenario
from planner.search import first_attacks
from planner.search.first_attacks import FirstAttacks
from planner.search.first_plans import OfTheModel
from planner.search.greedy import GreedyBoard
from planner.search.search import Search
from planner.solver.tuning import Greedy
from planner.world.declared_attack import DeclaredAttack
from planner.world.position import Position
from tests.conftest import sized
from tests.oracles.attack_plans import best_plan, field
from tests.oracles.brute_force import TooManyStatesError
from tests.search.test_attack_puzzles import EMPTIED, plain, position, table

FIELDS = sized(4, 20, 3_000)
CAP = sized(300, 1_000, 1_000)


def first_plans(scenario: Scenario, limits: Limits | None = None) -> list[Plan]:
    """Return the plans that are tried."""
    ground = Search(scenario).context.ground
    return list(FirstAttacks(scenario, ground.reach, ground.possibilities, limits=limits).plans())


def worth(scenario: Scenario, plan: Plan) -> tuple[Fraction, ...] | None:
    """Return what a plan comes to; None if it is illegal."""
    context = Search(scenario).context
    verdict = context.replay(plan)
    return context.value(verdict) if verdict.legal else None


def test_three_come_up_together_where_one_alone_would_bring_nothing() -> None:
    # Each has 3 against 3, and stands two hexes away: together 3:1, 2/3; two of them would have 2:1, 1/2. Each unit counts
    # for most where all three are there: 2/9 against 1/4 for each of two, but the third joins for what it adds.
    units = {"a": ("3-3-4", "0202"), "b": ("3-3-4", "0205"), "c": ("3-3-4", "0604"), "e": ("1-3-1", "0404")}
    scenario = position(plain(), units, tier=[{"terms": [EMPTIED]}])
    plan = max(first_plans(scenario), key=lambda plan: worth(scenario, plan) or (Fraction(-1),))
    assert [str(attack) for attack in plan.attacks or ()] == ["a+b+c -> 0404"]
    assert worth(scenario, plan) == (Fraction(2, 3),)


def test_what_a_unit_can_have_by_itself_comes_before_attacks() -> None:
    # The place is worth 5, the hex emptied with 1/2 at 2:1 is worth 1/2: who can have both by going there first does.
    units = {"a": ("6-3-4", "0101"), "e": ("1-3-1", "0404")}
    terms = [EMPTIED, {"kind": "hold", "hexes": "0304", "weight": 5}]
    scenario = position(plain(), units, tier=[{"terms": terms}])
    first = first_plans(scenario)[1]
    assert worth(scenario, first) == (Fraction(11, 2),)
    assert str(first.moves[0]).endswith("-0304")


def test_who_must_attack_does_so_in_the_way_that_costs_least() -> None:
    # In an EZOC all must attack. Against e1 it is 1:1, against e2 less, which counts as 1:1, too, but more is lost with
    # neither: e1's hex counts twice.
    rule = table("1:1 AE NE NE NE NE DE", must_attack={}, below="lowest")
    units = {"a": ("3-3-0", "0404"), "e1": ("1-3-1", "0403"), "e2": ("1-4-1", "0405")}
    terms = [{"kind": "emptied", "hexes": "0403", "weight": 2}, {"kind": "own_losses", "weight": 9}]
    scenario = position(rule, units, tier=[{"terms": terms}])
    legal = [plan for plan in first_plans(scenario) if worth(scenario, plan) is not None]
    assert [[str(attack) for attack in plan.attacks or ()] for plan in legal] == [["a -> 0403"]]


def test_without_time_the_first_plan_is_that_nobody_moves_and_a_search_is_worth_no_less() -> None:
    units = {"a": ("3-3-4", "0202"), "b": ("3-3-4", "0205"), "e": ("1-3-1", "0404")}
    scenario = position(plain(), units, tier=[{"terms": [EMPTIED]}])
    assert first_plans(scenario, Limits.within(0))[0] == Plan(attacks=())
    late = Search(scenario).context.within(Limits.within(0))
    OfTheModel().run(late)
    assert late.incumbent is not None
    assert late.incumbent.worth == (0,)


def test_without_a_limit_the_clock_has_no_part_in_the_first_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    def begun() -> Search:
        search = Search(planner.load("crossroads/puzzles/not_all_across"))
        OfTheModel().run(search.context)
        return search

    at_leisure = begun().context.incumbent
    hours = count(step=3_600.0)
    monkeypatch.setattr(time, "monotonic", lambda: next(hours))
    assert at_leisure is not None
    assert at_leisure.plan.attacks
    assert begun().context.incumbent == at_leisure


@pytest.mark.parametrize("looks", [0, 1, 2, 20])
def test_the_first_plan_looks_at_its_limits_so_often_for_each_unit_and_no_more(
    looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = list[FirstAttacks]()
    going_on, real = Counter[int](), Limits.check

    def counted(self: Limits, meanwhile: str = "") -> None:
        real(self, meanwhile)
        going_on[id(self)] += 1

    def kept(self: FirstAttacks) -> Iterator[Plan]:
        made.append(self)
        yield from plans(self)

    plans = FirstAttacks.plans
    monkeypatch.setattr(Limits, "check", counted)
    monkeypatch.setattr(FirstAttacks, "plans", kept)
    monkeypatch.setattr(Greedy, "looks", looks)
    search = Search(planner.load("crossroads/bridge"))
    search.context.ground.reach.check_time()
    OfTheModel().run(search.context)
    most = looks * len(search.context.ground.reach.movers)
    used = going_on[id(made[0]._limits)]
    assert used < most or used == most == 0
    assert (used < most - 1) == (looks == 20)  # by then it is done
    assert search.context.incumbent is not None


def test_what_attacks_are_worth_is_asked_once_on_each_board(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[tuple[object, ...]]()
    real = first_attacks.score_position

    def counted(game: Game, tiers: Sequence[Tier], at: Position, tally: Tally) -> list[TermScore]:
        asked.append((tuple(at.at.items()), tuple(tally.mp.items()), tally.attacks))
        return real(game, tiers, at, tally)

    monkeypatch.setattr(first_attacks, "score_position", counted)
    first_plans(planner.load("crossroads/bridge"))
    assert len(asked) == len(set(asked)) > 20


class Forgetful(dict[tuple[object, ...], object]):
    """Remembers nothing for longer than until it is asked once."""

    def __contains__(self, key: object) -> bool:
        return False


def test_what_was_found_on_a_board_before_makes_no_other_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    scenarios = [field(seed) for seed in range(FIELDS)] + [planner.load("crossroads/bridge")]
    found = [first_plans(one) for one in scenarios]
    monkeypatch.setattr(FirstAttacks, "_tried", property(lambda _: kept))
    for scenario, plans in zip(scenarios, found, strict=True):
        kept = Forgetful()
        assert first_plans(scenario) == plans


def test_each_hex_is_looked_at_once_on_a_board_with_the_same_attacks_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[tuple[object, ...]]()
    real = FirstAttacks._attack

    def counted(self: FirstAttacks, board: GreedyBoard, label: str, attacks: Mapping[str, DeclaredAttack]) -> object:
        asked.append((tuple(board.moves), label, frozenset(attacks.items())))
        return real(self, board, label, attacks)

    monkeypatch.setattr(FirstAttacks, "_attack", counted)
    first_plans(planner.load("crossroads/bridge"))
    assert len(asked) == len(set(asked)) > 5


def test_duties_to_attack_take_no_more_than_the_time_that_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    # Two lines of twelve, each in the ZOCs of the other: all must attack, and be attacked. Once it is late, nobody is asked.
    rule = table("1:1 AE NE NE NE NE DE", must_attack={}, must_be_attacked={}, below="lowest")
    blue = {f"a{n}": ("3-3-0", f"{n:02}03") for n in range(1, 13)}
    units = blue | {f"e{n}": ("3-3-0", f"{n:02}02") for n in range(1, 13)}
    scenario = position(rule, units, rows="\n".join([". " * 12] * 4), tier=[{"terms": [EMPTIED]}])
    asked = Counter[str]()
    judged = AttackReferee.may_attack

    def counted(self: AttackReferee, unit: str, hexes: tuple[str, ...]) -> Iterator[Finding]:
        asked[unit] += 1
        return judged(self, unit, hexes)

    monkeypatch.setattr(AttackReferee, "may_attack", counted)
    limits = Limits.within(0)
    reach = ConditionalReach(scenario.game, limits)
    plans = [*FirstAttacks(scenario, reach, {}, limits=limits).plans()]
    assert plans[0] == Plan(attacks=())
    assert not asked


def test_first_plans_are_mostly_legal_sometimes_best_and_never_better_than_the_best_of_all() -> None:
    seen = Counter[str]()
    for seed in range(FIELDS):
        scenario = field(seed)
        if scenario.requirements or not scenario.tiers:
            continue
        plans = first_plans(scenario)
        found = [worth(scenario, plan) for plan in plans]
        legal = [one for one in found if one is not None]
        seen["all"] += 1
        seen["legal"] += bool(legal)
        seen["attacking"] += any(plan.attacks for plan in plans)
        try:
            best = best_plan(scenario, CAP)
        except TooManyStatesError:
            continue
        if legal and best is not None:
            assert max(legal) <= best[0], f"seed {seed}"
            seen["settled"] += 1
            seen["best"] += max(legal) == best[0]
    assert seen["legal"] > seen["all"] * 3 / 4
    assert seen["attacking"] > seen["all"] / 4
    assert seen["best"] > seen["settled"] / 2
