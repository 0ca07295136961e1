"""What can be done to a scenario on the board, one shape an edit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from planner.formats.table import Table

Values = dict[str, object]
Label = Annotated[str, Field(min_length=1, max_length=60)]
Hexes = Annotated[tuple[Label, ...], Field(min_length=1, max_length=20_000)]


class PaintTerrain(Table):
    """Give hexes of the map a terrain."""

    do: Literal["terrain"]
    hexes: Hexes
    terrain: Label


class PaintHexsides(Table):
    """Put a feature on hexsides, or take it away."""

    do: Literal["hexside"]
    pairs: Annotated[tuple[tuple[Label, Label], ...], Field(min_length=1, max_length=20_000)] = Field(
        description="Each hexside as the two hexes beside it"
    )
    feature: Label
    on: bool = True


class MarkHexes(Table):
    """Give hexes a trait, such as city or port, or take it away."""

    do: Literal["trait"]
    hexes: Hexes
    trait: Label
    on: bool = True


class SetArea(Table):
    """Say in which country or region hexes lie; empty: in none."""

    do: Literal["area"]
    hexes: Hexes
    area: Annotated[str, Field(max_length=60)]


class AddUnit(Table):
    """Add a unit; without an id it gets one of its type."""

    do: Literal["add_unit"]
    unit: Values = Field(description="As `[[unit]]` of a scenario file has it")


class ChangeUnit(Table):
    """Change what is so of a unit; null takes a value away."""

    do: Literal["change_unit"]
    id: Label
    values: Values


class TurnUnit(Table):
    """Turn a counter to another of its sides; empty: to its front."""

    do: Literal["turn_unit"]
    id: Label
    face: Annotated[str, Field(max_length=60)] = Field(description="One of the `faces` of the game's chart")
    instead: Annotated[str, Field(max_length=60)] = Field(default="", description="The one that was up until now")


class DeleteUnit(Table):
    """Take a unit out of the scenario."""

    do: Literal["delete_unit"]
    id: Label


class SetValue(Table):
    """Set what stands at the top of the file, such as title or phase; null takes it away."""

    do: Literal["set"]
    key: Label
    value: object = None


class SetObjective(Table):
    """Say what is to be had: tiers, and hard requirements."""

    do: Literal["objective"]
    tier: Annotated[tuple[Values, ...], Field(max_length=20)] = ()
    require: Annotated[tuple[Values, ...], Field(max_length=1_000)] = ()


Edit = Annotated[
    PaintTerrain
    | PaintHexsides
    | MarkHexes
    | SetArea
    | AddUnit
    | ChangeUnit
    | TurnUnit
    | DeleteUnit
    | SetValue
    | SetObjective,
    Field(discriminator="do"),
]
"""An edit of any kind, told apart by `do`."""


class EditList(Table):
    """Edits, one after another."""

    edits: tuple[Edit, ...] = ()
