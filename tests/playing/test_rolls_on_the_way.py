"""Rolls on the way: who may not stop there doesn't set out, unless that is relied on; and how a move goes on after them."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.errors import InputError
from planner.referee.verdict import IllegalPlanError
from tests.oracles.made_up import BAR
from tests.plain_game import BOGGING, JOINT, Variant, build

ROOM = '[[rule]]\nid = "room"\nkind = "stacking"\nparagraph = "room"\nwhen = "move"\nlimits = [{ units = 1 }]\n'
RULES = {"overrun": f"{ROOM}{BAR}unless_overrun = true\n{JOINT}", "bogging": ROOM + BOGGING}
MOVES = {"overrun": "f 03.01-03.02x03.03", "bogging": "f 03.01-03.02-03.03"}
STUCK = {"overrun": "f 03.01-03.02!03.03", "bogging": "f 03.01-03.02!"}


def game(rules: str, confidence: str, folder: Path) -> planner.Scenario:
    """Return a lane in which f goes past h, who leaves no room, and rolls beside it, against e, or there."""
    lake, units = 'terrain.lake = { symbol = "~", prohibited = true }\n', ("foot f 03.01 4", "foot h 03.02 0")
    enemies = ("foot e 03.03",) if rules == "overrun" else ()
    build(Variant("room", RULES[rules], lake, units, enemies, "~ ~ . ~ ~\n" * 6), folder)
    file = folder / "variant.toml"
    file.write_text(file.read_text().replace('phase = "day"', f'phase = "day"\nconfidence = "{confidence}"', 1))
    return planner.load(file)


@pytest.mark.parametrize("rules", RULES)
def test_a_move_that_may_end_where_it_may_not_is_refused_before_it_is_rolled_for(rules: str, tmp_path: Path) -> None:
    """It was accepted, and the roll raised."""
    scenario = game(rules, "1", tmp_path)
    position, move = planner.Position(scenario), MOVES[rules]
    assert not planner.check(scenario, move).legal
    assert not position.is_legal(move)
    assert [str(one) for one in position.legal_moves()] == []
    with pytest.raises(IllegalPlanError, match=r"if .* 03\.02 would hold 2 units"):
        position.push(move)
    assert not position.outcomes


@pytest.mark.parametrize("rules", RULES)
def test_the_game_goes_on_where_what_was_relied_on_has_failed(rules: str, tmp_path: Path) -> None:
    scenario = game(rules, "1/2", tmp_path)
    position, move = planner.Position(scenario), MOVES[rules]
    assert planner.check(scenario, move).legal
    position.push(move)
    assert position.roll(result=STUCK[rules]).failed
    assert position.scenario.start.at["f"] == position.scenario.start.at["h"] == "03.02"
    assert [str(one) for one in position.legal_moves()] == []
    told = planner.Position(scenario)
    told.push(STUCK[rules])
    entered = planner.Position(scenario.after([STUCK[rules]]))
    assert told == entered == position == planner.Position.from_text(position.to_text())


def test_who_has_failed_where_nobody_may_stay_is_made_room_for(tmp_path: Path) -> None:
    """By hand: only h can leave 03.02, for 03.01 at 1 MP, as e may not be overrun again; f has spent 2."""
    game("overrun", "1/2", tmp_path)
    file = tmp_path / "variant.toml"
    file.write_text(file.read_text().replace('"1-0"\nat = "03.02"', '"1-2"\nat = "03.02"'))
    now = planner.load(file).after([STUCK["overrun"]])
    found, played = planner.suggest(now), planner.suggest(now, adaptive=True)
    assert found.plan is not None
    assert (found.status, str(found.plan), [str(one) for one in found.value]) == (
        "optimal",
        "h 03.02-03.01",
        ["0", "-3"],
    )
    assert (played.status, played.value) == ("optimal", found.value)


@pytest.mark.parametrize(
    ("rules", "confidence"), [("overrun", "1"), ("overrun", "2/3"), ("bogging", "1"), ("bogging", "9/10")]
)
def test_what_nobody_may_rely_on_has_not_happened(rules: str, confidence: str, tmp_path: Path) -> None:
    """The overrun goes well with 1/2, and f gets on with 5/6: who would rely on that may not set out."""
    scenario = game(rules, confidence, tmp_path)
    assert not planner.Position(scenario).is_legal(MOVES[rules])
    with pytest.raises(InputError, match=r"must be legal, but room: 03\.02 would hold 2 units"):
        scenario.after([STUCK[rules]])
    with pytest.raises(IllegalPlanError, match=r"03\.02 would hold 2 units"):
        planner.Position(scenario).push(STUCK[rules])


@pytest.mark.parametrize("rules", RULES)
def test_plans_that_rely_on_rolls_from_full_hexes_are_found(rules: str, tmp_path: Path) -> None:
    """By hand: e is gone in 1 of 2 cases; f gets to 03.03, worth 3, unless it bogs down in 03.02, in 5 of 6."""
    goals = [{"terms": [{"kind": "eliminate", "units": ["e"]}]}] if rules == "overrun" else []
    for confidence, value in (("1", "0"), ("1/2", "1/2")) if goals else (("1", "0"), ("5/6", "5/2")):
        folder = tmp_path / confidence.replace("/", "of")
        folder.mkdir()
        scenario = game(rules, confidence, folder)
        found = planner.suggest(scenario.with_objective(goals) if goals else scenario)
        assert (found.status, str(found.value[0])) == ("optimal", value)


def test_positions_differ_by_how_a_move_goes_on_whose_roll_is_due(tmp_path: Path) -> None:
    scenario = build(Variant("on", BOGGING, units=("foot f 03.01 2",)), tmp_path)
    on, back, again = (planner.Position(scenario) for _ in range(3))
    on.push("f 03.01-03.02-03.03")
    again.push("f 03.01-03.02-03.03")
    back.push("f 03.01-03.02-02.02")
    assert [str(one.move) for one in on.outcomes] == [str(one.move) for one in back.outcomes]
    assert on != back
    assert on == again
