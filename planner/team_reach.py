"""What stacks can do together that their units can't do one by one: overruns whose result is rolled.

A unit that makes no overrun moves as well by itself, before those of its stack that go on; so a stack is looked at only
where it overruns, and every unit in it takes part in its first overrun. From then on it may drop units.

A label-setting search per team over (hex, who is still moving, MP of each, conditions, own overruns). A label is dominated
by one at the same hex with the same units, dropped in the same hexes, and the same rolls from the same hexes, in which
nobody has spent more, fewer conditions are needed, and at least the same enemies are gone.

Relevance. Where nobody may rely on a roll, a team's move matters to the objective alone: by whom it eliminates, and by who
may end in a hex that a term names. So units are dropped only in such hexes, in hexes that they have overrun, which hold the
whole team since nobody else may count on entering them, and where they negate an EZOC for the others; whoever ends
elsewhere had better stay in the last of these. A move that comes to nothing of the kind is no better than staying.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, pairwise, product

from planner.conditional_reach import ConditionalReach
from planner.forces import Unit
from planner.rules.base import Arc, Atom, Demand, Friend, Gone, GoneOrFriend, Room, Vacant
from planner.rules.joint_overrun import JointOverrun
from planner.steps import Step


@dataclass(frozen=True)
class Fork:
    """A roll of a team's move.

    Attributes
    ----------
    step : int
        The index into the path of the hex that is overrun, or entered.
    at : str
        Where the units are stuck if it fails.
    chance : Fraction
        The probability that it and all rolls before it go through.
    units : tuple of str
        Who takes part.
    """

    step: int
    at: str
    chance: Fraction
    units: tuple[str, ...]


@dataclass(frozen=True)
class TeamPossibility:
    """Something that a team can do, given its conditions.

    Attributes
    ----------
    units : tuple of str
        The units, in the order of the scenario.
    path : tuple of str
        The hexes, the hex of departure first.
    ends : tuple of str
        Where each unit ends if all goes through.
    mp : tuple of Fraction
        What each unit then has spent.
    expected_mp : tuple of Fraction
        What each unit spends on average over the rolls.
    overruns : frozenset of int
        The indices into the path of the hexes that are overrun.
    attempts : tuple of (int, int)
        Those of them that are tried more than once, and how often at most.
    drops : tuple of (int, str)
        Who is dropped where.
    needs : frozenset of Atom
        What must hold when the team moves.
    kills : tuple of (str, Fraction)
        The enemies that are gone if all goes through, each with the probability that it is gone.
    forks : tuple of Fork
        The rolls.
    """

    units: tuple[str, ...]
    path: tuple[str, ...]
    ends: tuple[str, ...]
    mp: tuple[Fraction, ...]
    expected_mp: tuple[Fraction, ...]
    overruns: frozenset[int]
    attempts: tuple[tuple[int, int], ...]
    drops: tuple[tuple[int, str], ...]
    needs: frozenset[Atom]
    kills: tuple[tuple[str, Fraction], ...]
    forks: tuple[Fork, ...]

    @property
    def chance(self) -> Fraction:
        """The probability that all of it goes through."""
        return self.forks[-1].chance

    def places(self, unit: str) -> Iterator[tuple[str, Fraction]]:
        """Yield every place in which a unit may stand after the move, with its probability; a place may come twice."""
        left = Fraction(1)
        for fork in self.forks:
            if unit in fork.units:
                yield fork.at, left - fork.chance
                left = fork.chance
        yield self.ends[self.units.index(unit)], left

    def stands_in(self, label: str, units: frozenset[str]) -> Fraction:
        """Return the probability that one of some units stands in a hex after the move."""
        found, left = Fraction(0), Fraction(1)
        dropped: set[str] = set()
        for fork in self.forks:
            dropped |= set(self.units) - set(fork.units)
            stuck = fork.at == label and not units.isdisjoint(fork.units)
            if stuck or any(unit in units and end == label for unit, end in self._ends() if unit in dropped):
                found += left - fork.chance
            left = fork.chance
        return found + left * any(unit in units and end == label for unit, end in self._ends())

    def _ends(self) -> Iterator[tuple[str, str]]:
        return zip(self.units, self.ends, strict=True)


class _Label:
    __slots__ = (
        "acc", "arc", "cond", "dead", "depth", "ends", "forks", "here", "hex", "kills", "parent", "pending", "spent",
    )  # fmt: skip

    def __init__(
        self,
        hex: str,
        here: int,
        spent: tuple[int, ...],
        acc: tuple[Fraction, ...],
        ends: tuple[str, ...],
        cond: int,
        kills: int,
        pending: tuple[tuple[Demand, ...], ...],
        forks: tuple[Fork, ...],
        parent: _Label | None,
        arc: Arc | None,
    ) -> None:
        self.hex, self.here, self.spent, self.acc, self.ends = hex, here, spent, acc, ends
        self.cond, self.kills, self.pending, self.forks = cond, kills, pending, forks
        self.parent, self.arc = parent, arc
        self.depth: int = 0 if parent is None else parent.depth + (arc is not None)
        self.dead = False


class TeamReach:
    """What teams can do in one game.

    Parameters
    ----------
    reach : ConditionalReach
        The steps, what is known of conditions, and the clock.
    matter : frozenset of str, optional
        The hexes, and the enemies, on which the objective depends; absent: all.
    """

    def __init__(self, reach: ConditionalReach, matter: frozenset[str] | None = None) -> None:
        self.reach = reach
        self.game = reach.game
        self._matter = matter if reach.prune and reach.kills_welcome and not reach.relies_on_rolls else None
        self._rules = [rule for rule in reach.rules if isinstance(rule, JointOverrun)]

    def all_possibilities(self) -> list[TeamPossibility]:
        """Return every non-dominated possibility of every team.

        Raises
        ------
        OutOfTimeError
            If the deadline passes, or somebody stops the search.
        """
        found = []
        for unit in self.reach.movers:
            if self.reach.rolls_alone(self.game.units[unit]):
                found += self.possibilities((unit,))
        if not self._rules:
            return found
        stacks: dict[str, list[str]] = {}
        for unit in self.reach.movers:
            stacks.setdefault(self.game.homes[unit], []).append(unit)
        for units in stacks.values():
            able = [unit for unit in units if self._targets(unit)]
            for size in range(1, len(able) + 1):
                for team in combinations(able, size):
                    if set.intersection(*(self._targets(unit) for unit in team)):
                        found += self.possibilities(team)
        return found

    def _targets(self, unit: str) -> set[str]:
        """Return the hexes that a unit could overrun if nothing but terrain and its own class mattered."""

        def look() -> set[str]:
            counter = self.game.units[unit]
            found = set()
            for enemy, home in self.game.homes.items():
                if self.game.is_enemy(enemy) and home in self.game.board.hexes:
                    for origin in self.game.board.neighbours[home]:
                        if self.reach.overrun_steps(counter, origin, home):
                            found.add(home)
            return found

        return self.game.cached(("targets", unit, id(self.reach)), look)

    def _matters(self, possibility: TeamPossibility) -> bool:
        """Tell whether a possibility may be better than staying."""
        if self._matter is None:
            return True
        places = {place for unit in possibility.units for place, _ in possibility.places(unit)}
        return not self._matter.isdisjoint(places) or any(enemy in self._matter for enemy, _ in possibility.kills)

    def _settles(self, label: _Label) -> bool:
        """Tell whether it may be worth while to end in a label's hex."""
        if self._matter is None or label.arc is None:
            return True
        return label.arc.overrun or label.hex in self._matter

    # -- one team

    def possibilities(self, team: tuple[str, ...]) -> list[TeamPossibility]:
        """Return every non-dominated possibility of a team that overruns at least once."""
        units, exactly = [self.game.units[unit] for unit in team], self.reach.may_be_left_undone
        welcome = self.reach.kills_welcome
        kept: dict[object, list[_Label]] = {}
        queue: list[tuple[int, int, _Label]] = []
        ticket = 0

        def offer(label: _Label) -> None:
            nonlocal ticket
            if label.arc is not None and any(
                label.here >> i & 1 and label.spent[i] > self.reach.limit(unit, label.hex)
                for i, unit in enumerate(units)
            ):
                return
            hexes = min(label.depth, self.reach.counts_hexes)
            key = (label.hex, label.here, label.ends, label.pending, label.forks, hexes)
            own = kept.setdefault(key, [])
            if self.reach.prune:
                if any(_dominates(rival, label, exactly, welcome) for rival in own):
                    return
                for rival in own:
                    rival.dead = rival.dead or _dominates(label, rival, exactly, welcome)
                own[:] = [rival for rival in own if not rival.dead]
            elif any(
                (r.spent, r.acc, r.cond, r.kills) == (label.spent, label.acc, label.cond, label.kills) for r in own
            ):
                return
            own.append(label)
            ticket += 1
            heapq.heappush(queue, (sum(label.spent), ticket, label))

        nothing = (Fraction(0),) * len(team)
        home = self.game.homes[team[0]]
        pick_up = [demand for unit in team for demand in self.reach.pick_up(unit)]
        for cond in self._alternatives(units, pick_up, 0, 0):
            everybody = (1 << len(team)) - 1
            start = _Label(
                home,
                everybody,
                (0,) * len(team),
                nothing,
                ("",) * len(team),
                cond,
                0,
                ((),) * len(team),
                (),
                None,
                None,
            )
            offer(start)
        made = 0
        while queue:
            _, _, label = heapq.heappop(queue)
            if label.dead:
                continue
            made += 1
            if made % 64 == 0:
                self.reach.check_time()
            for further in self._further(units, label):
                offer(further)
        found: dict[object, list[TeamPossibility]] = {}
        for labels in kept.values():
            for label in labels:
                if label.forks and self._settles(label):
                    possibility = self._possibility(units, label)
                    if self._matters(possibility):
                        self._add(found, possibility)
        return [possibility for rivals in found.values() for possibility in rivals]

    def _add(self, found: dict[object, list[TeamPossibility]], new: TeamPossibility) -> None:
        """Keep a possibility unless one that comes to the same is at least as good."""
        places = tuple((fork.at, fork.chance, fork.units) for fork in new.forks)
        exactly, welcome = self.reach.may_be_left_undone, self.reach.kills_welcome
        hexes = min(len(new.path) - 1, self.reach.counts_hexes)
        rivals = found.setdefault((new.ends, places, hexes), [])
        if self.reach.prune:
            if any(_as_good(rival, new, exactly, welcome) for rival in rivals):
                return
            rivals[:] = [rival for rival in rivals if not _as_good(new, rival, exactly, welcome)]
        rivals.append(new)

    def _known(self, team: list[Unit], atom: Atom) -> bool | None:
        """Tell what is known of an atom for a team whatever the others do; None if it depends on them."""
        names = {unit.id for unit in team}
        if isinstance(atom, Friend):
            friends = set(self.reach.possible_friends(team[0].id, atom)) - names
            if any(self.reach.is_settled(friend) and self.game.homes[friend] == atom.hex for friend in friends):
                return True
            return None if friends else False
        if isinstance(atom, Gone):
            return None if set(self.reach.possible_killers(team[0].id, atom)) - names else False
        if isinstance(atom, Room):
            return self.reach.always_room(replace(atom, but=atom.but | names))
        if isinstance(atom, Vacant):
            return self.reach.known_vacant(team[0], atom)
        if isinstance(atom, GoneOrFriend):
            return None if self.reach.might_roll(atom, frozenset(names)) else False
        return None

    def _alternatives(self, team: list[Unit], demands: Sequence[Demand], cond: int, kills: int) -> Sequence[int]:
        return self.reach.alternatives(team[0], demands, cond, kills, lambda _, atom: self._known(team, atom))

    def _further(self, team: list[Unit], label: _Label) -> Iterator[_Label]:
        """Yield the labels to which one step, or dropping somebody, leads."""
        here = [i for i in range(len(team)) if label.here >> i & 1]
        board = self.game.board
        for to in board.neighbours[label.hex]:
            if self.reach.victims_at(to):
                most = max(rule.attempts for rule in self._rules)
                for attempts in range(1, most + 1):
                    steps = [list(self.reach.overrun_steps(team[i], label.hex, to, attempts)) for i in here]
                    worth = False
                    for choice in product(*steps):
                        if all(
                            label.spent[i] + s.cost <= team[i].ma * self.reach.scale
                            for i, s in zip(here, choice, strict=True)
                        ):
                            worth = True
                            yield from self._step(team, label, here, choice)
                    if not worth:
                        break
        plain = [[step for step in self.reach.steps(team[i].id, label.hex) if not step.arc.overrun] for i in here]
        for first in plain[0]:
            others = [[step for step in steps if step.arc == first.arc] for steps in plain[1:]]
            for choice in product(*others):
                yield from self._step(team, label, here, (first, *choice))
        if label.forks and len(here) > 1 and label.arc is not None:
            for size in range(1, len(here)):
                for left in combinations(here, size):
                    dropped = self._dropped(team, label, left)
                    if self._settles(label) or dropped.pending != label.pending:
                        yield dropped

    def _step(self, team: list[Unit], label: _Label, here: list[int], steps: tuple[Step, ...]) -> Iterator[_Label]:
        """Yield the labels to which the step of all who are still moving leads."""
        reach, arc = self.reach, steps[0].arc
        moving = [team[i] for i in here]
        victims = arc.victims
        demands = [d for i in here for d in label.pending[i] if not d.lapses(victims)]
        demands += [demand for step in steps for demand in step.now]
        if victims:
            if reach.contradicts(label.cond, label.kills, victims):
                return
            demands += self._together(team, label, moving, arc)
        spent, acc = list(label.spent), list(label.acc)
        for i, step in zip(here, steps, strict=True):
            spent[i] += step.cost
        forks = label.forks
        before = forks[-1].chance if forks else Fraction(1)
        chance = before * reach.chance(moving, replace(arc, hexes=label.depth + 1))
        if not chance:
            return
        if victims or chance < before:
            # Whoever bogs down has entered the hex; whoever fails to overrun has not.
            where = label.hex if victims else arc.to
            forks = (*forks, Fork(label.depth + 1, where, chance, tuple(unit.id for unit in moving)))
            for i in here:
                acc[i] += (before - chance) * spent[i]
        for cond in self._alternatives(team, demands, label.cond, label.kills):
            needs = label.cond | cond
            if victims and reach.contradicts(needs, label.kills, victims):
                continue
            kills = label.kills
            for victim in steps[0].removes:
                kills |= reach.bit_of(victim)
            pending = list(label.pending)
            for i, step in zip(here, steps, strict=True):
                open_ = (d for d in step.onward if 0 not in self._alternatives(team, [d], needs, kills))
                pending[i] = tuple(open_)
            yield _Label(
                arc.to,
                label.here,
                tuple(spent),
                tuple(acc),
                label.ends,
                needs,
                kills,
                tuple(pending),
                forks,
                label,
                arc,
            )

    def _together(self, team: list[Unit], label: _Label, moving: list[Unit], arc: Arc) -> Iterator[Demand]:
        """Yield what an overrun needs of all together; those whom they dropped in the hex count as others there."""
        everybody = frozenset(unit.id for unit in team)
        for rule in self.reach.rules:
            for demand in rule.together_demands(self.game, moving, arc):
                yield Demand(
                    demand.paragraph,
                    tuple(
                        frozenset(self._with_dropped(atom, team, label, everybody) for atom in conjunction)
                        for conjunction in demand.any_of
                        if self._fits(conjunction, team, label)
                    ),
                    demand.blame,
                    source=demand.source,
                )

    def _dropped_here(self, atom: Room, team: list[Unit], label: _Label) -> Fraction:
        counted = self.reach.group(atom.group)
        left = (unit for unit, end in zip(team, label.ends, strict=True) if end == atom.hex and unit.id in counted)
        return sum((unit.counts(atom.of) for unit in left), Fraction(0))

    def _fits(self, conjunction: frozenset[Atom], team: list[Unit], label: _Label) -> bool:
        return all(
            not isinstance(atom, Room) or self._dropped_here(atom, team, label) <= atom.size for atom in conjunction
        )

    def _with_dropped(self, atom: Atom, team: list[Unit], label: _Label, everybody: frozenset[str]) -> Atom:
        if not isinstance(atom, Room):
            return atom
        return replace(atom, size=atom.size - self._dropped_here(atom, team, label), but=everybody)

    def _dropped(self, team: list[Unit], label: _Label, left: tuple[int, ...]) -> _Label:
        """Return the label in which some units are dropped where the team stands; they negate for the others at once."""
        ends, pending, acc, here = list(label.ends), list(label.pending), list(label.acc), label.here
        chance = label.forks[-1].chance
        names = {team[i].id for i in left}
        for i in left:
            ends[i], pending[i], here = label.hex, (), here & ~(1 << i)
            acc[i] += chance * label.spent[i]
        for i in range(len(team)):
            pending[i] = tuple(demand for demand in pending[i] if not self._stands_for(demand, label.hex, names))
        return _Label(
            label.hex,
            here,
            label.spent,
            tuple(acc),
            tuple(ends),
            label.cond,
            label.kills,
            tuple(pending),
            label.forks,
            label,
            None,
        )

    def _stands_for(self, demand: Demand, label: str, names: set[str]) -> bool:
        """Tell whether one of some units in a hex fulfils a demand."""
        return any(
            len(conjunction) == 1
            and isinstance(atom := next(iter(conjunction)), (Friend, GoneOrFriend))
            and atom.hex == label
            and not names.isdisjoint(self.reach.group(atom.group))
            for conjunction in demand.any_of
        )

    def _possibility(self, team: list[Unit], label: _Label) -> TeamPossibility:
        chain = [label]
        while chain[-1].parent is not None:
            chain.append(chain[-1].parent)
        chain.reverse()
        reach = self.reach
        path, overruns, attempts, drops = [chain[0].hex], set(), [], []
        deaths: list[tuple[str, Fraction]] = []
        for before, after in pairwise(chain):
            if after.arc is None:
                drops += [(after.depth, team[i].id) for i in range(len(team)) if after.ends[i] and not before.ends[i]]
                continue
            path.append(after.hex)
            if after.arc.overrun:
                overruns.add(after.depth)
                if after.arc.attempts > 1:
                    attempts.append((after.depth, after.arc.attempts))
            entered = after if after.arc.overrun else before
            chance = entered.forks[-1].chance if entered.forks else Fraction(1)
            deaths += [(enemy, chance) for enemy in reach.killed(after.kills & ~before.kills)]
        drops = [(step, unit) for step, unit in drops if step < len(path) - 1]  # whoever gets to the end isn't dropped
        final = label.forks[-1].chance
        ends = tuple(end or label.hex for end in label.ends)
        scale = reach.scale
        expected = [(acc if label.ends[i] else acc + final * label.spent[i]) / scale for i, acc in enumerate(label.acc)]
        return TeamPossibility(
            tuple(unit.id for unit in team),
            tuple(path),
            ends,
            tuple(Fraction(mp, scale) for mp in label.spent),
            tuple(expected),
            frozenset(overruns),
            tuple(attempts),
            tuple(drops),
            reach.atoms_of(label.cond),
            tuple(deaths),
            label.forks,
        )


def _dominates(one: _Label, other: _Label, exactly: bool, welcome: bool) -> bool:
    """Tell whether a label is as good as another; `exactly`: only if it needs the same; `welcome`: so are more kills."""
    return (
        all(a <= b for a, b in zip(one.spent, other.spent, strict=True))
        and all(a <= b for a, b in zip(one.acc, other.acc, strict=True))
        and (one.cond == other.cond if exactly else one.cond & ~other.cond == 0)
        and (one.kills & other.kills == other.kills if welcome else one.kills == other.kills)
    )


def _as_good(one: TeamPossibility, other: TeamPossibility, exactly: bool, welcome: bool) -> bool:
    return (
        all(a <= b for a, b in zip(one.mp, other.mp, strict=True))
        and all(a <= b for a, b in zip(one.expected_mp, other.expected_mp, strict=True))
        and (one.needs == other.needs if exactly else one.needs <= other.needs)
        and (dict(other.kills).items() <= dict(one.kills).items() if welcome else one.kills == other.kills)
    )
