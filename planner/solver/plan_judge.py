"""The solver as a judge: a plan's moves fixed in the explicit form, and every demand that then fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from planner.errors import DisagreementError
from planner.limits import Limits
from planner.plans.plan import Move, Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.referee.verdict import Violation
from planner.rules.attack_prospect import attack_rule_in_force
from planner.rules.combat_roles import Fights, JointlyOverruns
from planner.rules.demands import Demand
from planner.rules.game import Game
from planner.rules.roles import Ends
from planner.scenario import Scenario
from planner.solver.attack_judge import judge_attacks
from planner.solver.coupling import Coupling, DemandBreach, GivenOrder, UnitVariables
from planner.solver.cp_sat import Expression, Holds, Literal
from planner.solver.engine import Configuration, run
from planner.solver.judged_worlds import worlds
from planner.solver.step_layer import Paths
from planner.solver.timeline_judge import Broken, Moments
from planner.solver.who_may_move import moved_before, moved_by_nobody


@dataclass(frozen=True)
class PlanInModel:
    """A plan's moves, and their order, fixed in the explicit form, in which every demand may fail at a price.

    Attributes
    ----------
    coupling : Coupling
        The model, with a `DemandBreach` for each demand; its objective is that as few fail as possible.
    unplayable : list of Violation
        The moves that the model has no form for.
    moves : dict from units to (int, Move)
        What each unit does, with the index of the move in the plan.
    order : dict from units to int
        When each of them moves.
    stacks : dict from units to int
        The move to which each of them belongs.
    layer : Paths
        The steps that the moves may mean.
    """

    coupling: Coupling
    unplayable: list[Violation]
    moves: dict[str, tuple[int, Move]]
    order: dict[str, int]
    stacks: dict[str, int]
    layer: Paths


def fixed_plan(scenario: Scenario, plan: Plan, reach: ConditionalReach) -> PlanInModel:
    """Fix a plan's moves and their order in the explicit form.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan
        The moves; not to be judged moment by moment.
    reach : ConditionalReach
        The steps, with what the rules say of them, and the families of constraints to leave out.
    """
    game = scenario.game
    found, moves = _playable(scenario, plan, reach)
    # Units of one stack in the order in which they are dropped: who is dropped first is there for the others.
    moments = {unit: (index, len(move.path)) for unit, (index, move) in moves.items()}
    ranks = {moment: rank for rank, moment in enumerate(sorted(set(moments.values())))}
    order = {unit: ranks[moment] for unit, moment in moments.items()}
    stacks = {unit: index for unit, (index, _) in moves.items()}
    announced = {
        unit: index
        for index, move in enumerate(plan.moves)
        for unit in move.units
        if moves.get(unit, (None,))[0] != index
    }
    coupling = Coupling(game, reach.scale, GivenOrder(order, stacks, announced), reach.without)
    whole = {unit: plan.moves[index] for unit, (index, _) in moves.items()}
    layer = Paths(coupling, reach, {unit: move for unit, (_, move) in moves.items()}, whole)
    coupling.post_rules()
    if coupling.breaches:
        turns = {unit: (index, whole[unit].units.index(unit)) for unit, index in stacks.items()}
        coupling.model.minimize(_damage(coupling.breaches, turns))
    return PlanInModel(coupling, found, moves, order, stacks, layer)


def judge(scenario: Scenario, plan: Plan, without: frozenset[str] = frozenset()) -> list[Violation]:
    """Return what is wrong with a plan, as the CP-SAT model sees it; nothing if it is legal.

    Every demand of every rule may fail at a price, the moves and their order are fixed, and as few demands as possible
    fail: those that do are what the plan breaks. Each is named one by one, without regard to the referee.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan
        The moves.
    without : frozenset of str
        Families of constraints to leave out, for tests that must notice it.
    """
    game = scenario.game
    rule = attack_rule_in_force(game)
    if plan.moves and rule is not None and game.begun is not None and game.begun.position.attacking:
        late = [(index, move.units[0], move.path[0]) for index, move in enumerate(plan.moves)]
        what = "can't move once attacks have been declared"
        found = [Violation(rule.paragraph, one, index, 0, at, (), f"{one} {what}") for index, one, at in late]
        return [*found, *judge(scenario, replace(plan, moves=()), without)]
    reach = ConditionalReach(game, without=without)
    if several_parts(scenario, plan):
        return _judge_moments(scenario, plan, reach)
    fixed = fixed_plan(scenario, plan, reach)
    coupling, moves, order, stacks = fixed.coupling, fixed.moves, fixed.order, fixed.stacks
    enemies = [enemy for enemy in game.homes if plan.attacks is not None and game.is_enemy(enemy)]
    dying = {enemy: coupling.gone(enemy) for enemy in enemies}  # these literals must be there when it is solved
    solved = run(coupling.model, Configuration(presolve=True, subsolvers=()), Limits())
    if solved.holds is None:
        raise DisagreementError("the model of a fixed plan must have a solution", f"{scenario.where}\n{plan}")
    broken = [
        Broken(
            breach.unit,
            None if breach.unit is None else moves[breach.unit][0],
            breach.step,
            breach.at,
            breach.demand,
            _guilty(breach, solved.holds) - _dead(breach, coupling, moves, stacks, solved.holds)
            | _inside(breach, coupling, order, solved.holds),
        )
        for breach in coupling.breaches
        if solved.holds(breach.literal)
    ]
    found = _in_order([*fixed.unplayable, *_merged(broken, game)])
    if plan.attacks is None:
        return found
    where = {
        unit: label
        for unit in game.order
        if unit in game.friends
        for label in coupling.possible_ends(unit)
        if _true(coupling.ends(unit, label), solved.holds)
    }
    gone = {enemy for enemy, literal in dying.items() if _true(literal, solved.holds)}
    return [*found, *judge_attacks(game, where, gone, plan.attacks)]


def _true(literal: Literal, holds: Holds) -> bool:
    return literal if isinstance(literal, bool) else holds(literal)


def several_parts(scenario: Scenario, plan: Plan) -> bool:
    """Tell whether a plan is judged moment by moment: where units fight, support, or wait, and do or roll for nothing."""
    book = scenario.game.rulebook
    if book.of(Fights):  # what combats lead to follows from those before them
        return True
    sequence = book.sequence
    if sequence is None or sequence.waiting is None:
        return False
    if any(move.support for move in plan.moves):  # who supports whom is known moment by moment alone
        return True
    units = [unit for move in plan.moves for unit in move.units]
    again = {unit for unit in units if units.count(unit) > 1}
    sure = not any(rule.rolled for rule in book.of(JointlyOverruns))
    return sure or any(sequence.lets_wait(scenario.game.units[unit]) for unit in again)


def _judge_moments(scenario: Scenario, plan: Plan, reach: ConditionalReach) -> list[Violation]:
    """Judge a plan in which units may go on after they have broken off their moves."""
    game = scenario.game
    moments, *others = worlds(reach, plan)
    broken = {(one.unit, one.move, one.step, one.at, one.demand): one for one in moments.broken}
    unplayable = list(moments.unplayable)
    known = {violation.key for violation in unplayable}
    for other in others:
        for one in other.broken:
            key = one.unit, one.move, one.step, one.at, one.demand
            broken[key] = replace(one, guilty=one.guilty | broken[key].guilty) if key in broken else one
        unplayable += [violation for violation in other.unplayable if violation.key not in known]
        known |= {violation.key for violation in unplayable}
    in_the_end: dict[tuple[str, Demand], Broken] = {}
    for world in _different(reach, [moments, *others]):
        for wrong in _wrong_in_the_end(world):
            in_the_end.setdefault((wrong.at, wrong.demand), wrong)
    found = _in_order([*unplayable, *_merged([*broken.values(), *in_the_end.values()], scenario.game)])
    if plan.attacks is None:
        return found
    placed = ((unit, moments.where(unit)) for unit in game.homes if unit in game.friends)
    where = {unit: label for unit, label in placed if label is not None}
    gone = {enemy for enemy in game.homes if game.is_enemy(enemy) and moments.where(enemy) is None}
    return [*found, *judge_attacks(game, where, gone, plan.attacks)]


def _different(reach: ConditionalReach, every: Iterable[Moments]) -> Iterable[Moments]:
    """Return of several worlds those in which somebody who moves, or an enemy, stands elsewhere in the end, or is gone."""
    found: dict[object, Moments] = {}
    enemies = list(filter(reach.game.is_enemy, reach.game.homes))
    for moments in every:
        where = tuple(map(moments.where, (*_played(reach, moments), *enemies)))
        found.setdefault((where, frozenset(moments.gone), frozenset(moments.lost.items())), moments)
    return found.values()


def _played(reach: ConditionalReach, moments: Moments) -> list[str]:
    """Return who may move and who has been moved all the same, in the order of the scenario."""
    return [unit for unit in reach.game.homes if unit in moments.walkers or reach.may_begin(unit)]


def _wrong_in_the_end(moments: Moments) -> list[Broken]:
    """Return what is wrong with where units stand after the last move; who has been eliminated stands nowhere.

    Enemies are looked for where combats have driven them, and what they have taken there is theirs.
    """
    reach = moments.reach
    coupling = Coupling(reach.game, reach.scale, GivenOrder())
    removes = dict.fromkeys(moments.gone, True)
    for unit in _played(reach, moments):
        label = moments.where(unit)
        ends = {} if label is None else {label: True}
        coupling.add_unit(unit, UnitVariables(moves=unit in moments.walkers, ends=ends, removes=removes))
    for rule in reach.of(Ends):
        rule.post_end(coupling)
    if not coupling.breaches:
        return []
    coupling.model.minimize(sum(breach.literal for breach in coupling.breaches))
    solved = run(coupling.model, Configuration(subsolvers=()), Limits())
    assert solved.holds is not None
    return [
        Broken(None, None, None, breach.at, breach.demand, _guilty(breach, solved.holds))
        for breach in coupling.breaches
        if solved.holds(breach.literal)
    ]


def _damage(breaches: list[DemandBreach], turns: Mapping[str, tuple[int, int]]) -> Expression:
    """Return what to minimise: the number of breaches; of equally many, the later ones weigh less.

    So where one of several moves, or of the units of a stack, must go short, of carriers say, it is the last one that does,
    as in play.
    """
    end = 1 + max((index for index, _ in turns.values()), default=0)

    def place_of(breach: DemandBreach) -> tuple[int, int, int]:
        """Return the move, the step, and whose of a stack it is; what concerns the end comes last."""
        index, of = (end, 0) if breach.unit is None else turns[breach.unit]
        return index, breach.step or 0, of

    places = sorted(set(map(place_of, breaches)))
    rank = {place: len(places) - index for index, place in enumerate(places)}
    much = len(places) * len(breaches) + 1
    return sum((much + rank[place_of(breach)]) * breach.literal for breach in breaches)


def _guilty(breach: DemandBreach, holds: Holds) -> frozenset[str]:
    """Return the units to blame for a breach."""
    return frozenset(breach.demand.blame) - {unit for unit, literal in breach.only if not holds(literal)}


def _dead(
    breach: DemandBreach,
    coupling: Coupling,
    moves: Mapping[str, tuple[int, Move]],
    stacks: Mapping[str, int],
    holds: Holds,
) -> set[str]:
    """Return the enemies whom earlier moves, or earlier steps of the same one, have eliminated: nobody blames the dead."""
    found = set[str]()
    if breach.unit is None:
        return found
    for unit, (_, move) in moves.items():
        variables = coupling.units[unit]
        if stacks[unit] < stacks[breach.unit]:
            found |= {enemy for enemy, literal in variables.reliable_removals.items() if holds(literal)}
        elif stacks[unit] == stacks[breach.unit] and breach.step is not None:
            cleared = {move.path[step] for step in move.overruns if step < breach.step}
            removed = (enemy for enemy, literal in variables.removes.items() if holds(literal))
            found |= {enemy for enemy in removed if coupling.game.homes.get(enemy) in cleared}
    return found


def _inside(breach: DemandBreach, coupling: Coupling, order: Mapping[str, int], holds: Holds) -> set[str]:
    """Return the friends who stand, or may stand, in a hex that should have room when the unit comes."""
    unit, found = breach.unit, set[str]()
    if unit is None:
        return found
    for atom in breach.demand.atoms:
        space = atom.space
        if space is None:
            continue
        for friend in coupling.group(space.group) - {unit} - space.but:
            variables = coupling.units.get(friend)
            moved = variables is not None and friend in order and order[friend] < order[unit]
            if variables is None or not moved:
                here = coupling.game.homes.get(friend) == space.hex
            else:
                here = any(holds(ends[space.hex]) for ends in (variables.ends, variables.stuck) if space.hex in ends)
            if here:
                found.add(friend)
    return found


def _playable(
    scenario: Scenario, plan: Plan, reach: ConditionalReach
) -> tuple[list[Violation], dict[str, tuple[int, Move]]]:
    """Sort out the moves that the model has no form for: it knows one move for each unit, from where it stands."""
    game = scenario.game
    sequence = game.rulebook.sequence
    found: list[Violation] = []
    moves: dict[str, tuple[int, Move]] = {}
    stacks = sequence is not None and sequence.stacks
    for index, move in enumerate(plan.moves):
        over = moved_before(reach, plan, index, move)
        for unit in move.units:
            if not game.may_be_moved(unit):
                found += moved_by_nobody(reach, unit, index, move.path[0])
                break
            fits = (len(move.units) == 1 or stacks) and unit not in moves and game.homes.get(unit) == move.path[0]
            if unit in over or not fits:
                if sequence is not None and sequence.id not in reach.without:
                    text = f"{'+'.join(move.units)} can't make this move: it is no stack that may still move from there"
                    found.append(Violation(sequence.paragraph, unit, index, 0, move.path[0], (), text))
                break
        else:
            moves.update({unit: (index, move.part(unit)) for unit in move.units})
    return found, moves


def _merged(broken: Iterable[Broken], game: Game) -> Iterator[Violation]:
    """Make one violation of the broken demands that have one cause and one place."""
    alike: dict[tuple[object, ...], list[Broken]] = {}
    for one in broken:
        demand = one.demand
        key = (one.unit, one.move, one.step, one.at, demand.source, demand.paragraph, demand.cause, demand.onward)
        alike.setdefault(key, []).append(one)
    for one, *others in alike.values():
        blame = game.sorted(one.guilty.union(*(other.guilty for other in others)))
        what = "can't move on from" if one.demand.onward else "fails in"
        because = f" ({', '.join(blame)})" if blame else ""
        text = f"{one.unit or 'the position'} {what} {one.at}{because}{_reason(game, [one, *others])}"
        yield Violation(one.demand.paragraph, one.unit, one.move, one.step, one.at, blame, text)


def _reason(game: Game, broken: list[Broken]) -> str:
    """Say what rule it is that demands fail, and what would fulfil them as far as others could."""
    demand = broken[0].demand
    rule = game.rulebook.by_id.get(demand.source)
    said = "" if rule is None else rule.summary[:1].lower() + rule.summary[1:].rstrip(".")
    cause = "" if demand.cause.startswith("effect ") else demand.cause
    said += f" ({cause})" if said and cause else cause
    wishes = dict.fromkeys(one.demand.wishes for one in broken)
    # An overrun would do no better if whom it is to overrun were gone.
    if all(wishes) and (rule is None or rule.encounter != "overrun"):
        said += f"; it would do if {'; and if '.join(wishes)}"
    return f": {said}" if said else ""


def lists_all(scenario: Scenario, plan: Plan) -> bool:
    """Tell whether `judge` names everything that is wrong with a plan, and not only enough of it to forbid the plan.

    The model has one move for each unit, and as few demands fail in it as possible: where units make several moves, a hex is
    overrun more than once, or units fight on after a combat, one thing that is wrong hides what would follow from it.
    """
    units = [unit for move in plan.moves for unit in move.units]
    hexes = [move.path[step] for move in plan.moves for step in move.overruns]
    fights = bool(scenario.game.rulebook.of(Fights))
    return len(units) == len(set(units)) and len(hexes) == len(set(hexes)) and not fights


def _in_order(violations: list[Violation]) -> list[Violation]:
    """Put violations in the order of the plan; what concerns the position after it comes last."""
    return sorted(violations, key=lambda v: (v.move is None, v.move or 0, v.step or 0))
