"""Searches lose nothing of what they have told, and that nobody moves is the answer from the first moment."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import planner
from planner.errors import OutOfTimeError
from planner.objective.goals import Hold
from planner.objective.scoring import values_of
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario, build_scenario
from planner.search import greedy
from planner.search.context import SearchContext
from planner.search.enumeration import Census
from planner.search.result import Progress, Result
from planner.search.search import best_plan as best_of
from planner.solver.engine import Solved
from planner.solver.tuning import Enumeration, Greedy
from tests.command import run
from tests.conftest import long_ones, sized
from tests.oracles.skirmishes import best_plan
from tests.oracles.trenches import draw_trenches


@pytest.mark.thorough
def test_an_interrupt_loses_no_plan_that_was_told_however_long_its_rolls_take_to_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is told is worth more than the plan made by hand; each replay takes longer than the search waited before."""
    stop, told = threading.Event(), list[Fraction]()
    real = Referee.play

    def slow(self: Referee, *args: Any, check_time: Callable[[], None] | None = None, **more: Any) -> Any:
        if check_time is not None:
            check_time()
            time.sleep(0.5)
            check_time()
        return real(self, *args, **more)

    def on_progress(progress: Progress) -> None:
        if progress.tier == 0 and progress.value is not None:
            told.append(progress.value)
        if len(set(told)) > 1:
            stop.set()

    monkeypatch.setattr(Referee, "play", slow)
    found = planner.suggest("ocs/two_overruns", stop=stop, on_progress=on_progress)
    assert len(set(told)) > 1
    assert found.value[0] >= max(told)


@pytest.mark.parametrize(
    "scenario", ["ocs/breakthrough", "classic_hex/three_battles", "great_war/over_the_top", "dai_senso/island_campaign"]
)
def test_without_any_time_the_answer_is_at_least_that_nobody_moves(scenario: str) -> None:
    """Nothing is required, so standing still is legal: no search needs to answer that it knows no plan."""
    found = planner.suggest(scenario, time_limit=0.0)
    assert found.status == "feasible"
    assert found.plan is not None
    assert planner.check(scenario, found.plan).legal


def test_where_several_must_leave_a_hex_a_plan_is_known_before_it_is_listed_what_they_could_do() -> None:
    """Of 12 RE in a hex that holds 10 (4.8), two must go: nobody moving isn't legal, nor that one goes."""
    tank = {"side": "axis", "type": "tank", "values": "2-2-12", "at": "10.10"}
    enemy = {"id": "e", "side": "allied", "type": "infantry", "values": "2-2-1", "at": "10.12"}
    scenario = build_scenario(
        {
            **{"format": "planner/scenario-1", "model": "ocs", "phase": "movement", "phasing": "axis"},
            "map": {"hexes": {"10.10 10.11 10.12 10.13 10.14": "open"}},
            "unit": [*({**tank, "id": f"t{number}"} for number in range(12)), enemy],
            "tier": [{"terms": [{"kind": "end", "unit": "t0", "at": "10.14"}]}],
        },
        "twelve tanks",
    )
    assert [one.rule for one in planner.check(scenario, ["t0 10.10-10.11"]).violations] == ["4.8"]
    found = planner.suggest(scenario, time_limit=0.5)
    assert found.plan is not None
    assert planner.check(scenario, found.plan).legal


def test_where_something_is_required_no_time_means_that_no_plan_is_known() -> None:
    found = planner.suggest("great_war/puzzles/wire_and_tank", partial=["rifles -> E3"], time_limit=0.0)
    assert (found.status, found.plan) == ("unknown", None)


def test_a_first_plan_scores_the_board_as_it_stands_once_for_each_term(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not once for each of the many moves that lead to the same hex: that took most of the time of many searches."""
    changes = list[tuple[object, ...]]()
    real = greedy.FirstPlan._change

    def counted(self: greedy.FirstPlan, board: Any, found: Any, looking: Any) -> Any:
        for tier, term in looking:
            changes.append((id(self), len(board.moves), found.unit, found.end, found.removes, found.mp, tier, id(term)))
        return real(self, board, found, looking)

    monkeypatch.setattr(greedy.FirstPlan, "_change", counted)
    monkeypatch.setattr(Greedy, "few", 0)  # otherwise the solver is as soon, and no plan is made by hand
    planner.suggest("dai_senso/island_campaign")
    assert len(changes) == len(set(changes)) > 0


def _classic(**data: Any) -> Scenario:
    return build_scenario(
        {"format": "planner/scenario-1", "model": "classic_hex", "phase": "movement", "phasing": "blue", **data},
        "classic",
    )


X = {"id": "X", "side": "blue", "type": "infantry", "at": "1010"}
E = {"id": "e", "side": "red", "type": "infantry", "values": "2-3", "at": "1012"}


def test_what_no_unit_can_pay_for_is_proved_impossible_where_units_may_fight() -> None:
    """X has 1 MP, and the forest costs 2: whether somebody could fight there is no question."""
    hexes = {"1010 1012": "clear", "1011": "forest"}
    goal = [{"kind": "end", "unit": "X", "at": "1011"}]
    found = planner.suggest(_classic(map={"hexes": hexes}, unit=[{**X, "values": "6-1"}, E], require=goal))
    assert (found.status, found.confirmed) == ("infeasible", True)


def test_what_no_combat_brings_about_is_proved_impossible_by_trying_every_plan() -> None:
    """1 against 2: X can get beside e, but whatever is drawn it never stands where e stood."""
    hexes = {"1010 1011 1012": "clear"}
    goal = [{"kind": "end", "unit": "X", "at": "1012"}]
    found = planner.suggest(_classic(map={"hexes": hexes}, unit=[{**X, "values": "1-4"}, E], require=goal))
    assert found.status == "infeasible"


def _pursuit() -> Scenario:
    """Return three units on a road of one hex's width, who are sure to drive e back, and again if he isn't destroyed."""
    units = [{**X, "id": unit, "values": "6-4"} for unit in "XYZ"]
    ends = [{"kind": "end", "unit": unit, "at": "1014"} for unit in "XY"]
    hexes = {"1010 1011 1012 1013 1014": "clear"}
    return _classic(map={"hexes": hexes}, unit=[*units, E], tier=[{"terms": ends}])


@pytest.mark.thorough
def test_of_plans_that_are_too_many_to_be_tried_the_best_that_was_tried_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who is driven back may have to be fought again where he then is, which no proposal counts on."""
    monkeypatch.setattr(Enumeration, "walked", 10_000)
    found = planner.suggest(_pursuit())
    assert (found.status, found.value) == ("feasible", (1,))
    assert found.plan is not None
    assert planner.check(_pursuit(), found.plan).legal


@pytest.mark.thorough
def test_alternatives_lose_no_plan_where_no_time_is_left_to_write_it_as_players_would(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def late(*_: object) -> Plan:
        raise OutOfTimeError("the time ran out")

    monkeypatch.setattr(Enumeration, "work", 500)
    monkeypatch.setattr(Enumeration, "walked", 2_500)
    monkeypatch.setattr(Census, "_tidied", late)
    [found] = planner.alternatives(_pursuit(), 1).plans
    assert found.result.status == "feasible"


def _quiet(seed: int) -> Scenario:
    """Return a random position in which there is nobody to fight, and several tiers count who stands where."""
    rng = random.Random(f"quiet {seed}")
    labels = [f"{column:02d}{row:02d}" for column in range(1, 4) for row in range(1, 4)]
    hexes: dict[str, str] = {label: rng.choice(("clear", "clear", "forest")) for label in labels}
    units = [
        {**X, "id": f"u{number}", "values": f"2-{rng.randint(1, 3)}", "at": rng.choice(labels)} for number in range(2)
    ]
    holds = [{"terms": [{"kind": "hold", "hexes": " ".join(rng.sample(labels, 2))}]} for _ in range(2)]
    return _classic(map={"hexes": hexes}, unit=units, tier=[*holds, {"terms": [{"kind": "mp_spent"}]}])


@pytest.mark.parametrize("seed", long_ones(range(sized(3, 12, 12)), 2))
def test_without_an_enemy_near_the_search_proves_what_every_plan_comes_to(seed: int) -> None:
    scenario = _quiet(seed)
    found = planner.suggest(scenario)
    assert found.status == "optimal"
    assert found.value == best_plan(scenario, 20_000)[0]


def _relying(seed: int) -> dict[str, Any]:
    """Return a random position of few units that may rely on tanks not bogging down."""
    return {**draw_trenches(random.Random(f"trenches {seed}")), "confidence": ("25/36", "5/6")[seed % 2]}


@pytest.mark.parametrize("seed", range(10))
def test_where_few_plans_rely_on_likely_results_the_search_proves_the_best_of_them(seed: int) -> None:
    """The bound alone, in which whatever is relied upon may be had or not, proves about half of them."""
    found = planner.suggest(build_scenario(_relying(seed), "relying"))
    assert (found.status, found.reason) == ("optimal", "")


@pytest.mark.parametrize("seed", range(6))
def test_where_few_plans_rely_on_likely_results_it_is_known_whether_any_does_what_is_required(seed: int) -> None:
    data = _relying(seed)
    ends = [term for tier in data["tier"] for term in tier["terms"] if term["kind"] == "end"]
    required = {
        **data,
        "require": [{key: value for key, value in term.items() if key != "weight"} for term in ends[:2]],
    }
    assert planner.suggest(build_scenario(required, "required")).status in ("optimal", "infeasible")


def test_a_plan_of_which_everything_is_settled_is_proved_by_one_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other plan is asked about: the bound is what this one is worth, whatever others might be."""
    scenario = planner.load("classic_hex/three_battles")
    attack = "a1 0305-0304x0303"
    assert planner.check(scenario, attack).legal
    settled = [
        attack,
        *(f"{unit} stays" for unit in scenario.game.friends if unit != "a1" and unit in scenario.start.at),
    ]
    monkeypatch.setattr("planner.search.combat_search.CombatProposals.run", lambda *_: pytest.fail("it was searched"))
    found = planner.suggest(scenario, partial=settled)
    assert (found.status, found.bound) == ("optimal", found.value)
    assert str(found.plan) == attack


def test_a_search_without_a_proof_says_why_and_what_would_help() -> None:
    """Twelve units against a front: combats are drawn, and nobody goes through all plans."""
    found = planner.suggest("classic_hex/three_battles", time_limit=0.0)
    assert "time limit" in found.reason
    assert found.reason in found.sentence()
    assert planner.suggest("ocs/two_overruns").reason == ""


@pytest.mark.parametrize("scenario", ["dai_senso/manchuria", "classic_hex/three_battles"])
def test_several_plans_without_a_proof_say_why_and_what_would_help_once(scenario: str) -> None:
    told = run("suggest", scenario, "--alternatives", "2", "--time-limit", "0").stdout
    assert told.count("a longer time limit may prove it") == 1


def test_the_first_of_several_plans_is_proved_where_the_search_for_one_proves_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Listing everything exactly may take too long: the best plan is proved without it."""
    scenario = planner.load("ocs/two_overruns")
    best = planner.suggest(scenario)
    monkeypatch.setattr(
        "planner.search.alternatives_search.AlternativesSearch._search",
        lambda *_, **__: Result("unknown", 0.0),
    )
    found = planner.alternatives(scenario, 2, time_limit=60.0)
    assert (found.plans[0].result.status, found.plans[0].result.value) == ("optimal", best.value)


@pytest.mark.thorough
def test_the_first_of_several_plans_is_proved_where_that_takes_more_than_half_of_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The search for one plan would take 0.6 s of 1 s."""

    def slow(context: SearchContext) -> Result:
        left = context.limits.left()
        if left is not None and left < 0.6:
            time.sleep(left)
            return Result("unknown", left)
        return best_of(context)

    monkeypatch.setattr("planner.search.alternatives_search.best_plan", slow)
    found = planner.alternatives("dai_senso/manchuria", 2, time_limit=1.0)
    assert found.plans[0].result.status == "optimal"


SIDES = {"classic_hex": ("blue", "red"), "a_world_at_war": ("axis", "allies")}


def _row(model: str, places: int, units: dict[str, int], enemy: int | None, goal: int) -> Scenario:
    """Return clear hexes in a row, units of MA 6 in some of them, an enemy in one, and a hex that is to be held."""
    labels = {
        "classic_hex": [f"{column:02d}10" for column in range(10, 10 + places)],
        "a_world_at_war": [f"L{number}" for number in range(10, 10 + places)],
    }[model]
    own, foe = SIDES[model]
    kind, values = {"classic_hex": ("infantry", "6-6"), "a_world_at_war": ("armor", "4-6")}[model]
    forces = [{"id": unit, "side": own, "type": kind, "values": values, "at": labels[at]} for unit, at in units.items()]
    if enemy is not None:
        forces.append({"id": "enemy", "side": foe, "type": "infantry", "values": "1-3", "at": labels[enemy]})
    for unit in forces:
        if model == "a_world_at_war":
            unit["nationality"] = "germany" if unit["side"] == "axis" else "russia"
    data = {
        "format": "planner/scenario-1",
        "model": model,
        "title": "a row",
        "phase": "movement",
        "phasing": own,
        "map": {"hexes": {" ".join(labels): "clear"}},
        "unit": forces,
        "tier": [{"terms": [{"kind": "hold", "hexes": labels[goal]}]}],
    }
    return build_scenario(data, "row")


@pytest.mark.parametrize("model", ["classic_hex", "a_world_at_war"])
@pytest.mark.parametrize("enemy", [None, 8])
def test_where_mp_count_for_nothing_the_unit_beside_the_goal_makes_the_one_step(model: str, enemy: int | None) -> None:
    """By hand: `near` is one hex from the goal, `far` five, and either of them holds it; an enemy stands three beyond."""
    found = planner.suggest(_row(model, 9, {"far": 0, "near": 4}, enemy, 5))
    assert found.plan is not None
    assert found.status == "optimal"
    assert [(move.units, len(move.path)) for move in found.plan.moves] == [(("near",), 2)]


@pytest.mark.thorough
def test_the_second_of_several_plans_is_no_worse_than_one_that_was_known_when_time_ran_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At least the best of those that are left of the best plan without one of its eleven moves."""
    solved = list[str]()
    real = SearchContext.solve

    def solve(self: SearchContext, *args: Any, **more: Any) -> Solved:
        if self.conditions.against:
            return Solved("unknown")  # as if the time were up
        solved.append("")
        return real(self, *args, **more)

    monkeypatch.setattr(SearchContext, "solve", solve)
    found = planner.alternatives("dai_senso/island_campaign", 2)
    first, second = found.plans
    assert solved
    assert first.result.status == "optimal"
    assert second.result.status == "feasible"
    assert second.result.plan is not None
    assert second.result.plan.moves
    assert planner.check("dai_senso/island_campaign", second.result.plan).legal
    shorter = [Plan((*moves[:i], *moves[i + 1 :])) for moves in [_moves(first.result)] for i in range(len(moves))]
    legal = [plan for plan in shorter if planner.check("dai_senso/island_campaign", plan).legal]
    scenario = planner.load("dai_senso/island_campaign")
    verdicts = [Referee(scenario.game).play(plan, scenario.start) for plan in legal]
    assert second.result.value >= max(values_of(scenario.game, scenario.tiers, verdict) for verdict in verdicts)


def _moves(result: Result) -> tuple[Move, ...]:
    assert result.plan is not None
    return result.plan.moves


@pytest.mark.thorough
@pytest.mark.parametrize(("model", "enemy"), [("classic_hex", None), ("a_world_at_war", None), ("a_world_at_war", 8)])
def test_diverse_plans_differ_in_what_matters_and_not_by_a_unit_one_hex_aside(model: str, enemy: int | None) -> None:
    """By hand: `near` holds the goal, or `far` does, or both; whom they eliminate counts, too."""
    scenario = _row(model, 9, {"far": 0, "near": 4}, enemy, 5)
    found = planner.alternatives(scenario, 5, diverse=True, within=0)
    (goal,) = {term.hexes[0] for tier in scenario.tiers for term in tier.terms if isinstance(term, Hold)}
    holders = [frozenset(unit for unit, place in plan.substance.ends if place == goal) for plan in found.plans]
    assert len({(held, plan.substance.gone) for held, plan in zip(holders, found.plans, strict=True)}) == len(holders)
    assert {"near"} in holders
    assert {"far"} in holders
    assert all(holders)


def test_without_any_time_explain_says_that_nothing_is_known() -> None:
    done = run("explain", "great_war/over_the_top", "mg1 to F4", "--time-limit", "0")
    assert (done.returncode, done.stdout.startswith("mg1 to F4: unknown.")) == (3, True)
