"""Plans that react: what is done until the next roll, and then, for each result, what is done next.

As JSON, ``planner/policy-1``: a node has ``moves``, ``value``, and ``branches``, each with ``made``, the last
move as it has been made, once for each result that is written otherwise, its ``probability``, and ``then``, a node.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from pydantic import ConfigDict, Field, ValidationError

from planner.errors import InputError, Problem
from planner.formats.exact import exact
from planner.formats.files import parse_json
from planner.formats.table import Table
from planner.formats.validation import problems_of
from planner.objective.scoring import Value
from planner.plans.attack_text import parse_attack
from planner.plans.plan import Move, Plan
from planner.world.declared_attack import DeclaredAttack

Made = Move | DeclaredAttack
"""Something for which something may be rolled."""

MOST_ROLLS = 60
"""So many rolls follow each other at most; whoever walks a policy must not run out of stack."""
DEEPEST = 3 * MOST_ROLLS + 4
"""How deep the file of such a policy is nested: a node, its branches, and one of them for each roll."""


@dataclass(frozen=True)
class Branch:
    """What is done after some results of a roll.

    Attributes
    ----------
    made : tuple of Move or DeclaredAttack
        The last move, or the first attack, as it has been made, once for each result that is written otherwise; what
        follows is the same.
    probability : Fraction
        How likely one of these results is, once it is rolled; of a file, as it says.
    then : Node
        What is done next.
    """

    made: tuple[Made, ...]
    probability: Fraction
    then: Node

    @property
    def moves(self) -> tuple[Move, ...]:
        """The last move as it has been made; none if it is an attack."""
        return tuple(made for made in self.made if isinstance(made, Move))

    def told(self, move: Made) -> str:
        """Return in words what has come of a move, or an attack, for the branch, such as "if it goes through"."""
        attacks = [made for made in self.made if isinstance(made, DeclaredAttack)]
        if attacks:
            gone = [", ".join(f"{unit} {'-'.join(way)}" for unit, way in made.ways) for made in attacks]
            told = [f"{made.result}{f' ({way})' * bool(way)}" for made, way in zip(attacks, gone, strict=True)]
            return f"if {' or '.join(told)} is rolled"
        if self.probability == 1:
            return "whatever comes"
        drawn = [f"{made.damage[0]}:{made.damage[1]}" for made in self.moves if made.damage is not None]
        if drawn:
            return f"if {' or '.join(dict.fromkeys(drawn))} is drawn"
        failed = [made for made in self.moves if made.failed]
        if not isinstance(move, Move) or not failed:
            return "if it goes through"
        early = len(failed) < len(self.moves) or any(len(made.path) < len(move.path) for made in failed)
        where = f" in {' or '.join(dict.fromkeys(made.path[-1] for made in failed))}" if early else ""
        through = "goes through, or " * (len(failed) < len(self.moves))
        return f"if it {through}{'bogs down' if all(made.bogs for made in failed) else 'fails'}{where}"


@dataclass(frozen=True)
class Node:
    """What is done in one situation.

    Attributes
    ----------
    moves : tuple of Move
        The moves up to the next roll, that of the last step of the last of them, or of a step after which it may not stop.
        Without branches all the rest: what is still rolled then changes nothing but that moves that have become illegal
        aren't made.
    branches : tuple of Branch
        What is done after each result; none where nobody looks at the dice any more.
    value : tuple of Fraction
        What each tier comes to on average, the whole phase counted; of a file, as it says, and empty if it doesn't.
    proved : bool
        Whether no way of playing is worth more from here on, proved.
    attacks : tuple of DeclaredAttack
        The attacks that are declared once the moves are made, the one first that is rolled next: then the branches are its
        results. Without branches all of them are rolled, one after another, and nobody advances.
    """

    moves: tuple[Move, ...]
    branches: tuple[Branch, ...] = ()
    value: Value = ()
    proved: bool = False
    attacks: tuple[DeclaredAttack, ...] = ()

    @property
    def rolls(self) -> Made:
        """What is rolled for last: the first attack, or the last move."""
        return self.attacks[0] if self.attacks else self.moves[-1]

    def as_proved(self) -> Node:
        """Return the same, as the best way of playing in each of its situations."""
        branches = tuple(replace(branch, then=branch.then.as_proved()) for branch in self.branches)
        return replace(self, branches=branches, proved=True)

    @property
    def shape(self) -> object:
        """What is done, without what it is worth."""
        return self.moves, self.attacks, tuple((branch.made, branch.then.shape) for branch in self.branches)

    def merged(self) -> Node:
        """Return the same, with one branch for results after which the same is done."""
        alike: dict[object, list[Branch]] = {}
        for branch in self.branches:
            then = branch.then.merged()
            alike.setdefault(then.shape, []).append(Branch(branch.made, branch.probability, then))
        branches = []
        for some in alike.values():
            chance = sum((branch.probability for branch in some), Fraction(0))
            made = tuple(move for branch in some for move in branch.made)
            branches.append(Branch(made, chance, averaged([(branch.probability, branch.then) for branch in some])))
        return replace(self, branches=tuple(branches))

    def nodes(self) -> Iterator[Node]:
        """Yield every situation, this one first."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += [branch.then for branch in reversed(node.branches)]


def mean_value(values: Sequence[tuple[Fraction, Value]]) -> Value:
    """Return what each tier comes to on average, of values each with how likely it is; these sum to 1."""
    tiers = zip(*(value for _, value in values), strict=True)
    return tuple(
        sum((chance * one for (chance, _), one in zip(values, tier, strict=True)), Fraction(0)) for tier in tiers
    )


def averaged(nodes: Sequence[tuple[Fraction, Node]]) -> Node:
    """Return one node for situations in which the same is done, each with how likely it is: its numbers are averages."""
    total = sum((chance for chance, _ in nodes), Fraction(0))
    mean = mean_value([(chance / total, node.value) for chance, node in nodes])
    branches = []
    for some in zip(*(node.branches for _, node in nodes), strict=True):
        after = [(chance * one.probability, one.then) for (chance, _), one in zip(nodes, some, strict=True)]
        made = tuple(dict.fromkeys(move for one in some for move in one.made))
        branches.append(Branch(made, sum((chance for chance, _ in after), Fraction(0)) / total, averaged(after)))
    first = nodes[0][1]
    return Node(first.moves, tuple(branches), mean, all(node.proved for _, node in nodes), first.attacks)


def parse(text: str, where: str) -> Node:
    """Read the text of a policy file; raises as `from_json` does, and if more than `MOST_ROLLS` follow each other."""
    return from_json(parse_json(text, where, DEEPEST), where)


def from_json(data: object, where: str) -> Node:
    """Read a policy file, ``planner/policy-1``.

    Raises
    ------
    InputError
        With every problem at once.
    """
    try:
        file = PolicyFile.model_validate(data)
    except ValidationError as error:
        raise InputError(problems_of(error, where, PolicyFile, data)) from error
    problems: list[Problem] = []
    root = _read(file.root, f"{where}: root", problems)
    value = _numbers(file.value, f"{where}: value", problems)
    if value and root.value and value != root.value:
        problems.append(Problem("must be the same as in root", f"{where}: value"))
    root = replace(root, value=root.value or value)
    if problems:
        raise InputError(problems)
    return root


class BranchFile(Table):
    """What is done after some results."""

    made: list[str] = Field(
        min_length=1, max_length=100, description="The last move, or the first attack, as it has been made"
    )
    probability: int | str = Field(description="How likely one of these results is; judged when read")
    then: NodeFile = Field(description="What is done next")


class NodeFile(Table):
    """What is done in one situation."""

    moves: list[str] = Field(max_length=2_000, description="The moves up to the next roll, or all the rest")
    attacks: list[str] = Field(
        default_factory=list,
        max_length=1_000,
        description="The attacks that are declared after them, first the one that is rolled next",
    )
    value: list[int | str] = Field(
        default_factory=list, description="What each tier comes to on average; judged when read, if it is there"
    )
    proved: bool = Field(
        default=False, description="Whether no way of playing is worth more from here on; passed over when read"
    )
    branches: list[BranchFile] = Field(
        default_factory=list, max_length=1_000, description="What is done after each result"
    )


class PolicyFile(Table):
    """A policy file."""

    model_config = ConfigDict(extra="ignore", title="planner/policy-1")
    format: Literal["planner/policy-1"]
    value: list[int | str] = Field(default_factory=list, description="As that of the root")
    root: NodeFile = Field(description="What is done first")


def _read(node: NodeFile, where: str, problems: list[Problem]) -> Node:
    def moves(texts: list[str], place: str) -> tuple[Move, ...]:
        try:
            plan = Plan.parse(texts)
            if plan.attacks is not None:
                problems.append(Problem("must be moves: attacks stand under attacks", place))
            return plan.moves
        except InputError as error:
            problems.extend(Problem(problem.what, place) for problem in error.problems)
            return ()

    def made(texts: list[str], place: str) -> tuple[Made, ...]:
        try:
            plan = Plan.parse(texts)
        except InputError as error:
            problems.extend(Problem(problem.what, place) for problem in error.problems)
            return ()
        return (*plan.moves, *(plan.attacks or ()))

    def attacks(texts: list[str], place: str) -> tuple[DeclaredAttack, ...]:
        found: list[DeclaredAttack] = []
        for text in texts:
            try:
                found.append(parse_attack(text))
            except InputError as error:
                problems.extend(Problem(problem.what, place) for problem in error.problems)
        return tuple(found)

    branches = tuple(
        Branch(
            made(branch.made, f"{where}.branches[{index}].made"),
            _number(branch.probability, f"{where}.branches[{index}].probability", problems),
            _read(branch.then, f"{where}.branches[{index}].then", problems),
        )
        for index, branch in enumerate(node.branches)
    )
    value = _numbers(node.value, f"{where}.value", problems)
    declared = attacks(node.attacks, f"{where}.attacks")
    return Node(moves(node.moves, f"{where}.moves"), branches, value, attacks=declared)


def _numbers(said: list[int | str], where: str, problems: list[Problem]) -> Value:
    return tuple(_number(one, f"{where}[{index}]", problems) for index, one in enumerate(said))


_LONG = re.compile(r"-?\d{1,4000}/\d{1,4000}", re.ASCII)
"""Values of large policies have more digits than anybody types."""


def _number(said: int | str, where: str, problems: list[Problem]) -> Fraction:
    try:
        return Fraction(said) if isinstance(said, int) or _LONG.fullmatch(said) else exact(said)
    except (ValueError, ZeroDivisionError):
        too_long = isinstance(said, str) and re.fullmatch(r"-?\d+(/0*[1-9]\d*)?", said, re.ASCII)
        what = "must have fewer digits" if too_long else 'must be a whole number or a fraction in quotes such as "5/12"'
        problems.append(Problem(what, where))
        return Fraction(0)
