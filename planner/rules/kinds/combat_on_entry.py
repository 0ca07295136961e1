"""Combat at once: whoever enters a hex with enemies fights them, in the middle of movement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import ceil
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.atoms import NEVER, Gone, when
from planner.rules.combat_roles import Fights
from planner.rules.combat_table import Aftermath, CombatColumn, CombatShift, ring_of, told
from planner.rules.demands import Arc, Demand
from planner.rules.destinations import Destination, box_of
from planner.rules.later_roles import Outlasts
from planner.rules.play import Finding, MoveInPlay, Resolution
from planner.world.forces import Unit
from planner.world.numbering import NEIGHBOUR_OFFSETS
from planner.world.position import Stop

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook
    from planner.world.position import Position


class CombatOnEntry(Fights, Outlasts):
    """Ensures that units that enter a hex with enemies across a hexside fight at once, all together, and move no further.

    Strengths are added, the difference in percent of the defense picks a column, terrain shifts it, and each entry of the
    column is equally likely. Damage demoralizes units first and destroys demoralized ones then. Who suffers more goes back,
    the attackers if both suffer alike: attackers to the hex from which they came, defenders straight on, or to a hex beside
    that, or they are destroyed.
    """

    kind: Literal["combat_on_entry"]
    columns: tuple[CombatColumn, ...] = Field(min_length=1, description="The combat results table, by rising percent")
    shifts: tuple[CombatShift, ...] = Field(default=(), description="Shifts; all that fit add up")
    demoralized: str = Field(description="The trait of units that are demoralized when the phase begins")
    losses_first: Literal["weakest", "strongest"] = Field(
        default="weakest", description="Which units of a force take damage first; of equals, the first of the scenario"
    )
    beside_first: Literal["left", "right"] = Field(
        default="left", description="To which side defenders go, seen from the attackers, where both are open"
    )
    eliminated_to: tuple[Destination, ...] = Field(description="Where destroyed units go; the first that fits holds")

    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "Entering an enemy's hex is a combat at once; its result is drawn from a table."

    @property
    def mark_of_harm(self) -> str | None:
        """The trait of units that have been demoralized before."""
        return self.demoralized

    def traits_after(self, game: Game, unit: str, position: Position) -> Iterable[str]:
        """Yield the trait of a unit that has been demoralized."""
        if unit in position.demoralized:
            yield self.demoralized

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield what is wrong with the table and the trait."""
        percents = [column.from_percent for column in self.columns]
        if percents != sorted(set(percents)):
            yield "columns must have rising percents"
        if any(damage < 0 for column in self.columns for entry in column.entries for damage in entry):
            yield "damage must not be negative"
        yield from rulebook.unknown("unit_traits", [self.demoralized])

    # -- the referee's face

    def _strength(self, play: MoveInPlay, unit: Unit) -> int:
        """Return what a unit contributes: half of it, rounded down, if it is demoralized."""
        return int(unit.attack) // 2 if self._shaken(play, unit) else int(unit.attack)

    def _shaken(self, play: MoveInPlay, unit: Unit) -> bool:
        return self.demoralized in unit.traits or unit.id in play.position.demoralized

    def _column(self, stack: Sequence[MoveInPlay], enemies: Sequence[Unit]) -> CombatColumn:
        """Return the column on which a combat is resolved."""
        first = stack[0]
        attack, defense = self._strengths(stack, enemies)
        index = 0
        for number, column in enumerate(self.columns):
            if 100 * (attack - defense) >= column.from_percent * defense:
                index = number
        return self.columns[max(index - self._shifted(first.game, first.origin, first.to), 0)]

    def _shifted(self, game: Game, origin: str, to: str) -> int:
        """Return by how many columns terrain shifts an attack from one hex into another."""
        place, weather, by = game.board.places[to], game.weather(to), 0
        for shift in self.shifts:
            by_hex = shift.hexes is None or shift.hexes.matches(place, weather)
            by_side = shift.hexsides is None or shift.hexsides.matches(game.board, origin, to)
            if by_hex and by_side:
                by += shift.columns
        return by

    def columns_for(self, game: Game, origin: str, to: str, defense: Fraction) -> Sequence[tuple[str, Fraction]]:
        """Return the columns after the shifts of terrain, but for the first, with the strength of attack that they take."""
        unshifted = self.columns[1 + self._shifted(game, origin, to) :]
        least = [Fraction(ceil(defense * (100 + column.from_percent) / 100)) for column in unshifted]
        # Strengths are whole, so that the same one may reach several columns: then the last of them holds.
        best = dict(zip(least, self.columns[1:], strict=False))
        return [(f"{column.from_percent:+d} %", strength) for strength, column in best.items()]

    def _strengths(self, stack: Sequence[MoveInPlay], enemies: Sequence[Unit]) -> tuple[int, int]:
        first = stack[0]
        attack = sum(self._strength(first, play.unit) for play in stack)
        return attack, sum(self._strength(first, enemy) for enemy in enemies)

    def strengths(self, stack: Sequence[MoveInPlay]) -> tuple[Fraction, Fraction] | None:
        """Return the strength of attack and defense, demoralized units halved."""
        enemies = [stack[0].game.units[enemy] for enemy in stack[0].enemies_in(stack[0].to)]
        if not enemies:
            return None
        attack, defense = self._strengths(stack, enemies)
        return Fraction(attack), Fraction(defense)

    def _damage_to(self, play: MoveInPlay, force: Sequence[Unit]) -> Callable[[int], tuple[list[str], list[str]]]:
        """Return what tells of damage to a force who of it is newly demoralized, and who is destroyed."""
        place = play.game.order
        line = sorted(force, key=lambda unit: place[unit.id])
        line.sort(key=lambda unit: unit.attack, reverse=self.losses_first != "weakest")
        shaken = [unit.id for unit in line if self._shaken(play, unit)]
        fresh = [unit.id for unit in line if unit.id not in shaken]

        @cache
        def damaged(damage: int) -> tuple[list[str], list[str]]:
            newly, left = fresh[:damage], max(0, damage - len(fresh))
            weak = [unit.id for unit in line if unit.id in shaken or unit.id in newly]
            destroyed = weak[:left]
            return [unit for unit in newly if unit not in destroyed], destroyed

        return damaged

    def resolutions(self, stack: Sequence[MoveInPlay]) -> Sequence[Resolution]:
        """Return everything that the combat of units that enter together may lead to, the best for them first.

        It is worked out once for the same combat: between the same units, of which the same are demoralized, and with the
        same ones standing where the defenders might go.
        """
        first = stack[0]
        game, position, foes = first.game, first.position, first.enemies_in(first.to)
        if not foes or not game.board.adjacent(first.origin, first.to):
            return ()
        units = [game.units[unit] for unit in (*[play.unit.id for play in stack], *foes)]
        shaken = [self._shaken(first, unit) for unit in units]
        beyond = [position.units_in(label) for label in self._onward(game, first.origin, first.to) if label]
        known: dict[object, Sequence[Resolution]] = game.cached((self.id, "resolutions"), dict)
        key = first.origin, first.to, (*[unit.id for unit in units],), len(foes), (*shaken,), (*beyond,)
        if key not in known:
            known[key] = self._resolutions(stack, units[len(stack) :])
        return known[key]

    def _resolutions(self, stack: Sequence[MoveInPlay], enemies: Sequence[Unit]) -> Sequence[Resolution]:
        found: dict[tuple[object, ...], Resolution] = {}
        entries = self._column(stack, enemies).entries
        result_of = self._results(stack, enemies)
        for ours, theirs in entries:
            result = result_of(ours, theirs)
            key = result.good, result.demoralized, result.destroyed, result.moved
            alike = found.get(key)
            chance = Fraction(1, len(entries)) + (alike.probability if alike is not None else 0)
            drawn = result.entries | (alike.entries if alike is not None else frozenset())
            found[key] = replace(result, probability=chance, entries=drawn)
        own = {play.unit.id for play in stack}

        def badness(result: Resolution) -> tuple[object, ...]:
            losses = sum(unit in own for unit, _ in result.destroyed)
            harm = sum(unit in own for unit in result.demoralized)
            return (not result.good, losses, harm, losses - len(result.destroyed), harm - len(result.demoralized))

        return sorted(found.values(), key=lambda result: (badness(result), result.text))

    def _results(self, stack: Sequence[MoveInPlay], enemies: Sequence[Unit]) -> Callable[[int, int], Resolution]:
        """Return what tells to what damage to attackers and defenders leads."""
        first, game = stack[0], stack[0].game
        own_damage = self._damage_to(first, [play.unit for play in stack])
        their_damage = self._damage_to(first, enemies)

        @cache
        def refuge_of(alive: tuple[str, ...]) -> str | None:
            return self._refuge(first, [game.units[enemy] for enemy in alive]) if alive else None

        def result(ours: int, theirs: int) -> Resolution:
            shaken, lost = own_damage(ours)
            their_shaken, their_lost = their_damage(theirs)
            moved: list[tuple[str, str]] = []
            if theirs > ours:
                alive = tuple(enemy.id for enemy in enemies if enemy.id not in their_lost)
                refuge = refuge_of(alive)
                if refuge is None:
                    their_shaken, their_lost = [], [enemy.id for enemy in enemies]
                else:
                    moved = [(enemy, refuge) for enemy in alive]
            else:
                moved = [(play.unit.id, first.origin) for play in stack if play.unit.id not in lost]
            return Resolution(
                Fraction(0),
                theirs > ours and len(lost) < len(stack),
                (*shaken, *their_shaken),
                tuple((unit, box_of(game.units[unit], self.eliminated_to)) for unit in [*lost, *their_lost]),
                tuple(moved),
                told([*lost, *their_lost], [*shaken, *their_shaken], moved),
                frozenset([(ours, theirs)]),
            )

        return result

    def _refuge(self, play: MoveInPlay, force: Sequence[Unit]) -> str | None:
        """Return where defenders go who were attacked from one hex into another; None: they are destroyed."""
        board, (straight, *beside) = play.game.board, self._onward(play.game, play.origin, play.to)
        if not straight:
            return None  # across the edge of the map
        phase, chart = play.game.situation.phase, play.game.rulebook.terrain
        for label in (straight, *filter(None, beside)):
            features, weather = board.hexside(play.to, label), play.game.weather(label)
            closed = not chart.carries(features) and any(
                chart.entry_cost(board.hexes[label], features, unit, phase, (), weather) is None for unit in force
            )
            there = play.position.units_in(label)
            held = any(play.game.opposed(unit.id, other) for unit in force for other in there)
            if not closed and not held:
                return label
        return None

    def _onward(self, game: Game, origin: str, to: str) -> Sequence[str]:
        """Return the hexes straight on and to both sides of that, in order; an empty string for what is off the map."""
        known: dict[object, Sequence[str]] = game.cached((self.id, "onward"), dict)
        if (origin, to) not in known:
            numbering, ring = game.board.numbering, ring_of(game.board, to)
            thrust = (ring.index(origin) + 3) % 6
            # The ring runs clockwise on maps whose rows run straight and count southward, or columns northward.
            clockwise = (numbering.straight == "rows") == (numbering.rows_count == "south")
            turns = (0, -1, 1) if clockwise == (self.beside_first == "left") else (0, 1, -1)
            known[origin, to] = tuple(ring[(thrust + turn) % 6] for turn in turns)
        return known[origin, to]

    def check_draw(self, stack: Sequence[MoveInPlay], damage: tuple[int, int]) -> Iterable[Finding]:
        """Yield a finding if some damage can't have been drawn for a step."""
        if not any(damage in result.entries for result in self.resolutions(stack)):
            what = "there is no combat" if not self.resolutions(stack) else "the column has no such entry"
            yield Finding(self.paragraph, f"{damage[0]}:{damage[1]} can't have been drawn for {stack[0].to}: {what}")

    def after_step(self, play: MoveInPlay) -> Iterable[Stop]:
        """Yield that whoever has fought moves no further."""
        if play.fought:
            yield Stop(self.paragraph, f"it has fought {play.game.names(play.fought)}", play.step, play.path_hex)

    # -- the solver's face

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield that moving on needs the enemies of the hex to be gone; where they go, `aftermath` tells.

        Nobody fights who comes from afar, or into a box.
        """
        inside = game.enemies_at(arc.to) if arc.to in game.board.neighbours[arc.origin] else ()
        if inside:
            yield Demand(self.paragraph, when(*map(Gone, inside)), onward=True, cause="fought", source=self.id)

    def undrawn(self) -> Demand:
        """Return what fails where some damage can't have been drawn."""
        return Demand(self.paragraph, NEVER, cause="not drawn", source=self.id)

    def fought(self) -> Demand:
        """Return what moving on needs after a combat: nothing helps."""
        return Demand(self.paragraph, NEVER, onward=True, cause="fought", source=self.id)

    def strength_of(self, unit: Unit, shaken: Collection[str]) -> int:
        """Return a unit's strength, of which half is left, rounded down, once it is demoralized."""
        weakened = unit.id in shaken or self.demoralized in unit.traits
        return int(unit.attack / 2 if weakened else unit.attack)

    def column_of(self, game: Game, attack: int, defense: int, origin: str, to: str) -> CombatColumn:
        """Return the column for strengths, as terrain shifts it for an attack from one hex into another."""
        percent = Fraction(100 * attack, defense) - 100 if defense else None
        fitting = [n for n, c in enumerate(self.columns) if percent is None or c.from_percent <= percent]
        into, weather = game.board.places[to], game.weather(to)
        left = sum(
            shift.columns
            for shift in self.shifts
            if (shift.hexes is None or shift.hexes.matches(into, weather))
            and (shift.hexsides is None or shift.hexsides.matches(game.board, origin, to))
        )
        return self.columns[max(0, max(fitting, default=0) - left)]

    def refuges(self, game: Game, origin: str, to: str, units: Iterable[Unit]) -> tuple[str, ...] | None:
        """Return where defenders may go, the first choice first, as far as terrain lets them; None: off the map."""
        some = tuple(units)
        known: dict[object, tuple[str, ...] | None] = game.cached((self.id, "refuges"), dict)
        key = origin, to, tuple([unit.id for unit in some])
        if key not in known:
            known[key] = self._refuges(game, origin, to, some)
        return known[key]

    def _refuges(self, game: Game, origin: str, to: str, units: Sequence[Unit]) -> tuple[str, ...] | None:
        board, numbering = game.board, game.board.numbering
        (_, line, place), (_, far_line, far_place) = numbering.coordinates(origin), numbering.coordinates(to)
        start = NEIGHBOUR_OFFSETS.index((far_line - line, far_place - place))
        everywhere = numbering.ring(to)
        straight = everywhere[start]
        if straight not in board.hexes:
            return None
        # Which way round the neighbours are listed depends on where lines and places count.
        mirrored = (numbering.straight == "columns") != (numbering.rows_count == "north")
        order = (-1, 1) if (self.beside_first == "left") != mirrored else (1, -1)
        beside = [everywhere[(start + turn) % 6] for turn in order]
        chart, phase = game.rulebook.terrain, game.situation.phase

        def is_open(label: str, unit: Unit) -> bool:
            features, weather = board.hexside(to, label), game.weather(label)
            cost = chart.entry_cost(board.hexes[label], features, unit, phase, (), weather)
            return cost is not None or chart.carries(features)

        return tuple(
            label
            for label in (straight, *beside)
            if label in board.hexes and all(is_open(label, unit) for unit in units)
        )

    def harm(
        self, units: Sequence[Unit], shaken: Collection[str], damage: int
    ) -> tuple[frozenset[str], frozenset[str]]:
        """Return who is demoralized for the first time, and who is destroyed."""
        rank = {unit.id: (unit.attack if self.losses_first == "weakest" else -unit.attack) for unit in units}
        queue = sorted(units, key=lambda unit: rank[unit.id])
        first = [u.id for u in queue if u.id not in shaken and self.demoralized not in u.traits]
        hit = set(first[:damage])
        dead = [u.id for u in queue if u.id not in first or u.id in hit][: max(0, damage - len(first))]
        return frozenset(hit - set(dead)), frozenset(dead)

    def aftermath(
        self,
        game: Game,
        team: Sequence[Unit],
        foes: Sequence[Unit],
        arc: Arc,
        shaken: Collection[str],
        held: Callable[[str, Sequence[Unit]], bool],
    ) -> list[Aftermath]:
        """Return everything that a combat may lead to."""
        attack = sum(self.strength_of(unit, shaken) for unit in team)
        defense = sum(self.strength_of(unit, shaken) for unit in foes)
        column = self.column_of(game, attack, defense, arc.origin, arc.to)
        found: dict[Aftermath, Fraction] = {}
        drawn: dict[Aftermath, set[tuple[int, int]]] = {}
        for (ours, theirs), times in Counter(column.entries).items():
            hurt, lost = self.harm(team, shaken, ours)
            hurt_foes, lost_foes = self.harm(foes, shaken, theirs)
            back: frozenset[tuple[str, str]] = frozenset()
            if theirs <= ours:
                back = frozenset((unit.id, arc.origin) for unit in team if unit.id not in lost)
            else:
                alive = [unit for unit in foes if unit.id not in lost_foes]
                places = self.refuges(game, arc.origin, arc.to, alive) if alive else ()
                refuge = next((label for label in places or () if not held(label, alive)), None)
                if refuge is None:
                    hurt_foes, lost_foes = frozenset(), frozenset(unit.id for unit in foes)
                else:
                    back = frozenset((unit.id, refuge) for unit in alive)
            good = theirs > ours and len(lost) < len(team)
            result = Aftermath(good, hurt | hurt_foes, lost | lost_foes, back)
            found[result] = found.get(result, Fraction(0)) + Fraction(times, len(column.entries))
            drawn.setdefault(result, set()).add((ours, theirs))
        return [replace(r, probability=chance, entries=frozenset(drawn[r])) for r, chance in found.items()]
