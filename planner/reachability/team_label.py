"""The labels of a team's search: a way of a team to get to a hex, and what it comes to if the move ends there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, pairwise, product
from math import lcm
from operator import le
from typing import NamedTuple

from planner.reachability.condition_masks import MaskedDemand
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.step_rules import Tally, aboard
from planner.reachability.team_possibility import Fork, TeamPossibility
from planner.rules.atoms import Conjunction, Room
from planner.rules.demands import Arc, Before, Demand
from planner.world.forces import Unit

Pending = tuple[tuple[MaskedDemand, ...], ...]
"""For each unit of a team, what its moving on still needs."""


class TeamRoll(NamedTuple):
    """A roll of a team's move, whichever step it is for: ways to it of more hexes and fewer come to the same.

    Attributes
    ----------
    at : str
        Where the units are stuck if it fails.
    chance : Fraction
        The probability that it and all rolls before it go through.
    units : tuple of str
        Who takes part.
    """

    at: str
    chance: Fraction
    units: tuple[str, ...]


@dataclass(eq=False, slots=True)
class TeamRolls:
    """The rolls of a team so far; the same ones are always the same object.

    Attributes
    ----------
    made : tuple of TeamRoll
        The rolls.
    chance : Fraction
        How likely it is that all of them go through.
    whole : int
        By which all their probabilities are multiplied to be whole.
    after : dict
        Those that one more makes of them, by what tells it apart.
    """

    made: tuple[TeamRoll, ...] = ()
    chance: Fraction = Fraction(1)
    whole: int = 1
    after: dict[tuple[str, Fraction, int, int], TeamRolls] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.made)

    def with_one(self, at: str, chance: Fraction, here: int, team: Sequence[Unit], gone: int) -> TeamRolls:
        """Return the rolls with one more, by those of a team whose bits are set.

        `gone` is who is gone even if it fails: how likely anybody is to be gone in the end depends on what comes first.
        """
        key = at, chance, here, gone
        found = self.after.get(key)
        if found is None:
            units = tuple(unit.id for i, unit in enumerate(team) if here >> i & 1)
            through = self.chance * chance
            made = (*self.made, TeamRoll(at, through, units))
            found = self.after[key] = TeamRolls(made, through, lcm(self.whole, through.denominator))
        return found

    def times_whole(self, chance: Fraction) -> int:
        """Return a probability of these rolls, multiplied to be whole."""
        return chance.numerator * (self.whole // chance.denominator)


@dataclass(eq=False, slots=True)
class TeamLabel:
    """A way of a team to get to a hex.

    Attributes
    ----------
    hex : str
        Where those are who are still moving.
    here : int
        Who they are, a bit for each unit of the team.
    spent : tuple of int
        MP of each unit, scaled.
    tallies : tuple of Tally
        What rules have added up of the steps of each.
    acc : tuple of int
        What each unit spends on average, scaled and times `rolls.whole`, as far as its move is over by now.
    ends : tuple of str
        Where each unit has been dropped; empty for one that is still moving.
    cond, removes : int
        The conditions that it needs, and what it has overrun, as bits.
    pending : tuple
        What moving on needs of each unit.
    rolls : TeamRolls
        The rolls so far.
    parent : TeamLabel or None
        Where its last step began; None: no step yet.
    arc : Arc or None
        Its last step; None also where somebody has just been dropped.
    aboard : int
        Who has been carried, a bit for each unit of the team.
    depth : int
        How many steps it has.
    before : Before
        What the next step may have to know of the last one.
    dead : bool
        Whether another one has come to dominate it.
    """

    hex: str
    here: int
    spent: tuple[int, ...]
    tallies: tuple[Tally, ...]
    acc: tuple[int, ...]
    ends: tuple[str, ...]
    cond: int
    removes: int
    pending: Pending
    rolls: TeamRolls
    parent: TeamLabel | None
    arc: Arc | None
    aboard: int = 0
    depth: int = field(init=False)
    before: Before = field(init=False, default=None)
    dead: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self.depth = 0 if self.parent is None else self.parent.depth + (self.arc is not None)


def setting_out(
    reach: ConditionalReach, team: Sequence[Unit], alternatives: Callable[..., Sequence[int]]
) -> Iterator[TeamLabel]:
    """Yield how a team may set out.

    Parameters
    ----------
    reach : ConditionalReach
        How each of them does.
    team : sequence of Unit
        The units, which stand in the same hex.
    alternatives : callable
        Of demands, and of conditions that hold and enemies that are gone, as bits, the sets that fulfil them.
    """
    size, home = len(team), reach.game.homes[team[0].id]
    tallies = tuple(map(reach.tally_before, team))
    # Each of them takes an order of its own, and was carried by a marker of its own.
    orders = [aboard(demand, i) for i, unit in enumerate(team) for demand in reach.pick_up(unit.id)]
    asked = reach.shared_demands.all_of(orders)
    for departing in product(*(reach.departures(unit.id) for unit in team)):
        if any(one.before != departing[0].before for one in departing):
            continue
        legs = [atom.on_leg(atom.leg * size - i) for i, one in enumerate(departing) for atom in one.needs]
        carried = reach.atoms.bits_of(legs)
        spent = tuple(one.spent for one in departing)
        pending = tuple(reach.shared_demands.all_of(one.pending) for one in departing)
        for cond in alternatives(asked, carried, 0):
            here, nothing, ends, needs = (1 << size) - 1, (0,) * size, ("",) * size, cond | carried
            start = TeamLabel(home, here, spent, tallies, nothing, ends, needs, 0, pending, TeamRolls(), None, None)
            start.before = departing[0].before
            yield start


def dominates(one: TeamLabel, other: TeamLabel, exactly: bool, welcome: bool) -> bool:
    """Tell whether a label is as good as another with the same rolls.

    `exactly`: only if it needs the same; `welcome`: or removes more.
    """
    return (
        (one.cond == other.cond if exactly else one.cond & ~other.cond == 0)
        and (one.removes & other.removes == other.removes if welcome else one.removes == other.removes)
        and all(map(le, one.spent, other.spent))
        and all(map(le, one.acc, other.acc))
        and all(all(map(le, a, b)) for a, b in zip(one.tallies, other.tallies, strict=True))
    )


def has_gone_round(label: TeamLabel, counted: int) -> bool:
    """Tell whether a move has come back to where it was for nothing, with no more to show for it than rolls.

    Steps that cost nothing could go on so for ever. What such a move comes to on average lies between what it does if it
    ends where it may get stuck and what it does without going round; unless units mayn't end there of their own will. A
    plan that needn't stand whatever is rolled might be of use between the two: it isn't looked for. Up to `counted`, it
    matters how many hexes have been entered.
    """
    was = label.parent
    while was is not None and was.depth and was.spent == label.spent:
        if (was.hex, was.here, was.ends, was.pending) == (label.hex, label.here, label.ends, label.pending):
            same = (was.removes, was.tallies, was.aboard) == (label.removes, label.tallies, label.aboard)
            same = same and not was.cond & ~label.cond
            if same and min(was.depth, counted) == min(label.depth, counted):
                return True
        was = was.parent
    return False


def may_leave(here: Sequence[int], alike: Sequence[object]) -> list[tuple[int, ...]]:
    """Return who may be dropped of those who are still moving, though not all of them: of units that are alike the first."""
    kinds: dict[object, list[int]] = {}
    for i in here:
        kinds.setdefault(alike[i], []).append(i)
    choices = product(*([some[:number] for number in range(len(some) + 1)] for some in kinds.values()))
    left = (tuple(sorted(chain.from_iterable(choice))) for choice in choices)
    return sorted((some for some in left if 0 < len(some) < len(here)), key=len)


def stands_for(reach: ConditionalReach, demand: Demand, label: str, names: set[str]) -> bool:
    """Tell whether one of some units that have been dropped in a hex fulfils a demand."""
    return any(
        len(conjunction) == 1
        and (atom := next(iter(conjunction)).friend) is not None
        and atom.hex == label
        and not atom.unmoved
        and not names.isdisjoint(reach.group(atom.group))
        for conjunction in demand.any_of
    )


def possibility_of(reach: ConditionalReach, team: Sequence[Unit], label: TeamLabel, ending: int) -> TeamPossibility:
    """Return what a team does if its move ends at a label; `ending` is what that needs further, as bits."""
    steps = [label]
    while steps[-1].parent is not None:
        steps.append(steps[-1].parent)
    steps.reverse()
    path, overruns, attempts, drops, rolled = [steps[0].hex], set(), [], [], []
    carried: list[tuple[int, str]] = []
    deaths: list[tuple[str, Fraction]] = []
    for before, after in pairwise(steps):
        if after.arc is None:
            drops += [(after.depth, team[i].id) for i in range(len(team)) if after.ends[i] and not before.ends[i]]
            continue
        path.append(after.hex)
        if after.rolls is not before.rolls:
            rolled.append(after.depth)
        way = reach.game.rulebook.way(after.arc.way)
        if way is not None and way.carries:
            carried.append((after.depth, after.arc.zone))
        if after.arc.overrun:
            overruns.add(after.depth)
            if after.arc.attempts > 1:
                attempts.append((after.depth, after.arc.attempts))
        entered = after if after.arc.overrun else before
        chance = entered.rolls.chance
        deaths += [(enemy, chance) for enemy in reach.removed(after.removes & ~before.removes)]
    drops = [(step, unit) for step, unit in drops if step < len(path) - 1]  # whoever gets to the end isn't dropped
    rolls, ends = label.rolls, tuple(end or label.hex for end in label.ends)
    scale, before_it = reach.scale, [reach.departed(unit.id).spent for unit in team]
    final = rolls.times_whole(rolls.chance)
    expected = [
        Fraction(
            (acc if label.ends[i] else acc + final * label.spent[i]) - before_it[i] * rolls.whole, scale * rolls.whole
        )
        for i, acc in enumerate(label.acc)
    ]
    return TeamPossibility(
        tuple(unit.id for unit in team),
        tuple(path),
        ends,
        tuple(Fraction(mp - had, scale) for mp, had in zip(label.spent, before_it, strict=True)),
        tuple(expected),
        frozenset(overruns),
        tuple(attempts),
        tuple(drops),
        reach.atoms.of(label.cond | ending),
        tuple(deaths),
        tuple(Fork(step, *roll) for step, roll in zip(rolled, rolls.made, strict=True)),
        tuple(carried),
    )


def mates_of(team: Sequence[Unit], label: TeamLabel) -> dict[str, set[str]]:
    """Return who of a team has been dropped, by where."""
    found: dict[str, set[str]] = {}
    for unit, end in zip(team, label.ends, strict=True):
        if end:
            found.setdefault(end, set()).add(unit.id)
    return found


def beside_dropped(
    reach: ConditionalReach, team: Sequence[Unit], demand: Demand, label: TeamLabel
) -> tuple[Conjunction, ...]:
    """Return what fulfils a demand where those of a team who have been dropped take room."""
    found = []
    for conjunction in demand.any_of:
        atoms = {_less(reach, team, atom, label) if isinstance(atom, Room) else atom for atom in conjunction}
        if None not in atoms:
            found.append(frozenset(atom for atom in atoms if atom is not None))
    return tuple(found)


def _less(reach: ConditionalReach, team: Sequence[Unit], atom: Room, label: TeamLabel) -> Room | None:
    """Return what room is left by those of a team who have been dropped in the hex; None: too little."""
    counted = reach.group(atom.group)
    left = (unit for unit, end in zip(team, label.ends, strict=True) if end == atom.hex)
    size = atom.size - sum((unit.counts(atom.of) for unit in left if unit.id in counted), Fraction(0))
    return replace(atom, size=size, but=frozenset(unit.id for unit in team)) if size >= 0 else None
