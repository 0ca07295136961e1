"""A partial plan is completed in the best way that there is, or it is proved that it can't be."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import planner
from planner.errors import InputError
from planner.objective.goals import End, Stay
from planner.objective.scoring import score, tier_values
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Plan
from planner.plans.plan_file import plan_from_json
from planner.referee.referee import Referee
from planner.scenario import Scenario, build_scenario, load_scenario
from planner.search.alternatives_search import AlternativesSearch
from tests.command import run
from tests.conftest import DEEP
from tests.oracles.attack_games import attack, position
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.islands import islands
from tests.oracles.skirmishes import skirmish
from tests.oracles.stacks import EveryStackPlan, stacks
from tests.oracles.substances import Known, at_sea, of_those_who_wait
from tests.oracles.trenches import trenches
from tests.oracles.waiting import waiting

MANCHURIA = "dai_senso/manchuria"
SEEDS = 200 if DEEP else 10


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["stacks", "trenches"])
def test_what_is_settled_is_completed_as_well_as_any_plan_has_it(name: str) -> None:
    """Of all plans by brute force one is drawn; some of its moves are fixed, units left alone, destinations given."""
    fixed = ended = stayed = impossible = 0
    for seed in range(SEEDS):
        scenario, _ = stacks(seed) if name == "stacks" else trenches(seed)
        rng = random.Random(f"partial {seed}")
        try:
            plans = list(EveryStackPlan(scenario, 150, 4 if name == "stacks" else 3).plans())
        except TooManyStatesError:
            continue
        if not plans:  # too much stands in one hex from the beginning, and nobody gets away so soon
            continue
        plan, verdict, _ = rng.choice(plans)
        idle = [u for u in scenario.start.at if u in scenario.game.friends and u not in verdict.tally.mp]
        movers = [unit for move in plan.moves for unit in move.units]
        moves = tuple(move for move in plan.moves if rng.random() < 0.6)
        left = [unit for unit in movers if not any(unit in move.units for move in moves)]
        ends = tuple((unit, (verdict.position.at[unit],)) for unit in left if rng.random() < 0.5)
        stays = tuple(unit for unit in idle if rng.random() < 0.5)
        if not ends and idle and rng.random() < 0.3:  # a wish that may be too much
            ends = ((idle[0], (rng.choice(sorted(scenario.game.board.hexes)),)),)
            stays = tuple(unit for unit in stays if unit != idle[0])
        partial = PartialPlan(moves, ends, stays)
        best = max((v for p, judged, v in plans if partial.holds_in(judged.moves, judged.position)), default=None)
        result = planner.suggest(scenario, partial=partial)
        if best is None:
            assert result.status == "infeasible", f"seed {seed}:\n{partial}"
            impossible += 1
            continue
        assert (result.status, result.value) == ("optimal", best), f"seed {seed}:\n{partial}"
        assert result.plan is not None
        assert result.verdict is not None
        assert partial.holds_in(result.verdict.moves, result.verdict.position)
        fixed, ended, stayed = fixed + bool(moves), ended + bool(ends), stayed + bool(stays)
    print(f"moves fixed in {fixed}, ends in {ended}, units that stay in {stayed}, impossible {impossible}")
    assert fixed >= 2
    assert ended >= 2


SEAS: dict[str, Callable[[int], tuple[Scenario, Known]]] = {
    "islands": lambda seed: (islands(seed)[0], at_sea(islands(seed)[0], 150)),
    "waiting": lambda seed: (waiting(seed)[0], of_those_who_wait(waiting(seed)[0], 300)),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", SEAS)
def test_destinations_are_reached_as_well_as_any_plan_reaches_them(name: str) -> None:
    possible = impossible = 0
    for seed in range(SEEDS):
        rng = random.Random(f"ends {seed}")
        try:
            scenario, known = SEAS[name](seed)
        except TooManyStatesError:
            continue
        own = [unit for unit in scenario.start.at if unit in scenario.game.friends]
        unit = rng.choice(own)
        place = rng.choice(sorted({p for s in known for u, p in s.ends if u == unit} | set(scenario.game.board.hexes)))
        homes = scenario.start.at
        best = max(
            (value for substance, value in known.items() if dict(substance.ends).get(unit, homes[unit]) == place),
            default=None,
        )
        result = planner.suggest(scenario, partial=PartialPlan(ends=((unit, (place,)),)))
        assert (result.value if result.plan is not None else None) == best, f"seed {seed}: {unit} -> {place}"
        assert result.status == ("infeasible" if best is None else "optimal"), f"seed {seed}"
        possible, impossible = possible + (best is not None), impossible + (best is None)
    print(f"{possible} can be had, {impossible} can't")
    assert possible + impossible >= 4


@pytest.mark.thorough
def test_the_moves_of_every_alternative_can_be_fixed_and_come_to_the_same() -> None:
    """Fixed as a whole, a plan of any form of the search is completed by nothing, or by what makes it better."""
    names = ["dai_senso/puzzles/after_you", "dai_senso/puzzles/whose_ship", "a_world_at_war/rendezvous"]
    for name in [*names, "great_war/puzzles/two_orders", "ocs/two_overruns"]:
        scenario = load_scenario(name)
        for plan in AlternativesSearch(scenario).best(3).plans:
            assert plan.result.plan is not None
            partial = PartialPlan(plan.result.plan.moves)
            result = planner.complete(scenario, partial)
            assert result.status == "optimal", f"{name}:\n{partial}"
            assert result.value >= plan.result.value, f"{name}:\n{partial}"
            assert result.plan is not None
            assert result.verdict is not None
            assert partial.holds_in(result.verdict.moves, result.verdict.position), f"{name}:\n{partial}\n{result.plan}"


def test_hard_requirements_that_contradict_each_other_at_once_are_proved_to() -> None:
    """Without the infantry the army gets nowhere near: no search is needed to see it, and none goes on for ever."""
    goals = (End(kind="end", unit="plv", at=("w5426",)), Stay(kind="stay", units=("inf",)))
    result = planner.suggest(replace(load_scenario(MANCHURIA), requirements=goals), time_limit=60)
    assert result.status == "infeasible"


def test_a_detour_that_is_fixed_is_made_as_it_is_written() -> None:
    """Straight on it would be 1 MP; the rest of the plan is that of the optimum."""
    result = planner.complete("dai_senso/puzzles/after_you", ["bravo w5324-w5325"])
    assert result.status == "optimal"
    assert str(result.plan).splitlines() == ["bravo w5324-w5325"]
    # alpha alone gets out nowhere, and bravo has moved: no goal, 1 unit, 1 MP.
    assert result.value == (0, -11)


@pytest.mark.thorough
def test_where_entering_is_a_combat_what_is_settled_is_kept() -> None:
    kept = 0
    for seed in range(5):
        scenario, _ = skirmish(seed)
        plan = planner.suggest(scenario).plan
        assert plan is not None
        for move in plan.moves:
            partial = PartialPlan((move,)) if len(plan.moves) == 1 else PartialPlan(stays=move.units)
            result = planner.complete(scenario, partial)
            if result.plan is not None:
                assert result.verdict is not None
                assert partial.holds_in(result.verdict.moves, result.verdict.position)
                kept += 1
            assert result.status != "infeasible"
    assert kept >= 2


def test_lines_and_json_say_the_same() -> None:
    text = "# what is settled\ninf w5525-w5425\nplv+tank -> w5426 or [edge]\nhq stays\n"
    partial = PartialPlan.parse(text)
    assert PartialPlan.parse(str(partial)) == partial
    data = {"format": "planner/plan-1", "moves": [{"units": ["inf"], "path": ["w5525", "w5425"]}], **partial.to_dict()}
    assert PartialPlan.from_json(json.loads(json.dumps(data)), {}, "file") == partial
    assert partial.ends == (("plv", ("w5426", "edge")), ("tank", ("w5426", "edge")))
    assert partial.stays == ("hq",)


def test_a_whole_plan_file_is_still_one_and_a_partial_one_is_not_judged_as_whole() -> None:
    data = {"format": "planner/plan-1", "moves": []}
    assert plan_from_json(data, {}, "file") == Plan()
    with pytest.raises(InputError, match="partial"):
        plan_from_json({**data, "stay": ["inf"]}, {}, "file")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["inf -> w5425", "inf -> w5426"], "once"),
        (["inf -> w5425", "inf stays"], "'inf -> w5425' and 'inf stays' can't be had together"),
        (["inf w5525-w5425", "inf stays"], "can't have a move and stay"),
        (["plv w5525!w5425"], "result can't be fixed"),
        (["kwantung4 stays"], "phasing side"),
        (["nobody stays"], "no unit has the id"),
        (["inf -> w9999"], "is not on the map"),
        (["inf ->"], "after -> must come a hex"),
        (["inf stayz"], 'must look like "plv stays"'),
        (["into the blue"], "must be a move such as"),
        (["imf stays"], "did you mean 'inf'"),
    ],
)
def test_wishes_that_make_no_sense_are_told(lines: list[str], told: str) -> None:
    with pytest.raises(InputError, match=told):
        planner.complete(MANCHURIA, lines)


def test_lines_that_cannot_be_read_and_names_that_do_not_exist_are_told_at_once() -> None:
    with pytest.raises(InputError) as error:
        planner.complete(MANCHURIA, ["plv ->", "zulu stays", "plv w1", "inf -> w9999"])
    assert len(error.value.problems) == 4
    with pytest.raises(InputError) as error:
        planner.check(MANCHURIA, ["plv w1", "zulu w5525-w5425"])
    assert len(error.value.problems) == 2


@pytest.mark.thorough
def test_check_complete_says_whether_and_exits_accordingly(tmp_path: Path) -> None:
    done = run("check", MANCHURIA, "--complete", "plv -> w5426", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["can_be_completed"] == "yes"
    done = run("check", MANCHURIA, "--complete", "plv -> w5426", "inf stays")
    assert done.returncode == 1
    assert "can't be completed, proved" in done.stdout
    assert "possible if inf first moves to w5425" in done.stdout
    assert run("check", MANCHURIA, "--complete", "plv -> w5426", "--time-limit", "0").returncode == 3
    file = tmp_path / "partial.json"
    file.write_text(json.dumps({"format": "planner/plan-1", "moves": [], "stay": ["inf"]}), encoding="utf-8")
    done = run("suggest", MANCHURIA, "--plan", str(file), "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["value"] == [0, 0]
    assert run("check", MANCHURIA, "--plan", str(file)).returncode == 2


@pytest.mark.thorough
def test_the_first_alternative_of_a_partial_plan_is_its_best_completion() -> None:
    found = planner.alternatives("dai_senso/puzzles/after_you", 2, partial=["alpha w5324-w5325"])
    scenario = load_scenario("dai_senso/puzzles/after_you")
    plans = [plan.result.plan for plan in found.plans]
    assert [str(plan).splitlines() for plan in plans] == [
        ["alpha w5324-w5325", "bravo w5324-w5325-w5326"],
        ["alpha w5324-w5325"],
    ]
    for plan in plans:
        assert plan is not None
        verdict = Referee(scenario.game).play(plan, scenario.start)
        assert tier_values(scenario.tiers, score(scenario.game, scenario.tiers, verdict))


def test_where_combats_are_fought_it_is_proved_too_that_a_plan_cant_be_completed() -> None:
    # One hex of 1 MP, and 2 to go, in a line of three.
    data = {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"0404 0405 0406": "clear"}},
        "unit": [{"id": "x", "side": "blue", "type": "infantry", "values": "4-1", "at": "0404"}],
        "tier": [{"terms": [{"kind": "hold", "hexes": "0406"}]}],
    }
    scenario = build_scenario(data, "line")
    assert planner.complete(scenario, "x -> 0406").status == "infeasible"
    assert planner.complete(scenario, "x -> 0405").plan is not None


def test_a_plan_file_may_fix_destinations_alone() -> None:
    found = PartialPlan.from_json({"format": "planner/plan-1", "stay": ["inf"]}, {"inf": "w5525"}, "x")
    assert str(found) == "inf stays"


def test_attacks_are_lines_of_a_partial_plan_and_part_of_its_file() -> None:
    """With one hex alone it is a destination, until it is known who is there."""
    lines = ["a 0101-0102", "a+b -> 0303+0304", "c -> 0305(e)", "no other attacks", "d stays"]
    found = PartialPlan.parse(lines)
    assert str(found).splitlines() == lines
    assert found.closed
    data = {"format": "planner/plan-1", "moves": [found.moves[0].to_dict()], **found.to_dict()}
    assert PartialPlan.from_json(data, {}, "here") == found
    assert PartialPlan.parse("a -> 0303").ends == (("a", ("0303",)),)
    none = PartialPlan.parse("no attacks")
    assert (none.closed, none.attacks, bool(none)) == (True, (), True)
    assert PartialPlan.from_json({"format": "planner/plan-1", **none.to_dict()}, {}, "here") == none


WRONG_ATTACKS = {
    "a result": (["a -> 0303+0304=DR"], "a result can't be fixed beforehand: a -> 0303"),
    "no and some": (["a -> 0303(e)", "no attacks"], r"'no attacks' must not come with the attack 'a -> 0303\(e\)'"),
    "twice": (["a -> 0303(e)", "a+b -> 0304(f)"], "'a' can't make two attacks"),
}


@pytest.mark.parametrize(("lines", "told"), WRONG_ATTACKS.values(), ids=WRONG_ATTACKS)
def test_what_is_wrong_with_attacks_that_are_settled_is_told(lines: list[str], told: str) -> None:
    with pytest.raises(InputError, match=told):
        PartialPlan.parse(lines)


@pytest.mark.parametrize(
    "lines",
    [
        ["a -> 0303", "no other attacks"],
        ["a -> 0303", "no attacks"],
        ["no attacks"],
        ["a+b -> 03+04", "no other attacks"],
    ],
)
def test_what_is_said_of_other_attacks_is_kept_while_a_destination_may_yet_be_one(lines: list[str]) -> None:
    found = PartialPlan.parse(lines)
    assert str(found).splitlines() == lines
    file = {"format": "planner/plan-1", **found.to_dict()}
    assert PartialPlan.from_json(file, {}, "here") == PartialPlan.parse(str(found)) == found


def beset() -> Scenario:
    """Return a position in which two units are some hexes away from two enemies."""
    units = {"a": ("4-4-4", "0101"), "b": ("3-2-4", "0102"), "e": ("2-2-4", "0304"), "e2": ("2-2-4", "0504")}
    return position(attack(), units)


def test_a_search_brings_units_up_for_the_attacks_that_are_settled() -> None:
    def completed(*lines: str) -> list[str]:
        found = planner.complete(beset(), lines, time_limit=20)
        assert found.status == "optimal"
        assert found.plan is not None
        return [line for line in found.plan.lines if "->" in line or line == "no attacks"]

    assert completed("a -> 0304") == ["a -> 0304"]
    assert completed("a+b -> 0304", "no other attacks") == ["a+b -> 0304"]
    assert completed("b -> 0504", "a -> 0304") == ["a -> 0304", "b -> 0504"]
    assert completed("no attacks") == ["no attacks"]


def test_no_attacks_at_all_contradict_each_that_is_settled_however_it_is_written() -> None:
    """A destination that an enemy holds is an attack, which is known only beside the position."""
    told = "'no attacks' must not come with the attack 'a -> 0304'; 'no other attacks' may"
    lines = ["a -> 0304", "b -> 0504", "no attacks"]
    file = {"format": "planner/plan-1", "end": [{"unit": "a", "at": ["0304"]}, {"unit": "b", "at": ["0504"]}]}
    for partial in (lines, PartialPlan.parse(lines), PartialPlan.from_json({**file, "attacks": []}, {}, "here")):
        with pytest.raises(InputError) as refused:
            planner.complete(beset(), partial)
        assert [problem.what for problem in refused.value.problems] == [
            told, told.replace("a -> 0304", "b -> 0504")
        ]  # fmt: skip
    assert planner.complete(beset(), ["a -> 0202", "no attacks"], time_limit=20).status == "optimal"
    done = run("check", "crossroads/start", "--complete", "b1 -> 0805", "no attacks")
    assert (done.returncode, done.stderr.strip()) == (2, told.replace("a -> 0304", "b1 -> 0805") + " @ moves")


@pytest.mark.parametrize(("command", "name"), [("suggest", "plan.txt"), ("check", "m"), ("explain", "move")])
def test_what_is_wrong_with_a_line_of_a_file_names_the_file(
    command: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one whose name begins like what is said of a line."""
    monkeypatch.chdir(tmp_path)
    file = Path(name)
    file.write_text("foo bar\nb1 0805-9999\n", encoding="utf-8")
    done = run(command, "crossroads/start", "--plan", str(file))
    assert done.returncode == 2
    kind = "line" if command == "suggest" else "move"
    places = [line.rpartition(" @ ")[2] for line in done.stderr.splitlines()]
    assert places == [f"{file}: {kind} 'foo bar'", f"{file}: moves[0] (b1 0805-9999)"]


def test_a_destination_that_is_an_attack_goes_by_what_attacks_go_by() -> None:
    twice = PartialPlan(ends=(("a", ("0304",)),), attacks=PartialPlan.parse("a -> 0504(e2)").attacks)
    with pytest.raises(InputError, match="'a' can't make two attacks"):
        planner.complete(beset(), twice)


def test_what_keeps_settled_attacks_from_being_made_is_told() -> None:
    found = planner.complete(beset(), ["a 0101-0102", "a -> 0504"], time_limit=20)
    assert found.status == "infeasible"
    assert found.conflict is not None
    assert list(found.conflict.sentences()) == [
        "Can't be had together:", "  a 0101-0102", "  a -> 0504", "a -> 0504:",
        "  7: a can't attack 0504 from 0102: it must stand beside it",
    ]  # fmt: skip
    for lines, told in (
        (["a -> 0304", "a -> 0504"], "'a' can't make two attacks"),
        (["x -> 0304"], "no unit has the id 'x'"),
        (["a -> 0304 0504"], r"nobody can end there; an attack on several hexes at once is written 0304\+0504"),
    ):
        with pytest.raises(InputError, match=told):
            planner.complete(beset(), lines)


@pytest.mark.parametrize("arrow", ["→", " ⇒ ", "=>", "-->", "—>"])
def test_another_arrow_than_ours_is_told_with_what_to_write(arrow: str) -> None:
    with pytest.raises(InputError, match=r"must be ->; did you mean 'plv -> w5425'\?") as refused:
        PartialPlan.parse([f"plv{arrow}w5425"])
    assert len(refused.value.problems) == 1


def test_a_destination_that_enemies_hold_is_taken_for_an_attack_where_attacks_follow() -> None:
    """In Crossroads, nobody comes into a hex of enemies before attacks are rolled; one of several hexes may be free."""
    scenario = load_scenario("crossroads/start")
    found = PartialPlan.read("be -> 0706", scenario, "here")
    assert (found.ends, str(found)) == ((), "be -> 0706")
    PartialPlan.read("be -> 0706 0605", scenario, "here")


def test_who_stays_may_attack_from_there_as_text_and_as_json_but_go_nowhere() -> None:
    """Where an enemy stands, a destination is an attack, and who makes no move may make one."""
    scenario = position(attack(), {"a": ("4-4-4", "0302"), "e": ("2-2-4", "0303")})

    def read(label: str) -> list[PartialPlan]:
        data = {"format": "planner/plan-1", "moves": [], "end": [{"unit": "a", "at": [label]}], "stay": ["a"]}
        return [
            PartialPlan.read([f"a -> {label}", "a stays"], scenario, "moves"),
            PartialPlan.from_json(data, scenario.game.homes, "moves").meant_in(scenario, "moves"),
        ]

    assert [(one.ends, list(map(str, one.attacks)), one.stays) for one in read("0303")] == [
        ((), ["a -> 0303"], ("a",))
    ] * 2
    with pytest.raises(InputError, match="'a -> 0301' and 'a stays' can't be had together"):
        read("0301")
    data = {"format": "planner/plan-1", "moves": [], "end": [{"unit": "a", "at": ["0301"]}], "stay": ["a"]}
    with pytest.raises(InputError, match="'a -> 0301' and 'a stays' can't be had together"):
        PartialPlan.from_json(data, scenario.game.homes, "moves").meant_in(scenario, "moves")
