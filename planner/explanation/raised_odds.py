"""What would raise the odds of a fight in a plan: how much more strength, and who else could join it.

The rules say which strength each column takes. What is told beyond that, the referee has seen: it plays the plan with
stronger attackers, and with those who join. Where enemies may still support the defenders, nobody knows the odds, and
nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.errors import TooManyOutcomesError
from planner.explanation.coming_up import coming_up
from planner.formats.mp import format_mp
from planner.formats.probability import format_probability
from planner.formats.spoken_numbers import spoken_number
from planner.limits import Limits
from planner.plans.plan import Plan
from planner.referee.played_moves import spoken_probability
from planner.referee.referee import Referee
from planner.referee.verdict import Roll, Verdict
from planner.rules.combat_roles import JointlyOverruns
from planner.rules.game import Game
from planner.rules.roles import Rolls
from planner.scenario import Scenario
from planner.world.forces import Unit

if TYPE_CHECKING:
    from planner.explanation.answer_data import JoiningData, RaiseData

MOST_COLUMNS = 2
"""So many better columns are named."""
MOST_JOINING = 3
"""So many of those who could join are named."""
COUNTED = (Fraction(1), Fraction(2), Fraction(1, 2))
"""What of a unit's strength gives one of the odds: all of it, or two where it is halved, or half where it is doubled."""


@dataclass(frozen=True)
class Raise:
    """A column that stronger attackers would reach.

    Attributes
    ----------
    hex : str
        The hex that is fought for.
    more : Fraction
        The least strength, as the odds count it, that the same attackers would need on top of theirs.
    column : str
        The column, as the table has it.
    probability : Fraction
        The probability that the fight then succeeds; greater than with less strength.
    """

    hex: str
    more: Fraction
    column: str
    probability: Fraction

    def __str__(self) -> str:
        told = f"Were its attackers {spoken_number(self.more)} stronger, the fight for {self.hex} would be at {self.column}"
        return f"{told}, and succeed with {spoken_probability(self.probability)}"

    def to_dict(self) -> RaiseData:
        """Return it as JSON has it."""
        return {
            "hex": self.hex,
            "more": format_mp(self.more),
            "column": self.column,
            "probability": format_probability(self.probability),
        }


@dataclass(frozen=True)
class Joining:
    """A unit that is not in a plan, and could join a fight of it.

    Attributes
    ----------
    hex : str
        The hex that is fought for.
    unit : str
        The unit.
    plan : Plan
        A legal plan in which it does.
    strengths : tuple of (Fraction, Fraction), or None
        The strength of attack and defense then; None where nothing is left to be rolled.
    probability : Fraction
        The probability that the fight then succeeds.
    """

    hex: str
    unit: str
    plan: Plan
    strengths: tuple[Fraction, Fraction] | None
    probability: Fraction

    def __str__(self) -> str:
        told = f"{self.unit} could join the fight for {self.hex}: {'; '.join(map(str, self.plan.moves))}"
        odds = "" if self.strengths is None else ": {} to {}".format(*map(spoken_number, self.strengths))
        return f"{told}{odds}, which succeeds with {spoken_probability(self.probability)}"

    def to_dict(self) -> JoiningData:
        """Return it as JSON has it."""
        return {
            "hex": self.hex,
            "unit": self.unit,
            "plan": [str(move) for move in self.plan.moves],
            "odds": None if self.strengths is None else [format_mp(strength) for strength in self.strengths],
            "probability": format_probability(self.probability),
        }


def raised(scenario: Scenario, plan: Plan, limits: Limits) -> tuple[tuple[Raise, ...], tuple[Joining, ...]]:
    """Return what would raise the odds of the fights of a legal plan, and who else could join them.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan
        The plan.
    limits : Limits
        When to stop looking for those who could join.
    """
    verdict = Referee(scenario.game).play(plan, scenario.start, rolls=False)
    raises, joining = list[Raise](), list[Joining]()
    for index, played in enumerate(verdict.moves):
        unsure = {one.step for one in played.survivals if one.possible}
        for roll in played.rolls:
            if roll.strengths is not None and roll.step not in unsure:
                fight = _Fight(scenario, plan, index, roll)
                raises += fight.raises()
                joining += fight.joining(limits)
    return tuple(raises), tuple(joining)


class _Fight:
    """A step of a plan whose odds are known."""

    def __init__(self, scenario: Scenario, plan: Plan, index: int, roll: Roll) -> None:
        assert roll.strengths is not None
        self._scenario, self._plan, self._index, self._roll = scenario, plan, index, roll
        self._game = Referee(scenario.game).game
        self._move, self._step = plan.moves[index], roll.step
        self._attack, self._defense = roll.strengths
        self._origin, self._label = self._move.path[self._step - 1 : self._step + 1]
        self._team = tuple(unit for unit in self._move.units if self._move.last_step(unit) >= self._step)

    # -- more strength

    def raises(self) -> list[Raise]:
        """Return the next columns that are better."""
        tables = [rule.columns_for(self._game, self._origin, self._label, self._defense) for rule in self._rules]
        told = [table for table in tables if table]
        found, chance = list[Raise](), self._roll.chance
        for column, least in told[0] if len(told) == 1 else ():
            if least > self._attack and len(found) < MOST_COLUMNS:
                then = self._chance_with(least - self._attack)
                if then is None:
                    break
                if then > chance:
                    chance = then
                    found.append(Raise(self._label, least - self._attack, column, then))
        return found

    @property
    def _rules(self) -> tuple[Rolls, ...]:
        return self._game.rulebook.of(Rolls)

    def _chance_with(self, more: Fraction) -> Fraction | None:
        """Return the probability with so much more strength; None where no attacker would bring just that."""
        for unit in self._team:
            for of_it in COUNTED:
                roll = self._rolled(self._strengthened(unit, more * of_it))
                if roll is not None and roll.strengths == (self._attack + more, self._defense):
                    return roll.chance
                # Nothing is rolled: then half of it must count as it should.
                half = None if roll is not None else self._rolled(self._strengthened(unit, more * of_it / 2))
                if half is not None and half.strengths == (self._attack + more / 2, self._defense):
                    return Fraction(1)
        return None

    def _strengthened(self, unit: str, by: Fraction) -> Game:
        units: dict[str, Unit] = dict(self._game.units)
        units[unit] = replace(units[unit], attack=units[unit].attack + by)
        return replace(self._game, units=units, _cache={})

    def _rolled(self, game: Game) -> Roll | None:
        """Return what is rolled for the step in a game whose units are stronger."""
        rolls = Referee(game).play(self._plan, self._scenario.start, rolls=False).moves[self._index].rolls
        return next((roll for roll in rolls if roll.step == self._step), None)

    # -- who could join

    def joining(self, limits: Limits) -> list[Joining]:
        """Return units that aren't in the plan and with which the attack is stronger, and no likelier to fail."""
        referee, start, found = Referee(self._scenario.game), self._scenario.start, list[Joining]()
        for unit in self._game.order:
            if unit in self._game.friends and unit in start.at and unit not in self._named:
                for plan, index in self._plans_with(unit):
                    if limits.late or len(found) >= MOST_JOINING:
                        return found
                    verdict = referee.play(plan, start, rolls=False)
                    one = self._joined(unit, plan, index, verdict) if verdict.legal else None
                    if one is not None and self._holds(referee, plan):
                        found.append(one)
                        break
        return found

    def _holds(self, referee: Referee, plan: Plan) -> bool:
        """Tell whether a plan is legal however its rolls fall; False where they have more outcomes than are gone through."""
        try:
            return referee.play(plan, self._scenario.start).legal
        except TooManyOutcomesError:
            return False

    @property
    def _named(self) -> set[str]:
        return {unit for move in self._plan.moves for unit in (*move.units, *(one for _, one in move.support))}

    def _joined(self, unit: str, plan: Plan, index: int, verdict: Verdict) -> Joining | None:
        """Return what a unit adds; None if nothing."""
        played = verdict.moves[index]
        step = played.move.path.index(self._label)
        roll = next((roll for roll in played.rolls if roll.step == step), None)
        if roll is None:
            return Joining(self._label, unit, plan, None, Fraction(1))
        better = roll.strengths is not None and roll.strengths[0] > self._attack and roll.chance >= self._roll.chance
        return Joining(self._label, unit, plan, roll.strengths, roll.chance) if better else None

    def _plans_with(self, unit: str) -> Iterator[tuple[Plan, int]]:
        """Yield plans in which a unit takes part, each with the index of the move that fights."""
        moves, index, move, at = self._plan.moves, self._index, self._move, self._scenario.start.at[unit]
        before, after = moves[:index], moves[index + 1 :]
        if self._label in move.path[: self._step] or self._label in move.path[self._step + 1 :]:
            return
        if at == move.path[0]:
            yield Plan((*before, replace(move, units=(*move.units, unit)), *after)), index
        if self._game.rulebook.of(JointlyOverruns):
            support = tuple(sorted((*move.support, (self._step, unit))))
            yield Plan((*before, replace(move, support=support), *after)), index
        found = coming_up(self._scenario, self._plan, index, self._step, unit)
        if found is not None:
            yield found
