"""Verifications as SARIF 2.1.0, as code-scanning tools read it: rule ids are those of the rulebooks and of puzzles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from planner.formats.files import resolved
from planner.printable import json_text
from planner.puzzles.verification import NOT_REACHED, Check, Verification
from planner.rules.rulebook_file import load_rulebook, model_folder, shipped_models
from planner.version import __version__

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
OWN_RULES = {
    "puzzle/claim": "The answer that a puzzle claims must hold.",
    "puzzle/solution": "The author's solution must be legal and do what is claimed.",
    "puzzle/unique": "A solution must be the only one in substance, or not, as is claimed.",
    "puzzle/solutions": "There must be as many solutions in substance as is claimed.",
    "puzzle/order": "A solution must work in its order alone, or not, as is claimed.",
    "puzzle/adaptive": "The best way of playing must be worth what is claimed.",
    "puzzle/hint": "Some solution must do what a hint says.",
    "puzzle/verdict": "Moves must be as legal as is said, and come to what is said.",
    "puzzle/unknown": "What is claimed must be settled in the time that there is.",
    "puzzle/skipped": "What is claimed must be looked at.",
    "puzzle/input": "A scenario file must be readable.",
    "puzzle/fault": "Solver and referee must agree.",
}
LEVELS = {"fails": "error", "unknown": "warning", "noted": "note", "skipped": "note"}


def sarif(verifications: Sequence[Verification]) -> dict[str, object]:
    """Return a SARIF log with one run: a result for whatever doesn't hold, and for what was found without being claimed."""
    results = [result for one in verifications for result in _results(one)]
    ids = list(dict.fromkeys(result["ruleId"] for result in results))
    for result in results:
        result["ruleIndex"] = ids.index(result["ruleId"])
    described = _descriptions()
    rules = []
    for name in ids:
        text, paragraph = described.get(name, (name, ""))
        rules.append({"id": name, "shortDescription": {"text": text}})
        if paragraph:
            rules[-1]["properties"] = {"paragraph": paragraph}
    driver = {"name": "planner", "semanticVersion": __version__, "rules": rules}
    ended = {"executionSuccessful": not any(one.interrupted for one in verifications)}
    run = {"tool": {"driver": driver}, "invocations": [ended], "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def sarif_text(verifications: Sequence[Verification]) -> str:
    """Return the log as text."""
    return json_text(sarif(verifications))


def _results(one: Verification) -> Iterator[dict[str, Any]]:
    for problem in one.problems:
        line = re.match(r":(\d+): ", problem.where.removeprefix(one.where))
        yield _result("puzzle/input", "error", str(problem), one.where, int(line[1]) if line else 1)
    if one.fault is not None:
        yield _result("puzzle/fault", "error", one.fault.splitlines()[0], one.where, 1)
    if one.interrupted and not one.checks:
        yield _result("puzzle/skipped", LEVELS["skipped"], NOT_REACHED, one.where, 1)
    for check in one.checks:
        if check.outcome not in LEVELS:
            continue
        name = (check.rules or (f"puzzle/{check.kind}",))[0]
        if check.outcome in ("unknown", "skipped"):
            name = f"puzzle/{check.outcome}"
        found = _result(name, LEVELS[check.outcome], _told(check), one.where, check.line)
        properties = _properties(check)
        if properties:
            found["properties"] = properties
        yield found


def _told(check: Check) -> str:
    """Return a check in words, with the plans that show it: of a result, the message alone is what people see."""
    plans = ("; ".join(map(str, plan.moves)) or "nobody moves" for plan in check.plans)
    return "\n".join([f"{check.name}: {check.message}", *plans])


def _properties(check: Check) -> dict[str, object]:
    found: dict[str, object] = {}
    if check.plans:
        found["plans"] = [[str(move) for move in plan.moves] for plan in check.plans]
    if len(check.rules) > 1:
        found["rules"] = list(check.rules)
    return found


def _result(rule: str, level: str, message: str, where: str, line: int) -> dict[str, object]:
    path = Path(where)
    uri = resolved(path).as_uri() if path.is_absolute() else quote(path.as_posix())
    place = {"artifactLocation": {"uri": uri}, "region": {"startLine": line}}
    return {
        "ruleId": rule,
        "level": level,
        "message": {"text": message},
        "locations": [{"physicalLocation": place}],
    }


def _descriptions() -> dict[str, tuple[str, str]]:
    """Return for each rule id what it says, and its printed paragraph."""
    found = {name: (text, "") for name, text in OWN_RULES.items()}
    for model in shipped_models():
        rulebook = load_rulebook(model_folder(model))
        for rule in rulebook.rules:
            found[f"{rulebook.model}/{rule.id}"] = (rule.summary, rule.paragraph)
    return found
