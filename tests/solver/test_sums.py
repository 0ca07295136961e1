"""Sums that are written into a model term by term, and literals that are added at once."""

from __future__ import annotations

import random
from itertools import product

from planner.solver.coupling.clauses import Clauses
from planner.solver.cp_sat import add_sum, cp_model, new_literal, new_literals, new_model


def _allowed(model: cp_model.CpModel, number: int) -> set[tuple[int, ...]]:
    """Return the values of the first variables that the only constraint of a model allows."""
    [constraint] = list(model.proto.constraints)
    linear = constraint.linear
    least, most = list(linear.domain)
    found = set()
    for values in product((0, 1), repeat=number):
        holds = all(values[at] if at >= 0 else not values[-1 - at] for at in constraint.enforcement_literal)
        total = sum(weight * values[at] for weight, at in zip(linear.coeffs, linear.vars, strict=True))
        if not holds or least <= total <= most:
            found.add(values)
    return found


def test_a_sum_that_is_written_term_by_term_allows_what_its_expression_allows() -> None:
    rng = random.Random(46)
    for _ in range(200):
        plain, direct = new_model(), new_model()
        columns = [[new_literal(model) for _ in range(5)] for model in (plain, direct)]
        drawn = [(rng.randrange(5), rng.choice((True, False)), rng.choice((-2, -1, 1, 3))) for _ in range(6)]
        terms = [[(weight, some[at] if as_it_is else ~some[at]) for at, as_it_is, weight in drawn] for some in columns]
        least, most, only_if = rng.choice((None, rng.randrange(-3, 1))), rng.randrange(5), rng.choice((None, 0, 1))
        total = cp_model.LinearExpr.weighted_sum([x for _, x in terms[0]], [weight for weight, _ in terms[0]])
        domain = cp_model.Domain(cp_model.INT_MIN if least is None else least, most)
        said = plain.add_linear_expression_in_domain(total, domain)
        if only_if is not None:
            said.only_enforce_if(columns[0][only_if])
        add_sum(direct, terms[1], least, most, None if only_if is None else columns[1][only_if])
        assert _allowed(plain, 5) == _allowed(direct, 5)


def test_a_sum_of_plain_truths_that_exceeds_its_bound_forbids_its_condition() -> None:
    clauses = Clauses(soft=False)
    condition = clauses.new_literal()
    clauses.stay_within(1, [(2, True), (3, False)], condition)
    [constraint] = list(clauses.model.proto.constraints)
    assert list(constraint.bool_or.literals) == [-1 - condition.index]
    clauses.stay_within(2, [(2, True), (3, False)], condition)
    assert len(clauses.model.proto.constraints) == 1


def test_literals_that_are_added_at_once_are_those_added_one_by_one() -> None:
    one_by_one, at_once = new_model(), new_model()
    for model in (one_by_one, at_once):
        new_literal(model)
    found = new_literals(at_once, 3)
    assert [literal.index for literal in found] == [new_literal(one_by_one).index for _ in range(3)] == [1, 2, 3]
    assert [(~literal).index for literal in found] == [-2, -3, -4]
    assert str(at_once.proto) == str(one_by_one.proto)
    assert new_literals(at_once, 0) == []
