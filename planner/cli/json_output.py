"""What the command line adds to answers as JSON, and rulebooks as JSON; answers say by `to_dict` what they are."""

from __future__ import annotations

from collections.abc import Mapping

from planner.rules.rulebook import Rulebook
from planner.scenario import Scenario


def after_json(answer: Mapping[str, object], scenario: Scenario) -> dict[str, object]:
    """Return an answer that says what had been made in the phase before the question, as players write it."""
    return {"format": answer["format"], "after": scenario.done.lines, **answer}


def rules_to_json(rulebook: Rulebook) -> dict[str, object]:
    """Return every statement of a rulebook with its state, and its rules, ``planner/rules-1``."""
    paragraphs = []
    for statement in rulebook.statements:
        rule = rulebook.by_id.get(statement.rule or "")
        paragraphs.append(
            {
                "id": statement.id,
                "paragraph": statement.paragraph,
                "rule": statement.text,
                "kind": rule.kind if rule is not None else None,
                "state": statement.state,
                "why": statement.why,
            }
        )
    return {
        "format": "planner/rules-1",
        "model": rulebook.model,
        "title": rulebook.title,
        "paragraphs": paragraphs,
        "rules": [{"id": rule.id, "kind": rule.kind, "paragraph": rule.paragraph} for rule in rulebook.rules],
    }
