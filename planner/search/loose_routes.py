"""Where units may go at most where entering an enemy's hex is a combat."""

from __future__ import annotations

from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.combat_roles import Fights
from planner.search.combat_routes import Routes, routes_of
from planner.search.hex_combats import HexCombats
from planner.search.retreats import PossibleRetreats


class LooseRoutes:
    """Where units may go, whatever others do: too many ways, never too few.

    They go through enemies' hexes, too, if these might be cleared before with as much certainty as the scenario asks for:
    for certain only by others who get beside them, since whoever has fought moves no further.

    Parameters
    ----------
    reach : ConditionalReach
        What single units can do; in a game in which nobody is overrun.
    rule : Fights
        The rule.

    Attributes
    ----------
    routes : dict from units to Routes
        The ways of each unit that may move.

    Raises
    ------
    OutOfTimeError
        If it gets late.
    """

    def __init__(self, reach: ConditionalReach, rule: Fights) -> None:
        self._reach, self._rule = reach, rule
        self._known: dict[str, HexCombats] = {}
        passable = dict.fromkeys(reach.movers, self._passable())
        self._follow(passable)
        while reach.game.situation.confidence == 1 and (fewer := self._surely_cleared(passable)) != passable:
            passable = fewer
            self._follow(passable)

    def combats(self, label: str) -> HexCombats:
        """Return what combats for a hex of enemies by those routes may come to."""
        if label not in self._combats:
            found = HexCombats(self._reach, self._rule, label, self.routes, self._retreats)
            known = self._known.get(label)
            self._combats[label] = self._known[label] = known if known is not None and known.is_like(found) else found
        return self._combats[label]

    def driven(self, label: str) -> set[str]:
        """Return where enemies of a hex may get by giving way."""
        return self._retreats.driven(label)

    def through(self, unit: str, place: str) -> Routes:
        """Return the ways of a unit on which it is in a place, first, last or in between."""
        if (unit, place) not in self._through:
            self._through[unit, place] = routes_of(self._reach, unit, self._passing[unit], through=place)
        return self._through[unit, place]

    def _follow(self, passable: dict[str, frozenset[str]]) -> None:
        self.routes: dict[str, Routes] = {unit: routes_of(self._reach, unit, some) for unit, some in passable.items()}
        self._retreats = PossibleRetreats(self._reach.game, self._rule, self.routes)
        self._combats: dict[str, HexCombats] = {}
        self._passing, self._through = passable, dict[tuple[str, str], Routes]()

    def _passable(self) -> frozenset[str]:
        """Return the enemies' hexes that all together might clear with as much certainty as the scenario asks for."""
        game, rule = self._reach.game, self._rule
        labels = {home for enemy, home in game.homes.items() if game.is_enemy(enemy) and home in game.board.hexes}
        if game.situation.confidence < 1:
            return frozenset(labels)
        attack = sum(rule.strength_of(game.units[unit], ()) for unit in self._reach.movers)
        found = set()
        for label in labels:
            foes = [game.units[enemy] for enemy in game.enemies_at(label)]
            defense = sum(rule.strength_of(unit, {foe.id for foe in foes}) for unit in foes)
            for origin in game.board.neighbours[label]:
                best = rule.columns.index(rule.column_of(game, attack, defense, origin, label))
                if any(all(harm for _, harm in column.entries) for column in rule.columns[: best + 1]):
                    found.add(label)
        return frozenset(found)

    def _surely_cleared(self, passable: dict[str, frozenset[str]]) -> dict[str, frozenset[str]]:
        """Return by units the hexes, of some, that others might clear for certain."""
        kept = {unit: set(labels) for unit, labels in passable.items()}
        for label in sorted(frozenset[str]().union(*passable.values())):
            combats = self.combats(label)
            if combats.too_many:
                continue
            for unit in (unit for unit, labels in kept.items() if label in labels):
                if not combats.surely(frozenset(combats.candidates) - {unit}):
                    kept[unit].remove(label)
        return {unit: frozenset(labels) for unit, labels in kept.items()}
