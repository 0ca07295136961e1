"""A picture of a position, a plan, or what a unit reaches: as SVG, PNG, or a page to step through."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from planner.draw.frames import Frame, frames
from planner.draw.legend import COLUMN, TEXT, Entry, Heading, Item, set_columns
from planner.draw.markup import FONTS, Element, add, at, number, shortened, text_of, width_of
from planner.draw.notes import Note
from planner.draw.palette import INK, PAPER
from planner.draw.sheet import Sheet
from planner.errors import InputError, Problem
from planner.referee.told_together import told_together

if TYPE_CHECKING:
    from planner.plans.plan import Move, Plan
    from planner.referee.verdict import Verdict
    from planner.scenario import Scenario
    from planner.search.reachable import ReachReport

MARGIN = 18.0
LEAST_ROOM = 560.0
"""How high the columns beside a small map may be, in pixels."""
MOST_ENLARGED = 3.0
"""Title and legend of a large map are enlarged, that they can be read when all of it is seen; so many times at most."""
MOST_ZOOM, ZOOMED = 2.0, 700.0
"""A map that is lower than its legend is enlarged: so many times, and until it is so many pixels wide, at most."""
MOST_REMARKS = 10
"""So many remarks are written beside a map at most."""
LONGEST_REMARK = 1_400.0
"""So long is one of them at most, in pixels: half a dozen lines."""
FORMATS = (".svg", ".png", ".html")
MOST_REASONS = 60
"""Plans of more moves aren't asked which of them could come first: that takes the square of their number."""

_numbers = itertools.count(1)


def style_sheet(root: str) -> str:
    """Return the style of a picture whose root has the id; it touches nothing else in a page."""
    rules = {
        "text": f"font-family:{FONTS}",
        ".labels text": "font-size:7.6px;text-anchor:middle;fill:#3f3a2c;paint-order:stroke;stroke:#fffdf6;stroke-width:2px;"
        "stroke-opacity:.75",
        ".area": "font-weight:bold;font-style:italic;text-anchor:middle;opacity:.72;paint-order:stroke;stroke:#fffdf6;"
        "stroke-width:2.4px;letter-spacing:1px",
        ".mp": "font-size:7px;font-weight:bold;text-anchor:middle",
        ".tag": "font-size:8px;font-weight:bold;text-anchor:middle",
        ".quiet,.ezocs": "pointer-events:none",
        ".off": "display:none",
    }
    return "".join(
        f"{','.join(f'#{root} {part}' for part in selector.split(','))}{{{rule}}}" for selector, rule in rules.items()
    )


def _zoom(width: float, height: float, legend: float) -> float:
    """Return how many times a map is enlarged, lest the legend be more than what it explains."""
    return max(1.0, min(MOST_ZOOM, legend / height, ZOOMED / width))


def format_of(path: Path) -> str:
    """Return the format that a file's name asks for, as one of `FORMATS`.

    Raises
    ------
    InputError
        If it asks for none of them.
    """
    kind = path.suffix.lower()
    if kind not in FORMATS:
        raise InputError([Problem(f"the name of a picture must end with {', '.join(FORMATS)}", str(path))])
    return kind


class Picture:
    """A picture of a position, of a plan, or of what a unit reaches.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan, optional
        Moves to show.
    verdict : Verdict, optional
        What is wrong with the plan; absent: the referee is asked.
    reach : ReachReport, optional
        What a unit reaches.
    notes : sequence of Note
        What else is to be said of hexes.
    remarks : sequence of str
        What is to be said of the whole, a sentence each: pages have it above the map, pictures in the legend.

    Attributes
    ----------
    after : int
        SVG and PNG show the position after so many moves of the plan, and the arrows of all; pages begin with it.
    """

    def __init__(
        self,
        scenario: Scenario,
        plan: Plan | None = None,
        *,
        verdict: Verdict | None = None,
        reach: ReachReport | None = None,
        notes: Sequence[Note] = (),
        remarks: Sequence[str] = (),
    ) -> None:
        self.scenario, self.plan, self.reach, self.notes = scenario, plan, reach, tuple(notes)
        self.remarks, self._verdict, self.after = tuple(remarks), verdict, 0

    def step_to(self, after: int) -> Picture:
        """Show the position after so many moves of the plan.

        Raises
        ------
        InputError
            If the plan has fewer moves.
        """
        moves = len(self.plan.moves) if self.plan is not None else 0
        if not isinstance(after, int) or not 0 <= after <= moves:
            raise InputError([Problem(f"the number of moves played must be from 0 to {moves}, not {after}", "--step")])
        self.after = after
        return self

    @cached_property
    def verdict(self) -> Verdict | None:
        """What the referee says of the plan; None without a plan."""
        if self._verdict is not None or self.plan is None:
            return self._verdict
        from planner.referee.referee import Referee

        return Referee(self.scenario.game).play(self.plan, self.scenario.start)

    @cached_property
    def frames(self) -> list[Frame]:
        """The position at the start, and after each move."""
        return frames(self.scenario, self.plan, self.verdict)

    @property
    def notes_at_the_end(self) -> tuple[Note, ...]:
        """What is said of hexes: the notes given, and what is wrong with the position after the last move."""
        verdict = self.verdict
        late = verdict.violations if verdict is not None else ()
        return (*self.notes, *(Note(v.at, v.rule or "illegal", str(v)) for v in late if v.move is None))

    @cached_property
    def said(self) -> tuple[str, ...]:
        """What is to be said of the whole: the remarks given, and what the plan or the reach shows of itself."""
        return tuple(dict.fromkeys([*self._of_phase(), *self.remarks, *self._of_reach(), *self._of_plan()]))

    def _of_phase(self) -> Iterator[str]:
        if self.scenario.done.lines:
            yield f"After {'; '.join(self.scenario.done.lines)}."

    def _of_reach(self) -> Iterator[str]:
        if self.reach is None:
            return
        unit = self.reach.unit
        for violation in self.reach.hindrances:
            yield f"{unit} can't move now: {violation}."
        if number := len(self.reach.open):
            hexes, them = ("hex", "it") if number == 1 else ("hexes", "them")
            yield f"Of {number} {hexes} it isn't known whether {unit} reaches {them}, or whether by itself."
        elif not self.reach.alone and not self.reach.with_help:
            yield f"{unit} reaches nothing."

    def _of_plan(self) -> Iterator[str]:
        verdict = self.verdict
        if verdict is None or self.plan is None or not self.plan.lines:
            return
        yield from map(str, verdict.attacks)
        if verdict.outcomes:
            from planner.referee.played_moves import spoken_probability

            chance = verdict.probability
            yield (
                f"All of it goes through with {spoken_probability(chance)}; the moves are shown as they go then."
                if chance
                else "Not all of it can go through; the moves are shown as if rolls went as well as they can."
            )
        if not verdict.legal:
            count = len(verdict.violations)
            yield f"Illegal: {count} violation{'s' if count > 1 else ''}."

    def _in_the_legend(self) -> list[Item]:
        """Return what a picture without a page around it has to say in words."""
        said = [*self.said]
        if self.verdict is not None:
            said += map(str, told_together(self.verdict))
        said += [note.text for note in self.notes if not note.good]  # the others can be read on the map
        texts = [shortened(text, TEXT, LONGEST_REMARK) for text in dict.fromkeys(said)]
        more = len(texts) - MOST_REMARKS
        if more > 0:
            texts = [*texts[:MOST_REMARKS], f"and {more} more"]
        return [Heading("Remarks"), *(Entry(text) for text in texts)] if texts else []

    @cached_property
    def reasons(self) -> dict[Move, Verdict]:
        """The moves of a legal plan that need others before them, with what would be wrong otherwise."""
        from planner.referee.played_moves import not_at_once

        verdict = self.verdict
        if self.plan is None or verdict is None or not verdict.legal or len(self.plan.moves) > MOST_REASONS:
            return {}
        return not_at_once(self.scenario.game, self.scenario.start, self.plan)

    @property
    def steps_through(self) -> bool:
        """Whether a page has anything to step through."""
        return self.plan is not None and bool(self.plan.moves)

    # -- a page

    def html(self) -> str:
        """Return the picture as a page to step through: one file that needs nothing from a network."""
        from planner.draw.page import page

        return page(self)

    # -- PNG

    def png(self) -> bytes:
        """Return the picture as PNG.

        Raises
        ------
        InputError
            If the extra ``png`` isn't installed, or there is no font to write with.
        """
        from planner.draw.png import png

        return png(self.svg())

    # -- files and notebooks

    def save(self, path: str | Path) -> None:
        """Write the picture to a file, in the format that its name ends with.

        Raises
        ------
        InputError
            If that is none of `FORMATS`, or the file can't be written.
        """
        from planner.formats.files import write_bytes, write_text

        path = Path(path)
        kind = format_of(path)
        if kind == ".png":
            write_bytes(path, self.png())
        else:
            write_text(path, self.html() if kind == ".html" else self.svg())

    def _repr_svg_(self) -> str:
        """Show a picture in a notebook; its ids differ from those of every other there."""
        return self.svg(f"p{next(_numbers)}")

    def _repr_html_(self) -> str | None:
        """Show a plan in a notebook as a page of its own, which can do nothing to the notebook; a position has none."""
        if not self.steps_through:
            return None
        from markupsafe import escape

        page = escape(self.html())
        return f'<iframe sandbox="allow-scripts" width="100%" height="640" style="border:0" srcdoc="{page}"></iframe>'

    # -- SVG

    def svg(self, prefix: str = "p") -> str:
        """Return the picture as SVG, with title and legend.

        Parameters
        ----------
        prefix : str
            With what the ids in it begin.
        """
        sheet = Sheet(self.scenario, self.frames, self.after, False, prefix, self.reach, self.notes_at_the_end)
        large = min(MOST_ENLARGED, max(1.0, sheet.layout.height / 1100))
        root, top = self._root(prefix), MARGIN + 46.0 * large
        right = self._head(root, large)
        sheet.define(add(root, "defs"))
        board = add(root, "g", transform=at(MARGIN, top))
        widest, lowest = sheet.layout.width, sheet.layout.height

        def panels(parent: Element) -> None:
            nonlocal widest, lowest
            room = max(sheet.layout.height, LEAST_ROOM)
            if items := sheet.panels.items():
                widest, bottom = set_columns(parent, items, sheet.layout.width + 26, room)
                lowest = max(lowest, bottom)
            sheet.where.update(sheet.panels.middles())

        sheet.draw(board, panels)
        items = [*self._in_the_legend(), *sheet.legend_items()]
        zoom = _zoom(widest, lowest, sum(item.height for item in items))
        board.set("transform", at(MARGIN, top, zoom))
        widest, lowest = widest * zoom, lowest * zoom
        if sheet.layout.width > max(2.2 * sheet.layout.height, 800) and not sheet.panels.items():
            # A broad map has its legend below it.
            x, y = MARGIN, top + sheet.layout.height + 18
            columns = max(1, int((sheet.layout.width / large + 20) // (COLUMN + 20)))
            room = sum(item.height for item in items) / columns + 40
        else:
            x, y = MARGIN + widest + 26, top
            room = max(lowest, LEAST_ROOM) / large
        edge, foot = set_columns(add(root, "g", transform=at(x, y, large)), items, 0, room)
        right = max(right, x + edge * large, MARGIN + widest)
        self._close(root, right + MARGIN, max(y + foot * large, top + lowest) + MARGIN)
        return text_of(root) + "\n"

    @property
    def title(self) -> str:
        """What the picture is called."""
        return self.scenario.title or Path(self.scenario.where).stem

    @property
    def subtitle(self) -> str:
        """Game, phase and side, and what is shown."""
        game = self.scenario.game
        situation, forces = game.situation, game.rulebook.forces
        parts = [game.rulebook.title, forces.phases[situation.phase].name or situation.phase]
        parts.append(f"{forces.sides[situation.phasing]} to move")
        parts += [f"turn {situation.turn}"] if situation.turn is not None else []
        if self.reach is not None:
            parts.append(f"what {self.reach.unit} reaches")
        if self.plan is not None and self.plan.lines:
            verdict = self.verdict
            count, attacks = len(self.plan.moves), len(self.plan.attacks or ())
            told = [f"{count} {'move' if count == 1 else 'moves'}"] if count or not attacks else []
            told += [f"{attacks} {'attack' if attacks == 1 else 'attacks'}"] if attacks else []
            parts.append(f"{' and '.join(told)}, {'legal' if verdict is None or verdict.legal else 'illegal'}")
            if self.after:
                parts.append(f"after move {self.after}")
        return " \N{MIDDLE DOT} ".join(parts)

    def _root(self, prefix: str) -> Element:
        root = add(None, "svg", xmlns="http://www.w3.org/2000/svg", id=prefix, role="img")
        root.set("aria-labelledby", f"{prefix}-title {prefix}-desc")
        add(root, "title", self.title, id=f"{prefix}-title")
        add(root, "desc", self.description, id=f"{prefix}-desc")
        add(root, "style", style_sheet(prefix))
        return root

    @property
    def description(self) -> str:
        """The picture in words, for those who don't see it."""
        game = self.scenario.game
        position = self.frames[self.after].position
        by_side = dict.fromkeys(game.rulebook.forces.sides, 0)
        for unit in position.at:
            by_side[game.units[unit].side] += 1
        units = ", ".join(
            f"{count} units of {game.rulebook.forces.sides[side]}" for side, count in by_side.items() if count
        )
        moves = f" Moves: {'; '.join(self.plan.lines)}." if self.plan is not None and self.plan.lines else ""
        return f"{self.subtitle}. {len(game.board.hexes)} hexes; {units or 'no units'}.{moves}"

    def _head(self, root: Element, large: float) -> float:
        """Write title and subtitle, and return where they end."""
        add(root, "rect", width="100%", height="100%", fill=PAPER)
        group = add(root, "g", transform=at(MARGIN, MARGIN, large))
        add(group, "text", self.title, y=16, font_size=19, font_weight="bold", fill=INK)
        add(group, "text", self.subtitle, y=33, font_size=10.5, fill="#4d4636")
        return MARGIN + large * max(width_of(self.title, 19), width_of(self.subtitle, 10.5))

    @staticmethod
    def _close(root: Element, width: float, height: float) -> None:
        root.set("viewBox", f"0 0 {number(width)} {number(height)}")
        root.set("width", number(width))
        root.set("height", number(height))
