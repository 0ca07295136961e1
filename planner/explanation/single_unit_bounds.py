"""What single units could come to: whatever the others did for them, and while nobody else moves.

Most questions are settled by one unit. If not even with all help that it could wish for a unit gets where somebody would
have to be, there is no plan; and if it gets there while nobody else moves, there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from planner.errors import OutOfTimeError
from planner.explanation.direct_ways import direct_way
from planner.explanation.needs import Aim, Need, moves_eliminate, needs_of
from planner.explanation.relaxation import ALL, RelaxationMemory, Scope, every_scope, narrowed, relaxed
from planner.explanation.sure_combats import Assault, held_for_sure, shut_to, strongest_assault, unhurt_for_sure
from planner.limits import Limits
from planner.objective import Tier
from planner.objective.control import Control
from planner.objective.goals import Hold
from planner.plans.plan import Move
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.event_reach import EventReach, UnsuitedError, waits
from planner.reachability.kept_reach import remember
from planner.reachability.narrow_hexes import too_many
from planner.reachability.possibility import Possibility
from planner.reachability.relaxed_reach import nobody_falls
from planner.rules.combat_roles import Fights, JointlyOverruns
from planner.rules.game import Game
from planner.rules.roles import Rolls
from planner.scenario import Scenario

Scopes = Sequence[Scope] | None
"""Where rules are in force; None: the game as it is."""


class SingleUnitBounds:
    """What single units could come to in relaxed games of one scenario.

    Parameters
    ----------
    scenario : Scenario
        The scenario.
    memory : RelaxationMemory
        What its relaxed games share.
    limits : Limits
        When to stop.
    movers : sequence of str, optional
        The only units that move; absent: all that may.
    base : SingleUnitBounds, optional
        Those of a scenario that differs only in what some units are like, or have.
    touched : collection of str
        These units.

    Attributes
    ----------
    memory, limits : RelaxationMemory, Limits
        As given; later limits may be others.
    surely : bool
        Whether what is needed must be had however the dice fall by which units get stuck. Should all that may get stuck be
        stuck, somebody must still see to it: so nobody counts on what is beyond where it may be.
    """

    def __init__(
        self,
        scenario: Scenario,
        memory: RelaxationMemory,
        limits: Limits,
        movers: Sequence[str] | None = None,
        base: SingleUnitBounds | None = None,
        touched: Collection[str] = (),
    ) -> None:
        self._base, self._touched, self.surely = base, touched, False
        self.scenario, self.memory, self.limits, self._movers = scenario, memory, limits, movers
        self._last: dict[frozenset[Scope] | None, ConditionalReach] = {}
        # Of each search: the hexes of which it has asked whether enemies stay there, those where they do, and what it found.
        self._at_best: dict[
            object, list[tuple[frozenset[str], frozenset[str], dict[str, Fraction], frozenset[str]]]
        ] = {}
        self._alone: dict[object, tuple[tuple[Possibility, ...], ...]] = {}
        self._held: dict[frozenset[Scope] | None, frozenset[str]] = {}
        self._shut: dict[tuple[frozenset[Scope] | None, str], frozenset[str]] = {}
        self._events: dict[frozenset[Scope] | None, EventReach | None] = {}
        self._fights = bool(scenario.game.rulebook.of(Fights))
        # Without overruns and combats no enemy leaves its hex while units move: nobody can help anybody against one.
        self._all_stay = not moves_eliminate(scenario.game)

    @property
    def movers(self) -> tuple[str, ...]:
        """The units that move, in the order of the scenario."""
        game, movers = self.scenario.game, self._movers
        return tuple(unit for unit in game.homes if unit in game.friends and (movers is None or unit in movers))

    def game_with(self, scopes: Scopes) -> Scenario:
        """Return the game with rules in force in some scopes only."""
        if scopes is not None:
            return relaxed(self.scenario, scopes, self.memory, self._movers)
        return self.scenario if self._movers is None else narrowed(self.scenario, self._movers)

    def reach(self, scopes: Scopes) -> ConditionalReach:
        """Return what units can do in a relaxed game; those of the last two are kept: units share what is known of steps.

        Where rules bind one unit alone, it is asked about by turns with the others, whom nothing binds.
        """
        key = None if scopes is None else frozenset(scopes)
        found = self._last.pop(key, None)
        if found is None:
            relaxed_game = self.game_with(scopes)
            found = ConditionalReach(relaxed_game.game, self.limits)
            remember(found, relaxed_game.memory)
            if len(self._last) > 1:
                del self._last[next(iter(self._last))]
        self._last[key], found.limits = found, self.limits
        return found

    @staticmethod
    def own(scopes: Scopes, unit: str) -> Scopes:
        """Return the scopes that concern a unit."""
        return None if scopes is None else [scope for scope in scopes if scope.unit in (ALL, unit, None)]

    @staticmethod
    def key(scopes: Scopes, unit: str) -> object:
        """Return what tells apart what different scopes are to a unit."""
        own = SingleUnitBounds.own(scopes, unit)
        return unit, None if own is None else frozenset((s.rule, s.hexes, s.pays, s.unit is None) for s in own)

    def can(self, scopes: Scopes, aim: Aim) -> bool:
        """Tell whether a unit could come to something if the others did all that it needs; too often, never too seldom.

        Raises
        ------
        OutOfTimeError
            If it gets late.
        """
        game = self.scenario.game
        if self._movers is not None and aim.unit not in self._movers:
            return game.homes[aim.unit] in aim.ends
        if not self._could(scopes, _roomy(self, scopes, aim), frozenset()):
            return False
        if not self._fights or not self.surely:
            return True
        held, shut = self.held(scopes), self.shut(scopes, aim.unit)
        if held and not self._could(scopes, aim, held):
            return False
        # It may be the last who fights for a hex that is only shut, and end there.
        return not shut or not aim.ends.isdisjoint(shut) or self._could(scopes, aim, held | shut)

    def might(self, aim: Aim) -> bool:
        """Tell whether a unit could come to something if all rolls went well, and no enemy stayed anywhere: too often.

        Raises
        ------
        OutOfTimeError
            If it gets late.
        """
        book = self.scenario.game.rulebook
        drawn = {rule.id for rule in (*book.of(Rolls), *book.of(Fights))}
        certain = [scope for scope in every_scope(self.scenario) if scope.pays or scope.rule not in drawn]
        return self._could(certain, aim, frozenset())

    def _could(self, scopes: Scopes, aim: Aim, held: frozenset[str]) -> bool:
        if not _comes_to(self.scenario.game, aim, *self._best(scopes, aim.unit, held, aim.sound)):
            return False
        events = self.events(scopes)
        return events is None or _comes_to(self.scenario.game, aim, *events.at_best(aim.unit))

    def least_mp(self, scopes: Scopes, aim: Aim) -> Fraction | None:
        """Return for how many MP at least a unit could get where it is to; None: it can't.

        Raises
        ------
        OutOfTimeError
            If it gets late.
        """
        ends, events = self._best(scopes, aim.unit, frozenset())[0], self.events(scopes)
        together = {} if events is None else events.at_best(aim.unit)[0]
        return min((some[label] for some in (ends, together) for label in aim.ends & some.keys()), default=None)

    def staying(self, scopes: Scopes, aim: Aim | None = None) -> frozenset[str]:
        """Return the hexes of enemies whom no overruns that units make together could eliminate: none too many.

        With an aim, only those without any of which the unit could come to it.

        Raises
        ------
        OutOfTimeError
            If it gets late.
        """
        events, game = self.events(scopes), self.scenario.game
        if events is None and not nobody_falls(self.reach(scopes)):
            return frozenset()
        enemies = (enemy for enemy in game.homes if game.is_enemy(enemy))
        found = frozenset(game.homes[enemy] for enemy in enemies).difference(() if events is None else events.events)
        for label in sorted(found if aim is not None else ()):
            self.limits.check()
            if aim is not None and not _comes_to(
                self.scenario.game, aim, *self._beside(scopes, aim.unit, found - {label})
            ):
                found -= {label}
        return found

    def hangs_on_dice(self, scopes: Scopes, needs: Iterable[Need]) -> bool:
        """Tell whether somebody could see to some needs if enemies might be gone whom no overrun is sure to eliminate.

        Raises
        ------
        OutOfTimeError
            If it gets late.
        """

        def might(aim: Aim) -> bool:
            reach = self.reach(self.own(scopes, aim.unit))
            return _comes_to(self.scenario.game, aim, *reach.at_best(aim.unit, lambda _: False, self.surely))

        return nobody_falls(self.reach(scopes)) and any(might(aim) for need in needs for aim in need)

    def _beside(self, scopes: Scopes, unit: str, staying: frozenset[str]) -> tuple[dict[str, Fraction], frozenset[str]]:
        """Return what a unit could come to, as `_best` does, if just the enemies in some hexes stayed."""
        events = self.events(scopes)
        if events is None:
            return self.reach(self.own(scopes, unit)).at_best(unit, staying.__contains__, self.surely)
        return events.at_best(unit, [enemy for label in staying for enemy in self.scenario.game.enemies_at(label)])

    def events(self, scopes: Scopes) -> EventReach | None:
        """Return the overruns that units might make together; None: there are none, or it isn't known which."""
        rules = {rule.id for rule in self.scenario.game.rulebook.of(JointlyOverruns)}
        # Where it binds nobody, hardly any enemy stays.
        binding = (scope.rule in rules and not scope.pays for scope in scopes or ())
        if not rules or (scopes is not None and not any(binding)):
            return None
        key = None if scopes is None else frozenset(scopes)
        if key not in self._events:
            try:
                self._events[key] = EventReach(self.reach(scopes))
            except UnsuitedError:
                self._events[key] = None
        return self._events[key]

    def barred(self, scopes: Scopes, need: Need) -> tuple[str, ...]:
        """Return hexes that no combats are sure to open, in order: without any of them somebody could see to a need.

        Raises
        ------
        OutOfTimeError
            If it gets late.
        """
        held = self.held(scopes) if self._fights else frozenset[str]()
        if any(self._could(scopes, aim, held) for aim in need):
            return ()
        return self._needed(scopes, need, held)

    def closed_to(self, scopes: Scopes, aim: Aim) -> tuple[frozenset[str], frozenset[str]]:
        """Return what keeps a unit from its aim: hexes that no combats are sure to open, and such as none of others are.

        Nothing where it isn't combats, or they are not enough.

        Raises
        ------
        OutOfTimeError
            If it gets late.
        """
        held = self.held(scopes) if self._fights and self.surely else frozenset[str]()
        shut = self.shut(scopes, aim.unit) if self._fights and self.surely else frozenset[str]()
        for closed in (held, held | shut):
            if not self._could(scopes, aim, closed):
                needed = frozenset(self._needed(scopes, (aim,), closed))
                return needed & held, needed - held
        return frozenset(), frozenset()

    def _needed(self, scopes: Scopes, need: Need, closed: frozenset[str]) -> tuple[str, ...]:
        """Return those of some hexes, closed to all, without any of which somebody could see to a need."""
        for label in sorted(closed):
            if not any(self._could(scopes, aim, closed - {label}) for aim in need):
                closed -= {label}
        return tuple(sorted(closed))

    def _best(
        self, scopes: Scopes, unit: str, held: frozenset[str], sound: bool = False
    ) -> tuple[dict[str, Fraction], frozenset[str]]:
        """Return where a unit could come, for how many MP, and whom it could eliminate, if some hexes stay the enemies'.

        `sound`: if it is never stuck on its own, where that must be sure.
        """
        if self._base is not None and unit not in self._touched:
            self._base.limits = self.limits
            return self._base._best(scopes, unit, held, sound)
        # Most ways don't depend on most hexes that are held, and need be looked for but once.
        sound = sound and self.surely
        known = self._at_best.setdefault((self.key(scopes, unit), sound), [])
        for hangs_on, stays, ends, removes in known:
            if held & hangs_on == stays:
                return {label: mp for label, mp in ends.items() if label not in held}, removes
        reach, asked = self.reach(self.own(scopes, unit)), set[str]()
        all_stay = self._all_stay or nobody_falls(reach)

        def stays_there(label: str) -> bool:
            asked.add(label)
            return all_stay or label in held

        # Where nobody else moves, all is known of what the others do: nothing.
        alone = self._movers is not None and len(self._movers) == 1 and not reach.joint
        ends, removes = reach.at_best(unit, stays_there, self.surely, sound)
        sure = reach.hexes_of(unit) if alone else frozenset[str]()
        ends = {label: mp for label, mp in ends.items() if label in sure} if sure else ends
        known.append((frozenset(asked), held & asked, ends, removes))
        return {label: mp for label, mp in ends.items() if label not in held}, removes

    def held(self, scopes: Scopes) -> frozenset[str]:
        """Return the enemies' hexes that no combats are sure to open: none too many.

        Raises
        ------
        OutOfTimeError
            If it gets late.
        """
        key = None if scopes is None else frozenset(scopes)
        if key not in self._held:
            reached, movers = self._reached(scopes), self._able_to_move
            shaken, exempt = self.scenario.start.demoralized, self.exempt(scopes)
            self._held[key] = held_for_sure(self.scenario.game, shaken, reached, exempt, movers)
        return self._held[key]

    def shut(self, scopes: Scopes, unit: str) -> frozenset[str]:
        """Return further such hexes through which a unit can't be sure to pass: none too many.

        Raises
        ------
        OutOfTimeError
            If it gets late.
        """
        key = None if scopes is None else frozenset(scopes), unit
        if key not in self._shut:
            game, shaken, held = self.scenario.game, self.scenario.start.demoralized, self.held(scopes)
            reached, exempt = self._reached(scopes), self.exempt(scopes)
            others = [other for other in self._able_to_move if other != unit]
            found = shut_to(game, shaken, reached, exempt, others, held)
            self._shut[key] = frozenset(label for label in found if not exempt(unit, label))
        return self._shut[key]

    def unhurt(self, scopes: Scopes, enemies: Collection[str]) -> frozenset[str]:
        """Return those of some enemies to whom always nothing may happen, whoever attacks them: none too many, or late."""
        game, shaken = self.scenario.game, self.scenario.start.demoralized
        reached, exempt = self._reached(scopes), self.exempt(scopes)

        def comes_by(unit: str) -> frozenset[str]:
            return reached(unit, self.held(scopes))

        try:
            found = unhurt_for_sure(game, shaken, comes_by, exempt, self._able_to_move, enemies)
        except OutOfTimeError:
            return frozenset()
        return found.intersection(enemies)

    def assault(self, label: str) -> Assault | None:
        """Return the strongest attack on a hex in the game as it is, if others did all that it needs: too strong, if at all.

        Raises
        ------
        OutOfTimeError
            If it gets late.
        """
        game, held = self.scenario.game, self.held(None)
        ways = {unit: self._best(None, unit, held)[0] for unit in self._able_to_move}
        origins = {origin: [unit for unit in ways if origin in ways[unit]] for origin in game.board.neighbours[label]}
        return strongest_assault(game, self.scenario.start.demoralized, label, origins)

    def exempt(self, scopes: Scopes) -> Callable[[str, str], bool]:
        """Return what tells whether a unit wins as if there were no table where it enters a hex."""
        rule = next(iter(self.scenario.game.rulebook.of(Fights)), None)
        binding = None if scopes is None or rule is None else [scope for scope in scopes if scope.rule == rule.id]
        return lambda unit, label: (
            binding is not None
            and not any(one.unit in (ALL, unit) and (one.hexes is None or label in one.hexes) for one in binding)
        )

    def _reached(self, scopes: Scopes) -> Callable[[str, frozenset[str]], frozenset[str]]:
        return lambda unit, held: frozenset(self._best(scopes, unit, held)[0])

    @property
    def _able_to_move(self) -> list[str]:
        start, game, movers = self.scenario.start, self.scenario.game, self._movers
        return [unit for unit in start.at if unit in game.friends and (movers is None or unit in movers)]

    def impossible(self, scopes: Scopes, needs: Iterable[Need]) -> Need | None:
        """Return a need that nobody can see to; None: no such is known."""
        return next((need for need in needs if not any(self.can(scopes, aim) for aim in need)), None)

    def most(self, scopes: Scopes, tier: Tier) -> tuple[Fraction, list[Need]]:
        """Return what a tier could come to at most by what single units could, and what none of them can see to."""
        game, total, never = self.scenario.game, Fraction(0), list[Need]()
        for term in tier.terms:
            lost = [need for need in needs_of(term, game) if self.impossible(scopes, [need]) is not None]
            never += lost
            labels = list(term.hexes) if isinstance(term, (Hold, Control)) else []
            # A hex that is named twice counts twice.
            often = sum(max(1, sum(labels.count(label) for label in need[0].ends)) if need else 1 for need in lost)
            total += max(0, term.highest(game) - often) * term.weight
        return total, never

    def straight_moves(self, aim: Aim) -> Iterator[Move]:
        """Yield moves by which a unit would come to something if it went straight there, whatever the rules say."""
        game = self.scenario.game
        if self._movers is not None and aim.unit not in self._movers:
            return
        labels = [*sorted(aim.ends), *(game.homes[enemy] for enemy in sorted(aim.removes))]
        yield from filter(None, (self.straight(aim.unit, label, bool(aim.removes)) for label in labels))

    def legal_moves(self, scopes: Scopes, aim: Aim) -> Iterator[Move]:
        """Yield the moves by which a unit comes to something while nobody else moves, sure and cheap ones first."""
        if self._movers is not None and aim.unit not in self._movers:
            return
        for some in self.listed(scopes, aim.unit):
            found = [one for one in some if one.end in aim.ends or aim.removes.intersection(one.removes)]
            yield from (one.move for one in sorted(found, key=lambda one: (one.mp, len(one.path), one.path)))

    def listed(self, scopes: Scopes, unit: str) -> tuple[tuple[Possibility, ...], ...]:
        """Return what a unit can do while nobody else moves: what is sure, where dice decide, and all of it."""
        key = self.key(scopes, unit)
        if key not in self._alone:
            reach = self.reach(self.own(scopes, unit))
            # Of ways to a hex those are kept that cost least, as if all rolls went well: a sure one may be another.
            rolls = self.surely and reach.rolls_alone(self.scenario.game.units[unit])
            sure = reach.possibilities(unit, reach.as_it_stands) if rolls else []
            self._alone[key] = tuple(sure), tuple(reach.alone(unit))
        return self._alone[key]

    def straight(self, unit: str, label: str, overrun: bool = False, shunned: Collection[str] = ()) -> Move | None:
        """Return the shortest way to a hex, whatever the rules say: `direct_way`."""
        game = self.scenario.game
        board, home = game.board, game.homes[unit]
        if home == label or label not in board.hexes or home not in board.hexes:
            return None
        path = direct_way(game, unit, label, shunned)
        return Move((unit,), tuple(path), frozenset([len(path) - 1]) if overrun else frozenset()) if path else None


def _roomy(bounds: SingleUnitBounds, scopes: Scopes, aim: Aim) -> Aim:
    """Return an aim without the hexes that those who stand there, and can't move, keep too full."""
    game, there = bounds.scenario.game, dict[str, set[str]]()
    for unit, home in () if aim.passing else game.homes.items():
        if home in aim.ends and unit in game.friends and unit != aim.unit:
            there.setdefault(home, {aim.unit}).add(unit)
    if not there:
        return aim
    reach = bounds.reach(scopes)
    staying = {label: units - (set(reach.movers) - {aim.unit}) for label, units in there.items()}
    full = (label for label, units in staying.items() if len(units) > 1 and too_many(reach.game, units, label))
    return replace(aim, ends=aim.ends.difference(full))


def never_by_itself(bounds: SingleUnitBounds, scopes: Scopes, needs: Iterable[Need]) -> bool:
    """Tell whether only one unit moves, and none of the ways that are listed of it leads where it is to end."""
    game = bounds.game_with(scopes).game
    if len(bounds.movers) != 1 or game.rulebook.of(Fights):
        return False
    [unit] = bounds.movers
    reach = bounds.reach(scopes)
    if reach.joint or reach.stack_in_hand or waits(game):
        return False  # not all that it can do is listed
    able = {unit: {one.end for some in bounds.listed(scopes, unit) for one in some}}

    def lost(aim: Aim) -> bool:
        ends = able.get(aim.unit, set()) | {game.homes[aim.unit]}
        return not (aim.passing or aim.removes or aim.ends & ends)

    return any(need and all(map(lost, need)) for need in needs)


def beyond_all(bounds: SingleUnitBounds, need: Need) -> bool:
    """Tell whether nobody could see to a need, not even if no enemy stayed anywhere; too seldom.

    Raises
    ------
    OutOfTimeError
        If it gets late.
    """
    game, reach = bounds.scenario.game, bounds.reach(None)
    able = [aim for aim in need if aim.unit in bounds.movers]
    if any(game.homes[aim.unit] in aim.ends for aim in need if aim not in able):
        return False
    return not any(_comes_to(game, aim, *reach.at_best(aim.unit, lambda _: False, bounds.surely)) for aim in able)


def _comes_to(game: Game, aim: Aim, ends: Mapping[str, Fraction], removes: Collection[str]) -> bool:
    """Tell whether a unit that gets to some hexes, for so many MP, and eliminates so many, comes to something."""
    spare = None if aim.within is None else aim.within - game.spent(aim.unit)
    return not aim.removes.isdisjoint(removes) or any(
        label in ends and (spare is None or ends[label] <= spare) for label in aim.ends
    )
