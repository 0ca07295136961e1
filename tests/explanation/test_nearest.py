"""The legal plan nearest to an illegal one, against every legal plan of small positions; and long plans on large maps."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

import planner
from planner.explanation.move_edits import Forms, changed_steps
from planner.explanation.nearest import Nearest, nearest_legal
from planner.limits import Limits
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario, build_scenario
from planner.search.unit_moves import UnitMoves
from tests.conftest import DEEP
from tests.oracles.legal_plans import legal_moves, legal_plans
from tests.oracles.tiny import tiny
from tests.plain_game import TERRAIN, effect, placed, write_model

PLANS = 300 if DEEP else 10


def _distance(one: Plan, other: Plan) -> tuple[int, int]:
    """Return how many moves, and steps, must be changed to make one plan of another, where each unit moves once at most."""
    mine, theirs = ({move.units: move for move in plan.moves} for plan in (one, other))
    same = [units for units in mine if mine[units] == theirs.get(units)]
    order = list(theirs)
    # As many as can be stay where they are among each other.
    stay = max(
        len(some)
        for size in range(len(same) + 1)
        for some in combinations(same, size)
        if sorted(some, key=order.index) == list(some)
    )
    either = mine.keys() | theirs.keys()
    steps = 0
    for units in either:
        first, second = mine.get(units), theirs.get(units)
        if first is not None and second is not None:
            steps += changed_steps(first, second)
        else:
            steps += len((first or second or Move((), ())).path) - 1
    return len(either) - stay, steps


def _random_plan(scenario: Scenario, rng: random.Random) -> Plan:
    moves = []
    for unit in rng.sample([unit for unit in scenario.start.at if unit in scenario.game.friends], rng.randint(1, 2)):
        path = [scenario.start.at[unit]]
        for _ in range(rng.randint(1, 4)):
            path.append(rng.choice(list(scenario.game.board.neighbours[path[-1]])))
        enemies = [index for index, label in enumerate(path) if index and scenario.game.enemies_at(label)]
        moves.append(Move((unit,), tuple(path), frozenset(index for index in enemies if rng.random() < 0.8)))
    return Plan(tuple(moves))


@pytest.mark.thorough
def test_what_is_called_nearest_is_so_among_all_legal_plans_of_small_positions() -> None:
    checked = two = 0
    for seed in range(1_000):
        scenario = replace(tiny(seed), requirements=())
        plan = _random_plan(scenario, random.Random(f"nearest {seed}"))
        if Referee(scenario.game).play(plan, scenario.start).legal:
            continue
        found = nearest_legal(scenario, plan)
        least = min(_distance(plan, other) for other in legal_plans(scenario))
        assert found is not None
        assert _distance(plan, found.plan) == (found.moves, found.steps), f"seed {seed}: {found.plan}"
        assert (found.moves, found.steps) == least, f"seed {seed}: {plan}: {found.plan}"
        assert found.proved, f"seed {seed}"
        checked += 1
        two += found.moves == 2
        if checked == PLANS:
            break
    assert checked == PLANS
    assert two > PLANS // 8


def test_legal_forms_come_nearest_first() -> None:
    """By hand: w3019 is sea. One step otherwise goes round it; then two; the form that is legal as written comes with 0."""
    scenario = tiny(3)
    referee = Referee(scenario.game)
    walks = UnitMoves(referee)
    unit = next(unit for unit in scenario.start.at if unit in scenario.game.friends)
    legal = {move for move, _ in legal_moves(scenario, unit, scenario.start)}
    written = max(legal, key=lambda move: (len(move.path), str(move)))
    found = list(Forms(walks, Limits()).nearest_first(written, scenario.start))
    assert found[0] == (0, written)
    assert [steps for steps, _ in found] == sorted(steps for steps, _ in found)
    for steps, form in found:
        assert form in legal
        assert steps == changed_steps(written, form)


def _plain(columns: int, rows: int) -> Scenario:
    """Return clear ground with two fast units and an enemy in the way of both."""
    labels = [f"w{row}{column}" for row in range(30, 30 + rows) for column in range(20, 20 + columns)]
    fast = {"side": "axis", "type": "tank", "values": "6-3-12"}
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "dai_senso",
            "phase": "operational_movement",
            "phasing": "axis",
            "map": {"hexes": dict.fromkeys(labels, "clear") | {"w3528": "all_sea"}},
            "unit": [
                {"id": "a", "at": "w3520", **fast},
                {"id": "b", "at": "w3920", **fast},
                {"id": "e", "at": "w3926", "side": "soviet", "type": "infantry", "values": "1-1-1", "steps": 2},
            ],
        },
        "plain",
    )


@pytest.mark.thorough
def test_long_moves_on_a_large_map_are_led_round_what_is_in_the_way() -> None:
    """By hand: a goes into the sea in w3528, b through the enemy in w3926. Neither stays as it is: two moves at least.

    The last step of a's may be left out, or lead beside the sea; b has to stop in the enemy's zone, two steps too soon.
    """
    scenario = _plain(18, 14)
    a = "a w3520-w3521-w3522-w3523-w3524-w3525-w3526-w3527-w3528"
    b = "b w3920-w3921-w3922-w3923-w3924-w3925-w3926-w3927"
    assert not planner.check(scenario, [a, b]).legal
    found = planner.nearest(scenario, [a, b])
    assert found is not None
    assert [move.units for move in found.plan.moves] == [("a",), ("b",)]
    assert (found.moves, found.steps, found.proved) == (2, 3, True)  # one of a's, two of b's: it stops in w3925
    assert found.plan.moves[1].path[:6] == ("w3920", "w3921", "w3922", "w3923", "w3924", "w3925")


def test_two_moves_that_neither_can_stay_as_they_are_are_proved_to_need_two_steps() -> None:
    """By hand: the infantry has 1 MP for two steps, and nobody overruns an army of two steps."""
    found = planner.nearest("dai_senso/manchuria", ["inf w5525-w5425-w5325", "plv w5525xw5526"])
    assert found is not None
    assert (found.moves, found.steps, found.proved) == (2, 2, True)


def test_one_step_of_a_stack_is_as_little_as_can_be() -> None:
    """In a game of stacks: a single move that is illegal, of which one step is changed. No other order mends one move."""
    found = planner.nearest("classic_hex/puzzles/closed_door", "x 0404-0405-0406")
    assert found is not None
    assert (found.moves, found.proved) == (1, found.steps <= 1)


def test_nothing_is_called_nearest_where_attacks_are_declared_since_moves_alone_would_be_changed() -> None:
    """In 0503 b1 must attack r1 behind the bridge: as well as the move, the attacks could be changed."""
    declared = ["b1 0402-0503", "no attacks"]
    verdict = planner.check("crossroads/start", declared)
    assert [one.rule for one in verdict.violations] == ["7.3"]
    assert planner.nearest("crossroads/start", declared) is None


def test_whoever_is_one_too_many_in_the_end_is_cut_short_first() -> None:
    """Three corps come to L12, of which two may stay there, and another one goes on too far: two changes, a step each."""
    kind = {"side": "axis", "nationality": "germany", "type": "infantry", "values": "3-3"}
    starts = {"a": "L10", "b": "L14", "c": "M12", "d": "K12"}
    scenario = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "a_world_at_war",
            "phase": "movement",
            "phasing": "axis",
            "map": {"hexes": {"L9 L10 L11 L12 L13 L14 L15 M12 K12 K11 K13 M11 M13 M14 K14": "clear"}},
            "unit": [{"id": unit, "at": at, **kind} for unit, at in starts.items()],
        },
        "a position",
    )
    moves = ["a L10-L11-L12-L13-L14", "b L14-L13-L12", "c M12-M13-L12", "d K12-K13-L12"]
    draft = Nearest(scenario, Plan.parse(moves), Limits())._repaired()  # before anything is searched for
    assert list(map(str, draft.moves)) == ["a L10-L11-L12-L13", *moves[1:3], "d K12-K13"]
    assert draft.price == (2, 2)


def test_where_units_may_wait_fewer_changes_are_not_proved_not_to_do(tmp_path: Path) -> None:
    """By hand: both moves must be changed, as each leaps over a hex; but of units that wait not every move is tried."""
    model = write_model(tmp_path / "any_game", turns="waiting = {}\n")
    units = [{"id": one, "side": "south", "type": "foot", "at": "03.01", "values": "1-4"} for one in "ab"]
    scenario = placed(model, {"03.01 03.02 03.03": "plain"}, units)
    found = nearest_legal(scenario, Plan.parse("a 03.01-03.03\nb 03.01-03.03"))
    assert found is not None
    assert (found.moves, found.fewest_moves, found.fewest_steps) == (2, False, False)


ZONE = effect('on = "enter", does = "stop", negatable = true, movers = { types = "foot" }')
WRITTEN = "f 03.01-03.02-03.03-03.04"


def _stopped(folder: Path, zone: str, helper: dict[str, str], *more: str, k: str = "1-0") -> Scenario:
    """Return a position in which f, who has but one way, is stopped in 03.02 unless somebody else is there."""
    model = write_model(folder / "any_game", zone, terrain=TERRAIN + "hexsides.river = { mp = 2 }\n")
    units = [
        {"id": "f", "side": "south", "type": "foot", "at": "03.01", "values": "1-3"},
        {"id": "h", "side": "south", "type": "scout", **helper},
        {"id": "k", "side": "south", "type": "foot", "at": "03.04", "values": k},
        {"id": "e", "side": "north", "type": "guard", "at": "04.01", "values": "1-1"},
    ]
    ground = {"hexes": {" ".join(["02.02 03.01 03.02 03.03 03.04 04.01", *more]): "plain"}}
    return placed(model, {}, units, map={**ground, "hexsides": {"river": ["02.02 03.02"]}})


def test_of_ways_to_help_the_shortest_counts_though_another_is_cheaper(tmp_path: Path) -> None:
    """By hand: h comes to 03.02 over the river for 3 MP, by 02.01 for 2, and stays; else f stops two steps too soon."""
    scenario = _stopped(tmp_path, ZONE, {"at": "02.02", "values": "1-4"}, "02.01")
    found = nearest_legal(scenario, Plan.parse(WRITTEN))
    assert found is not None
    assert found.plan == Plan.parse(["h 02.02-03.02", WRITTEN])
    assert (found.moves, found.steps, found.proved) == (1, 1, True)


def test_whoever_stays_in_the_end_is_relied_on_by_those_who_move_before(tmp_path: Path) -> None:
    """By hand: if h stays in 03.02, one step is left out; if it goes there and back, or f first, it holds nothing open."""
    for_good = ZONE.replace("effects", "negated_for_good = true\neffects")
    scenario = _stopped(tmp_path, for_good, {"at": "03.02", "values": "1-3"})
    found = nearest_legal(scenario, Plan.parse(["h 03.02-02.02", WRITTEN]))
    assert found is not None
    assert found.plan == Plan.parse(WRITTEN)
    assert (found.moves, found.steps, found.proved) == (1, 1, True)


def test_whoever_stays_in_the_end_is_relied_on_also_where_others_move_after_it(tmp_path: Path) -> None:
    """By hand: f relies on h, whose one step is left out, and k moves as it is written. Else f stops two steps too soon."""
    for_good = ZONE.replace("effects", "negated_for_good = true\neffects")
    scenario = _stopped(tmp_path, for_good, {"at": "03.02", "values": "1-3"}, "03.05", k="1-1")
    found = nearest_legal(scenario, Plan.parse([WRITTEN, "h 03.02-02.02", "k 03.04-03.05"]))
    assert found is not None
    assert found.plan == Plan.parse([WRITTEN, "k 03.04-03.05"])
    assert (found.moves, found.steps, found.proved) == (1, 1, True)


@pytest.mark.parametrize(("for_good", "proved"), [("", True), ("negated_for_good = true\n", False)])
def test_of_two_changed_moves_the_first_may_rely_on_the_second_so_that_nothing_is_proved(
    for_good: str, proved: bool, tmp_path: Path
) -> None:
    """By hand: k can't leap, and h comes to 03.02: a step each. Of ways that rely on others not every one is tried."""
    zone = ZONE.replace("effects", f"{for_good}effects")
    scenario = _stopped(tmp_path, zone, {"at": "02.02", "values": "1-3"})
    found = nearest_legal(scenario, Plan.parse([WRITTEN, "k 03.04-03.02"]))
    assert found is not None
    assert (found.moves, found.steps, found.fewest_moves, found.fewest_steps) == (2, 2, True, proved)
