"""The search for the best plan: tier by tier, replayed by the referee, confirmed where it says that there is none."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from planner.errors import DisagreementError, OutOfTimeError, TooManyOutcomesError
from planner.limits import Limits
from planner.objective.scoring import score, tier_values, values_of
from planner.plans.plan import Plan
from planner.reachability.conditional_reach import Possibility
from planner.reachability.event_reach import UnsuitedError, waits
from planner.referee.plan_facts import substance_of
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict
from planner.rules.kinds.combat_on_entry import CombatOnEntry
from planner.scenario import Scenario
from planner.search import leading_tiers as leading
from planner.search.greedy import FirstPlan
from planner.search.plan_pool import Pool
from planner.search.reach_cache import Groundwork
from planner.search.redundant_moves import leave_out_idle_moves
from planner.search.replay_cache import Replays
from planner.search.result import Progress, Result
from planner.solver.cp_sat import cp_model
from planner.solver.engine import Configuration, Solved, another, begin_with, complete_hint, run
from planner.solver.event_layer import Events
from planner.solver.merge_stacks import as_stacks
from planner.solver.model import Model, build_paths, ceiling, most, seconds_left, unscaled
from planner.solver.order_relaxation import Unordered
from planner.solver.portfolio import run_in_stages
from planner.solver.side_constraints import Conditions, Facts
from planner.solver.tuning import Confirmation, Greedy, Listing
from planner.solver.union_cuts import putting_right, solve_honestly
from planner.solver.warm_start import hint_moves, hint_nobody_moves, hint_solution

Made = dict[str, Possibility]
Known = tuple[Model, Solved]


class Search:
    """A search for the best plan of one scenario.

    Parameters
    ----------
    scenario : Scenario
        Position, objective and requirements.
    time_limit : float, optional
        Seconds for everything; absent: none.
    workers : int
        Cores to use: threads of the solver, and processes where there is much to list.
    seed : int
        Random seed.
    on_progress : callable, optional
        Gets a `Progress` whenever something changes.
    stop : threading.Event, optional
        Set it to stop the search.
    without : frozenset of str
        Families of constraints to leave out, for tests that must notice it.
    conditions : Conditions, optional
        What is asked for beside the scenario's own objective.
    groundwork : Groundwork, optional
        What each unit can do, where another search of the scenario has listed it under the same partial plan.
    pool : Pool, optional
        Gets every plan that is looked at where a search looks at plans one by one.

    Attributes
    ----------
    form : str
        After the search: the form of the model, "options", "events", "reliance" or "combats".
    first : (Plan, tuple of Fraction) or None
        The best plan from before the model was there, or from a smaller one, and what it is worth.
    deadline : float or None
        When the time is up, a `time.monotonic` value.
    most_outcomes : int
        How many outcomes a plan's rolls may have, so that it is replayed by then.
    complete : bool
        After the search: whether every plan has a form in the model, so that what it excludes is excluded.
    """

    def __init__(
        self,
        scenario: Scenario,
        time_limit: float | None = None,
        workers: int = 1,
        seed: int = 0,
        on_progress: Callable[[Progress], None] | None = None,
        stop: threading.Event | None = None,
        without: frozenset[str] = frozenset(),
        conditions: Conditions | None = None,
        groundwork: Groundwork | None = None,
        pool: Pool | None = None,
    ) -> None:
        self.scenario = scenario
        self._begin = time.monotonic()
        self.deadline = None if time_limit is None else self._begin + time_limit
        self._reserve = 0.0
        self.configuration = Configuration(workers=workers, seed=seed)
        self.on_progress = on_progress
        self.stop = stop or threading.Event()
        self._replays = Replays(scenario, time_limit, self.stop)
        self.most_outcomes = self._replays.most_outcomes
        self.without = without
        self.conditions = conditions if conditions is not None else Conditions()
        self.pool = pool
        self._groundwork = groundwork
        self.form = "options"
        self.complete = False
        self._narrow = False
        self._begun = False
        self.first: tuple[Plan, tuple[Fraction, ...]] | None = None
        # Whether it was made before it was known of which possibilities the model is made.
        self._provisional = False
        # What each unit does in the plan that was made move by move of what is listed.
        self._chosen: dict[str, Possibility] = {}
        # What is known to be had in a tier, with the best of those before it.
        self._floors: dict[int, Fraction] = {}
        # How many tiers the model is about, if it leaves out what can matter to those after them alone.
        self._leading = 0

    def run(self) -> Result:
        """Search, and return what is proved and found.

        Raises
        ------
        DisagreementError
            If solver and referee, or two solver configurations, contradict each other.
        """
        try:
            found = self._found()
        except (OutOfTimeError, TooManyOutcomesError):  # while some plan was being replayed
            found = self._first_result(self.stop.is_set())
        try:
            return leave_out_idle_moves(self, found)
        finally:
            self._replays.release()

    def _found(self) -> Result:
        """Search by the form that fits the game."""
        try:
            self._list()
            if any(isinstance(rule, CombatOnEntry) for rule in self.reach.rules):
                from planner.search.combat_search import search_combats

                self.form = "combats"
                return search_combats(self)
            model = self._build()
        except OutOfTimeError:
            return self._first_result(self.stop.is_set())
        except KeyboardInterrupt:
            return self._first_result(True)
        if self._narrow or isinstance(model.layer, Events) or self.complete:
            return self._improve(model)
        from planner.search.likely_results import rely

        self.form = "reliance"

        # Plans that rely on no roll come first, in half the time.
        deadline, left = self.deadline, seconds_left(self.deadline)
        self.deadline = None if left is None else time.monotonic() + left / 2
        found = self._improve(model)
        self.deadline = deadline
        return rely(self, found)

    def prepare(self) -> Model:
        """Build the model of a scenario without combats, with all conditions, for who asks something else of it.

        Raises
        ------
        OutOfTimeError
            If the time limit passes, or somebody stops the search.
        """
        self._list()
        return self._build()

    def _list(self) -> None:
        self.groundwork = self._groundwork or Groundwork(
            self.scenario,
            self.conditions.exact,
            self.conditions.partial,
            self.deadline,
            self.stop,
            self.without,
            [tier for tier, _ in self.conditions.goals],
            workers=self.configuration.workers,
        )
        self.reach = self.groundwork.reach

    def _build(self) -> Model:
        """Build the fast form that fits the game."""
        model = self._form_that_fits()
        if model.coupling.chancy:
            self.configuration = replace(self.configuration, chancy=True)
            self._reserve = self._replays.reserve
        if self._chosen:
            hint_moves(model, self._chosen)
        else:
            hint_nobody_moves(model)
        self.complete = not self._unsearched(model)
        return model

    def _form_that_fits(self) -> Model:
        if waits(self.scenario.game):
            try:
                model = self.groundwork.build_events()
                self.form = "events"
                self.conditions.post(model)
                return model
            except UnsuitedError:
                # Plans in which nobody waits are plans too, but not all of them.
                self._narrow = True
        return self.build_options()

    def build_options(self, confidence: Fraction = Fraction(1), bounding: bool = False) -> Model:
        """Build the fast form with the conditions of the search; parameters as `Options` has them."""
        # Where something is asked for beside the objective, what is of no use to the objective may be.
        relevant = not (self.conditions or self.conditions.exact or bounding) and confidence == 1
        possibilities = None
        if relevant:
            if self.reach.rolls:
                # Listing what units can do together may take long: what they can do alone, and for sure, comes first.
                everything = self.groundwork.possibilities.items()
                self._look_for_a_first_plan({unit: [p for p in some if not p.overruns] for unit, some in everything})
            elif self.scenario.tiers:
                self._look_for_a_provisional_plan()
            possibilities, self._leading = leading.to_begin_with(self.groundwork, len(self.scenario.tiers))
            self._look_for_a_first_plan(possibilities)
        model = self.groundwork.build_options(confidence, bounding, possibilities)
        self.conditions.post(model)
        return model

    def _look_for_a_provisional_plan(self) -> None:
        """Look for a plan before what the model needs is known, where that takes its time."""
        ground = self.groundwork
        if ground.is_large():
            self._look_for_a_first_plan(None)
            if ground.is_vast():
                from planner.search.few_conditions import look_among_few_needs

                look_among_few_needs(self)
        elif sum(map(len, ground.possibilities.values())) >= Greedy.many:
            self._look_for_a_first_plan(ground.possibilities, provisional=True)

    def _look_for_a_first_plan(
        self, possibilities: Mapping[str, Sequence[Possibility]] | None, provisional: bool = False
    ) -> None:
        """Make a plan move by move, of units that move alone and for sure, and tell what it is worth.

        Without possibilities, which may not be listed yet, for the board as it stands after each move. The model may not
        have the very moves of a provisional plan.
        """
        scenario = self.scenario
        if not scenario.tiers or scenario.requirements or (self.first is not None and not self._provisional):
            return
        self._provisional = provisional or possibilities is None
        if possibilities is None:
            left = seconds_left(self.deadline)
            until = time.monotonic() + (Greedy.patience if left is None else Greedy.share * left)
            made = FirstPlan(scenario, self.reach, most_ways=Listing.looked_through, deadline=until)
        else:
            made = FirstPlan(scenario, self.reach, possibilities)
        plan = made.find()
        verdict = self.replay(plan)
        if not verdict.legal:
            return
        worth = values_of(scenario.game, scenario.tiers, verdict)
        if self.first is None or worth > self.first[1]:
            self.remember(plan, worth, 0)
        self._chosen = {} if self._provisional else made.chosen

    def remember(self, plan: Plan, worth: tuple[Fraction, ...], index: int) -> None:
        """Keep a plan that is the best so far, and tell what it is worth in the tier that is to be improved."""
        self.first, self._chosen = (plan, worth), {}
        self._floors[index] = worth[index]
        if self.on_progress is not None:
            self.on_progress(Progress(index, worth[index], None, self.seconds()))

    @property
    def late(self) -> bool:
        """Whether the time is up, or somebody has stopped the search."""
        left = seconds_left(self.deadline)
        return self.stop.is_set() or (left is not None and left <= 0)

    def seconds(self) -> float:
        """Return the time since the search began."""
        return round(time.monotonic() - self._begin, 3)

    def _improve(self, model: Model) -> Result:
        """Improve tier by tier; each proved value is a constraint on the tiers after it."""
        best: Plan | None = None
        bounds: list[Fraction] = []
        solver_values: list[Fraction] = []
        proved: list[int] = []
        # Plans that rely on likely results aren't searched, so that nothing is proved where they are allowed.
        complete = not self._unsearched(model)
        if model.tiers and (self.scenario.requirements or self.conditions):
            # The strategies that prove optima never end where a contradiction shows before they begin; this one does.
            model.coupling.model.clear_objective()  # type: ignore[no-untyped-call]
            solved = self.solve(model, 0, told=False)
            if solved.outcome == "infeasible":
                return self._confirm(model)
            if solved.holds is None:
                return self._first_result(self.stop.is_set())
            begin_with(model.coupling.model, solved)
        for index in range(max(1, len(model.tiers))):
            # The tiers before it, and conditions, bound what several rolls come to from below.
            free = index == 0 and not self.conditions
            solved = solve_honestly(model, partial(self._solve_tier, model, index), free, self.most_outcomes)
            if solved.outcome == "infeasible" and best is None:
                return self._confirm(model)
            if solved.outcome == "infeasible":
                raise DisagreementError("a tier's optimum became infeasible in the next tier", self._dump(best))
            if solved.holds is not None:
                best = model.plan(solved.holds)
                begin_with(model.coupling.model, solved)
            if not model.tiers:
                complete = solved.outcome in ("optimal", "feasible")
                break
            if solved.outcome != "optimal":
                complete = False
                if solved.bound is not None:
                    bounds.append(min(unscaled(solved.bound, model.scale), self._ceiling(model, index)))
                break
            assert solved.value is not None
            bounds.append(unscaled(solved.value, model.scale))
            solver_values.append(bounds[-1])
            proved.append(solved.value)
            if best is not None and index + 1 == self._leading:
                self._leading = 0
                try:
                    best, chosen, known = self._made_cheaper(model, solved, proved, best)
                    worth = values_of(self.scenario.game, self.scenario.tiers, self.replay(best))
                    self.remember(best, worth, index + 1)
                    model = self._whole(chosen, known, proved)
                except OutOfTimeError:
                    complete = False
                    break
                continue
            expression = model.coupling.expression(model.tiers[index])
            if not isinstance(expression, int):
                model.coupling.model.add(expression == solved.value)
        if best is not None and not self.is_replayed(best):
            best, solver_values, complete = None, [], False
        if not complete and self.first is not None and self._is_better(self.first[1], best):
            best, solver_values = self.first[0], []
        if best is None:
            # Where the position is legal as it stands, that nobody moves is a plan, too.
            verdict = self.replay(Plan())
            if not self._begun or not verdict.legal or not self.fulfils(Plan(), verdict):
                return Result("unknown", self.seconds(), interrupted=self.stop.is_set())
            best = Plan()
        bounds += [self._ceiling(model, index) for index in range(len(bounds), len(model.tiers))]
        if complete and self.conditions.exact:
            least = self._fewest_facts(model)
            complete = least is not None
            best = best if least is None else least
        if model.coupling.rounded and not self.conditions.hold_for(self.scenario, best, self.replay(best)):
            return Result("unknown", self.seconds())  # the model took a value for as much as is asked for that isn't
        if model.stacks:
            merged = self._in_stacks(best)
            if merged == best or (self.is_replayed(merged) and self.replay(merged).legal):
                verdict = self.replay(merged)
                return self.replayed(merged, solver_values, bounds, complete, verdict, model.coupling.rounded)
        return self.replayed(best, solver_values, bounds, complete, self.replay(best), model.coupling.rounded)

    @property
    def limits(self) -> Limits:
        """When the search must end."""
        return Limits(self.deadline, self.stop)

    def _made_cheaper(
        self, model: Model, solved: Solved, proved: Sequence[int], best: Plan
    ) -> tuple[Plan, Made, Known]:
        """Look for cheaper ways to do what a solution of the leading tiers does; return the plan and how it is made."""
        known: Known = model, solved
        chosen = leading.made(model, solved.holds)
        near = leading.like(self.groundwork.relevant, chosen)
        small = self.groundwork.build_options(possibilities=near)
        leading.fix(small, proved)
        for index in range(len(proved), len(small.tiers)):
            hint_solution(small, leading.made(known[0], known[1].holds), *known)
            expression = small.coupling.expression(small.tiers[index])
            if isinstance(expression, int):
                continue
            small.coupling.model.maximize(expression)
            found = run(small.coupling.model, leading.cheaply(self.configuration), self.limits)
            if found.holds is None:
                break
            known, best = (small, found), small.plan(found.holds)
            small.coupling.model.add(expression >= found.value)
        return best, leading.made(known[0], known[1].holds), known

    def _whole(self, chosen: Made, known: Known, proved: Sequence[int]) -> Model:
        """Build the model of all that can matter, with what is proved of the leading tiers; begin it with a plan."""
        alone = {unit: [those] for unit, those in chosen.items()}
        whole = self.groundwork.build_options(possibilities=leading.together(self.groundwork.relevant, alone))
        leading.fix(whole, proved)
        hint_solution(whole, chosen, *known)
        complete_hint(whole.coupling.model, self.limits)
        return whole

    def _first_result(self, interrupted: bool) -> Result:
        """Return the best of the plans before the model where there is no other; nothing is known of what may be better."""
        if self.first is None:
            return Result("unknown", self.seconds(), interrupted=interrupted)
        plan, scenario = self.first[0], self.scenario
        bounds = [most(tier, scenario.game) for tier in scenario.tiers]
        return replace(self.replayed(plan, [], bounds, False, self.replay(plan)), interrupted=interrupted)

    def _is_better(self, worth: tuple[Fraction, ...], plan: Plan | None) -> bool:
        """Tell whether something is worth more than a plan."""
        if plan is None:
            return True
        return worth > values_of(self.scenario.game, self.scenario.tiers, self.replay(plan))

    def _fewest_facts(self, model: Model) -> Plan | None:
        """Return, of the plans that are worth as much as is proved, one with the fewest facts; None if time is up."""
        facts = Facts(model)
        fewer = model.coupling.expression(facts.number().times(-1))
        model.coupling.model.clear_objective()  # type: ignore[no-untyped-call]
        if not isinstance(fewer, int):
            model.coupling.model.maximize(fewer)
        last = max(0, len(model.tiers) - 1)
        solved = solve_honestly(model, partial(self.solve, model, last, told=False), most_outcomes=self.most_outcomes)
        if solved.outcome == "infeasible":
            raise DisagreementError("a plan's value became infeasible once it was fixed", self._dump(None))
        if solved.holds is None or solved.outcome == "unknown" or (solved.outcome != "optimal" and model.tiers):
            return None
        plan = model.plan(solved.holds)
        if not self.is_replayed(plan):
            return None
        told, real = facts.read(solved.holds), substance_of(self.scenario.game, self.replay(plan))
        if told != real:
            raise DisagreementError(
                f"the solver says that the plan comes to {told}, the referee {real}", self._dump(plan)
            )
        return plan

    def _in_stacks(self, plan: Plan) -> Plan:
        """Write moves that follow each other as a stack's; it comes to the same if all goes well."""
        straight = Referee(self.scenario.game).play(plan, self.scenario.start, rolls=False)
        return as_stacks(plan, partial(self._comes_to_the_same, straight))

    def replay(self, plan: Plan) -> Verdict:
        """Let the referee play a plan; errors as those of `Replays.play`."""
        return self._replays.play(plan)

    def is_replayed(self, plan: Plan) -> bool:
        """Replay a plan; tell whether there was time for all that its rolls may lead to."""
        try:
            self.replay(plan)
        except (OutOfTimeError, TooManyOutcomesError):
            return False
        return True

    def fulfils(self, plan: Plan, verdict: Verdict) -> bool:
        """Tell whether every requirement is fulfilled, whatever is rolled, and every condition."""
        game = self.scenario.game
        return self.conditions.hold_for(self.scenario, plan, verdict) and all(
            requirement.score(game, position, tally) >= requirement.full(game)
            for requirement in self.scenario.requirements
            for position, tally in verdict.all_outcomes()
        )

    def _comes_to_the_same(self, verdict: Verdict, other: Plan) -> bool:
        """Tell whether another plan is legal, and ends in the position of the first for the same MP, if all goes well."""
        played = Referee(self.scenario.game).play(other, self.scenario.start, rolls=False)
        return played.legal and played.position == verdict.position and played.tally.mp == verdict.tally.mp

    @staticmethod
    def _ceiling(model: Model, index: int) -> Fraction:
        return min(
            unscaled(ceiling(model.tiers[index], model.coupling), model.scale),
            most(model.scenario.tiers[index], model.scenario.game),
        )

    def _solve_tier(self, model: Model, index: int) -> Solved:
        if self.late:
            return Solved("unknown")
        coupling = model.coupling
        if model.tiers:
            expression = coupling.expression(model.tiers[index])
            if isinstance(expression, int):
                # Nothing can change this tier; CP-SAT wants a variable in an objective.
                coupling.model.clear_objective()  # type: ignore[no-untyped-call]
                solved = self.solve(model, index)
                if solved.holds is None:
                    return solved
                return replace(solved, outcome="optimal", value=expression, bound=expression)
            coupling.model.maximize(expression)
        return self.solve(model, index)

    def solve(self, model: Model, index: int, told: bool = True) -> Solved:
        """Solve a model in the time that is left; progress is told of tier `index`, if it is to be told."""

        def on_change(value: int | None, bound: int | None) -> None:
            if self.on_progress is not None and told:
                best = None if value is None else unscaled(value, model.scale)
                if (floor := self._floors.get(index)) is not None:
                    best = floor if best is None else max(best, floor)
                most = None if bound is None else unscaled(bound, model.scale)
                self.on_progress(Progress(index, best, most, self.seconds()))

        limits = self.limits.but(self._reserve)
        if limits.late:
            return Solved("unknown")
        self._begun = True
        right = None
        if model.coupling.model.has_objective():
            right = putting_right(model, self.most_outcomes)
        configuration = replace(self.configuration, soon=told and index == 0)
        order = model.coupling.order
        relaxed = Unordered(model.coupling.model, order.pairs()).improve if order is not None else None
        return run_in_stages(model.coupling.model, configuration, limits, on_change, right, relaxed)

    def run_model(self, model: cp_model.CpModel) -> Solved:
        """Solve a model in the time that is left, by the solver's own strategies."""
        if self.late:
            return Solved("unknown")
        configuration = replace(self.configuration, presolve=True, subsolvers=())
        return run(model, configuration, self.limits)

    # -- what is said must be true

    def replayed(
        self,
        plan: Plan,
        values: list[Fraction],
        bounds: list[Fraction],
        complete: bool,
        verdict: Verdict,
        inexact: bool = False,
    ) -> Result:
        """Recompute the objective of a plan that the referee has played; disagreement is never a plan.

        `inexact` tells whether the solver's values may be rounded up.
        """
        scenario = self.scenario
        if not verdict.legal:
            found = "; ".join(map(str, verdict.violations))
            raise DisagreementError(f"the referee rejects the solver's plan: {found}", self._dump(plan))
        for requirement in scenario.requirements:
            for position, tally in verdict.all_outcomes():
                if requirement.score(scenario.game, position, tally) < requirement.full(scenario.game):
                    raise DisagreementError(f"the plan fails a requirement: {requirement.describe()}", self._dump(plan))
        if not self.conditions.hold_for(scenario, plan, verdict):
            raise DisagreementError("the plan fails a condition of the search", self._dump(plan))
        terms = score(scenario.game, scenario.tiers, verdict)
        recomputed = tier_values(scenario.tiers, terms)
        if inexact and all(told >= real for told, real in zip(values, recomputed, strict=False)):
            complete = complete and list(recomputed[: len(values)]) == values
        elif list(recomputed[: len(values)]) != values:
            told = f"{[str(v) for v in values]}, the referee {[str(v) for v in recomputed]}"
            raise DisagreementError(f"the solver values the plan at {told}", self._dump(plan))
        return Result(
            "optimal" if complete else "feasible",
            self.seconds(),
            recomputed,
            tuple(bounds),
            plan,
            verdict,
            tuple(terms),
            interrupted=self.stop.is_set() and not complete,
        )

    def _unsearched(self, model: Model) -> bool:
        """Tell whether there may be plans that aren't searched: that rely on likely results, or in which units wait."""
        if self._narrow:
            return True
        if isinstance(model.layer, Events):
            return model.layer.narrow
        return self.reach.rolls and self.reach.may_be_left_undone and model.coupling.chancy

    def _confirm(self, model: Model) -> Result:
        """Ask a second configuration whether there really is no plan."""
        if self._unsearched(model):
            return Result("unknown", self.seconds())
        return self.confirm(model)

    def confirm(self, model: Model) -> Result:
        """Ask a second configuration whether a model really has no solution."""
        steps = sum(
            len(self.reach.steps(unit, label))
            for unit in self.reach.movers
            for label in {*self.reach.hexes_of(unit), self.scenario.game.homes[unit]}
        )
        other = Configuration(
            self.configuration.workers, another(self.configuration.seed), presolve=True, subsolvers=()
        )
        explicit = (
            not isinstance(model.layer, Events)
            and steps <= Confirmation.small
            and not self.reach.rolls
            and not self.conditions.partial.moves
        )
        solved = Solved("unknown")
        if explicit:
            second = build_paths(self.scenario, self.reach, self.without)
            solved = self._asked_again(second, replace(other, work=Confirmation.work))
        # Where steps cost nothing, the explicit form may be much the harder one.
        if solved.outcome == "unknown" and not self.late:
            if isinstance(model.layer, Events):
                second = self.groundwork.build_events()
            else:
                second = self.groundwork.build_options(model.coupling.confidence)
            solved = self._asked_again(second, other)
        if solved.outcome == "infeasible":
            return Result("infeasible", self.seconds(), confirmed=True)
        if solved.holds is not None:
            plan = second.plan(solved.holds)
            raise DisagreementError("one configuration finds no plan, another one does", self._dump(plan))
        return Result("unknown", self.seconds(), interrupted=self.stop.is_set())

    def _asked_again(self, model: Model, configuration: Configuration) -> Solved:
        """Ask another configuration whether a model has a solution, with the conditions of this search."""
        self.conditions.post(model)
        if self.stop.is_set():
            return Solved("unknown")
        return run(model.coupling.model, configuration, self.limits)

    def _dump(self, plan: Plan | None) -> str:
        seed = self.configuration.seed
        return f"scenario: {self.scenario.where}\nseed: {seed}\nplan:\n{plan}\n"
