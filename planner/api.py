"""The Python interface: the same words as on the command line."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Unpack, overload

from planner.arguments import Moves, Partial, as_partial, as_plan, as_scenario, as_share, as_texts, checked
from planner.errors import InputError, Problem
from planner.limits import Limits, Running
from planner.notebook import shown_with
from planner.questions import explain as explain
from planner.questions import nearest as nearest
from planner.questions import reach as reach
from planner.questions import reach_all as reach_all
from planner.referee.referee import Referee
from planner.referee.verdict import IllegalPlanError, Verdict
from planner.rules.attack_rule import attack_rule
from planner.scenario import Scenario, load_scenario

if TYPE_CHECKING:
    from planner.defense.answer import Defense
    from planner.draw.notes import Note
    from planner.draw.picture import Picture
    from planner.puzzles.verification import Verification
    from planner.search.alternatives import Alternatives
    from planner.search.policy import Policy
    from planner.search.reachable import ReachReport
    from planner.search.result import Progress, Result
    from planner.world.position import Position


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
def loads(text: str) -> Scenario:
    """Read a scenario from the text of its file, in TOML or JSON.

    Raises
    ------
    InputError
        With every problem at once.
    """
    return Scenario.loads(text)


@checked
def check(
    scenario: Scenario | str | Path, moves: Moves, *, solver: bool = False, after: Moves | None = None
) -> Verdict:
    """Judge a plan.

    Parameters
    ----------
    scenario : Scenario, str or Path
        The position.
    moves : Plan, str or iterable of str
        The plan.
    solver : bool
        False: the referee judges. True: the CP-SAT model does, with the moves fixed in it.
    after : Plan, str or iterable of str, optional
        Moves that have been made in the phase before what is asked, with what was rolled; see `Scenario.after`.

    Raises
    ------
    InputError
        If the scenario can't be read, or the plan names what it doesn't have.
    """
    scenario = as_scenario(scenario, after)
    plan = as_plan(scenario, moves)
    if solver and any(attack.result for attack in plan.attacks or ()):
        raise InputError([Problem("attacks that have been made must be judged by the referee", "solver")])
    verdict = Referee(scenario.game).play(plan, scenario.start)
    if plan.attacks is None:
        verdict = _with_due(scenario, verdict)
    shown_with(verdict.position, scenario)
    if not solver:
        return shown_with(verdict, scenario)
    from planner.solver.plan_judge import judge, lists_all

    broken = tuple(judge(scenario, plan))
    whole = not broken or lists_all(scenario, plan)
    # What is rolled is the referee's to tell, as is what moves cost; where it gave up on that, neither lists everything.
    judged = replace(verdict, violations=broken, complete=whole and verdict.complete)
    return shown_with(judged, scenario)


def _with_due(scenario: Scenario, verdict: Verdict) -> Verdict:
    """Return a verdict on a plan that declares no attacks, with who must attack, and who must be attacked."""
    if attack_rule(scenario.game.at_first) is None:
        return verdict
    from planner.referee.attacks import still_due

    return replace(verdict, due=still_due(scenario.game.at_first, verdict.position))


@overload
def suggest(
    scenario: Scenario | str | Path,
    *,
    adaptive: Literal[False] = False,
    time_limit: float | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    partial: Partial | None = None,
    after: Moves | None = None,
    **running: Unpack[Running],
) -> Result: ...


@overload
def suggest(
    scenario: Scenario | str | Path,
    *,
    adaptive: Literal[True],
    time_limit: float | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    after: Moves | None = None,
    **running: Unpack[Running],
) -> Policy: ...


@overload
def suggest(
    scenario: Scenario | str | Path,
    *,
    adaptive: bool,
    time_limit: float | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    after: Moves | None = None,
    **running: Unpack[Running],
) -> Result | Policy: ...


@checked
def suggest(
    scenario: Scenario | str | Path,
    *,
    adaptive: bool = False,
    time_limit: float | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    partial: Partial | None = None,
    after: Moves | None = None,
    **running: Unpack[Running],
) -> Result | Policy:
    """Search for the best plan that is fixed in advance, or for the best way of playing, which reacts to what is rolled.

    Parameters
    ----------
    scenario : Scenario, str or Path
        Position, objective and requirements.
    adaptive : bool
        False: the best plan fixed in advance, as if nobody looked at the dice. True: a policy, which says for each result of
        a roll what is done next.
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
        What is settled of the plan; the best way to complete it is found. Not of a plan that reacts.
    after : Plan, str or iterable of str, optional
        Moves that have been made in the phase before what is asked, with what was rolled; see `Scenario.after`.

    Returns
    -------
    Result or Policy
        A `Policy` if `adaptive`.

    Raises
    ------
    InputError
        If the scenario can't be read, the partial plan names what it doesn't have, or is given for a plan that reacts; or if
        what plans may come to, in MP and probabilities, has no common denominator below 2**60.
    DisagreementError
        If solver and referee contradict each other: a fault of the planner.
    """
    if adaptive:
        if partial is not None:
            raise InputError([Problem("must not be given for a plan that reacts: use after", "partial")])
        from planner.search.adaptive import adapt

        scenario = as_scenario(scenario, after)
        return shown_with(adapt(scenario, Limits.within(time_limit, **running), on_progress), scenario)
    from planner.search.search import Search
    from planner.solver.side_constraints import Conditions

    scenario = as_scenario(scenario, after)
    conditions = Conditions(as_partial(scenario, partial))
    result = Search(scenario, Limits.within(time_limit, **running), on_progress, conditions).run()
    if result.plan is not None:
        shown_with(result.plan, scenario)
        if result.plan.attacks is None and result.verdict is not None:
            result = replace(result, verdict=_with_due(scenario, result.verdict))
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
    on_progress: Callable[[Progress], None] | None = None,
    after: Moves | None = None,
    **running: Unpack[Running],
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
    after : Plan, str or iterable of str, optional
        Moves that have been made in the phase before what is asked, with what was rolled; see `Scenario.after`.

    Raises
    ------
    InputError
        If the scenario can't be read, the partial plan names what it doesn't have, or a number is out of range.
    DisagreementError
        If solver and referee contradict each other: a fault of the planner.
    """
    from planner.search.alternatives_search import AlternativesSearch
    from planner.solver.side_constraints import Conditions

    scenario, share = as_scenario(scenario, after), as_share(count, diverse, within)
    conditions = Conditions(as_partial(scenario, partial))
    limits = Limits.within(time_limit, **running)
    search = AlternativesSearch(scenario, limits, conditions, on_progress)
    found = search.diverse(count, share) if diverse else search.best(count)
    for one in found.plans:
        shown_with(one.result, scenario)
    return shown_with(found, scenario)


@checked
def complete(
    scenario: Scenario | str | Path,
    partial: Partial,
    *,
    time_limit: float | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    after: Moves | None = None,
    **running: Unpack[Running],
) -> Result:
    """Complete a partial plan in the best way, or find that it can't be done.

    Parameters
    ----------
    scenario : Scenario, str or Path
        Position, objective and requirements.
    partial : PartialPlan, str or iterable of str
        What is settled of the plan.
    time_limit, workers, seed, on_progress, stop
        As for `suggest`.
    after : Plan, str or iterable of str, optional
        Moves that have been made in the phase before what is asked, with what was rolled; see `Scenario.after`.

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

    begin, scenario = time.monotonic(), as_scenario(scenario, after)
    settled = as_partial(scenario, partial)
    result = suggest(scenario, time_limit=time_limit, on_progress=on_progress, partial=settled, **running)
    left = None if time_limit is None else max(0.0, begin + time_limit - time.monotonic())
    return shown_with(with_conflict(result, scenario, settled, Limits.within(left, **running)), scenario)


@checked
def defend(
    scenario: Scenario | str | Path,
    *,
    time_limit: float | None = None,
    every: bool = False,
    place: str | Iterable[str] = (),
    most: int | None = None,
    require: str | Iterable[str] = (),
    **running: Unpack[Running],
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
    return shown_with(search(scenario, Limits.within(time_limit, **running), every), scenario)


@checked
def verify(
    path: str | Path,
    *,
    time_limit: float | None = 60.0,
    cooks: int = 3,
    **running: Unpack[Running],
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

    found = verify_file(path, time_limit, cooks, Limits.within(None, **running))
    return found if found.problems else shown_with(found, load(path))


@checked
def apply(scenario: Scenario | str | Path, moves: Moves, *, after: Moves | None = None) -> Position:
    """Play a legal plan and return the position after it.

    Raises
    ------
    InputError
        If the scenario can't be read, or the plan names what it doesn't have.
    IllegalPlanError
        If the plan breaks a rule.
    """
    from planner.scenario.phase_in_progress import ensure_decided

    scenario = as_scenario(scenario, after)
    plan = as_plan(scenario, moves)
    verdict = check(scenario, plan)
    if not verdict.legal:
        raise IllegalPlanError(verdict)
    ensure_decided(scenario, plan)
    return verdict.position


@checked
def picture(
    scenario: Scenario | str | Path,
    moves: Moves | None = None,
    *,
    reach: ReachReport | None = None,
    notes: Iterable[Note] = (),
    remarks: Iterable[str] = (),
    after: Moves | None = None,
) -> Picture:
    """Draw a position, a plan, or what a unit reaches.

    Parameters
    ----------
    scenario : Scenario, str or Path
        The position.
    moves : Plan, str or iterable of str, optional
        Moves to show, legal or not.
    reach : ReachReport, optional
        What a unit reaches.
    notes : iterable of Note
        What else is to be said of hexes.
    remarks : iterable of str
        What is to be said of the whole, a sentence each: pages have it above the map, pictures in the legend.
    after : Plan, str or iterable of str, optional
        Moves that have been made in the phase before what is asked, with what was rolled; see `Scenario.after`.

    Returns
    -------
    Picture
        With `svg`, `png`, `html` and `save`; notebooks show it. `step_to` shows the position after some of the moves.

    Raises
    ------
    InputError
        If the scenario can't be read, or the moves name what it doesn't have.
    """
    from planner.draw.picture import Picture

    scenario = as_scenario(scenario, after)
    plan = None if moves is None else as_plan(scenario, moves)
    return Picture(scenario, plan, reach=reach, notes=tuple(notes), remarks=tuple(remarks))
