"""The coupling layer: what the units' moves have to do with each other.

A unit layer hands over, for each unit that can move, where it ends, whom it eliminates, what it spends and what it needs
of the others. This layer owns the order of the moves, gives every need a witness that comes in time, and describes the
position after the last move to stacking and objective.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, lcm, log2, prod
from typing import Any

from planner.objective import Linear
from planner.reachability.team_possibility import TeamPossibility
from planner.rules.demands import (
    Atom,
    Carried,
    Demand,
    Foremost,
    Friend,
    Gone,
    GoneOrFriend,
    Room,
    There,
    Tick,
    Vacant,
    control_of,
    no_tick,
)
from planner.rules.game import Game
from planner.solver.cp_sat import cp_model, new_model
from planner.solver.move_order import Order
from planner.solver.probability_union import Union


@dataclass
class UnitVariables:
    """What a unit layer hands over for one unit.

    Attributes
    ----------
    moves : literal
        The unit makes a move.
    ends : dict from hexes to literals
        Where it stands after the last move, its home among them if it may stay.
    kills : dict from enemies to literals
        Who is gone once it has moved, on its account.
    needs : dict from atoms to literals
        If the literal holds, so must the atom when the unit moves.
    mp : Linear
        The MP that it spends, scaled.
    sure_ends : dict from hexes to literals, optional
        Those of `ends` that others may rely upon; absent: all.
    sure_kills : dict from enemies to literals, optional
        Those of `kills` that others may rely upon; absent: all.
    stuck : dict from hexes to literals
        Where it may stand instead in the end, if a roll fails on which nobody may rely.
    rolls : dict from (hex, enemy) to literals
        It makes an overrun from the hex in which the enemy is eliminated, or else it is stuck in the hex.
    places : dict from hexes to (probability, literal) pairs
        How likely it is to stand where after the last move, if the literal holds.
    deaths : dict from enemies to (probability, literal) pairs
        How likely each is to be gone once it has moved, if the literal holds.
    foremost : literal
        Its move is one that must come before all others.
    surely_moves : literal or None
        It makes its move whatever is rolled; None: whenever it moves at all.
    arrivals : list of (hex, int, probability, literal)
        Where it may end a move without being stuck, and how many hexes it has entered then, if the literal holds.
    """

    moves: Any
    ends: dict[str, Any]
    kills: dict[str, Any] = field(default_factory=dict)
    needs: dict[Atom, Any] = field(default_factory=dict)
    mp: Linear = field(default_factory=Linear)
    sure_ends: dict[str, Any] | None = None
    sure_kills: dict[str, Any] | None = None
    stuck: dict[str, Any] = field(default_factory=dict)
    rolls: dict[tuple[str, str], Any] = field(default_factory=dict)
    places: dict[str, list[tuple[Fraction, Any]]] = field(default_factory=dict)
    deaths: dict[str, list[tuple[Fraction, Any]]] = field(default_factory=dict)
    foremost: Any = False
    surely_moves: Any = None
    arrivals: list[tuple[str, int, Fraction, Any]] = field(default_factory=list)

    @property
    def reliable_ends(self) -> dict[str, Any]:
        """Where it ends, as far as others may rely on it."""
        return self.ends if self.sure_ends is None else self.sure_ends

    @property
    def reliable_kills(self) -> dict[str, Any]:
        """Who is gone once it has moved, as far as others may rely on it."""
        return self.kills if self.sure_kills is None else self.sure_kills


@dataclass(frozen=True)
class Breach:
    """A demand that a fixed plan may fail, with the literal that says so.

    Attributes
    ----------
    unit : str or None
        The unit that makes the demand.
    step : int or None
        The index of the hex in its path.
    at : str
        The hex.
    demand : Demand
        What is demanded.
    literal : literal
        Holds if the demand fails.
    only : tuple of (unit, literal) pairs
        Of the units to blame, those count whose literal holds; units without one always count.
    """

    unit: str | None
    step: int | None
    at: str
    demand: Demand
    literal: Any
    only: tuple[tuple[str, Any], ...] = ()


class Coupling:
    """The coupling layer of one model.

    Parameters
    ----------
    game : Game
        The board, the units, the rules and the situation.
    mp_scale : int
        By which MP are multiplied.
    groups : mapping from names to units
        The groups of `Friend` atoms.
    soft : bool
        Whether demands may fail, each with a `Breach`, so that a fixed plan can be judged.
    order : mapping from units to places, optional
        The order of the moves, where it is given.
    stacks : mapping from units to places, optional
        Of a given plan: the move to which each unit belongs, so that units of one stack move at one moment.
    without : frozenset of str
        Families of constraints, or ids of rules, to leave out, for tests that must notice it.
    tick : callable
        Called now and then while the model is built; raises when the time is up.

    Attributes
    ----------
    confidence : Fraction
        How likely a result must be at least that others rely on.
    rounded : bool
        Whether a probability had to be rounded up, so that values are no longer exact.
    berths : list of (unit, Carried, markers, literal)
        Each passage with each class of markers that could make it: one of them does if the literal holds.
    """

    FAMILIES = ("friend_in_time", "gone_in_time", "vacant_in_time", "transitive_order", "carriers", "teams")
    """Families of constraints of this layer that `without` may name."""

    def __init__(
        self,
        game: Game,
        mp_scale: int,
        groups: Mapping[str, frozenset[str]],
        *,
        soft: bool = False,
        order: Mapping[str, int] | None = None,
        stacks: Mapping[str, int] | None = None,
        without: frozenset[str] = frozenset(),
        tick: Tick = no_tick,
    ) -> None:
        self.tick = tick
        self.model = new_model()
        self.game = game
        self.mp_scale = mp_scale
        self.soft = soft
        self.breaches: list[Breach] = []
        self.literals: list[Any] = []
        self.units: dict[str, UnitVariables] = {}
        self.order: Order | None = None
        self._groups = groups
        self._fixed = order
        self._stacks = stacks or {}
        self._without = without
        self._gone: dict[str, Any] = {}
        self._surely_gone: dict[str, Any] = {}
        self._holds: dict[tuple[str, Atom], Any] = {}
        self.berths: list[tuple[str, Carried, list[str], Any]] = []
        self.teams: list[tuple[TeamPossibility, Any]] = []
        self._by_stop: dict[str, list[tuple[TeamPossibility, Any]]] | None = None
        self.unions: list[Union] = []
        self.confidence = Fraction(1)
        self.rounded = False
        self.limited = False

    # -- what layers do

    def new_literal(self, name: str) -> Any:
        """Return a fresh 0/1 variable."""
        literal = self.model.new_bool_var(name)
        self.literals.append(literal)
        return literal

    def add_unit(self, unit: str, variables: UnitVariables) -> None:
        """Take over the variables of a unit that can move."""
        self.units[unit] = variables

    def add_team(self, team: TeamPossibility, literal: Any) -> None:
        """Take over that units move together, at the moment of the first of them, if the literal holds."""
        self.teams.append((team, literal))

    def group(self, name: str) -> frozenset[str]:
        """Return the units of a group that atoms name."""
        return self._groups[name]

    @property
    def chancy(self) -> bool:
        """Whether results may be rolled."""
        return any(team.chance < 1 for team, _ in self.teams)

    def outcomes(self, holds: Callable[[Any], bool]) -> int:
        """Return how many outcomes the rolls of a solution have at most."""
        return prod(len(team.forks) + 1 for team, literal in self.teams if team.forks and holds(literal))

    def limit_outcomes(self, most: int) -> None:
        """Ensure that rolls have no more outcomes than that; rounded so that a few combinations more are left out."""
        self.limited = True
        weighted = [(ceil(log2(len(team.forks) + 1) * 1000), literal) for team, literal in self.teams if team.forks]
        total = self.expression(Linear(tuple(weighted)))
        if not isinstance(total, int):
            self.model.add(total <= floor(log2(most) * 1000))

    def need(self, unit: str, atom: Atom) -> Any:
        """Return a literal that, if it holds, makes the atom hold when the unit moves."""
        key = (unit, atom)
        if key not in self._holds:
            self._holds[key] = self.new_literal(f"{unit} needs {atom}")
        return self._holds[key]

    def post_rules(self) -> None:
        """Ensure that every need has a witness in time, and that the position after the last move obeys the rules."""
        for (unit, atom), literal in self._holds.items():
            self.units[unit].needs[atom] = literal
        self.order = Order(
            self.model, self._interactions(), self._fixed, transitive="transitive_order" not in self._without
        )
        self._post_teams()
        for unit, variables in self.units.items():
            self.tick()
            for atom, literal in variables.needs.items():
                self._post_need(unit, atom, literal)
        self._post_carriers()
        for rule in self.game.rulebook.rules:
            self.tick()
            if rule.id not in self._without:
                rule.post_end(self)

    # -- needs and witnesses

    def _others(self, unit: str) -> Iterable[str]:
        return (other for other in self.units if other != unit)

    @cached_property
    def _guests(self) -> dict[str, set[str]]:
        """Who stands in each hex at first, or may end there."""
        found: dict[str, set[str]] = {}
        for unit, home in self.game.homes.items():
            found.setdefault(home, set()).add(unit)
        for unit, variables in self.units.items():
            for label in (*variables.ends, *variables.reliable_ends):
                found.setdefault(label, set()).add(unit)
        return found

    def _interactions(self) -> set[tuple[str, str]]:
        """Return every pair (unit, witness) where the order of the two may matter."""
        pairs = set()
        for unit, variables in self.units.items():
            for atom in variables.needs:
                if isinstance(atom, Carried):
                    continue  # carriers come back in another phase: it doesn't matter who sails first
                if isinstance(atom, Friend):
                    for other in self._guests.get(atom.hex, set()) & self._groups[atom.group]:
                        reliable = other in self.units and atom.hex in self.units[other].reliable_ends
                        if other in self.units and other != unit and (reliable or self.game.homes[other] == atom.hex):
                            pairs.add((unit, other))
                    continue
                for other in self._others(unit):
                    if isinstance(atom, Foremost):
                        pairs.add((unit, other))
                    elif isinstance(atom, GoneOrFriend):
                        variables = self.units[other]
                        in_group = other in self._groups[atom.group]
                        if (
                            atom.enemy in variables.reliable_kills
                            or (in_group and (atom.hex, atom.enemy) in variables.rolls)
                            or (in_group and atom.hex in {self.game.homes[other], *variables.reliable_ends})
                        ):
                            pairs.add((unit, other))
                    elif isinstance(atom, Vacant):
                        places = {self.game.homes[other], *self.units[other].ends, *self.units[other].stuck}
                        if atom.hex in places and other in self._groups[atom.group]:
                            pairs.add((unit, other))
                    elif isinstance(atom, Room):
                        places = {self.game.homes[other], *self.units[other].ends, *self.units[other].stuck}
                        if atom.hex in places and other not in atom.but:
                            pairs.add((unit, other))
                    elif atom.enemy in self.units[other].kills:
                        pairs.add((unit, other))
        return pairs | self._team_pairs(pairs)

    def _team_pairs(self, pairs: set[tuple[str, str]]) -> set[tuple[str, str]]:
        """Return the pairs of those who may move together, and of each of them with whoever matters to one of them."""
        partners: dict[str, set[str]] = {}
        for one, other in pairs:
            partners.setdefault(one, set()).add(other)
            partners.setdefault(other, set()).add(one)
        found = set()
        for units in dict.fromkeys(team.units for team, _ in self.teams if len(team.units) > 1):
            others = set().union(*(partners.get(unit, set()) for unit in units))
            for unit in units:
                found |= {(unit, other) for other in {*others, *units} - {unit}}
        return found

    def _post_teams(self) -> None:
        """Ensure that those who move together do so one right after the other, as far as anybody can tell."""
        if self.order is None or "teams" in self._without:
            return
        moments: dict[tuple[str, ...], list[Any]] = {}
        for team, literal in self.teams:
            if len(team.units) > 1:
                moments.setdefault(team.units, []).append(literal)
        known = self.order.pairs()
        for units, literals in moments.items():
            together = self.any_of(literals)
            first = units[0]
            for unit in units[1:]:
                self.add_or([self.negate(together), known[first, unit]])
                for other in sorted({one for one, two in known if two == unit} - set(units)):
                    if (first, other) in known:
                        for a, b in (
                            (known[first, other], known[unit, other]),
                            (known[unit, other], known[first, other]),
                        ):
                            self.add_or([self.negate(together), self.negate(a), b])

    def _post_need(self, unit: str, atom: Atom, literal: Any) -> None:
        if isinstance(atom, Carried):
            return  # see _post_carriers
        if isinstance(atom, There):
            self._post_there(unit, atom, literal)
            return
        if isinstance(atom, Foremost):
            for other in self._others(unit):
                variables = self.units[other]
                moved = self.negate(variables.moves)
                self.add_or([~literal, moved, variables.foremost, self._before(unit, other)])
            return
        if isinstance(atom, Room):
            self._post_room(unit, atom, literal)
            return
        if isinstance(atom, Vacant):
            self._post_vacant(unit, atom, literal)
            return
        witnesses: list[Any] = []
        if isinstance(atom, (Gone, GoneOrFriend)):
            for other in self._others(unit):
                if atom.enemy in self.units[other].reliable_kills and not self._together(unit, other):
                    witnesses.append(self._killed_before(unit, other, atom))
        if isinstance(atom, (Friend, GoneOrFriend)):
            friends = self._groups[atom.group]
            if isinstance(atom, Friend):
                friends &= self._guests.get(atom.hex, set())
            for friend in self.game.sorted(friends):  # a set's own order differs from run to run
                if friend != unit:
                    there = atom if isinstance(atom, Friend) else Friend(atom.hex, atom.group, True, atom.before)
                    witnesses += self._standing_there(unit, friend, there)
                    if isinstance(atom, GoneOrFriend):
                        witnesses += self._gone_or_stuck(unit, friend, atom)
        self.add_or([~literal, *witnesses])

    def _post_carriers(self) -> None:
        """Ensure that each passage has a marker of its own.

        Markers that are the same to every unit are one class, with a capacity.
        """
        asked: dict[str, list[tuple[str, Carried, Any]]] = {}
        for unit, variables in self.units.items():
            for atom, literal in variables.needs.items():
                if isinstance(atom, Carried):
                    asked.setdefault(atom.zone, []).append((unit, atom, literal))
        for wanted in asked.values():
            sets = list(dict.fromkeys(atom.by for _, atom, _ in wanted))
            classes: dict[tuple[bool, ...], list[str]] = {}
            for marker in dict.fromkeys(marker for by in sets for marker in by):
                classes.setdefault(tuple(marker in by for by in sets), []).append(marker)
            aboard: dict[tuple[bool, ...], list[Any]] = {key: [] for key in classes}
            for unit, atom, literal in wanted:
                choices = []
                for key, markers in classes.items():
                    if key[sets.index(atom.by)]:
                        choice = self.new_literal(f"{unit} aboard {markers[0]} for step {atom.leg}")
                        self.model.add_implication(choice, literal)
                        aboard[key].append(choice)
                        choices.append(choice)
                        self.berths.append((unit, atom, markers, choice))
                self.model.add(sum(choices) == literal)
            if "carriers" not in self._without:
                for key, choices in aboard.items():
                    if len(choices) > len(classes[key]):
                        self.model.add(sum(choices) <= len(classes[key]))

    def _killed_before(self, unit: str, other: str, atom: Gone | GoneOrFriend) -> Any:
        """Return a literal: the other one has eliminated the enemy, and has moved before the unit."""
        witness = self.new_literal(f"{atom} by {other} for {unit}")
        self.model.add_implication(witness, self.units[other].reliable_kills[atom.enemy])
        if "gone_in_time" not in self._without:
            self.add_or([~witness, self._before(other, unit)])
        return witness

    def _gone_or_stuck(self, unit: str, friend: str, atom: GoneOrFriend) -> Iterable[Any]:
        """Yield a literal: before the unit moves, the friend has made an overrun of the enemy, or is stuck in the hex."""
        rolls = self.units[friend].rolls if friend in self.units else {}
        if (atom.hex, atom.enemy) in rolls and not self._together(unit, friend):
            witness = self.new_literal(f"{friend} overruns {atom.enemy} from {atom.hex} for {unit}")
            self.add_or([~witness, rolls[atom.hex, atom.enemy]])
            if "gone_in_time" not in self._without:
                self.add_or([~witness, self._before(friend, unit)])
            yield witness

    def _standing_there(self, unit: str, friend: str, atom: Friend) -> Iterable[Any]:
        """Yield literals: the friend stands in the hex when the unit moves, before its own move or after it."""
        at_home = self.game.homes.get(friend) == atom.hex
        if friend not in self.units:
            if at_home:
                yield True
            return
        variables = self.units[friend]
        timed = "friend_in_time" not in self._without
        if at_home:
            witness = self.new_literal(f"{friend} still in {atom.hex} for {unit}")
            if atom.stays:
                self.add_or([~witness, self.negate(variables.moves)])
            elif timed:
                self.add_or([~witness, self.negate(variables.moves), self._before(unit, friend)])
            yield witness
        if atom.before and self._together(unit, friend):
            return
        # Whoever is dropped after a roll is there for its own stack, which goes on only if the roll went well.
        ends = variables.ends if self._together(unit, friend) else variables.reliable_ends
        if atom.hex in ends:
            witness = self.new_literal(f"{friend} in {atom.hex} for {unit}")
            self.add_or([~witness, ends[atom.hex]])
            if timed:
                self.add_or([~witness, self._before(friend, unit)])
            yield witness

    def _post_there(self, unit: str, atom: There, literal: Any) -> None:
        for other in self._others(unit):
            if atom.enemy in self.units[other].kills and not self._together(unit, other):
                self.add_or([~literal, self.negate(self.units[other].kills[atom.enemy]), self._before(unit, other)])

    def _post_room(self, unit: str, atom: Room, literal: Any) -> None:
        """Ensure that the others who stand in the hex are small enough; who moves together with the unit doesn't count."""
        here: list[tuple[Fraction, Any]] = []
        for friend in self.game.sorted(self._groups[atom.group]):
            if friend == unit or friend in atom.but:
                continue
            size = self.game.units[friend].counts(atom.of)
            if friend not in self.units:
                if self.game.homes.get(friend) == atom.hex:
                    here.append((size, True))
                continue
            variables = self.units[friend]
            at_home = self.game.homes[friend] == atom.hex and not self._together(unit, friend)
            ends = [end[atom.hex] for end in (variables.ends, variables.stuck) if atom.hex in end]
            if not at_home and not ends:
                continue
            standing = self.new_literal(f"{friend} in {atom.hex} when {unit} is there")
            if at_home:
                self.add_or([standing, variables.moves])
                self.add_or([standing, self._before(friend, unit)])
            for end in ends:
                self.add_or([standing, self.negate(end), self._before(unit, friend)])
            here.append((size, standing))
        whole = lcm(atom.size.denominator, *(size.denominator for size, _ in here))
        total = self.expression(Linear(tuple((int(size * whole), standing) for size, standing in here)))
        if isinstance(total, int):
            if total > atom.size * whole:
                self.add_or([self.negate(literal)])
            return
        self.model.add(total <= int(atom.size * whole)).only_enforce_if(literal)

    def _post_vacant(self, unit: str, atom: Vacant, literal: Any) -> None:
        """Ensure that whoever stands in the hex at first has moved before, and that whoever may end there comes later."""
        timed = "vacant_in_time" not in self._without
        for friend in self.game.sorted(self._groups[atom.group] - {unit}):
            at_home = self.game.homes.get(friend) == atom.hex
            if friend not in self.units:
                if at_home:
                    self.add_or([self.negate(literal)])
                continue
            variables = self.units[friend]
            if at_home:
                self.add_or([self.negate(literal), variables.moves])
                if timed:
                    self.add_or([self.negate(literal), self._before(friend, unit)])
            ends = [end[atom.hex] for end in (variables.ends, variables.stuck) if atom.hex in end]
            for end in ends:
                if at_home:  # it has moved away for good
                    self.add_or([self.negate(literal), self.negate(end)])
                elif timed:
                    self.add_or([self.negate(literal), self.negate(end), self._before(unit, friend)])

    def _together(self, one: str, other: str) -> bool:
        """Tell whether two units of a given plan move as one stack."""
        return bool(self._stacks) and self._stacks.get(one, one) == self._stacks.get(other, other)

    def _before(self, one: str, other: str) -> Any:
        assert self.order is not None
        return self.order.before(one, other)

    # -- the position after the last move (EndState and Outcome)

    def eliminated_if(self, enemy: str, literal: Any) -> None:
        """Take over that an enemy is gone in the end, whatever is rolled, exactly if a literal holds."""
        self._gone[enemy] = self._surely_gone[enemy] = literal

    def ends(self, unit: str, label: str) -> Any:
        """The unit ends the phase in the hex."""
        if unit in self.units:
            return self.units[unit].ends.get(label, False)
        return self.game.homes.get(unit) == label

    def stands(self, unit: str, label: str) -> Any:
        """The unit may stand in the hex when the phase is over: it ends there, or is stuck there if a roll fails."""
        if unit not in self.units:
            return self.game.homes.get(unit) == label
        return self.any_of(ends[label] for ends in (self.units[unit].ends, self.units[unit].stuck) if label in ends)

    def possible_stands(self, unit: str) -> Sequence[str]:
        """The hexes in which the unit may stand when the phase is over."""
        if unit in self.units:
            return tuple(dict.fromkeys([*self.units[unit].ends, *self.units[unit].stuck]))
        return self.possible_ends(unit)

    def possible_ends(self, unit: str) -> Sequence[str]:
        """The hexes in which the unit might end."""
        if unit in self.units:
            return tuple(self.units[unit].ends)
        home = self.game.homes.get(unit)
        return () if home is None else (home,)

    def gone(self, enemy: str) -> Any:
        """The enemy is eliminated by the end of the phase."""
        if enemy not in self._gone:
            killers = (v.kills[enemy] for v in self.units.values() if enemy in v.kills)
            self._gone[enemy] = self.any_of(killers) if enemy in self.game.homes else True
        return self._gone[enemy]

    def surely_gone(self, enemy: str) -> Any:
        """The enemy is eliminated by the end of the phase whatever is rolled."""
        if enemy not in self._surely_gone:
            killers = (v.reliable_kills[enemy] for v in self.units.values() if enemy in v.reliable_kills)
            self._surely_gone[enemy] = self.any_of(killers) if enemy in self.game.homes else True
        return self._surely_gone[enemy]

    def taken(self, label: str) -> Any:
        """Some unit has taken the place by entering it."""
        token = control_of(label)
        return self.any_of(variables.kills[token] for variables in self.units.values() if token in variables.kills)

    # -- expected values, where results are rolled

    def gone_on_average(self, enemy: str) -> Linear:
        """The probability that the enemy is eliminated, times `mp_scale`: whoever overruns it does so while it is there."""
        if enemy not in self.game.homes:
            return Linear(constant=self.mp_scale)
        deaths = (death for variables in self.units.values() for death in variables.deaths.get(enemy, ()))
        return Linear(tuple((int(chance * self.mp_scale), literal) for chance, literal in deaths))

    def end_on_average(self, unit: str, label: str) -> Linear:
        """The probability that the unit stands in the hex in the end, times `mp_scale`."""
        if unit not in self.units:
            return Linear(constant=self.mp_scale * (self.game.homes.get(unit) == label))
        places = self.units[unit].places.get(label, ())
        return Linear(tuple((int(chance * self.mp_scale), literal) for chance, literal in places))

    def held_on_average(self, label: str, units: Sequence[str]) -> Linear:
        """The probability that one of the units stands in the hex in the end, times `mp_scale`; at most so much.

        What several rolls come to together is settled by `tighten`.
        """
        sure: list[Any] = []
        for unit in units:
            if unit not in self.units:
                sure.append(self.game.homes.get(unit) == label)
                continue
            sure += [literal for chance, literal in self.units[unit].places.get(label, ()) if chance == 1]
        rolled: list[tuple[Fraction, Any]] = []
        self.tick()
        for team, literal in self._teams_at().get(label, ()):
            chance = team.stands_in(label, frozenset(units))
            if chance == 1:
                sure.append(literal)
            elif chance:
                rolled.append((chance, literal))
        certain = self.any_of(dict.fromkeys(sure))
        if certain is True or not rolled:
            return Linear(((self.mp_scale, certain),))
        union = Union(self.model, self.mp_scale, certain, rolled, label)
        self.unions.append(union)
        return Linear(((1, union.total),))

    def _teams_at(self) -> dict[str, list[tuple[TeamPossibility, Any]]]:
        """Return the teams that may stand in each hex; all of them have been added by now."""
        if self._by_stop is None:
            self._by_stop = {}
            for team, literal in self.teams:
                for label in team.stops:
                    self._by_stop.setdefault(label, []).append((team, literal))
        return self._by_stop

    def tighten(self, holds: Callable[[Any], bool], solution: Sequence[int]) -> bool:
        """Cut off what a solution claims too much where several rolls may come to the same; tell whether it did."""
        found = [union.tighten(holds, solution[union.total.index]) for union in self.unions]
        self.rounded = self.rounded or any(found)
        return any(rounded is not None for rounded in found)

    def moves(self, unit: str) -> Any:
        """The unit makes a move."""
        return self.units[unit].moves if unit in self.units else False

    def surely_moves(self, unit: str) -> Any:
        """The unit makes a move whatever is rolled."""
        sure = self.units[unit].surely_moves if unit in self.units else None
        return self.moves(unit) if sure is None else sure

    def ends_among(self, unit: str, labels: Collection[str]) -> Any:
        """The unit ends the phase in one of some hexes."""
        return self.any_of(self.ends(unit, label) for label in self.possible_ends(unit) if label in labels)

    def arrivals(self, unit: str) -> Sequence[tuple[str, int, Fraction, Any]]:
        """Where the unit may end a move without being stuck: hex, hexes entered, probability, and the literal."""
        return self.units[unit].arrivals if unit in self.units else ()

    def choice(self, name: str) -> Any:
        """Return a 0/1 expression that the solver chooses."""
        return self.new_literal(name)

    def limit(self, expressions: Iterable[Any], most: int) -> None:
        """Ensure that at most so many of some expressions hold."""
        total = self.expression(Linear(tuple((1, expression) for expression in expressions)))
        if not isinstance(total, int):
            self.model.add(total <= most)

    def mp(self, unit: str) -> Linear:
        """The MP that the unit spends, times `mp_scale`."""
        return self.units[unit].mp if unit in self.units else Linear()

    def at_most(self, terms: Sequence[tuple[int, Any]], limit: int, demand: Demand) -> None:
        """Ensure that a weighted sum stays within a limit; in a soft model, note where it doesn't."""
        total = self.expression(Linear(tuple(terms)))
        # The units to blame are those of the terms, in their order.
        only = tuple(zip(demand.blame, (term for _, term in terms), strict=True))
        if isinstance(total, int):
            if total > limit:
                self.add_or([self._breach(None, None, demand.at or "", demand, only)] if self.soft else [])
            return
        constraint = self.model.add(total <= limit)
        if self.soft:
            constraint.only_enforce_if(~self._breach(None, None, demand.at or "", demand, only))

    def _breach(
        self, unit: str | None, step: int | None, at: str, demand: Demand, only: tuple[tuple[str, Any], ...] = ()
    ) -> Any:
        literal = self.new_literal(f"breach of {demand.paragraph} by {unit} at {at}")
        self.breaches.append(Breach(unit, step, at, demand, literal, only))
        return literal

    # -- logic

    def post_demand(
        self,
        unit: str,
        step: int,
        at: str,
        demand: Demand,
        unless: Sequence[Any],
        alternatives: Sequence[Any],
    ) -> None:
        """Ensure that one of the alternatives holds, unless one of the other literals does."""
        clause = [*unless, *alternatives]
        if self.soft and not demand.choice:
            clause.append(self._breach(unit, step, at, demand))
        self.add_or(clause)

    def add_or(self, literals: Iterable[Any]) -> None:
        """Ensure that at least one literal, or plain truth value, holds."""
        clause = []
        for literal in literals:
            if literal is True:
                return
            if literal is not False:
                clause.append(literal)
        self.model.add_bool_or(clause)

    def any_of(self, expressions: Iterable[Any]) -> Any:
        """At least one of the expressions holds."""
        literals = [literal for literal in expressions if literal is not False]
        if any(literal is True for literal in literals):
            return True
        if len(literals) < 2:
            return literals[0] if literals else False
        result = self.new_literal("any")
        self.model.add_bool_or([~result, *literals])
        for literal in literals:
            self.model.add_implication(literal, result)
        return result

    def all_of(self, expressions: Iterable[Any]) -> Any:
        """Every one of the expressions holds."""
        return self.negate(self.any_of([self.negate(expression) for expression in expressions]))

    def negate(self, expression: Any) -> Any:
        """The expression does not hold."""
        return not expression if isinstance(expression, bool) else ~expression

    def expression(self, total: Linear) -> Any:
        """Return a sum as an expression of the solver, or as a plain number."""
        constant = total.constant + sum(weight for weight, term in total.terms if term is True)
        terms = [(weight, term) for weight, term in total.terms if not isinstance(term, bool)]
        if not terms:
            return constant
        return cp_model.LinearExpr.weighted_sum([t for _, t in terms], [w for w, _ in terms]) + constant

    def at_least(self, total: Linear, bound: int) -> Any:
        """The sum reaches the bound."""
        expression = self.expression(total)
        if isinstance(expression, int):
            return expression >= bound
        result = self.new_literal("at least")
        self.model.add(expression >= bound).only_enforce_if(result)
        self.model.add(expression < bound).only_enforce_if(~result)
        return result
