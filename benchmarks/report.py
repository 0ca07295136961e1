"""Writes the tables of docs/benchmarks.md from the results that are recorded in benchmarks/results/.

Usage: ``python benchmarks/report.py [--results FOLDER] [--output FILE]``. Of each family the newest file counts.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

from bars import LATER, NEXT, REASONS, compared, section
from peers import OURS, PEERS
from run import PROVED, RESULTS, best_variant

DOCS = Path(__file__).parents[1] / "docs" / "benchmarks.md"
HEAD, TAIL = (Path(__file__).with_name(f"report_{part}.md") for part in ("head", "tail"))
GLANCE, OPEN = "<!-- at a glance -->", "<!-- next -->"
AT_A_GLANCE = {
    ("shipped", ""): "a scenario that ships, all of them together",
    ("dense", "20"): "20 units on a dense front",
    ("dense", "80"): "80 units on a dense front",
    ("dense", "200"): "200 units on a dense front",
    ("crowded", "60"): "60 units, one a hex, orders and wire",
    ("islands", "40"): "40 units and their convoys among islands",
    ("stacks", "30"): "30 units in stacks, overruns rolled",
    ("joint", "24"): "24 units that open gaps together",
    ("legs", "40/hexes=10000/ma=10-14"): "40 units of MA 10 to 14 on 10,000 hexes",
}
"""What a newcomer sees first: families and sizes (none: all sizes), in words."""

BEFORE = "2026-11-24"
OF_BEFORE = {"dense 20": 0.36, "dense 80": 0.25, "villages 20": 0.18, "crowded 20": 0.27}
"""What share of the first answer of that day's program an answer about three changed units takes, measured side by side."""

MOMENTS = (1, 10, 60)

Run = dict[str, Any]


class Instance:
    """All runs on one instance, of each peer its best.

    Attributes
    ----------
    runs : dict from peers to Run
        What each did.
    best : list of Fraction, or None
        The best value that anybody has found.
    proved : bool
        Whether somebody has proved it, or that there is no plan.
    """

    def __init__(self, recorded: dict[str, Any]) -> None:
        by_peer: dict[str, list[Run]] = {}
        for run in recorded["runs"]:
            by_peer.setdefault(run["peer"], []).append(run)
        self.runs = {peer: best_variant(runs) for peer, runs in by_peer.items()}
        values = [[Fraction(v) for v in run["value"]] for run in self.runs.values() if run["value"]]
        self.best = max(values, default=None)
        self.proved = any(run["status"] in PROVED for run in self.runs.values())

    def proof(self, peer: str) -> float | None:
        """Return the seconds of a peer's whole process, if it has proved its answer."""
        run = self.runs.get(peer)
        return run["seconds"] if run is not None and run["status"] in PROVED else None

    def first_tier(self, peer: str) -> float | None:
        """Return the seconds until a peer had proved the first tier, as its curve shows it."""
        for seconds, values, bounds in self.runs[peer]["curve"] if peer in self.runs else ():
            if values and bounds and values[0] is not None and values[0] == bounds[0]:
                return float(seconds)
        return None

    def share(self, peer: str) -> float | None:
        """Return a peer's value of the first tier as a share of the best one; None if that is 0."""
        run = self.runs.get(peer)
        if run is None or not self.best or self.best[0] <= 0:
            return None
        return float(Fraction(run["value"][0]) / self.best[0]) if run["value"] else 0.0

    def gap(self, peer: str, moment: float, tier: int = 0) -> float | None:
        """Return the distance of value and bound of a tier at a moment, as a share; None while one is missing."""
        value, bound = None, None
        for seconds, values, bounds in self.runs[peer]["curve"] if peer in self.runs else ():
            if seconds > moment:
                break
            if len(values) > tier and values[tier] is not None:
                value = Fraction(values[tier])
            if len(bounds) > tier and bounds[tier] is not None:
                bound = Fraction(bounds[tier])
        if value is None or bound is None:
            return None
        return float(max(Fraction(0), bound - value) / max(Fraction(1), abs(value)))

    def value_at(self, peer: str, moment: float) -> list[Fraction]:
        """Return what a peer has found by a moment, tier by tier as far as it is known."""
        found: list[Fraction] = []
        for seconds, values, _ in self.runs[peer]["curve"] if peer in self.runs else ():
            if seconds <= moment and values and values[0] is not None:
                found = max(found, [Fraction(v) for v in values if v is not None][:1])
        return found


def middle(values: Iterable[float | None], count: int, form: Callable[[float], str]) -> str:
    """Return the median, where what is missing counts as infinite; ``–`` if that is the median."""
    known = sorted(value for value in values if value is not None)
    padded = [*known, *[float("inf")] * (count - len(known))]
    found = median(padded) if padded else float("inf")
    return form(found) if found < float("inf") else "–"


def seconds(value: float) -> str:
    """Return a time with two digits that count."""
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def percent(value: float) -> str:
    """Return a share in per cent."""
    if value >= 10:
        return "> 999 %"
    return f"{100 * value:.0f} %" if value == 0 or value >= 0.095 else f"{100 * value:.1f} %"


def grouped(record: dict[str, Any]) -> dict[str, list[Instance]]:
    """Return the instances of each size, smaller ones first."""
    found: dict[str, list[Instance]] = {}

    def place(recorded: dict[str, Any]) -> tuple[int, str]:
        units = recorded["size"].partition("/")[0]
        return (int(units) if units.isdigit() else 0, recorded["size"])

    for recorded in sorted(record["instances"], key=place):
        found.setdefault(recorded["size"], []).append(Instance(recorded))
    return found


def table(head: list[str], rows: Iterable[list[str]]) -> list[str]:
    """Return a Markdown table."""
    return [f"| {' | '.join(head)} |", "|" + "---|" * len(head), *(f"| {' | '.join(row)} |" for row in rows), ""]


def proofs(sizes: dict[str, list[Instance]], peers: list[str]) -> list[str]:
    """Return the table of the times to a proof."""
    provers = [peer for peer in peers if PEERS[peer].proves]
    rivals = [peer for peer in provers if peer not in OURS]
    rows = []
    for size, instances in sizes.items():
        row = [f"`{size}`", str(len(instances))]
        if "planner" in provers:
            row.append(middle((i.first_tier("planner") for i in instances), len(instances), seconds))
        for peer in provers:
            known = [i for i in instances if peer in i.runs and i.runs[peer]["status"] != "unsuited"]
            found = [i.proof(peer) for i in known]
            told = middle(found, len(known), seconds) if known else ""
            missed = sum(time is None for time in found)
            some = missed or 0 < len(known) < len(instances)
            row.append(f"{told} ({len(known) - missed}/{len(known)})" if some else told)
        if "planner" in provers and rivals:
            row.append(str(compared(instances) or "–"))
        rows.append(row)
    head = ["size", "seeds", *(["planner, first tier"] if "planner" in provers else []), *provers]
    if "planner" in provers and rivals:
        head.append("best peer / planner")
    return table(head, rows)


def shares(sizes: dict[str, list[Instance]], peers: list[str]) -> list[str]:
    """Return the table of the values as shares of the best."""
    rows = []
    for size, instances in sizes.items():
        proved = sum(instance.proved for instance in instances)
        row = [f"`{size}`", f"{proved}/{len(instances)}"]
        for peer in peers:
            known = [s for i in instances if (s := i.share(peer)) is not None]
            row.append(percent(median(known)) if known else "")
        rows.append(row)
    return table(["size", "proved", *peers], rows)


def gaps(sizes: dict[str, list[Instance]], peers: list[str], limit: float, tier: int = 0) -> list[str]:
    """Return the table of the gaps of a tier."""
    moments = [moment for moment in MOMENTS if moment <= limit]
    rows = []
    for size, instances in sizes.items():
        row = [f"`{size}`"]
        for peer in peers:
            known = [i for i in instances if peer in i.runs and i.runs[peer]["status"] != "unsuited"]
            row.append(
                " / ".join(middle((i.gap(peer, t, tier) for i in known), len(known), percent) for t in moments)
                if known
                else ""
            )
        rows.append(row)
    return table(["size", *peers], rows)


def anytime(sizes: dict[str, list[Instance]], limit: float) -> list[str]:
    """Return the table that compares the planner's plans with those of greedy and local search as time goes by."""
    moments = [moment for moment in LATER if moment <= limit]
    rows = []
    for size, instances in sizes.items():
        both = [i for i in instances if "planner" in i.runs and "local" in i.runs]
        if not both:
            continue
        behind = [sum(i.value_at("planner", t) < i.value_at("local", t) for i in both) for t in moments]
        ratios = []
        for instance in both:
            if "greedy" not in instance.runs or not instance.runs["greedy"]["value"]:
                continue
            goal, own = [Fraction(instance.runs["greedy"]["value"][0])], instance.runs["greedy"]["seconds"]
            curve = instance.runs["planner"]["curve"]
            when = next((p[0] for p in curve if p[1] and p[1][0] is not None and [Fraction(p[1][0])] >= goal), None)
            ratios.append(None if when is None else when / own)
        told = middle(ratios, len(ratios), lambda r: f"{r:.2f}") if ratios else ""
        rows.append([f"`{size}`", told, *(f"{count}/{len(both)}" for count in behind)])
    head = ["size", "as good as greedy, in greedy's time", *(f"behind local search at {t} s" for t in moments)]
    return table(head, rows) if rows else []


PHASES = ("start", "import", "load", "reach", "build", "solve", "replay", "other")


def spent(sizes: dict[str, list[Instance]], peers: list[str]) -> list[str]:
    """Return the table of where the time goes, and of the memory."""
    rows = []
    for size, instances in sizes.items():
        for peer in peers:
            runs = [
                i.runs[peer]
                for i in instances
                if peer in i.runs and i.runs[peer]["status"] not in ("unsuited", "failed")
            ]
            if not runs:
                continue
            cells = [median([run["phases"].get(phase, 0.0) for run in runs]) for phase in PHASES]
            memory = max(run["peak_mb"] for run in runs)
            rows.append(
                [f"`{size}`", peer, *(seconds(cell) if cell >= 0.005 else "" for cell in cells), f"{memory:.0f}"]
            )
    return table(["size", "peer", *PHASES, "peak MB"], rows)


def family(record: dict[str, Any]) -> list[str]:
    """Return the section of one family."""
    sizes = grouped(record)
    known = {peer for instances in sizes.values() for instance in instances for peer in instance.runs}
    peers = [peer for peer in PEERS if peer in known]
    names = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
    lines = [f"## {record['family']}", ""]
    limit = record["limit"]
    told = f"limit {limit:g} s; planner with {record['workers']} worker(s)"
    lines += [f"{record['date']}; {record['machine']}; {names}; {told}.", ""]
    if record.get("note"):
        lines += [record["note"], ""]
    absent = [peer for peer in PEERS if record["family"] not in PEERS[peer].families]
    if absent:
        lines += [f"Can't express these rules: {', '.join(absent)}.", ""]
    lines += ["Seconds of the whole process to the proof of all tiers, replay included:", "", *proofs(sizes, peers)]
    lines += ["First tier of the plan found, as a share of the best that any peer found:", "", *shares(sizes, peers)]
    wrong = [
        f"* `{recorded['size']}` seed {recorded['seed']}: {run['peer']} {run['variant']} {run['status']}: "
        + run["note"].strip().splitlines()[-1]
        for recorded in record["instances"]
        for run in recorded["runs"]
        if run["status"] in ("failed", "illegal", "disagrees") and run["note"].strip()
    ]
    if wrong:
        lines += ["What went wrong:", "", *wrong, ""]
    if record["family"] == "shipped":
        return lines  # a row for each scenario is enough
    moments = " / ".join(str(moment) for moment in MOMENTS if moment <= limit)
    provers = [peer for peer in peers if PEERS[peer].proves]
    lines += [f"Gap of the first tier after {moments} s:", "", *gaps(sizes, provers, limit)]
    several = {
        size: some
        for size, some in sizes.items()
        if any(len(run["value"]) > 1 for i in some for run in i.runs.values())
    }
    if several:
        ours = [peer for peer in OURS if peer in peers]
        lines += [f"Gap of the second tier after {moments} s:", "", *gaps(several, ours, limit, 1)]
    if curve := anytime(sizes, limit):
        lines += ["First tier as time goes by:", "", *curve]
    lines += ["Where the time goes, in seconds, and peak memory:", "", *spent(sizes, peers)]
    return lines


def glance(records: dict[str, dict[str, list[Instance]]]) -> list[str]:
    """Return the table that a newcomer sees first, of the records of families by their names."""
    rows = []
    for (name, wanted), what in AT_A_GLANCE.items():
        instances = [
            one for size, some in records.get(name, {}).items() if not wanted or size == wanted for one in some
        ]
        count = len(instances)
        if not count:
            continue
        ours = [one.proof("planner") for one in instances]
        others = {
            peer: middle((one.proof(peer) for one in instances), count, seconds)
            for peer in PEERS
            if peer not in (*OURS, "greedy", "local") and any(peer in one.runs for one in instances)
        }
        proved_by = [(float(told), f"{told} s ({peer})") for peer, told in others.items() if told != "–"]
        _, best = min(proved_by, default=(0.0, "–"))
        shares = [share for one in instances if (share := one.share("greedy")) is not None]
        proved = f"{sum(one is not None for one in ours)}/{count}"
        time = middle(ours, count, seconds)
        rows.append([what, proved, f"{time} s", best, percent(median(shares)) if shares else "–"])
    return table(["what", "proved", "planner", "the best other", "greedy"], rows)


def newest(folder: Path) -> list[dict[str, Any]]:
    """Return the newest record of each family, in the order of their names."""
    found: dict[str, dict[str, Any]] = {}
    for file in sorted(folder.glob("*.json")):
        record = json.loads(file.read_text(encoding="utf-8"))
        if "family" in record:
            found[record["family"]] = record
    return [found[name] for name in sorted(found)]


def whole_sides(folder: Path) -> list[dict[str, Any]]:
    """Return the rows of where all units of a side can end, as the newest file of `sides.py` has them, with its date."""
    files = sorted(folder.glob("*-sides.json"))
    record = json.loads(files[-1].read_text(encoding="utf-8")) if files else {"rows": []}
    return [{**row, "what": f"{row['what']} ({record['date']})"} for row in record["rows"]]


def micro(folder: Path) -> list[str]:
    """Return the section of the small measurements, as the newest file of `micro.py` has them."""
    files = sorted(folder.glob("*-micro.json"))
    if not files:
        return []
    record = json.loads(files[-1].read_text(encoding="utf-8"))
    names = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
    lines = [
        "## Small things",
        "",
        f"{record['date']}; {record['machine']}; {names}. Medians of {record['runs']} runs or more, of reach five boards; "
        "of limits and interrupts the worst of one run on each instance.",
        "",
    ]
    measured = [*record["rows"], *whole_sides(folder)]
    rows = [[row["what"], row["measured"], row["bar"], "yes" if row["kept"] else "**no**"] for row in measured]
    about = (
        "Of reach, more than a third is the search, a quarter which ways lead out of a hex, asked of the rules once a game, "
        "a sixth making what is listed. It was 20.6 times the bare Dijkstra on 2026-11-22, and 6 to 7 times while the "
        "collector looked at what was listed when it was done. A Dijkstra that asks the rules for each step pays for "
        "putting together what the step needs, which the search does later, where it matters. Where each hex comes with a "
        "plan, the referee has to accept it: to judge each of these plans once, what they have in common only once, takes "
        "what stands in brackets, on top of the listing itself; what is left goes to plans that are illegal or longer than "
        "need be, to the bounds by which hexes are left out, and to what is told of each. `planner check` takes 23 "
        "to 28 times `python -c pass`, as on 2026-11-22, when that was 0.29 s: half is loading typer, pydantic and the "
        "classes of one rule system, and 0.02 s is judging the moves."
    )
    return [*lines, *table(["what", "measured", "bar", "kept"], rows), about, ""]


def policies(folder: Path) -> list[str]:
    """Return the section of plans that react, as the newest file of `policies.py` has them."""
    files = sorted(folder.glob("*-policies.json"))
    if not files:
        return []
    record = json.loads(files[-1].read_text(encoding="utf-8"))
    names = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
    lines = [
        "## Plans that react",
        "",
        f"{record['date']}; {record['machine']}; {names}; limit {record['limit']:g} s, one worker. " + record["note"],
        "",
        "What the best plan is worth that is fixed in advance (* proved), the best way of playing that was found, and "
        "what none exceeds, tier by tier; the fixed plan is asked for by itself, within the same limit. Where reacting "
        "shows less, it began with the fixed plan that nine tenths of the limit found.",
        "",
    ]

    def told(values: list[str]) -> str:
        return " / ".join(f"{float(Fraction(one)):.4g}" if "/" in one else one for one in values)

    rows = [
        [
            f"`{row['name']}`",
            told(row["fixed"]) + ("*" if row["fixed_proved"] else ""),
            told(row["value"]) or "–",
            "the same, proved" if row["status"] == "optimal" else told(row["bound"]),
            seconds(row["seconds"]),
        ]
        for row in record["rows"]
    ]
    return [*lines, *table(["what", "fixed in advance", "reacting", "bound", "seconds"], rows)]


def positions(folder: Path) -> list[str]:
    """Return the section of positions that are played on, as the newest file of `positions.py` has them."""
    files = sorted(folder.glob("*-positions.json"))
    if not files:
        return []
    record = json.loads(files[-1].read_text(encoding="utf-8"))
    lines = [
        "## Positions that are played on",
        "",
        f"{record['date']}; Python {record['python']}, two cores shared by several; processor time, medians over "
        f"{record['seeds']} random walks: the legal moves of one unit, and a push and a pop of one that has been "
        "listed, of one that hasn't, and of one that has been made there before.",
        "",
        "For scale, python-chess, a library for one game, in Python, too: its author measured some 280,000 positions a "
        "second when counting sequences (its issue 173, 2017, on a machine of his own), so that one costs 4 µs, listing "
        "included. A unit here goes several hexes, by other terrain and past other enemies at each, and every move that is "
        "listed has been played by the referee, here or in another position of the phase in which all that it looks at is "
        "the same: of the list of a unit only those moves are judged again for which something may have changed, and steps "
        "are listed anew only near that. A move that has neither been listed nor made near there before takes more: "
        "each step costs the referee some 0.1 ms. Who pushes such moves in many positions of a phase pays that in "
        "the first: in others, as long as they look the same for the unit, they mostly take 30 to 80 µs.",
        "",
    ]

    rows = [
        [
            f"`{row['name']}`",
            f"{row['moves']:.0f}",
            f"{row['list_ms']:.3g}",
            f"{row['new_us']:.3g}" if row["new_us"] else "–",
            f"{row['unlisted_us']:.3g}" if row["unlisted_us"] else "–",
            f"{row['known_us']:.2g}" if row["known_us"] else "–",
        ]
        for row in record["rows"]
    ]
    return [*lines, *table(["scenario", "moves", "list, ms", "push and pop, µs", "unlisted, µs", "known, µs"], rows)]


def second(folder: Path) -> list[str]:
    """Return the section of second questions, as the newest file of `second.py` has them."""
    files = sorted(folder.glob("*-second.json"))
    if not files:
        return []
    record = json.loads(files[-1].read_text(encoding="utf-8"))
    lines = [
        "## Second questions",
        "",
        f"{record['date']}; Python {record['python']}; processor time, medians over {record['seeds']} seeds of each board "
        "(dense 20 and 80, villages 20, crowded 20), six changes of each, and fifty positions of a game. What units can do "
        "is kept by place for scenarios that are made of one another, and of a model what no objective changes. No answer "
        "depends on what was asked before: the former plan doesn't serve another question as a start, since of plans that "
        "are worth the same another one might then be found. Where the very same is asked again, of the same position with "
        "the same seed, what was proved is the answer: its plan is played by the referee again, and nothing is searched. "
        "Searched again, as it was until 2026-11-26, it took 0.41 of the first. It is so, too, where only enemies have "
        "changed, and nothing near any place where a friend stands or might come (0.54 of the first until 2026-11-27).",
        "",
    ]
    rows = [[row["what"], row["measured"], row["bar"], "yes" if row["kept"] else "**no**"] for row in record["rows"]]
    heads = ["board", "first answer", "another objective", "three units changed", f"of the first answer of {BEFORE}"]
    return [
        *lines,
        *table(["what", "measured", "bar", "kept"], rows),
        "Where first answers get faster, a second one is a larger share of them. In milliseconds of the processor, "
        f"medians, and what share of the first answer of the program of {BEFORE}, when these bars were set, an answer about "
        "three changed units takes, measured at the same time on the other core (0.26 over all):",
        "",
        *table(heads, [_answers(one) for one in record["boards"]]),
        *_parts(record["boards"]),
        "So a third of the first answer is beyond reach where solving the model takes most of it: what CP-SAT, replays and "
        "reading leave of a third is less than what it takes to list what has changed and to write the model. CP-SAT takes "
        "as long whatever its parameters, or longer (more than twenty were tried one by one); with the variables in another "
        "order, that a unit stays before what else it does, it takes a fifth less among villages, and up to twice the work "
        "on other boards. OR-Tools' interface takes some 2 microseconds for a variable or a constraint, however it is "
        "written, and 1 for each of many variables that are added at once. Of the constraints three (dense 20) to eight "
        "(dense 80) in ten are about units that can do what they could, and would be the same but for the numbers of their "
        "variables. These follow from all that is written before, since a model must be the same to the byte whatever was "
        "asked before, so that hardly anything can be left in place; and if all of it were there at once, two of the four "
        "boards would still take more than half of the first answer. On fronts it is listing: whoever has moved, and who "
        "might come within two hexes of an enemy who has, are listed anew, half of "
        "the units. The steps near whoever has moved are others indeed in 98 cases of 100, two thirds of the labels "
        "don't lead through there, and keeping those would save 4 ms of 58. Of the steps that are listed anew a quarter is "
        "the same, since neither of their hexes is beside what has changed: keeping these saves 1 ms of 48. Of the "
        "labels that tell how far units reach in general two fifths are set again, since others turn out to be able to "
        "move: going on from those that are there instead saves 0.4 ms (dense 20) to 1.4 ms (dense 80). "
        "Of the units listed anew a fifth to a quarter (fronts, villages) or half (crowded) can do exactly what they could, "
        "but what was looked at for them is seldom the same: on fronts for none of 373, since some step has another ZOC at "
        "its end, where most of them have no MP left to go on; among villages for 1 of 68, on crowded boards for 50 of 142. "
        "Whatever told them apart, and cost nothing, would save 1 to 3 % of an answer. "
        "Nearly all of these models hang together as one "
        "piece, so that no part could be proved by itself. An old proof is no proof of the new position either: of 120 such "
        "changes 112 move somebody whose phase it is, and in 115 units lose ways and gain others, so that the old bound "
        "holds neither from above nor from below; in 4 they only gain or only lose some, and in 1 nothing near has changed. "
        "The old plan is legal after 40, and is the answer after 17.",
        "",
    ]


def _parts(boards: list[dict[str, Any]]) -> list[str]:
    """Return the table of what answers are made of; nothing if that wasn't recorded."""
    if not all("parts" in board for board in boards):
        return []
    rows = [["in all", *(f"{1000 * board['first']:.0f} → {1000 * board['changed']:.0f}" for board in boards)]]
    rows.append(["what would be a third", *(f"{1000 * board['first'] / 3:.0f}" for board in boards)])
    for part in boards[0]["parts"]["first"]:
        own = [[f"{1000 * board['parts'][what][part]:.1f}" for what in ("first", "changed")] for board in boards]
        rows.append([part, *(" → ".join(pair) for pair in own)])
    same = [f"{board['same_plan']} of {board['changes']}" for board in boards]
    rows.append(["answers that are the first plan", *same])
    if all("unchanged" in board for board in boards):
        kept = [board["unchanged"]["constraints"] for board in boards]
        rows.append(
            ["of the model, about units that can do what they could", *(f"{100 * share:.0f} %" for share in kept)]
        )
        least = [
            board["changed"] - share * board["parts"]["changed"]["writing the model"]
            for board, share in zip(boards, kept, strict=True)
        ]
        rows.append(
            [
                "in all, if that were there at once, and of the first answer",
                *(f"{1000 * rest:.0f}, {rest / board['first']:.2f}" for board, rest in zip(boards, least, strict=True)),
            ]
        )
    return [
        "What is in the way of three units changed: what the first answer and those after the change are made of, each "
        "moment counted for the innermost part, in milliseconds, medians:",
        "",
        *table(["", *(board["board"] for board in boards)], rows),
    ]


def _answers(board: dict[str, Any]) -> list[str]:
    """Return a row of what answers about a board take."""
    took = [f"{1000 * board[what]:.0f}" for what in ("first", "objective", "changed")]
    return [board["board"], *took, f"{OF_BEFORE[board['board']]:.2f}"]


def asked_next(folder: Path) -> list[list[str]]:
    """Return the rows that are asked of the planner next and measured by themselves, kept or not."""
    files = sorted(folder.glob("*-second.json"))
    record = json.loads(files[-1].read_text(encoding="utf-8")) if files else {"rows": []}
    why = "**no**: [what its parts take](#second-questions)"
    rows = [[row["what"], row["measured"], row["bar"], "yes" if row["kept"] else why] for row in record["rows"]]
    files = sorted(folder.glob("*-micro.json"))
    small = json.loads(files[-1].read_text(encoding="utf-8"))["rows"] if files else []
    why = "**no**: [what it takes](#small-things)"
    some = [row for row in small if row["what"].startswith(("reach of", "`planner check`"))] + whole_sides(folder)
    return rows + [[row["what"], row["measured"], row["bar"], "yes" if row["kept"] else why] for row in some]


def main() -> None:
    """Read the results and write the page."""
    parser = argparse.ArgumentParser(description="Writes docs/benchmarks.md from the recorded results.")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--output", type=Path, default=DOCS)
    arguments = parser.parse_args()
    lines = HEAD.read_text(encoding="utf-8").rstrip("\n").split("\n")
    lines += ["", *table(["peer", "what it is"], [[f"`{name}`", peer.what] for name, peer in PEERS.items()])]
    records = newest(arguments.results)
    at = lines.index(GLANCE)
    lines[at : at + 1] = glance({record["family"]: grouped(record) for record in records})[:-1]
    at = lines.index(OPEN)
    lines[at : at + 1] = table(
        ["what", "measured", "bar", "kept, or what is in the way"],
        [*section({record["family"]: grouped(record) for record in records}, NEXT), *asked_next(arguments.results)],
    )[:-1]
    lines += ["## Bars", "", "From the records below, medians; those of small things have a table of their own.", ""]
    rows = section({record["family"]: grouped(record) for record in records})
    lines += table(["what", "measured", "bar", "kept, or what is in the way"], rows)
    lines += [*REASONS.split("\n"), ""]
    lines += [
        *second(arguments.results),
        *micro(arguments.results),
        *policies(arguments.results),
        *positions(arguments.results),
    ]
    for record in records:
        lines += family(record)
    lines += TAIL.read_text(encoding="utf-8").split("\n")
    arguments.output.write_text("\n".join(lines).rstrip("\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
