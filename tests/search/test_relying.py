"""No plan that relies on what is likely enough is worth more than trying every step says, and most often one is as much."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.errors import TooManyOutcomesError
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.search.expectimax import Expectimax, TooManyStepsError
from planner.search.relying import Relying
from tests.conftest import sized
from tests.laws.test_combats_with_other_rules import position
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.rolled_plans import EveryRolledPlan, rolled_mixture
from tests.oracles.skirmishes import best_plan
from tests.plain_game import BOGGING, JOINT, LIMIT, SHUT, placed, write_model

FEW = (
    0,
    3,
    8,
    12,
    18,
    21,
    27,
    34,
    41,
    48,
    56,
    61,
    66,
    69,
    76,
    80,
    83,
    87,
    90,
    95,
    97,
    102,
    116,
    121,
    132,
    135,
    136,
    144,
)
"""Some of the first with few plans."""
MIXED, FOUGHT = sized((), FEW, range(2_000)), sized(range(0), range(6), range(200))
CROWDED = sized(range(0), range(16), range(1_500))
PLANS, STEPS = 60, 4_000
"""How many plans, and steps, there may be: positions with more aren't compared."""


def relying(scenario: Scenario, rng: random.Random) -> Scenario:
    """Return a position in which plans may rely on results that may fail."""
    confidence = rng.choice((Fraction(1, 6), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(5, 6)))
    situation = replace(scenario.game.situation, confidence=confidence)
    return replace(scenario, game=replace(scenario.game, situation=situation, _cache={}))


@pytest.mark.thorough
def test_no_plan_that_relies_on_rolls_exceeds_what_trying_every_step_says() -> None:
    compared = tight = 0
    for seed in MIXED:
        rng = random.Random(f"relying {seed}")
        scenario = relying(rolled_mixture(rng)[0], rng)
        every = EveryRolledPlan(scenario, PLANS)
        try:
            best = every.best(every.judged())
            way = Relying(scenario, STEPS, lambda: None).best()
        except (TooManyStatesError, TooManyOutcomesError, TooManyStepsError):
            continue
        bound = None if way is None else way.value
        assert best is None or (bound is not None and bound >= best), seed
        compared, tight = compared + 1, tight + (bound == best)
    assert tight > compared / 2 > 0


def crowded(seed: int, folder: Path) -> Scenario:
    """Return three units in a lane, or beside it, with an enemy or two, where one has room in each hex in the end."""
    rng = random.Random(f"crowded {seed}")
    when = rng.choice(("phase", "phase", "move"))
    rules = (
        SHUT
        + JOINT.replace("1/2", rng.choice(("1/2", "2/3", "1/3")))
        + LIMIT
        + f'limits = [{{ units = 1 }}]\nwhen = "{when}"\n'
    )
    folder.mkdir()
    hexes = ["03.01", "03.02", "03.03", "03.04", rng.choice(("02.02", "04.03"))]
    spots = dict(zip("abc", rng.sample(["03.01", "03.02", hexes[-1]], 3), strict=True))
    units = [
        {"id": unit, "side": "south", "type": "foot", "values": f"{rng.randint(1, 2)}-{rng.randint(1, 2)}", "at": at}
        for unit, at in spots.items()
    ]
    units.append({"id": "e", "side": "north", "type": "foot", "values": f"{rng.randint(1, 2)}-0", "at": "03.03"})
    goals = [
        {"kind": "end", "unit": unit, "at": rng.choice(hexes), "weight": rng.randint(1, 3)}
        for unit in "abc"
        for _ in "12"
    ]
    tiers = [{"terms": goals}, {"terms": [{"kind": "mp_spent"}]}]
    model = write_model(folder / "game", rules, turns=rng.choice(("", "waiting = {}\n")))
    return relying(placed(model, dict.fromkeys(hexes, "plain"), units, tier=tiers), rng)


@pytest.mark.parametrize(
    ("confidence", "value"), [("1", 0), ("2/3", 0), ("1/2", Fraction(1, 2)), ("1/6", Fraction(1, 2))]
)
@pytest.mark.parametrize("turns", ["", "stacks = true\n", "waiting = {}\n"])
def test_who_overruns_from_a_full_hex_relies_on_not_being_thrown_back_there(
    turns: str, confidence: str, value: int | Fraction, tmp_path: Path
) -> None:
    """Unit f overruns e, at 1/2, from 03.02, where there is room for g alone."""
    room = LIMIT + 'limits = [{ units = 1 }]\nwhen = "move"\n'
    model = write_model(tmp_path / "game", SHUT + JOINT + room, turns=turns)
    units = [
        {"id": unit, "side": side, "type": "foot", "values": values, "at": at}
        for unit, side, values, at in (
            ("f", "south", "1-2", "03.01"), ("g", "south", "1-0", "03.02"), ("e", "north", "1-0", "03.03")
        )
    ]  # fmt: skip
    goals = [{"terms": [{"kind": "hold", "hexes": "03.03"}]}]
    scenario = placed(model, {"03.01 03.02 03.03": "plain"}, units, tier=goals, confidence=confidence)
    found = planner.suggest(scenario)
    assert (found.status, found.value) == ("optimal", (value,))


@pytest.mark.parametrize("turns", ["", "stacks = true\n", "waiting = {}\n"])
def test_rolls_that_go_well_bound_no_plan_that_gains_by_a_failure_that_is_relied_on(turns: str, tmp_path: Path) -> None:
    """Both are wanted in 03.01, where one has room in the end: a takes the place of b, which stays if it fails, 1/2."""
    model = write_model(tmp_path / "game", SHUT + JOINT + LIMIT + "limits = [{ units = 1 }]\n", turns=turns)
    units = [
        {"id": unit, "side": side, "type": "foot", "values": f"1-{ma}", "at": at}
        for unit, side, ma, at in (("a", "south", 1, "03.02"), ("b", "south", 1, "03.01"), ("e", "north", 0, "02.01"))
    ]
    goals = [{"kind": "end", "unit": unit, "at": "03.01", "weight": 2} for unit in "ab"]
    hexes = {"02.01 03.01 03.02": "plain"}
    found = planner.suggest(placed(model, hexes, units, tier=[{"terms": goals}], confidence="1/3"))
    assert (found.status, found.value, found.bound) == ("optimal", (3,), (3,))


def test_who_reacts_by_asking_again_does_not_look_at_a_result_that_is_relied_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where not every step can be tried: f, thrown back to 03.02, would stand where only g may."""
    for name in ("steps_first", "steps", "steps_again", "longer"):
        monkeypatch.setattr(f"planner.solver.tuning.Adapting.{name}", 0)
    room = LIMIT + 'limits = [{ units = 1 }]\nwhen = "move"\n'
    units = [
        {"id": unit, "side": side, "type": "foot", "values": values, "at": at}
        for unit, side, values, at in (
            ("f", "south", "1-2", "03.01"), ("g", "south", "1-0", "03.02"), ("e", "north", "1-0", "03.03")
        )
    ]  # fmt: skip
    model = write_model(tmp_path / "game", SHUT + JOINT + room)
    goals = [{"terms": [{"kind": "hold", "hexes": "03.03"}]}]
    scenario = placed(model, {"03.01 03.02 03.03": "plain"}, units, tier=goals, confidence="1/6")
    assert planner.suggest(scenario, adaptive=True).fixed == (Fraction(1, 2),)


@pytest.mark.parametrize(("confidence", "value"), [("1", 0), ("1/2", Fraction(1, 6))])
def test_who_may_bog_down_where_it_may_not_stay_gains_by_coming_back_from_there(
    confidence: str, value: int | Fraction, tmp_path: Path
) -> None:
    """Unit f is wanted in a town in which no move may end: it gets there, and stays, only if it bogs down there, 1 in 6."""
    town = LIMIT + 'limits = [{ where = { terrain = "town" }, units = 0 }]\nwhen = "move"\n'
    model = write_model(tmp_path / "game", BOGGING + town, turns="waiting = {}\n")
    unit = {"id": "f", "side": "south", "type": "foot", "values": "1-2", "at": "03.01"}
    goals = [{"terms": [{"kind": "end", "unit": "f", "at": "03.02"}]}]
    scenario = placed(model, {"03.01": "plain", "03.02": "town"}, [unit], tier=goals, confidence=confidence)
    found = planner.suggest(scenario)
    assert (found.status, found.value) == ("optimal", (value,))


@pytest.mark.thorough
def test_no_plan_that_relies_on_making_room_exceeds_what_trying_every_step_says(tmp_path: Path) -> None:
    compared = tight = beyond = 0
    for seed in CROWDED:
        scenario = crowded(seed, tmp_path / str(seed))
        every = EveryRolledPlan(scenario, 5 * PLANS)
        try:
            best = every.best(every.judged())
            way = Relying(scenario, 20 * STEPS, lambda: None).best()
            safe = Expectimax(scenario, 20 * STEPS, lambda: None).best()
        except (TooManyStatesError, TooManyStepsError):
            continue
        assert best is not None, seed
        assert way is not None, seed
        assert way.value >= best, seed
        found, waits = planner.suggest(scenario), scenario.game.rulebook.lets_wait(scenario.game.units["a"])
        assert found.status == "feasible" or found.value == best or (waits and found.value > best), seed
        assert found.bound[0] >= max(found.value[0], best[0]), seed
        reacting = planner.suggest(scenario, adaptive=True)
        assert reacting.value >= found.value, seed
        assert reacting.bound >= best, seed
        assert reacting.status == "feasible" or way.value >= reacting.value, seed
        compared, tight = compared + 1, tight + (way.value == best)
        beyond += safe is None or safe.value < best
    assert tight > compared / 2 > 0
    assert beyond


@pytest.mark.thorough
def test_no_plan_that_relies_on_combats_exceeds_what_trying_every_step_says() -> None:
    compared = 0
    for seed in FOUGHT:
        for kind in ("stacking", "vacancy"):
            scenario = relying(position(kind, seed)[0], random.Random(f"relying {kind} {seed}"))
            if not Referee(scenario.game).play(Plan(), scenario.start).legal:
                continue
            try:
                best, _ = best_plan(scenario, PLANS)
                way = Relying(scenario, STEPS, lambda: None).best()
            except (TooManyStatesError, TooManyStepsError):
                continue
            assert way is not None, seed
            assert way.value >= best, seed
            compared += 1
    assert compared
