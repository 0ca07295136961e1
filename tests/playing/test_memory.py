"""What a position keeps in mind to save time is bounded, and nothing depends on it."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import planner.playing.kept_lists as kept_lists
import planner.playing.moment as moment
import planner.referee.shared_steps as shared_steps
from planner import Position
from planner.plans.plan import Move
from planner.reachability.step_table import Leads, StepTable, _Pattern
from planner.referee.move_record import MoveUnderWay
from planner.referee.referee import Referee
from planner.rules.demands import Before
from planner.world.forces import Unit
from tests.playing.test_position import own


def kept(position: Position) -> int:
    """Return how many moves the moments of the present phase know the consequences of."""
    phase = position._now.phase
    moments = {**phase._old, **phase._young}
    return sum(len(one.known) + sum(1 + len(moves) // 20 for moves in one.listed.values()) for one in moments)


@pytest.mark.thorough
def test_playouts_below_a_position_keep_no_more_than_a_bound() -> None:
    """Some 3,000 moves are listed, and each playout goes another way."""
    position, rng, listed = Position("crossroads/start"), random.Random(1), 0
    for _ in range(25):
        while len(position) < 4:
            moves = list(position.legal_moves(rng.choice(list(position.at)[:6])))
            listed += len(moves)
            if not moves:
                break
            position.push(rng.choice(moves))
            while position.outcomes:
                position.roll(rng)
        while len(position):
            position.pop()
        assert kept(position) <= 2 * moment.MOST_KEPT
    assert listed > 2 * moment.MOST_KEPT


def test_what_has_been_forgotten_is_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[list[str]] = []
    for most in (moment.MOST_KEPT, 2):
        monkeypatch.setattr(moment, "MOST_KEPT", most)
        position, rng, line = Position("dai_senso/manchuria"), random.Random(2), list[str]()
        for _ in range(3):
            moves = list(position.legal_moves())
            line += [str(one) for one in moves]
            if moves:
                position.push(rng.choice(moves))
        lines.append(line)
    assert lines[0] == lines[1]


def test_a_phase_that_is_over_keeps_nothing() -> None:
    position = Position("crossroads/start")
    list(position.legal_moves())
    before = position.copy()
    position.end_phase()
    assert kept(before) == 0
    position.pop()
    assert position == before
    assert [str(one) for one in position.legal_moves("b4")] == [str(one) for one in before.legal_moves("b4")]


def test_what_nobody_has_come_near_is_not_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a move of one unit, the moves of those who are far away are listed from what is known of their steps."""
    steps = list[str]()
    play_step = Referee.play_step

    def counted(referee: Referee, move: Move, step: int, under_way: MoveUnderWay, number: int = 0) -> bool:
        steps.append(move.units[0])
        return play_step(referee, move, step, under_way, number)

    monkeypatch.setattr(Referee, "play_step", counted)
    position = Position("classic_hex/three_battles")
    before = {unit: [str(one) for one in position.legal_moves(unit)] for unit in own(position)[:9]}
    assert set(steps) == {unit for unit, moves in before.items() if moves}
    steps.clear()
    position.push(next(move for move in position.legal_moves("a1") if not move.overruns))
    steps.clear()
    after = {unit: [str(one) for one in position.legal_moves(unit)] for unit in own(position)[:9]}
    assert len(set(steps)) < len(before)
    again = {unit for unit in before if unit not in steps and unit != "a1"}
    assert all(after[unit] == before[unit] for unit in again)
    fresh = Position(position.scenario)
    assert after == {unit: [str(one) for one in fresh.legal_moves(unit)] for unit in own(fresh)[:9]}


def told(position: Position, *team: str) -> list[tuple[str, Fraction]]:
    """Return the moves that are listed of units together, with what becomes of them."""
    return [(str(one), position.preview(one).mp) for one in position.legal_moves("+".join(team))]


def test_lists_that_are_kept_share_their_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_lists, "MOST_SIGHTS", 100)
    position = Position("crossroads/start")
    for unit in own(position):
        list(position.legal_moves(unit))
        some = position._now.phase.lists._known.values()
        assert len(some) == 1 or sum(len(one.sights) for one in some) <= 100


def test_a_move_that_nobody_has_listed_is_played_in_two_positions_and_then_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever moves meanwhile stands far from the unit."""
    steps = list[str]()
    play_step = Referee.play_step

    def counted(referee: Referee, move: Move, step: int, under_way: MoveUnderWay, number: int = 0) -> bool:
        steps.append(move.units[0])
        return play_step(referee, move, step, under_way, number)

    monkeypatch.setattr(Referee, "play_step", counted)
    listing, position = Position("classic_hex/three_battles"), Position("classic_hex/three_battles")
    unit, *others = sorted(own(listing), key=lambda one: listing.at[one])
    move = next(iter(listing.legal_moves(unit)))
    played = list[int]()
    for other in others[-4:]:
        steps.clear()
        position.push(move)
        played.append(len(steps))
        position.pop()
        position.push(next(iter(listing.legal_moves(other))))
    assert played == [len(move.path) - 1, len(move.path) - 1, 0, 0]


def test_what_is_listed_after_a_move_says_nothing_of_before_it() -> None:
    """Who has moved by land may not make way by being eliminated any more: which ways have been used counts."""
    position = Position("a_world_at_war/through_the_line")
    position.push("panzer_6 E17-E16")
    list(position.legal_moves("mot_1"))
    position.pop()
    fresh = Position("a_world_at_war/through_the_line")
    assert {str(one) for one in position.legal_moves("mot_1")} == {str(one) for one in fresh.legal_moves("mot_1")}


def test_where_something_is_gone_steps_are_listed_anew_only_near_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tank removes the wire in E7; out of a hex that is three or more away from there steps are what they were."""
    listed = list[tuple[object, ...]]()
    leads_from = StepTable._leads_from

    def counted(
        table: StepTable, unit: Unit, label: str, before: Before, overruns: bool, patterns: _Pattern
    ) -> Leads | None:
        listed.append((label, unit.type, unit.traits, unit.steps, before, overruns))
        return leads_from(table, unit, label, before, overruns, patterns)

    monkeypatch.setattr(StepTable, "_leads_from", counted)
    position = Position("great_war/over_the_top")
    units, distance = own(position), position.scenario.game.board.distance
    for unit in units:
        list(position.legal_moves(unit))
    first = set(listed)
    position.push("tank1 E5-E6-E7")
    while position.outcomes:
        position.roll(result=next(one.move for one in position.outcomes if not one.failed))
    assert position.scenario.start.lost == {"wire_E7"}
    listed.clear()
    for unit in units:
        list(position.legal_moves(unit))
    again = {str(one[0]) for one in listed if one in first}
    assert again
    assert all((distance("E7", label) or 0) <= 2 for label in again)


def test_of_one_unit_no_more_steps_are_known_than_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_steps, "MOST_KNOWN", 60)
    position, rng = Position("crossroads/start"), random.Random(0)
    near = position.scenario.game.board.neighbours
    unit = next(one for one in own(position) if near.get(position.at[one]))
    list(position.legal_moves(unit))
    for _ in range(300):
        path = [position.at[unit]]
        for _ in range(6):
            path.append(rng.choice(near[path[-1]]))
        position.is_legal(Move((unit,), tuple(path)))
        assert steps_known(position) <= 3 * 60


def steps_known(position: Position) -> int:
    """Return how many steps are known of the phase."""
    known = position._now.phase.steps
    todo = [state for tree in (known._young, known._old) for states in tree.values() for _, state in states]
    seen = set[int]()
    while todo:
        state = todo.pop()
        if id(state) not in seen:
            seen.add(id(state))
            todo += [after for kept in state.steps.values() for _, after in kept if after is not None]
    return len(seen)
