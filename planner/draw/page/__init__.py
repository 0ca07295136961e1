"""A page to step through a plan: one file that needs nothing from a network.

Its script and its style are allowed by their hashes alone (Content-Security-Policy), so that nothing else on it can run,
whatever a scenario is called; and Jinja2 escapes every name. What goes in as it is, was made by ElementTree, or is our own.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from planner.draw import counters
from planner.draw.frames import Frame, spans
from planner.draw.legend import COLUMN, Entry, Heading, Item, set_columns
from planner.draw.markup import Element, add, clean, number, text_of
from planner.draw.palette import GROUND
from planner.draw.picture import MARGIN, Picture, style_sheet
from planner.draw.policy_frames import ShownSituation
from planner.draw.policy_picture import PolicyPicture
from planner.draw.sheet import Sheet
from planner.formats.probability import spoken_percent
from planner.formats.spoken_numbers import at_most, spoken_number
from planner.plans.plan import Plan
from planner.referee.played_moves import fate
from planner.referee.told_together import told_together

if TYPE_CHECKING:
    from jinja2 import Template

    from planner.draw.notes import Note

HERE = Path(__file__).parent
PREFIX = "p"
SCRIPTS = ("view.js", "reading.js", "steps.js", "page.js")
"""The parts of the script, each of which uses those before it; the first two are modules of the board, too."""
BROAD = 1.4
"""Paper lies across for a map so many times as broad as high: the title is above it, and the legend below."""
MOST_STEPS_ON_PAPER = 40
"""Of a plan with more steps than that, paper has the moves alone, so that they fit on one sheet."""


@dataclass(frozen=True)
class StepRow:
    """A step as the page lists it."""

    origin: str
    to: str
    mp: str
    total: str
    remarks: tuple[tuple[str, str], ...]
    """Sentences, each with the paragraph that it rests on, or nothing."""


@dataclass(frozen=True)
class MoveRow:
    """A move as the page lists it."""

    frame: int
    number: int
    text: str
    mp: str
    fate: str
    wrong: tuple[tuple[str, str], ...]
    steps: tuple[StepRow, ...]
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class ResultRow:
    """A result of a roll as the page offers it; without a frame, what comes of it isn't on the page."""

    frame: int | None
    text: str
    chance: str
    worth: str
    made: str


@dataclass(frozen=True)
class SituationRow:
    """A situation of a plan that reacts as the page shows it, from a frame until another."""

    number: int
    start: int
    end: int
    came: str
    way: tuple[tuple[int, str], ...]
    likely: str
    worth: str
    moves: tuple[MoveRow, ...]
    attacks: tuple[str, ...]
    rolled: str
    results: tuple[ResultRow, ...]
    still_rolls: bool
    """Whether something is rolled that changes nothing of what is done."""


@dataclass(frozen=True)
class UnitRow:
    """A unit as the page lists it: where it is, from a frame until another."""

    id: str
    text: str
    where: tuple[tuple[str, int, int], ...]


@cache
def _template() -> Template:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("page.html.jinja")


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


def script() -> str:
    """Return the page's script, whose names are its own."""
    parts = "\n".join((HERE / name).read_text(encoding="utf-8").replace("\nexport ", "\n") for name in SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}}})();\n'


def page(picture: Picture) -> str:
    """Return a picture as a page."""
    from markupsafe import Markup

    notes = picture.notes_at_the_end
    sheet = Sheet(picture.scenario, picture.frames, picture.after, True, PREFIX, picture.reach, notes)
    board, (width, height) = _board(picture, sheet)
    legend = sheet.legend_items()
    paper = f"@page {{ size: {'landscape' if width > BROAD * height else 'portrait'}; margin: 10mm }}\n"
    parts = [paper, *((HERE / name).read_text(encoding="utf-8") for name in ("page.css", "paper.css"))]
    style = "".join([*parts, style_sheet(PREFIX), style_sheet(f"{PREFIX}-legend")])
    dark = (HERE / "dark.css").read_text(encoding="utf-8")
    verdict = picture.verdict
    late = () if verdict is None else tuple((v.rule, v.message) for v in verdict.violations if v.move is None)
    policy = picture if isinstance(picture, PolicyPicture) else None
    situations = [] if policy is None else [_situation_row(policy, one) for one in policy.situations]
    moves = (
        [] if situations else [_move_row(picture, index, frame) for index, frame in enumerate(picture.frames) if index]
    )
    return _template().render(
        title=clean(picture.title),
        subtitle=clean(picture.subtitle),
        remarks=[clean(text) for text in picture.said],
        notes=[(clean(note.at), clean(_told(note))) for note in picture.notes],
        board=Markup(board),
        prefix=PREFIX,
        legend=legend_of(legend),
        legend_open=sum(item.height for item in legend) * COLUMN <= width * height,
        moves=moves,
        situations=situations,
        back=" ".join(map(str, policy.tree.back())) if policy is not None else "",
        steps_on_paper=sum(len(move.steps) for move in moves) <= MOST_STEPS_ON_PAPER,
        late=[(clean(rule), clean(message)) for rule, message in late],
        units=_units(picture),
        paragraphs=_paragraphs(picture),
        shown=picture.after,
        last=len(picture.frames) - 1,
        script=Markup(script()),
        style=Markup(style),
        dark=Markup(dark),
        script_hash=_hash(script()),
        style_hash=_hash(style),
        dark_hash=_hash(dark),
        legal=verdict is None or verdict.legal,
        has_plan=picture.plan is not None,
    )


def _told(note: Note) -> str:
    """Return a note with its tag, once."""
    return note.text if note.tag in note.text else f"{note.tag}: {note.text}"


def _board(picture: Picture, sheet: Sheet) -> tuple[str, tuple[float, float]]:
    """Return the map with its boxes, and how large it is."""
    root, size = draw_board(picture, sheet)
    return text_of(root), size


def draw_board(picture: Picture, sheet: Sheet) -> tuple[Element, tuple[float, float]]:
    """Draw the map with its boxes for a page: what is defined, the ground, the layers in a group, and a ring.

    Parameters
    ----------
    picture : Picture
        What is drawn.
    sheet : Sheet
        Its sheet, with every frame.

    Returns
    -------
    Element
        The SVG.
    tuple of float
        How wide and high it is, without the margin, in pixels.
    """
    root = add(
        None, "svg", xmlns="http://www.w3.org/2000/svg", id=PREFIX, role="img", data_counter=number(counters.SIZE)
    )
    root.set("aria-label", clean(picture.description))
    sheet.define(add(root, "defs"))
    right, bottom = sheet.layout.width, sheet.layout.height
    paper = add(root, "rect", fill=GROUND, class_="ground")
    board = add(root, "g")

    def panels(parent: object) -> None:
        nonlocal right, bottom
        if items := sheet.panels.items():
            right, lowest = set_columns(board, items, sheet.layout.width + 26, max(sheet.layout.height, 560.0))
            bottom = max(bottom, lowest)
        sheet.where.update(sheet.panels.middles())

    sheet.draw(board, panels)
    add(root, "circle", id=f"{PREFIX}-ring", class_="ring off", r=30)
    width, height = number(right + 2 * MARGIN), number(bottom + 2 * MARGIN)
    for part in (paper, sheet.dusk):
        for name, value in (("x", number(-MARGIN)), ("y", number(-MARGIN)), ("width", width), ("height", height)):
            part.set(name, value)
    root.set("viewBox", f"{-MARGIN:g} {-MARGIN:g} {width} {height}")
    return root, (right, bottom)


def legend_of(items: Iterable[Item]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the parts of the legend: a heading, and signs with their texts."""
    from markupsafe import Markup

    parts: list[tuple[str, list[tuple[str, str]]]] = []
    for item in items:
        if isinstance(item, Heading):
            parts.append((clean(item.text), []))
        elif isinstance(item, Entry):
            sign = ""
            if item.draw is not None:
                drawn = add(
                    None, "svg", xmlns="http://www.w3.org/2000/svg", viewBox="-18 -12.5 36 25", aria_hidden="true"
                )
                item.draw(drawn)
                sign = text_of(drawn)
            parts[-1][1].append((Markup(sign), clean(item.text)))
    return parts


def _situation_row(picture: PolicyPicture, here: ShownSituation) -> SituationRow:
    """Return a situation as the page shows it."""
    frames = picture.frames
    came = here.way[-1][1] if here.way else ""
    moves = tuple(_move_row(picture, index, frames[index]) for index in range(here.start + 1, here.end))
    results = tuple(
        ResultRow(
            one.frame,
            clean(one.text[:1].upper() + one.text[1:]),
            _chance(one.chance),
            _worth(one.value),
            "; ".join(clean(text) for text in (*_made(here, picture.scenario.done), str(one.made))),
        )
        for one in here.outcomes
    )
    way = tuple((frame, clean(text)) for frame, text in here.way)
    worth, likely = _worth(here.node.value), _chance(here.likely) if here.way else ""
    if worth:
        worth += f", {_bound(picture, here)}"
    own = frames[here.start + 1 : here.end]
    still = not results and any(frame.played is not None and frame.played.rolls for frame in own)
    attacks = tuple(clean(str(told)) for _, told in frames[here.end - 1].attacks)
    still = still or (bool(attacks) and not results)
    return SituationRow(
        here.number, here.start, here.end, clean(came), way, likely, worth, moves, attacks, clean(here.rolled), results,
        still,
    )  # fmt: skip


def _made(here: ShownSituation, known: Plan) -> list[str]:
    """Return what has been made before a situation's roll is known, as ``--after`` takes it."""
    done, node = here.now.done, here.node
    moves = node.moves if node.attacks else node.moves[:-1]
    return [
        str(one) for one in (*done.moves[len(known.moves) :], *moves, *(done.attacks or ())[len(known.attacks or ()) :])
    ]


def _bound(picture: PolicyPicture, here: ShownSituation) -> str:
    """Say what more might be had in a situation."""
    if here.node.proved:
        return "proved: nothing is worth more from here on"
    if not here.way and picture.bound:
        return f"at most {' / '.join(map(at_most, picture.bound))}: not proved best"
    return "not proved best"


def _worth(value: Iterable[Fraction]) -> str:
    return " / ".join(map(spoken_number, value))


def _chance(chance: Fraction) -> str:
    return f"{chance} ({spoken_percent(chance)})"


def _move_row(picture: Picture, index: int, frame: Frame) -> MoveRow:
    move, played = frame.move, frame.played
    assert move is not None
    assert played is not None
    steps = []
    combat = picture.scenario.game.rulebook.encounter == "combat"
    word, best = (
        ("eliminates", " at best" if any(roll.chance < 1 for roll in played.rolls) else "")
        if combat
        else ("overruns", "")
    )
    for step in frame.steps:
        remarks = [(f"{word} {', '.join(step.removed)}{best}", "")] if step.removed else []
        remarks += [(f"must stop: {stop.reason}", stop.paragraph) for stop in step.stops]
        if step.paragraph:
            remarks.insert(0, ("", step.paragraph))
        if step.index in dict(move.carried):
            by = dict(move.carried)[step.index]
            remarks.append((f"carried{f' by {by}' if by else ''}", ""))
        cleaned = tuple((clean(text), clean(paragraph)) for text, paragraph in remarks)
        steps.append(StepRow(step.origin, step.to, spoken_number(step.mp), spoken_number(step.total), cleaned))
    verdict = picture.verdict
    violations = told_together(verdict, index - 1) if verdict is not None else ()
    wrong = tuple((clean(one.rule), clean(one.message)) for one in violations)
    reasons = picture.reasons.get(move)
    needs = tuple(clean(str(violation)) for violation in told_together(reasons)) if reasons is not None else ()
    mp = f"{spoken_number(played.mp)} MP" if played.played else "not played"
    return MoveRow(
        index, frame.number, clean(str(move)), mp, "" if wrong else clean(fate(played)), wrong, tuple(steps), needs
    )


def _units(picture: Picture) -> list[UnitRow]:
    """Return where each unit is, frame by frame."""
    game = picture.scenario.game
    forces = game.rulebook.forces
    states = [
        {**{unit: f"{box} (off the map)" for unit, box in f.position.boxes.items()}, **f.position.at}
        for f in picture.frames
    ]
    where: dict[str, list[tuple[str, int, int]]] = {}
    for called, label, start, end in spans(states):
        if called in game.units:
            where.setdefault(called, []).append((clean(label), start, end))
    rows = []
    for side in sorted(forces.sides, key=lambda name: name != game.situation.phasing):
        for unit in game.units.values():
            if unit.side == side and unit.id in where:
                text = counters.describe(unit, forces, counters.conditions_of(unit, forces))
                rows.append(
                    UnitRow(
                        unit.id,
                        clean(text.partition(": ")[2] or text),
                        tuple(sorted(where[unit.id], key=lambda w: w[1])),
                    )
                )
    return rows


def _paragraphs(picture: Picture) -> dict[str, str]:
    """Return what each paragraph is about, in the words of its kind of rule."""
    found: dict[str, str] = {}
    for rule in picture.scenario.game.rulebook.rules:
        found.setdefault(clean(rule.paragraph), clean(type(rule).summary))
    return found
