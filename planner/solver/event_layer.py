"""The layer of events, for games in which units may wait for each other: who takes part in which overrun, and in what order.

Each itinerary of a unit is one literal. An event is the overrun of one hex: from one neighbouring hex, by all whose
itineraries have a part in it, and by supporters that are assigned to it, each to one event. Only events have an order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm

from planner.objective import Linear
from planner.plans.plan import Move, Plan
from planner.reachability.event_reach import EventReach, Itinerary
from planner.rules.combat_roles import JointlyOverruns
from planner.rules.game import Game
from planner.solver.coupling import Coupling, UnitVariables
from planner.solver.cp_sat import BoolVar, Expression, Holds, Literal, cp_model
from planner.solver.move_order import one_by_one


class Events:
    """Posts the itineraries of every unit, and the events that they bring about, into a coupling layer.

    Parameters
    ----------
    coupling : Coupling
        The layer that gets the units.
    reach : EventReach
        Which events are possible.
    itineraries : mapping from units to itineraries
        As the reach lists them; staying is always one more.

    Attributes
    ----------
    narrow : bool
        Whether there may be plans that have no form here: a supporter that goes on after it has given support,
        or a stack with a unit that may not break off its move.
    """

    def __init__(self, coupling: Coupling, reach: EventReach, itineraries: Mapping[str, Sequence[Itinerary]]) -> None:
        self._coupling, self._game, self._reach = coupling, coupling.game, reach.reach
        self._chosen: dict[str, list[tuple[Itinerary, BoolVar]]] = {}
        self._happens: dict[str, BoolVar] = {}
        self._rank: dict[str, cp_model.IntVar] = {}
        self._earlier: dict[tuple[str, str], BoolVar] = {}
        self._support: dict[tuple[str, str], BoolVar] = {}
        self.narrow = False
        model = coupling.model
        for label in reach.events:
            self._happens[label] = coupling.new_literal()
            self._rank[label] = model.new_int_var(0, max(0, len(reach.events) - 1), f"rank of {label}")
            for enemy in self._game.enemies_at(label):
                coupling.eliminated_if(enemy, self._happens[label])
        parts: dict[tuple[str, str], dict[str, list[BoolVar]]] = {}
        for unit, some in itineraries.items():
            self._add_unit(unit, some, parts)
        if reach.rule is not None:
            self._add_support(reach.rule, reach)
            for label, sides in reach.events.items():
                here = {origin: parts.get((origin, label), {}) for origin in sides}
                self._add_event(reach.rule, label, here)

    # -- posting

    def _add_unit(
        self, unit: str, itineraries: Sequence[Itinerary], parts: dict[tuple[str, str], dict[str, list[BoolVar]]]
    ) -> None:
        if not itineraries:
            return
        coupling, home = self._coupling, self._game.homes[unit]
        if not self._game.rulebook.lets_wait(self._game.units[unit]):
            whole = [one for one in itineraries if not one.parts or len(one.path) == 2]
            self.narrow = self.narrow or len(whole) < len(itineraries)
            itineraries = whole
        stays = coupling.new_literal()
        ends: dict[str, list[BoolVar]] = {home: [stays]}
        taken: dict[str, list[BoolVar]] = {}
        spent: list[tuple[int, BoolVar]] = []
        arrivals: list[tuple[str, int, Fraction, Literal]] = []
        steps = self._reach.departed(unit).steps
        self._chosen[unit] = []
        for one in itineraries:
            literal = coupling.new_literal()
            arrivals.append((one.end, steps + len(one.path) - 1, Fraction(1), literal))
            self._chosen[unit].append((one, literal))
            ends.setdefault(one.end, []).append(literal)
            for token in one.taken:
                taken.setdefault(token, []).append(literal)
            if one.mp:
                spent.append((int(one.mp * coupling.mp_scale), literal))
            events = [to for _, _, to in one.parts]
            for _, origin, to in one.parts:
                parts.setdefault((origin, to), {}).setdefault(unit, []).append(literal)
            for before, after in pairwise(events):
                coupling.add_or([~literal, self._before(before, after)])
            for enemy, number in one.needs:
                cause = self._game.homes[enemy]
                by_then = self._before(cause, events[number]) if number < len(events) else self._happens[cause]
                coupling.add_or([~literal, by_then])
        coupling.model.add_exactly_one([stays, *(literal for _, literal in self._chosen[unit])])
        coupling.add_unit(
            unit,
            UnitVariables(
                moves=~stays,
                ends={label: coupling.any_of(found) for label, found in ends.items()},
                removes={token: coupling.any_of(found) for token, found in taken.items()},
                mp=lambda: Linear(tuple(spent)),
                arrivals=lambda: arrivals,
            ),
        )

    def _before(self, one: str, other: str) -> Literal:
        """Return a literal that, if it holds, makes one event happen before another one."""
        if one == other:
            return False
        key = (one, other)
        if key not in self._earlier:
            literal = self._earlier[key] = self._coupling.new_literal()
            self._coupling.add_or([~literal, self._happens[one]])
            later = self._coupling.model.add(self._rank[one] + 1 <= self._rank[other])
            later.only_enforce_if(literal)
        return self._earlier[key]

    def _add_support(self, rule: JointlyOverruns, reach: EventReach) -> None:
        """Let each supporter be assigned to one event at most, from where it stays, or from where it has come to at last."""
        coupling, game, happens = self._coupling, self._game, self._happens
        for label, sides in reach.events.items():
            bound = any(rule.asks_of(unit, label) for units in sides.values() for unit in units)
            for unit in reach.supporters(label) if bound else rule.supporters_of(game, label):
                there = rule.supports_from(game, unit, game.homes[unit], label)
                some = self._chosen.get(unit, ())
                # Who goes on after it has given support, or gives it on its way, has no form here.
                self.narrow = self.narrow or (bound and any(not one.foremost for one, _ in some))
                up = [(one, literal) for one, literal in some if rule.supports_from(game, unit, one.end, label)]
                if not (there or up):
                    continue
                given = self._support[unit, label] = coupling.new_literal()
                stays = coupling.negate(coupling.units[unit].moves) if unit in coupling.units else True
                coupling.add_or([~given, happens[label]])
                coupling.add_or([~given, *([stays] if there else []), *(literal for _, literal in up)])
                for one, literal in up:
                    before = {to for _, _, to in one.parts}.union(game.homes[enemy] for enemy, _ in one.needs)
                    for other in sorted(before):
                        coupling.add_or([~given, ~literal, self._before(other, label)])
        for unit in dict.fromkeys(unit for unit, _ in self._support):
            coupling.model.add_at_most_one(literal for (who, _), literal in self._support.items() if who == unit)

    def _add_event(self, rule: JointlyOverruns, label: str, sides: Mapping[str, Mapping[str, list[BoolVar]]]) -> None:
        """Ensure that an event has the right units on one side, strong enough together."""
        coupling, game, happens = self._coupling, self._game, self._happens[label]
        chosen: dict[str, BoolVar] = {}
        for origin, units in sides.items():
            side = coupling.new_literal()
            chosen[origin] = side
            for literals in units.values():
                for literal in literals:
                    coupling.add_or([~literal, side])
        coupling.model.add(sum(chosen.values()) == happens)
        taking_part: dict[str, list[BoolVar]] = {}
        for units in sides.values():
            for unit, literals in units.items():
                taking_part.setdefault(unit, []).extend(literals)
        everybody = [(unit, literal) for unit, literals in taking_part.items() for literal in literals]
        coupling.add_or([~happens, *(literal for _, literal in everybody)])
        asked = [literal for unit, literal in everybody if rule.asks_of(unit, label)]
        binding: Literal = happens
        if len(asked) < len(everybody):
            if not asked:
                return
            binding = coupling.any_of(asked)
        if rule.sure_odds is None:
            coupling.add_or([coupling.negate(binding)])
            return
        most_units = rule.most_units if game.rulebook.stacks else 1
        if most_units is not None:
            few = coupling.model.add(sum(literal for _, literal in everybody) <= most_units)
            few.only_enforce_if(binding)
        leads = rule.at_least_one
        if leads is not None:
            leaders = [literal for unit, literal in everybody if leads.matches(game.units[unit])]
            coupling.add_or([coupling.negate(binding), *leaders])
        strengths = [
            (rule.attack_of(game, game.units[unit], label, origin), literal)
            for origin, units in sides.items()
            for unit, literals in units.items()
            for literal in literals
        ]
        strengths += [(game.units[unit].attack, x) for (unit, to), x in self._support.items() if to == label]
        odds = rule.sure_odds
        defended = {origin: odds * rule.defense_in(game, label, origin) for origin in sides}
        if binding is happens:
            for origin, units in sides.items():
                able = [(rule.attack_of(game, game.units[unit], label, origin), some) for unit, some in units.items()]
                helping = [(game.units[unit].attack, [x]) for (unit, to), x in self._support.items() if to == label]
                strongest = sorted((strength for strength, _ in able), reverse=True)[:most_units]
                self._add_fewest(able, defended[origin] - sum(one for one, _ in helping), chosen[origin])
                self._add_fewest(helping, defended[origin] - sum(strongest), chosen[origin])
        against = rule.opponents_of(game, label)
        amounts = [strength for strength, _ in strengths] + [game.units[enemy].defense * odds for enemy in against]
        amounts += [odds, *defended.values(), odds * (game.situation.margin or Fraction(0))]
        whole = lcm(*(amount.denominator for amount in amounts))
        total = coupling.expression(Linear(tuple((int(strength * whole), x) for strength, x in strengths)))
        most = self._demanded(label, against, odds * whole)
        needed = coupling.expression(Linear(tuple((int(defended[o] * whole), side) for o, side in chosen.items())))
        if binding is happens:
            coupling.model.add(total >= needed)  # for the relaxation, to which what is enforced says hardly anything
        if binding is not happens or not (isinstance(most, int) and most == 0):
            coupling.model.add(total >= needed + most).only_enforce_if(binding)

    def _add_fewest(self, able: Sequence[tuple[Fraction, Sequence[BoolVar]]], needed: Fraction, side: BoolVar) -> None:
        """Say how many it takes at least for so much strength: the linear relaxation takes parts of them."""
        few = 0
        for strength, _ in sorted(able, key=lambda one: one[0], reverse=True):
            if needed <= 0:
                break
            few, needed = few + 1, needed - strength
        if few:
            self._coupling.model.add(sum(literal for _, some in able for literal in some) >= few * side)

    def _demanded(self, label: str, against: Sequence[str], factor: Fraction) -> Expression:
        """Return how much more strength the margin asks for, given who of the opponents has fallen before."""
        coupling, margin = self._coupling, self._game.situation.margin
        if not against or margin == 0:
            return 0
        certain, doubtful = 0, []
        for enemy in against:
            strength = int(self._game.units[enemy].defense * factor)
            home = self._game.homes[enemy]
            if home in self._happens and home != label:
                doubtful.append((-strength, self._before(home, label)))
            certain += strength
        left = coupling.expression(Linear(tuple(doubtful), certain))
        if margin is None:
            return left
        limit = int(margin * factor)
        if isinstance(left, int):
            return min(left, limit)
        least = coupling.model.new_int_var(0, max(certain, limit), f"support against {label}")
        coupling.model.add_min_equality(least, [left, limit])
        return least

    # -- what is settled beforehand

    def made_by(self, label: str, units: Iterable[str], support: Iterable[str]) -> None:
        """Ensure that a hex is overrun by exactly some units, with the support of exactly some others."""
        coupling, team, helpers = self._coupling, set(units), set(support)
        coupling.add_or([self._happens.get(label, False)])
        for unit, options in self._chosen.items():
            if unit not in team:
                for one, literal in options:
                    if any(to == label for _, _, to in one.parts):
                        coupling.add_or([~literal])
        if helpers - {who for who, to in self._support if to == label}:
            coupling.add_or([])  # somebody can't support it
        for (unit, to), literal in self._support.items():
            if to == label:
                coupling.add_or([literal if unit in helpers else ~literal])

    def in_order(self, labels: Sequence[str]) -> None:
        """Ensure that hexes are overrun in an order, if they are all overrun."""
        for before, after in pairwise(labels):
            if before in self._rank and after in self._rank:
                self._coupling.model.add(self._rank[before] + 1 <= self._rank[after])

    def done_before(self, unit: str, labels: Iterable[str]) -> None:
        """Ensure that a unit can have made its last step before hexes are overrun."""
        for label in labels:
            for one, literal in self._chosen.get(unit, ()):
                for cause in sorted({self._game.homes[enemy] for enemy, _ in one.needs}):
                    if label in self._rank:
                        self._coupling.add_or([~literal, self._before(cause, label)])

    def none_foremost(self, unit: str, after: str) -> None:
        """Ensure that a unit does nothing that must come before the moves of another one, if that one makes such moves."""
        for one, literal in self._chosen.get(unit, ()):
            if one.foremost:
                for other, made in self._chosen.get(after, ()):
                    if not other.foremost:
                        self._coupling.add_or([~literal, ~made])

    def lines(self) -> Linear:
        """Return of how many lines a plan consists: of each unit's ways between overruns, and of these.

        Whoever overruns a hex alone does so on its way, in one line less.
        """
        ways = [(_Traveller(one).lines(), literal) for options in self._chosen.values() for one, literal in options]
        return Linear((*ways, *((1, literal) for literal in self._happens.values())))

    # -- reading solutions

    def plan(self, holds: Holds) -> Plan:
        """Return the plan of a solution: whoever waits goes on as soon as it can.

        Parameters
        ----------
        holds : callable
            Tells of a literal whether it holds.
        """
        chosen = {unit: one for unit, options in self._chosen.items() for one, literal in options if holds(literal)}
        order, support = self._in_order(holds), dict[str, tuple[str, ...]]()
        for label in order:
            support[label] = tuple(unit for (unit, to), x in self._support.items() if to == label and holds(x))
        return plan_of(self._game, chosen, order, support)

    def _in_order(self, holds: Holds) -> list[str]:
        place = {label: index for index, label in enumerate(self._happens)}
        labels = {label for label, literal in self._happens.items() if holds(literal)}
        pairs = [pair for pair, literal in self._earlier.items() if holds(literal) and labels.issuperset(pair)]
        return one_by_one(labels, pairs, place.__getitem__)


def plan_of(
    game: Game, itineraries: Mapping[str, Itinerary], order: Iterable[str], support: Mapping[str, tuple[str, ...]]
) -> Plan:
    """Return the plan in which units do something each: whoever waits goes on as soon as it can.

    Parameters
    ----------
    game : Game
        The game.
    itineraries : mapping from units to itineraries
        What each of them does.
    order : iterable of str
        The hexes that are overrun; some of the units have a part in each.
    support : mapping from hexes to units
        Who supports the overrun of each.
    """
    travellers = {unit: _Traveller(one) for unit, one in itineraries.items()}
    moves = [traveller.go(None) for traveller in travellers.values() if traveller.itinerary.foremost]
    gone: set[str] = set()
    moves += _whoever_can(travellers, gone)
    for label in order:
        team = [unit for unit in travellers if travellers[unit].next_event == label]
        for unit in team:
            moves.append(travellers[unit].go(label))
        overrun = travellers[team[0]].overrun()
        for unit in team[1:]:
            travellers[unit].overrun()
        helpers = tuple((1, unit) for unit in support[label])
        moves.append(Move(tuple(team), overrun, frozenset([1]), support=helpers))
        gone.update(game.enemies_at(label))
        moves += _whoever_can(travellers, gone)
    return Plan(tuple(_joined([move for move in moves if move is not None])))


def _whoever_can(travellers: Mapping[str, _Traveller], gone: set[str]) -> Iterator[Move | None]:
    """Yield the last moves of those who have no overrun before them and need nothing more."""
    for traveller in travellers.values():
        if traveller.next_event is None and all(enemy in gone for enemy, _ in traveller.itinerary.needs):
            yield traveller.go(None)


class _Traveller:
    """A unit on its itinerary."""

    def __init__(self, itinerary: Itinerary) -> None:
        self.itinerary = itinerary
        self._at = 0
        self._parts = list(itinerary.parts)

    @property
    def next_event(self) -> str | None:
        """The next hex that it overruns; None if there is no more."""
        return self._parts[0][2] if self._parts else None

    def go(self, event: str | None) -> Move | None:
        """Move to where it overruns a hex, or to the end; None if it is there."""
        to = len(self.itinerary.path) - 1 if event is None else self._parts[0][0] - 1
        if to <= self._at:
            return None
        path = self.itinerary.path[self._at : to + 1]
        self._at = to
        return Move((self.itinerary.unit,), path)

    def lines(self) -> int:
        """Return in how many pieces it moves by itself."""
        stops = [0, *(number for index, _, _ in self._parts for number in (index - 1, index))]
        stops.append(len(self.itinerary.path) - 1)
        return sum(until > since for since, until in zip(stops[::2], stops[1::2], strict=True))

    def overrun(self) -> tuple[str, str]:
        """Take part in the next event; return from where to where."""
        index, origin, to = self._parts.pop(0)
        self._at = index
        return origin, to


def _joined(moves: Iterable[Move]) -> list[Move]:
    """Write moves of the same units that follow each other as one."""
    found: list[Move] = []
    for move in moves:
        if found and found[-1].units == move.units:
            found[-1] = found[-1].then(move)
        else:
            found.append(move)
    return found
