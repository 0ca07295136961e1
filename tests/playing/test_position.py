"""A position in memory: what is pushed can be popped, what is listed is legal and all that is, and games go on."""

from __future__ import annotations

import asyncio
import base64
import json
import random
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction

import pytest

import planner
from planner import IllegalPlanError, InputError, Position, perft
from planner.formats.files import LARGEST_FILE
from planner.plans.plan import Move
from planner.playing.moment import NothingToRollError, RollDueError
from planner.referee.referee import Referee
from planner.scenario import build_scenario
from tests.conftest import long_ones, sized
from tests.games.test_perft_files import GOLDEN as COUNTED
from tests.oracles.progress import FAMILIES
from tests.oracles.stacks import draw_pair

POSITIONS, PUSHED = sized((8, 4), (8, 8), (200, 200))
LONGEST = 4
"""Hexes of the moves that are tried, the first among them."""
LAND = ("on land", "stacks", "trenches", "waiting", "skirmishes")
GAMES = (
    "classic_hex/three_battles",
    "ocs/two_overruns",
    "dai_senso/manchuria",
    "great_war/over_the_top",
    "a_world_at_war/rendezvous",
)


def own(position: Position) -> list[str]:
    """Return the units on the map of the side that moves."""
    return [
        unit for unit in position.scenario.game.order if unit in position.scenario.game.friends and unit in position.at
    ]


def every_move(position: Position, *team: str, longest: int = LONGEST) -> Iterator[tuple[Move, Fraction]]:
    """Yield each legal move of units together up to a length, with at most one fight, its last step, and its MP."""
    scenario, start = position.scenario, position.scenario.start
    referee, board = Referee(scenario.game), scenario.game.board
    home = start.at[team[0]]
    paths: list[tuple[str, ...]] = [(home,)]
    while paths:
        path = paths.pop()
        for to in board.neighbours.get(path[-1], ()):
            enemies = any(scenario.game.is_enemy(other) for other in start.units_in(to))
            for overrun in {False, enemies}:
                move = Move(team, (*path, to), frozenset([len(path)] if overrun else ()))
                broken, played = referee.play_move(move, start.copy(), start.under_way.keys())
                if broken or not played.played:
                    continue
                if to != home:
                    yield move, played.mp
                if not overrun and len(move.path) < longest:
                    paths.append(move.path)


def walked(family: str, seed: int) -> Position:
    """Return a position some moves into a phase."""
    scenario, _, rng = FAMILIES[family](seed)
    position = Position(replace(scenario, requirements=(), tiers=()))
    for _ in range(rng.randrange(3)):
        moves = list(position.legal_moves())
        if moves:
            position.push(rng.choice(moves))
            while position.outcomes:
                position.roll(rng)
    return position


def compared(position: Position, *team: str, told: str, longest: int = LONGEST) -> tuple[int, int]:
    """Ensure that units' moves are listed as trying every one says; return how many are plain, and how many are fights."""
    referee, start = Referee(position.scenario.game), position.scenario.start
    listed = list(position.legal_moves("+".join(team)))
    told = f"{told}, {team} after {position.made}"
    assert len({(move.end, move.path[-2] if move.overruns else "") for move in listed}) == len(listed), told
    cheapest = dict[str, Fraction]()
    for move in listed:
        broken, played = referee.play_move(move, start.copy(), start.under_way.keys())
        assert not broken, f"{told}: {move}"
        if not move.overruns:
            cheapest[move.end] = played.mp
    ends = {(move.path[-2], move.end) for move in listed if move.overruns}
    for move, mp in every_move(position, *team, longest=longest):
        if move.overruns:
            assert move.path[-2:] in ends, f"{told}: {move}"
        else:
            assert move.end in cheapest, f"{told}: {move}"
            assert cheapest[move.end] <= mp, f"{told}: {move}"
    return len(cheapest), len(ends)


@pytest.mark.parametrize("family", long_ones(LAND, "waiting", "on land"))
def test_the_moves_that_are_listed_are_those_that_may_be_made_and_the_cheapest_of_their_ends(family: str) -> None:
    plain = fights = 0
    for seed in range(POSITIONS):
        position = walked(family, seed)
        for unit in own(position):
            found = compared(position, unit, told=f"{family}, seed {seed}")
            plain, fights = plain + found[0], fights + found[1]
    assert plain
    assert fights or family not in ("stacks", "skirmishes")


def test_a_hex_that_an_overrun_makes_cheaper_is_listed_without_the_overrun_too() -> None:
    """Through w2922, where e0 is overrun, w2822 and w3021 cost less than around it."""
    ends = {move.end for move in walked("on land", 123).legal_moves("u0") if not move.overruns}
    assert {"w2822", "w3021"} <= ends


def test_units_that_move_together_are_told_the_cheapest_way_for_all_even_if_it_is_for_none_of_them() -> None:
    fights = 0
    for seed in sized((10, 30, 43), range(24), range(600)):
        position = Position(build_scenario(draw_pair(random.Random(seed)), "pair"))
        fights += compared(position, "u0", "u1", told=f"pair {seed}", longest=5)[1]
    assert fights


def test_friends_who_end_a_move_together_hold_no_zone_open_for_each_other_on_their_way() -> None:
    position = walked("stacks", 361)
    ways = {"u0+u1 10.10-11.10", "u0+u1 10.10-11.11", "u0+u1 10.10-11.10-12.10"}  # not 11.11-12.10: e0 is beside 11.11
    assert {str(move) for move in position.legal_moves("u0+u1")} == ways


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_pushed_is_popped_and_positions_are_equal_exactly_if_the_same_may_follow(family: str) -> None:
    for seed in range(PUSHED):
        scenario, _, rng = FAMILIES[family](seed)
        position = Position(scenario)
        seen = [(position.key, position.copy(), deepcopy(position.at))]
        while len(position) < 8:
            moves = [] if position.outcomes else list(position.legal_moves())
            if position.outcomes:
                position.roll(rng)
            elif moves:
                position.push(rng.choice(moves))
            else:
                break
            seen.append((position.key, position.copy(), deepcopy(position.at)))
        for key, twin, at in reversed(seen):
            assert (position.key, position.at) == (key, at)
            assert position == twin
            assert hash(position) == hash(twin)
            if len(position):
                position.pop()


@pytest.mark.parametrize("family", FAMILIES)
def test_the_text_of_a_position_is_read_again_without_loss(family: str) -> None:
    for seed in range(sized(1, 20, 200)):
        position = walked(family, seed)
        text = position.to_text()
        again = Position.from_text(f" {text}\n")
        assert again == position, f"{family}, seed {seed}"
        assert again.to_text() == text
        assert [str(move) for move in again.made] == [str(move) for move in position.made]
        assert re.fullmatch(r"[\w.-]+", text)


@pytest.mark.parametrize("change", [lambda t: t[:-9], lambda t: t + "AAAA", lambda t: t[:40] + t[50:], lambda t: t[1:]])
def test_text_that_is_damaged_is_told(change: Callable[[str], str]) -> None:
    text = Position("dai_senso/manchuria").to_text()
    assert len(text) < 2_000
    with pytest.raises(InputError, match="position"):
        Position.from_text(change(text))


def test_text_that_would_fill_the_memory_is_not_unpacked() -> None:
    bomb = base64.urlsafe_b64encode(zlib.compress(b" " * (LARGEST_FILE + 1), 1)).decode().rstrip("=")
    with pytest.raises(InputError, match="too much"):
        Position.from_text(f"position1.{bomb}")


@pytest.mark.parametrize("name", GAMES)
def test_a_game_goes_on_through_phases_sides_and_turns(name: str) -> None:
    """Whoever moves at random until the turn is over: no move that is listed is refused, and both sides have moved."""
    rng = random.Random(7)
    position, sides = Position(name), Counter[str]()
    for _ in range(2 * len(position.scenario.game.rulebook.turn)):
        sides[position.side] += 1
        for unit in own(position)[:4]:
            moves = list(position.legal_moves(unit)) if unit in position.at else []
            if moves:
                position.push(rng.choice(moves))
                while position.outcomes:
                    position.roll(rng)
                if position.problems():  # overstacked, for one
                    while position.problems():
                        position.pop()
                        while position.outcomes:
                            position.pop()
        position.end_phase()
    assert set(sides) == set(position.scenario.game.rulebook.forces.sides)
    assert position.turn == 3


def test_where_something_is_rolled_nothing_else_comes_first_and_each_result_has_its_exact_probability() -> None:
    position = Position("ocs/two_overruns")
    move = next(move for move in position.legal_moves("armor") if move.overruns)
    with pytest.raises(NothingToRollError):
        position.roll()
    position.push(move)
    assert sum(one.probability for one in position.outcomes) == 1
    for question in (position.legal_moves, position.problems, position.end_phase, position.to_dict):
        with pytest.raises(RollDueError):
            list(question() or ())
    with pytest.raises(RollDueError):
        position.push(move)
    rng, drawn = random.Random(3), Counter[str]()
    for _ in range(2_000):
        drawn[str(position.roll(rng).move)] += 1
        position.pop()
    for one in position.outcomes:
        assert abs(Fraction(drawn[str(one.move)], 2_000) - one.probability) < Fraction(1, 25)
    with pytest.raises(InputError, match="must be one of"):
        position.roll(result="armor 10.10-10.11")
    failed = next(one for one in position.outcomes if one.move.failed)
    position.roll(result=str(failed.move))
    assert position.at["armor"] == "10.10"
    assert position.made == (failed.move,)


def test_a_move_that_rolls_on_its_way_goes_on_if_the_roll_goes_well() -> None:
    position = Position("ocs/two_overruns")
    position.push("armor 10.10x10.11-10.12")
    won = next(one for one in position.outcomes if not one.move.failed)
    position.roll(result=won.move)
    assert position.at["armor"] == "10.12"
    assert len(position) == 2
    position.pop()
    position.pop()
    assert position.at["armor"] == "10.10"


def test_what_is_illegal_is_told_with_its_paragraph_and_changes_nothing() -> None:
    position = Position("classic_hex/three_battles")
    before = position.key
    with pytest.raises(IllegalPlanError) as told:
        position.push("a1 0305-0308")
    assert told.value.verdict.violations
    assert not position.is_legal("a1 0305-0308")
    with pytest.raises(InputError, match="no unit has the id"):
        position.push("zz 0305-0306")
    with pytest.raises(InputError, match="each unit once"):
        position.legal_moves("a1+a1")
    with pytest.raises(InputError):
        position.push("nonsense")
    assert position.key == before
    assert len(position) == 0


def test_each_side_has_its_objective_and_gets_it_back() -> None:
    data = planner.load("classic_hex/three_battles").to_dict()
    data["objective"] = {"red": {"tier": [{"name": "back", "terms": [{"kind": "hold", "hexes": "0305"}]}]}}
    position = Position(planner.Scenario.from_dict(data))
    blue = [tier.name for tier in position.scenario.tiers]
    seen = []
    for _ in position.scenario.game.rulebook.turn:
        seen.append((position.side, [tier.name for tier in position.scenario.tiers]))
        position.end_phase()
    assert seen == [("blue", blue), ("blue", blue), ("red", ["back"]), ("red", ["back"])]
    assert [tier.name for tier in position.scenario.tiers] == blue


def test_questions_are_asked_of_what_is_left_of_the_phase() -> None:
    position = Position("dai_senso/manchuria")
    unit, move = next((unit, move) for unit in ("plv",) for move in position.legal_moves(unit))
    position.push(move)
    assert position.check("").legal
    assert position.suggest(time_limit=20).status in ("optimal", "feasible")
    assert position.reach(unit, alone=True).unit == unit


def besides_attacks(position: Position) -> set[str]:
    """Return what forbids to end the phase, but for attacks that must still be made."""
    return {str(one) for one in position.problems()} - {str(one) for one in position.attacks_due()}


def move_towards_enemies(position: Position) -> None:
    """Push for each unit the move that ends nearest to an enemy, unless more would then forbid to end the phase."""
    game = position.scenario.game
    foes = [at for unit, at in position.at.items() if game.is_enemy(unit)]
    for unit in own(position):
        moves = list(position.legal_moves(unit)) if unit in position.at else []
        before = besides_attacks(position)
        if moves:
            position.push(min((min(game.board.distance(m.end, foe) or 0 for foe in foes), str(m)) for m in moves)[1])
            if not besides_attacks(position) <= before:
                position.pop()  # overstacked


@pytest.mark.thorough
def test_attacks_are_declared_rolled_and_taken_back_and_those_that_must_be_made_come_before_the_end() -> None:
    near = {"r1": "0504", "r2": "0506", "r3": "0507", "r4": "0507"}
    start = planner.load("crossroads/start").with_units([{"id": unit, "at": label} for unit, label in near.items()])
    rng, position = random.Random(2), Position(start)
    made = 0
    for _ in range(8):  # phases, of both sides
        move_towards_enemies(position)
        for _ in range(40):  # attacks, and moves that are taken back because no attack of theirs is possible
            if not position.problems():
                break
            attacks = all(one.attack is None and one.move is None for one in position.problems())
            legal = [
                text
                for label, units in (position.targets() if attacks else {}).items()
                for text in (f"{'+'.join(units)} -> {label}", f"{units[0]} -> {label}")
                if position.is_legal(text)
            ]
            if not legal:
                position.pop()
                continue
            before = position.key
            position.push(rng.choice(legal))
            assert sum(one.probability for one in position.outcomes) == 1
            rolled = position.roll(rng)
            assert position.attacks[-1] == rolled.move
            after = position.key
            position.pop()
            position.pop()
            assert position.key == before
            position.push(rolled.move)  # with what was rolled, and who went where
            assert position.key == after
            again = Position(planner.Scenario.from_dict(position.to_dict()))
            assert again == position
            made += 1
        position.end_phase()
        if made >= 3:
            break
    assert made >= 3


def test_a_search_can_be_awaited_and_cancelled_while_the_position_is_played_on() -> None:
    async def asked() -> tuple[str, int]:
        position = Position("dai_senso/manchuria")
        search = asyncio.ensure_future(position.suggest_async(time_limit=60))
        await asyncio.sleep(0)
        position.push("inf w5525-w5425")
        found = await search
        assert found.plan is not None
        long = asyncio.ensure_future(Position("ocs/breakthrough").suggest_async())
        await asyncio.sleep(0.5)
        long.cancel()
        with pytest.raises(asyncio.CancelledError):
            await long
        return found.status, len(found.plan.moves)

    assert asyncio.run(asked()) == ("optimal", 2)  # that of the position as it was when the search began


@pytest.mark.thorough
def test_two_threads_play_on_copies_of_one_position() -> None:
    from concurrent.futures import ThreadPoolExecutor

    position = Position("great_war/over_the_top")

    def play(seed: int) -> object:
        twin, rng = position.copy(), random.Random(seed)
        for _ in range(6):
            moves = list(twin.legal_moves(rng.choice(own(twin))))
            if moves:
                twin.push(rng.choice(moves))
                while twin.outcomes:
                    twin.roll(rng)
        return twin.key

    with ThreadPoolExecutor(4) as pool:
        side_by_side = list(pool.map(play, range(8)))
    assert side_by_side == [play(seed) for seed in range(8)]
    assert len(position) == 0


def test_a_scenario_is_changed_in_memory_and_faults_are_told_at_once() -> None:
    scenario = planner.load("classic_hex/three_battles")
    moved = scenario.with_units([{"id": "a1", "at": "0306"}], without=["a2"])
    assert moved.start.at["a1"] == "0306"
    assert "a2" not in moved.game.units
    assert scenario.start.at["a1"] == "0305"
    with pytest.raises(InputError, match="no unit has the id 'nobody'"):
        scenario.with_units(without=["nobody"])
    with pytest.raises(InputError, match="not on the map"):
        scenario.with_units([{"id": "a1", "at": "9999"}])
    assert planner.Scenario.loads(json.dumps(scenario.to_dict())).to_dict() == scenario.to_dict()


GOLDEN = {
    "classic_hex/puzzles/open_door": (33, 252),
    "ocs/two_overruns": (4, 20, 76),
    "ocs/look_first": (6, 32, 106),
    "dai_senso/manchuria": (11, 79, 193),
    "great_war/puzzles/column": (1, 2, 1),
    "a_world_at_war/rendezvous": (9, 81, 707),
}
"""Of one scenario of each game how many sequences of 1, 2, 3 moves there are."""


@pytest.mark.parametrize("name", long_ones(GOLDEN, "a_world_at_war/rendezvous", "dai_senso/manchuria"))
def test_the_numbers_of_sequences_are_what_they_were(name: str) -> None:
    position = Position(name)
    assert tuple(perft(position, depth) for depth in range(1, len(GOLDEN[name]) + 1)) == GOLDEN[name]
    assert len(position) == 0


@pytest.mark.parametrize(
    ("name", "depth", "number"),
    [
        ("ocs/two_overruns", 2, 20),
        ("ocs/look_first", 2, 32),
        ("great_war/puzzles/column", 2, 2),
        ("classic_hex/puzzles/strong_enough_for_certain", 1, 14),
        ("a_world_at_war/winter_front", 1, 6),
        pytest.param("crossroads/puzzles/second_wind", 1, 39, marks=pytest.mark.thorough),
        ("dai_senso/puzzles/rearguard", 2, 14),
        ("dai_senso/puzzles/after_you", 2, 12),
    ],
)
def test_the_referee_alone_counts_as_many_sequences(name: str, depth: int, number: int) -> None:
    """By trying every step: moves without carriers, of all six games."""

    def counted(position: Position, depth: int) -> int:
        if position.outcomes:
            return sum(_after_roll(position, one.move, depth) for one in position.outcomes)
        if not depth:
            return 1
        found = 0
        for unit in own(position):
            ways: dict[tuple[str, ...], tuple[Fraction, int, tuple[str, ...], Move]] = {}
            for move, mp in every_move(position, unit, longest=9 if depth == 2 else 7):
                key = move.path[-2:] if move.overruns else move.path[-1:]
                way = mp, len(move.path), move.path, move
                ways[key] = min(ways.get(key, way), way)
            for *_, move in ways.values():
                position.push(move)
                found += counted(position, depth - 1)
                position.pop()
        return found

    def _after_roll(position: Position, move: Move, depth: int) -> int:
        position.roll(result=move)
        found = counted(position, depth)
        position.pop()
        return found

    assert counted(Position(name), depth) == number == COUNTED[name][depth - 1]
