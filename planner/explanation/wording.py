"""Rule instances of destinations, goals and values in words: what a plan breaks that would do what is asked."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from planner.errors import InputError, OutOfTimeError
from planner.explanation.answer import Instance
from planner.explanation.claim import RULE, Claim, counted
from planner.explanation.direct_ways import is_passable
from planner.explanation.needs import Aim
from planner.explanation.relaxation import ALL, Scope, relaxed
from planner.explanation.relaxed_answers import RelaxedAnswers
from planner.explanation.straighter_ways import straighter
from planner.explanation.strongest_overrun import strongest_overruns
from planner.formats.spoken_numbers import spoken_number
from planner.objective.control import Control
from planner.objective.goals import End
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict, Violation
from planner.rules.combat_roles import JointlyOverruns
from planner.rules.roles import Rolls
from planner.scenario import Scenario

LONGEST_WAY = 8
"""Longer ways, and those that are not direct, are named by their ends alone where no way leads there."""


@dataclass(frozen=True)
class RuleBreach:
    """What a plan breaks that would do what is asked if a rule weren't in force somewhere.

    Attributes
    ----------
    scope : Scope
        Where the rule is in force.
    plan : Plan or None
        The plan; None: none is known.
    violation : Violation or None
        What it breaks there, as the referee says it; None: nothing, but what others do.
    in_force : tuple of Scope
        What was in force then.
    """

    scope: Scope
    plan: Plan | None = None
    violation: Violation | None = None
    in_force: tuple[Scope, ...] = ()


class Wording:
    """Puts the members of a set into words that are true on the board as it is, or say that all else is allowed.

    Parameters
    ----------
    scenario : Scenario
        The position.
    scopes : sequence of Scope
        The set.
    probes : RelaxedAnswers
        What is known of the relaxed games.
    barred : collection of str
        The hexes that no combats are sure to open, where that forbids it.
    unhurt : collection of str
        The enemies to whom always nothing may happen, where that does.
    """

    def __init__(
        self,
        scenario: Scenario,
        scopes: Sequence[Scope],
        probes: RelaxedAnswers,
        barred: Collection[str] = (),
        unhurt: Collection[str] = (),
    ) -> None:
        self._scenario, self._scopes, self._probes = scenario, tuple(scopes), probes
        self._barred, self._unhurt = tuple(barred), tuple(unhurt)
        self._relaxed = probes.game_with(scopes)
        self._referees = Referee(scenario.game), Referee(self._relaxed.game)
        self._verdicts: dict[tuple[Referee, Plan], Verdict | None] = {}
        self._dice = {rule.id: rule for rule in scenario.game.rulebook.of(Rolls)}

    def breach(self, scope: Scope, plan: Plan | None, others: Iterable[Plan]) -> RuleBreach:
        """Return what a plan breaks of a rule; of others if none is known that breaks nothing else."""
        united = self._united(scope)
        if united is not None:
            return united
        # Where no plan is known that breaks nothing else, only what this rule says of it is asked.
        in_force = self._scopes if plan is not None else (scope,)
        referee = self._referees[1] if plan is not None else Referee(self._probes.game_with(in_force).game)
        for one in [plan] if plan is not None else others:
            violation = next((v for v in self._violations(referee, one) if scope.fits(v.unit, v.at, v.cost)), None)
            if violation is not None:
                if violation.move is not None:
                    one, violation = self._straighter(one, violation, in_force, referee, scope)
                return RuleBreach(scope, one, violation, in_force)
        return RuleBreach(scope, plan)

    def _straighter(
        self, plan: Plan, broken: Violation, in_force: tuple[Scope, ...], referee: Referee, scope: Scope
    ) -> tuple[Plan, Violation]:
        """Return a plan that breaks the rule, too, in which the unit takes no needless steps, and what it breaks."""
        others = [one for one in in_force if one != scope]

        def breaks(some: Plan) -> Violation | None:
            found = (one for one in self._violations(referee, some) if scope.fits(one.unit, one.at, one.cost))
            return next((one for one in found if (one.unit, one.move) == (broken.unit, broken.move)), None)

        def as_good(some: Plan) -> bool:
            in_time = not self._probes.question.late
            return in_time and breaks(some) is not None and self._probes.works(others, some)

        found = straighter(plan, broken.move or 0, as_good)
        return found, breaks(found) or broken

    def place(self, breach: RuleBreach, helps: bool) -> tuple[bool, bool, bool]:
        """Return what is told after others: of who might help, and of each, dice, and that a way round can't be paid.

        What no combats are sure to do is the plainest, and comes first; the others say why nobody else can come.
        """
        round_about = False
        if breach.scope.pays and breach.plan is not None and breach.violation is not None:
            at = breach.violation.move
            round_about = at is not None and self._is_detour(breach.plan.moves[at])
        dice = breach.violation is None and breach.scope.rule in self._dice and not breach.scope.pays
        if self._barred or self._unhurt:
            return helps, not dice, round_about
        return helps, dice, round_about

    def _is_detour(self, move: Move) -> bool:
        """Tell whether a move is longer than the direct way."""
        straight = self._scenario.game.board.distance(move.path[0], move.end)
        return straight is not None and len(move.path) - 1 > straight

    def _united(self, scope: Scope) -> RuleBreach | None:
        """Return what the strongest overrun in which a unit takes part breaks, if nothing else forbids it."""
        rule = self._scenario.game.rulebook.by_id[scope.rule]
        if not isinstance(rule, JointlyOverruns) or scope.hexes is None or len(scope.hexes) != 1 or scope.pays:
            return None
        if scope.unit is None or scope.unit not in self._scenario.game.homes:
            return None
        [label], movers = scope.hexes, self._probes.movers
        alone = Referee(self._probes.game_with([scope]).game)
        for plan in strongest_overruns(self._scenario.game, rule, scope.unit, label, self._probes.straight_to, movers):
            found = [violation for violation in self._violations(self._referees[0], plan) if violation.move is not None]
            mine = {violation.key: violation for violation in self._violations(alone, plan)}
            first = next((one for one in found if one.key in mine and scope.fits(one.unit, one.at, one.cost)), None)
            if first is not None and all(one.key in mine for one in found):
                return RuleBreach(scope, plan, first, (scope,))
        return None

    def _played(self, referee: Referee, plan: Plan) -> Verdict | None:
        if (referee, plan) not in self._verdicts:
            try:
                self._verdicts[referee, plan] = referee.play(plan, self._scenario.start, rolls=False)
            except InputError:
                self._verdicts[referee, plan] = None
        return self._verdicts[referee, plan]

    def _violations(self, referee: Referee, plan: Plan) -> tuple[Violation, ...]:
        verdict = self._played(referee, plan)
        return () if verdict is None else verdict.violations

    def instance(self, breach: RuleBreach, every: Sequence[RuleBreach]) -> Instance:
        """Return a rule instance in words, given those of the whole set."""
        scope, violation = breach.scope, breach.violation
        rule = self._scenario.game.rulebook.by_id[scope.rule]
        unit = None if scope.unit == ALL else scope.unit
        only = next(iter(scope.hexes)) if scope.hexes is not None and len(scope.hexes) == 1 else None
        if violation is not None and breach.plan is not None:
            found, claim = self._judged(breach.plan, violation, breach.in_force)
            text = found.message
            if scope.pays and found.cost is not None:
                text, claim = self._unpaid(scope, found, claim) or (text, claim)
            if claim.in_force is not None:
                text = f"everything else allowed, {text}"
            if scope.unit == ALL:
                text = f"{rule.summary.rstrip('.')}; for instance, {text}"
                return Instance(scope.rule, found.rule, None, None, found.blame, text, claim=claim)
            place = None if scope.pays else only or found.at
            return Instance(scope.rule, found.rule, unit or found.unit, place, found.blame, text, claim=claim)
        text, blame, claim = "", tuple[str, ...](), RULE
        if self._barred and rule.encounter == "combat":
            blame = tuple(enemy for label in self._barred for enemy in self._scenario.game.enemies_at(label))
            only = only or (self._barred[0] if len(self._barred) == 1 else None)
            text = f"a table decides each combat, and no combats are sure to open {' and '.join(self._barred)}"
            claim = Claim("never_sure")
        elif self._unhurt and rule.encounter == "combat":
            blame, (text, claim) = self._unhurt, self._spared()
            homes = {self._scenario.game.homes[enemy] for enemy in blame}
            only = next(iter(homes)) if len(homes) == 1 else only
        elif scope.pays:
            text, claim = self._price(breach)
        elif unit is not None and scope.rule in self._dice and (claim := self._rolled(breach.plan, unit, only)) != RULE:
            text, blame = self._by_chance(breach, unit, only)
            if claim.in_force is not None:
                text = f"everything else allowed, {text}"
        else:
            text = self._as_others(breach, every) or _in_general(rule.summary, unit, only)
        return Instance(scope.rule, rule.paragraph, unit, only, blame, text, claim=claim)

    def _spared(self) -> tuple[str, Claim]:
        """Say that nothing may happen to some enemies, whoever attacks them: all, or all who might come."""
        game, them = self._scenario.game, " and ".join(self._unhurt)
        labels = {game.homes[enemy] for enemy in self._unhurt}
        try:
            best = self._probes.assault(next(iter(labels))) if len(labels) == 1 < len(self._scopes) else None
        except OutOfTimeError:
            best = None
        if best is None:
            who = "all" if len(self._scopes) == 1 else "all who might come"
            return f"a table decides each combat: even if {who} attack together, {them} may be left unharmed", Claim(
                "never_sure"
            )
        needed = (
            "no strength is sure to do any harm from there"
            if best.enough is None
            else f"it takes {best.enough} to be sure of any harm"
        )
        told = f"even if all who might come attack together, {best}, {them} may be left unharmed"
        if len(best.team) == 1 or not best.of_all:
            told = f"even the strongest attack that might be made, {best}, may leave {them} unharmed"
        claim = counted("falls_short", best.team, most=best.attack, defense=best.defense)
        if best.enough is not None:
            claim = counted("falls_short", best.team, most=best.attack, needed=best.enough, defense=best.defense)
        return f"a table decides each combat: {told}; {needed}", claim

    def _judged(self, plan: Plan, violation: Violation, in_force: tuple[Scope, ...]) -> tuple[Violation, Claim]:
        """Return what the referee says of it: on the board as it is where it says the same, else in the relaxed game."""
        moves = [plan] if violation.move is None else [plan, Plan((plan.moves[violation.move],))]
        for one in moves:
            for found in self._violations(self._referees[0], one):
                same = (found.rule, found.unit, found.at) == (violation.rule, violation.unit, violation.at)
                if same and (found.cost is None) == (violation.cost is None):
                    return found, Claim("breaks", one, found.left, found.cost, amounts=found.amounts)
        return violation, Claim("breaks", plan, violation.left, violation.cost, in_force, violation.amounts)

    def _unpaid(self, scope: Scope, found: Violation, claim: Claim) -> tuple[str, Claim] | None:
        """Say which way a unit can't pay for; None: as the referee says it."""
        unit, moves = found.unit, claim.plan.moves
        if unit is None or found.move is None or any(unit in move.units for move in moves[: found.move]):
            return None  # what it has spent before is in the referee's words
        # Others of the move may go on from where the unit ends.
        move, ma = moves[found.move].part(unit), self._purse(unit)
        asked = self._straight_to_the_end(unit) if scope.unit == unit else None
        # It is where the unit is to end that a player has asked about, and not where it would fight for it.
        elsewhere = asked is not None and move.path[0] == asked.path[0] and move.end != asked.end
        if asked is not None and elsewhere and not self._payable(scope, unit, asked.end):
            text = f"{unit} can't pay for any way from {asked.path[0]} to {asked.end} with {ma}"
            return text, Claim("out_of_reach", Plan((asked,)))
        there, back = move.path[0], move.end
        if scope.unit == unit and there != back and not self._payable(scope, unit, back):
            short = len(move.path) <= LONGEST_WAY and not self._is_detour(move)
            # Nobody would think of a way through a lake.
            short = short and is_passable(self._scenario.game, move.path)
            if not short or claim.in_force is not None:
                text = f"{unit} can't pay for any way from {there} to {back} with {ma}"
                return text, Claim("out_of_reach", Plan((move,)))
        # It goes round what the others of the set forbid.
        bars = any(one.unit in (unit, ALL, None) and not one.pays for one in self._scopes)
        detour = bars and scope.unit == unit and self._is_detour(move)
        if not detour and scope.unit == unit and (there == back or self._payable(scope, unit, back)):
            last = self._as_far_as_asked(move, found.step or 1)  # it gets to its end by another way
            if last < len(move.path) - 1:
                move = move.until(last)
                claim = replace(claim, plan=Plan((*moves[: found.move], move, *moves[found.move + 1 :])))
        # Other rules would bar a way through enemies that aren't overrun, too: it is how far it is that counts.
        entered = {label for step, label in enumerate(move.path[:-1]) if step and step not in move.overruns}
        through = detour and any(map(self._scenario.game.enemies_at, entered))
        if through or len(move.path) > LONGEST_WAY:
            way = f"the way round, of {len(move.path) - 1} steps,"
            return (f"{unit} can't pay for {way} with {ma}", claim) if detour else None
        way = str(Move((unit,), move.path, move.overruns, tuple((step, "") for step, _ in move.carried)))
        way = way.removeprefix(unit).strip()
        after, claim = self._made_dearer(found, claim)
        return f"{unit} can't pay for {f'the way round, {way},' if detour else way} with {ma}{after}", claim

    def _as_far_as_asked(self, move: Move, unpaid: int) -> int:
        """Return up to which step of a move a hex is asked about that may be taken in passing; none is: the last one."""
        goals = [goal for goal in self._probes.question.goals if isinstance(goal, Control)]
        asked = {label for goal in goals for label in goal.hexes}
        last = len(move.path) - 1
        return next((step for step in range(unpaid, last) if move.path[step] in asked), last)

    def _made_dearer(self, found: Violation, claim: Claim) -> tuple[str, Claim]:
        """Say who must have moved before a unit can't pay, such as a friend who negates an EZOC; empty: nobody."""
        *before, move = claim.plan.moves[: (found.move or 0) + 1]
        referee = self._referees[0 if claim.in_force is None else 1]
        for one in tuple(before):
            fewer = [other for other in before if other is not one]
            for less in self._violations(referee, Plan((*fewer, move))):
                same = (less.rule, less.unit, less.at) == (found.rule, found.unit, found.at)
                if same and less.move == len(fewer) and less.cost is not None:
                    before = fewer
                    claim = replace(
                        claim, plan=Plan((*fewer, move)), left=less.left, cost=less.cost, amounts=less.amounts
                    )
                    break
        who = list(dict.fromkeys(unit for one in before for unit in one.units))
        names = f"{', '.join(who[:-1])}{' and ' if who[1:] else ''}{who[-1]}" if who else ""
        return f" once {names} {'have' if who[1:] else 'has'} moved" if who else "", claim

    def _straight_to_the_end(self, unit: str) -> Move | None:
        """Return the straight way of a unit to the one hex in which it is to end; None: nothing of the kind is asked."""
        goals = [goal for goal in self._probes.question.goals if isinstance(goal, End) and goal.unit == unit]
        if len(goals) != 1 or len(goals[0].at) != 1:
            return None
        return self._probes.straight_to(unit, goals[0].at[0])

    def _payable(self, scope: Scope, unit: str, end: str) -> bool:
        """Tell whether a unit might get to a hex if nothing but what it pays counted; where it isn't known, too."""
        try:
            return self._probes.can([scope], Aim(unit, frozenset([end])))
        except OutOfTimeError:
            return True

    def _price(self, breach: RuleBreach) -> tuple[str, Claim]:
        """Say that a unit pays where no plan shows for what."""
        unit = breach.scope.unit
        if unit == ALL or unit is None:
            return "all have to pay for every step out of the MA", RULE
        if breach.plan is not None and any(unit in move.units for move in breach.plan.moves):
            return f"{unit} has to pay for its steps, and what it pays counts", RULE
        mine = "" if self._scenario.game.has_moved(unit) else "its "
        game = self._scenario.game
        claim = counted("rule", mp=game.units[unit].ma - game.spent(unit))
        return f"{unit} has to pay for every step out of {mine}{self._purse(unit)}", claim

    def _purse(self, unit: str) -> str:
        """Return what a unit may spend: its MA, or what is left of it."""
        game = self._scenario.game
        left = f"{spoken_number(game.units[unit].ma - game.spent(unit))} MP"
        return f"the {left} that it has left" if game.has_moved(unit) else left

    def _rolled(self, plan: Plan | None, unit: str, label: str | None) -> Claim:
        """Return that the result is rolled in a hex to which a plan takes a unit; `RULE`: no plan shows it."""
        for referee, in_force in zip(self._referees, (None, self._scopes), strict=True):
            verdict = None if plan is None else self._played(referee, plan)
            if plan is None or verdict is None:
                return RULE
            rolls = ((one.move, roll) for one in verdict.moves if unit in one.move.units for roll in one.rolls)
            if any(roll.chance < 1 and label in (None, move.path[roll.step]) for move, roll in rolls):
                return Claim("by_chance", plan, in_force=in_force)
        return RULE

    def _by_chance(self, breach: RuleBreach, unit: str, label: str | None) -> tuple[str, tuple[str, ...]]:
        """Say what a unit can't count on, and who is to blame: whom it would fight."""
        told = self._dice[breach.scope.rule].chance_told(unit, label)
        if told is not None:
            return told, ()
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
                        self._referees[1].play_move(shorter, until, position.under_way.keys(), index)
                    foes.update(dict.fromkeys(enemy for enemy in until.units_in(at) if game.is_enemy(enemy)))
            self._referees[1].play_move(move, position, position.under_way.keys(), index)
        return game.sorted(foes)

    def _as_others(self, breach: RuleBreach, every: Sequence[RuleBreach]) -> str:
        """Say that a unit uses up what others need as well; empty if there is nothing of that kind."""
        scope = breach.scope
        rule = self._scenario.game.rulebook.by_id[scope.rule]
        rivals = [other for other in every if other.scope.rule == scope.rule and other.scope != scope]
        if scope.unit in (None, ALL) or not rivals:
            return ""
        to = f" to {next(iter(scope.hexes))}" if scope.hexes is not None and len(scope.hexes) == 1 else ""
        return f"{scope.unit} needs {rule.uses_up.format(to=to)} as well" if rule.uses_up else ""


def said(violation: Violation, rule: str, plan: Plan) -> Instance:
    """Return a rule instance as the referee names it when a plan is played."""
    v = violation
    claim = Claim("breaks", plan, v.left, v.cost, amounts=v.amounts)
    return Instance(rule, v.rule, v.unit, v.at or None, v.blame, v.message, v.move, v.step, claim)


def said_by_referee(scenario: Scenario, plan: Plan, violations: Iterable[Violation]) -> list[Instance]:
    """Return rule instances as the referee names them when a plan is played."""
    return [said(violation, rule_that_says(scenario, plan, violation), plan) for violation in violations]


def each_once(instances: Iterable[Instance]) -> Iterator[Instance]:
    """Yield each instance once; of those that say the same, what doesn't name the unit that it binds is made to."""
    said_before: set[str] = set()
    for one in dict.fromkeys(instances):
        named = one.unit is None or re.search(rf"\b{re.escape(one.unit)}\b", one.message) is not None
        yield (
            one
            if named or one.message not in said_before
            else replace(one, message=f"{one.message}, for {one.unit} too")
        )
        said_before.add(one.message)


def rule_that_says(scenario: Scenario, plan: Plan, violation: Violation, otherwise: str | None = None) -> str:
    """Return the id of the rule that reports what a plan breaks: of those of a paragraph, the one that does so alone.

    Where none does, it is what is given, or else the first of them.
    """
    rules = [rule.id for rule in scenario.game.rulebook.rules if rule.paragraph == violation.rule]
    for rule in rules if len(rules) > 1 else ():
        alone = Referee(relaxed(scenario, [Scope(rule)]).game).play(plan, scenario.start, rolls=False)
        if any((one.key, one.message) == (violation.key, violation.message) for one in alone.violations):
            return rule
    return otherwise if otherwise is not None else next(iter(rules), "")


def _in_general(summary: str, unit: str | None, label: str | None) -> str:
    """Say where a rule binds, where no plan shows how."""
    whom = " ".join(([f"for {unit}"] if unit else []) + ([f"in {label}"] if label else []))
    said = summary.rstrip(".")  # as all else that is said, so that it can be gone on with
    return f"{whom}: {said[:1].lower()}{said[1:]}" if whom else said
