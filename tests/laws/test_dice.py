"""What is said of probabilities is what dice do: a hundred thousand rolls a case, within four standard errors."""

from __future__ import annotations

import random
from fractions import Fraction
from math import sqrt

import pytest

from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.referee.verdict import PlayedMove
from planner.scenario import Scenario, load_scenario
from planner.world.position import Position
from tests.conftest import DEEP

ROLLS = 100_000 if DEEP else 4_000
CASES = (
    "great_war/second_hex",
    "great_war/second_hex_trench",
    "great_war/taking_ground",
    "great_war/taking_ground_crater",
    "great_war/first_hex_early",
    "great_war/first_hex_later",
    "great_war/over_the_top",
    "great_war/puzzles/wire_and_later_tank",
)


class Table:
    """A table at which a plan is played with dice.

    Whoever bogs down stays in the hex that it has entered; whoever could not follow stays where it is.
    """

    def __init__(self, scenario: Scenario, rng: random.Random) -> None:
        self._scenario, self._rng = scenario, rng
        self._referee = Referee(scenario.game)
        self._known: dict[tuple[tuple[int, int], ...], Position] = {}
        assert scenario.answer is not None
        self._plan = Plan.parse(scenario.answer.moves)
        self._dice: dict[tuple[int, tuple[tuple[int, int], ...]], PlayedMove] = {}

    def play(self) -> Position:
        """Play the plan once, rolling each die, and return where everybody is."""
        stuck: list[tuple[int, int]] = []
        for index, _ in enumerate(self._plan.moves):
            key = index, tuple(stuck)
            if key not in self._dice:
                self._dice[key] = self._tried(index, tuple(stuck))
            for roll in self._dice[key].rolls:
                if any(self._rng.randint(1, 6) == 6 for _ in range(roll.dice)):
                    stuck.append((index, roll.step))
                    break
        if tuple(stuck) not in self._known:
            self._known[tuple(stuck)] = self._after(len(self._plan.moves), tuple(stuck))
        return self._known[tuple(stuck)]

    def _tried(self, index: int, stuck: tuple[tuple[int, int], ...]) -> PlayedMove:
        position = self._after(index, stuck)
        broken, played = self._referee.play_move(self._plan.moves[index], position, position.under_way.keys(), index)
        return PlayedMove(played.move) if broken else played

    def _after(self, moves: int, stuck: tuple[tuple[int, int], ...]) -> Position:
        position = self._scenario.start.copy()
        for index, move in enumerate(self._plan.moves[:moves]):
            last = dict(stuck).get(index)
            text = str(move)
            if last is not None:
                text = f"{move.units[0]} {'-'.join(move.path[: last + 1])}!"
            tried = position.copy()
            [made] = Plan.parse([text]).moves
            broken, _ = self._referee.play_move(made, tried, tried.under_way.keys(), index)
            if not broken:
                position = tried
        return position


@pytest.mark.parametrize("name", CASES)
def test_dice_do_what_is_said_of_them(name: str) -> None:
    scenario = load_scenario(name)
    assert scenario.answer is not None
    verdict = Referee(scenario.game).play(Plan.parse(scenario.answer.moves), scenario.start)
    expected: dict[tuple[tuple[str, str], ...], Fraction] = {}
    for outcome in verdict.outcomes:
        key = tuple(sorted([*outcome.position.at.items(), *(("bogged", unit) for unit in outcome.position.bogged)]))
        expected[key] = expected.get(key, Fraction(0)) + outcome.probability
    assert sum(expected.values()) == 1
    table, found = Table(scenario, random.Random(name)), dict.fromkeys(expected, 0)
    for _ in range(ROLLS):
        position = table.play()
        key = tuple(sorted([*position.at.items(), *(("bogged", unit) for unit in position.bogged)]))
        found[key] += 1
    for key, probability in expected.items():
        error = sqrt(probability * (1 - probability) / ROLLS)
        assert abs(found[key] / ROLLS - probability) <= 4 * error, f"{float(probability)}: {found[key]} of {ROLLS}"
