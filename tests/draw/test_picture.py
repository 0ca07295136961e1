"""Maps: hexes where they lie, features on their hexsides, a legend of what is there, and the same file every time."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

import pytest

import planner
from planner.api import apply, check, picture, reach, suggest
from planner.draw import hexsides, terrain
from planner.draw.counters import BOTTOM, SIZE, TOP, fan, style_of
from planner.draw.geometry import APOTHEM, RADIUS, Layout, between, distance
from planner.draw.markup import number
from planner.draw.objectives import wanted
from planner.draw.palette import SIDES, contrast, ink_on
from planner.draw.picture import Picture
from planner.draw.vocabulary import HEXSIDES, TERRAIN, UNITS, abbreviations, looks_of
from planner.errors import InputError
from planner.plans.plan import Plan
from planner.rules.rulebook_file import load_rulebook, model_folder, shipped_models
from planner.scenario import build_scenario, load_scenario
from planner.world.charts import TerrainChart
from tests.draw.cases import EVERY, PLANS, ROOT, with_plan

SVG = "{http://www.w3.org/2000/svg}"


@cache
def drawn(name: str) -> ET.Element:
    return ET.fromstring(Picture(load_scenario(name)).svg())


def texts(root: ET.Element) -> list[str]:
    return [element.text or "" for element in root.iter(SVG + "text")]


@pytest.mark.parametrize("name", EVERY)
def test_every_shipped_scenario_is_drawn_with_every_hex_and_every_unit(name: str) -> None:
    scenario, root = load_scenario(name), drawn(name)
    labels = [element.get("data-hex") for element in root.iter(SVG + "g") if element.get("data-hex")]
    assert set(scenario.game.board.places) <= set(labels)
    written = texts(root)
    assert all(written.count(label) == 1 for label in scenario.game.board.hexes)
    units = {element.get("data-unit") for element in root.iter(SVG + "g")} - {None}
    assert units == set(scenario.start.at) | set(scenario.start.boxes)
    markers = {element.get("data-marker") for element in root.iter(SVG + "g")} - {None}
    assert len(markers) <= len(scenario.game.situation.markers)
    zones = [marker.id for marker in scenario.game.situation.markers if marker.zone]
    assert markers >= set(zones)


@pytest.mark.parametrize("name", EVERY)
def test_whatever_a_picture_refers_to_is_in_it_once(name: str) -> None:
    root = drawn(name)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(set(ids)) == len(ids)
    wanted = {(element.get("href") or "")[1:] for element in root.iter(SVG + "use")}
    wanted |= {match for element in root.iter() for match in re.findall(r"url\(#(.*?)\)", element.get("fill") or "")}
    assert wanted <= set(ids)


@pytest.mark.parametrize(
    "name", ["dai_senso/manchuria", "ocs/two_overruns", "great_war/over_the_top", "classic_hex/three_battles"]
)
def test_neighbours_share_a_hexside_and_nobody_else_comes_as_near(name: str) -> None:
    board = load_scenario(name).game.board
    layout = Layout(board)
    for a, b in combinations(board.hexes, 2):
        apart = distance(layout.centres[a], layout.centres[b])
        if board.adjacent(a, b):
            assert apart == pytest.approx(2 * APOTHEM)
            ends = layout.hexside(a, b)
            assert distance(*ends) == pytest.approx(RADIUS)
            for end in ends:  # a corner of both
                for label in (a, b):
                    centre = layout.centres[label]
                    assert min(distance(end, type(end)(centre.x + c.x, centre.y + c.y)) for c in layout.corners) < 0.01
        else:
            assert apart > 2 * APOTHEM + 1


def test_rows_lie_and_columns_stand_as_the_map_has_them_printed() -> None:
    """w5725 is north of w5325 and w5526 east of w5525; 10.41 is north of 10.10; row A of the trenches is above row I."""
    for name, upper, lower, west, east in (
        ("dai_senso/manchuria", "w5725", "w5325", "w5525", "w5526"),
        ("ocs/breakthrough", "10.41", "10.10", "10.20", "11.20"),
        ("great_war/over_the_top", "A5", "I5", "E4", "E5"),
        ("classic_hex/three_battles", "0101", "0109", "0104", "0204"),
    ):
        at = Layout(load_scenario(name).game.board).centres
        assert at[upper].y < at[lower].y
        assert at[west].x < at[east].x


@pytest.mark.parametrize(
    "name", ["ocs/breakthrough", "dai_senso/reserve_rails", "dai_senso/island_campaign", "classic_hex/three_battles"]
)
def test_roads_cross_their_hexsides_and_rivers_lie_along_theirs(name: str) -> None:
    """A road's path has the middle of each of its hexsides, and so has a river's, or both ends of the hexside."""
    board = load_scenario(name).game.board
    layout = Layout(board)
    paths = {
        g.get("data-feature"): " ".join(p.get("d") or "" for p in g.iter(SVG + "path"))
        for g in drawn(name).iter(SVG + "g")
    }
    seen = 0
    for (a, b), features in board.hexsides().items():
        for feature in features:
            middle = between(layout.centres[a], layout.centres[b])
            spots = re.findall(r"(-?[\d.]+) (-?[\d.]+)", paths[feature])
            there = {(float(x), float(y)) for x, y in spots}

            def passed(point: object, there: set[tuple[float, float]] = there) -> bool:
                x, y = point  # type: ignore[misc]
                return any(abs(x - p) < 0.16 and abs(y - q) < 0.16 for p, q in there)

            assert passed(middle) or all(passed(end) for end in layout.hexside(a, b)), (a, b, feature)
            seen += 1
    assert seen


def test_wide_gaps_of_a_map_are_torn_out_and_neighbours_stay_neighbours() -> None:
    scenario = load_scenario("dai_senso/micronesia")
    layout = Layout(scenario.game.board)
    by_line = sorted({round(point.y) for point in layout.centres.values()})
    assert max(b - a for a, b in pairwise(by_line)) <= 8 * 1.5 * RADIUS
    for a, b in combinations(layout.centres, 2):
        assert distance(layout.centres[a], layout.centres[b]) > 2 * APOTHEM - 0.01
        near = distance(layout.centres[a], layout.centres[b]) < 2 * APOTHEM + 0.01
        assert near == scenario.game.board.adjacent(a, b)


@pytest.mark.parametrize("model", shipped_models())
def test_no_two_terrains_hexsides_or_conditions_of_a_game_look_the_same(model: str) -> None:
    rulebook = load_rulebook(model_folder(model))
    grounds = terrain.styles(rulebook.terrain.terrain, rulebook.looks.terrain)
    assert len(set(grounds.values())) == len(rulebook.terrain.terrain)
    assert not any(style.patterns[0].startswith("?") for style in grounds.values())
    sides = hexsides.styles(rulebook.terrain, rulebook.looks.hexsides)
    assert set(sides) == rulebook.terrain.features()
    assert len(set(sides.values())) == len(sides)
    style = style_of(rulebook.forces, rulebook.looks, rulebook.known("unit_traits"))
    assert len(set(style.badges.values())) == len(rulebook.known("unit_traits"))
    assert len(set(style.colours.values())) == len(rulebook.forces.sides)


def test_terrain_that_no_word_describes_gets_a_pattern_of_its_own() -> None:
    found = terrain.styles(["blorg", "fnord", "clear", "quux", "open"], {})
    assert found["blorg"].patterns == ("?0",)
    assert len({(style.patterns, style.shade) for style in found.values()}) == 5


def test_the_legend_names_what_is_on_the_map_and_nothing_else() -> None:
    """Manchuria has clear and rough hexes, infantry and a cav-mech army, EZOCs, and neither rivers nor tanks nor forts."""
    words = texts(drawn("dai_senso/manchuria"))
    for there in (
        "Clear",
        "Rough",
        "Infantry",
        "Cavalry-mechanized",
        "EZOC",
        "Axis",
        "Soviet (moves)",
        "Kwantung unit",
    ):
        assert there in words, there
    for not_there in (
        "Mountain",
        "River",
        "Tank",
        "Fortress",
        "Western",
        "Naval zones",
        "Overrun; the MP spent",
    ):
        assert not_there not in words, not_there


def test_a_small_map_is_enlarged_lest_its_legend_be_more_than_the_map() -> None:
    """Five hexes beside fourteen lines: enlarged twice; a map that is higher than its legend is left as it is."""
    for name, times in (("ocs/swamp", 2.0), ("dai_senso/island_campaign", 1.0)):
        board = next(element for element in drawn(name) if element.find(f".//{SVG}g[@data-hex]") is not None)
        scale = re.search(r"scale\(([\d.]+)\)", board.get("transform", ""))
        assert (1.0 if scale is None else float(scale[1])) == times


@pytest.mark.parametrize("name", EVERY)
def test_the_terrain_of_the_legend_is_that_of_the_map(name: str) -> None:
    scenario = load_scenario(name)
    chart = scenario.game.rulebook.terrain
    written = " ".join(texts(drawn(name)))
    shown = {t for h in scenario.game.board.hexes.values() for t in (h.terrain, *h.also)}
    for terrain_name in shown:
        for word in chart.terrain[terrain_name].name.split():
            assert word in written
    for feature, side in chart.hexsides.items():
        used = any(feature in features for features in scenario.game.board.hexsides().values())
        drawn_feature = any(g.get("data-feature") == feature for g in drawn(name).iter(SVG + "g"))
        assert drawn_feature == (
            used and hexsides.styles(chart, scenario.game.rulebook.looks.hexsides)[feature].look != "none"
        ), side


def test_a_reach_shades_what_a_unit_reaches_and_hatches_what_it_reaches_with_help() -> None:
    found = reach("dai_senso/manchuria", "plv")
    root = ET.fromstring(picture("dai_senso/manchuria", reach=found).svg())
    fills = {
        g.get("data-reach"): next(iter(g.iter(SVG + "polygon"))).get("fill")
        for g in root.iter(SVG + "g")
        if g.get("data-reach")
    }
    assert {label for label, fill in fills.items() if fill == "url(#p-hatch)"} == {
        entry.hex for entry in found.with_help
    }
    assert {label for label, fill in fills.items() if fill != "url(#p-hatch)"} == {entry.hex for entry in found.alone}
    # The cheaper, the darker: hexes of the same MP have one colour, others another.
    by_mp = {entry.mp: fills[entry.hex] for entry in found.alone}
    assert len(set(by_mp.values())) == len(by_mp)
    assert all(by_mp[entry.mp] == fills[entry.hex] for entry in found.alone)


@pytest.mark.thorough
def test_the_same_scenario_gives_the_same_file_whatever_the_hash_seed() -> None:
    code = (
        "import sys, planner; s = planner.load('great_war/over_the_top');"
        "p = planner.picture(s, s.answer.moves); sys.stdout.write(p.svg() + p.html())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


# Machado, Oliveira, Fernandes, "A physiologically-based model for simulation of color vision deficiency", 2009, severity 1.
SIGHT = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}


def _lab(colour: str, sight: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    def linear(share: float) -> float:
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    rgb = [linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5)]
    red, green, blue = (min(1.0, max(0.0, sum(a * b for a, b in zip(row, rgb, strict=True)))) for row in sight)
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883,
    )
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("sight", SIGHT)
def test_colours_of_sides_differ_for_everybody(sight: str) -> None:
    """In CIE Lab, two colours are told apart at a glance from a distance of about 10 on; neighbours of 2 are hardly."""
    for one, other in combinations(SIDES.values(), 2):
        a, b = _lab(one, SIGHT[sight]), _lab(other, SIGHT[sight])
        assert sum((p - q) ** 2 for p, q in zip(a, b, strict=True)) ** 0.5 > 10, (one, other)


def test_values_are_read_easily_on_every_colour() -> None:
    """4.5 is what WCAG 2.1 asks of small text."""
    assert all(contrast(colour, ink_on(colour)) >= 4.5 for colour in SIDES.values())


@pytest.mark.parametrize("name", EVERY)
def test_rivers_of_shipped_scenarios_flow_on(name: str) -> None:
    """Each hexside of a river of three and more has another that meets it in a corner: three hexes that all touch."""
    scenario = load_scenario(name)
    board, chart = scenario.game.board, scenario.game.rulebook
    styles = hexsides.styles(chart.terrain, chart.looks.hexsides)
    for feature in chart.terrain.hexsides:
        if "river" not in str(styles[feature]):
            continue
        sides = {
            frozenset((a, b))
            for a in board.hexes
            for b in board.neighbours[a]
            if b in board.hexes and feature in board.hexside(a, b)
        }
        for one in sides if len(sides) > 2 else ():
            (a, b), others = one, {other for other in sides if other != one}
            corners = {c for c in board.neighbours[a] if c in board.neighbours[b]}
            assert any({frozenset((a, c)), frozenset((b, c))} & others for c in corners), (
                f"{feature} between {a} and {b}"
            )


@pytest.mark.parametrize("name", PLANS)
def test_notebooks_get_an_svg_of_each_answer_with_ids_of_its_own(name: str) -> None:
    scenario, plan = with_plan(name)
    one, other = scenario._repr_svg_(), scenario._repr_svg_()
    assert one is not None
    assert other is not None
    ids = [set(re.findall(r' id="(.*?)"', text)) for text in (one, other)]
    assert not ids[0] & ids[1]
    shown = picture(scenario, plan)._repr_html_()
    assert shown is not None
    assert shown.startswith('<iframe sandbox="allow-scripts"')
    assert shown.count("<") == 2  # whatever is in the page is escaped


def test_numbers_are_short() -> None:
    assert [number(value) for value in (1.0, 1.25, -0.01, 12.34, -3.96)] == ["1", "1.2", "0", "12.3", "-4"]


def test_every_answer_that_knows_its_scenario_shows_itself() -> None:
    scenario = load_scenario("dai_senso/manchuria")
    result = suggest(scenario)
    assert result.plan is not None
    assert result.verdict is not None
    position = apply(scenario, result.plan)
    # Plans are pages to step through; what has no moves is a map.
    for answer in (result, result.plan, result.verdict, check(scenario, "plv w5525-w5425xw5426")):
        assert (answer._repr_html_() or "").startswith("<iframe")
    for still in (scenario, position, reach(scenario, "plv")):
        assert still._repr_html_() is None
        assert (still._repr_svg_() or "").startswith("<svg")
    root = ET.fromstring(position._repr_svg_() or "")
    assert "inf111" in texts(root)  # in the box of the eliminated
    assert [g.get("data-at") for g in root.iter(SVG + "g") if g.get("data-at") == "w5426"]
    # Who knows of no scenario is text, and nothing about an answer has changed by being shown.
    alone = Plan.parse(str(result.plan))
    assert alone._repr_html_() is None
    assert alone._repr_svg_() is None
    assert alone == result.plan
    assert repr(alone) == repr(result.plan)


def test_the_python_of_the_page_on_pictures_runs() -> None:
    text = (ROOT / "docs" / "drawing.md").read_text(encoding="utf-8")
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(compile(code, "docs/drawing.md", "exec"), {})
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / "docs" / target).exists(), target


def _stack(count: int) -> str:
    units = [
        {"id": f"u{i}", "side": "axis", "type": "tank", "values": "3-2-2", "at": "w4724", "name": f"n{i}"}
        for i in range(count)
    ]
    data = {
        "format": "planner/scenario-1",
        "model": "dai_senso",
        "phase": "operational_movement",
        "phasing": "axis",
        "map": {"hexes": {"w4724": "clear"}},
        "unit": units,
    }
    return Picture(build_scenario(data, "stack.toml")).svg()


@pytest.mark.parametrize("count", range(1, 8))
def test_a_stack_shows_everybody_or_says_how_many_more_there_are(count: int) -> None:
    """Of five and more, the three uppermost are fanned; the others are counted, and named to who points at them."""
    root = ET.fromstring(_stack(count))
    drawn = [g.get("data-unit") or g.get("class") for g in root.iter(SVG + "g")]
    covered = drawn.index("more") if "more" in drawn else 0
    shown = [unit for unit in drawn[covered:] if unit in {f"u{i}" for i in range(count)}]
    every = {g.get("data-unit") for g in root.iter(SVG + "g") if g.get("data-unit")}
    assert every == {f"u{i}" for i in range(count)}
    fanned = count if count <= 4 else 3
    assert shown == [f"u{i}" for i in range(count - fanned, count)]
    assert (f"+{count - 3} more" in texts(root)) == (count > 4)
    # All of it stays between the printed label above and what is said of the hex below.
    for x, y, scale in fan(count):
        assert y - SIZE * scale / 2 >= TOP - 0.5
        assert y + SIZE * scale / 2 <= BOTTOM + 0.5
        assert abs(x) + SIZE * scale / 2 <= 20


def test_a_feature_that_no_word_describes_looks_like_what_it_does() -> None:
    """Prohibited: a wall; a route: a road of its own; anything else: a line along the hexside; two of a kind differ."""
    chart = TerrainChart.model_validate(
        {
            "hexsides": {"zork": {"prohibited": True}, "blorg": {"mp": 1}, "fnord": {"mp": 2}, "stream": {"mp": 1}},
            "routes": [{"feature": "quux", "prices": [{"mp": 1}]}],
        }
    )
    found = hexsides.styles(chart, {})
    looks = {name: style.look for name, style in found.items()}
    assert looks == {
        "zork": "barred", "blorg": "?along", "fnord": "?along", "stream": "minor_river", "quux": "?across"
    }  # fmt: skip
    assert found["blorg"].strokes != found["fnord"].strokes


def test_names_whose_words_mean_several_things_take_the_most_telling() -> None:
    for name, words, look in (
        ("secondary_road", HEXSIDES, "secondary_road"),
        ("machine_gun", UNITS, "machine_gun"),
        ("building_rubble", TERRAIN, "rubble"),
        ("mechanized_infantry", UNITS, "mechanized"),
        ("blorg", UNITS, None),
    ):
        assert next(iter(looks_of(name, words)), None) == look
    assert looks_of("jungle_mountain", TERRAIN) == ("mountain", "jungle")
    assert abbreviations(["air_drop", "air_depot", "ad"]) == {"air_drop": "AD", "air_depot": "AI", "ad": "A2"}


def test_a_look_that_names_what_the_game_does_not_have_is_a_problem_of_its_file(tmp_path: Path) -> None:
    model = tmp_path / "model"
    shutil.copytree(ROOT / "models" / "classic_hex", model)
    (model / "look.toml").write_text('[sides]\ngreen = "green"\n\n[terrain]\nclear = "purple"\n')
    with pytest.raises(InputError) as caught:
        load_rulebook(model)
    assert "look.toml: terrain.clear" in str(caught.value)
    (model / "look.toml").write_text('[sides]\ngreen = "green"\n')
    with pytest.raises(InputError, match=r"side 'green' must be one of blue, red @ .*look\.toml: sides"):
        load_rulebook(model)


def test_a_picture_is_saved_under_a_name_that_is_text(tmp_path: Path) -> None:
    planner.picture("dai_senso/manchuria").save(str(tmp_path / "board.svg"))
    assert (tmp_path / "board.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("term", "places", "enemies"),
    [
        ({"kind": "control", "hexes": "0805 0808"}, {"0805", "0808"}, set()),
        ({"kind": "emptied", "hexes": "0706"}, {"0706"}, set()),
        ({"kind": "taken", "hexes": "0706"}, {"0706"}, set()),
        ({"kind": "attack_results", "targets": ["r1"], "results": ["DE"]}, set(), {"r1"}),
        ({"kind": "distance", "to": "0805"}, {"0805"}, set()),
        ({"kind": "turns", "to": "0805"}, {"0805"}, set()),
        ({"kind": "threat", "hexes": "0405"}, set(), set()),  # what isn't wanted there isn't asked for
        ({"kind": "avoid", "hexes": "0405"}, set(), set()),
        (
            {"kind": "together", "goals": [{"kind": "control", "hexes": one} for one in ("0805", "0808")]},
            {"0805", "0808"},
            set(),
        ),
    ],
)
def test_each_place_and_enemy_that_a_term_asks_for_by_name_is_marked(
    term: dict[str, object], places: set[str], enemies: set[str]
) -> None:
    """A whole game of Crossroads, which is about towns, was drawn without a star."""
    begin = planner.load("crossroads/bridge").to_dict() | {"objective": {"blue": {"tier": [{"terms": [term]}]}}}
    found = wanted(planner.Scenario.from_dict({key: one for key, one in begin.items() if key != "answer"}))
    assert tuple(map(set, found)) == (places, enemies)


def test_of_rolls_it_is_said_that_the_arrows_show_how_they_go_for_counters_stand_where_they_began() -> None:
    """5 in 12 throw the two back. The picture has both in 10.10, and an arrow to 10.11, where they are if they aren't."""
    drawn = picture("ocs/two_overruns", ["armor+mech 10.10x10.11"])
    assert drawn.frames[drawn.after].position.at["armor"] == "10.10"
    assert drawn.said == ("All of it goes through with probability 7/12 (58.3%); the moves are shown as they go then.",)
