"""Plans that react to attacks: the best is that of brute force, and judged to be worth that; no fixed one beats it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from planner.limits import Limits
from planner.plans.plan import Plan
from planner.plans.policy import Node, from_json
from planner.rules.attack_table import AttackRule
from planner.scenario import Scenario
from planner.search.adaptive import adapt
from planner.search.attack_bound import attack_bounds
from planner.search.expectimax import Expectimax, TooManyStepsError
from planner.search.policy_judge import judge_policy
from tests.conftest import DEEP, long_ones, sized
from tests.oracles.attack_games import attack, position
from tests.oracles.attack_plans import field
from tests.oracles.attack_play import BestAttacks, best_of_all
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.rulebooks import with_rules

WANTED = sized(2, 8, 300)
CAP = 2_000 if DEEP else 25
STEPS = 10_000 if DEEP else 200


def drawn(seed: int, declared: str, moving: int = 0) -> Scenario:
    """Return a random position with attacks, in which so many units can move, and no requirement speaks of averages."""
    scenario = field(seed)
    kept = tuple(term for term in scenario.requirements if not getattr(term, "promises", False))
    book = scenario.game.rulebook.rules
    rules = [one.model_copy(update={"declared": declared}) if isinstance(one, AttackRule) else one for one in book]
    found = with_rules(scenario, rules)
    movers = [unit for unit in found.game.sorted(found.start.at) if unit in found.game.friends][:moving]
    units = {id: replace(unit, ma=1 if id in movers else 0) for id, unit in found.game.units.items()}
    return replace(found, game=replace(found.game, units=units, _cache={}), requirements=kept)


@pytest.mark.parametrize("declared", long_ones(["at_once", "one_by_one"], "one_by_one"))
def test_the_best_way_to_attack_is_that_of_brute_force(declared: str) -> None:
    settled, seed = Counter[str](), 0
    while settled["all"] < WANTED and seed < 40 * WANTED:
        seed += 1
        scenario = drawn(seed, declared)
        if not scenario.asks_for_attacks:
            continue
        try:
            found = Expectimax(scenario, STEPS, lambda: None).best()
            best = BestAttacks(scenario, CAP).value()
        except (TooManyStepsError, TooManyStatesError):
            continue
        told = f"{declared}, seed {seed}"
        settled["all"] += 1
        assert (found and found.value) == best, told
        if found is None:
            continue
        bounds = attack_bounds(scenario, Limits())
        # A tier is bounded for those who are worth as much as the bounds in the tiers before it.
        reached = next((i for i, bound in enumerate(bounds) if found.value[i] != bound), None)
        assert reached is None or found.value[reached] < bounds[reached], told
        settled["bounded"] += bool(bounds)
        settled["tight"] += bool(bounds) and reached is None
        judged = judge_policy(scenario, found.merged())
        assert judged.legal, f"{told}: {judged.faults}"
        assert judged.value == found.value, told
        if found.attacks:
            settled["attacking"] += 1
            settled["several"] += any(branch.then.attacks for branch in found.branches)
    assert settled["all"] >= WANTED
    assert settled["attacking"] > WANTED / 10
    assert settled["bounded"] > WANTED / 2
    assert settled["tight"] > WANTED / 3
    assert settled["several"] > 0 or not DEEP


@pytest.mark.parametrize("declared", ["at_once", "one_by_one"])
def test_asking_again_is_never_worse_than_the_fixed_plan_and_never_above_the_best(
    declared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("planner.solver.tuning.Adapting.steps_first", 0)
    monkeypatch.setattr("planner.solver.tuning.Adapting.steps", 0)
    monkeypatch.setattr("planner.solver.tuning.Adapting.steps_again", 0)
    played = 0
    for seed in range(sized(3, 6, 200)):
        scenario = drawn(seed, declared)
        found = adapt(scenario, Limits.within(20))
        if found.root is None or not found.fixed:
            continue
        played += bool(found.root.attacks)
        told = f"{declared}, seed {seed}"
        assert found.value >= found.fixed, told
        judged = judge_policy(scenario, found.root)
        assert judged.legal, f"{told}: {judged.faults}"
        assert judged.value == found.value, told
        assert found.value <= found.bound, told
        try:
            best = Expectimax(scenario, STEPS, lambda: None).best()
        except TooManyStepsError:
            continue
        assert best is not None, told
        assert found.value <= best.value, told
        plain = judge_policy(scenario, replace(found.root, branches=()))
        assert plain.legal <= (plain.value <= best.value), told
    assert played


@pytest.mark.thorough
@pytest.mark.parametrize("declared", ["at_once", "one_by_one"])
def test_the_best_way_to_move_and_to_attack_is_that_of_brute_force(declared: str) -> None:
    """One unit can move; what it does depends on what may come of the attacks."""
    settled = Counter[str]()
    for seed in range(sized(15, 40, 400)):
        scenario = drawn(seed, declared, moving=1)
        if not scenario.asks_for_attacks or settled["all"] == (100 if DEEP else 5):
            continue
        try:
            found = Expectimax(scenario, STEPS, lambda: None).best()
            best = best_of_all(scenario, CAP)
        except (TooManyStepsError, TooManyStatesError):
            continue
        settled["all"] += 1
        assert (found and found.value) == best, f"{declared}, seed {seed}"
        settled["moved"] += bool(found and found.moves)
    assert settled["all"] > 4
    assert settled["moved"] > 0


def both_or_nothing(declared: str, far: bool = False) -> Scenario:
    """Two enemies, each beside one of two units: of two ways to throw the coin, one eliminates it, the other the attacker.

    To eliminate both is worth 14, each attacker that is lost costs 4. Where b is `far`, it must come up first, which costs.
    """
    coin = [{"odds": "1:1", "results": ["AE", "DE"]}]
    rule = attack(columns=coin, sides=2, below="lowest", declared=declared)
    units = {"a": ("4-4-0", "0202"), "b": ("4-4-1" if far else "4-4-0", "0607" if far else "0606")}
    units |= {"e": ("1-4-4", "0203"), "e2": ("1-4-4", "0605")}
    goals = [{"kind": "eliminate", "units": name} for name in ("e", "e2")]
    terms = [{"kind": "together", "goals": goals, "weight": 14}, {"kind": "own_losses"}]
    return position(rule, units, tier=[{"terms": terms}, {"terms": [{"kind": "mp_spent"}]}])


def test_who_may_wait_for_the_first_result_attacks_where_nobody_else_does() -> None:
    """Both at once: 14/4 - 4 < 0, so nobody attacks. One after the other: -4/2 + 1/2 (14/2 - 4/2) = 1/2."""
    fixed = adapt(both_or_nothing("at_once"), Limits.within(20))
    assert (fixed.status, fixed.value) == ("optimal", (0, 0))
    assert fixed.root is not None
    assert not fixed.root.attacks
    found = adapt(both_or_nothing("one_by_one"), Limits.within(20))
    assert (found.status, found.value, found.fixed) == ("optimal", (Fraction(1, 2), 0), (0, 0))
    assert found.root is not None
    [first] = found.root.attacks
    then = {made.result: branch.then.attacks for branch in found.root.branches for made in branch.made}
    assert first.attackers in (("a",), ("b",))
    assert not then["AE"]
    assert len(then["DE"]) == 1


def test_who_may_wait_for_the_first_result_moves_up_where_nobody_else_does() -> None:
    """As before, but b must come up for it: a fixed plan leaves it where it is, one that reacts begins with it."""
    fixed = adapt(both_or_nothing("at_once", far=True), Limits.within(20))
    assert (fixed.status, fixed.value) == ("optimal", (0, 0))
    found = adapt(both_or_nothing("one_by_one", far=True), Limits.within(20))
    assert (found.status, found.value, found.fixed) == ("optimal", (Fraction(1, 2), -1), (0, 0))
    assert found.root is not None
    assert [str(move) for move in found.root.moves] == ["b 0607-0606"]


def test_a_bound_frees_those_too_who_had_to_attack_when_the_first_attack_was_made() -> None:
    """One may have nobody left to attack when its turn comes, so that nothing need be lost any more, as far as is known."""
    rule = attack(columns=[{"odds": "1:1", "results": ["AE", "NE"]}], sides=2, declared="one_by_one", must_attack={})
    units = {"a": ("4-4-0", "0202"), "b": ("4-4-0", "0606"), "e": ("2-2-4", "0203"), "e2": ("3-3-4", "0605")}
    scenario = position(rule, units, tier=[{"terms": [{"kind": "own_losses"}]}])
    now = scenario.after("a -> 0203=NE")
    assert attack_bounds(now, Limits()) == (0,)
    assert adapt(now, Limits.within(20)).value == (-2,)


@pytest.mark.parametrize("declared", ["at_once", "one_by_one"])
def test_nobody_gains_by_waiting_where_each_attack_counts_for_itself(
    declared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """4 against 2 and 4 against 3, a coin each: two enemies have 2/2 + 3/2 lost, and that is proved without any trying."""
    for name in ("steps_first", "steps", "steps_again"):
        monkeypatch.setattr(f"planner.solver.tuning.Adapting.{name}", 0)
    rule = attack(columns=[{"odds": "1:1", "results": ["AE", "DE"]}], sides=2, declared=declared)
    units = {"a": ("4-4-0", "0202"), "b": ("4-4-0", "0606"), "e": ("2-2-4", "0203"), "e2": ("3-3-4", "0605")}
    found = adapt(position(rule, units, tier=[{"terms": [{"kind": "enemy_losses"}]}]), Limits.within(20))
    assert (found.status, found.value, found.bound) == ("optimal", (Fraction(5, 2),), (Fraction(5, 2),))


def test_who_attacks_one_after_the_other_need_not_attack_together() -> None:
    """Units of a hex that declare at once attack together; after a result, each may attack another."""
    values = {}
    for declared in ("at_once", "one_by_one"):
        column = [{"odds": "1:1", "results": ["NE", "DE"]}]
        rule = attack(columns=column, sides=2, declared=declared, attackers_together=True)
        units = {"a": ("4-4-0", "0302"), "b": ("4-4-0", "0302"), "e": ("2-2-4", "0303"), "e2": ("3-3-4", "0301")}
        scenario = position(rule, units, tier=[{"terms": [{"kind": "enemy_losses"}]}])
        values[declared] = adapt(scenario, Limits.within(20)).value, attack_bounds(scenario, Limits())
    assert values == {
        "at_once": ((Fraction(3, 2),), (Fraction(3, 2),)),
        "one_by_one": ((Fraction(5, 2),), (Fraction(5, 2),)),
    }


def test_a_bound_says_nothing_of_what_depends_on_several_attacks() -> None:
    assert attack_bounds(both_or_nothing("one_by_one"), Limits()) == (14,)


def test_the_file_of_such_a_plan_is_read_as_it_is_written_and_judged() -> None:
    scenario = both_or_nothing("one_by_one")
    found = adapt(scenario, Limits.within(20))
    assert found.root is not None
    read = from_json(json.loads(json.dumps(found.to_dict())), "policy")
    assert judge_policy(scenario, read)
    assert judge_policy(scenario, read).value == found.value
    [branch, *_] = read.branches
    fewer = judge_policy(scenario, replace(read, branches=(branch,)))
    assert "says nothing of" in str(fewer.faults[0])
    other = judge_policy(both_or_nothing("at_once"), read)
    assert "is not among the attacks that were declared before the first was rolled" in str(other.faults[0])


def test_what_asking_again_comes_to_is_passed_over_where_the_fixed_plan_is_worth_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scenario = next(one for one in (drawn(seed, "at_once") for seed in range(1, 50)) if one.asks_for_attacks)
    for name in ("steps_first", "steps", "steps_again"):
        monkeypatch.setattr(f"planner.solver.tuning.Adapting.{name}", 0)
    worse = Node((), (), tuple(Fraction(-1000) for _ in scenario.tiers))
    grow = "planner.search.adaptive.AskingAgainOfAttacks.grow"
    monkeypatch.setattr(grow, lambda asking, *_: setattr(asking.root, "settled", worse))
    found = adapt(scenario, Limits.within(10))
    assert found.root is not None
    assert found.fixed == found.value == judge_policy(scenario, found.root).value


@pytest.mark.parametrize("steps", [0, 1_000])
@pytest.mark.parametrize("declared", ["at_once", "one_by_one"])
def test_who_could_only_retreat_where_an_enemy_goes_may_stay(
    declared: str, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both retreat, both only to 0201: whoever says nothing of it stays in 0101, as is asked for, and 4/2 are won."""
    for name in ("steps_first", "steps", "steps_again"):
        monkeypatch.setattr(f"planner.solver.tuning.Adapting.{name}", steps)
    both = {"text": "both retreat", "attackers": {"retreat": 1}, "defenders": {"retreat": 1}}
    results = {"BR": both, "DE": {"text": "eliminated", "defenders": {"eliminated": True}}}
    rule = attack(columns=[{"odds": "1:1", "results": ["BR", "DE"]}], sides=2, results=results, declared=declared)
    tier = [{"terms": [{"kind": "enemy_losses"}]}]
    around = {"rows": ". .\n. .\n. .", "hexes": {"0202": "lake", "0103": "lake"}}
    units = {"ga": ("4-4-0", "0101"), "eg": ("1-4-4", "0102")}
    scenario = position(rule, units, tier=tier, require=[{"kind": "hold", "hexes": "0101"}], **around)
    found = adapt(scenario, Limits.within(20))
    assert found.root is not None
    assert (found.value, BestAttacks(scenario, 100).value()) == ((2,), (2,))
    assert judge_policy(scenario, found.root).value == (2,)


@pytest.mark.parametrize("declared", ["at_once", "one_by_one"])
def test_where_not_every_result_is_written_out_the_dice_are_cast(
    declared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each retreat into the woods saves an enemy; what asking again comes to lies in the interval, by every step tried."""
    results = {"DE": {"text": "eliminated", "defenders": {"eliminated": True}}}
    results |= {"DR": {"text": "retreats", "defenders": {"retreat": 1}}}
    rule = attack(columns=[{"odds": "1:1", "results": ["DE", "DR"]}], sides=2, results=results, declared=declared)
    units = {"a": ("4-4-0", "0202"), "b": ("4-4-0", "0606"), "e": ("2-2-4", "0203"), "e2": ("3-3-4", "0605")}
    scenario = position(rule, units, tier=[{"terms": [{"kind": "enemy_losses"}]}])
    best = adapt(scenario, Limits.within(20)).value
    for name in ("steps_first", "steps", "steps_again"):
        monkeypatch.setattr(f"planner.solver.tuning.Adapting.{name}", 0)
    monkeypatch.setattr("planner.solver.tuning.Adapting.situations", 1)
    found = adapt(scenario, Limits.within(60))
    assert (found.status, best) == ("feasible", (Fraction(5, 2),))
    assert found.rule is not None
    assert found.rule.plays == 200
    assert found.rule.low <= best[0] <= found.rule.high


def worth_and_bound(scenario: Scenario) -> tuple[object, object, object]:
    """Return the value of the best way of playing, by brute force and by expectimax, and its bounds."""
    found = Expectimax(scenario, STEPS, lambda: None).best()
    return BestAttacks(scenario, 100).value(), found and found.value, attack_bounds(scenario, Limits())


@pytest.mark.thorough
def test_a_bound_knows_that_a_hex_is_emptied_by_several_attacks() -> None:
    """Every attack costs one step: each attacked by itself, both enemies fall; attacked at once, one of them stays."""
    step = {"DE": {"text": "defenders lose a step", "defenders": {"steps": 1}}}
    rule = attack(
        columns=[{"odds": "1:1", "results": ["DE"] * 6}],
        results=step,
        declared="one_by_one",
        defenders_together=False,
        advances={},
    )
    units = {"a": ("4-4-0", "0202"), "b": ("4-4-0", "0204"), "e": ("2-2-4", "0203"), "e2": ("3-3-4", "0203")}
    for kind in ("emptied", "taken"):
        scenario = position(rule, units, tier=[{"terms": [{"kind": kind}, {"kind": "own_losses"}]}])
        assert worth_and_bound(scenario) == ((1,), (1,), (1,))
    twice = [{"kind": "eliminate", "units": ["e", "e"]}, {"kind": "own_losses"}]
    assert worth_and_bound(position(rule, units, tier=[{"terms": twice}])) == ((2,), (2,), (2,))


def test_a_bound_knows_that_who_must_attack_may_have_nobody_left_to_attack() -> None:
    """At 2:1 a eliminates e, worth 2, and b needn't attack any more; with b it would be 3:1, which kills them both."""
    columns = [{"odds": "2:1", "results": ["DE"] * 6}, {"odds": "3:1", "results": ["AE"] * 6}]
    rule = attack(columns=columns, declared="one_by_one", must_attack={})
    units = {"a": ("4-4-0", "0202"), "b": ("2-2-0", "0204"), "e": ("2-2-4", "0203")}
    scenario = position(rule, units, tier=[{"terms": [{"kind": "enemy_losses"}, {"kind": "own_losses"}]}])
    assert worth_and_bound(scenario) == ((2,), (2,), (2,))


def test_a_bound_knows_that_one_attack_opens_the_way_on_which_others_retreat() -> None:
    """Each attack costs a step, eg has two: 1 + 3. Attackers retreat, a only to 0401, in the EZOC of e2 until b attacks."""
    won = {"DE": {"text": "a step", "attackers": {"retreat": 1}, "defenders": {"steps": 1}}}
    rule = attack(columns=[{"odds": "1:1", "results": ["DE"] * 6}], results=won, declared="one_by_one")
    units = {"a": ("4-4-0", "0501"), "eg": ("2-2-4/2", "0502"), "b": ("4-4-0", "0201"), "e2": ("3-3-4", "0301")}
    wanted = [{"kind": "enemy_losses"}, {"kind": "own_losses"}]
    scenario = position(rule, units, tier=[{"terms": wanted}], rows="\n".join([". " * 5] * 3))
    assert worth_and_bound(scenario) == ((4,), (4,), (4,))


def test_who_defend_a_hex_and_are_attacked_one_by_one_are_not_attacked_at_once() -> None:
    """All of 0203 at once: 8 to 4, eliminated by one of two throws. That b alone eliminates e2 for sure doesn't count."""
    columns = [("1:1", ["NE", "NE"]), ("2:1", ["NE", "DE"]), ("3:1", ["DE", "DE"])]
    table = [{"odds": odds, "results": results} for odds, results in columns]
    rule = attack(columns=table, sides=2, declared="one_by_one", defenders_together=False)
    units = {"a": ("2-2-0", "0202"), "b": ("6-4-0", "0204"), "e": ("2-2-4", "0203"), "e2": ("2-2-4", "0203")}
    wanted = [{"kind": "attack_results", "targets": ["0203"], "results": "DE"}]
    found = adapt(position(rule, units, tier=[{"terms": wanted}]), Limits.within(20))
    assert (found.status, found.value) == ("optimal", (Fraction(1, 2),))


def test_who_attacked_first_and_is_gone_is_remembered_by_what_had_to_be_attacked() -> None:
    """By hand: a, who may be eliminated, attacks e1 from 0305; beside e2, x would have to attack e2 then, and be lost."""
    columns = [{"odds": "1:2", "results": ["AE", "AE"]}, {"odds": "1:1", "results": ["AE", "DE"]}]
    rule = attack(columns=columns, sides=2, declared="one_by_one", must_be_attacked={})
    units = {"a": ("2-2-1", "0306"), "x": ("4-4-0", "0407"), "e1": ("2-2-0", "0404"), "e2": ("8-8-0", "0406")}
    losses = {"counting": "units", "of": {"units": "x"}, "weight": 2}
    terms = [{"kind": "enemy_losses", "counting": "units", "of": {"units": "e1"}}, {"kind": "own_losses", **losses}]
    scenario = position(rule, units, hexsides={"river": "0406 0407"}, tier=[{"terms": terms}])
    best = [BestAttacks(scenario.after([f"a 0306-{to}"]), 100).value() for to in ("0305", "0405")]
    assert best == [(Fraction(1, 2),), (Fraction(-3, 2),)]
    found = adapt(scenario, Limits.within(20))
    assert (found.status, found.value) == ("optimal", (Fraction(1, 2),))
    assert found.plan == Plan.parse(["a 0306-0305"])
