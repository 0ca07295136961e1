"""Plans that have moves or steps in common are judged as if each were played from its beginning."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import planner.referee.sharing_referee as sharing_referee
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.referee.sharing_referee import SharingReferee
from planner.world.position import Position
from tests.conftest import sized
from tests.oracles.progress import FAMILIES, begun, cuts
from tests.oracles.stacks import random_stack_plan, stacks

SEEDS, AFTER = sized((1, 10), (2, 20), (400, 400))


@pytest.mark.parametrize("kept", [4_000, 5])
@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_shared_changes_no_verdict(family: str, kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Legal and illegal plans, with all that their rolls may lead to, also where what is known is forgotten all the time."""
    monkeypatch.setattr(sharing_referee, "MOST_KEPT", kept)
    judged = {True: 0, False: 0}
    for seed in range(SEEDS):
        scenario, plan, rng = FAMILIES[family](seed)
        shared, plain, start = SharingReferee(scenario.game), Referee(scenario.game), scenario.start
        before = start.key
        for some in _like(plan, rng):
            for rolls in (False, True):
                mine, other = (one.play(some, start, rolls=rolls) for one in (shared, plain))
                told = f"{family}, seed {seed}: {some}"
                assert mine == other, told
                assert mine.position.key == other.position.key, told
                assert [one.position.key for one in mine.outcomes] == [one.position.key for one in other.outcomes], told
            judged[mine.legal] += 1
        assert start.key == before
    assert all(judged.values())


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_shared_changes_no_verdict_on_what_comes_after_a_part(family: str) -> None:
    """Whoever has moved last may go on, and is told from who has moved before."""
    gone_on = 0
    for seed in range(AFTER):
        scenario, plan, rng = FAMILIES[family](seed)
        for done, rest, _ in cuts(scenario, plan, rng):
            now = begun(scenario, done)
            if now is None:
                continue
            shared, plain = SharingReferee(now.game), Referee(now.game)
            for some in _like(rest, rng):
                mine, other = (one.play(some, now.start) for one in (shared, plain))
                told = f"{family}, seed {seed}, after {done}: {some}"
                assert mine == other, told
                assert mine.position.key == other.position.key, told
                gone_on += bool(some.moves) and now.start.in_hand.issuperset(some.moves[0].units)
    assert gone_on or family in ("waiting", "skirmishes")  # where units wait, no move is in hand


def test_what_is_in_common_is_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two moves of three steps, the first of which is the same, and its first two steps those of a third plan."""
    steps = list[str]()
    plain = Referee.play_step

    def play_step(self: Referee, move: Move, step: int, *args: object, **kwargs: object) -> bool:
        steps.append(move.path[step])
        return plain(self, move, step, *args, **kwargs)  # type: ignore[arg-type]

    scenario, _, _ = FAMILIES["on land"](0)
    monkeypatch.setattr(Referee, "play_step", play_step)
    board, (unit, other) = scenario.game.board, sorted(scenario.game.friends & scenario.start.at.keys())[:2]
    home = scenario.start.at[unit]
    first = board.neighbours[home][0]
    second, third = [to for to in board.neighbours[first] if to != home][:2]
    referee, away = SharingReferee(scenario.game), Move((other,), (scenario.start.at[other], second))
    for path in ((home, first, second), (home, first, third), (home, first)):
        referee.play(Plan((Move((unit,), path),)), scenario.start)
    assert steps == [first, second, third]
    for _ in range(2):
        referee.play(Plan((Move((unit,), (home, first)), away)), scenario.start)
    # Who moves later matters only to who comes where it stands: there the step is another one.
    assert steps == [first, second, third, second]
    past, later = Move((unit,), (home, first, second)), Move((other,), (second, first))
    before = scenario.start.copy()
    before.move(other, second)
    for moves in ((past,), (past, later)):
        referee.play(Plan(moves), before)
    assert steps[4:] == [first, second, first, second, first]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_referee_that_is_not_thorough_finds_the_same_plans_illegal(family: str) -> None:
    """Of legal ones it says all that a thorough one says."""
    judged = {True: 0, False: 0}
    for seed in range(SEEDS):
        scenario, plan, rng = FAMILIES[family](seed)
        hasty, plain = SharingReferee(scenario.game, thorough=False), Referee(scenario.game)
        for some in _like(plan, rng):
            for rolls in (False, True):
                mine, other = (one.play(some, scenario.start, rolls=rolls) for one in (hasty, plain))
                told = f"{family}, seed {seed}: {some}"
                assert mine.legal == other.legal, told
                assert not mine.legal or mine == other, told
                assert mine.legal or mine.violations[0] == other.violations[0], told
            judged[mine.legal] += 1
    assert all(judged.values())


def _like(plan: Plan, rng: random.Random) -> Iterator[Plan]:
    """Yield a plan, and others that have moves or steps in common with it."""
    moves = list(plan.moves)
    yield plan
    for _ in range(12):
        some = [move for move in moves if rng.random() < 0.8]
        if some and rng.random() < 0.5:
            index = rng.randrange(len(some))
            if len(some[index].path) > 2:
                some[index] = some[index].until(rng.randrange(1, len(some[index].path)))
        if rng.random() < 0.2:
            rng.shuffle(some)
        if rng.random() < 0.2:
            some += some[:1]  # whoever has moved can't move from there once more
        yield Plan(tuple(some))


def test_what_rolls_may_lead_to_is_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever of a plan fails, nothing of it is played again when it is judged again; no outcome is the start itself."""
    steps = list[Move]()
    plain = Referee.play_step

    def play_step(self: Referee, move: Move, *args: object, **kwargs: object) -> bool:
        steps.append(move)
        return plain(self, move, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(Referee, "play_step", play_step)
    rolled = 0
    for seed in range(20):
        scenario, rng = stacks(seed)
        plan, referee = random_stack_plan(scenario, rng), SharingReferee(scenario.game)
        first = referee.play(plan, scenario.start)
        played = len(steps)
        assert referee.play(plan, scenario.start) == first
        assert len(steps) == played
        assert all(one.position is not scenario.start for one in first.outcomes)
        rolled += len(first.outcomes) > 1
    assert rolled


def test_a_position_to_be_ended_holds_all_that_the_other_holds() -> None:
    """Each part is the same object, but for who has got how far, and in which ways, which may change by themselves."""
    start = FAMILIES[next(iter(FAMILIES))](0)[0].start
    twin = start.with_further_progress()
    for name in Position.__slots__:
        if name != "_scenario":
            assert getattr(twin, name) == getattr(start, name)
            assert (getattr(twin, name) is getattr(start, name)) == (name not in ("under_way", "ways")), name
