"""The label-setting search of one team: every way to overrun something together that no other one dominates.

What doesn't depend on a label is worked out once for a team: the steps that those who are still moving can make together
out of a hex, what each of them needs, and how likely it is to go through. Labels from which nothing that counts can be
reached any more aren't made: neither an overrun, nor, after one, a hex in which it may be worth while to end.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, product

from planner.reachability.condition_masks import MaskedDemand
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.stakes import Stakes
from planner.reachability.step_rules import Payment, Step
from planner.reachability.team_label import (
    TeamLabel,
    beside_dropped,
    dominates,
    has_gone_round,
    mates_of,
    may_leave,
    setting_out,
    stands_for,
)
from planner.reachability.team_prospect import TeamProspect
from planner.reachability.team_step import TeamStep
from planner.rules.combat_roles import JointlyOverruns
from planner.rules.demands import Arc, Before, Demand
from planner.rules.play import overrun_links

_CERTAIN = Fraction(1)


class TeamSearch:
    """The search of one team.

    Parameters
    ----------
    reach : ConditionalReach
        The game, the rules, the steps and what dominates what.
    team : tuple of str
        Who moves together.
    stakes : Stakes
        By what its moves may matter.
    prospects : sequence of TeamProspect
        What each unit must spend until something counts.
    allowed : callable, optional
        Which steps may be made at all; gets the label to which one leads.
    alike : sequence, optional
        For each unit what units have in common that nothing tells apart; of such the first ones are dropped first.
    """

    def __init__(
        self,
        reach: ConditionalReach,
        team: tuple[str, ...],
        stakes: Stakes,
        prospects: Sequence[TeamProspect],
        allowed: Callable[[TeamLabel], bool] | None = None,
        alike: Sequence[object] = (),
    ) -> None:
        self.reach, self.game = reach, reach.game
        self._team = [reach.game.units[unit] for unit in team]
        self._names, self._alike = frozenset(team), alike or range(len(team))
        self._steps = reach.departed(team[0]).steps
        self._names_at_stake = stakes.names or frozenset[str]()
        self._prospects, self._allowed = prospects, allowed
        self._apart = sum(1 << i for i, unit in enumerate(team) if stakes.told_apart(unit))
        self._where = [stakes.of(unit) for unit in team]
        self._content: dict[str, int] = {}
        self._most = [reach.most_mp(unit) for unit in self._team]
        # Who may overdraw its MA by its first hex, if that is overrun, and who by a later one.
        self._overdraws_first = [reach.overdraft(unit, overrun=True) is not None for unit in team]
        self._overdraws_later = [
            any(reach.overdraft(unit, overrun, first=False) is not None for overrun in (False, True)) for unit in team
        ]
        self._masks = reach.condition_masks(self._team[0], partial(reach.before_all, team=self._names))
        self._most_attempts = max((rule.attempts for rule in reach.of(JointlyOverruns)), default=1)
        self._plain: dict[tuple[int, str, Before], list[TeamStep]] = {}
        self._plain_steps: dict[tuple[int, str, Before], dict[str, list[Step]]] = {}
        self._overruns: dict[tuple[int, str, str, int, Before], list[TeamStep]] = {}
        self._enemies_near: dict[str, tuple[str, ...]] = {}
        self._kept: dict[object, list[TeamLabel]] = {}
        self._queue: list[tuple[int, int, TeamLabel]] = []
        self._ticket = 0

    def run(self) -> list[TeamLabel]:
        """Set labels until none is left, and return those at which the move may end."""
        reach = self.reach
        for start in setting_out(reach, self._team, self._masks.of):
            self._offer(start)
        made = 0
        while self._queue:
            label = heapq.heappop(self._queue)[2]
            if label.dead:
                continue
            made += 1
            if made % 8 == 0:  # each may lead to hundreds of others
                reach.check_time()
            for further in self._further(label):
                further.before = label.before if further.arc is None else reach.after(further.arc)
                self._offer(further)
        every = (label for labels in self._kept.values() for label in labels)
        if self._in_hand:
            return [label for label in every if label.depth]
        return [label for label in every if label.rolls and self._settles(label) and self._matters(label)]

    def _matters(self, label: TeamLabel) -> bool:
        """Tell whether a move that ends at a label may be better than staying."""
        if self._apart or label.removes & self._wanted or label.here & self._content_in(label.hex):
            return True
        if any(end and self._content_in(end) >> i & 1 for i, end in enumerate(label.ends)):
            return True
        return any(
            self._content_in(roll.at) >> i & 1
            for roll in label.rolls.made
            for i, unit in enumerate(self._team)
            if unit.id in roll.units
        )

    def _content_in(self, place: str) -> int:
        """Return of whom it matters that they end in a place, a bit for each unit of the team."""
        if place not in self._content:
            where = enumerate(self._where)
            self._content[place] = sum(1 << i for i, places in where if places is None or place in places)
        return self._content[place]

    @cached_property
    def _wanted(self) -> int:
        """What stands for the enemies on which the objective depends."""
        bits = self.reach.enemy_bits
        return sum(bits[enemy] for enemy in self._names_at_stake if enemy in bits)

    def _offer(self, label: TeamLabel) -> None:
        """Keep a label unless it is no use or another one dominates it; drop those that it dominates."""
        goes_on = self._may_go_on(label)
        if not goes_on and not (label.rolls and self._settles(label)) and not self._in_hand:
            return
        reach = self.reach
        exactly, welcome = reach.may_be_left_undone, reach.removals_welcome
        hexes = min(label.depth, reach.counts_hexes)
        if reach.prune and not reach.limiting_halts and has_gone_round(label, reach.counts_hexes):
            return
        # Who is carried is a matter of substance, too.
        aboard = 0 if welcome else label.aboard
        key = (label.hex, label.here, label.ends, label.pending, label.rolls, hexes, label.before, aboard)
        own = self._kept.setdefault(key, [])
        if reach.prune:
            if any(dominates(rival, label, exactly, welcome) for rival in own):
                return
            for rival in own:
                rival.dead = rival.dead or dominates(label, rival, exactly, welcome)
            own[:] = [rival for rival in own if not rival.dead]
        elif any(dominates(rival, label, True, False) and dominates(label, rival, True, False) for rival in own):
            return
        own.append(label)
        if goes_on:
            self._ticket += 1
            heapq.heappush(self._queue, (sum(label.spent), self._ticket, label))

    def _may_go_on(self, label: TeamLabel) -> bool:
        """Tell whether those who are still moving might get to something that counts.

        Before the first overrun all of them must get to one. After it, whoever gets farthest ends in a hex that matters, or
        in one where it has overrun somebody who does. What they must spend at least grows with what they have spent, so that
        a label that is left out could only have dominated others that are left out, too.
        """
        here = [i for i in range(len(self._team)) if label.here >> i & 1]
        if label.rolls:
            return any(self._is_able(label, i, self._prospects[i].goal) for i in here)
        if self._rolls_on_plain_steps or self._in_hand:
            return True
        each = all(self._is_able(label, i, self._prospects[i].overrun) for i in here)
        return each and any(self._is_able(label, i, self._prospects[i].through) for i in here)

    def _is_able(self, label: TeamLabel, i: int, prospect: Mapping[str, int]) -> bool:
        """Tell whether one of those who are still moving has the MP for what a prospect tells of."""
        least, spent = prospect.get(label.hex), label.spent[i]
        if least is None or spent + least <= self._most[i]:
            return least is not None
        first = not label.depth and not self._steps
        return (first and self._overdraws_first[i]) or (spent < self._most[i] and self._overdraws_later[i])

    def _may_be_of_use(self, label: TeamLabel, choice: TeamStep) -> bool:
        """Tell whether the label to which a step leads might be kept: `_offer` would leave out the others.

        What is spent with the step is its cost at least.
        """
        if self._in_hand:
            return True
        spent, arc = label.spent, choice.arc
        if arc.overrun:
            return self._counts(label.here, arc) or any(spent[i] <= most for i, _, _, most in choice.enough)
        if label.rolls:
            content = not label.here & ~self._content_in(arc.to)
            return content or any(spent[i] <= most for i, _, _, most in choice.enough)
        each = all(spent[i] <= most for i, most, _, _ in choice.enough)
        return self._rolls_on_plain_steps or (each and any(spent[i] <= most for i, _, most, _ in choice.enough))

    def _counts(self, here: int, arc: Arc) -> bool:
        """Tell whether an overrun counts by itself: by whom it eliminates, or since one of some units may end there."""
        counts = self._apart or self.reach.limiting_halts or here & self._content_in(arc.to)
        return bool(counts) or not self._names_at_stake.isdisjoint(arc.victims or ())

    def _enough(self, i: int, to: str, cost: int) -> tuple[int, int, int, int]:
        """Return how much a unit may have spent before a step, as `TeamStep.enough` has it."""
        prospect, most = self._prospects[i], self._most[i]
        found = []
        for least in (prospect.overrun.get(to), prospect.through.get(to), prospect.goal.get(to)):
            if least is None:
                found.append(-1)
            else:  # whoever may overdraw its MA needs no more than some MP left
                found.append((max(most - least, most - 1) if self._overdraws_later[i] else most - least) - cost)
        return i, found[0], found[1], found[2]

    @cached_property
    def _rolls_on_plain_steps(self) -> bool:
        """Whether a plain step may have to be rolled for, so that it needs no overrun."""
        return any(self.reach.rolls_alone(unit) for unit in self._team)

    @cached_property
    def _in_hand(self) -> bool:
        """Whether it goes on with a move of several units, so that it may do so by plain steps, and drop units anywhere."""
        return self._names <= self.reach.stack_in_hand

    def _settles(self, label: TeamLabel) -> bool:
        """Tell whether it may be worth while to end in a label's hex."""
        if label.arc is not None:
            if label.arc.overrun:
                return self._in_hand or self._counts(label.here, label.arc)
            return not label.here & ~self._content_in(label.hex)
        if label.parent is None:
            return True
        if label.parent.arc is not None and label.parent.arc.overrun:
            return self._settles(label.parent)
        # Who stands for others in the hex may stay with them; whoever goes where it pleases is no reason to.
        left = label.parent.here & ~label.here
        return bool(left & ~self._content_in(label.hex)) or self._settles(replace(label.parent, here=label.here))

    # -- steps

    def _further(self, label: TeamLabel) -> Iterator[TeamLabel]:
        """Yield the labels to which one step, or dropping somebody, leads."""
        for to in self._near(label.hex):
            for attempts in range(1, self._most_attempts + 1):
                choices = self._overruns_of(label.here, label.hex, to, attempts, label.before)
                choices = [choice for choice in choices if self._may_be_of_use(label, choice)]
                paid = [(choice, due) for choice in choices if (due := self._paid(label, choice)) is not None]
                for choice, due in paid:
                    yield from self._step(label, choice, due)
                if not paid:
                    break
        for choice in self._plain_of(label.here, label.hex, label.before):
            if self._may_be_of_use(label, choice) and (due := self._paid(label, choice)) is not None:
                yield from self._step(label, choice, due)
        here = [i for i in range(len(self._team)) if label.here >> i & 1]
        if (label.rolls or self._in_hand) and len(here) > 1 and label.arc is not None:
            for left in may_leave(here, self._alike):
                dropped = self._dropped(label, left)
                content = all(self._content_in(label.hex) >> i & 1 for i in left)
                if content or label.arc.overrun or dropped.pending != label.pending or self._helps(dropped, left):
                    yield dropped

    def _near(self, label: str) -> tuple[str, ...]:
        """Return the places beside one in which there is somebody to overrun."""
        found = self._enemies_near.get(label)
        if found is None:
            found = self._enemies_near[label] = tuple(filter(self.reach.victims_at, overrun_links(self.game, label)))
        return found

    def _overruns_of(self, here: int, origin: str, to: str, attempts: int, before: Before) -> list[TeamStep]:
        key = (here, origin, to, attempts, before)
        found = self._overruns.get(key)
        if found is None:
            moving = [i for i in range(len(self._team)) if here >> i & 1]
            steps = [self.reach.overrun_steps(self._team[i], origin, to, attempts, before) for i in moving]
            found = self._overruns[key] = [self._choice(moving, choice) for choice in product(*steps)]
        return found

    def _plain_of(self, here: int, origin: str, before: Before) -> list[TeamStep]:
        found = self._plain.get((here, origin, before))
        if found is None:
            moving = [i for i in range(len(self._team)) if here >> i & 1]
            ways = [self._plain_steps_of(i, origin, before) for i in moving]
            found = self._plain[here, origin, before] = []
            for to, steps in ways[0].items():
                for first in steps:
                    others = [[step for step in way.get(to, ()) if step.arc == first.arc] for way in ways[1:]]
                    found += [self._choice(moving, (first, *choice)) for choice in product(*others)]
        return found

    def _plain_steps_of(self, i: int, origin: str, before: Before) -> dict[str, list[Step]]:
        """Return the plain steps of one unit out of a hex, by where they lead."""
        found = self._plain_steps.get((i, origin, before))
        if found is None:
            found = self._plain_steps[i, origin, before] = {}
            for step in self.reach.steps(self._team[i].id, origin, before):
                if not step.arc.overrun:
                    found.setdefault(step.arc.to, []).append(step)
        return found

    def _choice(self, moving: Sequence[int], steps: tuple[Step, ...]) -> TeamStep:
        arc = steps[0].arc
        return TeamStep(
            arc,
            [self._team[i] for i in moving],
            tuple(zip(moving, steps, strict=True)),
            tuple(self._enough(i, arc.to, step.cost) for i, step in zip(moving, steps, strict=True)),
            self.reach,
        )

    def _chance_of(self, choice: TeamStep, hexes: int) -> Fraction:
        if not (choice.arc.overrun or self._rolls_on_plain_steps):
            return _CERTAIN
        found = choice.chances.get(hexes)
        if found is None:
            found = choice.chances[hexes] = self.reach.chance(choice.moving, replace(choice.arc, hexes=hexes))
        return found

    def _paid(self, label: TeamLabel, choice: TeamStep) -> list[Payment] | None:
        """Return what each of those who are still moving has after a step; None if one of them can't pay for it."""
        first, found = not label.depth and not self._steps, []
        for i, step in choice.steps:
            paid = self.reach.pay(self._team[i], step, label.spent[i], label.tallies[i], first)
            if paid is None:
                return None
            found.append(paid)
        return found

    def _step(self, label: TeamLabel, choice: TeamStep, paid: Sequence[Payment]) -> Iterator[TeamLabel]:
        """Yield the labels to which the step of all who are still moving leads, who have so much after it."""
        reach, arc, masks = self.reach, choice.arc, self._masks
        victims = arc.victims
        demands = [asked for i, _ in choice.steps for asked in label.pending[i] if not asked.demand.lapses(victims)]
        demands += choice.needs(label.depth + 1, len(self._team))
        mates = mates_of(self._team, label)
        if mates:
            demands = [asked for asked in demands if not self._met(asked, mates)]
        if victims and reach.contradicts(label.cond, label.removes, victims):
            return
        if victims or len(choice.moving) > 1:
            demands += self._together(label, choice)
        alternatives = masks.of(demands, label.cond, label.removes)
        aboard = label.aboard | (label.here if choice.steps[0][1].aboard else 0)
        chance = self._chance_of(choice, self._steps + label.depth + 1)
        if not (chance and alternatives):
            return
        spent, tallies, acc, rolls = list(label.spent), list(label.tallies), label.acc, label.rolls
        barring: list[tuple[MaskedDemand, ...]] = [()] * len(self._team)
        for (i, _), (total, sums, over) in zip(choice.steps, paid, strict=True):
            spent[i], tallies[i] = total, sums
            barring[i] = () if over is None else (reach.shared_demands.one(over),)
        if victims or chance < 1:
            # Whoever bogs down has entered the hex; whoever fails to overrun has not.
            where, gone = (label.hex, label.removes) if victims else (arc.to, label.removes | choice.removes)
            before, rolls = rolls, rolls.with_one(where, chance, label.here, self._team, gone)
            times, fails = rolls.whole // before.whole, rolls.times_whole(before.chance - rolls.chance)
            more = [had * times for had in acc]
            for i, _ in choice.steps:
                more[i] += fails * spent[i]
            acc = tuple(more)
        for cond in alternatives:
            needs = label.cond | cond
            if victims and reach.contradicts(needs, label.removes, victims):
                continue
            removes = label.removes | choice.removes
            pending = list(label.pending)
            for i, onward in choice.onward:
                open_ = [a for a in onward if not self._met(a, mates) and 0 not in masks.of((a,), needs, removes)]
                pending[i] = tuple(open_)
                pending[i] += barring[i]
            further = TeamLabel(
                arc.to,
                label.here,
                tuple(spent),
                tuple(tallies),
                acc,
                label.ends,
                needs,
                removes,
                tuple(pending),
                rolls,
                label,
                arc,
                aboard,
            )
            if self._allowed is None or self._allowed(further):
                yield further

    def _met(self, asked: MaskedDemand, mates: Mapping[str, set[str]]) -> bool:
        """Tell whether one of those who have been dropped is the friend who is needed."""
        return any(stands_for(self.reach, asked.demand, at, names) for at, names in mates.items())

    def _helps(self, dropped: TeamLabel, left: tuple[int, ...]) -> bool:
        """Tell whether some who have just been dropped may help the others with a step out of the hex."""
        names, arc = {self._team[i].id for i in left}, dropped.parent.arc if dropped.parent is not None else None
        before = None if arc is None else self.reach.after(arc)
        overruns = (self._overruns_of(dropped.here, dropped.hex, to, 1, before) for to in self._near(dropped.hex))
        choices = [*self._plain_of(dropped.here, dropped.hex, before), *chain.from_iterable(overruns)]
        mates = {dropped.hex: names}
        return any(self._met(asked, mates) for choice in choices for asked in choice.now)

    def _together(self, label: TeamLabel, choice: TeamStep) -> tuple[MaskedDemand, ...]:
        """Return what a step needs of all together; those whom they dropped in the hex count as others there."""
        key = tuple(end if end in choice.rooms else "" for end in label.ends)
        found = choice.beside.get(key)
        if found is None:
            wanted = (
                Demand(
                    demand.paragraph,
                    beside_dropped(self.reach, self._team, demand, label),
                    demand.blame,
                    source=demand.source,
                )
                for demand in choice.together
            )
            found = choice.beside[key] = self.reach.shared_demands.all_of(list(wanted))
        return found

    def _dropped(self, label: TeamLabel, left: tuple[int, ...]) -> TeamLabel:
        """Return the label in which some units are dropped where the team stands; they negate for the others at once."""
        ends, pending, acc, here = list(label.ends), list(label.pending), list(label.acc), label.here
        chance = label.rolls.times_whole(label.rolls.chance)
        names = {self._team[i].id for i in left}
        for i in left:
            ends[i], pending[i], here = label.hex, (), here & ~(1 << i)
            acc[i] += chance * label.spent[i]
        for i, some in enumerate(pending):
            pending[i] = tuple(one for one in some if not stands_for(self.reach, one.demand, label.hex, names))
        return replace(
            label, here=here, acc=tuple(acc), ends=tuple(ends), pending=tuple(pending), parent=label, arc=None
        )
