"""The instances for measuring: what they promise, and that every command of benchmarks/ runs."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from fractions import Fraction
from importlib.util import cache_from_source
from pathlib import Path

import pytest

import planner
from planner.reachability.conditional_reach import ConditionalReach
from planner.search.reach_cache import ReachCache
from tests.conftest import DEEP
from tests.instances import BENCHMARKS, families, instance

# isort: split
import answers
from bars import against_peers
from peers import PEERS
from processes import compile_bytecode, environment
from report import Instance, proofs
from run import compiled_copy, contradictions, run_peer
from unchanged import unchanged

ROOT = BENCHMARKS.parent
SMALL = [
    ("dense", "6"),
    ("sparse", "6/tiers=1"),
    ("legs", "4/hexes=400/ma=6-10"),
    ("islands", "6/zones=2"),
    ("crowded", "6"),
    ("stacks", "6"),
    ("joint", "4"),
    ("shipped", "dai_senso/manchuria"),
]


@pytest.mark.parametrize(("family", "size"), SMALL)
def test_the_same_seed_writes_the_same_scenario_and_another_seed_another_one(family, size, tmp_path):
    one = families.write(family, size, 1, tmp_path / "one").read_bytes()
    assert families.write(family, size, 1, tmp_path / "two").read_bytes() == one
    if family != "shipped":
        assert families.write(family, size, 2, tmp_path / "two").read_bytes() != one


@pytest.mark.parametrize(("family", "size"), SMALL)
def test_an_instance_loads_and_the_position_is_legal_as_it_stands(family, size, tmp_path):
    for seed in range(3):
        scenario = planner.load(families.write(family, size, seed, tmp_path))
        assert scenario.tiers
        assert planner.check(scenario, []).legal


def test_a_map_wider_than_two_digits_comes_with_the_same_rules_in_three(tmp_path):
    scenario = planner.load(families.write("sparse", "80", 1, tmp_path))
    shipped = planner.load("dai_senso/manchuria").game.rulebook
    assert len(scenario.game.board.hexes) == 12 * 120
    assert [rule.id for rule in scenario.game.rulebook.rules] == [rule.id for rule in shipped.rules]


@pytest.mark.parametrize(
    ("family", "size"),
    [
        ("dens", "6"),
        ("dense", "x"),
        ("dense", "6/hexes=4"),
        ("dense", "0"),
        ("legs", "6/ma=9-3"),
        ("shipped", "nowhere"),
    ],
)
def test_a_size_that_a_family_does_not_have_is_refused(family, size):
    with pytest.raises(ValueError, match=r"must|has no|there is no"):
        families.draft(family, size, 0)


@pytest.mark.thorough
def test_every_size_of_a_full_measurement_can_be_written():
    for family, sizes in families.SIZES.items():
        for size in sizes:
            assert families.draft(family, size, 0).lines


def measure(folder, *words):
    """Run the runner, and return what it has recorded of the first size; whatever that is, nothing is timed."""
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "run.py"), "--seeds", "1", "--output", str(folder / "recorded.json"), *words],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "recorded.json").read_text(encoding="utf-8"))["instances"][0]["runs"]


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    folder = tmp_path_factory.mktemp("measured")
    peers = ["planner", "planner-2", "greedy", "highs"]
    measure(folder, "--family", "dense", "--sizes", "4", "--limit", "60", "--peers", *peers)
    return folder


@pytest.mark.thorough
def test_a_run_records_of_each_peer_plan_value_curve_phases_and_memory(measured):
    record = json.loads((measured / "recorded.json").read_text(encoding="utf-8"))
    [instance] = record["instances"]
    runs = {run["peer"]: run for run in instance["runs"]}
    assert {"planner", "planner-2", "greedy"} <= runs.keys()
    scenario = planner.load(families.write("dense", "4", 0, measured))
    for run in runs.values():
        assert run["status"] in ("optimal", "feasible"), run
        assert planner.check(scenario, run["plan"]).legal
        assert run["peak_mb"] > 0
        assert {"start", "load", "solve", "replay"} <= run["phases"].keys()
        assert run["curve"][-1][1] == run["value"]
    assert (runs["planner"]["status"], runs["planner-2"]["status"]) == ("optimal", "optimal")


def test_what_the_hook_compiles_is_there_and_nothing_compiled_is_older_than_its_source():
    """What is compiled is used in place of the source beside it, edited or not."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    hook = build["targets"]["wheel"]["hooks"]["mypyc"]
    assert not hook["enable-by-default"]
    assert hook["include"]
    for name in hook["include"]:
        source = ROOT / name
        compiled = [*source.parent.glob(f"{source.stem}.*.so"), *source.parent.glob(f"{source.stem}.*.pyd")]
        assert all(file.stat().st_mtime >= source.stat().st_mtime for file in compiled), f"{compiled} must be deleted"


def test_a_compiled_copy_is_made_neither_in_the_checkout_nor_over_anything(tmp_path):
    kept = tmp_path / "kept"
    kept.write_text("")
    places = {BENCHMARKS / "inner": "outside the checkout", tmp_path: "not empty", kept: "is no folder"}
    for place, why in places.items():
        done = subprocess.run(
            [sys.executable, str(BENCHMARKS / "compiled.py"), str(place)], capture_output=True, text=True
        )
        assert (done.returncode, why in done.stderr) == (2, True)
    assert not (BENCHMARKS / "inner").exists()
    assert kept.read_text() == ""


def test_peers_that_must_be_compiled_are_left_out_where_there_is_no_compiler(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert compiled_copy(["planner", "compiled"], tmp_path / "copy") is None
    assert capsys.readouterr().err == "what is compiled is left out: there is no C compiler\n"
    # Nobody is told of it who hasn't asked for one.
    assert compiled_copy(["planner", "greedy"], tmp_path / "copy") is None
    assert capsys.readouterr().err == ""


@pytest.mark.thorough
def test_a_peer_that_must_be_compiled_runs_the_planner_of_the_copy(tmp_path):
    copy = tmp_path / "planner"
    copy.mkdir()
    (copy / "__init__.py").write_text("raise SystemExit('the copy')")
    scenario = families.write("dense", "4", 0, tmp_path)
    for peer, ran in (("compiled", True), ("greedy", False)):
        assert ("the copy" in run_peer(peer, "", scenario, 60.0, 0, 1, tmp_path).get("note", "")) is ran


@pytest.mark.thorough
def test_nobody_gives_up_on_a_scenario_of_the_repository_for_having_failed_on_another(tmp_path):
    sizes = ["dai_senso/puzzles/after_you_both", "dai_senso/puzzles/two_doors"]
    measure(tmp_path, "--family", "shipped", "--sizes", *sizes, "--limit", "60", "--peers", "greedy", "--give-up")
    record = json.loads((tmp_path / "recorded.json").read_text(encoding="utf-8"))
    found = {instance["size"]: [bool(run["value"]) for run in instance["runs"]] for instance in record["instances"]}
    assert found == {sizes[0]: [False], sizes[1]: [True]}


@pytest.mark.thorough
def test_where_no_peer_can_be_run_nothing_is_recorded(tmp_path):
    """Fast Downward is asked about fronts alone, wherever it is installed."""
    file = tmp_path / "folder" / "recorded.json"
    words = [sys.executable, str(BENCHMARKS / "run.py"), "--family", "stacks", "--peers", "fd-first"]
    done = subprocess.run([*words, "--output", str(file)], capture_output=True, text=True)
    assert done.stderr.endswith("none of these peers can be run on stacks: fd-first @ command line\n")
    assert (done.returncode, file.parent.exists()) == (2, False)


def test_the_planner_with_more_workers_is_no_peer_of_its_own():
    def run(peer, seconds):
        return {"peer": peer, "variant": "", "status": "optimal", "value": ["1"], "seconds": seconds, "curve": []}

    instance = Instance({"runs": [run("planner", 2.0), run("planner-2", 1.0), run("highs", 6.0), run("scip", 5.0)]})
    [head, _, row, _] = proofs({"4": [instance]}, ["planner", "planner-2", "highs", "scip"])
    # The fastest of the others takes 5 s to its 2 s.
    assert head.endswith("| best peer / planner |")
    assert row.endswith("| 2.50 |")
    assert against_peers("dense", "4", 2.5)({"dense": {"4": [instance]}}) == ("2.50", True)


@pytest.mark.parametrize(
    ("times", "told", "kept"),
    [
        # 6, 4 and 3 times: the third peer isn't done in 60 s.
        ([(1, 6), (2, 8), (20, None)], "at least 4.00", True),
        # 4 and 5 times, and a seed that nobody proves: the planner has two of three.
        ([(1, 4), (1, 5), (None, None)], "4.50 (2/3)", True),
        # It has one of three: its median is no proof.
        ([(1, 4), (None, None), (None, None)], "4.00 (1/3)", False),
        # It isn't done in 60 s, of which a peer takes a half.
        ([(1, 4), (1, 5), (None, 30)], "at most 4.00", True),
        ([(4, None), (4, None), (4, None)], "at least 15.00, proved by no peer", True),
        ([(None, None)], None, None),
    ],
)
def test_seeds_that_nobody_proves_are_told_and_a_bar_is_kept_if_the_planner_proves_half_of_them(times, told, kept):
    def run(peer, seconds):
        status = "feasible" if seconds is None else "optimal"
        return {"peer": peer, "variant": "", "limit": 60, "status": status, "value": ["1"], "curve": []} | {
            "seconds": 60 if seconds is None else seconds
        }

    instances = [Instance({"runs": [run("planner", own), run("scip", other)]}) for own, other in times]
    found = against_peers("dense", "4", 3)({"dense": {"4": instances}})
    assert found == (None if told is None else (told, kept))


@pytest.mark.thorough
def test_local_search_ends_in_time_with_a_legal_plan_no_worse_than_that_of_greedy(tmp_path):
    scenario = families.write("crowded", "8", 1, tmp_path)
    greedy, local = (run_peer(name, "", scenario, 6, 0, 1) for name in ("greedy", "local"))
    assert (greedy["status"], local["status"]) == ("feasible", "feasible")
    assert planner.check(scenario, local["plan"]).legal
    assert [*map(Fraction, local["value"])] >= [*map(Fraction, greedy["value"])]


@pytest.mark.thorough
def test_the_report_has_a_row_for_each_size_and_a_column_for_each_peer(measured):
    page = measured / "benchmarks.md"
    words = ["--results", str(measured), "--output", str(page)]
    subprocess.run([sys.executable, str(BENCHMARKS / "report.py"), *words], check=True)
    text = page.read_text(encoding="utf-8")
    assert "## dense" in text
    assert text.count("| `4` |") >= 4
    assert "| planner |" in text


@pytest.mark.thorough
def test_each_moment_of_an_answer_counts_for_one_part_of_it():
    code = (
        f"import sys, time; sys.path.insert(0, {str(BENCHMARKS)!r})\n"
        "import planner; from parts import Parts\n"
        "from second import board\n"
        "clock, scenario = Parts(), board('dense', '6', 0)\n"
        "clock.listen()\n"
        "begin = time.process_time(); clock.start()\n"
        "planner.suggest(scenario)\n"
        "spent = clock.stop(); whole = time.process_time() - begin\n"
        "assert 0 < sum(spent.values()) <= whole, (spent, whole)\n"
        "assert all(spent[part] > 0 for part in spent if part != 'reading'), spent\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_of_a_position_that_is_the_same_the_whole_model_could_be_kept_and_of_another_one_a_part():
    scenario = instance("dense", "12", 0)
    before = ReachCache(scenario).relevant
    first = next(iter(before))
    assert set(unchanged(before, scenario).values()) == {1.0}
    part = unchanged({**before, first: []}, scenario)
    assert part["units"] == 1 - 1 / len(before)
    assert all(0 < share < 1 for share in part.values())
    assert set(unchanged({}, scenario).values()) == {0.0}


def test_peers_that_contradict_each_other_are_noticed():
    def run(peer, status, value, bound=()):
        return {"peer": peer, "variant": "", "status": status, "value": list(value), "bound": list(bound), "note": ""}

    best, less, none = (
        run("a", "optimal", ["7", "-3"]),
        run("b", "feasible", ["7", "-5"], ["7"]),
        run("c", "infeasible", []),
    )
    assert contradictions([best, less]) == []
    assert contradictions([best, run("b", "optimal", ["7", "-5"])])
    assert contradictions([best, run("b", "feasible", ["8", "-9"], ["9"])])
    assert contradictions([best, run("b", "feasible", ["5", "-9"], ["6"])])
    assert contradictions([best, run("b", "feasible", ["7", "-5"], ["7", "-4"])])
    assert contradictions([best, run("b", "feasible", ["7", "-5"], ["8", "-4"])]) == []
    assert contradictions([less, none])
    assert contradictions([run("b", "illegal", [])])


@pytest.mark.parametrize("family", ["islands", "crowded"])
def test_a_program_of_its_own_and_the_planner_have_the_same_optimum(family, tmp_path):
    """Two encodings of order, stacking and transport from the same possibilities, each with a proof."""
    peer = next((name for name in ("scip", "highs", "clingo") if not PEERS[name].missing()), None)
    if peer is None:
        pytest.skip("none of the peers is installed")
    scenario = families.write(family, "8", 3, tmp_path)
    runs = [run_peer(name, PEERS[name].variants[0], scenario, 20, 0, 1) for name in ("planner", peer)]
    assert [run["status"] for run in runs] == ["optimal", "optimal"]
    assert runs[0]["value"] == runs[1]["value"]


@pytest.mark.skipif(not DEEP, reason="set PLANNER_TESTS=deep")
@pytest.mark.parametrize("family", ["dense", "sparse", "islands", "crowded", "legs"])
def test_all_peers_that_prove_agree_on_small_instances(family, tmp_path):
    size = "5/hexes=400/ma=5-6" if family == "legs" else "5"
    peers = [name for name, peer in PEERS.items() if name != "local"]
    runs = measure(tmp_path, "--family", family, "--sizes", size, "--limit", "60", "--peers", *peers)
    proved = {run["peer"]: run["value"] for run in runs if run["status"] == "optimal"}
    assert "planner" in proved
    assert len({tuple(value) for value in proved.values()}) == 1


def test_a_unit_that_comes_back_to_where_it_has_overrun_somebody_makes_a_plain_step(tmp_path):
    clingo = pytest.importorskip("clingo")
    from peers.asp_paths import Facts, plan_of

    scenario = planner.load(families.write("dense", "10", 0, tmp_path))
    facts = Facts(scenario, ConditionalReach(scenario.game))
    way = {(unit, step.arc.origin, step.arc.to): number for number, (unit, step) in enumerate(facts.steps)}
    there = next(
        number
        for number, (unit, step) in enumerate(facts.steps)
        if step.arc.overrun and (unit, step.arc.to, step.arc.origin) in way
    )
    unit, step = facts.steps[there]
    back = way[unit, step.arc.to, step.arc.origin]
    arcs = ", ".join(f"go({unit}, {arc}, {index})" for index, arc in enumerate((there, back, there), 1))
    symbols = clingo.parse_term(f"all({arcs})").arguments
    assert [sorted(move.overruns) for move in plan_of(facts, symbols).moves] == [[1]]


def test_the_planner_and_the_peers_are_compiled_before_anything_is_measured():
    compiled = [cache_from_source(file) for file in (planner.__file__, str(BENCHMARKS / "peers" / "task.py"))]
    for file in compiled:
        Path(file).unlink(missing_ok=True)
    compile_bytecode()
    assert all(Path(file).is_file() for file in compiled)


def test_the_planner_meets_no_plugins_in_a_process_that_is_measured():
    assert environment(BEGIN="1")["BEGIN"] == "1"
    words = [sys.executable, "-c", "import pydantic.plugin._loader as loader; print(list(loader.get_plugins()))"]
    told = subprocess.run(words, env=environment(), capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def hold_answers(monkeypatch, *words):
    """Return the exit code of the recorder of answers."""
    monkeypatch.setattr(sys, "argv", ["answers.py", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        answers.main()
    return ended.value.code


@pytest.mark.thorough
def test_answers_that_are_recorded_twice_are_the_same_and_a_changed_one_is_told(tmp_path, monkeypatch, capsys):
    file, name = tmp_path / "answers", "dai_senso/quit_india"
    assert hold_answers(monkeypatch, "record", "-o", file, "--only", name, "--pair", ROOT) == 0
    again = tmp_path / "answers.pair"
    assert hold_answers(monkeypatch, "compare", file, again) == 0
    assert " questions, 0 differences" in capsys.readouterr().out
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert {line["words"][0] for line in lines[:-1]} == {"suggest", "check", "explain", "reach", "verify", "defend"}
    [suggested] = [line for line in lines[:-1] if line["words"][0] == "suggest"]
    suggested["answer"]["plan"]["moves"].reverse()
    suggested["answer"]["value"].append(1)
    again.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert hold_answers(monkeypatch, "compare", file, again) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith(f"differs: suggest {name}")
    assert told[1].endswith(" questions, 1 differences")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["compare", "none", "none"], "No such file or directory @ none\n"),
        (["compare", "page.md", "page.md"], "must be a record of answers, line 1 isn't @ page.md\n"),
        (["record", "-o", "file", "--only", "nowhere"], "no scenario has 'nowhere' in its name @ --only\n"),
        (["record", "-o", "file", "--checkout", "/nowhere"], "there is no planner in /nowhere @ --checkout\n"),
    ],
)
def test_what_the_recorder_of_answers_cannot_do_is_said_in_a_sentence(words, told, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.md").write_text("# A page\n", encoding="utf-8")
    assert hold_answers(monkeypatch, *words) == 2
    assert capsys.readouterr().err == told
    assert not (tmp_path / "file").exists()
