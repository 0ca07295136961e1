"""Mapping files: which piece of a file from elsewhere is which unit of a game, and which word which terrain."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from planner.errors import InputError, Problem
from planner.formats.files import parse_toml, read_text
from planner.formats.table import Table
from planner.formats.validation import read_sound
from planner.rules.rulebook import Rulebook
from planner.rules.rulebook_file import load_rulebook, model_folder
from planner.world.selectors import Names

Template = Annotated[str, Field(max_length=400)]
Pair = tuple[Annotated[int, Field(ge=1, le=1_000_000)], Annotated[int, Field(ge=1, le=1_000_000)]]


class GridEntry(Table):
    """A hex grid of VASSAL, where no module says it."""

    dx: float = Field(ge=1, le=100_000, description="Pixels from one straight line to the next")
    dy: float = Field(ge=1, le=100_000, description="Pixels from one hex to the next along a line")
    x0: Annotated[int, Field(ge=-100_000, le=100_000)] = Field(description="The centre of the first hex")
    y0: Annotated[int, Field(ge=-100_000, le=100_000)] = Field(description="The centre of the first hex")
    sideways: bool = Field(default=False, description="Whether rows run straight, not columns")
    first: Literal["H", "V"] = Field(default="H", description="Whether the column comes first, or the row")
    sep: str = Field(default="", max_length=5, description="What stands between the two")
    h_off: int = Field(default=1, ge=-10_000, le=10_000, description="The number of the first column")
    v_off: int = Field(default=1, ge=-10_000, le=10_000, description="The number of the first row")
    h_descend: bool = Field(default=False, description="Columns are counted from the right")
    v_descend: bool = Field(default=False, description="Rows are counted from below")
    stagger: bool = Field(default=True, description="Whether the shifted lines begin one number later")


class BoardEntry(Table):
    """The board: where it is found, and how its hexes are called in the scenario."""

    window: str = Field(default="", max_length=200, description="VASSAL: the map; absent: the one with most hexes")
    board: str = Field(default="", max_length=200, description="VASSAL: the board; absent: the one of the save")
    boards: dict[str, Template] = Field(
        default_factory=dict,
        description="VASSAL: of boards side by side, by name: the label of their hexes, as label has it",
    )
    size: Pair | None = Field(default=None, description="VASSAL: its width and height in pixels, where nothing says it")
    grid: GridEntry | None = Field(default=None, description="VASSAL: its hex grid, where there is no module")
    label: Template = Field(
        default="{label}", description="The label in the scenario, of the {label} of the file: w{label}"
    )
    sheet: str = Field(default="", max_length=16, description="Tiled: the letters of the map sheet")
    first_column: int = Field(default=1, ge=0, le=10_000, description="Tiled: the number of the first column")
    first_row: int = Field(default=1, ge=0, le=10_000, description="Tiled: the number of the first row, the lowest one")
    rest: str = Field(default="", description="The terrain of hexes of which nothing says any; absent: they are none")


class PieceRule(Table):
    """What some pieces are. Of several rules that fit a piece, the first counts."""

    name: Template = Field(default="*", description="A pattern of names")
    image: Template = Field(default="*", description="A pattern of pictures")
    area: Template = Field(default="*", description="A pattern of maps, zones or layers")
    where: dict[str, Template] = Field(default_factory=dict, description="By property: a pattern")
    skip: bool = Field(default=False, description="It is no unit: it is passed over without a word")
    side: Template = Field(default="", description="The side")
    type: Template = Field(default="", description="The type of unit")
    marker: Template = Field(default="", description="The type of marker, where it is none of a unit")
    id: Template = Field(default="{name}", description="By which plans call it; made into an id, and numbered")
    called: Template = Field(default="{name}", description="What players call it")
    values: Template | None = Field(default=None, description="The printed values, such as {attack}-{ma}")
    attack: Template | None = Field(default=None, description="Attack strength, where values doesn't give it")
    defense: Template | None = Field(default=None, description="Defense strength, where values doesn't give it")
    ma: Template | None = Field(default=None, description="Movement allowance, where values doesn't give it")
    steps: Template | None = Field(default=None, description="Steps")
    size: Template | None = Field(default=None, description="Size")
    traits: Names = Field(default=(), description="Traits")
    nationality: Names = Field(default=(), description="Nationality")


class MappingFile(Table):
    """A mapping file."""

    model_config = ConfigDict(title="planner/mapping-1")

    format: Literal["planner/mapping-1"]
    model: str = Field(description="The game: a model of the planner, or the path of a folder")
    template: str = Field(
        default="", description="A scenario of the game, beside this file, of which everything is taken but the units"
    )
    title: str = Field(default="", max_length=200)
    phase: str = Field(default="", description="The phase; absent: that of the template, or the game's first")
    phasing: str = Field(default="", description="Whose phase it is; absent: that of the template, or the first side")
    turn: int | None = Field(default=None, ge=0, le=10_000, description="The turn")
    board: BoardEntry = Field(default_factory=BoardEntry, description="The board")
    terrain: dict[str, str] = Field(
        default_factory=dict,
        description="By pattern of the file's words: a terrain; _ is no hex; an empty text is passed over",
    )
    traits: dict[str, Names] = Field(default_factory=dict, description="By pattern of the same words: traits of hexes")
    hexsides: dict[str, str] = Field(default_factory=dict, description="By pattern of words: what lies on hexsides")
    boxes: dict[str, str] = Field(
        default_factory=dict, description="By pattern of maps, zones or layers: the box of pieces that are in no hex"
    )
    columns: dict[str, str] = Field(
        default_factory=dict, description="Tables: by word of this format (hex, name, type …): the column's header"
    )
    piece: Annotated[tuple[PieceRule, ...], Field(max_length=2_000)] = Field(
        default=(), description="What which pieces are"
    )


def read_mapping(path: Path) -> tuple[MappingFile, Rulebook]:
    """Read a mapping file and the game that it names.

    Raises
    ------
    InputError
        With every problem at once: also names that the game doesn't have.
    """
    where = str(path)
    data = parse_toml(read_text(path), where)
    shape = read_sound(data, where, MappingFile, {"model": "", "format": "planner/mapping-1"})
    problems, mapping = list(shape.problems), shape.value
    rulebook = None
    if mapping is not None and mapping.model:
        try:
            rulebook = load_rulebook(model_folder(mapping.model, path.parent))
        except InputError as error:
            problems += [Problem(one.what, f"{where}: model") for one in error.problems]
    if mapping is not None and rulebook is not None:
        problems += _unknown_names(mapping, rulebook, where)
    if problems or mapping is None or rulebook is None:
        raise InputError(problems or [Problem("can't be read", where)])
    return mapping, rulebook


def _unknown_names(mapping: MappingFile, rulebook: Rulebook, where: str) -> list[Problem]:
    """List the names that the game doesn't have; what is only filled in for each piece is looked at with it."""
    asked: list[tuple[str, str, str]] = []
    if mapping.phase:
        asked.append(("phases", mapping.phase, "phase"))
    if mapping.phasing:
        asked.append(("sides", mapping.phasing, "phasing"))
    if mapping.board.rest:
        asked.append(("terrain", mapping.board.rest, "board.rest"))
    asked += [("terrain", name, f"terrain.{word}") for word, name in mapping.terrain.items() if name not in ("", "_")]
    asked += [("features", name, f"hexsides.{word}") for word, name in mapping.hexsides.items() if name]
    asked += [("hex_traits", name, f"traits.{word}") for word, names in mapping.traits.items() for name in names]
    for index, rule in enumerate(mapping.piece):
        if rule.skip:
            continue
        place = f"piece[{index}]"
        charts = [("sides", rule.side, "side")]
        charts.append(("marker_types", rule.marker, "marker") if rule.marker else ("unit_types", rule.type, "type"))
        charts += [("unit_traits", name, "traits") for name in rule.traits]
        charts += [("nationalities", name, "nationality") for name in rule.nationality]
        asked += [
            (chart, named(rulebook, chart, name), f"{place}.{key}") for chart, name, key in charts if "{" not in name
        ]
    return [
        Problem(text, f"{where}: {place}") for chart, name, place in asked for text in rulebook.unknown(chart, [name])
    ]


def named(rulebook: Rulebook, chart: str, text: str) -> str:
    """Return the name that a chart has for a word: itself, or what players call it, in small letters or large ones."""
    known = rulebook.known(chart)
    if text in known:
        return text
    for name in known:
        entry = known[name] if isinstance(known, dict) else name
        called = entry if isinstance(entry, str) else getattr(entry, "name", "")
        if text.casefold() in (name.casefold(), called.casefold()) and text:
            return name
    return text
