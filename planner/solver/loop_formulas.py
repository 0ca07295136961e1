"""Constraints that what needs each other begins somewhere, found where the linear relaxation does without.

What one move needs, another brings about: a friend in a hex, an enemy that is gone. Whoever is the first to bring about
something of a set can't need anything of that set. So if anything of a set S comes about, somebody brings something of it
who needs nothing of S, or else needs something beyond it, of which that much is true in turn:

    it is needed  ->  something of B is needed, or a choice that brings something of S and needs nothing of S and B

These are the loop formulas of answer set programming (Lin and Zhao, "ASSAT: computing answer sets of a logic program by
SAT solvers", 2004), with what is needed beyond the set put in its place. All follow from the model; most of them say
nothing new. Those that a linear relaxation fails are of use: without them it has a little of each of many units go a way
that needs one of them to stand there whole, and units help each other in a circle, which no order of literals forbids it.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

from planner.errors import OutOfTimeError
from planner.limits import Limits
from planner.solver.coupling.dependence import Dependence
from planner.solver.cp_sat import cp_model
from planner.solver.engine import clauses_of, is_true, variable_of
from planner.solver.tuning import LoopFormulas, SolverRun, WithoutOrder

BOUNDLESS = 2**40
"""What no sum comes to: a bound beyond it is none."""


@dataclass(frozen=True)
class Formula:
    """One such constraint.

    Attributes
    ----------
    needed : int
        The literal that follows from nothing else.
    any_of : tuple of int
        The literals of which one holds then.
    """

    needed: int
    any_of: tuple[int, ...]


class Loops:
    """What of a model must begin somewhere.

    Parameters
    ----------
    model : CpModel
        The model. Constraints are added to it that hold in all of its solutions.
    dependence : Dependence
        What depends on what in it.

    Attributes
    ----------
    follows : frozenset of int
        The variables that hold because of others, which are the choices.
    """

    def __init__(self, model: cp_model.CpModel, dependence: Dependence) -> None:
        self._model, self._dependence, self._parts = model, dependence, dependence.parts
        self.follows = dependence.follows

    @cached_property
    def _needs(self) -> dict[int, frozenset[int]]:
        """The events that each choice needs."""
        return self._dependence.needs()

    @cached_property
    def _choices(self) -> dict[int, frozenset[int]]:
        """The choices that bring about each event."""
        return {event: self._made_of(bringers) for event, bringers in self._dependence.bringers.items()}

    @cached_property
    def _events(self) -> dict[frozenset[int], int]:
        """An event by the choices that bring it about."""
        return {choices: event for event, choices in self._choices.items()}

    def _made_of(self, literals: Iterable[int]) -> frozenset[int]:
        """Return the literals that some are made of in the end."""
        found, left = set[int](), list(literals)
        while left:
            literal = left.pop()
            if literal in self._parts:
                left += self._parts[literal]
            else:
                found.add(literal)
        return frozenset(found)

    def _add(self, formula: Formula) -> None:
        literals = [-1 - formula.needed, *formula.any_of]
        self._model.add_bool_or([self._literal(literal) for literal in literals])

    def _literal(self, index: int) -> cp_model.LiteralT:
        variable = self._model.get_bool_var_from_proto_index(variable_of(index))
        return variable if index >= 0 else ~variable

    def _without(self, choices: Iterable[int], events: Collection[int]) -> set[int]:
        """Return those of some choices that need none of some events."""
        return {choice for choice in choices if self._needs.get(choice, frozenset()).isdisjoint(events)}

    # -- where the linear relaxation fails them

    def strengthen(self, about_order: Collection[int], limits: Limits) -> None:
        """Add the constraints that the linear relaxation fails if it does without the order.

        Parameters
        ----------
        about_order : collection of int
            The variables whose constraints the relaxation does without.
        limits : Limits
            When to end.
        """
        if not 0 < len(self._dependence.asking) <= LoopFormulas.largest:
            return
        try:
            relaxation = _Relaxation(self._model, about_order, limits)
        except OutOfTimeError:
            return
        wanted = [one for one in relaxation.wanted if one in self._parts]
        made_of = {one: self._made_of(self._parts[one]) for one in wanted} | self._choices
        made_of = {one: choices for one, choices in made_of.items() if not choices.isdisjoint(self._needs)}
        for _ in range(LoopFormulas.rounds):
            values = relaxation.solve(limits)
            if values is None or limits.late:
                return
            found: dict[Formula, None] = {}
            for needed, choices in made_of.items():
                if limits.late:
                    return
                formula = self._failed(needed, choices, values)
                if formula is not None:
                    found[formula] = None
            for formula in found:
                relaxation.add([-1 - formula.needed, *formula.any_of], 1, None)
                self._add(formula)
            if not found:
                return

    def _failed(self, needed: int, choices: frozenset[int], values: Mapping[int, float]) -> Formula | None:
        """Return a constraint that some values fail, if one is found.

        Event after event is added to the set, or to what is beyond it, whatever brings most; within the set also if it
        brings nothing, as a circle brings nothing before it is closed.
        """
        share = values.get(needed, 0.0)
        if share < LoopFormulas.least:
            return None
        event = needed if needed in self._choices else self._events.get(choices)
        inside, beyond = set() if event is None else {event}, set[int]()
        left = self._without((choice for choice in choices if choice in values), inside)
        found, least = None, share - LoopFormulas.least
        while True:
            total = sum(values[choice] for choice in left) + sum(values.get(one, 0.0) for one in beyond)
            if total < least - LoopFormulas.gain:
                found, least = (frozenset(inside), frozenset(beyond)), total
            best = max(self._steps(left, inside | beyond, values), default=None)
            if best is None or best[0] < (-LoopFormulas.gain if best[1] else LoopFormulas.gain):
                break
            _, within, other = best
            if within:
                left |= self._coming(other, left, inside | beyond, values)
            (inside if within else beyond).add(other)
            left = self._without(left, inside | beyond)
        if found is None:
            return None
        among = choices.union(*(self._choices[one] for one in found[0]))
        return Formula(needed, (*sorted(found[1]), *sorted(self._without(among, found[0] | found[1]))))

    def _steps(
        self, left: set[int], events: set[int], values: Mapping[int, float]
    ) -> Iterator[tuple[float, bool, int]]:
        """Yield which events may be added: what that brings, whether within the set, and which."""
        for other in {one for choice in left for one in self._needs.get(choice, ())}:
            gone = sum(values[choice] for choice in left if other in self._needs.get(choice, ()))
            yield gone - values.get(other, 0.0), False, other
            yield gone - sum(values[one] for one in self._coming(other, left, events, values)), True, other

    def _coming(self, event: int, left: set[int], events: set[int], values: Mapping[int, float]) -> set[int]:
        """Return the choices in use that come with an event that is to begin within the set, too."""
        new = (choice for choice in self._choices[event] if choice in values and choice not in left)
        return self._without(new, events | {event})

    # -- where a solution fails them

    def forbid(self, solution: Sequence[int]) -> bool:
        """Add constraints that a solution fails in which units wait for each other; return whether there are any."""
        begun = set[int]()
        carried_out = {
            event: [one for one in choices if is_true(solution, one)] for event, choices in self._choices.items()
        }
        before = -1
        while len(begun) > before:
            before = len(begun)
            begun |= {
                event
                for event, choices in carried_out.items()
                if any(self._needs.get(one, frozenset()) <= begun for one in choices)
            }
        waiting = [event for event in carried_out if is_true(solution, event) and event not in begun]
        loops = {event: self._waited_for(event, carried_out, begun) for event in waiting}
        for event, loop in loops.items():
            if not any(other < loop for other in loops.values()):
                choices = set().union(*(self._choices[one] for one in loop))
                self._add(Formula(event, tuple(sorted(self._without(choices, loop)))))
        return bool(loops)

    def _waited_for(self, event: int, carried_out: Mapping[int, Sequence[int]], begun: set[int]) -> frozenset[int]:
        """Return the events that wait for each other until one can come about, itself among them."""
        found, left = {event}, [event]
        while left:
            needed = (one for choice in carried_out[left.pop()] for one in self._needs.get(choice, ()))
            new = {one for one in needed if one not in begun} - found
            found |= new
            left += new
        return frozenset(found)


class _Relaxation:
    """The linear relaxation of a model without the constraints about some variables.

    Attributes
    ----------
    wanted : dict of int
        The variables of which objective or constraints want much.

    Raises
    ------
    OutOfTimeError
        If there is no time to write it.
    """

    def __init__(self, model: cp_model.CpModel, without: Collection[int], limits: Limits) -> None:
        from ortools.linear_solver import pywraplp  # type: ignore[import-untyped]

        self._proto = model.proto
        self._solver = pywraplp.Solver.CreateSolver("GLOP")
        self._solved = pywraplp.Solver.OPTIMAL
        self._columns: dict[int, int] = {}
        self.wanted: dict[int, None] = {}
        objective = model.proto.objective
        for variable, weight in zip(objective.vars, objective.coeffs, strict=True):
            column = self._solver.variable(self._column(variable_of(variable)))
            self._solver.Objective().SetCoefficient(column, float(weight))
            if weight < 0:
                self.wanted[variable] = None
        self._solver.Objective().SetMinimization()
        without = set(without)
        for place, constraint in enumerate(model.proto.constraints):
            if place % WithoutOrder.clauses == 0:
                limits.check()
            for clause in clauses_of(constraint):
                if without.isdisjoint(map(variable_of, clause)):
                    self.add(clause, 1, None)
                if len(clause) == 1:
                    self.wanted[clause[0]] = None
            if constraint.has_at_most_one():
                self.add(constraint.at_most_one.literals, None, 1)
            elif constraint.has_exactly_one():
                self.add(constraint.exactly_one.literals, 1, 1)
            elif constraint.has_linear() and not constraint.enforcement_literal:
                linear = constraint.linear
                self._add_sum(list(linear.vars), list(linear.coeffs), list(linear.domain))

    def _column(self, variable: int) -> int:
        """Return the place of a variable's column, which is added if it isn't there yet."""
        if variable not in self._columns:
            domain = list(self._proto.variables[variable].domain)
            self._solver.NumVar(float(domain[0]), float(domain[-1]), "")
            self._columns[variable] = len(self._columns)
        return self._columns[variable]

    def add(self, literals: Iterable[int], least: int | None, most: int | None) -> None:
        """Demand that so many literals hold."""
        terms = [(variable_of(literal), 1 if literal >= 0 else -1) for literal in literals]
        self._add_row(terms, sum(weight < 0 for _, weight in terms), least, most)

    def _add_sum(self, variables: list[int], weights: list[int], domain: list[int]) -> None:
        """Demand what a sum comes to, whatever holes there are in its domain."""
        least, most = domain[0], domain[-1]
        terms, constant = list[tuple[int, int]](), 0
        for variable, weight in zip(variables, weights, strict=True):
            terms.append((variable_of(variable), weight if variable >= 0 else -weight))
            constant += weight if variable < 0 else 0
            if weight > 0 and least > -BOUNDLESS:
                self.wanted[variable] = None
        self._add_row(terms, constant, least, most)

    def _add_row(self, terms: list[tuple[int, int]], constant: int, least: int | None, most: int | None) -> None:
        low = -inf if least is None or least <= -BOUNDLESS else float(least - constant)
        high = inf if most is None or most >= BOUNDLESS else float(most - constant)
        row = self._solver.Constraint(low, high)
        sums: dict[int, int] = {}
        for variable, weight in terms:
            sums[variable] = sums.get(variable, 0) + weight
        for variable, weight in sums.items():
            row.SetCoefficient(self._solver.variable(self._column(variable)), float(weight))

    def solve(self, limits: Limits) -> dict[int, float] | None:
        """Return what variables come to in a best solution, without those that are nothing; None if there is no time."""
        left = limits.left()
        if limits.late or left == 0:
            return None
        if left is not None:
            self._solver.SetTimeLimit(max(1, int(1000 * left)))
        if self._run(limits.stop) != self._solved:
            return None
        columns = self._solver.variables()
        found = {variable: columns[place].solution_value() for variable, place in self._columns.items()}
        return {variable: value for variable, value in found.items() if value > LoopFormulas.gain}

    def _run(self, stop: threading.Event) -> int | None:
        """Solve it in a thread of its own: this one hears of interrupts meanwhile; return how it ended."""
        statuses: list[int] = []
        done = threading.Event()

        def work() -> None:
            try:
                statuses.append(self._solver.Solve())
            finally:
                done.set()

        threading.Thread(target=work, daemon=True).start()
        try:
            while not done.wait(0.05):
                if stop.is_set():
                    self._solver.InterruptSolve()
        except BaseException:
            self._solver.InterruptSolve()
            done.wait(SolverRun.patience)
            raise
        return statuses[0] if statuses else None
