"""Peers: other ways to plan the same scenario, each run as a process of its own that begins with the scenario file."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

ONE_BY_ONE = ("dense", "sparse", "legs", "islands", "crowded", "shipped")
"""The families in which units move by themselves, nothing is rolled and nobody waits."""

PATHS = tuple(family for family in ONE_BY_ONE if family != "crowded")
"""The families for which there is an explicit path layer."""

FRONTS = ("dense", "sparse")
"""The families in which friends present and enemies gone are all that matters."""

EVERY = (*ONE_BY_ONE, "stacks", "joint")
"""The families of moves alone."""

WITH_ATTACKS = (*EVERY, "goals")
"""All families, those in which attacks are declared after the moves, too."""


@dataclass(frozen=True)
class Peer:
    """One way to plan.

    Attributes
    ----------
    module, function : str
        What runs it; the function gets a `Task`.
    what : str
        What it is, for the report.
    families : tuple of str
        The families whose rules it can express.
    needs : tuple of str
        The Python modules that must be installed.
    variants : tuple of str
        Ways to run it, of which the best counts.
    proves : bool
        Whether it can prove a plan best.
    workers : int or None
        How many workers it gets, whatever others get.
    compiled : bool
        Whether it is a planner whose label search is compiled.
    """

    module: str
    function: str
    what: str
    families: tuple[str, ...] = ONE_BY_ONE
    needs: tuple[str, ...] = ()
    variants: tuple[str, ...] = ("",)
    proves: bool = True
    workers: int | None = None
    compiled: bool = False

    def missing(self) -> list[str]:
        """Return the modules that aren't installed."""
        return [name for name in self.needs if find_spec(name) is None]


PEERS: dict[str, Peer] = {
    "planner": Peer("peers.itself", "run", "planner suggest", WITH_ATTACKS),
    "planner-2": Peer("peers.itself", "run", "planner suggest, two workers", WITH_ATTACKS, workers=2),
    "compiled": Peer("peers.itself", "run", "planner suggest, its label search compiled", WITH_ATTACKS, compiled=True),
    "compiled-2": Peer(
        "peers.itself",
        "run",
        "planner suggest, its label search compiled, two workers",
        WITH_ATTACKS,
        workers=2,
        compiled=True,
    ),
    "paths": Peer("peers.paths", "run", "CP-SAT's defaults on the explicit path layer", PATHS),
    "greedy": Peer("peers.by_hand", "greedy", "one unit after another, each the best move for it", EVERY, proves=False),
    "local": Peer("peers.by_hand", "local", "random-restart local search", EVERY, proves=False),
    "clingo": Peer(
        "peers.asp",
        "run",
        "clingo on the options",
        needs=("clingo",),
        variants=("usc", "bb", "crafty"),
    ),
    "clingo-paths": Peer(
        "peers.asp_paths",
        "run",
        "clingo on paths",
        FRONTS,
        needs=("clingo",),
        variants=("usc", "bb", "crafty"),
    ),
    "highs": Peer("peers.mip", "highs", "HiGHS on the options", needs=("highspy",)),
    "scip": Peer("peers.mip", "scip", "SCIP on the options", needs=("pyscipopt",)),
    "fd-optimal": Peer(
        "peers.pddl",
        "optimal",
        "Fast Downward on the options, A* with LM-cut; stacking is looked at afterwards",
        FRONTS,
        needs=("up_fast_downward",),
    ),
    "fd-first": Peer(
        "peers.pddl",
        "first",
        "Fast Downward on the options, its first plan (lazy greedy, FF)",
        FRONTS,
        needs=("up_fast_downward",),
        proves=False,
    ),
}
"""Every peer by its name."""

OURS = ("planner", "planner-2", "compiled", "compiled-2")
"""The planner itself, which all others are compared with."""
