"""The logic of a model: literals, clauses, sums, and demands that may be allowed to fail."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from planner.objective import Linear
from planner.rules.demands import Demand
from planner.solver.cp_sat import BoolVar, Expression, Literal, add_sum, cp_model, new_literal, new_literals, new_model


@dataclass(frozen=True)
class DemandBreach:
    """A demand that a given plan may fail, with the literal that says so.

    Attributes
    ----------
    unit : str or None
        The unit that makes the demand.
    step : int or None
        The index of the hex in its path.
    at : str
        The hex.
    demand : Demand
        What is demanded.
    literal : literal
        Holds if the demand fails.
    only : tuple of (unit, literal) pairs
        Of the units to blame, those count whose literal holds; units without one always count.
    """

    unit: str | None
    step: int | None
    at: str
    demand: Demand
    literal: BoolVar
    only: tuple[tuple[str, Literal], ...] = ()


class Clauses:
    """A model of CP-SAT, written in literals that may also be plain truth values.

    Parameters
    ----------
    soft : bool
        Whether demands may fail, each with a `DemandBreach`, so that a given plan can be judged.

    Attributes
    ----------
    model : CpModel
        The model.
    breaches : list of DemandBreach
        The demands that may fail.
    parts : dict from literals to literals, by their indices
        Of which literals one holds if a literal holds that was made of them.
    """

    def __init__(self, soft: bool) -> None:
        self.model = new_model()
        self.breaches: list[DemandBreach] = []
        self.parts: dict[int, list[int]] = {}
        self._soft = soft

    def new_literal(self) -> cp_model.IntVar:
        """Return a fresh 0/1 variable."""
        return new_literal(self.model)

    def new_literals(self, number: int) -> list[BoolVar]:
        """Return so many fresh 0/1 variables."""
        return new_literals(self.model, number)

    def negate(self, literal: Literal) -> Literal:
        """The literal does not hold."""
        return not literal if isinstance(literal, bool) else ~literal

    def any_of(self, literals: Iterable[Literal]) -> Literal:
        """At least one of the literals holds."""
        open_ones = [literal for literal in literals if literal is not False]
        if len(open_ones) < 2:
            return open_ones[0] if open_ones else False
        if any(literal is True for literal in open_ones):
            return True
        result = self.new_literal()
        self.model.add_bool_or([~result, *open_ones])
        self.model.add_bool_and([~literal for literal in open_ones]).only_enforce_if(~result)
        self.parts[result.index] = [literal.index for literal in open_ones if not isinstance(literal, bool)]
        return result

    def one_of(self, literals: Iterable[BoolVar]) -> Literal:
        """One of some literals holds, of which no two can hold together.

        The same as `any_of` in one constraint, which the linear relaxation is nearer to.
        """
        different = list({literal.index: literal for literal in literals}.values())
        if len(different) < 2:
            return different[0] if different else False
        result = self.new_literal()
        self.model.add_exactly_one([~result, *different])
        self.parts[result.index] = [literal.index for literal in different]
        return result

    def all_of(self, literals: Iterable[Literal]) -> Literal:
        """Every one of the literals holds."""
        return self.negate(self.any_of([self.negate(literal) for literal in literals]))

    def at_least(self, total: Linear, bound: int) -> Literal:
        """The sum reaches the bound."""
        expression = self.expression(total)
        if isinstance(expression, int):
            return expression >= bound
        result = self.new_literal()
        self.model.add(expression >= bound).only_enforce_if(result)
        self.model.add(expression < bound).only_enforce_if(~result)
        return result

    def expression(self, total: Linear) -> Expression:
        """Return a sum as an expression of the solver, or as a plain number."""
        constant = total.constant + sum(weight for weight, term in total.terms if term is True)
        terms = [(weight, term) for weight, term in total.terms if not isinstance(term, bool)]
        if not terms:
            return constant
        return cp_model.LinearExpr.weighted_sum([t for _, t in terms], [w for w, _ in terms]) + constant

    def add_or(self, literals: Iterable[Literal]) -> None:
        """Ensure that at least one of the literals holds."""
        clause = []
        for literal in literals:
            if literal is True:
                return
            if literal is not False:
                clause.append(literal)
        self.model.add_bool_or(clause)

    def limit(self, literals: Iterable[Literal], most: int) -> None:
        """Ensure that at most so many of the literals hold."""
        open_ones, sure = _apart([(1, literal) for literal in literals])
        if open_ones:
            add_sum(self.model, open_ones, None, most - sure)

    def stay_within(self, most: int, terms: Sequence[tuple[int, Literal]], only_if: Literal = True) -> None:
        """Ensure that a sum of weighted literals doesn't exceed a bound, if a literal holds."""
        open_ones, sure = _apart(terms)
        if open_ones and only_if is not False:
            add_sum(self.model, open_ones, None, most - sure, None if only_if is True else only_if)
        elif sure > most:
            self.add_or([self.negate(only_if)])

    def floor(self, literals: Iterable[Literal], least: int) -> int | None:
        """Ensure that at least so many of the literals hold; return which constraint that is. None: all are constants."""
        open_ones, sure = _apart([(1, literal) for literal in literals])
        return add_sum(self.model, open_ones, least - sure, None) if open_ones else None

    def lift(self, floor: int) -> None:
        """Take back that at least so many of some literals hold."""
        self.model.proto.constraints[floor].clear_linear()

    def at_most(self, terms: Sequence[tuple[int, Literal]], limit: int, demand: Demand) -> None:
        """Ensure that a weighted sum stays within a limit, or that the demand fails, where demands may.

        The units that the demand blames are those of the terms, in the same order.
        """
        if not self._soft:
            self.stay_within(limit, terms)
            return
        only = tuple(zip(demand.blame, (term for _, term in terms), strict=True))
        open_ones, sure = _apart(terms)
        if open_ones:
            add_sum(self.model, open_ones, None, limit - sure, ~self._breach(None, None, demand.at or "", demand, only))
        elif sure > limit:
            self.add_or([self._breach(None, None, demand.at or "", demand, only)])

    def post_demand(self, unit: str, step: int, at: str, demand: Demand, clause: Sequence[Literal]) -> None:
        """Ensure that one of the literals holds, or that the demand fails, where demands may.

        Parameters
        ----------
        unit : str
            Who makes the demand.
        step : int
            The index of the hex in its path.
        at : str
            The hex.
        demand : Demand
            What is demanded.
        clause : sequence of literals
            When nothing is demanded, and what fulfils the demand.
        """
        if self._soft and not demand.choice:
            clause = [*clause, self._breach(unit, step, at, demand)]
        self.add_or(clause)

    def _breach(
        self, unit: str | None, step: int | None, at: str, demand: Demand, only: tuple[tuple[str, Literal], ...] = ()
    ) -> cp_model.IntVar:
        literal = self.new_literal()
        self.breaches.append(DemandBreach(unit, step, at, demand, literal, only))
        return literal


def _apart(terms: Iterable[tuple[int, Literal]]) -> tuple[list[tuple[int, BoolVar]], int]:
    """Return the terms of a sum that the solver settles, and what the others come to."""
    open_ones, sure = list[tuple[int, BoolVar]](), 0
    for weight, literal in terms:
        if literal is True:
            sure += weight
        elif literal is not False and weight:
            open_ones.append((weight, literal))
    return open_ones, sure
