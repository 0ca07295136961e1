"""What moves: arrows, and where rules are broken."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from planner.draw import arrows, signs
from planner.draw.frames import Frame
from planner.draw.geometry import Point
from planner.draw.layer import Layer
from planner.draw.legend import Entry
from planner.draw.markup import Element, add, points
from planner.draw.palette import GOOD, ILLEGAL, INK


class Movement(Layer):
    """What moves: arrows, and where rules are broken."""

    def draw_moves(self, parent: Element) -> None:
        """Draw the arrows of moves."""
        moves = [frame.move for frame in self.frames if frame.move is not None]
        aside = arrows.lanes(moves)
        drawn = False
        for index, frame in enumerate(self.frames[1:]):
            start = 0 if self.sheet.all_arrows and not self.sheet.every else index + 1
            group = self.sheet.timed(parent, start, len(self.frames), class_="move", data_move=str(index + 1))
            if group is not None:
                drawn = True
                arrows.draw_move(
                    group, index, frame, self._where_of(index), aside, self._crowded(index), self._end(index)
                )
        if drawn:
            self.sheet.note("Moves", Entry("Move, by its number; the MP spent so far", signs.arrow))
            if any(move.overruns for move in moves):
                self.sheet.note("Moves", Entry("Overrun or attack; the MP spent so far", signs.overrun))
            if any(move.carried for move in moves):
                self.sheet.note("Moves", Entry("Aboard a carrier", lambda g: signs.line(g, INK, 2.6, "7 4")))
        if any(frame.violations for frame in self.frames):
            self.sheet.note("Moves", Entry("Illegal, with the paragraph", lambda g: signs.line(g, ILLEGAL, 3.4, None)))

    def _where_of(self, index: int) -> list[Point]:
        """Return the middle of each place of a move's path, in boxes that of the place of its unit."""
        before, frame = self.frames[index], self.frames[index + 1]
        move = frame.move
        assert move is not None
        last = len(move.path) - 1
        return [
            self.sheet.panels.spot(label, move.units[0], before if step == 0 else frame if step == last else None)
            or self.sheet.where[label]
            for step, label in enumerate(move.path)
        ]

    def _crowded(self, index: int) -> frozenset[int]:
        """Return the indices of the hexes of a move's path, but for its ends, in which counters are seen."""
        position, move = self._seen(index).position, self.frames[index + 1].move
        assert move is not None
        return frozenset(
            step
            for step, label in enumerate(move.path[:-1])
            if step and any(unit not in move.units for unit in position.units_in(label))
        )

    def _end(self, index: int) -> float:
        """Return how far from the middle of its last hex an arrow ends: farther where counters are seen."""
        seen, move = self.frames[index + 1 if self.sheet.every else self.sheet.shown], self.frames[index + 1].move
        assert move is not None
        occupied = seen.position.units_in(move.path[-1]) or self.sheet.markers(seen, move.path[-1])
        return arrows.END if occupied else 4.0

    def _seen(self, index: int) -> Frame:
        """Return the position in which a move is seen to be made."""
        return self.frames[index if self.sheet.every else self.sheet.shown]

    def draw_violations(self, parent: Element) -> None:
        """Mark the hexes where rules are broken, and those of which something is noted."""
        found: dict[tuple[str, int], list[tuple[str, str]]] = {}
        for number, frame in enumerate(self.frames):
            for violation in frame.violations:
                label = violation.at if violation.at in self.sheet.where else ""
                if not label and frame.move is not None:
                    label = frame.move.path[violation.step or 0]
                if label in self.sheet.where:
                    found.setdefault((label, number), []).append(
                        (violation.rule, f"{violation.rule}: {violation.message}")
                    )
        together: dict[str, list[tuple[str, str]]] = {}
        for (label, number), those in found.items():
            if not self.sheet.every:
                together.setdefault(label, []).extend(those)
                continue
            group = self.sheet.timed(parent, number, number + 1, data_violation=label)
            if group is not None:
                self._draw_violation(group, label, those)
        for label, those in together.items():
            self._draw_violation(add(parent, "g", data_violation=label), label, those)
        self._draw_notes(parent)

    def _draw_notes(self, parent: Element) -> None:
        """Mark the hexes of which something is noted: all that is noted of one, together."""
        noted: dict[tuple[str, bool], list[tuple[str, str]]] = {}
        for note in self.sheet.notes:
            if note.at in self.sheet.where:
                noted.setdefault((note.at, note.good), []).append((note.tag, note.text))
        for (label, good), those in noted.items():
            self._draw_violation(add(parent, "g", data_note=label), label, those, good)
        kinds = {good for _, good in noted}
        if False in kinds and not any(frame.violations for frame in self.frames):
            self.sheet.note("Moves", Entry("What speaks against it", lambda g: signs.line(g, ILLEGAL, 3.4, None)))
        if True in kinds:
            self.sheet.note(
                "Moves", Entry("Would do as well", partial(signs.badge, text="\N{CHECK MARK}", colour=GOOD))
            )

    def _draw_violation(
        self, parent: Element, label: str, those: Sequence[tuple[str, str]], good: bool = False
    ) -> None:
        arrows.draw_violations(
            parent,
            self.sheet.where[label],
            [rule for rule, _ in those],
            [text for _, text in those],
            points(self.layout.corners) if label in self.layout.centres else "",
            good,
            label not in self.sheet.occupied,
        )
