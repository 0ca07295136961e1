"""What no objective changes of a model, kept for the next question about the same position.

Who does what, in which order, and how many may stand where: as long as units have the same possibilities, another objective
is about the same literals and clauses. They are kept as they are before anything is asked of them, and copied for each
question, whose model is the same to the byte as if it had been written anew. Of solutions nothing is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from planner.reachability.possibility import Possibility
from planner.rules.demands import Tick, no_tick
from planner.rules.game import Game
from planner.scenario.memory import Memory
from planner.solver.coupling import Coupling
from planner.solver.possibility_layer import Options

MOST_OBJECTS = 60_000
"""How many variables and constraints may be kept of one model: some 30 MB."""


@dataclass(frozen=True, eq=False)
class KeptCoupling:
    """A coupling layer of units that move by themselves, with all rules posted, and nothing of an objective.

    Attributes
    ----------
    coupling : Coupling
        The layer.
    options : Options
        The possibilities in it.
    """

    coupling: Coupling
    options: Options

    @property
    def size(self) -> int:
        """How many variables and constraints it has."""
        proto = self.coupling.model.proto
        return len(proto.variables) + len(proto.constraints)

    def is_of(self, game: Game, scale: int, possibilities: Mapping[str, Sequence[Possibility]]) -> bool:
        """Tell whether it is of a position and a scale, and of these very possibilities in their order."""
        chosen = self.options.chosen
        return (
            self.coupling.game is game
            and self.coupling.mp_scale == scale
            and list(chosen) == [unit for unit, some in possibilities.items() if some]
            and all(
                len(own) == len(possibilities[unit])
                and all(one is other for (one, _), other in zip(own, possibilities[unit], strict=True))
                for unit, own in chosen.items()
            )
        )

    def copied(self, tick: Tick) -> tuple[Coupling, Options]:
        """Return the same to be gone on with; `tick` is called now and then meanwhile."""
        coupling = self.coupling.copied(tick)
        return coupling, self.options.copied(coupling)


def couple_alone(
    game: Game, scale: int, possibilities: Mapping[str, Sequence[Possibility]], memory: Memory, tick: Tick
) -> tuple[Coupling, Options]:
    """Return a coupling layer of units that move by themselves, with all rules posted: as it is kept, or a new one.

    Parameters
    ----------
    game : Game
        The position.
    scale : int
        By which MP are multiplied.
    possibilities : mapping from units to possibilities
        What they can do.
    memory : Memory
        What is kept of the position.
    tick : callable
        Called now and then; raises when the time is up.
    """
    known = (one for one in memory.of(KeptCoupling) if one.is_of(game, scale, possibilities))
    if (kept := next(known, None)) is None:
        coupling = Coupling(game, scale, tick=tick)
        options = Options(coupling, possibilities)
        coupling.post_rules()
        kept = KeptCoupling(coupling, options)
        if kept.size > MOST_OBJECTS:
            return coupling, options
        coupling.tick = no_tick  # the search that has written it ends some time
    memory.keep(kept)
    return kept.copied(tick)
