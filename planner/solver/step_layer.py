"""The paths layer: every step of every unit is a literal, and every demand of every rule a clause of its own.

The explicit form, for checking plans and for holding the fast form to account. A path is unrolled step by step, so
that it may come back to a hex, as the rules allow; MP, stops and the unit's own overruns are spelled out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

from planner.plans.plan import Move
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.departure import Departure
from planner.reachability.step_rules import Step
from planner.rules.atom_order import in_order
from planner.rules.atoms import Atom
from planner.rules.combat_roles import Bogs
from planner.rules.demands import Before, Demand
from planner.rules.roles import Caps
from planner.solver.coupling import Coupling, UnitVariables
from planner.solver.cp_sat import BoolVar, Literal
from planner.solver.spending import Spending
from planner.world.forces import Unit

Node = tuple[str, Before]
"""A place, with what the next step may need to know of the step that led there."""


class Paths:
    """Posts the possible paths of units into a coupling layer.

    Parameters
    ----------
    coupling : Coupling
        The layer that gets the units.
    reach : ConditionalReach
        Tells the steps, and what the rules say of them.
    moves : mapping from units to moves, optional
        Fixes the units' moves; units without one stay. Absent: every path is possible, but for overruns that several
        units make together.
    stacks : mapping from units to moves, optional
        The moves of the whole stacks of which the units' moves are parts.
    only : collection of str, optional
        The only units that have paths, where moves aren't fixed.
    together : bool
        Whether overruns that several units make together are among the steps of each, whatever the others would have to do.
    """

    def __init__(
        self,
        coupling: Coupling,
        reach: ConditionalReach,
        moves: Mapping[str, Move] | None = None,
        stacks: Mapping[str, Move] | None = None,
        only: Collection[str] | None = None,
        together: bool = False,
    ) -> None:
        self._coupling = coupling
        self._reach = reach
        self._stacks = stacks or {}
        self.arcs: dict[str, list[dict[Step, BoolVar]]] = {}
        for unit in reach.movers if moves is None else moves:
            if only is not None and unit not in only:
                continue
            layers = possible_layers(reach, unit, together) if moves is None else self._fixed_layers(unit, moves[unit])
            if layers:
                self._add_unit(unit, layers, fixed=moves is not None)

    # -- which steps there are

    def _after(self, step: Step) -> Node:
        """Return where a step leads, and what the next step may need to know of it."""
        return step.arc.to, self._reach.after(step.arc)

    def _fixed_layers(self, unit: str, move: Move) -> list[list[Step]]:
        """List, for each step of a written move, what it may mean."""
        counter = self._reach.game.units[unit]
        layers: list[list[Step]] = []
        states: list[Before] = [departure.before for departure in self._reach.departures(unit)]
        for index in range(1, len(move.path)):
            fails = move.failed and index == len(move.path) - 1
            layer = [
                step
                for before in states
                for arc in self._reach.readings(counter, move, index, before)
                for step in self._reach.variants(counter, replace(arc, fails=fails))
            ]
            team = self._team(unit, index)
            if team[0].id == unit:
                layer = [self._reach.together(team, step) for step in layer]
            layers.append(layer)
            states = list(dict.fromkeys(self._reach.after(step.arc) for step in layer))
        return layers

    def _team(self, unit: str, index: int) -> list[Unit]:
        """Return the units of a stack that make the step with a unit, itself among them."""
        units, stack = self._reach.game.units, self._stacks.get(unit)
        if stack is None:
            return [units[unit]]
        return [units[other] for other in stack.units if stack.last_step(other) >= index]

    def _certainties(self, unit: str, layers: Sequence[Sequence[Step]]) -> list[Fraction]:
        """Return how likely it is, after each layer of a written move, that everything has gone through so far."""
        found, so_far = [], Fraction(1)
        for index, layer in enumerate(layers, 1):
            so_far *= min(
                (self._reach.chance(self._team(unit, index), step.arc) for step in layer), default=Fraction(1)
            )
            found.append(so_far)
        return found

    # -- the unit's variables

    def _add_unit(self, unit: str, layers: list[list[Step]], fixed: bool) -> None:
        """Ensure that a unit's steps form a path from its home, or that it stays."""
        coupling, home = self._coupling, self._coupling.game.homes[unit]
        steps: list[dict[Step, BoolVar]] = [{step: coupling.new_literal() for step in layer} for layer in layers]
        self.arcs[unit] = steps
        moves, setting_out = coupling.new_literal(), self._reach.departures(unit)
        coupling.model.add(sum(steps[0].values()) == moves)
        halts = self._post_path(steps)
        ends: dict[str, list[Literal]] = {home: [~moves]}
        for _, label, halt in halts:
            ends.setdefault(label, []).append(halt)
        arrivals = [(label, setting_out[0].steps + index, Fraction(1), halt) for index, label, halt in halts]
        if fixed:
            for layer in steps:
                coupling.model.add_exactly_one(list(layer.values()))
        certain = self._certainties(unit, layers) if fixed else [Fraction(1)] * len(layers)
        confidence = coupling.game.situation.confidence
        had = [Fraction(1), *certain]
        # Whoever bogs down has entered the hex; whoever fails to overrun has not.
        bogs = bool(self._reach.of(Bogs))
        removes = _removals(steps)
        sure_removals = _removals(
            layer for layer, chance in zip(steps, had if bogs else certain, strict=False) if chance >= confidence
        )
        failing = {
            index: layers[index][0].arc.to if bogs else layers[index][0].arc.origin
            for index, chance in enumerate(certain)
            if chance < confidence and chance != had[index]
        }
        stuck = dict.fromkeys(failing.values(), True)
        spending = Spending(coupling, self._reach, unit, steps)
        spent = spending.over_all.times(coupling.mp_scale // self._reach.scale)
        coupling.add_unit(
            unit,
            UnitVariables(
                moves=moves,
                ends={label: coupling.any_of(found) for label, found in ends.items()},
                removes={enemy: coupling.any_of(found) for enemy, found in removes.items()},
                mp=lambda: spent,
                # Whoever comes back to where it would be stuck stands there whatever is rolled.
                sure_ends=None if stuck.keys() <= {layers[-1][0].arc.to} else {},
                sure_removals={enemy: coupling.any_of(found) for enemy, found in sure_removals.items()},
                stuck=stuck,
                rolls=dict.fromkeys(_stuck_or_gone(layers, failing), True),
                arrivals=lambda: arrivals,
                foremost=self._foremost(steps),
            ),
        )
        self._post_budget(unit, steps, spending)
        for demand in self._reach.pick_up(unit):
            coupling.post_demand(unit, 0, home, demand, [~moves, *self._alternatives(unit, demand, [])])
        for departure in setting_out:
            self._post_departure(unit, departure, steps[0])
        for index in range(1, len(steps) + 1):
            coupling.tick()
            self._post_steps(unit, index, steps, spending)
        if self._reach.limiting_halts:
            fails = fixed and all(step.arc.fails and step.arc.overrun for step in layers[-1])
            for index, label, end in halts:
                if not fixed or (index == len(layers) and not fails):
                    self._post_halt(unit, index, label, end, steps)
            for index, (chance, so_far) in enumerate(zip(certain, had, strict=False), 1):
                arc = layers[index - 1][0].arc
                if chance < confidence and chance != so_far:
                    place = (index, arc.to) if bogs else (index - 1, arc.origin)
                    self._post_halt(unit, *place, None, steps)

    def _post_path(self, steps: Sequence[Mapping[Step, BoolVar]]) -> list[tuple[int, str, BoolVar]]:
        """Ensure that steps form a path; return where it may end: after how many steps, at which place, and whether."""
        coupling, halts = self._coupling, list[tuple[int, str, BoolVar]]()
        for index, layer in enumerate(steps, 1):
            coupling.tick()
            following = steps[index] if index < len(steps) else {}
            reached, further = dict[Node, list[Literal]](), dict[Node, list[Literal]]()
            for step, literal in layer.items():
                reached.setdefault(self._after(step), []).append(literal)
            for step, literal in following.items():
                further.setdefault(_before(step), []).append(literal)
            for node, here in reached.items():
                halt = coupling.new_literal()
                halts.append((index, node[0], halt))
                coupling.model.add(sum(here) == halt + sum(further.get(node, ())))
            for step, literal in following.items():
                if _before(step) not in reached:
                    coupling.model.add_bool_and([~literal])
        return halts

    def _post_halt(
        self, unit: str, index: int, label: str, literal: Literal | None, steps: Sequence[Mapping[Step, BoolVar]]
    ) -> None:
        """Ensure that a unit may end its move in a hex, with those of its stack who do; None: it may be stuck there."""
        game, stack = self._reach.game, self._stacks.get(unit)
        moving, team = [unit], [unit]
        if stack is not None:
            last = {mate: stack.last_step(mate) for mate in stack.units}
            going = {mate for mate, step in last.items() if step > index} if literal is None else set[str]()
            team = [mate for mate, step in last.items() if mate in going or stack.path[step] == label]
            moving = [mate for mate in team if mate in going] or team
        if moving[0] != unit:
            return
        unless = [] if literal is None else [self._coupling.negate(literal)]
        for demand in self._reach.halt([game.units[mate] for mate in team], label):
            alternatives = self._alternatives(unit, demand, self._own_removals(steps[:index]))
            self._coupling.post_demand(team[0], index, label, demand, [*unless, *alternatives])

    def _foremost(self, steps: Sequence[Mapping[Step, BoolVar]]) -> dict[str, Literal]:
        """Return when a unit goes by each way that must come before all other steps."""
        found: dict[str, list[Literal]] = {}
        for step, literal in (one for layer in steps for one in layer.items()):
            for way in {atom.leading for demand in step.now for atom in demand.atoms if atom.foremost}:
                found.setdefault(way, []).append(literal)
        return {way: self._coupling.any_of(literals) for way, literals in found.items()}

    def _post_departure(self, unit: str, departure: Departure, first: Mapping[Step, BoolVar]) -> None:
        """Ensure that a unit that goes on has what that needs."""
        coupling, home = self._coupling, self._coupling.game.homes[unit]
        for step, literal in first.items():
            if step.arc.before == departure.before:
                for demand in departure.pending:
                    if not demand.lapses(step.arc.victims):
                        alternatives = self._alternatives(unit, demand, [])
                        coupling.post_demand(unit, 0, home, demand, [~literal, *alternatives])
                for atom in in_order(departure.needs):
                    coupling.model.add_implication(literal, coupling.need(unit, atom))

    def _post_budget(self, unit: str, steps: Sequence[Mapping[Step, BoolVar]], spending: Spending) -> None:
        """Ensure that the MP spent stay within the MA, hexes excepted where the rules say so."""
        coupling, reach = self._coupling, self._reach
        counter = reach.game.units[unit]
        for index, layer in enumerate(steps, 1):
            coupling.tick()
            self._post_tallies(counter, index, steps[index - 1], spending)
            later = index > 1 or reach.departed(unit).steps > 0
            exempt = {step: self._may_overdraw(unit, step, not later) is not None for step in layer}
            bound = [step for step in layer if later or not exempt[step]]
            if not bound:
                continue
            so_far = spending.after(index)
            for step in bound:
                over = spending.over(step, index)
                spent = spending.nothing_left(step, index) if exempt[step] or step.rest is not None else True
                left = coupling.negate(spent) if exempt[step] else False
                for demand, lapsed in self._unpaid(counter, step, index, not later, spending):
                    unless = [~layer[step], coupling.negate(over), left, lapsed]
                    coupling.post_demand(unit, index, step.arc.to, demand, unless)
                if step.rest is not None:
                    coupling.post_demand(unit, index, step.arc.to, step.rest, [~layer[step], coupling.negate(spent)])
                for limit, wrong in filter(
                    None, (r.entry_limit(reach.game, counter, step.arc.to) for r in reach.of(Caps))
                ):
                    beyond = coupling.at_least(so_far, int(limit * reach.scale) + 1)
                    # What is more than the MA is another rule's affair.
                    unless = [~layer[step], coupling.negate(beyond), over]
                    coupling.post_demand(unit, index, step.arc.to, wrong, unless)

    def _may_overdraw(self, unit: str, step: Step, first: bool) -> Demand | None:
        """Return what moving on needs after a step that overdraws the MA; None: it may not, whatever is left."""
        return None if step.arc.attempts > 1 else self._reach.overdraft(unit, step.arc.overrun, step.arc.to, first)

    def _unpaid(
        self, unit: Unit, step: Step, index: int, first: bool, spending: Spending
    ) -> Iterator[tuple[Demand, Literal]]:
        """Yield what fails when a step can't be paid, each with what makes it something else that fails."""
        coupling, reach = self._coupling, self._reach
        plain, excepting = reach.budget(unit), reach.excepting(unit, step, first)
        if plain is None:
            return
        meant: Literal = False
        if excepting is not None:
            # It is the exemption that excepts overruns, where it would allow the step otherwise.
            dear = coupling.at_least(spending.after(index - 1), reach.least_before(unit, step))
            none = False if first else spending.nothing_left(reach.on_foot(step), index)
            meant = coupling.all_of([dear, coupling.negate(none)])
            yield excepting, coupling.negate(meant)
        yield plain, meant

    def _post_tallies(self, unit: Unit, index: int, layer: Mapping[Step, BoolVar], spending: Spending) -> None:
        """Ensure that no step makes a sum too large that a rule adds up."""
        coupling = self._coupling
        for place, (rule, cap, further) in enumerate(self._reach.tallied(unit)):
            if further is None:
                too_much = coupling.at_least(spending.added(place, index), cap + 1)
                nothing = (0,) * len(self._reach.tallied(unit))
                for step, literal in layer.items():
                    if not self._reach.added(unit, nothing, step)[place]:
                        continue
                    demand = rule.tally_demand(self._reach.game, unit, step.arc.to)
                    if demand is not None:
                        unless = [coupling.negate(literal), coupling.negate(too_much)]
                        coupling.post_demand(unit.id, index, step.arc.to, demand, unless)

    def _post_steps(self, unit: str, index: int, steps: Sequence[Mapping[Step, BoolVar]], spending: Spending) -> None:
        """Ensure that each step of one layer, and moving on after it, has what the rules demand."""
        coupling, layer = self._coupling, steps[index - 1]
        before = self._own_removals(steps[: index - 1])
        after = self._own_removals(steps[:index])
        following = steps[index] if index < len(steps) else {}
        counter = self._reach.game.units[unit]
        had = self._reach.tally_before(counter)
        for step, literal in layer.items():
            for asked in step.needs(index):
                demand = self._with_mates(unit, index, asked)
                alternatives = self._alternatives(unit, demand, before)
                at = demand.at or step.arc.to
                place = index - 1 if demand.at == step.arc.origin else index
                coupling.post_demand(unit, place, at, demand, [~literal, *alternatives])
            # What moving on needs, each with what would have to be otherwise for it to be needed.
            onward: list[tuple[Demand, Literal]] = [(demand, False) for demand in step.onward]
            first = index == 1 and not self._reach.departed(unit).steps
            overdraft = self._may_overdraw(unit, step, first)
            if overdraft is not None and first:
                if not self._reach.covers(counter, step, step.cost, had, self._reach.added(counter, had, step)):
                    onward.append((overdraft, False))
            elif overdraft is not None:
                within = coupling.negate(spending.over(step, index))
                onward.append((overdraft, coupling.any_of([within, spending.nothing_left(step, index)])))
            for demand, lapsed in onward:
                goes_on = coupling.any_of(
                    following[further]
                    for further in following
                    if _before(further) == self._after(step) and not demand.lapses(further.arc.victims)
                )
                if goes_on is not False:
                    unless = [~literal, coupling.negate(goes_on), lapsed]
                    alternatives = self._alternatives(unit, demand, after)
                    coupling.post_demand(unit, index, step.arc.to, demand, [*unless, *alternatives])

    def _with_mates(self, unit: str, index: int, demand: Demand) -> Demand:
        """Let a mate count as there before where the stack has dropped it on an earlier visit."""
        whole = self._stacks.get(unit)
        left = {whole.path[step] for step, _ in whole.drops if step < index} if whole is not None else set()
        if not left:
            return demand
        any_of = tuple(frozenset(_counting(atom, left) for atom in conjunction) for conjunction in demand.any_of)
        return replace(demand, any_of=any_of)

    @staticmethod
    def _own_removals(layers: Iterable[Mapping[Step, BoolVar]]) -> list[tuple[str, Literal]]:
        return [(victim, literal) for layer in layers for step, literal in layer.items() for victim in step.removes]

    def _alternatives(self, unit: str, demand: Demand, own: Sequence[tuple[str, Literal]]) -> list[Literal]:
        """Return a literal for each way of fulfilling a demand; it implies that way."""
        return [
            self._coupling.all_of([self._holds(unit, atom, own) for atom in in_order(conjunction)])
            for conjunction in demand.any_of
        ]

    def _holds(self, unit: str, atom: Atom, own: Sequence[tuple[str, Literal]]) -> Literal:
        coupling = self._coupling
        need = coupling.need(unit, atom)
        if not atom.victim and not atom.spares:
            return need
        mine = [literal for victim, literal in own if victim in atom.names]
        if atom.victim:
            return coupling.any_of([*mine, need])
        return coupling.all_of([need, *(coupling.negate(literal) for literal in mine)])


def _counting(atom: Atom, left: Collection[str]) -> Atom:
    """Return an atom for which a mate counts who has been left in one of some hexes."""
    friend = atom.friend
    return atom if friend is None or friend.hex not in left else replace(friend, before=False)


def _removals(steps: Iterable[Mapping[Step, BoolVar]]) -> dict[str, list[Literal]]:
    """Return, of each whom some steps eliminate, which these are."""
    found: dict[str, list[Literal]] = {}
    for step, literal in (one for layer in steps for one in layer.items()):
        for victim in step.removes:
            found.setdefault(victim, []).append(literal)
    return found


def _stuck_or_gone(layers: Sequence[Sequence[Step]], failing: Mapping[int, str]) -> Iterator[tuple[str, str]]:
    """Yield where a unit is stuck unless all goes through up to an overrun, with whom that eliminates.

    `failing` tells, by layer, where it is stuck if a roll fails. If that may be in several hexes, it is surely in none.
    """
    places = set[str]()
    for index, layer in enumerate(layers):
        places.update([failing[index]] if index in failing else [])
        if len(places) == 1:
            yield from product(places, layer[0].removes)


def _before(step: Step) -> Node:
    """Return from where a step leads, and what it knows of the step before it."""
    return step.arc.origin, step.arc.before


def possible_layers(reach: ConditionalReach, unit: str, together: bool) -> list[list[Step]]:
    """List the steps that may be a unit's first, second and so on, by MP alone; `together`: overruns with others, too."""
    ma = reach.most_mp(reach.game.units[unit])
    setting_out = reach.departures(unit)
    frontier: dict[Node, int] = {(reach.game.homes[unit], one.before): one.spent for one in setting_out}
    begun = setting_out[0].steps > 0
    layers: list[list[Step]] = []
    known: list[tuple[list[Step], dict[Node, int]]] = []
    most = 4 * len(reach.game.board)  # no optimal path is longer, even where steps are free
    while frontier and len(layers) < most:
        reach.check_time()
        layer: list[Step] = []
        reached: dict[Node, int] = {}
        for (label, before), spent in frontier.items():
            for step in reach.steps(unit, label, before, overruns=together):
                counter, first = reach.game.units[unit], not layers and not begun
                if not reach.affords(counter, step, spent + step.cost, first=first):
                    continue
                if reach.exhausted(counter, step, spent, reach.tally_before(counter), first) is not None:
                    continue
                layer.append(step)
                total = reach.total(counter, step, spent)
                if total <= ma:
                    node = step.arc.to, reach.after(step.arc)
                    reached[node] = min(total, reached.get(node, total))
        if not layer or (layer, reached) in known:
            break  # from here on the layers repeat themselves
        known.append((layer, reached))
        layers.append(layer)
        frontier = reached
    return layers
