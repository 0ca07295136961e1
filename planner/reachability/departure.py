"""How a unit sets out: at the beginning of the phase, or having got somewhere in it already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from planner.rules.atoms import NEVER, Carried, Friend, when
from planner.rules.demands import ANYBODY, Before, Demand, lifting_group
from planner.rules.game import Game
from planner.world.position import Leg, Stop


@dataclass(frozen=True)
class Departure:
    """How a unit sets out.

    Attributes
    ----------
    spent : int
        MP spent, scaled.
    steps : int
        How many steps it has made.
    before : Before
        What its last step was.
    pending : tuple of Demand
        What moving on needs.
    needs : frozenset of Carried
        Carriers of the steps that it has made, as long as it isn't settled which they were.
    """

    spent: int = 0
    steps: int = 0
    before: Before = None
    pending: tuple[Demand, ...] = ()
    needs: frozenset[Carried] = frozenset()


AT_FIRST = (Departure(),)


def departures(game: Game, unit: str, scale: int, looks_back: bool) -> tuple[Departure, ...]:
    """Return how a unit may set out: more than one where it isn't settled across which zones it has been carried.

    Parameters
    ----------
    game : Game
        The game, whose phase may be in progress.
    unit : str
        The unit.
    scale : int
        By which MP are multiplied.
    looks_back : bool
        Whether a step may have to know what was before it.
    """
    begun = game.begun
    if begun is None or unit not in begun.position.under_way:
        return AT_FIRST
    progress = begun.position.under_way[unit]
    # Whoever would lift a stop by staying, and has been eliminated since, hasn't left.
    stops = [(number, stop) for number, stop in enumerate(progress.stops) if stop.lifted_by <= game.homes.keys()]
    pending = tuple(demand for number, stop in stops for demand in _onward(unit, number, stop))
    way = game.rulebook.way(progress.way)
    spent = int(progress.spent * scale)
    legs = [leg for leg in begun.position.legs if leg.unit == unit]
    last = legs[-1].step if legs else 0
    found = []
    for chain in chains(legs):
        needs = frozenset(passage.on_leg(leg.step - last) for passage, leg in zip(chain, legs, strict=True))
        befores: Iterable[Before] = (None,)
        if way is not None and looks_back:
            zones = (chain[-1].zone,) if legs and way.carries else progress.zones or ("",)
            befores = [(way.procedure, zone) for zone in zones]
        found += [Departure(spent, progress.steps, before, pending, needs) for before in befores]
    return tuple(found)


def _onward(unit: str, number: int, stop: Stop) -> Iterator[Demand]:
    """Yield what moving on needs on account of a stop."""
    any_of = (
        when(Friend(stop.lifted_in or stop.at, lifting_group(unit, number), stop.stays)) if stop.lifted_by else NEVER
    )
    if stop.any_overrun_lifts or not stop.enemies:
        lifts = ANYBODY if stop.any_overrun_lifts else None
        blames: tuple[tuple[tuple[str, ...], str | None], ...] = ((stop.enemies, lifts),)
    else:
        blames = tuple(((enemy,), enemy if stop.overrun_lifts else None) for enemy in stop.enemies)
    for blame, lifts in blames:
        yield Demand(stop.paragraph, any_of, blame, True, lifts, stop.at, cause=stop.reason)


def chains(legs: list[Leg]) -> Iterator[tuple[Carried, ...]]:
    """Yield across which zones, and by which markers, a unit's legs may have gone: linked ones across another each."""
    choices = [[Carried(zone, tuple(markers)) for zone, markers in leg.carriers if markers] for leg in legs]
    for chain in product(*choices):
        if all(
            not leg.linked or before.zone != passage.zone
            for leg, before, passage in zip(legs[1:], chain, chain[1:], strict=False)
        ):
            yield chain
