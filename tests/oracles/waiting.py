"""Every legal plan of units that wait for each other, on the referee alone; and small positions to try it on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import networkx as nx

from planner.objective import Tally
from planner.objective.scoring import Value, score_position, tier_values
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario, build_scenario
from planner.world.position import Position, UnitProgress
from tests.oracles.brute_force import TooManyStatesError


@dataclass(frozen=True)
class _Effect:
    """What a legal move changes besides the places of its units."""

    removed: tuple[tuple[str, str], ...]
    progress: tuple[tuple[str, UnitProgress], ...]
    used: frozenset[str]
    ways: frozenset[str]
    taken: dict[str, Any]
    lost: frozenset[str]


SMALL = 6
"""Hexes of a board on which units that may not break off a move walk as far as they like: on larger ones, one step."""


class Interleaved:
    """The best that a position offers, by trying every sequence of single steps of single units and of joint overruns.

    Parameters
    ----------
    scenario : Scenario
        The position.
    cap : int
        The number of states beyond which it gives up.
    memo : bool
        Whether a move is tried once for all states that agree on its units, on the enemies, on who has given support, and on
        whether anybody has moved: where the other friends stand means nothing to it. Without it, everything is tried anew.
    fixed : Plan, optional
        How each plan begins.
    all_walk : bool
        Whether air units are moved from hex to hex, too: legal only where few rules are in force.
    """

    def __init__(
        self,
        scenario: Scenario,
        cap: int = 6_000,
        memo: bool = True,
        all_walk: bool = False,
        fixed: Plan | None = None,
    ) -> None:
        self._fixed = () if fixed is None else fixed.moves
        self._scenario, self._game, self._cap = scenario, scenario.game, cap
        self._referee = Referee(scenario.game)
        self._memo: dict[object, _Effect | None] = {}
        self._remembers = memo
        self._all_walk = all_walk
        self._paths: dict[str, list[tuple[str, ...]]] = {}

    def best(self) -> Value | None:
        """Return the optimal value of each tier, or None if no plan fulfils the requirements.

        Raises
        ------
        TooManyStatesError
            If there are more states than the cap.
        """
        return max((value for end, value in self.standings() if self._fulfils(end)), default=None)

    def _fulfils(self, position: Position) -> bool:
        tally, game = self._tally(position), self._game
        return all(term.holds(game, position, tally) for term in self._scenario.requirements)

    @staticmethod
    def _tally(position: Position) -> Tally:
        return Tally({unit: progress.spent for unit, progress in position.under_way.items()})

    def standings(self) -> Iterator[tuple[Position, Value]]:
        """Yield every position in which the phase may end, with its value.

        Raises
        ------
        TooManyStatesError
            If there are more states than the cap.
        """
        start = self._scenario.start.copy()
        for move in self._fixed:
            broken, _ = self._referee.play_move(move, start, start.under_way.keys())
            if broken:
                raise ValueError(f"{move} is illegal: {broken[0]}")
        seen = {self._key(start)}
        stack = [start]
        while stack:
            position = stack.pop()
            if not self._referee.check_end(position):
                terms = score_position(self._game, self._scenario.tiers, position, self._tally(position))
                yield position, tier_values(self._scenario.tiers, terms)
            for move in self._moves(position):
                after = self._after(move, position)
                if after is None:
                    continue
                key = self._key(after)
                if key not in seen:
                    seen.add(key)
                    if len(seen) > self._cap:
                        raise TooManyStatesError
                    stack.append(after)

    def _after(self, move: Move, position: Position) -> Position | None:
        """Return the position after a move; None if it is illegal."""
        enemies = frozenset(pair for pair in position.at.items() if self._game.is_enemy(pair[0]))
        before = tuple((unit, position.under_way.get(unit)) for unit in move.units)
        helpers = tuple((unit, position.at.get(unit), position.under_way.get(unit)) for _, unit in move.support)
        here = move, before, helpers, enemies
        key = (*here, frozenset(position.used), frozenset(position.ways), *self._gone(position))
        after = position.copy()
        if self._remembers and key in self._memo:
            effect = self._memo[key]
            if effect is None:
                return None
            for enemy, box in effect.removed:
                after.remove(enemy, box)
            for unit, progress in effect.progress:
                after.move(unit, move.end)
                after.under_way[unit] = progress
            after.used.update(effect.used)
            after.ways.update(effect.ways)
            after.taken.update(effect.taken)
            after.lost.update(effect.lost)
            return after
        broken, played = self._referee.play_move(move, after, position.under_way.keys())
        if broken:
            self._memo[key] = None
            return None
        self._memo[key] = _Effect(
            tuple((enemy, after.boxes[enemy]) for enemy in played.removed),
            tuple((unit, after.under_way[unit]) for unit in move.units),
            frozenset(after.used),
            frozenset(after.ways),
            dict(after.taken),
            frozenset(after.lost),
        )
        return after

    @staticmethod
    def _key(position: Position) -> object:
        return (
            frozenset(position.at.items()),
            frozenset((unit, p.spent, bool(p.stops)) for unit, p in position.under_way.items()),
            frozenset(position.used),
            bool(position.ways),
            *Interleaved._gone(position),
        )

    @staticmethod
    def _gone(position: Position) -> tuple[frozenset[str], frozenset[str]]:
        """Return the places that have been taken, and the markers that have been removed."""
        return frozenset(position.taken), frozenset(position.lost)

    def _ways(self, here: str) -> list[tuple[str, ...]]:
        """Return the simple paths from a hex of a small board, for units that walk, but may not break off their move."""
        if here not in self._paths:
            graph = nx.Graph(self._game.board.neighbours if len(self._game.board.hexes) <= SMALL else ())
            graph.add_node(here)
            self._paths[here] = [tuple(path) for path in nx.all_simple_paths(graph, here, set(graph) - {here})]
        return self._paths[here]

    def _moves(self, position: Position) -> Iterator[Move]:
        game, board = self._game, self._game.board
        own = [unit for unit in game.order if unit in game.friends and unit in position.at]
        wings = [unit for unit in own if "air" in game.units[unit].traits]
        by_hex: dict[str, list[str]] = {}
        for unit in own:
            here = position.at[unit]
            progress = position.under_way.get(unit)
            if progress is not None and progress.spent >= game.units[unit].ma:
                continue  # no step is free but the first
            if self._all_walk or "ground" in game.units[unit].traits:
                by_hex.setdefault(here, []).append(unit)
                for to in (*board.neighbours[here], *board.box_links.get(here, ())):
                    yield Move((unit,), (here, to))
                if not game.rulebook.lets_wait(game.units[unit]):
                    yield from (Move((unit,), path) for path in self._ways(here) if len(path) > 2)
            if not position.ways - {"voluntary_elimination"} and here != "force_pool":
                yield Move((unit,), (here, "force_pool"))
        for here, units in by_hex.items():
            for to in board.neighbours[here]:
                if not any(game.is_enemy(unit) for unit in position.units_in(to)):
                    continue
                for size in range(1, len(units) + 1):
                    for team in combinations(units, size):
                        for helpers in (h for n in range(len(wings) + 1) for h in combinations(wings, n)):
                            if not set(helpers) & set(team):
                                support = tuple((1, unit) for unit in helpers)
                                yield Move(team, (here, to), frozenset([1]), support=support)


def draw_waiting(rng: random.Random) -> dict[str, Any]:
    """Return a position: the same generator, in the same state, gives the same one."""
    labels = [f"{row}{place}" for row in "ABC" for place in range(1, 5)]
    hexes: dict[str, dict[str, Any]] = {
        label: {"terrain": rng.choices(("clear", "forest", "jungle", "sea"), (20, 2, 1, 1))[0]} for label in labels
    }
    for label in labels:
        if rng.random() < 0.25:
            hexes[label]["traits"] = ["pacific"]
    land = [label for label in labels if hexes[label]["terrain"] != "sea"]
    enemies = rng.sample(land, min(len(land), rng.choice((1, 2, 2, 3))))
    free = [label for label in land if label not in enemies] or land
    # Mostly they begin near the enemy, not far from each other.
    rows, places = "ABC", {label: int(label[1:]) for label in land}
    near = [
        label
        for label in free
        if any(abs(places[label] - places[e]) + abs(rows.index(label[0]) - rows.index(e[0])) <= 2 for e in enemies)
    ] or free
    units: list[dict[str, Any]] = []
    for number in range(rng.choice((2, 2, 2, 3))):
        kind = rng.choice(("armor", "armor", "armor", "mechanized_infantry", "mechanized_infantry", "infantry"))
        unit = {"id": f"u{number}", "side": "axis", "type": kind, "at": rng.choice(near)}
        unit["nationality"] = rng.choice(("germany", "germany", "japan", "usa"))
        unit |= {"attack": rng.choice((3, 3, 4, 6, 6, 9)), "defense": 1, "ma": rng.choice((2, 3, 3, 4))}
        if rng.random() < 0.15:
            unit["traits"] = [rng.choice(("partially_supplied", "no_component", "another_powers"))]
        if rng.random() < 0.05:
            unit["supplied"] = False
        units.append(unit)
    for number, at in enumerate(enemies):
        kind = rng.choice(("armor", "armor", "infantry", "infantry", "air"))
        unit = {"id": f"e{number}", "side": "allies", "type": kind, "at": at, "attack": 1, "ma": 0}
        unit |= {"defense": 1, "nationality": "russia"}
        if kind == "air":
            unit["support_range"] = rng.randint(1, 2)
        units.append(unit)
    if rng.random() < 0.4:
        wing = {"id": "w", "side": "axis", "type": "air", "at": rng.choice(free), "attack": rng.choice((1, 3)), "ma": 0}
        units.append({**wing, "defense": 0, "support_range": rng.randint(1, 3)})
    victims = [unit for unit in units if unit["side"] == "allies"]
    goals: list[dict[str, Any]] = [
        {"kind": "hold", "hexes": label, "weight": rng.randint(1, 3)} for label in rng.sample(land, min(2, len(land)))
    ]
    goals += [{"kind": "eliminate", "units": [unit["id"]], "weight": rng.randint(6, 9)} for unit in victims]
    mover = rng.choice([unit for unit in units if unit["id"].startswith("u")])
    goals.append({"kind": "end", "unit": mover["id"], "at": rng.choice(land), "weight": rng.randint(2, 5)})
    return {
        "format": "planner/scenario-1",
        "model": "a_world_at_war",
        "phase": "movement",
        "phasing": "axis",
        "margin": rng.choice((0, 0, 0, 0, 1, "all")),
        "map": {
            "hexes": hexes,
            "boxes": {"force_pool": {}, "edge": {"traits": ["free_to_move"], "adjacent": [rng.choice(labels)]}},
        },
        "weather": {"mud": rng.choice(labels)} if rng.random() < 0.3 else {},
        "unit": units,
        "tier": [{"terms": goals}, {"terms": [{"kind": "mp_spent"}]}],
    }


def waiting(seed: int) -> tuple[Scenario, random.Random]:
    """Return the position of a seed, with the generator that drew it."""
    rng = random.Random(f"waiting {seed}")
    return build_scenario(draw_waiting(rng), f"waiting {seed}"), rng


def random_waiting_plan(scenario: Scenario, rng: random.Random) -> Plan:
    """Return a plan of moves that mostly make some sense, and often break a rule."""
    game, board = scenario.game, scenario.game.board
    where = {unit: at for unit, at in scenario.start.at.items() if unit in game.friends}
    wings = [unit for unit in where if "air" in game.units[unit].traits]
    moves: list[Move] = []
    for _ in range(rng.randint(1, 6)):
        first = rng.choice(sorted(where))
        mates = [unit for unit in where if unit != first and (where[unit] == where[first] or rng.random() < 0.03)]
        team = (first, *(unit for unit in mates if rng.random() < 0.5))
        path, overruns, support, failed = [where[first]], set(), [], False
        for step in range(1, rng.choice((1, 1, 2, 3)) + 1):
            near = [*board.neighbours[path[-1]], *board.box_links.get(path[-1], ())]
            anywhere = rng.random() < 0.06 or not near
            to = rng.choice(sorted(board.places) if anywhere else sorted(near))
            if to == path[-1]:
                continue
            path.append(to)
            step = len(path) - 1
            if game.enemies_at(to) and rng.random() < 0.8:
                overruns.add(step)
                support += [(step, unit) for unit in wings if unit not in team and rng.random() < 0.5]
                if rng.random() < 0.12:
                    failed = True
                    break
        if len(path) < 2:
            continue
        move = Move(tuple(team), tuple(path), frozenset(overruns), support=tuple(support), failed=failed)
        moves.append(move)
        where.update(dict.fromkeys(team, move.end))
    return Plan(tuple(moves))
