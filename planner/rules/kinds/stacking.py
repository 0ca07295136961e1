"""How many units may end in one hex."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import lcm
from typing import TYPE_CHECKING, ClassVar, Literal, cast

from pydantic import Field

from planner.formats.mp import MP
from planner.formats.spoken_numbers import spoken_number
from planner.formats.table import Table
from planner.rules.atoms import NEVER, Room, Vacant, when
from planner.rules.combat_roles import Fights
from planner.rules.demands import Arc, Demand
from planner.rules.end_state import EndState
from planner.rules.play import Finding, MoveInPlay
from planner.rules.roles import Controls, Moment, Stacks
from planner.world.forces import Measure, Unit
from planner.world.position import Position
from planner.world.selectors import HexSelector, Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


MEASURES: tuple[Measure, ...] = ("size", "units", "steps", "strength")
"""What limits may count, in the order in which verdicts name them."""


_Binding = tuple[
    frozenset[str],
    "list[tuple[AtMost, frozenset[str]]]",
    dict[str, frozenset[str]],
    dict[str, tuple[tuple[Measure, dict[str, int], int], ...] | None],
]
"""Who counts towards limits, who is of a class, who is kept apart from others, and what binds in each hex; a box: None."""


class Limit(Table):
    """How much a hex holds."""

    where: HexSelector = Field(default=HexSelector(), description="The hexes; the first limit that fits a hex holds")
    in_ezoc: bool | None = Field(
        default=None,
        description="Whether the hex must lie in an EZOC, whoever stands there, or in none; absent: either. Not where "
        "enemies are eliminated in the course of the phase",
    )
    units: int | None = Field(default=None, ge=0, description="So many units at most")
    size: MP | None = Field(default=None, description="So much in size at most")
    steps: int | None = Field(default=None, ge=0, description="So many steps at most")
    strength: MP | None = Field(default=None, description="So much in defense strength at most")

    def most(self) -> Iterable[tuple[Measure, Fraction]]:
        """Yield what is counted, with how much of it a hex holds."""
        for measure in MEASURES:
            limit: int | Fraction | None = getattr(self, measure)
            if limit is not None:
                yield measure, Fraction(limit)


MOST_KNOWN = 20_000
"""Of how many stacks it is known at most whether they may stay where a limit holds."""


class AtMost(Table):
    """Units of which a hex holds only so many."""

    units: UnitSelector = Field(description="The units")
    at_most: int = Field(default=1, ge=0, description="So many at most")
    name: str = Field(description="What messages call them, before the word units: HQ, or artillery")


class Stacking(Stacks):
    """Ensures that no hex holds more than the limit: once the phase is over, after each move, or at any time.

    Boxes hold any number.
    """

    kind: Literal["stacking"]
    counts: UnitSelector = Field(
        default=UnitSelector(), description="The units that count towards the limits, and that `apart` binds"
    )
    limits: tuple[Limit, ...] = Field(description="The limits")
    when: Moment = Field(
        default="phase",
        description="When the limits, and `at_most` and `apart`, hold: once the phase is over (`phase`); besides, wherever "
        "a unit ends a move, but for where that began (`move`); or whenever one enters a hex, if only to pass through "
        "(`always`)",
    )
    phases: Names = Field(
        default=(), description="The phases at whose end the limits hold; none named: all. In their course, `when` says"
    )
    at_most: tuple[AtMost, ...] = Field(default=(), description="Further limits for units of a class")
    size_called: str = Field(default="size", max_length=20, description="What messages call size")
    apart: UnitSelector | None = Field(
        default=None,
        description="Units that don't stay, or `always` never are, in a hex with such a friend of another nationality",
    )
    apart_exempt: UnitSelector | None = Field(default=None, description="Units that `apart` doesn't bind; absent: none")

    only_forbids: ClassVar[bool] = True
    looks_near: ClassVar[bool] = True
    hex_by_hex: ClassVar[bool] = True
    summary: ClassVar[str] = (
        "A hex holds only so many units, so much of their size, steps or strength, and only so many of a class."
    )

    @property
    def limits_halts(self) -> bool:
        """Whether the limits hold wherever a move ends."""
        return self.when == "move"

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield unknown phases, and where `in_ezoc` doesn't fit: EZOCs must stay what they are, and there must be any."""
        yield from rulebook.unknown("phases", self.phases)
        if any(limit.in_ezoc is None and limit.where == HexSelector() for limit in self.limits[:-1]):
            yield "a limit that fits every hex must be the last: those after it would never hold"
        if any(limit.in_ezoc is not None for limit in self.limits):
            for rule in (*rulebook.overrunning, *rulebook.of(Fights)):
                yield (
                    f"in_ezoc doesn't go with {rule.kind} ({rule.id}), by which EZOCs vanish in the course of the phase: "
                    "give the hexes a trait in the scenario, and name that in where"
                )
            if rulebook.lacks(Controls):
                yield "in_ezoc must go with zone_of_control: in this game nobody has a ZOC"

    # -- the referee's face

    def _holds_in(self, limit: Limit, game: Game, label: str) -> bool:
        """Tell whether a limit is about a hex."""
        if limit.in_ezoc is not None:
            found = any(
                game.is_enemy(unit)
                and rule.exerted_by.matches(game.units[unit])
                and not rule.barriers_of(game.units[unit]).matches(game.board, side, label)
                for rule in game.rulebook.of(Controls)
                for side in game.board.neighbours[label]
                for unit, home in game.homes.items()
                if home == side
            )
            if found is not limit.in_ezoc:
                return False
        return limit.where.matches(game.board.hexes[label], game.weather(label))

    def _limit_holding(self, game: Game, label: str) -> tuple[int, tuple[tuple[Measure, Fraction], ...]]:
        """Return the number of the limit that holds in a hex, -1 for none, and what is counted, with how much it holds."""
        known: dict[str, tuple[int, tuple[tuple[Measure, Fraction], ...]]] = game.cached((self.id, "limits"), dict)
        if label not in known:
            fitting = (pair for pair in enumerate(self.limits) if self._holds_in(pair[1], game, label))
            number, limit = next(fitting, (-1, None))
            known[label] = number, () if limit is None else tuple(limit.most())
        return known[label]

    def _excess(
        self, game: Game, label: str, inside: Sequence[Unit], holds: str = "holds", stay: str = "stay"
    ) -> Iterable[tuple[str, Finding, list[Unit]]]:
        """Yield each limit that units exceed in a hex: what it counts, a finding, and the units that count towards it.

        Where they only would be there, the finding is told in other words than that it `holds` them, who may not `stay`.
        """
        counted = [unit for unit in inside if self.counts.matches(unit)]
        for measure, most in self._limit_holding(game, label)[1]:
            found = sum((unit.counts(measure) for unit in counted), Fraction(0))
            if found > most:
                what = self.size_called if measure == "size" else measure
                text = f"{label} {holds} {spoken_number(found)} {what}, at most {spoken_number(most)} may {stay}"
                yield measure, Finding(self.paragraph, text, amounts=(("found", found), ("most", most))), counted
        for number, further in enumerate(self.at_most):
            few = [unit for unit in inside if further.units.matches(unit)]
            if len(few) > further.at_most:
                text = f"{label} {holds} {len(few)} {further.name} units, at most {further.at_most} may {stay}"
                amounts = ("found", Fraction(len(few))), ("most", Fraction(further.at_most))
                yield f"class {number}", Finding(self.paragraph, text, amounts=amounts), few

    def watches(self, game: Game, unit: Unit) -> bool:
        """Tell whether a unit is kept apart from others at any time."""
        return self.when == "always" and self._kept_apart(unit)

    def watches_stacks(self, game: Game) -> bool:
        """Tell whether limits hold at any time."""
        return self.when == "always"

    def check_together(self, stack: Sequence[MoveInPlay]) -> Iterable[Finding]:
        """Yield a finding for each limit that units exceed by entering a hex, where limits hold at any time."""
        first = stack[0]
        label = first.to
        if self.when == "always" and not (first.fails and first.overrun):
            friends = [first.game.units[unit] for unit in first.friends_in(label)]
            yield from self._crowding(first.game, label, friends, [play.unit for play in stack], "be there")

    def check_halt(self, stack: Sequence[MoveInPlay], label: str) -> Iterable[Finding]:
        """Yield a finding for each limit that a hex exceeds in which units end their move."""
        game = stack[0].game
        if game.board.places[label].box:
            return
        coming = [play.unit for play in stack]
        inside = (game.units[unit] for unit in stack[0].position.units_in(label))
        friends = [unit for unit in inside if unit not in coming and not game.is_enemy(unit.id)]
        yield from self._crowding(game, label, friends, coming, "be there after a move")
        own = {self._strange_to(game, unit) for unit in coming if self._kept_apart(unit)}
        strange = [unit.id for unit in friends if self._kept_apart(unit) and own - {self._strange_to(game, unit)}]
        if len(own) == 1 and strange:
            blame = game.sorted(strange)
            names = game.names([next(unit.id for unit in coming if self._kept_apart(unit)), *blame])
            text = f"{names} may not be together in {label} after a move: units of different nationalities"
            yield Finding(self.paragraph, text, blame)

    def _crowding(
        self, game: Game, label: str, friends: list[Unit], coming: list[Unit], stay: str
    ) -> Iterable[Finding]:
        """Yield a finding for each limit that units exceed who come together to a hex in which friends are."""
        if game.board.places[label].box:
            return
        by_themselves = {counts for counts, _, _ in self._excess(game, label, coming)}
        for counts, finding, counted in self._excess(game, label, [*friends, *coming], "would hold", stay):
            if any(unit in counted for unit in coming):
                others = (unit.id for unit in friends if unit in counted)
                blame = game.sorted(others) if counts not in by_themselves else ()
                yield replace(finding, blame=blame)
        strange = [unit for unit in coming if self._kept_apart(unit)]
        if len({self._strange_to(game, unit) for unit in strange}) > 1:
            names = game.names(game.sorted(unit.id for unit in strange))
            yield Finding(self.paragraph, f"{names} may not be together in {label}: units of different nationalities")

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if friends are there from whom the unit is kept apart at any time."""
        game, label, unit = play.game, play.to, play.unit
        if self.when != "always" or not self._kept_apart(unit):
            return
        if game.board.places[label].box or (play.fails and play.overrun):
            return
        friends = [game.units[friend] for friend in play.friends_in(label)]
        own = self._strange_to(game, unit)
        others = [friend.id for friend in friends if self._kept_apart(friend) and self._strange_to(game, friend) != own]
        if others:
            blame = game.sorted(others)
            text = f"{game.names([unit.id, *blame])} may not be together in {label}: units of different nationalities"
            yield Finding(self.paragraph, text, blame)

    def check_end(self, game: Game, position: Position) -> Iterable[tuple[str | None, Finding]]:
        """Yield a finding for each limit that a hex exceeds."""
        if self.phases and game.situation.phase not in self.phases:
            return
        # Thousands of plans are judged in which nearly everybody stands in the same hexes at their ends.
        fine: dict[str, tuple[str, ...]] = game.cached((self.id, "fine"), dict)
        crowded: dict[str, tuple[Finding, ...]] = {}
        for label, units in position.stacks_besides(fine):
            if label not in game.board.hexes or self._roomy(game, label, units):
                fine[label] = units  # the last: plans that begin alike are judged one after another
            elif found := tuple(self._crowded(game, label, units)):
                crowded[label] = found
        for label in game.board.hexes if len(crowded) > 1 else crowded:
            yield from ((None, finding) for finding in crowded.get(label, ()))

    def _roomy(self, game: Game, label: str, units: tuple[str, ...]) -> bool:
        """Tell whether those who stand in a hex may stay as the phase ends: it is the same wherever the same limit holds."""
        known: dict[tuple[int, tuple[str, ...]], bool] = game.cached((self.id, "roomy"), dict)
        key = self._limit_holding(game, label)[0], units
        if (found := known.get(key)) is None:
            if len(known) >= MOST_KNOWN:
                known.clear()
            found = known[key] = not any(True for _ in self._crowded(game, label, units))
        return found

    def _crowded(self, game: Game, label: str, units: Sequence[str]) -> Iterator[Finding]:
        """Yield a finding for each limit that those who stand in a hex exceed as the phase ends."""
        inside = [game.units[unit] for unit in units if not game.is_enemy(unit)]
        for measure, finding, over in self._excess(game, label, inside) if inside else ():
            if any(_weight(unit, measure) for unit in over if not unit.allied):  # who doesn't move may stay
                yield replace(finding, blame=game.sorted(unit.id for unit in over), at=label)
        strangers = [unit for unit in inside if self._kept_apart(unit)]
        if not all(unit.allied for unit in strangers) and len({self._strange_to(game, unit) for unit in strangers}) > 1:
            names = game.sorted(unit.id for unit in strangers)
            text = f"{game.names(names)} may not stay together in {label}: units of different nationalities"
            yield Finding(self.paragraph, text, names, label)

    def _kept_apart(self, unit: Unit) -> bool:
        """Tell whether `apart` binds a unit."""
        if self.apart is None or not self.counts.matches(unit) or not self.apart.matches(unit):
            return False
        return self.apart_exempt is None or not self.apart_exempt.matches(unit)

    def _strange_to(self, game: Game, unit: Unit) -> frozenset[str]:
        """Return those of a unit's nationalities by which it is kept apart."""
        assert self.apart is not None
        chart = game.rulebook.forces.nationalities
        return frozenset(
            name
            for name in unit.nationalities
            if name not in chart or set(chart[name].traits).issuperset(self.apart.nationality_traits)
        )

    # -- the solver's face

    def groups(self, game: Game) -> dict[str, frozenset[str]]:
        """Return the friends that count towards limits that hold in the course of the phase."""
        if self.when == "phase":
            return {}
        names = {self.id: self.counts, **{self._class(i): entry.units for i, entry in enumerate(self.at_most)}}
        found = {name: _matching(game, selector) for name, selector in names.items()}
        bound = {unit: own for unit in game.friends if (own := self._foreign_as(game, game.units[unit])) is not None}
        for own in set(bound.values()):
            found[self._strangers(own)] = frozenset(unit for unit, other in bound.items() if other != own)
        return found

    def _strangers(self, own: frozenset[str]) -> str:
        return f"{self.id} strangers to {'+'.join(sorted(own))}"

    def _foreign_as(self, game: Game, unit: Unit) -> frozenset[str] | None:
        """Return the nationalities by which a unit is kept apart from others; None if it isn't."""
        if self.apart is None or not (self.counts.matches(unit) and self.apart.matches(unit)):
            return None
        if self.apart_exempt is not None and self.apart_exempt.matches(unit):
            return None
        nations, wanted = game.rulebook.forces.nationalities, set(self.apart.nationality_traits)
        return frozenset(n for n in unit.nationalities if n not in nations or wanted <= {*nations[n].traits})

    def _class(self, number: int) -> str:
        return f"{self.id} {number}"

    @staticmethod
    def _is_zoned(limit: Limit, game: Game, label: str) -> bool:
        """Tell whether a hex lies in an EZOC, or in none, as a limit asks for."""
        if limit.in_ezoc is None:
            return True
        rules = game.rulebook.of(Controls)
        enemies = ((unit, home) for unit, home in game.homes.items() if game.is_enemy(unit))
        return limit.in_ezoc is any(home in rule.sides_towards(game, u, label) for u, home in enemies for rule in rules)

    def _enters(self, game: Game, arc: Arc) -> bool:
        """Tell whether the limits hold at any time, and units enter a hex by a step."""
        return self.when == "always" and not game.board.places[arc.to].box and not (arc.fails and arc.overrun)

    def _room(self, game: Game, team: Sequence[Unit], label: str) -> Iterable[Demand]:
        """Yield that the others in the hex leave room for units that come to it together."""
        place = game.board.places[label]
        # Units that are alike share their steps: a unit by itself isn't named, since it never counts against itself.
        us = frozenset(unit.id for unit in team) if len(team) > 1 else frozenset()
        wanted: list[tuple[str, str, Measure, Fraction, UnitSelector]] = []
        for limit in self.limits:
            if limit.where.matches(place, game.weather(label)) and self._is_zoned(limit, game, label):
                wanted += [(self.id, measure, measure, most, self.counts) for measure, most in limit.most()]
                break
        for number, further in enumerate(self.at_most):
            wanted.append((self._class(number), f"class {number}", "units", Fraction(further.at_most), further.units))
        for group, cause, measure, most, counts in wanted:
            own = [unit for unit in team if counts.matches(unit)]
            if not own:
                continue
            left = most - sum((unit.counts(measure) for unit in own), Fraction(0))
            room = when(Room(label, group, left, us, measure)) if left >= 0 else NEVER
            yield Demand(self.paragraph, room, cause=cause, source=self.id)

    def concerns(self, game: Game, unit: Unit) -> bool:
        """Tell whether limits hold at any time."""
        return self.when == "always"

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield that there is room for the unit, and no stranger, where limits hold at any time."""
        if not self._enters(game, arc):
            return
        yield from self._room(game, [unit], arc.to)
        own = self._foreign_as(game, unit)
        if own is not None:
            yield Demand(self.paragraph, when(Vacant(arc.to, self._strangers(own))), cause="apart", source=self.id)

    def together_demands(self, game: Game, team: Sequence[Unit], arc: Arc) -> Iterable[Demand]:
        """Yield that there is room for all of the units, and that they are no strangers, where limits hold at any time."""
        if len(team) < 2 or not self._enters(game, arc):
            return
        yield from self._room(game, team, arc.to)
        if len(self._foreigners(game, team)) > 1:
            yield Demand(self.paragraph, NEVER, cause="apart together", source=self.id)

    def halt_demands(self, game: Game, team: Sequence[Unit], label: str) -> Iterable[Demand]:
        """Yield that the hex has room for those who end their move there, and no stranger, where that is asked for."""
        if not self.limits_halts or game.board.places[label].box:
            return
        yield from self._room(game, team, label)
        own = self._foreigners(game, team)
        if own:
            alone = NEVER if len(own) > 1 else when(Vacant(label, self._strangers(*own)))
            yield Demand(self.paragraph, alone, cause="apart", source=self.id)

    def may_halt_everywhere(self, game: Game) -> bool:
        """Tell whether all friends together might stay in any hex."""
        friends = [game.units[unit] for unit in sorted(game.friends)]
        return all(demand.any_of for label in game.board.hexes for demand in self.halt_demands(game, friends, label))

    def _foreigners(self, game: Game, team: Sequence[Unit]) -> set[frozenset[str]]:
        """Return the nationalities by which units are kept apart from others."""
        return {own for unit in team if (own := self._foreign_as(game, unit)) is not None}

    def post_end(self, end: EndState) -> None:
        """Ensure that the units that end in a hex stay within its limits."""
        game = end.game
        if self.phases and game.situation.phase not in self.phases:
            return
        guests: dict[str, list[str]] = {}
        for unit in game.order:
            if unit in game.friends:
                for label in end.possible_stands(unit):
                    if label not in game.crowds:
                        guests.setdefault(label, []).append(unit)
        counts, classes, bound, limits = game.cached((self.id, "binding"), lambda: self._binding(game))
        for label, units in guests.items():
            if label not in limits:
                limits[label] = None if game.board.places[label].box else self._limits_in(game, label)
            if (binding := limits[label]) is None:
                continue  # a box holds any number
            counted = [unit for unit in units if unit in counts]
            for measure, much, limited in binding:
                if sum([much[unit] for unit in counted]) > limited:
                    self._post(end, label, [(much[unit], unit) for unit in counted], limited, measure)
            for further, those in classes:
                few = [(1, unit) for unit in units if unit in those]
                if len(few) > further.at_most:
                    self._post(end, label, few, further.at_most, further.name)
            for one, other in combinations([unit for unit in counted if unit in bound], 2) if bound else ():
                if bound[one] != bound[other] and not (game.units[one].allied and game.units[other].allied):
                    self._post(end, label, [(1, one), (1, other)], 1, "apart")

    def _binding(self, game: Game) -> _Binding:
        """Return whom the limits bind in the end; what they are in a hex is added when that is first asked for."""
        counts = _matching(game, self.counts)
        classes = [(further, _matching(game, further.units)) for further in self.at_most]
        own = {unit: self._foreign_as(game, game.units[unit]) for unit in counts}
        return counts, classes, {unit: apart for unit, apart in own.items() if apart is not None}, {}

    def _limits_in(self, game: Game, label: str) -> tuple[tuple[Measure, dict[str, int], int], ...]:
        """Return what is counted in a hex, what each unit counts, and how much the hex holds, in whole numbers."""
        hexagon, weather = game.board.hexes[label], game.weather(label)
        for number, limit in enumerate(self.limits):
            if limit.where.matches(hexagon, weather) and self._is_zoned(limit, game, label):
                return game.cached((self.id, "in whole numbers", number), partial(_in_whole_numbers, game, limit))
        return ()

    def _post(self, end: EndState, label: str, weights: list[tuple[int, str]], limit: int, cause: str) -> None:
        """Ensure that some units, who exceed a limit together, don't end in a hex together."""
        if end.game.situation.allies and sum(much for much, unit in weights if end.game.units[unit].allied) > limit:
            weights, limit = [(much, unit) for much, unit in weights if not end.game.units[unit].allied], 0
        units = tuple(unit for _, unit in weights)
        demand = Demand(self.paragraph, NEVER, units, at=label, cause=cause, source=self.id)
        end.at_most([(weight, end.stands(unit, label)) for weight, unit in weights], limit, demand)


def _matching(game: Game, selector: UnitSelector) -> frozenset[str]:
    """Return the phasing units that a selector means."""
    return frozenset(unit for unit in game.friends if selector.matches(game.units[unit]))


def _weight(unit: Unit, measure: str) -> Fraction:
    """Return what a unit counts towards a limit that it exceeds: of a class of units, one."""
    return Fraction(1) if measure.startswith("class ") else unit.counts(cast(Measure, measure))


def _in_whole_numbers(game: Game, limit: Limit) -> tuple[tuple[Measure, dict[str, int], int], ...]:
    """Return what a limit counts, what each unit counts, and how much a hex holds."""
    return tuple((measure, *_whole(game, measure, most)) for measure, most in limit.most())


def _whole(game: Game, measure: Measure, most: Fraction) -> tuple[dict[str, int], int]:
    """Return what each unit counts, and the limit, in whole numbers."""
    much = {unit: game.units[unit].counts(measure) for unit in game.friends}
    scale = lcm(most.denominator, *(part.denominator for part in much.values()))
    return {unit: int(part * scale) for unit, part in much.items()}, int(most * scale)
