"""A game with a last turn, weather by turn and a victory is played to its end, and it is told who has won."""

from __future__ import annotations

from typing import Any

import pytest

import planner
from planner import InputError
from planner.playing.game_record import play_on, who_has_won
from planner.playing.players import player_of
from planner.playing.position import Position
from planner.scenario import Scenario


def smaller(kept: str, **changes: Any) -> Scenario:
    """Return the whole game with some units alone, and other keys."""
    start = planner.load("crossroads/game")
    scenario = start.with_units(without=start.game.units.keys() - set(kept.split()))
    return Scenario.from_dict({**scenario.to_dict(), **changes}, "smaller")


@pytest.mark.parametrize("who", ["greedy", "random"])
@pytest.mark.thorough
def test_a_game_ends_after_its_last_turn_and_tells_who_has_won(who: str) -> None:
    scenario = smaller("b3 b4 bc1 r3 r6 rc1", last_turn=2)
    for seed in range(2):
        players = {side: (who, player_of(who)) for side in ("blue", "red")}
        record = play_on(scenario, players, seed)
        assert record.ended.startswith("turn 2 is over: Blue has ")
        assert set(record.score) == {"blue", "red"}


@pytest.mark.parametrize(
    ("towns", "told"),
    [
        ("0205 0805 0602", "Blue has 9 points, and Blue has won"),
        ("0805 1205", "Blue has 8 points, and nobody has won"),
        ("0805 0602", "Blue has 6 points, and Red has won"),
    ],
)
def test_towns_count_as_the_page_says(towns: str, told: str) -> None:
    """10.1 and 10.2: Vell and Hask 4 each, Anse 3, the others 2 each; 9 are enough, 6 are too few."""
    others = " ".join(town for town in ["0205", "0602", "0805", "0808", "1205"] if town not in towns)
    scenario = smaller("b7 rm1", control={"blue": towns, "red": others}).with_units([{"id": "rm1", "at": "0904"}])
    assert who_has_won(Position(scenario)) == f": {told}"


@pytest.mark.thorough
def test_there_is_mud_on_the_turns_of_the_page_and_on_no_others() -> None:
    """9.1: on turns 4 and 5 wheels pay 2 MP for a clear hex."""
    for turn in range(1, 8):
        scenario = smaller("bt1 r6", turn=turn)
        assert (scenario.game.weather("0507") == "mud") == (turn in (4, 5))
        assert planner.check(scenario, ["bt1 0306-0406"]).moves[0].mp == (2 if turn in (4, 5) else 1)
    some = smaller("bt1 r6", turn=4, weather={"mud": "0101"}, turn_weather={"mud": [5]})
    assert [label for label in some.game.board.hexes if some.game.weather(label) == "mud"] == ["0101"]


def test_a_victory_that_names_what_is_not_there_is_told() -> None:
    wrong = {"side": "green", "points": {"9999": 1}, "wins_with": 2, "loses_with": 1}
    with pytest.raises(InputError) as error:
        smaller("b3 r3", victory=wrong, turn_weather={"snow": [1]})
    assert {problem.where.split(": ")[-1] for problem in error.value.problems} == {
        "victory.side", "victory.points", "turn_weather.snow",
    }  # fmt: skip
