"""A phase in progress: the position after moves that have been made, with all that the rules remember of them.

What was rolled is written as in any plan: ``a 10.10!10.11`` has failed, ``tank E4-E5!`` has bogged down there, and ``=0:1``
is what was drawn. In moves that have been made, everything else has gone through: ``a 10.10x10.11*2`` at the second attempt.
An attack without a result, ``a+b -> 0303``, has been declared and is still to be rolled, where all are declared at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod

from planner.errors import InputError, Problem
from planner.plans.plan import Move, Plan
from planner.referee.attacks import AttackInTheMaking, violations_of
from planner.referee.referee import Referee
from planner.referee.verdict import Violation
from planner.rules.attack_rule import attack_rule
from planner.rules.game import Game
from planner.rules.later_roles import Outlasts
from planner.rules.roles import Controls
from planner.scenario.scenario import Scenario
from planner.world.board import NOTHING
from planner.world.declared_attack import DeclaredAttack
from planner.world.position import Begun, Position, Reliance, Stop


def in_progress(scenario: Scenario, done: Plan, where: str) -> Scenario:
    """Return the scenario as it is after moves that have been made in its phase.

    Parameters
    ----------
    scenario : Scenario
        The scenario; its phase may be in progress already.
    done : Plan
        The moves, in their order, with what was rolled.
    where : str
        What to call the list of them in messages.

    Raises
    ------
    InputError
        If one of them isn't legal, or doesn't say what was rolled: with all that is wrong with the first such move.
    """
    if not done.moves and done.attacks is None:
        return scenario
    making, position, problems = Making(scenario.game), scenario.start.copy(), list[Problem]()
    for index, move in enumerate(done.moves, len(scenario.done.moves)):
        place = f"{where}[{index}] ({str(move)[:60]})"
        problems += [Problem(what, place) for what in making.undecided(move, position)]
        problems += [Problem(f"must be legal, but {one}", place) for one in making.enter(move, position)]
        if problems:  # what comes after a move that can't have been made means nothing
            raise InputError(problems)
    attacks, rule = done.attacks or (), attack_rule(scenario.game)
    one_by_one = rule is not None and rule.declared == "one_by_one"
    pending = not one_by_one and any(not attack.result for attack in attacks)
    if pending or done.closed or done.attacks == ():
        for at, what in making.declare(attacks, position):
            told = "attacks" if at is None else str(attacks[at].declared)[:60]
            problems.append(Problem(what, f"{where} ({told})"))
        if problems:
            raise InputError(problems)
    for attack in (one for one in attacks if one.result or one_by_one):
        if problems := [Problem(what, f"{where} ({str(attack)[:60]})") for what in making.attack(attack, position)]:
            raise InputError(problems)
    return reached(scenario, position, done.moves, tuple(one for one in attacks if one.result))


def reached(
    scenario: Scenario, position: Position, moves: tuple[Move, ...], attacks: tuple[DeclaredAttack, ...] = ()
) -> Scenario:
    """Return the scenario as it is after moves, of which it is known that they lead to a position.

    Parameters
    ----------
    scenario : Scenario
        The scenario; its phase may be in progress.
    position : Position
        Who stands where after the moves, with all that the rules remember.
    moves : tuple of Move
        The moves that `Making` has made on its way there, with what was rolled.
    attacks : tuple of DeclaredAttack
        The attacks that it has made after them, likewise; those that are still to be rolled stand in the position.
    """
    made = (*(one for one in scenario.done.attacks or () if one.result), *attacks)
    left = position.declared
    done = (*made, *(left or ())) if made or left is not None else None
    return replace(
        scenario,
        game=_begun(scenario.game, position),
        start=position,
        done=Plan((*scenario.done.moves, *moves), done, left == () and bool(made)),
    )


class Making:
    """Makes moves whose results are known, one after another, and remembers who may go on and who must stay.

    Parameters
    ----------
    game : Game
        The game; its phase may be in progress.
    """

    def __init__(self, game: Game) -> None:
        self._game, self._referee = game.at_first, Referee(game)

    def make(self, move: Move, position: Position) -> list[Violation]:
        """Make a move on a position, which changes; return what is wrong with it.

        Parameters
        ----------
        move : Move
            The move, with what was rolled: what doesn't say that it has failed has gone through.
        position : Position
            Who stands where, and what has been done.
        """
        before = position.copy()
        violations = self._play(move, position)
        if not violations:
            self.note(move, before, position)
        return violations

    def enter(self, move: Move, position: Position) -> list[Violation]:
        """Make a move as `make` does; where rolls may be relied on, it may have failed where it may not end."""
        before = position.copy()
        violations = self.make(move, position)
        if not violations or not self.excuses(move, violations, before):
            return violations
        self.note(move, before, position)
        return []

    def excuses(self, move: Move, violations: Sequence[Violation], before: Position) -> bool:
        """Tell whether a move may end as it may not since it has failed, and it could be relied on that it wouldn't."""
        confidence, rolled = self._game.situation.confidence, move.failed or move.damage is not None
        if confidence == 1 or not rolled or not all(one.halt for one in violations):
            return False
        begun = replace(move, failed=False, damage=None, made=0)
        rolls = self._referee.play_move(begun, before.copy(), before.under_way.keys())[1].rolls
        as_well = (one for roll in rolls for one in roll.results if one.good == roll.results[0].good)
        if any(move.damage in result.entries for result in as_well):  # that isn't a failure
            return False
        return prod(roll.chance for roll in rolls) >= confidence

    def note(self, move: Move, before: Position, position: Position) -> None:
        """Note in a position, to which a legal move has led, who may go on and who must stay."""
        moved = frozenset(move.units)  # nobody who has moved since stays
        known = (replace(one, friends=one.friends - moved) if one.friends & moved else one for one in position.relied)
        position.relied = tuple(dict.fromkeys([*known, *self._reliances(move, before)]))
        position.in_hand = self._in_hand(move, position)
        self._note_who_lifts(move, before, position)

    def _play(self, move: Move, position: Position, later: frozenset[str] = frozenset()) -> list[Violation]:
        return self._referee.play_move(move.as_made(), position, position.under_way.keys(), 0, later)[0]

    def undecided(self, move: Move, position: Position) -> Iterator[str]:
        """Yield what must be said of a combat whose result isn't known; the position is left as it is."""
        _, played = self._referee.play_move(move, position.copy(), position.under_way.keys())
        for roll in played.rolls:
            if roll.results:
                drawn = sorted({entry for result in roll.results for entry in result.entries})
                told = ", ".join(f"={ours}:{theirs}" for ours, theirs in drawn)
                yield f"must say what was drawn: one of {told}"

    def declare(self, attacks: Sequence[DeclaredAttack], position: Position) -> list[tuple[int | None, str]]:
        """Note on a position which attacks are declared before the first of them is rolled; return what is wrong with them.

        Parameters
        ----------
        attacks : sequence of DeclaredAttack
            All of them; those that have been declared before, and are still to be rolled, too.
        position : Position
            The board after the last move.

        Returns
        -------
        list of (int or None, str)
            What is wrong, with the index of the attack; None: with what isn't declared. If anything is, nothing is noted.
        """
        rule = attack_rule(self._game)
        if rule is None and not attacks:
            return [(None, "nobody attacks after the moves of this phase")]
        wrong = [(one.attack, f"must be legal, but {one}") for one in violations_of(self._game, position, attacks)]
        if not wrong and rule is not None and rule.declared == "one_by_one":
            what = "attacks are declared one by one in this game: others may follow as long as the phase goes on"
            wrong = [(None, what)]
        if not wrong and position.declared is None:
            position.declared, position.in_hand = tuple(attack.declared for attack in attacks), NOTHING
        return wrong

    def attack(self, attack: DeclaredAttack, position: Position) -> list[str]:
        """Make an attack on a position, which changes; return what is wrong with it, or isn't said of it."""
        faults = self._referee.make_attack(attack.declared, position.copy())
        open_ = [] if faults else list(AttackInTheMaking(self._game, position, attack).undecided())
        if open_:
            return open_
        position.in_hand = NOTHING
        return [f"must be legal, but {one}" for one in faults or self._referee.make_attack(attack, position)]

    def _in_hand(self, move: Move, position: Position) -> frozenset[str]:
        """Return the units that may go on with their move; none if they may go on later in any case."""
        book, last = self._game.rulebook, len(move.path) - 1
        units = frozenset(
            unit for unit in move.units if move.last_step(unit) == last and position.at.get(unit) == move.end
        )
        if move.bogs or all(book.lets_wait(self._game.units[unit]) for unit in units):
            return NOTHING
        if move.failed and any(rule.failure_is_final for rule in book.overrunning):
            return NOTHING
        return units

    def _note_who_lifts(self, move: Move, before: Position, position: Position) -> None:
        """Note all that would stop units that may go on, and who would lift each stop by being left where they are."""
        hand, book, units = position.in_hand, self._game.rulebook, self._game.units
        going = hand or frozenset(one for one in move.units if book.lets_wait(units[one]))
        if move.bogs or move.damage is not None:  # what stops them is no friend's to lift
            return
        made = move.until(len(move.path) - 2) if move.failed else move
        for unit in self._game.sorted(going & position.at.keys()):
            progress, label = position.under_way[unit], position.at[unit]
            near = [one for one in {label, *made.path[-2:]} if self._near_enemies(one, position)]
            standing = {one for place in near for one in position.units_in(place)}
            others = frozenset(one for one in standing if one in self._game.friends and one != unit)
            if len(made.path) < 2:  # it stands where it stood, under the stops that it had
                stops = before.under_way[unit].stops if unit in before.under_way else progress.stops
            elif others:
                told = {stop_key(stop): stop.reason for stop in progress.stops}
                found = self._lifted(unit, made, before, others, hand)
                stops = tuple(replace(stop, reason=told.get(stop_key(stop), stop.reason)) for stop in found)
            else:
                continue
            position.under_way[unit] = replace(progress, stops=stops)

    def _lifted(
        self, unit: str, made: Move, before: Position, others: frozenset[str], together: frozenset[str]
    ) -> Iterator[Stop]:
        """Yield what stops a unit if nobody stays behind, with those of the others in its hex who lift it if they do."""
        alone = self._stops(unit, made, before, together, others - together)
        lifting: dict[StopKey, set[str]] = {key: set() for key in alone}
        for other in self._game.sorted(others) if alone else ():
            left = self._stops(unit, made, before, together - {other}, others - together - {other})
            for key in alone.keys() - left.keys():
                lifting[key].add(other)
        for key, stop in alone.items():  # why others don't lift it now is another matter later
            reason = f"EZOC of {self._game.names(stop.enemies)}" if stop.enemies else stop.reason
            yield replace(stop, reason=reason, lifted_by=frozenset(lifting[key]))

    def _stops(
        self, unit: str, made: Move, before: Position, together: frozenset[str], later: frozenset[str]
    ) -> dict[StopKey, Stop]:
        """Return what stops a unit after a move with which some go on together, while others move later."""
        longer = made.then(Move(self._game.sorted(together), (made.path[-1], made.path[-2]))) if together else made
        moved, again = frozenset(before.under_way), before.in_hand.issuperset(made.units)
        under_way = self._referee.begin_move(longer, before.copy(), moved, later=later, in_hand=again)
        for step in range(1, len(made.path)):
            self._referee.play_step(longer, step, under_way)
        return {stop_key(stop): stop for stop in under_way.plays[unit].stops}

    def _reliances(self, move: Move, before: Position) -> Iterator[Reliance]:
        """Yield the friends on whom the units of a move have relied, and of whom one must stay: as if they moved later."""
        game = self._game
        lasting = [rule for rule in game.rulebook.of(Controls) if rule.negated_for_good]
        if not lasting:
            return
        # Where no enemy is beside a hex, and none can have been driven there, nobody relies on anybody.
        path = move.path if move.overruns else [label for label in move.path if self._near_enemies(label, before)]
        passed = {unit for label in path for unit in before.units_in(label)}
        others = frozenset(unit for unit in passed if unit in game.friends and unit not in move.units)
        if not others:
            return
        known = {one.key for one in self._broken(move, before, NOTHING)}  # where it has ended as it may not
        for one in self._broken(move, before, others):
            if one.unit is not None and one.key not in known:
                friends = frozenset(
                    unit
                    for unit in others
                    if one.key not in {o.key for o in self._broken(move, before, others - {unit})}
                )
                yield Reliance(one.rule, one.unit, friends, lasting[0].id)
        yield from self._saved(move, before, others, lasting[0])

    def _saved(self, move: Move, before: Position, others: frozenset[str], rule: Controls) -> Iterator[Reliance]:
        """Yield the friends who have saved the units of a move MP that are paid now: of whom one at least must stay."""
        least, most = self._paid(move, before, NOTHING), self._paid(move, before, others)
        if least == most:
            return
        singly = {unit: self._paid(move, before, others - {unit}) for unit in others}
        for place, mp in least.items():
            friends = frozenset(unit for unit in others if singly[unit][place] == mp)
            if most[place] > mp and friends:
                yield Reliance(rule.paragraph, place[1], friends, rule.id)
            elif most[place] > mp:  # some have saved a part of it in one hex, and others the rest in the next one
                for there in dict.fromkeys(others.intersection(before.units_in(label)) for label in move.path):
                    enough = frozenset(u for u in there if self._paid(move, before, there - {u})[place] == mp)
                    for some in [enough] if enough else [frozenset([unit]) for unit in there]:
                        if self._paid(move, before, some)[place] > mp:
                            yield Reliance(rule.paragraph, place[1], some, rule.id)

    def _paid(self, move: Move, before: Position, later: frozenset[str]) -> dict[tuple[int, str], Fraction]:
        """Return what each step of a move has cost each of its units, if some move later."""
        moved, again = frozenset(before.under_way), before.in_hand.issuperset(move.units)
        under_way = self._referee.begin_move(move.as_made(), before.copy(), moved, later=later, in_hand=again)
        paid: dict[tuple[int, str], Fraction] = {}
        for step in range(1, len(move.path)):
            spent = {unit: play.spent for unit, play in under_way.plays.items()}
            self._referee.play_step(move.as_made(), step, under_way)
            paid.update({(step, unit): play.spent - spent[unit] for unit, play in under_way.plays.items()})
        return paid

    def _near_enemies(self, label: str, position: Position) -> bool:
        near = self._game.board.neighbours.get(label, ())
        return any(self._game.is_enemy(unit) for other in near for unit in position.units_in(other))

    def _broken(self, move: Move, before: Position, later: frozenset[str]) -> list[Violation]:
        return self._play(move, before.copy(), later)


StopKey = tuple[str, str, tuple[str, ...]]


def stop_key(stop: Stop) -> StopKey:
    """Return by what a violation of a stop is told from others."""
    return stop.paragraph, stop.at, stop.enemies


def _begun(game: Game, position: Position) -> Game:
    """Return the game as it is for what comes: where units stand, and what outlasts a move."""
    first, situation = game.at_first, game.situation
    lost = tuple((i, marker) for i, marker in enumerate(first.situation.markers) if marker.id in position.lost)
    lasting = game.rulebook.of(Outlasts)
    traits = {
        unit: some
        for unit, counter in first.units.items()
        if (some := frozenset(t for rule in lasting for t in rule.traits_after(first, unit, position)) - counter.traits)
    }
    units = {**first.units}
    for unit, some in traits.items():
        units[unit] = replace(units[unit], traits=units[unit].traits | some)
    return replace(
        game,
        units=units,
        situation=replace(
            situation,
            markers=tuple(marker for marker in first.situation.markers if marker.id not in position.lost),
            control=first.situation.holders(position),
        ),
        homes={unit: position.at[unit] for unit in game.units if unit in position.at},
        begun=Begun(
            first.homes,
            position,
            traits,
            lost,
            {label: first.situation.control.get(label) for label in (*position.taken, *position.given)},
        ),
        _cache={},
    )


def ensure_decided(scenario: Scenario, plan: Plan) -> None:
    """Ensure that a legal plan says of each of its attacks what was rolled, and who has retreated where.

    Raises
    ------
    InputError
        With what the first attack that doesn't leaves open.
    """
    if not plan.attacks:
        return
    referee = Referee(scenario.game)
    position = referee.play(Plan(plan.moves), scenario.start, rolls=False).position
    for index, attack in enumerate(plan.attacks):
        open_ = list(AttackInTheMaking(referee.game, position, attack).undecided())
        if open_:
            raise InputError([Problem(what, f"moves: attacks[{index}] ({str(attack)[:60]})") for what in open_])
        referee.make_attack(attack, position)
