"""Fast Downward on the options: each possibility is an operator for each choice of friends who make room for it.

What isn't reached of the objective is paid for at the end, so that the cheapest plan is the best. Tiers are added up with
weights so large that the first matters infinitely more. That friends may be any of several makes an operator of each.
Stacking limits concern the position after the last move and have no form here: the referee looks at them, and a plan that
breaks them counts as none; one that keeps them is the best.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from peers.program import UnsuitedError
from peers.task import Task
from planner.objective.costs import MpSpent, UnitsMoved
from planner.objective.goals import Eliminate, End, Hold
from planner.plans.plan import Move, Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.possibility import Possibility
from planner.referee.referee import Referee
from planner.rules.atoms import Friend, Gone
from planner.scenario import Scenario

MOST_OPERATORS = 500_000

Condition = dict[int, int]


@dataclass
class Domain:
    """Variables and operators in the form that the search component reads.

    Attributes
    ----------
    sizes : list of int
        How many values each variable has.
    start : list of int
        Its first value.
    goal : dict
        What must hold in the end.
    operators : list of (name, conditions, effects, cost)
        What may be done.
    """

    sizes: list[int] = field(default_factory=list)
    start: list[int] = field(default_factory=list)
    goal: Condition = field(default_factory=dict)
    operators: list[tuple[str, Condition, Condition, int]] = field(default_factory=list)

    def variable(self, size: int, start: int = 0) -> int:
        """Add a variable."""
        self.sizes.append(size)
        self.start.append(start)
        return len(self.sizes) - 1

    def operator(self, name: str, conditions: Condition, effects: Condition, cost: int) -> None:
        """Add an operator.

        Raises
        ------
        UnsuitedError
            If there are too many.
        """
        self.operators.append((name, conditions, effects, cost))
        if len(self.operators) > MOST_OPERATORS:
            raise UnsuitedError(f"more than {MOST_OPERATORS} operators")

    def text(self) -> str:
        """Return the file."""
        lines = ["begin_version", "3", "end_version", "begin_metric", "1", "end_metric", str(len(self.sizes))]
        for number, size in enumerate(self.sizes):
            lines += ["begin_variable", f"var{number}", "-1", str(size)]
            lines += [f"Atom v{number}({value})" for value in range(size)]
            lines.append("end_variable")
        lines += ["0", "begin_state", *map(str, self.start), "end_state"]
        lines += ["begin_goal", str(len(self.goal)), *(f"{v} {x}" for v, x in self.goal.items()), "end_goal"]
        lines.append(str(len(self.operators)))
        for name, conditions, effects, cost in self.operators:
            prevail = {v: x for v, x in conditions.items() if v not in effects}
            lines += ["begin_operator", name, str(len(prevail)), *(f"{v} {x}" for v, x in prevail.items())]
            lines.append(str(len(effects)))
            lines += [f"0 {v} {conditions.get(v, -1)} {x}" for v, x in effects.items()]
            lines += [str(cost), "end_operator"]
        return "\n".join([*lines, "0", ""])


class Translation:
    """A scenario as a domain."""

    def __init__(self, scenario: Scenario, reach: ConditionalReach) -> None:
        game = scenario.game
        self.scenario, self.game, self.domain = scenario, game, Domain()
        self.options: list[Possibility] = []
        self._groups = {name: members for rule in game.rulebook.rules for name, members in rule.groups(game).items()}
        found = {unit: reach.possibilities(unit) for unit in reach.movers}
        # Of each unit: 0 before it has moved, then a value for each end.
        self._ends = {
            unit: {end: number for number, end in enumerate(dict.fromkeys(o.end for o in options), 1)}
            for unit, options in found.items()
        }
        self._place = {unit: self.domain.variable(len(ends) + 1) for unit, ends in self._ends.items()}
        killed = dict.fromkeys(enemy for options in found.values() for option in options for enemy in option.removes)
        self._gone = {enemy: self.domain.variable(2) for enemy in killed}
        self._over = self.domain.variable(2)
        self._weights(reach.scale)
        for options in found.values():
            for option in options:
                self._add(option)
        self.domain.operator("over", {self._over: 0}, {self._over: 1}, 0)
        self.domain.goal[self._over] = 1
        self._add_goals()

    def _weights(self, scale: int) -> None:
        """Work out what each tier's unit costs, and check that its terms have a form."""
        self._scale = scale
        self._cost: list[int] = []
        unit = 1
        for tier in reversed(self.scenario.tiers):
            most = 0
            for term in tier.terms:
                if not isinstance(term, (Hold, Eliminate, End, MpSpent, UnitsMoved)):
                    raise UnsuitedError(f"{term.kind} has no form")
                if isinstance(term, MpSpent):
                    most += term.weight * sum(int(self.game.units[u].ma * scale) + 20 * scale for u in self._place)
                elif isinstance(term, UnitsMoved):
                    most += term.weight * len(self._place) * scale
                else:
                    most += term.weight * term.full(self.game) * scale
            self._cost.insert(0, unit)
            unit *= most + 1
        if unit > 2**30:
            raise UnsuitedError("the tiers together are too large for its costs")

    def _add(self, option: Possibility) -> None:
        own, cost = self._place[option.unit], 0
        for tier, weight in zip(self.scenario.tiers, self._cost, strict=True):
            for term in tier.terms:
                if isinstance(term, (MpSpent, UnitsMoved)) and term.of.matches(self.game.units[option.unit]):
                    spent = option.mp * self._scale if isinstance(term, MpSpent) else self._scale
                    cost += weight * term.weight * int(spent)
        choices = [list(self._ways(option.unit, atom)) for atom in sorted(option.needs, key=repr)]
        effects = {own: self._ends[option.unit][option.end], **{self._gone[enemy]: 1 for enemy in option.removes}}
        name = f"o{len(self.options)}"
        self.options.append(option)
        for ways in product(*choices):
            conditions: Condition = {own: 0, self._over: 0}
            if all(conditions.setdefault(v, x) == x for way in ways for v, x in way.items()):
                # What it removes may be gone by then: the step is a plain one.
                self.domain.operator(name, conditions, effects, cost)

    def _ways(self, unit: str, atom: object) -> Iterable[Condition]:
        """Yield the conditions each of which makes an atom hold."""
        if isinstance(atom, Gone):
            if atom.enemy in self._gone:
                yield {self._gone[atom.enemy]: 1}
            return
        if not isinstance(atom, Friend) or atom.stays:
            raise UnsuitedError(f"it needs {atom}")
        for friend in self.game.sorted(self._groups[atom.group] - {unit}):
            at_home = self.game.homes.get(friend) == atom.hex
            if friend not in self._place:
                if at_home:
                    yield {}
                continue
            if at_home:
                yield {self._place[friend]: 0}
            if atom.hex in self._ends[friend]:
                yield {self._place[friend]: self._ends[friend][atom.hex]}

    def _add_goals(self) -> None:
        for tier, unit_cost in zip(self.scenario.tiers, self._cost, strict=True):
            for term in tier.terms:
                worth = unit_cost * term.weight * self._scale
                if isinstance(term, Eliminate):
                    for enemy in term.units:
                        if enemy in self._gone:
                            self._add_goal([{self._gone[enemy]: 1}], worth)
                elif isinstance(term, Hold):
                    holders = [u for u in self.game.friends if term.by.matches(self.game.units[u])]
                    for label in term.hexes:
                        self._add_goal(self._standing(label, holders), worth)
                elif isinstance(term, End):
                    ways = [way for label in dict.fromkeys(term.at) for way in self._standing(label, [term.unit])]
                    self._add_goal(ways, worth)

    def _standing(self, label: str, units: Iterable[str]) -> list[Condition]:
        ways: list[Condition] = []
        for unit in self.game.sorted(units):
            at_home = self.game.homes.get(unit) == label
            if unit not in self._place:
                ways += [{}] if at_home else []
                continue
            ways += [{self._place[unit]: 0}] if at_home else []
            ways += [{self._place[unit]: self._ends[unit][label]}] if label in self._ends[unit] else []
        return ways

    def _add_goal(self, ways: list[Condition], worth: int) -> None:
        if not ways or {} in ways:
            return  # it can't be had, or is there anyway
        done = self.domain.variable(2)
        self.domain.goal[done] = 1
        for way in ways:
            self.domain.operator("have", {self._over: 1, **way, done: 0}, {done: 1}, 0)
        self.domain.operator("forgo", {self._over: 1, done: 0}, {done: 1}, worth)

    def plan(self, names: Iterable[str]) -> Plan:
        """Return the plan that a list of operators makes."""
        gone: set[str] = set()
        moves = []
        for name in names:
            if name.startswith("o") and name[1:].isdigit():
                option = self.options[int(name[1:])]
                real = {s for s in option.overruns if set(self.game.enemies_at(option.path[s])) - gone}
                gone.update(option.removes)
                moves.append(Move((option.unit,), option.path, frozenset(real)))
        return Plan(tuple(moves))


def _solve(task: Task, search: str, proves: bool) -> None:
    scenario = task.load()
    with task.phase("reach"):
        reach = ConditionalReach(scenario.game)
        possible = {unit: reach.possibilities(unit) for unit in reach.movers}
        reach.possibilities = possible.__getitem__  # type: ignore[method-assign,assignment]
    if reach.joint or scenario.requirements or any(reach.rolls_alone(scenario.game.units[u]) for u in reach.movers):
        task.finish(scenario, "unsuited", None)
        return
    spec = find_spec("up_fast_downward")
    assert spec is not None
    assert spec.origin is not None
    program = Path(spec.origin).parent / "downward/builds/release/bin/downward"
    with TemporaryDirectory() as folder:
        try:
            with task.phase("build"):
                translation = Translation(scenario, reach)
                text = translation.domain.text()
        except UnsuitedError as error:
            task.finish(scenario, "unsuited", None, note=str(error))
            return
        plan_file = Path(folder) / "plan"
        words = [str(program), "--search", search, "--internal-plan-file", str(plan_file)]
        with task.phase("solve"):
            try:
                subprocess.run(
                    words, input=text, text=True, timeout=max(0.1, task.left()), capture_output=True, cwd=folder
                )
            except subprocess.TimeoutExpired:
                task.finish(scenario, "unknown", None)
                return
        if not plan_file.is_file():
            task.finish(scenario, "unknown", None, note="no plan: out of memory, or an error")
            return
        names = [line.strip("()").split()[0] for line in plan_file.read_text().splitlines() if line.startswith("(")]
    plan = translation.plan(names)
    if Referee(scenario.game).check_end(Referee(scenario.game).play(plan, scenario.start).position):
        task.finish(scenario, "unknown", None, note="its plan breaks a stacking limit")
        return
    task.finish(scenario, "optimal" if proves else "feasible", plan)


def optimal(task: Task) -> None:
    """Search for the cheapest plan."""
    _solve(task, "astar(lmcut())", proves=True)


def first(task: Task) -> None:
    """Take the first plan that comes."""
    _solve(task, "let(h, ff(), lazy_greedy([h], preferred=[h]))", proves=False)
