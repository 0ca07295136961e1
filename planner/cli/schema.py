"""``planner schema``: the schema of each kind of file, and of each kind of answer, as JSON Schema."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from planner.cli.terminal import print_text


def schema(
    kind: Annotated[
        str,
        typer.Argument(
            help="Of files: scenario, plan, policy, game, rulebook, terrain, forces, carriers, look, statements, "
            "mapping. "
            "Of answers: verdict, result, alternatives, reach, reach-all, explanation, completion, defense, verification, "
            "policy-verdict, game-verdict, applied, match, sweep, hex, model, rules."
        ),
    ],
) -> None:
    """Print the JSON Schema of a kind of file or of answer.

    Answers are what commands print with --json.
    """
    if kind not in schemas():
        raise typer.BadParameter(f"must be one of {', '.join(schemas())}", param_hint="KIND")
    print_text(json_schema(kind))


def schemas() -> dict[str, type]:
    """Return the shape of each kind of file and of answer, by the name under which its schema is published."""
    from planner.cli.answer_types import ANSWERS
    from planner.exchange.mapping import MappingFile
    from planner.explanation.answer_data import ExplanationData
    from planner.plans.plan_file import PlanFile
    from planner.playing.game_record import RecordFile
    from planner.referee.verdict_data import VerdictData
    from planner.rules.rulebook_file import StatementsFile, rulebook_shape
    from planner.scenario.shape import ScenarioFile
    from planner.search.answer_types import AlternativesData, ReachData, ResultData
    from planner.world.appearance import LookChart
    from planner.world.charts import CarrierChart, Forces, TerrainChart

    return {
        "scenario": ScenarioFile,
        "plan": PlanFile,
        "game": RecordFile,
        "rulebook": rulebook_shape(),
        "terrain": TerrainChart,
        "forces": Forces,
        "carriers": CarrierChart,
        "look": LookChart,
        "statements": StatementsFile,
        "mapping": MappingFile,
        "verdict": VerdictData,
        "result": ResultData,
        "alternatives": AlternativesData,
        "reach": ReachData,
        "explanation": ExplanationData,
        **ANSWERS,
    }


def json_schema(name: str) -> str:
    """Return the JSON Schema (draft 2020-12) of a kind of file or of answer, as text.

    Raises
    ------
    KeyError
        If there is no such kind.
    """
    from pydantic import TypeAdapter
    from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
    from pydantic_core.core_schema import TypedDictSchema, UnionSchema

    class Closed(GenerateJsonSchema):
        """Answers have what their types say, and nothing else."""

        def typed_dict_schema(self, schema: TypedDictSchema) -> JsonSchemaValue:
            return {**super().typed_dict_schema(schema), "additionalProperties": False}

        def union_schema(self, schema: UnionSchema) -> JsonSchemaValue:
            found = super().union_schema(schema)
            if "anyOf" in found:
                # `typing` takes int | str and str | int for the same and keeps what came first, whoever wrote it.
                found["anyOf"].sort(key=lambda one: json.dumps(one, sort_keys=True))
            return found

    found = TypeAdapter(schemas()[name]).json_schema(schema_generator=Closed)
    shape = {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}
    return json.dumps(shape, indent=2, ensure_ascii=False) + "\n"
