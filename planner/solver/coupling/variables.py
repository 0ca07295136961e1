"""The variables of the coupling layer: what each unit does, who moves together, and who moves before whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from planner.objective import Linear
from planner.reachability.team_possibility import TeamPossibility
from planner.reachability.undisturbed import groups_of
from planner.rules.atoms import Atom, Carried
from planner.rules.demands import Tick, no_tick
from planner.rules.game import Game
from planner.solver.coupling.clauses import Clauses
from planner.solver.cp_sat import BoolVar, Literal
from planner.solver.move_order import Order
from planner.solver.probability_union import Share


@dataclass
class UnitVariables:
    """What a unit layer hands over for one unit.

    Attributes
    ----------
    moves : literal
        The unit makes a move.
    ends : dict from hexes to literals
        Where it stands after the last move, its home among them if it may stay.
    removes : dict from enemies to literals
        Who is eliminated once it has moved, on its account.
    needs : dict from atoms to literals
        If the literal holds, so must the atom when the unit moves.
    mp : callable
        Returns the MP that it spends, scaled; many objectives never ask.
    sure_ends : dict from hexes to literals, optional
        Those of `ends` that others may rely upon; absent: all.
    sure_removals : dict from enemies to literals, optional
        Those of `removes` that others may rely upon; absent: all.
    stuck : dict from hexes to literals
        Where it may stand instead in the end, if a roll fails on which nobody may rely.
    rolls : dict from (hex, enemy) to literals
        It makes an overrun from the hex in which the enemy is eliminated, or else it is stuck in the hex.
    places : dict from hexes to (probability, literal) pairs, optional
        How likely it is to stand where after the last move, if the literal holds; absent: it surely does, as `ways` has it.
    ways : dict from hexes to literals
        Of which one holds if it ends there, where nothing that it does is rolled for.
    deaths : dict from enemies to (probability, literal) pairs
        How likely each is to be eliminated once it has moved, if the literal holds.
    foremost : dict from ways to literals
        It goes by a way that must come before all other steps.
    surely_moves : literal or None
        It makes its move whatever is rolled; None: whenever it moves at all.
    most_mp : callable or None
        Returns the MP that it spends if all goes well, scaled; None: what it spends is the same whatever is rolled.
    arrivals : callable
        Returns (hex, int, probability, literal): where it may end a move without being stuck, and how many hexes it has
        entered then, if the literal holds.
    """

    moves: Literal
    ends: Mapping[str, Literal]
    removes: Mapping[str, Literal] = field(default_factory=dict)
    needs: dict[Atom, Literal] = field(default_factory=dict)
    mp: Callable[[], Linear] = Linear
    sure_ends: Mapping[str, Literal] | None = None
    sure_removals: Mapping[str, Literal] | None = None
    stuck: Mapping[str, Literal] = field(default_factory=dict)
    rolls: Mapping[tuple[str, str], Literal] = field(default_factory=dict)
    places: Mapping[str, Sequence[tuple[Fraction, Literal]]] | None = None
    ways: Mapping[str, Sequence[Literal]] = field(default_factory=dict)
    deaths: Mapping[str, Sequence[tuple[Fraction, Literal]]] = field(default_factory=dict)
    foremost: Mapping[str, Literal] = field(default_factory=dict)
    surely_moves: Literal | None = None
    most_mp: Callable[[], Linear] | None = None
    arrivals: Callable[[], Sequence[tuple[str, int, Fraction, Literal]]] = tuple

    @property
    def reliable_ends(self) -> Mapping[str, Literal]:
        """Where it ends, as far as others may rely on it."""
        return self.ends if self.sure_ends is None else self.sure_ends

    @property
    def reliable_removals(self) -> Mapping[str, Literal]:
        """Who is eliminated once it has moved, as far as others may rely on it."""
        return self.removes if self.sure_removals is None else self.sure_removals

    def stands_likely(self, label: str) -> Sequence[tuple[Fraction, Literal]]:
        """Return how likely it is to stand in a hex after the last move, if which literal holds."""
        if self.places is None:
            return [(Fraction(1), literal) for literal in self.ways.get(label, ())]
        return self.places.get(label, ())

    def standing(self, label: str) -> list[Literal]:
        """Return when it may stand in a hex after its move: it ends there, or is stuck there if a roll fails."""
        return [ends[label] for ends in (self.ends, self.stuck) if label in ends]


class Berth(NamedTuple):
    """A passage of a unit, with a class of markers that could make it.

    Attributes
    ----------
    unit : str
        Who is carried.
    passage : Carried
        Across which zone, on which leg.
    markers : list of str
        The class of markers that are the same to every unit.
    literal : literal
        One of the markers makes it.
    """

    unit: str
    passage: Carried
    markers: list[str]
    literal: BoolVar


@dataclass(frozen=True)
class GivenOrder:
    """The order of the moves of a plan that is judged.

    Attributes
    ----------
    places : mapping from units to int
        When each unit moves; units without a place don't.
    stacks : mapping from units to int
        The move to which each unit belongs, so that units of one stack move at one moment.
    announced : mapping from units to int
        Of units that are to make moves that can't be played: the last of these moves.
    """

    places: Mapping[str, int] = field(default_factory=dict)
    stacks: Mapping[str, int] = field(default_factory=dict)
    announced: Mapping[str, int] = field(default_factory=dict)


class Variables(Clauses):
    """What the units do, and when.

    Parameters
    ----------
    game : Game
        The board, the units, the rules and the situation.
    mp_scale : int
        By which MP are multiplied.
    given : GivenOrder, optional
        The order of the moves of a plan that is judged. Demands may fail then, each with a `DemandBreach`; absent: the
        solver looks for an order in which none does.
    without : frozenset of str
        Families of constraints, or ids of rules, to leave out, for tests that must notice it.
    tick : callable
        Called now and then while the model is built; raises when the time is up.

    Attributes
    ----------
    units : dict from units to UnitVariables
        What each unit that can move may do.
    teams : list of (TeamPossibility, literal)
        What units may do together.
    order : Order or None
        Who moves before whom; None as long as the rules haven't been posted.
    needs : dict from (unit, atom) to literals
        What each unit needs of the others, as far as it depends on them.
    present : dict from (friend, hex, unit) to literals
        Whether a friend stands in a hex when a unit is there, as far as that has been asked.
    berths : list of Berth
        The passages of carried units, each with each class of markers that could make it.
    unions : list of Share
        The probabilities that rest on several rolls.
    confidence : Fraction
        How likely a result must be at least that others rely on.
    rounded : bool
        Whether a probability had to be rounded up, so that values are no longer exact.
    limited : bool
        Whether plans whose rolls have too many outcomes have been left out.
    """

    def __init__(
        self,
        game: Game,
        mp_scale: int,
        given: GivenOrder | None = None,
        without: frozenset[str] = frozenset(),
        tick: Tick = no_tick,
    ) -> None:
        super().__init__(soft=given is not None)
        self.game = game
        self.mp_scale = mp_scale
        self.tick = tick
        self.units: dict[str, UnitVariables] = {}
        self.teams: list[tuple[TeamPossibility, Literal]] = []
        self.order: Order | None = None
        self.needs: dict[tuple[str, Atom], Literal] = {}
        self.present: dict[tuple[str, str, str], Literal] = {}
        self.berths: list[Berth] = []
        self.unions: list[Share] = []
        self.confidence = Fraction(1)
        self.rounded = False
        self.limited = False
        self._given = given
        self._without = without
        self._groups = groups_of(game)
        self._elsewhere: dict[tuple[str, str], list[Literal]] = {}
        self._gone: dict[str, Literal] = {}
        self._surely_gone: dict[str, Literal] = {}

    def add_unit(self, unit: str, variables: UnitVariables) -> None:
        """Take over the variables of a unit that can move."""
        self.units[unit] = variables

    def add_team(self, team: TeamPossibility, literal: Literal) -> None:
        """Take over that units move together, at the moment of the first of them, if the literal holds."""
        self.teams.append((team, literal))

    def ensures(self, family: str) -> bool:
        """Tell whether a family of constraints is part of the model."""
        return family not in self._without

    def group(self, name: str) -> frozenset[str]:
        """Return the units of a group that atoms name."""
        return self._groups[name]

    def others(self, unit: str) -> Iterable[str]:
        """Yield all other units that can move."""
        return (other for other in self.units if other != unit)

    @cached_property
    def visitors(self) -> dict[str, list[str]]:
        """Who stands in each hex at first, or may stand there after its move, in the order of the scenario.

        Not to be asked before all units are there.
        """
        found: dict[str, list[str]] = {}
        homes = self.game.homes
        for unit in self.game.order:
            home, variables = homes.get(unit), self.units.get(unit)
            if home is not None:
                found.setdefault(home, []).append(unit)
            if variables is not None:
                for label in {**variables.ends, **variables.stuck} if variables.stuck else variables.ends:
                    if label != home:
                        found.setdefault(label, []).append(unit)
        return found

    @cached_property
    def removers(self) -> dict[str, list[str]]:
        """Who may eliminate each enemy, for sure or not; not to be asked before all units are there."""
        found: dict[str, list[str]] = {}
        for unit, variables in self.units.items():
            for enemy in variables.removes:
                found.setdefault(enemy, []).append(unit)
        return found

    @cached_property
    def sure_removers(self) -> dict[str, list[str]]:
        """Who may eliminate each enemy so that others may rely on it; not to be asked before all units are there."""
        found: dict[str, list[str]] = {}
        for unit, variables in self.units.items():
            for enemy in variables.reliable_removals:
                found.setdefault(enemy, []).append(unit)
        return found

    def elsewhere(self, unit: str, label: str) -> list[Literal]:
        """Return literals that all hold if the unit doesn't stand in a hex after its move; not to be asked too early."""
        found = self._elsewhere.get((unit, label))
        if found is None:
            found = self._elsewhere[unit, label] = list(map(self.negate, self.units[unit].standing(label)))
        return found

    def before(self, one: str, other: str) -> Literal:
        """The one moves before the other."""
        assert self.order is not None
        return self.order.before(one, other)

    def together(self, one: str, other: str) -> bool:
        """Tell whether two units of a given plan move as one stack."""
        if self._given is None or not self._given.stacks:
            return False
        stacks = self._given.stacks
        return stacks.get(one, one) == stacks.get(other, other)

    def is_to_move_after(self, one: str, other: str) -> bool:
        """Tell whether a given plan has a move for a unit, after that of another one, that can't be played."""
        if self._given is None or one not in self._given.announced:
            return False
        return self._given.announced[one] > self._given.stacks.get(other, -1)
