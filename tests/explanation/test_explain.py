"""Explanations say no more than is so: each set is enough and no larger than need be, and each remedy works."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

import planner
from planner.errors import InputError
from planner.explanation.answer import Explanation, Reason, Remedy
from planner.explanation.explain import explain_destination, explain_goals, explain_moves, explain_value
from planner.explanation.minimal_conflicts import reason_against
from planner.explanation.move_conflicts import reasons_against
from planner.explanation.move_edits import changed_steps
from planner.explanation.move_remedies import OwnRemedies
from planner.explanation.nearest import nearest_legal
from planner.explanation.parse_question import read_destination, read_value
from planner.explanation.question import Question
from planner.explanation.relaxation import Scope, every_scope, relaxed
from planner.explanation.scenario_changes import changed
from planner.limits import Limits
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.rules.kinds.area_allowance import AreaAllowance
from planner.rules.kinds.minimum_move import MinimumMove
from planner.rules.kinds.movement_points import MovementPoints
from planner.rules.roles import Rolls
from planner.scenario import Scenario, build_scenario, load_scenario
from tests.command import invoke
from tests.conftest import DEEP, long_ones, sized
from tests.laws.test_two_faces import example
from tests.oracles.brute_force import BruteForce
from tests.oracles.islands import islands, random_plan
from tests.oracles.skirmishes import random_sortie, skirmish
from tests.oracles.stacks import random_stack_plan, stacks
from tests.oracles.tiny import tiny
from tests.oracles.trenches import random_march, trenches
from tests.oracles.waiting import random_waiting_plan, waiting

MOVES = sized(4, 14, 400)
"""Illegal moves of each kind of position."""
REMEDIES = sized(1, 3, 100)
GOALS = 100 if DEEP else 3

Example = tuple[Scenario, Plan]


def _land(seed: int) -> Example:
    return example(seed)


def _with(
    draw: Callable[[int], tuple[Scenario, random.Random]], plan: Callable[[Scenario, random.Random], Plan]
) -> Callable[[int], Example]:
    def made(seed: int) -> Example:
        scenario, rng = draw(seed)
        return scenario, plan(scenario, rng)

    return made


SYSTEMS: dict[str, Callable[[int], Example]] = {
    "dai senso by land": _land,
    "dai senso by sea": _with(islands, random_plan),
    "ocs": _with(stacks, random_stack_plan),
    "a world at war": _with(waiting, random_waiting_plan),
    "the great war": _with(trenches, random_march),
    "classic hex": _with(skirmish, random_sortie),
}


def illegal(system: str) -> Iterator[tuple[int, Scenario, Plan]]:
    """Yield plans that are legal but for their last move, or for what they lead to."""
    for seed in range(100_000):
        scenario, plan = SYSTEMS[system](seed)
        violations = Referee(scenario.game).play(plan, scenario.start).violations
        if violations:
            first = next((v.move for v in violations if v.move is not None), len(plan.moves) - 1)
            cut = Plan(plan.moves[: first + 1])
            if not Referee(scenario.game).play(cut, scenario.start).legal:
                yield seed, scenario, cut


def wrong(scenario: Scenario, plan: Plan) -> set[object]:
    """Return what the referee finds wrong with a plan."""
    return {violation.key for violation in Referee(scenario.game).play(plan, scenario.start).violations}


def given(scenario: Scenario, plan: Plan, reason: Reason) -> list[Scope]:
    """Return what a reason takes for granted: some rules speak of what others bring about."""
    found, rules = [], scenario.game.rulebook
    for instance in reason.instances:
        if isinstance(
            rules.by_id.get(instance.rule), (AreaAllowance, MinimumMove)
        ):  # which look at what has been spent
            found += [s for s in every_scope(scenario) if s.pays]
        # Dice may have led to a position after the last move, or to one in which an overrun before it has failed.
        if instance.unit is None or any(move.overruns for move in plan.moves[: instance.move]):
            found += [Scope(rule.id) for rule in rules.of(Rolls)]
    return found


def in_force(scenario: Scenario, plan: Plan, reason: Reason, but: int | None = None) -> Scenario | None:
    """Return a game in which only a reason's instances are in force, one left out; None where they always are."""
    scopes = given(scenario, plan, reason)
    for number, instance in enumerate(reason.instances):
        rule = scenario.game.rulebook.by_id.get(instance.rule)
        if rule is None or rule.always_in_force or instance.hex is None:
            return None
        if number == but:
            continue
        scopes.append(Scope(instance.rule, instance.unit, frozenset([instance.hex])))
        if isinstance(rule, MovementPoints):
            scopes.append(Scope(instance.rule, instance.unit, pays=True))
    return relaxed(scenario, scopes)


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_reason_is_enough_and_no_larger_than_need_be_and_cites_what_the_referee_cites(system: str) -> None:
    """Held against the referee in a game in which only these instances are in force."""
    several = checked = 0
    for seed, scenario, plan in islice(illegal(system), MOVES):
        violations = Referee(scenario.game).play(plan, scenario.start).violations

        reasons, _ = reasons_against(scenario, plan, violations)
        named = {violation.key for violation in violations}
        where = f"seed {seed}: {plan}"
        assert named <= {instance.key for reason in reasons for instance in reason.instances}, where
        for reason in reasons:
            assert reason.confirmed, where
            assert reason.minimal, where
            assert named & {instance.key for instance in reason.instances}, where
            several += len(reason.instances) > 1
            game = in_force(scenario, plan, reason)
            again = any(len(set(move.path)) < len(move.path) for move in plan.moves)
            if game is None or (again and len(reason.instances) > 1):
                continue  # in a relaxed game a rule binds in a hex however often it is entered
            always = wrong(relaxed(scenario, given(scenario, plan, reason)), plan)  # what can't be set aside
            if always & {instance.key for instance in reason.instances}:
                continue  # it says what a step is: an overrun of nobody is none
            checked += 1
            assert wrong(game, plan) - always, where
            for number in range(len(reason.instances)):
                fewer = in_force(scenario, plan, reason, number)
                assert fewer is not None
                assert not wrong(fewer, plan) - always, f"{where}: {reason.instances[number]}"
    print(f"{system}: {checked} sets checked in games of their own, {several} of more than one instance")
    assert checked > MOVES // 4


@pytest.mark.parametrize("system", long_ones(SYSTEMS, "a world at war"))
def test_every_remedy_works_when_it_is_applied(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planner.explanation.move_remedies.MOST_HELPERS", 1)
    for seed, scenario, plan in islice(illegal(system), REMEDIES):
        found = explain_moves(scenario, plan, Limits.within(3.0))
        where = f"seed {seed}: {plan}"
        for remedy in found.remedies:
            game = changed(scenario, remedy.changes)
            assert Referee(game.game).play(remedy.plan, game.start).legal, f"{where}: {remedy}"
            assert sorted(map(str, [*plan.moves, *remedy.moves])) == sorted(map(str, remedy.plan.moves)), where
            for number in range(len(remedy.changes)):  # each change is needed
                fewer = changed(scenario, [*remedy.changes[:number], *remedy.changes[number + 1 :]])
                assert not Referee(fewer.game).play(remedy.plan, fewer.start).legal, f"{where}: {remedy}"
        assert (found.help == "found") == any(remedy.own for remedy in found.remedies)
        if found.help == "none":
            violations = Referee(scenario.game).play(plan, scenario.start).violations
            helped, _ = OwnRemedies(scenario, plan, violations).find()
            assert not helped.named, f"{where}: {helped}"


@pytest.mark.parametrize("system", long_ones(SYSTEMS, "a world at war"))
def test_the_nearest_legal_plan_is_legal_and_no_plan_that_is_plainly_nearer_is(system: str) -> None:
    """Plainly nearer: with one move left out or cut short, or in another place."""
    for seed, scenario, plan in islice(illegal(system), REMEDIES):
        found = nearest_legal(scenario, plan, Limits.within(1.0))
        if found is None:
            assert not Referee(scenario.game).play(Plan(), scenario.start).legal
            continue
        where = f"seed {seed}: {plan}: {found}"
        assert Referee(scenario.game).play(found.plan, scenario.start).legal, where
        if not found.fewest_moves:
            continue
        for index, move in enumerate(plan.moves):
            rest = [*plan.moves[:index], *plan.moves[index + 1 :]]
            near = [(rest, len(move.path) - 1)]
            near += [([*rest[:place], move, *rest[place:]], 0) for place in range(len(plan.moves)) if place != index]
            for moves, steps in near:
                if Referee(scenario.game).play(Plan(tuple(moves)), scenario.start).legal:
                    assert found.moves == 1, where
                    assert not found.fewest_steps or found.steps <= steps, where


def test_steps_that_are_changed_are_counted_like_letters_of_words() -> None:
    move = planner.Move.parse("u 0101-0102-0103x0104")
    # One step less; one step otherwise; two steps more and one less.
    assert changed_steps(move, planner.Move.parse("u 0101-0102-0103")) == 1
    assert changed_steps(move, planner.Move.parse("u 0101-0102-0103-0104")) == 1
    assert changed_steps(move, planner.Move.parse("u 0101-0102-0202-0203-0103")) == 3
    assert changed_steps(move, move) == 0


# -- destinations, goals and values


def cited(found: Explanation) -> set[tuple[str, str | None, str | None]]:
    [reason] = found.reasons
    assert reason.confirmed
    assert reason.minimal
    return {(instance.paragraph, instance.unit, instance.hex) for instance in reason.instances}


@pytest.fixture(scope="module")
def manchuria() -> Scenario:
    return load_scenario("dai_senso/manchuria")


@pytest.mark.thorough
def test_an_army_cannot_enter_a_hex_for_three_reasons_that_are_all_needed(manchuria: Scenario) -> None:
    """By hand: w5526 holds the 4th Army, which has two steps; were the infantry able to overrun, it could clear the hex."""
    found = explain_destination(manchuria, read_destination(manchuria, "plv to w5526"))
    assert found.status == "forbidden"
    assert cited(found) == {("3.1.4", "plv", "w5526"), ("3.2", "plv", "w5526"), ("3.2", "inf", "w5526")}
    assert [str(remedy) for remedy in found.remedies] == ["if kwantung4 were not there"]


@pytest.mark.thorough
def test_a_destination_that_needs_help_names_what_forbids_it_without_and_whose_move_helps(manchuria: Scenario) -> None:
    """By hand: from w5425 the EZOC of the 4th Army bars the way, from w5526 that of Hailar too; and MP bar every detour."""
    found = explain_destination(manchuria, read_destination(manchuria, "plv to w5426"))
    assert found.status == "with_help"
    assert found.help == "found"
    assert {paragraph for paragraph, _, _ in cited(found)} == {"3.1", "3.1.1"}
    assert str(found.remedies[0]) == "if inf first moves to w5425"
    assert found.remedies[0].fewest


def test_a_value_that_can_be_had_is_possible_and_comes_with_a_plan(manchuria: Scenario) -> None:
    found = explain_value(manchuria, read_value(manchuria, "1, -23"))
    assert found.status == "possible"
    assert found.plan is not None
    assert len(found.plan.moves) == 2


@pytest.mark.thorough
def test_what_forbids_a_goal_forbids_it_by_brute_force_too() -> None:
    """Small positions: with just the reason in force no plan fulfils the goal; with any instance left out one does."""
    checked = several = 0
    for seed in range(1_000):
        scenario = tiny(seed)
        [goal] = scenario.requirements
        plain = replace(scenario, requirements=())
        if BruteForce(scenario).run() is not None:
            continue
        found = explain_goals(plain, [goal], Limits.within(30.0))
        assert found.status == "forbidden", f"seed {seed}"
        [reason] = found.reasons
        assert reason.confirmed, f"seed {seed}"
        assert reason.minimal, f"seed {seed}"
        scopes = [
            Scope(i.rule, i.unit, pays=True) if i.hex is None else Scope(i.rule, i.unit, frozenset([i.hex]))
            for i in reason.instances
        ]
        assert BruteForce(relaxed(scenario, scopes)).run() is None, f"seed {seed}"
        for number in range(len(scopes)):
            fewer = [*scopes[:number], *scopes[number + 1 :]]
            assert BruteForce(relaxed(scenario, fewer)).run() is not None, f"seed {seed}: {number}"
        for remedy in found.remedies:
            assert BruteForce(changed(scenario, remedy.changes)).run() is not None, f"seed {seed}: {remedy}"
        several += len(scopes) > 1
        checked += 1
        if checked == GOALS:
            break
    print(f"{checked} goals, {several} of them forbidden by several instances together")
    assert checked == GOALS


@pytest.mark.parametrize("system", SYSTEMS)
def test_with_everything_in_force_a_relaxed_game_is_the_game_itself(system: str) -> None:
    for seed in range(40 if DEEP else 20):
        scenario, plan = SYSTEMS[system](seed)
        game = relaxed(scenario, every_scope(scenario))
        told = Referee(game.game).play(plan, game.start).violations
        assert told == Referee(scenario.game).play(plan, scenario.start).violations, f"seed {seed}"


# -- the command line


def run(*words: str) -> tuple[int, str]:
    result = invoke(*words)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


def test_explaining_on_the_command_line_names_rule_blame_and_remedy() -> None:
    code, text = run("explain", "dai_senso/manchuria", "plv w5525-w5425xw5426")
    assert code == 1
    assert "3.1: plv must stop in w5425: EZOC of kwantung4" in text
    assert "if inf first moves to w5425" in text
    assert "if kwantung4 were not there" in text


def test_an_explanation_as_json_has_hexes_units_and_rules() -> None:
    code, text = run("explain", "dai_senso/manchuria", "plv w5525-w5425xw5426", "--json")
    found = json.loads(text)
    assert code == 1
    assert found["format"] == "planner/explanation-1"
    assert (found["hexes"], found["units"], found["rules"]) == (["w5425"], ["plv", "kwantung4"], ["3.1"])


def test_legal_moves_need_no_explanation() -> None:
    assert run("explain", "dai_senso/manchuria", "inf w5525-w5425")[0] == 0


def test_an_illegal_plan_is_checked_with_the_nearest_legal_one_unless_that_is_switched_off() -> None:
    """By hand: the army may stay in w5425, one step less."""
    code, text = run("check", "dai_senso/manchuria", "plv w5525-w5425xw5426")
    assert code == 1
    assert "Nearest legal plan (1 move and 1 step changed; proved nearest):\n  1.  plv w5525-w5425\n" in text
    assert "Nearest" not in run("check", "dai_senso/manchuria", "plv w5525-w5425xw5426", "--no-nearest")[1]
    found = json.loads(run("check", "dai_senso/manchuria", "plv w5525-w5425xw5426", "--json")[1])
    assert found["nearest"]["plan"] == ["plv w5525-w5425"]


@pytest.mark.parametrize(
    "words",
    [[], ["plv to x"], ["nobody to w5426"], ["plv to w5426", "inf to w5425"], ["inf w5525-w5425", "--value", "1"]]
    + [["--require", text] for text in ("foo", "hold x", "eliminate inf", "{kind=3}", "{", "odds 0:1 inf111")]
    + [["--value", text] for text in ("x", "1,2,3", "", "1e99999999", "1/0")],
)
def test_what_cannot_be_asked_is_refused(words: list[str]) -> None:
    with pytest.raises(InputError):
        run("explain", "dai_senso/manchuria", *words)


@pytest.mark.thorough
def test_no_remedy_wishes_away_the_enemy_that_is_to_be_eliminated() -> None:
    for asked in ({"require": ["eliminate hailar"]}, {"value": "2"}):
        found = planner.explain("dai_senso/manchuria", None, **asked)
        told = {change.what for remedy in found.remedies for change in remedy.changes if change.kind == "gone"}
        assert told.isdisjoint({"hailar", "kwantung4", "inf111"}), asked


# -- remedies in words, other ground, what decides, and who stops it


def test_a_remedy_is_first_only_where_it_comes_before_what_is_asked_about() -> None:
    asked, other, third = (planner.Move.parse(f"{unit} 0101-0102") for unit in ("a", "b", "c"))
    told = {
        order: str(Remedy((other,), (), Plan(order), True))
        for order in ((other, asked, third), (asked, other, third), (asked, third, other))
    }
    assert list(told.values()) == [
        "if b first moves to 0102",
        "if b moves to 0102 before c moves",
        "if b moves to 0102 afterwards",
    ]
    over = planner.Move.parse("b 0101x0102")
    orders = ((over, asked, third), (asked, over, third), (asked, third, over))
    assert [str(Remedy((over,), (), Plan(order), True)) for order in orders] == [
        "if b first moves to 0102, overrunning it",
        "if b moves to 0102, overrunning it, before c moves",
        "if b moves to 0102 afterwards, overrunning it",
    ]


def test_the_moves_that_are_asked_about_are_no_help_for_themselves() -> None:
    for seed, scenario, plan in islice(illegal("classic hex"), 5):
        found = explain_moves(scenario, plan, Limits.within(3.0))
        for remedy in found.remedies:
            assert not set(remedy.moves) & set(plan.moves), f"seed {seed}: {remedy}"


@pytest.mark.parametrize(
    ("scenario", "move", "remedy"),
    [
        # By hand: a defender in rough terrain has a column shift, and nothing that the infantry can do changes the ground.
        ("dai_senso/manchuria", "plv w5525xw5625", "if w5625 were clear"),
        # By hand: a lake is prohibited to everybody.
        ("classic_hex/no_way_out", "y 0407-0406-0506", "if 0506 were"),
        # By hand: the waterway is prohibited to infantry, and the hex is within reach.
        ("great_war/over_the_top", "inf6 F7-E8-E9", "if E9 were"),
    ],
)
def test_ground_that_bars_a_move_is_named_as_what_would_have_to_be_different(
    scenario: str, move: str, remedy: str
) -> None:
    code, text = run("explain", scenario, move)
    assert code == 1
    assert remedy in text


def _row(hexsides: dict[str, list[str]], fortress: bool = False) -> Scenario:
    """Return three clear hexes in a row, an army of two MP in the first, and in the third, if it is a fortress, an enemy."""
    hexes: dict[str, dict[str, object]] = {f"w{number}": {"terrain": "clear"} for number in (3020, 3021, 3022)}
    units = [{"id": "tank", "side": "soviet", "type": "tank", "values": "3-3-2", "steps": 2, "at": "w3020"}]
    if fortress:
        hexes["w3021"]["traits"] = ["fortress"]
        units.append({"id": "enemy", "side": "axis", "type": "infantry", "values": "1-1-1", "steps": 1, "at": "w3021"})
    data = {
        "format": "planner/scenario-1",
        "model": "dai_senso",
        "phase": "operational_movement",
        "phasing": "soviet",
        "map": {"hexes": hexes, "hexsides": hexsides},
        "unit": units,
    }
    return build_scenario(data, "a row of hexes")


@pytest.mark.parametrize(
    ("game", "move", "remedy"),
    [
        # By hand: 1 MP for the first hex, 1 and 1 more across the river for the second, out of 2.
        (
            _row({"river": ["w3021 w3022"]}),
            "tank w3020-w3021-w3022",
            "if there were no river hexside between w3021 and w3022",
        ),
        # By hand: nobody crosses such a hexside, whatever MP it has.
        (
            _row({"barred": ["w3020 w3021"]}),
            "tank w3020-w3021",
            "if there were no barred hexside between w3020 and w3021",
        ),
        # By hand: a fortress shifts a column for whoever defends it; nothing else protects a lone unit of one step.
        (_row({}, fortress=True), "tank w3020xw3021", "if w3021 did not count as fortress"),
    ],
)
def test_without_a_river_or_without_a_trait_of_the_hex_a_move_would_be_legal(
    game: Scenario, move: str, remedy: str
) -> None:
    found = explain_moves(game, Plan.parse(move))
    told = {str(one): one for one in found.remedies}
    assert remedy in told
    other = changed(game, told[remedy].changes)
    assert Referee(other.game).play(Plan.parse(move), other.start).legal


def test_without_the_river_a_unit_would_get_where_it_is_to_go() -> None:
    """By hand: as above, asked of the destination."""
    game = _row({"river": ["w3021 w3022"]})
    found = explain_destination(game, read_destination(game, "tank to w3022"))
    assert found.status == "forbidden"
    assert "if there were no river hexside between w3021 and w3022" in map(str, found.remedies)


def test_what_a_table_decides_is_a_reason_where_it_is_the_cause() -> None:
    """By hand: whoever has fought goes no further, so that x gets to 0405 at most while y stays."""
    scenario = load_scenario("classic_hex/no_way_out")
    goal = read_destination(scenario, "x to 0406")
    question = Question((goal,), movers=("x",))
    reason = reason_against(scenario, question)
    assert reason is not None
    assert reason.confirmed
    assert ("3.3", "x", "0405") in {(i.paragraph, i.unit, i.hex) for i in reason.instances}


def test_who_is_stopped_says_so_and_names_what_is_known() -> None:
    stop = threading.Event()
    stop.set()
    found = planner.explain("great_war/over_the_top", None, require="hold D9", stop=stop)
    assert found.interrupted
    assert not found.complete
    assert found.status == "unknown"
    assert found.obstacles  # what one try breaks: unit, hex and rule
    moves = planner.explain("dai_senso/manchuria", "plv w5525-w5425xw5426", stop=stop)
    assert moves.interrupted
    assert [i.key for i in moves.instances] == [("3.1", "plv", 0, 1, "w5425")]


def test_a_seed_and_threads_may_be_given_and_the_answer_is_the_same() -> None:
    plain = run("explain", "dai_senso/manchuria", "plv w5525-w5425xw5426", "--json")
    other = run("explain", "dai_senso/manchuria", "plv w5525-w5425xw5426", "--json", "--seed", "3", "--workers", "2")
    one, two = (json.loads(text) for _, text in (plain, other))
    assert {**one, "seconds": 0} == {**two, "seconds": 0}


def on_a_track(*units: tuple[str, str], **more: Any) -> Scenario:
    data = {
        "format": "planner/scenario-1",
        "model": "great_war",
        "phase": "movement",
        "phasing": "allied",
        "orders": {"left": 1},
        "map": {"hexes": {"E1 E2 E3": {"terrain": "countryside", "traits": "left"}}},
        "unit": [{"id": unit, "side": "allied", "type": "infantry", "at": at} for unit, at in units],
        "tier": [{"terms": [{"kind": "hold", "hexes": "E3"}]}],
    }
    return build_scenario(data | more, "track")


def test_a_friend_in_the_way_who_has_no_order_left_may_be_wished_away() -> None:
    # b stands between a and E3 with one order for both: without b, a gets there.
    found = planner.explain(on_a_track(("a", "E1"), ("b", "E2")), "a to E3")
    assert found.status == "forbidden"
    assert any(change.kind == "gone" and change.what == "b" for remedy in found.remedies for change in remedy.changes)
    assert planner.check(on_a_track(("a", "E1")), "a E1-E2-E3").legal


def test_whoever_is_alone_is_told_that_nobody_else_can_help() -> None:
    # Three hexes with an MA of 2: nobody else is there to make any difference.
    found = planner.explain(on_a_track(("a", "E1")), "a E1-E2-E1-E2")
    assert (found.status, found.help) == ("forbidden", "none")


def test_fewest_is_said_of_moves_only_where_as_few_units_are_as_few_moves() -> None:
    # Two moves do: panzer L10-L11-M12, then both M12-L12xL13. The search counts units, and comes to three moves.
    found = planner.explain("a_world_at_war/puzzles/through_the_gap", "corps to L14")
    others = [remedy for remedy in found.remedies if remedy.own]
    two = ["panzer L10-L11-M12", "panzer+motorized M12-L12xL13", "corps L11-L12-L13-L14"]
    assert planner.check("a_world_at_war/puzzles/through_the_gap", two).legal
    assert others
    assert all(not remedy.fewest or len(remedy.moves) <= 2 for remedy in others)


def test_orders_that_run_out_are_a_reason_for_all_who_would_need_one() -> None:
    # Two hexes ahead are to be held: b goes on and a follows, with one order for both; or a passes b, who stands there.
    found = planner.explain(on_a_track(("a", "E1"), ("b", "E2")), require=["hold E2", "hold E3"])
    [reason] = found.reasons
    assert found.status == "forbidden"
    assert reason.minimal
    assert reason.confirmed
    assert sorted((one.rule, one.unit) for one in reason.instances) == [
        ("one_unit_a_hex", "a"),
        ("orders", "a"),
        ("orders", "b"),
    ]
