"""What the objective asks for, hex by hex."""

from __future__ import annotations

from collections.abc import Iterator

from planner.objective import Term
from planner.scenario import Scenario


def wanted(scenario: Scenario) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return what is asked of places, and of enemies: by label, and by unit, each in words with its tier.

    What a term asks of units in general, such as few MP, is no affair of a map.
    """
    places: dict[str, list[str]] = {}
    enemies: dict[str, list[str]] = {}
    game = scenario.game
    terms = [(f"tier {number}", term) for number, tier in enumerate(scenario.tiers, 1) for term in tier.terms]
    for called, term in [*terms, *(("required", term) for term in scenario.requirements)]:
        worth = f" ({called}{f', weight {term.weight}' if term.weight > 1 else ''})"
        for name in dict.fromkeys(_named(term)):
            if name in game.board:
                places.setdefault(name, []).append(_of_one(term.kind, name, term.describe()) + worth)
            elif name in game.units and name not in game.friends:
                enemies.setdefault(name, []).append(_of_one(term.kind, name, term.describe()) + worth)
    return places, enemies


def _named(term: Term) -> Iterator[str]:
    """Yield the places and units that a term asks for by name; of what counts against a plan, the places to be near to."""
    if term.sign > 0 and term.kind != "avoid":
        yield from term.depends_on() or ()
    for key in () if term.kind == "avoid" else ("to",) if term.sign < 0 else ("hexes", "at", "targets", "target"):
        names = getattr(term, key, None) or ()
        yield from (names,) if isinstance(names, str) else names
    for goal in getattr(term, "goals", ()):
        yield from _named(goal)


def _of_one(kind: str, name: str, every: str) -> str:
    """Return what a term asks of one of the places or units that it names."""
    return f"{kind} {name}" if kind in ("hold", "eliminate") else every
