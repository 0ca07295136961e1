"""Rule instances of destinations, goals and values in words: what a plan breaks that would do what is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from planner.errors import InputError
from planner.explanation.answer import Instance
from planner.explanation.relaxation import ALL, Scope
from planner.formats.mp import format_mp
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Violation
from planner.rules.roles import Bogs, Fights, JointlyOverruns
from planner.scenario import Scenario

LONGEST_WAY = 8
"""Of longer ways, and of those that come by a hex twice, only the ends are named."""


@dataclass(frozen=True)
class Breach:
    """What a plan breaks that would do what is asked if a rule weren't in force somewhere.

    Attributes
    ----------
    scope : Scope
        Where the rule is in force.
    plan : Plan or None
        The plan; None: none is known.
    violation : Violation or None
        What it breaks there, as the referee says it; None: nothing, but what others do.
    """

    scope: Scope
    plan: Plan | None = None
    violation: Violation | None = None


class Wording:
    """Puts the members of a set into words.

    Parameters
    ----------
    scenario : Scenario
        The position.
    game : Scenario
        The relaxed game in which just the set is in force.
    """

    def __init__(self, scenario: Scenario, game: Scenario) -> None:
        self._scenario, self._relaxed = scenario, game
        self._referee = Referee(game.game)
        self._broken: dict[Plan, tuple[Violation, ...]] = {}

    def breach(self, scope: Scope, plan: Plan | None, others: Iterable[Plan]) -> Breach:
        """Return what a plan breaks of a rule; of others if none is known that breaks nothing else."""
        for one in [plan] if plan is not None else others:
            violation = next((v for v in self._violations(one) if _fits(scope, v)), None)
            if violation is not None:
                return Breach(scope, one, violation)
        return Breach(scope, plan)

    def _violations(self, plan: Plan) -> tuple[Violation, ...]:
        if plan not in self._broken:
            try:
                self._broken[plan] = self._referee.play(plan, self._relaxed.start).violations
            except InputError:
                self._broken[plan] = ()
        return self._broken[plan]

    def instance(self, breach: Breach, every: Sequence[Breach]) -> Instance:
        """Return a rule instance in words, given those of the whole set."""
        scope, violation = breach.scope, breach.violation
        game = self._scenario.game
        rule = game.rulebook.by_id[scope.rule]
        unit = None if scope.unit == ALL else scope.unit
        only = next(iter(scope.hexes)) if scope.hexes is not None and len(scope.hexes) == 1 else None
        if violation is not None and scope.unit == ALL:
            example = f"{rule.summary.rstrip('.')}; for instance, {violation.message}"
            return Instance(scope.rule, violation.rule, None, None, violation.blame, example)
        if violation is not None:
            text = self._unpaid(breach) if scope.pays else violation.message
            place = None if scope.pays else only or violation.at
            return Instance(scope.rule, violation.rule, unit or violation.unit, place, violation.blame, text)
        text, blame = "", tuple[str, ...]()
        if scope.pays:
            text = self._price(breach)
        elif unit is not None and isinstance(rule, (Bogs, Fights)):
            text, blame = self._by_chance(breach, unit, only)
        elif unit is not None and isinstance(rule, JointlyOverruns) and rule.rolled:
            text = f"{unit} can't be sure that its overrun{f' of {only}' if only else ''} goes through: dice decide"
        else:
            text = self._as_others(breach, every) or _in_general(rule.summary, unit, only)
        return Instance(scope.rule, rule.paragraph, unit, only, blame, text)

    def _unpaid(self, breach: Breach) -> str:
        """Say which way a unit can't pay for."""
        unit, violation, plan = breach.scope.unit, breach.violation, breach.plan
        assert violation is not None
        assert plan is not None
        move = plan.moves[violation.move] if violation.move is not None else None
        if unit is None or move is None or violation.unit != unit:
            return violation.message
        ma = format_mp(self._scenario.game.units[unit].ma)
        if not self._scenario.game.units[unit].ma:
            return f"{unit} can't pay for any step: it has no MP"
        if move.end == move.path[0]:
            return f"{unit} can't pay for the way from {move.end} and back with {ma} MP"
        if len(move.path) > LONGEST_WAY or len(set(move.path)) < len(move.path):
            return f"{unit} can't pay for the way from {move.path[0]} to {move.end} with {ma} MP"
        way = str(Move((unit,), move.path, move.overruns, tuple((step, "") for step, _ in move.carried)))
        return f"{unit} can't pay for {way.removeprefix(unit).strip()} with {ma} MP"

    def _price(self, breach: Breach) -> str:
        """Say that a unit pays where no plan shows for what."""
        unit = breach.scope.unit
        if unit == ALL or unit is None:
            return "all have to pay for every step out of the MA"
        ma = format_mp(self._scenario.game.units[unit].ma)
        if breach.plan is not None and any(unit in move.units for move in breach.plan.moves):
            return f"{unit} has to pay for its steps, and what it pays counts"
        return f"{unit} has to pay for every step out of its {ma} MP"

    def _by_chance(self, breach: Breach, unit: str, label: str | None) -> tuple[str, tuple[str, ...]]:
        """Say what a unit can't count on, and who is to blame: whom it would fight."""
        if isinstance(self._scenario.game.rulebook.by_id[breach.scope.rule], Bogs):
            return f"{unit} may bog down{f' in {label}' if label else ''}: dice decide", ()
        foes = self._fought(breach.plan, unit, label)
        against = f" against {' and '.join(foes)}" if foes else ""
        there = f" in {label}" if label else ""
        return f"{unit} can't count on winning{against}{there}: a table decides, and it goes no further", foes

    def _fought(self, plan: Plan | None, unit: str, label: str | None) -> tuple[str, ...]:
        """Return the enemies that a unit comes upon in a hex, if all goes well."""
        game, position, foes = self._scenario.game, self._relaxed.start.copy(), dict[str, None]()
        for index, move in enumerate(plan.moves if plan is not None else ()):
            if unit in move.units:
                ends = [step for step in range(1, len(move.path)) if label in (None, move.path[step])]
                for step in ends:
                    until, at = position.copy(), move.path[step]
                    if step > 1:
                        shorter = Move(
                            move.units,
                            move.path[:step],
                            frozenset(one for one in move.overruns if one < step),
                        )
                        self._referee.play_move(shorter, until, position.under_way.keys(), index)
                    foes.update(dict.fromkeys(enemy for enemy in until.units_in(at) if game.is_enemy(enemy)))
            self._referee.play_move(move, position, position.under_way.keys(), index)
        return game.sorted(foes)

    def _as_others(self, breach: Breach, every: Sequence[Breach]) -> str:
        """Say that a unit uses up what others need as well; empty if there is nothing of that kind."""
        scope = breach.scope
        rule = self._scenario.game.rulebook.by_id[scope.rule]
        rivals = [other for other in every if other.scope.rule == scope.rule and other.scope != scope]
        if scope.unit in (None, ALL) or not rivals:
            return ""
        to = f" to {next(iter(scope.hexes))}" if scope.hexes is not None and len(scope.hexes) == 1 else ""
        return f"{scope.unit} needs {rule.uses_up.format(to=to)} as well" if rule.uses_up else ""


def _in_general(summary: str, unit: str | None, label: str | None) -> str:
    """Say where a rule binds, where no plan shows how."""
    whom = " ".join(([f"for {unit}"] if unit else []) + ([f"in {label}"] if label else []))
    return f"{whom}: {summary[:1].lower()}{summary[1:]}" if whom else summary


def _fits(scope: Scope, violation: Violation) -> bool:
    if scope.unit not in (ALL, violation.unit):
        return False
    return scope.hexes is None or violation.at in scope.hexes
