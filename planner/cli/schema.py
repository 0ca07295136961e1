"""``planner schema``: the schema of each kind of file, as JSON Schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from planner.cli.terminal import print_text

if TYPE_CHECKING:
    from pydantic import BaseModel


def schema(
    kind: Annotated[
        str, typer.Argument(help="scenario, plan, policy, rulebook, terrain, forces, carriers, look or statements.")
    ],
) -> None:
    """Print the JSON Schema of a kind of file."""
    if kind not in schemas():
        raise typer.BadParameter(f"must be one of {', '.join(schemas())}", param_hint="KIND")
    print_text(json_schema(kind))


def schemas() -> dict[str, type[BaseModel]]:
    """Return the schema of each kind of file, by the name under which it is published."""
    from planner.plans.plan_file import PlanFile
    from planner.plans.policy import PolicyFile
    from planner.rules.rulebook_file import RulebookFile, StatementsFile
    from planner.scenario.shape import ScenarioFile
    from planner.world.appearance import LookChart
    from planner.world.charts import CarrierChart, Forces, TerrainChart

    return {
        "scenario": ScenarioFile,
        "plan": PlanFile,
        "policy": PolicyFile,
        "rulebook": RulebookFile,
        "terrain": TerrainChart,
        "forces": Forces,
        "carriers": CarrierChart,
        "look": LookChart,
        "statements": StatementsFile,
    }


def json_schema(name: str) -> str:
    """Return the JSON Schema (draft 2020-12) of a kind of file, as text.

    Raises
    ------
    KeyError
        If there is no such kind of file.
    """
    shape = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schemas()[name].model_json_schema()}
    return json.dumps(shape, indent=2, ensure_ascii=False) + "\n"
