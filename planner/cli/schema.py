"""Schemas, published as JSON Schema."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel


def schemas() -> dict[str, type[BaseModel]]:
    """Return the schema of each kind of file, by the name under which it is published."""
    from planner.plans.plan_file import PlanFile
    from planner.rules.rulebook_file import RulebookFile, StatementsFile
    from planner.scenario.shape import ScenarioFile
    from planner.world.appearance import LookChart
    from planner.world.charts import CarrierChart, Forces, TerrainChart

    return {
        "scenario": ScenarioFile,
        "plan": PlanFile,
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
    schema: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    schema.update(schemas()[name].model_json_schema())
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
