"""HiGHS."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import highspy
import numpy as np

from peers.mip import Found, Row, rows_of
from peers.program import Program
from peers.task import Task


class WithHighs:
    """A 0/1 program in HiGHS."""

    def __init__(self, program: Program, task: Task) -> None:
        self._size = program.size
        rows = rows_of(program)
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = program.size, len(rows)
        model.col_cost_ = np.zeros(program.size)
        model.col_lower_, model.col_upper_ = np.zeros(program.size), np.ones(program.size)
        model.integrality_ = [highspy.HighsVarType.kInteger] * program.size
        model.row_lower_ = np.array([self._far(low) for _, _, low, _ in rows], dtype=float)
        model.row_upper_ = np.array([self._far(high) for _, _, _, high in rows], dtype=float)
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = np.cumsum([0, *(len(columns) for columns, _, _, _ in rows)])
        model.a_matrix_.index_ = np.array([c for columns, _, _, _ in rows for c in columns], dtype=np.int32)
        model.a_matrix_.value_ = np.array([w for _, weights, _, _ in rows for w in weights], dtype=float)
        self._highs = highspy.Highs()
        self._highs.setOptionValue("output_flag", False)
        self._highs.setOptionValue("random_seed", task.seed)
        self._highs.setOptionValue("mip_rel_gap", 0.0)
        self._highs.setOptionValue("mip_abs_gap", 0.999999)
        self._highs.passModel(model)
        self._on_change: Callable[[float | None, float | None], None] = lambda *_: None
        self._highs.cbMipLogging.subscribe(self._tell)
        self._highs.cbMipImprovingSolution.subscribe(self._tell)
        self._told = 0.0

    @staticmethod
    def _far(value: float) -> float:
        return highspy.kHighsInf if value >= 1e30 else -highspy.kHighsInf if value <= -1e30 else value

    def _tell(self, event: Any) -> None:
        value, bound = event.data_out.mip_primal_bound, event.data_out.mip_dual_bound
        self._on_change(None if abs(value) > 1e15 else value, bound)

    def maximize(
        self,
        costs: dict[int, int],
        constant: int,
        seconds: float,
        start: Sequence[bool] | None,
        on_change: Callable[[float | None, float | None], None],
    ) -> Found:
        """Maximize a sum."""
        self._on_change = on_change
        dense = np.zeros(self._size)
        for column, weight in costs.items():
            dense[column] = weight
        self._highs.changeColsCost(self._size, np.arange(self._size, dtype=np.int32), dense)
        self._highs.changeObjectiveSense(highspy.ObjSense.kMaximize)
        self._highs.changeObjectiveOffset(float(constant))
        self._highs.setOptionValue("time_limit", self._highs.getRunTime() + max(0.01, seconds))
        if start is not None:
            solution = highspy.HighsSolution()
            solution.col_value = [float(value) for value in start]
            self._highs.setSolution(solution)
        self._highs.run()
        status, info = self._highs.getModelStatus(), self._highs.getInfo()
        if status == highspy.HighsModelStatus.kInfeasible:
            return Found("infeasible")
        values = None
        if info.primal_solution_status == 2:
            values = [value > 0.5 for value in self._highs.getSolution().col_value]
        bound = None if abs(info.mip_dual_bound) > 1e15 else int(info.mip_dual_bound + 1e-6)
        if status == highspy.HighsModelStatus.kOptimal:
            return Found("optimal", values, bound)
        return Found("feasible" if values else "unknown", values, bound)

    def add(self, row: Row) -> None:
        """Add a row."""
        columns, weights, low, high = row
        self._highs.addRow(
            self._far(low),
            self._far(high),
            len(columns),
            np.array(columns, dtype=np.int32),
            np.array(weights, dtype=float),
        )
