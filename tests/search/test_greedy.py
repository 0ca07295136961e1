"""Before the model is built there is a plan already, made move by move, and a search that is stopped answers with it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from planner.errors import OutOfTimeError
from planner.limits import Limits
from planner.objective import Term
from planner.objective.scoring import score, tier_values
from planner.plans.plan import Plan
from planner.rules.kinds.stacking import Stacking
from planner.rules.kinds.zone_of_control import ZoneOfControl
from planner.scenario import Scenario
from planner.search.greedy import FirstPlan
from planner.search.reach_cache import ReachCache
from planner.search.relevance import Relevance
from planner.search.result import Progress
from planner.search.search import Search
from planner.solver.tuning import Greedy, Listing
from tests.conftest import DEEP, sized
from tests.instances import instance
from tests.laws.mutants.case import Case
from tests.oracles.islands import islands
from tests.oracles.positions import drawn
from tests.oracles.rulebooks import with_rules
from tests.solving import differing, searched

SEEDS = sized(2, 6, 1_000)
POSITIONS = 50 if DEEP else 20

ROAD = "w3020 w3021 w3022 w3023"
HORSE = ("cavalry", "2-2-2", 1)


listed_before = pytest.mark.parametrize("listed", [True, False], ids=["listed before", "listed move by move"])


def first_plan(scenario: Scenario, listed: bool = True) -> tuple[list[str], tuple[Fraction, ...]]:
    """Return the moves of the first plan, which must be legal, and what it is worth."""
    ground = ReachCache(scenario)
    plan = FirstPlan(scenario, ground.reach, ground.relevant if listed else None).find()
    verdict = Search(scenario).context.replay(plan)
    assert verdict.legal, verdict.violations
    worth = tier_values(scenario.tiers, score(scenario.game, scenario.tiers, verdict))
    return [str(move) for move in plan.moves], worth


@listed_before
def test_each_unit_makes_the_move_that_is_worth_most_to_it(listed: bool) -> None:
    # `one` can hold either hex, and takes the better one for 2 MP; the other one is left for `two`.
    case = Case(
        {ROAD: "clear"},
        {"one": (*HORSE, "w3020"), "two": (*HORSE, "w3020")},
        [{"kind": "hold", "hexes": "w3021", "weight": 3}, {"kind": "hold", "hexes": "w3022", "weight": 5}],
        8,
        [],
    )
    assert first_plan(case.scenario(), listed) == (["one w3020-w3021-w3022", "two w3020-w3021"], (8,))


@listed_before
def test_however_much_there_is_to_choose_from_it_scores_so_many_terms_and_no_more(
    listed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    scored, scenario = list[str](), instance("dense", "40", 0)
    terms = [term for tier in scenario.tiers for term in tier.terms]

    def counting(real: Callable[..., Fraction]) -> Callable[..., Fraction]:
        def score(self: Term, *position: Any) -> Fraction:
            scored.append(self.kind)
            return real(self, *position)

        return score

    for kind in {type(term) for term in terms}:
        monkeypatch.setattr(kind, "score", counting(kind.score))
    monkeypatch.setattr(Greedy, "scores", 20)
    ground = ReachCache(scenario)
    maker = FirstPlan(scenario, ground.reach, ground.relevant if listed else None)
    plan = maker.find()
    # A term is scored before the move, once, and after it: twice at most; the last move's terms are scored to the end.
    few = len(scored)
    assert 0 < few <= 2 * (20 + len(terms))
    assert Search(scenario).context.replay(plan).legal
    monkeypatch.setattr(Greedy, "scores", 30_000)
    scored.clear()
    FirstPlan(scenario, ground.reach, ground.relevant if listed else None).find()
    assert len(scored) > few


@listed_before
def test_it_doesnt_see_that_a_unit_should_help_another_one_first(listed: bool) -> None:
    # Both hexes are in the fort's EZOC. `one` would have to stop in w3021 for nothing, so that `two`, for whom w3022 is
    # worth 5, gets past it: the optimum is 5, but the first plan has nothing to begin with.
    case = Case(
        {ROAD + " w3121": "clear"},
        {"one": (*HORSE, "w3020"), "two": (*HORSE, "w3020"), "e1": ("infantry", "4-5-1", 2, "w3121")},
        [{"kind": "end", "unit": "two", "at": "w3022", "weight": 5}],
        5,
        [],
    )
    assert first_plan(case.scenario(), listed) == ([], (0,))
    assert Search(case.scenario()).run().value == (5,)


@listed_before
def test_a_unit_goes_where_one_that_has_moved_before_lets_it(listed: bool) -> None:
    # Both hexes are in the fort's EZOC. `one` is worth 1 in w3021, where it stops; past it `two` gets to w3022, worth 5. By
    # itself `two` could have moved first, to w3021, where it is worth nothing.
    case = Case(
        {ROAD + " w3121": "clear"},
        {"two": (*HORSE, "w3020"), "one": (*HORSE, "w3020"), "e1": ("infantry", "4-5-1", 2, "w3121")},
        [{"kind": "end", "unit": "two", "at": "w3022", "weight": 5}, {"kind": "end", "unit": "one", "at": "w3021"}],
        6,
        [],
    )
    assert first_plan(case.scenario(), listed) == (["one w3020-w3021", "two w3020-w3021-w3022"], (6,))


@listed_before
@pytest.mark.thorough
def test_on_random_positions_it_is_legal_and_worth_no_more_than_the_optimum_and_no_less_than_nothing(
    listed: bool,
) -> None:
    better = 0
    for seed in range(POSITIONS):
        position = drawn(seed, bool(seed % 2))
        if position.scenario.requirements or not Search(position.scenario).context.replay(Plan()).legal:
            continue
        _, worth = first_plan(position.scenario, listed)
        assert position.best is not None
        assert worth <= position.best
        better += worth[0] > 0
    assert better >= POSITIONS / 4


@listed_before
@pytest.mark.parametrize("in_the_way", [2, 3])
def test_where_limits_hold_at_any_time_a_unit_passes_a_hex_with_room(listed: bool, in_the_way: int) -> None:
    # Three units may be in a hex: past two of them `z` gets to w3022, worth 1, past three it doesn't, and nobody else has
    # anything to do.
    others = dict.fromkeys("abc"[:in_the_way], (*HORSE, "w3021"))
    case = Case(
        {ROAD: "clear"},
        {**others, "z": (*HORSE, "w3020")},
        [{"kind": "end", "unit": "z", "at": "w3022"}],
        1,
        [],
    )
    plain = case.scenario()
    rules = plain.game.rulebook.rules
    always = [rule.model_copy(update={"when": "always"}) if isinstance(rule, Stacking) else rule for rule in rules]
    moves, _ = first_plan(with_rules(plain, always), listed)
    assert moves == (["z w3020-w3021-w3022"] if in_the_way == 2 else [])
    assert first_plan(plain, listed)[0] == ["z w3020-w3021-w3022"]


@listed_before
@pytest.mark.parametrize("for_good", [False, True])
def test_nobody_counts_on_a_friend_who_must_stay_and_may_still_go(listed: bool, for_good: bool) -> None:
    # Past `b`, who stands in the fort's EZOC, `a` gets to w3022, worth 5; then `b` goes back to w3020, worth 1. Where a
    # friend negates an EZOC only if it stays, that isn't legal, and `a` waits in vain.
    plain = Case(
        {ROAD + " w3121": "clear"},
        {"a": (*HORSE, "w3020"), "b": (*HORSE, "w3021"), "e1": ("infantry", "4-5-1", 2, "w3121")},
        [{"kind": "end", "unit": "a", "at": "w3022", "weight": 5}, {"kind": "end", "unit": "b", "at": "w3020"}],
        6,
        [],
    ).scenario()
    zoc = {"negated_for_good": for_good}
    rules = [
        rule.model_copy(update=zoc) if isinstance(rule, ZoneOfControl) else rule for rule in plain.game.rulebook.rules
    ]
    moves, worth = first_plan(with_rules(plain, rules), listed)
    assert moves == (["b w3021-w3020"] if for_good else ["a w3020-w3021-w3022", "b w3021-w3020"])
    assert worth == ((1,) if for_good else (6,))


@listed_before
def test_across_the_sea_and_where_markers_and_control_are_taken_it_is_legal(listed: bool) -> None:
    assert sum(bool(first_plan(islands(seed)[0], listed)[0]) for seed in range(30)) > 10


def test_a_search_tells_of_it_before_anything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Greedy, "few", 0)  # where cores might be as soon, they are asked before
    scenario, told = instance("dense", "20", 0), list[Progress]()
    _, worth = first_plan(scenario)
    result = Search(scenario, on_progress=told.append).run()
    assert [(one.tier, one.value, one.bound) for one in told[:2]] == [(0, 0, None), (0, worth[0], None)]
    assert all(later.value is not None and later.value >= worth[0] for later in told[1:] if later.tier == 0)
    assert result.value > worth


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every position for one of which the listing takes long."""
    monkeypatch.setattr(Listing, "large", -1)


@pytest.mark.usefixtures("large")
def test_where_listing_takes_long_a_search_tells_of_a_plan_by_hand_before_it() -> None:
    scenario, stop, told = instance("dense", "20", 0), threading.Event(), list[Progress]()

    def on_progress(progress: Progress) -> None:
        told.append(progress)
        if progress.value:
            stop.set()

    moves, worth = first_plan(scenario, listed=False)
    result = Search(scenario, Limits.within(None, stop=stop), on_progress=on_progress).run()
    assert [(one.tier, one.value, one.bound) for one in told] == [(0, 0, None), (0, worth[0], None)]
    assert (result.status, result.interrupted, result.value) == ("feasible", True, worth)
    assert result.plan is not None
    assert [str(move) for move in result.plan.moves] == moves


@pytest.mark.thorough
@pytest.mark.usefixtures("large")
def test_what_is_told_never_gets_worse_when_the_plan_is_made_again_of_what_is_listed() -> None:
    for seed in range(3):
        told: list[Progress] = []
        result = Search(instance("dense", "20", seed), on_progress=told.append).run()
        values = [one.value for one in told if one.tier == 0 and one.value is not None]
        assert values == sorted(values)
        assert result.status == "optimal"
        assert result.value[0] == values[-1]


@pytest.mark.usefixtures("large")
def test_a_worse_plan_of_what_is_listed_takes_nothing_from_the_one_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario, told = instance("dense", "20", 0), list[Progress]()
    _, worth = first_plan(scenario, listed=False)
    real = FirstPlan.find
    monkeypatch.setattr(FirstPlan, "find", lambda self: real(self) if self._options is None else Plan())

    def late(*arguments: object, **more: object) -> None:
        raise OutOfTimeError("the time ran out")

    monkeypatch.setattr(ReachCache, "build_options", late)
    result = Search(scenario, on_progress=told.append).run()
    assert [one.value for one in told] == [0, worth[0]]
    assert (result.status, result.value) == ("feasible", worth)


def test_where_much_is_listed_a_search_tells_of_a_plan_before_it_knows_what_matters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scenario, told = instance("dense", "20", 0), list[Progress]()
    monkeypatch.setattr(Greedy, "many", 0)

    def late(*arguments: object, **more: object) -> None:
        raise OutOfTimeError("the time ran out")

    monkeypatch.setattr(Relevance, "kept", late)
    result = Search(scenario, on_progress=told.append).run()
    assert [(one.tier, one.bound) for one in told] == [(0, None)] * 2
    assert (result.status, result.value[0]) == ("feasible", told[1].value)
    assert result.value > (0,) * len(result.value)


@pytest.mark.parametrize("random_rulebook", [False, True])
def test_a_search_that_begins_with_a_plan_of_all_that_is_listed_comes_to_the_optimum_of_brute_force(
    monkeypatch: pytest.MonkeyPatch, random_rulebook: bool
) -> None:
    monkeypatch.setattr(Greedy, "many", 0)
    assert not differing(range(SEEDS), searched, random_rulebook)


@pytest.mark.parametrize("how", ["many ways", "no time"])
def test_by_hand_whatever_takes_long_is_passed_over(how: str) -> None:
    scenario = instance("dense", "20", 0)
    reach = ReachCache(scenario).reach
    limits = {"most_ways": 0} if how == "many ways" else {"limits": Limits.within(-1)}
    assert FirstPlan(scenario, reach, **limits).find() == Plan()
    assert FirstPlan(scenario, reach).find().moves


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("random_rulebook", [False, True])
def test_a_search_that_begins_by_hand_comes_to_the_optimum_of_brute_force(random_rulebook: bool) -> None:
    assert not differing(range(SEEDS), searched, random_rulebook)


def test_a_search_that_runs_out_of_time_while_it_builds_its_model_answers_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def late(*arguments: object, **more: object) -> None:
        raise OutOfTimeError("the time ran out")

    scenario = instance("dense", "20", 0)
    moves, worth = first_plan(scenario)
    monkeypatch.setattr(ReachCache, "build_options", late)
    monkeypatch.setattr(Greedy, "hurry", 100.0)
    result = Search(scenario, Limits.within(50)).run()  # whoever has hardly any time has it before the model
    assert (result.status, result.value) == ("feasible", worth)
    assert result.plan is not None
    assert [str(move) for move in result.plan.moves] == moves
    # Everything held and everybody eliminated, for nothing: no plan is worth more.
    weights = sum(term.weight * term.highest(scenario.game) for term in scenario.tiers[0].terms)
    assert result.bound == (weights, 0)


@pytest.mark.thorough
def test_where_overruns_are_rolled_a_plan_without_them_comes_before_what_units_can_do_together_is_listed() -> None:
    """Of a search that is stopped at its first moves, the plan is what single units do for sure: 18."""
    scenario, stop = instance("stacks", "30", 3), threading.Event()
    told: list[Progress] = []

    def on_progress(progress: Progress) -> None:
        told.append(progress)
        if progress.plan is not None and progress.plan.moves:
            stop.set()

    result = Search(scenario, Limits.within(None, stop=stop), on_progress=on_progress).run()
    assert [(one.tier, one.bound) for one in told[:2]] == [(0, None)] * 2
    assert (result.status, result.interrupted) == ("feasible", True)
    assert result.plan is not None
    assert result.value[0] == told[1].value == 18
    assert not any(move.overruns for move in result.plan.moves)
