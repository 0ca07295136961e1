"""What would have to be different for a destination, a goal or a value to be had."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, pairwise, product

from planner.explanation.answer import Change, Instance, Remedy
from planner.explanation.move_remedies import MORE_MP, MOST_REMEDIES, Remedies, amounts_between
from planner.explanation.needs import Aim
from planner.explanation.plainer_ways import plainer_ways
from planner.explanation.question import Question
from planner.explanation.relaxed_answers import LONGEST_PROBE, RelaxedAnswers
from planner.explanation.scenario_changes import Obstacles, candidates, changed
from planner.objective import Term
from planner.objective.attacks import AttackTerm, Emptied
from planner.objective.goals import Eliminate, End, Stay
from planner.plans.plan import Plan
from planner.reachability.step_rules import StepRules
from planner.reachability.undisturbed import groups_of
from planner.rules.combat_roles import Fights
from planner.rules.game import Game
from planner.rules.roles import Charges
from planner.scenario import Scenario
from planner.scenario.memory import Memory

MOST_PLACES = 6
"""Of so many hexes other ground is tried at most."""

MOST_UNITS = 8
"""For so many units it is tried what they might lack."""

MOST_UNNAMED = 4
"""If no more than so many might move, it is tried for them, too, where no reason names any unit."""

MOST_FOES = 4
"""So many enemies who aren't to blame are tried as absent beside something else."""

MOST_LIKELY = 3
"""So many pairs of enemies who are both to blame are searched for before all other pairs."""

LOOKING_ON = 12
"""Once something is found that would do, of so many others searches tell whether they would do, too."""

FEW_AMOUNTS = 6
"""So many amounts of MP are tried of all units, one after the other, before it is asked who could do with many more."""

OWN = frozenset({"mp", "supplied", "without"})
"""Kinds of changes that concern one unit alone."""


def counterfactuals(scenario: Scenario, question: Question, named: Sequence[Instance]) -> Remedies:
    """Return the fewest things that would have to be different for it to be possible, among those that instances name."""
    singles, foes, every = _singles(scenario, question, named)
    blamed = frozenset(unit for one in named for unit in one.blame)
    return _Counterfactuals(scenario, question, blamed).found(singles, every, foes)


def _singles(
    scenario: Scenario, question: Question, named: Sequence[Instance]
) -> tuple[list[tuple[Change, ...]], list[tuple[Change, ...]], bool]:
    """Return the single things that are tried, each in rising amounts, and whether nothing else might do as well.

    Between them stand enemies who are no help if they alone are gone, and may be beside something else.
    """
    game = scenario.game
    wanted = [*question.goals, *scenario.requirements]
    goal_units = [part.unit for goal in wanted for part in goal.parts() if isinstance(part, End)]
    units = list(dict.fromkeys(i.unit for i in named if i.unit in game.friends and i.unit is not None))
    # Where no more is known than what all of it comes to, anybody may lack something: of many it would take too long.
    lacking = list(dict.fromkeys([*goal_units, *units]))
    anybody = [] if lacking else list(question.relaxed(scenario).movers)
    units = lacking[:MOST_UNITS] if lacking else anybody[: len(anybody) if len(anybody) <= MOST_UNNAMED else 0]
    hexes = [i.hex for i in named if i.hex]
    # Whoever fights somewhere is kept by those who stand there, though it isn't they who forbid that it goes on.
    fought = hexes if game.rulebook.of(Fights) else ()
    blame = [unit for i in named for unit in i.blame] + [enemy for label in fought for enemy in game.enemies_at(label)]
    # Who is to be eliminated, or to stay, isn't wished away, nor who isn't to end somewhere, or stands where nobody is to be
    # left: it would count as done.
    terms = [*wanted, *(term for tier in scenario.tiers if question.value for term in tier.terms)]
    parts = [part for term in terms for part in term.parts()]
    targets = {unit for part in parts if isinstance(part, (Eliminate, Stay)) for unit in part.units}
    targets |= {part.unit for part in parts if isinstance(part, End) and not part.at}
    emptied = [label for part in parts if isinstance(part, Emptied) for label in part.hexes or game.board.places]
    targets |= {enemy for label in emptied for enemy in game.enemies_at(label)}
    singles, foes = list[tuple[Change, ...]](), list[tuple[Change, ...]]()
    aims = [aim for need in question.needs(scenario) for aim in need]
    attacked = list(dict.fromkeys(label for part in parts for label in _attacked(part, game)))[:MOST_PLACES]
    places = list(dict.fromkeys([*hexes, *(label for aim in aims for label in aim.ends)]))[:MOST_PLACES]
    places += [label for label in attacked if label not in places]
    sides = [(near, label) for label in places if label in game.board.hexes for near in game.board.neighbours[label]]
    # On large maps that takes longer than a limit may be exceeded.
    late = question.late
    dear, across = ([], []) if late else _dear(game, units, aims, named)
    places = [*places, *dear[:MOST_PLACES]]
    sides = [*sides, *(side for side in across[:MOST_PLACES] if side not in sides and side[::-1] not in sides)]
    hopeless = question.relaxed(scenario).hopeless()
    richer = dict.fromkeys(units, Fraction(1))
    barred = list(dict.fromkeys([*hexes[:MOST_PLACES], *attacked]))
    met = Obstacles(units, [*places, *_left(named)], blame, richer, sides, barred, goal_units)
    for change in candidates(game, met):
        if change.kind == "gone" and change.what in targets:
            continue
        foe = change.kind == "gone" and change.what in game.units and game.is_enemy(change.what)
        if foe and hopeless and change.what not in blame:
            foes.append((change,))  # what they had to do with it was granted already
            continue
        more = MORE_MP[:FEW_AMOUNTS] if change.kind == "mp" else (1,)
        singles.append(tuple(replace(change, amount=Fraction(number)) for number in more))
    every = max(len(dear), len(across)) <= MOST_PLACES and len(lacking or anybody) <= len(units)
    if late or (question.limits.hurried.is_set() and not any(one.rule for one in named)):
        every = False  # with more time rules might have been named, and what else they tell to try
    return singles, foes[:MOST_FOES], every


def _attacked(part: Term, game: Game) -> list[str]:
    """Return the hexes attacks on which count, whose ground may be what makes these too weak."""
    if not isinstance(part, AttackTerm) or part.sign < 0:
        return []
    named = getattr(part, "targets", ()) or getattr(part, "hexes", ())
    enemies = (unit for unit in game.homes if game.is_enemy(unit))
    return [game.homes.get(name, name) for name in named or enemies]


def _dear(
    game: Game, units: Sequence[str], aims: Sequence[Aim], named: Sequence[Instance]
) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the hexes, and the hexsides, whose price matters to units of which it is named that they pay."""
    paying = {rule.id for rule in game.rulebook.of(Charges)}
    payers = {one.unit for one in named if one.rule in paying}
    hexes, sides = list[str](), list[tuple[str, str]]()
    for unit in units:
        if unit in payers or None in payers:
            told = (move for one in named if one.unit == unit and one.rule in paying for move in one.claim.plan.moves)
            ends = {label for aim in aims if aim.unit == unit for label in aim.ends}
            cheaper, without = plainer_ways(game, unit, ends | {move.end for move in told if unit in move.units})
            hexes, sides = hexes + cheaper, sides + without
    return list(dict.fromkeys(hexes)), list(dict.fromkeys(sides))


def _left(named: Sequence[Instance]) -> list[str]:
    """Return the hexes from which steps are barred of which neither an enemy nor their price is to blame: it may be them."""
    barred = [one for one in named if one.claim.kind == "breaks" and not one.blame and one.claim.cost is None]
    steps = ((one.hex, step) for one in barred for move in one.claim.plan.moves for step in pairwise(move.path))
    return list(dict.fromkeys(origin for label, (origin, to) in steps if to == label))[:MOST_PLACES]


@dataclass
class _Counterfactuals:
    """Tries what would have to be different, fewest things first."""

    scenario: Scenario
    question: Question
    blamed: frozenset[str] = frozenset()
    # What has been listed of other positions: most steps are the same in all of them.
    kept: Memory = field(default_factory=Memory)

    def found(
        self, singles: Sequence[tuple[Change, ...]], settled: bool = True, foes: Sequence[tuple[Change, ...]] = ()
    ) -> Remedies:
        """Return what would do: single things, the least of them first, and pairs where no single thing does.

        `settled`: none are left out of which some may do, too; `foes`: what may do with one of them, never by itself.
        """
        for amount in range(max(map(len, singles), default=0)):
            found = self._of([(changes[amount],) for changes in singles if amount < len(changes)])
            if found.named or self.question.late:
                return _if_settled(replace(found, named=[self._with_part(remedy) for remedy in found.named]), settled)
            settled = settled and found.beside.none
        much = self._with_much(singles)
        if much.named or self.question.late:
            return _if_settled(much, settled)
        settled = settled and much.beside.none
        pairs = [(one[-1], other[-1]) for one, other in (*combinations(singles, 2), *product(singles, foes))]
        likely = [pair for pair in pairs if all(one.kind == "gone" and one.what in self.blamed for one in pair)]
        pairs = [*likely, *(pair for pair in pairs if pair not in likely)]
        found = self._of(pairs, most=MOST_REMEDIES, at_once=len(likely[:MOST_LIKELY]))
        amounts = {changes[-1]: changes for changes in (*singles, *foes)}
        named = [self._as_its_plan_needs(self._with_less(one, amounts)) for one in found.named]
        fewest = min((len(remedy.changes) for remedy in named), default=0)
        some = {frozenset(one.changes): one for one in reversed(named) if len(one.changes) == fewest}
        settled = settled and len(some) == len(named)
        # One of two things is among what is named; what else is in the way once it is different may be anything.
        beside = replace(found.beside, none=found.beside.none and not some)
        return _if_settled(replace(found, named=_with_least_mp([*reversed(some.values())]), beside=beside), settled)

    def _with_much(self, singles: Sequence[tuple[Change, ...]]) -> Remedies:
        """Return which units' MP alone would do if they had many more, with the least that does; the others need as many."""
        much = [changes[-1] for changes in singles if changes[-1].kind == "mp"]
        found = self._of([(replace(change, amount=Fraction(MORE_MP[-1])),) for change in much])
        amounts = range(MORE_MP[FEW_AMOUNTS - 1] + 1, MORE_MP[-1])
        named = list[Remedy]()
        for remedy in found.named:
            less = [replace(remedy.changes[0], amount=Fraction(amount)) for amount in amounts]
            named.append(self._with_part(self._first_of(remedy, 0, less)))
        least = min(map(_mp, named), default=Fraction(0))
        return replace(found, named=[remedy for remedy in named if _mp(remedy) == least])

    def _as_its_plan_needs(self, remedy: Remedy) -> Remedy:
        """Return a remedy without changes that its plan does without, and with no more MP than that needs.

        The referee tells so when no time is left to look for other plans.
        """

        def enough(changes: tuple[Change, ...]) -> bool:
            return self.question.fulfilled(changed(self.scenario, changes), remedy.plan)

        needed = remedy.changes
        for change in remedy.changes:
            others = tuple(one for one in needed if one is not change)
            if others and enough(others):
                needed = others
            elif change.kind == "mp":
                amounts = amounts_between(self.scenario.game, Fraction(0), change.amount)
                less = (
                    tuple(replace(one, amount=amount) if one is change else one for one in needed) for amount in amounts
                )
                needed = next(filter(enough, less), needed)
        return remedy if needed == remedy.changes else replace(remedy, changes=needed, fewest=False)

    def _with_less(self, remedy: Remedy, amounts: dict[Change, tuple[Change, ...]]) -> Remedy:
        """Return a remedy with as little of each thing as is known to do."""
        for index, change in enumerate(remedy.changes):
            remedy = self._with_part(self._first_of(remedy, index, amounts[change][:-1]), index)
        return remedy

    def _with_part(self, remedy: Remedy, index: int = 0) -> Remedy:
        """Return a remedy with a part of the last MP of one of its changes, where that is enough."""
        change = remedy.changes[index]
        some = amounts_between(self.scenario.game, change.amount - 1, change.amount) if change.kind == "mp" else []
        return self._first_of(remedy, index, [replace(change, amount=amount) for amount in some])

    def _first_of(self, remedy: Remedy, index: int, instead: Sequence[Change]) -> Remedy:
        """Return a remedy with the first of some changes that does in place of one of its own; if none does, as it is.

        Where it isn't known of all before it that they wouldn't do, less may do.
        """
        for less in instead:
            changes, found = (*remedy.changes[:index], less, *remedy.changes[index + 1 :]), dict[int, Remedy]()
            if self.question.late or not self._tried(0, changes, self._relaxed(changes), found, False):
                remedy = replace(remedy, fewest=False)
            if self.question.late:
                break
            if found:
                return replace(found[0], fewest=remedy.fewest)
        return remedy

    def _of(self, sets: Sequence[tuple[Change, ...]], most: int | None = None, at_once: int = 0) -> Remedies:
        """Return which sets of things would do, all of them as cheap; where so many are enough, others may do as well.

        So many of them are searched for before what single units can do is asked of the others.
        """
        found: dict[int, Remedy] = {}
        unsettled: list[tuple[int, RelaxedAnswers]] = []
        # What single units can do is soon known.
        for number, changes in enumerate(sets):
            if self.question.late or (most is not None and len(found) == most):
                return _ordered(found, False)
            probes = self._relaxed(changes)
            if not self._tried(number, changes, probes, found, number >= at_once):
                unsettled.append((number, probes))
        settled, others = True, 0
        for number, probes in unsettled:
            others += bool(found)
            if self.question.late or others > LOOKING_ON or (most is not None and len(found) == most):
                return _ordered(found, False)
            settled = self._tried(number, sets[number], probes, found, False) and settled
        return _ordered(found, settled)

    def _relaxed(self, changes: Sequence[Change]) -> RelaxedAnswers:
        other, touched = replace(changed(self.scenario, changes), memory=self.kept), [one.what for one in changes]
        own = all(change.kind in OWN for change in changes) and _same_to_others(self.scenario.game, other.game, touched)
        base = self.question.relaxed(self.scenario)
        return RelaxedAnswers(self.question, other, base, touched if own else None)

    def _tried(
        self, number: int, changes: tuple[Change, ...], probes: RelaxedAnswers, found: dict[int, Remedy], quick: bool
    ) -> bool:
        """Tell whether it is known if some changes do; if they do, they are among what is found."""
        possible, plan = probes.ask(None, quick=quick, work=LONGEST_PROBE)
        other = changed(self.scenario, changes)
        if possible and plan is not None and self.question.fulfilled(other, plan):
            found[number] = self._told(other, changes, plan)
        return possible is not None

    def _told(self, other: Scenario, changes: tuple[Change, ...], plan: Plan) -> Remedy:
        """Return changes that would do; for one unit that is asked about, with the moves of others that it needs, too."""
        goals = self.question.goals
        if len(goals) != 1 or not isinstance(goal := goals[0], End):
            return Remedy((), changes, plan, True)
        helpers = tuple(move for move in plan.moves if goal.unit not in move.units)
        for move in helpers:
            fewer = Plan(tuple(one for one in plan.moves if one is not move), plan.attacks)
            if self.question.fulfilled(other, fewer):
                plan = fewer
        return Remedy(tuple(move for move in helpers if move in plan.moves), changes, plan, True)


def _same_to_others(game: Game, other: Game, units: Sequence[str]) -> bool:
    """Tell whether units that differ are to all others what they were: they help, or move out of the way, or they don't."""
    before, after = StepRules(game), StepRules(other)
    move = all(before.may_begin(unit) is after.may_begin(unit) for unit in units)
    return move and groups_of(game) == groups_of(other)


def _with_least_mp(remedies: Sequence[Remedy]) -> list[Remedy]:
    """Return remedies without those for which the same units would need more MP, beside as many things of the same kinds."""
    least: dict[tuple[tuple[str, str], ...], Fraction] = {}
    needs = [
        (tuple((one.kind, one.what if one.kind == "mp" else "") for one in remedy.changes), _mp(remedy))
        for remedy in remedies
    ]
    for kinds, mp in needs:
        least[kinds] = min(mp, least.get(kinds, mp))
    return [remedy for remedy, (kinds, mp) in zip(remedies, needs, strict=True) if mp == least[kinds]]


def _mp(remedy: Remedy) -> Fraction:
    return sum((change.amount for change in remedy.changes if change.kind == "mp"), Fraction(0))


def _if_settled(found: Remedies, settled: bool) -> Remedies:
    """Return remedies; where fewer things, or less of them, weren't settled, they may not be the fewest, nor all.

    Nothing is fewer than one thing of which there can't be less.
    """
    if settled:
        return found
    least = [len(remedy.changes) == 1 and remedy.changes[0].kind != "mp" for remedy in found.named]
    named = [replace(one, fewest=one.fewest and sure) for one, sure in zip(found.named, least, strict=True)]
    return replace(found, named=named, beside=replace(found.beside, none=False))


def _ordered(found: dict[int, Remedy], all_: bool) -> Remedies:
    """Return what was found in the order in which it was to be tried."""
    return Remedies.of([found[number] for number in sorted(found)], all_)
