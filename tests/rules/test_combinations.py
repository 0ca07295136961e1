"""Kinds of rules that go together, and those that don't: then it is said what may be written instead."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

import planner
from planner.errors import InputError
from planner.formats.files import data_folder
from planner.objective.goals import End
from planner.plans.plan import Move, Plan
from planner.plans.policy import Branch, Node
from planner.reachability.step_rules import Step
from planner.referee.referee import Referee
from planner.rules.base import Rule
from planner.rules.kinds.exhaustion import Exhaustion
from planner.rules.kinds.further_allowance import Further, FurtherAllowance
from planner.rules.kinds.minimum_move import MinimumMove
from planner.rules.kinds.step_limit import StepLimit
from planner.rules.kinds.vacancy import Vacancy
from planner.scenario import Scenario, build_scenario
from planner.search.policy_judge import judge_policy
from planner.search.search import Search
from planner.solver.cp_sat import Literal
from planner.solver.plan_judge import judge
from planner.solver.spending import Spending
from planner.world.selectors import HexSelector, UnitSelector
from tests.conftest import sized
from tests.games.test_field_parameters import VARIANTS
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.rulebooks import with_rules
from tests.oracles.skirmishes import skirmish
from tests.oracles.stacks import EveryStackPlan, stacks
from tests.oracles.waiting import waiting
from tests.plain_game import ANYWHERE, BONUS, EXHAUSTION, LIMIT, OVERRUN, ROAD, Variant, build, effect

SEEDS = sized(range(0), range(6), range(300))
"""Positions of each combination."""

STACKS = "stacks = true\n"
COLUMN = '[[rule]]\nid = "column"\nkind = "column_entry"\nparagraph = "column"\nmp = 1\n'
ONCE = '[[rule]]\nid = "once"\nkind = "step_limit"\nparagraph = "once"\ninto = { terrain = "hill" }\n'
LEAVING = '[[rule]]\nid = "leave"\nkind = "vacancy"\nparagraph = "leave"\nleaving = true\n'
COMPANY = '[[rule]]\nid = "hq"\nkind = "company"\nparagraph = "hq"\nwho = {}\nfriends = {}\n'
AREA = '[[rule]]\nid = "area"\nkind = "area_allowance"\nparagraph = "area"\nlimits = [{ most = 1 }]\n'
JOINT = (
    '[[rule]]\nid = "assault"\nkind = "joint_overrun"\nparagraph = "assault"\neliminated_to = [{ box = "dead" }]\n'
    'results = [{ odds = "1:1", chance = "1/2" }]\n'
)
BOGGING = '[[rule]]\nid = "mud"\nkind = "bogging"\nparagraph = "mud"\nwho = {}\nbad_side = "1/6"\n'
WRECK = BOGGING + 'features = [{ name = "wreck", markers = { types = "boat", sides = "south" } }]\n'
NEGATED = '[[rule]]\nid = "zoc"\nkind = "zone_of_control"\nparagraph = "zoc"\nexerted_by = {}\n'
NEGATED += "negating_markers = {}\neffects = []\n"
SHIPPED = '[[rule]]\nid = "sea"\nkind = "transport"\nparagraph = "sea"\nprocedure = "hex_to_hex"\n'
SHIPPED += "embark_markers = {}\nembark = []\ndebark = []\n"
LANDING = '[[rule]]\nid = "land"\nkind = "passage"\nparagraph = "land"\nprocedure = "hex_to_hex"\n'
LANDING += "reads = { to_marker = {} }\n"
CLEARING = '[[rule]]\nid = "clear"\nkind = "clearing"\nparagraph = "clear"\n'
ZONED = LIMIT + "limits = [{ in_ezoc = true, units = 1 }]\n"
SUPPLY = '[[rule]]\nid = "line"\nkind = "supply"\nparagraph = "line"\n'
COMBAT = (
    '[[rule]]\nid = "fight"\nkind = "combat_on_entry"\nparagraph = "fight"\ndemoralized = "light"\n'
    'columns = [{ from_percent = -100, entries = [[0, 1]] }]\neliminated_to = [{ box = "dead" }]\n'
)
ONE_OF_THEM = "of rules that say what becomes of enemies whose hex is entered a rulebook has one. Leave out one of them"
SAME_UNITS = (
    "of the same units: no text says whether a unit that bogs down in a hex that it overruns has entered it. Let who and by "
    "name different types or traits, or let units stop in such hexes instead, by stop_on_entry"
)
CHART = "prices of hexes and routes in the terrain chart may stand for it"
PRICE = "a price of such steps in the terrain chart, or of the way, may stand for it"
CLEARED = (
    "doesn't go with clearing (clear), by which such markers of one's own may be gone: let one of the two name other "
    "markers"
)
AFTER = "after which nobody follows each unit's MP"


REFUSED = (
    (BONUS.format("false") + AREA, f"it doesn't go with area_allowance (area), {AFTER}: {CHART}"),
    (ONCE + AREA, f"it doesn't go with area_allowance (area), {AFTER}: {CHART}"),
    (
        EXHAUSTION.replace('"river"', '"road"') + AREA,
        f"it doesn't go with area_allowance (area), {AFTER}: stop_on_entry may stand for it",
    ),
    (
        ANYWHERE + AREA,
        f"anywhere: it doesn't go with area_allowance (area), {AFTER}: without anywhere, it holds for the first hex",
    ),
    (COLUMN + AREA, f"it doesn't go with area_allowance (area), {AFTER}: {PRICE}"),
    (
        COLUMN + JOINT,
        f"it doesn't go with joint_overrun (assault), since units that may fail have no certain order: {PRICE}",
    ),
    (
        STACKS + COLUMN,
        "it doesn't go with units that move as a stack (stacks of sequence), since all of one enter at once: let units "
        f"move one at a time, or {PRICE}",
    ),
    (
        STACKS + LEAVING,
        "leaving doesn't go with units that move as a stack (stacks of sequence), since those of one leave at once: let "
        "units move one at a time, or forbid to enter, or to end in, such hexes: leaving = false",
    ),
    (
        JOINT + COMPANY,
        "it doesn't go with results that are rolled or drawn, those of joint_overrun (assault): nobody can count on a "
        "friend. A scenario may ask for it instead, by a [[require]] of kind end for the unit and one for a friend",
    ),
    (
        OVERRUN + effect('on = "enter", does = "stop"') + ZONED,
        "in_ezoc doesn't go with overrun (overrun), by which EZOCs vanish in the course of the phase: give the hexes a "
        "trait in the scenario, and name that in where",
    ),
    (
        JOINT + BOGGING,
        "it doesn't go with joint_overrun (assault), whose results are rolled, too: a step would rest on two rolls. Let "
        "overruns, of units that never bog down, go through for certain: chance = 1",
    ),
    (OVERRUN + BOGGING, f"it doesn't go with overrun (overrun) {SAME_UNITS}"),
    (JOINT.replace('"1/2"', "1") + BOGGING, f"it doesn't go with joint_overrun (assault) {SAME_UNITS}"),
    (
        COMBAT + BOGGING,
        "it doesn't go with combat_on_entry (fight), whose results are drawn: a step would rest on two rolls. Let units "
        "stop in such hexes instead, by stop_on_entry",
    ),
    (OVERRUN + JOINT, f"it doesn't go with overrun (overrun): {ONE_OF_THEM}"),
    (
        OVERRUN + OVERRUN.replace('"overrun"\nkind', '"again"\nkind'),
        f"it doesn't go with overrun (overrun): {ONE_OF_THEM}",
    ),
    (COMBAT + JOINT, f"it doesn't go with combat_on_entry (fight): {ONE_OF_THEM}"),
    *(
        (
            JOINT + f'{name} = {{ paragraph = "help", units = {{}}, range = 1 }}\n',
            f"{name} doesn't go with units none of which may wait (waiting of sequence): no search would find an overrun "
            "that is supported. Let units wait, or let those who help take part, most_units of them",
        )
        for name in ("support", "opposition")
    ),
    (
        SUPPLY + COMBAT,
        "it doesn't go with combat_on_entry (fight), by which enemies retreat in the course of the phase: say of units that "
        "they aren't supplied, and let eligibility admit those that are: who = { supplied = true }",
    ),
    (
        WRECK + CLEARING + "markers = {}\n",
        "feature 'wreck' doesn't go with clearing (clear), by which its markers may be gone: give the hexes a trait in the "
        "scenario, and name that in hexes",
    ),
    (NEGATED + CLEARING + "markers = {}\n", f"negating_markers {CLEARED}"),
    (SHIPPED + CLEARING + "markers = {}\n", f"embark_markers {CLEARED}"),
    (LANDING + CLEARING + "markers = {}\n", f"to_marker {CLEARED}"),
)
"""Rules that don't go together, and what is said of them."""


@pytest.mark.parametrize(("rules", "said"), REFUSED)
def test_of_kinds_that_dont_go_together_it_is_said_what_to_write_instead(rules: str, said: str, tmp_path: Path) -> None:
    turns = STACKS if rules.startswith(STACKS) else ""
    with pytest.raises(InputError) as error:
        build(Variant("together", rules.removeprefix(turns), chart=ROAD, turns=turns), tmp_path)
    assert [problem.what for problem in error.value.problems] == [said]


CAPTURE = '[[rule]]\nid = "take"\nkind = "capture"\nparagraph = "take"\n'


@pytest.mark.parametrize("rules", [CLEARING + 'markers = { sides = "north" }\n', CAPTURE])
def test_dice_for_markers_go_with_rules_that_remove_others_or_none(rules: str, tmp_path: Path) -> None:
    assert build(Variant("together", WRECK + rules, chart=ROAD), tmp_path).game.units


def test_the_guide_lists_what_doesnt_go_together() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "more_rules.md").read_text()
    rows = [row.split("|") for row in guide[guide.index("## What doesn't go together") :].splitlines() if "|" in row]
    listed = [(set(re.findall(r"`(\w+)`", row[1])), set(re.findall(r"`(\w+)`", row[2]))) for row in rows]
    for rules, said in REFUSED:
        kinds = {*re.findall(r'kind = "(\w+)"', rules), *(["sequence"] if rules.startswith(STACKS) else [])}
        if len(kinds) > 2:  # EZOCs that rules look at are no reason by themselves
            kinds -= {"zone_of_control"}
        assert any(kinds <= this | beside and kinds & this and kinds & beside for this, beside in listed), said


SOMEWHERE = '{ where = { terrain = "hill" }, units = 1 }'


@pytest.mark.parametrize(
    ("rules", "chart", "said"),
    [
        (
            LIMIT + f"limits = [{{ units = 2 }}, {SOMEWHERE}]\n",
            "",
            ["a limit that fits every hex must be the last: those after it would never hold"],
        ),
        (LIMIT + f"limits = [{SOMEWHERE}, {{ units = 2 }}]\n", "", []),
        ("", ROAD + 'unless = "road"\n', ["unless says nothing without not_with"]),
        ("", ROAD + 'not_with = "raod"\n', ["feature 'raod' must be one of road; did you mean 'road'?"]),
        ("", ROAD + 'hexsides.river = { mp = 1, unless = "road" }\n', ["unless says nothing without not_with"]),
    ],
)
def test_what_would_never_hold_is_an_error(rules: str, chart: str, said: list[str], tmp_path: Path) -> None:
    chart = "\n".join(sorted(chart.splitlines(), key=lambda line: not line.startswith("hexsides")))
    variant = Variant("never", rules, chart=chart)
    if not said:
        assert build(variant, tmp_path).game.units
        return
    with pytest.raises(InputError) as error:
        build(variant, tmp_path)
    assert [problem.what for problem in error.value.problems] == said


@pytest.mark.parametrize(("negatable", "fits"), [("true", False), ("false", True)])
def test_who_waits_lets_nobody_through_where_combats_remove_units(negatable: str, fits: bool, tmp_path: Path) -> None:
    """Two who fight for hexes could each negate an EZOC for the other; whether they do is known once the dice are."""
    shutil.copytree(data_folder("models") / "classic_hex", tmp_path / "game")
    with (tmp_path / "game" / "rulebook.toml").open("a") as file:
        file.write(
            '\n[[rule]]\nid = "zoc"\nkind = "zone_of_control"\nparagraph = "9"\nexerted_by = {}\n'
            f'effects = [{{ paragraph = "9.1", on = "enter", does = "stop", negatable = {negatable} }}]\n'
        )
    data = {**planner.load("classic_hex/no_way_out").to_dict(), "model": "./game"}
    if fits:
        assert Scenario.from_dict(data, beside=tmp_path).game.units
        return
    with pytest.raises(InputError, match="negatable doesn't go with combat_on_entry"):
        Scenario.from_dict(data, beside=tmp_path)


def test_a_rule_that_cant_be_read_may_be_the_one_by_which_there_are_ezocs(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        build(Variant("unread", effect('on = "enter", does = "stopp"') + ZONED), tmp_path)
    assert len(error.value.problems) == 1
    assert "must be one of stop" in error.value.problems[0].what


def _only_of_the_ma(spending: Spending, step: Step, index: int) -> Literal:
    return spending._coupling.at_least(spending.after(index - 1), spending._ma)


@pytest.mark.parametrize(
    ("name", "method", "mistaken"),
    [
        ("any hex may be entered while MP are left, those", "nothing_left", _only_of_the_ma),
        ("a river takes all MP that are left, those", "nothing_left", _only_of_the_ma),
        ("a river takes all MP that are left, those", "_rested", lambda spending, index: False),
    ],
    ids=["overdraft", "exhaustion", "nothing lapses"],
)
def test_a_judge_that_mistakes_which_mp_are_left_is_found_out(
    name: str, method: str, mistaken: Callable[..., Literal], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    variant = next(variant for variant in VARIANTS if variant.name.startswith(name))
    scenario = build(variant, tmp_path)
    monkeypatch.setattr(Spending, method, mistaken)
    found = [bool(judge(scenario, Plan.parse(moves.split("; ")))) for moves, _ in variant.verdicts]
    assert found != [bool(rule) for _, rule in variant.verdicts]


# -- kinds that follow a unit's MP, in games of stacks and of overruns that are rolled together

HILLS, OPEN = HexSelector(terrain=("hills",)), HexSelector(terrain=("open",))


def _minimum_move(rng: random.Random, anywhere: bool) -> Rule:
    overruns = rng.random() < 0.7
    return MinimumMove(id="first", kind="minimum_move", paragraph="first", overruns=overruns, anywhere=anywhere)


def _step_limit(rng: random.Random) -> Rule:
    into, overruns = rng.choice((HILLS, OPEN)), rng.random() < 0.3
    return StepLimit(id="once", kind="step_limit", paragraph="once", into=into, overruns=overruns)


def _further(rng: random.Random) -> Rule:
    further = Further(mp=Fraction(2), into=OPEN, whole=rng.random() < 0.5)
    return FurtherAllowance(id="bonus", kind="further_allowance", paragraph="bonus", allowances=(further,))


def _exhaustion(rng: random.Random) -> Rule:
    return Exhaustion(id="rest", kind="exhaustion", paragraph="rest", into=rng.choice((HILLS, OPEN)))


def _vacancy(rng: random.Random) -> Rule:
    who, of = (rng.choice((UnitSelector(), UnitSelector(units=("u0",)))) for _ in range(2))
    return Vacancy(id="alone", kind="vacancy", paragraph="alone", who=who, of=of, when=rng.choice(("always", "move")))


KINDS = {
    "vacancy": lambda rng: [_vacancy(rng)],
    "first hex": lambda rng: [_minimum_move(rng, anywhere=False)],
    "any hex": lambda rng: [_minimum_move(rng, anywhere=True)],
    "exhaustion": lambda rng: [_exhaustion(rng)],
    "step limit": lambda rng: [_step_limit(rng)],
    "further MP": lambda rng: [_further(rng), _minimum_move(rng, anywhere=False)],
    "the last of further MP": lambda rng: [_further(rng), _minimum_move(rng, anywhere=True), _exhaustion(rng)],
}


def of_stacks(kind: str, seed: int) -> Scenario:
    """Return a position of stacks whose overruns are rolled together, under a further rule."""
    scenario, rng = stacks(seed)
    rules = [rule for rule in scenario.game.rulebook.rules if rule.kind != "minimum_move"]
    return with_rules(scenario, [*rules, *KINDS[kind](rng)])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.thorough
def test_units_that_overrun_together_come_to_the_optimum_of_every_plan(kind: str) -> None:
    settled = 0
    for seed in SEEDS:
        scenario = of_stacks(kind, seed)
        try:
            best = EveryStackPlan(scenario, 300).best()
        except TooManyStatesError:
            continue
        settled += 1
        found = Search(scenario).run()
        assert (found.status, found.value or None) == ("optimal", best), f"{kind} {seed}"
    assert settled


TOGETHER = {"stacks": stacks, "groups that fight": skirmish, "overruns made together": waiting}
"""Positions in which units may make a step together."""


@pytest.mark.parametrize("when", ["always", "move"])
@pytest.mark.parametrize("how", TOGETHER)
def test_units_that_must_be_alone_in_a_hex_dont_enter_it_together(how: str, when: str) -> None:
    alone, met = Vacancy(id="alone", kind="vacancy", paragraph="alone", when=when), 0
    for seed in range(40):
        scenario = TOGETHER[how](seed)[0]
        bound = with_rules(scenario, [*scenario.game.rulebook.rules, alone])
        for move in _joint_steps(scenario):
            plan = Plan((move,))
            if Referee(scenario.game).play(plan, scenario.start).legal:
                assert {one.rule for one in Referee(bound.game).play(plan, bound.start).violations} == {"alone"}, seed
                assert {one.rule for one in judge(bound, plan)} == {"alone"}, seed
                met += 1
    assert met


def _joint_steps(scenario: Scenario) -> Iterator[Move]:
    """Yield the steps that two who stand together could make together into hexes that no enemy holds."""
    game, at = scenario.game, scenario.start.at
    for one, other in combinations([unit for unit in at if game.may_be_moved(unit)], 2):
        if at[one] == at[other]:
            free = (to for to in game.board.neighbours[at[one]] if not scenario.start.units_in(to))
            yield from (Move((one, other), (at[one], to)) for to in free)


def test_a_first_hex_in_any_case_may_be_overrun_together_but_isnt_tried_again() -> None:
    """Seed 10: u0 and u1 have too few MP for an overrun, which takes 3 a try, but in any case have their first hex."""
    scenario, _ = stacks(10)
    rules = [rule for rule in scenario.game.rulebook.rules if rule.kind != "minimum_move"]
    first = MinimumMove(id="first", kind="minimum_move", paragraph="first")
    best, without = (Search(with_rules(scenario, some)).run() for some in ([*rules, first], rules))
    assert best.value > without.value
    move = next(move for move in best.plan.moves if move.overruns)
    again = replace(move, attempts=((1, 2),))
    assert [v.rule for v in planner.check(with_rules(scenario, [*rules, first]), [str(again)]).violations] == ["first"]


def test_who_has_overrun_makes_no_step_that_must_be_the_first() -> None:
    """Who overruns e may not be eliminated voluntarily afterwards: that comes before all other steps."""
    unit = {"attack": 6, "defense": 1, "ma": 4}
    data = {
        "format": "planner/scenario-1",
        "model": "a_world_at_war",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"C1 C2 C3": "clear"}, "boxes": {"force_pool": {}}},
        "unit": [
            {**unit, "id": "u", "side": "axis", "type": "armor", "at": "C1", "nationality": "germany"},
            {**unit, "id": "e", "side": "allies", "type": "infantry", "at": "C2", "nationality": "russia", "attack": 1},
        ],
        "tier": [
            {
                "terms": [
                    {"kind": "eliminate", "units": ["e"], "weight": 6},
                    {"kind": "end", "unit": "u", "at": "force_pool", "weight": 5},
                ]
            }
        ],
    }
    scenario = build_scenario(data, "an overrun")
    rules = scenario.game.rulebook.rules
    alike = [rule.model_copy(update={"waiting": None}) if rule.kind == "sequence" else rule for rule in rules]
    scenario = with_rules(scenario, alike)
    found = Search(scenario).run()
    assert (found.status, found.value, str(found.plan)) == ("optimal", (6,), "u C1xC2")
    assert [one.rule for one in planner.check(scenario, ["u C1xC2-[force_pool]"]).violations] == ["13.21"]


@pytest.mark.thorough
def test_a_stack_whose_move_has_begun_goes_on_by_what_is_left_of_its_road_bonus(
    tmp_path: Path,
) -> None:
    """With 1 MP and 2 more along the road, both get to 03.04; after a step across country, no farther than 02.01."""
    variant = Variant(
        "a road",
        BONUS.format("true"),
        chart=ROAD,
        units=("foot f 03.01 1", "foot g 03.01 1"),
        hexsides='hexsides.road = ["03.01 03.02 03.03 03.04 03.05"]\n',
        turns=STACKS,
    )
    both = tuple(End(kind="end", unit=unit, at=("03.04",)) for unit in "fg")
    scenario = replace(build(variant, tmp_path), requirements=both)
    begun = scenario.after("f+g 03.01-03.02")
    assert planner.check(begun, ["f+g 03.02-03.03-03.04"]).legal
    assert [v.rule for v in planner.check(begun, ["f+g 03.02-03.03-03.04-03.05"]).violations] == ["costs", "costs"]
    found = Search(begun).run()
    assert (found.status, [str(move) for move in found.plan.moves]) == ("optimal", ["f+g 03.02-03.03-03.04"])
    astray = scenario.after("f+g 03.01-02.01")
    assert Search(astray).run().status == "infeasible"


def test_whoever_clears_a_marker_lets_those_in_whom_it_keeps_out(tmp_path: Path) -> None:
    """The scout clears 03.02 on its way to 03.03, which is worth 3, and then the foot may come: 3 MP together."""
    mines = '[[rule]]\nid = "mines"\nkind = "entry_restriction"\nparagraph = "mines"\nenemy_markers = {}\n'
    boat = '[[marker]]\ntype = "boat"\nside = "north"\nat = "03.02"\n'
    variant = Variant(
        "cleared",
        mines + 'who = { types = "foot" }\n' + CLEARING + 'markers = {}\nby = { types = "scout" }\n',
        units=("foot f 03.01 9", "scout s 03.01 2"),
        hexsides=boat + '[[require]]\nkind = "end"\nunit = "f"\nat = "03.02"\n',
    )
    scenario = build(variant, tmp_path)
    assert [violation.rule for violation in judge(scenario, Plan.parse(["f 03.01-03.02"]))] == ["mines"]
    found = Search(scenario).run()
    assert (found.status, found.value) == ("optimal", (3, -3))


@pytest.mark.parametrize("overrun", [OVERRUN, JOINT.replace('"1/2"', "1")])
def test_overruns_that_go_through_for_certain_go_with_bogging_of_other_units(overrun: str, tmp_path: Path) -> None:
    """Of the same units, an overrun for which a die is rolled was left out: "nobody moves" was the best, proved."""
    rules = overrun.replace("paragraph", 'by = { without = "light" }\nparagraph', 1).replace("by = {}\n", "")
    rules += BOGGING.replace("who = {}", 'who = { traits = "light" }')
    assert build(Variant("together", rules, chart=ROAD), tmp_path).game.units


@pytest.mark.parametrize(
    ("units", "dice", "chance"),
    [("f+s", 1, "5/6"), ("s+f", 1, "5/6"), ("f+g", 2, "25/36"), ("s+f+g", 2, "25/36"), ("f", 1, "5/6"), ("s", 0, "1")],
)
def test_a_stack_may_have_bogged_down_where_any_of_its_units_rolls(
    units: str, dice: int, chance: str, tmp_path: Path
) -> None:
    """Foot rolls a die for each hex, the scout none; whoever moves together is stuck together."""
    rules = BOGGING.replace("who = {}", 'who = { types = "foot" }') + "move = [{}]\n"
    variant = Variant("mud", rules, units=("foot f 03.01 9", "foot g 03.01 9", "scout s 03.01 9"), turns=STACKS)
    scenario = build(variant, tmp_path)
    move = Move.parse(f"{units} 03.01-03.02")
    rolls = [(roll.dice, roll.chance) for roll in planner.check(scenario, [str(move)]).moves[0].rolls]
    assert rolls == ([(dice, Fraction(chance))] if dice else [])
    stuck = replace(move, failed=True)
    verdict = planner.check(scenario, [str(stuck)])
    assert [violation.key for violation in judge(scenario, Plan((stuck,)))] == [one.key for one in verdict.violations]
    assert [one.rule for one in verdict.violations] == ([] if dice else ["mud"])
    if dice:
        assert scenario.after([str(stuck)]).start.bogged == set(units.split("+"))
        branches = (Branch((move,), Fraction(chance), Node(())), Branch((stuck,), 1 - Fraction(chance), Node(())))
        assert judge_policy(scenario, Node((move,), branches)).legal
