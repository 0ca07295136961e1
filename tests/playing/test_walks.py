"""Whatever a walk through a game comes by, a position is what it should be; what it must have come by is counted.

At each place of a walk four things hold: what is pushed is popped without a trace; the position that is written, as text and
as data, and read again is the same; it lists what a position lists that remembers nothing; and that is what may be made, by
trying every step.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from planner import Position, Scenario
from planner.plans.plan import Move
from tests.conftest import long_ones, sized
from tests.playing.test_memory import told
from tests.playing.test_position import compared, own

MUST_SEE = {
    "classic_hex/three_battles": "fight rolled taken shaken",
    "crossroads/bridge": "taken",
    "great_war/over_the_top": "rolled failed marker",
    "ocs/look_first": "fight rolled failed enemy again",
    "dai_senso/island_campaign": "carried marker taken way box",
    "a_world_at_war/rendezvous": "again together",
    "a_world_at_war/through_the_line": "fight enemy",
}
"""What walks through scenarios of all models must come by, besides plain moves; see `Walk.note`."""

LARGE = {"a_world_at_war/through_the_line": 4}
"""Where every place takes long: by what the number of places is divided."""

POSITIONS = sized(20, 20, 200)
LONGEST = 8
"""After how many moves a walk begins anew."""


class Walk:
    """A walk through a scenario, by moves of all sorts alike, and back now and then.

    Parameters
    ----------
    name : str
        The scenario.
    """

    def __init__(self, name: str) -> None:
        self.name, self.rng, self.position = name, random.Random(f"walk {name}"), Position(name)
        self.seen = Counter[str]()
        self.units = own(self.position)

    def note(self, move: Move, before: Position) -> None:
        """Count of which sort a move was that has been made, and what has come of it."""
        old, new, game = before._now.standing, self.position._now.standing, before.scenario.game
        gone = old.at.keys() - new.at.keys()
        found = {
            "fight": bool(move.overruns),
            "rolled": len(self.position) > len(before) + 1,
            "failed": self.position.made[-1].failed or new.bogged != old.bogged,
            "together": len(move.units) > 1,
            "carried": bool(move.carried),
            "again": not old.under_way.keys().isdisjoint(move.units),
            "enemy": any(game.is_enemy(unit) for unit in gone),
            "marker": new.lost - gone != old.lost,
            "taken": new.taken != old.taken,
            "way": bool(old.ways) and new.ways != old.ways,
            "shaken": new.demoralized != old.demoralized,
            "box": any(label not in game.board.hexes for label in move.path),
        }
        self.seen.update(sort for sort, seen in found.items() if seen)

    def go(self) -> Iterator[tuple[Position, tuple[tuple[str, ...], ...]]]:
        """Yield the position after each move, or before it, with some who may do something else now, or fight."""
        while True:
            if len(self.position) > LONGEST or not (moves := self.moves()):
                self.position = Position(self.name)
                continue
            sorts: dict[tuple[object, ...], list[Move]] = {}
            for move in moves:
                sort = bool(move.overruns), bool(move.carried), len(move.units), self.stirs(move)
                sorts.setdefault(sort, []).append(move)
            move, before = self.rng.choice(sorts[self.rng.choice(sorted(sorts))]), self.position.copy()
            text = before.to_text()
            self.position.push(move)
            while self.position.outcomes:
                self.position.roll(self.rng)
            after = self.position.copy()
            while len(self.position) > len(before):
                self.position.pop()
            assert self.position == before, f"{move} after {before.made}"
            assert self.position.to_text() == text, f"{move} after {before.made}"
            if self.rng.random() < 0.2:  # and never makes it
                yield self.position, (move.units,)
                continue
            self.position = after
            self.note(move, before)
            near = self.position.scenario.game.board.neighbours
            beside = {*move.path, *(label for one in move.path for label in near.get(one, ()))}
            minding = [
                (unit,) for unit in self.units if self.position.at.get(unit) in beside and unit not in move.units
            ]
            others = sorted({one.units for one in moves if one.overruns} or {one.units for one in moves})
            yield self.position, tuple(self.rng.choice(some) for some in (minding, others) if some)

    def stirs(self, move: Move) -> tuple[bool, bool]:
        """Tell whether a move ends beside an enemy, or passes a marker, and whether it ends off the map."""
        game, end = self.position.scenario.game, move.path[-1]
        enemies = any(game.enemies_at(label) for label in game.board.neighbours.get(end, ()))
        return enemies or any(map(game.markers_at, move.path)), end not in game.board.hexes

    def moves(self) -> list[Move]:
        """Return what some units may do, and two of them who stand together."""
        at = self.position.at
        here = [unit for unit in self.units if unit in at]
        some = self.rng.sample(here, min(4, len(here)))
        found = [move for unit in some for move in self.position.legal_moves(unit)]
        for unit in here:
            mates = [one for one in here if one != unit and at[one] == at[unit]]
            if mates:
                found += self.position.legal_moves(f"{unit}+{self.rng.choice(mates)}")
        return found


@pytest.mark.parametrize("name", long_ones(MUST_SEE, *[name for name in MUST_SEE if name != "ocs/look_first"]))
def test_whatever_a_walk_comes_by_a_position_is_restored_written_listed_and_judged_as_it_should_be(name: str) -> None:
    walk, compare = Walk(name), Counter[str]()
    for (position, teams), _ in zip(walk.go(), range(POSITIONS // LARGE.get(name, 1)), strict=False):
        for again in (
            Position.from_text(position.to_text()),
            Position(Scenario.from_dict(json.loads(json.dumps(position.to_dict())))),
        ):
            assert again == position
            assert [str(move) for move in again.made] == [str(move) for move in position.made]
        for team in teams:
            if all(unit in position.at for unit in team):
                assert told(position, *team) == told(again, *team), f"{team} after {[*map(str, position.made)]}"
                plain, fights = compared(position, *team, told=name)
                compare.update(plain=plain, fights=fights)
    assert set(MUST_SEE[name].split()) <= walk.seen.keys(), walk.seen
    assert compare["plain"]
    assert compare["fights"] or name in LARGE or "fight" not in MUST_SEE[name]
