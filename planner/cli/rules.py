"""``planner rules``: every statement of the printed rules."""

from __future__ import annotations

from planner.cli.model import ModelArgument, load_model
from planner.cli.terminal import JsonOption, print_json


def rules(model: ModelArgument, json_: JsonOption = False) -> None:
    """List every statement of a game's printed rules.

    Each with the kind of rule that carries it, and whether it is enforced.
    """
    from planner.cli import json_output as answers
    from planner.cli import text_output as report

    found = load_model(model)
    if json_:
        print_json(answers.rules_to_json(found))
    else:
        report.print_rules(found)
