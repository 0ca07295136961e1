"""What is asked of the referee again and again: each plan is played once, counted once, and only while there is time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Literal

import pytest

from planner.limits import Limits
from planner.objective import Tally, Term, Tier
from planner.objective.scoring import TermScore, score
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict
from planner.rules.game import Game
from planner.scenario import Scenario, build_scenario
from planner.search import replay_cache
from planner.search.redundant_moves import leave_out_idle_moves
from planner.search.replay_cache import Replays
from planner.search.result import Result
from planner.search.search import Search
from planner.solver.side_constraints import Conditions
from planner.solver.tuning import Replay
from planner.world.position import Position
from tests.referee.test_independent_groups import overruns


def two_overruns_and_a_stack(counting_mp: bool = True) -> Scenario:
    """Return two overruns 8 to 4 in the open, and two units in one hex that go to another one together."""
    units = [
        {"id": f"foot{number}", "side": "axis", "type": "infantry", "values": "5-4-4", "at": "10.18"}
        for number in (0, 1)
    ]
    for number, row in enumerate((10, 14)):
        units.append({"id": f"tank{number}", "side": "axis", "type": "tank", "values": "8-4-7", "at": f"10.{row}"})
        units.append(
            {"id": f"line{number}", "side": "allied", "type": "infantry", "values": "4-4-3", "at": f"11.{row}"}
        )
    tiers: list[object] = [
        {
            "terms": [
                *({"kind": "eliminate", "units": [f"line{n}"], "weight": 3 - n} for n in (0, 1)),
                *({"kind": "end", "unit": f"foot{n}", "at": "12.18"} for n in (0, 1)),
            ]
        }
    ]
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "title": "Two overruns, and a stack",
        "phase": "movement",
        "phasing": "axis",
        "map": {
            "hexes": {" ".join(f"{column}.{row}" for column in (10, 11, 12) for row in (10, 14, 18)): "open"},
        },
        "unit": units,
        "tier": [*tiers, *([{"terms": [{"kind": "mp_spent"}]}] if counting_mp else [])],
    }
    return build_scenario(data, "two overruns and a stack")


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[Plan]:
    """Return a list that gets every plan whose rolls the referee goes through."""
    found: list[Plan] = []
    play: Callable[..., Verdict] = Referee.play

    def noted(self: Referee, plan: Plan, *args: object, **how: object) -> Verdict:
        verdict = play(self, plan, *args, **how)
        if verdict.outcomes:
            found.append(plan)
        return verdict

    monkeypatch.setattr(Referee, "play", noted)
    return found


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[Verdict]:
    """Return a list that gets every verdict whose outcomes are counted."""
    found: list[Verdict] = []

    def noted(*args: object) -> list[TermScore]:
        assert isinstance(args[2], Verdict)
        if args[2].outcomes:
            found.append(args[2])
        return score(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(replay_cache, "score", noted)
    return found


def test_a_search_plays_what_it_tells_once_and_counts_it_once(played: list[Plan], counted: list[Verdict]) -> None:
    """In the plan as the solver has it each unit moves by itself: of that nobody asks what its rolls lead to."""
    scenario = two_overruns_and_a_stack()
    for _ in range(2):
        result = Search(scenario).run()
        assert result.status == "optimal"
        assert result.plan is not None
        assert ("foot0", "foot1") in [move.units for move in result.plan.moves]
        assert played == [result.plan]
        assert [id(verdict) for verdict in counted] == [id(result.verdict)]
        played.clear()
        counted.clear()


def test_whatever_is_tried_to_make_a_plan_shorter_is_counted_once(played: list[Plan], counted: list[Verdict]) -> None:
    result = Search(two_overruns_and_a_stack(counting_mp=False)).run()
    assert result.status == "optimal"
    assert len(played) > 1, "moves are left out, one after another"
    assert max(Counter(map(str, played)).values()) == 1
    assert max(Counter(map(id, counted)).values()) == 1


def test_no_plan_is_tried_that_would_be_played_too_late(played: list[Plan]) -> None:
    """A replay that takes an hour isn't begun where less is left; without a limit there is all the time in the world."""
    scenario = two_overruns_and_a_stack(counting_mp=False)
    for seconds, tried in ((600.0, False), (None, True)):
        context = Search(scenario, Limits.within(seconds)).context
        plan = Plan(
            (Move(("tank1",), ("10.14", "11.14"), overruns=frozenset([1])), Move(("foot0",), ("10.18", "11.18")))
        )
        verdict = context.replay(plan)
        context.replays._playing = 3_600.0
        played.clear()
        leave_out_idle_moves(context, Result("feasible", 0.0, context.value(verdict), (), plan, verdict))
        assert bool(played) is tried


def test_the_best_plan_so_far_stays_known_whatever_is_played_after_it(
    monkeypatch: pytest.MonkeyPatch, played: list[Plan], counted: list[Verdict]
) -> None:
    """Nothing else is kept here but the last plan: the best one isn't played again when the time is up."""
    monkeypatch.setattr(Replay, "kept", 0)
    scenario = two_overruns_and_a_stack()
    first, second = (
        Move((f"tank{n}",), (f"10.{row}", f"11.{row}"), overruns=frozenset([1])) for n, row in ((0, 10), (1, 14))
    )
    best, other = Plan((first,)), Plan((second,))
    for kept, again in ((True, []), (False, [best])):
        known = Replays(scenario, Limits())
        if kept:
            known.keep(best)
        verdict = known.play(best)
        worth = known.scores(verdict)
        known.scores(known.play(other))
        played.clear()
        counted.clear()
        assert known.scores(known.play(best)) == worth
        assert played == again
        assert len(counted) == len(again)
        assert known._scores.keys() <= {*map(id, known._known.values())}, "what is forgotten isn't known by its place"


def test_what_is_counted_once_is_what_it_comes_to() -> None:
    scenario = two_overruns_and_a_stack()
    moves = [Move((f"tank{n}",), (f"10.{row}", f"11.{row}"), overruns=frozenset([1])) for n, row in ((0, 10), (1, 14))]
    known = Replays(scenario, Limits())
    for plan in (Plan(tuple(moves)), Plan(tuple(moves[:1])), Plan()):
        verdict = Referee(scenario.game).play(plan, scenario.start)
        for _ in range(2):
            assert known.scores(known.play(plan)) == score(scenario.game, scenario.tiers, verdict)


def test_a_plan_in_groups_is_played_only_if_what_is_asked_of_it_can_be_told() -> None:
    """The MP that all spend together depend on all rolls: 2 to the power of 7 outcomes; those of each don't."""
    rows = range(10, 29, 3)
    plan = Plan.parse([f"tank{row} 10.{row}x11.{row}" for row in rows])
    data = {**overruns(*rows).data, "tier": [{"terms": [{"kind": "mp_spent"}]}]}
    free = build_scenario(data, "free")
    bound = build_scenario({**data, "require": [{"kind": "mp_spent", "most": 100}]}, "bound")
    for scenario, most, known in ((free, 64, True), (bound, 64, False), (bound, 128, True)):
        context = Search(scenario).context
        context.replays.most_outcomes = most
        assert context.is_replayed_in_groups(plan) is known


class Everything(Term):
    """Counts who is left: what looks at all that there is."""

    kind: Literal["everything"] = "everything"

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        return Fraction(len([*position.at.items()]))


def test_nor_is_one_of_whose_goals_nothing_can_be_told() -> None:
    """What a plan must be worth beside the objective depends on 2 to the power of 7 outcomes: that was bad input."""
    rows = range(10, 29, 3)
    plan = Plan.parse([f"tank{row} 10.{row}x11.{row}" for row in rows])
    conditions = Conditions(goals=((Tier(terms=(Everything(),)), Fraction(1)),))
    for most, known in ((64, False), (128, True)):
        context = Search(replace(overruns(*rows), tiers=()), conditions=conditions).context
        context.replays.most_outcomes = most
        assert context.is_replayed_in_groups(plan) is known
