"""Enemy zones of control."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.atoms import Conjunction, Friend, Gone, GoneOrFriend, when
from planner.rules.combat_roles import Fights
from planner.rules.demands import ANYBODY, Arc, Demand, Tick, no_tick
from planner.rules.play import NO_MP, Finding, MoveInPlay
from planner.rules.removed_markers import problems_of_own
from planner.rules.roles import Controls, Prices, Rolls
from planner.rules.zone_effects import Blocking, Effect
from planner.world.forces import Unit
from planner.world.position import Position, Reliance, Stop
from planner.world.selectors import HexsideSelector, MarkerSelector, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


class ZoneOfControl(Controls, Prices):
    """Ensures that units heed enemy zones of control: by default, that they stop where one reaches."""

    kind: Literal["zone_of_control"]
    exerted_by: UnitSelector = Field(description="The units that have a ZOC")
    blocked_by: HexsideSelector = Field(
        default=HexsideSelector(), description="The hexsides across which a ZOC doesn't reach"
    )
    blocked_for: tuple[Blocking, ...] = Field(
        default=(), description="Units for which other hexsides than `blocked_by` do; the first that fits a unit holds"
    )
    negated_by: UnitSelector = Field(
        default=UnitSelector(),
        description="The units of which one in the hex negates every EZOC there for its friends",
    )
    negated_for_good: bool = Field(
        default=False, description="Whether a friend negates only if it spends no MP later in the phase"
    )
    negating_markers: MarkerSelector | None = Field(
        default=None, description="The markers that do the same; absent: no marker does"
    )
    effects: tuple[Effect, ...] = Field(
        description="What an EZOC does; of several such rules each looks at its own units, and its own costs, alone"
    )

    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "An enemy zone of control stops, bars or costs a unit that enters or leaves a hex in it."

    @property
    def favours_overruns(self) -> bool:
        """Whether some EZOC lets those go on whom it stops if they overrun somebody else."""
        return any(effect.any_overrun_lifts for effect in self.effects)

    @property
    def lasting(self) -> bool:
        """Whether a friend negates only if it moves no more."""
        return self.negated_for_good or not any(effect.negatable for effect in self.effects)

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield the names that the game doesn't have, and combats in which friends who wait would let others through."""
        sequence = rulebook.sequence
        waits = sequence is not None and sequence.waiting is not None
        if waits and any(effect.negatable for effect in self.effects):
            for rule in rulebook.of(Fights):
                yield (
                    f"negatable doesn't go with {rule.kind} ({rule.id}) and units that wait (waiting of sequence): a friend "
                    "would let others through whom a combat may yet remove. Leave out one of them"
                )
        yield from problems_of_own(rulebook, "negating_markers", self.negating_markers)
        for effect in self.effects:
            yield from rulebook.unknown("phases", effect.phases)
            if (effect.does == "cost") != bool(effect.mp):
                yield "an effect that costs must have mp, and no other"
            if effect.from_ezoc != "no" and (effect.on != "enter" or effect.does == "stop"):
                yield "from_ezoc goes with entering, and with forbidding or costs"
            for field, names in (("ways", effect.ways), ("except_ways", effect.except_ways)):
                yield from rulebook.unknown_ways(field, names)

    def amounts(self) -> Iterable[Fraction]:
        """Return what EZOCs cost."""
        return (effect.mp for effect in self.effects)

    @cached_property
    def _priced(self) -> bool:
        """Whether any effect costs MP."""
        return any(effect.does == "cost" for effect in self.effects)

    # -- the referee's face

    def watches(self, game: Game, unit: Unit) -> bool:
        """Tell whether an EZOC may bar the unit, or friends may rely on its staying."""
        return self.lasting or self._binds(game, unit, "forbid")

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Return what forbids to leave a hex in an EZOC, or to enter one."""
        relied_on = play.step == 1 and play.position.relied
        return self._forbidden(play) if relied_on or self._binds(play.game, play.unit, "forbid") else ()

    def _forbidden(self, play: MoveInPlay) -> Iterable[Finding]:
        if play.step == 1:
            yield from self._left_alone(play)
        for effect, exerters in self._binding(play, "leave", "forbid"):
            because = f"EZOC of {play.game.names(exerters)}{self._in_spite_of(play, effect, play.origin)}"
            text = f"{play.unit.id} may not leave {play.origin}: {because}"
            yield Finding(effect.paragraph, text, exerters, play.origin, play.step - 1)
        for effect, exerters in self._binding(play, "enter", "forbid"):
            because = f"EZOC of {play.game.names(exerters)}{self._in_spite_of(play, effect, play.to)}"
            text = f"{play.unit.id} may not enter {play.to}: {because}"
            if effect.from_ezoc != "no":
                text = (
                    f"{play.unit.id} may not go from {play.origin} to {play.to}: EZOCs of {play.game.names(exerters)}"
                )
            yield Finding(effect.paragraph, text, exerters)

    def step_cost(self, play: MoveInPlay) -> Fraction:
        """Return what the EZOCs of the hex left, or entered, cost."""
        if not self._priced:
            return NO_MP
        return sum((effect.mp for on in ("leave", "enter") for effect, _ in self._binding(play, on, "cost")), NO_MP)

    def may_stop(self, game: Game, unit: Unit) -> bool:
        """Tell whether an EZOC stops the unit anywhere."""
        return self._binds(game, unit, "stop")

    def after_step(self, play: MoveInPlay) -> Iterable[Stop]:
        """Yield the stops that the EZOCs of the hex entered, or of the hex left, impose."""
        game = play.game
        for effect, exerters in self._binding(play, "enter", "stop"):
            reason = f"EZOC of {game.names(exerters)}{self._in_spite_of(play, effect, play.to)}"
            lifted = effect.overrun_lifts, effect.any_overrun_lifts
            yield Stop(effect.paragraph, reason, play.step, play.to, exerters, *lifted, stays=self.negated_for_good)
        for effect, exerters in self._binding(play, "leave", "stop"):
            spite = self._in_spite_of(play, effect, play.origin)
            reason = f"it left {play.origin} in the EZOC of {game.names(exerters)}{spite}"
            for_good, at = self.negated_for_good, play.origin
            yield Stop(effect.paragraph, reason, play.step, play.to, exerters, stays=for_good, lifted_in=at)

    def _binds(self, game: Game, unit: Unit, does: str) -> bool:
        """Tell whether an EZOC may do something to a unit in this phase."""
        found = _effects_on(self, game, unit)
        return ("enter", does) in found or ("leave", does) in found

    def _binding(self, play: MoveInPlay, on: str, does: str) -> Sequence[tuple[Effect, tuple[str, ...]]]:
        """Return the effects of a kind that hold for the step, with the enemies on whose account they do."""
        game = play.game
        effects = _effects_on(self, game, play.unit).get((on, does))
        if effects is None:
            return ()
        label, way = play.origin if on == "leave" else play.to, "" if play.way is None else play.way.id
        holding = _holding_in(self, game, label)
        return [
            (effect, exerters)
            for number, effect in effects
            if number in holding
            and (not effect.ways or way in effect.ways)
            and way not in effect.except_ways
            and (exerters := self._binders(play, effect))
            and not (effect.negatable and self._negated(play, label))
        ]

    def _binders(self, play: MoveInPlay, effect: Effect) -> tuple[str, ...]:
        """List the enemies on whose account an effect binds a unit that enters or leaves a hex, unless it is negated."""
        game, position = play.game, play.position
        if effect.does == "stop":  # the step has been made
            if effect.on == "enter":
                return self._exerters(game, position, play.to)
            exerters = self._exerters(game, position, play.origin)
            # The victims of this step are off the map by now, but their ZOC lay on the hex when the unit left it.
            gone = () if effect.overrun_lifts else self._removed_neighbours(play)
            return game.sorted(exerters + gone) if gone else exerters
        victims = play.victims()
        lifted = victims if effect.overrun_lifts else ()
        if effect.on == "leave":
            return self._exerters(game, position, play.origin, lifted)
        inside = self._exerters(game, position, play.to, victims)
        if effect.from_ezoc == "no" or not inside:
            return inside
        if effect.negatable and self._negated(play, play.origin):
            return ()
        left = self._exerters(game, position, play.origin, lifted)
        if effect.from_ezoc == "same":
            return tuple(enemy for enemy in inside if enemy in left)
        return game.sorted({*inside, *left}) if left else ()

    def _exerters(self, game: Game, position: Position, label: str, but: tuple[str, ...] = ()) -> tuple[str, ...]:
        """List the enemies whose ZOC reaches a hex."""
        beside = position.units_beside(game.board.neighbours[label], game.friends)
        if not beside:
            return ()
        return game.sorted(
            [unit for other, unit in beside if unit not in but and _exerts(self, game, unit, other, label)]
        )

    def _negated(self, play: MoveInPlay, label: str) -> bool:
        """Tell whether a friend or a marker in the hex negates every EZOC there."""
        for friend in play.friends_in(label):
            if self.negated_by.matches(play.game.units[friend]) and not (
                self.negated_for_good and friend in play.moving_later
            ):
                return True
        phasing = play.game.situation.phasing
        return self.negating_markers is not None and any(
            marker.side == phasing and self.negating_markers.matches(marker) for marker in play.markers_in(label)
        )

    def _in_spite_of(self, play: MoveInPlay, effect: Effect, label: str) -> str:
        """Say why friends in a hex don't negate the EZOCs there, which bind all the same; nothing if there is none."""
        groups: dict[tuple[str, str], list[str]] = {}
        for friend in play.friends_in(label):
            because = ("it moves later", "they move later")
            if not self.negated_by.matches(play.game.units[friend]):
                because = ("it is no unit that does", "they are no units that do")
            if not effect.negatable:
                because = (f"nobody does ({effect.paragraph})",) * 2
            groups.setdefault(because, []).append(friend)
        names = play.game.names
        said = [
            f"{names(friends)} there {'do' if friends[1:] else 'does'}n't negate: {because[len(friends) > 1]}"
            for because, friends in groups.items()
        ]
        return f", which {', and '.join(said)}" if said else ""

    def _left_alone(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield who has gone on in an EZOC on account of friends of whom nobody would stay."""
        for reliance in play.position.relied:
            leaving = {play.unit.id, *play.companions} | play.moving_later
            if reliance.rule == self.id and play.unit.id in reliance.friends <= leaving:
                text = f"{play.unit.id} must stay in {play.origin}: it has negated an EZOC there for {reliance.unit}"
                yield Finding(reliance.paragraph, text, (), play.origin, 0)

    def _removed_neighbours(self, play: MoveInPlay) -> tuple[str, ...]:
        game, board = play.game, play.game.board
        if not board.adjacent(play.to, play.origin):
            return ()
        exerting = (unit for unit in play.removed if self.exerted_by.matches(game.units[unit]))
        return tuple(u for u in exerting if not self.barriers_of(game.units[u]).matches(board, play.to, play.origin))

    # -- the solver's face

    def groups(self, game: Game) -> dict[str, frozenset[str]]:
        """Return the friends that negate an EZOC."""
        found = {self.id: frozenset(unit for unit in game.friends if self.negated_by.matches(game.units[unit]))}
        for number, reliance in enumerate(self._relied(game)):
            found[f"{self.id} {number}"] = reliance.friends
        return found

    def _relied(self, game: Game) -> list[Reliance]:
        """Return who must stay, since units have gone on in this phase on account of friends who do."""
        begun = game.begun
        return [] if begun is None else [one for one in begun.position.relied if one.rule == self.id]

    def pick_up_demands(self, game: Game, unit: Unit, origin: str, tick: Tick = no_tick) -> Iterable[Demand]:
        """Yield that a friend on whom others have relied stays, unless another one does."""
        for number, reliance in enumerate(self._relied(game)):
            if unit.id in reliance.friends <= game.homes.keys():  # who has been eliminated since has moved no more
                places = sorted({game.homes[friend] for friend in reliance.friends - {unit.id}})
                staying = tuple(frozenset([Friend(place, f"{self.id} {number}", stays=True)]) for place in places)
                yield Demand(reliance.paragraph, staying, cause=f"relied {number}", source=self.id)

    def same_from_anywhere(self, game: Game, way: str) -> bool:
        """Tell whether what it asks doesn't depend on the hex left: no effect in force anywhere is about leaving an EZOC."""
        hexes = [(game.board.places[label], game.weather(label)) for label in self._zones(game)]
        return not any(
            effect.does != "cost"
            and (effect.on == "leave" or effect.from_ezoc != "no")
            and (not effect.phases or game.situation.phase in effect.phases)
            and any(effect.where.matches(place, weather) for place, weather in hexes)
            for effect in self.effects
        )

    def concerns(self, game: Game, unit: Unit) -> bool:
        """Tell whether some effect that stops or forbids may bind the unit."""
        return any(effect.does != "cost" and effect.movers.matches(unit) for effect in self.effects)

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield, for each enemy whose ZOC matters, that it be gone or that a friend be in the hex."""
        zones = self._zones(game)
        if arc.to not in zones and arc.origin not in zones:
            return
        rolled = game.cached("rolled", lambda: bool(game.rulebook.of(Rolls)))
        for number, effect in self._in_force(game, unit, arc, priced=False):
            if effect.from_ezoc != "no":
                yield from self._between(game, zones, effect, arc, number, rolled)
            else:
                yield from self._within(zones, effect, arc, number, rolled)

    def arc_prices(self, game: Game, unit: Unit, arc: Arc) -> Iterable[tuple[Fraction, tuple[Demand, ...]]]:
        """Yield what EZOCs cost, and less for each effect that gone enemies, or a friend in the hex, would lift."""
        if not self._priced:
            yield NO_MP, ()
            return
        zones = self._zones(game)
        choices: list[tuple[tuple[Fraction, tuple[Demand, ...]], ...]] = []
        for number, effect in self._in_force(game, unit, arc, priced=True):
            if effect.from_ezoc != "no":
                lifting = list(self._between(game, zones, effect, arc, number, False))
            else:
                lifting = self._lifting_price(zones, effect, arc, number)
            choices += [((effect.mp, ()), (Fraction(0), (wanted,))) for wanted in lifting]
        for chosen in product(*choices):
            yield sum((mp for mp, _ in chosen), Fraction(0)), tuple(demand for _, some in chosen for demand in some)

    def _in_force(self, game: Game, unit: Unit, arc: Arc, priced: bool) -> Iterable[tuple[int, Effect]]:
        """Yield, with their numbers, the effects that may bind a unit on an arc: those that cost, or the others."""
        zones = self._zones(game)
        covered = game.cached((self.id, "covered"), lambda: _covered_by_marker(self, game))
        for number, effect in enumerate(self.effects):
            label = arc.to if effect.on == "enter" else arc.origin
            if (
                (effect.does == "cost") is priced
                and label in zones
                and arc.way not in effect.except_ways
                and (not effect.ways or arc.way in effect.ways)
                and (not effect.phases or game.situation.phase in effect.phases)
                and effect.movers.matches(unit)
                and effect.where.matches(game.board.places[label], game.weather(label))
            ):
                # A step between EZOCs may be covered in either hex.
                hexes = (label,) if effect.from_ezoc == "no" else (arc.origin, arc.to)
                if not effect.negatable or covered.isdisjoint(hexes):
                    yield number, effect

    def _within(
        self, zones: Mapping[str, tuple[str, ...]], effect: Effect, arc: Arc, number: int, rolled: bool
    ) -> Iterable[Demand]:
        """Yield, for each enemy whose ZOC reaches the hex, what lifts an effect that stops or forbids."""
        entering, stop = effect.on == "enter", effect.does == "stop"
        label, victims = arc.to if entering else arc.origin, arc.victims or ()
        # Who is barred from entering needs somebody who is there already.
        before = entering and not stop
        for enemy in zones[label]:
            if enemy in victims and (entering or effect.overrun_lifts):
                continue
            # An enemy who falls in this very step is gone when the unit moves on, but wasn't when it left the hex.
            falls = stop and enemy in victims
            any_of: tuple[Conjunction, ...] = () if falls else when(Gone(enemy))
            if effect.negatable:
                any_of += when(Friend(label, self.id, self.negated_for_good, before))
                if rolled and not falls:
                    any_of += when(GoneOrFriend(enemy, label, self.id, before, self.negated_for_good))
            yield Demand(
                effect.paragraph,
                any_of,
                (enemy,),
                onward=stop,
                lifted_by_overrun_of=self._lifted_by(effect, enemy),
                at=None if entering or stop else label,
                cause=f"effect {number}",
                source=self.id,
            )

    @staticmethod
    def _lifted_by(effect: Effect, enemy: str) -> str | None:
        """Return whose overrun lifts a stop on account of an enemy: anybody's, the enemy's own, or nobody's."""
        if effect.on != "enter" or effect.does != "stop":
            return None
        if effect.any_overrun_lifts:
            return ANYBODY
        return enemy if effect.overrun_lifts else None

    def _between(
        self,
        game: Game,
        zones: Mapping[str, tuple[str, ...]],
        effect: Effect,
        arc: Arc,
        number: int,
        rolled: bool,
    ) -> Iterable[Demand]:
        """Yield what lifts an effect on stepping from one EZOC straight into another; nothing where there is none."""
        victims = arc.victims or ()
        ahead = [enemy for enemy in zones.get(arc.to, ()) if enemy not in victims]
        behind = [e for e in zones.get(arc.origin, ()) if e not in victims or not effect.overrun_lifts]
        if effect.from_ezoc == "same":
            ahead = behind = [enemy for enemy in ahead if enemy in behind]
        if not ahead or not behind:
            return
        any_of: list[Conjunction] = []
        for label, enemies, before in ((arc.to, ahead, True), (arc.origin, behind, False)):
            any_of += when(*map(Gone, enemies))
            if effect.negatable:
                any_of += when(Friend(label, self.id, self.negated_for_good, before))
                if rolled:
                    stays = self.negated_for_good
                    any_of += when(*(GoneOrFriend(enemy, label, self.id, before, stays) for enemy in enemies))
        if effect.negatable and rolled:  # after those of one hex, which follow from what comes before them
            for enemies in (ahead, behind):
                any_of += _rolled_in_either(self, game, arc, enemies)
        blame = tuple(dict.fromkeys([*ahead, *behind]))
        lifting, choice = tuple(dict.fromkeys(any_of)), effect.does == "cost"
        yield Demand(effect.paragraph, lifting, blame, cause=f"effect {number}", source=self.id, choice=choice)

    def _lifting_price(
        self, zones: Mapping[str, tuple[str, ...]], effect: Effect, arc: Arc, number: int
    ) -> list[Demand]:
        """Return what lifts an effect that costs; nothing where it doesn't hold."""
        label = arc.to if effect.on == "enter" else arc.origin
        lifted = (arc.victims or ()) if effect.overrun_lifts or effect.on == "enter" else ()
        exerters = tuple(enemy for enemy in zones[label] if enemy not in lifted)
        if not exerters:
            return []
        any_of = when(*map(Gone, exerters))
        if effect.negatable:
            any_of += when(Friend(label, self.id, self.negated_for_good, before=effect.on == "enter"))
        return [Demand(effect.paragraph, any_of, exerters, cause=f"effect {number}", source=self.id, choice=True)]

    def _zones(self, game: Game) -> dict[str, tuple[str, ...]]:
        """Map each hex to the enemies whose ZOC reaches it while they live."""
        return game.cached((self.id, "zones"), lambda: _reached(self, game))


def _rolled_in_either(rule: ZoneOfControl, game: Game, arc: Arc, enemies: Sequence[str]) -> Iterator[Conjunction]:
    """Yield what lifts an effect on a step between EZOCs of some enemies, by who may be stuck in either hex.

    Some of them are overrun from the one hex and some from the other: if all of that goes through, they are gone, and
    otherwise a friend is in one of both. Those of one hex are overrun together.
    """
    homes = sorted({game.homes[enemy] for enemy in enemies})
    for labels in product((arc.to, arc.origin), repeat=len(homes)):
        at = dict(zip(homes, labels, strict=True))
        where = ((enemy, at[game.homes[enemy]]) for enemy in enemies)
        yield frozenset(GoneOrFriend(one, to, rule.id, to == arc.to, rule.negated_for_good) for one, to in where)


def _effects_on(rule: ZoneOfControl, game: Game, unit: Unit) -> dict[tuple[str, str], list[tuple[int, Effect]]]:
    """Return the effects that may bind a unit in this phase, with their numbers, by when they hold and what they do."""
    known: dict[str, dict[tuple[str, str], list[tuple[int, Effect]]]] = game.cached((rule.id, "binding"), dict)
    found = known.get(unit.id)
    if found is None:
        found = known[unit.id] = {}
        for number, effect in enumerate(rule.effects):
            if effect.movers.matches(unit) and (not effect.phases or game.situation.phase in effect.phases):
                found.setdefault((effect.on, effect.does), []).append((number, effect))
    return found


def _holding_in(rule: ZoneOfControl, game: Game, label: str) -> frozenset[int]:
    """Return the numbers of the effects that hold in a place, as it looks and in its weather."""
    known: dict[str, frozenset[int]] = game.cached((rule.id, "holding"), dict)
    if (found := known.get(label)) is None:
        place, weather = game.board.places[label], game.weather(label)
        holding = [number for number, effect in enumerate(rule.effects) if effect.where.matches(place, weather)]
        found = known[label] = frozenset(holding)
    return found


def _exerts(rule: ZoneOfControl, game: Game, unit: str, origin: str, label: str) -> bool:
    """Tell whether the ZOC of a unit in a hex reaches one beside it."""
    known: dict[tuple[str, str, str], bool] = game.cached((rule.id, "exerts"), dict)
    if (found := known.get((unit, origin, label))) is None:
        enemy = game.units[unit]
        found = rule.exerted_by.matches(enemy) and not rule.barriers_of(enemy).matches(game.board, origin, label)
        known[unit, origin, label] = found
    return found


def _covered_by_marker(rule: ZoneOfControl, game: Game) -> frozenset[str]:
    """Return the hexes where a marker of the phasing side negates every EZOC."""
    if rule.negating_markers is None:
        return frozenset()
    own = (marker for marker in game.situation.markers if marker.side == game.situation.phasing)
    return frozenset(marker.at for marker in own if rule.negating_markers.matches(marker))


def _reached(rule: ZoneOfControl, game: Game) -> dict[str, tuple[str, ...]]:
    """Map each hex to the enemies whose ZOC reaches it from where they begin."""
    zones: dict[str, tuple[str, ...]] = {}
    for unit in game.units.values():
        home = game.homes.get(unit.id)
        if home is None or not game.is_enemy(unit.id) or not rule.exerted_by.matches(unit):
            continue
        blocked = rule.blocked_by
        for other in reversed(rule.blocked_for):
            blocked = other.blocked_by if other.units.matches(unit) else blocked
        all_but_some = bool(blocked.without) and not blocked.features and not blocked.terrain
        for label in game.board.neighbours[home]:
            features = game.board.hexside(home, label)
            terrains = {game.board.places[home].terrain, game.board.places[label].terrain}
            named = not (features.isdisjoint(blocked.features) and terrains.isdisjoint(blocked.terrain))
            if not (all_but_some or named) or not features.isdisjoint(blocked.without):
                zones[label] = (*zones.get(label, ()), unit.id)
    return zones
