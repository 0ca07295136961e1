"""Where no combats are sure to open a hex, nobody can be sure to come there; and small positions are decided by that.

0505 has the neighbours 0504, 0506, 0404, 0405, 0604 and 0605.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.errors import OutOfTimeError
from planner.explanation.chances import chances
from planner.explanation.confirmed_combats import _kept_out
from planner.explanation.explain import explain_destination
from planner.explanation.needs import Aim
from planner.explanation.relaxation import ALL, RelaxationMemory, Scope, every_scope, relaxed
from planner.explanation.single_unit_bounds import SingleUnitBounds
from planner.limits import Limits
from planner.objective import Tier
from planner.objective.goals import Eliminate, End, Hold
from planner.plans.plan import Move, Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.referee.referee import Referee
from planner.rules.combat_roles import Fights
from planner.scenario import Scenario, load_scenario
from planner.search.combat_routes import routes_of
from planner.search.hex_combats import HexCombats, Prize
from planner.search.retreats import PossibleRetreats
from planner.search.search import Search
from planner.search.storming import siege
from planner.solver.coupling import Coupling
from planner.solver.step_layer import Paths
from tests.conftest import DEEP, sized
from tests.laws.test_rolled_results import scenario_of
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.skirmishes import skirmish, sorties
from tests.search.test_combat_bound import BOTH, fought

SKIRMISHES = sized(3, 24, 400)
SMALL = 60 if DEEP else 4
MOVES_PLAYED = 10_000
"""So many moves the referee plays at most to decide a position of 7 hexes and 3 units: about two seconds of one core."""


def held(scenario: Scenario) -> frozenset[str]:
    return SingleUnitBounds(scenario, RelaxationMemory(), Limits()).held(None)


def outnumbered(attack: int, *others: str, defense: int = 3, ground: str = "clear") -> Scenario:
    """A unit at 0504, an enemy at 0505, and others, each as its values and where it stands."""
    hexes = dict.fromkeys(("0503", "0504", "0505", "0506", "0405", "0605"), "clear")
    units = [
        {"id": "u", "side": "blue", "type": "infantry", "values": f"{attack}-2", "at": "0504"},
        {"id": "e", "side": "red", "type": "infantry", "values": f"{defense}-2", "at": "0505"},
    ]
    for number, other in enumerate(others):
        values, at = other.split()
        units.append({"id": f"v{number}", "side": "blue", "type": "infantry", "values": values, "at": at})
    return scenario_of("classic_hex", {**hexes, "0505": ground}, units)


def test_a_hex_is_open_to_those_who_win_whatever_is_drawn() -> None:
    # 9 against 3 is +200 %: every entry does more damage to the defenders.
    assert held(outnumbered(9)) == frozenset()
    assert held(outnumbered(8)) == {"0505"}
    assert held(outnumbered(9, ground="forest")) == {"0505"}
    # 4 and 5 are 9, together. 6 demoralize at least, of 3 then 1 is left, and 2 against 1 at least destroy it.
    assert held(outnumbered(4, "5-2 0503")) == frozenset()
    assert held(outnumbered(6, "2-2 0605")) == frozenset()
    assert held(outnumbered(6, "1-2 0605")) == {"0505"}


@pytest.mark.parametrize("seed", range(SKIRMISHES))
def test_no_plan_is_sure_to_open_a_hex_that_is_held(seed: int) -> None:
    scenario, _ = skirmish(seed)
    named, opened = held(scenario), set[str]()
    hostile = {scenario.game.homes[enemy] for enemy in scenario.game.homes if scenario.game.is_enemy(enemy)}
    if not named:
        pytest.skip("no hex is held")
    try:
        for _, verdict in sorties(scenario, 800 if DEEP else 150, partly=True):
            worlds = [position for position, _ in verdict.all_outcomes()]
            for label in hostile:
                if all(not any(map(scenario.game.is_enemy, world.units_in(label))) for world in worlds):
                    opened.add(label)
    except TooManyStatesError:
        pass
    assert not named & opened


@pytest.mark.parametrize("seed", range(sized(6, 24, 400)))
def test_no_plan_is_sure_of_what_combats_are_said_to_keep_from_it(seed: int) -> None:
    """Where units are sure to end, and whom they are sure to eliminate, as the referee plays it."""
    scenario, _ = skirmish(seed)
    bounds, enemies = (
        SingleUnitBounds(scenario, RelaxationMemory(), Limits()),
        frozenset(scenario.game.homes) - scenario.game.friends,
    )
    bounds.surely = True
    unhurt, ends = bounds.unhurt(None, enemies), set[tuple[str, str]]()
    try:
        for _, verdict in sorties(scenario, 800 if DEEP else 150, partly=True):
            worlds = [position for position, _ in verdict.all_outcomes()]
            assert not any(all(one not in world.at for world in worlds) for one in unhurt)
            ends |= set.intersection(*(set(world.at.items()) for world in worlds))
    except TooManyStatesError:
        pass
    assert ends
    for unit, label in ends:
        assert unit in enemies or bounds.can(None, Aim(unit, frozenset([label])))


def test_who_would_have_to_fight_its_way_is_kept_by_whom_nobody_else_is_sure_to_drive_out() -> None:
    # 9 against 3 is +200 %: u is sure to win 0505, but goes no further. 1 against 3 wins nothing.
    alone, weak, strong = outnumbered(9), outnumbered(9, "1-2 0605"), outnumbered(1, "9-2 0605")
    for scenario, beyond in ((alone, False), (weak, False), (strong, True)):
        bounds = SingleUnitBounds(scenario, RelaxationMemory(), Limits())
        for bounds.surely, able in ((True, [True, beyond]), (False, [True, True])):  # others may be lucky
            assert [bounds.can(None, Aim("u", frozenset([label]))) for label in ("0505", "0506")] == able


def test_what_counts_by_its_probability_is_not_kept_from_anybody_by_what_may_be_drawn() -> None:
    """4 against 4 takes the hex with 1/2, and 1 MP is what lacks: that more of them would help isn't denied."""
    scenario = scenario_of(
        "classic_hex",
        dict.fromkeys(("0403", "0404", "0405", "0406"), "clear"),
        [
            {"id": "a", "side": "blue", "type": "infantry", "values": "4-1", "at": "0403"},
            {"id": "e", "side": "red", "type": "infantry", "values": "4-3", "at": "0405"},
        ],
    )
    scenario = replace(scenario, tiers=(Tier(terms=(Hold(kind="hold", hexes=("0405",)),)),))
    found = planner.explain(scenario, value="1/2", time_limit=None)
    assert [str(one) for one in found.instances] == ["3.1: a can't pay for 0403-0404-0405 with 1 MP"]
    assert "if a had 1 MP more" in [str(remedy) for remedy in found.remedies]


def test_one_plain_reason_is_told_before_two_that_are_none_plainer() -> None:
    """Nobody enters a lake; that x would have to fight its way there, and y opens none for it, needn't be said."""
    found = planner.explain("classic_hex/no_way_out", "x to 0306", time_limit=None)
    assert [str(one) for one in found.instances] == ["3.2: x can't enter 0306: lake is prohibited"]
    assert found.complete


@pytest.mark.thorough
def test_who_lacks_mp_is_told_so_not_what_others_lack() -> None:
    found = planner.explain("classic_hex/three_battles", "a5 to 0303", time_limit=None)
    [told] = found.instances
    assert (told.unit, told.rule, found.complete) == ("a5", "costs", True)
    assert told.message.endswith("with 1 MP")


@pytest.mark.thorough
def test_that_nothing_may_happen_to_an_enemy_settles_who_asks_to_eliminate_it() -> None:
    """All of 88 against 6 are in the last column, and the city takes two back: of 1303, nothing may happen to anybody."""
    found = planner.explain("classic_hex/three_battles", require=["eliminate g1"], time_limit=None)
    assert [str(one) for one in found.instances] == [
        "3.3: a table decides each combat: even if all attack together, g1 may be left unharmed (1303)"
    ]
    assert found.complete


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("enemy", "told"),
    [
        # Across the river into the forest the last column counts as that from 50 % on, in which an entry harms nobody.
        (
            "e1",
            "a1 and a2 from 0304, 11 against 5, e1 may be left unharmed; "
            "no strength is sure to do any harm from there (0303)",
        ),
        # Into the forest it is that from 100 % on, in which every entry harms the defenders: 200 % of 5 more than 5 are 15.
        (
            "f1",
            "b1 and b2 from 0804, 10 against 5, f1 may be left unharmed; it takes 15 to be sure of any harm (0803)",
        ),
    ],
)
def test_that_those_who_might_come_may_do_no_harm_is_confirmed_and_told_first(enemy: str, told: str) -> None:
    """All of twenty-one would harm e1 and f1 for sure, from hexes to which only two of them get."""
    found = planner.explain("classic_hex/three_battles", require=[f"eliminate {enemy}"], time_limit=None)
    assert (found.status, [reason.confirmed for reason in found.reasons]) == ("forbidden", [True])
    first, *others = map(str, found.instances)
    assert first == f"3.3: a table decides each combat: even if all who might come attack together, {told}"
    assert others
    assert all("Each hex and hexside costs" in other for other in others)  # why nobody else gets there


def test_of_two_units_too_it_is_told_together_that_they_may_do_no_harm() -> None:
    """6 against 4 is +50 %, where an entry of the table harms the attackers alone: whoever of them attacks first."""
    found = planner.explain("classic_hex/six_against_four", require=["eliminate e"], time_limit=None)
    assert [str(one) for one in found.instances] == [
        "3.3: a table decides each combat: even if all attack together, e may be left unharmed (0405)"
    ]
    assert found.complete


def test_a_way_is_looked_for_again_only_if_it_hangs_on_what_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario, rng = planner.load("classic_hex/three_battles"), random.Random(27)
    hostile = sorted({scenario.game.homes[one] for one in scenario.game.homes if scenario.game.is_enemy(one)})
    shared, asked, plain = SingleUnitBounds(scenario, RelaxationMemory(), Limits()), [0], ConditionalReach.at_best

    def counted(self: ConditionalReach, *args: Any) -> Any:
        asked[0] += 1
        return plain(self, *args)

    monkeypatch.setattr(ConditionalReach, "at_best", counted)
    questions = [
        (rng.choice(("a1", "b1", "c3")), frozenset(rng.sample(hostile, rng.randrange(len(hostile) + 1))))
        for _ in range(40)
    ]
    answers = [shared._best(None, unit, stays) for unit, stays in questions]
    assert asked[0] < len(set(questions)) / 2
    assert answers == [
        SingleUnitBounds(scenario, RelaxationMemory(), Limits())._best(None, unit, stays) for unit, stays in questions
    ]
    assert len({(frozenset(ends), removed) for ends, removed in answers}) > 2


def test_what_binds_no_unit_is_not_taken_for_what_binds_all() -> None:
    scenario = scenario_of(
        "classic_hex",
        {"0504": "clear", "0505": "lake"},
        [{"id": "u", "side": "blue", "type": "infantry", "values": "4-4", "at": "0504"}],
    )
    bounds, aim = SingleUnitBounds(scenario, RelaxationMemory(), Limits()), Aim("u", frozenset(["0505"]))
    asked = [None, ALL, "u", None, ALL]
    assert [bounds.can([Scope("costs", unit)], aim) for unit in asked] == [True, False, False, True, False]


def test_a_hex_is_stormed_by_one_group_after_another_until_nobody_can_be_left() -> None:
    # 6 against 3, +100 %: e is demoralized at least, and back. 2 against its half, 1, +100 %: it is destroyed at least.
    scenario = outnumbered(1, "6-2 0605", "2-2 0506")
    homes = scenario.game.homes
    ways = {unit: {homes[unit]: Move((unit,), (homes[unit],))} for unit in ("v0", "v1")}
    stormed = siege(scenario.game, "0505", (), ways, ["0504", "0605", "0506"])
    assert stormed is not None
    assert [str(move) for move in stormed] == ["v0 0605x0505", "v1 0506x0505"]
    verdict = Referee(scenario.game).play(Plan((*stormed, Move(("u",), ("0504", "0505")))), scenario.start)
    assert verdict.legal
    assert verdict.chance_to_end("u", ("0505",)) == 1
    weaker = outnumbered(1, "6-2 0605", "1-2 0506")
    assert siege(weaker.game, "0505", (), ways, ["0504", "0605", "0506"]) is None


def test_what_no_luck_brings_a_unit_to_is_not_searched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand: with 1 MP u may fight its way into 0505, but no further, whatever is drawn."""
    scenario = outnumbered(4)
    assert SingleUnitBounds(scenario, RelaxationMemory(), Limits()).might(Aim("u", frozenset(["0505"])))
    poor = replace(scenario.game.units["u"], ma=Fraction(1))
    game = replace(scenario.game, units={**scenario.game.units, "u": poor}, _cache={})
    far = replace(scenario, game=game)
    assert not SingleUnitBounds(far, RelaxationMemory(), Limits()).might(Aim("u", frozenset(["0506"])))
    monkeypatch.setattr("planner.explanation.chances.Search", None)
    assert chances(far, End(kind="end", unit="u", at=("0506",)), Limits()) == ((), None, True)


@pytest.mark.thorough
def test_that_no_combats_are_sure_to_open_a_hex_is_told_of_many_units_together() -> None:
    """Twenty-one units: from 0304 it is across a river into a forest, and even their best column may do no damage."""
    found = planner.explain("classic_hex/three_battles", "a1 to 0303", time_limit=None)
    assert (found.status, found.help) == ("forbidden", "none")
    [reason] = found.reasons
    assert reason.minimal
    told = {instance.rule: instance for instance in reason.instances}
    assert sorted(told) == ["combat", "costs"]
    assert told["combat"].message == "a table decides each combat, and no combats are sure to open 0303"
    assert (told["combat"].hex, told["combat"].blame) == ("0303", ("e1", "e2"))
    assert "lake is prohibited" in told["costs"].message
    assert found.attempt is None
    assert not found.hurried
    # The referee says so, too: from 0304 all of them may draw nothing, and nobody comes to 0302 or 0402 but through 0303.
    assert reason.confirmed
    assert found.complete


@pytest.mark.thorough
def test_that_those_who_can_come_are_too_weak_is_confirmed_where_all_of_them_would_not_be() -> None:
    """By hand: from 0804, b1 and b2 are 10 to 5, which may do no damage; all twenty-one would surely win, and can't come."""
    found = planner.explain("classic_hex/three_battles", "b1 to 0803", time_limit=None)
    assert (found.status, found.help) == ("forbidden", "none")
    [reason] = found.reasons
    assert reason.confirmed
    told = {instance.rule: instance for instance in reason.instances}
    assert told["combat"].message == "a table decides each combat, and no combats are sure to open 0803"


@pytest.mark.parametrize(
    ("between", "binding", "closed", "kept_out"),
    [
        ("lake", ["costs"], (), True),
        ("clear", ["costs"], (), False),
        ("clear", ["costs"], ("0504",), True),
        ("lake", ["combat"], (), False),  # then nothing says what is prohibited
    ],
)
def test_prohibited_steps_keep_out_whom_they_bind_however_much_it_may_spend(
    between: str, binding: list[str], closed: tuple[str, ...], kept_out: bool
) -> None:
    """Four hexes in a line, of which 0504 is the only way on; the unit has 1 MP, which is not what is in force."""
    hexes = {**dict.fromkeys(("0503", "0505", "0506"), "clear"), "0504": between}
    values = {"u": ("blue", "3-1", "0503"), "e": ("red", "3-2", "0506")}
    units = [
        {"id": one, "side": side, "type": "infantry", "values": strength, "at": at}
        for one, (side, strength, at) in values.items()
    ]
    bounds = SingleUnitBounds(scenario_of("classic_hex", hexes, units), RelaxationMemory(), Limits())
    scopes = [Scope(rule) for rule in binding]
    assert _kept_out(bounds, scopes, "u", "0505", frozenset(closed), Limits()) is kept_out
    assert not _kept_out(bounds, scopes, "u", "0503", frozenset(), Limits())


@pytest.mark.thorough
def test_a_way_that_combats_hide_is_found_step_by_step_where_whole_moves_are_too_many() -> None:
    """Thirteen hexes: whoever attacks from 0604 drives e to where b stands, or destroys it; a and c must do it together."""
    labels = ["0503", "0504", "0505", "0506", "0507", "0404", "0405", "0406", "0604", "0605", "0606", "0704", "0705"]
    values = {"a": ("6-3", "0503"), "b": ("4-3", "0404"), "c": ("4-3", "0604"), "e": ("3-3", "0505")}
    units = [
        {"id": one, "side": "red" if one == "e" else "blue", "type": "infantry", "values": strength, "at": home}
        for one, (strength, home) in values.items()
    ]
    scenario = scenario_of("classic_hex", dict.fromkeys(labels, "clear"), units)
    found = planner.explain(scenario, require=["eliminate e"], time_limit=None)
    assert found.status == "possible"
    assert found.plan is not None
    worlds = [position for position, _ in Referee(scenario.game).play(found.plan, scenario.start).all_outcomes()]
    assert worlds
    assert not any("e" in position.at for position in worlds)


def small(seed: int) -> tuple[Scenario, End]:
    """Seven hexes, two units, and an enemy whose hex one of them wants."""
    rng = random.Random(f"small {seed}")
    labels = ["0505", "0504", "0506", "0405", "0406", "0605", "0606"]
    hexes = {label: rng.choices(("clear", "forest", "city"), (8, 2, 1))[0] for label in labels}
    places = rng.sample(labels, 3)
    units: list[dict[str, Any]] = [
        {"id": f"u{n}", "side": "blue", "values": f"{rng.choice((2, 3, 4, 6))}-{rng.choice((1, 2, 3))}", "at": place}
        for n, place in enumerate(places[:2])
    ]
    units.append({"id": "e", "side": "red", "values": f"{rng.choice((2, 3, 4))}-2", "at": places[2]})
    scenario = scenario_of("classic_hex", hexes, [{**unit, "type": "infantry"} for unit in units])
    return scenario, End(kind="end", unit="u0", at=(places[2],))


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Return how often a move has been played."""
    count, plain = [0], Referee.play_move

    def counted(self: Referee, *args: Any, **kwargs: Any) -> Any:
        count[0] += 1
        return plain(self, *args, **kwargs)

    monkeypatch.setattr(Referee, "play_move", counted)
    return lambda: count[0]


@pytest.mark.parametrize("seed", range(SMALL))
@pytest.mark.thorough
def test_small_positions_are_decided_with_a_way_to_attack_and_little_work(seed: int, played: Callable[[], int]) -> None:
    scenario, goal = small(seed)
    found = explain_destination(scenario, goal)
    assert found.status != "unknown"
    assert found.complete
    assert played() < MOVES_PLAYED
    best = max(
        (verdict.chance_to_end(goal.unit, goal.at) for _, verdict in sorties(scenario, 50_000)), default=Fraction(0)
    )
    assert (found.status in ("possible", "with_help")) == (best == 1)
    if found.status == "forbidden":
        assert [one.probability for one in found.chances[-1:]] == ([best] if best else [])
        assert all(one.best for one in found.chances[-1:])


def test_units_that_go_in_one_move_are_told_so() -> None:
    scenario = outnumbered(4, defense=4)
    goal = End(kind="end", unit="u", at=("0505",))
    further = scenario_of(
        "classic_hex",
        dict.fromkeys(("0503", "0504", "0505"), "clear"),
        [
            {"id": "u", "side": "blue", "type": "infantry", "values": "4-3", "at": "0503"},
            {"id": "e", "side": "red", "type": "infantry", "values": "4-2", "at": "0505"},
        ],
    )
    for position, moves in ((scenario, ["u 0504x0505"]), (further, ["u 0503-0504x0505"])):
        [chance] = explain_destination(position, goal).chances
        assert chance.plan.lines == moves


@pytest.mark.thorough
def test_what_a_unit_reaches_by_combat_is_bounded_by_its_own_chances() -> None:
    scenario = outnumbered(4, "2-2 0503", defense=4)
    goal = End(kind="end", unit="v0", at=("0505",))
    found = Search(replace(scenario, tiers=(Tier(terms=(goal,)),))).run()
    best = max(verdict.chance_to_end("v0", ("0505",)) for _, verdict in sorties(scenario, 50_000))
    assert found.value == found.bound == (best,)


def test_a_large_position_says_how_to_attack_though_nobody_can_be_sure() -> None:
    scenario = planner.load("classic_hex/three_battles")
    goal = End(kind="end", unit="a1", at=("0303",))
    assert "0303" in held(scenario)
    found, sure, _ = chances(replace(scenario, requirements=()), goal, Limits())
    assert sure is None
    assert [(one.plan.lines[-1], one.probability, one.best) for one in found] == [
        ("a1+a2 0304x0303", Fraction(1, 2), True)
    ]
    assert found[0].raises


def test_where_no_table_binds_anybody_none_bounds_what_combats_come_to() -> None:
    """By hand: of 6 against 4 one of six results destroys e, the best one, which is what comes out then."""
    scenario = load_scenario("classic_hex/six_against_four")
    asked = replace(scenario, requirements=(Eliminate(kind="eliminate", units=("e",)),), tiers=())
    assert (Search(asked).run().status, Search(relaxed(asked, ())).run().status) == ("infeasible", "optimal")


@pytest.mark.parametrize(
    ("scenario", "asked", "told"),
    [
        ("great_war/over_the_top", "tank2 to D8", "it holds e15"),  # it may bog down on the way, too
        ("classic_hex/three_battles", "c5 to 1303", "with 1 MP"),  # nor are combats sure to open 1303
    ],
)
@pytest.mark.thorough
def test_what_forbids_for_certain_is_told_before_what_dice_may_do(scenario: str, asked: str, told: str) -> None:
    """By hand: D8 is the enemies' to the end, since e15 isn't sure to go; c5 has 1 MP for a way of five hexes."""
    [reason] = planner.explain(planner.load(scenario), asked, time_limit=60).reasons
    assert [told in one.message for one in reason.instances] == [True]
    assert reason.confirmed


def test_what_combats_for_a_hex_are_worth_is_worked_out_no_longer_than_there_is_time() -> None:
    scenario, limits = planner.load("classic_hex/six_against_four"), Limits()
    [rule] = scenario.game.rulebook.of(Fights)
    reach = ConditionalReach(scenario.game, limits)
    routes = {unit: routes_of(reach, unit) for unit in ("x", "y")}
    combats = HexCombats(reach, rule, "0405", routes, PossibleRetreats(scenario.game, rule, routes))
    limits.stop.set()
    with pytest.raises(OutOfTimeError):
        combats.worth(frozenset(("x", "y")), Prize(Fraction(1), {"e": Fraction(0)}), False)


def test_the_explicit_form_of_one_unit_looks_at_the_clock_while_it_is_written() -> None:
    scenario, ticks = planner.load("classic_hex/six_against_four"), [0]

    def tick() -> None:
        ticks[0] += 1

    reach = ConditionalReach(scenario.game, Limits())
    paths = Paths(Coupling(scenario.game, reach.scale, tick=tick), reach, only=["x"])
    assert ticks[0] >= 3 * len(paths.arcs["x"]) > 0


def test_who_is_weaker_may_do_harm_where_the_strongest_may_do_none(tmp_path: Path) -> None:
    """By hand: x comes to the last column, where nothing happens; y, too weak for that, destroys e, which is tired."""
    columns = f"{BOTH}, {{ from_percent = 100, entries = [[0, 0]] }}"
    scenario = fought(tmp_path, "x 01 4-1, y 01 1-1, e 02 4-4 tired", columns)
    assert planner.check(scenario, ["y 03.01x03.02"]).legal
    assert planner.explain(scenario, require="eliminate e", time_limit=20).status == "possible"
    bounds = SingleUnitBounds(scenario, RelaxationMemory(), Limits())
    assert (bounds.held(None), bounds.unhurt(None, ["e"])) == (frozenset(), frozenset())


def test_whom_no_table_binds_in_a_hex_fights_there_again_and_passes_through(tmp_path: Path) -> None:
    """By hand: each combat does both harm. Without its table x demoralizes e, and goes on to destroy it."""
    scenario = fought(tmp_path, "x 01 4-4, e 02 4-4", BOTH)
    bounds, free = SingleUnitBounds(scenario, RelaxationMemory(), Limits()), every_scope(scenario)
    bounds.surely = True
    free = [scope for scope in free if scope.rule != "combat"]
    elsewhere, here = (Scope("combat", ALL, frozenset([label])) for label in ("03.03", "03.02"))
    twice = Plan.parse("x 03.01x03.02-03.01-03.02")
    for more, open_ in (([], True), ([elsewhere], True), ([here], False)):
        scopes = [*free, *more]
        verdict = Referee(relaxed(scenario, scopes, RelaxationMemory()).game).play(twice, scenario.start)
        assert verdict.legal is open_
        assert bounds.held(scopes) == (frozenset() if open_ else {"03.02"})
        assert bounds.can(scopes, Aim("x", frozenset(["03.03"]))) is open_


def test_plans_that_differ_in_what_they_are_worth_on_average_are_all_looked_at(tmp_path: Path) -> None:
    """By hand: y, or else z, opens 03.04, whatever is drawn; if x went before z, it would have to fight itself."""
    units = "x 03 8-1, y 02 8-3, z 02 2-2, e 04 1-4, f 04 1-4"
    goals = [{"kind": "eliminate", "units": "e", "weight": 3}, {"kind": "end", "unit": "x", "at": "03.04"}]
    columns = "{ from_percent = -100, entries = [[2, 2], [0, 1]] }"
    scenario = fought(tmp_path, units, columns, tier=[{"terms": goals}])
    assert planner.explain(scenario, value="4", time_limit=20).status == "possible"


@pytest.mark.parametrize("second", [False, True])
def test_of_those_who_might_come_only_from_different_hexes_the_strongest_attack_is_told(second: bool) -> None:
    """4 against 3 may do nothing; w, whose 9 would be enough, has 1 MP. v may attack, too, but not from where u does."""
    hexes = dict.fromkeys(("0504", "0505", "0506", "0605", "0606", "0607"), "clear")
    units = [("u", "4-1", "0504"), ("w", "9-1", "0607"), *([("v", "3-1", "0506")] if second else [])]
    entries = [{"id": one, "side": "blue", "type": "infantry", "values": v, "at": at} for one, v, at in units]
    enemy = {"id": "e", "side": "red", "type": "infantry", "values": "3-3", "at": "0505"}
    found = planner.explain(
        scenario_of("classic_hex", hexes, [*entries, enemy]), require="eliminate e", time_limit=None
    )
    assert found.status == "forbidden"
    assert str(found.instances[0]) == (
        "3.3: a table decides each combat: even the strongest attack that might be made, u from 0504, 4 against 3, "
        "may leave e unharmed; it takes 6 to be sure of any harm (0505)"
    )
