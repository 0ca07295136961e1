"""Made-up games: small random positions under rules that each say something that no shipped game does.

A board of nine hexes with a few that can't be entered, three own units that get in each other's way, goals that most of them
reach only in each other's hexes. What the rules are about is up to a topic: it adds rules, prices and what lies on the map.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from planner.rules.rulebook_file import load_rulebook
from planner.scenario import Scenario, build_scenario
from tests.plain_game import write_model

BAR = """
[[rule]]
id = "enemies"
kind = "entry_restriction"
paragraph = "enemies"
enemy_units = {}
"""

OVERRUN = """unless_overrun = true
[[rule]]
id = "overrun"
kind = "overrun"
paragraph = "overrun"
by = {}
defenders = {}
target = {}
eliminated_to = [{ box = "dead" }]
"""

ZOC = """
[[rule]]
id = "zoc"
kind = "zone_of_control"
paragraph = "zoc"
exerted_by = {}
effects = [{ paragraph = "zoc", on = "enter", does = "stop" }]
"""

CARRIERS = """
[[carriers]]
markers = { types = "ship" }
carries = {}
"""

FORCES = """
sides = { north = "North", south = "South", east = "East" }
alliances = [["south", "east"]]
phases = { day = { name = "Day" } }
counter = ["strength", "ma"]
unit_types.foot = {}
unit_types.guard = { traits = ["heavy"] }
unit_types.scout = { traits = ["light"] }
nationalities = { red = {}, blue = {} }
hex_traits = { port = "Port", farm = "Farm" }
unit_traits = { tired = "Tired", bogged = "Bogged" }
marker_types = { boat = {}, ship = {} }
"""

TERRAIN = """
terrain.plain = { symbol = ".", mp = 1 }
terrain.hill = { symbol = "h", mp = 2 }
terrain.lake = { symbol = "~", prohibited = true }
"""

CELLS = tuple(f"{column:02}.{row:02}" for column in (1, 2, 3) for row in (1, 2, 3))


def neighbours(label: str) -> list[str]:
    """Return the neighbours of a hex on the board: even columns lie half a hex lower."""
    column, row = map(int, label.split("."))
    low = row if column % 2 == 0 else row - 1
    near = [(column, row - 1), (column, row + 1), *((c, r) for c in (column - 1, column + 1) for r in (low, low + 1))]
    return [name for c, r in near if (name := f"{c:02}.{r:02}") in CELLS]


@dataclass
class Drawn:
    """What a topic adds to."""

    rng: random.Random
    rules: list[str] = field(default_factory=list)
    chart: list[str] = field(default_factory=list)
    hexsides: dict[str, list[str]] = field(default_factory=dict)
    traits: dict[str, str] = field(default_factory=dict)
    zones: dict[str, str] = field(default_factory=dict)
    units: list[dict[str, Any]] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)
    tiers: list[dict[str, Any]] = field(default_factory=list)

    def chance(self, share: float) -> bool:
        """Tell whether something comes about that does so in a share of the cases."""
        return self.rng.random() < share


Topic = Callable[[Drawn], None]


_FOLDERS: list[tempfile.TemporaryDirectory[str]] = []


@cache
def model(rules: str, chart: str) -> Path:
    """Write a model, once."""
    _FOLDERS.append(tempfile.TemporaryDirectory(prefix="made_up_"))  # gone when the tests are
    folder = Path(_FOLDERS[-1].name)
    write_model(folder, rules, FORCES, TERRAIN + chart)
    (folder / "carriers.toml").write_text(CARRIERS)
    load_rulebook(folder)
    return folder


def drawn(topic: Topic, rng: random.Random) -> Scenario:
    """Return a position of a topic: the same generator, in the same state, gives the same one."""
    new = Drawn(rng, [BAR])
    terrain = dict(zip(CELLS, rng.choices(("plain", "hill", "lake"), (6, 2, 2), k=len(CELLS)), strict=True))
    dry = [label for label in CELLS if terrain[label] != "lake"]
    while len(dry) < 4:
        dry.append(extra := rng.choice([label for label in CELLS if label not in dry]))
        terrain[extra] = "plain"
    for number in range(3):
        at, kind = rng.choice(dry), rng.choice(("foot", "foot", "guard", "scout"))
        values = f"{rng.choice((1, 2, 2))}-{rng.choice((1, 2, 2))}"
        new.units.append({"id": f"u{number}", "side": "south", "type": kind, "at": at, "values": values})
        if new.chance(0.3):
            new.units[-1]["nationality"] = rng.choice(("red", "blue"))
    free = [label for label in dry if label not in {unit["at"] for unit in new.units}]
    if free and new.chance(0.5):
        new.units.append({"id": "e0", "side": "north", "type": "foot", "at": rng.choice(free), "values": "1-0"})
        new.rules += [rule for rule in (OVERRUN, ZOC) if new.chance(0.5)]
    homes = [unit["at"] for unit in new.units]
    goals: list[dict[str, Any]] = [
        {"kind": "end", "unit": f"u{number}", "at": rng.choice((*homes, rng.choice(dry))), "weight": rng.randint(1, 4)}
        for number in range(3)
    ]
    if len(new.units) > 3 and new.chance(0.5):
        goals.append({"kind": "eliminate", "units": "e0", "weight": 2})
    new.tiers = [{"terms": goals}, {"terms": [{"kind": "mp_spent"}]}]
    topic(new)
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": str(model("\n".join(new.rules), "\n".join(new.chart))),
            "phase": "day",
            "phasing": "south",
            "map": {
                "hexes": {
                    label: {"terrain": name} | ({"traits": new.traits[label]} if label in new.traits else {})
                    for label, name in terrain.items()
                },
                "hexsides": new.hexsides,
                "zones": new.zones,
            },
            "unit": new.units,
            "tier": new.tiers,
            **new.more,
        },
        "made up",
    )


# -- topics


def limits(new: Drawn) -> None:
    """Draw stacking limits and vacancies that hold at any of three moments."""
    rng = new.rng
    if new.chance(0.7):
        limit = rng.choice(("units = 1", "units = 2", "units = 1", "strength = 3"))
        apart = rng.choice(("", "", "apart = {}\n"))
        when = rng.choice(("phase", "move", "move", "always"))
        new.rules.append(
            '[[rule]]\nid = "stacking"\nkind = "stacking"\nparagraph = "stacking"\n'
            f'limits = [{{ {limit} }}]\n{apart}when = "{when}"\n'
        )
    if new.chance(0.6):
        who, of = (rng.choice(("", "", 'types = "foot"', 'traits = "light"')) for _ in range(2))
        when = rng.choice(("phase", "move", "move"))
        new.rules.append(
            '[[rule]]\nid = "vacancy"\nkind = "vacancy"\nparagraph = "vacancy"\n'
            f'who = {{ {who} }}\nof = {{ {of} }}\nwhen = "{when}"\n'
        )


def tallies(new: Drawn) -> None:
    """Draw a road and a river, further MP along the road, steps of a kind that are limited, a first hex in any case."""
    rng = new.rng
    sides = sorted({tuple(sorted((one, other))) for one in CELLS for other in neighbours(one)})
    for feature, number in (("road", rng.randint(2, 5)), ("river", rng.randint(1, 3))):
        new.hexsides[feature] = [" ".join(side) for side in rng.sample(sides, number)]
    river, road = rng.choice((0, 1)), rng.choice(("1/2", "1", "0"))
    new.chart += [
        f"hexsides.river = {{ mp = {river} }}",
        f'[[routes]]\nfeature = "road"\nprices = [{{ mp = "{road}" }}]',
    ]
    who, whole, mp = rng.choice(("", 'types = "foot"')), rng.choice(("false", "true")), rng.choice(("1/2", "1", "2"))
    if new.chance(0.8):
        new.rules.append(
            '[[rule]]\nid = "road_bonus"\nkind = "further_allowance"\nparagraph = "bonus"\n'
            f'allowances = [{{ units = {{ {who} }}, mp = "{mp}", along = "road", whole = {whole} }}]\n'
        )
    kind = rng.choice(
        ('across = { features = "river" }', 'into = { terrain = "hill" }', "overruns = true", "across = {}")
    )
    who, most = rng.choice(("", "", 'without = "light"')), rng.choice((0, 1, 1, 2))
    if new.chance(0.6):
        new.rules.append(
            '[[rule]]\nid = "once"\nkind = "step_limit"\nparagraph = "once"\n'
            f"who = {{ {who} }}\n{kind}\nmost = {most}\n"
        )
    if new.chance(0.3):
        new.rules.append('[[rule]]\nid = "first"\nkind = "minimum_move"\nparagraph = "first"\n')
    if new.chance(0.3):
        limits(new)
    if any(rule.startswith('[[rule]]\nid = "once"') for rule in new.rules) and new.chance(0.4):
        new.rules = [
            f'{rule}per = "turn"\n' if rule.startswith('[[rule]]\nid = "once"') else rule for rule in new.rules
        ]
        for unit in new.units:
            if new.chance(0.5):
                unit["steps_made"] = {"once": rng.choice((1, 1, 2))}


def company(new: Drawn) -> None:
    """Draw units that don't stay alone; column shifts for overruns across rivers; friends whom one way alone keeps out."""
    rng = new.rng
    who, friends, within = rng.choice(("", "foot", "guard")), rng.choice(("", "foot", "scout")), rng.choice((0, 0, 1))
    who, friends = (f'types = "{name}"' if name else "" for name in (who, friends))
    new.rules.append(
        '[[rule]]\nid = "company"\nkind = "company"\nparagraph = "company"\n'
        f"who = {{ {who} }}\nfriends = {{ {friends} }}\nwithin = {within}\n"
    )
    sides = sorted({tuple(sorted((one, other))) for one in CELLS for other in neighbours(one)})
    new.hexsides["river"] = [" ".join(side) for side in rng.sample(sides, rng.randint(1, 6))]
    new.chart.append("hexsides.river = { mp = 0 }")
    if OVERRUN in new.rules:
        new.rules[new.rules.index(OVERRUN)] = (
            OVERRUN + 'shifts = [{ name = "river", hexsides = { features = "river" } }]\n'
        )
    if new.chance(0.3):
        limits(new)


def helpers(new: Drawn) -> None:
    """Draw rivers across which friends help: at any price, across what is prohibited, if they stay where they are."""
    rng = new.rng
    sides = sorted({tuple(sorted((one, other))) for one in CELLS for other in neighbours(one)})
    group = rng.choice(("", 'one_of = "water", '))
    for feature in ("river", "canal")[: rng.choice((1, 1, 2))]:
        new.hexsides[feature] = [" ".join(side) for side in rng.sample(sides, rng.randint(8, len(sides)))]
        barred = rng.choice(
            ("", "", "prohibited = true, ", 'prices = [{ units = { types = "foot" }, prohibited = true }], ')
        )
        barred = rng.choice((barred, barred, 'prices = [{ units = { traits = "light" }, all = true }], '))
        entries = []
        for _ in range(rng.choice((1, 1, 2))):
            by, units = (rng.choice(("", 'types = "foot"', 'traits = "heavy"')) for _ in range(2))
            lifts = "true" if "prohibited" in barred and (new.chance(0.7) or units or "= true, " in barred) else "false"
            unmoved, stays = ("true" if new.chance(0.5) else "false" for _ in range(2))
            entries.append(
                f'{{ by = {{ {by} }}, units = {{ {units} }}, mp = "{rng.choice(("0", "0", "1/2", "1", "3"))}", '
                f"lifts = {lifts}, unmoved = {unmoved}, stays = {stays} }}"
            )
        new.chart.append(
            f"hexsides.{feature} = {{ {group}{barred}mp = {rng.choice((1, 2, 2))}, assisted = [{', '.join(entries)}] }}"
        )
    if new.chance(0.3):
        limits(new)


def routes(new: Drawn) -> None:
    """Draw roads and tracks to which some units keep, at the price of the ground or at one of the route's own."""
    rng = new.rng
    sides = sorted({tuple(sorted((one, other))) for one in CELLS for other in neighbours(one)})
    for feature in ("road", "track"):
        new.hexsides[feature] = [" ".join(side) for side in rng.sample(sides, rng.randint(3, 7))]
    new.chart.append("hexsides.track = { mp = 0 }")
    new.chart.append(
        rng.choice(("hexsides.road = { mp = 0 }", '[[routes]]\nfeature = "road"\nprices = [{ mp = "1/2" }]'))
    )
    who, along = rng.choice(("", 'types = "foot"', 'without = "light"')), rng.choice(('"road"', '["road", "track"]'))
    new.rules.append(
        f'[[rule]]\nid = "bound"\nkind = "route_bound"\nparagraph = "bound"\nwho = {{ {who} }}\nalong = {along}\n'
    )
    if new.chance(0.3):
        limits(new)


def spending(new: Drawn) -> None:
    """Draw hexes that may be entered while any MP are left, and steps that take all of them; limits to steps of a kind."""
    rng = new.rng
    sides = sorted({tuple(sorted((one, other))) for one in CELLS for other in neighbours(one)})
    new.hexsides["river"] = [" ".join(side) for side in rng.sample(sides, rng.randint(2, 8))]
    new.hexsides["road"] = [" ".join(side) for side in rng.sample(sides, rng.randint(2, 6))]
    new.chart += [
        f"hexsides.river = {{ mp = {rng.choice((0, 1, 2))} }}",
        f'[[routes]]\nfeature = "road"\nprices = [{{ mp = "{rng.choice(("1/2", "1"))}" }}]',
    ]
    who, overruns = rng.choice(("", 'types = "foot"', 'without = "light"')), rng.choice(("true", "false"))
    if new.chance(0.7):
        new.rules.append(
            '[[rule]]\nid = "overdraft"\nkind = "minimum_move"\nparagraph = "overdraft"\n'
            f"who = {{ {who} }}\noverruns = {overruns}\nanywhere = true\n"
        )
    steps = rng.choice(('across = { features = "river" }', 'into = { terrain = "hill" }', ""))
    who = rng.choice(("", 'types = "foot"', 'without = "light"'))
    if new.chance(0.7):
        new.rules.append(
            f'[[rule]]\nid = "exhaustion"\nkind = "exhaustion"\nparagraph = "exhaustion"\nwho = {{ {who} }}\n{steps}\n'
        )
    if new.chance(0.2):
        new.rules.append(
            '[[rule]]\nid = "once"\nkind = "step_limit"\nparagraph = "once"\ninto = { terrain = "hill" }\n'
        )
    if new.chance(0.2):
        limits(new)


TOPICS: dict[str, Topic] = {
    "limits": limits,
    "tallies": tallies,
    "company": company,
    "helpers": helpers,
    "routes": routes,
    "spending": spending,
}
RULES = {
    "limits": ("stacking", "vacancy"),
    "tallies": ("once",),
    "company": ("company",),
    "routes": ("bound",),
    "spending": ("overdraft", "exhaustion"),
}
"""The rules that each topic is about."""
