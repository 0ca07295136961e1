"""The referee needs no solver, kinds of rules know no game, and the two faces of a rule keep to themselves."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import planner.rules
from planner.rules.base import Rule, Way
from planner.rules.kinds import KINDS

PACKAGE = Path(planner.rules.__file__).parents[1]
REFEREE_FACE = {
    "after_step", "carry_out", "check_draw", "check_end", "check_pick_up", "check_step", "check_together", "crossed", "dice",
    "exempts_from_ma", "overrun_price", "price", "resolutions", "settle", "step_chance", "step_cost", "survival", "watches",
}  # fmt: skip
SOLVER_FACE = {
    "arc_chance", "arc_cost", "arc_demands", "arc_prices", "budget_demand", "concerns", "entry_limit", "groups", "offers",
    "overdraft_demand", "overrun_tariff", "pick_up_demands", "post_end", "readings", "removals", "same_from_anywhere",
    "tariff", "together_demands", "tokens", "victims",
}  # fmt: skip
NEITHER = {"amounts", "bogs", "counts_hexes", "joined_to", "joins", "lasting", "leads_from", "problems", "rolls",
           "summary"}  # fmt: skip
"""What describes a rule, or reads what players have written."""


def _imports(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def test_only_the_solver_folder_imports_ortools() -> None:
    for file in PACKAGE.rglob("*.py"):
        if PACKAGE / "solver" not in file.parents:
            assert not any(name.split(".")[0] == "ortools" for name in _imports(file)), file


@pytest.mark.parametrize(
    "module", ["planner.referee.referee", "planner.scenario", "planner.rules", "planner.reachability.reach_report"]
)
def test_the_referee_and_what_it_needs_load_no_solver(module: str) -> None:
    code = f"import sys, {module}; sys.exit('ortools' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_checking_a_plan_from_the_command_line_loads_no_solver() -> None:
    code = (
        "import sys; from planner.cli.app import app\n"
        "try: app(['check', 'dai_senso/manchuria', 'inf w5525-w5425'])\n"
        "except SystemExit: sys.exit('ortools' in sys.modules or 'networkx' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0


def test_the_first_plan_is_there_before_the_solver_is_loaded() -> None:
    code = (
        "import sys, planner\n"
        "loaded = []\n"
        "tell = lambda progress: loaded.append('ortools' in sys.modules)\n"
        "result = planner.suggest(planner.load('dai_senso/manchuria'), on_progress=tell)\n"
        "assert result.status == 'optimal' and not loaded[0] and loaded[-1], loaded\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_search_loads_no_pandas_and_leaves_it_to_those_who_want_it() -> None:
    code = (
        "import sys, planner\n"
        "assert planner.suggest(planner.load('dai_senso/manchuria')).status == 'optimal'\n"
        "assert 'pandas' not in sys.modules\n"
        "import pandas\n"
        "from ortools.sat.python import cp_model\n"
        "model, solver = cp_model.CpModel(), cp_model.CpSolver()\n"
        "series = model.new_bool_var_series('x', pandas.Index(['a', 'b', 'c']))\n"
        "model.add(series.sum() <= 2)\n"
        "model.maximize(series.sum())\n"
        "assert solver.solve(model) == cp_model.OPTIMAL and solver.values(series).sum() == 2\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_stand_in_for_pandas_loads_it_when_more_is_wanted_than_its_types() -> None:
    code = (
        "import sys\n"
        "from planner.solver.cp_sat import cp_model\n"
        "assert not isinstance(1, cp_model.pd.Series) and 'pandas' not in sys.modules\n"
        "stand_in = cp_model.pd\n"
        "frame = stand_in.DataFrame({'a': [1]})\n"
        "import pandas\n"
        "assert stand_in.Series is pandas.Series and isinstance(frame, pandas.DataFrame)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_no_file_of_the_engine_names_a_game() -> None:
    games = ("dai_senso", "dai senso", "kwantung", "manchuria", "great_war", "classic_hex", "world_at_war", "soviet")
    for file in PACKAGE.rglob("*.py"):
        if "_data" in file.parts:
            continue
        text = file.read_text(encoding="utf-8").lower()
        assert not [game for game in games if game in text], file


def test_every_method_of_a_rule_belongs_to_one_face_or_to_neither() -> None:
    own = {name for base in (Rule, Way) for name in vars(base) if not name.startswith(("_", "model_"))}
    assert own - {"carries", "plain"} == (REFEREE_FACE | SOLVER_FACE | NEITHER) - {"victims"}
    assert not REFEREE_FACE & SOLVER_FACE


def _called(function: ast.AST) -> set[str]:
    return {
        node.func.attr
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "self"
    }


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_faces_of_a_kind_of_rule_share_no_method(kind: type[Rule]) -> None:
    """Whatever the referee's methods call, directly or not, no solver method calls, and the other way round."""
    file = Path(sys.modules[kind.__module__].__file__ or "")
    [body] = [
        node
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__
    ]
    methods = {node.name: _called(node) for node in body.body if isinstance(node, ast.FunctionDef)}

    def closure(face: set[str]) -> set[str]:
        found, queue = set(), [name for name in face if name in methods]
        while queue:
            name = queue.pop()
            if name not in found:
                found.add(name)
                queue += [other for other in methods[name] if other in methods]
        return found

    shared = closure(REFEREE_FACE) & closure(SOLVER_FACE)
    assert shared <= {"destination", "check_group"}, f"{kind.__name__}: {shared}"


def test_an_interrupt_while_the_program_is_being_loaded_ends_it_without_a_traceback() -> None:
    code = (
        "import sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'planner.cli.app': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "from planner.__main__ import main\n"
        "main()\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")
