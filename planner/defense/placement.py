"""Placements of defenders: where each may stand, and the scenario in which they do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod

from planner.errors import InputError, Problem
from planner.rules.combat_roles import Fights
from planner.rules.roles import Spaces, Stacks
from planner.scenario import Scenario, build_scenario
from planner.scenario.background import who_holds_what
from planner.scenario.defense_section import places_of, with_reserves
from planner.scenario.shape import DefenseSection, ScenarioFile
from planner.world.position import Position

OFF = ""
"""Stands for the place of a unit that is left off the map."""


@dataclass(frozen=True)
class Placement:
    """Where defenders are placed, or moved to; those that are left where they are aren't named.

    Attributes
    ----------
    at : tuple of (unit, hex) pairs
        In the order of the scenario.
    """

    at: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return ", ".join(f"{unit} in {label}" for unit, label in self.at) or "nobody is placed"


def _with_reserves(scenario: Scenario) -> Scenario:
    """Return a scenario with the units that it has for its defense alone, off the map."""
    if scenario.defense is None or not scenario.defense.unit:
        return scenario
    built = build_scenario(with_reserves(scenario.data), scenario.where, scenario.beside)
    return replace(built, requirements=scenario.requirements, tiers=scenario.tiers).contesting(scenario.requirements)


class Placements:
    """The placements that a scenario's defense allows.

    Parameters
    ----------
    scenario : Scenario
        It must have a defense.

    Attributes
    ----------
    scenario : Scenario
        The position, with the units that are there for the defense alone.
    choices : dict from units to tuple of str
        For each defender the places in which it may be: first where it is if it is left alone, `OFF` for off the map.
    most : int
        How many of them may be placed, or moved.

    Raises
    ------
    InputError
        If the scenario says nothing of a defense.
    """

    def __init__(self, scenario: Scenario) -> None:
        if scenario.defense is None:
            what = "must say which units may be placed, and where: by a table 'defense', or by --place"
            raise InputError([Problem(what, scenario.where)])
        # Goal and objective are asked about apart, but if either looks at attacks the enemy says who attacks whom in both.
        scenario = replace(_with_reserves(scenario), attacking=scenario.asks_for_attacks)
        self.scenario = scenario
        self._game = game = scenario.game
        assert scenario.defense is not None
        section: DefenseSection = scenario.defense
        self._given = {
            label: side
            for side, labels in ScenarioFile.model_validate(dict(scenario.data)).control.items()
            for label in labels
        }
        self._book = game.rulebook
        self.home = {unit: scenario.start.at.get(unit, OFF) for entry in section.place for unit in entry.units}
        found = {
            unit: (self.home[unit], *places_of(game, scenario.start, unit, entry))
            for entry in section.place
            for unit in entry.units
        }
        self.choices = {unit: found[unit] for unit in game.units if unit in found}
        self.most = len(self.choices) if section.most is None else min(section.most, len(self.choices))

    @property
    def space(self) -> int:
        """How many placements there are at most, whether or not they obey the rules of stacking."""
        return prod(len(places) for places in self.choices.values())

    def placement(self, places: Mapping[str, str]) -> Placement:
        """Return a placement, given the place of each defender."""
        return Placement(tuple((unit, places[unit]) for unit in self.choices if places[unit] != self.home[unit]))

    def placed(self, places: Mapping[str, str]) -> Scenario:
        """Return the scenario with the defenders in their places, as if its author had put them there."""
        game, start = self._game, self.scenario.start
        at, boxes = {}, {}
        for unit in game.units:
            place = places.get(unit, start.at.get(unit, OFF))
            if place != OFF:
                at[unit] = place
            else:
                boxes[unit] = start.boxes.get(unit, "")
        position = Position(at, boxes)
        control = who_holds_what(
            game.rulebook, game.board, game.units, position, game.situation.markers, dict(self._given)
        )
        situation = replace(game.situation, control=control)
        other = replace(game, homes=dict(at), situation=situation, _cache={})
        return replace(self.scenario, game=other, start=position)

    def quarrel(self, places: Mapping[str, str]) -> tuple[str, ...] | None:
        """Return the defenders in a hex who may not be there together, or with who is there anyway; None: all is well."""
        game = self._game
        if sum(places[unit] != self.home[unit] for unit in self.choices) > self.most:
            return tuple(unit for unit in self.choices if places[unit] != self.home[unit])
        scenario = self.placed(places)
        sides = {game.units[unit].side for unit in self.choices}
        wrong: set[str] = set()
        for side in sides:
            theirs = scenario.game.in_phase_of(side)
            for limiting in self._book.of(Stacks):
                wrong |= {finding.at or "" for _, finding in limiting.check_end(theirs, scenario.start)}
        for label in {places[unit] for unit in self.choices if places[unit] in game.board.hexes}:
            there = [game.units[unit] for unit in scenario.start.units_in(label)]
            if self._book.of(Fights) and game.at_odds(unit.side for unit in there):
                wrong.add(label)
            for rule in self._book.of(Spaces):
                if not rule.ways and rule.ever_parts(game, label, there):
                    wrong.add(label)
        for label in sorted(wrong):
            # What the author has put together stays together: only who has been placed is looked at.
            guests = tuple(unit for unit in self.choices if places[unit] == label)
            if any(places[unit] != self.home[unit] for unit in guests):
                return guests
        return None
