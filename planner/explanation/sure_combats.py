"""Whom no combats are sure to drive out of their hex, whoever fights, from wherever, in whatever groups and order.

A plan has to stand whatever is drawn. So a hex of the enemy's where something may always be drawn that leaves somebody there
is a hex into which nobody can be sure to come, and through which nobody can be sure to pass.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from planner.rules.combat_roles import Fights
from planner.rules.combat_table import Aftermath, CombatColumn
from planner.rules.demands import Arc
from planner.rules.game import Game
from planner.rules.play import ways_from

MOST_CANDIDATES = 5
"""Against a hex that more units can attack, not every order of groups is gone through."""

Foes = tuple[tuple[str, bool], ...]
"""The defenders that are left, each with whether it has been demoralized in this phase."""


def held_for_sure(
    game: Game,
    shaken: Collection[str],
    reached: Callable[[str, frozenset[str]], frozenset[str]],
    exempt: Callable[[str, str], bool],
    units: Iterable[str],
) -> frozenset[str]:
    """Return the enemies' hexes that no combats are sure to open: none too many, some too few.

    Parameters
    ----------
    game : Game
        The game, in which a plan must stand whatever is drawn.
    shaken : collection of str
        Who has been demoralized in this phase already.
    reached : callable
        Returns the hexes that a unit might come by, whatever the others do for it, if some hexes stay the enemies'.
    exempt : callable
        Tells whether a unit wins as if there were no table where it enters a hex, as in a relaxed game.
    units : iterable of str
        The units that may move.
    """
    rule, labels = _fought_for(game)
    movers, held = list(units), frozenset[str]()
    while rule is not None:  # where nobody comes by hexes that are held, more of them are
        ways = {unit: reached(unit, held) for unit in movers}
        more = set()
        for label in (label for label in labels if label not in held):
            able = [unit for unit in movers if label in ways[unit]]
            siege = _Siege(game, rule, label, shaken, frozenset(unit for unit in able if exempt(unit, label)))
            # Nobody attacks a hex from beyond it before it has been opened; most can't even be opened from there.
            if not siege.may_be_won(_origins(game, label, {unit: ways[unit] for unit in able}), held):
                more.add(label)
                continue
            nearer = {unit: reached(unit, held | {label}) for unit in able}
            if not siege.may_be_won(_origins(game, label, nearer), held):
                more.add(label)
        if not more:
            break
        held |= more
    return held


def shut_to(
    game: Game,
    shaken: Collection[str],
    reached: Callable[[str, frozenset[str]], frozenset[str]],
    exempt: Callable[[str, str], bool],
    others: Iterable[str],
    held: frozenset[str],
) -> frozenset[str]:
    """Return further hexes of the enemies' that no combats of some units are sure to open: none too many, some too few.

    Who fights goes no further. So another unit isn't sure to pass through them, unless it wins as if there were no table.

    Parameters
    ----------
    game, shaken, reached, exempt
        As those of `held_for_sure`.
    others : iterable of str
        The units.
    held : frozenset of str
        The hexes that no combats are sure to open.
    """
    rule, labels = _fought_for(game)
    if rule is None:
        return frozenset()
    ways = {other: reached(other, held) for other in others}
    found = set()
    for label in labels:
        if label not in held:
            able = {other: hexes for other, hexes in ways.items() if label in hexes}
            siege = _Siege(game, rule, label, shaken, frozenset(other for other in able if exempt(other, label)))
            if not siege.may_be_won(_origins(game, label, able), held):
                found.add(label)
    return frozenset(found)


def unhurt_for_sure(
    game: Game,
    shaken: Collection[str],
    reached: Callable[[str], frozenset[str]],
    exempt: Callable[[str, str], bool],
    units: Iterable[str],
    enemies: Collection[str],
) -> frozenset[str]:
    """Return the enemies to whom, even if all who may come attack them together, always nothing may happen: none too many.

    Parameters
    ----------
    game, shaken, exempt, units
        As those of `held_for_sure`.
    reached : callable
        Returns the hexes that a unit might come by while those stay the enemies' that no combats are sure to open.
    enemies : collection of str
        Those who are looked at.
    """
    rule, labels = _fought_for(game)
    movers, found = frozenset(units), set[str]()
    homes = {game.homes[enemy] for enemy in enemies}
    for label in (label for label in labels if label in homes):
        if rule is not None and not any(exempt(unit, label) for unit in movers):
            siege = _Siege(game, rule, label, shaken)
            beside = game.board.neighbours[label]
            if all(siege.harmless(origin, movers) for origin in beside):
                found.update(game.enemies_at(label))
                continue
            origins = _origins(game, label, {unit: reached(unit) for unit in movers})
            if all(siege.harmless(origin, able) for origin, able in origins.items()):
                found.update(game.enemies_at(label))
    return frozenset(found)


@dataclass(frozen=True)
class Assault:
    """The strongest attack on a hex that may be made, from one of the hexes beside it.

    Attributes
    ----------
    origin : str
        From where.
    team : tuple of str
        All who may come there, in the order of the scenario.
    attack, defense : int
        Their strength, and that of the defenders.
    enough : int or None
        The least strength with which something is sure to happen to the defenders; None: no strength is enough.
    of_all : bool
        Whether nobody else may come beside the hex, from wherever.
    """

    origin: str
    team: tuple[str, ...]
    attack: int
    defense: int
    enough: int | None
    of_all: bool = True

    def __str__(self) -> str:
        many = len(self.team) > MOST_CANDIDATES
        who = f"{len(self.team)} units" if many else " and ".join(self.team)
        return f"{who} from {self.origin}, {self.attack} against {self.defense}"


def strongest_assault(
    game: Game, shaken: Collection[str], label: str, origins: Mapping[str, Collection[str]]
) -> Assault | None:
    """Return the attack of all that may come beside a hex that does the defenders the most harm; None: nobody may come.

    Parameters
    ----------
    game : Game
        The game.
    shaken : collection of str
        Who has been demoralized in this phase already.
    label : str
        The hex.
    origins : mapping from str to collections of str
        For each hex beside it, who may come there.
    """
    rule, found = next(iter(game.rulebook.of(Fights)), None), list[tuple[int, int, Assault]]()
    for origin, able in origins.items() if rule is not None else ():
        if rule is not None and able:
            siege = _Siege(game, rule, label, shaken)
            attack, defense = siege.strengths(able)
            column = rule.columns.index(rule.column_of(game, attack, defense, origin, label))
            of_all = all(set(able).issuperset(others) for others in origins.values())
            one = Assault(origin, game.sorted(able), attack, defense, siege.enough(origin, attack), of_all)
            found.append((column, attack, one))
    return max(found, key=lambda each: each[:2], default=(0, 0, None))[2]


def _fought_for(game: Game) -> tuple[Fights | None, list[str]]:
    """Return the rule by which hexes are fought for, and those of which it is known from where; None: it may be any."""
    book, board = game.rulebook, game.board
    rule = next(iter(book.of(Fights)), None)
    if rule is None or game.situation.confidence < 1:
        return None, []
    labels = dict.fromkeys(game.homes[unit] for unit in game.homes if game.is_enemy(unit))
    known = (one for one in labels if one in board.hexes and not board.box_links.get(one))
    afar = game.cached("entered from afar", lambda: _entered_from_afar(game))
    return rule, [label for label in known if not board.zones_of(label) and label not in afar]


def _entered_from_afar(game: Game) -> frozenset[str]:
    """Return the places into which steps may lead that cross no hexside, so that nobody fights there."""
    ways = ((way, label) for label in game.board.places for way in ways_from(game, label))
    return frozenset(to for way, label in ways for to in way.leads_afar(game, label) or ())


def _origins(game: Game, label: str, ways: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """Return from where which units attack a hex, if they come by some hexes."""
    return {origin: frozenset(unit for unit in ways if origin in ways[unit]) for origin in game.board.neighbours[label]}


class _Siege:
    """Combats for one hex, in which all that may be drawn is drawn against the attackers."""

    def __init__(
        self, game: Game, rule: Fights, label: str, shaken: Collection[str], exempt: frozenset[str] = frozenset()
    ) -> None:
        self._game, self._rule, self._label, self._exempt = game, rule, label, exempt
        self._shaken = frozenset(shaken)
        self._foes: Foes = tuple((enemy, enemy in self._shaken) for enemy in game.enemies_at(label))
        self._known: dict[tuple[Foes, frozenset[str]], bool] = {}

    def may_be_won(self, origins: Mapping[str, frozenset[str]], held: Collection[str]) -> bool:
        """Tell whether combats of units that attack from some hexes may be sure to leave nobody in the hex."""
        origins = {origin: units for origin, units in origins.items() if units}
        able = frozenset[str]().union(*origins.values())
        if not able:
            return False
        if not self._exempt and all(self.harmless(origin, able) for origin in origins):
            return False
        board = self._game.board
        others = {self._game.homes[enemy] for enemy in self._game.homes if self._game.is_enemy(enemy)} - {self._label}
        # Whoever gives way into the hex may change what damage does to those who are there.
        if len(able) > MOST_CANDIDATES or any(near in others - set(held) for near in board.neighbours[self._label]):
            return True
        self._known.clear()  # it is known of some origins only
        return self._won(self._foes, able, origins)

    def harmless(self, origin: str, able: Collection[str]) -> bool:
        """Tell whether from one hex, even all together, attackers may always draw something that does no damage."""
        return self._harmless(origin, *self.strengths(able))

    def strengths(self, able: Collection[str]) -> tuple[int, int]:
        """Return the strength of attackers, and of the defenders."""
        units = self._game.units
        attack = sum(self._rule.strength_of(units[unit], self._shaken) for unit in able)
        return attack, sum(self._rule.strength_of(units[enemy], self._shaken) for enemy, _ in self._foes)

    def enough(self, origin: str, attack: int) -> int | None:
        """Return the least strength, above one, that is sure to do damage from a hex; None: there is none."""
        defense = self.strengths(())[1]
        most = attack + max(1, defense) * (2 + max(column.from_percent for column in self._rule.columns) // 100)

        def sure(strength: int) -> bool:
            column: CombatColumn = self._rule.column_of(self._game, strength, defense, origin, self._label)
            return all(theirs > 0 for _, theirs in column.entries)

        return next((more for more in range(attack + 1, most + 1) if sure(more)), None)

    def _harmless(self, origin: str, attack: int, defense: int) -> bool:
        best: CombatColumn = self._rule.column_of(self._game, attack, defense, origin, self._label)
        upto = self._rule.columns.index(best) + 1
        return all(any(theirs == 0 for _, theirs in column.entries) for column in self._rule.columns[:upto])

    def _won(self, foes: Foes, left: frozenset[str], origins: Mapping[str, frozenset[str]]) -> bool:
        """Tell whether those who haven't fought yet can be sure to leave none of some defenders in the hex."""
        if not foes:
            return True
        if (foes, left) not in self._known:
            self._known[foes, left] = any(
                self._won_by(team, origin, foes, left, origins)
                for origin, able in origins.items()
                for size in range(len(left & able), 0, -1)
                for team in combinations(self._game.sorted(left & able), size)
            )
        return self._known[foes, left]

    def _won_by(
        self,
        team: tuple[str, ...],
        origin: str,
        foes: Foes,
        left: frozenset[str],
        origins: Mapping[str, frozenset[str]],
    ) -> bool:
        """Tell whether they can be sure of it if a team fights next: who is exempt draws what is best, and goes on."""
        results = self._results(foes, origin, team)
        if not self._exempt.issuperset(team):
            left = left - frozenset(team) | (left & self._exempt)
            return all(self._won(self._after(foes, one), left, origins) for one in results)
        best = min(_badness(one, team) for one in results)
        rests = {self._after(foes, one) for one in results if _badness(one, team) == best}
        return any(rest != foes and self._won(rest, left, origins) for rest in rests)

    def _results(self, foes: Foes, origin: str, team: tuple[str, ...]) -> list[Aftermath]:
        """Return everything to which a combat may lead."""
        units = self._game.units
        return self._rule.aftermath(
            self._game,
            [units[unit] for unit in team],
            [units[enemy] for enemy, _ in foes],
            Arc(origin, self._label),
            self._weak(foes),
            lambda *_: False,
        )

    def _weak(self, foes: Foes) -> frozenset[str]:
        return self._shaken | {enemy for enemy, demoralized in foes if demoralized}

    def _after(self, foes: Foes, result: Aftermath) -> Foes:
        """Return whom a result leaves in the hex."""
        gone = result.eliminated | {unit for unit, _ in result.back}
        weak = self._weak(foes) | result.shaken
        return tuple((enemy, enemy in weak) for enemy, _ in foes if enemy not in gone)


def _badness(result: Aftermath, team: Collection[str]) -> tuple[object, ...]:
    """Return by what results are ordered, from the best for the attackers on."""
    own = frozenset(team)
    lost, harm = len(result.eliminated & own), len(result.shaken & own)
    return not result.good, lost, harm, lost - len(result.eliminated), harm - len(result.shaken)
