"""Answers of searches as data, with exact numbers as texts."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from planner.formats.mp import format_mp
from planner.formats.probability import format_probability
from planner.referee.plan_facts import Substance
from planner.referee.verdict_data import (
    due_data,
    told_plan_data,
    violation_data,
)
from planner.scenario import Scenario

if TYPE_CHECKING:
    from planner.objective.scoring import Value
    from planner.plans.policy import Node
    from planner.search.alternatives import Alternatives
    from planner.search.answer_types import (
        AlternativesData,
        HelpData,
        ReachData,
        ResultData,
        SubstanceData,
        WayThereData,
    )
    from planner.search.policy import Policy
    from planner.search.policy_judge import Fault, PolicyVerdict
    from planner.search.reachable import Help, Reachable, ReachReport
    from planner.search.result import Result


def result_data(result: Result, scenario: Scenario) -> ResultData:
    """Return the answer of a search, ``planner/result-1``."""
    from planner.reachability.possible_rolls import may_roll

    plan = None
    if result.plan is not None and result.verdict is not None:
        plan = told_plan_data(result.plan, scenario.game, result.verdict.moves, result.verdict.attacks)
    written: ResultData = {
        "format": "planner/result-1",
        "status": result.status,
        "value": [format_mp(value) for value in result.value],
        "bound": [format_mp(bound) for bound in result.bound],
        "probability": None if result.verdict is None else format_probability(result.verdict.probability),
        "gap": result.gap,
        "seconds": result.seconds,
        "plan": plan,
        "terms": [
            {
                "tier": score.tier + 1,
                "kind": score.term.kind,
                "what": score.term.describe(),
                "count": format_mp(score.count),
                "weight": score.term.weight * score.term.sign,
                "worth": format_mp(score.worth),
                "remarks": list(score.remarks),
            }
            for score in result.terms
        ],
        "confirmed": result.confirmed,
        "interrupted": result.interrupted,
        "reason": result.reason,
        "fixed_in_advance": may_roll(scenario.game),
    }
    due = None if result.verdict is None else due_data(result.verdict)
    if due is not None:
        written["due"] = due
    return written


def reach_data(report: ReachReport) -> ReachData:
    """Return what a unit can reach, ``planner/reach-1``."""
    return {
        "format": "planner/reach-1",
        "unit": report.unit,
        "at": report.at,
        "ma": format_mp(report.ma),
        "may_move": not report.hindrances,
        "hindrances": [violation_data(violation) for violation in report.hindrances],
        "hexes": [_reachable_data(entry) for entry in report.alone],
        "with_help": [
            {**_reachable_data(entry), "help": [_help_data(h) for h in entry.help]} for entry in report.with_help
        ],
        "open": list(report.open),
        "alone": report.alone_only,
    }


def _reachable_data(entry: Reachable) -> WayThereData:
    return {
        "hex": entry.hex,
        "mp": format_mp(entry.mp),
        "path": list(entry.path),
        "overruns": list(entry.overruns),
        "must_stop": bool(entry.stop),
        "stop": [{"rule": rule, "blame": list(blame)} for rule, blame in entry.stop],
        "carried_across": list(entry.zones),
        "probability": format_probability(entry.chance),
        "plan": [str(move) for move in entry.plan.moves],
    }


def _help_data(help_: Help) -> HelpData:
    told: HelpData = {"by": list(help_.by)}
    told[help_.kind] = help_.what
    return told


def substance_data(substance: Substance, scenario: Scenario) -> SubstanceData:
    """Return what a plan comes to."""
    game, ends = scenario.game, dict(substance.ends)
    return {
        "ends": {unit: ends[unit] for unit in game.sorted(ends)},
        "gone": list(game.sorted(substance.gone)),
        "carried": list(game.sorted(substance.carried)),
    }


def alternatives_data(found: Alternatives, scenario: Scenario) -> AlternativesData:
    """Return the answer of a search for alternatives, ``planner/alternatives-1``."""
    return {
        "format": "planner/alternatives-1",
        "status": found.first.status,
        "proved": found.proved,
        "exhausted": found.exhausted,
        "within": None if found.within is None else format_probability(found.within),
        "seconds": found.seconds,
        "interrupted": found.interrupted,
        "plans": [
            {
                "rank": rank,
                "distance": plan.distance,
                "substance": substance_data(plan.substance, scenario),
                "result": result_data(plan.result, scenario),
            }
            for rank, plan in enumerate(found.plans, 1)
        ],
    }


def policy_data(policy: Policy) -> dict[str, object]:
    """Return the answer of a search for a plan that reacts, ``planner/policy-1``."""
    return {
        "format": "planner/policy-1",
        "status": policy.status,
        "value": _numbers(policy.value),
        "bound": _numbers(policy.bound),
        "fixed": _numbers(policy.fixed),
        "gap": policy.gap,
        "seconds": policy.seconds,
        "interrupted": policy.interrupted,
        "reason": policy.reason,
        "rule": None if policy.rule is None else {"asks_again": True, "confidence": 0.95, **asdict(policy.rule)},
        "root": None if policy.root is None else node_data(policy.root),
    }


def judged_data(verdict: PolicyVerdict) -> dict[str, object]:
    """Return what the referee says of a policy."""
    return {
        "format": "planner/policy-verdict-1",
        "legal": verdict.legal,
        "value": _numbers(verdict.value),
        "faults": [_fault_data(fault) for fault in verdict.faults],
        "false": [_fault_data(fault) for fault in verdict.false],
        "root": None if verdict.root is None else node_data(verdict.root),
    }


def _fault_data(fault: Fault) -> dict[str, object]:
    return {"after": list(fault.after), "rule": fault.rule, "message": fault.message}


def node_data(node: Node) -> dict[str, object]:
    """Return what is done in a situation; moves as players write them, numbers exact."""
    told: dict[str, object] = {"moves": [str(move) for move in node.moves], "value": _numbers(node.value)}
    if node.proved:
        told["proved"] = True
    if node.attacks:
        told["attacks"] = [str(attack) for attack in node.attacks]
    if node.branches:
        told["branches"] = [
            {
                "made": [str(move) for move in branch.made],
                "probability": format_probability(branch.probability),
                "then": node_data(branch.then),
            }
            for branch in node.branches
        ]
    return told


def _numbers(value: Value) -> list[object]:
    return [format_mp(one) for one in value]
