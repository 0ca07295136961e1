"""What the referee passes over: rules that have nothing to do with plain steps, or a unit's, other ways."""

from __future__ import annotations

import random

import pytest

from planner import api
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.rules.base import Rule
from planner.rules.game import Game
from planner.rules.play import MoveInPlay
from planner.rules.roles import Rolls

SCENARIOS = (
    "ocs/breakthrough",
    "a_world_at_war/through_the_line",
    "great_war/over_the_top",
    "crossroads/start",
    "dai_senso/island_campaign",
    "classic_hex/three_battles",
)


class AsksEveryRule(Referee):
    """A referee who passes over nobody."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        rules = [*self.game.rulebook.rules]
        rolling = [*self.game.rulebook.of(Rolls)]
        self._settling, self._joint, self._rolling = (rules, rules), (rules, rules), (rolling, rolling)

    def _asked_about(self, play: MoveInPlay) -> tuple[list[Rule], list[Rule], list[Rule]]:
        rules = [*self.game.rulebook.rules]
        return rules, rules, rules


def random_plan(game: Game, at: dict[str, str], dice: random.Random) -> Plan:
    """Return a plan of some units that go at random, and overrun whomever they meet or don't."""
    movers = [unit for unit in at if game.may_be_moved(unit) and game.board.neighbours.get(at[unit])]
    moves = []
    for unit in dice.sample(movers, min(4, len(movers))):
        path, overruns = [at[unit]], set[int]()
        for step in range(1, dice.randint(2, 7)):
            near = game.board.neighbours[path[-1]]
            held = [label for label in near if game.enemies_at(label)]
            path.append(dice.choice(held if held and dice.random() < 0.6 else [*near]))
            if dice.random() < (0.7 if path[-1] in held else 0.05):
                overruns.add(step)
        moves.append(Move((unit,), tuple(path), frozenset(overruns)))
    return Plan(tuple(moves))


@pytest.mark.parametrize("name", SCENARIOS)
def test_rules_that_are_not_asked_would_find_nothing(name: str) -> None:
    """Of random plans, most of them illegal, a referee who asks every rule of every step says the same."""
    scenario, dice = api.load(name), random.Random(name)
    some, all_ = Referee(scenario.game), AsksEveryRule(scenario.game)
    for _ in range(60):
        plan = random_plan(scenario.game, scenario.start.at, dice)
        one, other = (referee.play(plan, scenario.start, rolls=False) for referee in (some, all_))
        assert (one.violations, one.moves, one.position) == (other.violations, other.moves, other.position)


@pytest.mark.parametrize("name", SCENARIOS)
def test_random_plans_overrun_and_break_rules(name: str) -> None:
    """The plans of the test above are such that rules have something to say."""
    scenario, dice = api.load(name), random.Random(name)
    plans = [random_plan(scenario.game, scenario.start.at, dice) for _ in range(60)]
    assert any(move.overruns for plan in plans for move in plan.moves)
    assert any(Referee(scenario.game).play(plan, scenario.start, rolls=False).violations for plan in plans)
