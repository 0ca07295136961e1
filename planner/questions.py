"""The part of the Python interface that asks: why not, what is nearest, and what units can reach."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from planner.arguments import Moves, as_plan, as_scenario, checked
from planner.errors import InputError, Problem
from planner.limits import Limits, Running
from planner.notebook import shown_with
from planner.referee.referee import Referee
from planner.scenario import Scenario

if TYPE_CHECKING:
    from planner.explanation.answer import Explanation
    from planner.explanation.nearest import NearestPlan
    from planner.search.reachable import ReachReport


@checked
def nearest(
    scenario: Scenario | str | Path,
    moves: Moves,
    *,
    time_limit: float | None = 10.0,
    stop: threading.Event | None = None,
    after: Moves | None = None,
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
    after : Plan, str or iterable of str, optional
        Moves that have been made in the phase before what is asked, with what was rolled; see `Scenario.after`.

    Returns
    -------
    NearestPlan or None
        None if the plan is legal as it is, if it declares attacks, or if no legal plan was found: not even that nobody moves
        is known to be one.

    Raises
    ------
    InputError
        If the scenario can't be read, or the plan names what it doesn't have.
    """
    from planner.explanation.nearest import nearest_legal

    scenario = as_scenario(scenario, after)
    plan = as_plan(scenario, moves)
    legal = Referee(scenario.game).play(plan, scenario.start).legal
    return None if legal else nearest_legal(scenario, plan, Limits.within(time_limit, stop))


@checked
def explain(
    scenario: Scenario | str | Path,
    moves: Moves | None = None,
    *,
    require: str | Iterable[str] = (),
    value: str | int | Fraction | Sequence[str | int | Fraction] | None = None,
    time_limit: float | None = 10.0,
    after: Moves | None = None,
    **running: Unpack[Running],
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
    workers, seed, stop
        As for `suggest`; what is known when somebody stops it is returned, marked as interrupted.
    after : Plan, str or iterable of str, optional
        Moves that have been made in the phase before what is asked, with what was rolled; see `Scenario.after`.

    Raises
    ------
    InputError
        If the scenario or the question can't be read, or more than one thing is asked about, or nothing where nothing is
        required.
    """
    from planner.explanation import explain as explanation

    scenario = as_scenario(scenario, after)
    limits = Limits.within(time_limit, **running)
    return shown_with(explanation.explain(scenario, moves, require, value, limits), scenario)


@checked
def reach(
    scenario: Scenario | str | Path,
    unit: str,
    *,
    alone: bool = False,
    time_limit: float | None = 60.0,
    stop: threading.Event | None = None,
    after: Moves | None = None,
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
    after : Plan, str or iterable of str, optional
        Moves that have been made in the phase before what is asked, with what was rolled; see `Scenario.after`.

    Raises
    ------
    InputError
        If the scenario can't be read or has no such unit on the map.
    """
    scenario = as_scenario(scenario, after)
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
    after: Moves | None = None,
) -> list[ReachReport]:
    """Work out where each unit of the phasing side can end, as `reach` does for one; in the order of the scenario.

    Raises
    ------
    InputError
        If the scenario can't be read.
    """
    scenario = as_scenario(scenario, after)
    units = [unit for unit in scenario.start.at if scenario.game.may_be_moved(unit)]
    return _reach(scenario, units, alone, Limits.within(time_limit, stop))


def _reach(scenario: Scenario, units: list[str], alone: bool, limits: Limits) -> list[ReachReport]:
    from planner.search.reach_report import report

    return [shown_with(one, scenario) for one in report(scenario, units, limits, alone)]
