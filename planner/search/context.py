"""What the strategies of a search share: what is asked, how long it may take, and the best plan so far."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import InitVar, dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from planner.errors import DisagreementError, OutOfTimeError, TooManyOutcomesError
from planner.limits import Limits
from planner.objective.scoring import Value, tier_values
from planner.plans.plan import Plan
from planner.reachability.event_reach import UnsuitedError, waits
from planner.reachability.possibility import Possibility
from planner.referee.verdict import Verdict
from planner.rules.combat_roles import Fights
from planner.scenario import Scenario
from planner.search.combat_routes import routes_of
from planner.search.plan_pool import PlanPool
from planner.search.reach_cache import Possibilities, ReachCache
from planner.search.replay_cache import Replays
from planner.search.result import Progress, Result
from planner.search.rolled_prices import prices_are_rolled
from planner.solver.cp_sat import cp_model
from planner.solver.engine import Configuration, OnChange, Solved, run
from planner.solver.event_layer import Events
from planner.solver.loop_formulas import Loops
from planner.solver.model import Model, most, unscaled
from planner.solver.order_relaxation import Unordered
from planner.solver.portfolio import run_in_stages
from planner.solver.side_constraints import Conditions
from planner.solver.union_cuts import putting_right
from planner.solver.warm_start import hint_moves, hint_nobody_moves


@dataclass(frozen=True)
class Incumbent:
    """The best plan from before the model was there, or from a smaller one.

    Attributes
    ----------
    plan : Plan
        The plan.
    worth : tuple of Fraction
        What it is worth.
    """

    plan: Plan
    worth: Value


@dataclass(frozen=True)
class StrategyClaim:
    """What a strategy says of a plan.

    Attributes
    ----------
    bounds : sequence of Fraction
        For each tier what no plan can exceed.
    proved : bool
        Whether no plan is better.
    values : sequence of Fraction
        What the solver takes the first tiers to be worth, for the referee to agree.
    rounded : bool
        Whether these may be rounded up.
    """

    bounds: Sequence[Fraction]
    proved: bool = False
    values: Sequence[Fraction] = ()
    rounded: bool = False


@dataclass(eq=False)
class SearchContext:
    """One search for the best plan of a scenario.

    Attributes
    ----------
    scenario : Scenario
        Position, objective and requirements.
    limits : Limits
        When it must end, who may stop it, its seed, and its cores: threads of the solver, processes that list.
    confirm : callable
        Says what it is worth that a model has no solution.
    on_progress : callable or None
        Gets a `Progress` whenever something changes.
    conditions : Conditions
        What is asked for beside the scenario's own objective.
    without : frozenset of str
        Families of constraints to leave out, for tests that must notice it.
    pool : PlanPool or None
        Gets every plan that is looked at where plans are looked at one by one.
    enough : callable or None
        Where plans are looked at one by one, tells whether a value of the first tier, and so any above it, will do: the
        search ends with a plan that comes to one, and as soon as none can.
    ground : ReachCache
        What each unit can do: what another search of the scenario has `listed` under the same partial plan, or its own.
    configuration : Configuration
        How the solver searches: as it is `configured`, or as the limits say.
    replays : Replays
        The plans that the referee has played.
    incumbent : Incumbent or None
        The best plan from before the model was there, or from a smaller one.
    provisional : bool
        Whether that was made before it was known of which possibilities the model is made.
    warm_start : dict of str to Possibility
        What each unit does in a plan that is made of the model's possibilities.
    by_hand : callable or None
        Makes a plan by hand, for `warm_start`, if no tier is proved at a glance.
    floors : dict of int to Fraction
        What is known to be had in a tier, with the best of those before it.
    ceilings : dict of int to Fraction
        What no plan exceeds in a tier, whatever the tiers before it come to, as far as it is known before there is a model.
    bounds : dict of int to Fraction
        What no plan exceeds in a tier, with the best of those before it, as the solver has proved of all plans.
    leading : int
        How many tiers the model is about, if it leaves out what can matter to those after them alone; 0: about all.
    complete : bool
        Whether every plan has a form in the model, so that what it excludes is excluded.
    ended : bool
        Whether nothing in the model is better than what has been found: a proof, if the model is complete.
    one_by_one : bool
        Whether plans are looked at one by one.
    cut_short : bool
        Whether the search has ended because its time was up, but for what is left to tidy what it has found.
    shortest : bool
        Whether it is proved that no plan that is worth as much has fewer moves, nor as many with less MP.
    work : float
        What its models have taken so far, in the solver's own measure.
    """

    scenario: Scenario
    limits: Limits
    confirm: Callable[[SearchContext, Model], Result]
    on_progress: Callable[[Progress], None] | None = None
    conditions: Conditions = field(default_factory=Conditions)
    without: frozenset[str] = frozenset()
    pool: PlanPool | None = None
    enough: Callable[[Fraction], bool] | None = None
    listed: InitVar[ReachCache | None] = None
    configured: InitVar[Configuration | None] = None
    ground: ReachCache = field(init=False)
    configuration: Configuration = field(init=False)
    replays: Replays = field(init=False)
    incumbent: Incumbent | None = field(default=None, init=False)
    provisional: bool = field(default=False, init=False)
    warm_start: dict[str, Possibility] = field(default_factory=dict, init=False)
    by_hand: Callable[[], None] | None = field(default=None, init=False)
    floors: dict[int, Fraction] = field(default_factory=dict, init=False)
    ceilings: dict[int, Fraction] = field(default_factory=dict, init=False)
    bounds: dict[int, Fraction] = field(default_factory=dict, init=False)
    leading: int = field(default=0, init=False)
    complete: bool = field(default=False, init=False)
    ended: bool = field(default=False, init=False)
    one_by_one: bool = field(default=False, init=False)
    cut_short: bool = field(default=False, init=False)
    shortest: bool = field(default=False, init=False)
    work: float = field(default=0.0, init=False)

    def __post_init__(self, listed: ReachCache | None, configured: Configuration | None) -> None:
        self._begin = time.monotonic()
        limits, conditions = self.limits, self.conditions
        goals = tuple(tier for tier, _ in conditions.goals)
        self.replays = Replays(self.scenario, limits, goals)
        self.ground = listed or ReachCache(
            self.scenario,
            limits,
            conditions.exact,
            conditions.partial,
            goals,
            without=self.without,
        )
        self.configuration = configured or Configuration(workers=limits.workers, seed=limits.seed)

    def within(self, limits: Limits) -> SearchContext:
        """Return the search with other limits, that of a part of it."""
        part = copy(self)
        part.limits = limits
        return part

    @property
    def seconds(self) -> float:
        """The time since the search began."""
        return round(time.monotonic() - self._begin, 3)

    # -- what is searched

    @cached_property
    def combat(self) -> Fights | None:
        """The rule by which entering an enemy's hex is a combat; None without one, or where nobody gets near an enemy."""
        reach = self.ground.reach
        rule = next(iter(reach.of(Fights)), None)
        return rule if rule is not None and any(routes_of(reach, unit).attacks for unit in reach.movers) else None

    @cached_property
    def _waiting(self) -> Model | None:
        """The model of a game in which units may wait for each other; None if there is more to its rules than events."""
        if not waits(self.scenario.game):
            return None
        try:
            return self.ground.build_events(everything=bool(self.conditions or self.conditions.exact))
        except UnsuitedError:
            return None

    @property
    def narrow(self) -> bool:
        """Whether units may wait, but not in the model: plans in which nobody does are plans too, but not all of them."""
        return waits(self.scenario.game) and self._waiting is None

    @property
    def plain(self) -> bool:
        """Whether nothing is of use but what is of use to the objective, and units don't wait."""
        return not (self.conditions or self.conditions.exact) and self._waiting is None

    @cached_property
    def possibilities(self) -> Possibilities:
        """Those of which the model is made."""
        if not self.plain:
            return self.ground.possibilities
        found, self.leading = self.ground.to_begin_with(len(self.scenario.tiers))
        return found

    @cached_property
    def model(self) -> Model:
        """The fast form that fits the game, with the conditions, and what is known to begin with.

        Raises
        ------
        OutOfTimeError
            If the time limit passes, or somebody stops the search.
        """
        model = self._waiting or self.ground.build_options(possibilities=self.possibilities)
        self.conditions.post(model)
        if model.coupling.chancy:
            self.configuration = replace(self.configuration, chancy=True)
        elif self.scenario.asks_for_attacks:
            self.configuration = replace(self.configuration, attacks=True)
        elif self._waiting is not None:
            self.configuration = replace(self.configuration, events=True)
        if self.warm_start:
            hint_moves(model, self.warm_start)
        elif not self.configuration.attacks:  # from the bound downwards, that only takes time
            hint_nobody_moves(model)
        self.complete = not self._leaves_plans_out(model)
        return model

    def _leaves_plans_out(self, model: Model) -> bool:
        """Tell whether there may be plans that aren't searched, or are undervalued.

        Such as rely on likely results, as cost what is rolled, or in which units wait.
        """
        if self.narrow:
            return True
        if isinstance(model.layer, Events):
            return model.layer.narrow or self.rolled_prices
        reach = self.ground.reach
        return model.coupling.chancy and reach.rolls and (reach.may_be_left_undone or self.rolled_prices)

    @cached_property
    def rolled_prices(self) -> bool:
        """Whether moves may cost less than the model has it, as rolls come out."""
        return prices_are_rolled(self.scenario, self.conditions, self.ground.reach)

    def build_options(self, confidence: Fraction, bounding: bool = False) -> Model:
        """Build another model of all possibilities, with the conditions; parameters as `Options` has them."""
        model = self.ground.build_options(confidence, bounding)
        self.conditions.post(model)
        return model

    # -- the best plan so far

    def remember(self, plan: Plan, worth: Value, tier: int = 0) -> None:
        """Keep a plan that is the best so far, and tell what it is worth in the tier that is to be improved."""
        self.incumbent, self.warm_start = Incumbent(plan, worth), {}
        self.replays.keep(plan)
        value = worth[tier] if worth else None
        if value is not None:
            self.floors[tier] = value
        self.tell(Progress(tier, value, self.ceilings.get(tier), self.seconds))

    def tell(self, progress: Progress) -> None:
        """Tell whoever wants to know how far it has got, with the best plan so far."""
        if self.on_progress is not None:
            best = self.incumbent
            self.on_progress(progress if best is None else replace(progress, plan=best.plan, plan_value=best.worth))

    def best_so_far(self, interrupted: bool) -> Result:
        """Return the incumbent, at least what is settled, where there is no other plan; what may be better isn't known."""
        plan = self.incumbent.plan if self.incumbent is not None else self.nobody_else_moves()
        if plan is None:
            return Result("unknown", self.seconds, interrupted=interrupted)
        scenario = self.scenario
        bounds = [self.highest(index) for index in range(len(scenario.tiers))]
        verdict = self.replay(plan)
        known = bool(self.ceilings) or not scenario.tiers  # without an objective, none is worth more than another
        proved = known and self.fulfils(plan, verdict) and self.value(verdict) == tuple(bounds)
        found = self.result(plan, verdict, StrategyClaim(bounds, proved))
        return replace(found, interrupted=interrupted and not proved)

    def highest(self, tier: int) -> Fraction:
        """Return what a tier can come to at most, as far as that is known without a model."""
        highest = most(self.scenario.tiers[tier], self.scenario.game)
        return min(highest, self.ceilings.get(tier, highest))

    def nobody_else_moves(self) -> Plan | None:
        """Return the plan of the moves and attacks that are settled, mostly none, if it is legal, and does what is asked."""
        settled = self.conditions.partial
        plan = Plan(settled.moves, settled.attacks if self.scenario.asks_for_attacks else None)
        return None if self.judged(plan) is None else plan

    # -- plans, as the referee has them

    def replay(self, plan: Plan) -> Verdict:
        """Let the referee play a plan; errors as those of `Replays.play`."""
        return self.replays.play(plan)

    def is_replayed(self, plan: Plan) -> bool:
        """Replay a plan; tell whether there was time for all that its rolls may lead to."""
        try:
            self.replay(plan)
        except (OutOfTimeError, TooManyOutcomesError):
            return False
        return True

    def is_replayed_in_groups(self, plan: Plan) -> bool:
        """Replay a plan of many rolls; tell whether few enough of them have to do with each other, and there was time."""
        try:
            return self.replays.play(plan, in_groups=True).groups is not None
        except (OutOfTimeError, TooManyOutcomesError):
            return False

    @property
    def late_for_replays(self) -> bool:
        """Whether playing one more plan that takes as long as any before it would end too late."""
        return self.limits.but(self.replays.longest).late

    def judged(self, plan: Plan) -> Verdict | None:
        """Return the referee's verdict on a plan; None if it is illegal, fails what is asked for, or there was no time."""
        verdict = self.replay(plan) if self.is_replayed(plan) else None
        return verdict if verdict is not None and verdict.legal and self.fulfils(plan, verdict) else None

    def value(self, verdict: Verdict) -> Value:
        """Return what each tier comes to."""
        return tier_values(self.scenario.tiers, self.replays.scores(verdict))

    def fulfils(self, plan: Plan, verdict: Verdict) -> bool:
        """Tell whether every requirement is fulfilled, whatever is rolled, and every condition."""
        game = self.scenario.game
        return self.conditions.hold_for(self.scenario, plan, verdict) and all(
            verdict.meets(requirement, game) for requirement in self.scenario.requirements
        )

    def result(self, plan: Plan, verdict: Verdict, claim: StrategyClaim) -> Result:
        """Recompute the objective of a plan that the referee has played; disagreement is never a plan.

        Raises
        ------
        DisagreementError
            If the referee finds otherwise than is claimed.
        """
        scenario = self.scenario
        if not verdict.legal:
            found = "; ".join(map(str, verdict.violations))
            raise DisagreementError(f"the referee rejects the solver's plan: {found}", self.dump(plan))
        for requirement in scenario.requirements:
            if not verdict.meets(requirement, scenario.game):
                raise DisagreementError(f"the plan fails a requirement: {requirement.describe()}", self.dump(plan))
        if not self.conditions.hold_for(scenario, plan, verdict):
            raise DisagreementError("the plan fails a condition of the search", self.dump(plan))
        terms = self.replays.scores(verdict)
        recomputed = tier_values(scenario.tiers, terms)
        proved, values = claim.proved, tuple(claim.values)
        same = recomputed[: len(values)] == values
        if claim.rounded and all(told >= real for told, real in zip(values, recomputed, strict=False)):
            proved = proved and same
        elif not same and not (self.rolled_prices and values < recomputed):
            told = f"{[str(v) for v in values]}, the referee {[str(v) for v in recomputed]}"
            raise DisagreementError(f"the solver values the plan at {told}", self.dump(plan))
        if not self.conditions.exact:  # whatever else is open, none is worth more
            proved = proved or recomputed == tuple(claim.bounds)
        return Result(
            "optimal" if proved else "feasible",
            self.seconds,
            recomputed,
            tuple(claim.bounds),
            plan,
            verdict,
            tuple(terms),
            interrupted=self.limits.stop.is_set() and not proved,
        )

    def dump(self, plan: Plan | None) -> str:
        """Return what a report of a disagreement needs."""
        return f"scenario: {self.scenario.where}\nseed: {self.configuration.seed}\nplan:\n{plan}\n"

    # -- the solver

    def teller(self, model: Model, tier: int) -> OnChange:
        """Return what tells of the values and bounds of a tier, scaled, as they change."""

        def on_change(value: int | None, bound: int | None) -> None:
            best = None if value is None else unscaled(value, model.scale)
            if (floor := self.floors.get(tier)) is not None:
                best = floor if best is None else max(best, floor)
            known = bound is not None and self.holds_for_all(model)
            most = unscaled(bound, model.scale) if known and bound is not None else self.bounds.get(tier)
            if (highest := self.ceilings.get(tier)) is not None:
                most = highest if most is None else min(most, highest)
            self.tell(Progress(tier, best, most, self.seconds))

        return on_change

    def note_bound(self, model: Model, tier: int, bound: int | None) -> None:
        """Keep what no plan of a model exceeds in a tier, scaled, if it holds for all plans."""
        if bound is not None and self.holds_for_all(model):
            self.bounds[tier] = unscaled(bound, model.scale)

    def holds_for_all(self, model: Model) -> bool:
        """Tell whether what no plan of a model exceeds none does.

        Plans that are left out because of their many outcomes may be worth more than all that aren't.
        """
        return self.complete and not model.coupling.limited

    def solve(self, model: Model, tier: int, told: bool = True) -> Solved:
        """Solve a model in the time that is left; progress is told of a tier, if it is to be told."""
        # Plans whose results are rolled take their time to be replayed.
        limits = self.limits.but(self.replays.reserve) if self.configuration.chancy else self.limits
        if limits.late:
            return Solved("unknown")
        right = None
        if model.coupling.model.has_objective():
            right = putting_right(model, self.replays.most_outcomes, self.is_replayed_in_groups)
        configuration = replace(self.configuration, soon=told and tier == 0, limited=model.coupling.limited)
        order = model.coupling.order
        relaxed = None
        if order is not None:
            loops = Loops(model.coupling.model, model.coupling.dependence)
            relaxed = Unordered(model.coupling.model, order.pairs(), loops).improve
        on_change = self.teller(model, tier) if told else None
        solved = run_in_stages(model.coupling.model, configuration, limits, on_change, right, relaxed)
        self.work += solved.work
        if told:
            self.note_bound(model, tier, solved.bound)
        return solved

    def begin_by_hand(self, model: Model) -> None:
        """Let a model begin with a plan that is made by hand, if there is to be one by now."""
        if self.by_hand is not None and not self.limits.late:
            self.by_hand()
            if self.warm_start:
                hint_moves(model, self.warm_start)

    def run_model(self, model: cp_model.CpModel) -> Solved:
        """Solve a model in the time that is left, by the solver's own strategies."""
        if self.limits.late:
            return Solved("unknown")
        configuration = replace(self.configuration, presolve=True, subsolvers=())
        return run(model, configuration, self.limits)
