"""Why a destination, a goal or a value can't be had: whether it can, in the game as it is and in relaxed ones.

Each question is put to relaxed games (`planner.explanation.relaxation`): "is it possible with exactly these instances in
force?". What single units could come to (`planner.explanation.prospects`) settles most of them; the search settles the
others, and where it proves nothing, every plan of a few units is looked at. What is possible comes with a plan that the
referee has played in the same game.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from planner.errors import DisagreementError, InputError, OutOfTimeError
from planner.explanation.answer import Change, Instance, Remedy
from planner.explanation.changes import candidates, changed
from planner.explanation.exhaust import every_plan, suits
from planner.explanation.limits import Limits
from planner.explanation.prospects import Need, Prospects, Scopes, Way, needs_of, parts_of
from planner.explanation.relaxation import ALL, Memory, Scope
from planner.explanation.remedies import MORE_MP, MOST_REMEDIES
from planner.objective import Tally, Term, Tier
from planner.objective.goals import Eliminate
from planner.plan import Plan
from planner.position import Position
from planner.referee import Referee
from planner.results import Result, score, tier_values
from planner.scenario import Scenario

LONGEST_PROBE = 2.0
"""Seconds that one of many searches takes at most."""

MOST_PLACES = 6
"""Of so many hexes other ground is tried at most."""

MOST_UNITS = 8
"""For so many units it is tried what they might lack."""

MOST_WAYS = 60
"""Of so many units it is tried whether each could do it by itself."""

Answer = tuple[bool | None, Plan | None]
"""Whether something is possible, with a plan; None: not known."""


@dataclass
class Question:
    """What is asked of a search.

    Attributes
    ----------
    goals : tuple of Term
        Requirements; none where a value is asked about.
    value : tuple of Fraction
        What the tiers must come to at least, the first that differs counting.
    deadline : float or None
        A `time.monotonic` value.
    movers : tuple of str or None
        The only units that move; None: all that may.
    stop : threading.Event
        Set it to stop.
    seed, workers : int
        How the searches are run.
    base : Plan
        A plan, the best that is known, on which tries may build.
    """

    goals: tuple[Term, ...] = ()
    value: tuple[Fraction, ...] = ()
    deadline: float | None = None
    movers: tuple[str, ...] | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    seed: int = 0
    workers: int = 1
    base: Plan = field(default_factory=Plan)
    _probes: Probes | None = None

    @property
    def limits(self) -> Limits:
        """When to stop."""
        return Limits(self.deadline, self.stop, self.seed, self.workers)

    @property
    def late(self) -> bool:
        """Whether the time is up, or somebody has stopped it."""
        return self.limits.late

    def asked(self, scenario: Scenario, tiers: tuple[Tier, ...] = ()) -> Scenario:
        """Return a scenario of which the question is asked."""
        if self.value:
            return scenario
        return replace(scenario, requirements=(*scenario.requirements, *self.goals), tiers=tiers)

    def answer(
        self, scenario: Scenario, most: float | None = None, second: bool = False, quick: bool = False
    ) -> Answer:
        """Tell whether it is possible in a scenario, with a plan; None: not known.

        `second`: that it isn't must be confirmed by a second configuration of the solver. `quick`: without a search.
        """
        return Probes(self, scenario).ask(None, most, second, quick)

    def changed_answer(self, scenario: Scenario, changes: Sequence[Change], quick: bool) -> Answer:
        """Answer in a scenario with changes."""
        own = {"mp", "supplied", "without"}
        touched = [change.what for change in changes] if all(change.kind in own for change in changes) else None
        return Probes(self, changed(scenario, changes), self.probes(scenario), touched).ask(
            None, LONGEST_PROBE, False, quick
        )

    def probes(self, scenario: Scenario) -> Probes:
        """Return what is known of the relaxed games of the scenario that is asked about."""
        if self._probes is None or self._probes.scenario is not scenario:
            self._probes = Probes(self, scenario)
        return self._probes

    def needs(self, scenario: Scenario) -> list[Need]:
        """Return what the goals, and the requirements, need, as far as it is known from single units."""
        return [need for goal in (*scenario.requirements, *self.goals) for need in needs_of(goal, scenario.game)]

    def beyond(self, scenario: Scenario) -> bool:
        """Tell whether the first tier couldn't come to the value if everything that it counts went well."""
        if not self.value:
            return False
        most = sum(term.most(scenario.game) * term.weight for term in scenario.tiers[0].terms)
        return most < self.value[0]

    def fulfilled(self, scenario: Scenario, plan: Plan) -> bool:
        """Tell whether a plan is legal in a game, and does what is asked, whatever is rolled."""
        try:
            verdict = Referee(scenario.game).play(plan, scenario.start)
        except InputError:
            return False
        if not verdict.legal:
            return False
        for position, tally in verdict.all_outcomes():
            if not self._met(scenario, position, tally):
                return False
        if not self.value:
            return True
        found = tier_values(scenario.tiers, score(scenario.game, scenario.tiers, verdict))
        return found[: len(self.value)] >= self.value

    def hopeful(self, scenario: Scenario, position: Position) -> bool:
        """Tell whether a position, if all has gone well, may be what is asked for."""
        mp = {unit: progress.spent for unit, progress in position.under_way.items()}
        return self._met(scenario, position, Tally(mp))

    def _met(self, scenario: Scenario, position: Position, tally: Tally) -> bool:
        goals = (*scenario.requirements, *self.goals)
        return all(goal.score(scenario.game, position, tally) >= goal.full(scenario.game) for goal in goals)


class Probes:
    """Answers to a question in one scenario, and in relaxed games of it.

    Parameters
    ----------
    question : Question
        The question.
    scenario : Scenario
        The scenario.
    base : Probes, optional
        Those of the scenario itself, if this one differs only in what some units are like, or have.
    touched : collection of str, optional
        These units; None: it may be anything that differs.

    Attributes
    ----------
    plans : list of Plan
        Plans that do what is asked where fewer rules are in force.
    """

    def __init__(
        self,
        question: Question,
        scenario: Scenario,
        base: Probes | None = None,
        touched: Collection[str] | None = None,
    ) -> None:
        self.question, self.scenario = question, scenario
        self._memory = Memory()
        known = None if base is None or touched is None else base._prospects
        self._prospects: Prospects = Prospects(
            scenario, self._memory, question.limits, question.movers, known, touched or ()
        )
        self._needs = question.needs(scenario)
        self._known: dict[object, Answer] = {}
        self._worked: dict[tuple[frozenset[Scope], Plan], bool] = {}
        self._based: tuple[Plan, set[str], set[str]] | None = None
        self.plans: list[Plan] = []

    def game_with(self, scopes: Scopes) -> Scenario:
        """Return the game with rules in force in some scopes only."""
        return self._prospects.game_with(scopes)

    def works(self, scopes: Sequence[Scope], plan: Plan) -> bool:
        """Tell whether a plan does what is asked with rules in force in some scopes only."""
        units = {ALL, None, *(unit for move in plan.moves for unit in move.units)}
        mine = [scope for scope in scopes if scope.unit in units]
        key = frozenset(mine), plan
        if key not in self._worked and self.question.late:
            return False
        if key not in self._worked:
            self._worked[key] = self.question.fulfilled(self.game_with(mine), plan)
        return self._worked[key]

    def more(self, scopes: Sequence[Scope]) -> list[Plan]:
        """Return further plans that do what is asked with rules in force in some scopes only: one for each unit that can."""
        found: dict[tuple[str, ...], Plan] = {}
        try:
            for plan in self.tries(scopes):
                movers = tuple(unit for move in plan.moves for unit in move.units)
                if movers not in found and self.works(scopes, plan):
                    found[movers] = plan
        except OutOfTimeError:
            pass
        self.plans += [plan for plan in found.values() if plan not in self.plans]
        return list(found.values())

    def possible(self, scopes: Sequence[Scope]) -> Answer:
        """Tell whether it is possible with rules in force in some scopes only; what is impossible isn't confirmed yet."""
        key = frozenset(scopes)
        if key not in self._known:
            plan = next((plan for plan in self.plans if self.works(scopes, plan)), None)
            found = (True, plan) if plan is not None else self.ask(scopes, LONGEST_PROBE)
            if found[0] is None and self.question.late:
                return found
            self._known[key] = found
            if found[1] is not None and found[1] not in self.plans:
                self.plans.append(found[1])
        return self._known[key]

    def forbids(self, scopes: Sequence[Scope]) -> bool | None:
        """Tell whether rules in some scopes are enough to forbid it; None: not known."""
        possible, _ = self.possible(scopes)
        return None if possible is None else not possible

    def forbids_twice(self, scopes: Sequence[Scope]) -> bool:
        """Tell whether a second, independent way proves that rules in some scopes forbid it."""
        return self.forbids(scopes) is True and self.ask(scopes, None, second=True)[0] is False

    # -- one game

    def ask(self, scopes: Scopes, most: float | None = None, second: bool = False, quick: bool = False) -> Answer:
        """Ask in one game; parameters as those of `Question.answer`."""
        question = self.question
        if question.beyond(self.scenario):
            return False, None
        if question.late:
            return None, None
        game = self.game_with(scopes)
        limits = question.limits.part(1, most)
        try:
            never = self._never(scopes)
            if never is not None and (not second or self._confirmed(scopes, never, limits)):
                return False, None
            if never is None:
                plan = next((plan for plan in self.tries(scopes) if question.fulfilled(game, plan)), None)
                if plan is not None:
                    return True, plan
            if quick:
                return None, None
            # Every plan of a few units is soon looked at, by the judge himself.
            if suits(game):
                answer = every_plan(
                    game,
                    lambda position: question.hopeful(game, position),
                    lambda plan: question.fulfilled(game, plan),
                    limits,
                )
                if answer[0] is not None:
                    return answer
            return self._searched(game, limits, second)
        except (DisagreementError, InputError, OutOfTimeError):
            return None, None  # a relaxed game may have positions that no game has, and too many of them

    def lacking(self) -> Term | None:
        """Return a goal that can't be had, and without which the value can't either; None: no such is known."""
        value, tiers = self.question.value, self.scenario.tiers
        if not value or len(value) > 1:
            return None
        most = sum((term.most(self.scenario.game) * term.weight for term in tiers[0].terms), Fraction(0))
        try:
            for term in tiers[0].terms:
                needs = needs_of(term, self.scenario.game)
                for part, need in zip(parts_of(term, self.scenario.game), needs, strict=False):
                    if most - term.weight < value[0] and self._prospects.impossible(None, [need]) is not None:
                        return part
        except OutOfTimeError:
            pass
        return None

    def never(self) -> bool:
        """Tell whether it is known that in the game as it is no unit can see to something, whoever helps it."""
        try:
            return self._never(None) is not None
        except OutOfTimeError:
            return False

    def _never(self, scopes: Scopes) -> list[Need] | None:
        """Return what no unit can see to, whoever helps it, so that it can't be had; None: no such is known."""
        if self.question.value:
            most, never = self._prospects.most(scopes, self.scenario.tiers[0])
            if most < self.question.value[0]:
                return never
        need = self._prospects.impossible(scopes, self._needs)
        return None if need is None else [need]

    def _confirmed(self, scopes: Scopes, never: Sequence[Need], limits: Limits) -> bool:
        """Tell whether the explicit form, too, knows no way for any single unit."""
        from planner.solver.obliging import never as no_way

        ends: dict[str, set[str]] = {}
        kills: dict[str, set[str]] = {}
        for way in (way for need in never for way in need):
            ends.setdefault(way.unit, set()).update(way.ends)
            kills.setdefault(way.unit, set()).update(way.kills)
        reach = self._prospects.reach(scopes)
        return all(no_way(reach, unit, labels, kills[unit], limits) is True for unit, labels in ends.items())

    def tries(self, scopes: Scopes) -> Iterator[Plan]:
        """Yield plans in which one unit does what is lacking, by itself or beside the best plan that is known."""
        base, seen = self.question.base, set[Plan]()
        needs = self._needs
        if self.question.value:
            tiers = self.scenario.tiers[:1]
            needs = [
                *needs,
                *(need for tier in tiers for term in tier.terms for need in needs_of(term, self.scenario.game)),
            ]
        for need in needs:
            for way in need[:MOST_WAYS]:
                if not self._prospects.can(scopes, way) or self._has(way):
                    continue
                for move in self._prospects.moves(scopes, way):
                    self.question.limits.check()
                    others = tuple(one for one in base.moves if way.unit not in one.units)
                    for moves in dict.fromkeys([(move,), (*others, move), (move, *others)]):
                        if Plan(moves) not in seen:
                            seen.add(Plan(moves))
                            yield Plan(moves)

    def straight(self) -> list[Plan]:
        """Return, for each need, how the nearest unit would see to it if it went straight there, whatever the rules say."""
        found = []
        for need in self._needs:
            for way in need[:1]:
                labels = [*way.ends, *(self.scenario.game.homes[enemy] for enemy in way.kills)]
                moves = (self._prospects.straight(way.unit, label, bool(way.kills)) for label in labels)
                found += [Plan((move,)) for move in moves if move is not None]
        return found

    def _has(self, way: Way) -> bool:
        """Tell whether somebody sees to it in the plan on which tries build."""
        base = self.question.base
        if not base.moves:
            return False
        if self._based is None or self._based[0] != base:
            position = Referee(self.scenario.game).play(base, self.scenario.start, rolls=False).position
            own = {label for unit, label in position.at.items() if not self.scenario.game.is_enemy(unit)}
            self._based = base, own, set(self.scenario.game.homes) - position.at.keys()
        return bool(way.ends & self._based[1] or way.kills & self._based[2])

    def build_on_the_best(self) -> None:
        """Let tries build on the best plan of the game as it is, where one unit alone can't do all that is asked."""
        from planner.solver.probe import Probe

        question = self.question
        if question.base.moves or not (question.value or self.scenario.requirements):
            return
        limits = question.limits.part(0.3)
        try:
            found = Probe(self.scenario, limits.left(), False, question.stop, question.seed, question.workers).run()
        except (DisagreementError, InputError, OutOfTimeError):
            return
        if found.plan is not None:
            question.base = found.plan

    def _searched(self, game: Scenario, limits: Limits, second: bool) -> Answer:
        """Let the search answer."""
        from planner.solver.probe import Probe

        question = self.question

        def probe(scenario: Scenario) -> Result:
            return Probe(scenario, limits.left(), second, question.stop, question.seed, question.workers).run()

        result = probe(question.asked(game))
        if result.status != "unknown":
            return self._read(result)
        # Where a search proves no plan impossible, the bound on how much of the goals can be had may do.
        if question.value or limits.late or not all(goal.averages and goal.weight == 1 for goal in question.goals):
            return None, None
        full = sum(goal.full(game.game) for goal in question.goals)
        result = probe(replace(game, tiers=(Tier(terms=question.goals),)))
        if result.plan is not None and result.value[0] >= full:
            return True, result.plan
        return (False, None) if result.bound and result.bound[0] < full else (None, None)

    def _read(self, result: Result) -> Answer:
        wanted = self.question.value
        if result.status == "infeasible":
            return False, None
        if not wanted:
            return True, result.plan
        found, bound = result.value[: len(wanted)], result.bound[: len(wanted)]
        if found >= wanted:
            return True, result.plan
        if result.plan is not None and not self.question.base.moves:
            self.question.base = result.plan
        if result.status == "optimal" or (bound and bound[0] < wanted[0]):
            return False, None
        return None, None


def would_do(scenario: Scenario, question: Question, named: Sequence[Instance]) -> list[Remedy]:
    """Return the fewest things that would have to be different for it to be possible, among those that instances name."""
    game = scenario.game
    goal_units = [goal.unit for goal in question.goals if hasattr(goal, "unit")]
    units = list(dict.fromkeys(i.unit for i in named if i.unit in game.phasing and i.unit is not None))
    units = list(dict.fromkeys([*goal_units, *units]))[:MOST_UNITS]
    hexes = [i.hex for i in named if i.hex]
    blame = [unit for i in named for unit in i.blame]
    # Who is to be eliminated isn't wished away: it would count as done.
    terms = [*question.goals, *(term for tier in scenario.tiers if question.value for term in tier.terms)]
    targets = {unit for term in terms if isinstance(term, Eliminate) for unit in term.units}
    singles: list[tuple[Change, ...]] = []
    goal_hexes = [label for way in (way for need in question.needs(scenario) for way in need) for label in way.ends]
    places = list(dict.fromkeys([*hexes, *goal_hexes]))[:MOST_PLACES]
    sides = [(near, label) for label in places if label in game.board.hexes for near in game.board.neighbours[label]]
    hopeless = question.probes(scenario).never()
    richer = dict.fromkeys(units, Fraction(1))
    for change in candidates(game, units, places, blame, richer, sides, hexes[:MOST_PLACES], goal_units):
        if change.kind == "gone" and change.what in targets:
            continue
        if change.kind == "gone" and hopeless and game.is_enemy(change.what) and change.what not in blame:
            continue  # what they had to do with it was granted already
        more = MORE_MP[:6] if change.kind == "mp" else (1,)
        singles.append(tuple(replace(change, amount=Fraction(number)) for number in more))
    found: list[Remedy] = []

    def works(changes: Sequence[Change], quick: bool) -> bool:
        possible, plan = question.changed_answer(scenario, changes, quick)
        if not possible or plan is None or not question.fulfilled(changed(scenario, changes), plan):
            return False
        found.append(Remedy((), tuple(changes), plan, True))
        return True

    # What single units can do is soon known; a search comes only where that finds nothing.
    for quick in (True, False):
        for amount in range(max(map(len, singles), default=0)):
            for amounts in singles:
                if question.late or len(found) == MOST_REMEDIES:
                    return found
                if amount < len(amounts):
                    works([amounts[amount]], quick)
            if found:
                return found
    for number, one in enumerate(singles):
        for other in singles[number + 1 :]:
            if question.late or len(found) == MOST_REMEDIES:
                return found
            works([one[-1], other[-1]], False)
    return found
