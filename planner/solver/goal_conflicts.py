"""Bounds from goals that can't be had together, which stay with the model.

An objective may count goals, each of which is had or not. All of them are asked for at once; if they can't be had, the
solver names some that can't be had together: a core. At least one goal of each core must be done without; the cheapest set
of such is left out, the others are asked for, and so on. The first time that they can be had, the solution is a best one
(implicit hitting sets: Davies and Bacchus, "Solving MAXSAT by solving a sequence of simpler SAT instances", 2011).

What the cores say becomes part of the model. In the tiers that follow, the goals must come to as much as before; a linear
relaxation that doesn't know which exclude each other has each of them in part, and bounds next to nothing.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

from planner.limits import Limits
from planner.solver.cp_sat import cp_model
from planner.solver.engine import Configuration, OnChange, Solved, is_true, late_for_presolve, least, run
from planner.solver.tuning import GoalConflicts

Core = tuple[int, ...]
"""Goals that can't be had together, by the indices of their literals."""


class Goals:
    """The goals that an objective counts.

    Parameters
    ----------
    model : CpModel
        The model. Constraints are added to it that hold in all of its solutions; its objective and hint stay.

    Attributes
    ----------
    worth : dict from int to int
        What each goal counts, by the index of its literal; empty if the objective doesn't count goals, or too many.
    cores : list of Core
        Which of them can't be had together, as far as that is known.
    """

    def __init__(self, model: cp_model.CpModel) -> None:
        self._model = model
        self._objective = type(model.proto.objective)()
        self._objective.copy_from(model.proto.objective)
        self.cores: list[Core] = []
        self.worth = self._counted()
        self._choice = cp_model.CpModel()
        self._missed = {goal: self._choice.new_bool_var(f"{goal}") for goal in self.worth}
        self._choice.minimize(sum(self.worth[goal] * missed for goal, missed in self._missed.items()))

    def _counted(self) -> dict[int, int]:
        objective, variables = self._objective, self._model.proto.variables
        if not 0 < len(objective.vars) <= GoalConflicts.most_goals:
            return {}
        if any(list(variables[index].domain) != [0, 1] for index in objective.vars):
            return {}
        # The solver minimizes, see `cp_sat.maximize`: what is worth something has a negative weight.
        weights = zip(objective.vars, objective.coeffs, strict=True)
        return {index if weight < 0 else -1 - index: abs(weight) for index, weight in weights if weight}

    def improve(
        self,
        configuration: Configuration,
        limits: Limits,
        best: Solved | None = None,
        bound: int | None = None,
        on_change: OnChange | None = None,
    ) -> Solved:
        """Look for the best solution, from the side of the bound.

        Parameters
        ----------
        configuration : Configuration
            How goals are asked for; its work is that of all questions together.
        limits : Limits
            When to end.
        best : Solved, optional
            The best solution so far.
        bound : int, optional
            What no solution exceeds.
        on_change : callable, optional
            Gets (value, bound).

        Returns
        -------
        Solved
            A best solution, or the best so far with the bound. Without one: infeasible, if that is proved, or unknown.
        """
        work = inf if configuration.work is None else configuration.work
        spent = 0.0
        choosing = Configuration(seed=configuration.seed, subsolvers=(), presolve=True)
        while self.worth and spent < work and not limits.late and not late_for_presolve(self._model, limits):
            # Where units can have any few of many goals there are millions of cores, each found for no work to speak of.
            if len(self.cores) >= GoalConflicts.most_cores:
                break
            cheapest = run(self._choice, replace(choosing, work=work - spent), limits)
            if cheapest.holds is None or cheapest.outcome != "optimal":
                break
            bound = least(bound, self._value(-sum(self.worth.values()) + cheapest.worth))
            if on_change is not None:
                on_change(None if best is None else best.value, bound)
            if best is not None and best.value == bound:
                break
            wanted = [goal for goal, missed in self._missed.items() if not cheapest.holds(missed)]
            asked = self._ask(wanted, replace(configuration, work=min(work - spent, GoalConflicts.question)), limits)
            spent += cheapest.work + asked.work
            if asked.holds is not None:
                value = self._value(self._weighed(asked))
                best = replace(asked, value=value)
            elif asked.outcome != "infeasible":
                break
            elif not asked.core:
                return Solved("infeasible", work=spent)
            else:
                smaller = min(GoalConflicts.smaller, max(0.0, work - spent))
                spent += self._learn(asked.core, replace(configuration, work=smaller), limits)
        if best is None or best.value is None:
            return Solved("unknown", None, bound, work=spent)
        return replace(best, outcome="optimal" if best.value == bound else "feasible", bound=bound, work=spent)

    def _learn(self, core: Core, configuration: Configuration, limits: Limits) -> float:
        """Add to the model that goals can't be had together, or fewer of them that can't; return the work on that."""
        spent = 0.0
        while len(core) > GoalConflicts.small and not limits.late:
            asked = self._ask(core, configuration, limits)
            spent += asked.work
            if asked.outcome != "infeasible" or len(asked.core) >= len(core):
                break
            core = asked.core
        self.cores.append(core)
        self._model.add_bool_or([~self._literal(goal) for goal in core])
        self._choice.add_bool_or([self._missed[goal] for goal in core])
        return spent

    def _ask(self, wanted: Core | list[int], configuration: Configuration, limits: Limits) -> Solved:
        """Look for a solution in which goals are had; if there is none, its core is of them."""
        model = self._model
        try:
            model.clear_objective()  # type: ignore[no-untyped-call]
            model.add_assumptions([self._literal(goal) for goal in wanted])
            # After presolve cores are wrong at times: of variables that it has put others in place of (ortools 9.15).
            return run(model, replace(configuration, presolve=False), limits)
        finally:
            model.clear_assumptions()
            model.proto.objective.copy_from(self._objective)

    def _literal(self, goal: int) -> cp_model.LiteralT:
        if goal >= 0:
            return self._model.get_bool_var_from_proto_index(goal)
        return ~self._model.get_bool_var_from_proto_index(-1 - goal)

    def _weighed(self, solved: Solved) -> int:
        """Return what the weights of a solution come to, which the solver minimizes."""
        return -sum(worth for goal, worth in self.worth.items() if is_true(solved.solution, goal))

    def _value(self, weighed: int) -> int:
        """Return the value of what the goals' worth comes to, negative as the solver has it."""
        objective = self._objective
        # A goal that is the negation of a variable is had where its weight isn't.
        negated = sum(worth for goal, worth in self.worth.items() if goal < 0)
        return round(objective.scaling_factor) * (weighed + negated + round(objective.offset))
