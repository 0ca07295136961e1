"""Overruns: what gives the defender a column shift bars them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.rules.kinds.overrun import Overrun
from planner.rules.odds_table import Shift
from planner.scenario import build_scenario
from planner.search.search import Search
from planner.solver.plan_judge import judge
from planner.world.selectors import HexsideSelector
from tests.oracles.made_up import BAR
from tests.oracles.rulebooks import with_rules
from tests.plain_game import JOINT, OVERRUN, SHUT, Variant, build, placed, write_model


@pytest.mark.parametrize(("between", "legal"), [("w2021 w2121", False), ("w2020 w2121", True)])
def test_a_hexside_that_gives_a_shift_bars_the_overrun_across_it_alone(between: str, legal: bool) -> None:
    """The tank overruns w2121 out of w2021; the river lies there, or on the hexside beside it."""
    data = {
        "format": "planner/scenario-1",
        "model": "dai_senso",
        "phase": "operational_movement",
        "phasing": "soviet",
        "map": {"hexes": {"w2020 w2021 w2120 w2121": "clear"}, "hexsides": {"river": between}},
        "unit": [
            {"id": "arm", "side": "soviet", "type": "tank", "values": "3-3-3", "steps": 2, "at": "w2021"},
            {"id": "e", "side": "axis", "type": "infantry", "values": "1-1-1", "at": "w2121"},
        ],
    }
    scenario = build_scenario(data, "a river")
    river = Shift(name="the river", hexsides=HexsideSelector(features=("river",)))
    rules = [
        rule.model_copy(update={"shifts": (*rule.shifts, river)}) if isinstance(rule, Overrun) else rule
        for rule in scenario.game.rulebook.rules
    ]
    scenario, plan = with_rules(scenario, rules), Plan.parse("arm w2021xw2121")
    verdict = Referee(scenario.game).play(plan, scenario.start)
    assert verdict.legal == legal == (not judge(scenario, plan))
    assert legal or "would have a column shift in w2121: the river" in str(verdict.violations[0])


@pytest.mark.parametrize("turns", ["", "stacks = true\n"])
def test_who_follows_an_overrun_walks_through_the_hex_also_where_units_move_as_stacks(
    tmp_path: Path, turns: str
) -> None:
    """In a pass of one hex's width, behind an enemy, are both hexes that are to be held: 3 and 1, for 2 and 4 MP."""
    rules, lake = OVERRUN + BAR + "unless_overrun = true\n", 'terrain.lake = { symbol = "~", prohibited = true }\n'
    units, rows = ("foot a 03.01 9", "foot b 03.01 9"), "~ ~ . ~ ~\n" * 6
    scenario = build(Variant("pass", rules, lake, units, ("foot e 03.02",), rows, turns=turns), tmp_path)
    result = Search(scenario).run()
    assert result.status == "optimal"
    assert tuple(map(int, result.value)) == (4, -6)
    assert result.plan is not None
    assert sum(len(move.overruns) for move in result.plan.moves) == 1


@pytest.mark.parametrize(("extra", "tries", "legal"), [("0", 2, True), ("1/2", 2, False), ("1/2", 1, True)])
def test_each_attempt_takes_the_mp_of_the_hex_where_the_rule_has_no_price(
    extra: str, tries: int, legal: bool, tmp_path: Path
) -> None:
    """Plain hexes take 1 MP, and f has 2: two attempts are one too many where each takes 1 1/2."""
    rules = f'{JOINT}attempts = 2\nextra = "{extra}"\n'
    scenario = build(Variant("joint", rules, units=("foot f 03.02 2",), enemies=("foot e 03.03",)), tmp_path)
    plan = Plan.parse(f"f 03.02x03.03*{tries}")
    verdict = Referee(scenario.game).play(plan, scenario.start)
    assert verdict.legal == legal == (not judge(scenario, plan))
    assert verdict.moves[0].mp == (1 + Fraction(extra)) * tries


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ('{ types = "train" }', "k is not a unit that can be overrun"),
        ("{ steps_max = 1 }", "k can't be overrun: it has 2 steps"),
        ('{ any_of = [{ types = "train" }, { steps_min = 3 }] }', "k can't be overrun: it has 2 steps"),
        ('{ types = "train", steps_max = 1 }', "k is not a unit that can be overrun"),
    ],
)
def test_of_steps_it_is_told_only_where_with_others_the_enemy_could_be_overrun(
    target: str, said: str, tmp_path: Path
) -> None:
    rules, more = OVERRUN.replace("target = {}", f"target = {target}"), {"k": "steps = 2"}
    scenario = build(Variant("steps", rules, enemies=("guard k 03.02 2",), more=more), tmp_path)
    verdict = Referee(scenario.game).play(Plan.parse(["f 03.01x03.02"]), scenario.start)
    assert [one.message for one in verdict.violations] == [said]


@pytest.mark.parametrize("waiting", ['types = "guard"', 'units = "b"', ""])
def test_support_is_found_whoever_may_wait(waiting: str, tmp_path: Path) -> None:
    """By hand: a, with 1, needs b's 1 against e's 2; by one of the rules neither of them may wait."""
    support = 'support = { paragraph = "help", units = {}, range = 2 }\n'
    sure = JOINT.replace('chance = "1/2"', "chance = 1") + support
    model = write_model(tmp_path / "game", SHUT + sure, turns=f"waiting = {{ {waiting} }}\n")
    own = {"side": "south", "type": "foot", "values": "1-1"}
    foe = {"id": "e", "side": "north", "type": "guard", "values": "2-0", "at": "01.01"}
    units = [{"id": "a", "at": "01.02", **own}, {"id": "b", "at": "01.03", **own}, foe]
    goal = {"terms": [{"kind": "end", "unit": "a", "at": "01.01"}]}
    found = planner.suggest(placed(model, {"01.01 01.02 01.03": "plain"}, units, tier=[goal]))
    assert found.status == "optimal"
    assert str(found.plan) == "a 01.02x01.01(b)"


LIFTS = '[[rule]]\nid = "zoc"\nkind = "zone_of_control"\nparagraph = "zoc"\nexerted_by = { types = "guard" }\n'
LIFTS += 'effects = [{ paragraph = "zoc", on = "enter", does = "stop", any_overrun_lifts = true }]\n'
SWAMP = '[[rule]]\nid = "swamp"\nkind = "entry_restriction"\nparagraph = "swamp"\nhexes = { labels = "02.03" }\n'
SWAMP += "unless_overrun = true\n"
MINED = SWAMP.replace('hexes = { labels = "02.03" }', 'enemy_markers = { types = "boat" }') + "enemy_units = {}\n"


@pytest.mark.parametrize(
    ("rule", "foes", "moves"),
    [
        # g stops whoever enters 02.03, unless an overrun of f follows: whoever comes second has to go round by the hill.
        (
            LIFTS,
            {"f": ("foot", "02.04"), "g": ("guard", "01.03")},
            "u 03.03-02.03x02.04-01.05; v 03.03-03.04-02.04-01.05",
        ),
        # Nobody enters 02.03 but to overrun f.
        (SWAMP, {"f": ("foot", "02.03")}, "u 03.03x02.03-02.04-01.05; v 03.03-03.04-02.04-01.05"),
        # The same, by a rule that keeps units out of enemies' hexes besides; and by one that is about a marker there.
        (
            SWAMP + "enemy_units = {}\n",
            {"f": ("foot", "02.03")},
            "u 03.03x02.03-02.04-01.05; v 03.03-03.04-02.04-01.05",
        ),
        (MINED, {"f": ("foot", "02.03")}, "u 03.03x02.03-02.04-01.05; v 03.03-03.04-02.04-01.05"),
    ],
)
def test_what_overruns_alone_may_do_nobody_does_once_the_enemy_is_gone(
    rule: str, foes: dict[str, tuple[str, str]], moves: str, tmp_path: Path
) -> None:
    """By hand: for each of the two the short way is open, but not for both of them."""
    overrun = OVERRUN.replace("defenders = {}", 'defenders = { types = "foot" }')
    own = {"side": "south", "type": "foot", "values": "1-5", "at": "03.03"}
    enemies = [
        {"id": one, "side": "north", "type": kind, "values": "0-0", "at": at} for one, (kind, at) in foes.items()
    ]
    model = write_model(tmp_path / "game", SHUT + overrun + rule)
    hexes = {"03.03 02.03 02.04 01.03 01.05": "plain", "03.04": "hill"}
    goals = {"terms": [{"kind": "end", "unit": unit, "at": "01.05"} for unit in "uv"]}
    boat = [{"id": "m", "side": "north", "type": "boat", "at": "02.03"}] if rule == MINED else []
    scenario = placed(model, hexes, [{"id": "u", **own}, {"id": "v", **own}, *enemies], tier=[goals], marker=boat)
    assert planner.check(scenario, moves.split("; ")).legal
    found = planner.suggest(scenario)
    assert (found.status, found.value) == ("optimal", (2,))
    report = planner.reach(scenario, "u")
    assert {entry.hex for entry in report.alone} >= {"02.03", "02.04", "01.05", "03.04"}
    assert not report.with_help


@pytest.mark.parametrize(("costs", "spent"), [('extra = "1/2"\n', "3/2"), ('price = "1/3"\n', "1/3")])
def test_an_attempt_may_cost_a_part_of_an_mp_though_nothing_else_does(costs: str, spent: str, tmp_path: Path) -> None:
    model = write_model(tmp_path / "any_game", SHUT + JOINT + costs)
    units = [{"id": "a", "side": "south", "type": "foot", "at": "03.01", "values": "2-2"}]
    units.append({"id": "e", "side": "north", "type": "foot", "at": "03.02", "values": "1-0"})
    tier = [{"terms": [{"kind": "eliminate", "units": ["e"]}]}, {"terms": [{"kind": "mp_spent"}]}]
    found = planner.suggest(placed(model, {"03.01": "plain", "03.02": "plain"}, units, tier=tier))
    assert (found.status, found.value) == ("optimal", (Fraction(1, 2), -Fraction(spent)))


def test_several_have_nothing_to_overrun(tmp_path: Path) -> None:
    units = ("foot f 03.01 9", "foot g 03.01 9")
    scenario = build(Variant("nobody", JOINT + "by = {}\n", units=units, turns="stacks = true\n"), tmp_path)
    [wrong] = planner.check(scenario, "f+g 03.01x03.02").violations
    assert wrong.message == "f and g have nothing to overrun in 03.02"
