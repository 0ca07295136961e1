"""Where a search of the solver begins: what units do in a plan that is known already.

A hint is no constraint: whatever it says, what is proved is true of all plans.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from planner.reachability.possibility import Possibility
from planner.reachability.team_possibility import TeamPossibility
from planner.solver.cp_sat import Literal
from planner.solver.engine import Solved, give_hint, variable_of
from planner.solver.model import Model
from planner.solver.possibility_layer import Options


def hint_nobody_moves(model: Model) -> None:
    """Begin with the plan in which nobody moves: where it is legal, there is a best so far from the start."""
    _hint(model, ((variables.moves, False) for variables in model.coupling.units.values()))


def hint_moves(model: Model, chosen: Mapping[str, Possibility]) -> None:
    """Begin with moves of units by themselves, one after the other; nobody else moves.

    Parameters
    ----------
    model : Model
        In the fast form.
    chosen : mapping from units to possibilities
        What each unit that moves does, in the order of their moves; of what the model doesn't have, nothing is said.
    """
    place = {unit: number for number, unit in enumerate(chosen)}
    order = model.coupling.order
    pairs = order.pairs().items() if order is not None else ()
    _hint(
        model,
        [
            *_options(model, chosen),
            *((literal, place[a] < place[b]) for (a, b), literal in pairs if a < b and a in place and b in place),
        ],
    )


def hint_solution(model: Model, chosen: Mapping[str, Possibility], other: Model, solved: Solved) -> None:
    """Begin with what units do, and the order in which they do it, in a solution of another model."""
    assert isinstance(other.layer, Options)
    assert solved.holds is not None
    together = [team for team, literal in other.layer.teams if solved.holds(literal)]
    mine, its = model.coupling.order, other.coupling.order
    known = its.pairs() if its is not None else {}
    pairs = mine.pairs().items() if mine is not None else ()
    _hint(
        model,
        [
            *_options(model, chosen, together),
            *((literal, solved.holds(known[a, b])) for (a, b), literal in pairs if a < b and (a, b) in known),
        ],
    )


def _options(
    model: Model, chosen: Mapping[str, Possibility], together: Collection[TeamPossibility] = ()
) -> Iterator[tuple[Literal, bool]]:
    """Yield who does what, alone and together, and nothing else."""
    assert isinstance(model.layer, Options)
    known = {
        unit for unit, options in model.layer.chosen.items() for option, _ in options if option is chosen.get(unit)
    }
    for unit, options in model.layer.chosen.items():
        if unit in known or unit not in chosen:  # nothing is said of who does what the model doesn't have
            done = chosen.get(unit)
            # Moves don't say which zone is crossed; others may need the carriers of the one that was listed first.
            several = sum(_is_same_passage(option, done) for option, _ in options) > 1
            for option, literal in options:
                if not (several and _is_same_passage(option, done)):
                    yield literal, option is done
    yield from ((literal, team in together) for team, literal in model.layer.teams)
    for unit, variables in model.coupling.units.items():
        if unit in known or unit not in chosen:
            yield variables.moves, unit in known or any(unit in team.units for team in together)


def _is_same_passage(one: Possibility, other: Possibility | None) -> bool:
    """Tell whether units are carried by the same way, if across other zones."""
    return (
        other is not None
        and bool(one.carried)
        and (one.path, one.overruns, one.mp) == (other.path, other.overruns, other.mp)
    )


def _hint(model: Model, literals: Iterable[tuple[Literal, bool]]) -> None:
    """Hint that literals hold, or don't; nothing else is hinted any more. The solver wants each variable once."""
    values: dict[int, int] = {}
    for literal, value in literals:
        if not isinstance(literal, bool):
            index = literal.index
            values[variable_of(index)] = value == (index >= 0)
    give_hint(model.coupling.model, values.keys(), values.values())
