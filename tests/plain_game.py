"""A game made up of data alone in which units move from hex to hex, and nothing else: tests add what they are about.

Columns of hexes, 03.01 to 03.06 from north to south, the even ones half a hex lower.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import planner
from planner.scenario import Scenario, build_scenario

RULEBOOK = """
format = "planner/rulebook-1"
title = "Any Game"
[numbering]
pattern = "{column:02}.{row:02}"
straight = "columns"
rows_count = "south"
shifted = "even"
shift = "south"
[[rule]]
id = "who"
kind = "eligibility"
paragraph = "who"
[[rule]]
id = "turns"
kind = "sequence"
paragraph = "turns"
[[rule]]
id = "steps"
kind = "hex_to_hex"
paragraph = "steps"
[[rule]]
id = "costs"
kind = "movement_points"
paragraph = "costs"
"""
FORCES = """
sides = { north = "North", south = "South" }
phases = { day = { name = "Day" } }
counter = ["strength", "ma"]
unit_types.foot = {}
unit_types.guard = {}
unit_types.scout = { traits = ["light"] }
unit_types.train = { traits = ["light"], size = "1/2" }
nationalities = { red = {}, blue = {} }
weather = { mud = "Mud" }
hex_traits = { port = "Port" }
marker_types = { boat = {} }
"""
TERRAIN = """
terrain.plain = { symbol = ".", mp = 1 }
terrain.hill = { symbol = "h", mp = 3 }
terrain.town = { symbol = "t", mp = 1 }
"""
ZOC = """
[[rule]]
id = "zoc"
kind = "zone_of_control"
paragraph = "zoc"
exerted_by = { types = "guard" }
"""
LIMIT = '[[rule]]\nid = "stacking"\nkind = "stacking"\nparagraph = "stacking"\n'
ROAD = '[[routes]]\nfeature = "road"\nprices = [{ mp = 1 }]\n'
BONUS = '[[rule]]\nid = "bonus"\nkind = "further_allowance"\nparagraph = "bonus"\n'
BONUS += 'allowances = [{{ mp = 2, along = "road", whole = {} }}]\n'

OVERRUN = '[[rule]]\nid = "overrun"\nkind = "overrun"\nparagraph = "overrun"\nby = {}\ndefenders = {}\ntarget = {}\n'
OVERRUN += 'eliminated_to = [{ box = "dead" }]\n'
SHUT = (
    '[[rule]]\nid = "shut"\nkind = "entry_restriction"\nparagraph = "shut"\nenemy_units = {}\nunless_overrun = true\n'
)
JOINT = '[[rule]]\nid = "overrun"\nkind = "joint_overrun"\nparagraph = "overrun"\n'
JOINT += 'results = [{ odds = "1:1", chance = "1/2" }]\neliminated_to = [{ box = "dead" }]\n'
ANYWHERE = '[[rule]]\nid = "overdraft"\nkind = "minimum_move"\nparagraph = "overdraft"\nanywhere = true\n'
BOGGING = '[[rule]]\nid = "bog"\nkind = "bogging"\nparagraph = "bog"\nwho = {}\nbad_side = "1/6"\nmove = [{}]\n'
EXHAUSTION = '[[rule]]\nid = "ford"\nkind = "exhaustion"\nparagraph = "ford"\nacross = { features = "river" }\n'

PLAIN = ". . . . .\n" * 6


@dataclass(frozen=True)
class Variant:
    """A rule in some form, with plans and what they break, or what their last move costs.

    Units are written as "foot f 03.01 9": type, id, hex and MA. `more` holds what their entries say besides, by id; `turns`
    are parameters of the rule of turns.
    """

    name: str
    rules: str = ""
    chart: str = ""
    units: tuple[str, ...] = ("foot f 03.01 9",)
    enemies: tuple[str, ...] = ()
    rows: str = PLAIN
    hexsides: str = ""
    verdicts: tuple[tuple[str, str], ...] = ()
    prices: tuple[tuple[str, str], ...] = ()
    more: dict[str, str] = field(default_factory=dict)
    turns: str = ""
    forces: str = FORCES


def effect(text: str) -> str:
    """Return a rule of ZOCs that guards exert, with one effect."""
    return f'{ZOC}effects = [{{ paragraph = "zoc", {text} }}]\n'


def write_model(folder: Path, rules: str = "", forces: str = FORCES, terrain: str = TERRAIN, turns: str = "") -> Path:
    """Write the game into a folder, with further rules, other forces and terrain, or parameters of the rule of turns."""
    folder.mkdir(exist_ok=True)
    rulebook = RULEBOOK.replace('kind = "sequence"\n', f'kind = "sequence"\n{turns}') + rules
    for name, text in (("rulebook", rulebook), ("forces", forces), ("terrain", terrain)):
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return folder


def unit_entry(text: str, side: str, more: dict[str, str]) -> str:
    """Return the entry of a unit in a scenario."""
    kind, name, at, *values = text.split()
    value = (values or ["0"])[0]
    printed = value if "-" in value else f"1-{value}"
    entry = f'id = "{name}"\nside = "{side}"\ntype = "{kind}"\nvalues = "{printed}"\nat = "{at}"'
    return "\n".join(["[[unit]]", entry, more.get(name, ""), ""])


def build(variant: Variant, folder: Path) -> Scenario:
    """Return a position under a variant: five columns of six hexes, two of which are to be held."""
    model = write_model(folder / "any_game", variant.rules, variant.forces, TERRAIN + variant.chart, variant.turns)
    (model / "carriers.toml").write_text('[[carriers]]\nmarkers = { types = "boat" }\ncarries = {}\n')
    path = folder / "variant.toml"
    path.write_text(
        'format = "planner/scenario-1"\nmodel = "./any_game"\nphase = "day"\nphasing = "south"\n'
        f'[map]\norigin = "01.01"\nrows = """\n{variant.rows}"""\n{variant.hexsides}\n'
        + "".join(unit_entry(text, "south", variant.more) for text in variant.units)
        + "".join(unit_entry(text, "north", variant.more) for text in variant.enemies)
        + '[[tier]]\nterms = [{ kind = "hold", hexes = "03.03 02.02", weight = 3 }, { kind = "hold", hexes = "03.05" }]\n'
        + '[[tier]]\nterms = [{ kind = "mp_spent" }]\n'
    )
    return planner.load(path)


def placed(model: Path, hexes: dict[str, str], units: list[dict[str, Any]], **more: Any) -> Scenario:
    """Return a position of a game: hexes by their terrain, the entries of units, and what else the file says."""
    head = {"format": "planner/scenario-1", "model": str(model), "phase": "day", "phasing": "south"}
    return build_scenario({**head, "map": {"hexes": hexes}, "unit": units, **more}, "placed")
