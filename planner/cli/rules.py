"""``planner rules``: every statement of the printed rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from planner.cli.terminal import JsonOption, print_json


def rules(
    model: Annotated[str, typer.Argument(help="A shipped model, or the path of a model's folder.")],
    json_: JsonOption = False,
) -> None:
    """List every statement of the printed rules: the kind of rule that carries it, and whether it is enforced."""
    from planner.cli import json_output as answers
    from planner.cli import text_output as report
    from planner.rules import rulebook_file

    folder = Path(model) / "rulebook.toml"
    found = rulebook_file.load_rulebook(
        rulebook_file.model_folder(f"./{model}" if "/" not in model and folder.is_file() else model)
    )
    if json_:
        print_json(answers.rules_to_json(found))
    else:
        report.print_rules(found)
