"""clingo on the options: the program as rules, the order of the moves as edges that must not run in a circle."""

from __future__ import annotations

from fractions import Fraction
from threading import Timer

import clingo

from peers.program import Program, UnsuitedError
from peers.task import Task
from planner.reachability.conditional_reach import ConditionalReach

STRATEGIES = {
    "bb": ["--opt-strategy=bb,lin"],
    "usc": ["--opt-strategy=usc,oll", "--opt-usc-shrink=min"],
    "crafty": ["--configuration=crafty", "--opt-strategy=bb,hier"],
}
"""What the variants are."""


def run(task: Task) -> None:
    """Load, ground, solve and replay."""
    scenario = task.load()
    with task.phase("reach"):
        reach = ConditionalReach(scenario.game)
        possible = {unit: reach.possibilities(unit) for unit in reach.movers}
        reach.possibilities = possible.__getitem__  # type: ignore[method-assign,assignment]
    try:
        with task.phase("build"):
            program = Program(scenario, reach, total_order=False)
            control = clingo.Control([*STRATEGIES[task.variant or "bb"], f"--seed={task.seed}", "--warn=none"])
            atoms = _post(program, control)
    except UnsuitedError as error:
        task.finish(scenario, "unsuited", None, note=str(error))
        return
    best: list[bool] | None = None
    bounds: list[Fraction] = []
    values: list[Fraction] = []

    def holds(literal: int) -> bool:
        assert best is not None
        return best[literal - 1] if literal > 0 else not best[-literal - 1]

    def on_model(model: clingo.Model) -> None:
        nonlocal best
        best = [model.is_true(atom) for atom in atoms]
        values[:] = [program.value(tier, holds) for tier in range(len(program.tiers))]
        task.note(values, bounds)

    def on_unsat(lower: list[int]) -> None:
        found = [Fraction(top - low, program.mp_scale) for low, top in zip(lower, _tops(program), strict=False)]
        # Lower bounds come tier by tier: what they say of a tier rests on the values of those before it.
        bounds[:] = found
        task.note(values, bounds)

    with task.phase("solve"), control.solve(on_model=on_model, on_unsat=on_unsat, async_=True) as handle:
        timer = Timer(task.left(), handle.cancel)
        timer.daemon = True
        timer.start()
        handle.wait()
        result = handle.get()
        timer.cancel()
    if best is None:
        task.finish(scenario, "infeasible" if result.unsatisfiable and result.exhausted else "unknown", None)
        return
    status = "optimal" if result.exhausted else "feasible"
    task.finish(scenario, status, program.plan(holds), values, values if status == "optimal" else bounds[:1])


def _tops(program: Program) -> list[int]:
    """Return what each tier comes to if nothing is lost: costs count what is."""
    tops = []
    for tier in program.tiers:
        terms, constant = program.literals_of(tier.terms)
        tops.append(tier.constant - constant + sum(weight for weight, _ in terms if weight > 0))
    return tops


def _post(program: Program, control: clingo.Control) -> list[int]:
    """Write the program into clingo and return the atom of each variable."""
    with control.backend() as backend:
        atoms = [backend.add_atom() for _ in range(program.size)]

        def atom(literal: int) -> int:
            return atoms[literal - 1] if literal > 0 else -atoms[-literal - 1]

        backend.add_rule(atoms, choice=True)
        for clause in program.clauses:
            backend.add_rule([], [-atom(literal) for literal in clause])
        for choice in program.choices:
            backend.add_rule([], [-atom(literal) for literal in choice])
            backend.add_weight_rule([], 2, [(atom(literal), 1) for literal in choice])
        for terms, limit in program.sums:
            # Weights of a rule must not be negative: w x = w + |w| (not x) for w < 0.
            shift = sum(-weight for weight, _ in terms if weight < 0)
            body = [(atom(x), w) if w > 0 else (-atom(x), -w) for w, x in terms if w]
            backend.add_weight_rule([], limit + shift + 1, body)
        for number, tier in enumerate(program.tiers):
            terms, _ = program.literals_of(tier.terms)
            lost = [(-atom(x), w) if w > 0 else (atom(x), -w) for w, x in terms if w]
            backend.add_minimize(len(program.tiers) - number, lost)
        places = {unit: index for index, unit in enumerate(program.game.order)}
        for one, other, literal in program.edges:
            backend.add_acyc_edge(places[one], places[other], [atom(literal)])
    return atoms
