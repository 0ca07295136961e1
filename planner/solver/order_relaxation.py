"""Bounds from a model without the order of the moves, which comes back where it turns out to matter.

Who moves before whom is what makes these models hard for a linear relaxation: each literal of it hangs on many others, and
is worth nothing. A model without it is a relaxation: every plan is a solution of it, and so are some in which units
wait for each other in a circle. What bounds its solutions bounds all plans, and is much sooner known. Where its best
solution can be put in order for the same value, it is the best plan; where it can't, the order of the units that wait for
each other there comes back, and the search goes on. That ends: with all of the order back, it is the model.

Clauses alone are left out, those with a literal of the order. All else stays, so that nothing need be known of the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from planner.limits import Limits
from planner.solver.cp_sat import cp_model
from planner.solver.engine import (
    Configuration,
    OnChange,
    Solved,
    begin_with,
    carried_on,
    clauses_of,
    complete_hint,
    give_hint,
    is_true,
    late_for_presolve,
    least,
    run,
    variable_of,
)
from planner.solver.loop_formulas import Loops
from planner.solver.tuning import Portfolio, WithoutOrder

FARTHEST = 2**60
"""What no objective comes to."""

NEAR = Configuration(near_best=True, work=Portfolio.burst)
"""How to look near a solution."""

BETWEEN = (Configuration(subsolvers=("core",), presolve=True, probing=False, work=WithoutOrder.between), NEAR)
"""How to look between two solutions: the second if the first finds none that is better."""

Units = frozenset[str]


@dataclass(frozen=True)
class Clause:
    """A constraint that is left out.

    Attributes
    ----------
    place : int
        Where it stands in the model.
    units : frozenset of units
        All whose order it is about.
    text : ConstraintProto
        The constraint itself.
    """

    place: int
    units: Units
    text: object


class Unordered:
    """A model that can do without the order of the moves.

    Parameters
    ----------
    model : CpModel
        Has an objective. Whatever is done here, it says the same afterwards; its hint is the best solution, if there is one.
    pairs : mapping from pairs of units to literals
        That the first moves before the second, as of `planner.solver.move_order.Order.pairs`.
    loops : Loops, optional
        What of the model must begin somewhere.

    Attributes
    ----------
    rounds : int
        How often the order of some units came back.
    """

    def __init__(
        self, model: cp_model.CpModel, pairs: Mapping[tuple[str, str], Any], loops: Loops | None = None
    ) -> None:
        self._model, self._loops = model, loops
        self._order = pairs
        self._pairs: dict[int, tuple[str, str]] = {}
        self._left_out: dict[int, Clause] = {}
        self._causes: dict[tuple[str, str], list[list[int]]] = {}
        self._decisions: list[int] = []
        self._choices: list[int] = []
        self._seen: set[str] = set()
        self._groups = 0
        self._about: set[int] = set()
        self.rounds = 0

    def improve(
        self,
        configuration: Configuration,
        limits: Limits,
        best: Solved | None = None,
        bound: int | None = None,
        on_change: OnChange | None = None,
    ) -> Solved:
        """Look for the best solution of the whole model, from the side of the bound.

        Parameters
        ----------
        configuration : Configuration
            How; its work is that of all rounds together, without what is spent on looking for solutions of the whole model.
        limits : Limits
            When to end.
        best : Solved, optional
            The best solution of the whole model so far.
        bound : int, optional
            What no solution can exceed.
        on_change : callable, optional
            Gets (value, bound) of the whole model.

        Returns
        -------
        Solved
            The best solution, whether it is a new one or not; optimal if it reaches the bound. Without one: infeasible, if
            that is proved, or unknown.
        """
        work = configuration.work
        clauses = self._clauses(limits)
        if not clauses:
            return _result(best, bound)
        begun = list(self._model.proto.solution_hint.vars), list(self._model.proto.solution_hint.values)
        self._left_out = {clause.place: clause for clause in clauses}
        self._groups = len({clause.units for clause in clauses})
        if self._loops is not None:
            self._loops.strengthen(self._about, limits)
        much = WithoutOrder.first
        while not limits.stop.is_set() and (work is None or work > 0):
            if late_for_presolve(self._model, limits):
                break
            told = None if on_change is None else _bounds_alone(carried_on(on_change, best, bound))
            solved = self._solve(replace(configuration, work=_least(work, much)), limits, best, bound, told)
            work = None if work is None else work - solved.work
            if solved.outcome == "infeasible":
                return solved if best is None else replace(best, outcome="optimal", bound=best.value)
            bound = least(bound, solved.bound)
            real = None
            if solved.holds is not None:
                better = real = self._in_order(solved, limits)
                if real is not None and real.worth < solved.worth:
                    real = None  # with other decisions: the order stands in the way of these
                if better is None and best is not None and (self.rounds == 0 or solved.work > WithoutOrder.brief):
                    better = self._between(solved, best, limits)
                if better is not None and (best is None or better.worth > best.worth):
                    best = better
                    if on_change is not None:
                        on_change(best.value, bound)
            if best is not None and best.value == bound:
                break
            if solved.outcome != "optimal":
                much *= 2
                if solved.holds is not None:
                    begin_with(self._model, solved)
            elif real is None and (self._begin_somewhere(solved) or self._return_order(solved, limits)):
                self.rounds += 1
                if best is not None:
                    begin_with(self._model, best)
            else:
                break
        if best is not None:
            begin_with(self._model, best)
        else:
            give_hint(self._model, *begun)
        return _result(best, bound)

    def _solve(
        self,
        configuration: Configuration,
        limits: Limits,
        best: Solved | None,
        bound: int | None,
        on_change: OnChange | None,
    ) -> Solved:
        """Solve the model without the clauses that are left out, for what is better than the best and within the bound."""
        try:
            self._leave_out()
            self._ask_for_better(best, bound)
            return run(self._model, configuration, limits, on_change)
        finally:
            self._model.proto.objective.domain.clear()
            self._put_back(self._left_out.values())

    # -- the model without its order

    def _clauses(self, limits: Limits) -> list[Clause] | None:
        """Return all clauses about the order; None if there is no time to find them."""
        found: list[Clause] = []
        self._pairs = {literal.index: pair for pair, literal in self._order.items()}
        order = {variable_of(literal): frozenset(pair) for literal, pair in self._pairs.items()}
        about: set[int] = set(order)
        for place, constraint in enumerate(self._model.proto.constraints):
            if place % WithoutOrder.clauses == 0 and limits.late:
                return None
            clauses = clauses_of(constraint)
            among = {variable_of(literal) for clause in clauses for literal in clause}
            if order.keys().isdisjoint(among):
                continue
            units = frozenset(unit for variable in among if variable in order for unit in order[variable])
            text = type(constraint)()
            text.copy_from(constraint)
            found.append(Clause(place, units, text))
            about |= among
            for clause in clauses:
                of_order = [literal for literal in clause if literal in self._pairs]
                rest = [literal for literal in clause if literal not in self._pairs]
                if len(of_order) == 1:
                    self._causes.setdefault(self._pairs[of_order[0]], []).append(rest)
        self._about = about
        variables = self._model.proto.variables
        follows = about if self._loops is None else about | self._loops.follows
        self._decisions = [index for index in range(len(variables)) if index not in follows]
        self._choices = [index for index in self._decisions if list(variables[index].domain) == [0, 1]]
        return found

    def _leave_out(self) -> None:
        """Take the clauses that are to be left out from the model."""
        constraints = self._model.proto.constraints
        for place, clause in self._left_out.items():
            constraints[place].copy_from(type(clause.text)())  # one that says nothing

    def _put_back(self, clauses: Iterable[Clause]) -> None:
        constraints = self._model.proto.constraints
        for clause in clauses:
            constraints[clause.place].copy_from(clause.text)

    def _ask_for_better(self, best: Solved | None, bound: int | None) -> None:
        """Ask for what is better than the best solution, and within the bound, for the next run alone."""
        objective = self._model.proto.objective
        sign, offset = round(objective.scaling_factor), round(objective.offset)
        least = FARTHEST if best is None or best.value is None else sign * (best.value + 1) - offset
        most = -FARTHEST if bound is None else sign * bound - offset
        objective.domain.extend(sorted((least, most)))

    # -- solutions of it

    def _in_order(self, solved: Solved, limits: Limits) -> Solved | None:
        """Return a solution of the whole model with the same decisions; None if there is none, or it wasn't found soon."""
        if limits.late:
            return None
        give_hint(self._model, self._decisions, [solved.solution[index] for index in self._decisions])
        return complete_hint(self._model, limits)

    def _between(self, relaxed: Solved, best: Solved, limits: Limits) -> Solved:
        """Look for a better solution of the whole model that chooses what two others both choose, and near it.

        What a solution that nobody can play in any order has in common with one that is far from the best is often right.
        Without a better one the best is returned.
        """
        if late_for_presolve(self._model, limits) or limits.late:
            return best
        constraints = self._model.proto.constraints
        begin_with(self._model, best)
        common = [index for index in self._choices if relaxed.solution[index] == best.solution[index] == 1]
        self._model.add_bool_and([self._model.get_bool_var_from_proto_index(index) for index in common])
        found = best
        try:
            for configuration in BETWEEN:
                if limits.late or found is not best:
                    break
                solved = run(self._model, configuration, limits)
                if solved.holds is not None and solved.worth > best.worth:
                    found = replace(solved, outcome="feasible", bound=None)
                if solved.outcome in ("optimal", "infeasible"):
                    break
        finally:
            both = constraints[len(constraints) - 1]
            both.copy_from(type(both)())
        begin_with(self._model, found)
        if limits.late:
            return found
        solved = run(self._model, NEAR, limits)
        if solved.holds is None or solved.worth <= found.worth:
            return found
        return replace(solved, outcome="feasible", bound=None)

    def _begin_somewhere(self, solved: Solved) -> bool:
        """Forbid that units wait for each other as they do in a solution; return whether anything was forbidden."""
        return self._loops is not None and self._loops.forbid(solved.solution)

    def _return_order(self, solved: Solved, limits: Limits) -> bool:
        """Let the order of those come back who wait for each other in a solution, and of as many again.

        Returns whether any came back: what is left out can't be what stands in the way otherwise.
        """
        before = len(self._left_out)
        solution: Sequence[int] | None = solved.solution
        decisions = [solved.solution[index] for index in self._decisions]
        while solution is not None:
            circles = self._circles(solution, limits)
            if not circles:
                break
            for units in circles:
                self._return_of(units)
            # The same decisions, with others to rely on, may run in other circles.
            if limits.late:
                break
            give_hint(self._model, self._decisions, decisions)
            try:
                self._leave_out()
                again = complete_hint(self._model, limits)
            finally:
                self._put_back(self._left_out.values())
            solution = None if again is None else again.solution
        if len(self._left_out) < before:
            self._return_as_many_again()
        return len(self._left_out) < before

    def _circles(self, solution: Sequence[int], limits: Limits) -> list[Units]:
        """Return the units of the shortest circles in which units wait for each other in a solution; none if time is up."""
        import networkx as nx  # a tenth of a second, which searches that are done before this have no need of

        graph: nx.DiGraph = nx.DiGraph()
        for pair, causes in self._causes.items():
            if any(not any(is_true(solution, literal) for literal in rest) for rest in causes):
                graph.add_edge(*pair)
        found: set[Units] = set()
        for component in nx.strongly_connected_components(graph):
            among = graph.subgraph(component)
            for one, other in among.edges:
                if limits.late:
                    return []
                found.add(frozenset(nx.shortest_path(among, other, one)))
        return sorted(found, key=lambda units: (len(units), sorted(units)))

    def _return_of(self, units: Units) -> None:
        """Let all clauses come back that are about the order of some units alone."""
        self._seen |= units
        for place in [place for place, clause in self._left_out.items() if clause.units <= units]:
            del self._left_out[place]

    def _return_as_many_again(self) -> None:
        """Let as many groups of units come back as have, or there may be as many rounds as groups.

        First those of few units, of units that have waited already, and of many clauses.
        """
        if not self.rounds:
            return
        groups = Counter(clause.units for clause in self._left_out.values())
        ranked = sorted(groups, key=lambda units: (len(units), -len(units & self._seen), -groups[units], sorted(units)))
        wanted = set(ranked[: self._groups - len(groups)])
        self._left_out = {place: clause for place, clause in self._left_out.items() if clause.units not in wanted}


def _result(best: Solved | None, bound: int | None) -> Solved:
    if best is None:
        return Solved("unknown", None, bound)
    return replace(best, outcome="optimal" if best.value == bound else "feasible", bound=bound)


def _bounds_alone(on_change: OnChange) -> OnChange:
    """Return a function that tells of bounds alone: values of a relaxation aren't those of plans."""

    def told(_: int | None, bound: int | None) -> None:
        if bound is not None:
            on_change(None, bound)

    return told


def _least(work: float | None, much: float) -> float:
    return much if work is None else min(work, much)
