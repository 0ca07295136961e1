"""The options layer: each non-dominated possibility of a unit, or of a team, is one literal. The fast form, for search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from planner.objective import Linear
from planner.reachability.possibility import Possibility
from planner.reachability.team_possibility import Fork, TeamPossibility
from planner.rules.atom_order import in_order
from planner.rules.atoms import Atom, There
from planner.solver.coupling import Coupling, UnitVariables
from planner.solver.cp_sat import BoolVar, Literal
from planner.world.board import NOTHING


@dataclass
class _Gathered:
    """What the possibilities of one unit come to; `alone` if nothing of it is rolled for, or done together with others."""

    alone: bool = False
    literals: list[BoolVar] = field(default_factory=list)
    ends: dict[str, list[BoolVar]] = field(default_factory=dict)
    sure_ends: dict[str, list[BoolVar]] = field(default_factory=dict)
    removes: dict[str, list[BoolVar]] = field(default_factory=dict)
    sure_removals: dict[str, list[BoolVar]] = field(default_factory=dict)
    stuck: dict[str, list[BoolVar]] = field(default_factory=dict)
    places: dict[str, list[tuple[Fraction, BoolVar]]] = field(default_factory=dict)
    deaths: dict[str, list[tuple[Fraction, BoolVar]]] = field(default_factory=dict)
    rolls: dict[tuple[str, str], list[BoolVar]] = field(default_factory=dict)
    needed: dict[Atom, list[BoolVar]] = field(default_factory=dict)
    mp: list[tuple[int, BoolVar]] = field(default_factory=list)
    most_mp: list[tuple[int, BoolVar]] = field(default_factory=list)
    arrivals: list[tuple[str, int, Fraction, BoolVar]] = field(default_factory=list)
    perhaps: list[BoolVar] = field(default_factory=list)


class Options:
    """Posts the possibilities of every unit, and of every team, into a coupling layer.

    Parameters
    ----------
    coupling : Coupling
        The layer that gets the units.
    possibilities : mapping from units to possibilities
        As conditional reach lists them; staying is always one more.
    teams : sequence of TeamPossibility
        What several units can do together.
    confidence : Fraction
        How likely a result must be at least that others rely on. Below 1 a move that needs anything of the others is
        valued as if it were made, or left undone because a result fails, whichever is better.
    bounding : bool
        Whether every move is valued so: no plan is worth more than that.
    """

    def __init__(
        self,
        coupling: Coupling,
        possibilities: Mapping[str, Sequence[Possibility]],
        teams: Sequence[TeamPossibility] = (),
        confidence: Fraction = Fraction(1),
        bounding: bool = False,
    ) -> None:
        self._confidence = coupling.confidence = confidence
        self._bounding = bounding
        self.chosen: dict[str, list[tuple[Possibility, BoolVar]]] = {}
        self.teams: list[tuple[TeamPossibility, BoolVar]] = []
        self._coupling = coupling
        self._ordered: dict[frozenset[Atom], tuple[Atom, ...]] = {}
        found: dict[str, _Gathered] = {}
        together = {unit for team in teams for unit in team.units}
        for unit, options in possibilities.items():
            coupling.tick()
            if options:
                found[unit] = _Gathered(alone=confidence == 1 and not bounding and unit not in together)
                self._gather_alone(unit, options, found[unit])
        for number, team in enumerate(teams):
            if number % 256 == 0:
                coupling.tick()
            self._gather_together(team, found)
        for unit in coupling.game.order:
            if unit in found:
                coupling.tick()
                self._add_unit(unit, found[unit])
        self._go_on_as_one()
        self._overrun_once()

    def copied(self, coupling: Coupling) -> Options:
        """Return the same possibilities in a copy of their coupling layer."""
        other = copy(self)
        other._coupling = coupling
        return other

    def _go_on_as_one(self) -> None:
        """Ensure that the units of a stack whose move isn't over go on as one, if they do."""
        begun = self._coupling.game.begun
        hand = begun.position.in_hand if begun is not None else NOTHING
        lets_wait, units = self._coupling.game.rulebook.lets_wait, self._coupling.game.units
        apart = [lit for team, lit in self.teams if hand.issuperset(team.units)]
        if len(hand) > 1 and not all(lets_wait(units[unit]) for unit in hand) and len(apart) > 1:
            self._coupling.model.add_at_most_one(apart)

    def _overrun_once(self) -> None:
        """Ensure that of all moves that eliminate the same enemies of a hex, who must be there, one is made at most.

        That follows from the order of the moves, of which a linear relaxation sees next to nothing: three moves of which
        each must come before the others would each be made by half, and their enemy be gone half as often again as it can.
        """
        taking: dict[frozenset[str], dict[int, Literal]] = {}
        homes = self._coupling.game.homes
        everything = (option for options in self.chosen.values() for option in options if option[0].removes)
        alone = ((one.needs, one.removes, literal) for one, literal in everything)
        together = ((team.needs, [enemy for enemy, _ in team.removes], literal) for team, literal in self.teams)
        for needs, removes, literal in (*alone, *together):
            for enemy in [enemy for enemy in removes if There(enemy) in needs]:
                victims = frozenset(one for one in removes if homes.get(one) == homes[enemy])
                taking.setdefault(victims, {})[literal.index] = literal
        for literals in taking.values():
            if len(literals) > 1:
                self._coupling.model.add_at_most_one(literals.values())

    def _gather_alone(self, unit: str, options: Sequence[Possibility], into: _Gathered) -> None:
        asking, ends = self._coupling.asking, into.ends
        needing: dict[frozenset[Atom], list[BoolVar]] = {}
        literals = into.literals = self._coupling.new_literals(len(options))
        chosen = self.chosen[unit] = list(zip(options, literals, strict=True))
        for option, literal in chosen:  # of which there may be a hundred thousand
            _, end, _, _, _, needs, gone, _, _ = option
            if end in ends:
                ends[end].append(literal)
            else:
                ends[end] = [literal]
            for enemy in gone:
                into.removes.setdefault(enemy, []).append(literal)
            if needs:
                asking[literal.index] = needs
                needing.setdefault(needs, []).append(literal)
        for needs, some in needing.items():
            for atom in self._in_order(needs):
                into.needed.setdefault(atom, []).extend(some)
        one = Fraction(1)
        into.deaths = {enemy: [(one, literal) for literal in some] for enemy, some in into.removes.items()}
        if not into.alone:
            into.sure_ends = {end: literals.copy() for end, literals in ends.items()}
            into.sure_removals = {enemy: literals.copy() for enemy, literals in into.removes.items()}
            into.places = {end: [(one, literal) for literal in literals] for end, literals in ends.items()}
            into.arrivals = _arrivals(chosen, self._hexes(unit))
            into.perhaps = [literal for option, literal in chosen if self._doubtful(option.needs)]
            into.most_mp = _spent(chosen, self._coupling.mp_scale)
            sure = [option for option in chosen if not self._costs_less(option[0].needs)]
            into.mp = _spent(sure, self._coupling.mp_scale)

    def _in_order(self, needs: frozenset[Atom]) -> Sequence[Atom]:
        """Return what moves need in an order that is the same in every run; many moves need the same."""
        known = self._ordered.get(needs)
        if known is None:
            known = self._ordered[needs] = tuple(in_order(needs))
        return known

    def _hexes(self, unit: str) -> int:
        """Return how many hexes a unit has entered before."""
        begun = self._coupling.game.begun
        return begun.position.under_way[unit].steps if begun and unit in begun.position.under_way else 0

    def _doubtful(self, needs: frozenset[Atom]) -> bool:
        """Tell whether a move may be left undone because of what it needs."""
        if self._confidence == 1:
            return False
        return self._bounding or any(atom.helped or atom.foremost for atom in needs)

    def _costs_less(self, needs: frozenset[Atom]) -> bool:
        """Tell whether a move may cost less than it says: nothing if it is left undone, or what rolls make of an EZOC."""
        return self._bounding or self._doubtful(needs)

    def _gather_together(self, team: TeamPossibility, found: dict[str, _Gathered]) -> None:
        coupling = self._coupling
        literal = coupling.new_literal()
        self.teams.append((team, literal))
        coupling.add_team(team, literal)
        if team.needs:
            coupling.asking[literal.index] = team.needs
        for index, unit in enumerate(team.units):
            into = found.setdefault(unit, _Gathered())
            into.literals.append(literal)
            end = team.ends[index]
            into.ends.setdefault(end, []).append(literal)
            own = [fork for fork in team.forks if unit in fork.units]
            failing = _failing(own, self._confidence)
            if all(fork.at == end for fork in failing):
                into.sure_ends.setdefault(end, []).append(literal)
            for fork in failing:
                into.stuck.setdefault(fork.at, []).append(literal)
            for at, through in _stuck_or_past(failing):
                for enemy in (enemy for enemy, chance in team.removes if chance == through):
                    into.rolls.setdefault((at, enemy), []).append(literal)
            hexes = next((step for step, left in team.drops if left == unit), len(team.path) - 1)
            into.arrivals.append((end, self._hexes(unit) + hexes, own[-1].chance if own else Fraction(1), literal))
            for place, chance in team.places(unit):
                into.places.setdefault(place, []).append((chance, literal))
            if team.mp[index]:
                into.most_mp.append((int(team.mp[index] * coupling.mp_scale), literal))
            if self._doubtful(team.needs):
                into.perhaps.append(literal)
            if not self._costs_less(team.needs) and team.expected_mp[index]:
                into.mp.append((int(team.expected_mp[index] * coupling.mp_scale), literal))
        # What all of them do and need together is laid to the first, at whose moment they move.
        into = found[team.units[0]]
        for enemy, chance in team.removes:
            into.removes.setdefault(enemy, []).append(literal)
            into.deaths.setdefault(enemy, []).append((chance, literal))
            if chance >= self._confidence:
                into.sure_removals.setdefault(enemy, []).append(literal)
        for atom in self._in_order(team.needs):
            into.needed.setdefault(atom, []).append(literal)

    def lines(self) -> Linear:
        """Return of how many lines a plan consists; of units that go the same way, where stacks move, of one."""
        coupling = self._coupling
        if not coupling.game.rulebook.stacks:
            spared = [(1 - len(team.units), literal) for team, literal in self.teams if len(team.units) > 1]
            return Linear((*((1, unit.moves) for unit in coupling.units.values()), *spared))
        alone: dict[tuple[str, ...], list[BoolVar]] = {}
        for options in self.chosen.values():
            for option, literal in options:
                alone.setdefault(option.path, []).append(literal)
        together = [literal for _, literal in self.teams]
        return Linear(tuple((1, literal) for literal in [*map(coupling.any_of, alone.values()), *together]))

    def _add_unit(self, unit: str, found: _Gathered) -> None:
        """Ensure that a unit takes exactly one of its possibilities, or stays."""
        coupling, home = self._coupling, self._coupling.game.homes[unit]
        stays = coupling.new_literal()
        coupling.model.add_exactly_one([stays, *found.literals])
        foremost = {atom.leading: coupling.any_of(x) for atom, x in found.needed.items() if atom.foremost}
        found.ends[home] = [stays, *found.ends.get(home, [])]

        def any_of(literals: dict[str, list[BoolVar]]) -> dict[str, Literal]:
            return {key: those[0] if len(those) == 1 else coupling.one_of(those) for key, those in literals.items()}

        ends, removes = any_of(found.ends), any_of(found.removes)
        if found.alone:
            chosen = self.chosen[unit]
            variables = UnitVariables(
                moves=~stays,
                ends=ends,
                removes=removes,
                mp=partial(_mp_of, chosen, coupling.mp_scale),
                ways=found.ends,
                deaths=found.deaths,
                arrivals=partial(_arrivals, chosen, self._hexes(unit)),
                foremost=foremost,
            )
        else:
            found.sure_ends[home] = [stays, *found.sure_ends.get(home, [])]
            found.places.setdefault(home, []).extend((Fraction(1), literal) for literal in [stays, *found.perhaps])
            mp, most_mp, arrivals = Linear(tuple(found.mp)), Linear(tuple(found.most_mp)), found.arrivals
            variables = UnitVariables(
                moves=~stays,
                ends=ends,
                removes=removes,
                mp=lambda: mp,
                most_mp=lambda: most_mp,
                sure_ends=any_of(found.sure_ends) if found.ends != found.sure_ends else None,
                sure_removals=any_of(found.sure_removals),
                stuck=any_of(found.stuck),
                rolls={key: coupling.one_of(those) for key, those in found.rolls.items()},
                places=found.places,
                surely_moves=coupling.all_of([~stays, *(~literal for literal in found.perhaps)]),
                deaths=found.deaths,
                arrivals=lambda: arrivals,
                foremost=foremost,
            )
        coupling.add_unit(unit, variables)
        for atom, literals in found.needed.items():
            coupling.model.add_at_most_one([~coupling.need(unit, atom), *literals])


def _failing(forks: Sequence[Fork], confidence: Fraction) -> list[Fork]:
    """Return the rolls not to be relied upon that may fail: what is sure after another roll is as likely as that one."""
    before = (Fraction(1), *(fork.chance for fork in forks))
    return [fork for fork, chance in zip(forks, before, strict=False) if fork.chance < min(chance, confidence)]


def _stuck_or_past(failing: Sequence[Fork]) -> Iterator[tuple[str, Fraction]]:
    """Yield where a unit is stuck unless all goes through up to each of the rolls that may fail, and how likely that is.

    Only as long as that is one hex: who is stuck elsewhere if an earlier roll fails is neither there nor past it.
    """
    for fork in failing:
        if fork.at != failing[0].at:
            return
        yield fork.at, fork.chance


def _mp_of(chosen: Sequence[tuple[Possibility, BoolVar]], scale: int) -> Linear:
    """Return the MP that possibilities spend, times a scale."""
    return Linear(tuple(_spent(chosen, scale)))


def _spent(chosen: Iterable[tuple[Possibility, BoolVar]], scale: int) -> list[tuple[int, BoolVar]]:
    """Return what each possibility spends, times a scale, without those that spend nothing."""
    spent = ((one.mp.numerator * scale // one.mp.denominator, literal) for one, literal in chosen)
    return [(mp, literal) for mp, literal in spent if mp]


def _arrivals(chosen: Sequence[tuple[Possibility, BoolVar]], before: int) -> list[tuple[str, int, Fraction, BoolVar]]:
    """Return where possibilities end, and how many hexes a unit has entered then, with those that it had entered before."""
    one = Fraction(1)
    return [(option.end, before + len(option.path) - 1, one, literal) for option, literal in chosen]
