"""What all rules together say of units and their steps: the solver's faces, asked as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm, prod
from typing import NamedTuple, TypeVar

from planner.reachability.departure import Departure, departures
from planner.rules.atoms import NEVER
from planner.rules.base import Rule, Way
from planner.rules.combat_roles import Bogs, JointlyOverruns
from planner.rules.demands import Arc, Before, Demand, control_of
from planner.rules.game import Game
from planner.rules.roles import Caps, Charges, Exempts, Exhausts, Halts, Obliges, Rolls, Tallies
from planner.world.board import NOTHING
from planner.world.forces import Unit

R = TypeVar("R", bound=Rule)
Tally = tuple[int, ...]
"""What each rule that adds up something of a unit's steps has come to, scaled: in the order of `StepRules.tallied`."""
Payment = tuple[int, Tally, Demand | None]
"""What has been spent, and added up, after a step, scaled, and what moving on needs if that overdraws the MA."""


@dataclass(frozen=True)
class Step:
    """A possible step with all that the rules say of it.

    Attributes
    ----------
    arc : Arc
        From where to where, and whom it overruns.
    cost : int
        MP, scaled by `ConditionalReach.scale`.
    now : tuple of Demand
        What the step needs.
    onward : tuple of Demand
        What moving on after it needs.
    removes : tuple of str
        Who is gone after it: the victims of an overrun, and markers or control that matter to others.
    carried : bool
        Whether it needs a carrier.
    aboard : bool
        Whether it is one of a way that carries units, and so written like that, whether or not it needs a carrier.
    rest : Demand or None
        Of a step that takes all MP that are left: what fails if none are.
    """

    arc: Arc
    cost: int
    now: tuple[Demand, ...]
    onward: tuple[Demand, ...]
    removes: tuple[str, ...] = ()
    carried: bool = False
    aboard: bool = False
    rest: Demand | None = None

    @property
    def free(self) -> bool:
        """Whether the step, and moving on after it, needs nothing, and nothing is gone after it."""
        return not (self.now or self.onward or self.removes or self.arc.victims is not None)

    def between(self, origin: str, to: str) -> Step:
        """Return the step itself, or a plain one that is like it between two hexes of which the rules say the same."""
        arc = self.arc
        if arc.to == to and arc.origin == origin:
            return self
        return Step(
            Arc(origin, to, None, arc.way, arc.zone, arc.before), self.cost, self.now, self.onward, rest=self.rest
        )

    def needs(self, leg: int) -> tuple[Demand, ...]:
        """Return what the step needs when it is the step of a path with this index."""
        return tuple(aboard(demand, leg) for demand in self.now) if self.carried else self.now


class Tallied(NamedTuple):
    """What a rule adds up of a unit's steps.

    Attributes
    ----------
    rule : Tallies
        The rule.
    cap : int
        What the sum may come to, scaled.
    further : int or None
        The MP, scaled, that the unit has beyond its MA as long as it does; None: it must.
    """

    rule: Tallies
    cap: int
    further: int | None


def aboard(demand: Demand, leg: int) -> Demand:
    """Say of each carrier that a demand asks for, for which step of a path it is needed."""
    if not any(atom.boards for atom in demand.atoms):
        return demand
    any_of = tuple(frozenset(atom.on_leg(leg) for atom in conjunction) for conjunction in demand.any_of)
    return replace(demand, any_of=any_of)


class StepRules:
    """The rules of one game, as conditional reach asks them.

    Parameters
    ----------
    game : Game
        The board, the units, the rules and the situation.
    without : frozenset of str
        Ids of rules to leave out, for tests that must notice it.
    """

    def __init__(self, game: Game, without: frozenset[str] = frozenset()) -> None:
        self.game = game
        self.without = without
        self._pick_up: dict[str, tuple[Demand, ...]] = {}
        self._departures: dict[str, tuple[Departure, ...]] = {}
        self._tallied: dict[str, tuple[Tallied, ...]] = {}
        self._entry_limits: dict[tuple[str, str], int] = {}
        self._victims: dict[str, tuple[str, ...]] = {}

    def check_time(self) -> None:
        """Raise when the time is up; a table by itself has all the time there is."""

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules, but for those left out."""
        return tuple(rule for rule in self.game.rulebook.rules if rule.id not in self.without)

    def of(self, role: type[R]) -> tuple[R, ...]:
        """Return the rules that have a role, but for those left out."""
        return tuple(rule for rule in self.game.rulebook.of(role) if rule.id not in self.without)

    @cached_property
    def scale(self) -> int:
        """The number by which MP are multiplied to be whole."""
        amounts = list(self.game.rulebook.terrain.amounts())
        amounts += [unit.ma for unit in self.game.units.values()]
        amounts += [amount for rule in self.game.rulebook.rules for amount in rule.amounts()]
        return lcm(*(mp.denominator for mp in amounts))

    @cached_property
    def movers(self) -> tuple[str, ...]:
        """The phasing units that may begin a move under some conditions, in the order of the scenario."""
        return tuple(unit for unit in self.game.homes if self.may_begin(unit))

    def may_begin(self, unit: str) -> bool:
        """Tell whether a unit is one of the movers."""
        game = self.game
        if game.begun is not None and game.begun.position.attacking:
            return False  # once attacks have been declared, nobody moves
        here = unit in game.homes and unit in game.friends
        return here and all(demand.any_of for demand in self.pick_up(unit))

    @cached_property
    def nobody_has_to_move(self) -> bool:
        """Whether no rule makes units move, who would else go nowhere, or there and back."""
        phase = self.game.situation.phase
        return not any(not rule.phases or phase in rule.phases for rule in self.of(Obliges))

    def pick_up(self, unit: str) -> tuple[Demand, ...]:
        """Return what a unit needs to begin its move."""
        found = self._pick_up.get(unit)
        if found is None:
            counter, home = self.game.units[unit], self.game.homes[unit]
            demands = (rule.pick_up_demands(self.game, counter, home, self.check_time) for rule in self.rules)
            found = tuple(demand for some in demands for demand in some)
            if counter.allied and all(demand.any_of for demand in found):
                # That no unit of another side moves holds in phases for which no rule says so, too.
                found = (*found, Demand("", NEVER, cause="ally"))
            self._pick_up[unit] = found
        return found

    def departures(self, unit: str) -> tuple[Departure, ...]:
        """Return how a unit may set out."""
        found = self._departures.get(unit)
        if found is None:
            found = self._departures[unit] = departures(self.game, unit, self.scale, self._looks_back)
        return found

    def tally_before(self, unit: Unit) -> Tally:
        """Return what has been added up of a unit's steps before it sets out."""
        begun = self.game.begun
        progress = None if begun is None else begun.position.under_way.get(unit.id)
        had = dict(unit.steps_made if progress is None else progress.tallies)
        return tuple(int(had.get(one.rule.id, Fraction(0)) * self.scale) for one in self.tallied(unit))

    def departed(self, unit: str) -> Departure:
        """Return how a unit sets out, but for the zones that it may have crossed."""
        return self.departures(unit)[0]

    @cached_property
    def in_hand(self) -> frozenset[str]:
        """The units whose move isn't over, since nobody else has moved after it, and that may not go on later."""
        hand = NOTHING if self.game.begun is None else self.game.begun.position.in_hand
        lets_wait = self.game.rulebook.lets_wait
        return frozenset(unit for unit in hand.intersection(self.movers) if not lets_wait(self.game.units[unit]))

    @property
    def stack_in_hand(self) -> frozenset[str]:
        """Those of them who have moved as a stack, and go on together or some of them, but not one after another."""
        return self.in_hand if len(self.in_hand) > 1 else NOTHING

    def overdraft(self, unit: str, overrun: bool = False, to: str | None = None, first: bool = True) -> Demand | None:
        """Return what moving on needs after a hex, the first or a later one, that overdrew the MA; None: it may not."""
        counter = self.game.units[unit]
        rules = (rule for rule in self._exempting if first or rule.anywhere)
        demands = (rule.overdraft_demand(self.game, counter, overrun, to) for rule in rules)
        return next((demand for demand in demands if demand is not None), None)

    def may_overdraw(self, first: bool) -> bool:
        """Tell whether any unit may overdraw its MA by a step, the first of the phase or a later one."""
        return self._overdrawing[first]

    @cached_property
    def _overdrawing(self) -> tuple[bool, bool]:
        """Whether later steps may do so, and first ones."""
        return any(rule.anywhere for rule in self._exempting), bool(self._exempting)

    def some_left(self, unit: Unit, step: Step, had: int, tally: Tally) -> bool:
        """Tell whether MP are left for a step, of the MA or others that hold for it; parameters are those of `exempt`."""
        own = int(unit.ma * self.scale)
        if had < own or self.rested(unit, tally):
            return had < own
        return any(
            one.further is not None
            and had < own + one.further
            and before + self.least_added(unit, step, one) <= one.cap
            for before, one in zip(tally, self.tallied(unit), strict=True)
        )

    def least_added(self, unit: Unit, step: Step, one: Tallied) -> int:
        """Return what a rule adds up at least, scaled, of a step that costs something."""
        return int(one.rule.arc_adds(self.game, unit, step.arc, Fraction(1)) > 0)

    def rested(self, unit: Unit, tally: Tally) -> bool:
        """Tell whether a unit has made a step that takes all MP that are left."""
        return any(had and one.rule.takes_all for had, one in zip(tally, self.tallied(unit), strict=True))

    def exempt(self, unit: Unit, step: Step, had: int, tally: Tally, first: bool) -> Demand | None:
        """Return what moving on needs after a step that overdraws the MA; None: it may not be made.

        Parameters
        ----------
        unit : Unit
            Who makes it.
        step : Step
            The step.
        had : int
            What has been spent before, scaled.
        tally : Tally
            What has been added up before.
        first : bool
            Whether it is the first of the phase.
        """
        if not self.may_overdraw(first) or step.arc.attempts > 1:
            return None
        if not (first or self.some_left(unit, step, had, tally)):
            return None
        return self.overdraft(unit.id, step.arc.overrun, step.arc.to, first)

    def total(self, unit: Unit, step: Step, had: int) -> int:
        """Return what has been spent, scaled, after a step before which so much had been."""
        return had + step.cost if step.rest is None else max(had + step.cost, int(unit.ma * self.scale))

    def exhausted(self, unit: Unit, step: Step, had: int, tally: Tally, first: bool) -> Demand | None:
        """Return what fails where a step takes all MP that are left, and none are; parameters are those of `exempt`."""
        if step.rest is None or self.some_left(unit, step, had, tally):
            return None
        return step.rest if self.exempt(unit, step, had, tally, first) is None else None

    def budget(self, unit: Unit) -> Demand | None:
        """Return what fails when a step costs more than the MA that remains; None: nothing does."""
        return next((rule.budget_demand(self.game, unit) for rule in self.of(Charges)), None)

    def excepting(self, unit: Unit, step: Step, first: bool) -> Demand | None:
        """Return what fails when a step can't be paid that an exemption would allow if it weren't an overrun; None: none."""
        plain = self.budget(unit)
        barring = self.overdraft(unit.id, to=step.arc.to, first=first) if step.arc.overrun else None
        return None if plain is None or barring is None else replace(plain, paragraph=barring.paragraph)

    @staticmethod
    def on_foot(step: Step) -> Step:
        """Return an overrun as if nobody were there to be overrun."""
        return replace(step, arc=replace(step.arc, victims=None, attempts=1))

    def least_before(self, unit: Unit, step: Step) -> int:
        """Return what must have been spent before an overrun, scaled, for one try of it to overdraw the MA."""
        return int(unit.ma * self.scale) + 1 - -(-step.cost // step.arc.attempts)

    def limit(self, unit: Unit, label: str) -> int:
        """Return what a unit may have spent at most on entering a hex, scaled, but for the first hex."""
        if not self._limiting:
            return self._whole_ma(unit)
        key = (unit.id, label)
        found = self._entry_limits.get(key)
        if found is None:
            limits = (rule.entry_limit(self.game, unit, label) for rule in self._limiting)
            most = min((limit[0] for limit in limits if limit is not None), default=unit.ma)
            found = self._entry_limits[key] = int(min(most, unit.ma) * self.scale)
        return found

    def _whole_ma(self, unit: Unit) -> int:
        found = self._entry_limits.get((unit.id, ""))
        if found is None:
            more = [found.further for found in self.tallied(unit) if found.further is not None]
            found = self._entry_limits[unit.id, ""] = int(unit.ma * self.scale) + max(more, default=0)
        return found

    def most_mp(self, unit: Unit) -> int:
        """Return all MP that a unit may spend, scaled, if only on steps of a kind."""
        return self._whole_ma(unit)

    def tallied(self, unit: Unit) -> tuple[Tallied, ...]:
        """Return what is added up of a unit's steps."""
        found = self._tallied.get(unit.id)
        if found is None:
            phase, kept = self.game.situation.phase, []
            for rule in self.of(Tallies):
                cap, further = rule.cap(unit, phase), rule.further_mp(unit, phase)
                if cap is not None:
                    kept.append(
                        Tallied(rule, int(cap * self.scale), None if further is None else int(further * self.scale))
                    )
            found = self._tallied[unit.id] = tuple(kept)
        return found

    def added(self, unit: Unit, tally: Tally, step: Step) -> Tally:
        """Return what is added up of a unit's steps, with one step more."""
        if not tally:
            return tally
        mp = Fraction(step.cost, self.scale)
        return tuple(
            had + int(one.rule.arc_adds(self.game, unit, step.arc, mp) * self.scale)
            for had, one in zip(tally, self.tallied(unit), strict=True)
        )

    def covers(self, unit: Unit, step: Step, spent: int, had: Tally, tally: Tally) -> bool:
        """Tell whether a unit may have spent so much with a step: out of its MA, or of what it has beyond it.

        `had` and `tally` are what has been added up before the step, and with it.
        """
        own = int(unit.ma * self.scale)
        if spent <= own or (step.cost and self.rested(unit, had)):
            return spent <= own
        return any(
            one.further is not None and spent <= own + one.further and sum_ <= one.cap
            for sum_, one in zip(tally, self.tallied(unit), strict=True)
        )

    def exceeded(self, unit: Unit, had: Tally, tally: Tally, label: str) -> Iterator[Demand]:
        """Yield what fails where a step into a place makes a sum too large."""
        for before, after, one in zip(had, tally, self.tallied(unit), strict=True):
            if before < after > one.cap and (demand := one.rule.tally_demand(self.game, unit, label)) is not None:
                yield demand

    def pay(self, unit: Unit, step: Step, had: int, tally: Tally, first: bool) -> Payment | None:
        """Return what a unit has spent after a step before which so much had been; None: it can't pay for it."""
        if self.exhausted(unit, step, had, tally, first) is not None:
            return None
        spent, sums = self.total(unit, step, had), self.added(unit, tally, step)
        if not tally and spent <= self.limit(unit, step.arc.to):  # the plain case: nothing else can forbid it
            return spent, sums, None
        if any(True for _ in self.exceeded(unit, tally, sums, step.arc.to)):
            return None
        if self.covers(unit, step, spent, tally, sums):
            return (spent, sums, None) if self.affords(unit, step, spent, first) else None
        barring = self.exempt(unit, step, had, tally, first)
        return None if barring is None else (spent, sums, replace(barring, at=step.arc.to))

    def affords(self, unit: Unit, step: Step, spent: int, first: bool) -> bool:
        """Tell whether a unit may make a step, having spent so much with it; `first`: as its first of the phase.

        Whatever rules add up of its steps: by these it may be forbidden.
        """
        if spent <= self.limit(unit, step.arc.to):
            return True
        if not self.may_overdraw(first):
            return False
        return self.exempt(unit, step, spent - step.cost, self.tally_before(unit), first) is not None

    @cached_property
    def spends_at_once(self) -> bool:
        """Whether what may be spent on a step, or is, depends on what is left by then."""
        return bool(self.of(Exhausts)) or any(rule.anywhere for rule in self._exempting)

    @cached_property
    def joint(self) -> bool:
        """Whether units overrun together, so that a unit's own steps are plain ones alone."""
        return bool(self.game.rulebook.of(JointlyOverruns))

    @cached_property
    def relies_on_rolls(self) -> bool:
        """Whether some overrun whose result is rolled may be likely enough for others to rely on it."""
        least = self.game.situation.confidence
        joint = any(rule.best_chance(self.game) >= least for rule in self.game.rulebook.of(JointlyOverruns))
        return joint or bool(self._bogging)

    @cached_property
    def rolls(self) -> bool:
        """Whether some results are rolled, or made by several units together, so that a model needs possibilities."""
        return self.joint or bool(self._bogging)

    @cached_property
    def limiting_halts(self) -> tuple[Halts, ...]:
        """The rules by which a move may not end everywhere where it may pass."""
        return tuple(rule for rule in self.of(Halts) if rule.limits_halts)

    def halt(self, team: Sequence[Unit], label: str) -> tuple[Demand, ...]:
        """Return what those of units that move together need who end their move in a place: nothing where it began."""
        if not self.limiting_halts or self.game.homes[team[0].id] == label:
            return ()
        return tuple(demand for rule in self.limiting_halts for demand in rule.halt_demands(self.game, team, label))

    @cached_property
    def counts_hexes(self) -> int:
        """Up to which number it matters how many hexes a unit has entered, whatever MP they cost."""
        return max((rule.counts_hexes for rule in self.rules), default=0)

    def rolls_alone(self, unit: Unit) -> bool:
        """Tell whether a unit may have to roll for steps that it makes alone."""
        return any(rule.who.matches(unit) for rule in self._bogging)

    def roll_of(self, unit: Unit, arc: Arc, hexes: int) -> Fraction:
        """Return the probability that a unit gets on from a step that it makes alone, its how-manieth of the phase."""
        chances = (rule.arc_chance(self.game, [unit], replace(arc, hexes=hexes)) for rule in self._bogging)
        return prod(chances, start=Fraction(1))

    @cached_property
    def may_be_left_undone(self) -> bool:
        """Whether a move may rely on a result that may fail, and so be left undone."""
        return self.relies_on_rolls and self.game.situation.confidence < 1

    def victims_at(self, label: str) -> tuple[str, ...]:
        """Return the enemies that an overrun of a hex would eliminate."""
        found = self._victims.get(label)
        if found is None:
            game, enemies = self.game, self.game.enemies_at(label)
            every = (rule.victims(game, enemies) for rule in game.rulebook.overrunning) if enemies else ()
            found = self._victims[label] = tuple(victim for those in every for victim in those)
        return found

    def together(self, team: Sequence[Unit], step: Step) -> Step:
        """Return a step of the first of some units with what they need to make it together."""
        demands = (demand for rule in self.rules for demand in rule.together_demands(self.game, team, step.arc))
        return replace(step, now=(*step.now, *demands))

    def chance(self, team: Sequence[Unit], arc: Arc) -> Fraction:
        """Return the probability that a step that units make together goes through."""
        return prod((rule.arc_chance(self.game, team, arc) for rule in self._rolling), start=Fraction(1))

    def after(self, arc: Arc) -> Before:
        """Return what the next step may need to know of this one."""
        way = self._way(arc.way)
        return (way.procedure, arc.zone) if way is not None and self._looks_back else None

    def _way(self, way: str) -> Way | None:
        return self.game.rulebook.way(way)

    @cached_property
    def _looks_back(self) -> bool:
        """Whether a step may have to know what was before it: where there are several ways, or first hexes count."""
        return not all(way.plain for way in self.game.rulebook.ways) or any(rule.tells_first_hex for rule in self.rules)

    @cached_property
    def tokens(self) -> frozenset[str]:
        """What else than enemy units may have to be gone for some step: markers, control of places."""
        contested = (control_of(label) for label in self.game.situation.contested)
        return frozenset([*contested, *(token for rule in self.rules for token in rule.tokens(self.game))])

    @property
    def limits_entry(self) -> bool:
        """Whether a unit may have less MP on entering some hexes than its MA."""
        return bool(self._limiting)

    @cached_property
    def _limiting(self) -> tuple[Caps, ...]:
        return self.of(Caps)

    @cached_property
    def _exempting(self) -> tuple[Exempts, ...]:
        return self.of(Exempts)

    @cached_property
    def _bogging(self) -> tuple[Bogs, ...]:
        """The rules by which units may bog down, but for those that no unit of the side matches."""
        units = [self.game.units[unit] for unit in self.game.friends]
        return tuple(rule for rule in self.of(Bogs) if any(map(rule.who.matches, units)))

    @cached_property
    def _rolling(self) -> tuple[Rolls, ...]:
        return self.of(Rolls)
