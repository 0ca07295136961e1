"""The paths layer: every step of every unit is a literal, and every demand of every rule a clause of its own.

The explicit form, for checking plans and for holding the fast form to account. A path is unrolled step by step, so
that it may come back to a hex, as the rules allow; MP, stops and the unit's own overruns are spelled out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from planner.objective import Linear
from planner.plans.plan import Move
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.step_rules import Step
from planner.rules.demands import Atom, Before, Demand
from planner.rules.roles import Bogs, Caps, Charges
from planner.solver.coupling import Coupling, UnitVariables
from planner.solver.cp_sat import BoolVar, Literal
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
        self._together = together
        self.arcs: dict[str, list[dict[Step, BoolVar]]] = {}
        for unit in reach.movers if moves is None else moves:
            if only is not None and unit not in only:
                continue
            layers = self._possible_layers(unit) if moves is None else self._fixed_layers(unit, moves[unit])
            if layers:
                self._add_unit(unit, layers, fixed=moves is not None)

    # -- which steps there are

    def _possible_layers(self, unit: str) -> list[list[Step]]:
        """List the steps that may be the unit's first, second and so on, by MP alone."""
        reach = self._reach
        ma = int(reach.game.units[unit].ma * reach.scale)
        frontier: dict[Node, int] = {(reach.game.homes[unit], None): 0}
        layers: list[list[Step]] = []
        known: list[tuple[list[Step], dict[Node, int]]] = []
        most = 4 * len(reach.game.board)  # no optimal path is longer, even where steps are free
        while frontier and len(layers) < most:
            reach.check_time()
            layer: list[Step] = []
            reached: dict[Node, int] = {}
            for (label, before), spent in frontier.items():
                for step in reach.steps(unit, label, before, overruns=self._together):
                    total = spent + step.cost
                    if not reach.affords(reach.game.units[unit], step, total, first=not layers):
                        continue
                    layer.append(step)
                    if total <= ma:
                        node = self._after(step)
                        reached[node] = min(total, reached.get(node, total))
            if not layer or (layer, reached) in known:
                break  # from here on the layers repeat themselves
            known.append((layer, reached))
            layers.append(layer)
            frontier = reached
        return layers

    def _after(self, step: Step) -> Node:
        """Return where a step leads, and what the next step may need to know of it."""
        return step.arc.to, self._reach.after(step.arc)

    def _fixed_layers(self, unit: str, move: Move) -> list[list[Step]]:
        """List, for each step of a written move, what it may mean."""
        counter = self._reach.game.units[unit]
        layers: list[list[Step]] = []
        states: list[Before] = [None]
        for index, (origin, to) in enumerate(zip(move.path, move.path[1:], strict=False), 1):
            layer = [
                step
                for before in states
                for arc in self._reach.readings(
                    counter,
                    origin,
                    to,
                    before,
                    index in move.overruns,
                    move.carrier(index),
                    move.tries(index),
                    move.failed and index == len(move.path) - 1,
                    index,
                )
                for step in self._reach.variants(counter, arc)
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
        steps: list[dict[Step, BoolVar]] = [
            {step: coupling.new_literal(f"{unit} {index}: {step.arc.origin}-{step.arc.to}") for step in layer}
            for index, layer in enumerate(layers, 1)
        ]
        self.arcs[unit] = steps
        moves = coupling.new_literal(f"{unit} moves")
        coupling.model.add(sum(steps[0].values()) == moves)
        ends: dict[str, list[Literal]] = {home: [~moves]}
        arrivals: list[tuple[str, int, Fraction, Literal]] = []
        for index, layer in enumerate(steps):
            following = steps[index + 1] if index + 1 < len(steps) else {}
            reached = dict.fromkeys(self._after(step) for step in layer)
            for node in reached:
                halt = coupling.new_literal(f"{unit} ends {node[0]} after {index + 1}")
                ends.setdefault(node[0], []).append(halt)
                arrivals.append((node[0], index + 1, Fraction(1), halt))
                here = [literal for step, literal in layer.items() if self._after(step) == node]
                onward = [literal for step, literal in following.items() if _before(step) == node]
                coupling.model.add(sum(here) == halt + sum(onward))
            for step, literal in following.items():
                if _before(step) not in reached:
                    coupling.model.add_bool_and([~literal])
        if fixed:
            for layer in steps:
                coupling.model.add_exactly_one(list(layer.values()))
        kills: dict[str, list[Literal]] = {}
        sure_kills: dict[str, list[Literal]] = {}
        certain = self._certainties(unit, layers) if fixed else [Fraction(1)] * len(layers)
        confidence = coupling.game.situation.confidence
        had = [Fraction(1), *certain]
        # Whoever bogs down has entered the hex; whoever fails to overrun has not.
        bogs = bool(self._reach.of(Bogs))
        for index, layer in enumerate(steps):
            for step, literal in layer.items():
                for victim in step.removes:
                    kills.setdefault(victim, []).append(literal)
                    if had[index + (not bogs)] >= confidence:
                        sure_kills.setdefault(victim, []).append(literal)
        stuck = {
            layers[index][0].arc.to if bogs else layers[index][0].arc.origin: True
            for index, chance in enumerate(certain)
            if chance < confidence and chance != had[index]
        }
        rolls = {
            (layers[index][0].arc.origin, victim): True
            for index, chance in enumerate(certain)
            if chance != 1 and [Fraction(1), *certain][index] == 1
            for victim in layers[index][0].removes
        }
        spent = tuple((step.cost, literal) for layer in steps for step, literal in layer.items() if step.cost)
        coupling.add_unit(
            unit,
            UnitVariables(
                moves=moves,
                ends={label: coupling.any_of(found) for label, found in ends.items()},
                kills={enemy: coupling.any_of(found) for enemy, found in kills.items()},
                mp=Linear(spent),
                sure_ends=None if had[-1 - bogs] >= confidence else {},
                sure_kills={enemy: coupling.any_of(found) for enemy, found in sure_kills.items()},
                stuck=stuck,
                rolls=rolls,
                arrivals=arrivals,
                foremost=coupling.any_of(
                    literal for layer in steps for step, literal in layer.items() if _is_foremost(step)
                ),
            ),
        )
        self._post_budget(unit, steps)
        for demand in self._reach.pick_up(unit):
            coupling.post_demand(unit, 0, home, demand, [~moves, *self._alternatives(unit, demand, [])])
        for index, layer in enumerate(steps, 1):
            self._post_steps(unit, index, steps, layer)

    def _post_budget(self, unit: str, steps: Sequence[Mapping[Step, BoolVar]]) -> None:
        """Ensure that the MP spent stay within the MA, the first hex excepted where the rules say so."""
        coupling, reach = self._coupling, self._reach
        counter = reach.game.units[unit]
        ma = int(Fraction(counter.ma) * reach.scale)
        demand = next((rule.budget_demand(reach.game, counter) for rule in reach.of(Charges)), None)
        for index, layer in enumerate(steps, 1):
            bound = [
                step for step in layer if index > 1 or reach.overdraft(unit, step.arc.overrun, step.arc.to) is None
            ]
            if not bound:
                continue
            so_far = Linear(
                tuple((step.cost, literal) for earlier in steps[:index] for step, literal in earlier.items())
            )
            over = coupling.at_least(so_far, ma + 1)
            for step in bound:
                if demand is None:
                    break
                coupling.post_demand(unit, index, step.arc.to, demand, [~layer[step], coupling.negate(over)])
            for step in bound:
                for limit, wrong in filter(
                    None, (r.entry_limit(reach.game, counter, step.arc.to) for r in reach.of(Caps))
                ):
                    beyond = coupling.at_least(so_far, int(limit * reach.scale) + 1)
                    # What is more than the MA is another rule's affair.
                    unless = [~layer[step], coupling.negate(beyond), over]
                    coupling.post_demand(unit, index, step.arc.to, wrong, unless)

    def _post_steps(
        self, unit: str, index: int, steps: Sequence[Mapping[Step, BoolVar]], layer: Mapping[Step, BoolVar]
    ) -> None:
        """Ensure that each step of one layer, and moving on after it, has what the rules demand."""
        coupling = self._coupling
        before = self._own_kills(steps[: index - 1])
        after = self._own_kills(steps[:index])
        following = steps[index] if index < len(steps) else {}
        ma = int(self._reach.game.units[unit].ma * self._reach.scale)
        for step, literal in layer.items():
            for asked in step.needs(index):
                demand = self._with_mates(unit, index, asked)
                alternatives = self._alternatives(unit, demand, before)
                at = demand.at or step.arc.to
                place = index - 1 if demand.at == step.arc.origin else index
                coupling.post_demand(unit, place, at, demand, [~literal, *alternatives])
            onward = list(step.onward)
            overdraft = (
                self._reach.overdraft(unit, step.arc.overrun, step.arc.to) if index == 1 and step.cost > ma else None
            )
            if overdraft is not None:
                onward.append(overdraft)
            for demand in onward:
                goes_on = coupling.any_of(
                    following[further]
                    for further in following
                    if _before(further) == self._after(step) and not demand.lapses(further.arc.victims)
                )
                if goes_on is not False:
                    unless = [~literal, coupling.negate(goes_on)]
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
    def _own_kills(layers: Iterable[Mapping[Step, BoolVar]]) -> list[tuple[str, Literal]]:
        return [(victim, literal) for layer in layers for step, literal in layer.items() for victim in step.removes]

    def _alternatives(self, unit: str, demand: Demand, own: Sequence[tuple[str, Literal]]) -> list[Literal]:
        """Return a literal for each way of fulfilling a demand; it implies that way."""
        return [
            self._coupling.all_of([self._holds(unit, atom, own) for atom in sorted(conjunction, key=repr)])
            for conjunction in demand.any_of
        ]

    def _holds(self, unit: str, atom: Atom, own: Sequence[tuple[str, Literal]]) -> Literal:
        coupling = self._coupling
        need = coupling.need(unit, atom)
        if atom.own_kill is None:
            return need
        mine = [literal for victim, literal in own if victim in atom.names]
        if atom.own_kill:
            return coupling.any_of([*mine, need])
        return coupling.all_of([need, *(coupling.negate(literal) for literal in mine)])


def _counting(atom: Atom, left: Collection[str]) -> Atom:
    """Return an atom for which a mate counts who has been left in one of some hexes."""
    friend = atom.friend
    return atom if friend is None or friend.hex not in left else replace(friend, before=False)


def _before(step: Step) -> Node:
    """Return from where a step leads, and what it knows of the step before it."""
    return step.arc.origin, step.arc.before


def _is_foremost(step: Step) -> bool:
    """Tell whether a step must come before the moves of others."""
    return any(atom.foremost for demand in step.now for atom in demand.atoms)
