"""Answers to what jobs ask, as commands give them with `--json`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from planner import api
from planner.arguments import as_plan
from planner.batch.shapes import (
    ApplyAsked,
    CheckAsked,
    DefendAsked,
    ExplainAsked,
    ReachAsked,
    SuggestAsked,
    VerifyAsked,
)
from planner.errors import InputError, Problem
from planner.explanation.attack_question import is_attack_question
from planner.explanation.parse_question import is_destination
from planner.formats.files import read_again
from planner.limits import Limits
from planner.plans.unit_names import with_ids
from planner.puzzles.verify import verify_scenario
from planner.referee.attacks import violations_of
from planner.scenario import Scenario, find_scenario
from planner.scenario.next_phase import data_after
from planner.scenario.phase_in_progress import ensure_decided


def _check(scenario: Scenario, asked: CheckAsked) -> Mapping[str, object]:
    return api.check(scenario, asked.moves, solver=asked.solver).to_dict()


def _suggest(scenario: Scenario, asked: SuggestAsked) -> Mapping[str, object]:
    several = asked.alternatives is not None or asked.diverse
    if asked.within is not None and not asked.diverse:
        raise InputError([Problem("says how good diverse plans must be: diverse must be true, too", "within")])
    if asked.adaptive:
        if several or asked.plan is not None:
            raise InputError([Problem("can't be had with plan, alternatives or diverse", "adaptive")])
        return api.suggest(scenario, adaptive=True, time_limit=asked.time_limit, **asked.running).to_dict()
    if several:
        return api.alternatives(
            scenario,
            asked.alternatives or 3,
            diverse=asked.diverse,
            within=asked.within,
            partial=asked.plan,
            time_limit=asked.time_limit,
            **asked.running,
        ).to_dict()
    found = api.suggest(scenario, time_limit=asked.time_limit, partial=asked.plan, **asked.running)
    lines = [] if found.plan is None else [str(one) for one in (*found.plan.moves, *(found.plan.attacks or ()))]
    return {**found.to_dict(), "moves": lines}


def _reach(scenario: Scenario, asked: ReachAsked) -> Mapping[str, object]:
    if asked.unit is not None:
        return api.reach(scenario, asked.unit, alone=asked.alone, time_limit=asked.time_limit).to_dict()
    found = api.reach_all(scenario, alone=asked.alone, time_limit=asked.time_limit)
    return {"format": "planner/reach-all-1", "units": [one.to_dict() for one in found]}


def _explain(scenario: Scenario, asked: ExplainAsked) -> Mapping[str, object]:
    moves: list[str] | tuple[str, ...] | None = None
    if asked.moves:
        lines = with_ids(asked.moves, scenario.game)
        moves = lines if any(map(is_destination, lines)) or is_attack_question(lines) else asked.moves
    return api.explain(
        scenario, moves, require=asked.require, value=asked.value, time_limit=asked.time_limit, **asked.running
    ).to_dict()


def _verify(scenario: Scenario, asked: VerifyAsked) -> Mapping[str, object]:
    limits = Limits.within(None, seed=asked.seed, workers=asked.workers)
    name = asked.scenario if isinstance(asked.scenario, str) else ""
    text = read_again(find_scenario(name)) if name else ""
    return verify_scenario(scenario, asked.time_limit, asked.cooks, limits, text).to_dict() | {"file": name}


def _defend(scenario: Scenario, asked: DefendAsked) -> Mapping[str, object]:
    return api.defend(
        scenario,
        every=asked.all,
        place=asked.place,
        most=asked.most,
        require=asked.require,
        time_limit=asked.time_limit,
        workers=asked.workers,
        seed=asked.seed,
    ).to_dict()


def _apply(scenario: Scenario, asked: ApplyAsked) -> Mapping[str, object]:
    if asked.stay:
        if asked.phase is not None:
            raise InputError([Problem("can't be had with stay", "phase")])
        return {
            "format": "planner/applied-1",
            "legal": True,
            "scenario": _here(scenario, scenario.after(asked.moves).to_dict()),
        }
    plan = as_plan(scenario, asked.moves)
    verdict = api.check(scenario, plan)
    if verdict.legal and plan.attacks is None:  # the phase ends, and with it the time for attacks
        verdict = replace(verdict, violations=tuple(violations_of(scenario.game.at_first, verdict.position, ())))
    if not verdict.legal:
        told = [one.to_dict() for one in verdict.violations]
        return {"format": "planner/applied-1", "legal": False, "violations": told}
    ensure_decided(scenario, plan)
    after = _here(scenario, data_after(scenario, verdict.position, asked.phase))
    return {"format": "planner/applied-1", "legal": True, "scenario": after}


def _here(scenario: Scenario, data: dict[str, object]) -> dict[str, object]:
    """Return a scenario in which the path of a game's folder counts as in jobs: from the working folder, theirs."""
    if "/" in (model := str(data["model"])) and not Path(model).is_absolute():
        data["model"] = f"./{Path(os.path.relpath((scenario.beside or Path()) / model)).as_posix()}"
    return data


ANSWERS: dict[str, Callable[..., Mapping[str, object]]] = {
    "check": _check,
    "suggest": _suggest,
    "reach": _reach,
    "explain": _explain,
    "verify": _verify,
    "defend": _defend,
    "apply": _apply,
}
"""By verb: how it is answered, of a scenario that has been read."""
