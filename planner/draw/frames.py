"""A plan as a row of positions, each with what the move before it did, step by step."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeVar

from planner.plans.plan import Move, Plan, units_of
from planner.referee.referee import Referee
from planner.referee.verdict import PlayedMove, Verdict, Violation
from planner.rules.attack_referee import AssessedAttack
from planner.rules.play import MoveInPlay, Resolution
from planner.scenario import Scenario
from planner.world.position import Position, Stop

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(frozen=True)
class ShownStep:
    """One step of a move as it was played.

    Attributes
    ----------
    index : int
        The index into the path of the place entered.
    origin, to : str
        From where to where.
    mp, total : Fraction
        What it cost, and what the unit that has spent most has spent by then.
    paragraph : str
        The printed paragraph by which it was read; may be empty.
    stops : tuple of Stop
        What keeps the units from moving on.
    removed : tuple of str
        The enemies that it eliminated.
    """

    index: int
    origin: str
    to: str
    mp: Fraction
    total: Fraction
    paragraph: str = ""
    stops: tuple[Stop, ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Frame:
    """A position, and the move that led to it.

    Attributes
    ----------
    position : Position
        Who stands where.
    move : Move or None
        The move before it; None at the start.
    played : PlayedMove or None
        What became of it.
    steps : tuple of ShownStep
        Its steps, as far as it was played.
    violations : tuple of Violation
        What is wrong with it.
    moving : frozenset of str
        Units that move later.
    number : int
        What its arrow is numbered; 0: it has none.
    before : int
        The index of the frame that its move is made from.
    until : int or None
        The first frame in which its move isn't one that has been made; None: it is in all that follow.
    attacks : tuple of (int, AssessedAttack)
        The attacks that are declared then, by their indices, as far as it is known what they come to.
    late : tuple of Violation
        What is wrong with the position as the last one, and with the attacks.
    """

    position: Position
    move: Move | None = None
    played: PlayedMove | None = None
    steps: tuple[ShownStep, ...] = ()
    violations: tuple[Violation, ...] = ()
    moving: frozenset[str] = field(default=frozenset())
    number: int = 0
    before: int = 0
    until: int | None = None
    attacks: tuple[tuple[int, AssessedAttack], ...] = ()
    late: tuple[Violation, ...] = ()


class _Witness(Referee):
    """A referee that writes down every step."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.steps: list[ShownStep] = []

    def make_steps(
        self, stack: list[MoveInPlay], result: Resolution | None = None, going_on: frozenset[str] | None = None
    ) -> None:
        before = [play.spent for play in stack]
        first = stack[0]
        origin, to, index = first.origin, first.to, first.step
        paragraph = first.way.paragraph if first.way is not None else ""
        super().make_steps(stack, result, going_on)
        mp = max(play.spent - spent for play, spent in zip(stack, before, strict=True))
        stops = tuple(dict.fromkeys(stop for play in stack for stop in play.stops))
        removed = tuple(dict.fromkeys(enemy for play in stack for enemy in play.removed))
        total = max(play.spent for play in stack)
        self.steps.append(ShownStep(index, origin, to, mp, total, paragraph, stops, removed))


def frames(scenario: Scenario, plan: Plan | None = None, verdict: Verdict | None = None) -> list[Frame]:
    """Return the position at the start and after each move of a plan, if all rolls go well.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan, optional
        Its moves; illegal ones are played as written, as far as they can be.
    verdict : Verdict, optional
        What is wrong with the plan; absent: the referee is asked.
    """
    moves = plan.moves if plan is not None else ()
    if verdict is None:
        verdict = Referee(scenario.game).play(plan, scenario.start) if plan is not None else None
    violations = verdict.violations if verdict is not None else ()
    position = scenario.start.copy()
    found = [Frame(position.copy(), moving=units_of(moves))]
    moved: set[str] = set()
    for index, move in enumerate(moves):
        witness = _Witness(scenario.game)
        later = units_of(moves[index + 1 :])
        _, played = witness.play_move(move, position, moved, index, later)
        moved.update(unit for unit, _ in played.spent)
        wrong = tuple(violation for violation in violations if violation.move == index)
        found.append(Frame(position.copy(), move, played, tuple(witness.steps), wrong, later, index + 1, index))
    if plan is not None and verdict is not None and verdict.attacks:
        places = {attack.declared: index for index, attack in enumerate(plan.attacks or ())}
        told = tuple((places[one.attack], one) for one in verdict.attacks if one.attack in places)
        late = tuple(violation for violation in violations if violation.move is None)
        found[-1] = replace(found[-1], attacks=told, late=late)
    return found


def spans(states: Sequence[Mapping[K, V]]) -> Iterator[tuple[K, V, int, int]]:
    """Yield each key with each value that it has for a while: key, value, first frame, and the one after the last.

    Parameters
    ----------
    states : sequence of mappings
        One for each frame.
    """
    open_: dict[K, tuple[V, int]] = {}
    for number, state in enumerate([*states, {}]):
        for key in [key for key, (value, _) in open_.items() if key not in state or value != state[key]]:
            value, start = open_.pop(key)
            yield key, value, start, number
        for key, value in state.items():
            open_.setdefault(key, (value, number))
