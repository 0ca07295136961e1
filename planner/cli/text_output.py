"""Answers as text: what players read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from planner.errors import ReaderGoneError
from planner.formats.mp import format_mp
from planner.printable import printable
from planner.referee.played_moves import fate, not_at_once, spoken_probability
from planner.referee.verdict import PlayedMove, Verdict, Violation
from planner.rules.rulebook import Rulebook
from planner.scenario import Scenario
from planner.search.result import Progress, Result

if TYPE_CHECKING:
    from planner.search.reach_report import Reachable, ReachReport

WIDTH_OF_FILES = 200
MOST_OPEN = 40
"""Hexes of which something isn't known are named up to so many; more are counted."""
SIGNS = {"enforced": "enforced", "not_modelled": "not modelled", "open": "open"}


class _Terminal(Console):
    def render_str(self, text: str, **how: Any) -> Text:
        """Take a text from wherever it is; what a file holds must not steer the terminal."""
        return super().render_str(printable(text), **how)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Do the same for what comes with a style of its own, line by line."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text, keep="\n"))

    def on_broken_pipe(self) -> None:
        """Leave it to the command line, which knows its exit codes."""
        raise ReaderGoneError


def console_for_answers() -> Console:
    """Return the console on which answers are printed: names come from files, and mean no markup."""
    console = _Terminal(markup=False, emoji=False, highlight=False)
    if not console.is_terminal:
        console.width = WIDTH_OF_FILES  # rich assumes 80 columns for files and pipes, and would fold paths
    return console


def plain_table(*columns: str) -> Table:
    """Return a table without lines, with a header if columns are named."""
    table = Table(box=None, pad_edge=False, show_header=bool(columns))
    for column in columns:
        table.add_column(Text(column), overflow="fold")
    return table


def _cost(result: PlayedMove) -> str:
    return f"{format_mp(result.mp)} MP" if result.played else "not played"


def _print_failures(console: Console, verdict: Verdict) -> None:
    """Say what becomes of the plan where an overrun may fail."""
    for failure in verdict.failures:
        move = verdict.moves[failure.move].move
        most, may = format_mp(failure.survives), format_mp(failure.possible)
        where = move.path[failure.step]
        console.print(
            f"Move {failure.move + 1}: {may} of support may come to {where}, {most} are survived. If it fails:"
        )
        for index in failure.dropped:
            console.print(f"  not made: {index + 1}. {verdict.moves[index].move}")
        for violation in failure.violations:
            console.print(f"  {violation}")
        if not failure.dropped and not failure.violations:
            console.print("  nothing else changes")


def _print_probability(console: Console, verdict: Verdict) -> None:
    if verdict.outcomes:
        console.print(f"All of it goes through with {spoken_probability(verdict.probability)}; values are averages.")


def print_verdict(verdict: Verdict) -> None:
    """Print a verdict: the moves with their MP, then every violation."""
    console = console_for_answers()
    table = plain_table()
    for index, result in enumerate(verdict.moves):
        wrong = any(violation.move == index for violation in verdict.violations)
        table.add_row(f"{index + 1}.", str(result.move), _cost(result), "illegal" if wrong else fate(result))
    if verdict.moves:
        console.print(table)
    if verdict.legal:
        console.print("Legal.")
        _print_probability(console, verdict)
        _print_failures(console, verdict)
        return
    console.print("Illegal:")
    for violation in verdict.violations:
        console.print(f"  {_place(violation)}{violation}")


def _place(violation: Violation) -> str:
    return "at the end: " if violation.move is None else f"move {violation.move + 1}: "


def print_result(result: Result, scenario: Scenario, headline: bool = True) -> None:
    """Print the answer of a search: what is proved, if asked for, the plan, why it needs its order, and its worth."""
    console = console_for_answers()
    if result.plan is None:
        if result.status == "infeasible":
            how = "proved and confirmed" if result.confirmed else "proved by trying every plan"
            console.print(f"Infeasible, {how} ({result.seconds:.2f} s): no plan fulfils every requirement.")
        else:
            how = "interrupted after" if result.interrupted else "after"
            console.print(f"Unknown ({how} {result.seconds:.2f} s): no plan found, and none ruled out.")
        return
    value = " / ".join(map(str, result.value)) or "none asked for"
    if not headline:
        pass
    elif result.status == "optimal":
        console.print(f"Optimal, proved: no plan is better. Value {value} ({result.seconds:.2f} s)")
    else:
        bound = " / ".join(map(str, result.bound))
        how = "interrupted" if result.interrupted else "best so far"
        console.print(
            f"Not proved ({how}). Value {value}, bound {bound}, "
            f"gap {result.gap:.2%}{_of_tier(result)} ({result.seconds:.2f} s)"
        )
    assert result.verdict is not None
    reasons = not_at_once(scenario.game, scenario.start, result.plan)
    if not result.plan.moves:
        console.print("  Nobody moves.")
    table = plain_table()
    for index, played in enumerate(result.verdict.moves, 1):
        table.add_row(f"  {index}.", str(played.move), _cost(played), fate(played))
    if result.plan.moves:
        console.print(table)
    _print_probability(console, result.verdict)
    _print_failures(console, result.verdict)
    for move, verdict in reasons.items():
        console.print(f"Not at once: {move}")
        for violation in verdict.violations:
            console.print(f"  illegal without the moves before it, {violation}")
    _print_terms(console, result)


def _of_tier(result: Result) -> str:
    """Say which tier it is that isn't proved, where it isn't the first."""
    pairs = enumerate(zip(result.value, result.bound, strict=True), 1)
    index = next((number for number, (value, bound) in pairs if value != bound), 1)
    return f" in tier {index}" if index > 1 else ""


def _print_terms(console: Console, result: Result) -> None:
    if not result.terms:
        return
    table = plain_table("tier", "what", "count", "worth")
    for score in result.terms:
        worth = str(format_mp(score.worth))
        table.add_row(str(score.tier + 1), score.term.describe(), str(format_mp(score.count)), worth)
    console.print(table)


def print_reach(found: ReachReport) -> None:
    """Print what a unit can reach."""
    console = console_for_answers()
    console.print(f"{found.unit} in {found.at}, MA {format_mp(found.ma)}")
    for violation in found.hindrances:
        console.print(f"  can't move now, {violation}")
    if found.alone:
        table = plain_table("hex", "MP", "path", "")
        for entry in found.alone:
            table.add_row(entry.hex, str(format_mp(entry.mp)), str(entry.move).partition(" ")[2], _remarks(entry))
        console.print("By itself now:")
        console.print(table)
    else:
        console.print("By itself now: nowhere" + (" of which it is known yet." if found.open else "."))
    if found.with_help:
        table = plain_table("hex", "MP", "plan", "help", "")
        for entry in found.with_help:
            plan, help_ = ", ".join(map(str, entry.plan.moves)), "; ".join(map(str, entry.help))
            table.add_row(entry.hex, str(format_mp(entry.mp)), plan, help_, _remarks(entry))
        console.print("Only with help:")
        console.print(table)
    if len(found.open) > MOST_OPEN:
        console.print(f"Not known yet of {len(found.open)} hexes; --json lists them.")
    elif found.open:
        console.print(f"Not known yet: {', '.join(found.open)}.")


def _remarks(entry: Reachable) -> str:
    remarks = [] if entry.chance == 1 else [f"with {spoken_probability(entry.chance)}"]
    remarks += [f"carried across {' and '.join(entry.zones)}"] if entry.zones else []
    remarks += [f"overruns {', '.join(entry.overruns)}"] if entry.overruns else []
    for paragraph, blame in entry.stop:
        remarks.append(f"must stop, {paragraph}" + (f" ({', '.join(blame)})" if blame else ""))
    return "; ".join(remarks)


def print_rules(rulebook: Rulebook) -> None:
    """Print every statement of a rulebook with its state, and how many there are of each."""
    console = console_for_answers()
    table = plain_table("id", "paragraph", "statement", "kind of rule", "state")
    counts = dict.fromkeys(SIGNS, 0)
    for statement in rulebook.statements:
        rule = rulebook.by_id.get(statement.rule or "")
        state = SIGNS[statement.state] + (f": {statement.why}" if statement.why else "")
        table.add_row(statement.id, statement.paragraph, statement.text, rule.kind if rule else "", state)
        counts[statement.state] += 1
    console.print(table)
    summary = ", ".join(f"{count} {SIGNS[state]}" for state, count in counts.items())
    console.print(f"{rulebook.title}: {len(rulebook.statements)} statements: {summary}.")


def print_remark(text: str) -> None:
    """Say what a picture says of the whole."""
    console_for_answers().print(text)


def print_written(path: Path) -> None:
    """Say which file has been written."""
    console_for_answers().print(f"Written: {path}")


@contextmanager
def progress_line() -> Iterator[Callable[[Progress], None] | None]:
    """Show a progress line on stderr while a search runs, if that is a terminal."""
    console = Console(stderr=True, markup=False, emoji=False, highlight=False)
    if not console.is_terminal:
        yield None
        return
    with console.status("searching") as status:

        def show(progress: Progress) -> None:
            def number(value: object) -> str:
                return "-" if value is None else str(value)

            share = "-" if progress.gap is None else f"{progress.gap:.2%}"
            status.update(
                f"tier {progress.tier + 1}: value {number(progress.value)}, bound {number(progress.bound)}, "
                f"gap {share}, {progress.seconds:.1f} s"
            )

        yield show
