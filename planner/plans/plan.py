"""Moves and plans, as players write them; `planner.plans.plan_file` reads them as JSON, to the same thing.

A move is written ``plv w5525-w5425xw5426``: the units (``inf+tank`` for several), the hex in which they start, then every
hex entered, after ``-`` for a plain step, after ``x`` for an overrun and after ``~`` where a carrier takes them there, by
sea for instance, whose marker may be named: ``inf e3515~e2611(convoy)``. An off-map box stands in brackets:
``inf w5411-[eastern_box]``. In games in which stacks move, ``/`` names those who are dropped in a hex: ``t1+t2+t3
a0101-a0102/t1-a0103/t2-a0104``; and an overrun that may have to be tried again is written with a number:
``a+b a0101-a0102xa0103*2`` is tried twice at most. Units that support an overrun stand in brackets: ``a a0101xa0102(wing)``.
``!`` before the last hex says that the overrun of it has failed: ``a a0101!a0102``; after the last hex, that the unit has
bogged down there: ``tank E4-E5!``. Where entering a hex is a combat, ``=`` says which damage has been drawn, to attackers
and defenders: ``a+b 0404x0405=0:1``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from planner.errors import InputError, Problem
from planner.formats.ids import BOX_ID, HEX_LABEL, UNIT_ID
from planner.notebook import Shown
from planner.plans.attack_text import NO_ATTACKS, NO_OTHERS, is_attack, is_no_attack, odds_beside, parse_attack
from planner.plans.example import ANY_EXAMPLE, Example
from planner.plans.lines import COMPLETED, ensured, game_of, lines_of
from planner.plans.typing_variants import typing_variants
from planner.plans.unit_names import with_ids
from planner.world.declared_attack import DeclaredAttack

if TYPE_CHECKING:
    from planner.plans.plan_data import MoveData, PlanData
    from planner.rules.game import Game
    from planner.world.position import Position

PLACE = rf"(?:{HEX_LABEL}|\[\s*{BOX_ID}\s*\])"
UNITS = rf"{UNIT_ID}(?:\s*\+\s*{UNIT_ID})*"
_STEP = re.compile(
    rf"\s*([-x~!])\s*({PLACE})(?:\s*\(\s*({UNITS})\s*\))?(?:\s*\*\s*(\d))?(?:\s*/\s*({UNITS}))?", re.ASCII
)
_HEX = re.compile(HEX_LABEL, re.ASCII)
_SOME_STEP = (
    rf"\s*(?:-\s*{PLACE}|[x!]\s*{PLACE}(?:\s*\(\s*{UNITS}\s*\))?(?:\s*\*\s*[1-9])?|~\s*{PLACE}(?:\s*\(\s*{UNIT_ID}\s*\))?)"
    rf"(?:\s*/\s*{UNITS})?"
)
_MOVE = re.compile(
    rf"\s*(?P<units>{UNITS})\s+(?P<path>{PLACE}(?:{_SOME_STEP})+)(?P<bogged>\s*!)?(?:\s*=\s*(?P<ours>\d{{1,2}})\s*:\s*(?P<theirs>\d{{1,2}}))?\s*",
    re.ASCII,
)

MOST_ATTEMPTS = 9
LONGEST_PATH = 500
LONG_RUN = 4
"""So many plain steps, one after the other, are told by their ends where moves are shortened."""


@dataclass(frozen=True)
class Move:
    """One move: the units that make it, and their path.

    Attributes
    ----------
    units : tuple of str
        Unit ids; one, but for games in which stacks move.
    path : tuple of str
        Hex labels and ids of boxes, the place of departure first, and at least one more.
    overruns : frozenset of int
        The indices into the path of the hexes that are entered by an overrun.
    carried : tuple of (int, str)
        The indices of the places to which a carrier takes the units, each with the id of its marker, which is empty where
        none is named; in ascending order.
    drops : tuple of (int, str)
        The indices of the hexes in which units are dropped, each with a unit; in ascending order.
    attempts : tuple of (int, int)
        The indices of the hexes whose overrun may be tried more than once, with how often at most; in ascending order.
    support : tuple of (int, str)
        The indices of the hexes whose overrun is supported, each with a unit that does; in ascending order.
    failed : bool
        Whether a roll for the last step has failed: the units of an overrun are still where they made it, others have
        bogged down in the last hex.
    damage : tuple of (int, int), or None
        The damage to attackers and defenders that has been drawn for the combat in the last hex; None: not known.
    made : int
        How many of its first steps have been made, so that whatever was rolled for them is known: they have gone through,
        but for the last one of a move that has failed.
    """

    units: tuple[str, ...]
    path: tuple[str, ...]
    overruns: frozenset[int] = frozenset()
    carried: tuple[tuple[int, str], ...] = ()
    drops: tuple[tuple[int, str], ...] = ()
    attempts: tuple[tuple[int, int], ...] = ()
    support: tuple[tuple[int, str], ...] = ()
    failed: bool = False
    damage: tuple[int, int] | None = None
    made: int = 0

    def __hash__(self) -> int:
        """Return the hash of what tells most moves apart; all that moves differ by takes three times as long."""
        return hash((self.units, self.path, self.overruns, self.made))

    def to_dict(self) -> MoveData:
        """Return it as it stands in plan files; where it overruns, hexes stand for whom."""
        from planner.plans.plan_data import move_data

        return move_data(self)

    def __str__(self) -> str:
        return "".join([f"{'+'.join(self.units)} {written(self.path[0])}", *self.written_steps(), self._written_end()])

    def written_steps(self) -> list[str]:
        """Return each step as it is written: a sign, the place, and whatever else is done there."""
        carriers = dict(self.carried)
        steps = []
        for index, label in enumerate(self.path[1:], 1):
            sign = "x" if index in self.overruns else "~" if index in carriers else "-"
            if sign == "x" and self.failed and index == len(self.path) - 1:
                sign = "!"
            helpers = [carriers[index]] if carriers.get(index) else self.supporters(index)
            by = f"({'+'.join(helpers)})" if helpers else ""
            again = f"*{self.tries(index)}" if self.tries(index) > 1 else ""
            left = [unit for step, unit in self.drops if step == index]
            if sign == "x" and any(step == index - 1 for step, _ in self.drops):
                sign = " x"  # or it would be read as a letter of the unit dropped before it
            steps.append(f"{sign}{written(label)}{by}{again}{'/' * bool(left)}{'+'.join(left)}")
        return steps

    def _written_end(self) -> str:
        drawn = "" if self.damage is None else f"={self.damage[0]}:{self.damage[1]}"
        return f"{'!' * self.bogs}{drawn}"

    def shortened(self) -> str:
        """Return the move as players tell it: of long runs of plain steps the ends alone, and how many hexes are entered.

        It can't be read back. Overruns, passages and whatever else is done on the way are all there.
        """
        run: list[str] = []
        told: list[str] = []

        def close() -> None:
            told.extend(["-…", run[-1]] if len(run) >= LONG_RUN else run)
            run.clear()

        for label, step in zip(self.path[1:], self.written_steps(), strict=True):
            if step == f"-{written(label)}":
                run.append(step)
            else:
                close()
                told.append(step)
        close()
        count = f" ({len(self.path) - 1} hexes)" if "-…" in told else ""
        return "".join([f"{'+'.join(self.units)} {written(self.path[0])}", *told, self._written_end(), count])

    def __repr__(self) -> str:
        return f"Move.parse({str(self)!r})"

    @property
    def bogs(self) -> bool:
        """Whether its units bog down in the last hex."""
        return self.failed and len(self.path) - 1 not in self.overruns

    def carrier(self, step: int) -> str | None:
        """Return the marker that is named for a step; empty where none is, None where the step isn't said to be carried."""
        return dict(self.carried).get(step) if self.carried else None

    def supporters(self, step: int) -> tuple[str, ...]:
        """Return the units that support the overrun of a step."""
        return tuple(unit for index, unit in self.support if index == step) if self.support else ()

    @property
    def end(self) -> str:
        """Where the units that aren't dropped end."""
        return self.path[-2] if self.failed and not self.bogs else self.path[-1]

    def tries(self, step: int) -> int:
        """Return how often the overrun of a step may be tried."""
        return dict(self.attempts).get(step, 1) if self.attempts else 1

    def last_step(self, unit: str) -> int:
        """Return the index of the hex in which a unit of the move ends it."""
        last = len(self.path) - 1
        return next((step for step, left in self.drops if left == unit), last) if self.drops else last

    @classmethod
    def parse(cls, text: str, like: Example = ANY_EXAMPLE) -> Move:
        """Read a move as players write it; messages show how by the example.

        Raises
        ------
        InputError
            If the text isn't a move.
        """
        if not isinstance(text, str):
            raise InputError([Problem(f"a move must be text, not {text!r:.60}", "move")])
        match = _MOVE.fullmatch(text)
        if match is None:
            what = f'a move must look like "{like.move}", with x in place of - into enemies, and ~ aboard a carrier'
            if re.fullmatch(rf"\s*\S+?\s*({ARROW}.*|stays?|to\s+\S+)\s*", text):
                what += f'; "{like.destination}" and "{like.unit} stays" are lines of a partial plan, {COMPLETED}'
            else:
                what += _spelling(text)
            raise InputError([Problem(odds_beside(text) or what, f"move {text[:80]!r}")])
        units = tuple(re.split(r"\s*\+\s*", match["units"]))
        start = re.match(PLACE, match["path"], re.ASCII)
        assert start is not None
        path, overruns, carried = [bare(start[0])], set(), []
        drops: list[tuple[int, str]] = []
        attempts: list[tuple[int, int]] = []
        support: list[tuple[int, str]] = []
        failures: list[int] = []
        for sign, label, helpers, again, left in _STEP.findall(match["path"][start.end() :]):
            drops += [(len(path), unit) for unit in re.findall(UNIT_ID, left)]
            if again and int(again) > 1:
                attempts.append((len(path), int(again)))
            if sign in "x!":
                overruns.add(len(path))
                support += [(len(path), unit) for unit in re.findall(UNIT_ID, helpers)]
            elif sign == "~":
                carried.append((len(path), helpers))
            if sign == "!":
                failures.append(len(path))
            path.append(bare(label))
        if len(path) > LONGEST_PATH:
            raise InputError([Problem(f"a path must have at most {LONGEST_PATH} hexes", f"move {text[:40]!r}…")])
        if any(index != len(path) - 1 for index in failures):
            raise InputError([Problem("an overrun that has failed must be the last step", f"move {text[:80]!r}")])
        move = cls(
            units,
            tuple(path),
            frozenset(overruns),
            tuple(carried),
            tuple(drops),
            tuple(attempts),
            tuple(support),
            bool(failures) or bool(match["bogged"]),
            None if match["ours"] is None else (int(match["ours"]), int(match["theirs"])),
        )
        if faults := list(move.faults()):
            if any(unit not in move.units for _, unit in drops) and (meant := _meant(text)) is not None:
                faults = [f"{faults[0]}; did you mean {meant!r}?"]
            raise InputError([Problem(what, f"move {text[:80]!r}") for what in faults])
        return move

    def part(self, unit: str) -> Move:
        """Return what one of its units does in a move: the same until it is dropped."""
        last = self.last_step(unit)
        failed = self.failed and last == len(self.path) - 1
        return replace(self.until(last), units=(unit,), drops=(), support=(), failed=failed, damage=None)

    def as_made(self) -> Move:
        """Return the move as one that has been made."""
        return Move(
            self.units, self.path, self.overruns, self.carried, self.drops, self.attempts, self.support,
            self.failed, self.damage, len(self.path) - 1,
        )  # fmt: skip

    def beyond(self, step: int) -> Move:
        """Return what those do of the move who go on from the hex with an index."""
        rest = self._along(self.path[step:], lambda index: index - step)
        return replace(
            rest,
            units=tuple(unit for unit in self.units if self.last_step(unit) > step),
            overruns=frozenset(index for index in rest.overruns if index > 0),
            carried=tuple(entry for entry in rest.carried if entry[0] > 0),
            drops=tuple(entry for entry in rest.drops if entry[0] > 0),
            attempts=tuple(entry for entry in rest.attempts if entry[0] > 0),
            support=tuple(entry for entry in rest.support if entry[0] > 0),
            made=max(0, self.made - step),
        )

    def until(self, last: int) -> Move:
        """Return the move up to the hex with an index."""
        return replace(
            self,
            path=self.path[: last + 1],
            overruns=frozenset(step for step in self.overruns if step <= last),
            carried=tuple(leg for leg in self.carried if leg[0] <= last),
            drops=tuple(drop for drop in self.drops if drop[0] < last),
            attempts=tuple(entry for entry in self.attempts if entry[0] <= last),
            support=tuple(entry for entry in self.support if entry[0] <= last),
        )

    def then(self, move: Move) -> Move:
        """Return this move and another one as one, by units that it has brought to its end; the others are dropped there."""
        shift = len(self.path) - 1
        later = move._along((*self.path, *move.path[1:]), lambda step: step + shift)
        dropped = tuple(
            (shift, unit) for unit in self.units if self.last_step(unit) == shift and unit not in move.units
        )
        return replace(
            later,
            units=self.units,
            overruns=self.overruns | later.overruns,
            carried=self.carried + later.carried,
            drops=self.drops + dropped + later.drops,
            attempts=self.attempts + later.attempts,
            support=self.support + later.support,
            made=self.made + (move.made if self.made == shift else 0),
        )

    def _along(self, path: tuple[str, ...], place: Callable[[int], int]) -> Move:
        """Return the move along another path; `place` tells where in it the hex with an index comes."""
        return replace(
            self,
            path=path,
            overruns=frozenset(map(place, self.overruns)),
            carried=tuple((place(step), name) for step, name in self.carried),
            drops=tuple((place(step), unit) for step, unit in self.drops),
            attempts=tuple((place(step), often) for step, often in self.attempts),
            support=tuple((place(step), unit) for step, unit in self.support),
        )

    def _without(self, first: int, last: int) -> Move:
        """Return the move without the hexes from one index to before another, at which nothing but plain steps is made."""
        skipped = last - first
        return self._along(self.path[:first] + self.path[last:], lambda step: step - skipped * (step > first))

    def shortcuts(self) -> Iterator[Move]:
        """Yield the same move without what lies between two visits to a hex, where nothing but plain steps does."""
        marked = {*self.overruns, *(step for step, _ in (*self.carried, *self.drops, *self.attempts, *self.support))}
        for last, label in enumerate(self.path):
            first = self.path.index(label)
            if first != last and marked.isdisjoint(range(first, last + 1)):
                yield self._without(first, last)

    def fewer_legs(self) -> Iterator[Move]:
        """Yield the same move with two successive legs made one; which carrier takes the units is left open then."""
        carriers = dict(self.carried)
        for step in range(1, len(self.path) - 1):
            if step in carriers and step + 1 in carriers and not any(at == step for at, _ in self.drops):
                carried = ((at, "" if at == step + 1 else name) for at, name in self.carried if at != step)
                yield replace(self, carried=tuple(carried))._without(step, step + 1)

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with who is dropped where."""
        if self.bogs and any(step == len(self.path) - 1 for step, _ in self.carried):
            yield "a unit can't bog down aboard a carrier"
        if len(set(self.support)) < len(self.support):
            yield "each unit must support an overrun once"
        if any(unit in self.units for _, unit in self.support):
            yield "a unit that makes the overrun can't support it too"
        left = [unit for _, unit in self.drops]
        for unit in dict.fromkeys(left):
            if unit not in self.units:
                yield f"only units that make the move can be dropped, not {unit!r}"
            elif left.count(unit) > 1:
                yield f"each unit must be dropped once, but {unit!r} is dropped twice"
        if any(step == len(self.path) - 1 for step, _ in self.drops):
            yield "whoever goes on to the last hex isn't dropped there"
        elif left and not set(self.units) - set(left):
            yield "somebody must go on to the last hex"


def units_of(moves: Iterable[Move]) -> frozenset[str]:
    """Return who makes some moves."""
    return frozenset([unit for move in moves for unit in move.units])


ARROW = "(?:[\u2190-\u21ff]|=+>|[-\u2010-\u2015]+>)"
"""What players write for the arrow of a destination, which is ``->``."""


def _meant(text: str) -> str | None:
    """Return the move that a text would be if other signs were read for those that look alike."""
    return next((one for one in typing_variants(text) if one != text and _MOVE.fullmatch(one)), None)


def _spelling(text: str) -> str:
    """Return what was meant, where only signs that look alike, or blanks, keep a text from being a move."""
    if (meant := _meant(text)) is not None:
        return f"; did you mean {meant!r}?"
    begun = re.match(rf"\s*{UNITS}\s+{PLACE}", text, re.ASCII)
    if begun is None:
        return "; it begins with the units, a blank and the hex in which they start"
    rest = begun.end()
    while (step := re.compile(_SOME_STEP, re.ASCII).match(text, rest)) is not None:
        rest = step.end()
    left = text[rest:].strip()
    return f"; what stands from {left[:20]!r} on is none of its steps" if left else "; it needs a step at least"


def bare(place: str) -> str:
    """Return a place as data have it: a box without its brackets."""
    return place.strip("[] \t")


def written(place: str) -> str:
    """Return a place as moves have it: a box in brackets."""
    return place if _HEX.fullmatch(place) else f"[{place}]"


class Setting(Protocol):
    """A scenario, as far as plans need to know of it."""

    @property
    def game(self) -> Game:
        """The board, the units, the rules and the situation."""

    @property
    def start(self) -> Position:
        """Who stands where when the phase begins."""

    def check_names(self, plan: Plan, where: str) -> None:
        """Raise `InputError` if a plan names what isn't there."""


@dataclass(frozen=True)
class Plan(Shown):
    """Moves in the order in which they are made, and the attacks that are declared once all of them are.

    Attributes
    ----------
    moves : tuple of Move
        Possibly empty.
    attacks : tuple of DeclaredAttack, or None
        The attacks, in the order in which they are rolled; empty if it is said that there are none. None: nothing is said of
        attacks, so that the moves alone are meant.
    closed : bool
        Whether it is said that no others are declared: of attacks that have been made, so that none may follow.
    """

    moves: tuple[Move, ...] = field(default=())
    attacks: tuple[DeclaredAttack, ...] | None = None
    closed: bool = False

    def to_dict(self) -> PlanData:
        """Return it as a plan file holds it, ``planner/plan-1``."""
        from planner.plans.plan_data import plan_data

        return plan_data(self)

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __repr__(self) -> str:
        return f"Plan.parse({self.lines!r})"

    def __len__(self) -> int:
        return len(self.moves)

    def __bool__(self) -> bool:
        return bool(self.moves or self.attacks)

    @property
    def lines(self) -> list[str]:
        """The moves and attacks as they are written, one a line."""
        none = [NO_ATTACKS] if self.attacks == () else [NO_OTHERS] if self.closed else []
        return [*map(str, self.moves), *map(str, self.attacks or ()), *none]

    @classmethod
    def parse(cls, texts: str | Iterable[str]) -> Plan:
        """Read moves and attacks, one a line or one an item; empty lines and lines that start with ``#`` are passed over.

        Raises
        ------
        InputError
            With a problem for each text that is neither.
        """
        found, problems = cls._gather(texts)
        if problems:
            raise InputError(problems)
        return found

    @classmethod
    def read(cls, texts: str | Iterable[str], scenario: Setting, where: str) -> Plan:
        """Read moves and attacks, and ensure that a scenario has what they name.

        Raises
        ------
        InputError
            With every problem at once: of texts that are neither, and of the names in those that are.
        """
        found, problems = cls._gather(with_ids(texts, game_of(scenario)), Example.of(scenario.game))
        return ensured(found, problems, lambda plan: scenario.check_names(plan, where))

    @classmethod
    def _gather(cls, texts: str | Iterable[str], like: Example = ANY_EXAMPLE) -> tuple[Plan, list[Problem]]:
        moves: list[Move] = []
        attacks: list[DeclaredAttack] = []
        problems: list[Problem] = []
        none = others = False
        for line in lines_of(texts):
            try:
                if is_no_attack(line):
                    none, others = True, others or "other" in line.split()
                elif is_attack(line):
                    attacks.append(parse_attack(line))
                else:
                    moves.append(Move.parse(line, like))
                    if attacks:
                        problems.append(Problem("moves must come before attacks", f"move {line[:80]!r}"))
            except InputError as error:
                problems += error.problems
        if none and attacks and not others:
            problems.append(Problem(f"{NO_ATTACKS!r} must not come with attacks; {NO_OTHERS!r} may", "moves"))
        return cls(tuple(moves), tuple(attacks) if attacks or none else None, none and bool(attacks)), problems
