"""The referee's judgement of a plan that reacts: every branch legal and none missing, probabilities and value exact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from planner.errors import InputError, Problem
from planner.formats.mp import format_mp
from planner.formats.probability import format_probability
from planner.objective.scoring import values_of
from planner.plans.plan import Move, Plan
from planner.plans.policy import Branch, Node, Value, averaged
from planner.referee.chosen_results import chosen_results
from planner.referee.referee import Referee
from planner.referee.verdict import Roll
from planner.scenario import Scenario


@dataclass(frozen=True)
class Fault:
    """Something that is wrong with a policy.

    Attributes
    ----------
    after : tuple of str
        The moves with their results after which it is, as players write them; none at the beginning.
    rule : str
        The printed paragraph; empty for what no rule forbids, such as a branch that is missing.
    message : str
        One sentence.
    """

    after: tuple[str, ...]
    rule: str
    message: str

    def __str__(self) -> str:
        told = f"{self.rule}: {self.message}" if self.rule else self.message
        return f"after {'; '.join(self.after)}: {told}" if self.after else told


@dataclass(frozen=True)
class PolicyVerdict:
    """What the referee says of a policy.

    Attributes
    ----------
    faults : tuple of Fault
        Everything that is wrong; empty if it can be played.
    root : Node or None
        The policy with its probabilities and values worked out; None if it can't be played.
    false : tuple of Fault
        The probabilities and values that it says and that aren't so.
    """

    faults: tuple[Fault, ...]
    root: Node | None = None
    false: tuple[Fault, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return it as data, ``planner/policy-verdict-1``."""
        from planner.search.answer_data import judged_data

        return judged_data(self)

    def __bool__(self) -> bool:
        return self.legal and not self.false

    @property
    def legal(self) -> bool:
        """Whether it can be played: every branch is legal, and none is missing."""
        return not self.faults

    @property
    def value(self) -> Value:
        """What each tier comes to on average; empty if something is wrong."""
        return () if self.root is None else self.root.value


def judge_policy(scenario: Scenario, policy: Node, one_each: bool = False) -> PolicyVerdict:
    """Judge a policy.

    Parameters
    ----------
    scenario : Scenario
        The position; its phase may be in progress.
    policy : Node
        What is done; probabilities, and values where it has any, must be right.
    one_each : bool
        Whether each result gets a branch of its own, so that each situation is one on the board; or as they are shared.

    Raises
    ------
    InputError
        If objective or requirements look at attacks after the moves, or it names what isn't there.
    """
    ensure_no_attacks(scenario)
    _ensure_names(scenario, policy)
    faults: list[Fault] = []
    root = _judge(scenario, policy, (), faults, one_each)
    if faults:
        return PolicyVerdict(tuple(faults))
    return PolicyVerdict((), root, () if one_each else tuple(_false(policy, root, ())))


def _ensure_names(scenario: Scenario, policy: Node) -> None:
    """Ensure that a policy names units and hexes of the scenario.

    Raises
    ------
    InputError
        With a problem for each name that doesn't exist, where it comes first.
    """
    found: dict[str, Problem] = {}
    for node in policy.nodes():
        for move in (*node.moves, *(made for branch in node.branches for made in branch.made)):
            for problem in scenario.unknown_in(move, f"policy: {str(move)[:60]}"):
                found.setdefault(problem.what, problem)
    if found:
        raise InputError([*found.values()])


def _false(said: Node, found: Node, after: tuple[str, ...]) -> Iterator[Fault]:
    """Yield which of the numbers that a policy says aren't so."""
    if said.value and said.value != found.value:
        yield Fault(after, "", f"what is done here is worth {_written(found.value)}, not {_written(said.value)}")
    for one, other in zip(said.branches, found.branches, strict=True):
        results = " or ".join(map(str, one.made))
        if one.probability != other.probability:
            told = f"{format_probability(other.probability)}, not {format_probability(one.probability)}"
            yield Fault(after, "", f"the probability of {results} is {told}")
        yield from _false(one.then, other.then, _told(after, said.moves[:-1], one.made[0]))


def _written(value: Value) -> str:
    return " / ".join(str(format_mp(one)) for one in value) or "nothing that is asked for"


def ensure_no_attacks(scenario: Scenario) -> None:
    """Ensure that nothing is asked of attacks after the moves, of which a policy doesn't say anything.

    Raises
    ------
    InputError
        If objective or requirements look at them.
    """
    if scenario.asks_for_attacks:
        what = "a plan that reacts has no attacks after the moves, but objective or requirements look at them"
        raise InputError([Problem(what, scenario.where)])


def _judge(now: Scenario, node: Node, after: tuple[str, ...], faults: list[Fault], one_each: bool) -> Node:
    """Judge what is done in one situation; return it with what it is worth."""
    plan = Plan(node.moves)
    try:
        now.check_names(plan, "policy")
    except InputError as error:
        faults += [Fault(after, "", problem.what) for problem in error.problems]
        return node
    referee = Referee(now.game)
    chosen = list(chosen_results(referee, plan, now.start))
    for move, open_ in chosen:
        what = f"{move} says what is rolled, which nobody can choose: write {open_}, with a branch for each result"
        faults.append(Fault(after, "", what))
    verdict = referee.play(plan, now.start, rolls=not node.branches)
    # What the position in the end must be like is asked where nothing follows.
    wrong = [one for one in verdict.violations if one.move is not None or not node.branches]
    faults += [Fault(after, one.rule, one.message) for one in wrong]
    if wrong or chosen:
        return node
    if not node.branches:
        for term in now.requirements:
            if not all(term.holds(now.game, position, tally) for position, tally in verdict.all_outcomes()):
                faults.append(Fault(after, "", f"it fails a requirement: {term.describe()}"))
        return replace(node, value=values_of(now.game, now.tiers, verdict))
    rolls = [(index, roll) for index, played in enumerate(verdict.moves) for roll in played.rolls]
    last = len(node.moves) - 1
    if len(rolls) != 1 or (rolls[0][0], rolls[0][1].step) != (last, len(node.moves[last].path) - 1):
        what = (
            "must end with the first roll, since branches follow" if rolls else "nothing is rolled before the branches"
        )
        faults.append(Fault(after, "", what))
        return node
    return _branches(now, node, rolls[0][1], after, faults, one_each)


def _branches(
    now: Scenario, node: Node, roll: Roll, after: tuple[str, ...], faults: list[Fault], one_each: bool
) -> Node:
    """Judge the branches of a situation: each result must be in one of them."""
    head, move = node.moves[:-1], node.moves[-1]
    left = list(roll.results_of(move))
    found: list[Branch] = []
    for branch in node.branches:
        written = {str(made) for made in branch.made}
        fitting = [one for one in left if not written.isdisjoint(map(str, one[0]))]
        known = {str(made) for (made,) in ((m,) for one in fitting for m in one[0])}
        faults += [Fault(after, "", f"can't come of {move}: {text}") for text in sorted(written - known)]
        left = [one for one in left if one not in fitting]
        if not fitting:
            continue
        then = [
            (
                probability,
                _judge(now.after(Plan((*head, made[0]))), branch.then, _told(after, head, made[0]), faults, one_each),
            )
            for made, probability in fitting
        ]
        if faults:
            continue
        if one_each:
            found += [Branch(made, chance, one) for (made, chance), (_, one) in zip(fitting, then, strict=True)]
            continue
        chance = sum((probability for _, probability in fitting), Fraction(0))
        made = tuple(one for results, _ in fitting for one in results)
        found.append(Branch(made, chance, averaged(then)))
    faults += [Fault(after, "", f"says nothing of {made[0]}") for made, _ in left]
    if faults:
        return node
    mean = tuple(
        sum((branch.probability * one for branch, one in zip(found, tier, strict=True)), Fraction(0))
        for tier in zip(*(branch.then.value for branch in found), strict=False)
    )
    return replace(node, branches=tuple(found), value=mean)


def _told(after: tuple[str, ...], head: tuple[Move, ...], made: Move) -> tuple[str, ...]:
    return (*after, *map(str, head), str(made))


def situations(root: Node) -> Iterator[tuple[tuple[Move, ...], Node]]:
    """Yield every situation of a policy with the moves that lead to it, as one of the draws has it."""
    stack: list[tuple[tuple[Move, ...], Node]] = [((), root)]
    while stack:
        done, node = stack.pop()
        yield done, node
        stack += [((*done, *node.moves[:-1], branch.made[0]), branch.then) for branch in reversed(node.branches)]
