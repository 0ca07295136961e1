"""What of all that the units can do can matter to the objective: the rest is left out before a model is built.

A possibility *matters* if its unit ends where the objective looks, or where another unit's possibility that matters
needs a friend; if it eliminates whom the objective or another such possibility wants gone; or if others may need the
room that its unit leaves. That is a least fixed point, from the objective on: two moves that are of use to each other
alone are of no use.

Leaving the rest out loses nothing. Take any plan, and let all who make other moves stay where they are. Whatever the
moves that are left needed of a friend's coming, or of an enemy's end, is still there; what they needed of somebody's
leaving is there, because all possibilities of units count whose hex others might have to find free. No term counts a
move in a plan's favour but through where it ends and whom it eliminates (`Term.depends_on`), and all else costs.

Of moves that matter for whom they eliminate alone, it doesn't matter where they end; one that does as much with no more
MP and no further needs, and ends where no limit can bind, takes the place of the others, but for those that must come
before all others: these alone are in nobody's way who must, too. Where the objective doesn't ask for MP, this holds whatever
they cost, and of all ways to end in one hex, those that eliminate no more and need more of others have no use.

What units do together, or roll for, counts all of it: whatever a team needs of others matters, and where its units may end
or be stuck, there may be crowds. This holds where nobody relies on a roll: then a move that is of no use to any other one,
whatever is rolled, can be left undone in every outcome.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple
from zlib import crc32

from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.possibility import Possibility
from planner.reachability.team_possibility import TeamPossibility
from planner.rules.atoms import Atom
from planner.rules.demands import Demand
from planner.rules.game import Game
from planner.rules.roles import Ends
from planner.solver.tuning import Relevant

Possibilities = Mapping[str, Sequence[Possibility]]


class UnknownError(Exception):
    """A rule asks for something of the last position of which it isn't known here who it binds."""


@dataclass
class CrowdingEndState:
    """An `EndState` that notes in which hexes some rule could be broken, if each unit ends in any of its hexes.

    Attributes
    ----------
    game : Game
        The game.
    stands_in : mapping from units to hexes
        Where each unit may end.
    hexes : set of str
        Where a limit can bind.
    """

    game: Game
    stands_in: Mapping[str, Collection[str]]
    hexes: set[str] = field(default_factory=set)

    def moves(self, unit: str) -> object:
        """Return what stands for the unit's making a move."""
        return ("moves", unit, "")

    def negate(self, expression: object) -> object:
        """Return what stands for the contrary."""
        return ("not", expression, "")

    def all_of(self, expressions: Iterable[object]) -> object:
        """Return what stands for all of several things."""
        return ("all", tuple(expressions), "")

    def gone(self, enemy: str) -> object:
        """Return what stands for the enemy's being eliminated."""
        return ("gone", enemy, "")

    def taken(self, label: str) -> object:
        """Return what stands for the place's being taken."""
        return ("taken", "", label)

    def stands(self, unit: str, label: str) -> object:
        """Return what stands for the unit's ending in the hex."""
        return ("stands", unit, label)

    def possible_stands(self, unit: str) -> Sequence[str]:
        """Return where the unit may end."""
        return tuple(self.stands_in.get(unit, ()))

    def at_most(self, terms: Sequence[tuple[int, Any]], limit: int, demand: Demand) -> None:
        """Note the hexes of those who stand in the sum; moves in it are those that are left out."""
        for weight, (kind, _, label) in terms:
            if weight < 0 or kind in ("not", "all"):
                raise UnknownError
            if kind == "stands":
                self.hexes.add(label)


NOTHING: frozenset[str] = frozenset()


class _Choice(NamedTuple):
    """What can matter of a unit's possibilities, as far as it is known who needs what.

    Attributes
    ----------
    kept : list of Possibility
        Those that can.
    ends : frozenset of str
        Where they end.
    needed : int
        What they need, a bit for each atom.
    relied : frozenset of str
        Where moves end that make others needless, and where the unit stands.
    """

    kept: list[Possibility]
    ends: frozenset[str]
    needed: int
    relied: frozenset[str]


@dataclass(frozen=True)
class _Choices:
    """A unit's possibilities, those that spend less first.

    Attributes
    ----------
    ranked : list of (possibility, int, hex, enemies)
        Each with what it needs, a bit for each atom, where it ends and whom it eliminates.
    naming : mapping from names to indices
        Which of them end in a hex, or eliminate somebody.
    names : frozenset of str
        Where they end, whom they eliminate, and where the unit stands.
    atoms : sequence of Atom
        What they need, in the order of the bits.
    made : dict from (names, names) to _Choice
        What can matter by which of the names are wanted, and in which of these hexes there may be no room.
    """

    ranked: list[tuple[Possibility, int, str, tuple[str, ...]]]
    naming: Mapping[str, Sequence[int]]
    names: frozenset[str]
    atoms: Sequence[Atom]
    made: dict[tuple[frozenset[str], frozenset[str]], _Choice] = field(default_factory=dict)

    def that_name(self, names: Collection[str]) -> list[tuple[Possibility, int, str, tuple[str, ...]]]:
        """Return those that end in one of some hexes, or eliminate one of some enemies, in their order."""
        indices = sorted({index for name in names for index in self.naming.get(name, ())})
        return [self.ranked[index] for index in indices]


_NOTHING_YET = _Choice([], NOTHING, 0, NOTHING)


class Relevance:
    """What can matter of the units' possibilities.

    Parameters
    ----------
    reach : ConditionalReach
        Where the possibilities come from, of a game in which nobody relies on results that are rolled.
    possibilities : mapping from units to possibilities
        All of them.
    goals : collection of str
        The hexes and the enemies on which objective and requirements depend.
    mp_counts : bool
        Whether the objective asks how many MP are spent.
    spread : bool
        Whether moves that end nowhere in particular may be long ones, so that units are in each other's way in fewer
        hexes and less need be kept: for plans that will be made cheaper. Only where MP don't count.
    teams : sequence of TeamPossibility
        What units can do together, or roll for.

    Raises
    ------
    OutOfTimeError
        Here, and by its methods, as those of `reach` have it.
    """

    def __init__(
        self,
        reach: ConditionalReach,
        possibilities: Possibilities,
        goals: Collection[str],
        mp_counts: bool = True,
        spread: bool = False,
        teams: Sequence[TeamPossibility] = (),
    ) -> None:
        self._teams = teams
        self._mp_counts, self._spread = mp_counts, spread
        self._reach, self._game = reach, reach.game
        self._all = possibilities
        # The hexes and enemies that are wanted for whomever, and those that one unit alone wants of the others.
        self._wanted, self._wanted_by = set(goals), dict[str, str]()
        self._choices = {unit: self._choices_of(unit) for unit in possibilities}
        self._chosen = dict.fromkeys(possibilities, _NOTHING_YET)
        # What each unit needs of others.
        self._needs: dict[str, int] = dict.fromkeys(possibilities, 0)
        # Hexes in which somebody needs room: nobody may be taken to stay, or to end, there instead.
        self._to_be_left: set[str] = set()
        self._crowded: set[str] = set()
        # Hexes and enemies of which something has become known since; hexes that have become crowded since.
        self._news: set[str] = set()
        self._filled: set[str] = set()
        # Whether some unit has come to end elsewhere since it was looked for crowds.
        self._spreading = True

    def _choices_of(self, unit: str) -> _Choices:
        """Rank the possibilities of a unit; those that have been ranked for another position are known."""
        self._reach.check_time()
        kept, key = self._reach.kept, ("what matters", self._mp_counts, self._spread)
        known = {} if kept is None else kept.worked_out(unit, self._all[unit])
        choices = known.get(key)
        if not isinstance(choices, _Choices):
            choices = known[key] = self._ranked(unit)
        return choices

    def _ranked(self, unit: str) -> _Choices:
        # Whoever ends nowhere in particular had better be in nobody's way: each unit looks elsewhere first.
        elsewhere = {found.end: crc32(f"{unit} {found.end}".encode()) for found in self._all[unit]}
        scale = self._reach.scale

        def scaled(found: Possibility) -> int:
            # All MP are whole multiples of one by the scale.
            return found.mp.numerator * (scale // found.mp.denominator)

        def place(found: Possibility) -> tuple[int, ...]:
            if self._mp_counts:
                return scaled(found), len(found.needs), -len(found.removes), elsewhere[found.end]
            if self._spread:
                return len(found.needs), elsewhere[found.end], scaled(found)
            return len(found.needs), scaled(found), elsewhere[found.end]

        numbers: dict[Atom, int] = {}
        # Many possibilities need the very same things.
        masks: dict[frozenset[Atom], int] = {}
        for needs in {found.needs for found in self._all[unit]}:
            masks[needs] = sum(1 << numbers.setdefault(atom, len(numbers)) for atom in needs)
        ranked = [(found, masks[found.needs], found.end, found.removes) for found in sorted(self._all[unit], key=place)]
        naming: dict[str, list[int]] = {}
        for index, (_, _, end, removes) in enumerate(ranked):
            naming.setdefault(end, []).append(index)
            for enemy in removes:
                naming.setdefault(enemy, []).append(index)
        return _Choices(ranked, naming, frozenset([self._game.homes[unit], *naming]), tuple(numbers))

    def kept(self) -> dict[str, list[Possibility]]:
        """Return the possibilities that can matter; all of them where that can't be told."""
        everything = {unit: list(those) for unit, those in self._all.items()}
        enough = Relevant.enough * sum(map(len, everything.values()))
        changed = list(self._all)
        try:
            self._ask_for_teams()
            self._look_for_crowds()
            for _ in range(Relevant.rounds):
                self._news.clear()
                self._filled.clear()
                for unit in changed:
                    self._reach.check_time()
                    self._choose(unit)
                if sum(len(chosen.kept) for chosen in self._chosen.values()) > enough:
                    break
                self._look_for_crowds()
                changed = [
                    unit
                    for unit, choices in self._choices.items()
                    if not self._news.isdisjoint(choices.names)
                    or not self._filled.isdisjoint(self._chosen[unit].relied)
                ]
                if not changed:
                    return {unit: list(chosen.kept) for unit, chosen in self._chosen.items()}
        except UnknownError:
            pass
        return everything

    def _choose(self, unit: str) -> None:
        """Keep what can matter of a unit's possibilities, as far as it is known who needs what."""
        choices, by = self._choices[unit], self._wanted_by
        names = choices.names
        wanted = names & self._wanted | {name for name in names & by.keys() if by[name] != unit}
        narrow = self._narrow(names)
        chosen = choices.made.get((wanted, narrow))
        if chosen is None:
            if len(choices.made) >= Relevant.kept:
                choices.made.clear()
            chosen = choices.made[wanted, narrow] = self._choice(choices, self._game.homes[unit], wanted, narrow)
        self._spreading = self._spreading or chosen.ends != self._chosen[unit].ends
        self._chosen[unit] = chosen
        new = chosen.needed & ~self._needs[unit]
        self._needs[unit] |= new
        while new:
            self._ask(unit, choices.atoms[(new & -new).bit_length() - 1])
            new &= new - 1

    def _choice(self, choices: _Choices, home: str, wanted: frozenset[str], narrow: frozenset[str]) -> _Choice:
        """Return what can matter where some names are wanted, and there may be no room in some hexes."""
        # Who stands where others need room may have to leave, wherever to.
        anything = home in narrow
        best: dict[frozenset[str], list[tuple[int, str]]] = {}
        at_end: dict[str, list[tuple[int, frozenset[str]]]] = {}
        # Of whom each of them eliminates, those who are wanted gone.
        gone: dict[tuple[str, ...], frozenset[str]] = {(): NOTHING}
        kept, needed, relied, mp_counts = [], 0, {home}, self._mp_counts
        # Others, too, may have to come before all steps but these, and need the unit to have left.
        foremost = sum(1 << bit for bit, atom in enumerate(choices.atoms) if atom.foremost)
        for found, needs, end, victims in choices.ranked if anything else choices.that_name(wanted):
            removes = gone.get(victims)
            if removes is None:
                removes = gone[victims] = frozenset(wanted.intersection(victims))
            lacking = ~needs
            # Of those that eliminate the same, one that does it for less makes needless what ends nowhere in particular.
            rivals = best.setdefault(removes, [])
            if end not in wanted:
                rival = None
                for other, place in rivals:
                    if not other & lacking and not needs & foremost & ~other:
                        rival = place
                        break
                if rival is not None:
                    relied.add(rival)
                    continue
            if not mp_counts:
                here, beaten = at_end.setdefault(end, []), False
                for other, more in here:
                    if not other & lacking and more >= removes:
                        beaten = True
                        break
                if beaten:
                    continue
                here.append((needs, removes))
            kept.append(found)
            needed |= needs
            if len(rivals) < Relevant.rivals and end not in narrow:
                rivals.append((needs, end))
        return _Choice(kept, frozenset([found.end for found in kept]), needed, frozenset(relied))

    def _narrow(self, names: frozenset[str]) -> frozenset[str]:
        """Return in which of some hexes it hinders somebody, or may break a limit, if a unit stands there."""
        return names & self._crowded | names & self._to_be_left

    def _ask(self, asking: str, atom: Atom) -> None:
        """Note what a unit needs of others, or teams do."""
        # Whoever may be stuck in the hex has overrun the enemy from there, as part of a team.
        for name in atom.names:
            if name not in self._wanted:
                self._news.add(name)
                if self._wanted_by.setdefault(name, asking) != asking:
                    del self._wanted_by[name]
                    self._wanted.add(name)
        if (space := atom.space) is not None and space.hex not in self._to_be_left:
            self._to_be_left.add(space.hex)
            self._news.add(space.hex)

    def _ask_for_teams(self) -> None:
        """Note what teams need of others."""
        for atom in dict.fromkeys(atom for team in self._teams for atom in team.needs):
            self._ask("", atom)  # no unit has that name

    def _look_for_crowds(self) -> None:
        if not self._spreading:
            return
        self._spreading = False
        homes = self._game.homes
        stands_in = {unit: [home] for unit, home in homes.items() if unit in self._game.friends}
        for unit, chosen in self._chosen.items():
            stands_in[unit] = [homes[unit], *(chosen.ends - {homes[unit]})]
        for unit, places in self._team_places.items():
            stands_in[unit] = list(dict.fromkeys([*stands_in.get(unit, ()), *places]))
        crowds = CrowdingEndState(self._game, stands_in)
        for rule in self._reach.of(Ends):
            rule.post_end(crowds)
        # What has been crowded once stays so: less is left out than might be, and the fixed point is reached.
        self._filled |= crowds.hexes - self._crowded
        self._crowded |= crowds.hexes

    @cached_property
    def _team_places(self) -> dict[str, list[str]]:
        """Where units of teams may stand in the end."""
        found: dict[str, list[str]] = {}
        for team in self._teams:
            for unit in team.units:
                found.setdefault(unit, [self._game.homes[unit]]).extend(place for place, _ in team.places(unit))
        return found
