"""A sweep says of each variant what a search says of it, and where the value tips."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import planner
from planner.batch.sweep import SweepRow, tips_of
from planner.batch.variants import Varied, read_varied, variants_of
from planner.errors import InputError
from tests.command import run
from tests.plain_game import FORCES, Variant, build

MANCHURIA = "dai_senso/manchuria"


@pytest.mark.thorough
def test_that_it_tips_nowhere_is_said_only_where_all_is_proved() -> None:
    words = ("sweep", MANCHURIA, "--vary", "units.inf.ma=3..4", "--workers", "1")
    assert run(*words).stdout.endswith("\nit tips nowhere\n")
    done = run(*words, "--time-limit", "0")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (3, "no tip is known; not every variant is proved")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("units.a.attack=3..5", (3, 4, 5)),
        ("turn=5..1:2", (5, 3, 1)),
        ("weather=dry, mud", ("dry", "mud")),
        ("confidence=1/2,1", ("1/2", 1)),
        ("a.b=1..2,7", (1, 2, 7)),
        (f"a={'9' * 5_000}", ("9" * 5_000,)),
        ("units.a.at=0101,0203,1010", ("0101", "0203", 1010)),
        ("units.a.at=0108..0110", ("0108", "0109", "0110")),
        ("turn=0..2", (0, 1, 2)),
    ],
)
def test_what_varies_is_read(text: str, values: tuple[object, ...]) -> None:
    assert read_varied(text).values == values


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "x=",
        "=3",
        "x y=3",
        "x=1,,2",
        "x=1..x",
        "x=..3",
    ],
)
def test_what_does_not_look_so_is_told(text: str) -> None:
    with pytest.raises(InputError, match="must look like"):
        read_varied(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x=1..2:0", "a step must be at least 1"),
        ("x=1..999999999", "must make 10,000 variants at most, not 999,999,999"),
        ("x=1,2..999999999", "must make 10,000 variants at most, not 999,999,998"),
        (f"x=1..{'9' * 5_000}", "a number must have at most 15 digits"),
    ],
)
def test_a_range_that_is_none_says_why(text: str, told: str) -> None:
    """It was told how a range looks, though it looked so."""
    with pytest.raises(InputError, match=told):
        read_varied(text)


def test_variants_are_the_scenario_but_for_what_varies() -> None:
    scenario = planner.load(MANCHURIA)
    varied = [Varied("units.plv.attack", (3, 9)), Varied("units.inf.count", (0, 3)), Varied("units.plv.at", ("w5524",))]
    found = dict(variants_of(scenario, varied))
    assert list(found) == [(3, 0, "w5524"), (3, 3, "w5524"), (9, 0, "w5524"), (9, 3, "w5524")]
    units = {entry["id"]: entry for entry in found[9, 3, "w5524"]["unit"]}
    assert (units["plv"]["values"], units["plv"]["at"]) == ("9-5-3", "w5524")
    assert units["inf_3"] == {**units["inf"], "id": "inf_3"}
    assert "inf" not in {entry["id"] for entry in found[3, 0, "w5524"]["unit"]}
    assert scenario.to_dict()["unit"][0]["values"] == "6-5-3"


def test_what_is_true_or_false_varies_too() -> None:
    varied = [Varied("units.inf.supplied", ("true", "false"))]
    found = [data["unit"] for _, data in variants_of(planner.load(MANCHURIA), varied)]
    assert [entry["supplied"] for units in found for entry in units if entry["id"] == "inf"] == [True, False]
    with pytest.raises(InputError):
        list(variants_of(planner.load(MANCHURIA), [Varied("units.inf.count", ("true",))]))  # it is no number


def test_the_weather_varies_by_its_name_everywhere_and_dry_is_none() -> None:
    scenario = planner.load("crossroads/game")  # on turns 4 and 5 there is mud
    found = [data for _, data in variants_of(scenario, [Varied("weather", ("dry", "mud")), Varied("turn", (3, 4))])]
    weather = [set(planner.Scenario.from_dict(data).game.situation.weather.values()) for data in found]
    assert weather == [set(), set(), {"mud"}, {"mud"}]


def test_dry_is_a_weather_where_the_charts_have_one_that_is_called_so(tmp_path: Path) -> None:
    scenario = build(Variant("dry", forces=FORCES.replace('mud = "Mud"', 'dry = "Drought"')), tmp_path)
    [(_, data)] = variants_of(scenario, [Varied("weather", ("dry",))])
    assert data["weather"] == {"dry": "everywhere"}


def test_who_waits_in_a_box_stands_where_he_is_to() -> None:
    """A unit that is in a box as well as on the map is bad input."""
    scenario = planner.load("dai_senso/manchuria_defense")
    waiting = next(entry["id"] for entry in scenario.to_dict()["unit"] if "box" in entry)
    [(_, data)] = variants_of(scenario, [Varied(f"units.{waiting}.at", ("w5427",))])
    assert planner.Scenario.from_dict(data).start.at[waiting] == "w5427"


@pytest.mark.parametrize(
    ("place", "label", "found"),
    [
        ("units.a1.at", 1010, "1010"),  # a number that is a hex in the end
        ("tier.0.terms.0.to.0", 1010, "1010"),
        ("tier.0.terms.0.to", 1010, "1010"),  # instead of a list of hexes
        ("tier.0.terms.0.weight", 3, 3),
    ],
)
def test_what_is_called_by_a_number_stays_text(place: str, label: int, found: object) -> None:
    """`--vary units.tank.at=0101,0203`, the page's own example, was bad input in every game whose hexes are numbers."""
    terms = {"kind": "distance", "to": ["0101"]}
    scenario = planner.Scenario.from_dict(
        planner.load("classic_hex/three_battles").to_dict() | {"tier": [{"terms": [terms]}]}
    )
    [(_, data)] = variants_of(scenario, [Varied(place, (label,))])
    places = {
        "units.a1.at": data["unit"][0]["at"],
        "tier.0.terms.0.to.0": data["tier"][0]["terms"][0]["to"][0],
        "tier.0.terms.0.to": data["tier"][0]["terms"][0]["to"],
        "tier.0.terms.0.weight": data["tier"][0]["terms"][0].get("weight"),
    }
    assert places[place] == found


@pytest.mark.parametrize(("place", "found"), [("turn", "turn"), ("tier.0.terms.0.weight", "weight")])
def test_where_a_number_stands_what_begins_with_a_nought_is_one(place: str, found: str) -> None:
    """`--vary turn=01..03` was bad input, as if these were hexes, whether the scenario says a turn or not."""
    terms = {"kind": "hold", "hexes": "0101", "weight": 2}
    given = planner.load("classic_hex/three_battles").to_dict() | {"tier": [{"terms": [terms]}]}
    given.pop("turn", None)
    [*variants] = variants_of(planner.Scenario.from_dict(given), [read_varied(f"{place}=01..03")])
    assert [(data | data["tier"][0]["terms"][0])[found] for _, data in variants] == [1, 2, 3]


def test_further_units_are_like_the_first_in_whichever_order_it_is_said() -> None:
    """Said first, a count of 0 left nobody of whom to vary the MA, and of two only the first got it."""
    count, ma = Varied("units.inf.count", (0, 2)), Varied("units.inf.ma", (3, 4))
    for varied in ([count, ma], [ma, count]):
        found = [data["unit"] for _, data in variants_of(planner.load(MANCHURIA), varied)]
        told = sorted(
            [entry["values"] for entry in units if entry["id"].startswith("inf_") or entry["id"] == "inf"]
            for units in found
        )
        assert told == [[], [], ["3-3-3"] * 2, ["3-3-4"] * 2]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (Varied("unit.plv.ma", (1, 2)), Varied("units.plv.ma", (1, 2))),
        (Varied("units.plv.strength", (5, 6)), Varied("units.plv.attack", (5, 6))),
        (Varied("units.plv.values", ("5-5-3", "6-5-3")), Varied("units.plv.ma", (2, 3))),
        (Varied("tier.0.terms.0.weight", (1, 2)), Varied("tier.00.terms.0.weight", (1, 2))),
    ],
)
def test_what_undoes_each_other_does_not_vary_together(one: Varied, two: Varied) -> None:
    """The table said of the first what had been searched with the second."""
    for varied in ([one, two], [two, one]):
        with pytest.raises(InputError, match="can't vary together"):
            list(variants_of(planner.load(MANCHURIA), varied))


@pytest.mark.parametrize("place", ["units.nobody.at", "units.plv", "title.x", "tier.9.terms", "tier.².terms"])
def test_what_is_not_there_is_told(place: str) -> None:
    with pytest.raises(InputError):
        list(variants_of(planner.load(MANCHURIA), [Varied(place, (1,))]))


def test_it_tips_where_neighbours_differ_and_is_proved_if_both_are() -> None:
    varied = [Varied("x", (1, 2, 3)), Varied("y", ("a", "b"))]
    told = {
        (1, "a"): ("optimal", ("1",)),
        (2, "a"): ("optimal", ("1",)),
        (3, "a"): ("feasible", ("2",)),
        (1, "b"): ("optimal", ("1",)),
        (2, "b"): ("infeasible", ()),
        (3, "b"): ("unknown", ()),
    }
    rows = [SweepRow(values, status, value) for values, (status, value) in told.items()]
    found = {(tip.place, tip.before.values, tip.after.values, tip.proved) for tip in tips_of(rows, varied)}
    assert found == {
        ("x", (2, "a"), (3, "a"), False),
        ("x", (1, "b"), (2, "b"), True),
        ("y", (2, "a"), (2, "b"), True),
    }


@pytest.mark.thorough
def test_the_command_says_what_searches_say(tmp_path: Path) -> None:
    """Plv gets to inf111 only if inf goes first: without inf it is 0, with one or two of them 1."""
    table, everything = tmp_path / "table.csv", tmp_path / "all.json"
    words = ("sweep", MANCHURIA, "--vary", "units.inf.count=0..2", "--workers", "1")
    done = run(*words, "-o", str(table))
    assert done.returncode == 0, done.stderr
    assert "tips between units.inf.count 0 and 1: 0 / 0, then 1 / -23; proved" in done.stdout
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    assert [(row["status"], row["value 1"]) for row in rows] == [("optimal", "0"), ("optimal", "1"), ("optimal", "1")]
    assert run(*words, "-o", str(everything)).returncode == 0
    found = json.loads(everything.read_text())
    assert found["tips"] == [{"place": "units.inf.count", "from": [0], "to": [1], "proved": True}]


def test_a_variant_that_is_no_scenario_is_told_and_the_others_are_searched() -> None:
    done = run("sweep", MANCHURIA, "--vary", "units.inf.at=w5525,nowhere", "--workers", "1")
    assert done.returncode == 3
    assert "1 / -23  proved" in done.stdout
    assert "bad input: " in done.stdout


@pytest.mark.thorough
def test_it_is_plotted_or_says_what_is_missing(tmp_path: Path) -> None:
    plot = tmp_path / "plot.svg"
    words = ("sweep", MANCHURIA, "--vary", "units.inf.count=0..1", "--vary", "units.plv.attack=5,6", "--workers", "1")
    done = run(*words, "--plot", str(plot))
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        assert (done.returncode, plot.exists()) == (2, False)
        assert "pip install '.[plot]'" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    assert plot.read_text().startswith("<?xml")
    assert run(*words, "--plot", str(tmp_path / "plot.doc")).returncode == 2


@pytest.mark.thorough
def test_a_sweep_may_take_as_long_as_proofs_do() -> None:
    vary = ("--vary", "units.plv.attack=2,3", "--workers", "1")
    done = run("sweep", "dai_senso/manchuria", *vary, "--time-limit", "inf")
    assert (done.returncode, done.stdout.count("proved")) == (0, 2), done.stdout
