"""Explanations as text: what players read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from planner.cli.console import Console, console_for_answers
from planner.cli.text_output import BAD, GOOD, OPEN, Written, spoken_attack
from planner.explanation.answer import Explanation, Instance, Remedy
from planner.explanation.nearest import NearestPlan
from planner.explanation.unnamed import NONE_HELPS, NOT_KNOWN, Unnamed
from planner.plans.plan import Plan

if TYPE_CHECKING:
    from planner.explanation.attack_odds import OddsOfAttack

OF_THE_QUESTION = frozenset({"limit", "enough"})
"""Kinds of changes by which less is asked: they are all that would do, and hide no others."""

MOST_UNPAID = 6
"""Of so many units, beside the first, it is told by their names at most that they can't pay for their ways."""


def print_explanation(found: Explanation) -> None:
    """Print what forbids something, and what would make it possible."""
    console = console_for_answers()
    colour = {"possible": GOOD, "unknown": OPEN}.get(found.status, BAD)
    console.print(f"{_asked(found)} {_status(found)} ({found.seconds:.2f} s)", style=colour)
    listed = found.status in ("possible", "with_help") and found.kind not in ("moves", "attack")
    if listed and found.plan is not None:
        if not found.plan.lines:
            console.print("  Nobody moves.")
        for index, line in enumerate(found.plan.lines, 1):
            console.print(f"  {index}.  {line}", soft_wrap=True)
    if found.odds is not None and found.status == "possible":
        _print_odds(console, found.odds)
    _print_chances(console, found)
    for heading, lines in _reasons(found):
        console.print(heading)
        for line in lines:
            console.print(f"  {line}")
    if found.attempt is not None:
        moves = "; ".join(map(str, found.attempt.moves))
        console.print(f"What stands in the way of one try, {moves}:", soft_wrap=True)
        for instance in found.obstacles:
            blame = f" [{', '.join(instance.blame)}]" if instance.blame else ""
            console.print(f"  {instance}{blame}")
    had = "certain" if _left_to_dice(found) else "possible"
    own = [remedy for remedy in found.remedies if remedy.own]
    _print_own(console, found, own, had, found.plan if listed else None)
    _print_changes(console, found, had)
    if found.due:
        after = "it" if found.status == "possible" else "the first of these" if own[1:] else "that"
        console.print(
            f"Who else must attack, or be attacked, is left aside here; after {after}, {'; '.join(found.due)}."
        )
    if found.interrupted:
        console.print("It was stopped before everything was settled.")
    elif not found.complete:
        # That it isn't known whether it can be had has been said.
        left = [] if found.status == "unknown" else [f"Left open: {'; '.join(found.left_open)}."]
        console.print(" ".join([*left, *_may_settle(found)]))


def _print_chances(console: Console, found: Explanation) -> None:
    """Print how dice may bring it about."""
    for chance in found.chances:
        who = "with others" if chance.helped else "by itself"
        best = f", {'no plan' if chance.helped else 'no way of its own'} is likelier" if chance.best else ""
        console.print(f"It may get there {who}{best}: {chance}", soft_wrap=True)
        for one in (*chance.raises, *chance.joining):
            console.print(f"  {one}", soft_wrap=True)
    if found.reacting is not None:
        way = f"Whoever waits for each result may get it there (suggest --adaptive): {found.reacting}"
        console.print(way, soft_wrap=True)
    if not found.chances_known and found.status == "forbidden":
        console.print("Whether it may get there if rolls go well isn't known.")


def _print_own(console: Console, found: Explanation, own: list[Remedy], had: str, listed: Plan | None) -> None:
    """Print what the side can do itself, or that there is nothing; the plan that has been listed isn't told again."""
    if own:
        console.print(f"What the side can do itself{_fewest(own)}:")
        told = found.odds.told if found.odds is not None else ()
        for remedy, attack in zip_longest(own, told):
            how = "" if remedy.plan == listed else f": {'; '.join(remedy.plan.lines)}"
            console.print(f"  {remedy}{how}", soft_wrap=True)
            if attack is not None:
                console.print(f"    {spoken_attack(attack)}", soft_wrap=True)
        _print_unnamed(console, found.beside_own)
    elif found.status == "forbidden" and found.kind not in ("goal", "value"):  # of which everybody was asked anyway
        # Who could join a fight would change the moves themselves: of that it is no proof.
        fights = found.kind == "moves" and found.plan is not None and any(move.overruns for move in found.plan.moves)
        how = "legal as it is written" if fights else had
        console.print(f"Nothing that other units do makes it {how}: proved.")
    elif found.status == "unknown":
        does = "is sure of it" if had == "certain" else "does it"
        what = f"moves of other units make it {had}" if found.reasons else f"any plan {does}"
        console.print(f"Whether {what} is not known: neither a way nor a proof that there is none was found.")


def _print_changes(console: Console, found: Explanation, had: str) -> None:
    """Print what would have to be different, or what is known of that."""
    others = [remedy for remedy in found.remedies if not remedy.own]
    if others:
        console.print(f"It would be {had}{_fewest(others)}:")
        for remedy in others:
            how = f": {'; '.join(remedy.plan.lines)}" if remedy.moves else ""
            console.print(f"  {remedy}{how}", soft_wrap=bool(how))
        if any(change.kind not in OF_THE_QUESTION for remedy in others for change in remedy.changes):
            _print_unnamed(console, found.beside_changes)
    elif found.status == "forbidden" and found.beside_changes == NONE_HELPS:
        pass  # what forbids it says so
    elif found.status == "forbidden" and found.beside_changes.none and (found.units or found.hexes):
        console.print(f"None of the changes that were tried, to what is named above, makes it {had}.")
    elif found.status == "forbidden" and found.kind != "attack" and found.beside_changes == NOT_KNOWN:
        console.print(f"No change is known that would make it {had}; that there is none isn't proved.")


def _reasons(found: Explanation) -> Iterator[tuple[str, list[str]]]:
    """Yield what forbids it, under headings: reasons that are one sentence each, of which each is enough, share one."""
    told = dict[tuple[str, str, tuple[str, ...]], dict[str, None]]()
    said = set[tuple[tuple[str, ...], bool]]()
    for reason in found.reasons:
        lines = tuple(dict.fromkeys(_lines(reason.instances)))  # what binds two units may be one sentence about both
        if (lines, reason.before_attacks) in said:
            continue  # of another step into the same hex
        said.add((lines, reason.before_attacks))
        doubt = "" if reason.minimal else " (that all of it is needed isn't proved)"
        doubt += "" if reason.confirmed else " (that it is enough isn't confirmed)"
        alone = "Without help" if found.kind == "destination" and found.status == "with_help" else "Forbidden"
        if reason.before_attacks:
            alone = "Before attacks were declared it was forbidden, too"
        together = lines if len(lines) != 1 else ()
        told.setdefault((alone if lines else "", doubt, together), {}).update(dict.fromkeys(lines))
    headed = [alone for alone, _, _ in told]
    for number, ((alone, doubt, together), each) in enumerate(told.items()):
        if alone:
            several = headed.count(alone) > 1  # what stands under each heading is enough by itself
            one = ", by each of these alone" if len(each) > 1 else ", by this alone" if several else ""
            how = ", by these together" if together else one
            how += ", too" if several and alone in headed[:number] else ""
            yield f"{alone}{how}{doubt}:", list(each)
        else:
            why = ": no steps lead there" if found.kind == "destination" else ""
            yield f"Even if nothing were forbidden and nothing cost MP, no plan would do it{why}.", []


def _may_settle(found: Explanation) -> Iterator[str]:
    """Yield what may settle what was left open: more time only where some work was cut short by the clock."""
    if found.supported_only:
        return
    if found.kind == "moves" and found.status == "unknown" and not found.reasons:
        yield "Their rolls have more outcomes than are gone through; fewer rolls may settle it."
    elif found.hurried:
        yield "More time (--time-limit), or fewer units, may settle it."
    else:
        yield "It isn't for want of time; fewer units may settle it."


def _lines(instances: Iterable[Instance]) -> Iterator[str]:
    """Yield what rule instances say; units that are kept out of a hex by the same rule and enemies share a line.

    What names none of them, but the enemy, is said once; so is what is the same of several units, or hexes. So is that many
    can't pay for their ways to a hex.
    """
    alike: dict[object, list[Instance]] = {}
    for number, one in enumerate(instances):
        alike.setdefault(_same(one) or _unpaid(one) or number, []).append(one)
    for first, *others in (each for group in alike.values() for each in _parted(group)):
        unpaid = _unpaid(first)
        if unpaid is not None:
            nor = _nor(first, others, unpaid[1])
            yield from [f"{first}{nor}"] if nor else map(str, [first, *others])
            continue
        place = f"move {first.move + 1}: " if first.move is not None else ""
        hexes: dict[str | None, list[str]] = {}  # by unit
        for one in others:
            if _words(one) != _words(first) or one.hex != first.hex:
                hexes.setdefault(one.unit, []).append(one.hex or "")
        units = [_likewise(first, unit, labels) for unit, labels in hexes.items()]
        likewise = f"; likewise {', '.join(units[:-1])}{' and ' if units[1:] else ''}{units[-1]}" if units else ""
        blame = f" [{', '.join(first.blame)}]" if first.blame else ""
        yield f"{place}{replace(first, message=_words(first))}{likewise}{blame}"


def _parted(group: list[Instance]) -> Iterator[list[Instance]]:
    """Yield those that share a line, the plainest first; whom its words name, and who has others, stands in another."""
    while group:
        first = group[0]
        for one in group if first.blame else ():  # of others, the words are the same
            words, plainest = _template(one), _template(first)
            if words != plainest and words == plainest[: len(words)]:
                first = one
        named = {one.unit for one in group if _words(one) != _words(first)}.intersection(_template(first))
        yield [first, *(one for one in group if one is not first and one.unit not in named)]
        group = [one for one in group if one is not first and one.unit in named]


def _template(one: Instance) -> tuple[object, ...]:
    """Return what an instance says, with a number for its unit, as no word can be one."""
    return tuple({one.unit: 0}.get(word, word) for word in re.findall(r"[\w.-]*\w|[^\w\s]", _words(one)))


def _words(one: Instance) -> str:
    """Return what an instance says, without for whom it is said once more."""
    return one.message.removesuffix(f", for {one.unit} too")


def _same(one: Instance) -> object:
    """Return what rule instances have in common that share a line; None: it shares none."""
    if one.unit is None or one.move is not None or (one.hex is None and one.claim.kind != "rule"):
        return None
    if one.blame:
        return one.rule, one.paragraph, one.hex, one.blame, one.claim.amounts  # what is counted is told of each
    # Numbers stand for what is named, as no word can be one.
    words = [{one.unit: 0, one.hex: 1}.get(word, word) for word in re.split(r"([\w.-]+)", _words(one))]
    # Of other hexes it is said behind it, with whose they are: that is known where the words name the unit, or the hex.
    hexes = one.hex is not None if {0, 1}.intersection(words) else one.hex
    return one.rule, one.paragraph, hexes, tuple(words)


def _unpaid(one: Instance) -> tuple[str, str] | None:
    """Return the paragraph of an instance that says that a unit can't pay for a way, and which way; None: it doesn't.

    The way is told by its end, and by the enemies it leads over: the way without these may be cheaper.
    """
    said = re.match(rf"{re.escape(one.unit or '')} can't pay for [^:]* with ", one.message)
    ways = [move.part(one.unit) for move in one.claim.plan.moves if one.unit is not None and one.unit in move.units]
    if one.move is not None or one.blame or said is None or not ways:
        return None
    over = [ways[0].path[step] for step in sorted(ways[0].overruns) if step < len(ways[0].path) - 1]
    led = f"over {' and '.join(over)} " if over else ""
    return one.paragraph, f"{led}to {ways[0].end}"


def _nor(first: Instance, others: Iterable[Instance], way: str) -> str:
    """Return of whom else it is said that it can't pay for its way to a hex."""
    units = [unit for unit in dict.fromkeys(one.unit or "" for one in others) if unit != first.unit]
    if len(units) > MOST_UNPAID:
        return f"; nor can {len(units)} others pay for theirs {way}"
    return f"; nor can {', '.join(units[:-1])} and {units[-1]} pay for theirs {way}" if units[1:] else ""


def _likewise(first: Instance, unit: str | None, labels: list[str]) -> str:
    """Return of whom the same is said as of the first, and of which hexes where it isn't the same."""
    there = "" if labels == [first.hex or ""] else f"in {', '.join(dict.fromkeys(labels))}"
    return there or f"for {unit}" if unit == first.unit or not there else f"for {unit} {there}"


def _print_unnamed(console: Console, beside: Unnamed) -> None:
    """Say what else would do that is as cheap."""
    if beside.more:
        console.print(f"  and {beside.more} more {'that is' if beside.more == 1 else 'that are'} as cheap")
    elif beside.tried and not beside.none:
        console.print("  Others that are as cheap may do as well.")


def _print_odds(console: Console, odds: OddsOfAttack) -> None:
    """Print what an attack that can be made comes to, and what would raise its odds."""
    for one in odds.told:
        console.print(f"  {spoken_attack(one)}", soft_wrap=True)
    if odds.lacking is None:
        return
    blame = f" [{', '.join(odds.lacking.blame)}]" if odds.lacking.blame else ""
    console.print("Better odds:")
    console.print(f"  {odds.lacking}{blame}")
    for remedy in odds.raising:
        console.print(f"  {remedy}: {'; '.join(remedy.plan.lines)}", soft_wrap=True)
    if not odds.raising:
        settled = "nothing that the side does brings it there: proved"
        console.print(f"  {settled if odds.settled else 'whether the side can bring it there is not known'}")


def print_nearest(found: NearestPlan, write: Written) -> None:
    """Print the legal plan that is nearest to an illegal one."""
    console = console_for_answers()
    count = f"{found.moves} {'move' if found.moves == 1 else 'moves'} and {found.steps} "
    count += f"{'step' if found.steps == 1 else 'steps'} changed"
    sure = "proved nearest" if found.proved else "no fewer moves will do" if found.fewest_moves else "best so far"
    console.print(f"Nearest legal plan ({count}; {sure}):")
    if not found.plan.moves:
        console.print("  Nobody moves.")
    for index, move in enumerate(found.plan.moves, 1):
        console.print(f"  {index}.  {write(move)}", soft_wrap=True)


def _asked(found: Explanation) -> str:
    return f"{found.question}:"


def _left_to_dice(found: Explanation) -> bool:
    """Return whether it can't be had for certain, or not without help, but may come about, as far as is known."""
    if found.status == "with_help":  # where the time ran out for chances, a reason that is rolled leaves them open
        rolled = any(one.claim.kind == "by_chance" for reason in found.reasons for one in reason.instances)
        return found.kind == "destination" and (rolled or any(not chance.helped for chance in found.chances))
    may = bool(found.chances) or found.reacting is not None
    return (may and found.status == "unknown") or (found.status == "forbidden" and (may or not found.chances_known))


def _status(found: Explanation) -> str:
    if _left_to_dice(found):
        unsure = {"forbidden": "not for certain, proved.", "unknown": "possible; whether for certain is unknown."}
        return unsure.get(found.status, "certain with help only.")
    if found.kind == "attack":
        return "possible." if found.status == "possible" else "not as it stands."
    return {
        "possible": "legal." if found.kind == "moves" else "possible.",
        "with_help": "illegal as written." if found.kind == "moves" else "possible with help only.",
        "forbidden": "illegal." if found.kind == "moves" else "impossible, proved.",
        "unknown": "illegal as written." if found.kind == "moves" and found.reasons else "unknown.",
    }[found.status]


def _fewest(remedies: list[Remedy]) -> str:
    return "" if all(remedy.fewest for remedy in remedies) else " (fewer may do)"
