"""What moves: arrows, and where rules are broken."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from planner.draw import arrows, attack_arrows, signs
from planner.draw.frames import Frame
from planner.draw.geometry import Point
from planner.draw.layer import Layer
from planner.draw.markup import Element, add, points
from planner.draw.palette import GOOD, ILLEGAL, INK
from planner.plans.plan import Move


class MovesLayer(Layer):
    """What moves: arrows, and where rules are broken."""

    def draw_moves(self, parent: Element) -> None:
        """Draw the arrows of moves."""
        moves = [frame.move for frame in self.frames if frame.move is not None]
        drawn = False
        for index, frame in enumerate(self.frames):
            if frame.move is None:
                continue
            start = index if self.sheet.every else 0
            end = frame.until or len(self.frames)
            group = self.sheet.timed(parent, start, end, class_="move", data_move=str(index))
            if group is not None:
                drawn = True
                arrows.draw_move(group, frame, self._route(frame, frame.move, self._asides(index)))
        if drawn:
            self.sheet.note("Moves", "Move, by its number; the MP spent so far", signs.arrow)
            if any(move.overruns for move in moves):
                word = self.game.rulebook.encounter.capitalize()
                self.sheet.note("Moves", f"{word}; the MP spent so far", signs.overrun)
            if any(move.carried for move in moves):
                self.sheet.note("Moves", "Aboard a carrier", lambda g: signs.line(g, INK, 2.6, "7 4"))
        if any(frame.violations for frame in self.frames):
            self.sheet.note("Moves", "Illegal, with the paragraph", lambda g: signs.line(g, ILLEGAL, 3.4, None))

    def draw_attacks(self, parent: Element) -> None:
        """Draw the attacks of the frames that have any; a page shows them in these frames alone."""
        where, drawn = self.sheet.where, False
        # The odds stand at a corner of the hex, where no arrow comes in: at its top, or to its right.
        aside = Point(-14, -27) if self.layout.pointy else Point(19, 0)
        for index, frame in enumerate(self.frames):
            group = self.sheet.timed(parent, index, index + 1) if frame.attacks and self.sheet.every else parent
            if not frame.attacks or group is None:
                continue
            drawn = True
            faulty = {violation.attack for violation in frame.late}
            for place, told in frame.attacks:
                homes = {frame.position.at[unit] for unit in told.attack.attackers}
                pairs = [(self.board.adjacent(home, to), home, to) for home in homes for to in told.attack.hexes]
                lines = [(where[home], where[to], not beside) for beside, home, to in sorted(pairs)]
                marks = [where[to].plus(aside) for to in told.attack.hexes]
                attack_arrows.draw_attack(add(group, "g", data_attack=str(place)), told, lines, marks, place in faulty)
        if drawn:
            self.sheet.note("Moves", "Attack, with its odds; dashed: from afar", attack_arrows.sign)

    def _asides(self, index: int) -> list[float]:
        """Return how far aside each step of a move lies, given all arrows that are ever seen with it."""
        frames, chain = self.frames, [index]
        while chain[0]:
            chain.insert(0, frames[chain[0]].before)
        end = frames[index].until or len(frames)
        later = index + 1
        while later < end and frames[later].before == later - 1:  # as long as nothing has been rolled
            chain.append(later)
            later += 1
        moves = {one: move for one in chain if (move := frames[one].move) is not None}
        aside = arrows.lanes([*moves.values()])
        place = [*moves].index(index)
        return [aside[place, step] for step in range(1, len(moves[index].path))]

    def _route(self, frame: Frame, move: Move, asides: Sequence[float]) -> arrows.ArrowRoute:
        """Return where the arrow of a move runs: in boxes to the place of its unit, in hexes round the counters."""
        sheet, before, after, last = self.sheet, self.frames[frame.before], frame, len(move.path) - 1
        centres = [
            sheet.panels.spot(label, move.units[0], before if step == 0 else after if step == last else None)
            or sheet.where[label]
            for step, label in enumerate(move.path)
        ]
        seen, seen_then = (before, after) if sheet.every else (self.frames[sheet.shown], self.frames[sheet.shown])
        crowded = frozenset(
            step
            for step, label in enumerate(move.path[:-1])
            if step and any(unit not in move.units for unit in seen.position.units_in(label))
        )
        occupied = seen_then.position.units_in(move.path[-1]) or sheet.markers(seen_then, move.path[-1])
        return arrows.ArrowRoute(centres, asides, crowded, arrows.END if occupied else 4.0)

    def draw_violations(self, parent: Element) -> None:
        """Mark the hexes where rules are broken, and those of which something is noted."""
        found: dict[tuple[str, int], list[tuple[str, str]]] = {}
        for number, frame in enumerate(self.frames):
            for violation in frame.violations:
                label = violation.at if violation.at in self.sheet.where else ""
                if not label and frame.move is not None:
                    label = frame.move.path[violation.step or 0]
                if label in self.sheet.where:
                    those = found.setdefault((label, number if self.sheet.every else 0), [])
                    those.append((violation.rule, f"{violation.rule}: {violation.message}"))
        for (label, number), those in found.items():
            if not self.sheet.every:
                self._draw_violation(add(parent, "g", data_violation=label), label, those)
            elif (group := self.sheet.timed(parent, number, number + 1, data_violation=label)) is not None:
                self._draw_violation(group, label, those)
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
            self.sheet.note("Moves", "What speaks against it", lambda g: signs.line(g, ILLEGAL, 3.4, None))
        if True in kinds:
            self.sheet.note("Moves", "Would do as well", partial(signs.badge, text="\N{CHECK MARK}", colour=GOOD))

    def _draw_violation(
        self, parent: Element, label: str, those: Sequence[tuple[str, str]], good: bool = False
    ) -> None:
        corners = points(self.layout.corners) if label in self.layout.centres else ""
        free = label not in self.sheet.occupied
        arrows.draw_violations(parent, self.sheet.where[label], those, corners, good, free)
