"""What needs each other begins somewhere: each such constraint follows from the model, and bounds what an order would."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from planner.limits import Limits
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.atoms import Atom, Gone
from planner.scenario import Scenario
from planner.solver.coupling.dependence import Dependence
from planner.solver.cp_sat import cp_model, maximize
from planner.solver.engine import Configuration, clauses_of, run
from planner.solver.loop_formulas import Loops, _Relaxation
from planner.solver.model import build_options
from planner.solver.order_relaxation import Unordered
from tests.conftest import sized
from tests.instances import instance, list_possibilities
from tests.oracles.families import FAMILIES
from tests.solver.test_order_relaxation import RELAXED, Helpers, circle, random_helpers


def loops_of(helpers: Helpers) -> Loops:
    """Return what must begin somewhere among units of which each needs one of some others to have moved."""
    events: dict[Atom, int] = {}
    bringers, asking = dict[int, list[int]](), dict[int, frozenset[Atom]]()
    for unit, friends in helpers.helped_by.items():
        needed: Atom = Gone(f"whoever waits for {unit}")
        event = helpers.model.new_bool_var(f"{unit} needs somebody")
        helpers.model.add_implication(helpers.moves[unit], event)
        events[needed] = event.index
        bringers[event.index] = [helpers.moves[friend].index for friend in friends]
        asking[helpers.moves[unit].index] = frozenset([needed])
    return Loops(helpers.model, Dependence(events, bringers, asking, frozenset(bringers)))


@pytest.mark.parametrize("size", [2, 3, 5])
def test_of_units_that_wait_for_each_other_none_moves_though_no_order_is_looked_for(size: int) -> None:
    """Whoever of the circle moves first needs nobody, of whom there is none: only z moves, for 1."""
    helpers = circle(size)
    loops = loops_of(helpers)
    told: list[int | None] = []
    free = Unordered(helpers.model, helpers.pairs, loops)
    solved = free.improve(RELAXED, Limits(), on_change=lambda _, bound: told.append(bound))
    assert (solved.outcome, solved.value, free.rounds) == ("optimal", 1, 0)
    assert set(told) <= {None, 1}, "the circle's 5 each are never claimed"


def test_a_unit_that_two_can_help_moves_after_either_of_them() -> None:
    # b may follow a or c, c may follow b alone, a needs nobody: all of them move, for 3 x 5 = 15; with d, who waits for
    # e as e does for d, there is nothing more to be had.
    helpers = Helpers(dict.fromkeys("abcde", 5), {"b": ["a", "c"], "c": ["b"], "d": ["e"], "e": ["d"]})
    solved = Unordered(helpers.model, helpers.pairs, loops_of(helpers)).improve(RELAXED, Limits())
    assert (solved.outcome, solved.value) == ("optimal", 15)
    assert helpers.most() == 15


def test_a_circle_may_begin_with_who_helps_but_one_of_it() -> None:
    """A and b can help each other, and a helps u; c, which costs 1, can help b: all of them move, for 3 x 5 - 1."""
    helpers = Helpers({**dict.fromkeys("abu", 5), "c": -1}, {"a": ["b"], "b": ["a", "c"], "u": ["a"]})
    solved = Unordered(helpers.model, helpers.pairs, loops_of(helpers)).improve(RELAXED, Limits())
    assert (solved.outcome, solved.value) == ("optimal", 14)


def test_the_optimum_is_that_of_all_orders() -> None:
    for seed in range(sized(10, 20, 1_000)):
        helpers = random_helpers(seed)
        solved = Unordered(helpers.model, helpers.pairs, loops_of(helpers)).improve(RELAXED, Limits())
        assert (solved.outcome, solved.value) == ("optimal", helpers.most()), seed


def test_a_solution_in_which_units_wait_for_each_other_is_forbidden() -> None:
    helpers = circle(3)
    loops = loops_of(helpers)
    assert loops.forbid([1] * len(helpers.model.proto.variables))
    forbidden = helpers.model.proto.constraints[len(helpers.model.proto.constraints) - 1]
    assert all(literal < 0 for literal in clauses_of(forbidden)[0]), "nobody outside the circle brings what it needs"
    assert not loops.forbid([int(variable.name == "z") for variable in helpers.model.proto.variables])


class Endless:
    """Solves nothing until it is interrupted."""

    def __init__(self) -> None:
        self.interrupted = threading.Event()

    def Solve(self) -> int:  # noqa: N802
        self.interrupted.wait(20)
        return 6

    def InterruptSolve(self) -> None:  # noqa: N802
        self.interrupted.set()


def test_a_stop_is_heard_while_the_relaxation_is_solved() -> None:
    relaxation, endless, stop = _Relaxation(circle(3).model, (), Limits()), Endless(), threading.Event()
    relaxation._solver = endless
    threading.Timer(0.1, stop.set).start()
    assert relaxation.solve(Limits(stop=stop)) is None
    assert endless.interrupted.is_set(), "it was waited for to the end"


def test_where_time_is_up_nothing_is_added() -> None:
    helpers = circle(3)
    loops, stop = loops_of(helpers), threading.Event()
    before = len(helpers.model.proto.constraints)
    stop.set()
    loops.strengthen((), Limits(stop=stop))
    assert len(helpers.model.proto.constraints) == before


# -- each follows from the model


def strengthened(scenario: Scenario, change: Callable[[Dependence], Dependence]) -> tuple[int, int]:
    """Return how many constraints were added to a model tier by tier, and how many of them don't follow from the rest."""
    reach = ConditionalReach(scenario.game)
    model = build_options(scenario, list_possibilities(reach), reach)
    plain, order = model.coupling.model, model.coupling.order
    assert order is not None
    original: cp_model.CpModel = plain.clone()
    for atom, event in model.coupling.dependence.events.items():  # nothing keeps it from being needed by nobody
        asked = [literal.index for (_, needed), literal in model.coupling.needs.items() if needed == atom]
        literals = [original.get_bool_var_from_proto_index(index) for index in (event, *asked)]
        original.add_bool_or([~literals[0], *literals[1:]])
    added: list[list[int]] = []
    for tier in model.tiers:
        expression = model.coupling.expression(tier)
        if isinstance(expression, int):
            continue
        maximize(plain, expression)
        before = len(plain.proto.constraints)
        loops = Loops(plain, change(model.coupling.dependence))
        Unordered(plain, order.pairs(), loops).improve(replace(RELAXED, work=2.0), Limits())
        for index in range(before, len(plain.proto.constraints)):
            added += clauses_of(plain.proto.constraints[index])
        best = run(plain, Configuration(), Limits())
        if best.value is None:
            break
        plain.add(expression >= best.value)
    return len(added), sum(not follows(original, clause) for clause in added)


def follows(model: cp_model.CpModel, clause: list[int]) -> bool:
    """Tell whether a clause holds in all solutions of a model without an objective."""
    refuting = model.clone()
    refuting.clear_objective()
    size = len(refuting.proto.variables)
    for literal in clause:
        variable = literal if literal >= 0 else -1 - literal
        assert variable < size
        refuting.add(refuting.get_bool_var_from_proto_index(variable) == int(literal < 0))
    return run(refuting, Configuration(subsolvers=()), Limits()).outcome == "infeasible"


POSITIONS: dict[str, Callable[[int], Scenario]] = {
    "front": lambda seed: instance("dense", "10/ma=6-8", seed),
    "islands": lambda seed: instance("islands", "8/convoys=4", seed),
    "crowd": lambda seed: instance("crowded", "10", seed),
    "joint": lambda seed: instance("joint", "12", seed),
    **{name: lambda seed, family=family: family[0](seed)[0] for name, family in FAMILIES.items()},  # type: ignore[misc]
}


@pytest.mark.thorough
def test_each_follows_from_the_model_with_its_order() -> None:
    """What is added is refuted by the solver if it doesn't hold in the model with its order, which knows nothing of it."""
    several = 0
    for name, position in POSITIONS.items():
        for seed in range(sized(1, 1, 60)):
            added, false = strengthened(position(seed), lambda dependence: dependence)
            assert not false, (name, seed)
            several += added
    assert several > 10


@pytest.mark.thorough
def test_it_is_noticed_if_one_who_brings_something_is_forgotten() -> None:
    def forgetful(dependence: Dependence) -> Dependence:
        return replace(dependence, bringers={event: some[1:] for event, some in dependence.bringers.items()})

    assert any(strengthened(POSITIONS["front"](seed), forgetful)[1] for seed in range(5))
