"""Explanations, defenses and verified puzzles are drawn with what they say."""

from __future__ import annotations

import dataclasses
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import planner
from planner.defense.request import as_asked
from planner.draw.answer_pictures import picture_of
from planner.draw.palette import GOOD, ILLEGAL
from planner.errors import InputError
from tests.command import invoke

SVG = "{http://www.w3.org/2000/svg}"


def run(*words: str) -> int:
    result = invoke(*words)
    return 2 if isinstance(result.exception, InputError) else result.exit_code


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("explain", "dai_senso/manchuria", "plv w5525-w5425xw5426"), 1),
        (("defend", "dai_senso/manchuria_defense"), 0),
        (("verify", "dai_senso/nanking"), 0),
        (("suggest", "dai_senso/manchuria", "--alternatives", "2"), 0),
        (("suggest", "great_war/first_hex_early", "--adaptive"), 0),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_commands_draw_their_answers(words: tuple[str, ...], code: int, tmp_path: Path) -> None:
    file = tmp_path / "told.html"
    assert run(*words, "--draw", str(file)) == code
    assert "<svg" in file.read_text(encoding="utf-8")
    assert run(*words, "--draw", str(tmp_path / "no" / "such.svg")) == 2


def test_draw_explains_at_the_hex_which_paragraph_forbids_it(tmp_path: Path) -> None:
    file = tmp_path / "why.svg"
    assert run("draw", "dai_senso/manchuria", "--explain", "plv w5525-w5425xw5426", "-o", str(file)) == 0
    assert "3.1: plv must stop in w5425: EZOC of kwantung4" in file.read_text(encoding="utf-8")
    both = ("draw", "dai_senso/manchuria", "plv w5525-w5425", "--explain", "plv to w5426", "-o", str(file))
    assert run(*both) == 2


def test_an_explanation_marks_the_hexes_of_its_instances() -> None:
    scenario = planner.load("dai_senso/manchuria")
    found = planner.explain(scenario, "plv w5525-w5425xw5426")
    picture = picture_of(found, scenario)
    assert {note.at for note in picture.notes} == set(found.hexes) == {"w5425"}
    assert any("inf" in remark for remark in picture.remarks)


@pytest.mark.thorough
def test_a_defense_shows_the_first_placement_and_marks_the_others() -> None:
    scenario = planner.load("dai_senso/manchuria_defense")
    found = planner.defend(scenario, every=True)
    picture = picture_of(found, scenario)
    [(unit, label)] = found.accepted[0].placement.at
    assert f"Shown: {unit} in {label}." in picture.remarks
    assert len(picture.notes) == len(found.accepted) - 1
    assert all(note.good for note in picture.notes)


def test_a_verified_puzzle_shows_the_author_s_solution() -> None:
    found = planner.verify("dai_senso/manchuria", cooks=0)
    picture = picture_of(found, planner.load("dai_senso/manchuria"))
    assert found.outcome == "holds"
    assert [str(move) for move in picture.plan.moves] == ["inf w5525-w5425", "plv w5525-w5425xw5426"]


def test_no_placement_that_holds_is_a_picture_of_one_that_a_plan_breaks() -> None:
    """By hand: w5724 is too far away, so the HQ stands there in vain, or stays off the map; the overrun is shown."""
    scenario = as_asked(planner.load("dai_senso/manchuria"), ["hq in w5724"], require=["eliminate inf111"])
    scenario = dataclasses.replace(scenario, tiers=())
    found = planner.defend(scenario)
    picture = picture_of(found, scenario)
    assert found.status == "fails"
    assert picture.said[0] == "No placement holds, proved: each is broken by an enemy plan."
    assert [str(move) for move in picture.plan.moves] == ["inf w5525-w5425", "plv w5525-w5425xw5426"]
    assert picture.verdict.legal


def test_what_would_do_as_well_is_no_error() -> None:
    """A check in blue, without the red outline of what is forbidden; all that is noted of a hex, together."""
    scenario = planner.load("dai_senso/manchuria")
    notes = [planner.Note("w5427", "a", "a would do", good=True), planner.Note("w5427", "b", "b would do", good=True)]
    root = ET.fromstring(planner.picture(scenario, notes=notes).svg())
    [noted] = [group for group in root.iter(SVG + "g") if group.get("data-note") == "w5427"]
    assert [text.text for text in noted.iter(SVG + "text")] == ["\N{CHECK MARK} a, b"]
    assert [title.text for title in noted.iter(SVG + "title")] == ["a would do\nb would do"]
    assert not list(noted.iter(SVG + "polygon"))
    assert GOOD in ET.tostring(noted, encoding="unicode")
    assert ILLEGAL not in ET.tostring(noted, encoding="unicode")


def test_remarks_are_in_the_legend_of_an_svg_and_above_the_map_of_a_page() -> None:
    picture = planner.picture("dai_senso/manchuria", remarks=["Said of the whole."])
    assert "Said of the whole." in [text.text for text in ET.fromstring(picture.svg()).iter(SVG + "text")]
    assert '<p class="remark">Said of the whole.</p>' in picture.html()


def test_of_many_remarks_a_picture_has_the_first_and_a_page_all() -> None:
    picture = planner.picture("dai_senso/manchuria", remarks=[f"Remark {number}." for number in range(1, 15)])
    written = [text.text for text in ET.fromstring(picture.svg()).iter(SVG + "text")]
    assert "Remark 10." in written
    assert "Remark 11." not in written
    assert "and 4 more" in written
    assert picture.html().count('<p class="remark">Remark ') == 14


def test_an_illegal_plan_says_in_words_what_is_wrong_with_it() -> None:
    picture = planner.picture("dai_senso/manchuria", ["plv w5525-w5425xw5426"])
    written = [text.text for text in ET.fromstring(picture.svg()).iter(SVG + "text")]
    assert "Illegal: 1 violation." in written
    assert written.count("3.1: plv must stop in w5425: EZOC of") == 1


def test_reach_of_a_unit_whose_turn_it_isn_t_says_so(tmp_path: Path) -> None:
    file = tmp_path / "reach.html"
    result = invoke("draw", "dai_senso/manchuria", "--reach", "hailar", "-o", str(file))
    told = "hailar can't move now: 3: hailar may not move: it belongs to axis, and soviet is phasing."
    assert result.output.splitlines()[:2] == [told, "hailar reaches nothing."]
    assert "hailar can&#39;t move now" in file.read_text(encoding="utf-8")


def test_what_a_unit_reaches_is_not_said_to_be_nothing_where_the_time_ran_out(tmp_path: Path) -> None:
    result = invoke("draw", "dai_senso/manchuria", "--reach", "plv", "--time-limit", "0", "-o", str(tmp_path / "r.svg"))
    told = "Of 24 hexes it isn't known whether plv reaches them, or whether by itself."
    assert result.output.splitlines()[0] == told


@pytest.mark.thorough
def test_every_answer_of_a_question_shows_itself_in_a_notebook() -> None:
    """Plans are pages to step through; what has none is a map. Without its scenario an answer is text."""
    told = planner.explain("dai_senso/manchuria", "plv w5525-w5425xw5426")
    several = planner.alternatives("dai_senso/manchuria", 2)
    defense = planner.defend("dai_senso/manchuria_defense")
    verified = planner.verify("dai_senso/manchuria", cooks=0)
    for answer in (told, several, several.plans[0].result, verified):
        assert (answer._repr_html_() or "").startswith("<iframe")
    assert defense._repr_html_() is None
    for answer in (told, several, defense, verified):
        assert (answer._repr_svg_() or "").startswith("<svg")
        assert dataclasses.replace(answer)._repr_svg_() is None
    assert "Plan 2, value " in (several._repr_svg_() or "")


def test_a_plan_that_reacts_is_a_page_in_a_notebook_and_its_first_moves_as_svg() -> None:
    found = planner.suggest("great_war/first_hex_early", adaptive=True)
    html, svg = found._repr_html_(), found._repr_svg_()
    assert html is not None
    assert svg is not None
    assert "What was rolled?" in html
    assert "Optimal, proved: no way of" in svg  # the rest is on the next line


def test_a_policy_file_is_checked_and_drawn_after_moves_that_have_been_made(tmp_path: Path) -> None:
    file, page, after = tmp_path / "p.json", tmp_path / "p.html", ("--after", "armor+mech 10.10!10.11")
    assert run("suggest", "ocs/two_overruns", "--adaptive", *after, "--plan-out", str(file), "--draw", str(page)) == 0
    assert "After armor+mech 10.10!10.11." in page.read_text(encoding="utf-8")
    assert run("check", "ocs/two_overruns", *after, "--policy", str(file), "--draw", str(tmp_path / "c.svg")) == 0
    assert (
        run("draw", "ocs/two_overruns", *after, "--policy", str(file), "--step", "1", "-o", str(tmp_path / "d.svg"))
        == 0
    )
    assert run("check", "ocs/two_overruns", "--policy", str(file), "--draw", str(file)) == 2  # what it reads, it keeps
    assert run("draw", "ocs/two_overruns", "--policy", str(file), "mech 10.10-10.11", "-o", str(page)) == 2


def test_a_file_that_can_t_be_read_has_no_picture(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text("x = 1")
    assert planner.verify(file)._repr_svg_() is None


def test_alternatives_are_drawn_with_what_each_comes_to(tmp_path: Path) -> None:
    file = tmp_path / "several.html"
    assert run("suggest", "dai_senso/manchuria", "--alternatives", "2", "--draw", str(file)) == 0
    page = file.read_text(encoding="utf-8")
    assert "Plan 1 (shown), value 1 / -23, proved: " in page
    assert "Plan 2, value 0 / 0, proved: nobody moves." in page


def test_what_alternatives_are_worth_is_told_in_mixed_numbers() -> None:
    """2 23/48 for the line and 119/144 for the hex; 13 MP less what isn't moved where it fails."""
    told = picture_of(planner.alternatives("ocs/two_overruns", 1), planner.load("ocs/two_overruns")).remarks
    assert "value 3 11/36 / -12 119/144" in told[0]
