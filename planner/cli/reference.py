"""``planner reference``: every kind of rule, chart and term with all of its parameters, from the schemas of the files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from planner.cli.terminal import print_text

if TYPE_CHECKING:
    from pydantic import BaseModel

_FIRST_LINES = """# Reference: kinds of rules, charts and terms

Made by `planner reference` from the program itself. How to put them together: [adding_a_game.md](adding_a_game.md).
A parameter without a default must be given. *MP* are whole numbers, or fractions in quotes such as `"1/2"`, and sizes and
strengths are written as they are; *names* are one name or a list of names.
"""

Schema = dict[str, Any]
"""JSON Schema, decoded."""

_COMMON = ("id", "kind", "paragraph", "assumed")
"""What every rule has, and is described once."""


def reference() -> None:
    """Print the reference page of rules, charts and terms.

    Each kind with its parameters, as Markdown.
    """
    print_text(reference_page())


def reference_page() -> str:
    """Return the reference page as Markdown."""
    from pydantic.json_schema import models_json_schema

    from planner.objective import Tier
    from planner.rules.kinds import kinds
    from planner.rules.rulebook import Statement
    from planner.rules.rulebook_file import rulebook_shape
    from planner.world.appearance import LookChart
    from planner.world.charts import CarrierChart, Forces, TerrainChart
    from planner.world.numbering import Numbering

    files: list[type[BaseModel]] = [
        rulebook_shape(),
        Statement,
        TerrainChart,
        Forces,
        CarrierChart,
        LookChart,
        Tier,
        Numbering,
    ]
    _, schema = models_json_schema([(file, "validation") for file in files], ref_template="{model}")
    models: Schema = schema["$defs"]
    rules, names = kinds(), {kind.__name__ for kind in kinds()}
    terms = _members(models["Tier"]["properties"]["terms"]["items"])
    lines = [_FIRST_LINES, "## Kinds of rules\n", "`rulebook.toml` has a `[[rule]]` for each. Every rule has:\n"]
    lines += _table(models[rules[0].__name__], only=_COMMON)
    for kind in sorted(rules, key=lambda kind: _kind(models[kind.__name__])):
        model = models[kind.__name__]
        lines += [f"### `{_kind(model)}`\n", f"{kind.summary} {_first(model)}\n", *_table(model, but=_COMMON)]
    lines += [
        "## Terms of the objective\n",
        "Each is an entry of `terms` in a `[[tier]]`; those that can be, a `[[require]]`.\n",
    ]
    for name in terms:
        lines += [f"### `{_kind(models[name])}`\n", f"{_first(models[name])}\n", *_table(models[name], but=("kind",))]
    lines += ["## Files and tables\n"]
    rest = {name for name in models if name not in names and name not in terms}
    for name in sorted(rest, key=str.lower):
        lines += [f"### {name}\n", f"{_first(models[name])}\n", *_table(models[name])]
    return "\n".join(lines).rstrip() + "\n"


def _kind(model: Schema) -> str:
    """Return the name by which files call a kind of rule or term."""
    return str(model["properties"]["kind"]["const"])


def _first(model: Schema) -> str:
    """Return the first paragraph of a docstring on one line."""
    text: str = model.get("description", "").split("\n\n")[0]
    return " ".join(text.split())


def _members(union: Schema) -> list[str]:
    return [str(entry["$ref"]) for entry in union["oneOf"]]


def _table(model: Schema, only: Sequence[str] = (), but: Sequence[str] = ()) -> Iterator[str]:
    """Yield the lines of the table of a model's parameters."""
    properties: Schema = model.get("properties", {})
    keys = [key for key in properties if (not only or key in only) and key not in but]
    if not keys:
        yield "It has no parameters.\n"
        return
    yield "| parameter | takes | default | meaning |"
    yield "|---|---|---|---|"
    for key in keys:
        field = properties[key]
        if only and "const" in field:
            field = {"type": "string", "description": "The kind of rule"}
        default = "" if key in model.get("required", ()) else _default(field.get("default"))
        meaning = _cell(field.get("description", ""))
        yield f"| `{key}` | {_cell(_takes(field))} | {default} | {meaning} |"
    yield ""


def _default(value: object) -> str:
    if value is None or value in ([], {}):
        return "none"
    if isinstance(value, dict):
        told = {key: item for key, item in value.items() if item not in (None, [], False)}
        return f"`{json.dumps(told, ensure_ascii=False)}`" if told else "any"
    return f"`{json.dumps(value, ensure_ascii=False)}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _takes(field: Schema) -> str:
    """Return in words what a parameter takes."""
    if "$ref" in field:
        name = field["$ref"]
        return f"[{name}](#{name.lower()})"
    if "const" in field:
        return f"`{json.dumps(field['const'])}`"
    if "enum" in field:
        return ", ".join(f"`{json.dumps(value)}`" for value in field["enum"])
    options = field.get("anyOf") or field.get("oneOf") or field.get("allOf")
    if options:
        if {option.get("type") for option in options} == {"integer", "string"}:
            return "probability" if "robability" in field.get("description", "") else "MP"
        found = dict.fromkeys(_takes(option) for option in options if option.get("type") != "null")
        if list(found) == ["text", "list of text"]:
            return "names"
        return " or ".join(found)
    kind = field.get("type")
    if kind == "array":
        if "prefixItems" in field:
            return "list of " + ", ".join(_takes(item) for item in field["prefixItems"])
        items = field.get("items", {})
        return "rules" if "oneOf" in items and "discriminator" in items else f"list of {_takes(items)}"
    if kind == "object":
        values = field.get("additionalProperties") or next(iter(field.get("patternProperties", {}).values()), None)
        return f"table of {_takes(values)}" if isinstance(values, dict) else "table"
    return {"string": "text", "integer": "whole number", "boolean": "`true`, `false`", "number": "number"}.get(
        str(kind), "anything"
    )
