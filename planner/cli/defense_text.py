"""Defenses as text: what players read."""

from __future__ import annotations

from collections.abc import Iterable

from planner.cli.console import console_for_answers
from planner.defense.answer import Defense, Refutation
from planner.formats.spoken_numbers import spoken_number
from planner.plans.plan import Plan

MOST_PLACES = 12
"""So many places of one unit are printed at most."""

MOST_LISTED = 200
"""So many placements are printed at most."""


def print_defense(found: Defense, every: bool) -> None:
    """Print where to place defenders, and which enemy plans break other placements."""
    console = console_for_answers()
    seconds = f"({'interrupted after ' if found.interrupted else ''}{found.seconds:.2f} s)"
    if found.broken:
        console.print("No placement holds, proved: each is broken by an enemy plan:")
        _print_refutations(found.broken)
    console.print(f"{found.sentence(every)} {seconds}")
    shown = found.accepted[:MOST_LISTED]
    for index, one in enumerate(shown):
        console.print(f"  {one.placement}{'' if one.confirmed else ' (not confirmed)'}")
        following = shown[index + 1] if index + 1 < len(shown) else None
        if one.plan is not None and (following is None or following.plan != one.plan):
            console.print(f"    {_written(one.plan)}", soft_wrap=True)
    if len(found.accepted) > MOST_LISTED:
        console.print(f"  and {len(found.accepted) - MOST_LISTED} more")
    if found.refutations:
        count = f"{found.rejected} placement{'s' if found.rejected > 1 else ''}, each replayed"
        no_plan = not any(one.plan is not None for one in found.accepted)
        if no_plan and found.status != "best":
            told = f"Rejected: {count}; the enemy's plans that break those that obey the rules:"
        elif no_plan or (every and found.complete):
            told = f"Worse: {count}; the enemy's plans that do better under those that obey the rules:"
        else:
            told = f"No better: {count}; the enemy's plans that do at least as well under those that obey the rules:"
        console.print(told)
    _print_refutations(found.refutations)
    for placement in found.undecided[:MOST_LISTED]:
        console.print(f"Not decided: {placement}")
    if len(found.undecided) > MOST_LISTED:
        console.print(f"Not decided: {len(found.undecided) - MOST_LISTED} more")
    if found.hurried:
        console.print("The time ran out before everything was settled: a longer time limit may settle it.")
    if found.accepted and not every and found.space > 1:
        console.print("--all lists every placement that does it.")


def _print_refutations(refutations: Iterable[Refutation]) -> None:
    console = console_for_answers()
    for refutation in refutations:
        places = "; ".join(f"{unit} in {_named(those)}" for unit, those in refutation.places)
        worth = f" ({' / '.join(map(spoken_number, refutation.value))})" if refutation.value else ""
        console.print(f"  {_written(refutation.plan)}{worth}", soft_wrap=True)
        console.print(f"    under {places}")


def _written(plan: Plan) -> str:
    return "; ".join(plan.lines if plan.moves else ["nobody moves", *plan.lines])


def _named(places: tuple[str, ...]) -> str:
    named = [label or "(off the map)" for label in places[:MOST_PLACES]]
    more = len(places) - MOST_PLACES
    return " ".join(named) + (f" and {more} more" if more > 0 else "")
