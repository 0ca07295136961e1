"""The bars that the planner's speed is held against, and how far it gets, from the recorded results.

`report.py` makes the section of the page. A bar that isn't kept has a sentence on what the profile shows in its way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from statistics import median
from typing import Any

from peers import OURS, PEERS
from run import PROVED

Instances = list[Any]
"""Of one size, as `report.Instance` has them."""

Families = dict[str, dict[str, Instances]]
"""By family and size."""

LOADING, LISTING, LABELS, SOLVING = "*loading*", "*listing*", "*labels*", "*solving*"

REASONS = f"""{LOADING}: before anything is searched, a process has loaded Python, pydantic and the planner (0.2 s), then
numpy and ortools (0.09 s), where clingo takes a tenth of the latter; whatever is proved in less can't be proved several
times sooner.

{LISTING}: all peers begin with the planner's own conditional reach. What that takes is in everybody's time, and making it
faster makes them faster, too; what is left to the planner alone is building and solving.

{LABELS}: every way to get to a hex that no other one dominates counts, and the ways through enemy zones of control need
different friends there, or different enemies gone: at MA 16 to 20 these are 200,000 to 430,000 for 80 units. On the two
seeds that were counted, 790,000 are looked at for 213,000, and 1,540,000 for 364,000, at about 5 microseconds each in
Python, spread evenly over all that is done with one; a third one, not counted, takes 25 s. An index of the labels of a hex,
by what they need, was measured and gains nothing. Compiled to machine code as it stands, the search takes two thirds of the
time; then these bars are kept.

{SOLVING}: CP-SAT's part, and building its model.

Of the small things, a Dijkstra on a graph whose costs are known beforehand looks at a ready list of numbers, where reach
asks what each step needs, which is more than half of its time, and keeps the ways."""
"""What stands in the way of several bars, as the tables of where the time goes show it."""


LATER = (2, 3, 5, 10, 20, 60)
"""The moments at which plans are held against those of local search, in seconds."""


@dataclass(frozen=True)
class Bar:
    """One bar.

    Attributes
    ----------
    what : str
        What is held against it.
    bar : str
        The bar.
    measure : callable
        Returns what was measured, and whether the bar is kept; None where nothing was recorded.
    why : str
        What is in the way, as the profile shows it, where it isn't kept.
    """

    what: str
    bar: str
    measure: Callable[[Families], tuple[str, bool] | None]
    why: str = ""


def times(instances: Instances, peer: str = "planner") -> list[float]:
    """Return the times of a peer's proofs; infinite for those that it doesn't have."""
    found = [i.proof(peer) for i in instances if peer in i.runs]
    return [float("inf") if time is None else time for time in found]


def proved_in(found: list[float]) -> str:
    """Tell the median of the times to a proof, and how many there are; an infinite time is none."""
    done, middle = sum(time < float("inf") for time in found), median(found)
    told = "not proved" if middle == float("inf") else f"{middle:.2f} s"
    return f"{told} ({done}/{len(found)} proved)"


def proof(family: str, size: str, most: float, peer: str = "planner") -> Callable[[Families], tuple[str, bool] | None]:
    """Return the measure of the median time to the proof."""

    def measure(families: Families) -> tuple[str, bool] | None:
        found = times(families.get(family, {}).get(size, []), peer)
        if not found:
            return None
        return proved_in(found), median(found) <= most

    return measure


def first_tier(
    family: str, size: str, most: float, peer: str = "planner"
) -> Callable[[Families], tuple[str, bool] | None]:
    """Return the measure of the median time to the proof of the first tier."""

    def measure(families: Families) -> tuple[str, bool] | None:
        instances = [i for i in families.get(family, {}).get(size, []) if peer in i.runs]
        if not instances:
            return None
        found = [t if (t := i.first_tier(peer)) is not None else float("inf") for i in instances]
        return proved_in(found), median(found) <= most

    return measure


def often(
    family: str, size: str, least: int, most: float, first: bool = False
) -> Callable[[Families], tuple[str, bool] | None]:
    """Return the measure of the median time to the proof of all tiers, or of the first one, on so many boards at least."""

    def measure(families: Families) -> tuple[str, bool] | None:
        runs = [i for i in families.get(family, {}).get(size, []) if "planner" in i.runs]
        if not runs:
            return None
        told = [i.first_tier("planner") if first else i.proof("planner") for i in runs]
        found = [float("inf") if time is None else time for time in told]
        return proved_in(found), sum(time < float("inf") for time in found) >= least and median(found) <= most

    return measure


def phase(
    family: str, size: str, name: str, most: float, peer: str = "planner"
) -> Callable[[Families], tuple[str, bool] | None]:
    """Return the measure of the median time that one phase takes."""

    def measure(families: Families) -> tuple[str, bool] | None:
        runs = [i.runs[peer] for i in families.get(family, {}).get(size, []) if peer in i.runs]
        if not runs:
            return None
        middle = median(run["phases"].get(name, 0.0) for run in runs)
        return f"{middle:.2f} s", middle <= most

    return measure


def gap(
    family: str, size: str, moment: float, most: float, middle: bool = False
) -> Callable[[Families], tuple[str, bool] | None]:
    """Return the measure of the first tier's largest gap at a moment, or of the one in the middle; the largest is told."""

    def measure(families: Families) -> tuple[str, bool] | None:
        found = [i.gap("planner", moment) for i in families.get(family, {}).get(size, []) if "planner" in i.runs]
        if not found:
            return None
        known = [share for share in found if share is not None]
        if len(known) < len(found):
            return "none by then", False
        if middle:
            return f"{100 * median(known):.1f} % ({100 * max(known):.1f} % at the largest)", median(known) <= most
        return f"{100 * max(known):.1f} %", max(known) <= most

    return measure


@dataclass(frozen=True)
class Comparison:
    """The best peer's time to the proof by the planner's, on the instances of one size.

    Attributes
    ----------
    ratios : list of float
        Of each instance that the planner, or a peer, has proved. Whoever hasn't counts with the time that it had.
    others, proved : int
        How many of these a peer has proved, and how many the planner.
    seeds : int
        How many instances there are.
    """

    ratios: list[float]
    others: int
    proved: int
    seeds: int

    def __str__(self) -> str:
        """Return the median, and for how many seeds it stands if these aren't all; ``≥`` and ``≤`` mark bounds."""
        if not self.ratios:
            return "–"
        bound = "≥ " * (self.others < len(self.ratios)) + "≤ " * (self.proved < len(self.ratios))
        some = f" ({len(self.ratios)}/{self.seeds})" if len(self.ratios) < self.seeds else ""
        return f"{bound}{median(self.ratios):.2f}{some}"


def compared(instances: Instances) -> Comparison | None:
    """Return how the planner does against the best peer; None where there is no peer that proves anything, or no planner."""
    ratios, others, proved, seeds = [], 0, 0, 0
    for instance in instances:
        rivals = [run for peer, run in instance.runs.items() if peer not in OURS and PEERS[peer].proves]
        rivals = [run for run in rivals if run["status"] not in ("unsuited", "failed")]
        if "planner" not in instance.runs or not rivals:
            continue
        seeds += 1
        own = instance.proof("planner")
        best = min((run["seconds"] for run in rivals if run["status"] in PROVED), default=None)
        if own is None and best is None:
            continue
        others, proved = others + (best is not None), proved + (own is not None)
        had = max(run.get("limit", run["seconds"]) for run in rivals)
        ratios.append((best or had) / (own or instance.runs["planner"]["seconds"]))
    return Comparison(ratios, others, proved, seeds) if seeds else None


def against_peers(family: str, size: str | None, least: float) -> Callable[[Families], tuple[str, bool] | None]:
    """Return the measure of the median of the fastest proof of any peer, by the planner's; without a size, over all of them.

    It is kept only if the planner has proved half of the seeds, too.
    """

    def measure(families: Families) -> tuple[str, bool] | None:
        sizes = families.get(family, {})
        found = compared([one for some in sizes.values() for one in some] if size is None else sizes.get(size, []))
        if found is None or not found.ratios:
            return None
        told = str(found).replace("≥", "at least").replace("≤", "at most")
        nobody = ", proved by no peer" * (not found.others)
        return told + nobody, median(found.ratios) >= least and 2 * found.proved >= found.seeds

    return measure


def memory(peer: str) -> Callable[[Families], tuple[str, bool] | None]:
    """Return the measure of the most memory that the planner has taken anywhere; of several processes, the largest one."""

    def measure(families: Families) -> tuple[str, bool] | None:
        every = (i for sizes in families.values() for instances in sizes.values() for i in instances)
        found = [i.runs[peer]["peak_mb"] for i in every if peer in i.runs]
        return (f"{max(found):.0f} MB", max(found) < 2000) if found else None

    return measure


def greedily(families: Families) -> tuple[str, bool] | None:
    """Return of each family, at its worst size, the median time until a plan is as good as greedy's, by greedy's own.

    The scenarios of the repository, of which there is one run each, are one size.
    """
    found: dict[tuple[str, str], list[float]] = {}
    for name, sizes in families.items():
        for size, instance in ((size, i) for size, instances in sizes.items() for i in instances):
            greedy = instance.runs.get("greedy")
            if greedy is None or not greedy["value"] or "planner" not in instance.runs:
                continue
            curve = instance.runs["planner"]["curve"]
            goal = float(Fraction(greedy["value"][0]))
            when = next(
                (p[0] for p in curve if p[1] and p[1][0] is not None and float(Fraction(p[1][0])) >= goal), None
            )
            key = name, "" if name == "shipped" else size
            found.setdefault(key, []).append(float("inf") if when is None else when / greedy["seconds"])
    if not found:
        return None
    middles: dict[str, float] = {}
    for (name, _), ratios in found.items():
        middles[name] = max(middles.get(name, 0.0), median(ratios))
    return ", ".join(f"{name} {middle:.2f}" for name, middle in middles.items()), max(middles.values()) <= 1.5


def behind_local(families: Families) -> tuple[str, bool] | None:
    """Return how often local search is ahead at some moment from two seconds on."""
    behind = count = 0
    for sizes in families.values():
        for instances in sizes.values():
            for instance in instances:
                if "local" in instance.runs and "planner" in instance.runs:
                    count += 1
                    moments = [t for t in LATER if t <= instance.runs["local"].get("limit", 10.0)]
                    behind += any(instance.value_at("planner", t) < instance.value_at("local", t) for t in moments)
    return (f"behind in {behind} of {count}", not behind) if count else None


LONG = "80/hexes=10000/ma=16-20"
PROVED_LEGS = (
    "40/hexes=2000/ma=10-14",
    "40/hexes=2000/ma=16-20",
    "40/hexes=10000/ma=10-14",
    "40/hexes=10000/ma=16-20",
    "80/hexes=10000/ma=10-14",
)
"""The sizes of long legs of which anybody proves some."""

WORKERS = {"planner": "one worker", "planner-2": "two workers"}
WAYS = {**WORKERS, "compiled": "one worker, compiled", "compiled-2": "two workers, compiled"}

BARS: tuple[Bar, ...] = (
    Bar("dense front of 80, all tiers", "1.5 s", proof("dense", "80", 1.5), LOADING),
    Bar("dense front of 120, all tiers", "4 s", proof("dense", "120", 4)),
    Bar("dense front of 200, all tiers", "20 s", proof("dense", "200", 20)),
    Bar("dense front of 200, largest gap of the first tier after 10 s", "0.5 %", gap("dense", "200", 10, 0.005)),
    Bar(
        "dense front of 200, first tier alone",
        "1.5 s",
        proof("dense", "200/tiers=1", 1.5),
        f"{LOADING}, 0.6 s of listing, 0.3 s of replay and of what comes after the proof",
    ),
    Bar(
        "dense front of 200, first tier alone, best peer / planner",
        "3",
        against_peers("dense", "200/tiers=1", 3),
        f"{LOADING}, {LISTING}",
    ),
    *(
        Bar(f"dense front of {size}, best peer / planner", "3", against_peers("dense", size, 3), why)
        for size, why in (
            ("20", LOADING),
            ("40", LOADING),
            ("80", f"{LOADING}, {LISTING}"),
            ("120", f"{LOADING}, {LISTING}"),
            ("200", f"{SOLVING}: 0.8 s of 2.4, and 8.4 of 10.4 on one seed; without it, the ratio would be about 3.5"),
        )
    ),
    Bar("dense front of 10, best peer / planner", "0.83", against_peers("dense", "10", 1 / 1.2), LOADING),
    *(
        Bar(
            f"sparse front of {size}, best peer / planner",
            "3",
            against_peers("sparse", size, 3),
            f"{LOADING}, {LISTING}",
        )
        for size in ("20", "40", "80", "120", "200")
    ),
    Bar(
        "45 units and whom they attack, four tiers",
        "20 s",
        proof("goals", "45", 20),
        f"{SOLVING}: once the first tier is proved, what its best plans have in common is told to the second; on two boards "
        "that is little: many ways to attack are worth the same in the first, and which of them, and what is exchanged "
        "there, the relaxation doesn't see",
    ),
    Bar(
        "45 units and whom they attack, largest gap of the first tier after 5 s",
        "3 %",
        gap("goals", "45", 5, 0.03),
        "*listing*, and building the model: some 2 s of the processor's time on the machine of most other records, and as "
        "much to prove the first tier",
    ),
    Bar("sparse front of 10, best peer / planner", "0.83", against_peers("sparse", "10", 1 / 1.2), LOADING),
    Bar("scenarios of the repository, best peer / planner", "0.83", against_peers("shipped", None, 1 / 1.2), LOADING),
    *(
        Bar(f"crowded board of {size}, best peer / planner", "3", against_peers("crowded", size, 3), LOADING)
        for size in ("20", "40", "60")
    ),
    *(
        Bar(f"islands of {size}, best peer / planner", "3", against_peers("islands", size, 3), why)
        for size, why in (
            (
                "20",
                f"{SOLVING}: who is ahead depends on the board (0.16, 0.97, 0.98, 3.46, 5.53): the linear relaxation of "
                "SCIP and HiGHS proves some at once, on which cores spend two seconds before it is the relaxation's turn",
            ),
            ("40", ""),
            ("60", f"{SOLVING}: the MP of many units; nobody else proves any"),
        )
    ),
    *(
        Bar(
            f"long legs {size}, best peer / planner",
            "3",
            against_peers("legs", size, 3),
            {
                "40/hexes=2000/ma=16-20": f"{SOLVING}: three seeds are proved by nobody, and of the others a peer proves "
                "one, 2.46 times slower",
                "40/hexes=10000/ma=10-14": f"{LOADING}, {LISTING}: 1.1 s of 1.4, of which a fifth is reading the map",
            }.get(size, LISTING),
        )
        for size in PROVED_LEGS
    ),
    *(
        Bar(
            f"long legs {LONG}, conditional reach, {told}",
            "4 s",
            phase("legs", LONG, "reach", 4, peer),
            LABELS,
        )
        for peer, told in WAYS.items()
    ),
    *(
        Bar(
            f"long legs {LONG}, first tier, {told}",
            "10 s",
            first_tier("legs", LONG, 10, peer),
            f"{LABELS}; of the rest, CP-SAT's cores take 2 s, and a plan by hand, which is told after 2.5 to 4 s, 1 to 3 s",
        )
        for peer, told in WAYS.items()
    ),
    *(
        Bar(
            f"40 units of MA 6 to 10 on a dense front, all tiers, {told}",
            "60 s",
            proof("dense", "40/ma=6-10", 60, peer),
            f"{SOLVING}: the MP, measured before models said what must begin somewhere",
        )
        for peer, told in WORKERS.items()
    ),
    *(
        Bar(
            f"memory, everywhere, {told}",
            "2 GB",
            memory(peer),
        )
        for peer, told in WORKERS.items()
    ),
    Bar(
        "a plan as good as greedy's, in greedy's time, at the worst size",
        "1.5 times",
        greedily,
    ),
    Bar(
        "anytime, against local search after 2 s",
        "never behind",
        behind_local,
        "boards of long legs, of 2,000 hexes, of stacks, and of islands with 60 convoys, mostly at 2 to 10 s: the plan by "
        "hand is there as soon as greedy's, and local search betters it while what units and teams can do is still being "
        "listed and the model built; on one (80 units of MA 16 to 20, seed 1) the planner finds nothing better in 60 s with "
        "one worker; on stacks local search was measured on a faster machine",
    ),
)


NEXT: tuple[Bar, ...] = (
    Bar(
        "stacks of 30, all tiers",
        "4 s, 5/5",
        often("stacks", "30", 5, 4),
        "*listing*, 1 to 4 s, and *solving*: three boards take 2.1 to 2.5 s, two 10 s",
    ),
    Bar(
        "stacks of 60, all tiers",
        "20 s, 4/5",
        often("stacks", "60", 4, 20),
        "*listing*, 5 to 9 s, and *solving*",
    ),
    Bar(
        "stacks of 120, gap of the first tier at 60 s",
        "5 %",
        gap("stacks", "120", 60, 0.05, middle=True),
        f"{SOLVING}: on one board the bound hardly moves any more after 12 s; *listing* takes 4 to 11 s",
    ),
    Bar(
        "joint overruns of 48, all tiers",
        "2.5 s, 5/5",
        often("joint", "48", 5, 2.5),
        f"*listing*, 0.7 s, and {SOLVING}, 0.2 to 1.0 s",
    ),
    Bar("islands of 60, all tiers", "60 s, 5/5", often("islands", "60", 5, 60), f"{SOLVING}"),
    Bar(
        "40 units of MA 6 to 10 on a dense front, all tiers",
        "60 s, 4/5",
        often("dense", "40/ma=6-10", 4, 60),
        SOLVING,
    ),
    Bar(
        "long legs 80/hexes=2000/ma=16-20, first tier",
        "60 s, 3/5",
        often("legs", "80/hexes=2000/ma=16-20", 3, 60, first=True),
        LABELS,
    ),
    Bar(
        "`odds` and `surround` on every enemy, each by itself, 46 units on 900 hexes, all tiers",
        "8 s",
        proof("goals", "46/each=1", 8),
        SOLVING,
    ),
)
"""What is asked of the planner next; what second questions and `reach` of a whole side come to is recorded by itself."""


def section(families: Families, bars: tuple[Bar, ...] = BARS) -> list[list[str]]:
    """Return the rows of the table: what, measured, bar, kept or what is in the way."""
    rows = []
    for bar in bars:
        found = bar.measure(families)
        if found is not None:
            told, kept = found
            rows.append([bar.what, told, bar.bar, "yes" if kept else f"**no**: {bar.why}" if bar.why else "**no**"])
    return rows
