"""Bad scenarios: every problem at once, each with its place, whatever the file holds."""

from __future__ import annotations

import contextlib
import copy
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import planner
from planner.errors import AmbiguousInputError, InputError, Problem
from planner.scenario import build_scenario, load_scenario
from tests.plain_game import BOGGING, Variant, build

ROOT = Path(__file__).resolve().parents[2]
SEA = tomllib.loads((ROOT / "scenarios/dai_senso/puzzles/whose_ship.toml").read_text())
GOOD = tomllib.loads((ROOT / "scenarios/dai_senso/manchuria.toml").read_text())


def problems(data: dict[str, Any]) -> list[Problem]:
    with pytest.raises(InputError) as error:
        build_scenario(data, "bad.toml")
    return list(error.value.problems)


def changed(*changes: tuple[str, Any], good: dict[str, Any] = GOOD) -> dict[str, Any]:
    """Return the good scenario with values put at dotted places; numbers are list indices, None deletes."""
    data = copy.deepcopy(good)
    for place, value in changes:
        node: Any = data
        *path, last = [int(part) if part.isdigit() else part for part in place.split(".")]
        for part in path:
            node = node.setdefault(part, {}) if isinstance(node, dict) else node[part]
        if value is None:
            del node[last]
        else:
            node[last] = value
    return data


MEANT: dict[str, tuple[tuple[str, Any], str, str]] = {
    "a key": (("unit.1.stepz", 2), "unknown key 'stepz'; did you mean 'steps'?", "bad.toml: unit[1].stepz"),
    "a key of the file": (("untis", []), "unknown key 'untis'; did you mean 'unit'?", "bad.toml: untis"),
    "a key of a term": (
        ("tier.0.terms", [{"kind": "hold", "hexez": "w5525", "hexes": "w5525"}]),
        "unknown key 'hexez'; did you mean 'hexes'?",
        "bad.toml: tier[0].terms[0].hexez",
    ),
    "a kind of term": (("tier.0.terms.0.kind", "eliminat"), "did you mean 'eliminate'?", "bad.toml: tier[0].terms[0]"),
    "a phase": (("phase", "operational_movment"), "did you mean 'operational_movement'?", "bad.toml: phase"),
    "a side": (("unit.0.side", "Soviets"), "did you mean 'soviet'?", "bad.toml: unit[0] (plv).side"),
    "a type": (("unit.1.type", "infantri"), "did you mean 'infantry'?", "bad.toml: unit[1] (inf).type"),
    "a terrain": (("map.hexes", {"w5525": "montain"}), "did you mean 'mountain'?", "bad.toml: map.hexes.w5525"),
    "a feature": (("map.hexsides", {"rivr": "w5525 w5425"}), "did you mean 'river'?", "bad.toml: map.hexsides.rivr"),
    "a unit": (("tier.0.terms.0.units", ["hailer"]), "did you mean 'hailar'?", "bad.toml: tier[0].terms[0].units"),
    "a game": (("model", "dai_sensou"), "did you mean 'dai_senso'?", "bad.toml: model"),
    "a question": (("answer.question", "shortst"), "did you mean 'shortest'?", "bad.toml: answer.question"),
    "what is no whole number": (
        ("unit.0.steps", "many"),
        "must be a whole number, not 'many'",
        "bad.toml: unit[0].steps",
    ),
    "what is no text": (("title", 5), "must be text, not 5", "bad.toml: title"),
    "what may be of two sorts and is of neither": (
        ("answer.value", [[1]]),
        "must be a whole number or text, not a list",
        "bad.toml: answer.value[0]",
    ),
    "what is no list": (("answer.moves", "inf w1-w2"), "must be a list, not 'inf w1-w2'", "bad.toml: answer.moves"),
    "what is no table": (("map", "flat"), "must be a table, not 'flat'", "bad.toml: map"),
    "what has no kind": (("tier.0.terms", [{"hexes": "w5525"}]), "'kind' must be given", "bad.toml: tier[0].terms[0]"),
}


@pytest.mark.parametrize(("change", "what", "where"), MEANT.values(), ids=MEANT)
def test_what_is_written_otherwise_than_it_must_be_is_told_in_players_words(
    change: tuple[str, Any], what: str, where: str
) -> None:
    found = problems(changed(change))
    assert any(what in problem.what and problem.where == where for problem in found), found
    assert not any("Input" in problem.what or "pattern" in problem.what for problem in found)
    assert len(found) == 1, found


def test_faults_of_a_rulebook_are_told_with_those_of_its_charts_and_of_the_scenario(tmp_path: Path) -> None:
    """A rule of no kind, a rule with an unknown terrain, a faulty price in the chart, and a unit of an unknown type."""
    folder = tmp_path / "mine"
    shutil.copytree(ROOT / "models/classic_hex", folder)
    rules = (folder / "rulebook.toml").read_text()
    rules = rules.replace('kind = "eligibility"', 'kind = "eligibilty"').replace(
        'terrain = "forest"', 'terrain = "forst"'
    )
    (folder / "rulebook.toml").write_text(rules)
    chart = (folder / "terrain.toml").read_text()
    (folder / "terrain.toml").write_text(chart + "\n[terrain.mire]\nkost = 1\n")
    scenario = (ROOT / "scenarios/classic_hex/no_way_out.toml").read_text().replace('"classic_hex"', '"./mine"')
    (tmp_path / "puzzle.toml").write_text(scenario.replace('type = "infantry"', 'type = "infantri"', 1))
    with pytest.raises(InputError) as error:
        load_scenario(tmp_path / "puzzle.toml")
    text = str(error.value)
    for part in (
        "did you mean 'eligibility'?",
        "did you mean 'forest'?",
        "unknown key 'kost'",
        "did you mean 'infantry'?",
    ):
        assert part in text, text
    # What is missing because it couldn't be read is nobody else's fault.
    assert "'movers'" not in text


CASES: dict[str, tuple[list[tuple[str, Any]], str, str]] = {
    "unknown key": ([("untis", [])], "unknown key 'untis'", "untis"),
    "unknown key of a unit": ([("unit.1.stepz", 2)], "unknown key 'stepz'", "unit[1].stepz"),
    "missing key": ([("unit.1.side", None)], "'side' must be given", "unit[1].side"),
    "missing phase": ([("phase", None)], "'phase' must be given", "phase"),
    "wrong format": ([("format", "planner/scenario-9")], "planner/scenario-1", "format"),
    "unknown model": ([("model", "chess")], "model must be one of", "model"),
    "model with a hostile path": ([("model", "../../etc")], "model must be one of", "model"),
    "unknown phase": ([("phase", "lunch")], "phase must be one of", "phase"),
    "unknown side": ([("unit.0.side", "martian")], "side 'martian' must be one of", "unit[0] (plv).side"),
    "unknown type": ([("unit.0.type", "submarine")], "unit type 'submarine'", "unit[0] (plv).type"),
    "unknown trait": ([("unit.0.traits", ["shiny"])], "unit trait 'shiny'", "unit[0] (plv).traits"),
    "unknown nationality": ([("unit.0.nationality", "mars")], "nationalit", "unit[0] (plv).nationality"),
    "unit off the map": ([("unit.0.at", "w9999")], "hex 'w9999' is not on the map", "unit[0] (plv).at"),
    "unit in two places": ([("unit.0.box", "somewhere")], "exactly one of at and box", "unit[0] (plv)"),
    "duplicate id": ([("unit.1.id", "plv")], "'plv' comes twice", "unit[1] (plv)"),
    "a name like another's id": ([("unit.1.name", "HAILAR"), ("unit.2.name", None)], "like another's id", "unit[1]"),
    "values of the wrong form": (
        [("unit.0.values", "6-5")],
        "values must be attack-defense-ma",
        "unit[0] (plv).values",
    ),
    "values that are no numbers": ([("unit.0.values", "a-b-c")], "values must be", "unit[0] (plv).values"),
    "negative steps": ([("unit.0.steps", 0)], "must be at least 1, not 0", "unit[0].steps"),
    "absurd steps": ([("unit.0.steps", 10**30)], "must be at most 100, not 1", "unit[0].steps"),
    "a float for MP": ([("unit.0.values", None), ("unit.0.ma", 1.5)], "whole number or a fraction", "unit[0].ma"),
    "a fraction over zero": ([("unit.0.values", None), ("unit.0.ma", "1/0")], "whole number or", "unit[0].ma"),
    "absurd MP": ([("unit.0.values", None), ("unit.0.ma", 10**9)], "MP must be from 0", "unit[0].ma"),
    "fractions without a common denominator": (
        [(f"unit.{i}.values", f"1-1-1/{prime}") for i, prime in enumerate((997, 991, 983))],
        "common denominator of at most 1000",
        "unit",
    ),
    "an id with a space": ([("unit.0.id", "p l v")], "must be an id: letters", "unit[0].id"),
    "no map": ([("map", {})], "at least one hex", "map"),
    "rows without origin": ([("map.origin", None)], "origin must be given", "map.origin"),
    "origin that is no label": ([("map.origin", "here")], "must have the form", "map.origin"),
    "unknown sign": ([("map.rows", "? .")], "sign '?' must be in the legend", "map.rows, row 1"),
    "rows beyond the numbers": ([("map.origin", "w0099")], "runs beyond the hex numbers", "map.rows"),
    "legend of an unknown terrain": ([("map.legend", {"x": "cheese"})], "terrain must be one of", "map.legend.x"),
    "hex of an unknown terrain": ([("map.hexes", {"w5525": "cheese"})], "terrain must be one of", "map.hexes.w5525"),
    "hex with a bad label": ([("map.hexes", {"nowhere": "clear"})], "must have the form", "map.hexes.nowhere"),
    "river off the map": ([("map.hexsides", {"river": "w5525 w0101"})], "not on the map", "map.hexsides.river"),
    "river that jumps": ([("map.hexsides", {"river": "w5525 w5325"})], "must be adjacent", "map.hexsides.river"),
    "river of one hex": ([("map.hexsides", {"river": "w5525"})], "at least two hexes", "map.hexsides.river"),
    "unknown feature": ([("map.hexsides", {"moat": "w5525 w5425"})], "feature must be one of", "map.hexsides.moat"),
    "marker of an unknown type": (
        [("marker", [{"type": "flag", "side": "axis", "at": "w5525"}])],
        "marker type 'flag'",
        "marker[0].type",
    ),
    "unknown weather": ([("weather", {"hail": "w5525"})], "weather 'hail' must be one of", "weather.hail"),
    "two kinds of weather": ([("weather", {"mud": "w5525", "snow": "w5525"})], "one weather", "weather.snow"),
    "term of an unknown kind": ([("tier.0.terms.0.kind", "win")], "kind", "tier[0].terms[0]"),
    "term for an unknown unit": ([("tier.0.terms.0.units", ["zeppelin"])], "'zeppelin'", "tier[0].terms[0].units"),
    "term against an own unit": ([("tier.0.terms.0.units", ["plv"])], "must be an enemy", "tier[0].terms[0].units"),
    "negative weight": ([("tier.0.terms.0.weight", -1)], "must be at least 1, not -1", "tier[0].terms[0].weight"),
    "odds that are none": (
        [("require", [{"kind": "odds", "target": "hailar", "odds": "three to one"}])],
        'must look like "3:1"',
        "require[0]",
    ),
    "a cost as a requirement": ([("require", [{"kind": "mp_spent"}])], "at most", "require[0]"),
    "a string for a table": ([("map", "flat")], "", "map"),
    "a table for a list": ([("unit", {"id": "x"})], "", "unit"),
    "a truth for a list, and units to be placed": (
        [("unit", True), ("defense", {"unit": [{"id": "x", "side": "axis", "type": "infantry"}]})],
        "",
        "unit",
    ),
}


@pytest.mark.parametrize(("changes", "what", "where"), CASES.values(), ids=CASES)
def test_a_fault_is_named_with_its_place(changes: list[tuple[str, Any]], what: str, where: str) -> None:
    found = problems(changed(*changes))
    assert any(what in p.what and p.where.startswith("bad.toml") and where in p.where for p in found), found


AT_SEA: dict[str, tuple[list[tuple[str, Any]], str, str]] = {
    "a zone with a hex off the map": ([("map.zones", {"s": "e3005 e9999"})], "not on the map", "map.zones.s"),
    "a box beside nothing": ([("map.boxes", {"x": {"adjacent": ["y"]}})], "'y'", "map.boxes.x"),
    "a box named like a hex": ([("map.boxes", {"e3005": {}})], "e3005", "map.boxes"),
    "a box with an unknown trait": ([("map.boxes", {"x": {"traits": ["shiny"]}})], "'shiny'", "map.boxes.x"),
    "a held place off the map": ([("control", {"axis": "e0101"})], "e0101", "control.axis"),
    "a holder that is no side": ([("control", {"martian": "e3005"})], "martian", "control.martian"),
    "a place with two holders": ([("control", {"axis": "e3005", "western": "e3005"})], "e3005", "control"),
    "a marker named like a unit": ([("marker.1.id", "scout")], "'scout' comes twice", "marker[1].id"),
    "two markers named alike": ([("marker.2.id", "japanese")], "'japanese' comes twice", "marker[2].id"),
    "a marker in a hex and in a zone": ([("marker.1.at", "e3005")], "exactly one of at and zone", "marker[1]"),
    "a marker nowhere": ([("marker.1.zone", None)], "exactly one of at and zone", "marker[1]"),
    "a marker in an unknown zone": ([("marker.1.zone", "baltic")], "must be one of sulu_sea", "marker[1].zone"),
    "a marker of an unknown nationality": ([("marker.1.nationality", "mars")], "'mars'", "marker[1].nationality"),
    "a marker that is used, perhaps": (
        [("marker.1.used", "perhaps")],
        "true or false, not 'perhaps'",
        "marker[1].used",
    ),
    "a marker that faces afar": ([("marker.0.facing", "e3005")], "facing must be a neighbour", "marker[0].facing"),
    "a country with an unknown status": ([("country", {"siam": {"status": ["merry"]}})], "'merry'", "country.siam"),
    "a country that hangs on nobody": (
        [("country", {"siam": {"dependent_of": "mars"}})],
        "dependent_of must be a country",
        "country.siam.dependent_of",
    ),
    "a country with an unknown side": ([("country", {"siam": {"side": "martian"}})], "'martian'", "country.siam.side"),
    "a restriction without a rule": ([("restriction", [{}])], "'rule' must be given", "restriction[0].rule"),
    "a restriction under an unknown rule": ([("restriction", [{"rule": "law"}])], "law", "restriction[0].rule"),
    "a restriction of an unknown nationality": (
        [("restriction", [{"rule": "policies", "who": {"nationalities": "mars"}, "hexes": {"labels": "e3005"}}])],
        "'mars'",
        "restriction[0]",
    ),
    "a restriction of hexes off the map": (
        [("restriction", [{"rule": "policies", "who": {}, "hexes": {"labels": "e0101"}}])],
        "e0101",
        "restriction[0].hexes.labels",
    ),
    "a restriction of a type that no unit has": (
        [("restriction", [{"rule": "policies", "who": {"types": "submarine"}, "hexes": {"labels": "e3005"}}])],
        "unit type 'submarine' must be one of",
        "restriction[0].who.types",
    ),
    "a restriction of hexes in unknown terrain": (
        [("restriction", [{"rule": "policies", "who": {}, "hexes": {"terrain": "cheese"}}])],
        "terrain 'cheese' must be one of",
        "restriction[0].hexes.terrain",
    ),
    "a goal for units that don't exist": (
        [("tier.0.terms", [{"kind": "hold", "hexes": "e3005", "by": {"units": ["zeppelin"]}}])],
        "'zeppelin'",
        "tier[0].terms[0].by.units",
    ),
    "a goal for a type that doesn't exist": (
        [("tier.0.terms", [{"kind": "hold", "hexes": "e3005", "by": {"types": ["zeppelin"]}}])],
        "unit type 'zeppelin'",
        "tier[0].terms[0].by.types",
    ),
}


@pytest.mark.parametrize(("changes", "what", "where"), AT_SEA.values(), ids=AT_SEA)
def test_a_fault_at_sea_is_named_with_its_place(changes: list[tuple[str, Any]], what: str, where: str) -> None:
    found = problems(changed(*changes, good=SEA))
    assert any(what in p.what and p.where.startswith("bad.toml") and where in p.where for p in found), found


def test_all_problems_come_at_once_whatever_their_kind() -> None:
    found = problems(
        changed(
            ("untis", []),
            ("unit.0.stepz", 2),
            ("unit.1.at", "w9999"),
            ("unit.2.side", "martian"),
            ("phase", "lunch"),
            ("map.hexsides", {"moat": "w5525 w5425", "river": "w5525 w5325"}),
            ("tier.0.terms.0.units", ["zeppelin"]),
        )
    )
    text = "\n".join(map(str, found))
    for part in ("untis", "stepz", "w9999", "martian", "lunch", "moat", "adjacent", "zeppelin"):
        assert part in text
    assert len(found) == 8


def test_a_faulty_unit_is_not_reported_again_where_it_is_named() -> None:
    found = problems(changed(("unit.2.steps", "many")))
    assert [p.where for p in found] == ["bad.toml: unit[2].steps"]


@pytest.mark.parametrize("faulty", [0, 1])
def test_an_id_that_comes_twice_is_told_beside_values_that_are_no_text(faulty: int) -> None:
    found = problems(changed(("unit.1.id", GOOD["unit"][0]["id"]), (f"unit.{faulty}.values", 5)))
    told = {(problem.what, problem.where) for problem in found}
    assert ("unit ids must differ, but 'plv' comes twice", "bad.toml: unit[1] (plv)") in told
    assert ("must be text, not 5", f"bad.toml: unit[{faulty}].values") in told


def test_control_characters_of_a_file_do_not_reach_the_terminal() -> None:
    [found] = problems(changed(("\x1b[31m", 1)))
    assert str(found).isprintable()


def test_a_map_of_absurd_size_is_refused_in_no_time() -> None:
    rows = ["." * 100] * 2_001
    assert any("at most 2000" in p.what for p in problems(changed(("map.rows", rows))))


def test_a_name_that_two_units_might_mean_is_ambiguous() -> None:
    """Names must differ within a scenario, so only a scenario made in Python can have two alike."""
    scenario = build_scenario(copy.deepcopy(GOOD), "x")
    twins = {**scenario.game.units}
    import dataclasses

    twins["inf"] = dataclasses.replace(twins["inf"], name="Twin")
    twins["plv"] = dataclasses.replace(twins["plv"], name="twin")
    game = dataclasses.replace(scenario.game, units=twins)
    with pytest.raises(AmbiguousInputError, match="plv, inf"):
        dataclasses.replace(scenario, game=game).unit("TWIN")


@pytest.mark.parametrize(
    "text", ["= 1", "a = [" * 5_000, "a = 1\na = 2", f"a = {'9' * 5_000}", "\0", "[[unit]]\nid=1979-05-27"]
)
def test_text_that_is_no_scenario_is_a_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        load_scenario(path)
    assert error.value.problems


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
PLACES = ["format", "model", "phase", "phasing", "flags", "map", "map.rows", "map.origin", "map.legend", "map.hexes",
          "map.hexsides", "map.areas", "unit", "unit.0", "unit.0.id", "unit.0.at", "unit.0.values", "unit.0.steps",
          "unit.0.traits", "marker", "weather", "supply", "tier", "tier.0", "tier.0.terms", "tier.0.terms.0", "require",
          "verdict", "answer", "map.zones", "map.zones.sulu_sea", "map.boxes", "control", "control.axis", "country",
          "restriction", "marker.0", "marker.0.facing", "marker.1.id", "marker.1.zone", "marker.1.used"]  # fmt: skip


@given(
    st.sampled_from([GOOD, SEA]),
    st.lists(st.tuples(st.sampled_from(PLACES), JUNK), min_size=1, max_size=3, unique_by=lambda c: c[0]),
)
def test_no_junk_anywhere_brings_anything_but_a_scenario_or_sentences(
    good: dict[str, Any], changes: list[tuple[str, Any]]
) -> None:
    data = copy.deepcopy(good)
    for place, value in sorted(changes, reverse=True):
        try:
            data = _put(data, place, value)
        except (KeyError, IndexError, TypeError, AttributeError):
            continue
    found: tuple[Problem, ...] = ()
    with contextlib.suppress(InputError):
        try:
            build_scenario(data, "junk.toml")
        except InputError as error:
            found = error.problems
            raise
    assert all(problem.where.startswith("junk.toml") for problem in found)


def _put(data: dict[str, Any], place: str, value: Any) -> dict[str, Any]:
    node: Any = data
    *path, last = [int(part) if part.isdigit() else part for part in place.split(".")]
    for part in path:
        node = node[part]
    node[last] = value
    return data


def test_what_cannot_be_averaged_is_no_objective_of_a_game_with_rolls() -> None:
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"10.10 10.11": "open"}},
        "unit": [{"id": "one", "side": "axis", "type": "infantry", "values": "4-4-5", "at": "10.10"}],
        "tier": [{"terms": [{"kind": "exposure"}]}],
    }
    with pytest.raises(InputError, match=r"several rolls together.*@ rolls: tier\[0\].terms\[0\]"):
        build_scenario(data, "rolls")


def test_moves_that_a_game_has_no_form_for_are_bad_input() -> None:
    scenario = planner.load("classic_hex/six_against_four")
    unit, other = sorted(scenario.game.friends)[:2]
    here, there = list(scenario.game.board.hexes)[:2]
    for move, what in (
        (f"{unit} {here}~{there}", "nobody is carried in this game"),
        (f"{unit} {here}x{there}({other})", "no unit supports others from afar in this game"),
        (f"{unit} {here}x{there}*2", "nothing can be tried several times in this game"),
    ):
        with pytest.raises(InputError, match=what):
            planner.check(scenario, move)


def test_an_overrun_in_a_game_without_any_is_bad_input(tmp_path: Path) -> None:
    """It was legal, and who bogged down on it stood where it had come from, though it enters the hex whatever is rolled."""
    scenario = build(Variant("none", BOGGING), tmp_path)
    with pytest.raises(
        InputError, match=r"nobody overruns in this game: write -03\.02, not x03\.02 @ moves: moves\[0\]"
    ):
        planner.check(scenario, "f 03.01x03.02")
    with pytest.raises(InputError, match=r"^no overrun can fail in this game @ [^\n]*$"):
        planner.check(scenario, "f 03.01!03.02")
    assert planner.check(scenario, "f 03.01-03.02").legal


def test_a_schedule_needs_the_turn() -> None:
    due = {"turn": 3, "at": "0404"}
    data = {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "reinforcement",
        "phasing": "blue",
        "map": {"hexes": {"0404": "clear"}, "boxes": {"later": {}}},
        "control": {"blue": "0404"},
        "unit": [{"id": "r", "side": "blue", "type": "infantry", "values": "2-2", "at": "later", "arrives": due}],
    }
    with pytest.raises(InputError, match="turn must be given"):
        build_scenario(data, "test")


def _port(**more: Any) -> dict[str, Any]:
    unit = {"id": "inf", "side": "western", "type": "infantry", "values": "1-1-2", "at": "w3021"}
    return {
        **{"format": "planner/scenario-1", "model": "dai_senso", "phase": "operational_movement", "phasing": "western"},
        "map": {"hexes": {"w3020": "clear", "w3021": {"terrain": "clear", "traits": ["port"]}}},
        "unit": [unit],
        **more,
    }


def test_a_port_with_a_unit_in_it_is_not_the_other_sides() -> None:
    """Who enters a port takes it: held by the enemy, it would keep the unit from sailing out of it."""
    with pytest.raises(InputError) as raised:
        build_scenario(_port(control={"axis": "w3021"}), "a port")
    [problem] = raised.value.problems
    assert problem.what == (
        "w3021 can't be held by axis: inf (western) stands there, and who enters such a place takes it (Ports)"
    )
    assert problem.where == "a port: control.axis"


@pytest.mark.parametrize("control", [{"western": "w3021"}, {"axis": "w3020"}, {}])
def test_a_port_is_its_garrisons_and_another_hex_anybodys(control: dict[str, str]) -> None:
    """w3020 is no port, which nobody takes by entering."""
    assert build_scenario(_port(control=control), "a port")


@pytest.mark.parametrize(
    "place", ["control.soviet", "map.areas.korea", "require", "defense.place.0.hexes", "map.hexsides.road"]
)
def test_what_is_wrong_is_counted_once_however_often_the_file_is_read(place: str) -> None:
    """Units that are there for a defense alone have the file read once more, with them on the board."""
    wanted: Any = " ".join(f"w{number}" for number in range(70_000, 70_150))
    value = [{"kind": "hold", "hexes": wanted}] if place == "require" else wanted
    assert GOOD["defense"]["unit"]
    *told, last = problems(changed((place, value)))
    assert len(told) == 100
    assert last.what == "and 50 more"


@pytest.mark.parametrize(
    ("place", "most", "words"),
    [
        ("control.soviet", 200_000, "must have at most 200000 entries"),
        ("tier.0.terms.0.hexes", 200_000, "must have at most 200000 entries"),
        ("map.hexsides.road", 800_000, "must have at most 800000 labels"),
    ],
)
def test_more_hexes_than_a_map_can_have_are_not_gone_through_one_by_one(place: str, most: int, words: str) -> None:
    good = changed(("tier.0.terms", [{"kind": "hold", "hexes": "w5525"}]))
    [problem] = problems(changed((place, "w5525 " * (most + 1)), good=good))
    assert problem.what == words


def test_a_name_of_a_million_signs_is_told_by_its_ends() -> None:
    for problem in problems(changed(("control", {"w5525 " * 200_000: "soviet"}))):
        assert len(str(problem)) < 5_000


@pytest.mark.parametrize(("many", "last"), [(101, "and 1 more"), (20, "side 'nobody' must be")])
def test_units_for_a_defense_alone_are_looked_at_once_all_else_can_be_told(many: int, last: str) -> None:
    """They have the file read anew, and two million hexes that aren't on the map would be looked up once more."""
    wanted = [{"kind": "hold", "hexes": " ".join(f"w{number}" for number in range(70_000, 70_000 + many))}]
    found = problems(changed(("require", wanted), ("defense.unit.0.side", "nobody")))
    assert last in found[-1].what


def test_what_a_game_has_none_of_is_said_to_be_none(tmp_path: Path) -> None:
    """Its hexsides have no features, so that none can be named to choose from."""
    with pytest.raises(InputError, match="feature can't be 'river': there is none"):
        build(Variant("none", hexsides='[map.hexsides]\nriver = ["03.01 03.02"]\n'), tmp_path)
