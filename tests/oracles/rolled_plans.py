"""Small positions under mixtures of rules of which some are rolled, and every plan of one on the referee alone.

What stands does not say what a plan is worth here: its probability and what may come out depend on the whole of it. So that
nothing is pruned but plans that go on after an illegal move.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

from planner.composing.judging import worth
from planner.errors import InputError
from planner.objective.scoring import Value
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict
from planner.rules.combat_roles import JointlyOverruns
from planner.scenario import Scenario
from planner.world.position import Position
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.growing import begun
from tests.oracles.made_up import CELLS, Drawn, drawn, neighbours
from tests.oracles.mixtures import mix

BESIDE = (
    *("allowance", "area_allowance", "clearing", "column_entry", "company", "eligibility", "entry_restriction"),
    *("exhaustion", "further_allowance", "minimum_move", "obligation", "orders", "passage", "procedures"),
    *("reversibility", "route_bound", "stacking", "stacking", "step_limit", "stop_on_entry", "vacancy", "vacancy"),
    *("zone_of_control", "zone_of_control", "zone_of_control"),
)
"""Kinds of rules that meet those that are rolled: often those that what is rolled makes a difference to."""
MOVES = 20
"""So many moves are played for each plan that may be, legal or not, before it gives up."""


def rolled_mixture(rng: random.Random) -> tuple[Scenario, str]:
    """Return a position in which something is rolled, and the kinds of its rules; units move one by one, or in stacks."""
    while True:
        first = rng.choice(("bogging", "joint_overrun", "joint_overrun"))
        kinds = tuple(dict.fromkeys((first, *rng.sample(BESIDE, rng.choice((1, 2, 2, 3))))))
        stacks = rng.random() < (0.5 if first == "joint_overrun" else 0.25)

        def topic(new: Drawn, kinds: tuple[str, ...] = kinds, stacks: bool = stacks) -> None:
            mix(new, kinds)
            new.more.pop("charts", None)
            if stacks:
                new.more["charts"] = {"rules": {"turns": {"stacks": True}}}
            _goals_behind_enemies(new)

        try:
            scenario = drawn(topic, rng)
        except InputError:
            continue
        if scenario.game.rulebook.rolled:
            return _confident(scenario, rng.choice((1, 1, Fraction(1, 2), Fraction(2, 3), Fraction(1, 3)))), f"{kinds}"


def stack_in_hand(rng: random.Random) -> tuple[Scenario, str]:
    """Return a position in which a stack has made a step and may go on, and the kinds of its rules: some are rolled."""
    while True:
        first = rng.choice(("overrun", "overrun", "joint_overrun", "bogging", "stacking", "zone_of_control"))
        kinds = tuple(dict.fromkeys((first, *rng.sample(BESIDE, rng.choice((1, 2, 2))))))

        def topic(new: Drawn, kinds: tuple[str, ...] = kinds) -> None:
            mix(new, kinds)
            new.more["charts"] = {"rules": {"turns": {"stacks": True}}}
            own = [unit for unit in new.units if unit["side"] == "south"]
            for unit in own:
                unit["at"] = own[0]["at"] if rng.random() < 0.85 else unit["at"]
            _goals_behind_enemies(new)

        try:
            scenario = drawn(topic, rng)
        except InputError:
            continue
        begun = list(_begun(scenario))
        if begun:
            return rng.choice(begun), f"{kinds}"


def _begun(scenario: Scenario) -> Iterator[Scenario]:
    """Yield the position after each first step of two or more units that may go on."""
    own = [unit for unit in scenario.start.at if scenario.game.may_be_moved(unit)]
    for team in (team for size in (2, 3) for team in combinations(own, size)):
        if len({scenario.start.at[unit] for unit in team}) == 1:
            here = scenario.start.at[team[0]]
            for to in scenario.game.board.neighbours[here]:
                move = Move(team, (here, to))
                if Referee(scenario.game).play_move(move, scenario.start.copy(), ())[0]:
                    continue
                with suppress(InputError):
                    after = scenario.after(Plan((move.as_made(),)))
                    if len(after.start.in_hand) > 1:
                        yield after


def _confident(scenario: Scenario, share: Fraction | int) -> Scenario:
    situation = replace(scenario.game.situation, confidence=Fraction(share))
    return replace(scenario, game=replace(scenario.game, situation=situation, _cache={}))


def _goals_behind_enemies(new: Drawn) -> None:
    """Let enemies be worth something, and what lies behind them; own units are strong enough for some odds."""
    rng = new.rng
    own = [unit for unit in new.units if unit["side"] == "south"]
    terms: list[dict[str, Any]] = new.tiers[0]["terms"]
    for unit in own:
        if rng.random() < 0.5:
            unit["values"] = f"{rng.choice((1, 2, 3))}-{rng.choice((2, 2, 3))}"
    for foe in [unit for unit in new.units if unit["side"] == "north"]:
        if rng.random() < 0.6:
            terms.append({"kind": "eliminate", "units": foe["id"], "weight": rng.randint(2, 4)})
        if (behind := neighbours(foe["at"])) and rng.random() < 0.7:
            unit = rng.choice(own)["id"]
            terms.append({"kind": "end", "unit": unit, "at": rng.choice(behind), "weight": rng.randint(2, 5)})
        if rng.random() < 0.5:
            terms.append({"kind": "hold", "hexes": [foe["at"]], "weight": rng.randint(1, 4)})


class EveryRolledPlan:
    """Every plan of a position whose moves are legal one after another if all goes well, each judged whole.

    Parameters
    ----------
    scenario : Scenario
        The position.
    cap : int
        The number of plans beyond which it gives up.
    """

    def __init__(self, scenario: Scenario, cap: int) -> None:
        self._scenario, self._game, self._cap = scenario, scenario.game, cap
        self._referee = Referee(scenario.game)
        self._moves_left = MOVES * cap
        joint = self._game.rulebook.of(JointlyOverruns)
        self._attempts = max((rule.attempts for rule in joint), default=1)
        self._far = any(not way.plain for way in self._game.rulebook.ways)

    def judged(self) -> list[tuple[Plan, Verdict]]:
        """Return all of them with their verdicts, the empty plan first.

        Raises
        ------
        TooManyStatesError
            If there are more than the cap, or there is too much else to try.
        """
        found: list[tuple[Plan, Verdict]] = []
        todo: list[tuple[tuple[Move, ...], Position]] = [((), self._scenario.start.copy())]
        while todo:
            moves, position = todo.pop()
            if len(found) + len(todo) >= self._cap:  # each of those will be judged, too
                raise TooManyStatesError
            plan = Plan(moves)
            verdict = self._referee.play(plan, self._scenario.start)
            found.append((plan, verdict))
            if any(violation.move is not None for violation in verdict.violations):
                continue  # no later move mends one
            hand = frozenset[str]() if moves else self._scenario.start.in_hand
            todo += [((*moves, move), after) for move, after in self._moves(position, hand)]
        return found

    def best(self, judged: list[tuple[Plan, Verdict]]) -> Value | None:
        """Return the best value of the legal ones that fulfil the requirements; None: there is none."""
        return max((worth(self._scenario, verdict) for _, verdict in judged if self._fulfils(verdict)), default=None)

    def ends(self, judged: list[tuple[Plan, Verdict]]) -> dict[str, set[str]]:
        """Return the hexes that each own unit ends in by a legal one, if all goes well."""
        found: dict[str, set[str]] = {}
        for _, verdict in judged:
            if verdict.legal:
                for unit in self._game.friends & verdict.position.at.keys():
                    found.setdefault(unit, set()).add(verdict.position.at[unit])
        return found

    def _fulfils(self, verdict: Verdict) -> bool:
        return verdict.legal and all(
            verdict.always(partial(term.holds, self._game)) for term in self._scenario.requirements
        )

    def _moves(self, position: Position, hand: frozenset[str]) -> Iterator[tuple[Move, Position]]:
        """Yield the moves of those who haven't moved, or whose move isn't over: of `hand`."""
        standing: dict[str, list[str]] = {}
        for unit, at in position.at.items():
            if unit in self._game.friends and (unit not in position.under_way or unit in hand):
                standing.setdefault(at, []).append(unit)
        for units in standing.values():
            for size in range(1, (len(units) if self._game.rulebook.stacks else 1) + 1):
                for team in combinations(units, size):
                    yield from self._ways(team, position)

    def _ways(self, team: tuple[str, ...], position: Position) -> Iterator[tuple[Move, Position]]:
        level = [begun(self._referee, Move(team, (position.at[team[0]],)), position)]
        while level:
            longer = []
            for one in (so_far.longer(move) for so_far in level for move in self._further(so_far.move, position)):
                if any(one.move.faults()):
                    longer.append(one)  # who is dropped in the last hex has nobody left who goes on, as yet
                    continue
                self._moves_left -= 1
                if not self._moves_left:
                    raise TooManyStatesError
                broken, made, after = one.play()
                if not broken:
                    yield one.move, after
                if made is not None:
                    longer.append(one)
            level = longer

    def _further(self, move: Move, position: Position) -> Iterator[Move]:
        """Yield the move by a step longer: into each hex, with each number of attempts, whoever is dropped."""
        board, here, step = self._game.board, move.path[-1], len(move.path)
        far = [label for label in CELLS if self._far and label in board.hexes and label != here]
        dropped = {unit for _, unit in move.drops}
        aboard = [unit for unit in move.units if unit not in dropped]
        for to in dict.fromkeys((*board.neighbours[here], *far)):
            foes = any(self._game.is_enemy(unit) for unit in position.units_in(to))
            for attempts in range(self._attempts + 1 if foes else 1):
                longer = replace(
                    move,
                    path=(*move.path, to),
                    overruns=move.overruns | ({step} if attempts else frozenset()),
                    attempts=(*move.attempts, (step, attempts)) if attempts > 1 else move.attempts,
                )
                for size in range(len(aboard)):
                    for left in combinations(aboard, size):
                        yield replace(longer, drops=(*longer.drops, *((step, unit) for unit in left)))
