"""All that rolls may lead to: played once where it comes to the same, and never beyond the time that there is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from planner.errors import OutOfTimeError, TooManyOutcomesError
from planner.limits import Limits
from planner.objective.scoring import score, tier_values
from planner.plans.plan import Plan
from planner.referee import outcomes
from planner.referee.recording_position import RecordingPosition, SightMemory
from planner.referee.referee import Referee
from planner.scenario import Scenario, build_scenario
from planner.search import context
from planner.search import replay_cache as replays
from planner.search.replay_cache import Replays
from planner.search.result import Progress
from planner.search.search import Search
from planner.solver.engine import Configuration, Solved
from planner.solver.portfolio import run_in_stages
from planner.solver.tuning import Replay
from planner.world.position import Position
from tests.conftest import DEEP
from tests.oracles.skirmishes import random_sortie, skirmish
from tests.oracles.stacks import random_stack_plan, reliance, stacks
from tests.oracles.trenches import random_march, trenches

PLANS = 6_000 if DEEP else 150
TOLD = 60 if DEEP else 20


def of_stacks(seed: int) -> tuple[Scenario, Plan]:
    """Return a position with stacks, and some plan, legal or not."""
    scenario, rng = stacks(seed)
    return scenario, random_stack_plan(scenario, rng)


def of_reliance(seed: int) -> tuple[Scenario, Plan]:
    """Return a position in which likely results may be relied upon, and some plan."""
    _, rng = stacks(seed)
    return reliance(seed), random_stack_plan(reliance(seed), rng)


def of_trenches(seed: int) -> tuple[Scenario, Plan]:
    """Return a position in which units may bog down, and some plan."""
    scenario, rng = trenches(seed)
    return scenario, random_march(scenario, rng)


def of_skirmishes(seed: int) -> tuple[Scenario, Plan]:
    """Return a position in which entering a hex is a combat, and some plan."""
    scenario, rng = skirmish(seed)
    return scenario, random_sortie(scenario, rng)


@pytest.mark.thorough
@pytest.mark.parametrize("draw", [of_stacks, of_reliance, of_trenches, of_skirmishes])
def test_what_moves_have_come_to_before_they_come_to_again(
    draw: Callable[[int], tuple[Scenario, Plan]], monkeypatch: pytest.MonkeyPatch
) -> None:
    rolled = 0
    for seed in range(PLANS):
        scenario, plan = draw(seed)
        referee = Referee(scenario.game)
        monkeypatch.setattr(outcomes, "MANY_OUTCOMES", 10**9)
        anew = referee.play(plan, scenario.start)
        monkeypatch.setattr(outcomes, "MANY_OUTCOMES", 0)
        again = referee.play(plan, scenario.start)
        assert again.violations == anew.violations, f"seed {seed}"
        assert again.outcomes == anew.outcomes, f"seed {seed}"
        for one, other in zip(again.outcomes, anew.outcomes, strict=True):
            assert list(one.position.at.items()) == list(other.position.at.items()), f"seed {seed}"
            assert one.position.under_way == other.position.under_way, f"seed {seed}"
            assert list(one.position.taken) == list(other.position.taken), f"seed {seed}"
        rolled += len(anew.outcomes) > 2
    assert rolled >= min(10, PLANS / 60)


def test_a_move_is_played_anew_where_anything_differs_that_it_looked_at() -> None:
    """What is done looks at u0, and, if that stands in 10.10, at u1, too; u2 is nothing to it."""
    calls: list[None] = []

    def act(position: Position) -> bool:
        calls.append(None)
        together = position.at["u0"] == "10.10" and position.at.get("u1") == "10.10"
        position.move("u0", "10.12")
        position.failed.add("10.11")
        return together

    memory = SightMemory()

    def do(**at: str) -> tuple[Position, bool]:
        return memory.do("act", Position(at), act)

    after, together = do(u0="10.10", u1="10.10", u2="10.13")
    assert (after.at["u0"], after.failed, together) == ("10.12", {"10.11"}, True)
    after, together = do(u0="10.10", u1="10.10", u2="10.14")
    assert (len(calls), after.at, together) == (1, {"u0": "10.12", "u1": "10.10", "u2": "10.14"}, True)
    assert after.units_in("10.14") == ("u2",)
    assert do(u0="10.10", u1="10.11", u2="10.13")[1] is False
    assert len(calls) == 2
    do(u0="10.11", u1="10.10", u2="10.13")
    do(u0="10.11", u2="10.13")
    assert len(calls) == 3, "who doesn't stand in 10.10 doesn't ask where u1 is"
    assert do(u0="10.10", u2="10.13")[1] is False
    assert len(calls) == 4


def test_whatever_is_done_with_a_watched_position_is_noted() -> None:
    start = Position({"u0": "10.10", "u1": "10.11"}, {"u2": "dead"})
    looks: list[tuple[Callable[[RecordingPosition], object], str, object]] = [
        (lambda p: [*p.at.items()], "at", "whole"),
        (lambda p: len(p.at), "at", "whole"),
        (lambda p: [*p.at], "at", "whole"),
        (lambda p: p.at.copy(), "at", "whole"),
        (lambda p: "u5" in p.at, "at", "u5"),
        (lambda p: p.at.get("u5"), "at", "u5"),
        (lambda p: p.units_in("10.12"), "_by_hex", "10.12"),
        (lambda p: [*p.occupied()], "_by_hex", "whole"),
        (lambda p: "10.10" in p.failed, "failed", "10.10"),
        (lambda p: p.failed - {"10.10"}, "failed", "whole"),
        (lambda p: p.failed.copy(), "failed", "whole"),
        (lambda p: p.legs, "legs", "whole"),
        (lambda p: p.copy(), "under_way", "whole"),
        (lambda p: p == start, "at", "whole"),
    ]
    for look, part, seen in looks:
        watched = RecordingPosition(start)
        look(watched)
        assert (part, seen) in {(name, key if isinstance(key, str) else "whole") for name, key in watched.log.looks}


# -- when there is no time for all of it


def three_overruns() -> Scenario:
    """Return three overruns that have nothing to do with each other, 8 to 4 in the open, worth 3, 2 and 1."""
    units = []
    for number, row in enumerate((10, 14, 18)):
        units.append({"id": f"tank{number}", "side": "axis", "type": "tank", "values": "8-4-7", "at": f"10.{row}"})
        units.append(
            {"id": f"line{number}", "side": "allied", "type": "infantry", "values": "4-4-3", "at": f"11.{row}"}
        )
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "title": "Three overruns",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {" ".join(f"{column}.{row}" for column in (10, 11) for row in (10, 14, 18)): "open"}},
        "unit": units,
        "tier": [
            {"terms": [{"kind": "eliminate", "units": [f"line{n}"], "weight": 3 - n} for n in range(3)]},
            {"terms": [{"kind": "mp_spent"}]},
        ],
    }
    return build_scenario(data, "three overruns")


def test_a_replay_that_takes_too_long_is_given_up() -> None:
    scenario = three_overruns()
    plan = Search(scenario).run().plan
    assert plan is not None
    stop = threading.Event()
    late = Replays(scenario, Limits.within(-10.0, stop))
    with pytest.raises(OutOfTimeError):
        late.play(plan)
    in_time = Replays(scenario, Limits.within(None, stop))
    assert in_time.play(plan).legal
    stop.set()
    assert in_time.play(plan).legal, "it is known"
    stopped = Replays(scenario, Limits.within(None, stop))
    stopped._stopped = time.monotonic() - 2 * Replay.after_stop
    with pytest.raises(OutOfTimeError):
        stopped.play(plan)


def test_verdicts_with_many_outcomes_are_not_all_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = three_overruns()
    plan = Search(scenario).run().plan
    assert plan is not None
    monkeypatch.setattr(Replay, "kept", 0)
    known = Replays(scenario, Limits.within(None, threading.Event()))
    known.play(Plan())
    known.play(plan)
    assert list(known._known) == [plan]
    assert known.play(plan) is known.play(plan)


def test_a_search_whose_best_plan_cannot_be_replayed_in_time_answers_with_one_that_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scenario = three_overruns()
    optimum = Search(scenario).run()

    def play(self: Replays, plan: Plan) -> object:
        verdict = Referee(scenario.game).play(plan, scenario.start)
        if verdict.outcomes:
            raise OutOfTimeError("too late")
        return verdict

    monkeypatch.setattr(Replays, "play", play)
    result = Search(scenario).run()
    assert result.status == "feasible"
    assert result.verdict is not None
    assert result.verdict.legal
    assert result.value < optimum.value <= result.bound


@pytest.mark.parametrize(("most", "weight"), [(2, 3), (4, 5), (7, 5)])
def test_a_search_proposes_no_plan_with_more_outcomes_than_the_referee_goes_through(
    monkeypatch: pytest.MonkeyPatch, most: int, weight: int
) -> None:
    """Each overrun has two outcomes. The best that few of them allow is found, and nothing is called proved."""
    optimum = Search(three_overruns()).run()
    assert optimum.status == "optimal"
    assert optimum.verdict is not None
    assert len(optimum.verdict.outcomes) == 8
    chance = optimum.value[0] / 6  # of one overrun, for weights of 3, 2 and 1
    assert 0 < chance < 1
    monkeypatch.setattr(outcomes, "MOST_OUTCOMES", most)
    monkeypatch.setattr(replays, "MOST_OUTCOMES", most)
    result = Search(three_overruns()).run()
    assert result.status == "feasible"
    assert result.value[0] == weight * chance
    assert result.bound[0] == optimum.value[0]


def test_the_solver_knows_from_when_on_plans_with_many_outcomes_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """That the best plan has too many, of three overruns, shows in the first run; all after it know of it."""
    monkeypatch.setattr(replays, "MOST_OUTCOMES", 4)
    told: list[bool] = []

    def noted(model: object, configuration: Configuration, *rest: object) -> Solved:
        told.append(configuration.limited)
        return run_in_stages(model, configuration, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(context, "run_in_stages", noted)
    for _ in range(2):
        told.clear()
        Search(three_overruns()).run()
        assert told[0] is False
        assert told[1:] == [True] * len(told[1:]) != []


def test_what_is_told_of_the_bound_holds_for_plans_with_many_outcomes_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of plans with few outcomes is lower, and nothing that is known of all."""
    optimum = Search(three_overruns()).run().value[0]
    monkeypatch.setattr(replays, "MOST_OUTCOMES", 4)
    told: list[Progress] = []
    result = Search(three_overruns(), on_progress=told.append).run()
    assert result.value[0] < optimum == result.bound[0]
    bounds = [progress.bound for progress in told if progress.tier == 0]
    assert all(bound is None or bound >= optimum for bound in bounds)
    assert bounds[-1] == optimum, "it is still known when others are left out"


def test_with_little_time_plans_have_few_outcomes() -> None:
    """A twentieth of the time is there for replays, at 500 outcomes a second; 64 are always allowed, 20,000 at most."""
    scenario = three_overruns()
    limits = {None: outcomes.MOST_OUTCOMES, 1.0: 64, 60.0: 1_500, 1e6: outcomes.MOST_OUTCOMES}
    for seconds, most in limits.items():
        assert Search(scenario, Limits.within(seconds)).context.replays.most_outcomes == most
    assert Search(scenario, Limits.within(60.0)).run().status == "optimal"


def test_the_referee_says_when_outcomes_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = three_overruns()
    plan = Search(scenario).run().plan
    assert plan is not None
    monkeypatch.setattr(outcomes, "MOST_OUTCOMES", 2)
    with pytest.raises(TooManyOutcomesError, match="a plan must have at most 2 outcomes of its rolls @ moves"):
        Referee(scenario.game).play(plan, scenario.start)


@pytest.mark.thorough
def test_what_is_told_while_searching_is_never_more_than_the_plan_is_worth() -> None:
    """With several rolls for one hex the solver claims too much until it has been looked at: that isn't told."""
    told = 0
    for seed in range(TOLD):
        scenario, _ = stacks(seed)
        found: list[tuple[int, object]] = []
        search = Search(scenario, on_progress=lambda p, found=found: found.append((p.tier, p.value)))
        result = search.run()
        if result.verdict is None:
            continue
        value = tier_values(scenario.tiers, score(scenario.game, scenario.tiers, result.verdict))
        for tier, worth in found:
            assert worth is None or tier > 0 or worth <= value[0], f"seed {seed}"
            told += worth is not None
    assert told >= TOLD
