"""clingo on paths: each step of each unit is an atom, MP are added up along the path, and demands are rules.

Nothing is enumerated beforehand but the steps themselves: what the planner calls conditional reach is left to clingo.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from threading import Timer
from typing import Any

import clingo

from peers.asp import STRATEGIES
from peers.program import UnsuitedError
from peers.task import Task
from planner.objective.costs import MpSpent, UnitsMoved
from planner.objective.goals import Eliminate, End, Hold
from planner.plans.plan import Move, Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.step_rules import Step
from planner.rules.atoms import Friend, Gone, There
from planner.rules.demands import Demand
from planner.rules.game import Game
from planner.rules.roles import Ends
from planner.scenario import Scenario

RULES = """
% Paths: from hex to hex, at most so many steps.
at(U,H,0) :- home(U,H).
{ go(U,A,S) : arc(U,A,H,_,_) } 1 :- at(U,H,S-1), S = 1..N, most(U,N).
at(U,T,S) :- go(U,A,S), arc(U,A,_,T,_).
moves(U) :- go(U,_,1).
goes(U,S) :- go(U,_,S).
end(U,H) :- at(U,H,S), not goes(U,S+1).

% MP: what has been spent on entering a hex stays within a limit; the first hex may have one of its own.
spent(U,C,1) :- go(U,A,1), arc(U,A,_,_,C).
spent(U,M+C,S) :- go(U,A,S), arc(U,A,_,_,C), spent(U,M,S-1), limit(U,L), M+C <= L.
:- go(U,A,S), S > 1, not spent_any(U,S).
spent_any(U,S) :- spent(U,_,S).
:- spent(U,M,1), go(U,A,1), cap(U,A,L), M > L.
:- spent(U,M,1), limit(U,L), M > L, goes(U,2).
mp(U,M) :- spent(U,M,S), not goes(U,S+1).

% Who is eliminated.
own(U,E,S) :- go(U,A,S), kills(A,E).
own(U,E,S+1) :- own(U,E,S), goes(U,S+1).
kill(U,E) :- own(U,E,_).
gone(E) :- kill(_,E).

% Demands: of a step, and of moving on after it.
must(U,1,D) :- moves(U), begins(U,D).
must(U,S,D) :- go(U,A,S), now(A,D).
must(U,S+1,D) :- go(U,A,S), onward(A,D), go(U,B,S+1), not lapses(D,B).
1 { pick(U,S,D,I) : choice(D,I) } :- must(U,S,D).
needs(U,X) :- pick(U,S,D,I), part(D,I,X), wants_gone(X,E), not own(U,E,S-1).
needs(U,X) :- pick(U,S,D,I), part(D,I,X), wants_friend(X,_,_).

% Each need has a witness that comes in time, and nobody comes before himself.
1 { by(U,X,V) : kill(V,E), V != U } :- needs(U,X), wants_gone(X,E).
before(V,U) :- by(U,X,V).
1 { there(U,X,V) : moved_to(V,H), in(V,G), V != U; still(U,X,V) : mover(V), home(V,H), in(V,G), V != U } :-
    needs(U,X), wants_friend(X,H,G), not stands(X).
moved_to(V,H) :- end(V,H), moves(V).
before(V,U) :- there(U,X,V).
before(U,V) :- still(U,X,V), moves(V).
#edge (U,V) : before(U,V).
"""


@dataclass
class Facts:
    """A scenario as facts.

    Attributes
    ----------
    lines : list of str
        The facts.
    steps : list of (unit, Step)
        The steps by the numbers that atoms give them.
    """

    scenario: Scenario
    reach: ConditionalReach
    lines: list[str] = field(default_factory=list)
    steps: list[tuple[str, Step]] = field(default_factory=list)
    _demands: dict[Demand, int] = field(default_factory=dict)
    _atoms: dict[Any, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        reach, game = self.reach, self.scenario.game
        if reach.joint or self.scenario.requirements or any(reach.rolls_alone(game.units[u]) for u in reach.movers):
            raise UnsuitedError("more than single units' sure moves")
        self._groups = {name: members for rule in game.rulebook.rules for name, members in rule.groups(game).items()}
        for unit in reach.movers:
            self._add_unit(unit)
        for unit, home in game.homes.items():
            if unit not in reach.movers:
                self.lines.append(f'rests({unit},"{home}").')
        for name, members in self._groups.items():
            self.lines += [f'in({unit},"{name}").' for unit in game.sorted(members) if unit in reach.movers]
        self._add_lapses()
        self._add_limits(game)
        self._add_objective(game)

    def _add_unit(self, unit: str) -> None:
        reach, game = self.reach, self.scenario.game
        counter, home = game.units[unit], game.homes[unit]
        ma = int(counter.ma * reach.scale)
        self.lines += [f"mover({unit}).", f'home({unit},"{home}").', f"limit({unit},{ma})."]
        self.lines += [f"begins({unit},{self._demand(demand)})." for demand in reach.pick_up(unit)]
        cheapest = ma
        for label in dict.fromkeys([home, *sorted(reach.hexes_of(unit))]):
            for step in reach.steps(unit, label):
                if step.carried:
                    raise UnsuitedError("units are carried")
                overdraft = reach.overdraft(unit, step.arc.overrun, step.arc.to)
                first = label == home and overdraft is not None
                if step.cost > ma and not first:
                    continue
                if reach.limit(counter, step.arc.to) < ma:
                    raise UnsuitedError("some hexes limit MP")
                number = len(self.steps)
                self.steps.append((unit, step))
                cheapest = min(cheapest, max(1, step.cost))
                self.lines.append(f'arc({unit},{number},"{label}","{step.arc.to}",{step.cost}).')
                self.lines.append(f"cap({unit},{number},{step.cost if first else ma}).")
                self.lines += [f"kills({number},{enemy})." for enemy in step.removes if enemy in game.units]
                self.lines += [f"now({number},{self._demand(demand)})." for demand in step.now]
                self.lines += [f"onward({number},{self._demand(demand)})." for demand in step.onward]
        self.lines.append(f"most({unit},{max(1, ma // cheapest)}).")

    def _demand(self, demand: Demand) -> int:
        if demand not in self._demands:
            number = self._demands[demand] = len(self._demands)
            for index, conjunction in enumerate(demand.any_of):
                self.lines.append(f"choice({number},{index}).")
                for atom in sorted(conjunction, key=repr):
                    if isinstance(atom, There):
                        continue  # an overrun of those who are gone by then is a plain step
                    self.lines.append(f"part({number},{index},{self._atom(atom)}).")
        return self._demands[demand]

    def _atom(self, atom: object) -> int:
        if atom not in self._atoms:
            number = self._atoms[atom] = len(self._atoms)
            if isinstance(atom, Gone) and atom.enemy in self.scenario.game.units:
                self.lines.append(f"wants_gone({number},{atom.enemy}).")
            elif isinstance(atom, Friend) and not atom.stays:
                self.lines.append(f'wants_friend({number},"{atom.hex}","{atom.group}").')
                game = self.scenario.game
                settled = (u for u in self._groups[atom.group] if u not in self.reach.movers)
                if any(game.homes.get(unit) == atom.hex for unit in settled):
                    self.lines.append(f"stands({number}).")
            elif isinstance(atom, Gone):
                self.lines.append(f"wants_gone({number},nobody).")  # a marker, or control: nobody takes it here
            else:
                raise UnsuitedError(f"it needs {atom}")
        return self._atoms[atom]

    def _add_lapses(self) -> None:
        for demand, number in self._demands.items():
            if demand.onward:
                self.lines += [
                    f"lapses({number},{arc})."
                    for arc, (_, step) in enumerate(self.steps)
                    if demand.lapses(step.arc.victims)
                ]

    def _add_limits(self, game: Game) -> None:
        """Write what rules say of the position after the last move."""
        for rule in game.rulebook.of(Ends):
            rule.post_end(self)  # type: ignore[arg-type]

    # -- an end state in facts: an expression is the text of an atom

    @property
    def game(self) -> Game:
        """The game."""
        return self.scenario.game

    def moves(self, unit: str) -> str:
        """The unit makes a move."""
        return f"moves({unit})"

    def negate(self, expression: str) -> str:
        """The atom doesn't hold."""
        return f"not {expression}"

    def stands(self, unit: str, label: str) -> str:
        """The unit stands in the hex in the end."""
        return f'end({unit},"{label}")' if unit in self.reach.movers else f'rests({unit},"{label}")'

    def possible_stands(self, unit: str) -> Sequence[str]:
        """The hexes in which the unit may stand in the end."""
        home = self.game.homes.get(unit)
        return () if home is None else tuple(dict.fromkeys([home, *sorted(self.reach.hexes_of(unit))]))

    def at_most(self, terms: Sequence[tuple[int, str]], limit: int, demand: Demand) -> None:
        """Ensure that a weighted sum stays within a limit."""
        inside = "; ".join(f"{weight},{index} : {atom}" for index, (weight, atom) in enumerate(terms))
        self.lines.append(f":- #sum {{ {inside} }} > {limit}.")

    # -- the objective

    def _add_objective(self, game: Game) -> None:
        tiers, scale = self.scenario.tiers, self.reach.scale
        for number, tier in enumerate(tiers):
            priority = len(tiers) - number
            for index, term in enumerate(tier.terms):
                worth = f"{term.weight * scale}@{priority},{number},{index}"
                if isinstance(term, Eliminate):
                    self.lines += [f"#maximize {{ {worth},{enemy} : gone({enemy}) }}." for enemy in term.units]
                elif isinstance(term, (Hold, End)):
                    if isinstance(term, Hold):
                        labels: Sequence[str] = term.hexes
                        units = game.sorted(u for u in game.friends if term.by.matches(game.units[u]))
                    else:
                        labels, units = tuple(dict.fromkeys(term.at)), (term.unit,)
                    for label in labels:
                        held = f'held({number},{index},"{label}")'
                        self.lines += [f"{held} :- {self.stands(unit, label)}." for unit in units]
                        self.lines.append(f'#maximize {{ {worth},"{label}" : {held} }}.')
                elif isinstance(term, MpSpent):
                    cost = f"{term.weight}*M@{priority},{number},{index}"
                    counted = [u for u in self.reach.movers if term.of.matches(game.units[u])]
                    self.lines += [f"#minimize {{ {cost},{u} : mp({u},M) }}." for u in counted]
                elif isinstance(term, UnitsMoved):
                    counted = [u for u in self.reach.movers if term.of.matches(game.units[u])]
                    self.lines += [f"#minimize {{ {worth},{u} : moves({u}) }}." for u in counted]
                else:
                    raise UnsuitedError(f"{term.kind} has no form")


def plan_of(facts: Facts, symbols: Sequence[clingo.Symbol]) -> Plan:
    """Return the plan of an answer set."""
    steps: dict[str, dict[int, Step]] = {}
    order: list[tuple[str, str]] = []
    for symbol in symbols:
        if symbol.name == "go":
            unit, arc, index = str(symbol.arguments[0]), symbol.arguments[1].number, symbol.arguments[2].number
            steps.setdefault(unit, {})[index] = facts.steps[arc][1]
        elif symbol.name == "before":
            order.append((str(symbol.arguments[0]), str(symbol.arguments[1])))
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(steps)
    graph.add_edges_from(pair for pair in order if pair[0] in steps and pair[1] in steps)
    place, game = facts.game.order, facts.game
    gone: set[str] = set()
    moves = []
    for unit in nx.lexicographical_topological_sort(graph, key=place.__getitem__):
        made = [steps[unit][index] for index in sorted(steps[unit])]
        path = (game.homes[unit], *(step.arc.to for step in made))
        real = set()
        for i, step in enumerate(made, 1):
            victims = set(step.arc.victims or ())
            if step.arc.overrun and victims - gone:  # a move may come back to where it has overrun somebody
                real.add(i)
            gone |= victims
        moves.append(Move((unit,), path, frozenset(real)))
    return Plan(tuple(moves))


def run(task: Task) -> None:
    """Write facts, ground, solve and replay."""
    scenario = task.load()
    with task.phase("reach"):
        reach = ConditionalReach(scenario.game)
        for unit in reach.movers:
            reach.hexes_of(unit)
    try:
        with task.phase("build"):
            facts = Facts(scenario, reach)
            options = [*STRATEGIES[task.variant or "bb"], f"--seed={task.seed}", "--warn=none"]
            control = clingo.Control(options)
            control.add("base", [], RULES + "\n".join(facts.lines) + "\n#show go/3. #show before/2.\n")
            control.ground([("base", [])])
    except UnsuitedError as error:
        task.finish(scenario, "unsuited", None, note=str(error))
        return
    if task.left() <= 0:
        task.finish(scenario, "unknown", None, note="not grounded in time")
        return
    best: list[clingo.Symbol] = []
    found = False

    def on_model(model: clingo.Model) -> None:
        nonlocal found
        best[:], found = model.symbols(shown=True), True
        # What is written as maximize counts down from 0.
        costs = [Fraction(-cost, reach.scale) for cost in model.cost]
        task.note(costs)

    with task.phase("solve"), control.solve(on_model=on_model, async_=True) as handle:
        timer = Timer(task.left(), handle.cancel)
        timer.daemon = True
        timer.start()
        handle.wait()
        result = handle.get()
        timer.cancel()
    if not found:
        task.finish(scenario, "infeasible" if result.unsatisfiable and result.exhausted else "unknown", None)
        return
    task.finish(scenario, "optimal" if result.exhausted else "feasible", plan_of(facts, best))
