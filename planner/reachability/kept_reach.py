"""What has been listed of one position, kept for questions about it and about positions that are like it.

What the rules say of the steps out of a hex depends on what is in it, beside it and one hex farther: each rule says so
of itself (`Rule.looks_near`). So these steps are the same in a position in which nothing has changed there. What a unit can
do depends on the steps out of the hexes that it might get to, and on what is known of the others: what was asked is kept
with the answer, and holds again where everything that was asked for is answered the same. How far units reach in general
(`relaxed_reach`), on which that rests, is worked out anew for each position, from answers kept in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from planner.reachability.condition_masks import Truth
from planner.reachability.label import Label
from planner.reachability.label_search import LabelSearch
from planner.reachability.step_table import StepTables
from planner.rules.atoms import Atom
from planner.rules.base import Rule, Way
from planner.rules.game import KIN, Game
from planner.rules.play import ways_from
from planner.scenario.memory import Memory
from planner.world.forces import Unit

if TYPE_CHECKING:
    from planner.reachability.conditional_reach import ConditionalReach
    from planner.reachability.possibility import Possibility
    from planner.reachability.relaxed_reach import RelaxedReach

MOST_OBJECTS = 60_000
"""How many possibilities, labels and answers may be kept of one position: some 25 MB."""

MOST_ANSWERS = 6
"""How many answers are kept of each question about a unit: what might be changes as others turn out to be able to move."""


@dataclass(frozen=True)
class Answer:
    """What came of one question about a unit, and all that it rests on but the steps out of the places looked at.

    Attributes
    ----------
    itself : tuple
        What is said of the unit itself.
    places : frozenset of str
        The places whose steps have been looked at.
    asked : dict from Atom to bool or None
        What was known of each atom.
    """

    itself: tuple[object, ...]
    places: frozenset[str]
    asked: dict[Atom, bool | None]

    def holds(self, itself: tuple[object, ...], truth: Callable[[Atom], bool | None]) -> bool:
        """Tell whether all that it rests on is so again."""
        return self.itself == itself and all(truth(atom) is known for atom, known in self.asked.items())

    def __len__(self) -> int:
        return len(self.asked) + 1


@dataclass(frozen=True)
class MightDo(Answer):
    """What a unit might do at all, by what is known of the others.

    Attributes
    ----------
    removed : frozenset of str
        Whom it might eliminate; where it might end, are the places.
    labels : list of Label or None
        How it gets everywhere, if that depends on nobody.
    """

    removed: frozenset[str]
    labels: list[Label] | None

    @property
    def missed(self) -> Iterator[str]:
        """What those atoms are about that might not hold."""
        return (name for atom, known in self.asked.items() if not known for name in atom.names)

    def __len__(self) -> int:
        return super().__len__() + len(self.labels or ())


@dataclass(frozen=True)
class CanDo(Answer):
    """What a unit can do.

    Attributes
    ----------
    possibilities : list of Possibility
        Its possibilities.
    ways : int
        How many ways to get anywhere were gone on with.
    worked_out : dict
        What others have worked out of the possibilities, of about as many objects, under keys of their own.
    """

    possibilities: list[Possibility]
    ways: int
    worked_out: dict[object, object] = field(default_factory=dict, compare=False)

    def __len__(self) -> int:
        return super().__len__() + 2 * len(self.possibilities)


A = TypeVar("A", bound=Answer)


class Hearing:
    """What is known of atoms, and what of it has been asked.

    Parameters
    ----------
    truth : callable
        What is known.
    """

    def __init__(self, truth: Truth) -> None:
        self._truth = truth
        self.asked: dict[Atom, bool | None] = {}

    def __call__(self, unit: Unit, atom: Atom) -> bool | None:
        """Return what is known of an atom."""
        known = self.asked[atom] = self._truth(unit, atom)
        return known


class KeptReach:
    """What has been listed of one position.

    Whoever takes something over copies it, so that searches in several threads don't disturb each other.

    Parameters
    ----------
    game : Game
        The position.
    ground : tuple
        What must be equal in another position for anything to be taken over.
    manner : tuple
        What must be equal, too, for anything but steps: how units' ways are looked for.
    steps : StepTables
        The steps that have been listed.

    Attributes
    ----------
    size : int
        About how many objects there are, steps excepted.
    recalled : int
        How many questions it has answered.
    relaxed : RelaxedReach or None
        How far units of this very position reach in general, once that is known.
    can_do : dict from units to CanDo
        What units of this very position can do.
    """

    def __init__(self, game: Game, ground: tuple[object, ...], manner: tuple[object, ...], steps: StepTables) -> None:
        self.game, self.ground, self.manner, self.steps = game, ground, manner, steps
        self.size = self.recalled = 0
        self.relaxed: RelaxedReach | None = None
        self.can_do: dict[str, CanDo] = {}
        self._answers: dict[tuple[type[Answer], str], tuple[Answer, ...]] = {}

    def take_over(self, other: KeptReach, changed: frozenset[str]) -> None:
        """Take over the answers of another position, but for those that rest on places whose steps have changed."""
        for (kind, unit), answers in other._answers.copy().items():
            if unit in self.game.units:
                for answer in answers:
                    if changed.isdisjoint(answer.places):
                        self._keep(kind, unit, answer)
        if self.game is other.game:
            self.relaxed, self.can_do = other.relaxed, other.can_do.copy()
            self.recalled += len(self.can_do) + len(self.relaxed.ends if self.relaxed is not None else ())

    def recall(
        self, kind: type[A], unit: str, itself: tuple[object, ...], truth: Callable[[Atom], bool | None]
    ) -> A | None:
        """Return the answer to a question about a unit that rests on nothing but what is so.

        Parameters
        ----------
        kind : type
            What is asked.
        unit : str
            Of whom.
        itself : tuple
            What is said of the unit itself.
        truth : callable
            What is known of atoms.
        """
        here = self.can_do.get(unit)
        if isinstance(here, kind):
            self.recalled += 1
            return here
        for answer in reversed(self._answers.get((kind, unit), ())):
            if isinstance(answer, kind) and answer.holds(itself, truth):
                self.recalled += 1
                if isinstance(answer, CanDo):
                    self.can_do[unit] = answer
                return answer
        return None

    def keep(self, unit: str, answer: Answer) -> None:
        """Keep an answer, as long as there is room."""
        if self._keep(type(answer), unit, answer) and isinstance(answer, CanDo):
            self.can_do[unit] = answer

    def worked_out(self, unit: str, possibilities: Sequence[Possibility]) -> dict[object, object]:
        """Return what others have worked out of a unit's possibilities; an empty dictionary if they aren't those kept."""
        here = self.can_do.get(unit)
        return here.worked_out if here is not None and here.possibilities is possibilities else {}

    def with_relaxed(self, relaxed: RelaxedReach) -> RelaxedReach:
        """Return how far units of this position reach in general, and keep it, as long as there is room."""
        if self.size + sum(map(len, relaxed.labels.values())) <= MOST_OBJECTS:
            self.relaxed = relaxed
        return relaxed

    def _keep(self, kind: type[Answer], unit: str, answer: Answer) -> bool:
        """Keep an answer, as long as there is room; tell whether there is."""
        room = self.size + len(answer) <= MOST_OBJECTS
        if room:
            self.size += len(answer)
            self._answers[kind, unit] = (*self._answers.get((kind, unit), ())[1 - MOST_ANSWERS :], answer)
        return room


def ground_of(game: Game) -> tuple[object, ...]:
    """Return what steps may depend on wherever they lead: the whole position but units, markers and control on the map."""
    begun = None if game.begun is None else game.begun.position
    sets = () if begun is None else (begun.taken, begun.lost, begun.ways, begun.failed, begun.used, begun.bogged)
    more = () if begun is None else (begun.committed, begun.given.items(), begun.demoralized)
    return (*_throughout(game), None if begun is None else tuple(map(frozenset, (*sets, *more))))


def _throughout(game: Game) -> tuple[object, ...]:
    """Return that of it which isn't remembered of the phase."""
    situation, board = game.situation, game.board
    return (
        (situation.phase, situation.phasing, situation.turn, situation.confidence, situation.margin),
        (situation.weather, situation.flags, situation.supply_sources, situation.countries, situation.restrictions),
        situation.orders,
        tuple(marker for marker in situation.markers if marker.at not in board.hexes),
        {unit: home for unit, home in game.homes.items() if home not in board.hexes and game.is_enemy(unit)},
        {rule.id: found for rule in game.rulebook.rules if any(found := _of_friends(game, rule))},
    )


def _of_friends(game: Game, rule: Rule) -> tuple[object, ...]:
    """Return what of the friends, wherever they are, steps depend on by a rule."""
    return rule.looks_at_friends(game), rule.looks_for_friends(game)


def changed_later(old: Game, new: Game, minding: Collection[Way]) -> frozenset[str] | None:
    """Return the places out of which steps aren't the same in two positions of one phase; None: nothing can be told.

    What fails, or is spent, in overruns that units make together is no matter here: no step of one unit depends on it.
    `minding` are the ways for whose steps it matters whether others have been made before.
    """
    if _throughout(old) != _throughout(new) or (differing := _differing(old, new)) is None:
        return None
    near = _near(old, new, differing) if differing else differing
    if near is not None and any(after_others(old, way) is not after_others(new, way) for way in minding):
        return frozenset(new.board.places)  # other steps say so, too
    return near


def changed_near(old: Game, new: Game) -> frozenset[str] | None:
    """Return the places near which enemies, markers or control have changed; None: more has, or nothing can be told."""
    if ground_of(old) != ground_of(new) or list(old.units) != list(new.units) or list(old.homes) != list(new.homes):
        return None
    for unit in new.friends:
        if old.units[unit] != new.units[unit] or old.homes.get(unit) != new.homes.get(unit):
            return None
    differing = _differing(old, new)
    return _near(old, new, differing) if differing else differing


def after_others(game: Game, way: Way) -> bool:
    """Tell whether steps of other ways have been made in the phase."""
    return game.begun is not None and bool(game.begun.position.ways - {way.id})


def _differing(old: Game, new: Game) -> frozenset[str] | None:
    """Return the places in which not the same is; None: nothing can be told."""
    if old is new or ((kin := old.cached(KIN, lambda: None)) is not None and kin is new.cached(KIN, lambda: None)):
        return frozenset()
    if old.board is not new.board or old.rulebook is not new.rulebook or not _in_order(old, new):
        return None
    before, after = (game.cached("contents of places", partial(_contents, game)) for game in (old, new))
    return frozenset(label for label in before.keys() | after.keys() if before.get(label) != after.get(label))


def _near(old: Game, new: Game, differing: frozenset[str]) -> frozenset[str] | None:
    """Return the places out of which a step may look at places that differ; None: that isn't known."""
    board = new.board
    if not all(rule.looks_near for rule in new.rulebook.rules) or not differing <= board.hexes.keys():
        return None
    near = _beside(new, _beside(new, differing))
    if all(way.plain for way in new.rulebook.ways):
        return near
    before = old.cached("leading afar", partial(_afar, old))
    # Of what differs in these positions, ways look at markers alone.
    alike = old.situation.markers == new.situation.markers
    after = new.cached("leading afar", (lambda: before) if alike else partial(_afar, new))
    afar = before if alike else [*before, *after]
    return near.union(label for label, to in afar if to is None or not near.isdisjoint(to))


def _in_order(old: Game, new: Game) -> bool:
    """Tell whether the units that are in both positions are in the same order."""
    for some, others in ((old.units, new.units), (old.homes, new.homes)):
        if [unit for unit in some if unit in others] != [unit for unit in others if unit in some]:
            return False
    return True


def _contents(game: Game) -> dict[str, tuple[object, ...]]:
    """Return what is in each place, but for friends, and who looks into it from afar; no place where nothing is.

    Whose a place is counts where a step may ask for it.
    """
    afar = [rule for rule in game.rulebook.rules if rule.overrides(Rule.looks_at_afar)]
    found: dict[str, tuple[object, ...]] = {}
    for unit, home in game.homes.items():
        if game.is_enemy(unit):
            found[home] = (*found.get(home, ()), game.units[unit])
    for label in found:
        found[label] += tuple(rule.looks_at_afar(game, label) for rule in afar)
    for marker in game.situation.markers:
        found[marker.at] = (*found.get(marker.at, ()), marker)
    for label, side in game.situation.control.items():
        if not game.minds_control(label):
            continue  # of places that nobody has to have taken, no step tells that they are
        found[label] = (*found.get(label, ()), side)
    for label in game.situation.contested:
        found[label] = (*found.get(label, ()), "contested")
    return found


def _beside(game: Game, places: frozenset[str]) -> frozenset[str]:
    """Return some places and those beside them."""
    return places.union(*(game.board.neighbours[label] for label in places))


def _afar(game: Game) -> list[tuple[str, frozenset[str] | None]]:
    """Return the places out of which a step may lead afar, with where to; None: nobody knows where to."""
    found: list[tuple[str, frozenset[str] | None]] = []
    for label in game.board.places:
        reached = [way.leads_afar(game, label) for way in ways_from(game, label)]
        if any(to is None for to in reached):
            found.append((label, None))
        elif any(reached):
            found.append((label, frozenset(place for to in reached for place in to or ())))
    return found


def itself_of(reach: ConditionalReach, unit: str) -> tuple[object, ...]:
    """Return what is said of a unit itself, on which rests what it can do."""
    counter = reach.game.units[unit]
    return counter, reach.game.homes[unit], reach.departures(unit), reach.pick_up(unit), reach.tally_before(counter)


def might_do(reach: ConditionalReach, unit: str, truth: Truth) -> MightDo:
    """Return what a unit might do at all, by what is known of the others."""
    counter, itself, kept = reach.game.units[unit], itself_of(reach, unit), reach.kept
    known = None if kept is None else kept.recall(MightDo, unit, itself, partial(truth, counter))
    if known is not None:
        return known
    hearing = Hearing(truth)
    search = LabelSearch(reach, unit, hearing, relaxed=True)
    labels = search.run()
    plain = search.plain and not reach.rolls_alone(counter)
    ends = frozenset([label.hex for label in labels])
    found = MightDo(itself, ends, hearing.asked, frozenset(search.removed), labels if plain else None)
    if kept is not None:
        kept.keep(unit, found)
    return found


def remember(reach: ConditionalReach, memory: Memory) -> None:
    """Let a reach take over what has been listed of positions like its own, and keep what it will list.

    Steps are the same for whoever goes on with few ways, doesn't prune, or may rely on a roll; what units can do isn't.
    Others on the board decide whether one may rely on a roll, wherever they are.
    """
    ground = (type(reach), reach.scale, reach.tokens, ground_of(reach.game))
    kept = KeptReach(reach.game, ground, (reach.prune, reach.most_needs, reach.relies_on_rolls), reach.tables)
    others = [other for other in memory.of(KeptReach) if other.ground == ground]
    if (nearest := _nearest(kept, others)) is not None:
        kept.steps.take_over(nearest[0].steps, nearest[1])
    if (nearest := _nearest(kept, [other for other in others if other.manner == kept.manner])) is not None:
        other, changed = nearest
        kept.take_over(other, changed)
        if other.game is kept.game or not _differing(other.game, kept.game):
            memory.forget(other)
    memory.keep(kept)
    reach.kept = kept
    if kept.relaxed is not None:
        reach.__dict__["_relaxed_reach"] = kept.relaxed  # a cached property, of an equal position


def _nearest(kept: KeptReach, others: Iterable[KeptReach]) -> tuple[KeptReach, frozenset[str]] | None:
    """Return the position that differs in the fewest places, and those whose steps have changed; None: there is none."""
    nearest: tuple[KeptReach, frozenset[str]] | None = None
    for other in others:
        differing = _differing(other.game, kept.game)
        if differing is not None and (nearest is None or len(differing) < len(nearest[1])):
            nearest = other, differing
    if nearest is None:
        return None
    other, differing = nearest
    changed = _near(other.game, kept.game, differing) if differing else differing
    return None if changed is None else (other, changed)
