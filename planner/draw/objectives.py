"""What the objective asks for, hex by hex."""

from __future__ import annotations

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
        if term.sign < 0:
            continue
        named = list(term.depends_on() or ())
        target = getattr(term, "target", None)
        if target is not None:
            named.append(target)
        worth = f" ({called}{f', weight {term.weight}' if term.weight > 1 else ''})"
        for name in dict.fromkeys(named):
            if name in game.board:
                places.setdefault(name, []).append(_of_one(term.kind, name, term.describe()) + worth)
            elif name in game.units and name not in game.friends:
                enemies.setdefault(name, []).append(_of_one(term.kind, name, term.describe()) + worth)
    return places, enemies


def _of_one(kind: str, name: str, every: str) -> str:
    """Return what a term asks of one of the places or units that it names."""
    return f"{kind} {name}" if kind in ("hold", "eliminate") else every
