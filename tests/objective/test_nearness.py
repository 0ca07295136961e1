"""Distance, worth of hexes, turns ahead and threat: by hand, on both faces, and what is wrong with each."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import planner
from planner.errors import DisagreementError, InputError
from planner.formats.hex_lists import shortly
from planner.objective import Linear
from planner.objective.nearness import Distance, Worth
from planner.objective.prospects import Threat, Turns
from planner.scenario import Scenario, build_scenario

ROAD = "w4724 w4725 w4726 w4727 w4728 w4729 w4730 w4731"
MP = {"terms": [{"kind": "mp_spent"}]}


def road(*terms: dict[str, Any], **more: Any) -> Scenario:
    """Return a row of eight clear hexes, a tank (MA 2) and foot (MA 1) in the first, an enemy of MA 1 in the last."""
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "dai_senso",
            "phase": "operational_movement",
            "phasing": "axis",
            "map": {"hexes": {ROAD: "clear"}},
            "unit": [
                {"id": "tank", "side": "axis", "type": "tank", "values": "3-2-2", "at": "w4724"},
                {"id": "foot", "side": "axis", "type": "infantry", "values": "3-3-1", "at": "w4724"},
                {"id": "enemy", "side": "soviet", "type": "infantry", "values": "4-3-1", "at": "w4731"},
            ],
            "tier": [{"terms": list(terms)}, MP] if terms else [MP],
            **more,
        },
        "road",
    )


def best(*terms: dict[str, Any], **more: Any) -> tuple[object, ...]:
    result = planner.suggest(road(*terms, **more))
    assert result.status == "optimal"
    return result.value


def test_units_come_as_near_as_possible() -> None:
    """From w4724 w4729 is 5 away; the tank comes to w4726, 3 away, the foot to w4725, 4 away: 7, for 3 MP."""
    assert best({"kind": "distance", "to": "w4729"}) == (-7, -3)


def test_the_nearest_of_several_places_counts() -> None:
    """The foot stands in one of them already, and the tank as well: nobody moves."""
    assert best({"kind": "distance", "to": "w4729 w4724"}) == (0, 0)


def test_a_limit_of_the_distance_is_kept() -> None:
    """At most 3 away from w4729 is only w4726, for 2 MP."""
    near = {"kind": "distance", "to": "w4729", "of": {"units": "tank"}, "most": 3}
    assert best(require=[near]) == (-2,)
    assert planner.suggest(road(require=[{**near, "most": 2}])).status == "infeasible"


TABLE = """
        w4724 w4725 w4726
  tank      5     -     6
  foot      1     4     9
"""


def test_each_unit_goes_where_it_is_worth_most() -> None:
    """The tank to w4726 for 6, the foot to w4725 for 4: w4726 is too far for it."""
    assert best({"kind": "worth", "table": TABLE}) == (10, -3)


def test_a_worth_can_be_required() -> None:
    """5 for the tank where it stands and 4 for the foot in w4725 come to 9, for 1 MP; 11 is more than there is."""
    assert best(require=[{"kind": "worth", "table": TABLE, "at_least": 9}]) == (-1,)
    assert planner.suggest(road(require=[{"kind": "worth", "table": TABLE, "at_least": 11}])).status == "infeasible"


def test_turns_are_counted_from_where_a_unit_ends_and_the_way_is_told() -> None:
    """w4729 is 5 hexes away. The tank makes 2 now, and needs 2 turns more; the foot makes 1, and needs 4."""
    result = planner.suggest(road({"kind": "turns", "to": "w4729"}))
    assert result.value == (-6, -2), "the tank has a hex to spare: one step now is as good as two"
    assert "foot could be at w4729 4 turns later: w4726, then w4727, then w4728, then w4729" in result.terms[0].remarks


def test_what_takes_too_long_counts_one_turn_more_than_is_looked_ahead() -> None:
    """Two turns ahead the foot comes nowhere near w4729: 3, wherever it is."""
    of = {"units": "foot"}
    assert best({"kind": "turns", "to": "w4729", "of": of, "ahead": 2}) == (-3, 0)
    assert planner.suggest(road({"kind": "turns", "to": "w4729", "of": of, "ahead": 2})).terms[0].remarks == (
        "foot can't be at w4729 in 2 turns",
    )


def test_units_keep_out_of_reach_of_the_enemy() -> None:
    """The enemy, strength 4, could come to w4730 and attack w4729: whoever is nearer than that is threatened."""
    wanted = {"kind": "end", "unit": "tank", "at": "w4729 w4728"}
    more = {"unit": [*road().data["unit"][1:], {**road().data["unit"][0], "at": "w4727"}]}
    threat = {"kind": "threat", "of": {"units": "tank"}}
    assert best(wanted, threat, **more) == (1, -1), "w4728 is one hex too far for the enemy"
    there = {"kind": "end", "unit": "tank", "at": "w4729"}
    assert best({**there, "weight": 5}, threat, **more) == (1, -2), "5 for the hex, less 4 for the danger"
    assert best({**there, "weight": 3}, threat, **more) == (0, 0), "3 for it isn't worth the danger"


def test_a_hex_that_is_named_is_threatened_whoever_is_there() -> None:
    assert best({"kind": "threat", "hexes": "w4729 w4728"}) == (-4, 0)


@pytest.mark.parametrize(
    ("term", "said"),
    [
        ({"kind": "distance", "to": "w9999"}, "hex 'w9999' is not on the map"),
        ({"kind": "distance", "to": "w4729", "most": 3}, "most must be given only in a requirement"),
        ({"kind": "worth", "table": "w4724 w4725\n tank 1"}, "each line must have a unit and 2 numbers"),
        ({"kind": "worth", "table": "w4724\n tank x"}, "must be 0 to 1000000, or -"),
        ({"kind": "worth", "table": "w4724\n enemy 1"}, "'enemy' must belong to the phasing side"),
        ({"kind": "worth", "table": "w4724\n tonk 1"}, "no unit has the id 'tonk'; did you mean 'tank'?"),
        ({"kind": "worth", "table": "w4724\n tank 1", "at_least": 1}, "at_least is for requirements"),
        ({"kind": "turns", "to": "w9999"}, "hex 'w9999' is not on the map"),
        ({"kind": "threat", "phase": "night"}, "phase must be one of"),
        ({"kind": "threat", "hexes": "w4724", "of": {"units": "tank"}}, "of must not be given with hexes"),
    ],
)
def test_what_is_wrong_with_a_term_is_said(term: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as error:
        road(term)
    assert any(said in problem.what for problem in error.value.problems), error.value.problems


def test_long_lists_of_hexes_are_told_shortly() -> None:
    every = ROAD.split()
    assert shortly(every) == ROAD
    assert shortly([*every, "w4732"]) == "w4724 w4725 … w4732 (9 hexes)"


TABLED = {"kind": "worth", "table": TABLE}
NEAR = {"kind": "distance", "to": "w4729 w4724", "of": {"units": "tank"}}
SOON = {"kind": "turns", "to": "w4728", "of": {"units": "tank"}}
AT = {"kind": "end", "unit": "tank", "at": "w4726", "weight": 3}
DANGER = {"kind": "threat", "hexes": "w4729"}


@pytest.mark.parametrize(
    ("terms", "kind", "face", "put"),
    [
        ((NEAR, AT), Distance, "score", lambda term, game, position, tally: Fraction(0)),
        ((NEAR, AT), Distance, "post", lambda term, outcome: Linear()),
        ((TABLED,), Worth, "score", lambda term, game, position, tally: Fraction(1)),
        ((TABLED,), Worth, "post", lambda term, outcome: Linear()),
        ((SOON,), Turns, "_search", lambda term, game, unit, start: [[start]]),
        ((SOON,), Turns, "_layers", lambda term, game, unit: {}),
        ((DANGER,), Threat, "_find_attackable", lambda term, game, enemy: frozenset()),
        ((DANGER,), Threat, "_attackers_of", lambda term, game, label: []),
    ],
)
def test_a_face_that_forgets_something_is_found_out(
    terms: tuple[dict[str, Any], ...],
    kind: type,
    face: str,
    put: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = best(*terms)
    monkeypatch.setattr(kind, face, put)
    try:
        wrong = planner.suggest(road(*terms))
    except DisagreementError:
        return
    assert (wrong.status, wrong.value) != ("optimal", right)
