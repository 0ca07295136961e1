"""Leaves out of a plan what is of no use: whole moves, and units that others don't need beside them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from planner.errors import OutOfTimeError
from planner.objective import Tally
from planner.objective.costs import MpSpent
from planner.objective.dependencies import TermsByDependency
from planner.objective.scoring import score_position, tier_values
from planner.plans.plan import Move, Plan, units_of
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.fixed_moves import along
from planner.reachability.possibility import Possibility
from planner.referee.referee import Referee, tally_of
from planner.referee.verdict import PlayedMove, Verdict
from planner.rules.atoms import Atom, Vacant
from planner.rules.roles import Rolls
from planner.scenario import Scenario
from planner.search.context import SearchContext
from planner.search.result import Result
from planner.solver.tuning import RedundantMoves
from planner.world.forces import Measure
from planner.world.position import Position


class Prefixes:
    """Plays plans that begin alike: what they have in common is played once. As if all rolls went well.

    Parameters
    ----------
    referee : Referee
        Plays the moves.
    start : Position
        Where they begin.
    """

    def __init__(self, referee: Referee, start: Position) -> None:
        self._referee = referee
        self._moves: list[Move] = []
        self._after: list[tuple[Position, Tally]] = [(start.copy(), tally_of(start))]

    def play(self, moves: Sequence[Move], same: int) -> tuple[Position, Tally] | None:
        """Play a plan; None: it breaks a rule, and is played no further.

        Parameters
        ----------
        moves : sequence of Move
            Of the plan.
        same : int
            How many of them, from the first on, are those of a plan that is legal.
        """
        common = 0
        while common < min(same, len(self._moves)) and self._moves[common] == moves[common]:
            common += 1
        del self._moves[common:], self._after[common + 1 :]
        for index in range(common, same):
            further = self._copy()
            self._make(moves, index, *further)
            self._moves.append(moves[index])
            self._after.append(further)
        position, tally = self._copy()
        for index in range(same, len(moves)):
            if not self._make(moves, index, position, tally):
                return None
        return None if self._referee.check_end(position) else (position, tally)

    def _copy(self) -> tuple[Position, Tally]:
        position, tally = self._after[-1]
        return position.copy(), Tally(dict(tally.mp))

    def _make(self, moves: Sequence[Move], index: int, position: Position, tally: Tally) -> bool:
        later = units_of(moves[index + 1 :])
        violations, played = self._referee.play_move(moves[index], position, tally.mp.keys(), index, later)
        tally.mp.update(played.spent)
        return not violations


class Services:
    """What the moves of a plan need of each other, as conditional reach has it; for plans in which units move alone, once.

    What isn't known counts as there: moves that fail here break a rule, those that don't may still break another one.

    Parameters
    ----------
    reach : ConditionalReach
        Tells what the written moves need.
    start : Position
        Where they begin.
    moves : sequence of Move
        Of a legal plan.
    """

    def __init__(self, reach: ConditionalReach, start: Position, moves: Sequence[Move]) -> None:
        self._reach = reach
        self._at = {unit: label for unit, label in start.at.items() if unit in reach.game.friends}
        self._gone = frozenset(reach.game.units.keys() - start.at.keys())
        self._moves = tuple(moves)
        self._options = {move: along(reach, move, RedundantMoves.ways) for move in moves}
        self._ways = dict(self._played(moves))
        # Where the plan itself seems to break a rule, more comes about than is known here: by combat, say.
        self._known = all(option is not None or not self._options[move] for move, option in self._ways.items())

    @staticmethod
    def suit(moves: Sequence[Move]) -> bool:
        """Tell whether units move alone, and none of them twice."""
        units = [unit for move in moves for unit in move.units]
        return all(len(move.units) == 1 for move in moves) and len(units) == len(set(units))

    def fails(self, moves: Sequence[Move]) -> bool:
        """Tell whether some of the plan's moves, made without the others, can't all be made."""
        return self._known and any(option is None and self._options[move] for move, option in self._played(moves))

    def enough(self, needed: Collection[Move]) -> list[Move]:
        """Return some of the plan's moves that are enough for those that are needed, as far as it is known."""
        found = set(needed)
        while True:
            moves = [move for move in self._moves if move in found]
            more: set[Move] = set()
            for move, option in self._played(moves):
                if option is None and (wanted := self._ways.get(move)) is not None:
                    earlier = self._moves[: self._moves.index(move)]
                    more = {one for atom in wanted.needs for one in self._bringing(atom, earlier)} - found
                    if more:
                        break
            if not more:
                return moves
            found |= more

    def _bringing(self, atom: Atom, moves: Sequence[Move]) -> list[Move]:
        """Return the first of some moves that brings something about; all who must have left."""
        if isinstance(atom, Vacant):
            return [move for move in moves if move.path[0] == atom.hex]
        if (friend := atom.friend) is not None:
            group = self._reach.group(friend.group)
            moved = units_of(moves)
            if any(label == friend.hex and unit in group and unit not in moved for unit, label in self._at.items()):
                return []
            return [move for move in moves if move.path[-1] == friend.hex and move.units[0] in group][:1]
        if not atom.victim:
            return []
        ways = ((move, self._ways.get(move)) for move in moves)
        return [move for move, found in ways if found is not None and atom.victim in found.removes][:1]

    def _played(self, moves: Sequence[Move]) -> Iterator[tuple[Move, Possibility | None]]:
        """Yield each move with the first possibility as which it can be made; None if there is none that is known."""
        at, gone = dict(self._at), set(self._gone)
        for move in moves:
            (unit,) = move.units
            view = AtomsAsStanding(self._reach, unit, at, gone)
            able = [option for option in self._options[move] if all(atom.holds(view) for atom in option.needs)]
            yield move, able[0] if able else None
            at[unit] = move.path[-1]
            for option in able:
                gone.update(option.removes)


@dataclass(frozen=True)
class AtomsAsStanding:
    """What atoms of a unit ask, as far as it is known who stands where and who is gone."""

    reach: ConditionalReach
    unit: str
    at: Mapping[str, str]
    gone: Collection[str]

    def is_gone(self, enemy: str) -> bool:
        """Tell whether an enemy is off the map; of markers and places that isn't known."""
        return enemy in self.gone or enemy not in self.reach.game.units

    def is_friend_in(self, hex: str, group: str, stays: bool = False, unmoved: bool = False) -> bool:
        """Tell whether another unit of a group stands in a hex, whether it moves on or not."""
        friends, homes = self.reach.group(group), self.reach.game.homes
        return any(
            label == hex and one != self.unit and one in friends and not (unmoved and homes.get(one) != hex)
            for one, label in self.at.items()
        )

    def amount_in(self, hex: str, group: str, but: frozenset[str], of: Measure) -> Fraction:
        """Take it that there is room."""
        return Fraction(0)

    def is_foremost(self, way: str) -> bool:
        """Take it that nobody has made another step."""
        return True

    def entered(self, hex: str, rule: str) -> int:
        """Take it that nobody has entered the hex before."""
        return 0


def leave_out_idle_moves(context: SearchContext, result: Result) -> Result:
    """Leave out moves that are of no use: without them the plan does all that is asked for, and is worth as much."""
    if result.plan is None or result.verdict is None or context.shortest or context.late_for_replays:
        return result
    game, tiers = context.scenario.game, context.scenario.tiers
    # What costs MP that count can't be left out of a plan that is proved best.
    costly = [term for tier in tiers for term in tier.terms if isinstance(term, MpSpent)]
    paid: set[Move] = set()
    if result.status == "optimal":
        for played in result.verdict.moves:
            own = [game.units[unit] for unit, mp in played.spent if mp]
            if own and all(any(term.of.matches(unit) for term in costly) for unit in own):
                paid.add(played.move)

    prefixes = Prefixes(Referee(game), context.scenario.start)
    # Fewer units may have to roll for what more of them are sure of.
    rolled = bool(game.rulebook.of(Rolls))
    plain = not (rolled or context.conditions or context.scenario.requirements or context.scenario.asks_for_attacks)

    verdicts: list[Verdict] = []

    def accepts(plan: Plan, same: int) -> bool:
        played = prefixes.play(plan.moves, same)
        if played is None:
            return False
        judged: list[Verdict] = []
        if plain:
            value = tier_values(tiers, score_position(game, tiers, *played))
        else:
            verdict = context.judged(plan)
            if verdict is None:
                return False
            value, judged = context.value(verdict), [verdict]
        accepted = value == result.value or (result.status != "optimal" and value > result.value)
        if accepted:
            verdicts[:] = judged
        return accepted

    brought = Contributions(context.scenario, result)

    def needed(move: Move) -> bool:
        return move in paid or brought.is_needed(move)

    services, moves = None, result.plan.moves
    if paid.issuperset(moves):
        return result
    try:
        if not rolled and Services.suit(moves):
            services = Services(context.ground.reach, context.scenario.start, moves)
    except OutOfTimeError:
        return result
    plan = without_idle_moves(result.plan, accepts, needed, lambda: context.late_for_replays, services)
    if plan == result.plan:
        return result
    verdict = verdicts[0] if verdicts else context.replay(plan)
    terms = tuple(context.replays.scores(verdict))
    value = tier_values(tiers, terms)
    if not verdict.legal or value < result.value:
        return result
    status = "optimal" if value == result.bound else result.status
    return replace(result, status=status, value=value, plan=plan, verdict=verdict, terms=terms)


class Contributions:
    """What the moves of a plan that is proved best bring.

    Parameters
    ----------
    scenario : Scenario
        The scenario.
    result : Result
        The plan, what it is worth, and the referee's verdict.
    """

    def __init__(self, scenario: Scenario, result: Result) -> None:
        self._game, self._tiers, self._result = scenario.game, scenario.tiers, result
        self._played: dict[Move, PlayedMove] = {}
        if result.verdict is not None:
            for one in result.verdict.moves:
                self._played.setdefault(one.move, one)
        self._terms = TermsByDependency((known.term, known) for known in result.terms)

    def is_needed(self, move: Move) -> bool:
        """Tell whether the last position is worth less if the move hasn't been made, even if all others can be."""
        verdict, game = self._result.verdict, self._game
        if self._result.status != "optimal" or verdict is None or verdict.outcomes or len(move.units) > 1:
            return False
        (unit,) = move.units
        played = self._played.get(move)
        if not self._tiers or played is None or played.taken or played.rolls or verdict.position.lost:
            return False
        without, removed = verdict.position.copy(), [enemy for enemy in played.removed if enemy in game.units]
        for other in (unit, *removed):
            without.move(other, game.homes[other])
        tally = replace(verdict.tally, mp={u: mp for u, mp in verdict.tally.mp.items() if u != unit})
        # Nothing else looks at whom it has moved, from where, to where, or at whom it has removed.
        places = (move.path[-1], game.homes[unit], *(game.homes[enemy] for enemy in removed), *removed)
        change = [Fraction(0)] * len(self._tiers)
        for known in self._terms.looking_at(places):
            count = known.term.score(game, without, tally)
            change[known.tier] += (count - known.count) * known.term.weight * known.term.sign
        return tuple(change) < (Fraction(0),) * len(change)


def without_idle_moves(
    plan: Plan,
    accepts: Callable[[Plan, int], bool],
    needed: Callable[[Move], bool],
    late: Callable[[], bool],
    services: Services | None = None,
) -> Plan:
    """Return a plan without the moves that can be left out, the last ones first, as those before them may serve them.

    Parameters
    ----------
    plan : Plan
        The plan.
    accepts : callable
        Tells whether a shorter plan is as good; gets how many of its first moves are those of a plan that is.
    needed : callable
        Tells of moves of which it is known that they can't be left out; they aren't tried.
    late : callable
        Tells whether there is no time for more: what is left is left.
    services : Services, optional
        What the plan's moves need of each other, where that is known: what breaks a rule isn't tried.
    """
    moves = list(plan.moves)
    # Most of what is of no use serves nothing that is: all of that is tried at once.
    wanted = [move for move in moves if needed(move)]
    of_use = _serving(moves, {index for index, move in enumerate(moves) if move in wanted})
    guesses = [[move for index, move in enumerate(moves) if index in of_use]]
    if services is not None:
        guesses.insert(0, services.enough(wanted))
    for few in guesses:
        if len(few) < len(moves) - 1 and not late() and accepts(replace(plan, moves=tuple(few)), 0):
            moves = few
            break
    for index in reversed(range(len(moves))):
        if late():
            break
        if moves[index] in wanted:
            continue
        for shorter in _less(moves[index]):
            tried = [*moves[:index], *shorter, *moves[index + 1 :]]
            if services is not None and not shorter and services.fails(tried):
                continue
            if accepts(replace(plan, moves=tuple(tried)), index):
                moves = tried
                break
    return replace(plan, moves=tuple(moves))


def _serving(moves: list[Move], needed: set[int]) -> set[int]:
    """Return the moves that are needed, and those that may serve them, or serve those that do.

    Who overruns somebody may serve anybody; who ends where another one passes, or leaves the hex in which it ends, may serve
    that one. There may be other ways: whoever asks tries without the rest.
    """
    found = {*needed, *(index for index, move in enumerate(moves) if move.overruns)}
    open_ = list(found)
    while open_:
        served = moves[open_.pop()]
        for index, move in enumerate(moves):
            if index not in found and (move.path[-1] in served.path or move.path[0] == served.path[-1]):
                found.add(index)
                open_.append(index)
    return found


def _less(move: Move) -> Iterator[tuple[Move, ...]]:
    """Yield what may be left of a move: nothing, or what it is without one of its units."""
    yield ()
    if len(move.units) > 1:
        for unit in reversed(move.units):
            rest = replace(
                move,
                units=tuple(other for other in move.units if other != unit),
                drops=tuple(drop for drop in move.drops if drop[1] != unit),
            )
            if not any(rest.faults()):
                yield (rest,)
