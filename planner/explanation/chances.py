"""What a unit may come to if rolls go well, where it can't be sure of it: how, with which odds and which probability."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from planner.errors import OutOfTimeError, TooManyOutcomesError
from planner.explanation.needs import Aim
from planner.explanation.raised_odds import Joining, Raise, raised
from planner.explanation.relaxation import RelaxationMemory, narrowed
from planner.explanation.sieges import sieges
from planner.explanation.single_unit_bounds import SingleUnitBounds
from planner.formats.mp import format_mp
from planner.formats.probability import format_probability
from planner.formats.spoken_numbers import spoken_number
from planner.limits import Limits
from planner.objective import Tier
from planner.objective.goals import End
from planner.plans.plan import Move, Plan
from planner.plans.policy import Made, Node
from planner.referee.played_moves import spoken_probability
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict
from planner.rules.combat_roles import Fights
from planner.scenario import Scenario
from planner.search.expectimax import Expectimax, TooManyStepsError
from planner.search.reacting_with_luck import react_with_luck
from planner.search.redundant_moves import without_idle_moves
from planner.search.search import Search
from planner.solver.tuning import Adapting

if TYPE_CHECKING:
    from planner.explanation.answer_data import ChanceData


@dataclass(frozen=True)
class Chance:
    """A legal plan by which a unit may get where it can't be sure to get.

    Attributes
    ----------
    plan : Plan
        The plan.
    probability : Fraction
        The probability that the unit ends there; between 0 and 1.
    odds : tuple of (str, Fraction, Fraction)
        Each hex that is fought for, with the strength of attack and defense as the rolls count them.
    best : bool
        Whether no plan of the unit alone, or of all units, has a greater probability: proved.
    helped : bool
        Whether others take part.
    raises : tuple of Raise
        How much stronger the attackers would have to be for better columns.
    joining : tuple of Joining
        Units that aren't in the plan and could join the fights.
    """

    plan: Plan
    probability: Fraction
    odds: tuple[tuple[str, Fraction, Fraction], ...]
    best: bool
    helped: bool
    raises: tuple[Raise, ...] = ()
    joining: tuple[Joining, ...] = ()

    def __str__(self) -> str:
        odds = ", ".join(
            f"{spoken_number(attack)} to {spoken_number(defense)} in {label}" for label, attack, defense in self.odds
        )
        moves = "; ".join(map(str, self.plan.moves))
        return f"{moves}: {f'{odds}, ' if odds else ''}{spoken_probability(self.probability)}"

    def to_dict(self) -> ChanceData:
        """Return the chance as JSON has it."""
        return {
            "plan": [str(move) for move in self.plan.moves],
            "probability": format_probability(self.probability),
            "odds": [{"hex": one, "attack": format_mp(a), "defense": format_mp(d)} for one, a, d in self.odds],
            "best": self.best,
            "helped": self.helped,
            "raises": [one.to_dict() for one in self.raises],
            "joining": [one.to_dict() for one in self.joining],
        }


def chances(scenario: Scenario, goal: End, limits: Limits) -> tuple[tuple[Chance, ...], Plan | None, bool]:
    """Return the likeliest way of a unit to where it can't be sure to get, by itself, and a likelier one with others.

    Where it can be sure with others, the plan by which it is comes second; at last whether it is known if there is any way.

    Parameters
    ----------
    scenario : Scenario
        The position; what it is for doesn't count.
    goal : End
        The unit, and where it is to end; by itself it can't be sure to.
    limits : Limits
        When to stop.

    Raises
    ------
    DisagreementError
        If solver and referee contradict each other: a fault of the planner.
    """
    if not scenario.game.rulebook.rolled or _out_of_reach(scenario, goal, limits):
        return (), None, True
    asked = replace(scenario, requirements=(), tiers=(Tier(terms=(goal,)),))
    alone, _ = _likeliest(narrowed(asked, (goal.unit,)), goal, limits.part(0.4))
    helped, known = _likeliest(asked, goal, limits)
    stormed = _by_storming(scenario, goal, limits)
    if stormed is not None and (helped is None or helped.probability < stormed.probability):
        helped, known = stormed, True
    sure = helped.plan if helped is not None and helped.probability == 1 else None
    found = [one for one in (alone, helped) if one is not None and one.probability < 1]
    if len(found) == 2 and found[1].probability <= found[0].probability:
        # What is proved of all units is proved of one.
        best = found[0].best or (found[1].best and found[1].probability == found[0].probability)
        found = [replace(found[0], best=best)]
    ways = [_raised(scenario, one, limits) for one in found]
    if sure is None and (likelier := _by_joining(scenario, goal, ways)) is not None:
        ways = [*(one for one in ways if not one.helped), _raised(scenario, likelier, limits)]
    return tuple(ways), sure, known or alone is not None


def _raised(scenario: Scenario, chance: Chance, limits: Limits) -> Chance:
    """Return a chance with what would raise it."""
    raises, joining = raised(scenario, chance.plan, limits.part(0.5))
    return replace(chance, raises=raises, joining=joining)


def _by_joining(scenario: Scenario, goal: End, ways: Collection[Chance]) -> Chance | None:
    """Return the likeliest of the plans in which others join a fight, if it is likelier than all that the search found."""
    play = partial(Referee(scenario.game).play, start=scenario.start)
    likeliest, found = max((one.probability for one in ways), default=Fraction(0)), None
    for joined in (one.plan for way in ways for one in way.joining):
        verdict = play(joined)
        chance = verdict.chance_to_end(goal.unit, goal.at)
        if likeliest < chance < 1:
            likeliest, found = chance, Chance(joined, chance, _odds(verdict), best=False, helped=True)
    return found


def _by_storming(scenario: Scenario, goal: End, limits: Limits) -> Chance | None:
    """Return the likeliest of the plans in which others storm a hex for a unit; None: there is none."""
    bounds, play = (
        SingleUnitBounds(scenario, RelaxationMemory(), limits),
        partial(Referee(scenario.game).play, start=scenario.start),
    )
    found: Chance | None = None
    with suppress(OutOfTimeError, TooManyOutcomesError):
        for plan in sieges(bounds, None, [(Aim(goal.unit, frozenset(goal.at)),)], bounds.movers):
            limits.check()
            verdict = play(plan)
            chance = verdict.chance_to_end(goal.unit, goal.at) if verdict.legal else Fraction(0)
            if chance > (Fraction(0) if found is None else found.probability):
                found = Chance(plan, chance, _odds(verdict), best=False, helped=True)
    return found


def by_reacting(scenario: Scenario, goal: End, limits: Limits) -> tuple[Chance | None, bool]:
    """Return a way of a unit to where no plan fixed in advance takes it: each move is made if those before went well.

    Its probability is that of this way; others may be likelier. None where none is found; of combats it comes second whether
    it is known if there is any.

    Parameters
    ----------
    scenario : Scenario
        The position; what it is for doesn't count.
    goal : End
        The unit, and where it is to end.
    limits : Limits
        When to stop.
    """
    if not scenario.game.rulebook.rolled or _out_of_reach(scenario, goal, limits):
        return None, True
    asked = replace(scenario, requirements=(), tiers=(Tier(terms=(goal,)),))
    if scenario.game.rulebook.of(Fights):  # a game in which all of them go well can't be written down
        return _by_every_step(asked, limits)

    def suggest(now: Scenario, limits: Limits) -> Plan | None:
        # Whatever is legal: other ways to get there would be counted as if they were this one.
        return Search(replace(now, tiers=()), limits.part(Adapting.share_again)).run().plan

    found = react_with_luck(asked, limits, suggest)
    if found is None or not found.root.node().value[0] > 0:
        return None, True
    play, plan = partial(Referee(scenario.game).play, start=scenario.start, rolls=False), Plan(found.root.plan)
    return Chance(plan, found.root.node().value[0], _odds(play(plan)), best=False, helped=True), True


def _by_every_step(asked: Scenario, limits: Limits) -> tuple[Chance | None, bool]:
    """Return the likeliest single way to what is asked where every step is tried, and whether that was few enough."""
    trial = Expectimax(asked, Adapting.steps_first, limits.check)
    try:
        found = trial.best()
    except (TooManyStepsError, OutOfTimeError):
        found = None
    if found is None or not found.value[0] > 0:
        return None, found is not None
    chance, nodes = _likeliest_way(found)
    made, odds, moves = tuple[Made, ...](), tuple[tuple[str, Fraction, Fraction], ...](), tuple[Move, ...]()
    for node, as_made in nodes:
        now = asked.after([str(one) for one in made])
        played = Referee(now.game).play(Plan(node.moves), now.start, rolls=False)
        odds += _odds(played)
        made += (*node.moves[:-1], *as_made)
        moves += tuple(replace(one.move, overruns=one.combats) for one in played.moves)  # as players would write them
    return Chance(Plan(moves), chance, odds, best=False, helped=True), True


def _likeliest_way(node: Node) -> tuple[Fraction, list[tuple[Node, tuple[Made, ...]]]]:
    """Return how likely the likeliest way through a policy is, its situations, and in each how the last move is made."""
    if not node.branches:
        return node.value[0], [(node, ())]
    ways = []
    for branch in node.branches:
        chance, nodes = _likeliest_way(branch.then)
        ways.append((branch.probability * chance, [(node, branch.made[:1]), *nodes]))
    return max(ways, key=lambda way: way[0])


def _out_of_reach(scenario: Scenario, goal: End, limits: Limits) -> bool:
    """Tell whether it is known that no luck takes a unit where it is to end."""
    try:
        return not SingleUnitBounds(scenario, RelaxationMemory(), limits).might(Aim(goal.unit, frozenset(goal.at)))
    except OutOfTimeError:
        return False


def _likeliest(scenario: Scenario, goal: End, limits: Limits) -> tuple[Chance | None, bool]:
    """Return the likeliest way that was found, and whether it is known if there is any."""
    found = Search(scenario, limits.part(0.8)).run()
    if found.plan is None or not found.value[0] > 0:
        return None, found.status in ("infeasible", "optimal")
    play = partial(Referee(scenario.game).play, start=scenario.start)
    plan = without_idle_moves(
        found.plan,
        lambda less, _: play(less).chance_to_end(goal.unit, goal.at) >= found.value[0],
        lambda move: move.units == (goal.unit,),
        lambda: limits.late,
    )
    plan = _joined(plan, lambda less: play(less).chance_to_end(goal.unit, goal.at) >= found.value[0])
    units = {unit for move in plan.moves for unit in (*move.units, *(helper for _, helper in move.support))}
    return Chance(plan, found.value[0], _odds(play(plan)), found.status == "optimal", units != {goal.unit}), True


def _joined(plan: Plan, does: Callable[[Plan], bool]) -> Plan:
    """Return a plan in which units make in one move what they need not make in two."""
    moves = plan.moves
    for first, second in combinations(range(len(moves)), 2):
        one, other = moves[first], moves[second]
        if one.units == other.units and one.end == other.path[0] and not (one.overruns or one.drops):
            between = moves[first + 1 : second]
            for order in ((*between, one.then(other)), (one.then(other), *between)):
                shorter = Plan((*moves[:first], *order, *moves[second + 1 :]))
                if does(shorter):
                    return _joined(shorter, does)
    return plan


def _odds(verdict: Verdict) -> tuple[tuple[str, Fraction, Fraction], ...]:
    rolled = ((one.move.path[roll.step], roll.strengths) for one in verdict.moves for roll in one.rolls)
    return tuple((label, *strengths) for label, strengths in rolled if strengths is not None)
