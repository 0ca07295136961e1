"""On random positions in which units wait for each other a search comes to the optimum of every interleaving of steps."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.errors import InputError
from planner.objective.scoring import Value
from planner.plans.plan import Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.referee.plan_facts import Substance, facts_of
from planner.referee.referee import Referee
from planner.rules.rulebook_file import model_folder
from planner.scenario import Scenario, build_scenario
from planner.search.search import Search
from planner.solver.model import build_events
from planner.solver.plan_judge import judge
from tests.conftest import DEEP, sized
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.waiting import Interleaved, draw_waiting, random_waiting_plan, waiting
from tests.plain_game import FORCES, placed, write_model
from tests.seeds import in_chunks
from tests.solving import are_alike_in_disguise, are_no_worse_with_more_ma, searched, settled, solved_tier_by_tier

ALIKE = 500 if DEEP else 1
RELATED = sized(4, 20, 500)
OFTEN = 200 if DEEP else 60
SEEDS = sized(3, 25, 2_000)
PLANS = sized(50, 500, 30_000)
CAP = 20_000 if DEEP else 600


def best(scenario: Scenario) -> Value | None:
    """Return the optimum by trying every interleaving; a position that is too large counts as not drawn."""
    return Interleaved(scenario, CAP).best()


@in_chunks(SEEDS)
def test_a_search_comes_to_the_optimum_of_every_interleaving(seeds: range) -> None:
    assert settled(seeds, lambda seed: waiting(seed)[0], best) > 0.5 * len(seeds)


@pytest.mark.thorough
def test_the_memory_of_the_oracle_changes_nothing() -> None:
    compared = 0
    for seed in range(25 if DEEP else 12):
        scenario, _ = waiting(seed)
        try:
            remembered, tried = Interleaved(scenario, 300).best(), Interleaved(scenario, 300, memo=False).best()
        except TooManyStatesError:
            continue
        compared += 1
        assert remembered == tried, f"seed {seed}"
    assert compared >= (8 if DEEP else 4)


def test_the_memory_of_the_oracle_tells_apart_where_those_who_support_an_overrun_are() -> None:
    # The wing of seed 143 may go to the force pool before it supports an overrun, which is illegal, or after it.
    scenario, _ = waiting(143)

    def ends(memo: bool) -> set[Substance]:
        known = Interleaved(scenario, 4_000, memo=memo).standings()
        return {facts_of(scenario.game, position, position.under_way) for position, _ in known}

    assert ends(memo=True) == ends(memo=False)


@in_chunks(SEEDS)
def test_dominance_costs_those_who_wait_nothing(seeds: range) -> None:
    for seed in seeds:
        scenario, _ = waiting(seed)
        model = build_events(scenario, ConditionalReach(scenario.game, prune=False))
        assert solved_tier_by_tier(model) == searched(scenario), f"seed {seed}"


def judged_alike(scenario: Scenario, plan: Plan) -> bool:
    """Tell whether both faces find the same things wrong with a plan."""
    both = Referee(scenario.game).play(plan, scenario.start).violations, judge(scenario, plan)
    by_referee, by_judge = (sorted((repr(one.key), sorted(one.blame)) for one in found) for found in both)
    return by_referee == by_judge


@in_chunks(PLANS)
def test_referee_and_solver_find_the_same_things_wrong_with_those_who_wait(seeds: range) -> None:
    for seed in seeds:
        scenario, rng = waiting(seed)
        plan = random_waiting_plan(scenario, rng)
        assert judged_alike(scenario, plan), f"seed {seed}:\n{plan}"


def test_whoever_has_failed_to_overrun_somebody_has_moved_for_both_faces() -> None:
    # Seed 28492, u1: an overrun that fails leaves it in A1, from where it may not go to the force pool for two reasons:
    # it has moved already, and so have others. Seed 23738 is the same for one of two who go together.
    for seed, step in ((28492, ("u1", 1)), (23738, ("u2", 3))):
        scenario, rng = waiting(seed)
        plan = random_waiting_plan(scenario, rng)
        by_referee = Referee(scenario.game).play(plan, scenario.start).violations
        by_judge = judge(scenario, plan)
        told = [sorted(repr(v.key) for v in found) for found in (by_judge, by_referee)]
        assert told[0] == told[1], f"seed {seed}"
        assert sum(repr(("13.21", *step, 1, "force_pool")) == key for key in told[0]) == 2, f"seed {seed}"


@pytest.mark.thorough
def test_joint_overruns_from_two_places_and_waiting_are_often_best() -> None:
    overruns = joint = waits = 0
    for seed in range(OFTEN):
        plan = Search(waiting(seed)[0]).run().plan
        moves = plan.moves if plan is not None else ()
        assert Plan.parse(list(map(str, moves))).moves == moves, f"seed {seed}"
        overruns += any(move.overruns for move in moves)
        joint += any(len(move.units) > 1 and move.overruns for move in moves)
        movers = [unit for move in moves for unit in move.units]
        waits += len(movers) > len(set(movers))
    print(f"an overrun in {overruns} of {OFTEN} optima, a joint one in {joint}, somebody who waits in {waits}")
    assert overruns >= OFTEN / 5
    assert joint >= OFTEN / 25
    assert waits >= OFTEN / 25


@in_chunks(RELATED)
@pytest.mark.thorough
def test_neither_map_nor_names_nor_order_of_units_change_the_optimum_where_units_wait(seeds: range) -> None:
    are_alike_in_disguise(seeds, waiting, ALIKE)


@in_chunks(RELATED)
def test_more_ma_is_never_worse_where_units_wait(seeds: range) -> None:
    are_no_worse_with_more_ma(seeds, waiting)


def test_where_friends_matter_too_and_no_model_has_all_plans_trying_every_step_proves_the_best(tmp_path: Path) -> None:
    model = tmp_path / "patient"
    shutil.copytree(model_folder("dai_senso"), model)
    rules = model / "rulebook.toml"
    text = rules.read_text(encoding="utf-8")
    kind = 'kind = "sequence"\n'
    rules.write_text(text.replace(kind, kind + "waiting = {}\n"), encoding="utf-8")
    data = {
        "format": "planner/scenario-1",
        "model": str(model),
        "phase": "operational_movement",
        "phasing": "soviet",
        "map": {"hexes": {"w3020 w3021 w3022 w3121": "clear"}},
        "unit": [
            {"id": "one", "side": "soviet", "type": "infantry", "values": "3-3-2", "at": "w3020"},
            {"id": "two", "side": "soviet", "type": "infantry", "values": "3-3-2", "at": "w3020"},
            {"id": "e", "side": "axis", "type": "infantry", "values": "4-5-1", "steps": 2, "at": "w3121"},
        ],
        "tier": [{"terms": [{"kind": "end", "unit": "one", "at": "w3022"}]}],
    }
    scenario = build_scenario(data, "patient")
    # By hand: two covers w3021 in the EZOC of e, one goes through. More there is not to gain.
    result = Search(scenario).run()
    assert result.status == "optimal"
    assert result.value == (1,)
    # But waiting is legal: two goes to w3021 and on again, after one has passed.
    plan = Plan.parse(["two w3020-w3021", "one w3020-w3021-w3022"])
    assert Referee(scenario.game).play(plan, scenario.start).legal
    assert not judge(scenario, plan)


def test_what_is_cleared_on_the_way_is_part_of_what_a_plan_of_those_who_wait_comes_to(tmp_path: Path) -> None:
    """The armor gets to A3 through the mines in A2, or round them; who also clears mines does more than need be."""
    model = tmp_path / "sappers"
    shutil.copytree(model_folder("a_world_at_war"), model)
    with (model / "rulebook.toml").open("a", encoding="utf-8") as file:
        file.write(
            '\n[[rule]]\nid = "mines"\nkind = "clearing"\nparagraph = "0"\nby = {}\nmarkers = { types = "mines" }\n'
        )
    with (model / "forces.toml").open("a", encoding="utf-8") as file:
        file.write('\n[marker_types.mines]\nname = "Mines"\n')
    armor = {"id": "a", "side": "axis", "type": "armor", "nationality": "germany", "at": "A1"}
    data = {
        "format": "planner/scenario-1",
        "model": str(model),
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"A1 A2 A3 B1 B2 B3": "clear"}, "boxes": {"force_pool": {}}},
        "unit": [armor | {"attack": 3, "defense": 1, "ma": 3}],
        "marker": [{"id": "mines", "side": "allies", "type": "mines", "at": "A2"}],
        "tier": [{"terms": [{"kind": "end", "unit": "a", "at": "A3"}]}],
    }
    scenario = build_scenario(data, "sappers")
    every = planner.alternatives(scenario, 9)
    assert [(one.result.value, one.substance.gone) for one in every.plans] == [((1,), frozenset()), ((0,), frozenset())]
    assert str(every.plans[0].result.plan) == "a A1-B1-B2-A3"
    through = planner.alternatives(scenario, 1, partial="a A1-A2-A3").plans[0]
    assert through.substance.gone == {"mines"}


def test_reach_says_who_must_open_the_way_and_who_must_join() -> None:
    report = planner.reach("a_world_at_war/rendezvous", "corps")
    # The infantry overruns nobody: the army must be gone, which takes the two of them, together, from L12.
    assert [entry.hex for entry in report.alone] == ["L10", "L12", "M12"]
    overrun = ["panzer in L12", "motorized in L12", "army eliminated by panzer and motorized"]
    helped = {entry.hex: [str(one) for one in entry.help] for entry in report.with_help}
    assert set(helped) == {"L13", "L14"}
    # In L13 one of the two makes room, whichever.
    assert helped["L13"] in ([*overrun, "L13 left by motorized"], [*overrun, "L13 left by panzer"])
    assert helped["L14"] == overrun
    panzer = planner.reach("a_world_at_war/rendezvous", "panzer")
    assert "motorized in the overrun of L13" in [str(one) for entry in panzer.with_help for one in entry.help]


def test_a_verdict_says_what_becomes_of_a_plan_whose_overrun_fails() -> None:
    """In L11 two units may stay: if west must stay there, too, it is one too many; east moves in any case."""
    scenario = planner.load("a_world_at_war/uncommitted_fighters")
    game = replace(scenario.game, situation=replace(scenario.game.situation, margin=Fraction(0)))
    plan = Plan.parse(["spare L10-L11", "west L11xL12", "guards L11-L10", "east L14-L13"])
    verdict = Referee(game).play(plan, scenario.start)
    assert verdict.legal
    (failure,) = verdict.failures
    assert (failure.move, failure.survives, failure.possible, failure.dropped) == (1, Fraction(1, 2), 1, ())
    assert not failure.violations  # guards has left
    shorter = Referee(game).play(Plan(plan.moves[:2]), scenario.start)
    assert [violation.rule for violation in shorter.failures[0].violations] == ["12.1"]


def test_a_supporter_that_does_not_exist_is_a_problem_of_the_plan() -> None:
    with pytest.raises(InputError, match="no unit has the id 'nobody'"):
        planner.check("a_world_at_war/uncommitted_fighters", ["west L11xL12(nobody)"])


def banks(seed: int) -> tuple[Scenario, random.Random]:
    """Return a position in which strengths change with the hexside across which a hex is overrun."""
    rng = random.Random(f"banks {seed}")
    data = draw_waiting(rng)
    board = build_scenario(data, "banks").game.board
    sides = sorted({tuple(sorted((one, other))) for one in board.hexes for other in board.neighbours[one]})
    data["map"]["hexsides"] = {"river": [" ".join(side) for side in rng.sample(sides, rng.randint(4, 12))]}
    changes = [
        {"of": of, "hexsides": {"features": "river"}, "times": rng.choice(times)}
        for of, times in (("attack", ("1/2", "2")), ("defense", ("1/2", "2")))
        if rng.random() < 0.8
    ]
    data["charts"] = {"hexsides": {"river": {"mp": 0}}, "rules": {"overruns": {"modifiers": changes}}}
    return build_scenario(data, f"banks {seed}"), rng


@pytest.mark.thorough
@in_chunks(SEEDS)
def test_a_search_minds_the_hexside_across_which_those_who_wait_overrun(seeds: range) -> None:
    assert settled(seeds, lambda seed: banks(seed)[0], best) > 0.4 * len(seeds)


@in_chunks(PLANS // 4)
def test_both_faces_mind_the_hexside_across_which_those_who_wait_overrun(seeds: range) -> None:
    for seed in seeds:
        scenario, rng = banks(seed)
        plan = random_waiting_plan(scenario, rng)
        assert judged_alike(scenario, plan), f"seed {seed}:\n{plan}"


def test_a_search_that_overlooks_the_hexside_is_found_out_where_units_wait() -> None:
    found = set()
    for seed in range(40):
        scenario, _ = banks(seed)
        less = scenario.game.rulebook.by_id["overruns"].model_copy(update={"modifiers": ()})
        rules = tuple(less if rule.id == "overruns" else rule for rule in scenario.game.rulebook.rules)
        book = replace(scenario.game.rulebook, rules=rules)
        other = replace(scenario, game=replace(scenario.game, rulebook=book, _cache={}))
        found.add(searched(other) == searched(scenario))
        if len(found) == 2:
            return
    raise AssertionError


ENTRY = '[[rule]]\nid = "{}"\nkind = "entry_restriction"\nparagraph = "barred"\nwho = {{ types = "{}" }}\n'
ENTRY += 'enemy_markers = {{ types = "{}" }}\n[[rule]]\nid = "by_{}"\nkind = "clearing"\nparagraph = "cleared"\n'
ENTRY += 'by = {{ types = "{}" }}\nmarkers = {{ types = "{}" }}\n'
BARRED = ENTRY.format("foot", "foot", "ship", "foot", "foot", "boat")
BARRED += ENTRY.format("guard", "guard", "boat", "guard", "guard", "ship")
COLUMN = '[[rule]]\nid = "column"\nkind = "column_entry"\nparagraph = "column"\nmp = 1\n'
MARKERS = [
    {"id": "m", "type": "boat", "side": "north", "at": "01.02"},
    {"id": "n", "type": "ship", "side": "north", "at": "01.03"},
]


@pytest.mark.parametrize(
    ("rules", "at", "markers", "ends", "moves"),
    [
        # f clears the boat, g comes and clears the ship, f passes.
        (
            BARRED,
            ("01.01", "01.01"),
            MARKERS,
            ("01.04", "01.03"),
            "f 01.01-01.02; g 01.01-01.02-01.03; f 01.02-01.03-01.04",
        ),
        # f enters 01.02 first, and g 01.03: each pays 1 for that, and 2 for the other; whoever goes first pays less alone.
        (COLUMN, ("01.01", "01.04"), [], ("01.03", "01.02"), "f 01.01-01.02; g 01.04-01.03-01.02; f 01.02-01.03"),
    ],
)
def test_waiting_is_of_use_also_where_nobody_is_in_anybodys_way(
    rules: str, at: tuple[str, str], markers: list[dict[str, str]], ends: tuple[str, str], moves: str, tmp_path: Path
) -> None:
    """By hand: only so does each come where it is wanted; without waiting one of them would fail."""
    forces = FORCES.replace("boat = {}", "boat = {}, ship = {}")
    model = write_model(tmp_path / "game", rules, forces, turns="waiting = {}\n")
    units = [
        {"id": "f", "side": "south", "type": "foot", "values": "1-3", "at": at[0]},
        {"id": "g", "side": "south", "type": "guard", "values": "1-3", "at": at[1]},
    ]
    goals = {"terms": [{"kind": "end", "unit": one, "at": end} for one, end in zip("fg", ends, strict=True)]}
    scenario = placed(model, {"01.01 01.02 01.03 01.04 01.05": "plain"}, units, marker=markers, tier=[goals])
    assert planner.check(scenario, moves.split("; ")).legal
    found = planner.suggest(scenario)
    assert (found.status, found.value) == ("optimal", (2,))
    reached = {(one.unit, entry.hex) for one in planner.reach_all(scenario) for entry in (*one.alone, *one.with_help)}
    assert reached >= set(zip("fg", ends, strict=True))
