"""Defenses as text: what players read."""

from __future__ import annotations

from planner.defense.answer import Defense
from planner.report import console_for_answers

MOST_PLACES = 12
"""So many places of one unit are printed at most."""

MOST_LISTED = 200
"""So many placements are printed at most."""


def print_defense(found: Defense, every: bool) -> None:
    """Print where to place defenders, and which enemy plans break other placements."""
    console = console_for_answers()
    console.print(f"{_status(found, every)} ({found.seconds:.2f} s)")
    for one in found.accepted[:MOST_LISTED]:
        value = f": the enemy's best is {' / '.join(map(str, one.value))}" if one.plan is not None else ""
        doubt = "" if one.confirmed else " (not confirmed)"
        console.print(f"  {one.placement}{value}{doubt}")
        if one.plan is not None:
            console.print(f"    {'; '.join(map(str, one.plan.moves)) or 'nobody moves'}")
    if len(found.accepted) > MOST_LISTED:
        console.print(f"  and {len(found.accepted) - MOST_LISTED} more")
    if found.refutations:
        total = sum(refutation.count for refutation in found.refutations)
        if any(one.plan is not None for one in found.accepted):
            told = (
                f"No better: {total} placements, each replayed; the enemy's plans that do at least as well under them:"
            )
        else:
            told = (
                f"Rejected: {total} placements, each replayed; the enemy's plans that break those that obey the rules:"
            )
        console.print(told)
    for refutation in found.refutations:
        places = "; ".join(f"{unit} in {_named(those)}" for unit, those in refutation.places)
        plan = "; ".join(map(str, refutation.plan.moves)) or "nobody moves"
        console.print(f"  {plan}")
        console.print(f"    under {places}")
    for placement in found.undecided[:MOST_LISTED]:
        console.print(f"Not decided: {placement}")


def _named(places: tuple[str, ...]) -> str:
    named = [label or "(off the map)" for label in places[:MOST_PLACES]]
    more = len(places) - MOST_PLACES
    return " ".join(named) + (f" and {more} more" if more > 0 else "")


def _status(found: Defense, every: bool) -> str:
    count = len(found.accepted)
    if found.status == "holds":
        if not every:
            return "Holds, proved and confirmed: no enemy plan achieves its goal."
        which = "these are all" if found.complete else "there may be more"
        return f"{count} {'placement holds' if count == 1 else 'placements hold'}, proved and confirmed; {which}."
    return {
        "best": "The enemy's best is as bad as any placement makes it, proved.",
        "feasible": "Not proved: the enemy's best is as bad as any placement so far makes it.",
        "fails": "No placement holds, proved: each is broken by an enemy plan.",
        "unknown": "Unknown: no placement was proved to hold, and not all were ruled out.",
    }[found.status]
