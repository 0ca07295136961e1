"""SCIP."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import floor
from typing import Any

from pyscipopt import SCIP_EVENTTYPE, Eventhdlr, Model, quicksum

from peers.mip import Found, Row, rows_of
from peers.program import Program
from peers.task import Task


class _Watcher(Eventhdlr):
    """Tells of new values and bounds."""

    on_change: Callable[[float | None, float | None], None] = staticmethod(lambda *_: None)

    def eventinit(self) -> None:
        """Ask for new solutions and solved nodes."""
        for event in (SCIP_EVENTTYPE.BESTSOLFOUND, SCIP_EVENTTYPE.NODESOLVED):
            self.model.catchEvent(event, self)

    def eventexit(self) -> None:
        """Ask for no more."""
        for event in (SCIP_EVENTTYPE.BESTSOLFOUND, SCIP_EVENTTYPE.NODESOLVED):
            self.model.dropEvent(event, self)

    def eventexec(self, event: Any) -> None:
        """Tell."""
        value, bound = self.model.getPrimalbound(), self.model.getDualbound()
        self.on_change(None if abs(value) > 1e15 else value, None if abs(bound) > 1e15 else bound)


class WithScip:
    """A 0/1 program in SCIP."""

    def __init__(self, program: Program, task: Task) -> None:
        self._model = Model()
        self._model.hideOutput()
        self._model.setParam("randomization/randomseedshift", task.seed)
        self._columns = [self._model.addVar(vtype="B") for _ in range(program.size)]
        for row in rows_of(program):
            self.add(row)
        self._watcher = _Watcher()
        self._model.includeEventhdlr(self._watcher, "curve", "tells of values and bounds")

    def maximize(
        self,
        costs: dict[int, int],
        constant: int,
        seconds: float,
        start: Sequence[bool] | None,
        on_change: Callable[[float | None, float | None], None],
    ) -> Found:
        """Maximize a sum."""
        model = self._model
        self._watcher.on_change = on_change  # type: ignore[method-assign]
        model.setObjective(quicksum(w * self._columns[c] for c, w in costs.items()) + constant, "maximize")
        model.setParam("limits/time", max(0.01, seconds))
        if start is not None:
            solution = model.createSol()
            for column, value in zip(self._columns, start, strict=True):
                model.setSolVal(solution, column, float(value))
            model.addSol(solution)
        model.optimize()
        status = model.getStatus()
        if status == "infeasible":
            return Found("infeasible")
        values = None
        if model.getNSols():
            best = model.getBestSol()
            values = [model.getSolVal(best, column) > 0.5 for column in self._columns]
        bound = model.getDualbound()
        whole = None if abs(bound) > 1e15 else floor(bound + 1e-6)
        return Found("optimal" if status == "optimal" else "feasible" if values else "unknown", values, whole)

    def add(self, row: Row) -> None:
        """Add a row."""
        columns, weights, low, high = row
        if self._model.getStage() > 1:
            self._model.freeTransform()
        total = quicksum(weight * self._columns[column] for column, weight in zip(columns, weights, strict=True))
        if not columns:
            if low > 0 or high < 0:
                self._model.addCons(quicksum(self._columns[:1]) >= 2)
        elif low == high:
            self._model.addCons(total == low)
        elif high >= 1e30:
            self._model.addCons(total >= low)
        else:
            self._model.addCons(total <= high)
