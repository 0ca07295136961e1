"""Units that are all to end in one hex, and are too many for it, whatever anybody does.

They are where more may not stay than some; and where whoever comes last may not enter, since the others are there.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, permutations

from planner.explanation.needs import Aim, Need
from planner.explanation.set_down import overstacked, set_down
from planner.explanation.single_unit_bounds import Scopes, SingleUnitBounds
from planner.plans.plan import Move, Plan
from planner.reachability.event_reach import waits
from planner.reachability.narrow_hexes import too_many
from planner.reachability.step_rules import Step
from planner.reachability.undisturbed import AtTheStart, groups_of, leaves_no_room, those_who_stay
from planner.referee.referee import Referee
from planner.rules.game import Game
from planner.scenario import Scenario
from planner.solver.step_layer import possible_layers


class Crowds:
    """Knows which units are too many for a hex in relaxed games of one scenario.

    Parameters
    ----------
    bounds : SingleUnitBounds
        Knows the relaxed games.
    """

    def __init__(self, bounds: SingleUnitBounds) -> None:
        self._bounds = bounds
        # Of a unit, where rules bind it: whether it is let into a hex in which others are.
        self._let_in: dict[object, bool] = {}
        self._entering: dict[object, list[Step]] = {}

    def crowded(self, scopes: Scopes, needs: Iterable[Need], confirm: bool) -> bool:
        """Tell whether more units are needed in one hex than may get there, or stay, together; False: it isn't known.

        Parameters
        ----------
        scopes : sequence of Scope or None
            Where rules are in force.
        needs : iterable of Need
            All of what is needed.
        confirm : bool
            Whether the referee must say so, too.

        Raises
        ------
        OutOfTimeError
            If it gets late.
        """
        if self._bounds.scenario.start.attacking:
            return False  # nobody moves any more, and who retreats where is another matter
        apart: dict[str, set[str]] = {}
        for aim in (need[0] for need in needs if len(need) == 1):
            if _stays(aim):
                [label] = aim.ends
                apart.setdefault(label, set()).add(aim.unit)
        return any(self._too_many(scopes, units, label, confirm) for label, units in apart.items() if len(units) > 1)

    def _too_many(self, scopes: Scopes, units: set[str], label: str, confirm: bool) -> bool:
        game = self._bounds.game_with(scopes).game
        if too_many(game, units, label):
            return not confirm or _refused(self._bounds, game, units, label)
        if game.rulebook.stacks:
            return False  # those who move together come together
        # Who is there from the beginning may stay; else whoever comes last finds the other there.
        pairs = (two for two in combinations(game.sorted(units), 2) if {game.homes[one] for one in two} != {label})
        return any(not self._may_meet(scopes, two, label, confirm) for two in pairs)

    def _may_meet(self, scopes: Scopes, two: Iterable[str], label: str, confirm: bool) -> bool:
        """Tell whether one of two units might enter a hex in which the other is; `confirm`: as the referee sees it, too."""
        homes, waiting = self._bounds.scenario.game.homes, waits(self._bounds.scenario.game)
        for unit, other in permutations(two):
            if homes[unit] == label and not waiting:
                continue  # before it leaves, it is the other who comes to it; and so after it is back
            key = (self._bounds.key(scopes, unit), other, label, confirm)
            if key not in self._let_in:
                self._let_in[key] = self._enters(self._bounds.own(scopes, unit), unit, other, label, confirm)
            if self._let_in[key]:
                return True
        return False

    def _enters(self, scopes: Scopes, unit: str, other: str, label: str, confirm: bool) -> bool:
        there = set_down(self._bounds.game_with(scopes), (other,), label)
        alone = {name: members & {other} for name, members in groups_of(there.game).items()}
        staying = those_who_stay(there.game, alone, ())
        entering = self._steps_into(scopes, unit, label)
        return any(_has_room(staying, step) for step in entering) or (
            confirm and any(_is_let_in(there, unit, step) for step in entering)
        )

    def _steps_into(self, scopes: Scopes, unit: str, label: str) -> list[Step]:
        """Return the steps by which a unit might enter a hex."""
        key = (self._bounds.key(scopes, unit), label)
        if key not in self._entering:
            reach, layers = self._bounds.reach(scopes), list[list[Step]]()
            if unit in reach.movers:
                layers = possible_layers(reach, unit, reach.relies_on_rolls)
            self._entering[key] = [step for layer in layers for step in layer if step.arc.to == label]
        return self._entering[key]


def _stays(aim: Aim) -> bool:
    """Tell whether a unit is to end in one hex."""
    return len(aim.ends) == 1 and not aim.removes and not aim.passing


def _refused(bounds: SingleUnitBounds, game: Game, units: set[str], label: str) -> bool:
    """Tell whether the referee lets some units not stay together in a hex in which nobody else stands."""
    position = bounds.scenario.start.copy()
    for other in position.units_in(label):
        position.remove(other, "elsewhere")
    for unit in game.sorted(units):
        position.move(unit, label)
    return overstacked(game, position, label)


def _has_room(staying: AtTheStart | None, step: Step) -> bool:
    """Tell whether a step asks for no room that those who stay in its hex take up."""
    return all(
        any(not any(leaves_no_room(staying, atom) for atom in atoms) for atoms in demand.any_of) for demand in step.now
    )


def _is_let_in(scenario: Scenario, unit: str, step: Step) -> bool:
    """Tell whether the referee lets a unit make a step as the first of its moves."""
    before = set_down(scenario, (unit,), step.arc.origin)
    return Referee(before.game).play(Plan((Move((unit,), (step.arc.origin, step.arc.to)),)), before.start).legal
