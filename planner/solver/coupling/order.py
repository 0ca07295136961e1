"""The order of the moves: who must be put in order, what comes first, and who moves together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from planner.rules.atoms import Early, Foremost, Otherwise
from planner.solver.coupling.variables import Variables
from planner.solver.cp_sat import Literal


def everybody(model: Variables, unit: str, atom: Foremost) -> Iterable[str]:
    """Yield who could move before a unit that must be among the first: everybody."""
    return model.others(unit)


def foremost_in_time(model: Variables, unit: str, atom: Foremost, literal: Literal) -> None:
    """Ensures that whoever moves before the unit goes by the same way alone; if none is named, that its move isn't over."""
    begun = model.game.begun
    in_hand = begun.position.in_hand if begun is not None and not atom.way else frozenset[str]()
    for other in model.others(unit):
        variables = model.units[other]
        by_it, otherwise = variables.foremost.get(atom.way, False), variables.needs.get(Otherwise(atom.way), False)
        if other not in in_hand:
            model.add_or([model.negate(literal), model.negate(variables.moves), by_it, model.before(unit, other)])
        model.add_or([model.negate(literal), model.negate(otherwise), model.before(unit, other)])


def column(model: Variables, unit: str, atom: Early) -> Iterator[str]:
    """Yield who else may enter the hex, unless it has done so before what is asked."""
    if atom.most is not None:
        yield from (other for other in model.others(unit) if _entering(model, other, atom))


def nobody(model: Variables, unit: str, atom: Otherwise) -> Iterable[str]:
    """Return that nobody must be put in order with a unit on account of what holds anyway."""
    return ()


def nothing_asked(model: Variables, unit: str, atom: Otherwise, literal: Literal) -> None:
    """Ensure nothing: it holds."""


def early_in_time(model: Variables, unit: str, atom: Early, literal: Literal) -> None:
    """Ensures that at most so many others have entered the hex before the unit."""
    if atom.most is None:
        return
    ahead: list[tuple[int, Literal]] = []
    for other in model.others(unit):
        for entering in _entering(model, other, atom):
            first = model.new_literal()
            model.add_or([first, model.negate(entering), model.before(unit, other)])
            ahead.append((1, first))
    model.stay_within(atom.most - model.game.entered_before(atom.hex, atom.rule, unit), ahead, literal)


def _entering(model: Variables, unit: str, atom: Early) -> list[Literal]:
    """Return when a unit enters a hex by a step of which a rule takes note; nothing if it counts there already."""
    begun = model.game.begun
    if begun is not None and (atom.rule, atom.hex, unit) in begun.position.entered:
        return []
    entry = Early(atom.hex, atom.rule)
    return [literal for need, literal in model.units[unit].needs.items() if need == entry]


def partners_of_teams(model: Variables, pairs: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return the pairs of those who may move together, and of each of them with whoever matters to one of them."""
    partners: dict[str, set[str]] = {}
    for one, other in pairs:
        partners.setdefault(one, set()).add(other)
        partners.setdefault(other, set()).add(one)
    found = set()
    for units in dict.fromkeys(team.units for team, _ in model.teams if len(team.units) > 1):
        others = set().union(*(partners.get(unit, set()) for unit in units))
        for unit in units:
            found |= {(unit, other) for other in {*others, *units} - {unit}}
    return found


def teams_at_one_moment(model: Variables) -> None:
    """Ensures that those who move together do so one right after the other, as far as anybody can tell."""
    assert model.order is not None
    moving: dict[tuple[str, ...], list[Literal]] = {}
    for team, literal in model.teams:
        if len(team.units) > 1:
            moving.setdefault(team.units, []).append(literal)
    before = model.order.pairs()
    for units, literals in moving.items():
        apart = model.negate(model.any_of(literals))
        first = units[0]
        for unit in units[1:]:
            model.add_or([apart, before[first, unit]])
            for other in sorted({one for one, two in before if two == unit} - set(units)):
                if (first, other) in before:
                    model.add_or([apart, model.negate(before[first, other]), before[unit, other]])
                    model.add_or([apart, model.negate(before[unit, other]), before[first, other]])
