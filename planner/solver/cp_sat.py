"""CP-SAT's Python interface, loaded when it is first needed, and without pandas.

A search lists what the units can do and makes a first plan before it builds its model; loading numpy and ortools takes
longer than either on small boards, and must not keep a player waiting for them.

`ortools.sat.python.cp_model` imports pandas for variables in series, which nothing here uses; pandas alone takes longer
to load than all else that a search needs, and a search of a few units is done before it would be there. While the
module is loaded, a stand-in takes pandas' place. It stays behind as the module's ``pd``: whoever has loaded pandas for
purposes of their own, before or after, gets the real one, series of variables included.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from planner.limits import Limits
from planner.solver.tuning import SolverRun

__all__ = [
    "BoolVar",
    "Expression",
    "Holds",
    "Literal",
    "add_sum",
    "bounded",
    "check_time_to_load",
    "cp_model",
    "maximize",
    "new_literal",
    "new_literals",
    "new_model",
]


class _PandasOnDemand(ModuleType):
    """Stands in for pandas until somebody has loaded it, or wants more of it than its types."""

    class Index:
        """Nothing is one as long as pandas hasn't been loaded."""

    class Series:
        """Nothing is one as long as pandas hasn't been loaded."""

    def __getattribute__(self, name: str) -> Any:
        real = sys.modules.get("pandas")
        if real is not None and real is not self and not name.startswith("__"):
            return getattr(real, name)
        return super().__getattribute__(name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if sys.modules.get("pandas") is self:
            raise ImportError(f"pandas.{name} is wanted while ortools is being loaded")
        return getattr(importlib.import_module("pandas"), name)


def load() -> Any:
    """Load CP-SAT's interface; with pandas if it is there already, or if it turns out to be wanted."""
    name = "ortools.sat.python.cp_model"
    if name in sys.modules or "pandas" in sys.modules:
        return importlib.import_module(name)
    stand_in = _PandasOnDemand("pandas")
    sys.modules["pandas"] = stand_in
    try:
        return importlib.import_module(name)
    except Exception:
        sys.modules.pop(name, None)
    finally:
        if sys.modules.get("pandas") is stand_in:
            del sys.modules["pandas"]
    return importlib.import_module(name)


def check_time_to_load(limits: Limits) -> None:
    """Raise `OutOfTimeError` if the interface isn't loaded, and there is no time for that, which nothing ends early."""
    if "ortools.sat.python.cp_model" not in sys.modules:
        limits.but(SolverRun.loading).check("before the solver was loaded")


class _OnDemand:
    """Stands for CP-SAT's interface, and loads it when something of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(load(), name)
        setattr(self, name, found)
        return found


if TYPE_CHECKING:
    from ortools.sat.python import cp_model
    from ortools.sat.python.cp_model_helper import IntegerVariableProto
else:
    cp_model = _OnDemand()

BoolVar: TypeAlias = "cp_model.BoolVarT"
"""A 0/1 variable or its negation."""

Literal: TypeAlias = "BoolVar | bool"
"""A 0/1 variable, its negation, or a plain truth value."""

Expression: TypeAlias = "cp_model.LinearExpr | int"
"""A sum of variables, or a plain number."""

Holds: TypeAlias = "Callable[[Literal], bool]"
"""Tells of a literal whether it holds in a solution."""


def new_model(like: cp_model.CpModel | None = None) -> cp_model.CpModel:
    """Return a model whose memory is free as soon as nobody uses it.

    Every model of OR-Tools 9.15 carries the method names of older versions, bound to itself: with them it would wait for
    the collector, with all of its constraints, of which the collector sees nothing.

    Parameters
    ----------
    like : CpModel, optional
        Whose constraints it has from the beginning; absent: none.
    """
    model = cp_model.CpModel() if like is None else like.clone()
    own = vars(model)
    for name in [name for name, value in own.items() if not name.startswith("_") and callable(value)]:
        del own[name]
    return model


def new_literal(model: cp_model.CpModel) -> cp_model.IntVar:
    """Add a 0/1 variable to a model, as ``model.new_bool_var`` does; that gives it a name, and takes twice as long."""
    return cp_model.IntVar(model.model_proto).with_domain(_truth_values())


def new_literals(model: cp_model.CpModel, number: int) -> list[BoolVar]:
    """Add so many 0/1 variables to a model at once, which takes little more than half as long as one by one."""
    proto = model.model_proto
    first = len(proto.variables)
    proto.variables.extend([_truth_value()] * number)
    return [cp_model.IntVar(proto, index) for index in range(first, first + number)]


@cache
def _truth_value() -> IntegerVariableProto:
    from ortools.sat.python.cp_model_helper import IntegerVariableProto

    variable = IntegerVariableProto()
    variable.domain.extend([0, 1])
    return variable


@cache
def _truth_values() -> cp_model.Domain:
    return cp_model.Domain(0, 1)


def add_sum(
    model: cp_model.CpModel,
    terms: Sequence[tuple[int, BoolVar]],
    least: int | None,
    most: int | None,
    only_if: BoolVar | None = None,
) -> int:
    """Keep a sum of weighted literals within bounds, as ``model.add`` does; its expressions take three times as long.

    Parameters
    ----------
    model : CpModel
        The model.
    terms : sequence of (int, literal) pairs
        What is added up; a literal may come up several times.
    least, most : int or None
        The bounds; None: there is none.
    only_if : literal, optional
        The bounds are kept where it holds; absent: always.

    Returns
    -------
    int
        Which constraint of the model that is.
    """
    weights: dict[int, int] = {}
    constant = 0
    for weight, literal in terms:
        index = literal.index
        if index < 0:  # the negation of a variable is 1 less the variable
            index, weight, constant = ~index, -weight, constant + weight
        weights[index] = weights.get(index, 0) + weight
    constraints = model.proto.constraints
    added = constraints.add()
    linear = added.linear
    linear.vars.extend(list(weights))
    linear.coeffs.extend(list(weights.values()))
    lowest = cp_model.INT_MIN if least is None else least - constant
    linear.domain.extend([lowest, cp_model.INT_MAX if most is None else most - constant])
    if only_if is not None:
        added.enforcement_literal.append(only_if.index)
    return len(constraints) - 1


def maximize(model: cp_model.CpModel, expression: cp_model.LinearExpr) -> None:
    """Make a sum the objective of a model, as ``model.maximize`` does number by number, which takes six times as long."""
    from ortools.sat.python.cp_model_helper import FlatIntExpr

    model.clear_objective()  # type: ignore[no-untyped-call]
    flat, objective = FlatIntExpr(expression), model.proto.objective
    objective.vars.extend([variable.index for variable in flat.vars])
    objective.coeffs.extend([-weight for weight in flat.coeffs])
    objective.scaling_factor, objective.offset = -1.0, -flat.offset


@contextmanager
def bounded(model: cp_model.CpModel, bound: int | None) -> Iterator[None]:
    """Let a model know for a while what its objective, made by `maximize`, doesn't exceed; None: nothing is known."""
    if bound is None or not model.has_objective():
        yield
        return
    objective = model.proto.objective
    objective.domain.extend([-bound - round(objective.offset), 2**62])  # of the sum that is minimized
    try:
        yield
    finally:
        objective.domain.clear()
