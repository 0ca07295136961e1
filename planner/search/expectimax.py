"""The best way of playing by trying every step in every situation: exact, where that is little enough.

A decision is a step of a unit, or of units that stand together, or the end of the phase. The value of a situation is that of
its best decision, of a roll the average over its results, tier by tier in their order: since averages of values that are
compared in order are compared like the values, the best decision in each situation is the best way of playing. Situations in
which everything is the same that what comes can depend on are worked out once: of units whose moves are over, what they have
spent is passed over, since it adds the same to whatever follows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, pairwise

from planner.errors import PlannerError
from planner.objective import Tally, Term, Tier
from planner.objective.costs import MpSpent
from planner.objective.scoring import Value, score_position, tier_values
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Move
from planner.plans.policy import Branch, Made, Node
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.possible_rolls import may_roll
from planner.referee.attack_outcomes import left_of, results
from planner.referee.attacks import AttackInTheMaking, violations_of
from planner.referee.referee import Referee, tally_of
from planner.referee.verdict import PlayedMove, Violation
from planner.rules.attack_rule import attack_rule
from planner.rules.attack_table import AttackRule
from planner.rules.combat_roles import JointlyOverruns
from planner.rules.later_roles import Battles
from planner.rules.play import overrun_links
from planner.rules.roles import Controls
from planner.scenario import Scenario
from planner.scenario.phase_in_progress import Making
from planner.search.attack_choices import AttackChoices
from planner.search.stepwise import aboard, as_made, dropping, leads_on, may_end_at_home, overruns_of, returns
from planner.world.board import NOTHING
from planner.world.declared_attack import DeclaredAttack
from planner.world.position import Position

_After = tuple[tuple[Made, ...], Position, object, Value]
"""A step as it has been made: as it is written then, the position, what tells it apart, what the MP are worth."""
_Result = tuple[Fraction, list[_After]]
"""What may come of a step: how likely, and how one may go on from it, such as by advancing after an attack."""
_Step = tuple[Move | tuple[DeclaredAttack, ...], list[_Result]]
"""A step of a move; or attacks that are declared, of which the first is rolled."""


def _after(steps: list[_Step]) -> list[tuple[Position, object]]:
    """Return the situations to which some steps may lead, each with what tells it apart."""
    return [(there, key) for _, rolled in steps for _, ways in rolled for _, there, key, _ in ways]


def added(one: Value, other: Value) -> Value:
    """Return the sum of two values, tier by tier."""
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _price(scenario: Scenario, unit: str) -> Value:
    """Return what a MP of a unit comes to, tier by tier, and then in MP."""
    counter = scenario.game.at_first.units[unit]
    paid = (
        sum(term.weight * term.sign for term in tier.terms if isinstance(term, MpSpent) and term.of.matches(counter))
        for tier in scenario.tiers
    )
    return (*map(Fraction, paid), Fraction(0), Fraction(-1))


class TooManyStepsError(PlannerError):
    """There are more steps than are tried."""


@dataclass(frozen=True)
class Decision:
    """The best decision in a situation.

    Attributes
    ----------
    rank : tuple of Fraction or None
        What it is worth, tier by tier, and then how few moves and how few MP it takes, MP that have been spent before not
        counted; None if whatever is done fails a requirement.
    move : Move or None
        The step; None: the phase ends, or attacks are declared.
    attacks : tuple of DeclaredAttack
        The attacks that are declared, of which the first is rolled next.
    results : tuple of (Fraction, tuple of Move or DeclaredAttack, key, tuple of Fraction)
        What may come of it: how likely, the step as it has been made, once for each draw, the situation after it, and what
        the MP that the step takes come to.
    """

    rank: Value | None
    move: Move | None = None
    attacks: tuple[DeclaredAttack, ...] = ()
    results: tuple[tuple[Fraction, tuple[Made, ...], object, Value], ...] = ()


class Expectimax:
    """Tries every step in every situation.

    Parameters
    ----------
    scenario : Scenario
        The position; its phase may be in progress.
    most : int
        How many steps are tried at most.
    check_time : callable
        Raises something when the time is up; called all the time.
    partial : PartialPlan, optional
        What is settled of plans: units make no other steps, and end where they are to if nothing can be rolled.
    goals : sequence of (Tier, Fraction)
        What must be worth so much at least, if nothing can be rolled: what rolls are worth is an average.
    """

    def __init__(
        self,
        scenario: Scenario,
        most: int,
        check_time: Callable[[], None],
        partial: PartialPlan | None = None,
        goals: Sequence[tuple[Tier, Fraction]] = (),
    ) -> None:
        self._scenario, self._game = scenario, scenario.game.at_first
        self._referee, self._making = Referee(scenario.game), Making(scenario.game)
        self._left, self._check_time = most, check_time
        self._known: dict[object, Decision] = {}
        self._price: dict[str, Value] = {unit: _price(scenario, unit) for unit in self._game.friends}
        self._partial, rolled = partial or PartialPlan(), may_roll(scenario.game)
        made = {unit: (move.part(unit).path[-1],) for move in self._partial.moves for unit in move.units}
        self._ends = {} if rolled else {**made, **dict(self._partial.ends)}
        self._goals = () if rolled else tuple(goals)
        terms = [part for tier in scenario.tiers for term in tier.terms if term.joint for part in term.parts()]
        terms += [term for tier, _ in self._goals for term in tier.terms]
        # What the MP spent so far come to adds to the value of whatever follows, unless a goal is to spend few.
        self._adds_up = not any(isinstance(term, MpSpent) for term in (*terms, *self._required()))
        self._attacks = attack_rule(self._game) if scenario.asks_for_attacks else None
        self._steps_count = bool(self._game.rulebook.of(Battles))
        first = ConditionalReach(self._game)
        # Where trying again may be a step by itself, an EZOC may cost that step once more; elsewhere it comes to the same.
        again = any(effect.does == "cost" for rule in self._game.rulebook.of(Controls) for effect in rule.effects)
        joint = [rule for rule in self._game.rulebook.of(JointlyOverruns) if again or rule.failure_is_final]
        self._most_tries = max((rule.attempts for rule in joint), default=1)
        self._arcs: dict[str, dict[str, set[str]]] = {unit: {} for unit in first.movers}
        self._reach, self._counted = first, first.counts_hexes + 1
        self._returns = returns(first)
        self._comes_back = bool(first.limiting_halts) and (any(self._returns) or bool(self._game.rulebook.overrunning))

    @property
    def settled(self) -> int:
        """How many situations are known to the end."""
        return len(self._known)

    def go_on(self, most: int, check_time: Callable[[], None]) -> None:
        """Let so many more steps be tried, until some time: what has been settled stays known."""
        self._left, self._check_time = most, check_time

    def best(self) -> Node | None:
        """Return the best way of playing; None if none fulfils the requirements.

        Raises
        ------
        TooManyStepsError
            If there are more steps than are tried.
        OutOfTimeError
            If the time is up.
        """
        start = self._scenario.start.copy()
        decision = self._decide(start)
        return None if decision.rank is None else self._node(self._key(start), self._spent(start))

    def _decide(self, start: Position) -> Decision:
        """Work out the best decision of a situation, and of all that may follow.

        Situations that lead to each other, by steps that take no MP, are worked out together (R. Tarjan, "Depth-First Search
        and Linear Graph Algorithms", SIAM Journal on Computing 1, 1972).
        """
        stack = [(start, self._key(start))]
        pending: dict[object, list[_Step]] = {}
        number: dict[object, int] = {}
        lowest: dict[object, int] = {}  # the number of the first situation to which each is known to lead back
        together: list[tuple[Position, object]] = []
        while stack:
            position, key = stack[-1]
            if key in self._known:
                stack.pop()
                continue
            if key not in pending:
                pending[key], number[key] = list(self._steps(position)), len(together)
                lowest[key] = number[key]
                together.append((position, key))
                fresh = [one for one in _after(pending[key]) if one[1] not in self._known and one[1] not in pending]
                if fresh:
                    stack += fresh
                    continue
            stack.pop()
            lowest[key] = min([lowest[key], *(lowest[name] for _, name in _after(pending[key]) if name in pending)])
            if lowest[key] == number[key]:
                members = together[number[key] :]
                del together[number[key] :]
                self._settle(members, {name: pending.pop(name) for _, name in members})
        return self._known[self._key(start)]

    def _settle(self, members: list[tuple[Position, object]], steps: dict[object, list[_Step]]) -> None:
        """Work out a situation that doesn't come back, or all that lead to each other, until nothing gets better."""
        if any(
            len(rolled) > 1 and any(key in steps for _, ways in rolled for _, _, key, _ in ways)
            for some in steps.values()
            for _, rolled in some
        ):
            raise TooManyStepsError("what is rolled for may come back, again and again")
        for _, key in members:
            self._known[key] = Decision(None)
        better = True
        while better:
            better = False
            for position, key in reversed(members):
                found, had = self._compare(position, steps[key]), self._known[key].rank
                # One that is as good isn't taken instead: it might lead back.
                if found.rank is not None and (had is None or found.rank > had):
                    self._known[key], better = found, len(members) > 1

    def _compare(self, position: Position, steps: list[_Step]) -> Decision:
        """Return the best decision, now that what may follow is known; of equal ones the end, then the first."""
        best, hand = Decision(self._worth(position)), position.in_hand
        for move, rolled in steps:
            mean = [Fraction(0)] * (len(self._scenario.tiers) + 2)
            after = []
            for chance, ways in rolled:
                found = self._best_of(ways)
                if found is None:
                    break
                made, key, price, rank = found
                after.append((chance, made, key, price))
                for column, (one, more) in enumerate(zip(rank, price, strict=True)):
                    if one or more:
                        mean[column] += (one + more) * chance
            else:
                if isinstance(move, Move):
                    mean[-2] -= not hand.issuperset(move.units)
                if best.rank is None or tuple(mean) > best.rank:
                    step, attacks = (move, ()) if isinstance(move, Move) else (None, move)
                    best = Decision(tuple(mean), step, attacks, tuple(after))
        return best

    def _best_of(self, ways: list[_After]) -> tuple[tuple[Made, ...], object, Value, Value] | None:
        """Return how to go on best from a result, with what that ranks; None if whatever is done fails a requirement."""
        best: tuple[tuple[Made, ...], object, Value, Value] | None = None
        for made, _, key, price in ways:
            rank = self._known[key].rank
            if rank is not None and (best is None or added(rank, price) > added(best[3], best[2])):
                best = made, key, price, rank
        return best

    def _worth(self, position: Position) -> Value | None:
        """Return what the phase ranks if it ends; None if it may not, or a requirement is failed."""
        return None if self._attacks_due(position) else self._worth_with(position, tally_of(position))

    def _worth_with(self, position: Position, tally: Tally) -> Value | None:
        scenario = self._scenario
        if not self._may_end(position):
            return None
        if not all(term.holds(self._game, position, tally) for term in scenario.requirements):
            return None
        if any(position.at.get(unit) not in places for unit, places in self._ends.items()):
            return None
        tiers = [tier for tier, _ in self._goals]
        had = tier_values(tiers, score_position(self._game, tiers, position, tally))
        if any(one < least for one, (_, least) in zip(had, self._goals, strict=True)):
            return None
        worth = tier_values(scenario.tiers, score_position(self._game, scenario.tiers, position, tally))
        spent = self._spent(position)
        return tuple(one - had for one, had in zip((*worth, Fraction(0), spent[-1]), spent, strict=True))

    def _may_end(self, position: Position) -> bool:
        """Tell whether the moves of a phase may end with a position."""
        return not self._referee.check_end(position)

    def _attacks_due(self, position: Position) -> bool:
        """Tell whether attacks must still be made before the phase ends."""
        rule = self._attacks
        if rule is None:
            return False
        if position.declared is not None and rule.declared == "at_once":
            return any(left_of(self._game, position, attack) for attack in position.declared)
        return bool(violations_of(self._game, position, ()))

    def _required(self) -> Iterator[Term]:
        for term in self._scenario.requirements:
            yield from (term, *term.parts())

    def _spent(self, after: Position, before: Position | None = None) -> Value:
        """Return what MP that have been spent come to, in all or since another position."""
        found = [Fraction(0)] * (len(self._scenario.tiers) + 2)
        for unit, progress in after.under_way.items():
            had = before.under_way.get(unit) if before is not None else None
            if had is None or had.spent != progress.spent:
                mp = progress.spent - (had.spent if had is not None else 0)
                for column, price in enumerate(self._price[unit]):
                    if price:
                        found[column] += price * mp
        return tuple(found)

    # -- steps

    def _steps(self, position: Position) -> Iterator[_Step]:
        """Yield every legal step with what may come of it."""
        if self._attacks is not None:
            yield from self._attack_steps(self._attacks, position)
        queue = deque(self._written(position) if not position.attacking else ())
        while queue:
            self._count()
            move, after = queue.popleft(), position.copy()
            broken, played = self._referee.play_move(move, after, position.under_way.keys())
            leads = played.played and all(one.halt for one in broken)
            if not broken:  # it need not go on, unless to come back to where no other move may end
                leads = self._comes_back and not may_end_at_home(self._referee, move, position)
            if leads and self._may_go_on(move, played, position):
                queue += (longer for some in dropping(move) for longer in self._longer(some, position))
            if broken:
                continue
            if played.rolls:
                results = [self._result(made, chance, position) for made, chance in played.results()]
                if all(ways for _, ways in results):  # else it may have to end where it may not
                    yield move, results
            else:
                made = move.as_made()
                self._making.note(made, position, after)
                yield move, [(Fraction(1), [((made,), after, self._key(after), self._spent(after, position))])]

    def _may_go_on(self, move: Move, played: PlayedMove, position: Position) -> bool:
        """Tell whether a move that may not end where it has come to may go on, though it may fail there."""
        if not played.rolls:
            return True
        if any(not stop.lifted_by for stop in played.stopped):  # as whoever has fought
            return False
        return all(self._result(*one, position)[1] for one in played.results() if one[0][0].failed)

    def _result(self, made: tuple[Move, ...], chance: Fraction, position: Position) -> _Result:
        """Return what comes of a result; nothing if it is illegal."""
        after = position.copy()
        broken = self._making.make(made[0], after)
        if broken:
            if not self._may_end_there(made[0], broken):
                return chance, []
            self._making.note(made[0], position, after)
        return chance, [(made, after, self._key(after), self._spent(after, position))]

    def _may_end_there(self, made: Move, broken: Sequence[Violation]) -> bool:
        """Tell whether a move that has failed may end where a rule forbids it to: here it never may."""
        return False

    def _count(self) -> None:
        self._check_time()
        self._left -= 1
        if self._left < 0:
            raise TooManyStepsError("there are more steps than are tried")

    def _attack_steps(self, rule: AttackRule, position: Position) -> Iterator[_Step]:
        """Yield every way to declare attacks, or to go on with those that are declared, with what may come of the next."""
        if position.declared is not None and rule.declared == "at_once":
            for index, attack in enumerate(position.declared):
                now = left_of(self._game, position, attack)
                if now is not None:
                    yield self._rolled(position, (now, *position.declared[:index], *position.declared[index + 1 :]))
            return
        if self._referee.check_end(position):
            return
        choices = AttackChoices(rule, self._game, position, self._count)
        if rule.declared == "one_by_one":
            for attack in choices.single():
                yield self._rolled(position, (attack,))
            return
        for attacks in choices.together():
            for index, attack in enumerate(attacks):
                yield self._rolled(position, (attack, *attacks[:index], *attacks[index + 1 :]))

    def _rolled(self, position: Position, attacks: tuple[DeclaredAttack, ...]) -> _Step:
        """Return what may come of the first of some attacks that are declared."""
        game, found = self._game, list[_Result]()
        for chance, rolled in results(game, position, attacks[0]):
            ways: list[_After] = []
            for made in AttackInTheMaking(game, position, rolled).choices():
                self._count()
                after = position.copy()
                after.in_hand = NOTHING
                if not self._referee.make_attack(made, after):
                    after.declared = attacks[1:]
                    ways.append(((made,), after, self._key(after), self._spent(after, position)))
            found.append((chance, ways))
        return attacks, found

    def _written(self, position: Position) -> Iterator[Move]:
        """Yield every step that some unit, or units that stand together, might make."""
        by_hex, stacks = dict[str, list[str]](), self._game.rulebook.stacks
        for unit in self._reach.movers:
            if unit in self._partial.stays or unit not in position.at:
                continue
            if unit not in position.under_way or self._goes_further(unit, position):
                by_hex.setdefault(position.at[unit], []).append(unit)
        for here, units in by_hex.items():
            # Whom no step leads on goes with nobody.
            able = [unit for unit in units if self._game.board.zones_of(here) or self._leads(unit, here)]
            for size in range(1, (len(able) if stacks else 1) + 1):
                for team in combinations(able, size):
                    yield from self._longer(Move(team, (here,)), position)

    def _longer(self, move: Move, position: Position) -> Iterator[Move]:
        """Yield a move with one more step, in each form that it may have, those aboard a carrier first: plans say so."""
        board = self._game.board
        served = {to for zone in board.zones_of(move.end) for to in board.zones[zone]}
        for to in sorted(to for to in served if leads_on(move, to, *self._returns)):
            yield replace(move, path=(*move.path, to), carried=(*move.carried, (len(move.path), "")))
        ways = [self._leads(unit, move.end) for unit in aboard(move)]
        for to in sorted(to for to in set.intersection(*ways) if leads_on(move, to, *self._returns)):
            longer = replace(move, path=(*move.path, to))
            yield longer
            if self._game.rulebook.overrunning and any(map(self._game.is_enemy, position.units_in(to))):
                yield from overruns_of(self._game, longer, position, self._most_tries)

    def _leads(self, unit: str, here: str) -> set[str]:
        """Return where a step may lead a unit from a place, under whatever conditions."""
        known = self._arcs[unit]
        if here not in known:
            steps = {step.arc.to for step in self._reach.steps(unit, here)}
            known[here] = steps.union(overrun_links(self._game, here))
            if unit in self._partial.movers:
                fixed = [move.path for move in self._partial.moves if unit in move.units]
                known[here].intersection_update(to for path in fixed for at, to in pairwise(path) if at == here)
        return known[here]

    def _goes_further(self, unit: str, position: Position) -> bool:
        """Tell whether a unit that has moved may move again."""
        return unit in position.in_hand or self._game.rulebook.lets_wait(self._game.units[unit])

    def _key(self, position: Position) -> object:
        """Return all that what comes later can depend on, and by how much it differs in value."""
        moved: list[object] = []
        for unit, one in position.under_way.items():
            if self._goes_further(unit, position):
                moved.append(
                    (unit, one.spent, min(one.steps, self._counted), one.stops, one.way, one.zones, one.tallies)
                )
            else:  # it stands where it stands
                moved.append((unit, None if self._adds_up else one.spent, one.steps if self._steps_count else 0))
        return (
            frozenset(position.at.items()),
            frozenset(moved),
            position.in_hand,
            self._game.counted(position.taken),
            *position.happened,
        )

    # -- the way of playing

    def _goes_on(self, move: Move, step: Move) -> bool:
        """Tell whether a step is one with which a move goes on, rather than one of another move."""
        if move.end != step.path[0]:
            return False
        if all(self._game.rulebook.lets_wait(self._game.units[unit]) for unit in move.units):
            return move.units == step.units
        return {unit for unit in move.units if move.last_step(unit) == len(move.path) - 1}.issuperset(step.units)

    def _node(self, key: object, spent: Value) -> Node:
        """Return what is done in a situation: steps of the same units that follow each other are one move.

        `spent` is what the MP that have been spent before it come to.
        """
        moves: list[Move] = []
        decision = self._known[key]
        assert decision.rank is not None
        value = added(decision.rank, spent)[:-2]
        while decision.move is not None or decision.attacks:
            if decision.move is None:
                branches = tuple(
                    Branch(made, chance, self._node(after, added(spent, price)))
                    for chance, made, after, price in decision.results
                )
                return Node(tuple(moves), branches, value, attacks=decision.attacks)
            step = (
                moves.pop().then(decision.move) if moves and self._goes_on(moves[-1], decision.move) else decision.move
            )
            moves.append(replace(step, made=0))
            if len(decision.results) > 1:
                branches = tuple(
                    Branch(
                        tuple(as_made(moves[-1], decision.move, one) for one in made),
                        chance,
                        self._node(after, added(spent, price)),
                    )
                    for chance, made, after, price in decision.results
                )
                return Node(tuple(moves), branches, value)
            _, _, key, price = decision.results[0]
            spent, decision = added(spent, price), self._known[key]
        return Node(tuple(moves), (), value)
