"""Plans that react, however little time there is: always a way of playing that is legal, and a bound that holds."""

from __future__ import annotations

import threading
import tomllib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.cli.policy_output import print_policy
from planner.limits import Limits
from planner.plans.plan import Plan
from planner.plans.policy import Branch, Node
from planner.scenario import Scenario, build_scenario
from planner.search.adaptive import adapt
from planner.search.asking_again import AskingAgain
from planner.search.policy import Estimate
from planner.search.policy_judge import judge_policy
from planner.search.result import Progress, Result
from planner.search.search import Search
from tests.oracles.made_up import BAR
from tests.plain_game import JOINT, Variant, build

LOOK_FIRST = Fraction(475, 144)
"""What the best way of playing ocs/look_first is worth."""


def judged(name: str, found: planner.Policy) -> None:
    """Hold a policy against the referee, and its bound against what it is worth."""
    assert found.root is not None
    verdict = judge_policy(planner.load(name), found.root)
    assert verdict.legal
    assert verdict.value == found.value
    assert found.fixed <= found.value <= found.bound


@pytest.mark.parametrize("seconds", [0.0, 0.05])
@pytest.mark.parametrize("name", ["ocs/look_first", "classic_hex/three_battles", "great_war/over_the_top"])
def test_without_time_there_is_still_a_way_of_playing(name: str, seconds: float) -> None:
    judged(name, planner.suggest(name, adaptive=True, time_limit=seconds))


def test_the_best_fixed_plan_is_searched_for_first_and_with_nearly_all_of_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[float] = []

    class Searching(Search):
        def __init__(self, scenario: planner.Scenario, limits: Limits, *more: Any) -> None:
            given.append(limits.left() or 0)
            super().__init__(scenario, limits, *more)

    monkeypatch.setattr("planner.search.adaptive.Search", Searching)
    for name in ("steps_first", "steps", "steps_again", "situations"):
        monkeypatch.setattr(f"planner.solver.tuning.Adapting.{name}", 0)
    planner.suggest("ocs/look_first", adaptive=True, time_limit=90)
    assert 80 < given[0] <= 81


@pytest.mark.parametrize("proved", [True, False])
def test_the_fixed_plan_is_called_the_best_only_where_that_is_proved(
    proved: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every step is tried in no time, and the fixed plan is called what it is known to be."""

    class Hurried(Search):
        def run(self) -> Result:
            found = super().run()
            return found if proved else replace(found, status="feasible")

    monkeypatch.setattr("planner.search.adaptive.Search", Hurried)
    found = planner.suggest("ocs/look_first", adaptive=True)
    assert (found.status, found.value, found.fixed) == ("optimal", (LOOK_FIRST,), (Fraction(25, 12),))
    print_policy(found)
    known = "" if proved else "known "
    assert f"The best plan {known}that is fixed in advance is worth 2 1/12." in capsys.readouterr().out


@pytest.mark.parametrize("work", [0.01, 0.1])
@pytest.mark.parametrize("name", ["ocs/look_first", "great_war/puzzles/tank_first"])
def test_a_plan_that_reacts_is_worth_no_less_than_the_fixed_one_after_the_same_work(name: str, work: float) -> None:
    """Work is measured by no clock: to equal limits, both find the same fixed plan."""
    scenario = planner.load(name)
    fixed = Search(scenario, Limits().of_work(work)).run()
    found = adapt(scenario, Limits().of_work(work))
    assert found.value >= fixed.value
    assert found.fixed >= fixed.value


def test_who_needs_nothing_of_a_roll_moves_after_it_though_the_fixed_plan_has_him_first() -> None:
    """The rearguard goes back, 1, and the van tries, 5/12 of 1; if that succeeds, the rearguard could go through, for 3."""
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"10.08 10.09 10.10 10.11 10.12": "open"}},
        "unit": [
            {"id": "van", "side": "axis", "type": "tank", "values": "8-4-3", "at": "10.10"},
            {"id": "rear", "side": "axis", "type": "tank", "values": "8-4-3", "at": "10.09"},
            {"id": "e", "side": "allied", "type": "infantry", "values": "2-4-2", "at": "10.11"},
        ],
        "tier": [
            {
                "terms": [
                    {"kind": "eliminate", "units": ["e"]},
                    {"kind": "hold", "hexes": "10.08", "weight": 1},
                    {"kind": "hold", "hexes": "10.12", "weight": 3},
                ]
            }
        ],
    }
    scenario = build_scenario(data, "a rearguard")
    asking = AskingAgain(scenario, lambda _: None, lambda now, limits: Search(now, limits).run().plan, Limits())
    plan = Plan.parse(["rear 10.09-10.08", "van 10.10x10.11"])
    asking.begin(plan, (Fraction(17, 12),))
    asking.grow(lambda _: None, 10)
    found = asking.root.node()
    assert judge_policy(scenario, found).value == found.value == (Fraction(9, 4),)


def test_what_asking_again_comes_to_is_passed_over_where_the_fixed_plan_is_worth_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("steps_first", "steps", "steps_again"):
        monkeypatch.setattr(f"planner.solver.tuning.Adapting.{name}", 0)
    monkeypatch.setattr("planner.search.asking_again.TreeNode.node", lambda _: Node((), (), (Fraction(0),)))
    found = planner.suggest("ocs/look_first", adaptive=True)
    assert found.value == found.fixed == (Fraction(25, 12),)
    judged("ocs/look_first", found)


@pytest.mark.parametrize(("longer", "status"), [(8, "optimal"), (1, "feasible")])
def test_every_step_is_tried_once_more_where_there_is_time_left_in_the_end(
    longer: int, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that can be tried are 401 steps; those that have been settled aren't tried again."""
    for name, value in {"steps_first": 50, "steps": 60, "steps_again": 0, "longer": longer}.items():
        monkeypatch.setattr(f"planner.solver.tuning.Adapting.{name}", value)
    found = planner.suggest("ocs/look_first", adaptive=True)
    assert found.status == status
    assert ("too many situations" in found.reason) == (longer == 1)


def test_who_stops_it_gets_the_best_so_far() -> None:
    stop = threading.Event()
    stop.set()
    found = planner.suggest("ocs/look_first", adaptive=True, stop=stop)
    assert (found.status, found.interrupted, found.value) == ("feasible", True, (0,))
    assert found.reason.startswith("It was stopped")
    judged("ocs/look_first", found)


def test_who_stops_it_once_a_plan_with_attacks_is_known_gets_that_plan() -> None:
    stop = threading.Event()

    def tell(progress: Progress) -> None:
        if progress.plan is not None and progress.plan.attacks:
            stop.set()

    found = planner.suggest("crossroads/bridge", adaptive=True, on_progress=tell, stop=stop)
    assert (found.status, found.interrupted) == ("feasible", True)
    assert found.value[0] > 0
    judged("crossroads/bridge", found)


@pytest.mark.parametrize("number", [1, 2])
def test_what_is_told_of_a_plan_with_attacks_is_what_it_comes_to_roll_by_roll(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fixed in advance it counts 5/6 of a hex that may be entered (4:1 is DR, DR, DR, EX, DE, DE), and enters none: 0."""
    for name in ("steps_first", "steps", "steps_again"):
        monkeypatch.setattr(f"planner.solver.tuning.Adapting.{name}", 0)
    unit = {"type": "infantry", "side": "blue", "id": "b", "values": "4-4-4", "at": "0101"}
    data = {
        "format": "planner/scenario-1",
        "model": "crossroads",
        "phase": "movement",
        "phasing": "blue",
        "map": {"origin": "0101", "rows": "....\n....\n....\n....", "boxes": {"eliminated": {}}},
        "unit": [unit, {**unit, "side": "red", "id": "r", "values": "1-1-4", "at": "0202"}],
        "tier": [{"terms": [{"kind": "taken"}]}, {"terms": [{"kind": "units_moved"}]}],
    }
    stop, told = threading.Event(), list[Progress]()

    def tell(progress: Progress) -> None:
        told.append(progress)
        if len(told) == number:
            stop.set()

    found = planner.suggest(planner.Scenario.from_dict(data), adaptive=True, on_progress=tell, stop=stop)
    assert told
    assert all(one.plan_value <= found.value for one in told)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_progress_tells_what_is_to_be_had_and_may_be_stopped(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what it is told, no value is above the best way of playing, and no bound below it."""
    for name in ("steps_first", "steps", "steps_again"):
        monkeypatch.setattr(f"planner.solver.tuning.Adapting.{name}", 0)
    stop, told = threading.Event(), list[Progress]()

    def tell(progress: Progress) -> None:
        told.append(progress)
        if len(told) == number:
            stop.set()

    found = planner.suggest("ocs/look_first", adaptive=True, on_progress=tell, stop=stop)
    assert len(told) >= number
    for one in told:
        assert one.value is not None and one.bound is not None  # noqa: PT018
        assert one.value <= LOOK_FIRST <= one.bound
    assert found.interrupted
    assert told[number - 1].value is not None
    assert found.value[0] >= told[number - 1].value
    judged("ocs/look_first", found)


def test_a_partial_plan_does_not_go_with_a_plan_that_reacts() -> None:
    with pytest.raises(planner.InputError, match="use after @ partial"):
        planner.suggest("ocs/look_first", adaptive=bool(1), partial="first stays")  # type: ignore[call-overload]


@pytest.fixture
def too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be settled by trying every step, and only the first roll be written out."""
    for name, number in (("steps_first", 0), ("steps", 0), ("steps_again", 0), ("situations", 1)):
        monkeypatch.setattr(f"planner.solver.tuning.Adapting.{name}", number)


@pytest.mark.thorough
@pytest.mark.usefixtures("too_large")
def test_a_policy_too_large_to_be_written_out_is_a_rule_whose_value_is_estimated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both its exact value, cut short, and the interval of the rule are told; the rule's value is known from all of it."""
    cut = planner.suggest("ocs/two_overruns", adaptive=True)
    judged("ocs/two_overruns", cut)
    assert cut.reason.endswith("again in the likeliest situations, and goes on as it is in the others.")
    assert cut.rule is not None
    assert cut.rule == planner.suggest("ocs/two_overruns", adaptive=True).rule  # the same seed, the same dice
    monkeypatch.setattr("planner.solver.tuning.Adapting.situations", 1_000)
    whole = planner.suggest("ocs/two_overruns", adaptive=True)
    assert whole.rule is None
    assert cut.value <= whole.value
    assert cut.rule.low <= whole.value[0] <= cut.rule.high
    assert cut.rule.plays == 200


@pytest.mark.usefixtures("too_large")
def test_nothing_is_estimated_from_few_plays_or_plays_that_are_all_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planner.solver.tuning.Adapting.plays", 20)
    assert planner.suggest("ocs/two_overruns", adaptive=True).rule is None
    assert Estimate.of([Fraction(1)] * 100) is None
    assert Estimate.of([Fraction(0), Fraction(2)] * 50) == Estimate(1.0, 0.803, 1.197, 100)


def test_what_attacks_must_bring_on_average_is_no_requirement_of_a_plan_that_reacts() -> None:
    """It would go unanswered: that is said, rather than a value without it."""
    where = planner.load("crossroads/start").where
    data = tomllib.loads(Path(where).read_text(encoding="utf-8"))
    data["require"] = [{"kind": "enemy_losses", "at_least": 1}]
    del data["answer"]
    scenario = build_scenario(data, where)
    with pytest.raises(planner.InputError, match="can't be held to what attacks bring on average"):
        planner.suggest(scenario, adaptive=True)
    with pytest.raises(planner.InputError, match="can't be held to what attacks bring on average"):
        judge_policy(scenario, Node(()))


@pytest.fixture(params=[True, False], ids=["every step", "asking again"])
def stepwise(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether every step is tried."""
    if not request.param:
        for name in ("steps_first", "steps", "steps_again"):
            monkeypatch.setattr(f"planner.solver.tuning.Adapting.{name}", 0)
    return bool(request.param)


def test_whose_move_ends_with_a_failure_says_beforehand_how_often_he_tries(stepwise: bool, tmp_path: Path) -> None:
    """The hex of e is tried twice, at 1/2 and for 1 MP each, and then g goes through it for 4 MP: 3/4 of 2, and of 4 MP."""
    rules, rows = f"{JOINT}by = {{ types = 'foot' }}\nattempts = 2\n{BAR}unless_overrun = true\n", "~ ~ . ~ ~\n" * 6
    lake, units = 'terrain.lake = { symbol = "~", prohibited = true }\n', ("foot f 03.02 2", "scout g 03.01 4")
    variant = Variant("tries", rules, lake, units, ("foot e 03.03",), rows)
    goals = [{"kind": "eliminate", "units": ["e"]}, {"kind": "hold", "hexes": "03.05"}]
    scenario = build(variant, tmp_path).with_objective([{"terms": goals}, {"terms": [{"kind": "mp_spent"}]}])
    found = planner.suggest(scenario, adaptive=True)
    assert found.root is not None
    assert found.root.moves == Plan.parse("f 03.02x03.03*2").moves
    assert found.value == (Fraction(3, 2), Fraction(-5))
    assert judge_policy(scenario, found.root).value == found.value
    assert found.status == ("optimal" if stepwise else "feasible")


FERRY = '[[rule]]\nid = "ferry"\nkind = "transport"\nparagraph = "ferry"\ntakes = 1\nprocedure = "hex_to_hex"\n'
FERRY += 'embark = [{ traits = "port" }]\ndebark = [{ traits = "port" }]\n'
SEA = 'zones.sea = "01.01 05.01"\n'


@pytest.mark.parametrize("side", ["", "north", "south"])
def test_every_step_is_tried_whether_or_not_carriers_are_there(side: str, tmp_path: Path) -> None:
    """Unit f overruns e, at 1/2, and goes on if that goes through: 1/2 of 2, which no simple bound proves."""
    boat = f'[[marker]]\ntype = "boat"\nside = "{side}"\nzone = "sea"\n' if side else ""
    variant = Variant("ferry", JOINT + FERRY, units=("foot f 03.02 2",), enemies=("foot e 03.03",), hexsides=SEA + boat)
    goals = [{"kind": "eliminate", "units": ["e"]}, {"kind": "hold", "hexes": "03.04"}]
    scenario = build(variant, tmp_path).with_objective([{"terms": goals}, {"terms": [{"kind": "mp_spent"}]}])
    found = planner.suggest(scenario, adaptive=True)
    assert (found.status, found.value[0], found.reason) == ("optimal", 1, "")


def test_whoever_may_not_stop_where_it_gets_through_goes_on_as_planned(tmp_path: Path) -> None:
    """Nobody may end a move in the town of e: f overruns it, at 1/2, and goes on in the same move."""
    rule = '[[rule]]\nid = "narrow"\nkind = "stacking"\nparagraph = "narrow"\nwhen = "move"\n'
    rules = f'{rule}limits = [{{ where = {{ terrain = "town" }}, units = 0 }}]\n{BAR}unless_overrun = true\n{JOINT}'
    variant = Variant("narrow", rules, units=("foot f 03.02 2",), enemies=("foot e 03.03",))
    built = build(replace(variant, rows=". . . . .\n" * 2 + ". . t . .\n" + ". . . . .\n" * 3), tmp_path)
    scenario = built.with_objective([{"terms": [{"kind": "hold", "hexes": "03.04"}]}])
    found = planner.suggest(scenario, adaptive=True)
    assert found.root is not None
    assert found.value == (Fraction(1, 2),)
    assert judge_policy(scenario, found.root).value == found.value


def narrow(folder: Path) -> Scenario:
    """Return a position in which f, wanted at 03.04, overruns e, at 1/2, and s is wanted at 03.05, or rather less in 02.01.

    Whoever is in the town of e goes on. Nobody but f overruns anybody, and s gets to 03.05 through the town alone.
    """
    rule = '[[rule]]\nid = "narrow"\nkind = "stacking"\nparagraph = "narrow"\nwhen = "move"\n'
    rules = f'{rule}limits = [{{ where = {{ terrain = "town" }}, units = 0 }}]\n{BAR}unless_overrun = true\n'
    lake = 'terrain.lake = { symbol = "~", prohibited = true }\n'
    units, rows = ("foot f 03.02 2", "scout s 03.01 4"), "~ . . ~ ~\n~ ~ . ~ ~\n~ ~ t ~ ~\n" + "~ ~ . ~ ~\n" * 3
    joint = f"{JOINT}by = {{ types = 'foot' }}\n"
    built = build(Variant("narrow", rules + joint, lake, units, ("foot e 03.03",), rows), folder)
    goals = [{"kind": "end", "unit": "s", "at": at, "weight": n} for at, n in (("03.05", 3), ("02.01", 1))]
    return built.with_objective([{"terms": [*goals, {"kind": "end", "unit": "f", "at": "03.04"}]}])


def test_what_is_rolled_for_where_nobody_may_stop_is_reacted_to_once_the_move_is_over(tmp_path: Path) -> None:
    """1/2 of 3 + 1 and 1/2 of 1; fixed in advance 1/2 of 1, and 1, since nobody may rely on 1/2."""
    found = planner.suggest(narrow(tmp_path), adaptive=True)
    assert (found.status, found.value, found.fixed) == ("optimal", (Fraction(5, 2),), (Fraction(3, 2),))
    assert found.root is not None
    assert found.root.moves == Plan.parse("f 03.02x03.03-03.04").moves
    assert [str(branch.made[0]) for branch in found.root.branches] == ["f 03.02x03.03-03.04", "f 03.02!03.03"]
    told = ["if it goes through", "if it fails in 03.03"]
    assert [branch.told(found.root.rolls) for branch in found.root.branches] == told
    assert judge_policy(narrow(tmp_path), found.root).value == found.value


def test_who_waits_for_a_roll_where_nobody_may_stop_is_told_to_get_there_by_chance(tmp_path: Path) -> None:
    """It was called impossible, proved, where 1 of 2 is to be had."""
    found = planner.explain(narrow(tmp_path), "s to 03.05")
    assert found.reacting is not None
    assert found.reacting.probability == Fraction(1, 2)


def test_a_branch_for_a_move_that_goes_through_or_fails_late_says_both() -> None:
    move = Plan.parse(["f 03.01x03.02x03.03-03.04"]).moves[0]
    made = Plan.parse([str(move), "f 03.01x03.02!03.03", "f 03.01!03.02"]).moves
    for some, told in ((made[:2], "goes through, or fails in 03.03"), (made[1:], "fails in 03.03 or 03.02")):
        assert Branch(some, Fraction(1, 2), Node(())).told(move) == f"if it {told}"


@pytest.mark.parametrize(("result", "value"), [("f 03.02x03.03-03.04", 4), ("f 03.02!03.03", 1)])
def test_who_may_not_stop_where_it_gets_through_goes_on_in_play(result: str, value: int, tmp_path: Path) -> None:
    game = planner.Position(narrow(tmp_path))
    game.push("f 03.02x03.03-03.04")
    assert [str(one.move) for one in game.outcomes] == ["f 03.02x03.03-03.04", "f 03.02!03.03"]
    game.roll(result=result)
    assert game.suggest().value == (value,)


@pytest.mark.parametrize(
    ("enemy", "most", "value"), [("03", 1, 0), ("03", 2, Fraction(1, 2)), ("04", 1, Fraction(1, 2))]
)
def test_nobody_rolls_where_it_may_not_stay_if_that_fails(
    enemy: str, most: int, value: Fraction, tmp_path: Path
) -> None:
    """Unit f goes past h, and overruns e at 1/2: beside h there has to be room for it, if it overruns from there."""
    rule = '[[rule]]\nid = "room"\nkind = "stacking"\nparagraph = "room"\nwhen = "move"\n'
    rules = f"{rule}limits = [{{ units = {most} }}]\n{BAR}unless_overrun = true\n{JOINT}"
    lake, units = 'terrain.lake = { symbol = "~", prohibited = true }\n', ("foot f 03.01 4", "foot h 03.02 0")
    variant = Variant("room", rules, lake, units, (f"foot e 03.{enemy}",), "~ ~ . ~ ~\n" * 6)
    goal = [{"terms": [{"kind": "eliminate", "units": ["e"]}]}]
    found = planner.suggest(build(variant, tmp_path).with_objective(goal), adaptive=True)
    assert (found.status, found.value) == ("optimal", (value,))


def test_what_may_be_tried_again_for_nothing_without_end_has_no_best_way_that_is_proved(tmp_path: Path) -> None:
    """Unit f overruns e for 0 MP, at 1/2, as often as it likes, and else moves for 1 MP: after two failures -1/4."""
    rules = f"{JOINT}after_failure = 'go_on'\nprice = 0\n"
    variant = Variant("free", rules, units=("foot f 03.02 2",), enemies=("foot e 03.03",), turns="waiting = {}\n")
    found = planner.suggest(build(variant, tmp_path), adaptive=True)
    assert found.status == "feasible"
    assert found.bound == (3, 0)
