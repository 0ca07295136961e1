"""A plan that reacts as a tree of positions: what is done in each situation, and where each result leads.

The frames stand in the order of a walk through the tree, each situation before those that come of it: so what is seen in a
situation and in all that follow it, is seen from one frame until another.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from planner.draw.frames import Frame, frames
from planner.errors import InputError, Problem
from planner.formats.spoken_numbers import spoken_number
from planner.objective.scoring import Value
from planner.plans.plan import Move, Plan
from planner.plans.policy import Branch, Made, Node
from planner.referee.attacks import AttackInTheMaking
from planner.referee.verdict import PlayedMove, Roll
from planner.rules.attack_referee import AssessedAttack
from planner.rules.attack_rule import attack_rule
from planner.scenario import Scenario
from planner.search.policy_judge import judge_policy
from planner.world.declared_attack import DeclaredAttack

MOST_SITUATIONS = 250
"""So many situations are on a page at most, the likeliest; of others it says how to ask for them."""


@dataclass(frozen=True)
class ShownOutcome:
    """A result of the roll with which a situation ends.

    Attributes
    ----------
    made : Move or DeclaredAttack
        The last move, or the attack, as it has then been made.
    text : str
        The result in words.
    chance : Fraction
        How likely it is once it is rolled.
    value : tuple of Fraction
        What is to be had then, tier by tier.
    frame : int or None
        The first frame of the situation that it leads to; None where that is left out.
    """

    made: Made
    text: str
    chance: Fraction
    value: Value
    frame: int | None


@dataclass(frozen=True, eq=False)
class ShownSituation:
    """A situation, and what is done in it.

    Attributes
    ----------
    number : int
        Its place in the walk; 0: the beginning.
    now : Scenario
        The phase in progress.
    node : Node
        What is done.
    start, end : int
        Its own frames: the first, and the one after the last.
    way : tuple of (int, str)
        The results that have led to it: in which frame each was rolled, and what has come of it.
    likely : Fraction
        How likely it is to come about.
    rolled : str
        Who rolls against whom, and by which paragraph; empty where nothing that matters is rolled.
    outcomes : tuple of ShownOutcome
        What may come of it.
    """

    number: int
    now: Scenario
    node: Node
    start: int
    end: int
    way: tuple[tuple[int, str], ...]
    likely: Fraction
    rolled: str = ""
    outcomes: tuple[ShownOutcome, ...] = ()


class PolicyFrames:
    """The situations of a policy, with their frames.

    Parameters
    ----------
    scenario : Scenario
        The position; its phase may be in progress.
    policy : Node
        What is done.

    Raises
    ------
    InputError
        If the policy isn't legal and complete, with all that is wrong with it.
    """

    def __init__(self, scenario: Scenario, policy: Node) -> None:
        judged = judge_policy(scenario, policy, one_each=True)
        if judged.root is None:
            raise InputError([Problem(str(fault), "policy") for fault in judged.faults])
        self.frames: list[Frame] = []
        self._found: dict[int, ShownSituation] = {}
        self._kept = _likeliest(judged.root)
        self._grow(scenario, judged.root, None, (), Fraction(1))

    @property
    def situations(self) -> list[ShownSituation]:
        """Every situation, in the order of its frames."""
        return [self._found[number] for number in sorted(self._found)]

    def back(self) -> Iterator[int]:
        """Yield, for each frame, the one before it: of the first after a roll, that in which it was rolled."""
        rolled = {one.start: one.way[-1][0] for one in self._found.values() if one.way}
        for index, frame in enumerate(self.frames):
            yield rolled.get(index, frame.before)

    def _grow(
        self, now: Scenario, node: Node, came: Frame | None, way: tuple[tuple[int, str], ...], likely: Fraction
    ) -> int:
        """Add a situation with all that come of it; return its first frame."""
        start, number = len(self.frames), len(self._found)
        self._found[number] = ShownSituation(number, now, node, start, start, way, likely)
        arrows = 0 if came is None else came.number
        own = frames(now, Plan(node.moves, node.attacks or None))
        first = own[0]
        if came is not None:
            first = replace(came, position=now.start, moving=first.moving, attacks=first.attacks, late=first.late)
        self.frames.append(first)
        for index, frame in enumerate(own[1:], start + 1):
            self.frames.append(replace(frame, number=arrows + index - start, before=index - 1))
        end, outcomes, rolled = len(self.frames), list[ShownOutcome](), ""
        attacking = bool(node.attacks)
        if node.branches and attacking:
            rolled = _who_attacks(now, self.frames[-1].attacks[0][1])
        elif node.branches:
            tried = self.frames[-1]
            assert tried.played is not None
            rolled = _who_rolls(now, self.frames[-2], tried.played)
            self.frames[-1] = replace(tried, position=self.frames[-2].position)
        for branch in node.branches:
            outcome = self._attacked if attacking else self._outcome
            outcomes.append(outcome(now, self._found[number], branch, end))
        for index in range(start, end):
            last = bool(node.branches) and not attacking and index == end - 1
            self.frames[index] = replace(self.frames[index], until=end if last else len(self.frames))
        self._found[number] = replace(self._found[number], end=end, rolled=rolled, outcomes=tuple(outcomes))
        return start

    def _outcome(self, now: Scenario, here: ShownSituation, branch: Branch, end: int) -> ShownOutcome:
        """Add the situation after a result."""
        made, tried = branch.moves[0], self.frames[end - 1]
        assert tried.played is not None
        text = _what_came(branch, here.node.moves[-1], tried.played.rolls[-1])
        frame = None
        if id(branch.then) in self._kept:
            done = Plan((*here.node.moves[:-1], made))
            came = replace(frames(now, done)[-1], number=tried.number, before=end - 2)
            way = (*here.way, (end - 1, f"{made}: {text}"))
            frame = self._grow(now.after(done), branch.then, came, way, here.likely * branch.probability)
        return ShownOutcome(made, text, branch.probability, branch.then.value, frame)

    def _attacked(self, now: Scenario, here: ShownSituation, branch: Branch, end: int) -> ShownOutcome:
        """Add the situation after a result of an attack."""
        [made], before = branch.made, now.after(Plan(here.node.moves))
        assert isinstance(made, DeclaredAttack)
        game = before.game.at_first
        whole = AttackInTheMaking(game, before.start, made).decided()
        told = next(one for one in self.frames[end - 1].attacks[0][1].results if one.code == made.result)
        ways = ", ".join(f"{unit} {'-'.join(way)}" for unit, way in whole.ways)
        text = f"{told.code}: {told.text}{f' ({ways})' * bool(ways)}"
        frame = None
        if id(branch.then) in self._kept:
            then = before.after(Plan((), (whole,)))
            came = Frame(then.start, number=self.frames[end - 1].number, before=end - 1)
            way = (*here.way, (end - 1, str(whole)))
            frame = self._grow(then, branch.then, came, way, here.likely * branch.probability)
        return ShownOutcome(whole, text, branch.probability, branch.then.value, frame)


def _likeliest(root: Node) -> set[int]:
    """Return which situations have a place on the page, each by the identity of its node."""
    kept: set[int] = set()
    queue = [(Fraction(-1), 0, root)]
    ticket = 0
    while queue and len(kept) < MOST_SITUATIONS:
        likely, _, node = heapq.heappop(queue)
        kept.add(id(node))
        for branch in node.branches:
            ticket += 1
            heapq.heappush(queue, (likely * branch.probability, ticket, branch.then))
    return kept


def _who_rolls(now: Scenario, before: Frame, played: PlayedMove) -> str:
    """Say who rolls for what, against whom, and by which paragraph; of all for which it rolls on its way."""
    return "; then ".join(_rolled_for(now, before, played.move, roll) for roll in played.rolls)


def _rolled_for(now: Scenario, before: Frame, move: Move, roll: Roll) -> str:
    to = move.path[roll.step]
    who = " and ".join(unit for unit in move.units if move.last_step(unit) >= roll.step)
    against = [unit for unit in before.position.units_in(to) if now.game.is_enemy(unit)]
    told = f"{who} against {' and '.join(against)} in {to}" if against else f"{who} in {to}"
    if roll.strengths is not None:
        told += ", {} to {}".format(*map(spoken_number, roll.strengths))
    if roll.dice:
        told += f", {roll.dice} {'die' if roll.dice == 1 else 'dice'}"
    return f"{told} ({roll.rule})" if roll.rule else told


def _who_attacks(now: Scenario, told: AssessedAttack) -> str:
    """Say who attacks whom, at which odds, and by which paragraph."""
    attack, rule = told.attack, attack_rule(now.game)
    who, whom, where = (" and ".join(names) for names in (attack.attackers, told.defenders, attack.hexes))
    said = f"{who} {'attacks' if len(attack.attackers) == 1 else 'attack'} {whom} in {where}, {told.label}"
    return f"{said} ({rule.paragraph})" if rule is not None and rule.paragraph else said


def _what_came(branch: Branch, move: Move, roll: Roll) -> str:
    """Say what has come of a roll."""
    told = branch.told(move).removeprefix("if ")
    drawn = next((result.text for result in roll.results if branch.moves[0].damage in result.entries), "")
    return f"{told}: {drawn}" if drawn else told
