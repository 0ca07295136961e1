"""Where EZOCs lie in a position, and where they are negated."""

from __future__ import annotations

from dataclasses import dataclass

from planner.rules.game import Game
from planner.rules.roles import Controls
from planner.rules.zone_effects import Effect
from planner.world.position import Position
from planner.world.selectors import HexsideSelector


@dataclass(frozen=True)
class Ezoc:
    """What enemy zones of control mean in a hex.

    Attributes
    ----------
    exerters : tuple of str
        The enemies whose ZOC reaches it, in the order of the scenario.
    negated : bool
        Whether a friend in the hex, or a marker, negates all of them for friends that come.
    paragraphs : tuple of str
        The printed paragraphs that say what the EZOCs do there.
    """

    exerters: tuple[str, ...]
    negated: bool
    paragraphs: tuple[str, ...]


def ezocs(game: Game, position: Position, moving: frozenset[str] = frozenset()) -> dict[str, Ezoc]:
    """Return the EZOCs of the phasing side's enemies that do something in this phase, by hex.

    Parameters
    ----------
    game : Game
        The game.
    position : Position
        The board as it stands.
    moving : frozenset of str
        Units that still move in this phase: in some games they negate nothing.
    """
    found: dict[str, Ezoc] = {}
    for rule in game.rulebook.of(Controls):
        for label, ezoc in _of_rule(rule, game, position, moving).items():
            other = found.get(label)
            if other is not None:
                exerters = game.sorted({*other.exerters, *ezoc.exerters})
                paragraphs = tuple(dict.fromkeys((*other.paragraphs, *ezoc.paragraphs)))
                ezoc = Ezoc(exerters, other.negated and ezoc.negated, paragraphs)
            found[label] = ezoc
    return found


class _Reach:
    """What of a rule's zones of control stays the same in every position of a phase, worked out when first asked for."""

    def __init__(self, rule: Controls, game: Game) -> None:
        self._rule, self._game = rule, game
        phase = game.situation.phase
        self._effects = [effect for effect in rule.effects if not effect.phases or phase in effect.phases]
        self.exerting = frozenset(
            unit.id for unit in game.units.values() if game.is_enemy(unit.id) and rule.exerted_by.matches(unit)
        )
        self._around: dict[tuple[HexsideSelector, str], tuple[str, ...]] = {}
        self._here: dict[str, tuple[Effect, ...]] = {}

    def around(self, unit: str, home: str) -> tuple[str, ...]:
        """Return the hexes that a unit's ZOC reaches from a hex."""
        board, blocked = self._game.board, self._rule.barriers_of(self._game.units[unit])
        if (blocked, home) not in self._around:
            reached = tuple(to for to in board.neighbours[home] if not blocked.matches(board, home, to))
            self._around[blocked, home] = reached
        return self._around[blocked, home]

    def effects(self, label: str) -> tuple[Effect, ...]:
        """Return what an EZOC does in a hex."""
        if label not in self._here:
            place, weather = self._game.board.places[label], self._game.weather(label)
            self._here[label] = tuple(effect for effect in self._effects if effect.where.matches(place, weather))
        return self._here[label]


def _of_rule(rule: Controls, game: Game, position: Position, moving: frozenset[str]) -> dict[str, Ezoc]:
    reach = game.cached((rule.id, "drawn"), lambda: _Reach(rule, game))
    reached: dict[str, set[str]] = {}
    for unit in game.sorted(reach.exerting & position.at.keys()):
        for label in reach.around(unit, position.at[unit]):
            reached.setdefault(label, set()).add(unit)
    found = {}
    for label, exerters in reached.items():
        if here := reach.effects(label):
            negated = all(effect.negatable for effect in here) and _negated(rule, game, position, label, moving)
            paragraphs = tuple(dict.fromkeys(effect.paragraph for effect in here))
            found[label] = Ezoc(game.sorted(exerters), negated, paragraphs)
    return found


def _negated(rule: Controls, game: Game, position: Position, label: str, moving: frozenset[str]) -> bool:
    for unit in position.units_in(label):
        friend = not game.is_enemy(unit) and rule.negated_by.matches(game.units[unit])
        if friend and not (rule.negated_for_good and unit in moving):
            return True
    markers = rule.negating_markers
    return markers is not None and any(
        marker.side == game.situation.phasing and marker.id not in position.lost and markers.matches(marker)
        for marker in game.markers_at(label)
    )
