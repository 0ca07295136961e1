"""The referee needs no solver, kinds of rules know no game, and the two faces of a rule keep to themselves."""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

import planner
import planner.rules
from planner.objective import Term
from planner.objective.kinds import TERMS
from planner.rules import roles
from planner.rules.base import Rule, Way
from planner.rules.kinds import kinds
from planner.rules.rulebook_file import model_folder, read_rulebook

PACKAGE = Path(planner.rules.__file__).parents[1]
BASES = [Rule, Way, *(role for role in vars(roles).values() if isinstance(role, type) and issubclass(role, Rule))]
"""What kinds of rules derive from: their methods are of one face or of the other, as comments say, or of neither."""


def _faces(base: type[Rule]) -> Iterator[tuple[str, str]]:
    """Yield the name of each method of a base, with the face under which it stands, or neither."""
    face = "neither"
    for line in inspect.getsource(base).splitlines():
        if found := re.fullmatch(r"    # -- the (referee|solver)'s face", line):
            face = found[1]
        elif found := re.match(r"    def (\w+)", line):
            yield found[1], face


FACES: dict[str, set[str]] = {"referee": set(), "solver": set(), "neither": set()}
for _base in BASES:
    for _name, _face in _faces(_base):
        FACES[_face].add(_name)
REFEREE_FACE, SOLVER_FACE = FACES["referee"], FACES["solver"]


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
        if PACKAGE / "solver" not in file.parents and "ortools" in file.read_text(encoding="utf-8"):
            assert not any(name.split(".")[0] == "ortools" for name in _imports(file)), file


def test_the_referee_and_what_it_needs_load_no_solver() -> None:
    """None of them does: together they would load whatever one of them loads."""
    modules = "planner.referee.referee, planner.scenario, planner.rules, planner.reachability.event_reach"
    code = f"import sys, {modules}; sys.exit('ortools' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


HEAVY = {
    "ortools",
    "networkx",
    "rich",
    "planner.search",
    "planner.explanation",
    "planner.plans.partial_plan",
    "planner.referee.combined_outcomes",
    "planner.scenario.phase_in_progress",
    "planner.rules.attack_table",
}


@cache
def checking() -> tuple[set[str], list[str]]:
    """Return the modules that a process loads which checks a plan, and the files that it reads; it prints to a pipe."""
    code = (
        "import json, sys\n"
        "read = []\n"
        "sys.addaudithook(lambda event, args: read.append(str(args[0])) if event == 'open' else None)\n"
        "from planner.cli.app import main\n"
        "sys.argv[1:] = ['check', 'dai_senso/manchuria', 'inf w5525-w5425']\n"
        "try: main()\n"
        "except SystemExit: print(json.dumps([list(sys.modules), read]), file=sys.stderr)"
    )
    plain = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "TTY_COMPATIBLE")}
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=plain)
    loaded, read = json.loads(found.stderr)
    return set(loaded), read


def test_checking_a_plan_loads_nothing_heavy_where_the_answer_goes_to_a_pipe() -> None:
    loaded, _ = checking()
    assert "planner.referee.referee" in loaded
    assert not loaded & HEAVY


@pytest.mark.parametrize(("asked_for", "looks"), [(None, False), ("", True)])
def test_checking_a_plan_loads_what_finds_plugins_of_pydantic_only_for_who_asks_for_them(
    asked_for: str | None, looks: bool
) -> None:
    name = "PYDANTIC_DISABLE_PLUGINS"
    environment = {key: value for key, value in os.environ.items() if key != name}
    environment |= {} if asked_for is None else {name: asked_for}
    words = [sys.executable, "-X", "importtime", "-m", "planner", "check", "dai_senso/manchuria", "inf w5525-w5425"]
    found = subprocess.run(words, check=True, capture_output=True, text=True, env=environment)
    assert ("importlib.metadata" in found.stderr) is looks


def test_a_model_loads_the_kinds_of_rules_that_it_names_and_no_others() -> None:
    rules = planner.load("dai_senso/manchuria").game.rulebook.rules
    assert loaded_of("rules.kinds") == {rule.kind for rule in rules} | {"hex_to_hex"}


def loaded_of(folder: str) -> set[str]:
    """Return the files of a folder of the package that are loaded by who checks a plan."""
    return {name.rpartition(".")[2] for name in checking()[0] if name.startswith(f"planner.{folder}.")}


def test_a_scenario_loads_the_kinds_of_terms_that_it_names_and_a_command_no_other_one() -> None:
    # manchuria.toml asks for eliminate, units_moved and mp_spent.
    assert loaded_of("objective") == {"base", "kinds", "goals", "costs"}
    assert not loaded_of("cli") & {"suggest", "reach", "verify", "draw", "serve", "play"}


def test_every_kind_of_term_is_where_it_is_looked_for() -> None:
    found = {
        get_args(term.model_fields["kind"].annotation)[0]: term.__module__
        for file in (PACKAGE / "objective").glob("*.py")
        for term in vars(import_module(f"planner.objective.{file.stem}")).values()
        if isinstance(term, type) and issubclass(term, Term) and get_args(term.model_fields["kind"].annotation)
    }
    assert {term.__module__ for term in TERMS.classes} == set(found.values())
    assert {get_args(term.model_fields["kind"].annotation)[0] for term in TERMS.classes} == found.keys()


def test_a_check_reads_no_statements_of_the_printed_rules() -> None:
    _, read = checking()
    assert any("rulebook.toml" in name for name in read)
    assert not any("statements.toml" in name for name in read)


@pytest.mark.parametrize("kind", ["'wrong'", "3", "['stacking']"])
def test_where_a_rule_has_no_kind_that_there_is_every_kind_is_named(kind: str, tmp_path: Path) -> None:
    shutil.copytree(model_folder("dai_senso"), tmp_path / "model")
    with (tmp_path / "model" / "rulebook.toml").open("a") as rulebook:
        rulebook.write(f"\n[[rule]]\nid = 'one_more'\nparagraph = '1'\nkind = {kind}\n")
    _, problems = read_rulebook(tmp_path / "model")
    [problem] = problems
    names = sorted(name for each in kinds() for name in get_args(each.model_fields["kind"].annotation))
    assert problem.what.startswith(f"kind must be one of {', '.join(names)}, not "), problem


@pytest.mark.thorough
def test_the_first_plan_is_there_before_the_solver_is_loaded() -> None:
    code = (
        "import sys, planner\n"
        "loaded = []\n"
        "tell = lambda progress: loaded.append('ortools' in sys.modules)\n"
        "result = planner.suggest(planner.load('dai_senso/manchuria'), on_progress=tell)\n"
        "assert result.status == 'optimal' and not loaded[0] and loaded[-1], loaded\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.thorough
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


@pytest.mark.thorough
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
    """Whatever takes a move in play is the referee's; whatever takes or yields arcs and demands is the solver's."""
    assert not REFEREE_FACE & SOLVER_FACE
    assert not FACES["neither"] & (REFEREE_FACE | SOLVER_FACE)
    for base in BASES:
        for name, face in _faces(base):
            told = str(inspect.signature(getattr(base, name))) if callable(getattr(base, name)) else ""
            assert face == "referee" or not re.search(r"MoveInPlay|Finding", told), name
            assert face == "solver" or not re.search(r"\bArc\b|Demand|EndState", told), name


def _called(function: ast.AST) -> set[str]:
    return {
        node.func.attr
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "self"
    }


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_the_faces_of_a_kind_of_rule_share_no_method(kind: type[Rule]) -> None:
    """Whatever the referee's methods call, directly or not, no solver method calls, and the other way round."""
    own = [one for one in reversed(kind.__mro__) if issubclass(one, Rule) and one not in BASES]
    methods = {
        node.name: _called(node)
        for one in own
        for body in ast.parse(Path(inspect.getsourcefile(one) or "").read_text(encoding="utf-8")).body
        if isinstance(body, ast.ClassDef) and body.name == one.__name__
        for node in body.body
        if isinstance(node, ast.FunctionDef)
    }

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
