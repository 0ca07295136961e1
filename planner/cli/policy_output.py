"""Plans that react: as an indented tree that can be followed at the table."""

from __future__ import annotations

from collections.abc import Iterator

from planner.cli.console import console_for_answers
from planner.cli.text_output import BAD, GOOD, OPEN, Written
from planner.formats.spoken_numbers import at_most, spoken_number
from planner.objective.scoring import Value
from planner.plans.policy import Node
from planner.referee.played_moves import spoken_probability
from planner.search.policy import Policy
from planner.search.policy_judge import PolicyVerdict
from planner.search.result import spoken_gap


def print_policy(policy: Policy, write: Written = str, of_attacks: bool = False) -> None:
    """Print the answer of a search for a plan that reacts.

    Parameters
    ----------
    policy : Policy
        The answer.
    write : callable
        How moves are written.
    of_attacks : bool
        Whether the objective looks at attacks after the moves.
    """
    console = console_for_answers()
    if policy.root is None:
        console.print(policy.sentence(), style=BAD if policy.status == "infeasible" else OPEN)
        return
    value, seconds = _spoken(policy.value) or "none asked for", f"({policy.seconds:.2f} s)"
    if policy.status == "optimal":
        console.print(f"Optimal, proved: no way of playing is better on average. Value {value} {seconds}", style=GOOD)
    else:
        bound = " / ".join(map(at_most, policy.bound))
        how = "interrupted" if policy.interrupted else "best so far"
        gap = spoken_gap(policy.value, policy.bound)
        console.print(f"Not proved ({how}). Value {value}, bound {bound}, gap {gap} {seconds}", style=OPEN)
        if policy.reason:
            console.print(policy.reason)
    if policy.rule is not None:
        rule = policy.rule
        console.print(
            f"Who asks again after every roll, in the other situations, too, gets about {rule.mean:.2f} in the first tier: "
            f"{rule.low:.2f} to {rule.high:.2f} with 95 % confidence, in {rule.plays} plays of the dice."
        )
    if policy.fixed and policy.fixed != policy.value:
        # Of attacks it is the one that `suggest` gives, which goes by what attackers may take: here nobody takes it.
        which = "The plan that is fixed in advance with which it began comes to" if of_attacks else ""
        known = "" if policy.fixed_proved else "known "
        which = which or f"The best plan {known}that is fixed in advance is worth"
        console.print(f"{which} {_spoken(policy.fixed)}{': nobody advances in it' if of_attacks else ''}.")
    for line in tree(policy.root, write):
        console.print(line, soft_wrap=True)


def print_judged(verdict: PolicyVerdict, write: Written) -> None:
    """Print what the referee says of a policy; `write` says how moves are written."""
    console = console_for_answers()
    if verdict.root is None:
        console.print("Illegal:", style=BAD)
        for fault in verdict.faults:
            console.print(f"  {fault}", soft_wrap=True)
        return
    console.print("Legal, and complete: every result is in a branch.", style=GOOD)
    console.print(f"On average it is worth {_spoken(verdict.value) or 'nothing that is asked for'}.")
    if verdict.false:
        console.print("False is what it says of that:", style=BAD)
        for fault in verdict.false:
            console.print(f"  {fault}", soft_wrap=True)
    for line in tree(verdict.root, write):
        console.print(line, soft_wrap=True)


def tree(node: Node, write: Written = str, depth: int = 1) -> Iterator[str]:
    """Yield what is done in a situation and after each result, line by line."""
    indent = "  " * depth
    for move in node.moves:
        yield f"{indent}{write(move)}"
    for attack in node.attacks:
        yield f"{indent}{attack}"
    if not node.moves and not node.attacks:
        yield f"{indent}no further move" if depth > 1 else f"{indent}Nobody moves."
    for branch in node.branches:
        told = branch.told(node.rolls)
        told += f", {spoken_probability(branch.probability)}" if branch.probability < 1 else ""
        worth = _spoken(branch.then.value)
        yield f"{indent}{told}{f': then worth {worth}' if worth else ''}"
        yield from tree(branch.then, write, depth + 1)


def _spoken(value: Value) -> str:
    return " / ".join(map(spoken_number, value))
