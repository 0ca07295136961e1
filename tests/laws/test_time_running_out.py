"""Whenever the time runs out, nothing is claimed that isn't so, and nothing kept back that is known.

The clock of limits goes by calls here, a millisecond for each time that it is looked at. So the time can be made to run out
at any of the moments at which it may; the answer is compared with the one that there is with all the time in the world.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import TypeVar

import pytest

import planner
from planner import limits
from planner.errors import InputError
from planner.explanation.answer import Explanation
from planner.objective.scoring import Value, values_of
from planner.puzzles.verification import Verification
from planner.puzzles.verify import verify_scenario
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.scenario.shape import AnswerEntry
from planner.search.alternatives import Alternatives
from planner.search.policy import Policy
from planner.search.policy_judge import ensure_no_averages
from planner.search.reachable import ReachReport
from planner.search.result import Result
from tests.conftest import long_ones, sized
from tests.laws.test_explained_destinations import SYSTEMS
from tests.laws.test_proofs_agree import DRAWN

Answer = TypeVar("Answer")
Verb = Callable[[float | None], Answer]

POSITIONS, MOMENTS = sized((1, 3), (2, 6), (60, 20))
"""How many positions are drawn of each kind, and at how many moments the time runs out in each."""
ENDLESS = 1e6
PROVED = ("optimal", "infeasible")


class Clock:
    """A clock that goes by calls, while it is wound up."""

    def __init__(self) -> None:
        self.calls: int | None = None

    def monotonic(self) -> float:
        """Return what `time.monotonic` does, or how often it has been asked, a millisecond for each."""
        if self.calls is None:
            return time.monotonic()
        self.calls += 1
        return ENDLESS + self.calls / 1_000

    def asked(self, verb: Verb[Answer], seconds: float) -> Answer:
        """Return an answer within a limit, by this clock."""
        self.calls = 0
        try:
            return verb(seconds)
        finally:
            self.last, self.calls = self.calls, None

    def cut_short(self, verb: Verb[Answer], rng: random.Random) -> tuple[Answer, list[Answer]]:
        """Return the whole answer, and those that there are if the time runs out at some moments."""
        whole = self.asked(verb, ENDLESS)
        often = self.last
        moments = {1, *(rng.randint(1, often) for _ in range(MOMENTS)), max(1, often - rng.randint(1, 8))}
        return whole, [self.asked(verb, moment / 1_000) for moment in sorted(moments)]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=found.monotonic))
    return found


def bounded(bound: Value, value: Value, best: Value) -> bool:
    """Tell whether no plan exceeds a bound: after tiers in which a worse plan is known it says nothing."""
    for tier, most in enumerate(bound):
        if value[:tier] != best[:tier]:
            break
        if most != best[tier]:
            return most > best[tier]
    return True


def wrong(scenario: Scenario, found: Result | Policy, best: Result | Policy) -> Iterator[str]:
    """Yield what an answer says that the best one contradicts."""
    if found.status in PROVED and (found.status, found.value) != (best.status, best.value):
        yield f"{found.status} {found.value}, not {best.status} {best.value}"
    if found.value > best.value or (found.value and best.status == "infeasible"):
        yield f"{found.value}, better than {best.status} {best.value}"
    if best.status == "optimal" and not bounded(found.bound, found.value, best.value):
        yield f"bound {found.bound}, less than {best.value}"
    if isinstance(found, Result) and found.plan is not None:
        yield from misjudged(scenario, found)
        if found.status == "feasible" and found.value == found.bound:
            yield f"{found.value} isn't proved, with that bound"


def misjudged(scenario: Scenario, found: Result) -> Iterator[str]:
    """Yield what the referee says otherwise of a plan."""
    assert found.plan is not None
    verdict = Referee(scenario.game).play(found.plan, scenario.start)
    if not verdict.legal or values_of(scenario.game, scenario.tiers, verdict) != found.value:
        yield f"not worth {found.value}: {found.plan}"


def draws(kind: str) -> Iterator[tuple[Callable[[], Scenario], random.Random]]:
    """Yield what makes random positions of a kind, each time of new: nobody remembers what has been asked of one before."""
    for seed in range(POSITIONS):
        yield (lambda seed=seed: DRAWN[kind](seed).scenario), random.Random(f"moments {kind} {seed}")


KINDS = long_ones([*DRAWN], *(DRAWN.keys() - {"on land", "made up"}))


@pytest.mark.parametrize("adaptive", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_no_search_that_is_cut_short_says_what_is_not_so(kind: str, adaptive: bool, clock: Clock) -> None:
    for draw, rng in draws(kind):

        def verb(seconds: float | None, draw: Callable[[], Scenario] = draw) -> Result | Policy:
            return planner.suggest(draw(), adaptive=adaptive, time_limit=seconds)

        if adaptive and _asks_for_averages(draw()):
            continue
        whole, others = clock.cut_short(verb, rng)
        if whole.status in PROVED:
            assert [fault for one in others for fault in wrong(draw(), one, whole)] == []


def test_where_nothing_is_counted_a_plan_that_does_what_is_required_is_proved_whenever_the_time_runs_out(
    clock: Clock,
) -> None:
    """That nobody moves was the answer, and no proof, where the time ran out as the model was solved."""

    def verb(seconds: float | None) -> Result:
        return planner.suggest(DRAWN["on land"](9).scenario, time_limit=seconds)

    clock.asked(verb, ENDLESS)
    found = [clock.asked(verb, moment / 1_000) for moment in range(1, clock.last)]
    assert {one.status for one in found} == {"optimal"}


@pytest.mark.parametrize("kind", KINDS)
def test_no_hex_is_missing_or_told_wrongly_when_the_time_runs_out(kind: str, clock: Clock) -> None:
    """Whatever isn't found is told to be open."""
    for draw, rng in draws(kind):

        def verb(seconds: float | None, draw: Callable[[], Scenario] = draw) -> list[ReachReport]:
            return planner.reach_all(draw(), time_limit=seconds)

        whole, others = clock.cut_short(verb, rng)
        for few in others:
            for found, all_ in zip(few, whole, strict=True):
                alone, helped = ({one.hex for one in some} for some in (found.alone, found.with_help))
                known, needy = ({one.hex for one in some} for some in (all_.alone, all_.with_help))
                assert all_.open or (known >= alone and needy >= helped)
                assert known | needy <= alone | helped | {*found.open}


@pytest.mark.parametrize("kind", KINDS)
def test_alternatives_that_are_cut_short_are_ranked_rightly(kind: str, clock: Clock) -> None:
    for draw, rng in draws(kind):

        def verb(seconds: float | None, draw: Callable[[], Scenario] = draw) -> Alternatives:
            return planner.alternatives(draw(), 3, time_limit=seconds)

        whole, others = clock.cut_short(verb, rng)
        ranked = [one.result for one in whole.plans]
        for few in others:
            assert not few.exhausted or (whole.exhausted and len(few.plans) == len(ranked))
            if whole.first.status in PROVED:
                assert list(wrong(draw(), few.first, whole.first)) == []
            for rank, one in enumerate(few.plans):
                assert list(misjudged(draw(), one.result)) == []
                if one.result.status == "optimal" and all(best.status == "optimal" for best in ranked[: rank + 1]):
                    assert one.result.value == ranked[rank].value


@pytest.mark.parametrize("kind", KINDS)
def test_no_claim_is_judged_otherwise_for_want_of_time(kind: str, clock: Clock) -> None:
    for draw, rng in draws(kind):
        best = planner.suggest(draw())
        if best.plan is None:
            claim = AnswerEntry(question="impossible")
        else:
            moves = [*map(str, best.plan.moves), *map(str, best.plan.attacks or ())]
            more = rng.choice(({"unique": True}, {"solutions": 2}, {"order": True} if best.plan.moves[1:] else {}))
            claim = AnswerEntry(value=tuple(map(str, best.value)), moves=moves, **more)

        def verb(
            seconds: float | None, draw: Callable[[], Scenario] = draw, claim: AnswerEntry = claim
        ) -> Verification:
            return verify_scenario(replace(draw(), answer=claim), seconds)

        whole, others = clock.cut_short(verb, rng)
        settled = {check.kind: check.outcome for check in whole.checks}
        for check in (check for one in others for check in one.checks):
            if {check.outcome, settled.get(check.kind)} == {"holds", "fails"}:
                pytest.fail(f"{claim}: {check}")


@pytest.mark.parametrize(
    "system", long_ones(SYSTEMS, "dai senso by land", "dai senso by sea", "the great war", "classic hex")
)
def test_no_explanation_that_is_cut_short_says_what_is_not_so(system: str, clock: Clock) -> None:
    """Nor does it call complete what isn't, or minimal what holds more than a set that is enough."""
    for seed in range(POSITIONS):
        rng, draw = random.Random(f"moments {system} {seed}"), partial(_first, SYSTEMS[system][0], seed)
        game = draw().game
        own, hexes = sorted(game.friends & draw().start.at.keys()), sorted(game.board.hexes)
        goals = [f"{one} to {rng.choice(hexes)}" for one in rng.sample(own, min(2, len(own)))]

        def verb(seconds: float | None, draw: Callable[[], Scenario] = draw, goals: list[str] = goals) -> Explanation:
            return planner.explain(draw(), require=goals, time_limit=seconds)

        whole, others = clock.cut_short(verb, rng)
        sets = [{str(one) for one in reason.instances} for reason in whole.reasons]
        for few in others:
            assert few.status in ("unknown", whole.status)
            assert few.help in ("unknown", whole.help)
            if few.complete and not few.hurried and whole.complete:
                assert {**few.to_dict(), "seconds": 0} == {**whole.to_dict(), "seconds": 0}
            for reason in few.reasons:
                told = {str(one) for one in reason.instances}
                assert not (reason.minimal and any(some < told for some in sets)), (goals, told, sets)


def _asks_for_averages(scenario: Scenario) -> bool:
    """Tell whether something is required that no plan that reacts can be held to."""
    try:
        ensure_no_averages(scenario)
    except InputError:
        return True
    return False


def _first(draw: Callable[[int], Scenario], seed: int) -> Scenario:
    return draw(seed)
