"""What a game offers to whoever sets up a position: sides, phases, types, traits, terrain, hexsides, kinds of terms."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import get_args

from pydantic.json_schema import JsonSchemaValue

from planner.objective.kinds import TERMS
from planner.rules.rulebook import Rulebook

Schema = JsonSchemaValue


def chart(rulebook: Rulebook) -> dict[str, object]:
    """Return what there is to choose from in a game, each with what players call it."""
    forces, ground = rulebook.forces, rulebook.terrain
    return {
        "model": rulebook.model,
        "title": rulebook.title,
        "sides": dict(forces.sides),
        "phases": {name: phase.name or name for name, phase in forces.phases.items()},
        "counter": list(forces.counter),
        "unit_types": {name: kind.name or _spaced(name) for name, kind in forces.unit_types.items()},
        "unit_traits": dict(forces.unit_traits),
        "faces": faces(rulebook),
        "nationalities": {name: one.name or _spaced(name) for name, one in forces.nationalities.items()},
        "terrain": {name: one.name or _spaced(name) for name, one in ground.terrain.items()},
        "hexsides": {
            name: (ground.hexsides[name].name if name in ground.hexsides else "") or _spaced(name)
            for name in sorted(ground.features())
        },
        "hex_traits": dict(forces.hex_traits),
        "terms": terms(),
    }


def faces(rulebook: Rulebook) -> dict[str, str]:
    """Return the sides to which counters are turned: the traits that no type and no nationality has from the beginning."""
    forces = rulebook.forces
    printed = {trait for kind in forces.unit_types.values() for trait in kind.traits}
    printed |= {trait for kind in forces.nationalities.values() for trait in kind.traits}
    return {name: text for name, text in forces.unit_traits.items() if name not in printed}


def terms() -> dict[str, object]:
    """Return the kinds of terms of an objective: what each is, shortly and at length, and its fields as forms need them."""
    return {kind: {"short": _short(about), "about": about, "fields": list(fields)} for kind, about, fields in _kinds()}


def _short(about: str) -> str:
    """Return what a term is as a list of terms has it: "Ensures, or counts, that hexes are held: …" is "hexes are held"."""
    return _TAIL.sub("", _LEAD.sub("", about)).replace(" on it ", " ").removesuffix(".")


_TAIL = re.compile(r"(?:[:;]|, (?:each|moving|or ensures)) .*$")
_LEAD = re.compile(r"^(?:Ensures|Counts)(?:, or \w+)?(?: of each target)?,? (?:that )?(?:, )?(?:on average, )?")


def _kinds() -> Iterator[tuple[str, str, Iterator[dict[str, object]]]]:
    for term in TERMS.classes:
        (kind,) = get_args(term.model_fields["kind"].annotation)
        schema = term.model_json_schema()
        about = (inspect.getdoc(term) or "").partition("\n")[0]
        yield kind, about, _fields(schema)


def _fields(schema: Schema) -> Iterator[dict[str, object]]:
    required = schema.get("required", [])
    for name, told in schema["properties"].items():
        if name == "kind":
            continue
        yield {
            "name": name,
            "sort": _sort(told),
            "required": name in required,
            "about": told.get("description", ""),
            "choices": told.get("enum", []),
        }


def _sort(told: Schema) -> str:
    """Return how a form asks for a field: as a number, a text, names, true or false, or a table."""
    either = told.get("anyOf", [told])
    sorts = {one.get("type", "object") for one in either} - {"null"}
    if any(one.get("items", {}).get("type", "object") != "string" for one in either if one.get("type") == "array"):
        return "table"
    for sort, said in (("object", "table"), ("array", "names"), ("integer", "number"), ("number", "number")):
        if sort in sorts:
            return said
    return "flag" if sorts == {"boolean"} else "text"


def _spaced(name: str) -> str:
    return name.replace("_", " ")
