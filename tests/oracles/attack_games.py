"""Small positions of a game with attacks, under rules of which any parameter may be another."""

from __future__ import annotations

from typing import Any

from planner.rules.kinds.attack import Attack
from planner.rules.kinds.hex_to_hex import HexToHex
from planner.rules.kinds.movement_points import MovementPoints
from planner.rules.kinds.sequence import Sequence
from planner.rules.kinds.stacking import Stacking
from planner.rules.kinds.zone_of_control import ZoneOfControl
from planner.scenario import Scenario, build_scenario
from tests.oracles.rulebooks import with_rules

MEANINGS: dict[str, dict[str, Any]] = {
    "AE": {"text": "attackers eliminated", "attackers": {"eliminated": True}},
    "A1": {"text": "attackers lose a step", "attackers": {"steps": 1}},
    "AR": {"text": "attackers retreat", "attackers": {"retreat": 1}},
    "NE": {"text": "no effect"},
    "EX": {"text": "exchange", "defenders": {"eliminated": True}, "exchange": "strength"},
    "DR": {"text": "defenders retreat", "defenders": {"retreat": 1}},
    "D2": {"text": "defenders retreat two hexes", "defenders": {"retreat": 2}},
    "D1": {"text": "defenders lose a step", "defenders": {"steps": 1}},
    "DE": {"text": "defenders eliminated", "defenders": {"eliminated": True}},
}

RATIOS = {
    "1:1": "AE AE AR AR DR EX",
    "2:1": "AE AR AR DR DR EX",
    "3:1": "AR AR DR DR EX DE",
    "4:1": "AR DR D2 EX DE DE",
    "5:1": "D2 DR EX DE DE DE",
    "6:1": "DR EX DE DE DE DE",
}
DIFFERENCES = {-2: "AE AR AR NE", 0: "AR NE NE DR", 2: "NE D2 DR D1", 4: "DR D1 DE DE"}


def attack(**changes: Any) -> Attack:
    """Return a rule of attacks: a table of ratios from 1:1 to 6:1, but for what is changed."""
    data: dict[str, Any] = {
        "id": "attacks",
        "kind": "attack",
        "paragraph": "7",
        "must_paragraph": "7.1",
        "columns": [{"odds": odds, "results": results.split()} for odds, results in RATIOS.items()],
        "eliminated_to": [{"box": "eliminated"}],
    }
    data |= changes
    if "results" not in data:
        used = {code for column in data["columns"] for code in column["results"]}
        data["results"] = {code: meaning for code, meaning in MEANINGS.items() if code in used}
    return Attack.model_validate(data)


def of_differences(**changes: Any) -> Attack:
    """Return a rule of attacks with a table of differences and a die of four sides, but for what is changed."""
    columns = [{"difference": by, "results": results.split()} for by, results in DIFFERENCES.items()]
    return attack(odds="difference", sides=4, columns=columns, **changes)


def position(rule: Attack, units: dict[str, tuple[str, str]], rows: str = "", **keys: Any) -> Scenario:
    """Return a position of a game whose units have zones of control, but for artillery, and of which two share a hex.

    Parameters
    ----------
    rule : Attack
        Its rule of attacks.
    units : dict of str to (str, str)
        For each unit, of blue, who moves, or of red if its id begins with e: its values, and its hex. One whose id begins
        with g, or with eg, is artillery.
    rows : str
        The map; by default seven rows of seven clear hexes.
    keys : Any
        Other keys of the scenario, and of its map: hexes, hexsides; and `unsupplied`, the units that have no supply.
    """
    unsupplied = keys.pop("unsupplied", ())
    entries = [
        {
            "id": name,
            "side": "red" if name.startswith("e") else "blue",
            "type": "artillery" if name.removeprefix("e").startswith("g") else "infantry",
            "values": values.partition("/")[0],
            "steps": int(values.partition("/")[2] or 1),
            "at": at,
            **({"supplied": False} if name in unsupplied else {}),
        }
        for name, (values, at) in units.items()
    ]
    of_the_map = {key: keys.pop(key) for key in ("hexes", "hexsides") if key in keys}
    scenario = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "crossroads",
            "phase": "movement",
            "phasing": "blue",
            "map": {"origin": "0101", "rows": rows or "\n".join([". " * 7] * 7), **of_the_map},
            "unit": entries,
            **keys,
        },
        "a position with attacks",
    )
    return with_rules(scenario, (*rules(), rule))


def rules() -> tuple[Any, ...]:
    """Return the rules besides that of attacks."""
    stop = {"paragraph": "5", "on": "enter", "does": "stop"}
    zone = {"exerted_by": {"without": "guns"}, "blocked_by": {"features": "river", "without": "bridge"}}
    return (
        Sequence.model_validate({"id": "one_by_one", "kind": "sequence", "paragraph": "4"}),
        HexToHex.model_validate({"id": "steps", "kind": "hex_to_hex", "paragraph": "4", "overruns": False}),
        MovementPoints.model_validate(
            {"id": "costs", "kind": "movement_points", "paragraph": "4", "prohibited_paragraph": "4"}
        ),
        ZoneOfControl.model_validate(
            {"id": "zoc", "kind": "zone_of_control", "paragraph": "5", **zone, "effects": [stop]}
        ),
        Stacking.model_validate({"id": "stacks", "kind": "stacking", "paragraph": "6", "limits": [{"units": 2}]}),
    )
