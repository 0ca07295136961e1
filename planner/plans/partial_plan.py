"""Partial plans: some moves, some destinations, some units that are left alone; the rest is to be found.

A partial plan is a plan file, or lines of text, in which besides moves there may be wishes:

* ``inf w5525-w5425`` fixes a move: its units make exactly the moves that are written, along these hexes, with these
  overruns and those who take part in them, and no other moves. Fixed moves are made in the order in which they are
  written, as far as that matters; others may come between them. A stack that overruns nothing may be split up into the
  moves of its units;
* ``inf -> w5425 w5426`` fixes a destination: if all goes well, the unit ends in one of the places. Several units are
  joined by ``+``, and a box stands in brackets;
* ``a+b -> 0303``, where enemies hold 0303 and attacks follow the moves, fixes an attack: just these units make it, once they
  have come to where they can. ``a+b -> 0303+0304`` and ``a -> 0303(e1)`` are attacks wherever they stand. Others may be
  made besides; after ``no other attacks`` none is, and with ``no attacks`` none at all;
* ``plv stays``, or ``plv+hq stay``, leaves units alone: they make no move from now on. They may still support an overrun.

In JSON these are the keys ``moves``, ``end``, ``attacks`` with ``closed``, and ``stay`` of a plan file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol

from planner.errors import InputError, Problem
from planner.formats.spelling import did_you_mean
from planner.plans.attack_text import NO_ATTACKS, NO_OTHERS, is_attack, is_no_attack, parse_attack
from planner.plans.example import ANY_EXAMPLE, Example
from planner.plans.lines import ensured, game_of, lines_of
from planner.plans.plan import ARROW, PLACE, UNITS, Move, Plan, Setting, bare, written
from planner.plans.plan_data import attack_data
from planner.plans.unit_names import with_ids
from planner.rules.attack_rule import attack_rule, attack_rules
from planner.rules.combat_roles import Fights
from planner.world.declared_attack import DeclaredAttack

if TYPE_CHECKING:
    from planner.world.position import Position

_END = re.compile(rf"\s*(?P<units>{UNITS})\s*->\s*(?P<places>{PLACE}(?:\s+(?:or\s+)?{PLACE})*)\s*", re.ASCII)
_OTHER_ARROWS = re.compile(rf"[ \t]*{ARROW}[ \t]*")
_STAY = re.compile(rf"\s*(?P<units>{UNITS})\s+stays?\s*", re.ASCII)


class Stretch(NamedTuple):
    """A step of a unit: the hex, who makes it together, whether it is an overrun, or a combat, and how often it is tried."""

    label: str
    team: frozenset[str]
    overrun: bool
    combat: bool
    attempts: int


class Assessed(Protocol):
    """A declared attack with what it comes to, such as `planner.rules.attack_referee.AssessedAttack`."""

    @property
    def attack(self) -> DeclaredAttack:
        """The attack."""

    @property
    def defenders(self) -> tuple[str, ...]:
        """Who is attacked."""


class Played(Protocol):
    """A move as the referee has played it, such as `planner.referee.verdict.PlayedMove`."""

    @property
    def move(self) -> Move:
        """The move."""

    @property
    def combats(self) -> frozenset[int]:
        """The steps that were combats."""


@dataclass(frozen=True)
class PartialPlan:
    """What is settled of a plan before the rest is found.

    Attributes
    ----------
    moves : tuple of Move
        The moves that are fixed, in the order in which they are made.
    ends : tuple of (unit, places)
        The units whose destination is fixed, each with the places of which it must be one.
    stays : tuple of str
        The units that are left alone.
    attacks : tuple of DeclaredAttack
        The attacks that are fixed.
    closed : bool
        Whether no others are declared.
    none : bool
        Whether that is said as ``no attacks``, beside which no attack can be fixed.
    """

    moves: tuple[Move, ...] = ()
    ends: tuple[tuple[str, tuple[str, ...]], ...] = ()
    stays: tuple[str, ...] = field(default=())
    attacks: tuple[DeclaredAttack, ...] = ()
    closed: bool = False
    none: bool = False

    def __bool__(self) -> bool:
        return bool(self.moves or self.ends or self.stays or self.settles_attacks)

    @property
    def settles_attacks(self) -> bool:
        """Whether something is settled of attacks."""
        return bool(self.attacks) or self.closed

    def __str__(self) -> str:
        lines = [str(move) for move in self.moves]
        lines += [f"{unit} -> {' '.join(map(written, places))}" for unit, places in self.ends]
        lines += [str(attack) for attack in self.attacks]
        lines += [NO_ATTACKS if self._closed_to_all else NO_OTHERS] if self.closed else []
        return "\n".join(lines + [f"{unit} stays" for unit in self.stays])

    @property
    def _closed_to_all(self) -> bool:
        """Whether no attacks are declared; a destination may yet be an attack, unless it is said that there are none."""
        return self.closed and not self.attacks and (self.none or not self.ends)

    def __repr__(self) -> str:
        return f"PartialPlan.parse({str(self).splitlines()!r})"

    @classmethod
    def parse(cls, texts: str | Iterable[str]) -> PartialPlan:
        """Read moves and wishes, one a line or one an item; empty lines, and lines that start with ``#``, don't count.

        Raises
        ------
        InputError
            With a problem for each text that is neither, and for wishes that contradict each other.
        """
        found, problems = cls._gather(texts)
        problems += [Problem(what, "moves") for what in found.faults()]
        if problems:
            raise InputError(problems)
        return found

    @classmethod
    def read(cls, texts: str | Iterable[str], scenario: Setting, where: str) -> PartialPlan:
        """Read moves and wishes, and ensure that a scenario has what they name.

        Raises
        ------
        InputError
            With every problem at once: of texts that are neither, and of the names in those that are.
        """
        found, problems = cls._gather(with_ids(texts, game_of(scenario)), Example.of(scenario.game))
        return found._meant_in(scenario, problems, "moves", where)

    @classmethod
    def _gather(cls, texts: str | Iterable[str], like: Example = ANY_EXAMPLE) -> tuple[PartialPlan, list[Problem]]:
        moves: list[Move] = []
        ends: list[tuple[str, tuple[str, ...]]] = []
        stays: list[str] = []
        attacks: list[DeclaredAttack] = []
        problems: list[Problem] = []
        closed = others = False
        for line in lines_of(texts):
            if match := _END.fullmatch(line):
                places = tuple(dict.fromkeys(map(bare, re.findall(PLACE, match["places"], re.ASCII))))
                ends += [(unit, places) for unit in _names(match["units"])]
            elif match := _STAY.fullmatch(line):
                stays += _names(match["units"])
            elif is_no_attack(line):
                closed, others = True, others or "other" in line.split()
            else:
                try:
                    if is_attack(line):
                        attacks.append(parse_attack(line))
                        continue
                    moves.append(Move.parse(line, like))
                except InputError as error:
                    problems += [_in_other_words(line, problem, like) for problem in error.problems]
        found = cls(tuple(moves), tuple(ends), tuple(stays), tuple(attacks), closed, closed and not others)
        return found, problems

    @classmethod
    def from_json(cls, data: object, homes: Mapping[str, str], where: str) -> PartialPlan:
        """Read a partial plan from decoded JSON; parameters and errors as those of `plan_from_json`."""
        from planner.plans.plan_file import attacks_of, moves_of, plan_file

        file = plan_file(data, where)
        attacks = attacks_of(file, where)
        found = cls(
            moves_of(file, homes, where),
            tuple((entry.unit, tuple(dict.fromkeys(entry.at))) for entry in file.end),
            tuple(file.stay),
            attacks or (),
            file.closed or attacks == (),
            attacks == (),
        )
        problems = [Problem(what, where) for what in found.faults()]
        if problems:
            raise InputError(problems)
        return found

    def to_dict(self) -> dict[str, object]:
        """Return the wishes as a plan file holds them, without the moves."""
        return {
            **({"end": [{"unit": unit, "at": list(places)} for unit, places in self.ends]} if self.ends else {}),
            **({"stay": list(self.stays)} if self.stays else {}),
            **({"attacks": list(map(attack_data, self.attacks))} if self.attacks or self._closed_to_all else {}),
            **({"closed": True} if self.closed and not self._closed_to_all else {}),
        }

    @property
    def movers(self) -> tuple[str, ...]:
        """The units that make a fixed move, each once."""
        return tuple(dict.fromkeys(unit for move in self.moves for unit in move.units))

    def faults(self) -> Iterator[str]:
        """Yield what can't be had together, whatever the position."""
        ends = [unit for unit, _ in self.ends]
        for unit in dict.fromkeys(ends):
            if ends.count(unit) > 1:
                yield f"the destination of {unit!r} must be given once"
        for unit in self.movers:
            if unit in self.stays:
                yield f"{unit!r} can't have a move and stay"
        for move in self.moves:
            if move.failed or move.damage is not None:
                yield f"a result can't be fixed beforehand: {move}"
        for attack in self.attacks:
            if attack.result:
                yield f"a result can't be fixed beforehand: {attack}"
        for attack in self.attacks if self.none else ():
            yield f"{NO_ATTACKS!r} must not come with the attack '{attack}'; {NO_OTHERS!r} may"
        twice = Counter(unit for attack in self.attacks for unit in attack.attackers)
        yield from (f"{unit!r} can't make two attacks" for unit, many in twice.items() if many > 1)

    def meant_in(self, scenario: Setting, where: str) -> PartialPlan:
        """Return the plan as `as_meant`, and ensure that it can be had together, and a scenario has what it names.

        Raises
        ------
        InputError
            With every problem at once.
        """
        return self._meant_in(scenario, [], where, where)

    def _meant_in(self, scenario: Setting, problems: list[Problem], together: str, where: str) -> PartialPlan:
        found = self.as_meant(scenario)
        problems = [*problems, *(Problem(what, together) for what in (*found.faults(), *found._torn()))]
        return ensured(found, problems, lambda partial: partial.check_names(scenario, where))

    def _torn(self) -> Iterator[str]:
        """Yield that a unit is to go somewhere and to be left alone; who makes no move may still attack: see `as_meant`."""
        for unit, places in self.ends:
            if unit in self.stays:
                yield f"'{unit} -> {' '.join(map(written, places))}' and '{unit} stays' can't be had together"

    def as_meant(self, scenario: Setting) -> PartialPlan:
        """Return the plan with attacks instead of destinations that enemies hold to the end of the phase, where any follow.

        Who is to end in such a hex attacks it, with all others who are.
        """
        game, at = scenario.game, scenario.start
        if attack_rule(game) is None or game.rulebook.overrunning or bool(game.rulebook.of(Fights)):
            return self
        meant: dict[str, list[str]] = {}
        for unit, places in self.ends:
            if len(places) == 1 and any(game.is_enemy(other) for other in at.units_in(places[0])):
                meant.setdefault(places[0], []).append(unit)
        ends = tuple(end for end in self.ends if len(end[1]) > 1 or end[1][0] not in meant)
        attacks = tuple(DeclaredAttack(tuple(dict.fromkeys(units)), (label,)) for label, units in meant.items())
        return replace(self, ends=ends, attacks=(*attacks, *self.attacks))

    def check_names(self, scenario: Setting, where: str) -> None:
        """Ensure that the plan names units and places of a scenario.

        Raises
        ------
        InputError
            With a problem for each name that doesn't exist, or can't be meant.
        """
        problems: list[Problem] = []
        try:
            scenario.check_names(Plan(self.moves, self.attacks or None), where)
        except InputError as error:
            problems += error.problems
        game = scenario.game
        for unit in dict.fromkeys([*(unit for unit, _ in self.ends), *self.stays]):
            if unit not in game.units:
                problems.append(Problem(f"no unit has the id {unit!r}{did_you_mean(unit, game.units)}", where))
            elif unit not in scenario.start.at:
                problems.append(Problem(f"{unit!r} is not on the map", where))
            elif unit not in game.friends:
                problems.append(Problem(f"{unit!r} must belong to the phasing side", where))
        for place in dict.fromkeys(place for _, places in self.ends for place in places):
            if place not in game.board:
                problems.append(Problem(f"hex {place!r} is not on the map{game.board.did_you_mean(place)}", where))
        problems += [Problem(what, where) for what in self._out_of_place(scenario)]
        if problems:
            raise InputError(problems)

    def _out_of_place(self, scenario: Setting) -> Iterator[str]:
        """Yield attacks where none follow, and those that are written like several destinations, all held by enemies."""
        game, at = scenario.game, scenario.start
        for attack in self.attacks if attack_rule(game) is None and attack_rules(game.rulebook) else ():
            yield f"no attacks are made after this phase ({game.situation.phase}): {attack}"
        if attack_rule(game) is None or game.rulebook.overrunning or bool(game.rulebook.of(Fights)):
            return
        for places in dict.fromkeys(places for _, places in self.ends):
            held = [[unit for unit in at.units_in(place) if game.is_enemy(unit)] for place in places]
            if all(held):
                pairs = zip(places, held, strict=True)
                told = ", ".join(f"{place} is held by {game.names(units)}" for place, units in pairs)
                yield f"{told}: nobody can end there; an attack on several hexes at once is written {'+'.join(places)}"

    def holds_in(self, played: Sequence[Played], position: Position, told: Sequence[Assessed] = ()) -> bool:
        """Tell whether a whole plan does what this one settles.

        A step that isn't written as a combat may be one, of just those who make it.

        Parameters
        ----------
        played : sequence of PlayedMove
            The moves of the whole plan, as the referee has played them.
        position : Position
            The position after the last of them if all goes well.
        told : sequence of AssessedAttack
            The attacks that are declared then.
        """
        if not self.allows(told):
            return False
        if any(unit in self.stays for one in played for unit in one.move.units):
            return False
        if any(position.at.get(unit) not in places for unit, places in self.ends):
            return False
        fixed = [(move, move.overruns, frozenset[int]()) for move in self.moves]
        return self.made_by(played) == [len(_stretches(fixed, unit)) for unit in self.movers]

    def allows(self, told: Sequence[Assessed]) -> bool:
        """Tell whether attacks that are declared together are what is settled of attacks."""
        if self.closed and len(told) != len(self.attacks):
            return False
        return all(any(_is_made(attack, one) for one in told) for attack in self.attacks)

    def made_by(self, played: Sequence[Played]) -> list[int] | None:
        """Return how many of its fixed steps each mover has made in some moves; None if one has done anything else."""
        if not self.moves:
            return []
        done = [(one.move, one.move.overruns | one.combats, one.combats) for one in played]
        fixed = [(move, move.overruns, frozenset[int]()) for move in self.moves]
        found = []
        for unit in self.movers:
            wanted, made = _stretches(fixed, unit), _stretches(done, unit)
            if len(made) > len(wanted) or not all(map(_agree, wanted, made)):
                return None
            found.append(len(made))
        return found

    def in_order(self, moves: Sequence[Move]) -> Sequence[Move] | None:
        """Return the moves of a plan, those that are fixed here in the order in which they are written.

        Each stands in the place of one of them. None where one of the plan's moves goes on with what comes later only.
        """
        own = {unit: [(rank, one) for rank, one in enumerate(self.moves) if unit in one.units] for unit in self.movers}
        steps = {unit: [rank for rank, one in mine for _ in range(one.last_step(unit))] for unit, mine in own.items()}
        made, settled = Counter[str](), list[tuple[int, int, int]]()
        for place, move in enumerate(moves):
            ranks: list[int] = []
            for unit in (one for one in move.units if one in steps):
                ranks += steps[unit][made[unit] : made[unit] + move.last_step(unit)]
                made[unit] += move.last_step(unit)
            if ranks:
                settled.append((min(ranks), max(ranks), place))
        ordered = sorted(settled)
        if any(before[1] > after[0] for before, after in pairwise(ordered)):
            return None
        found = list(moves)
        for (*_, place), (*_, moved) in zip(settled, ordered, strict=True):
            found[place] = moves[moved]
        return found


def _is_made(wanted: DeclaredAttack, told: Assessed) -> bool:
    """Tell whether a declared attack is the one that is fixed: by just the same units, on the same hexes and defenders."""
    made = told.attack
    if {*made.attackers} != {*wanted.attackers} or {*made.hexes} != {*wanted.hexes}:
        return False
    return {*told.defenders} == {*wanted.defenders} if wanted.defenders else not made.defenders


def _stretches(moves: Iterable[tuple[Move, frozenset[int], frozenset[int]]], unit: str) -> list[Stretch]:
    """Return what a unit does in some moves, all of them joined; each move comes with its overruns, and its combats."""
    return [
        Stretch(
            move.path[step],
            frozenset(other for other in move.units if move.last_step(other) >= step),
            step in overruns,
            step in combats,
            move.tries(step),
        )
        for move, overruns, combats in moves
        if unit in move.units
        for step in range(1, move.last_step(unit) + 1)
    ]


def _agree(wanted: Stretch, made: Stretch) -> bool:
    if wanted.label != made.label:
        return False
    if wanted.overrun or made.combat:
        return made.overrun and wanted.team == made.team and wanted.attempts == made.attempts
    return not made.overrun


def _in_other_words(line: str, problem: Problem, like: Example) -> Problem:
    """Say of a line that isn't a move what else it may be in a partial plan."""
    place = f"line {line.strip()[:80]!r}"
    meant = _OTHER_ARROWS.sub(" -> ", line.strip())
    if meant != line.strip() and _END.fullmatch(meant):
        return Problem(f"the arrow of a destination must be ->; did you mean {meant!r}?", place)
    if not problem.what.startswith("a move must look like"):
        return problem
    if "->" in line:
        shown = f'"{like.destination}", "{like.destination} {like.origin}" or "{like.unit} -> [box]"'
        return Problem(f"a destination must look like {shown}", place)
    if re.search(r"\bstay", line):
        return Problem(f'units that are left alone must look like "{like.unit} stays", with + between several', place)
    what = f'must be a move such as "{like.move}", a destination such as "{like.destination}", or "{like.unit} stays"'
    return Problem(what, place)


def _names(units: str) -> list[str]:
    return re.split(r"\s*\+\s*", units)
