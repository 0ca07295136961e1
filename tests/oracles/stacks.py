"""Every legal plan of stacks and rolls, on the referee alone; and small random positions in which stacks matter."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from math import prod
from typing import Any

from planner.objective.scoring import Value, score, tier_values
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict
from planner.rules.play import MoveInPlay
from planner.rules.roles import Rolls
from planner.scenario import Scenario, build_scenario
from planner.world.position import Position
from tests.oracles.brute_force import TooManyStatesError


class EveryStackPlan:
    """The best that a position offers, by trying every sequence of moves of units and stacks.

    Parameters
    ----------
    scenario : Scenario
        The position.
    cap : int
        The number of plans beyond which it gives up.
    longest : int
        The most steps of a path.
    """

    def __init__(self, scenario: Scenario, cap: int = 4_000, longest: int = 4) -> None:
        self._scenario, self._cap, self._longest = scenario, cap, longest
        self._game = scenario.game
        self._referee = Referee(scenario.game)
        self._tried = 0

    def best(self) -> Value | None:
        """Return the optimal value of each tier, or None if no plan is legal.

        Raises
        ------
        TooManyStatesError
            If there are more plans than the cap.
        """
        return max((value for _, _, value in self.plans()), default=None)

    def plans(self, partly: bool = False) -> Iterator[tuple[Plan, Verdict, Value]]:
        """Yield every legal plan, with the referee's verdict and its value.

        Parameters
        ----------
        partly : bool
            Whether those are of use, too, that come before it gives up: it does as soon as there must be too many, else.

        Raises
        ------
        TooManyStatesError
            If there are more plans than the cap.
        """
        queue: deque[tuple[Move, ...]] = deque([()])
        while queue:
            # With the shortest first it shows soon how many there are.
            moves = queue.pop() if partly else queue.popleft()
            self._tried += 1
            if self._tried + (0 if partly else len(queue)) > self._cap:
                raise TooManyStatesError
            verdict = self._referee.play(Plan(moves), self._scenario.start)
            if any(violation.move is not None for violation in verdict.violations):
                continue  # what comes later never mends a move
            if verdict.legal:
                value = tier_values(self._scenario.tiers, score(self._game, self._scenario.tiers, verdict))
                yield Plan(moves), verdict, value
            queue += [(*moves, move) for move in self.moves(verdict.position, set(verdict.tally.mp))]

    def moves(self, position: Position, moved: set[str]) -> Iterator[Move]:
        """Yield moves that are legal now of those who haven't moved, one for each that comes to something else."""
        at: dict[str, list[str]] = {}
        for unit in self._game.order:
            if unit in self._game.friends and unit in position.at and unit not in moved:
                at.setdefault(position.at[unit], []).append(unit)
        for home, units in at.items():
            for size in range(1, len(units) + 1):
                for team in combinations(units, size):
                    yield from self._of_team(team, home, position)

    def _of_team(self, team: tuple[str, ...], home: str, position: Position) -> Iterator[Move]:
        """Yield the moves of a team step by step; of equal standings, one."""
        first = [MoveInPlay(self._game, position.copy(), self._game.units[unit], home, home) for unit in team]
        if any(True for play in first for rule in self._game.rulebook.rules for _ in rule.check_pick_up(play)):
            return
        seen: set[object] = set()
        queue = [(Move(team, (home,)), first, position.copy(), ())]
        while queue:
            move, plays, before, rolls = queue.pop()
            for form, stack, after, rolled in self._steps(move, plays, before, rolls):
                here = tuple((p.unit.id, p.spent, tuple(p.stops), tuple(p.tallies.items())) for p in stack)
                covered = tuple(sorted(label for label in form.path[1:] if position.units_in(label)))
                gone = tuple(sorted(after.lost))
                key = (
                    here,
                    tuple(sorted(after.at.items())),
                    rolled,
                    covered,
                    gone,
                    form.drops and len(form.path),
                    after.legs,
                )
                if key in seen:
                    continue
                seen.add(key)
                # Without an overrun, units do as well one by one; whoever is dropped in the last hex just ends there.
                if (len(team) == 1 or form.overruns) and not any(form.faults()):
                    yield form
                if len(form.path) <= self._longest:
                    queue.append((form, stack, after, rolled))

    def _steps(self, move: Move, plays: list[MoveInPlay], before: Position, rolls: tuple[object, ...]) -> Iterator[Any]:
        board, here = self._game.board, move.path[-1]
        step = len(move.path)
        aboard = any(way.carries for way in self._game.rulebook.ways)
        ports = [to for zone in board.zones_of(here) for to in board.zones[zone]] if aboard else []
        legs = [(to, "") for to in dict.fromkeys(ports) if to != here]
        for to, by in [*((to, None) for to in board.neighbours[here]), *legs]:
            foes = by is None and any(self._game.is_enemy(unit) for unit in before.units_in(to))
            for tries in (0, 1, 2, 3) if foes else (0,):
                for size in range(len(plays)):
                    for left in combinations(range(len(plays)), size):
                        after = before.copy()
                        stack = [replace(play, position=after, stops=list(play.stops)) for play in plays]
                        for play in stack:
                            play.companions = frozenset(o.unit.id for o in stack if o is not play)
                            play.aim(to, tries > 0, by)
                            play.attempts = max(1, tries)
                        rules = self._game.rulebook.rules
                        if any(self._referee.findings(play) for play in stack):
                            continue
                        if any(True for rule in rules for _ in rule.check_together(stack)):
                            continue
                        rolling = self._game.rulebook.of(Rolls)
                        chance = prod((rule.step_chance(stack) for rule in rolling), start=Fraction(1))
                        on = [play for i, play in enumerate(stack) if i not in left]
                        self._referee.make_steps(stack, going_on=frozenset(play.unit.id for play in on))
                        dropped = tuple((step, stack[i].unit.id) for i in left)
                        form = Move(
                            move.units,
                            (*move.path, to),
                            move.overruns | ({step} if tries else set()),
                            move.carried if by is None else (*move.carried, (step, by)),
                            drops=(*move.drops, *dropped),
                            attempts=(*move.attempts, (step, tries)) if tries > 1 else move.attempts,
                        )
                        yield form, on, after, (*rolls, (chance, here, to)) if chance < 1 else rolls


def draw_stacks(rng: random.Random) -> dict[str, Any]:
    """Return a position: the same generator, in the same state, gives the same one."""
    labels = [f"{column}.{row}" for column in (10, 11, 12) for row in (10, 11, 12)]
    hexes = {
        label: {"terrain": rng.choices(("open", "hills", "marsh", "mountain"), (8, 2, 1, 1))[0]} for label in labels
    }
    chain = " ".join(rng.sample(labels, 2))
    stack = rng.choice(labels)
    near = [label for label in labels if adjacent(stack, label)]
    enemies = list(dict.fromkeys([rng.choice(near), *rng.sample(labels, rng.choice((0, 0, 1)))]))
    enemies = [label for label in enemies if label != stack]
    free = [label for label in labels if label not in enemies]
    units: list[dict[str, Any]] = []
    for number in range(rng.choice((2, 2, 3))):
        kind = rng.choice(("motorized", "motorized", "tank", "infantry"))
        at = stack if number < 2 and rng.random() < 0.8 else rng.choice(free)
        units.append({"id": f"u{number}", "side": "axis", "type": kind, "at": at, "defense": 1})
        units[-1] |= {"attack": rng.choice((1, 1, 2)), "ma": rng.choice((2, 3, 3, 4, 4)), "size": rng.choice((1, 3, 5))}
        if rng.random() < 0.12:
            units[-1]["traits"] = rng.choice(["dg", "strat_mode", "unfuelled"])
    for number, at in enumerate(enemies):
        kind = rng.choice(("infantry", "infantry", "infantry", "security", "supply"))
        units.append({"id": f"e{number}", "side": "allied", "type": kind, "at": at, "attack": 1, "ma": 0})
        units[-1]["defense"] = rng.choice((1, 2, 3, 3))
    if rng.random() < 0.3:
        units.append(
            {"id": "big", "side": "axis", "type": "infantry", "at": rng.choice(free), "ma": 0, "size": 8, "attack": 1}
        )
    goals = [{"kind": "hold", "hexes": label, "weight": rng.randint(1, 2)} for label in rng.sample(labels, 2)]
    goals += [
        {"kind": "eliminate", "units": [f"e{number}"], "weight": rng.randint(5, 9)} for number in range(len(enemies))
    ]
    return {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": hexes, "hexsides": {"secondary_road": [chain] if adjacent(*chain.split()) else []}},
        "unit": units,
        "tier": [{"terms": goals}, {"terms": [{"kind": "mp_spent"}, {"kind": "units_moved"}]}],
    }


def adjacent(one: str, other: str) -> bool:
    """Tell whether two hexes are neighbours."""
    (a, b), (c, d) = (map(int, label.split(".")) for label in (one, other))
    below = b - 1 if a % 2 else b
    return (a == c and abs(b - d) == 1) or (abs(a - c) == 1 and d in (below, below + 1))


def stacks(seed: int) -> tuple[Scenario, random.Random]:
    """Return the position of a seed, with the generator that drew it."""
    rng = random.Random(f"stacks {seed}")
    return build_scenario(draw_stacks(rng), f"stacks {seed}"), rng


def random_stack_plan(scenario: Scenario, rng: random.Random) -> Plan:
    """Return a plan of moves that mostly make some sense, and often break a rule."""
    game, board = scenario.game, scenario.game.board
    own = [unit for unit in scenario.start.at if unit in game.friends]
    moves = []
    waiting = rng.sample(own, rng.randint(1, len(own)))
    while waiting:
        first = waiting.pop()
        here = scenario.start.at[first]
        mates = [unit for unit in waiting if scenario.start.at[unit] == here or rng.random() < 0.03]
        team = [first, *(unit for unit in mates if rng.random() < 0.7)]
        waiting = [unit for unit in waiting if unit not in team or rng.random() < 0.05]
        path, overruns, attempts = [here], set(), []
        for step in range(1, rng.choice((1, 2, 2, 3)) + 1):
            to = rng.choice(sorted(board.hexes) if rng.random() < 0.04 else sorted(board.neighbours[path[-1]]))
            path.append(to)
            if game.enemies_at(to) and to not in path[:-1] and rng.random() < 0.8:
                overruns.add(step)
                if rng.random() < 0.25:
                    attempts.append((step, rng.randint(2, 3)))
        last = len(path) - 1
        drops = sorted((rng.randint(1, last - 1), unit) for unit in team[1:] if last > 1 and rng.random() < 0.4)
        moves.append(Move(tuple(team), tuple(path), frozenset(overruns), (), tuple(drops), tuple(attempts)))
    rng.shuffle(moves)
    return Plan(tuple(moves))


def draw_reliance(rng: random.Random) -> dict[str, Any]:
    """Return a position in which it pays to rely on a likely result: whoever follows needs the way to be open."""
    data = draw_stacks(rng)
    data["confidence"] = rng.choice(("5/12", "1/2", "7/12", "2/3", "3/4", "11/12"))
    for unit in data["unit"]:
        unit["defense" if unit["side"] == "allied" else "attack"] = (
            1 if unit["side"] == "allied" else rng.choice((2, 4, 9))
        )
        if unit["side"] == "axis" and unit["id"] != "big":
            unit["ma"] = rng.choice((3, 4, 5))
            unit.pop("traits", None)
    walls = rng.sample(sorted(data["map"]["hexes"]), 3)
    occupied = {unit["at"] for unit in data["unit"]}
    for label in walls:
        if label not in occupied:
            data["map"]["hexes"][label]["terrain"] = "lake"
    foes = [unit["at"] for unit in data["unit"] if unit["side"] == "allied"]
    beyond = [label for label in data["map"]["hexes"] if any(adjacent(label, foe) for foe in foes)]
    data["tier"][0]["terms"].append(
        {"kind": "hold", "hexes": rng.choice([*beyond, *foes]), "weight": rng.randint(2, 9)}
    )
    return data


def reliance(seed: int) -> Scenario:
    """Return the position of a seed."""
    return build_scenario(draw_reliance(random.Random(f"reliance {seed}")), f"reliance {seed}")


def draw_escorts(rng: random.Random) -> dict[str, Any]:
    """Return a position in which trucks stop beside enemies unless infantry has got there, and stays."""
    data = draw_stacks(rng)
    enemies = [unit | {"type": "infantry"} for unit in data["unit"] if unit["side"] == "allied"]
    taken = {unit["at"] for unit in enemies}
    near = [label for label in data["map"]["hexes"] if any(adjacent(label, at) for at in taken) and label not in taken]
    two = rng.sample(near, min(2, len(near)))
    units = [
        {
            "id": f"u{number}",
            "side": "axis",
            "type": kind,
            "at": rng.choice([two[0], *two]),
            "attack": attack,
            "defense": 1,
            "ma": ma,
        }
        for number, (kind, attack, ma) in enumerate((("hq", 0, 5), ("infantry", 1, 2), ("infantry", 1, 2)))
    ]
    return data | {"unit": [*units[: rng.choice((2, 3))], *enemies]}


def escorts(seed: int) -> tuple[Scenario, random.Random]:
    """Return the position of a seed, with the generator that drew it."""
    rng = random.Random(f"escorts {seed}")
    return build_scenario(draw_escorts(rng), f"escorts {seed}"), rng


def random_escort_plan(scenario: Scenario, rng: random.Random) -> Plan:
    """Return a plan of stacks that move beside enemies as long as they can, and of friends who may leave later."""
    board, start = scenario.game.board, scenario.start
    waiting, moves = [unit for unit in start.at if unit in scenario.game.friends], []
    rng.shuffle(waiting)
    while waiting:
        here = start.at[waiting[0]]
        team = [unit for unit in waiting if unit == waiting[0] or (start.at[unit] == here and rng.random() < 0.6)]
        waiting = [unit for unit in waiting if unit not in team]
        path = [here]
        for _ in range(rng.choice((1, 2, 3))):
            ways = [
                to for to in sorted(board.neighbours[path[-1]]) if not start.units_in(to) or start.at.get("u1") == to
            ]
            near = [to for to in ways if any(map(scenario.game.enemies_at, board.neighbours[to]))]
            path.append(rng.choice(near or ways or [here]))
        if len(set(path)) > 1 and all(one != other for one, other in pairwise(path)):
            drops = [(1, unit) for unit in team[1:] if len(path) > 2 and rng.random() < 0.2]
            moves.append(Move(tuple(team), tuple(path), drops=tuple(drops)))
    return Plan(tuple(moves))


def draw_pair(rng: random.Random) -> dict[str, Any]:
    """Return a position of two unlike units in one hex, among hexes that are dear now to the one, now to the other."""
    labels = [f"{column}.{row}" for column in (10, 11, 12) for row in (10, 11, 12)]
    hexes = {
        label: {"terrain": rng.choices(("open", "hills", "marsh", "mountain"), (3, 3, 3, 1))[0]} for label in labels
    }
    pairs = [f"{one} {other}" for one in labels for other in labels if one < other and adjacent(one, other)]
    home = rng.choice(labels)
    kinds = rng.sample(("motorized", "tank", "infantry"), 2)
    units: list[dict[str, Any]] = [
        {"id": f"u{number}", "side": "axis", "type": kind, "at": home, "defense": 1, "attack": 9}
        | {"ma": rng.randint(4, 8), "size": 1}
        for number, kind in enumerate(kinds)
    ]
    for number, at in enumerate(rng.sample([label for label in labels if adjacent(home, label)], rng.randint(0, 2))):
        units.append({"id": f"e{number}", "side": "allied", "type": rng.choice(("infantry", "supply")), "at": at})
        units[-1] |= {"attack": 1, "ma": 0, "defense": 1}
    return {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": hexes, "hexsides": {"secondary_road": rng.sample(pairs, 4)}},
        "unit": units,
    }
