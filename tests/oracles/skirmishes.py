"""Small random positions in which entering an enemy's hex is a combat, and every plan for them."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from planner.objective.scoring import Value, score, tier_values
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict
from planner.rules.game import Game
from planner.scenario import Scenario, build_scenario
from planner.world.position import Position
from tests.oracles.brute_force import TooManyStatesError


def draw_skirmish(rng: random.Random) -> dict[str, Any]:
    """Return a position: the same generator, in the same state, gives the same one."""
    labels = [f"{column:02}{row:02}" for column in (4, 5, 6) for row in (4, 5, 6)]
    hexes = {
        label: {"terrain": rng.choices(("clear", "forest", "city", "lake", "hills"), (8, 2, 1, 2, 1))[0]}
        for label in labels
    }
    dry = [label for label in labels if hexes[label]["terrain"] != "lake"]
    places = rng.sample(dry, min(len(dry), rng.choice((2, 3, 3))))
    units: list[dict[str, Any]] = []
    for number in range(rng.choice((1, 2, 2))):
        at = rng.choice(places[: max(1, len(places) - 1)])
        units.append({"id": f"u{number}", "side": "blue", "type": "infantry", "at": at})
        units[-1]["values"] = f"{rng.choice((2, 3, 4, 6, 8))}-{rng.choice((1, 2, 2))}"
        if rng.random() < 0.15:
            units[-1]["traits"] = "demoralized"
    taken = {unit["at"] for unit in units}
    free = [label for label in dry if label not in taken]
    for number, at in enumerate(rng.choices(free, k=rng.choice((1, 1, 2))) if free else ()):
        units.append({"id": f"e{number}", "side": "red", "type": "infantry", "at": at})
        units[-1]["values"] = f"{rng.choice((2, 3, 4))}-2"
        if rng.random() < 0.2:
            units[-1]["traits"] = "demoralized"
    enemies = [unit["id"] for unit in units if unit["side"] == "red"]
    goals: list[dict[str, Any]] = [{"kind": "hold", "hexes": rng.choice(dry), "weight": rng.randint(1, 3)}]
    goals += [{"kind": "eliminate", "units": [enemy], "weight": rng.randint(1, 4)} for enemy in enemies]
    goals += [
        {"kind": "hold", "hexes": unit["at"], "weight": rng.randint(1, 3)} for unit in units if unit["side"] == "red"
    ]
    river = " ".join(rng.sample(labels, 2))
    return {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": hexes, "hexsides": {"river": [river] if _adjacent(river) else []}},
        "unit": units,
        "tier": [{"terms": goals}, {"terms": [{"kind": "units_moved"}]}],
    }


def draw_packed(rng: random.Random) -> dict[str, Any]:
    """Return a position in which enemies stand side by side, so that they give way onto each other."""
    labels = [f"{column:02}{row:02}" for column in (4, 5, 6) for row in (4, 5, 6, 7)]
    hexes = {
        label: {"terrain": rng.choices(("clear", "forest", "city", "lake", "hills"), (12, 2, 1, 1, 1))[0]}
        for label in labels
    }
    dry = [label for label in labels if hexes[label]["terrain"] != "lake"]
    held = [rng.choice(dry)]
    for _ in range(rng.choice((1, 2, 2))):
        held.append(rng.choice([one for one in dry if any(one == at or _adjacent(f"{one} {at}") for at in held)]))
    units: list[dict[str, Any]] = [
        {"id": f"e{number}", "side": "red", "at": at, "values": f"{rng.choice((1, 2, 2, 3, 4))}-2"}
        for number, at in enumerate(held)
    ]
    beside = [one for one in dry if one not in held and any(_adjacent(f"{one} {at}") for at in held)]
    for number in range(rng.choice((1, 2, 2, 3)) if beside else 0):
        values = f"{rng.choice((1, 2, 4, 6, 8))}-{rng.choice((0, 1, 1, 2))}"
        units.append({"id": f"u{number}", "side": "blue", "at": rng.choice(beside), "values": values})
    for unit in units:
        unit |= {"type": "infantry", **({"traits": "demoralized"} if rng.random() < 0.15 else {})}
    goals: list[dict[str, Any]] = [{"kind": "eliminate", "units": ["e0"]}]
    for number, at in enumerate(held):
        if rng.random() < 0.6:
            goals.append({"kind": "eliminate", "units": [f"e{number}"], "weight": rng.randint(1, 4)})
        if rng.random() < 0.5:
            goals.append({"kind": "hold", "hexes": at, "weight": rng.randint(1, 3)})
    return {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": hexes},
        "unit": units,
        "tier": [{"terms": goals}],
    }


def draw_three_sides(rng: random.Random) -> dict[str, Any]:
    """Return such a position in which some of the enemies are a third side's: mostly enemies of the others, too."""
    data = draw_packed(rng)
    enemies = [unit for unit in data["unit"] if unit["side"] == "red"]
    green = set(rng.sample(places := list(dict.fromkeys(unit["at"] for unit in enemies)), k=(len(places) + 1) // 2))
    for unit in enemies:
        unit["side"] = "green" if unit["at"] in green else "red"
    alliances = [["red", "green"]] if rng.random() < 0.1 else []
    return {**data, "charts": {"sides": {"green": "Green"}, "alliances": alliances}}


def _adjacent(pair: str) -> bool:
    (a, b), (c, d) = ((int(label[:2]), int(label[2:])) for label in pair.split())
    below = b - 1 if a % 2 else b
    return (a == c and abs(b - d) == 1) or (abs(a - c) == 1 and d in (below, below + 1))


def skirmish(seed: int) -> tuple[Scenario, random.Random]:
    """Return the position of a seed, with the generator that drew it."""
    rng = random.Random(f"skirmish {seed}")
    return build_scenario(draw_skirmish(rng), f"skirmish {seed}"), rng


def sorties(
    scenario: Scenario, cap: int, fixed: Plan | None = None, partly: bool = False
) -> Iterator[tuple[Plan, Verdict]]:
    """Yield every legal plan that begins so, moves interleaved step by step, but for such as have led to the same before.

    It gives up as soon as there must be too many; with `partly`, those are of use, too, that come before there are.

    Raises
    ------
    TooManyStatesError
        If there are more plans than the cap.
    """
    referee, game = Referee(scenario.game), scenario.game
    queue: deque[tuple[Move, ...]] = deque([() if fixed is None else fixed.moves])
    counted = 1 + max(rule.counts_hexes for rule in game.rulebook.rules)

    def under_way(position: Position) -> list[object]:
        """Return how far units have got; how many steps they have made only as far as a rule counts them."""
        return [(u, replace(p, steps=min(p.steps, counted))) for u, p in sorted(position.under_way.items())]

    tried, seen = 0, set()
    while queue:
        moves = queue.pop() if partly else queue.popleft()  # with the shortest first it shows soon how many there are
        tried += 1
        if tried + (0 if partly else len(queue)) > cap:
            raise TooManyStatesError
        verdict = referee.play(Plan(moves), scenario.start)
        if not verdict.legal:
            continue
        if moves and any(verdict.position.at.get(unit) != moves[-1].path[-1] for unit in moves[-1].units):
            # Who has attacked from where it stands may pass through if fewer rules are in force: that is no second move.
            *before, last = moves
            beyond = (to for to in game.board.neighbours[last.path[-1]] if to not in last.path)
            queue += [(*before, Move(last.units, (*last.path, to))) for to in beyond]
        outcomes = [(one.probability, one.position) for one in verdict.outcomes] or [(1, verdict.position)]
        # Plans that have led to the same positions, for the same MP, are alike from here on.
        state = tuple(
            sorted(
                repr((
                    sorted(p.at.items()), sorted(p.demoralized), under_way(p), chance,
                    (sorted(p.taken), sorted(p.given)) if game.situation.contested else (), p.legs, sorted(p.in_hand),
                ))
                for chance, p in outcomes
            )
        )  # fmt: skip
        if state in seen:
            continue
        seen.add(state)
        yield Plan(moves), verdict
        at: dict[str, list[str]] = {}
        for unit in game.order:
            if unit in game.friends and unit in verdict.position.at:
                at.setdefault(verdict.position.at[unit], []).append(unit)
        for label, units in at.items():
            teams = [(unit,) for unit in units] + ([tuple(units)] if len(units) > 1 else [])
            paths = (
                _walks(game, label) if game.rulebook.halting else [(label, to) for to in game.board.neighbours[label]]
            )
            queue += [(*moves, Move(team, path)) for team in teams for path in paths]
            queue += [(*moves, move) for team in teams for move in _passages(game, Move(team, (label,)))]


def _walks(game: Game, label: str) -> list[tuple[str, ...]]:
    """Return the ways from a hex that may be one move: units may pass where they mustn't end one; they have 2 MP at most."""
    once = [(label, to) for to in game.board.neighbours[label]]
    return [*once, *((*path, to) for path in once for to in game.board.neighbours[path[-1]] if to != label)]


def _passages(game: Game, move: Move, legs: int = 2) -> Iterator[Move]:
    """Yield the moves aboard carriers with which a move may go on, of so many legs at most."""
    board = game.board
    for to in {to for zone in board.zones_of(move.end) for to in board.zones[zone]}.difference(move.path):
        longer = replace(move, path=(*move.path, to), carried=(*move.carried, (len(move.path), "")))
        yield longer
        if legs > 1:
            yield from _passages(game, longer, legs - 1)


def best_plan(scenario: Scenario, cap: int = 3_000, fixed: Plan | None = None) -> tuple[Value, Plan]:
    """Return the best of all plans that begin so and fulfil every requirement, on the referee alone.

    Raises
    ------
    TooManyStatesError
        If there are more plans than the cap.
    """
    found: tuple[Value, Plan] | None = None
    for plan, verdict in sorties(scenario, cap, fixed):
        value = tier_values(scenario.tiers, score(scenario.game, scenario.tiers, verdict))
        fulfilled = all(
            goal.holds(scenario.game, position, tally)
            for goal in scenario.requirements
            for position, tally in verdict.all_outcomes()
        )
        if fulfilled and (found is None or value > found[0]):
            found = value, plan
    assert found is not None
    return found


def random_sortie(scenario: Scenario, rng: random.Random) -> Plan:
    """Return a plan of moves that mostly make some sense, and often break a rule."""
    game, board = scenario.game, scenario.game.board
    at = {unit: label for unit, label in scenario.start.at.items() if unit in game.friends}
    moves = []
    for _ in range(rng.randint(1, 4)):
        label = rng.choice(sorted(set(at.values())))
        team = [unit for unit in at if at[unit] == label and rng.random() < 0.8] or [
            next(u for u in at if at[u] == label)
        ]
        path = [label]
        for _ in range(rng.choice((1, 1, 2, 3))):
            path.append(rng.choice(sorted(board.hexes if rng.random() < 0.04 else board.neighbours[path[-1]])))
            if game.enemies_at(path[-1]) and rng.random() < 0.9:
                break
        damage = (rng.randint(0, 2), rng.randint(0, 2)) if rng.random() < 0.15 else None
        moves.append(Move(tuple(team), tuple(path), damage=damage))
        for unit in team:
            at[unit] = path[-1]
    return Plan(tuple(moves))
