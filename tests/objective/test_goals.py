"""Where a unit must not end, whether it is sound, and how much may be spent: by hand, on both faces."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.errors import InputError
from planner.explanation.parse_question import read_goal
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario, build_scenario, load_scenario
from tests.plain_game import FORCES, OVERRUN, SHUT, Variant, build, placed, write_model


def two_hills(**more: Any) -> Scenario:
    """Return a road of five hexes of clear terrain, a tank of MA 3 at its western end, and a goal at the third of them."""
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "dai_senso",
            "phase": "operational_movement",
            "phasing": "axis",
            "map": {"hexes": {"w4724 w4725 w4726 w4727 w4728": "clear"}},
            "unit": [
                {"id": "tank", "side": "axis", "type": "tank", "values": "3-2-3", "at": "w4724"},
                {"id": "foot", "side": "axis", "type": "infantry", "values": "3-3-2", "at": "w4724"},
            ],
            **more,
        },
        "two hills",
    )


HOLD = {"terms": [{"kind": "hold", "hexes": "w4726"}]}


def test_a_unit_that_must_not_end_at_home_leaves_it() -> None:
    """One MP is the least that takes the tank off w4724."""
    goal = {"kind": "end", "unit": "tank", "not_at": "w4724"}
    result = planner.suggest(two_hills(tier=[{"terms": [goal]}, {"terms": [{"kind": "mp_spent"}]}]))
    assert (result.status, result.value) == ("optimal", (1, -1))


def test_the_other_unit_goes_where_the_first_must_not_end() -> None:
    """The tank may not end in w4726, two hexes away; the foot spends 2 MP to get there."""
    scenario = two_hills(
        tier=[HOLD, {"terms": [{"kind": "mp_spent"}]}], require=[{"kind": "end", "unit": "tank", "not_at": "w4726"}]
    )
    result = planner.suggest(scenario)
    assert result.value == (1, -2)
    assert result.plan is not None
    assert [move.units for move in result.plan.moves] == [("foot",)]


@pytest.mark.parametrize(("most", "value"), [(1, 0), ("3/2", 0), (2, 1)])
def test_no_plan_spends_more_than_is_allowed(most: object, value: int) -> None:
    """w4726 is 2 MP away."""
    result = planner.suggest(two_hills(tier=[HOLD], require=[{"kind": "mp_spent", "most": most}]))
    assert (result.status, result.value) == ("optimal", (value,))


BOGGING = """
[[rule]]
id = "bog"
kind = "bogging"
paragraph = "bog"
who = { types = "foot" }
bad_side = "1/2"
move = [{ from_hex = 2 }]
features = []
trait = "bogged"
"""


@pytest.mark.parametrize(("most", "value"), [(1, (0, -1)), (2, (3, -2))])
def test_what_a_unit_that_may_bog_down_has_spent_before_counts(most: int, value: object, tmp_path: Path) -> None:
    """The foot has spent 1 MP to get to 03.02; 03.03, worth 3, is 1 MP further, and it stands there if it bogs down."""
    variant = Variant(
        "spent before",
        BOGGING,
        units=("foot f 03.01 3",),
        hexsides=f'[[require]]\nkind = "mp_spent"\nmost = {most}\n',
        turns="waiting = {}\n",
        forces=FORCES + 'unit_traits = { bogged = "Bogged" }\n',
    )
    result = planner.suggest(build(variant, tmp_path).after("f 03.01-03.02"))
    assert (result.status, result.value) == ("optimal", value)


def test_a_limit_may_be_that_of_one_unit() -> None:
    """The foot may spend nothing, so that the tank goes; both goals together would take both."""
    far = {"terms": [{"kind": "hold", "hexes": "w4726 w4725"}]}
    of_foot = {"kind": "mp_spent", "of": {"units": "foot"}, "most": 0}
    assert planner.suggest(two_hills(tier=[far], require=[of_foot])).value == (1,)
    assert planner.suggest(two_hills(tier=[far], require=[{"kind": "units_moved", "most": 2}])).value == (2,)
    assert planner.suggest(two_hills(tier=[far], require=[{"kind": "units_moved", "most": 1}])).value == (1,)


def test_that_too_little_may_be_spent_is_proved() -> None:
    required = [{"kind": "hold", "hexes": "w4726"}, {"kind": "mp_spent", "most": 1}]
    result = planner.suggest(two_hills(require=required))
    assert (result.status, result.confirmed) == ("infeasible", True)


@pytest.mark.parametrize(
    ("moves", "text", "probability"),
    [
        # 3 and 3 against 4 is the column of 50 %, whose six entries are (1,0), (1,1), (0,1), (0,1), (0,1), (0,2). Who takes
        # damage first is demoralized: x, in two of six.
        (["x+y 0404x0405"], "x sound", "2/3"),
        (["x+y 0404x0405"], "y sound", "1"),
        (["x+y 0404x0405"], "x not in 0405", "1/3"),
        ([], "x sound", "1"),
    ],
)
def test_who_is_demoralized_is_not_sound(moves: list[str], text: str, probability: str) -> None:
    scenario = load_scenario("classic_hex/six_against_four")
    verdict = Referee(scenario.game).play(Plan.parse(moves), scenario.start)
    goal = read_goal(scenario, text)
    found = verdict.probability_that(lambda position, tally: goal.holds(scenario.game, position, tally))
    assert found == Fraction(probability)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("plv not in w5426", "plv does not end in w5426"),
        ("plv not in w5426 w5526", "plv does not end in w5426 or w5526"),
        ("plv sound", "plv ends sound"),
        ("at most 6 MP", "at most 6 MP spent"),
        ("plv at most 3/2 mp", "at most 1½ MP spent by plv"),
        ("plv at most 1½ mp", "at most 1½ MP spent by plv"),
        ("at most 1 1/2 MP", "at most 1½ MP spent"),
        ("at most 1 unit", "at most 1 unit moved"),
        (
            '{ kind = "end", unit = "plv", sound = true, at = "w5426", not_at = "w5526" }',
            "plv ends sound in w5426 but not in w5526",
        ),
    ],
)
def test_such_goals_can_be_asked_for_in_words(text: str, told: str) -> None:
    assert read_goal(load_scenario("dai_senso/manchuria"), text).describe() == told


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"require": [{"kind": "mp_spent"}]}, "must say how much is allowed at most"),
        ({"tier": [{"terms": [{"kind": "mp_spent", "most": 3}]}]}, "most must be given only in a requirement"),
        ({"require": [{"kind": "end", "unit": "tank"}]}, "at, not_at or sound must be given"),
        ({"require": [{"kind": "end", "unit": "tank", "not_at": "w9999"}]}, "hex 'w9999' is not on the map"),
    ],
)
def test_a_goal_that_makes_no_sense_is_refused(more: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        two_hills(**more)


def test_an_enemy_eliminated_earlier_in_the_phase_is_surrounded_and_its_hex_emptied(tmp_path: Path) -> None:
    """Values count the phase as a whole: f has overrun e, and neither is lost while g goes on. No enemy was in 03.04.

    Nobody is in 03.03, beside the hex that e was in: with e gone, both were 0.
    """
    targets: list[dict[str, Any]] = [{"kind": "surround", "target": "e"}]
    targets += [{"kind": "odds", "target": target, "odds": "3:1"} for target in ("e", "03.02", "03.04")]
    foot = {"side": "south", "type": "foot", "values": "1-1", "at": "03.01"}
    scenario = placed(
        write_model(tmp_path / "rider", OVERRUN + SHUT),
        {"03.01 03.02 03.03 03.04": "plain"},
        [
            {"id": "f", **foot},
            {"id": "g", **foot},
            {"id": "e", "side": "north", "type": "guard", "values": "1-0", "at": "03.02"},
        ],
        tier=[{"terms": [target]} for target in targets],
    )
    for after in ([], ["f 03.01x03.02"]):
        found = planner.suggest(scenario, after=after)
        assert (found.status, found.value) == ("optimal", (1, 1, 1, 0))
