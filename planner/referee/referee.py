"""The referee: plays a plan step by step and reports everything that is wrong with it.

It needs no search and never loads a solver. What it says is what counts: every plan that a search finds is replayed here
before anyone sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from planner.errors import TooManyOutcomesError
from planner.objective import Tally
from planner.plans.plan import Move, Plan, units_of
from planner.referee.move_record import MoveRecord, MoveUnderWay, aim, bring_about, broken_stops, fail, going_on
from planner.referee.verdict import Failure, PlayedMove, Roll, Survival, Verdict, Violation, not_among
from planner.rules.attack_rule import attack_rule
from planner.rules.base import Rule, Way, by_step
from planner.rules.combat_roles import Bogs
from planner.rules.game import Game
from planner.rules.play import NO_MP, Finding, MoveInPlay, Resolution
from planner.rules.roles import Admits, Captures, Ends, Rolls
from planner.world.board import NOTHING
from planner.world.declared_attack import DeclaredAttack
from planner.world.position import Position

if TYPE_CHECKING:
    from planner.referee.combined_outcomes import Outcome
    from planner.rules.attack_referee import AssessedAttack

PlayedOn = tuple[Position, list[Violation], PlayedMove]
"""The position after a move, what is wrong with it, and what became of it."""


def _rolled_for(
    rolling: Sequence[Rolls], move: Move, step: int, stack: list[MoveInPlay], record: MoveRecord
) -> tuple[list[Resolution], Roll | None]:
    """Return what a combat may lead to, and what is rolled for a step about to be made, but for its costs."""
    resolved = [(rule, result) for rule in rolling for result in rule.resolutions(stack)]
    drawn = [result for _, result in resolved]
    if move.damage is not None and step == len(move.path) - 1:
        record.report(stack[0], (f for rule in rolling for f in rule.check_draw(stack, move.damage)))
        drawn = [result for result in drawn if move.damage in result.entries] or drawn[:1]
    if step <= move.made:  # whatever was rolled for it is known
        return drawn, None
    for rule in rolling:
        if (least := rule.survival(stack)) is not None:
            record.survivals.append(Survival(step, *least))
    if drawn:
        record.combats.add(step)
    if len(drawn) == 1:
        record.certain.append(drawn[0].text)
    chances = [(rule, one) for rule in rolling if (one := rule.step_chance(stack)) != 1]
    if len(drawn) < 2 and (not chances or stack[0].fails):
        return drawn, None
    strengths = next((found for rule in rolling if (found := rule.strengths(stack)) is not None), None)
    if len(drawn) > 1:
        chance = sum((one.probability for one in drawn if one.good == drawn[0].good), Fraction(0))
        by = resolved[0][0].paragraph
        return drawn, Roll(step, chance, (), results=tuple(drawn), strengths=strengths, rule=by)
    chance = prod((one for _, one in chances), start=Fraction(1))
    bogs = any(rule.step_chance(stack) < 1 for rule in stack[0].game.rulebook.of(Bogs))
    dice = sum(rule.dice(play) for rule in rolling for play in stack)
    return drawn, Roll(step, chance, (), bogs, dice, strengths=strengths, rule=chances[0][0].paragraph)


def tally_of(start: Position, plan: Plan | None = None) -> Tally:
    """Return what has been spent before a position, and what a plan declares."""
    declared = () if plan is None or plan.attacks is None else plan.attacks
    attacks = tuple(attack.declared for attack in declared if not attack.result)
    return Tally({unit: progress.spent for unit, progress in start.under_way.items()}, attacks)


def _spent(plays: dict[str, MoveInPlay]) -> tuple[tuple[str, Fraction], ...]:
    return tuple([(unit, play.spent) for unit, play in plays.items()])


def _to_the_end(move: Move) -> tuple[str, ...]:
    """Return the units that a move doesn't drop on its way: what stops the others concerns nobody."""
    last = len(move.path) - 1
    return tuple([unit for unit in move.units if move.last_step(unit) == last]) if move.drops else move.units


def _unplayable(game: Game, move: Move, play: MoveInPlay, here: str | None) -> list[Finding]:
    """Return why a unit can't make a move at all: it isn't its turn, or it doesn't stand where the move begins."""
    sequence = game.rulebook.sequence
    if play.position.attacking and (rule := attack_rule(game)) is not None:
        done = "made" if play.position.attacked else "declared"
        return [Finding(rule.paragraph, f"{play.unit.id} may not move: attacks have been {done}")]
    if not game.may_be_moved(play.unit.id):
        barred = [finding for rule in game.rulebook.of(Admits) for finding in rule.check_pick_up(play)]
        # That no unit of another side moves holds in phases for which no rule says so, too.
        paragraph = "" if sequence is None else sequence.paragraph
        return barred or [Finding(paragraph, f"{play.unit.id} may not move: it belongs to {play.unit.side}")]
    if sequence is not None:
        together = list(sequence.check_group(move.units))
        if together:
            return together
        if play.moved and (over := list(sequence.check_pick_up(play))):
            return over
    if here != move.path[0]:
        where = f"it stands in {here}" if here else "it is not on the map"
        paragraph = sequence.paragraph if sequence is not None else ""
        return [Finding(paragraph, f"{play.unit.id} can't move from {move.path[0]}: {where}")]
    return []


class Referee:
    """Judges plans in one game.

    Parameters
    ----------
    game : Game
        The board, the units, the rules and the situation.
    """

    thorough = True
    """Whether all that is wrong with a plan is told, and not only what is wrong with its first illegal move."""

    def __init__(self, game: Game) -> None:
        self.game = game = game.at_first
        self._rules = game.rulebook.rules
        self._picking_up = [rule for rule in self._rules if rule.overrides(Rule.check_pick_up)]
        self._asked: dict[tuple[str, str], tuple[list[Rule], list[Rule], list[Rule]]] = game.cached("asked about", dict)
        self._settling = by_step(rule for rule in self._rules if rule.overrides(Rule.settle))
        self._joint = by_step(rule for rule in self._rules if rule.watches_stacks(game))
        self._tallying = game.rulebook.tallying
        self._exhausting = game.rulebook.exhausting
        self._rolling = by_step(game.rulebook.of(Rolls))

    def play(
        self,
        plan: Plan,
        start: Position,
        *,
        rolls: bool = True,
        check_time: Callable[[], None] | None = None,
        most: int | None = None,
    ) -> Verdict:
        """Play a plan.

        Illegal steps are played as written: each violation is reported once, for itself. Only moves that can't be played are
        passed over: of an enemy, a group where units move alone, a unit that has moved, or isn't where it begins.

        Parameters
        ----------
        plan : Plan
            Its units must be on the map of `start`, its hexes on the board.
        start : Position
            Who stands where when the phase begins, or after the moves that have been made; left as it is.
        rolls : bool
            Whether to look at what follows if something fails; without it, all goes well.
        check_time : callable, optional
            Raises something when the time is up; called again and again while that is looked at.
        most : int, optional
            Of many rolls, how many outcomes those may have that have to do with each other; see `all_outcomes`.

        Raises
        ------
        TooManyOutcomesError
            If the rolls have more outcomes than are gone through, and the plan isn't known to be illegal.
        """
        position, violations, played = start, list[Violation](), list[PlayedMove]()
        tally = tally_of(start, plan)
        for index, move in enumerate(plan.moves):
            later = units_of(plan.moves[index + 1 :])
            position, found, result = self.play_on(position, move, tally.mp.keys(), index, later)
            violations += found
            played.append(result)
            tally.mp.update(result.spent)
            if found and not self.thorough:
                break
        if position is start or plan.attacks:
            position = position.copy()
        violations += self.check_end(position)
        attacks = plan.attacks or ()
        declared: tuple[AssessedAttack, ...] = ()
        if plan.attacks is not None:
            from planner.referee.attacks import assessed, violations_of

            declared = assessed(self.game, position, attacks) if attacks else ()
            violations += violations_of(self.game, position, attacks)
        barred = frozenset(attacks[one.attack].declared for one in violations if one.attack is not None)
        for index, attack in enumerate(attacks):
            if attack.result and not any(violation.attack == index for violation in violations):
                violations += self.make_attack(attack, position, index)
        outcomes: Sequence[Outcome] = ()
        rolled = rolls and any(result.rolls for result in played)
        if rolled:
            from planner.referee.independent_groups import all_outcomes

            apart = None if violations or attacks else played
            with suppress(TooManyOutcomesError) if violations else nullcontext():
                outcomes, illegal = all_outcomes(self, plan, start, check_time, apart, most)
                violations += not_among(violations, illegal)
        doubtful: tuple[Failure, ...] = ()
        if rolls and any(survival.possible > survival.strength for result in played for survival in result.survivals):
            from planner.referee.support_failures import failures

            doubtful = failures(self, plan, start, played)
        judged = tuple(violations), tuple(played), position, tally, outcomes, doubtful
        return Verdict(*judged, bool(outcomes) or not rolled, declared, barred, attacks)

    def make_attack(self, attack: DeclaredAttack, position: Position, index: int = 0) -> list[Violation]:
        """Make an attack whose result is known on a position, which changes; return what is wrong with it.

        One that can't have been made changes nothing. That nobody stands where he may not after it is ensured, too.
        """
        from planner.referee.attacks import AttackInTheMaking

        making = AttackInTheMaking(self.game, position, attack)
        found = [replace(fault, attack=index) for fault in making.faults()]
        if not found and attack.result:
            known = {violation.key for violation in self.check_end(position)}
            making.make(self._enter)
            found = [replace(one, attack=index) for one in self.check_end(position) if one.key not in known]
        return found

    def _enter(self, position: Position, unit: str, label: str) -> None:
        """Let a unit enter a hex after an attack: it takes what it enters."""
        play = MoveInPlay(self.game, position, self.game.units[unit], position.at[unit], label)
        position.move(unit, label)
        for rule in self.game.rulebook.of(Captures):
            rule.settle(play)

    def play_on(
        self,
        position: Position,
        move: Move,
        moved: Iterable[str],
        index: int = 0,
        later: frozenset[str] = frozenset(),
        results: Mapping[int, int] | None = None,
    ) -> PlayedOn:
        """Play one move from a position, which is left as it is; return that after it, what is wrong, and what became of it.

        The rest is as for `play_move`; nobody may change what is returned.
        """
        after = position.copy()
        return (after, *self.play_move(move, after, moved, index, later, results))

    def play_move(
        self,
        move: Move,
        position: Position,
        moved: Iterable[str],
        index: int = 0,
        later: frozenset[str] = frozenset(),
        results: Mapping[int, int] | None = None,
    ) -> tuple[list[Violation], PlayedMove]:
        """Play one move on a position, which changes; return what is wrong and what became of it.

        Parameters
        ----------
        move : Move
            The move.
        position : Position
            The board as it stands.
        moved : iterable of str
            The units that have moved before.
        index : int
            The place of the move in the plan.
        later : frozenset of str
            The units that move after it.
        results : mapping from int to int, optional
            For steps that lead into a combat, which of its results comes about; by default the first.
        """
        moved = frozenset(moved)
        again, position.in_hand = position.in_hand.issuperset(move.units), NOTHING
        under_way = self.begin_move(move, position, moved, index, later, again)
        for step in range(1, len(move.path)):
            if not self.play_step(move, step, under_way, (results or {}).get(step, 0)):
                break
        return self.end_move(move, under_way)

    def begin_move(
        self,
        move: Move,
        position: Position,
        moved: frozenset[str],
        index: int = 0,
        later: frozenset[str] = frozenset(),
        in_hand: bool = False,
    ) -> MoveUnderWay:
        """Return a move before its first step; `in_hand` tells whether it goes on with one; the rest as for `play_move`."""
        plays = {unit: going_on(self.game, position, unit, move.path[0], unit in moved) for unit in move.units}
        under_way = MoveUnderWay(position, plays, MoveRecord(index))
        for play in plays.values():
            play.moving_later, play.in_hand, play.mates = later, in_hand, move.units
            under_way.record.report(play, _unplayable(self.game, move, play, position.at.get(play.unit.id)))
            if under_way.record.violations:
                under_way.playable = False
                return under_way
        for play in plays.values():
            if not play.steps_before:  # who goes on has begun its move already
                under_way.record.report(
                    play, (found for rule in self._picking_up for found in rule.check_pick_up(play))
                )
        return under_way

    def play_step(self, move: Move, step: int, under_way: MoveUnderWay, number: int = 0) -> bool:
        """Play one step of a move; `number` is that of a combat's result. Tell whether there was anybody to make it."""
        if not under_way.playable:
            return False
        at = under_way.position.at
        stack = [play for unit, play in under_way.plays.items() if move.last_step(unit) >= step and unit in at]
        if not stack:
            return False  # all of them have been destroyed
        aim(move, step, stack)
        self._play_step(move, step, stack, under_way.plays, under_way.record, number)
        return True

    def end_move(self, move: Move, under_way: MoveUnderWay) -> tuple[list[Violation], PlayedMove]:
        """Return what is wrong with a move whose steps have been played, and what became of it."""
        position, plays, record = under_way.position, under_way.plays, under_way.record
        if not under_way.playable:
            return record.violations, PlayedMove(move, played=False)
        if self.game.rulebook.halting:
            self._check_halts(move, list(plays.values()), record)
        had, (entered, lost) = under_way.had, position.news_since(under_way.before)
        taken = (*filter(self.game.control_matters, entered), *self.game.sorted(lost)) if entered or lost else ()
        spent = _spent(plays)
        position.ways.update(record.ways)
        for unit, play in plays.items():
            position.under_way[unit] = play.progress()
        return record.violations, PlayedMove(
            move,
            mp=max([mp - had[unit] if had[unit] else mp for unit, mp in spent]),
            stopped=tuple(dict.fromkeys([stop for unit in _to_the_end(move) for stop in plays[unit].stops])),
            removed=tuple(record.removed),
            taken=taken,
            spent=spent,
            rolls=tuple(record.rolls),
            survivals=tuple(record.survivals),
            combats=frozenset(record.combats),
            certain=tuple(record.certain),
        )

    def _play_step(
        self,
        move: Move,
        step: int,
        stack: list[MoveInPlay],
        plays: dict[str, MoveInPlay],
        record: MoveRecord,
        number: int,
    ) -> None:
        """Check and make one step of those who make it; `number` tells which result of a combat comes about."""
        record.ways.append(stack[0].way.id if stack[0].way is not None else "")
        for play in stack:
            if found := self.findings(play):
                record.report(play, found)
        if found := self.findings_together(stack):
            record.report(stack[0], found)
        rolling = self._rolling[stack[0].overrun]
        drawn, roll = _rolled_for(rolling, move, step, stack, record) if rolling else ([], None)
        going_on = frozenset(unit for unit in plays if move.last_step(unit) > step) if len(stack) > 1 else NOTHING
        self.make_steps(stack, drawn[number] if drawn else None, going_on)
        if roll is not None:
            record.rolls.append(replace(roll, spent=_spent(plays)))
        for play in stack:
            record.removed += play.removed

    def make_steps(
        self, stack: list[MoveInPlay], result: Resolution | None = None, going_on: frozenset[str] | None = None
    ) -> None:
        """Carry out one step of units that make it together: pay, eliminate, enter, take, and see what stops them there.

        `result` is that of the combat into which the step leads; `going_on` are those of the stack who aren't dropped there,
        who by default are as they are in play.
        """
        for play, mp, total in [(play, play.price(), play.total()) for play in stack]:
            if self._tallying:
                more = {r.id: play.tallies.get(r.id, NO_MP) + r.adds(play, mp) for r in self._tallying}
                play.tallies = {**play.tallies, **more}
            play.spent = total
            if self._exhausting and any(rule.exhausts(play) for rule in self._exhausting):
                play.spent = max(play.spent, play.unit.ma)
            if going_on is not None:  # from now on whoever is dropped is there for the others
                play.companions = going_on - {play.unit.id} if len(stack) > 1 else NOTHING
        if stack[0].fails and stack[0].overrun:
            fail(self.game, stack)
            return
        for play in stack if stack[0].overrun else ():
            gone = [pair for rule in self.game.rulebook.overrunning for pair in rule.carry_out(play)]
            for enemy, box in gone:
                play.position.remove(enemy, box)
            play.removed = tuple(enemy for enemy, _ in gone)
        settling, had = self._settling[stack[0].overrun], stack[0].to in stack[0].position.taken
        for play in stack:
            play.path_hex = play.to
            play.position.move(play.unit.id, play.to)
            for rule in settling:
                rule.settle(play)
        if result is not None:
            bring_about(stack, result, had)
        for play in stack:
            play.stops = [stop for rule in self._asked_about(play)[2] for stop in rule.after_step(play)]
            if play.fails:
                play.position.bogged.add(play.unit.id)

    def findings(self, play: MoveInPlay) -> list[Finding]:
        """List what forbids the step that `play` describes, its stops included."""
        found = [*broken_stops(play)] if play.stops else []
        for rule in self._asked_about(play)[play.overrun]:
            found += rule.check_step(play)
        return found

    def _check_halts(self, move: Move, plays: list[MoveInPlay], record: MoveRecord) -> None:
        """Report what forbids units to end their move where they are by now, unless it began there."""
        groups: dict[str, list[MoveInPlay]] = {}
        for play in plays:
            label = play.position.at.get(play.unit.id)
            if label is not None and label != move.path[0]:
                groups.setdefault(label, []).append(play)
        for label, stack in groups.items():
            first = stack[0]
            step = max((i for i in range(first.step + 1) if move.path[i] == label), default=first.step)
            found = self.findings_at_end(stack, label)
            record.report(first, (replace(one, at=label, step=step) for one in found), halt=True)

    def findings_at_end(self, stack: list[MoveInPlay], label: str) -> list[Finding]:
        """List what forbids those who have made a move, and are in a place now, to end it there."""
        return [finding for rule in self.game.rulebook.halting for finding in rule.check_halt(stack, label)]

    def _asked_about(self, play: MoveInPlay) -> tuple[list[Rule], list[Rule], list[Rule]]:
        """Return the rules that may find something wrong with a unit's plain steps of a way, or overruns, or may stop it."""
        key = play.unit.id, "" if play.way is None else play.way.id
        if key not in self._asked:
            rules = [rule for rule in self._rules if rule is play.way or not isinstance(rule, Way)]
            checking = (rule for rule in rules if rule.overrides(Rule.check_step))
            stopping = [rule for rule in rules if rule.overrides(Rule.after_step)]
            plain, overrun = by_step(rule for rule in checking if rule.watches(self.game, play.unit))
            self._asked[key] = plain, overrun, [rule for rule in stopping if rule.may_stop(self.game, play.unit)]
        return self._asked[key]

    def findings_together(self, stack: list[MoveInPlay]) -> list[Finding]:
        """List what forbids the step to units that make it together, or to one, beyond what forbids it to each of them."""
        return [finding for rule in self._joint[stack[0].overrun] for finding in rule.check_together(stack)]

    def check_end(self, position: Position) -> list[Violation]:
        """List what is wrong with the position after the last move; those who have retreated together may crowd."""
        crowds = position.crowds
        return [
            Violation(one.paragraph, unit, None, None, one.at or "", one.blame, one.message, amounts=one.amounts)
            for rule in self.game.rulebook.of(Ends)
            for unit, one in rule.check_end(self.game, position)
            if one.at not in crowds
        ]
