"""Rulebooks: the folders of ``models/``, read and checked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from planner.errors import InputError, Problem
from planner.formats.files import data_folder, parse_toml, read_text
from planner.formats.spelling import did_you_mean
from planner.formats.validation import Sound, read_sound
from planner.rules import AnyRule, Rule
from planner.rules.base import Way
from planner.rules.kinds.hex_to_hex import HexToHex
from planner.world.appearance import LookChart
from planner.world.charts import CarrierChart, Forces, TerrainChart
from planner.world.numbering import Numbering
from planner.world.selectors import selectors_in

T = TypeVar("T", bound=BaseModel)
State = Literal["enforced", "not_modelled", "open"]


class Statement(BaseModel):
    """One thing that the printed rules say, and what has become of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(description="By which tests call it", max_length=20)
    paragraph: str = Field(description="The printed paragraph", max_length=40)
    text: str = Field(description="The statement in our own words", max_length=400)
    rule: str | None = Field(default=None, description="The id of the rule that enforces it")
    open: str | None = Field(default=None, description="What is missing")
    not_modelled: str | None = Field(default=None, description="Why it isn't modelled")

    @model_validator(mode="after")
    def _one_state(self) -> Statement:
        if sum(value is not None for value in (self.rule, self.open, self.not_modelled)) != 1:
            raise ValueError("must have exactly one of rule, open and not_modelled")
        return self

    @property
    def state(self) -> State:
        """Whether it is enforced, not modelled, or open."""
        return "enforced" if self.rule is not None else "open" if self.open is not None else "not_modelled"

    @property
    def why(self) -> str:
        """Why it isn't enforced; empty if it is."""
        return self.open or self.not_modelled or ""


ANY_STEP = HexToHex(id="any_step", kind="hex_to_hex", paragraph="")
"""How units move where no rule says it: from hex to hex."""


class RulebookFile(BaseModel):
    """``rulebook.toml``: the rules in the order of the printed rulebook."""

    model_config = ConfigDict(extra="forbid", frozen=True, title="planner/rulebook-1")

    format: Literal["planner/rulebook-1"] = Field(description="What kind of file it is")
    title: str = Field(description="The game", max_length=200)
    numbering: Numbering = Field(default=Numbering(), description="How the map numbers its hexes")
    rule: Annotated[tuple[AnyRule, ...], Field(min_length=1, description="The rules")]


class StatementsFile(BaseModel):
    """``statements.toml``: every statement of the printed rules with its state."""

    model_config = ConfigDict(extra="forbid", frozen=True, title="planner/statements-1")

    statement: tuple[Statement, ...] = ()


class Rulebook:
    """A game's rules and charts.

    Attributes
    ----------
    model : str
        The name of its folder.
    title : str
        What players call the game.
    numbering : Numbering
        How its map numbers hexes.
    rules : tuple of Rule
        In the order of the printed rulebook.
    terrain : TerrainChart
        The terrain effects chart.
    forces : Forces
        Sides, unit types, markers, nationalities, countries, phases.
    carriers : CarrierChart
        Which markers carry which units.
    statements : tuple of Statement
        Every statement of the printed rules with its state.
    looks : LookChart
        How its maps and counters look, where names don't say it.
    """

    def __init__(
        self,
        model: str,
        file: RulebookFile,
        terrain: TerrainChart,
        forces: Forces,
        statements: Iterable[Statement] = (),
        carriers: CarrierChart | None = None,
        looks: LookChart | None = None,
    ) -> None:
        self.model = model
        self.title = file.title
        self.numbering = file.numbering
        self.rules: tuple[Rule, ...] = file.rule
        self.terrain = terrain
        self.forces = forces
        self.carriers = carriers or CarrierChart()
        self.looks = looks or LookChart()
        self.statements = tuple(statements)

    @cached_property
    def paying(self) -> tuple[Rule, ...]:
        """The rules by which a step may cost MP."""
        return tuple(rule for rule in self.rules if type(rule).step_cost is not Rule.step_cost)

    @cached_property
    def eliminating(self) -> tuple[Rule, ...]:
        """The rules by which a step may eliminate units."""
        return tuple(rule for rule in self.rules if type(rule).carry_out is not Rule.carry_out)

    @cached_property
    def by_id(self) -> dict[str, Rule]:
        """The rules by their ids."""
        return {rule.id: rule for rule in self.rules}

    @cached_property
    def ways(self) -> tuple[Way, ...]:
        """The rules that say how units get from place to place; a rulebook without any has plain steps to neighbours."""
        return tuple(rule for rule in self.rules if isinstance(rule, Way)) or (ANY_STEP,)

    @cached_property
    def ways_by_id(self) -> dict[str, Way]:
        """The ways by their ids."""
        return {way.id: way for way in self.ways}

    def way(self, name: str) -> Way | None:
        """Return the way with an id; None if there is none."""
        return self.ways_by_id.get(name)

    def known(self, chart: str) -> Collection[str]:
        """Return the names that a chart has.

        Parameters
        ----------
        chart : str
            The name of a chart of the forces, or "terrain", "features", "nationality_traits" or "marker_traits".
        """
        forces = self.forces
        if chart == "terrain":
            return self.terrain.terrain
        if chart == "features":
            return self.terrain.features()
        if chart == "unit_traits":
            return {*forces.unit_traits, *(trait for kind in forces.unit_types.values() for trait in kind.traits)}
        if chart == "marker_traits":
            return {trait for kind in forces.marker_types.values() for trait in kind.traits}
        if chart == "nationality_traits":
            return {trait for nationality in forces.nationalities.values() for trait in nationality.traits}
        found: dict[str, object] = getattr(forces, chart)
        return found

    def unknown(self, chart: str, names: Iterable[str]) -> Iterable[str]:
        """Yield a sentence for each name that a chart doesn't have."""
        known = self.known(chart)
        what = _ONE_OF.get(chart, chart.removesuffix("s").replace("_", " "))
        for name in names:
            if name not in known:
                yield f"{what} {name!r} must be one of {', '.join(sorted(known)) or 'none'}{did_you_mean(name, known)}"

    def unknown_in(self, value: object) -> Iterable[tuple[str, str]]:
        """Yield what is wrong, and where, for each name in a selector that the charts don't have."""
        for place, selector in selectors_in(value):
            for test, chart in selector.charts.items():
                for text in self.unknown(chart, getattr(selector, test)):
                    yield text, f"{place}.{test}" if place else test

    def next_phase(self, phase: str) -> str:
        """Return the movement phase that follows one."""
        return self.forces.phases[phase].next or phase

    def problems(self, where: str) -> list[Problem]:
        """List what doesn't fit together: rules with one id, names that no chart has, statements of no rule."""
        found = []
        seen: set[str] = set()
        for index, rule in enumerate(self.rules):
            place = f"{where}/rulebook.toml: rule[{index}] ({rule.id})"
            if rule.id in seen:
                found.append(Problem(f"rule ids must differ, but {rule.id!r} comes twice", place))
            seen.add(rule.id)
            found += [Problem(text, place) for text in rule.problems(self)]
            found += [Problem(text, f"{place}.{key}") for text, key in self.unknown_in(rule)]
        for index, statement in enumerate(self.statements):
            if statement.rule is not None and statement.rule not in seen:
                place = f"{where}/statements.toml: statement[{index}] ({statement.id})"
                found.append(Problem(f"rule must be one of the rulebook's, not {statement.rule!r}", place))
        for name, phase in self.forces.phases.items():
            if phase.next is not None and phase.next not in self.forces.phases:
                found.append(Problem("next must be a phase", f"{where}/forces.toml: phases.{name}"))
        for name, marker_type in self.forces.marker_types.items():
            if marker_type.status is not None:
                for text in self.unknown("status", [marker_type.status]):
                    found.append(Problem(text, f"{where}/forces.toml: marker_types.{name}"))
        for name, country in self.forces.countries.items():
            for chart, key, names in (
                ("sides", "side", [country.side]),
                ("countries", "dependent_of", [country.dependent_of]),
                ("country_traits", "traits", country.traits),
            ):
                for text in self.unknown(chart, [n for n in names if n is not None]):
                    found.append(Problem(text, f"{where}/forces.toml: countries.{name}.{key}"))
        for chart_file, chart_value in (("terrain", self.terrain), ("carriers", self.carriers)):
            found += [Problem(text, f"{where}/{chart_file}.toml: {key}") for text, key in self.unknown_in(chart_value)]
        found += [Problem(text, f"{where}/terrain.toml: {place}") for text, place in self._terrain_problems()]
        found += [Problem(text, f"{where}/look.toml: {key}") for text, key in self.looks.problems(self)]
        return found

    def _terrain_problems(self) -> Iterator[tuple[str, str]]:
        chart = self.terrain
        prices = [(f"terrain.{name}", entry.prices) for name, entry in chart.terrain.items()]
        prices += [(f"hexsides.{name}", entry.prices) for name, entry in chart.hexsides.items()]
        prices += [(f"routes ({route.feature})", route.prices) for route in chart.routes]
        for place, entries in prices:
            for price in entries:
                yield from ((text, place) for text in self.unknown("phases", price.phases))
                yield from ((text, place) for text in self.unknown("weather", price.weather))
        for name, side in chart.hexsides.items():
            yield from ((text, f"hexsides.{name}.not_with") for text in self.unknown("features", side.not_with))


_ONE_OF = {"countries": "country", "nationalities": "nationality", "status": "status", "features": "feature"}
"""What an entry of a chart is called, where it isn't the chart's name without an s."""

_LOADED: dict[Path, Rulebook] = {}


def model_folder(model: str, beside: Path | None = None) -> Path:
    """Find a model: one that ships with the planner, or a folder given by its path.

    Parameters
    ----------
    model : str
        A name, or a path with at least one slash.
    beside : Path, optional
        The folder from which a relative path counts.

    Raises
    ------
    InputError
        If there is none.
    """
    if "\0" not in model and "/" in model:
        folder = (beside or Path()) / model
        if (folder / "rulebook.toml").is_file():
            return folder
    elif model.isidentifier() and (data_folder("models") / model / "rulebook.toml").is_file():
        return data_folder("models") / model
    names = ", ".join(shipped_models())
    raise InputError(
        [
            Problem(
                f"model must be one of {names}, or the path of a folder with a rulebook.toml, "
                f"not {model[:80]!r}{did_you_mean(model, shipped_models())}",
                model[:80],
            )
        ]
    )


def shipped_models() -> list[str]:
    """Return the names of the models that ship with the planner."""
    return sorted(path.parent.name for path in data_folder("models").glob("*/rulebook.toml"))


def load_rulebook(folder: Path) -> Rulebook:
    """Read a folder of ``models/`` and check it.

    Raises
    ------
    InputError
        With every problem at once.
    """
    rulebook, problems = read_rulebook(folder)
    if rulebook is None or problems:
        raise InputError(problems)
    return rulebook


def read_rulebook(folder: Path) -> tuple[Rulebook | None, list[Problem]]:
    """Read a folder of ``models/``; return what is sound of it, if anything is, with everything that is wrong."""
    folder = folder.resolve()
    if folder in _LOADED:
        return _LOADED[folder], []
    problems: list[Problem] = []
    sound: list[Sound[Any]] = []

    def read(name: str, schema: type[T], mends: Mapping[str, Any] | None = None) -> T | None:
        path = folder / name
        try:
            found = read_sound(parse_toml(read_text(path), str(path)), str(path), schema, mends)
        except InputError as error:
            problems.extend(error.problems)
            return None
        problems.extend(found.problems)
        sound.append(found)
        return found.value

    file = read("rulebook.toml", RulebookFile, {"format": "planner/rulebook-1", "title": folder.name[:200]})
    terrain = read("terrain.toml", TerrainChart)
    forces = read("forces.toml", Forces)
    statements = read("statements.toml", StatementsFile) if (folder / "statements.toml").exists() else StatementsFile()
    carriers = read("carriers.toml", CarrierChart) if (folder / "carriers.toml").exists() else CarrierChart()
    looks = read("look.toml", LookChart) if (folder / "look.toml").exists() else LookChart()
    if file is None or terrain is None or forces is None or statements is None or carriers is None or looks is None:
        return None, problems
    rulebook = Rulebook(folder.name, file, terrain, forces, statements.statement, carriers, looks)
    for problem in rulebook.problems(str(folder)):
        # Whoever names what couldn't be read isn't to blame.
        if not any(one.concerns(problem) for one in sound):
            problems.append(problem)
    if not problems:
        _LOADED[folder] = rulebook
    return rulebook, problems
