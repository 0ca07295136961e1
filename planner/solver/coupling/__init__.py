"""The coupling layer: what the units' moves have to do with each other.

A unit layer hands over, for each unit that can move, where it ends, whom it eliminates, what it spends and what it needs
of the others. `Coupling.post_rules` is the table of contents of what is ensured then; each family of constraints has a
file of its own.
"""

from planner.solver.coupling.clauses import DemandBreach
from planner.solver.coupling.coupling import Coupling
from planner.solver.coupling.variables import GivenOrder, UnitVariables

__all__ = ["Coupling", "DemandBreach", "GivenOrder", "UnitVariables"]
