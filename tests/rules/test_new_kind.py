"""A new kind of rule is one new file: rulebooks, the reference, both faces and explanations know it by themselves.

The package is copied with one file more in `rules/kinds/`, and a model of the folder `models/` with one rule more: by it
nobody enters the hex A2. Without it, u steps from A1 into A2; there is no other way, since the map has no other hex.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import planner.version
from planner.rules.rulebook_file import model_folder
from tests.conftest import THOROUGH

KIND = '''
"""Hexes that are closed in some phases."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.base import Rule
from planner.rules.atoms import NEVER
from planner.rules.demands import Arc, Demand
from planner.rules.play import Finding, MoveInPlay
from planner.world.forces import Unit
from planner.world.selectors import Names

if TYPE_CHECKING:
    from planner.rules.game import Game


class Curfew(Rule):
    """Ensures that nobody enters certain hexes in certain phases."""

    kind: Literal["curfew"]
    hexes: Names = Field(description="The hexes that are closed")
    phases: Names = Field(description="The phases in which they are")

    summary: ClassVar[str] = "Nobody enters a closed hex."

    # -- the referee's face

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if the hex is closed."""
        if play.to in self.hexes and play.game.situation.phase in self.phases:
            yield Finding(self.paragraph, f"{play.unit.id} may not enter {play.to}: there is a curfew")

    # -- the solver's face

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield an impossible demand if the hex is closed."""
        if arc.to in self.hexes and game.situation.phase in self.phases:
            yield Demand(self.paragraph, NEVER, source=self.id)
'''

RULE = """
[[rule]]
id = "night"
kind = "curfew"
paragraph = "99.9"
hexes = "A2"
phases = "movement"
"""

SCENARIO = """
format = "planner/scenario-1"
model = "./model"
phase = "movement"
phasing = "axis"

[map.hexes]
A1 = { terrain = "clear" }
A2 = { terrain = "clear" }

[map.boxes]
force_pool = {}

[[unit]]
id = "u"
side = "axis"
type = "armor"
nationality = "germany"
attack = 1
defense = 1
ma = 4
at = "A1"
"""

QUESTIONS = """
import json, sys, planner
from planner.solver.plan_judge import judge

scenario = planner.load("crossing.toml")
plan = planner.Plan.parse("u A1-A2")
found = planner.explain(scenario, "u to A2")
told = {
    "rules": [rule.kind for rule in scenario.game.rulebook.rules],
    "referee": [violation.rule for violation in planner.check(scenario, plan).violations],
    "solver": [violation.rule for violation in judge(scenario, plan)],
    "reasons": [instance.rule for reason in found.reasons for instance in reason.instances],
}
if "described" in sys.argv:
    from planner.cli.reference import reference_page
    from planner.rules.rulebook_file import rulebook_shape

    told |= {"page": reference_page(), "schema": json.dumps(rulebook_shape().model_json_schema())}
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a planner with one file more answers."""
    folder = tmp_path_factory.mktemp("new_kind")
    package = Path(planner.version.__file__).parent
    shutil.copytree(package, folder / "planner")  # with what is compiled: nothing else takes as long
    (folder / "planner" / "rules" / "kinds" / "curfew.py").write_text(KIND)
    shutil.copytree(model_folder("a_world_at_war"), folder / "model")
    with (folder / "model" / "rulebook.toml").open("a") as rulebook:
        rulebook.write(RULE)
    (folder / "crossing.toml").write_text(SCENARIO)
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    words = [sys.executable, "-c", QUESTIONS, *(["described"] if THOROUGH else [])]  # who asks for that is thorough
    run = subprocess.run(words, cwd=folder, env=environment, check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    answers: dict[str, Any] = json.loads(run.stdout)
    return answers


@pytest.mark.thorough
def test_a_rulebook_has_a_rule_of_the_new_kind(told: dict[str, Any]) -> None:
    assert told["rules"][-1] == "curfew"


@pytest.mark.thorough
def test_the_reference_page_and_the_schema_describe_the_new_kind(told: dict[str, Any]) -> None:
    assert "### `curfew`\n\nNobody enters a closed hex. Ensures that nobody enters certain hexes" in told["page"]
    assert "The hexes that are closed" in told["schema"]


def test_both_faces_of_the_new_kind_forbid_the_step(told: dict[str, Any]) -> None:
    assert told["referee"] == told["solver"] == ["99.9"]


def test_an_explanation_names_the_rule_of_the_new_kind_as_the_only_reason(told: dict[str, Any]) -> None:
    """A reason is minimal: without the rule the unit gets there."""
    assert told["reasons"] == ["night"]
