"""Answers as text: what players read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from planner.cli.console import Console, console_for_answers, maybe_terminal, shown, wide
from planner.formats.spoken_numbers import at_most, spoken_number
from planner.plans.plan import Move
from planner.referee.played_moves import fate, not_at_once, probability_of_all, spoken_probability, told_due
from planner.referee.told_together import listed, of_whom, told_together
from planner.referee.verdict import PlayedMove, Verdict, Violation
from planner.rules.rulebook import Rulebook
from planner.scenario import Scenario

if TYPE_CHECKING:
    from planner.rules.attack_referee import AssessedAttack
    from planner.search.reachable import Reachable, ReachReport
    from planner.search.result import Progress, Result

Written = Callable[[Move], str]
"""How moves are written: whole, so that they can be copied, or as `written` has them."""
GOOD, BAD, OPEN = "green", "red", "yellow"
"""Colours of what is legal or proved, of what isn't, and of what isn't known; none in pipes, or with NO_COLOR."""
MOST_OPEN = 40
"""Hexes of which something isn't known are named up to so many; more are counted."""
SIGNS = {"enforced": "enforced", "not_modelled": "not modelled", "open": "open"}


def written(short: bool) -> Written:
    """Return how moves are to be written."""
    return Move.shortened if short else str


def print_rows(console: Console, rows: Iterable[Sequence[str]], header: Sequence[str] = (), whole: int = 2) -> None:
    """Print rows in columns, or where these don't fit the terminal, one below the other.

    Parameters
    ----------
    console : Console
        Where they go. What isn't a terminal takes them as wide as they are.
    rows : iterable of sequence of str
        The cells of each row.
    header : sequence of str
        The heads of the columns; empty: none.
    whole : int
        How many cells are never broken, so that moves among them can be copied; only the terminal itself wraps them. The
        others go below them where columns don't fit, each with its head.
    """
    lines = [[shown(console, cell) for cell in row] for row in rows]
    heads = [shown(console, head) for head in header]
    titled = [heads, *lines] if heads else lines
    widths = [max(map(wide, column)) for column in zip(*titled, strict=True)]
    fits = not console.is_terminal or sum(widths) + 2 * (len(widths) - 1) <= console.width
    kept = len(widths) if fits else whole
    if not fits:
        widths[kept - 1] = 0  # nothing stands beside it
    for line in titled:
        cells = [cell + " " * (width - wide(cell)) for cell, width in zip(line[:kept], widths, strict=False)]
        console.print("  ".join(cells).rstrip(), soft_wrap=True)
        named = zip(heads[kept:] or [""] * len(line[kept:]), line[kept:], strict=True)
        rest = "; ".join(f"{head}: {cell}" if head else cell for head, cell in named if cell)
        if rest and line is not heads:
            for below in _indented(console, rest):
                console.print(below, soft_wrap=True)


def _indented(console: Console, text: str) -> list[str]:
    """Return a text wrapped between words to the width of the terminal, each line indented; what is longer is left whole."""
    room, blank = max(20, console.width - 1), " " * 6
    return wrap(
        text, room, initial_indent=blank, subsequent_indent=blank, break_long_words=False, break_on_hyphens=False
    )


def _cost(result: PlayedMove) -> str:
    return f"{spoken_number(result.mp)} MP" if result.played else "not played"


def _print_failures(console: Console, verdict: Verdict, write: Written) -> None:
    """Say what becomes of the plan where an overrun may fail."""
    for failure in verdict.failures:
        move = verdict.moves[failure.move].move
        most, may = spoken_number(failure.survives), spoken_number(failure.possible)
        where = move.path[failure.step]
        console.print(
            f"Move {failure.move + 1}: {may} of support may come to {where}, {most} are survived. If it fails:"
        )
        for index in failure.dropped:
            console.print(f"  not made: {index + 1}. {write(verdict.moves[index].move)}", soft_wrap=True)
        for violation in failure.violations:
            console.print(f"  {violation}")
        if not failure.dropped and not failure.violations:
            console.print("  nothing else changes")


def _print_probability(console: Console, verdict: Verdict) -> None:
    if verdict.outcomes:
        console.print(probability_of_all(verdict.probability))


def print_after(scenario: Scenario) -> None:
    """Say what had been made in the phase before the question, on one line; nothing where nothing had."""
    if scenario.done.lines:
        console_for_answers().print(f"After {'; '.join(scenario.done.lines)}:", soft_wrap=True)


def print_verdict(verdict: Verdict, write: Written = str, by_solver: bool = False) -> None:
    """Print a verdict, the solver's or the referee's: the moves with their MP, then every violation.

    `write` says how moves are written.
    """
    console = console_for_answers()
    faulty = {violation.move for violation in verdict.violations}
    print_rows(
        console,
        [
            (f"{index + 1}.", write(one.move), _cost(one), "illegal" if index in faulty else fate(one))
            for index, one in enumerate(verdict.moves)
        ],
    )
    print_attacks(console, verdict)
    if verdict.legal:
        console.print("Legal.", style=GOOD)
        if told := told_due(verdict):
            console.print(f"Nothing is said of attacks: {told}.")
        _print_probability(console, verdict)
        _print_failures(console, verdict, write)
        return
    console.print("Illegal:", style=BAD)
    for violation in told_together(verdict):
        console.print(f"  {_place(violation)}{violation}")
    if not verdict.complete:
        referee = "without --solver, the referee lists everything, unless the plan's rolls have too many outcomes"
        why = referee if by_solver else "the plan's rolls have too many outcomes for all of them to be gone through"
        console.print(f"There may be more that is wrong: {why}.")


def _place(violation: Violation) -> str:
    if violation.attack is not None:
        return f"attack {violation.attack + 1}: "
    return "at the end: " if violation.move is None else f"move {violation.move + 1}: "


def print_attacks(console: Console, verdict: Verdict) -> None:
    """Print what the attacks come to that are declared: odds, chances of results, steps lost on average."""
    known = {told.attack: told for told in verdict.attacks}
    for attack in verdict.declared:
        told = known.get(attack.declared)
        if attack.declared in verdict.barred and (told is None or told.results):
            console.print(f"{attack.declared}  illegal", soft_wrap=True)
        elif told is not None:
            console.print(spoken_attack(told), soft_wrap=True)
    # Where moves may fail, nothing is worked out of the attacks that are left then.
    if (verdict.declared or any(verdict.due)) and any(one.rolls for one in verdict.moves):
        console.print("What is said of attacks holds if all of the moves go through.")


def spoken_attack(told: AssessedAttack) -> str:
    """Return what an attack comes to: odds, chances of results, steps lost on average."""
    own, enemy = (spoken_number(losses.steps) for losses in told.losses)
    return f"{told}{f'; steps lost on average: own {own}, enemy {enemy}' if told.results else ''}"


def print_result(result: Result, scenario: Scenario, headline: bool = True, write: Written = str) -> None:
    """Print the answer of a search: what is proved, if asked for, the plan, why it needs its order, and its worth."""
    from planner.reachability.possible_rolls import may_roll
    from planner.search.result import spoken_gap

    console = console_for_answers()
    fixed = " that is fixed in advance" if may_roll(scenario.game) else ""
    if result.plan is None:
        if result.status == "infeasible":
            told = f"Infeasible, {result.how_ruled_out} ({result.seconds:.2f} s): no plan{fixed} fulfils every requirement."
            console.print(told, style=BAD)
        else:
            how = "interrupted after" if result.interrupted else "after"
            console.print(f"Unknown ({how} {result.seconds:.2f} s): no plan found, and none ruled out.", style=OPEN)
            if result.reason:
                console.print(result.reason)
        return
    value = " / ".join(map(spoken_number, result.value)) or "none asked for"
    if not headline:
        pass
    elif result.status == "optimal":
        console.print(f"Optimal, proved: no plan{fixed} is better. Value {value} ({result.seconds:.2f} s)", style=GOOD)
    else:
        bound = " / ".join(map(at_most, result.bound))
        how = "interrupted" if result.interrupted else "best so far"
        console.print(
            f"Not proved ({how}). Value {value}, bound {bound}, "
            f"gap {spoken_gap(result.value, result.bound)} ({result.seconds:.2f} s)",
            style=OPEN,
        )
        if result.reason:
            console.print(result.reason)
    assert result.verdict is not None
    reasons = not_at_once(scenario.game, scenario.start, result.plan)
    if not result.plan.moves:
        console.print("  Nobody moves.")
    numbered = enumerate(result.verdict.moves, 1)
    print_rows(console, [(f"  {index}.", write(one.move), _cost(one), fate(one)) for index, one in numbered])
    print_attacks(console, result.verdict)
    if told := told_due(result.verdict):
        console.print(f"The objective doesn't look at attacks, and the plan has none: {told}.")
    _print_probability(console, result.verdict)
    _print_failures(console, result.verdict, write)
    for move, verdict in reasons.items():
        console.print(f"Not at once: {write(move)}", soft_wrap=True)
        for violation in told_together(verdict):
            console.print(f"  illegal without the moves before it, {violation}")
    _print_terms(console, result)


def print_reacting(scenario: Scenario, result: Result, worth: Sequence[Fraction] | None) -> None:
    """Say what reacting to what is rolled would bring, beside a plan that is fixed in advance; `worth`: if it is known."""
    from planner.reachability.possible_rolls import may_roll

    if not may_roll(scenario.game) or scenario.asks_for_attacks:
        return
    console = console_for_answers()
    if result.plan is None:
        if result.status == "infeasible":
            console.print("Whether a plan that reacts to what is rolled does is another question: --adaptive.")
    elif worth is None:
        console.print("The plan is fixed in advance. Who reacts to what is rolled may do better: --adaptive.")
    elif tuple(worth) == result.value:
        console.print("The plan is fixed in advance. Who reacts to what is rolled does no better on average, proved.")
    else:
        told = " / ".join(map(spoken_number, worth))
        console.print(f"The plan is fixed in advance. Who reacts to what is rolled gets {told} on average: --adaptive.")


def _print_terms(console: Console, result: Result) -> None:
    if not result.terms:
        return
    rows = [
        (str(one.tier + 1), one.term.describe(), spoken_number(one.count), spoken_number(one.worth))
        for one in result.terms
    ]
    print_rows(console, rows, ("tier", "what", "count", "worth"), whole=1)
    for remark in (remark for one in result.terms for remark in one.remarks):
        console.print(f"  {remark}")


def print_reach_all(found: Sequence[ReachReport], write: Written) -> None:
    """Print what units can reach; at the end, in one line, of those who go nowhere what forbids all of them the same."""
    still = [one for one in found if len(one.hindrances) == 1 and not (one.alone or one.with_help or one.open)]
    alike = [those for those in of_whom(one.hindrances[0] for one in still) if len(those) > 1]
    told = {one.unit for those in alike for one in those}
    for one in found:
        if one.unit not in told:
            print_reach(one, write)
    for first, *others in alike:
        units = listed([one.unit for one in others if one.unit is not None])
        console_for_answers().print(f"Can't move now, {first}; likewise {units}")
    if any(entry.chance < 1 for one in found for entry in (*one.alone, *one.with_help)):
        told_by = "explain looks for the likeliest one, and for ways that wait for what others roll."
        console_for_answers().print(f"Each probability is that of the plan shown; {told_by}")


def print_reach(found: ReachReport, write: Written) -> None:
    """Print what a unit can reach; `write` says how moves are written."""
    console = console_for_answers()
    before = f"; {spoken_number(found.spent)} MP spent before are counted below" if found.spent else ""
    console.print(f"{found.unit} in {found.at}, MA {spoken_number(found.ma)}{before}")
    for violation in found.hindrances:
        console.print(f"  can't move now, {violation}")
    if found.alone:
        console.print("By itself now:")
        rows = [
            (one.hex, spoken_number(one.mp), write(one.move).partition(" ")[2], _remarks(one)) for one in found.alone
        ]
        print_rows(console, rows, ("hex", "MP", "path", ""), whole=3)
    else:
        console.print("By itself now: nowhere" + (" of which it is known yet." if found.open else "."))
    if found.with_help:
        console.print("Only with help:")
        told = [
            (
                one.hex,
                spoken_number(one.mp),
                "; ".join(map(write, one.plan.moves)),
                "; ".join(map(str, one.help)),
                _remarks(one),
            )
            for one in found.with_help
        ]
        print_rows(console, told, ("hex", "MP", "plan", "help", ""), whole=3)
    if len(found.open) > MOST_OPEN:
        console.print(f"Not known yet of {len(found.open)} hexes; --json lists them.")
    elif found.open:
        console.print(f"Not known yet: {', '.join(found.open)}.")


def _remarks(entry: Reachable) -> str:
    remarks = [] if entry.chance == 1 else [f"with {spoken_probability(entry.chance)}"]
    remarks += [f"carried across {' and '.join(entry.zones)}"] if entry.zones else []
    remarks += [entry.losses] if entry.losses else []
    for paragraph, blame in entry.stop:
        remarks.append(f"must stop, {paragraph}" + (f" ({', '.join(blame)})" if blame else ""))
    return "; ".join(remarks)


def print_rules(rulebook: Rulebook) -> None:
    """Print every statement of a rulebook with its state, and how many there are of each; without any, its rules."""
    console = console_for_answers()
    if not rulebook.statements:
        kinds = ", ".join(dict.fromkeys(rule.kind for rule in rulebook.rules))
        console.print(
            f"{rulebook.title}: no statements.toml says what the printed rules say. "
            f"{len(rulebook.rules)} rule{'s' * (len(rulebook.rules) > 1)} in rulebook.toml: {kinds}."
        )
        return
    rows = []
    counts = dict.fromkeys(SIGNS, 0)
    for statement in rulebook.statements:
        rule = rulebook.by_id.get(statement.rule or "")
        state = SIGNS[statement.state] + (f": {statement.why}" if statement.why else "")
        rows.append((statement.id, statement.paragraph, statement.text, rule.kind if rule else "", state))
        counts[statement.state] += 1
    print_rows(console, rows, ("id", "paragraph", "statement", "kind of rule", "state"))
    summary = ", ".join(f"{count} {SIGNS[state]}" for state, count in counts.items())
    console.print(f"{rulebook.title}: {len(rulebook.statements)} statements: {summary}.")


def print_remark(text: str) -> None:
    """Say something of the whole."""
    console_for_answers().print(text)


def print_written(path: Path) -> None:
    """Say which file has been written."""
    console_for_answers().print(f"Written: {path}")


@contextmanager
def progress_line() -> Iterator[Callable[[Progress], None] | None]:
    """Show a progress line on stderr while a search runs, if that is a terminal."""
    if not maybe_terminal(sys.stderr):
        yield None
        return
    import rich.console

    from planner.search.result import spoken_gap

    console = rich.console.Console(stderr=True, markup=False, emoji=False, highlight=False)
    if not console.is_terminal:
        yield None
        return
    with console.status("searching") as status:

        def show(progress: Progress) -> None:
            value = "-" if progress.value is None else spoken_number(progress.value)
            bound = "-" if progress.bound is None else at_most(progress.bound)
            known = None if progress.value is None or progress.bound is None else (progress.value, progress.bound)
            gap = "-" if known is None else spoken_gap(known[:1], known[1:])
            status.update(
                f"tier {progress.tier + 1}: value {value}, bound {bound}, gap {gap}, {progress.seconds:.1f} s"
            )

        yield show
