"""What several searches of one scenario have in common: what each unit can do, listed once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from planner.errors import TooManyWaysError
from planner.limits import Limits
from planner.objective import Tier, terms_of
from planner.objective.costs import MpSpent
from planner.objective.goals import End
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Move
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.event_reach import EventReach, Itinerary, UnsuitedError
from planner.reachability.exact_reach import ExactReach
from planner.reachability.fixed_moves import along, itineraries_along, joined, parts_at_stake, team_along
from planner.reachability.kept_reach import remember
from planner.reachability.possibility import Possibility
from planner.reachability.relaxed_reach import might_get, nobody_falls
from planner.reachability.team_possibility import TeamPossibility
from planner.reachability.worker_processes import list_all
from planner.rules.combat_roles import Fights, JointlyOverruns
from planner.rules.roles import Sequences
from planner.scenario import Scenario
from planner.search.relevance import Relevance
from planner.search.relevant_itineraries import relevant_itineraries
from planner.solver.model import Model, ReliedResults, build_events, build_options, list_teams, what_matters
from planner.solver.tuning import LeadingTiers, Listing

Possibilities = dict[str, list[Possibility]]


def size(possibilities: Possibilities) -> int:
    """Return how many possibilities all units have."""
    return sum(map(len, possibilities.values()))


@dataclass(eq=False)
class ReachCache:
    """What each unit can do in one scenario; listed when it is first asked for.

    Attributes
    ----------
    scenario : Scenario
        The position.
    limits : Limits
        When listing must end, and how many processes may list at once; what they list is the same, however many.
    exact : bool
        Whether to keep whatever differs in substance; otherwise what the objective has no use for is left out.
    partial : PartialPlan
        What is settled: units whose moves are fixed make just these, and others none.
    goals : sequence of Tier
        What matters besides the scenario's own objective.
    apart : frozenset of str or None
        If `exact`, the units of which every end is kept where stacks move together; of others what the objective asks for.
        None: all.
    most_needs : int or None
        How much a move may need of others; None: anything.
    without : frozenset of str
        Families of constraints, or ids of rules, to leave out, for tests that must notice it.

    Raises
    ------
    OutOfTimeError
        By its methods, if the time is up or somebody stops them.
    """

    scenario: Scenario
    limits: Limits = field(default_factory=Limits)
    exact: bool = False
    partial: PartialPlan = field(default_factory=PartialPlan)
    goals: Sequence[Tier] = ()
    apart: frozenset[str] | None = None
    most_needs: int | None = None
    without: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self._listed: Possibilities = {}
        self._itineraries_of: dict[str, list[Itinerary]] = {}
        self._settled = frozenset(self.partial.movers) | frozenset(self.partial.stays)

    @cached_property
    def reach(self) -> ConditionalReach:
        """The conditional reach."""
        game, limits, without = self.scenario.game, self.limits, self.without
        if self.exact or self._spares_enemies or self._is_unwelcome:
            found: ConditionalReach = ExactReach(game, limits, without=without, most_needs=self.most_needs)
        else:
            found = ConditionalReach(game, limits, without=without, most_needs=self.most_needs)
        if not without:
            remember(found, self.scenario.memory)
        return found

    @property
    def _spares_enemies(self) -> bool:
        """Whether it may be worse to eliminate an enemy on the way than to go round."""
        if not self.scenario.game.rulebook.overrunning:
            return False
        terms = terms_of((*self.scenario.tiers, *self.goals), self.scenario.requirements)
        return self.scenario.asks_for_attacks or any(term.spares for term in terms)

    @property
    def _is_unwelcome(self) -> bool:
        """Whether a rule may make a plan worse once somebody, or something, is gone."""
        return any(True for rule in self.scenario.game.rulebook.rules for _ in rule.unwelcome(self.scenario.game))

    def telling_apart(self, units: frozenset[str], limits: Limits) -> ReachCache:
        """Return the same with every end of some units kept; what is listed of single units is shared."""
        twin = replace(self, apart=units, limits=limits)
        twin._listed = self._listed
        return twin

    def asking_for(self, places: Mapping[str, Collection[str]]) -> ReachCache:
        """Return the same where it matters, too, that units end in places; what is listed of single units is shared."""
        ends = tuple(End(kind="end", unit=unit, at=tuple(sorted(some))) for unit, some in places.items() if some)
        twin = replace(self, goals=(*self.goals, Tier(terms=ends)))
        twin.reach, twin._listed = self.reach, self._listed
        for known in ("events", "itineraries"):
            if known in vars(self):
                setattr(twin, known, getattr(self, known))
        return twin

    def for_first_tier(self) -> ReachCache:
        """Return the same for the first tier alone, where MP needn't count; what is listed of single units is shared."""
        twin = replace(self, scenario=replace(self.scenario, tiers=self.scenario.tiers[:1]))
        twin.reach, twin._listed = self.reach, self._listed
        if twin.leading:
            twin.relevant = twin.relevant_to_leading
        return twin

    @cached_property
    def _loose(self) -> ConditionalReach:
        """The conditional reach without dominance, for moves that may be worse than others."""
        return ExactReach(self.scenario.game, self.limits, without=self.without, prune=False)

    @cached_property
    def possibilities(self) -> Possibilities:
        """The possibilities of every unit by itself."""
        units = [unit for unit in self.reach.movers if unit not in self._settled]
        left = [unit for unit in units if unit not in self._listed]
        more = list_all(self.reach.possibilities, left, self.limits.workers, self.reach.check_time)
        self._listed.update(zip(left, more, strict=True))
        found = {unit: self._listed[unit] for unit in units}
        fixed = self.partial.movers if self._orderly else ()
        for unit in fixed:
            moves = [move for move in self.partial.moves if unit in move.units]
            parts = [part.units for move in moves for part in parts_at_stake(move) if unit in part.units]
            if unit in self.reach.stack_in_hand or any(len(units) > 1 for units in parts):
                continue
            whole = self._as_one(unit)
            if whole is not None:
                found[unit] = along(self.reach, whole)
        return found

    def _as_one(self, unit: str) -> Move | None:
        """Return all that is settled of a unit as one move of its own; None if it may not make it as one.

        The move of a unit that may wait, if to no purpose, may be settled in several lines.
        """
        moves = [move for move in self.partial.moves if unit in move.units]
        game = self.scenario.game
        return joined(moves, unit) if len(moves) == 1 or game.rulebook.lets_wait(game.units[unit]) else None

    def _whole_moves(self) -> list[Move]:
        """Return the moves that are settled, each being all that its units do; none of those who may not do that at once."""
        times = Counter(unit for move in self.partial.moves for unit in move.units)
        again = [self._as_one(unit) for unit in times if times[unit] > 1]
        once = [move for move in self.partial.moves if all(times[unit] == 1 for unit in move.units)]
        return [*once, *(move for move in again if move is not None)]

    def _list(self, unit: str, most: int) -> list[Possibility]:
        found = self._listed.get(unit)
        if found is None:
            found = self._listed[unit] = self.reach.possibilities(unit, most=most)
        return found

    @cached_property
    def large(self) -> bool:
        """Whether, by a look at a few units, listing what all of them can do takes longer than a plan by hand."""
        most = Listing.large
        return self.most_needs is None and self._about(most, most // Listing.looked_at) > most

    @cached_property
    def vast(self) -> bool:
        """Whether, by a look at a few units, listing what all of them can do, or one of them, will take long."""
        return self.most_needs is None and self._about(Listing.vast, Listing.looked_through) > Listing.vast

    def _about(self, many: int, ways: int) -> float:
        """Return about how many possibilities all units have; infinite if one has more ways than that.

        The look itself ends soon where there are too many.
        """
        units = [unit for unit in self.reach.movers if unit not in self._settled]
        listed = number = 0
        for number, unit in enumerate(units[:: max(1, len(units) // Listing.looked_at)], 1):
            try:
                listed += len(self._list(unit, ways))
            except TooManyWaysError:
                return float("inf")
            if number >= Listing.enough and listed * len(units) > many * number:
                break
        return listed * len(units) / max(1, number)

    @property
    def _orderly(self) -> bool:
        """Whether the game lets the units of each fixed move make it together."""
        rules = self.scenario.game.rulebook.of(Sequences)
        return not any(list(rule.check_group(move.units)) for rule in rules for move in self.partial.moves)

    @cached_property
    def teams(self) -> list[TeamPossibility]:
        """The possibilities of units that move together, or roll."""
        places = {place for _, some in self.partial.ends for place in some}
        found = list_teams(self.scenario, self.reach, self.goals, places, self.apart, self._settled)
        for move in self._whole_moves() if self._orderly else ():
            if self.reach.stack_in_hand.issuperset(move.units):
                found += team_along(self._loose, move)
            elif self.reach.rolls:
                for part in parts_at_stake(move):
                    found += team_along(self._loose, part)
        return found

    @cached_property
    def events(self) -> EventReach:
        """The events that are possible where units may wait."""
        return EventReach(self.reach)

    def might_get(self, unit: str) -> frozenset[str]:
        """Return where a unit that may wait could get if all others helped it: too many places, never too few."""
        try:
            return frozenset(self.events.at_best(unit)[0])
        except UnsuitedError:
            if nobody_falls(self.reach):
                return might_get(self.reach, unit)
            return frozenset(self._at_best(unit, self._falling)[0])

    def least_mp(self) -> dict[str, dict[str, Fraction]] | None:
        """Return where units that may wait could get if all others helped them, and for how many MP at least.

        None where they fight, or the phase has begun. Where units roll or overrun together, EZOCs may take fewer MP for the
        results, and where rules add up more than MP, the cheapest way needn't get farthest: there it is only known where
        units could get, for no MP at least.
        """
        game, reach = self.scenario.game, self.reach
        if game.begun is not None or game.rulebook.of(Fights):
            return None
        if nobody_falls(reach):
            return {unit: dict.fromkeys(might_get(reach, unit), Fraction(0)) for unit in reach.movers}
        if reach.rolls or reach.of(JointlyOverruns) or game.rulebook.tallying:
            return {unit: dict.fromkeys(self.might_get(unit), Fraction(0)) for unit in reach.movers}
        return {unit: self._at_best(unit, self._falling)[0] for unit in reach.movers}

    def _at_best(self, unit: str, falling: frozenset[str]) -> tuple[dict[str, Fraction], frozenset[str]]:
        """Return where a unit that may wait could get, and whom it could eliminate, if of the enemies some could fall."""
        enemies_at = self.scenario.game.enemies_at
        return self.reach.at_best(unit, lambda label: falling.isdisjoint(enemies_at(label)))

    @cached_property
    def _falling(self) -> frozenset[str]:
        """The enemies that might be eliminated where units may wait and there is more to the rules than events."""
        game = self.scenario.game
        if self.reach.of(JointlyOverruns):  # what units might do together isn't looked at
            return frozenset(enemy for enemy in game.homes if game.is_enemy(enemy))
        known, more = frozenset[str](), frozenset[str]()
        while True:
            for unit in self.reach.movers if game.rulebook.overrunning else ():
                more |= self._at_best(unit, more)[1]
            if more == known:
                return known
            known = more

    @cached_property
    def itineraries(self) -> Mapping[str, Sequence[Itinerary]]:
        """The itineraries of every unit where units may wait.

        Raises
        ------
        UnsuitedError
            If there is more to the rules than events.
        """
        found = {unit: self.itineraries_of(unit) for unit in self.reach.movers if unit not in self._settled}
        for unit in self.partial.movers if self._orderly else ():
            whole = joined(self.partial.moves, unit)
            found[unit] = [] if whole is None else itineraries_along(self._loose, self.events, whole)
        return {unit: found[unit] for unit in self.reach.movers if unit in found}

    @cached_property
    def relevant(self) -> Possibilities:
        """Of the possibilities of every unit by itself, those that can matter to the objective."""
        return self._that_matter(self.scenario, self.goals)

    @cached_property
    def relevant_if_mp_count(self) -> Possibilities:
        """Of the possibilities of every unit by itself, those that can matter to the objective and to the MP after it."""
        if any(term.counts_mp for term in terms_of((*self.scenario.tiers, *self.goals), self.scenario.requirements)):
            return self.relevant
        return self._that_matter(self.scenario, (*self.goals, Tier(terms=(MpSpent(kind="mp_spent"),))))

    def itineraries_of(self, unit: str) -> list[Itinerary]:
        """Return the itineraries of one unit; may raise what all may."""
        if unit not in self._itineraries_of:
            self._itineraries_of[unit] = self.events.itineraries(unit)
        return self._itineraries_of[unit]

    @property
    def leading(self) -> int:
        """How many tiers there are before the first in which MP count; 0 if a requirement is about MP."""
        scenario = self.scenario
        if any(term.counts_mp for term in scenario.requirements):
            return 0
        counting = (i for i, tier in enumerate(scenario.tiers) if any(term.counts_mp for term in tier.terms))
        return next(counting, len(scenario.tiers))

    @cached_property
    def relevant_to_leading(self) -> Possibilities:
        """Of the possibilities of every unit by itself, those that can matter to the leading tiers."""
        return self._that_matter(replace(self.scenario, tiers=self.scenario.tiers[: self.leading]), spread=True)

    def to_begin_with(self, tiers: int) -> tuple[Possibilities, int]:
        """Return the possibilities of the first model, and how many tiers it is about; 0: about all of them.

        Parameters
        ----------
        tiers : int
            How many tiers the objective has; nothing else must be asked for.
        """
        if self.reach.rolls:
            return self.relevant, 0  # what teams do isn't among the possibilities
        everything = size(self.possibilities)
        if everything < LeadingTiers.many or not 0 < self.leading < tiers:
            return self.relevant, 0
        few = size(self.relevant_to_leading)
        if few > everything / 2 or (everything < LeadingTiers.very_many and few > size(self.relevant) / 2):
            return self.relevant, 0
        return self.relevant_to_leading, self.leading

    def _that_matter(self, scenario: Scenario, goals: Sequence[Tier] = (), spread: bool = False) -> Possibilities:
        names = self._names_that_matter(scenario, goals)
        if names is None or self.reach.relies_on_rolls:
            return self.possibilities
        mp_counts = any(term.counts_mp for term in terms_of((*scenario.tiers, *goals), scenario.requirements))
        return Relevance(self.reach, self.possibilities, names, mp_counts, spread and not mp_counts, self.teams).kept()

    def _names_that_matter(self, scenario: Scenario, goals: Sequence[Tier]) -> frozenset[str] | None:
        """Return the hexes and enemies that matter; None: it may be any, or more is asked for."""
        return None if self.exact or self.partial else what_matters(scenario, goals)

    def build_options(
        self,
        confidence: Fraction = Fraction(1),
        bounding: bool = False,
        possibilities: Possibilities | None = None,
    ) -> Model:
        """Build the fast form; parameters as those of `ReliedResults`.

        `possibilities` may leave out what can't matter to the objective, if nothing else is asked of the model.
        """
        if possibilities is None:
            possibilities = self.possibilities
        relying = ReliedResults(confidence, bounding)
        return build_options(self.scenario, possibilities, self.reach, relying, self.teams, self.goals)

    def build_events(self, everything: bool = True) -> Model:
        """Build the form for games in which units may wait for each other.

        Without `everything` it leaves out what can't matter to the objective, if nothing else is asked of the model.
        """
        itineraries = self.itineraries  # before the events are asked for: it may find the game unsuited
        matter = None if everything else self._names_that_matter(self.scenario, self.goals)
        if matter is not None:
            itineraries = relevant_itineraries(self.reach, self.events, itineraries, matter)
        return build_events(self.scenario, self.reach, self.events, itineraries)
