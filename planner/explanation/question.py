"""What is asked of a search: a destination, goals or a value, and how long it may take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from planner.errors import InputError, OutOfTimeError
from planner.explanation.at_odds import at_odds
from planner.explanation.needs import Need, needs_of, overruns_needed, sure_to_move, within_limits
from planner.explanation.relaxed_answers import RelaxedAnswers
from planner.limits import Limits
from planner.objective import Tally, Term, Tier
from planner.objective.costs import MpSpent, UnitsMoved
from planner.objective.goals import Eliminate, End
from planner.objective.scoring import values_of
from planner.objective.together import each_goal
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Violation
from planner.scenario import Scenario
from planner.world.position import Position


@dataclass
class Question:
    """What is asked of a search.

    Attributes
    ----------
    goals : tuple of Term
        Requirements; none where a value is asked about.
    value : tuple of Fraction
        What the tiers must come to at least, the first that differs counting.
    limits : Limits
        When to stop, and how the searches are run.
    movers : tuple of str or None
        The only units that move; None: all that may.
    base : Plan
        A plan, the best that is known, on which tries may build.
    """

    goals: tuple[Term, ...] = ()
    value: tuple[Fraction, ...] = ()
    limits: Limits = field(default_factory=Limits)
    movers: tuple[str, ...] | None = None
    base: Plan = field(default_factory=Plan)
    _relaxed: RelaxedAnswers | None = None

    @property
    def late(self) -> bool:
        """Whether the time is up, or somebody has stopped it."""
        return self.limits.late

    def asked(self, scenario: Scenario, tiers: tuple[Tier, ...] = ()) -> Scenario:
        """Return a scenario of which the question is asked."""
        if self.value:
            return scenario
        return replace(scenario, requirements=(*scenario.requirements, *self.goals), tiers=tiers)

    def relaxed(self, scenario: Scenario) -> RelaxedAnswers:
        """Return what is known of the relaxed games of the scenario that is asked about."""
        if self._relaxed is None or self._relaxed.scenario is not scenario:
            self._relaxed = RelaxedAnswers(self, scenario)
        return self._relaxed

    def needs(self, scenario: Scenario) -> list[Need]:
        """Return what the goals, and the requirements, need, as far as it is known from single units."""
        goals = (*scenario.requirements, *self.goals)
        needs = [need for goal in goals for need in needs_of(goal, scenario.game)]
        if not self.value and scenario.game.situation.confidence == 1:
            needs += overruns_needed(self.to_eliminate(scenario), scenario.game)
        return within_limits(needs, goals, scenario.game)

    def to_eliminate(self, scenario: Scenario) -> tuple[str, ...]:
        """Return the enemies without whose elimination the goals, or the requirements, can't be had."""
        goals = each_goal((*scenario.requirements, *self.goals))
        named = (enemy for goal in goals if isinstance(goal, Eliminate) for enemy in goal.units)
        return tuple(dict.fromkeys(enemy for enemy in named if enemy in scenario.game.homes))

    def leaving(self, scenario: Scenario) -> list[str]:
        """Return the units that are to end anywhere but where they stand."""
        homes, goals = scenario.game.homes, each_goal((*scenario.requirements, *self.goals))
        ends = [goal for goal in goals if isinstance(goal, End) and not goal.at]
        return [unit for unit in homes if any(goal.unit == unit and homes[unit] in goal.not_at for goal in ends)]

    def beyond(self, scenario: Scenario) -> bool:
        """Tell whether the first tier couldn't come to the value if everything that it counts went well."""
        if not self.value:
            return False
        return self.most(scenario) < self.value[0]

    def ruled_out(self, scenario: Scenario) -> bool:
        """Tell whether what is asked for can't be had whatever the rules are."""
        known = (self.beyond, self.overfull, self.lost, self.at_odds)
        return any(reason(scenario) for reason in known)

    def overfull(self, scenario: Scenario) -> bool:
        """Tell whether more units have to move than a limit allows."""
        return any(len(bound) > most for most, _, bound in self._limits(scenario))

    def movers_in(self, scenario: Scenario) -> tuple[str, ...] | None:
        """Return the only units that move: as given, or, where a limit leaves nobody else a move, those who have to."""
        found = None if self.movers is None else set(self.movers)
        for most, counted, bound in self._limits(scenario):
            if len(bound) == most:
                able = {unit for unit in scenario.game.homes if unit in scenario.game.friends} - counted
                able.update(*bound)
                found = able if found is None else found & able
        return None if found is None else scenario.game.sorted(found)

    def _limits(self, scenario: Scenario) -> Iterator[tuple[int, set[str], list[set[str]]]]:
        """Yield how many units may move at most, who counts, and for each that has to move, of those, who may be it."""
        game = scenario.game
        for term in (*self.goals, *scenario.requirements):
            if isinstance(term, UnitsMoved) and term.most is not None:
                counted = {unit for unit in game.homes if unit in game.friends and term.of.matches(game.units[unit])}
                yield int(term.most), counted, sure_to_move(self.needs(scenario), game, term.of)

    def lost(self, scenario: Scenario) -> tuple[str, ...]:
        """Return the units that are to end sound though they have been harmed before."""
        parts = each_goal((*self.goals, *scenario.requirements))
        lost = (part for part in parts if isinstance(part, End) and part.is_lost(scenario.game, scenario.start))
        return tuple(dict.fromkeys(part.unit for part in lost))

    def at_odds(self, scenario: Scenario) -> tuple[Term, ...]:
        """Return two goals that leave a unit no hex to end in, or a hex no unit; empty: no such are known."""
        return at_odds((*self.goals, *scenario.requirements), scenario)

    @staticmethod
    def most(scenario: Scenario) -> Fraction:
        """Return what the first tier would come to if everything that it counts went well."""
        first = scenario.tiers[0].terms
        return Fraction(sum(term.highest(scenario.game) * term.weight for term in first))

    def fulfilled(self, scenario: Scenario, plan: Plan) -> bool:
        """Tell whether a plan is legal in a game, and does what is asked, whatever is rolled."""
        return self.failing(scenario, plan) is None

    def failing(self, scenario: Scenario, plan: Plan) -> tuple[Violation, ...] | None:
        """Return what a plan breaks in a game, nothing if it only doesn't do what is asked; None: it is legal, and does.

        Nothing, too, if it gets late while all that may be rolled is gone through.
        """
        if plan.attacks is None and self.asked(scenario).asks_for_attacks:
            plan = replace(plan, attacks=())  # none are declared: nobody may have to attack
        try:
            verdict = Referee(scenario.game).play(plan, scenario.start, check_time=self.limits.check)
        except (InputError, OutOfTimeError):
            return ()
        if not verdict.legal:
            return verdict.violations
        if not all(verdict.meets(goal, scenario.game) for goal in (*scenario.requirements, *self.goals)):
            return ()
        if self.value and values_of(scenario.game, scenario.tiers, verdict)[: len(self.value)] < self.value:
            return ()
        return None

    def hopeful(self, scenario: Scenario, position: Position) -> bool | None:
        """Tell whether a position, if all has gone well, may be what is asked for; None: nor may any that follows it."""
        mp = {unit: progress.spent for unit, progress in position.under_way.items()}
        goals = (*scenario.requirements, *self.goals)
        missed = [goal for goal in goals if not goal.holds(scenario.game, position, Tally(mp))]
        return None if any(isinstance(goal, (MpSpent, UnitsMoved)) for goal in missed) else not missed
