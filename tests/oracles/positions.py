"""Small random positions in which conditions bind.

Random positions hardly exercise the order of moves: units pass by each other. So these have a line of enemies across a
narrow map, at a choke point where nothing goes without help, and an objective behind it or in it. The same seed gives the
same position. Positions too large for brute force are drawn again.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from planner.objective.scoring import Value
from planner.scenario import Scenario, build_scenario
from planner.world.numbering import NEIGHBOUR_OFFSETS
from tests.oracles.brute_force import BruteForce, TooManyStatesError, best_value
from tests.oracles.rulebooks import newer_rules, random_rules, with_allies, with_rules

MOST_STATES = 2_000
"""Positions with more states, as far as it can be told at a glance, are drawn again."""

WEST, NORTH = 20, 30
"""The printed column and row of the first hex of the top row."""

CELLS = (".", "^", "f", "M", "~")


@dataclass
class Draw:
    """A position while it is being drawn.

    Attributes
    ----------
    rng : random.Random
        Where chance comes from.
    rows : list of list of str
        The signs of the map, from north to south; "_" is no hex.
    line : int
        The column of the enemy's line.
    """

    rng: random.Random
    rows: list[list[str]]
    line: int
    units: list[dict[str, Any]] = field(default_factory=list)
    markers: list[dict[str, Any]] = field(default_factory=list)
    traits: dict[str, list[str]] = field(default_factory=dict)
    hexsides: dict[str, list[str]] = field(default_factory=dict)
    data: dict[str, Any] = field(default_factory=dict)

    def chance(self, share: float) -> bool:
        """Tell whether something happens that happens in a share of the cases."""
        return self.rng.random() < share

    def cells(self, columns: range, signs: str = ".^fM") -> list[str]:
        """Return the labels of the hexes in some columns that have one of the signs."""
        width = len(self.rows[0])
        return [
            label(row, column)
            for row in range(len(self.rows))
            for column in columns
            if 0 <= column < width and self.rows[row][column] in signs
        ]

    def sign(self, name: str) -> str:
        """Return the sign of a hex."""
        row, column = place(name)
        return self.rows[row][column]

    def enemies(self) -> list[dict[str, Any]]:
        """Return the enemies on the ground."""
        return [unit for unit in self.units if unit["side"] == "axis" and unit["type"] != "air"]

    def own(self) -> list[dict[str, Any]]:
        """Return the own units on the ground."""
        return [unit for unit in self.units if unit["side"] == "soviet" and unit["type"] != "air"]


def label(row: int, column: int) -> str:
    """Return the label of a cell: rows are counted from the top of the map here, northward in print."""
    return f"w{NORTH - row:02}{WEST + column:02}"


def place(name: str) -> tuple[int, int]:
    """Return the cell of a label."""
    return NORTH - int(name[1:3]), int(name[3:]) - WEST


def neighbours(name: str) -> list[str]:
    """Return the labels around a hex, on the map or not; odd printed rows are shifted west."""
    row, column = int(name[1:3]), int(name[3:])
    along = 2 * column - row % 2
    return [f"w{row + up:02}{(along + half + (row + up) % 2) // 2:02}" for up, half in NEIGHBOUR_OFFSETS]


@dataclass(frozen=True, eq=False)
class Drawn:
    """A position, with what brute force says of it.

    Attributes
    ----------
    data : dict
        The scenario file, decoded.
    scenario : Scenario
        The scenario.
    """

    data: dict[str, Any]
    scenario: Scenario

    @cached_property
    def best(self) -> Value | None:
        """The optimal value of each tier; None if there is no plan."""
        return best_value(self.scenario)


@lru_cache(maxsize=64)
def drawn(seed: int, random_rulebook: bool = False) -> Drawn:
    """Return the position of a seed: the first draw that is small enough for brute force, and worth it.

    Positions in which nothing needs two moves are mostly drawn again.
    """
    rng = random.Random(f"position {seed}" + " under random rules" * random_rulebook)
    where = f"seed {seed}"
    while True:
        new = draw(rng)
        scenario = build_scenario(new.data, where)
        rules = scenario.game.rulebook.rules
        if random_rulebook:
            rules = tuple(random_rules(rules, rng))
        ahead = BruteForce(with_rules(scenario, rules), MOST_STATES // 3)
        try:
            if ahead.outlook(depth=1)[-1] > MOST_STATES:
                continue
            ends, dead, states = ahead.outlook(depth=rng.choice((2, 2, 3)))
        except TooManyStatesError:
            continue
        if states <= MOST_STATES and (ends or dead or new.chance(0.1)):
            _add_objective(new, ends, dead)
            return Drawn(new.data, with_rules(build_scenario(new.data, where), rules))


def under_newer_rules(new: Draw) -> Scenario:
    """Return a position that has been drawn under rules of kinds that the game doesn't have, a few with allies."""
    rng, scenario = new.rng, build_scenario(new.data, "newer rules")
    rules = scenario.game.rulebook.rules
    rules = tuple(newer_rules(random_rules(rules, rng) if new.chance(0.4) else rules, rng))
    able = new.chance(0.25) and len(new.own()) > 1
    scenario = with_rules(scenario, rules)
    return with_allies(scenario, rng) if able else scenario


def with_newer_objective(new: Draw, scenario: Scenario) -> Scenario | None:
    """Return such a position with an objective, sometimes with a distance in it; None if it is large."""
    try:
        ends, dead, states = BruteForce(scenario, 150).outlook(depth=2)
    except TooManyStatesError:
        return None
    if states > 500:
        return None
    _add_objective(new, ends, dead)
    if new.chance(0.3):
        cells = new.cells(range(len(new.rows[0])))
        new.data["tier"][0]["terms"].append({"kind": "distance", "to": new.rng.sample(cells, min(2, len(cells)))})
    return replace(build_scenario(new.data, "newer rules"), game=scenario.game)


def draw(rng: random.Random) -> Draw:
    """Draw a position of any size, without an objective."""
    new = rng.choices((_corridor, _gate, _field), (45, 35, 20))[0](rng)
    _place_enemies(new)
    _place_own(new)
    _lay_hexsides(new)
    _add_weather_and_traits(new)
    _add_supply(new)
    new.data |= {
        "format": "planner/scenario-1",
        "model": "dai_senso",
        "title": "Random position",
        "phase": rng.choices(("operational_movement", "exploitation", "reserve_movement"), (93, 3, 4))[0],
        "phasing": "soviet",
        "map": {
            "origin": label(0, 0),
            "rows": [" ".join(row) for row in new.rows],
            "hexes": {name: {"traits": traits} for name, traits in new.traits.items()},
            "hexsides": new.hexsides,
        },
        "unit": new.units,
        "marker": new.markers,
    }
    return new


# -- maps


def _corridor(rng: random.Random) -> Draw:
    """A pass one or two hexes wide, with forts on its flanks."""
    width, lanes = rng.randint(6, 8), rng.choice((1, 1, 2))
    top, bottom = (["_"] * width for _ in range(2))
    line = width // 2
    for row in (top, bottom):
        for column in rng.sample(range(line - 1, min(line + 3, width)), rng.choice((1, 1, 2))):
            row[column] = rng.choice("^^~")
    middle = [rng.choices("..^", k=width) if rng.random() < 0.4 else ["."] * width for _ in range(lanes)]
    return Draw(rng, [top, *middle, bottom], line)


def _gate(rng: random.Random) -> Draw:
    """A field cut in two by a column of terrain that nobody enters, but for a gate or two."""
    width, height = rng.randint(5, 6), rng.randint(3, 4)
    rows = [rng.choices(".^f", (85, 10, 5), k=width) for _ in range(height)]
    line = width // 2
    gates = rng.sample(range(height), rng.choice((1, 1, 2)))
    for index, row in enumerate(rows):
        row[line] = rng.choice("..^") if index in gates else rng.choice("~~_")
    return Draw(rng, rows, line)


def _field(rng: random.Random) -> Draw:
    """An open field."""
    width, height = rng.randint(4, 6), rng.randint(2, 4)
    rows = [rng.choices(CELLS, (70, 14, 6, 4, 6), k=width) for _ in range(height)]
    rows[0][0], rows[0][-1], rows[0][width // 2] = ".", ".", "."
    return Draw(rng, rows, width // 2)


# -- units


def _unit(ident: str, side: str, kind: str, values: str, at: str, steps: int = 1, **more: Any) -> dict[str, Any]:
    return {"id": ident, "side": side, "type": kind, "values": values, "steps": steps, "at": at} | more


def _place_enemies(new: Draw) -> None:
    """Put forts and weak pickets on and behind the line, sometimes an HQ or an air unit."""
    rng = new.rng
    flanks = [
        name for name in new.cells(range(new.line - 1, new.line + 3), "^") if place(name)[0] in (0, len(new.rows) - 1)
    ]
    spots = new.cells(range(new.line, new.line + 2))
    rng.shuffle(spots)
    rng.shuffle(flanks)
    count = rng.choice((1, 2, 2, 3, 3, 4))
    hexes = list(dict.fromkeys([*flanks[: rng.choice((0, 1, 2))], *spots]))[:count]
    for index, at in enumerate(hexes):
        weak = new.chance(0.65)
        kind = rng.choice(("infantry", "infantry", "tank", "static"))
        trait = {"traits": ["delay_stripe"]} if new.chance(0.1) else {}
        new.units.append(
            _unit(
                f"e{index}",
                "axis",
                kind,
                "1-1-1" if weak else "4-5-1",
                at,
                1 if weak else 2,
                nationality="japan",
                **trait,
            )
        )
        if new.chance(0.06):
            new.units.append(_unit(f"f{index}", "axis", rng.choice(("infantry", "fortress")), "1-2-0", at))
    behind = new.cells(range(new.line + 1, len(new.rows[0])))
    if behind and new.chance(0.15):
        supplied = {"supplied": rng.choice((True, False))} if new.chance(0.6) else {}
        reach = {"support_range": rng.choice((1, 2))} if new.chance(0.5) else {}
        new.units.append(_unit("staff", "axis", "hq", "0-1-2", rng.choice(behind), **supplied, **reach))
    if behind and new.chance(0.08):
        new.units.append(_unit("wing", "axis", "air", "1-1-0", rng.choice(behind), support_range=rng.choice((0, 1))))


def _place_own(new: Draw) -> None:
    """Put two to five units before the line, close to it."""
    rng = new.rng
    taken = {unit["at"] for unit in new.units}
    near = [name for name in new.cells(range(new.line - 2, new.line)) if name not in taken]
    far = [name for name in new.cells(range(new.line)) if name not in taken]
    count = rng.choices((2, 3, 4, 5), (22, 40, 28, 10))[0]
    for index in range(count):
        at = rng.choice(near if near and new.chance(0.75) else far or near or ["w0000"])
        kind, values, steps = rng.choice(_OWN)
        more: dict[str, Any] = {"nationality": "russia"}
        if new.chance(0.08):
            more["nationality"] = rng.choice(("mongolia", "siam"))
        if new.chance(0.03):
            more["supplied"] = False
        new.units.append(_unit(f"u{index}", "soviet", kind, values, at, steps, **more))
    if new.chance(0.05):
        new.units.append(_unit("wing1", "soviet", "air", "1-1-3", rng.choice(far or near)))
    if new.chance(0.15):
        spots = new.cells(range(new.line - 1, new.line + 2))
        for _ in range(rng.choice((1, 2))):
            kind = rng.choices(("airdrop", "detachment", "fortress", "beachhead"), (50, 20, 20, 10))[0]
            side = rng.choice(("soviet", "axis"))
            new.markers.append({"type": kind, "side": side, "at": rng.choice(spots)})


_OWN = (
    ("infantry", "3-3-1", 1),
    ("infantry", "3-3-1", 1),
    ("infantry", "4-4-1", 2),
    ("cavalry", "2-2-2", 1),
    ("tank", "5-4-2", 2),
    ("tank", "6-5-3", 2),
    ("cav_mech", "6-5-3", 3),
    ("cav_mech", "6-5-4", 2),
    ("mechanized", "2-2-4", 1),
    ("hq", "0-1-2", 1),
)


# -- what lies on the map


def _lay_hexsides(new: Draw) -> None:
    """Lay rivers, roads and the like along random chains through the map."""
    for feature, share in (("river", 0.25), ("road", 0.22), ("rail", 0.08), ("barred", 0.06), ("all_sea", 0.03)):
        if new.chance(share):
            chain = _walk(new, new.rng.randint(2, 3) if feature in ("barred", "all_sea") else new.rng.randint(3, 5))
            if len(chain) > 1:
                new.hexsides[feature] = [" ".join(chain)]


def _walk(new: Draw, length: int) -> list[str]:
    known = set(new.cells(range(len(new.rows[0])), "".join(CELLS)))
    chain = [new.rng.choice(sorted(known))]
    while len(chain) < length:
        onward = [name for name in neighbours(chain[-1]) if name in known and name not in chain]
        if not onward:
            break
        east = [name for name in onward if place(name)[1] > place(chain[-1])[1]]
        chain.append(new.rng.choice(east or onward))
    return chain


def _add_weather_and_traits(new: Draw) -> None:
    """Add mud, snow and storms in a few hexes, hexes with little room, and fortresses."""
    around = new.cells(range(new.line - 1, new.line + 2))
    if new.chance(0.2):
        weather = new.rng.choice(("mud", "snow", "storms"))
        hexes = new.rng.sample(around, min(len(around), new.rng.randint(1, 3)))
        new.data["weather"] = {weather: "everywhere" if new.chance(0.2) else " ".join(hexes)}
    for trait, share in (("limited_stacking", 0.3), ("fortress", 0.05)):
        if new.chance(share):
            for name in new.rng.sample(around, min(len(around), 2)):
                new.traits.setdefault(name, []).append(trait)


def _add_supply(new: Draw) -> None:
    """Give the own side supply sources, mostly behind its own line, sometimes beyond the enemy's."""
    if new.chance(0.22):
        width = len(new.rows[0])
        columns = range(new.line + 1, width) if new.chance(0.35) else range(max(1, new.line - 1))
        sources = new.cells(columns) or new.cells(range(width))
        new.data["supply"] = {"soviet": new.rng.choice(sources)}


# -- objectives


def _add_objective(new: Draw, ends: list[tuple[str, str]], dead: list[str]) -> None:
    """Set goals in the line and behind it, then the cost, in one to three tiers; sometimes a requirement.

    Mostly one goal of the first tier is something that needs two moves, as `ends` and `dead` say.
    """
    rng = new.rng
    tiers = [[_goal(new) for _ in range(rng.choice((1, 1, 2, 2, 3)))] for _ in range(rng.choice((1, 1, 1, 2)))]
    if new.chance(0.8):
        tiers[0].append(_joint_goal(new, ends, dead))
    costs = [
        [{"kind": "units_moved", "weight": rng.choice((1, 10))}, _mp(new)],
        [_mp(new)],
        [{"kind": "exposure"}, _mp(new)],
        [{"kind": "exposure", "weight": 3}, {"kind": "units_moved"}],
    ]
    if new.chance(0.12):
        tiers[0].append(_mp(new))
        tiers[0][0]["weight"] = rng.choice((3, 8))
    else:
        tiers.append(rng.choice(costs))
    new.data["tier"] = [{"terms": terms} for terms in tiers]
    if new.chance(0.12):
        new.data["require"] = [_goal(new)]


def _mp(new: Draw) -> dict[str, Any]:
    if new.chance(0.15):
        weight = new.rng.choice((1, 2))
        if any(unit["steps"] > 1 for unit in new.units if unit["side"] == "soviet"):
            return {"kind": "mp_spent", "of": {"steps_min": 2}, "weight": weight}
    return {"kind": "mp_spent"}


def _joint_goal(new: Draw, ends: list[tuple[str, str]], dead: list[str]) -> dict[str, Any]:
    """Return a goal that no single move reaches, if there is one."""
    if dead and new.chance(0.5):
        return {"kind": "eliminate", "units": [new.rng.choice(dead)], "weight": 3}
    if ends:
        unit, at = new.rng.choice(ends)
        alone = {"kind": "end", "unit": unit, "at": at, "weight": 3}
        return alone if new.chance(0.5) else {"kind": "hold", "hexes": at, "weight": 3}
    return _goal(new)


def _goal(new: Draw) -> dict[str, Any]:
    rng = new.rng
    behind = new.cells(range(new.line, len(new.rows[0])))
    far = new.cells(range(new.line + 1, len(new.rows[0]))) or behind
    enemies = [unit["id"] for unit in new.enemies()]
    kind = rng.choices(("eliminate", "hold", "end", "odds", "surround", "stay"), (34, 30, 15, 9, 9, 3))[0]
    if kind == "eliminate" and enemies:
        return {"kind": "eliminate", "units": rng.sample(enemies, rng.randint(1, len(enemies)))}
    if kind == "odds" and enemies:
        return {"kind": "odds", "target": rng.choice(enemies), "odds": rng.choice(("1:1", "2:1", "3:1", "3:2"))}
    if kind == "surround" and enemies:
        return {"kind": "surround", "target": rng.choice(enemies)}
    if kind == "stay":
        return {"kind": "stay", "units": [rng.choice(new.own())["id"]]}
    if kind == "end" and new.own():
        return {"kind": "end", "unit": rng.choice(new.own())["id"], "at": " ".join(rng.sample(far, min(2, len(far))))}
    return {
        "kind": "hold",
        "hexes": " ".join(rng.sample(far, rng.randint(1, min(2, len(far))))),
        "weight": rng.randint(1, 3),
    }
