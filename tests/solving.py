"""What a search or a model comes to, to be held against oracles."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TypeVar

import pytest

import planner
from planner.limits import Limits
from planner.objective.scoring import Value
from planner.reachability.conditional_reach import ConditionalReach
from planner.scenario import Scenario, build_scenario
from planner.search.search import Search
from planner.solver import portfolio
from planner.solver.engine import Configuration, Solved, run
from planner.solver.model import Model, build_options, unscaled
from planner.solver.tuning import AllAtOnce
from tests.instances import list_possibilities
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.families import FAMILIES
from tests.oracles.positions import drawn
from tests.oracles.transform import disguises, in_turn, with_ma

T = TypeVar("T")
Drawing = tuple[Scenario, random.Random]
"""A position, with the generator that drew it."""


def searched(scenario: Scenario) -> Value | None:
    """Return the value that a search proves, None where it proves that there is no plan."""
    result = Search(scenario).run()
    if result.status == "infeasible":
        assert result.confirmed
        return None
    assert result.status == "optimal"
    assert result.bound == result.value
    return result.value


def solved_tier_by_tier(model: Model) -> Value | None:
    """Return the optimum of a model, each tier fixed before the next, by the solver's own choice of strategies."""
    values: list[Fraction] = []
    configuration = Configuration(presolve=True, subsolvers=())
    for tier in model.tiers:
        expression = model.coupling.expression(tier)
        model.coupling.model.clear_objective()
        if not isinstance(expression, int):
            model.coupling.model.maximize(expression)
        solved = run(model.coupling.model, configuration, Limits())
        if solved.outcome == "infeasible":
            return None
        assert solved.outcome == "optimal"
        value = expression if isinstance(expression, int) else solved.value
        assert value is not None
        values.append(unscaled(value, model.scale))
        if not isinstance(expression, int):
            model.coupling.model.add(expression == value)
    return tuple(values)


def improved(monkeypatch: pytest.MonkeyPatch, kind: type[T], how: Configuration) -> list[T]:
    """Let searches try one way alone, and then all strategies; return a list to which each thing is added that improves."""
    made: list[T] = []
    real: Callable[..., Solved] = kind.improve  # type: ignore[attr-defined]

    def improve(self: T, *rest: object, **named: object) -> Solved:
        made.append(self)
        return real(self, *rest, **named)

    monkeypatch.setattr(kind, "improve", improve)
    monkeypatch.setattr(AllAtOnce, "variables", 0)  # or cores prove it at a glance
    monkeypatch.setattr(portfolio, "stages", lambda *_: (how, Configuration(subsolvers=(), presolve=True)))
    return made


def differing(
    seeds: range, optimum: Callable[[Scenario], Value | None], random_rulebook: bool = False
) -> dict[int, object]:
    """Return the seeds whose optimum isn't that of brute force, with both."""
    found = {}
    for seed in seeds:
        position = drawn(seed, random_rulebook)
        value = optimum(position.scenario)
        if value != position.best:
            found[seed] = (value, position.best)
    return found


def settled(
    seeds: Iterable[int],
    drawn: Callable[[int], Scenario],
    optimum: Callable[[Scenario], Value | None],
    proved: bool = True,
) -> int:
    """Assert that searches come to an oracle's optima; return in how many positions it doesn't have too much to try.

    `proved` says whether they must prove it.
    """
    number = 0
    for seed in seeds:
        scenario = drawn(seed)
        try:
            value = optimum(scenario)
        except TooManyStatesError:
            continue
        number += 1
        if proved:
            assert searched(scenario) == value, f"seed {seed}"
        else:
            result = Search(scenario).run()
            assert (result.value or None) == value, f"seed {seed}"
            assert value is None or result.bound[0] >= value[0], f"seed {seed}"
    return number


def are_alike_in_disguise(seeds: range, drawn: Callable[[int], Drawing], alike: int) -> None:
    """Assert that neither map nor names nor order of units change optima: one relation in turn, all for the first seeds."""
    for seed in seeds:
        scenario, rng = drawn(seed)
        value = searched(scenario)
        for name, other in in_turn(disguises(dict(scenario.data), scenario, rng), seed, alike).items():
            assert searched(build_scenario(other, name)) == value, f"seed {seed}, {name}"


def are_no_worse_with_more_ma(seeds: range, drawn: Callable[[int], Drawing]) -> None:
    """Assert that a unit's larger MA makes no first tier worse; where the whole MA is the price, it is a larger one."""
    for seed in seeds:
        scenario, rng = drawn(seed)
        unit = rng.choice(sorted(scenario.game.friends))
        more = build_scenario(with_ma(dict(scenario.data), unit, 1), "more")
        value, better = searched(scenario), searched(more)
        assert value is None or (better is not None and better[0] >= value[0]), f"seed {seed}, {unit}"


def are_as_good_without_dominance(seeds: range, drawn: Callable[[int], Drawing]) -> None:
    """Assert that searches, which leave out what is dominated or doesn't matter, come to what models of all come to."""
    for seed in seeds:
        scenario, _ = drawn(seed)
        reach = ConditionalReach(scenario.game, prune=False)
        model = build_options(scenario, list_possibilities(reach), reach)
        assert solved_tier_by_tier(model) == searched(scenario), f"seed {seed}"


def comes_to_the_best(family: str, seeds: int, asked: Callable[[Scenario, random.Random], Scenario | None]) -> None:
    """Assert that a search comes to the best of all plans in a family's positions, where these aren't too many.

    Parameters
    ----------
    family : str
        One of `FAMILIES`.
    seeds : int
        How many positions are drawn.
    asked : callable
        Returns a position with the goals that it is about; None: it is passed over.
    """
    draw, best_of_all = FAMILIES[family]
    settled = 0
    for seed in range(seeds):
        scenario = asked(*draw(seed))
        if scenario is None:
            continue
        try:
            best = best_of_all(scenario)
        except TooManyStatesError:
            continue
        settled += 1
        result = planner.suggest(scenario)
        where = f"seed {seed}: {scenario.tiers[0].terms} {scenario.requirements}"
        if best is None:
            assert result.status == "infeasible", where
        elif family == "skirmishes" and result.status == "feasible":
            assert result.value <= best <= tuple(result.bound), where
        else:
            assert (result.status, result.value) == ("optimal", best), where
    assert settled >= seeds / 3
