"""A plan judged moment by moment, for games in which units may break off their moves and go on later.

What the solver's faces of the rules demand of each step is held against what has happened before it. No face of the referee
is asked. Only the position after the last move needs a model, as `judge` has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import prod
from typing import TYPE_CHECKING, cast

from planner.plans.plan import Move, Plan, units_of
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.step_rules import Step, Tally
from planner.referee.verdict import Violation
from planner.rules.atoms import NEVER, Early
from planner.rules.combat_roles import Committed, Fights, JointlyOverruns
from planner.rules.combat_table import Aftermath
from planner.rules.demands import Arc, Before, Demand, control_of
from planner.rules.game import Game
from planner.rules.roles import Caps, Captures, Commands, Overruns, Sequences
from planner.solver.judged_passages import Passages, carriers_of
from planner.solver.moment import StepMoment
from planner.solver.who_may_move import moved_before, moved_by_nobody
from planner.world.board import NOTHING
from planner.world.carrier_assignment import assign_carriers
from planner.world.forces import Unit
from planner.world.position import Leg

if TYPE_CHECKING:
    from planner.rules.atoms import Carried

_Drawn = tuple[int, int] | None
"""The damage that a combat is written to have done; None: it isn't."""


@dataclass
class _Walker:
    """A unit under way.

    Attributes
    ----------
    at : str
        Where it stands.
    spent : int
        MP spent in the phase, scaled.
    steps : int
        How many steps it has made.
    before : Before
        What its last step was.
    tally : tuple of int
        What rules have added up of its steps.
    pending : list of (Demand, int, str)
        What moving on needs, with the index of the hex in the path of the present move, and the hex.
    """

    at: str
    spent: int = 0
    steps: int = 0
    before: Before = None
    tally: Tally = ()
    pending: list[tuple[Demand, int, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Broken:
    """A demand that isn't fulfilled: by a unit, on a step of a move, or, without them, by the position in the end."""

    unit: str | None
    move: int | None
    step: int | None
    at: str
    demand: Demand
    guilty: frozenset[str]


def _place(demand: Demand, arc: Arc, number: int) -> int:
    return number - 1 if demand.at == arc.origin else number


def _rank(game: Game, result: Aftermath) -> tuple[object, ...]:
    """Order what a combat may lead to, the best for the attackers first."""
    own, place = game.friends, game.order
    ours, theirs = result.eliminated & own, result.eliminated - own
    hurt, hurt_foes = result.shaken & own, result.shaken - own
    names = sorted((place[unit], label) for unit, label in result.back)
    return (not result.good, len(ours), len(hurt), -len(theirs), -len(hurt_foes), sorted(result.eliminated), names)


def _takes(reach: ConditionalReach, enemy: Unit, label: str, holder: str | None) -> bool:
    """Tell whether an enemy who is driven into a place takes it from who has it."""
    place, weather = reach.game.board.places[label], reach.game.weather(label)
    return holder not in reach.game.rulebook.forces.allies_of(enemy.side) and any(
        rule.by.matches(enemy) and rule.where.matches(place, weather) for rule in reach.of(Captures)
    )


class Moments:
    """Everything that a plan breaks, but for the position after its last move.

    Parameters
    ----------
    reach : ConditionalReach
        The steps with what the rules say of them.
    plan : Plan
        The moves.
    script : sequence of Aftermath
        What each roll leads to, that of a combat or of whether units bog down, one after another; those beyond it lead to
        the best.
    as_played : bool
        Whether moves that are illegal once something has come out otherwise than best are left out, as in play.

    Attributes
    ----------
    reach : ConditionalReach
        The steps as they are by now, with the enemies where combats have driven them.
    walkers : dict from units to _Walker
        How far each unit has got.
    gone : set of str
        Who, and what, has been eliminated or taken.
    lost : dict of str
        What enemies have taken who were driven there: whose it is by now, unless it is taken again.
    unplayable : list of Violation
        Moves that can't be made at all.
    broken : list of Broken
        What else is wrong, in order.
    shaken : set of str
        Who has been demoralized.
    probability : Fraction
        How likely it is that its rolls come out so.
    crossroads : list of list of Aftermath
        Of each roll, in order, everything that it may lead to, the best for those who move first.
    results : list of ((int, int), bool)
        The move and the step for which each of them is made, and whether it comes out well.
    doubtful : bool
        Whether an overrun may fail, which is more than is gone through here.
    """

    def __init__(
        self, reach: ConditionalReach, plan: Plan, script: Sequence[Aftermath] = (), as_played: bool = False
    ) -> None:
        self.reach, self._plan = reach, plan
        self._script = list(script)
        self._combat = next(iter(reach.of(Fights)), None)
        self._enemy_at = {unit: label for unit, label in reach.game.homes.items() if reach.game.is_enemy(unit)}
        self.shaken: set[str] = set()  # who has been before has the trait of it
        self._dead: set[str] = set()
        self.lost: dict[str, str] = {}
        self.crossroads: list[list[Aftermath]] = []
        self.results: list[tuple[tuple[int, int], bool]] = []
        self.probability, self._strayed = Fraction(1), False
        self.doubtful = False
        self._game: Game = reach.game
        self._groups = {name: members for rule in reach.rules for name, members in rule.groups(self._game).items()}
        self._ways: set[str] = set()
        self._used: set[str] = set()
        begun = reach.game.begun
        self._failed: set[str] = set()
        self._entered = set[tuple[str, str, str]]() if begun is None else set(begun.position.entered)
        self._committed: Committed = frozenset([frozenset()]) if begun is None else begun.position.committed
        self._index = 0
        self.gone: set[str] = set()
        self.walkers: dict[str, _Walker] = {}
        given = (pair for rule in reach.of(Commands) for pair in rule.given(reach.game))
        self._ordered = [Leg(unit, 0, ((atom.zone, tuple(atom.by)),)) for unit, atom in given]
        self._passages = Passages(() if begun is None else begun.position.legs)
        self.unplayable: list[Violation] = []
        self.broken: list[Broken] = []
        for self._index, move in enumerate(plan.moves):
            wrong = list(self._not_playable(move))
            self.unplayable += wrong
            if wrong:
                continue
            before, known = self._state() if as_played and self._strayed else None, len(self.broken)
            made = self._make(move)
            illegal = len(self.broken) > known
            self._halt(made)
            if before and (illegal or (made is move and len(self.broken) > known)):
                self.__dict__.update(before)

    def _state(self) -> dict[str, object]:
        """Return a copy of everything that moves change."""
        changing = {name: copy(value) for name, value in self.__dict__.items() if isinstance(value, dict | set | list)}
        changing["walkers"] = {unit: replace(walker) for unit, walker in self.walkers.items()}
        return changing | {
            name: self.__dict__[name] for name in ("_committed", "probability", "_game", "reach", "_passages")
        }

    def where(self, unit: str) -> str | None:
        """Return where a unit of either side is; None: off the map."""
        if self._game.is_enemy(unit):
            return self._enemy_at.get(unit)
        if unit in self._dead:
            return None
        return self.walkers[unit].at if unit in self.walkers else self._game.homes.get(unit)

    def _not_playable(self, move: Move) -> Iterable[Violation]:
        game, label = self._game, move.path[0]
        sequence = next(iter(self.reach.of(Sequences)), None)
        for unit in move.units:
            if not game.may_be_moved(unit):
                yield from moved_by_nobody(self.reach, unit, self._index, label)
                return
            if sequence is None:
                continue
            over = unit in self.walkers and not sequence.lets_wait(game.units[unit])
            over = over or unit in moved_before(self.reach, self._plan, self._index, move)
            if over or (len(move.units) > 1 and not sequence.stacks) or self.where(unit) != label:
                text = f"{'+'.join(move.units)} can't make this move"
                yield Violation(sequence.paragraph, unit, self._index, 0, label, (), text)
                return

    def _is_ordered(self, unit: str, demand: Demand) -> bool:
        """Tell whether an order is left for a unit that sets out, if it needs one; then it has it."""
        asked = [cast("Carried", atom) for atom in demand.atoms if atom.boards]
        wanted = [(atom.zone, tuple(atom.by)) for atom in asked]
        if wanted and assign_carriers([*self._ordered, Leg(unit, 0, (wanted[0],))]) is None:
            return False
        self._ordered += [Leg(unit, 0, (wanted[0],))] if wanted else []
        return True

    def _make(self, move: Move) -> Move:
        """Make a move, and return it as far as it gets."""
        for unit in move.units:
            if begins := unit not in self.walkers:
                departure = self.reach.departed(unit)
                pending = [(demand, 0, move.path[0]) for demand in departure.pending]
                tally = self.reach.tally_before(self._game.units[unit])
                walker = _Walker(move.path[0], departure.spent, departure.steps, departure.before, tally, pending)
                self.walkers[unit] = walker
            walker = self.walkers[unit]
            walker.pending = [(demand, 0, move.path[0]) for demand, _, _ in walker.pending]
            if begins:
                for demand in self.reach.pick_up(unit):
                    self._check(unit, demand, 0, move.path[0], move.units)
                    if not self._is_ordered(unit, demand):
                        self.broken.append(Broken(unit, self._index, 0, move.path[0], demand, NOTHING))
        ways: set[str] = set()
        for number, to in enumerate(move.path[1:], 1):
            here = [unit for unit in move.units if move.last_step(unit) >= number]
            steps = {unit: self._step(unit, move, number, here) for unit in here}
            if bogs := self._bogs_down(move, steps, number):
                move = replace(move.until(number), failed=True)
                steps = {unit: self._step(unit, move, number, here) for unit in here}
            first = steps[here[0]].arc
            team = [self._game.units[unit] for unit in here]
            for rule in self.reach.rules:
                # Who can support an overrun, or its defenders, as things stand now is seen to in `_check_resources`.
                for demand in rule.together_demands(self._game, team, first):
                    if demand.cause.startswith("support ") or demand.cause in ("can't fail", "margin"):
                        continue
                    self._check(here[0], demand, _place(demand, first, number), demand.at or to, here)
            if first.overrun:
                known = first.fails or number <= move.made
                self.doubtful = self.doubtful or not (known or self.reach.chance(team, first) == 1)
                self._check_resources(here[0], first, number, team)
            ways.add(first.way)
            had = control_of(to) in self.gone
            self._carry_out(steps, {unit: self._readings(unit, move, number) for unit in here}, number)
            if self._combat is not None:
                damage = move.damage if number == len(move.path) - 1 else None
                self._fight(self._combat, here, first, number, damage, had)
            if bogs:
                break
        self._ways |= ways
        for unit in move.units:
            self._settle_stops(unit, [other for other in move.units if self.where(other) == self.where(unit)])
        return move

    def _settle_stops(self, unit: str, here: Sequence[str]) -> None:
        """Let what must stop a unit that has moved stop it for good: what others do while it waits comes too late."""
        walker = self.walkers[unit]
        walker.pending = [
            (replace(demand, any_of=NEVER) if demand.onward else demand, step, at)
            for demand, step, at in walker.pending
            if not (demand.onward and self._holds_any(unit, demand, here))
        ]

    def _halt(self, move: Move) -> None:
        """Note what is wrong with where the units of a move have ended it, unless it began there."""
        groups: dict[str, list[str]] = {}
        for unit in move.units:
            if unit not in self._dead and self.walkers[unit].at != move.path[0]:
                groups.setdefault(self.walkers[unit].at, []).append(unit)
        for label, those in groups.items():
            last = move.last_step(those[0])
            step = max((i for i in range(last + 1) if move.path[i] == label), default=last)
            for rule in self.reach.limiting_halts:
                for demand in rule.halt_demands(self._game, [self._game.units[unit] for unit in those], label):
                    self._check(those[0], demand, step, label, those)

    def _bogs_down(self, move: Move, steps: Mapping[str, Step], number: int) -> bool:
        """Tell whether those who make a step bog down on it, by a roll of which the plan doesn't say what it has come to."""
        if number <= move.made or (move.failed and number == len(move.path) - 1):
            return False
        rolls = (
            self.reach.roll_of(self._game.units[unit], step.arc, self.walkers[unit].steps + 1)
            for unit, step in steps.items()
        )
        on = prod(rolls, start=Fraction(1))
        if on == 1:
            return False
        choices = [
            Aftermath(good, NOTHING, NOTHING, frozenset(), chance) for good, chance in ((True, on), (False, 1 - on))
        ]
        return not self._rolled_for(choices, number).good

    def _rolled_for(self, choices: list[Aftermath], number: int) -> Aftermath:
        """Return what a roll for a step leads to: what the script says, or, beyond its end, the best that there is."""
        index = len(self.crossroads)
        self.crossroads.append(choices)
        result = self._script[index] if index < len(self._script) else choices[0]
        self.results.append(((self._index, number), result.good))
        self._strayed = self._strayed or result != choices[0]
        self.probability *= result.probability
        return result

    def _fight(self, rule: Fights, here: Sequence[str], arc: Arc, number: int, damage: _Drawn, had: bool) -> None:
        """Let a combat come out as the script says, or, beyond its end, first; `had`: whether its place had been taken."""
        units = self._game.units
        for unit in here:  # what the combat asks for follows from where the enemies are now
            walker = self.walkers[unit]
            walker.pending = [entry for entry in walker.pending if entry[0].source != rule.id]
        foes = [units[enemy] for enemy in self._game.sorted(e for e, at in self._enemy_at.items() if at == arc.to)]
        team = [units[unit] for unit in self._game.sorted(unit for unit in here if unit not in self._dead)]
        if not foes or not team or arc.origin not in self._game.board.neighbours[arc.to]:
            if damage is not None and team:
                self._check(team[0].id, rule.undrawn(), number, arc.to, ())
            return

        def held(label: str, alive: Sequence[Unit]) -> bool:
            there = [one for one in units if self.where(one) == label]
            return any(self._game.opposed(foe.id, one) for foe in alive for one in there)

        choices = rule.aftermath(self._game, team, foes, arc, self.shaken, held)
        choices = sorted(choices, key=partial(_rank, self._game))
        if damage is not None:
            known = [choice for choice in choices if damage in choice.entries]
            if not known:
                self._check(team[0].id, rule.undrawn(), number, arc.to, ())
            choices = known or choices[:1]
        result = self._rolled_for(choices, number)
        self.shaken |= result.shaken
        self._dead |= result.eliminated
        for enemy in result.eliminated & self._enemy_at.keys():
            del self._enemy_at[enemy]
        for unit, label in result.back:
            if unit in self._enemy_at:
                self._enemy_at[unit] = label
                ours, control = control_of(label) in self.gone, self._game.situation.control
                holder = None if ours else self.lost.get(label, control.get(label))
                if _takes(self.reach, units[unit], label, holder):
                    self.gone.discard(control_of(label))
                    self.lost[label] = units[unit].side
            else:
                self.walkers[unit].at = label
        if not had and arc.to in self._enemy_at.values():
            self.gone.discard(control_of(arc.to))  # thrown back, nobody has taken it
        for unit in here:
            self.walkers[unit].pending.append((rule.fought(), number, arc.to))
        self._look_again()

    def _look_again(self) -> None:
        """Let the rules see the enemies where they stand after a combat: what they bar and hold is there from now on."""
        game, at, situation = self._game, self._enemy_at, self._game.situation
        homes = {unit: at.get(unit, home) for unit, home in game.homes.items() if unit in at or not game.is_enemy(unit)}
        held = {**situation.control, **self.lost}
        if homes != game.homes or held != situation.control:
            without = self.reach.without
            key = "judged after a combat", without, tuple(homes.items()), tuple(self.lost.items())
            after = replace(game, homes=homes, situation=replace(situation, control=held), _cache={})
            now = game.cached(key, lambda: ConditionalReach(after, without=without))
            self.reach, self._game = now, now.game

    def _step(self, unit: str, move: Move, number: int, here: Sequence[str]) -> Step:
        """Return the cheapest form of a step that can be had, and note what is wrong with it."""
        reach, walker, counter = self.reach, self.walkers[unit], self._game.units[unit]
        fails = move.failed and number == len(move.path) - 1
        arcs = self._readings(unit, move, number)
        arc = next((one for one in arcs if carriers_of(reach, counter, one)), arcs[0])
        arc = replace(arc, support=move.supporters(number), fails=fails, hexes=walker.steps + 1 if fails else 0)
        possible = [
            step
            for step in reach.variants(counter, arc)
            if all(self._holds_any(unit, demand, here) for demand in step.now if demand.choice)
        ]
        step = min(possible, key=lambda one: one.cost)
        for demand, index, at in walker.pending:
            if not demand.lapses(arc.victims):
                self._check(unit, demand, index, at, here)
        for demand in step.now:
            self._check(unit, demand, _place(demand, arc, number), demand.at or arc.to, here)
        self._check_budget(unit, step, number)
        return step

    def _check_budget(self, unit: str, step: Step, number: int) -> None:
        reach, walker, counter = self.reach, self.walkers[unit], self._game.units[unit]
        first = not walker.steps
        had = walker.tally
        exempt = reach.exempt(counter, step, walker.spent, had, first) is not None
        total, label = reach.total(counter, step, walker.spent), step.arc.to
        if (demand := reach.exhausted(counter, step, walker.spent, had, first)) is not None:
            self._check(unit, demand, number, label, ())
        tally = reach.added(counter, had, step)
        for demand in reach.exceeded(counter, had, tally, label):
            self._check(unit, demand, number, label, ())
        if exempt:
            return
        if not reach.covers(counter, step, total, had, tally):
            wrong, excepting = reach.budget(counter), reach.excepting(counter, step, first)
            if excepting is not None and walker.spent >= reach.least_before(counter, step):
                # It is the exemption that excepts overruns, where it would allow the step otherwise.
                left = first or reach.some_left(counter, reach.on_foot(step), walker.spent, had)
                wrong = excepting if left else wrong
            if wrong is not None:
                self._check(unit, wrong, number, label, ())
            return
        for rule in reach.of(Caps):
            limit = rule.entry_limit(self._game, counter, label)
            if limit is not None and total > limit[0] * reach.scale:
                self._check(unit, limit[1], number, label, ())

    def _check_resources(self, unit: str, arc: Arc, number: int, team: Sequence[Unit]) -> None:
        """Note support given twice, too much of it on the other side, and a hex tried again."""
        for rule in self.reach.of(JointlyOverruns):
            if all(enemy in self.gone for enemy in rule.victims(self._game, arc.victims or ())):
                continue  # that nobody is there to be overrun is said already
            opposed, self._committed = rule.opposed(self._game, team, arc, self.gone, self._committed)
            for demand in opposed:
                self._check(unit, demand, number, arc.to, ())
            if rule.failure_is_final and arc.to in self._failed:
                demand = Demand(rule.paragraph_of_failure, NEVER, arc.victims or (), cause="again", source=rule.id)
                self._check(unit, demand, number, arc.to, ())
            for helper in arc.support:
                place = self.where(helper)
                able = place is not None and rule.supports_from(self._game, helper, place, arc.to)
                if not able or helper in self._used:
                    demand = Demand(rule.support_paragraph, NEVER, cause=f"support {helper}", source=rule.id)
                    self._check(unit, demand, number, arc.to, ())

    def _carry_out(self, steps: dict[str, Step], arcs: Mapping[str, Sequence[Arc]], number: int) -> None:
        reach = self.reach
        for unit, step in steps.items():
            walker, arc, counter = self.walkers[unit], step.arc, self._game.units[unit]
            self._passages, aboard = self._passages.after(reach, counter, arcs[unit], walker.steps)
            if not aboard:
                boarding = next(one for one in step.now if any(atom.boards for atom in one.atoms))
                self.broken.append(Broken(unit, self._index, number, arc.to, boarding, NOTHING))
            overdraft, had = reach.exempt(counter, step, walker.spent, walker.tally, not walker.steps), walker.tally
            walker.tally = reach.added(counter, walker.tally, step)
            walker.spent, walker.steps = reach.total(counter, step, walker.spent), walker.steps + 1
            walker.before = reach.after(arc)
            self._used.update(arc.support)
            if arc.fails and arc.overrun:
                self._failed.add(arc.to)
                final = [rule.paragraph_of_failure for rule in reach.of(Overruns) if rule.failure_is_final]
                if final:
                    over = Demand(final[0], NEVER, onward=True, cause="failed")
                    walker.pending = [(over, number - 1, arc.origin)]
                continue
            self.gone.update(step.removes)
            atoms = (atom for demand in step.now for atom in demand.atoms)
            self._entered |= {(atom.rule, atom.hex, unit) for atom in atoms if isinstance(atom, Early)}
            walker.at = arc.to
            walker.pending = [(demand, number, arc.to) for demand in step.onward]
            if overdraft is not None and not reach.covers(counter, step, walker.spent, had, walker.tally):
                walker.pending.append((overdraft, number, arc.to))

    def _readings(self, unit: str, move: Move, number: int) -> list[Arc]:
        return self._passages.readings(self.reach, self._game.units[unit], move, number, self.walkers[unit].before)

    # -- what holds now

    def _check(self, unit: str, demand: Demand, step: int, at: str, here: Sequence[str]) -> None:
        if not demand.choice and not self._holds_any(unit, demand, here):
            guilty = frozenset(demand.blame) - self.gone | self._inside(unit, demand, here)
            self.broken.append(Broken(unit, self._index, step, at, demand, guilty))

    def _inside(self, unit: str, demand: Demand, here: Sequence[str]) -> frozenset[str]:
        """Return the friends who stand in a hex that should have room for the unit."""
        found: set[str] = set()
        for atom in demand.atoms:
            if (space := atom.space) is not None:
                others = self._groups[space.group] - {unit, *here} - space.but
                found.update(other for other in others if self.where(other) == space.hex)
        return frozenset(found)

    def _holds_any(self, unit: str, demand: Demand, here: Sequence[str]) -> bool:
        later = units_of(self._plan.moves[self._index + 1 :])
        team, moved = frozenset([unit, *here]), frozenset(self.walkers)
        now = StepMoment(self._game, self._groups, self.where, self.gone, self._ways, later, team, moved, self._entered)
        return any(all(atom.holds(now) for atom in conjunction) for conjunction in demand.any_of)
