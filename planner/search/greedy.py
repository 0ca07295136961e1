"""A first plan, soon: one unit after another makes the move that is worth most on the board as it stands.

It is what players do by hand, and a search reports it before it has built its model: from then on there is a best so
far. The referee plays every move. Nothing here is proved, and nothing needs to be: whatever can't be judged move by
move is passed over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction

from planner.errors import OutOfTimeError, TooManyWaysError
from planner.limits import Limits
from planner.objective import Tally, Term, terms_of
from planner.objective.dependencies import TermsByDependency
from planner.plans.plan import Move, Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.possibility import Possibility
from planner.referee.referee import Referee
from planner.rules.atoms import Atom
from planner.rules.demands import control_of
from planner.scenario import Scenario
from planner.solver.tuning import Greedy
from planner.world.forces import Measure, Unit
from planner.world.position import Position

Worth = tuple[Fraction | int, ...]
"""What a plan, or a move, is worth, tier by tier; whole numbers, which are compared sooner, where they are whole."""


@dataclass
class GreedyBoard:
    """The position after the moves so far.

    Attributes
    ----------
    position : Position
        Who stands where.
    faults : int
        How much of it must still change before the phase may end.
    moves : list of Move
        What has been done.
    tally : Tally
        What that took.
    scores : dict
        What terms come to, or a unit's share of one, as it stands.
    worths : dict
        What may be done on it, and what it would be worth.
    leads : dict
        The same for the first tier alone, each with the terms of later tiers that look at it.
    trial : tuple of (str, bool, Position), or None
        The last unit whose move was thought of, whether anybody was eliminated by it, and the position after it.
    lasting : dict
        By how much moves change what terms are worth of which only these moves, or where their units stand, are to be known:
        that stays what it is, whoever else moves, as long as nobody is eliminated.
    """

    position: Position
    faults: int
    moves: list[Move] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    scores: dict[tuple[int, str], Fraction] = field(default_factory=dict)
    worths: dict[tuple[object, ...], Worth] = field(default_factory=dict)
    leads: dict[tuple[object, ...], tuple[Fraction | int, list[tuple[int, Term]]]] = field(default_factory=dict)
    trial: tuple[str, bool, Position] | None = None
    lasting: dict[tuple[object, ...] | None, Fraction | int] = field(default_factory=dict)


@dataclass(frozen=True)
class _Now:
    """What atoms of a unit ask about the board as it stands."""

    reach: ConditionalReach
    position: Position
    unit: str
    staying: Collection[str]

    def is_gone(self, enemy: str) -> bool:
        """Tell whether an enemy unit or marker is off the map, or a place taken."""
        if enemy in self.reach.game.units:
            return enemy not in self.position.at
        return enemy in self.position.lost or any(control_of(label) == enemy for label in self.position.taken)

    def _inside(self, hex: str, group: str) -> frozenset[str]:
        return self.reach.group(group).intersection(self.position.units_in(hex)) - {self.unit}

    def is_friend_in(self, hex: str, group: str, stays: bool = False, unmoved: bool = False) -> bool:
        """Tell whether another of a group stands in a hex; `stays`: one that moves no more; `unmoved`: nor has moved."""
        moved = self.position.under_way if unmoved else ()
        return any((not stays or one in self.staying) and one not in moved for one in self._inside(hex, group))

    def amount_in(self, hex: str, group: str, but: frozenset[str], of: Measure) -> Fraction:
        """Return what the others of a group who stand in a hex count together, some left out."""
        units = self.reach.game.units
        return sum((units[friend].counts(of) for friend in self._inside(hex, group) - but), Fraction(0))

    def is_foremost(self, way: str) -> bool:
        """Take it that nobody has made another step: the referee will say."""
        return True

    def entered(self, hex: str, rule: str) -> int:
        """Return how many others have entered a hex by steps of which a rule takes note."""
        return sum((by, at) == (rule, hex) and unit != self.unit for by, at, unit in self.position.entered)


class FirstPlan:
    """Makes the first plan of a scenario in which units move alone and nothing is rolled.

    Parameters
    ----------
    scenario : Scenario
        Position and objective.
    reach : ConditionalReach
        Where the possibilities come from.
    possibilities : mapping from units to possibilities, optional
        What each unit can do. Absent: that is listed move by move, for the board as it stands by then, which is soon done
        where there is much that a unit could do if others had moved before.
    most_ways : int, optional
        How many ways to get anywhere of one unit are gone on with; units that have more are passed over. Absent: any
        number.
    limits : Limits, optional
        Besides those of `reach`: the plan is what has been found by then.

    Attributes
    ----------
    chosen : dict of str to Possibility
        After `find`: what each unit that moves does, in the order of the moves.
    """

    def __init__(
        self,
        scenario: Scenario,
        reach: ConditionalReach,
        possibilities: Mapping[str, Sequence[Possibility]] | None = None,
        most_ways: int | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._scenario, self._game, self._reach = scenario, scenario.game, reach
        self._referee = Referee(scenario.game)
        self._most_ways, self._limits = most_ways, limits or Limits()
        self._movers = frozenset(reach.movers)
        # How many terms may still be scored: whatever there is to choose from, a search is not to wait for its first plan.
        self._scores = Greedy.scores
        self.chosen: dict[str, Possibility] = {}
        self._terms = TermsByDependency(
            (term, (index, term))
            for index, tier in enumerate(scenario.tiers)
            for term in tier.terms
            if not term.looks_at_attacks  # no move by itself changes what attacks are worth
        )
        self._options: dict[str, list[Possibility]] | None = None
        # Terms that look at moves alone, and those of which each unit has its share, by where it stands.
        terms = terms_of(scenario.tiers)
        self._of_moves = {id(term) for term in terms if term.depends_on() == ()}
        self._shared = {id(term) for term in terms if type(term).share is not Term.share}
        # What each unit could do when it was last listed, and on what that rests.
        self._listed: dict[str, tuple[dict[Atom, bool], list[Possibility]]] = {}
        if possibilities is not None:
            self._options = {
                unit: [found for found in some if self._counts(found.end, found.removes)]
                for unit, some in possibilities.items()
            }

    def _counts(self, end: str, removes: Sequence[str]) -> bool:
        """Tell whether some term may look at a move by where it ends and whom it eliminates.

        Moves to where none looks cost something and bring nothing.
        """
        terms = self._terms
        return terms.anywhere or terms.looks_at(end) or any(map(terms.looks_at, removes))

    def find(self) -> Plan:
        """Return the plan: as much of it as there is time for, and as `Greedy.scores` allows."""
        board = self._begun()
        with suppress(OutOfTimeError):
            self._go_on(board)
        return Plan(tuple(board.moves))

    def plans(self) -> Iterator[Plan]:
        """Yield plans, of which the first that is legal as a whole will do."""
        yield self.find()

    def _begun(self) -> GreedyBoard:
        """Return the board as it stands."""
        start = self._scenario.start.copy()
        return GreedyBoard(start, len(self._referee.check_end(start)))

    def _go_on(self, board: GreedyBoard, but: Collection[str] = (), leading: bool = False) -> None:
        """Let units move, some aside, as long as one has a move that is worth anything; `leading`: in the first tier."""
        options = self._options
        left = [unit for unit in self._reach.movers if unit not in but and (options is None or options.get(unit))]
        while left and self._scores > 0:
            still = [unit for unit in left if not self._make_best_move(board, unit, leading)]
            if len(still) == len(left):
                break
            left = still

    def _make_best_move(self, board: GreedyBoard, unit: str, leading: bool) -> bool:
        """Let a unit make its best legal move that is worth anything, if `leading` in the first tier; tell if it has one."""
        self._reach.check_time()
        self._limits.check()
        if unit not in board.position.at or self._scores <= 0:
            return False
        able = self._able(board, unit)
        nothing = (0,) * len(self._scenario.tiers)
        leads = [(self._lead(board, found), -number, found) for number, found in enumerate(able) if self._scores > 0]
        # What the tiers after the first come to matters of few moves: those that are worth most in it.
        left = Greedy.tried
        for group in ([one for one in leads if one[0] > 0], [one for one in leads if one[0] == 0 and not leading]):
            worths = [(self._worth(board, found), number, found) for _, number, found in group]
            better = sorted((one for one in worths if one[0] > nothing), key=lambda one: one[:2], reverse=True)[:left]
            if any(self._make(board, found) for _, _, found in better):
                return True
            left -= len(better)
        return False

    def _make(self, board: GreedyBoard, found: Possibility) -> bool:
        """Make a move if the referee lets it; tell whether he does."""
        after = board.position.copy()
        move = self._move(board, found)
        broken, played = self._referee.play_move(move, after, board.tally.mp.keys(), len(board.moves))
        faults = board.faults if broken else len(self._referee.check_end(after))
        if broken or faults > board.faults:
            return False
        board.position, board.faults, board.scores, board.worths, board.leads = after, faults, {}, {}, {}
        board.trial = None
        if found.removes:
            board.lasting = {}
        board.moves.append(move)
        self.chosen[found.unit] = found
        board.tally.mp.update(played.spent)
        return True

    def _able(self, board: GreedyBoard, unit: str, ends: Collection[str] | None = None) -> list[Possibility]:
        """Return what a unit can do now, if `ends` are given with these ends."""
        if self._options is not None:
            options = self._options.get(unit, [])
            if ends is not None:
                options = [found for found in options if found.end in ends]
            return [found for found in options if all(self._holds(board, unit, atom) for atom in found.needs)]

        asked, able = self._listed.get(unit, ({}, None))
        if able is None or any(self._holds(board, unit, atom) != held for atom, held in asked.items()):
            asked = {}

            def truth(counter: Unit, atom: Atom) -> bool:
                held = asked[atom] = self._holds(board, counter.id, atom)
                return held

            try:
                able = self._reach.possibilities(unit, truth, most=self._most_ways, only=self._counts)
            except TooManyWaysError:
                able = []
            self._listed[unit] = asked, able
        return able if ends is None else [found for found in able if found.end in ends]

    def _holds(self, board: GreedyBoard, unit: str, atom: Atom) -> bool:
        """Tell whether what a move needs is there now; not, where that isn't known."""
        # Whoever hasn't moved yet may still go.
        staying = (self._game.homes.keys() - self._movers) | self.chosen.keys()
        return atom.holds(_Now(self._reach, board.position, unit, staying))

    def _lead(self, board: GreedyBoard, found: Possibility) -> Fraction | int:
        """Return by how much a move would change the first tier, as far as its terms can be looked at one by one."""
        key = _key_of(found)
        known = board.leads.get(key)
        if known is None:
            gone = [enemy for enemy in found.removes if enemy in board.position.at]
            looking = self._terms.looking_at((board.position.at[found.unit], found.end, *gone))
            self._scores -= len(looking)
            lead = self._change(board, found, [one for one in looking if not one[0]])[0]
            known = board.leads[key] = lead, [one for one in looking if one[0]]
        return known[0]

    def _worth(self, board: GreedyBoard, found: Possibility) -> Worth:
        """Return by how much a move, of which it is known for the first tier, would change each tier."""
        key = _key_of(found)
        worth = board.worths.get(key)
        if worth is None:
            lead, later = board.leads[key]
            worth = board.worths[key] = (lead, *self._change(board, found, later)[1:])
        return worth

    def _change(self, board: GreedyBoard, found: Possibility, terms: Sequence[tuple[int, Term]]) -> Worth:
        """Return by how much a move would change each tier, as far as some terms go."""
        before, unit = board.position, found.unit
        gone = [enemy for enemy in found.removes if enemy in before.at]
        here = before.at[unit]
        after: Position | None = None
        worth: list[Fraction | int] = [0] * len(self._scenario.tiers)
        for tier, term in terms:
            key = None if gone else self._lasting_key(term, here, found)
            change = board.lasting.get(key)
            if change is None:
                if after is None:
                    after = self._after(board, found, gone)
                change = self._change_of(board, term, found, after)
                if key is not None:
                    board.lasting[key] = change
            worth[tier] += change
        return tuple(worth)

    def _after(self, board: GreedyBoard, found: Possibility, gone: Collection[str]) -> Position:
        """Return the position after a unit's move, made on the position in which it has made another one."""
        if gone or board.trial is None or board.trial[0] != found.unit or board.trial[1]:
            board.trial = found.unit, bool(gone), board.position.copy()
        after = board.trial[2]
        after.move(found.unit, found.end)
        for enemy in gone:
            after.remove(enemy, "")
        return after

    def _lasting_key(self, term: Term, here: str, found: Possibility) -> tuple[object, ...] | None:
        """Return on what depends how a unit's move changes a term, if nobody is eliminated; None: on other moves, too."""
        if id(term) in self._of_moves:
            return id(term), found.unit, found.mp.numerator, found.mp.denominator
        return (id(term), found.unit, here, found.end) if id(term) in self._shared else None

    def _change_of(self, board: GreedyBoard, term: Term, found: Possibility, after: Position) -> Fraction | int:
        """Return by how much a move changes what a term is worth."""
        before, unit, quiet = board.position, found.unit, len(after.at) == len(board.position.at)
        score = term.share(self._game, after, unit) if quiet else None
        key = id(term), "" if score is None else unit
        if score is None:
            score = term.score(self._game, after, Tally({unit: found.mp}))
        if key not in board.scores:
            own = term.share(self._game, before, unit) if key[1] else None
            board.scores[key] = term.score(self._game, before, Tally()) if own is None else own
        had = board.scores[key]
        if score.denominator == had.denominator == 1:
            return (score.numerator - had.numerator) * term.weight * term.sign
        return (score - had) * (term.weight * term.sign)

    def _move(self, board: GreedyBoard, found: Possibility) -> Move:
        """Write a possibility as a move; overruns of those who are gone by now are plain steps."""
        there, enemies = board.position.at, self._game.enemies_at
        real = frozenset(step for step in found.overruns if any(e in there for e in enemies(found.path[step])))
        return replace(found.move, overruns=real)


def _key_of(found: Possibility) -> tuple[object, ...]:
    """Return on what depends how a move changes what terms count."""
    return found.unit, found.end, found.removes, found.mp.numerator, found.mp.denominator
