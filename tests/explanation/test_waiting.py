"""Reasons and remedies where units may wait: on small maps every plan is looked at."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import planner
from planner.explanation import relaxed_answers
from planner.explanation.enumeration import every_plan
from planner.explanation.parse_question import read_goal
from planner.explanation.question import Question
from planner.explanation.relaxation import Scope, relaxed
from planner.explanation.relaxed_answers import LONGEST_PROBE, Answer, RelaxedAnswers
from planner.limits import Limits
from planner.referee.referee import Referee
from planner.scenario import Scenario, build_scenario
from tests.plain_game import LIMIT, OVERRUN, effect, unit_entry, write_model

ALONE = LIMIT + 'limits = [{ units = 1 }]\nwhen = "always"\n'
"""One unit in a hex, also while others pass."""

CAPTURE = '[[rule]]\nid = "capture"\nkind = "capture"\nparagraph = "capture"\n'


def _places(
    folder: Path,
    rules: str,
    units: tuple[str, ...],
    rows: str,
    enemies: tuple[str, ...] = (),
    more: str = "",
    turns: str = "waiting = {}\n",
) -> Scenario:
    """Return a position in which units may wait, with nothing that counts."""
    model = write_model(folder / "any_game", rules, turns=turns)
    (model / "carriers.toml").write_text('[[carriers]]\nmarkers = { types = "boat" }\ncarries = {}\n')
    (folder / "places.toml").write_text(
        'format = "planner/scenario-1"\nmodel = "./any_game"\nphase = "day"\nphasing = "south"\n'
        f'[map]\norigin = "01.01"\nrows = """\n{rows}"""\n'
        + "".join(unit_entry(text, "south", {}) for text in units)
        + "".join(unit_entry(text, "north", {}) for text in enemies)
        + more
    )
    return planner.load(folder / "places.toml")


@pytest.mark.thorough
def test_who_cannot_change_places_is_told_what_all_of_it_is_needed_and_what_would_do(tmp_path: Path) -> None:
    """By hand: b, of MA 2, would have to leave 02.01, let a in, and come back by 02.01, while a waits in the north-east.

    There and back are 3 MP. C, who stands in 01.02, could make room for a instead, if the hill beside it weren't too dear.
    """
    units = ("foot a 01.01 3", "foot b 02.01 2", "foot c 01.02 2")
    scenario = _places(tmp_path, ALONE, units, ". . . .\nh h . .\n")
    found = planner.explain(scenario, require="a to 02.01 and b to 01.01", time_limit=None)
    assert found.status == "forbidden"
    assert [(reason.minimal, reason.confirmed) for reason in found.reasons] == [(True, True)]
    assert {(one.rule, one.unit) for one in found.instances} == {
        ("costs", "b"),
        ("costs", "c"),
        ("stacking", "a"),
        ("stacking", "b"),
        ("stacking", "c"),
    }
    assert "if b had 1 MP more" in map(str, found.remedies)


def test_who_can_change_places_is_found_by_looking_at_every_plan_however_long_the_search_would_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand: b waits in the south until a is in 02.02, which takes all that a has."""
    efforts = []

    def searched(self: RelaxedAnswers, game: Scenario, limits: Limits, second: bool) -> Answer:
        efforts.append(limits.effort)
        return None, None

    monkeypatch.setattr(RelaxedAnswers, "_searched", searched)
    rules, units = LIMIT + 'limits = [{ units = 1 }]\nwhen = "move"\n', ("foot a 01.02 3", "foot b 02.02 2")
    scenario = _places(tmp_path, rules, units, ". . .\n. h .\n. . .\n")
    found = planner.explain(scenario, require=["a to 02.02", "b to 01.02"], time_limit=None)
    assert found.status == "possible"
    assert all(effort is not None for effort in efforts)


def test_who_overruns_while_he_waits_is_told_why_he_cannot_stay_though_nothing_is_drawn(tmp_path: Path) -> None:
    """In the game in which only the stacking limit is in force a may go anywhere first, and overrun x and k on its way."""
    rules = LIMIT + "limits = [{ units = 1 }]\n" + OVERRUN.replace("by = {}", 'by = { types = "foot" }')
    rules += '[[rule]]\nid = "enemies"\nkind = "entry_restriction"\nparagraph = "enemies"\nenemy_units = {}\n'
    rules += "unless_overrun = true\n"
    rules += CAPTURE
    units, enemies = ("foot a 01.01 3", "foot b 01.02 3"), ("guard x 02.02 2", "guard k 04.02 2")
    more = '[control]\nnorth = "02.02 03.02"\n[[tier]]\nterms = [{ kind = "control", hexes = "02.02 03.02" }]\n'
    scenario = _places(tmp_path, rules, units, ". . . .\n. . . .\n. h . .\n", enemies, more)
    found = planner.explain(scenario, "a to 01.02", time_limit=None)
    assert [str(one) for one in found.instances] == ["stacking: 01.02 holds 2 units, at most 1 may stay"]
    assert found.complete
    question = Question((read_goal(scenario, "a to 01.02"),))
    game = relaxed(scenario, [Scope("stacking")], movers=["a"])
    hopes, does = partial(question.hopeful, game), partial(question.fulfilled, game)
    assert every_plan(game, hopes, does, Limits().of_work(LONGEST_PROBE)) == (False, None)


@pytest.mark.parametrize("turns", ["", "waiting = {}\n"])
def test_it_matters_to_goals_that_are_asked_about_who_took_a_place_on_the_way(tmp_path: Path, turns: str) -> None:
    """By hand: b, of MA 1, takes one of the two, and a the other, on the way there and back."""
    more = '[control]\nnorth = "03.01 03.02"\n'
    units = ("foot a 01.01 4", "foot b 02.01 1")
    scenario = _places(tmp_path, CAPTURE, units, ". . . .\n. . . .\n", (), more, turns)
    found = planner.explain(scenario, require=["control 03.01 03.02", "a to 01.01"], time_limit=None)
    assert found.status == "possible"


def test_who_has_had_to_stop_before_is_told_so_and_by_whom(tmp_path: Path) -> None:
    rules = effect('on = "enter", does = "stop", negatable = false')
    scenario = _places(tmp_path, rules, ("foot a 01.01 4",), ". . . .\n. . . .\n", ("guard k 03.01 1",))
    found = planner.explain(scenario.after(["a 01.01-02.01"]), "a to 01.02", time_limit=None)
    [one] = found.instances
    assert (str(one), one.blame) == ("zoc: a has had to stop in 02.01: EZOC of k", ("k",))


def test_steps_that_long_moves_have_in_common_are_played_once(tmp_path: Path) -> None:
    """From each of six hexes every path is longer by a step than one that has been played: as many steps as moves."""
    rules, units = LIMIT + 'limits = [{ units = 1 }]\nwhen = "move"\n', ("foot a 01.01 9", "foot b 01.02 0")
    scenario = _places(tmp_path, rules, units, ". . .\n. . .\n")
    question = Question((read_goal(scenario, "a to 01.02"),))
    hopes, does = partial(question.hopeful, scenario), partial(question.fulfilled, scenario)
    with (
        patch.object(Referee, "play_step", autospec=True, side_effect=Referee.play_step) as step,
        patch.object(Referee, "end_move", autospec=True, side_effect=Referee.end_move) as end,
    ):
        assert every_plan(scenario, hopes, does, Limits()) == (False, None)
    assert 0 < step.call_count <= end.call_count


def test_not_every_plan_is_looked_at_where_the_search_knows_at_once(tmp_path: Path) -> None:
    """Nobody but a moves when it is asked what it can do without help, and b is in the way."""
    units = ("foot a 01.01 3", "foot b 02.01 2")
    scenario = _places(tmp_path, LIMIT + "limits = [{ units = 1 }]\n", units, ". . .\n. . .\n")
    with patch.object(relaxed_answers, "every_plan_looked_at") as looked:
        found = planner.explain(scenario, "a to 02.01", time_limit=None)
    assert [str(one) for one in found.instances] == ["stacking: 02.01 holds 2 units, at most 1 may stay"]
    assert not looked.called


def test_whose_a_place_is_matters_no_more_where_a_destination_is_asked_about(tmp_path: Path) -> None:
    more = '[control]\nnorth = "02.01"\n[[tier]]\nterms = [{ kind = "control", hexes = "02.01" }]\n'
    scenario = _places(tmp_path, CAPTURE, ("foot a 01.01 3",), ". . .\n. . .\n", (), more)
    assert scenario.game.counted(["02.01"]) == {"02.01"}
    assert scenario.without_objective().game.counted(["02.01"]) == frozenset()


@pytest.mark.thorough
def test_whoever_helps_by_several_moves_is_told_beside_who_helps_by_one(tmp_path: Path) -> None:
    """By hand: f overruns e, or g covers u in 01.02, and in 01.03 once u is in 01.02; both hexes are in e's EZOC."""
    overrun = OVERRUN.replace("by = {}", 'by = { types = "foot" }')
    covered = effect('on = "enter", does = "forbid", movers = { types = "scout" }, negatable = true')
    covered = covered.replace("effects", 'negated_by = { types = "guard" }\neffects', 1)
    closed = '[[rule]]\nid = "closed"\nkind = "entry_restriction"\nparagraph = "closed"\nenemy_units = {}\n'
    units = ("scout u 01.01 4", "guard g 01.01 4", "foot f 01.02 1")
    rules = f"{closed}unless_overrun = true\n{overrun}{covered}"
    found = planner.explain(_places(tmp_path, rules, units, ". .\n" * 4, ("guard e 02.02 0",)), "u to 01.04")
    assert found.status == "with_help"
    own = sorted("; ".join(map(str, one.moves)) for one in found.remedies if one.own)
    assert own == ["f 01.02x02.02", "g 01.01-01.02; g 01.02-01.03"]


def test_what_takes_somebody_who_has_begun_to_move_and_goes_on_takes_help() -> None:
    """By hand: y, 6 against 1, is sure to destroy e, demoralized before; whoever fights stops, so x can't do so itself."""
    own = {"side": "blue", "type": "infantry"}
    data: dict[str, Any] = {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"0403 0404 0405 0406": "clear"}},
        "unit": [
            {**own, "id": "x", "values": "4-2", "at": "0404"},
            {**own, "id": "y", "values": "6-3", "at": "0403"},
            {**own, "id": "e", "side": "red", "values": "2-2", "traits": "demoralized", "at": "0405"},
        ],
    }
    found = planner.explain(build_scenario(data, "begun"), "x to 0406", after=["y 0403-0404"], time_limit=30)
    assert (found.status, found.help) == ("with_help", "found")
    assert [str(one) for one in found.instances] == ["3.3: x must stop in 0405: it has fought e"]
    assert "if y first moves to 0405, fighting for it" in map(str, found.remedies)
