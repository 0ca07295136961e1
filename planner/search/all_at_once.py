"""All tiers at once: a glance at one sum in which each tier counts more than all that those after it may come to.

What it is for: small models, of which a run of the solver is hardly more than its beginning. The sum has the tiers as
digits, and what makes plans short (`tie_break`) as the last one where the model has all that is of use to it. Cores take
the greatest weights first, so that what they prove in time tells of the first tiers, too: digits in which value and bound
agree are proved, and the bound's next one is a bound of its tier. The rest is left to be proved tier by tier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from planner.errors import OutOfTimeError
from planner.objective import Linear
from planner.search.context import SearchContext
from planner.search.tie_break import has_shorter_ways, knows_lines, length_of
from planner.solver.coupling import Coupling
from planner.solver.cp_sat import maximize
from planner.solver.engine import Solved, run
from planner.solver.model import Model, span
from planner.solver.tuning import AllAtOnce


class Digits:
    """Sums as the digits of one, of which each counts more than all that those after it may come to.

    Parameters
    ----------
    sums : sequence of Linear
        The sums, the first first.
    coupling : Coupling
        The coupling layer that has their terms.

    Attributes
    ----------
    total : Linear
        The one sum; 0 where each of them is as little as it could be if its terms had nothing to do with each other.
    size : int
        What it always stays below.
    """

    def __init__(self, sums: Sequence[Linear], coupling: Coupling) -> None:
        self._places: list[tuple[int, int]] = []
        self.total, self.size = Linear(), 1
        for one in sums:
            least, most = span(one, coupling)
            base = most - least + 1
            self._places.append((least, base))
            self.total = Linear.sum_of([self.total.times(base), one, Linear(constant=-least)])
            self.size *= base

    def read(self, number: int) -> list[int]:
        """Return what each sum comes to where the one sum is a number; the first may exceed what it can be."""
        found = []
        for least, base in reversed(self._places[1:]):
            number, digit = divmod(number, base)
            found.append(digit + least)
        return [number + self._places[0][0], *reversed(found)]


@dataclass(frozen=True)
class Glance:
    """What a glance at all tiers found.

    Attributes
    ----------
    solved : Solved or None
        What the solver said of the one sum; None if it wasn't asked, or knows nothing.
    values : tuple of int
        What the first tiers are proved to be worth, scaled; the solution comes to that.
    bound : int or None
        What the tier after them doesn't exceed, with the best of them, scaled; None: nothing is known.
    short : bool
        Whether no plan of the model that is worth as much is shorter.
    shortest : bool
        Whether no other is, either.
    """

    solved: Solved | None = None
    values: tuple[int, ...] = ()
    bound: int | None = None
    short: bool = False
    shortest: bool = False


def look_at_all(context: SearchContext, model: Model) -> Glance:
    """Look whether cores prove all tiers at once, or the first of them; a plan is made by hand if they prove none."""
    glance = _look(context, model) if _suits(context, model) else Glance()
    if not glance.values:
        context.begin_by_hand(model)
    context.by_hand = None  # it knows the context, which only the collector would free otherwise
    return glance


def _suits(context: SearchContext, model: Model) -> bool:
    """Tell whether a model is small, and nothing but tiers and moves for sure is in it."""
    scenario = context.scenario
    more = scenario.requirements or scenario.asks_for_attacks or context.ceilings or model.coupling.chancy
    small = len(model.coupling.model.proto.variables) <= AllAtOnce.variables
    return small and context.plain and bool(scenario.tiers) and not more and context.limits.workers == 1


def _look(context: SearchContext, model: Model) -> Glance:
    coupling, tiers = model.coupling, model.tiers[: context.leading or None]
    sums = list(tiers)
    try:
        if not context.leading and has_shorter_ways(context, model):
            sums.append(length_of(context, model).times(-1))
    except OutOfTimeError:
        return Glance()
    digits = Digits(sums, coupling)
    while digits.size > AllAtOnce.largest and len(sums) > 1:
        sums.pop()
        digits = Digits(sums, coupling)
    expression = coupling.expression(digits.total)
    if isinstance(expression, int) or context.limits.late:
        return Glance()
    maximize(coupling.model, expression)
    told = context.teller(model, 0)

    def on_change(value: int | None, bound: int | None) -> None:
        told(*(None if number is None else digits.read(number)[0] for number in (value, bound)))

    how = replace(context.configuration, subsolvers=("core",), work=AllAtOnce.work)
    solved = run(coupling.model, how, context.limits, on_change)
    context.work += solved.work
    if solved.bound is None:
        return Glance()
    bounds = digits.read(solved.bound)[: len(tiers)]
    values = [] if solved.value is None else digits.read(solved.value)[: len(tiers)]
    agreed = zip(values, bounds, strict=False)
    proved = next((index for index, (value, bound) in enumerate(agreed) if value != bound), len(values))
    for index, highest in enumerate(bounds[: proved + 1]):
        context.note_bound(model, index, highest)
    for index in range(proved):  # the solver needn't have told of the last bound
        context.teller(model, index)(values[index], bounds[index])
    known = tuple(values[:proved])
    short = solved.outcome == "optimal" and len(sums) > len(tiers)
    return Glance(solved, known, next(iter(bounds[proved:]), None), short, short and knows_lines(model))
