"""Conditional reach: what a unit can do alone, and what it can do because of the others.

A label-setting search per unit over (hex, MP spent, conditions, own overruns). A *condition* is an atom that other units
decide: "a friend stands in h when I come", "enemy e is gone when I come". The result is every possibility of the unit
that no other one dominates.

Dominance. A label is dominated by one at the same hex that has spent no more MP, needs a subset of the conditions, and
has overrun a superset of the enemies; and whose duty to stop is the same, or none. This loses nothing where an enemy's
absence never hurts its overrunner's side. For a possibility that overruns e remains possible if e is gone already: the
step is then a plain one, at the same cost. Where it may be no step at all (`Rule.favours_overruns`), that e is there still
is a condition, too.

Nor does it lose anything where what a step takes depends on what is left: what has been spent after a step that takes all
that is left is the more of what it costs and of the MA, and so no less for who had spent more; and whether a hex may be
entered while MP are left, whatever it costs, is the same for all who had spent less. Who has overdrawn its MA is bound to
stop, which tells its labels from others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property, partial
from operator import le
from typing import ClassVar

from planner.errors import TooManyWaysError
from planner.limits import Limits
from planner.reachability.condition_masks import AtomBits, ConditionMasks, Truth
from planner.reachability.kept_reach import CanDo, Hearing, KeptReach, itself_of, might_do
from planner.reachability.label import Label, SharedDemands
from planner.reachability.label_search import LabelSearch, undominated
from planner.reachability.overrun_table import OverrunTable
from planner.reachability.possibility import Possibility
from planner.reachability.relaxed_reach import RelaxedReach
from planner.reachability.undisturbed import AtTheStart, groups_of, leaves_no_room, those_who_stay
from planner.rules.atoms import Atom, Early, Friend, Gone, GoneOrFriend, Room, Vacant
from planner.rules.demands import Demand
from planner.rules.game import Game
from planner.rules.later_roles import Battles
from planner.rules.play import overrun_links
from planner.world.forces import Unit


class ConditionalReach(OverrunTable):
    """What the phasing units can do in one game.

    Parameters
    ----------
    game : Game
        The board, the units, the rules and the situation.
    limits : Limits, optional
        When the search must end; absent: whenever it is done.
    prune : bool
        Whether to apply dominance; without it the search is exhaustive, for tests.
    without : frozenset of str
        Ids of rules to leave out, for tests that must notice it.
    most_needs : int, optional
        How many conditions a possibility may have; absent: any number. With it, not all possibilities are listed.
    """

    removals_welcome: ClassVar[bool] = True
    """Whether a further overrun can never hurt; see the module's text."""

    def __init__(
        self,
        game: Game,
        limits: Limits | None = None,
        *,
        prune: bool = True,
        without: frozenset[str] = frozenset(),
        most_needs: int | None = None,
    ) -> None:
        super().__init__(game, without)
        self.most_needs = most_needs
        self.prune = prune
        self.limits = limits or Limits()
        self.kept: KeptReach | None = None
        self._plain: dict[str, list[Label]] = {}
        self.known_alone: dict[str, tuple[CanDo, ...]] = {}
        self.atoms = AtomBits()
        self._removed: dict[int, tuple[str, ...]] = {0: ()}
        self._amounts: dict[int, Fraction] = {}
        self._rollers: dict[GoneOrFriend, frozenset[str]] = {}
        enemies = [unit for unit in game.homes if game.is_enemy(unit)]
        self.enemy_bits = {enemy: 1 << i for i, enemy in enumerate([*enemies, *sorted(self.tokens)])}
        self.shared_demands = SharedDemands(self.atoms, self.enemy_bits)
        self._groups = groups_of(game)

    def elsewhere(self, game: Game) -> ConditionalReach:
        """Return the same for a position in which nothing but where friends stand, and what they have spent, is different.

        Steps, with what the rules say of them, depend on none of this: they are shared, and listed once for all.

        Parameters
        ----------
        game : Game
            The same phase: enemies with their traits, markers and control are those of this game.
        """
        twin = copy(self)
        twin.game, twin.kept, twin._groups = game, None, groups_of(game)
        twin._pick_up, twin._departures, twin._plain, twin._rollers, twin.grounds = {}, {}, {}, {}, {}
        twin.forget_units_unlike(self.game)
        for name in ("movers", "in_hand", "_relaxed_reach", "_settled", "_settled_in"):
            twin.__dict__.pop(name, None)
        return twin

    # -- what is known of atoms

    @cached_property
    def _relaxed_reach(self) -> RelaxedReach:
        """Where each mover might end, and whom it might eliminate: too many, never too few.

        Both start with the board as it stands and grow together until nothing can be added: whatever a unit does
        rests on what others have done before it, and never, round a circle, on itself.
        """
        ends = {unit: frozenset([self.game.homes[unit]]) for unit in self.movers}
        relaxed = RelaxedReach(ends, dict.fromkeys(self.movers, frozenset()), self._groups, self.game.homes)
        # Of what a unit has asked in vain, who waits for whom to come where, and for whom to be gone.
        waiting: dict[str, set[str]] = {}
        queue = dict.fromkeys(self.movers)
        while queue:
            self.check_time()  # what is recalled of a unit looks at no clock
            unit = next(iter(queue))
            del queue[unit]
            might = might_do(self, unit, relaxed.might_hold)
            if might.labels is not None:
                self._plain[unit] = might.labels  # nothing depends on anybody, so that nothing has been left out
            for name in might.missed:
                waiting.setdefault(name, set()).add(unit)
            for news in relaxed.grow(unit, might.places, might.removed):
                for name in sorted(news.intersection(waiting)):
                    queue.update(dict.fromkeys(self.game.sorted(waiting.pop(name))))
        relaxed.labels = self._plain
        return relaxed if self.kept is None else self.kept.with_relaxed(relaxed)

    @cached_property
    def _settled(self) -> frozenset[str]:
        """The phasing units on the map that can't leave their hex, whatever happens."""
        ends = self._relaxed_reach.ends
        return frozenset(
            unit
            for unit in self.game.homes
            if unit in self.game.friends
            and len(ends.get(unit, frozenset()) | {self.game.homes[unit]}) == 1
            and not self._might_overrun_at_once(unit)
        )

    @cached_property
    def _settled_in(self) -> dict[str, set[str]]:
        """Those who can't leave their hex, by hex."""
        found: dict[str, set[str]] = {}
        for unit in self._settled:
            found.setdefault(self.game.homes[unit], set()).add(unit)
        return found

    def _might_overrun_at_once(self, unit: str) -> bool:
        """Tell whether a unit might leave its hex by an overrun made together, which a relaxation leaves out."""
        if not self.joint or unit not in self.movers:
            return False
        counter, home = self.game.units[unit], self.game.homes[unit]
        return any(self.overrun_steps(counter, home, to) for to in overrun_links(self.game, home))

    def before_all(self, unit: Unit, atom: Atom, team: frozenset[str] = frozenset()) -> bool | None:
        """Tell what is known of an atom whatever the others do; None if it depends on them.

        `team` are all who move together with the unit.
        """
        known = _KNOWN.get(type(atom))
        return None if known is None else known(self, unit, atom, team or frozenset([unit.id]))

    def known_to_roll(self, unit: Unit, atom: GoneOrFriend, team: frozenset[str]) -> bool | None:
        """Tell that nobody else can overrun the enemy from the hex, or else be stuck there; None if somebody can."""
        if (able := self._rollers.get(atom)) is None:
            home = self.game.homes[atom.enemy]
            units = (self.game.units[unit] for unit in self.movers if unit in self._groups[atom.group])
            # Who overruns another one from there may overrun this one once that has gone through.
            near = [to for to in overrun_links(self.game, atom.hex) if to == home or self.victims_at(to)]
            rolling = (one.id for one in units if any(self.overrun_steps(one, atom.hex, to) for to in near))
            able = self._rollers[atom] = frozenset(rolling)
        return None if able - team else False

    def known_room(self, unit: Unit, atom: Room, team: frozenset[str]) -> bool | None:
        """Tell whether the others who might ever stand in the hex leave room, or those who never leave it don't.

        None: it depends on them.
        """
        ends, homes, units = self._relaxed_reach.ends, self.game.homes, self.game.units
        guests = [
            unit
            for unit in self._groups[atom.group] - atom.but - team
            if homes.get(unit) == atom.hex or atom.hex in self.possible_places(unit, ends)
        ]
        if sum((units[unit].counts(atom.of) for unit in guests), Fraction(0)) <= atom.size:
            return True
        staying = (units[unit] for unit in guests if unit in self._settled and homes[unit] == atom.hex)
        return False if sum((unit.counts(atom.of) for unit in staying), Fraction(0)) > atom.size else None

    def as_it_stands(self, unit: Unit, atom: Atom) -> bool:
        """Tell whether an atom holds on the board as it stands."""
        return atom.holds(AtTheStart(self.game, self._groups, unit.id))

    def hexes_of(self, unit: str) -> frozenset[str]:
        """Return the hexes that a unit might get to, whatever the others do: too many, never too few."""
        return self._relaxed_reach.ends.get(unit, frozenset())

    def at_best(
        self, unit: str, stays: Callable[[str], bool], surely: bool = False, sound: bool = False
    ) -> tuple[dict[str, Fraction], frozenset[str]]:
        """Return the hexes that a unit could get to, for how many MP, and what it could eliminate, if all others helped it.

        Too much, never too little, without a look at any other unit, nor overruns that units make together. `stays` tells of
        a hex whether its enemies stay there, on which the result depends. `surely`: stuck where it may be. `sound`: never.
        """
        homes, least = self.game.homes, {self.game.homes[unit]: Fraction(0)}
        if unit not in self.movers:
            return least, frozenset()
        staying = those_who_stay(self.game, self._groups, self.movers)

        def truth(_: Unit, atom: Atom) -> bool:
            free = atom.friend is not None or atom.victim not in homes or not stays(homes[atom.victim])
            return free and not leaves_no_room(staying, atom)

        # Where it needn't be sure, luck may take the unit through overruns of its own that nobody else relies on.
        search = LabelSearch(self, unit, truth, relaxed=True, overruns=None if surely else self.joint)
        search.surely, search.never_stuck = surely, frozenset(self.game.board.places if sound else ())
        for label in sorted(search.run(), key=lambda label: label.mp):
            least.setdefault(label.hex, self._mp(label.mp - self.departed(unit).spent))
        return least, frozenset(search.removed)

    def alone(self, unit: str) -> list[Possibility]:
        """Return what a unit can do while nobody else moves, whatever is rolled for it; without a look at other units.

        What has been listed where only friends stood elsewhere holds if all that was asked is answered the same.
        """
        if not self.may_begin(unit):
            return []
        itself, before = itself_of(self, unit), self.known_alone.get(unit, ())
        holds = partial(self.as_it_stands, self.game.units[unit])
        known = next((one for one in before if one.holds(itself, holds)), None)
        if known is None:
            hearing = Hearing(self.as_it_stands)
            labels = self._plain.get(unit) or LabelSearch(self, unit, hearing, rolled=True).run()
            able = self._ending(unit, [label for label in labels if label.parent is not None], hearing)
            known = CanDo(itself, frozenset([label.hex for label in labels]), hearing.asked, able, 0)
            self.known_alone[unit] = (known, *before[:1])
        return known.possibilities

    def possible_removers(self, unit: str, enemy: str) -> tuple[str, ...]:
        """Return the friends of a unit that might eliminate an enemy that it needs gone, in the order of the scenario."""
        return self.game.sorted(self._relaxed_reach.removers.get(enemy, frozenset()) - {unit})

    # -- the search

    def possibilities(
        self,
        unit: str,
        truth: Truth | None = None,
        rolled: bool = False,
        most: int | None = None,
        only: Callable[[str, Sequence[str]], bool] | None = None,
        never_stuck: frozenset[str] = frozenset(),
    ) -> list[Possibility]:
        """Return every non-dominated possibility of a unit but those that are as good as staying where it is.

        Parameters
        ----------
        unit : str
            A phasing unit.
        truth : callable, optional
            What is known of atoms; `before_all` by default.
        rolled : bool
            Whether to count steps that it makes alone and for which it rolls, as if all rolls went well.
        most : int, optional
            How many ways to get anywhere may be gone on with; absent: any number.
        only : callable, optional
            Tells of a hex, and of who is eliminated, whether possibilities that end there and do so are wanted.
        never_stuck : frozenset of str
            With `rolled`, hexes in which it must not get stuck: it enters none of them where it rolls for that.

        Raises
        ------
        OutOfTimeError
            If the time is up.
        TooManyWaysError
            If there are more than `most`.
        """
        if unit not in self.movers or unit in self.stack_in_hand:
            return []  # a stack whose move isn't over goes on as one: its teams tell how
        if truth is not None or rolled or only is not None:
            labels, _ = self._labels_of(unit, truth or self.before_all, rolled, most, never_stuck)
            return self._told(unit, labels, truth or self.before_all, only)
        itself, kept = itself_of(self, unit), self.kept
        holds = partial(self.before_all, self.game.units[unit])
        known = None if kept is None else kept.recall(CanDo, unit, itself, holds)
        if known is None:
            hearing = Hearing(self.before_all)
            labels, ways = self._labels_of(unit, hearing, rolled, most)
            places = frozenset([label.hex for label in labels])
            known = CanDo(itself, places, hearing.asked, self._told(unit, labels, hearing), ways)
            if kept is not None:
                kept.keep(unit, known)
        elif most is not None and known.ways > most:
            raise TooManyWaysError(f"{unit} has more than {most} ways to get anywhere")
        return known.possibilities

    def _told(
        self,
        unit: str,
        labels: Sequence[Label],
        truth: Truth,
        only: Callable[[str, Sequence[str]], bool] | None = None,
    ) -> list[Possibility]:
        """Return the possibilities of which labels tell."""
        home, before = self.game.homes[unit], self.departed(unit).steps
        by_end: dict[object, list[Label]] = {}
        idle, counted = self.staying_is_as_good, self.counts_hexes
        for label in labels:
            end = label.hex
            if label.parent is None or (end == home and not label.removes and idle):
                continue
            if only is None or only(end, self.removed(label.removes)):
                key = (end, min(before + label.depth, counted)) if counted else end
                by_end.setdefault(key, []).append(label)
        kept = (undominated(self, some) if self.prune and len(some) > 1 else some for some in by_end.values())
        return self._ending(unit, [label for some in kept for label in some], truth)

    def _ending(self, unit: str, labels: Sequence[Label], truth: Truth) -> list[Possibility]:
        """Return what a unit does whose move ends at one of some labels, in each way in which it may end there.

        What that needs is the same for all labels of a place, so that dominance among them needn't know of it.
        """
        counter, spent, most = self.game.units[unit], self.departed(unit).spent, self.most_needs
        amount, atoms, limiting, found = self._mp, self.atoms.of, self.limiting_halts, list[Possibility]()
        for label in labels:
            cond, removes, end = label.cond, label.removes, label.hex
            asked = self.halt([counter], end) if limiting else ()
            path, overruns, carried = label.trail or label.way_there()
            stop = tuple([asked.demand for asked in label.pending]) if label.pending else ()
            gone = self.removed(removes) if removes else ()
            for needs in self.alternatives(counter, asked, cond, removes, truth) if asked else (0,):
                if needs and most is not None and (cond | needs).bit_count() > most:
                    continue
                met, mp = atoms(cond | needs), amount(label.mp - spent)
                found.append(Possibility(unit, end, mp, path, overruns, met, gone, stop, carried))
        return found

    def _labels_of(
        self, unit: str, truth: Truth, rolled: bool, most: int | None, never_stuck: frozenset[str] = frozenset()
    ) -> tuple[list[Label], int]:
        """Return a unit's labels, and how many were gone on with.

        Where nothing that it does depends on anybody, they are those of the relaxation.
        """
        known = self._relaxed_reach.labels.get(unit) if self.prune and not never_stuck else None
        if known is not None:
            return known, 0
        search = LabelSearch(self, unit, truth, rolled=rolled)
        search.never_stuck = never_stuck
        return search.run(most), search.ways

    @cached_property
    def most_legs(self) -> int:
        """How many legs a unit can be carried at most: a berth each."""
        return sum(marker.capacity for marker in self.game.situation.markers if marker.zone and not marker.used)

    @cached_property
    def staying_is_as_good(self) -> bool:
        """Whether a unit that comes back to where it was, with nobody overrun, might as well have stayed there."""
        return self.nobody_has_to_move and not any(rule.only_after_moving for rule in self.of(Battles))

    @property
    def plain_dominance(self) -> bool:
        """Whether labels are compared as this class says, and not otherwise by one that is derived from it."""
        same = type(self).dominates is ConditionalReach.dominates
        return same and self.nobody_has_to_move and not self.game.rulebook.tallying

    def dominates(self, one: Label, other: Label) -> bool:
        """Tell whether one label is at least as good as another at the same place; see the module's text."""
        if one.parent is None and other.parent is not None and not self.staying_is_as_good:
            return False
        # Where a move may rely on a roll, it may be better to need more: the move isn't made if the roll fails.
        needs = one.cond == other.cond if self.may_be_left_undone else one.cond & ~other.cond == 0
        as_good = one.mp <= other.mp and needs and one.removes & other.removes == other.removes
        return as_good and all(map(le, one.tally, other.tally))  # whatever is added up, less of it is as good

    def _mp(self, scaled: int) -> Fraction:
        """Return MP as they are written."""
        found = self._amounts.get(scaled)
        if found is None:
            found = self._amounts[scaled] = Fraction(scaled, self.scale)
        return found

    def removed(self, removes: int) -> tuple[str, ...]:
        """Return the enemies, markers and places of a set of what is gone."""
        if (found := self._removed.get(removes)) is None:
            found = self._removed[removes] = tuple(name for name, bit in self.enemy_bits.items() if bit & removes)
        return found

    @property
    def groups(self) -> Mapping[str, frozenset[str]]:
        """The units of each group that atoms name."""
        return self._groups

    def group(self, name: str) -> frozenset[str]:
        """Return the units of a group that atoms name."""
        return self._groups[name]

    def possible_places(self, unit: str, ends: dict[str, frozenset[str]]) -> frozenset[str]:
        """Return the hexes in which a unit might stand: where it might end, and, of one that overruns, anywhere."""
        return self._everywhere if self.joint and unit in self.movers else ends.get(unit, frozenset())

    @cached_property
    def _everywhere(self) -> frozenset[str]:
        return frozenset(self.game.board.places)

    def alternatives(
        self, unit: Unit, demands: Sequence[Demand], cond: int, removes: int, truth: Truth
    ) -> Sequence[int]:
        """Return the minimal sets of further conditions that fulfil all demands; none: they can't be fulfilled."""
        if not demands:
            return (0,)
        return self.condition_masks(unit, truth).of(self.shared_demands.all_of(demands), cond, removes)

    def condition_masks(self, unit: Unit, truth: Truth, relaxed: bool = False) -> ConditionMasks:
        """Return what weighs a unit's demands by what is known beforehand."""
        return ConditionMasks(unit, truth, self.atoms, self.enemy_bits, self.minds_absence, relaxed)

    def contradicts(self, cond: int, removes: int, victims: tuple[str, ...]) -> bool:
        """Tell whether an overrun's victim would have to be gone already."""
        return any(
            self.enemy_bits[victim] & removes or (cond and self.atoms.known_bit(Gone(victim)) & cond)
            for victim in victims
        )

    def check_time(self) -> None:
        """Raise `OutOfTimeError` if the deadline has passed or somebody has stopped the search."""
        self.limits.check("while the units' possibilities were being listed")


def _known_friend(reach: ConditionalReach, unit: Unit, atom: Friend, team: frozenset[str]) -> bool | None:
    """Tell whether a friend stands in a hex whatever happens, or never; None if it depends on them."""
    there = reach._settled_in.get(atom.hex)
    if there is not None and not there.isdisjoint(reach._groups[atom.group] - team):
        return True
    return None if reach._relaxed_reach.friends_in(atom) - team else False


def _known_gone(reach: ConditionalReach, unit: Unit, atom: Gone, team: frozenset[str]) -> bool | None:
    """Tell that nobody else can eliminate an enemy; None if somebody can."""
    return None if reach._relaxed_reach.removers.get(atom.enemy, set()) - team else False


def _known_vacant(reach: ConditionalReach, unit: Unit, atom: Vacant, team: frozenset[str]) -> bool | None:
    """Tell whether a hex is empty of friends whatever happens, or never; None if it depends on them."""
    guests = reach._relaxed_reach.guests_in(atom.hex, atom.group) - {unit.id}
    if reach.joint:  # overruns might take whoever can leave its hex anywhere
        guests |= reach.group(atom.group).intersection(reach.movers) - reach._settled - {unit.id}
    if not guests:
        return True
    return None if guests.isdisjoint(reach._settled) else False


def _known_early(reach: ConditionalReach, unit: Unit, atom: Early, team: frozenset[str]) -> bool | None:
    """Tell that too many have entered the hex before what is asked; None if it depends on the others."""
    others = reach.game.entered_before(atom.hex, atom.rule, unit.id)
    return None if atom.most is None or others <= atom.most else False


_KNOWN: dict[type[Atom], Callable[..., bool | None]] = {
    Friend: _known_friend,
    Gone: _known_gone,
    Vacant: _known_vacant,
    GoneOrFriend: ConditionalReach.known_to_roll,
    Room: ConditionalReach.known_room,
    Early: _known_early,
}
"""What tells beforehand of a kind of atom; of the others nothing is known."""
