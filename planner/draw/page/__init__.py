"""A page to step through a plan: one file that needs nothing from a network.

Its script and its style are allowed by their hashes alone (Content-Security-Policy), so that nothing else on it can run,
whatever a scenario is called; and Jinja2 escapes every name. What goes in as it is, was made by ElementTree, or is our own.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from planner.draw import counters
from planner.draw.frames import Frame, spans
from planner.draw.legend import set_columns
from planner.draw.markup import add, clean, number, text_of
from planner.draw.picture import MARGIN, Picture, style_sheet
from planner.draw.sheet import Sheet
from planner.formats.mp import format_mp
from planner.referee.played_moves import fate

if TYPE_CHECKING:
    from jinja2 import Template

    from planner.draw.notes import Note

HERE = Path(__file__).parent
PREFIX = "p"


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

    number: int
    text: str
    mp: str
    fate: str
    wrong: tuple[tuple[str, str], ...]
    steps: tuple[StepRow, ...]
    needs: tuple[str, ...] = ()


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


def page(picture: Picture) -> str:
    """Return a picture as a page."""
    from markupsafe import Markup

    notes = picture.notes_at_the_end
    sheet = Sheet(picture.scenario, picture.frames, picture.after, True, PREFIX, picture.reach, notes)
    board, legend = _svgs(picture, sheet)
    script = (HERE / "page.js").read_text(encoding="utf-8")
    style = (HERE / "page.css").read_text(encoding="utf-8") + style_sheet(PREFIX) + style_sheet(f"{PREFIX}-legend")
    verdict = picture.verdict
    late = () if verdict is None else tuple((v.rule, v.message) for v in verdict.violations if v.move is None)
    return _template().render(
        title=clean(picture.title),
        subtitle=clean(picture.subtitle),
        remarks=[clean(text) for text in picture.said],
        notes=[(clean(note.at), clean(_told(note))) for note in picture.notes],
        board=Markup(board),
        legend=Markup(legend),
        moves=[_move_row(picture, index, frame) for index, frame in enumerate(picture.frames[1:])],
        late=[(clean(rule), clean(message)) for rule, message in late],
        units=_units(picture),
        paragraphs=_paragraphs(picture),
        shown=picture.after,
        last=len(picture.frames) - 1,
        script=Markup(script),
        style=Markup(style),
        script_hash=_hash(script),
        style_hash=_hash(style),
        legal=verdict is None or verdict.legal,
        has_plan=picture.plan is not None,
    )


def _told(note: Note) -> str:
    """Return a note with its tag, once."""
    return note.text if note.tag in note.text else f"{note.tag}: {note.text}"


def _svgs(picture: Picture, sheet: Sheet) -> tuple[str, str]:
    """Return the map with its boxes, and the legend."""
    root = add(None, "svg", xmlns="http://www.w3.org/2000/svg", id=PREFIX, role="img")
    root.set("aria-label", clean(picture.description))
    sheet.define(add(root, "defs"))
    right, bottom = sheet.layout.width, sheet.layout.height
    board = add(root, "g")

    def panels(parent: object) -> None:
        nonlocal right, bottom
        if items := sheet.panels.items():
            right, lowest = set_columns(board, items, sheet.layout.width + 26, 0, max(sheet.layout.height, 560.0))
            bottom = max(bottom, lowest)
        sheet.where.update(sheet.panels.middles())

    sheet.draw(board, panels)
    add(root, "circle", id=f"{PREFIX}-ring", class_="ring off", r=30)
    root.set("viewBox", f"{-MARGIN:g} {-MARGIN:g} {number(right + 2 * MARGIN)} {number(bottom + 2 * MARGIN)}")
    legend = add(None, "svg", xmlns="http://www.w3.org/2000/svg", id=f"{PREFIX}-legend", role="img")
    legend.set("aria-label", "Legend")
    width, height = set_columns(legend, sheet.legend_items(), 4, 0, 1e9)
    legend.set("viewBox", f"0 0 {number(width + 4)} {number(height + 4)}")
    legend.set("width", number(width + 4))
    return text_of(root), text_of(legend)


def _move_row(picture: Picture, index: int, frame: Frame) -> MoveRow:
    move, played = frame.move, frame.played
    assert move is not None
    assert played is not None
    steps = []
    for step in frame.steps:
        remarks = [(f"overruns {', '.join(step.removed)}", "")] if step.removed else []
        remarks += [(f"must stop: {stop.reason}", stop.paragraph) for stop in step.stops]
        if step.paragraph:
            remarks.insert(0, ("", step.paragraph))
        if step.index in dict(move.carried):
            by = dict(move.carried)[step.index]
            remarks.append((f"carried{f' by {by}' if by else ''}", ""))
        cleaned = tuple((clean(text), clean(paragraph)) for text, paragraph in remarks)
        steps.append(StepRow(step.origin, step.to, str(format_mp(step.mp)), str(format_mp(step.total)), cleaned))
    wrong = tuple((clean(violation.rule), clean(violation.message)) for violation in frame.violations)
    reasons = picture.reasons.get(move)
    needs = tuple(clean(str(violation)) for violation in reasons.violations) if reasons is not None else ()
    mp = f"{format_mp(played.mp)} MP" if played.played else "not played"
    return MoveRow(index + 1, clean(str(move)), mp, "" if wrong else clean(fate(played)), wrong, tuple(steps), needs)


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
