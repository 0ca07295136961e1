"""The labels of a team's search: a way of a team to get to a hex, and what it comes to if the move ends there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from operator import le

from planner.reachability.condition_masks import MaskedDemand
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.step_rules import Tally
from planner.reachability.team_possibility import Fork, TeamPossibility
from planner.rules.demands import Arc
from planner.world.forces import Unit

Pending = tuple[tuple[MaskedDemand, ...], ...]
"""For each unit of a team, what its moving on still needs."""


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
    acc : tuple of Fraction
        What each unit spends on average, scaled, as far as its move is over by now.
    ends : tuple of str
        Where each unit has been dropped; empty for one that is still moving.
    cond, removes : int
        The conditions that it needs, and what it has overrun, as bits.
    pending : tuple
        What moving on needs of each unit.
    forks : tuple of Fork
        The rolls so far.
    rolled : int
        A number for them: of two labels with the same number, they are the same.
    parent : TeamLabel or None
        Where its last step began; None: no step yet.
    arc : Arc or None
        Its last step; None also where somebody has just been dropped.
    depth : int
        How many steps it has.
    dead : bool
        Whether another one has come to dominate it.
    """

    hex: str
    here: int
    spent: tuple[int, ...]
    tallies: tuple[Tally, ...]
    acc: tuple[Fraction, ...]
    ends: tuple[str, ...]
    cond: int
    removes: int
    pending: Pending
    forks: tuple[Fork, ...]
    rolled: int
    parent: TeamLabel | None
    arc: Arc | None
    depth: int = field(init=False)
    dead: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self.depth = 0 if self.parent is None else self.parent.depth + (self.arc is not None)


def dominates(one: TeamLabel, other: TeamLabel, exactly: bool, welcome: bool) -> bool:
    """Tell whether a label is as good as another; `exactly`: only if it needs the same; `welcome`: or removes more."""
    return (
        all(a <= b for a, b in zip(one.spent, other.spent, strict=True))
        and all(all(map(le, a, b)) for a, b in zip(one.tallies, other.tallies, strict=True))
        and all(a <= b for a, b in zip(one.acc, other.acc, strict=True))
        and (one.cond == other.cond if exactly else one.cond & ~other.cond == 0)
        and (one.removes & other.removes == other.removes if welcome else one.removes == other.removes)
    )


def has_gone_round(label: TeamLabel, counted: int) -> bool:
    """Tell whether a move has come back to where it was for nothing, with no more to show for it than rolls.

    Steps that cost nothing could go on so for ever. What such a move comes to on average lies between what it does if it
    ends where it may get stuck and what it does without going round; unless units mayn't end there of their own will. Up
    to `counted`, it matters how many hexes have been entered.
    """
    was = label.parent
    while was is not None and was.depth and was.spent == label.spent:
        if (was.hex, was.here, was.ends, was.pending) == (label.hex, label.here, label.ends, label.pending):
            same = (was.removes, was.tallies) == (label.removes, label.tallies) and not was.cond & ~label.cond
            if same and min(was.depth, counted) == min(label.depth, counted):
                return True
        was = was.parent
    return False


def possibility_of(reach: ConditionalReach, team: Sequence[Unit], label: TeamLabel, ending: int = 0) -> TeamPossibility:
    """Return what a team does if its move ends at a label; `ending` is what that needs further, as bits."""
    chain = [label]
    while chain[-1].parent is not None:
        chain.append(chain[-1].parent)
    chain.reverse()
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
        deaths += [(enemy, chance) for enemy in reach.removed(after.removes & ~before.removes)]
    drops = [(step, unit) for step, unit in drops if step < len(path) - 1]  # whoever gets to the end isn't dropped
    final = label.forks[-1].chance if label.forks else Fraction(1)
    ends = tuple(end or label.hex for end in label.ends)
    scale, before_it = reach.scale, [reach.departed(unit.id).spent for unit in team]
    expected = [
        ((acc if label.ends[i] else acc + final * label.spent[i]) - before_it[i]) / scale
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
        label.forks,
    )
