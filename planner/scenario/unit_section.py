"""The units of a scenario file: their printed values, and where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from planner.formats.mp import parse_mp
from planner.formats.spelling import did_you_mean
from planner.rules.combat_roles import Fights
from planner.rules.game import Game
from planner.rules.roles import Spaces
from planner.rules.rulebook import Rulebook
from planner.scenario.problem_list import ProblemList, listed
from planner.scenario.shape import ScenarioFile, UnitEntry
from planner.world.board import Board
from planner.world.forces import Unit, sides_of
from planner.world.position import Position


class UnitBuilder(ProblemList):
    """Builds the units and the position in which they begin."""

    def _units(
        self, file: ScenarioFile, rulebook: Rulebook, board: Board, as_before: Mapping[str, Unit]
    ) -> tuple[dict[str, Unit], Position]:
        """Build them; of those that are as they were before, nothing but where they stand has to be looked at."""
        units: dict[str, Unit] = {}
        at: dict[str, str] = {}
        boxes: dict[str, str] = {}
        nameless = {entry.id.casefold(): entry.id for entry in file.unit if not entry.name}
        for index, entry in enumerate(file.unit):
            place = f"unit[{index}] ({entry.id})"
            if entry.id in units:
                continue  # it has been told
            called = entry.name.casefold() if entry.name else ""
            if nameless.get(called, entry.id) != entry.id:
                self.problem(
                    f"a unit must not be named like another's id, as this one like {nameless[called]!r}", place
                )
            if (entry.at is None) == (entry.box is None):
                self.problem("must have exactly one of at and box", place)
            elif entry.box is not None and entry.box in board.places and entry.box not in board.hexes:
                at[entry.id] = entry.box
            elif entry.box is not None:
                boxes[entry.id] = entry.box
            elif entry.at is not None and self._on_map([entry.at], board.places, f"{place}.at"):
                at[entry.id] = entry.at
            if entry.arrives is not None:
                self._on_map([entry.arrives.at], board.hexes, f"{place}.arrives.at")
            unit = as_before.get(entry.id)
            if unit is None:
                unit = rulebook.mobilized(self._unit(entry, place, rulebook), file.phase)
            units[entry.id] = unit
        self._check_fractions("MA", [unit.ma for unit in units.values()])
        self._check_fractions("sizes", [unit.size for unit in units.values()])
        self._check_fractions("strengths", [s for unit in units.values() for s in (unit.attack, unit.defense)])
        return units, Position(at, boxes)

    def _check_company(self, game: Game, position: Position) -> None:
        """Refuse hexes that hold units which the rules never let stand together, not even for a moment."""
        board, units, rulebook = game.board, game.units, game.rulebook
        # A stack enters a hex together, and so does whoever has come by another way than those that a rule names.
        alone = [] if rulebook.stacks else [r for r in rulebook.of(Spaces) if r.when == "always" and not r.ways]
        fights = bool(rulebook.of(Fights))
        for label in position.occupied():
            there = [units[unit] for unit in position.units_in(label)]
            if label not in board.hexes or len(there) < 2:
                continue
            names = " and ".join(unit.id for unit in there)
            if fights and game.at_odds(unit.side for unit in there if unit.side in rulebook.forces.sides):
                self.problem(f"units of two sides never stand in one hex, but {label} holds {names}", "unit")
            elif any(rule.ever_parts(game, label, there) for rule in alone):
                self.problem(f"a hex holds one unit, but {label} holds {names}", "unit")

    def _unit(self, entry: UnitEntry, place: str, rulebook: Rulebook) -> Unit:
        forces = rulebook.forces
        self._check_name("sides", entry.side, f"{place}.side", rulebook)
        traits = set(entry.traits)
        for trait in entry.traits:
            self._check_name("unit_traits", trait, f"{place}.traits", rulebook)
        if self._check_name("unit_types", entry.type, f"{place}.type", rulebook):
            traits.update(forces.unit_types[entry.type].traits)
        national: set[str] = set()
        for nationality in entry.nationality:
            if self._check_name("nationalities", nationality, f"{place}.nationality", rulebook):
                national.update(forces.nationalities[nationality].traits)
        values = self._values(entry, place, rulebook)
        return Unit(
            id=entry.id,
            name=entry.name or entry.id,
            side=entry.side,
            type=entry.type,
            traits=frozenset(traits),
            nationalities=tuple(dict.fromkeys(filter(None, entry.nationality))),
            nationality_traits=frozenset(national),
            steps=entry.steps or len(sides_of(entry.values or "")[0]),
            attack=values["attack"],
            defense=values["defense"],
            ma=values["ma"],
            supplied=entry.supplied,
            support_range=entry.support_range,
            size=self._size(entry, place, rulebook),
            arrives=None if entry.arrives is None else (entry.arrives.turn, entry.arrives.at),
            steps_made=self._steps_made(entry, place, rulebook),
        )

    def _steps_made(self, entry: UnitEntry, place: str, rulebook: Rulebook) -> tuple[tuple[str, Fraction], ...]:
        known = [rule.id for rule in rulebook.tallying if rule.per_turn]
        for rule in entry.steps_made:
            if rule not in known:
                names = listed(known) or "none"
                text = f"must name rules that limit steps in a turn ({names}), not {rule!r}{did_you_mean(rule, known)}"
                self.problem(text, f"{place}.steps_made")
        return tuple(sorted((rule, Fraction(steps)) for rule, steps in entry.steps_made.items() if steps))

    def _size(self, entry: UnitEntry, place: str, rulebook: Rulebook) -> Fraction:
        forces = rulebook.forces
        if entry.size is not None:
            if entry.size in forces.sizes:
                return forces.sizes[str(entry.size)].size
            try:
                return parse_mp(entry.size)
            except ValueError:
                among = f" or one of {listed(forces.sizes)}" if forces.sizes else ""
                self.problem(f"size must be a number{among}, not {entry.size!r}", f"{place}.size")
        elif entry.type in forces.unit_types:
            return forces.unit_types[entry.type].size
        return Fraction(1)

    def _values(self, entry: UnitEntry, place: str, rulebook: Rulebook) -> dict[str, Fraction]:
        values = {"attack": Fraction(0), "defense": Fraction(0), "ma": Fraction(0)}
        printed = rulebook.forces.counter
        if entry.values is not None:
            sides, up = sides_of(entry.values, entry.steps)
            if 1 < len(sides) < (entry.steps or 0):
                self.problem(f"must be at most {len(sides)}, as values has {len(sides)} sides", f"{place}.steps")
            try:
                values |= [self._side(side, printed) for side in sides][up]
            except ValueError:
                self.problem(
                    f'values must be {"-".join(printed)}, such as "{"-".join("3" for _ in printed)}", not {entry.values!r}',
                    f"{place}.values",
                )
        elif entry.ma is None and self._usual_ma(entry, rulebook) is None and self._is_read(entry.type, rulebook):
            self.problem(f"must have values ({'-'.join(printed)}) or ma", place)
        for key in values:
            given = getattr(entry, key)
            if given is not None:
                if entry.values is not None and key in printed:
                    self.problem(f"must have {key} once, in values or by itself", f"{place}.{key}")
                values[key] = given
        if entry.values is None and entry.ma is None:
            values["ma"] = self._usual_ma(entry, rulebook) or Fraction(0)
        return values

    @staticmethod
    def _side(told: str, printed: tuple[str, ...]) -> dict[str, Fraction]:
        """Read the values of one side of a counter; a `ValueError` if they are not what the game prints."""
        values: dict[str, Fraction] = {}
        for shown, part in zip(printed, told.split("-"), strict=True):
            for value in ("attack", "defense") if shown == "strength" else (shown,):
                values[value] = parse_mp(part.strip().strip("()"))
        return values

    @staticmethod
    def _is_read(type_: str, rulebook: Rulebook) -> bool:
        """Tell whether there is a type of units, all of which could be read."""
        return type_ in rulebook.forces.unit_types and f"unit_types.{type_}" not in rulebook.thinned

    @staticmethod
    def _usual_ma(entry: UnitEntry, rulebook: Rulebook) -> Fraction | None:
        """Return the MA that units of the type have; None if the chart says nothing of it."""
        chart = rulebook.forces.unit_types.get(entry.type)
        return None if chart is None else chart.ma
