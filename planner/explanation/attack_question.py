"""Why an attack can't be made, or not at better odds, and which friends could join it: on the referee alone."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, islice, product

from planner.errors import InputError, OutOfTimeError, Problem
from planner.explanation.answer import Explanation, Instance, Reason, Remedy
from planner.explanation.attack_odds import OddsOfAttack
from planner.explanation.attack_size import fewest_needed
from planner.explanation.attack_sought import sought
from planner.explanation.claim import Claim, counted
from planner.explanation.completions import each_unit_moves_once_by_itself
from planner.explanation.needs import moves_eliminate
from planner.explanation.relaxation import RelaxationMemory
from planner.explanation.single_unit_bounds import SingleUnitBounds
from planner.explanation.wording import said
from planner.formats.spelling import did_you_mean
from planner.formats.spoken_numbers import spoken_number
from planner.limits import Limits
from planner.plans.attack_text import is_attack, parse_attack
from planner.plans.plan import Move, Plan, units_of
from planner.referee.attacks import assessed, violations_of
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict, Violation
from planner.rules.attack_referee import AssessedAttack, AttackReferee
from planner.rules.attack_rule import attack_rule
from planner.rules.attack_table import AttackRule
from planner.scenario import Scenario
from planner.search.unit_moves import UnitMoves
from planner.world.declared_attack import DeclaredAttack
from planner.world.position import Position

_AT = re.compile(r"(?P<attack>.*\S)\s+at\s+(?P<odds>\d+\s*:\s*\d+|[-+]?\d+)\s*", re.ASCII | re.IGNORECASE)

QUICK, PATIENCE = 0.3, 3.0
"""Friends are brought up so large a share of the time, or so many seconds, before the solver is asked."""
MOST_JOIN = 3
"""So many friends are brought up at most."""
MOST_WAYS = 3
"""So many hexes beside those that are attacked are tried for each of them, and farther off, the strongest attack first."""
MOST_TRIED = 2_000
"""So many ways to bring some of them up are looked at."""
MOST_NAMED = 3
"""So many of those that do are named."""
LONGEST_RAISE = 4.0
"""Work that is done, in the solver's measure, to tell whether an attack that can be made can be brought to better odds."""


@dataclass(frozen=True)
class AttackQuestion:
    """An attack after some moves, and at least at which odds, as players write it: ``a+b -> 0303 at 3:1``.

    Attributes
    ----------
    moves : Plan
        The moves before it.
    attack : DeclaredAttack
        The attack.
    odds : str
        The column that is to be reached; empty: any.
    """

    moves: Plan
    attack: DeclaredAttack
    odds: str = ""

    def __str__(self) -> str:
        return "; ".join([*self.moves.lines, f"{self.attack}{f' at {self.odds}' * bool(self.odds)}"])


def is_attack_question(texts: Sequence[str]) -> bool:
    """Tell whether the last of some texts asks about an attack, and none of the others does."""
    return bool(texts) and _is_one(texts[-1]) and not any(map(_is_one, texts[:-1]))


def attack_last(texts: list[str]) -> list[str]:
    """Return some texts with the one attack that is asked about at some odds at their end: moves come before it anyway."""
    asked = [text for text in texts if _AT.fullmatch(text) is not None and _is_one(text)]
    return [*(text for text in texts if text is not asked[0]), asked[0]] if len(asked) == 1 else texts


def _is_one(text: str) -> bool:
    found = _AT.fullmatch(text)
    return is_attack(text if found is None else found["attack"])


def read_attack_question(scenario: Scenario, texts: Sequence[str]) -> AttackQuestion:
    """Read a question about an attack: moves, and after them the attack.

    Raises
    ------
    InputError
        If it isn't one, names what the scenario doesn't have, or odds that are no column of the table.
    """
    found = _AT.fullmatch(texts[-1])
    attack = parse_attack(texts[-1] if found is None else found["attack"]).declared
    plan = Plan.parse(texts[:-1])
    if (instead := _in_moves(scenario, attack)) is not None:
        raise InputError([Problem(instead, repr(texts[-1][:80]))])
    scenario.check_names(Plan(plan.moves, (attack,)), "question")
    rule = attack_rule(scenario.game)
    odds = "" if found is None else re.sub(r"\s", "", found["odds"])
    if rule is None or not odds:
        return AttackQuestion(plan, attack, odds)
    columns = [column.text for column in rule.columns]
    if rule.odds == "difference":
        odds = f"{int(odds):+d}" if ":" not in odds else odds
    if odds not in columns:
        what = f"the odds must be one of {', '.join(columns)}, not {odds}{did_you_mean(odds, columns)}"
        raise InputError([Problem(what, repr(texts[-1][:80]))])
    return AttackQuestion(plan, attack, odds)


def _in_moves(scenario: Scenario, attack: DeclaredAttack) -> str | None:
    """Say how to ask where attacks are made in the middle of moves, or none are declared; None: they are, after them."""
    game = scenario.game
    book, at, label = game.rulebook, scenario.start.at, attack.hexes[0]
    known = all(unit in at for unit in attack.attackers) and label in game.board
    if book.of(AttackRule) or not known:
        return None
    unit = attack.attackers[0]
    if not moves_eliminate(game):
        return f'no attacks are declared in this game; ask where a unit can get to: "{unit} to {label}"'
    move = SingleUnitBounds(scenario, RelaxationMemory(), Limits()).straight(unit, label, True)
    asks = [f'"{move}"'] if move is not None else []
    if enemies := game.enemies_at(label):
        asks.append(f'--require "eliminate {" ".join(enemies)}", whoever moves')
    what = "in this game units attack in the middle of their moves"
    together = f"; {' and '.join(attack.attackers)} must come together first" if attack.attackers[1:] else ""
    return f"{what}: ask {' or '.join(asks)}{together}" if asks else what


def explain_attack(scenario: Scenario, asked: AttackQuestion, limits: Limits) -> Explanation:
    """Say what forbids an attack, or keeps it from better odds, and which friends could join it.

    Whatever else must be attacked doesn't matter; what of it is left is told.

    Parameters
    ----------
    scenario : Scenario
        The position.
    asked : AttackQuestion
        The attack, the moves before it, and its odds.
    limits : Limits
        When to stop.
    """
    begin, ask = time.monotonic(), _Asking(scenario, asked, limits)
    plan, question = Plan(asked.moves.moves, (asked.attack,)), str(asked)
    wrong = ask.against(plan) or ask.in_the_end(plan)
    reasons = [Reason((instance,), True, True) for instance in wrong]
    if not reasons:
        due, odds = ask.left_aside(plan), _raising(scenario, asked, ask.told(plan), limits)
        return Explanation("attack", question, "possible", plan, seconds=time.monotonic() - begin, due=due, odds=odds)
    remedies, possible, best = ask.brought_about(limits)
    reasons += [Reason((one,), True, True) for one in best]
    return Explanation(
        "attack",
        question,
        "with_help" if remedies else "forbidden" if possible is False else "unknown",
        plan,
        tuple(reasons),
        tuple(remedies),
        "found" if remedies else "none" if possible is False else "unknown",
        possible is not None,
        time.monotonic() - begin,
        limits.stop.is_set(),
        due=ask.left_aside(remedies[0].plan) if remedies else (),
        odds=OddsOfAttack(tuple(told for remedy in remedies for told in ask.told(remedy.plan))) if remedies else None,
    )


def _raising(
    scenario: Scenario, asked: AttackQuestion, told: tuple[AssessedAttack, ...], limits: Limits
) -> OddsOfAttack:
    """Return what an attack comes to that can be made, and how it would come to the next better column."""
    rule = attack_rule(scenario.game)
    column = max((one.columns[1] + 1 for one in told), default=0)
    if rule is None or not 0 < column < len(rule.columns) or scenario.start.attacking:
        return OddsOfAttack(told)
    better = _Asking(scenario, replace(asked, odds=rule.columns[column].text), limits)
    lacking = next(iter(better.against(Plan(asked.moves.moves, (asked.attack,)))), None)
    ways, possible, _ = better.brought_about(limits.of_work(LONGEST_RAISE))
    return OddsOfAttack(told, lacking, tuple(ways), possible is not None)


class _Asking:
    """A question about an attack."""

    def __init__(self, scenario: Scenario, asked: AttackQuestion, limits: Limits) -> None:
        self._scenario, self._asked, self._limits = scenario, asked, limits
        self._referee = Referee(scenario.game)
        self._game = self._referee.game
        self._rule = attack_rule(self._game)
        columns = [column.text for column in self._rule.columns] if self._rule is not None else []
        self._wanted = columns.index(asked.odds) if asked.odds in columns else 0

    @property
    def hopeless(self) -> bool:
        """Whether no moves could make the attack possible: enemies are to attack, say, or others have been declared."""
        game, rule, attack = self._game, self._rule, self._asked.attack
        if self._scenario.start.declared is not None:  # nobody moves any more, or joins
            return True
        return (
            rule is None
            or any(not game.may_be_moved(unit) or not rule.by.matches(game.units[unit]) for unit in attack.attackers)
            or any(not game.enemies_at(label) for label in attack.hexes)  # enemies stay where they are
            or len(attack.hexes) > rule.most_hexes
        )

    @property
    def _before(self) -> Verdict | None:
        """What the moves before the attack come to; None: one is illegal. What is wrong in the end, others may mend."""
        verdict = self._referee.play(self._asked.moves, self._scenario.start, rolls=False)
        return verdict if all(one.move is None for one in verdict.violations) else None

    def told(self, plan: Plan) -> tuple[AssessedAttack, ...]:
        """Return what the attack of a plan comes to."""
        return self._referee.play(plan, self._scenario.start, rolls=False).attacks

    def brought_about(self, limits: Limits) -> tuple[list[Remedy], bool | None, list[Instance]]:
        """Return how the attack can be brought about, whether it can (None: open), and else what it comes to at most."""
        if self.hopeless:
            return [], False, []
        found = list[Remedy]()
        with suppress(OutOfTimeError):
            for one in islice(self.remedies(limits.share(QUICK, PATIENCE)), MOST_NAMED):
                found.append(one)
        if found:
            return [one for one in found if one.fewest] or found, True, []
        possible, found, best = self.by_solver(limits)
        return found, possible, best

    def against(self, plan: Plan) -> list[Instance]:
        """Return what is wrong with a plan of moves and one attack, and what its odds lack."""
        verdict = self._referee.play(plan, self._scenario.start, rolls=False)
        found = self._said(plan, [one for one in verdict.violations if one.move is not None or one.attack is not None])
        for told in verdict.attacks:
            if self._rule is not None and self._asked.odds and told.columns[1] < self._wanted:
                found.append(self._too_weak(self._rule, told, plan))
        return found

    def _too_weak(self, rule: AttackRule, told: AssessedAttack, plan: Plan) -> Instance:
        """Say by how much an attack is too weak, or by how many columns it is shifted too far."""
        attack, defense = told.strengths
        by = sum(columns for _, columns in told.shifts)
        column = self._wanted - by
        what = f"{spoken_number(attack)} against {spoken_number(defense)} is {told.label}"
        if column >= len(rule.columns):
            short = f"even the best odds are shifted to {rule.columns[max(0, len(rule.columns) - 1 + by)].text}"
            amounts = {}
        else:
            threshold = rule.columns[max(column, 0)].threshold
            needed = threshold * defense if rule.odds == "ratio" else threshold + defense
            short = f"{self._asked.odds} needs {spoken_number(needed)}, so {spoken_number(needed - attack)} more"
            amounts = {"needed": needed, "more": needed - attack}
        claim = counted("falls_short", told.attack.attackers, plan, most=attack, defense=defense, **amounts)
        return self._of(rule, told, f"{what}; {short}", claim)

    @staticmethod
    def _of(rule: AttackRule, told: AssessedAttack, message: str, claim: Claim) -> Instance:
        return Instance(rule.id, rule.paragraph, None, told.attack.hexes[0], told.defenders, message, claim=claim)

    def remedies(self, limits: Limits) -> Iterator[Remedy]:
        """Yield ways in which friends come up and join, the fewest first, each played by the referee.

        Raises
        ------
        OutOfTimeError
            If it gets late.
        """
        rule, asked = self._rule, self._asked
        if rule is None:
            return
        before = self._before
        if before is None:
            return
        movers = UnitMoves(self._referee, limits)
        ways: dict[str, list[Move | None]] = {}
        for unit in self._game.order:
            if unit in self._game.friends and unit in before.position.at:
                found = list(self._ways(rule, before.position, unit, movers))
                if found:
                    ways[unit] = found
        if not all(unit in ways for unit in asked.attack.attackers):
            return
        friends = [unit for unit in ways if unit not in asked.attack.attackers]
        # Those who can attack from where they stand come first: what takes fewer moves is named first.
        friends.sort(key=lambda unit: (None not in ways[unit], -self._game.units[unit].attack))
        tried, enough = 0, list[frozenset[tuple[str, bool]]]()
        for size in range(MOST_JOIN + 1):
            for joining in combinations(friends, size):
                units = (*asked.attack.attackers, *joining)
                for chosen in product(*(ways[unit] for unit in units)):
                    limits.check()
                    tried += 1
                    if tried > MOST_TRIED:
                        return
                    moves = tuple(move for move in chosen if move is not None)
                    # Who joins, and who moves: where some of these do, the others are no further remedy.
                    who = frozenset([*((unit, False) for unit in joining), *((move.units[0], True) for move in moves)])
                    if any(fewer <= who for fewer in enough):
                        continue
                    attack = replace(asked.attack, attackers=units)
                    plan = Plan((*asked.moves.moves, *moves), (attack,))
                    if (
                        (moves or joining)
                        and self._promises(rule, before.position, moves, attack)
                        and not self.against(plan)
                        and not self.in_the_end(plan)
                    ):
                        enough.append(who)
                        yield self._remedy(moves, plan)
                        break

    def by_solver(self, limits: Limits) -> tuple[bool | None, list[Remedy], list[Instance]]:
        """Tell whether any moves do it, with how, or with what they come to at most."""
        rule, asked = self._rule, self._asked
        if rule is None or self._before is None:
            return None, [], []
        after = self._scenario.after(asked.moves)
        possible, plan = sought(after, asked.attack, self._wanted, limits)
        if possible and plan is not None:
            whole = Plan((*asked.moves.moves, *plan.moves), plan.attacks)
            return True, [self._remedy(plan.moves, whole)], []
        if plan is None:
            return possible, [], []
        [told] = self._referee.play(plan, after.start, rolls=False).attacks
        how = "; ".join([*map(str, plan.moves), str(told.attack)])
        whole, (attack, defense) = Plan((*asked.moves.moves, *plan.moves), plan.attacks), told.strengths
        strengths = f"{spoken_number(attack)} against {spoken_number(defense)}"
        what = f"whoever comes up and joins, {told.shifted} is the most that can be had, with {strengths}: {how}"
        claim = counted("falls_short", told.attack.attackers, whole, attack=attack, defense=defense)
        return False, [], [self._of(rule, told, what, claim)]

    def _remedy(self, moves: tuple[Move, ...], plan: Plan) -> Remedy:
        """Return a way to make it possible; that fewer don't do is known of one, or if just those move who have to."""
        came = units_of(moves)
        joining = {unit for attack in plan.attacks or () for unit in attack.attackers}.difference(
            self._asked.attack.attackers, came
        )
        few = len(moves) + len(joining)
        return Remedy(moves, (), plan, few <= 1 or few <= self._fewest_needed)

    @cached_property
    def _fewest_needed(self) -> int:
        """How many moves, and units that join, it takes at least, as strengths tell."""
        if self._rule is None or self._before is None or not each_unit_moves_once_by_itself(self._scenario):
            return 0
        after = self._scenario.after(self._asked.moves)
        return fewest_needed(after, self._rule, self._asked.attack, self._wanted, self._limits)

    def in_the_end(self, plan: Plan) -> list[Instance]:
        """Return what a plan breaks of what holds once all moves are made, duties to attack besides aside."""
        verdict = self._referee.play(plan, self._scenario.start, rolls=False)
        duties = [one.key for one in violations_of(self._game, verdict.position, plan.attacks or ())]
        return self._said(plan, [one for one in verdict.violations if one.move is None and one.key not in duties])

    def _said(self, plan: Plan, wrong: Sequence[Violation]) -> list[Instance]:
        """Return what is wrong with a plan of moves and one attack."""
        ids = {rule.paragraph: rule.id for rule in reversed(self._game.rulebook.rules)}
        return [said(one, ids.get(one.rule, ""), plan) for one in wrong]

    def left_aside(self, plan: Plan) -> tuple[str, ...]:
        """Return which duties to attack are left after a plan of moves and one attack, a sentence each."""
        verdict = self._referee.play(plan, self._scenario.start, rolls=False)
        found = violations_of(self._game, verdict.position, plan.attacks or ())
        return tuple(dict.fromkeys(one.message for one in found if one.attack is None))

    def _ways(self, rule: AttackRule, position: Position, unit: str, movers: UnitMoves) -> Iterator[Move | None]:
        """Yield how a unit may come to where it can attack: at first None if it can from where it stands."""
        hexes, game = self._asked.attack.hexes, self._game
        if not any(AttackReferee(rule, game, position).may_attack(unit, hexes)):
            yield None
        reach = rule.range_of(game.units[unit]).range
        far = int(2 * game.units[unit].ma) + reach + 1
        if (
            unit in position.under_way
            or not rule.by.matches(game.units[unit])
            or not game.board.within(position.at[unit], hexes[0], far)
        ):
            return
        found: list[tuple[Fraction, Move]] = []
        for move, after in movers.moves((unit,), position):
            if not any(AttackReferee(rule, game, after).may_attack(unit, hexes)):
                [told] = assessed(game, after, [DeclaredAttack((unit,), hexes)]) or [None]
                found.append((Fraction(0) if told is None else told.strengths[0], move))
        found.sort(key=lambda pair: (-pair[0], len(pair[1].path)))
        ends: dict[str, Move] = {}
        for _, move in found:
            ends.setdefault(move.end, move)
        # Who attacks from afar needs others, who stands beside the hexes may not.
        kinds = Counter[bool]()
        for end, move in ends.items():
            beside = any(label in game.board.neighbours[end] for label in hexes)
            kinds[beside] += 1
            if kinds[beside] <= MOST_WAYS:
                yield move

    def _promises(self, rule: AttackRule, position: Position, moves: Sequence[Move], attack: DeclaredAttack) -> bool:
        """Tell whether an attack reaches the odds if its units stand where their moves end."""
        there = position.copy()
        for move in moves:
            there.move(move.units[0], move.end)
        judge = AttackReferee(rule, self._game, there)
        return bool(judge.defenders_of(attack)) and judge.assess(attack).columns[1] >= self._wanted
