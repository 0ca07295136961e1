"""The Python interface: the same words as on the command line."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from planner.arguments import Moves, Partial, as_partial, as_plan, as_scenario, as_texts, checked
from planner.errors import InputError, PlannerError, Problem
from planner.limits import Limits
from planner.notebook import shown_with
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict
from planner.scenario import Scenario, load_scenario
from planner.search.result import Progress, Result

if TYPE_CHECKING:
    from planner.defense.answer import Defense
    from planner.draw.notes import Note
    from planner.draw.picture import Picture
    from planner.explanation.answer import Explanation
    from planner.explanation.nearest import NearestPlan
    from planner.puzzles.verification import Verification
    from planner.search.alternatives import Alternatives
    from planner.search.reachable import ReachReport
    from planner.world.position import Position


class IllegalPlanError(PlannerError):
    """A plan that was to be played breaks a rule.

    Parameters
    ----------
    verdict : Verdict
        The referee's verdict, with every violation.
    """

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        super().__init__("\n".join(str(violation) for violation in verdict.violations))


@checked
def load(path: str | Path) -> Scenario:
    """Read a scenario: a file, or one that ships with the planner, by its game and name.

    Raises
    ------
    InputError
        With every problem at once.
    """
    return load_scenario(path)


@checked
def check(scenario: Scenario | str | Path, moves: Moves, *, solver: bool = False) -> Verdict:
    """Judge a plan.

    Parameters
    ----------
    scenario : Scenario, str or Path
        The position.
    moves : Plan, str or iterable of str
        The plan.
    solver : bool
        False: the referee judges. True: the CP-SAT model does, with the moves fixed in it.

    Raises
    ------
    InputError
        If the scenario can't be read, or the plan names what it doesn't have.
    """
    scenario = as_scenario(scenario)
    plan = as_plan(scenario, moves)
    verdict = Referee(scenario.game).play(plan, scenario.start)
    shown_with(verdict.position, scenario)
    if not solver:
        return shown_with(verdict, scenario)
    from planner.solver.plan_judge import judge

    judged = Verdict(tuple(judge(scenario, plan)), verdict.moves, verdict.position, verdict.tally)
    return shown_with(judged, scenario)


@checked
def nearest(
    scenario: Scenario | str | Path,
    moves: Moves,
    *,
    time_limit: float | None = 10.0,
    stop: threading.Event | None = None,
) -> NearestPlan | None:
    """Return the legal plan that is nearest to an illegal one: fewest changed moves, then fewest changed steps.

    Parameters
    ----------
    scenario : Scenario, str or Path
        The position.
    moves : Plan, str or iterable of str
        The plan.
    time_limit : float, optional
        Seconds; absent: none. The best so far is returned when it is up.
    stop : threading.Event, optional
        As for `suggest`.

    Returns
    -------
    NearestPlan or None
        None if the plan is legal as it is, or if no legal plan was found: not even that nobody moves is known to be one.

    Raises
    ------
    InputError
        If the scenario can't be read, or the plan names what it doesn't have.
    """
    from planner.explanation.nearest import nearest_legal

    scenario = as_scenario(scenario)
    plan = as_plan(scenario, moves)
    return None if check(scenario, plan).legal else nearest_legal(scenario, plan, time_limit, stop)


@checked
def suggest(
    scenario: Scenario | str | Path,
    *,
    time_limit: float | None = None,
    workers: int = 1,
    seed: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
    stop: threading.Event | None = None,
    partial: Partial | None = None,
) -> Result:
    """Search for the best plan.

    Parameters
    ----------
    scenario : Scenario, str or Path
        Position, objective and requirements.
    time_limit : float, optional
        Seconds, loading excepted; absent: none.
    workers : int
        Cores to use: threads of the solver, and processes where there is much to list. With one, the same seed gives the
        same plan, as long as the time doesn't run out.
    seed : int
        Random seed.
    on_progress : callable, optional
        Gets a `Progress` whenever value or bound improves.
    stop : threading.Event, optional
        Set it from another thread to stop the search.
    partial : PartialPlan, str or iterable of str, optional
        What is settled of the plan; the best way to complete it is found.

    Raises
    ------
    InputError
        If the scenario can't be read, or the partial plan names what it doesn't have.
    DisagreementError
        If solver and referee contradict each other: a fault of the planner.
    """
    from planner.search.search import Search
    from planner.solver.side_constraints import Conditions

    scenario = as_scenario(scenario)
    conditions = Conditions(as_partial(scenario, partial))
    result = Search(scenario, Limits.within(time_limit, stop, seed, workers), on_progress, conditions).run()
    if result.plan is not None:
        shown_with(result.plan, scenario)
    if result.verdict is not None:
        shown_with(result.verdict, scenario)
        shown_with(result.verdict.position, scenario)
    return shown_with(result, scenario)


@checked
def alternatives(
    scenario: Scenario | str | Path,
    count: int,
    *,
    diverse: bool = False,
    within: Fraction | str | None = None,
    partial: Partial | None = None,
    time_limit: float | None = None,
    workers: int = 1,
    seed: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
    stop: threading.Event | None = None,
) -> Alternatives:
    """Search for several plans that differ in substance, as `planner.referee.plan_facts` has it.

    Parameters
    ----------
    scenario : Scenario, str or Path
        Position, objective and requirements.
    count : int
        How many at most, from 1 to `planner.search.alternatives.MOST_ALTERNATIVES`.
    diverse : bool
        False: the best plans. True: after the best plan, such as are good enough and as far as possible from those before.
    within : Fraction or str, optional
        By which share of the best plan's value a diverse plan may fall short in each tier, from 0 to 1, such as ``"10%"``
        or ``"1/10"``; absent: 1/10.
    partial : PartialPlan, str or iterable of str, optional
        What is settled of every plan.
    time_limit, workers, seed, on_progress, stop
        As for `suggest`.

    Raises
    ------
    InputError
        If the scenario can't be read, the partial plan names what it doesn't have, or a number is out of range.
    DisagreementError
        If solver and referee contradict each other: a fault of the planner.
    """
    from planner.formats.probability import parse_share
    from planner.search.alternatives import DEFAULT_SHARE, MOST_ALTERNATIVES
    from planner.search.alternatives_search import AlternativesSearch
    from planner.solver.side_constraints import Conditions

    scenario = as_scenario(scenario)
    problems = []
    if within is not None and not diverse:
        problems.append(Problem("must be given only with diverse", "within"))
    share = DEFAULT_SHARE if within is None else within
    if isinstance(share, str):
        try:
            share = parse_share(share)
        except ValueError as error:
            raise InputError([*problems, Problem(str(error), "within")]) from error
    if not 1 <= count <= MOST_ALTERNATIVES:
        problems.append(Problem(f"must be from 1 to {MOST_ALTERNATIVES}, not {count}", "alternatives"))
    if not 0 <= share <= 1:
        problems.append(Problem(f"must be from 0 to 1, not {share}", "within"))
    if problems:
        raise InputError(problems)
    conditions = Conditions(as_partial(scenario, partial))
    limits = Limits.within(time_limit, stop, seed, workers)
    search = AlternativesSearch(scenario, limits, conditions, on_progress)
    found = search.diverse(count, Fraction(share)) if diverse else search.best(count)
    for one in found.plans:
        shown_with(one.result, scenario)
    return shown_with(found, scenario)


@checked
def complete(
    scenario: Scenario | str | Path,
    partial: Partial,
    *,
    time_limit: float | None = None,
    workers: int = 1,
    seed: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
    stop: threading.Event | None = None,
) -> Result:
    """Complete a partial plan in the best way, or find that it can't be done.

    Returns
    -------
    Result
        With a plan, it can be completed; "infeasible" means that it can't, proved and confirmed, and `conflict` says what is
        to blame; "unknown" is neither.

    Raises
    ------
    InputError
        If the scenario can't be read, or the partial plan names what it doesn't have.
    DisagreementError
        If solver and referee contradict each other: a fault of the planner.
    """
    from planner.explanation.partial_plan_conflict import with_conflict

    begin, scenario = time.monotonic(), as_scenario(scenario)
    settled = as_partial(scenario, partial)
    result = suggest(
        scenario,
        time_limit=time_limit,
        workers=workers,
        seed=seed,
        on_progress=on_progress,
        stop=stop,
        partial=settled,
    )
    left = None if time_limit is None else max(0.0, begin + time_limit - time.monotonic())
    return shown_with(with_conflict(result, scenario, settled, left, stop), scenario)


@checked
def defend(
    scenario: Scenario | str | Path,
    *,
    time_limit: float | None = None,
    every: bool = False,
    place: str | Iterable[str] = (),
    most: int | None = None,
    require: str | Iterable[str] = (),
    workers: int = 1,
    seed: int = 0,
    stop: threading.Event | None = None,
) -> Defense:
    """Place defenders so that no enemy plan achieves its goal, or so that its best is as bad as possible.

    Parameters
    ----------
    scenario : Scenario, str or Path
        The position, with a ``[defense]`` unless `place` is given.
    time_limit : float, optional
        Seconds, loading excepted; absent: until proved.
    every : bool
        Whether to list all placements that hold, or that are equally good.
    place : str or iterable of str
        Who may be placed or moved, instead of what the scenario says: ``"hq"``, ``"hq in w5427 w5428"``, ``"hq within 2"``.
    most : int, optional
        How many are placed or moved at most; absent: as the scenario says.
    require : str or iterable of str
        The enemy's goals, such as ``"eliminate inf111"``; absent: as the scenario says.
    workers, seed, stop
        As for `suggest`.

    Raises
    ------
    InputError
        If the scenario has no defense, or the enemy no goal.
    DisagreementError
        If solver and referee contradict each other: a fault of the planner.
    """
    from planner.defense.request import as_asked
    from planner.defense.search import defend as search

    scenario = as_asked(as_scenario(scenario), as_texts(place), most, as_texts(require), "")
    return shown_with(search(scenario, Limits.within(time_limit, stop, seed, workers), every), scenario)


@checked
def verify(
    path: str | Path,
    *,
    time_limit: float | None = 60.0,
    cooks: int = 3,
    workers: int = 1,
    seed: int = 0,
    stop: threading.Event | None = None,
) -> Verification:
    """Settle what a puzzle claims: its answer, whether that is the only one, its hints and verdicts.

    Parameters
    ----------
    path : str or Path
        A scenario file, or one that ships with the planner; what is wrong with it is part of the answer.
    time_limit : float, optional
        Seconds, loading excepted; None: none. What isn't settled by then is "unknown".
    cooks : int
        How many other solutions to look for at most; 0: only whether there is one, where that is claimed.
    workers, seed, stop
        As for `suggest`.
    """
    from planner.puzzles.verify import verify_file

    found = verify_file(path, time_limit, cooks, Limits.within(None, stop, seed, workers))
    return found if found.problems else shown_with(found, load(path))


@checked
def explain(
    scenario: Scenario | str | Path,
    moves: Moves | None = None,
    *,
    require: str | Iterable[str] = (),
    value: str | int | Fraction | Sequence[str | int | Fraction] | None = None,
    time_limit: float | None = 10.0,
    seed: int = 0,
    workers: int = 1,
    stop: threading.Event | None = None,
) -> Explanation:
    """Say what forbids moves, a destination, goals or a value, and what would make it possible.

    Without any of them, it is asked about what the scenario requires.

    Parameters
    ----------
    scenario : Scenario, str or Path
        The position.
    moves : Plan, str or iterable of str, optional
        Moves in their order, or a destination such as ``"plv to w5426"``.
    require : str or iterable of str
        Goals, such as ``"hold w5427"`` or ``"eliminate inf111"``.
    value : str, number or sequence of numbers, optional
        What the tiers are to come to, such as ``"1, -20"`` or ``(1, -20)``.
    time_limit : float, optional
        Seconds; absent: none.
    seed : int
        Random seed.
    workers : int
        Cores to use. With one, the same seed gives the same answer, as long as the time doesn't run out.
    stop : threading.Event, optional
        Set it from another thread to stop: what is known by then is returned, marked as interrupted.

    Raises
    ------
    InputError
        If the scenario or the question can't be read, or more than one thing is asked about, or nothing where nothing is
        required.
    """
    from planner.explanation import explain as explanation

    scenario = as_scenario(scenario)
    limits = Limits.within(time_limit, stop, seed, workers)
    return shown_with(explanation.explain(scenario, moves, require, value, limits), scenario)


@checked
def reach(
    scenario: Scenario | str | Path,
    unit: str,
    *,
    alone: bool = False,
    time_limit: float | None = 60.0,
    stop: threading.Event | None = None,
) -> ReachReport:
    """Work out where a unit can end by itself now, and where only with help; each with a legal plan that takes it there.

    Parameters
    ----------
    scenario : Scenario, str or Path
        The position.
    unit : str
        A unit's id or name.
    alone : bool
        Whether to leave out what takes the help of others.
    time_limit : float, optional
        Seconds at most; what isn't known by then is told to be open. None: until everything is known.
    stop : threading.Event, optional
        Set it from another thread to stop, as if the time had run out.

    Raises
    ------
    InputError
        If the scenario can't be read or has no such unit on the map.
    """
    scenario = as_scenario(scenario)
    counter = scenario.unit(unit)
    if counter.id not in scenario.start.at:
        raise InputError([Problem(f"{counter.id!r} is not on the map", scenario.where)])
    return _reach(scenario, [counter.id], alone, Limits.within(time_limit, stop))[0]


@checked
def reach_all(
    scenario: Scenario | str | Path,
    *,
    alone: bool = False,
    time_limit: float | None = 60.0,
    stop: threading.Event | None = None,
) -> list[ReachReport]:
    """Work out where each unit of the phasing side can end, as `reach` does for one; in the order of the scenario.

    Raises
    ------
    InputError
        If the scenario can't be read.
    """
    scenario = as_scenario(scenario)
    units = [unit for unit in scenario.start.at if unit in scenario.game.phasing]
    return _reach(scenario, units, alone, Limits.within(time_limit, stop))


def _reach(scenario: Scenario, units: list[str], alone: bool, limits: Limits) -> list[ReachReport]:
    from planner.search.reach_report import report

    return [shown_with(one, scenario) for one in report(scenario, units, limits, alone)]


@checked
def apply(scenario: Scenario | str | Path, moves: Moves) -> Position:
    """Play a legal plan and return the position after it.

    Raises
    ------
    InputError
        If the scenario can't be read, or the plan names what it doesn't have.
    IllegalPlanError
        If the plan breaks a rule.
    """
    scenario = as_scenario(scenario)
    verdict = check(scenario, moves)
    if not verdict.legal:
        raise IllegalPlanError(verdict)
    return verdict.position


@checked
def picture(
    scenario: Scenario | str | Path,
    moves: Moves | None = None,
    *,
    verdict: Verdict | None = None,
    reach: ReachReport | None = None,
    notes: Iterable[Note] = (),
    remarks: Iterable[str] = (),
    after: int = 0,
) -> Picture:
    """Draw a position, a plan, or what a unit reaches.

    Parameters
    ----------
    scenario : Scenario, str or Path
        The position.
    moves : Plan, str or iterable of str, optional
        Moves to show, legal or not.
    verdict : Verdict, optional
        What is wrong with them; absent: the referee is asked.
    reach : ReachReport, optional
        What a unit reaches.
    notes : iterable of Note
        What else is to be said of hexes.
    remarks : iterable of str
        What is to be said of the whole, a sentence each: pages have it above the map, pictures in the legend.
    after : int
        How many of the moves have been made in the position that is shown (first).

    Returns
    -------
    Picture
        With `svg`, `png`, `html` and `save`; notebooks show it.

    Raises
    ------
    InputError
        If the scenario can't be read, or the moves name what it doesn't have.
    """
    from planner.draw.picture import Picture

    scenario = as_scenario(scenario)
    plan = None if moves is None else as_plan(scenario, moves)
    return Picture(
        scenario, plan, verdict=verdict, reach=reach, notes=tuple(notes), remarks=tuple(remarks), after=after
    )
