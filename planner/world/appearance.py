"""How a game's maps and counters look: an optional chart, ``look.toml``, for what names alone don't tell.

What common words say (forest, river, tank) is known to `planner.draw.vocabulary`; a chart is for the rest: a terrain, say,
that players call otherwise, or the colour of a side.
"""

from collections.abc import Iterable, Iterator
from typing import Literal, Protocol

from pydantic import ConfigDict, Field

from planner.formats.table import Table
from planner.world.charts import Name

TerrainLook = Literal[
    "clear", "forest", "jungle", "mountain", "hills", "rough", "swamp", "desert", "village", "city", "building",
    "rubble", "trench", "crater", "ford", "water",
]  # fmt: skip
"""Patterns of hexes."""

HexsideLook = Literal[
    "river", "minor_river", "major_river", "road", "secondary_road", "track", "railroad", "bridge", "strait", "arrow",
    "water", "barred", "escarpment", "land", "none",
]  # fmt: skip
"""What lies along hexsides, or crosses them."""

HexTraitLook = Literal[
    "city", "port", "fortress", "objective", "capital", "factory", "depot", "limit", "region", "none"
]
"""Signs in hexes; a region is outlined as a whole."""

UnitLook = Literal[
    "infantry", "motorized", "mechanized", "armor", "cavalry", "armored_cavalry", "artillery", "field_artillery",
    "mortar", "machine_gun", "engineer", "airborne", "marine", "headquarters", "security", "irregular", "static",
    "fortress", "air", "air_base", "naval", "port", "supply", "transport", "hedgehog",
]  # fmt: skip
"""Symbols of unit types, after NATO's."""

MarkerLook = Literal["convoy", "beachhead", "wire", "fortress", "airdrop", "base", "supply", "none"]
"""Signs on markers."""

SideColour = Literal["blue", "orange", "green", "purple", "sky", "vermilion", "yellow", "grey"]
"""Colours of counters; see `planner.draw.palette` for why these."""


class Charts(Protocol):
    """The charts of a game, as far as looks need to know of them."""

    def unknown(self, chart: str, names: Iterable[str]) -> Iterable[str]:
        """Yield a sentence for each name that a chart doesn't have."""


class LookChart(Table):
    """``look.toml``: how maps and counters look, where the names of the charts don't say it."""

    model_config = ConfigDict(title="planner/look-1")

    terrain: dict[Name, TerrainLook] = Field(default_factory=dict, description="Patterns, by terrain")
    hexsides: dict[Name, HexsideLook] = Field(default_factory=dict, description="Lines, by hexside feature")
    hex_traits: dict[Name, HexTraitLook] = Field(default_factory=dict, description="Signs, by trait of hexes")
    unit_types: dict[Name, UnitLook] = Field(default_factory=dict, description="Symbols, by unit type")
    marker_types: dict[Name, MarkerLook] = Field(default_factory=dict, description="Signs, by marker type")
    sides: dict[Name, SideColour] = Field(default_factory=dict, description="The colour of each side's counters")
    sheets: tuple[str, ...] = Field(
        default=(), description="The map sheets from west to east, where the order of their letters differs"
    )

    def problems(self, charts: Charts) -> Iterator[tuple[str, str]]:
        """Yield what is wrong, and where, for each name that the game's charts don't have."""
        for key, name in (
            ("terrain", "terrain"),
            ("hexsides", "features"),
            ("hex_traits", "hex_traits"),
            ("unit_types", "unit_types"),
            ("marker_types", "marker_types"),
            ("sides", "sides"),
        ):
            for text in charts.unknown(name, getattr(self, key)):
                yield text, key
