"""Several plans that differ in substance: as text."""

from __future__ import annotations

from planner.cli.console import console_for_answers
from planner.cli.text_output import Written, print_result, print_rows
from planner.formats.probability import format_probability
from planner.formats.spoken_numbers import spoken_number
from planner.scenario import Scenario
from planner.search.alternatives import Alternative, Alternatives


def print_alternatives(found: Alternatives, scenario: Scenario, asked: int, write: Written) -> None:
    """Print several plans: what each is worth and comes to, then each of them."""
    if not found.plans:
        print_result(found.first, scenario, write=write)
        return
    out = console_for_answers()
    out.print(headline(found, asked))
    overview = [
        (
            str(rank),
            " / ".join(map(spoken_number, plan.result.value)) or "-",
            "" if plan.distance is None else str(plan.distance),
            "yes" if plan.result.status == "optimal" else "no",
            "; ".join(plan.substance.describe(scenario.game)) or "nobody moves",
        )
        for rank, plan in enumerate(found.plans, 1)
    ]
    print_rows(out, overview, ("rank", "value", "distance", "proved", "comes to"))
    told = {""}
    for rank, plan in enumerate(found.plans, 1):
        out.print()
        out.print(f"Plan {rank}{_why(plan, rank, found)}")
        if plan.result.reason not in told:
            out.print(plan.result.reason)
        told.add(plan.result.reason)
        print_result(plan.result, scenario, headline=False, write=write)


def headline(found: Alternatives, asked: int) -> str:
    """Say how many plans there are, what is proved of them, and whether there are others."""
    number = len(found.plans)
    if found.within is not None:
        share = format_probability(found.within)
        plans = "plans that fall" if number > 1 else "plan that falls"
        first = found.plans[0].result.status == "optimal"
        what = f"{number} {plans} short of the {'best' if first else 'first'} value by {share} of it at most"
        what += ", as different as possible" if found.proved else ", as different as was found: not proved"
    elif number == 1:
        what = "One plan" if found.proved else "One plan, not proved best"
    elif found.proved:
        what = f"The {number} best plans that differ in substance"
    else:
        what = f"{number} plans that differ in substance, not proved to be the best"
    if number < asked:
        none = "there is no other" if found.within is None else "no other differs from them in what matters"
        rest = f"{none}, proved" if found.exhausted else "no other was found, and none is ruled out"
        return f"{what}; {rest} ({found.seconds:.2f} s)"
    return f"{what} ({found.seconds:.2f} s)"


def _why(plan: Alternative, rank: int, found: Alternatives) -> str:
    proved = plan.result.status == "optimal"
    if rank == 1:
        return ": no plan is better, proved" if proved else ": the best so far, not proved"
    if found.within is not None:
        return ": none that is good enough is farther from those before, proved" if proved else ": not proved"
    return ": of all others none is better, proved" if proved else ": not proved that none of the others is better"
