"""What no plan can exceed where entering an enemy's hex is a combat.

Each enemy's hex is looked at by itself, with the units that are sent against it: in the best order, in the best groups,
each told how the combats before have come out, with the best of all hexes to come from, with retreats cut off where
somebody is sent through, or to, each place to which they lead, and with those there, of all who might have given way into
it, whom it suits best. Whoever gives way counts as lost wherever somebody ends, or fights, where it may go. No plan does
better against that hex. Which units are sent where, one hex each, a model decides. Where too many could attack or give way,
all that can be had is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from itertools import chain, combinations, product
from math import ceil
from typing import Any

from planner.objective import Linear, Term, Tier
from planner.objective.goals import Eliminate, End, Hold, Stay
from planner.objective.together import Together
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.combat_roles import Fights
from planner.rules.game import Game
from planner.scenario import Scenario
from planner.search.combat_model import CombatModel, total_of
from planner.search.hex_combats import Back, Prize
from planner.search.loose_routes import LooseRoutes
from planner.solver.cp_sat import BoolVar
from planner.solver.side_constraints import Conditions


def most_of(tier: Tier, game: Game) -> Fraction:
    """Return what a tier comes to at most if all is had that counts."""
    return sum((Fraction(term.highest(game) * term.weight) for term in tier.terms), Fraction(0))


class CombatBound(CombatModel):
    """A model that overvalues every plan, and so has all that do what is required.

    Parameters
    ----------
    scenario : Scenario
        Position, objective and requirements.
    reach : ConditionalReach
        What single units can do.
    rule : Fights
        The rule.
    conditions : Conditions, optional
        What a plan must come to besides, on average, and what is settled of it.

    Attributes
    ----------
    first : Linear
        The value of the first tier, scaled.
    ceilings : list of Fraction
        What the tiers after it can come to at most.
    """

    def __init__(
        self, scenario: Scenario, reach: ConditionalReach, rule: Fights, conditions: Conditions | None = None
    ) -> None:
        self._loose, self._start = LooseRoutes(reach, rule), scenario.start
        self._passed: dict[str, list[object]] = {}
        super().__init__(scenario, reach, rule, self._loose.routes)
        # Of a tier: of each unit and hex to which it goes, where it is at last.
        self._at_last: dict[tuple[str, str], dict[str, BoolVar]] = {}
        self.scale *= max(len(column.entries) for column in rule.columns) ** 3
        tiers = scenario.tiers
        # What it takes at least to be thrown back to a hex, beyond what it takes to where the unit goes then.
        self._ways_back: list[tuple[str, int, BoolVar]] = []
        self._beyond: list[tuple[str, int, BoolVar]] | None = []
        self.first = self._worth(tiers[0]) if tiers else Linear()
        self._ways_back, self._beyond = self._beyond or [], None
        self.ceilings = [most_of(tier, self.game) for tier in tiers]
        # What must be had whatever is rolled is had on average, too.
        required = ((Tier(terms=(term,)), self._asked(term)) for term in scenario.requirements if term.sign > 0)
        asked = conditions or Conditions()
        for tier, least in chain(asked.goals, required):
            self.model.add(total_of(self._worth(tier)) >= ceil(least * self.scale))
        for unit, places in asked.partial.ends:  # if all goes well: that must be possible
            end = End(kind="end", unit=unit, at=places)
            self.model.add(total_of(self._tier((end,))) >= 1)
        self.model.add_bool_and([self.stays[unit] for unit in asked.partial.stays if unit in self.stays])

    def spent(self, unit: str) -> Linear:
        """Return the MP that a unit spends, scaled: who is thrown back to a hex has been there."""
        ways = ((more, literal) for one, more, literal in self._ways_back if one == unit)
        more = Linear(tuple((mp * (self.scale // self.mp_scale), literal) for mp, literal in ways))
        return Linear.sum_of([super().spent(unit), more])

    def _asked(self, term: Term) -> Fraction:
        return Fraction(term.full(self.game) * term.weight)

    def price_of(self, tier: Tier) -> Linear | None:
        """Return a tier's value, scaled, if it counts nothing but moves and MP; None if it counts something else.

        That is, as long as nobody relies on a result: what is moved then is moved whatever comes out.
        """
        parts = [self.costs(term) for term in tier.terms]
        if self.game.situation.confidence < 1 or any(part is None for part in parts):
            return None
        signed = zip(parts, tier.terms, strict=True)
        return Linear.sum_of(part.times(term.weight * term.sign) for part, term in signed if part is not None)

    def _worth(self, tier: Tier) -> Linear:
        """Return what a tier comes to at most, scaled."""
        price = self.price_of(tier)
        return self._tier(tier.terms) if price is None else price

    def _tier(self, terms: tuple[Term, ...]) -> Linear:
        self._at_last = {}
        held: dict[str, Fraction] = {}
        dead: dict[str, Fraction] = {}
        parts: list[tuple[int, object]] = []
        constant = 0
        for term in terms:
            weight = Fraction(term.weight)
            if self._is_lost(term):
                continue
            if isinstance(term, Together):  # it comes about no more often than one of its parts
                fitting = (part for part in term.parts() if isinstance(part, (Hold, Eliminate)))
                term = next((part.model_copy(update={"weight": term.weight}) for part in fitting), term)
            if isinstance(term, Hold):
                for label in term.hexes:
                    if self.game.enemies_at(label):
                        held[label] = held.get(label, Fraction(0)) + weight
                    else:
                        inside = self.any_of(self._inside(label, self.holders(term)))
                        parts += [] if inside is None else [(self.scale * term.weight, inside)]
            elif isinstance(term, Eliminate):
                for enemy in term.units:
                    if enemy in self.game.homes:
                        dead[enemy] = dead.get(enemy, Fraction(0)) + weight
                    else:
                        constant += int(weight * self.scale)
            elif isinstance(term, End) and len(term.at) == 1 and self.game.enemies_at(term.at[0]):
                nothing = dict.fromkeys(self.game.enemies_at(term.at[0]), Fraction(0))
                parts.append((1, self._combats_for(term.at[0], weight, nothing, term.unit)))
            elif isinstance(term, End) and term.at:
                ways = (self._inside(label, [term.unit]) for label in term.at)
                inside = self.any_of(chain.from_iterable(ways))
                parts += [] if inside is None else [(self.scale * term.weight, inside)]
            elif term.sign > 0:
                full = len(term.units) if isinstance(term, Stay) else term.full(self.game)
                constant += int(weight * full * self.scale)
        worthy = {*held, *(self.game.homes[enemy] for enemy in dead)}
        for label in sorted(worthy):
            there = {enemy: dead.get(enemy, Fraction(0)) for enemy in self.game.enemies_at(label)}
            parts.append((1, self._combats_for(label, held.get(label, Fraction(0)), there)))
        # An average is no more than what the better of two places is worth.
        for places in self._at_last.values():
            self.model.add_at_most_one(places.values())
        return Linear(tuple(parts), constant)

    def _is_lost(self, term: Term) -> bool:
        """Tell whether somebody is to end sound who has been harmed before."""
        parts = term.parts() if isinstance(term, Together) else (term,)
        return any(isinstance(part, End) and part.is_lost(self.game, self._start) for part in parts)

    def _inside(self, label: str, units: Collection[str]) -> list[object]:
        """Return for each of some units whether it may be in a hex at last: it ends there, or is thrown back to it."""
        attacking = (self.parts[ends] for ends in self.parts if label in ends)
        found: list[object] = [literal for some in attacking for unit, literal in some.items() if unit in units]
        for unit in units:
            found += [self.stays.get(unit, 1)] if self.game.homes.get(unit) == label else []
            found += [self._is_in(unit, label, label)] if label in self.ends.get(unit, {}) else []
            found += self._thrown_back(unit, label)
        return found

    def _is_in(self, unit: str, label: str, to: str) -> BoolVar:
        """Return whether a unit that goes to a hex is there at last, or thrown back to another one: in one of them."""
        known = self._at_last.setdefault((unit, to), {})
        if label not in known:
            known[label] = self.model.new_bool_var(f"{unit} to {to} is in {label}")
            self.model.add_implication(known[label], self.ends[unit][to])
            more = self.routes[unit].ends[label][0] - self.routes[unit].ends[to][0]
            if more > 0 and self._beyond is not None:
                self._beyond.append((unit, more, known[label]))
        return known[label]

    def _thrown_back(self, unit: str, label: str, but: str = "") -> list[BoolVar]:
        """Return whether a unit may be thrown back to a hex by enemies whom others have driven into one beside it.

        `but`: those who have been driven from there don't count.
        """
        found, ends = list[BoolVar](), self.ends.get(unit, {})
        if label != self.game.homes.get(unit) and label not in ends:
            return []
        for to in (near for near in self.game.board.neighbours[label] if near in ends):
            driving = (some for (_, held), some in self.parts.items() if held != but and to in self._loose.driven(held))
            driven = self.any_of(x for some in driving for other, x in some.items() if other != unit)
            if driven is not None:
                found.append(self.model.new_bool_var(f"{unit} thrown back to {label} from {to}"))
                self.model.add_bool_and([self._is_in(unit, label, to), driven]).only_enforce_if(found[-1])
        return found

    def _combats_for(self, label: str, held: Fraction, dead: dict[str, Fraction], one: str | None = None) -> object:
        """Return what the units that are sent against a hex come to at most; nothing without `one` of them, if named."""
        everything = held + sum(dead.values(), Fraction(0))
        total = self.model.new_int_var(0, ceil(everything * self.scale), f"worth of {label}")
        combats, prize = self._loose.combats(label), Prize(held, dead)
        sent = {unit: self._sent(unit, label) for unit in combats.candidates}
        movers = list(self.routes) if one is None else [one]
        thrown = {Back.never: list[BoolVar]()} | {
            back: [x for unit in movers for x in self._thrown_back(unit, label, but)]
            for back, but in ((Back.driven, ""), (Back.always, label))
        }
        if combats.too_many or combats.quiet or not sent:
            some = self.any_of(
                sent.values() if one is None else [*([sent[one]] if one in sent else []), *thrown[Back.driven]]
            )
            self.model.add(total <= (0 if some is None else ceil(everything * self.scale) * some))
            return total
        catchers = [x for place in combats.refuges for x in self.standing(place)]
        catchers += [x for place in combats.refuges for x in self.attackers(place)]
        catchers += [x for place in combats.refuges for unit in self.routes for x in self._stopping(unit, place)]
        choices = []
        closing = self._closing(combats.rings, combats.strangers)
        free: dict[frozenset[str], Fraction] = {}  # what units come to while nobody is kept from giving way
        for caught, back, closed in product((False, True) if catchers else (False,), Back, closing):
            if back and not thrown[back]:
                continue
            kept = {} if not closed else free.copy()
            for size in range(1, len(sent) + 1):
                for some_units in combinations(sent, size):
                    units = frozenset(some_units)
                    if one is not None and one not in units and not back:
                        continue
                    worth = combats.worth(units, prize, caught, back, closed)
                    if all(worth > kept[fewer] for fewer in kept if fewer <= units) and worth:
                        kept[units] = worth
            free = free if closed else kept
            for units, worth in kept.items():
                if closed and free.get(units) == worth:
                    continue
                literal = self.model.new_bool_var(f"{sorted(units)} against {label}")
                for unit in self.game.sorted(units):
                    self.model.add_implication(literal, sent[unit])
                if caught:
                    self.model.add_bool_or([~literal, *(x for x in catchers if not isinstance(x, int))])
                if back:
                    self.model.add_bool_or([~literal, *thrown[back]])
                if (shut := closing[closed]) is not None:
                    self.model.add_implication(literal, shut)
                choices.append((ceil(worth * self.scale), literal))
        self.model.add_at_most_one([literal for _, literal in choices])
        self.model.add(total <= total_of(Linear(tuple(choices))))
        return total

    def _closing(
        self, rings: Mapping[str, tuple[str, ...]], strangers: Collection[str]
    ) -> dict[frozenset[str], BoolVar | None]:
        """Return from where defenders may have nowhere to go at a time, each with what it takes; None: nothing."""
        found: dict[frozenset[str], BoolVar | None] = {frozenset(): None}
        for origin, places in rings.items():
            held = [1 if place in strangers else self.any_of(self._passing(place)) for place in places]
            if all(literal is not None for literal in held):
                closed = self.model.new_bool_var(f"closed from {origin}")
                self.model.add_bool_and(held).only_enforce_if(closed)
                found[frozenset([origin])] = closed
        if len(found) > 2:
            found[frozenset().union(*found)] = self.any_of([one for one in found.values() if one is not None])
        return found

    def _passing(self, place: str) -> list[object]:
        """Return for each unit that may be in a place at some time whether it may."""
        if place not in self._passed:
            found: list[object] = self.attackers(place)
            for unit, home in self.game.homes.items():
                if unit in self.game.friends and home == place:
                    found.append(1)
                elif unit in self.routes:
                    found += self._coming(unit, place)
            self._passed[place] = found
        return self._passed[place]

    def _coming(self, unit: str, place: str) -> list[object]:
        """Return whatever a unit may do by ways on which it is in a place."""
        if place not in self.routes[unit].ends:
            return []
        ways = self._loose.through(unit, place)
        found: list[object] = [literal for to, literal in self.ends[unit].items() if to in ways.ends]
        found += [self.stays[unit]] if self.game.homes[unit] in ways.ends else []  # it may go there, and come back
        return found + [some[unit] for ends, some in self.parts.items() if unit in some and ends in ways.attacks]

    def _stopping(self, unit: str, place: str) -> list[object]:
        """Return by what a unit may be stopped in a place: where it may, it fights if others haven't cleared that before."""
        return self._coming(unit, place) if self.game.situation.confidence < 1 and unit in self.routes else []

    def _sent(self, unit: str, label: str) -> Any:
        """Return whether a unit goes into a hex, from wherever."""
        ways = [units[unit] for ends, units in self.parts.items() if label in ends and unit in units]
        if label in self.ends[unit]:
            ways.append(self.ends[unit][label])
        return self.any_of([*ways, *self._stopping(unit, label)])
