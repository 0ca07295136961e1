"""Ways of playing a phase: searches, a greedy one, chance, another program, a person."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import suppress
from functools import partial

from planner.errors import InputError, PlannerError, Problem
from planner.plans.plan import Move
from planner.plans.policy import Node
from planner.playing.engine_player import EnginePlayer
from planner.playing.local_search import hoped, improved, worth
from planner.playing.position import Position
from planner.world.declared_attack import DeclaredAttack

Player = Callable[[Position, random.Random], None]
"""Plays what is left of a phase, up to its end, which it leaves to others; the dice are those of the game."""

WAYS = (
    "suggest:SECONDS, fixed:SECONDS, adaptive:SECONDS, local:SECONDS, greedy, random, engine:SECONDS:COMMAND or person"
)


def player_of(text: str) -> Player:
    """Return a player by its name.

    Parameters
    ----------
    text : str
        ``suggest:1s``, which searches again after each roll; ``fixed:1s``, which searches once and looks at no dice;
        ``adaptive:1s``, which searches for a plan that reacts, or where attacks are asked for does as ``suggest:1s``;
        ``local:1s``, a local search; ``greedy``; ``random``;
        ``engine:1s:COMMAND``, another program that speaks as `planner engine` does; or ``person``.

    Raises
    ------
    InputError
        If there is none of that name.
    """
    name, _, rest = text.partition(":")
    ways = {"suggest": _suggested, "fixed": _fixed, "adaptive": _adaptive, "local": _local}
    if name in ways:
        seconds = _seconds(rest or "1", text)
        return partial(ways[name], seconds=seconds)
    if name == "engine":
        told, _, command = rest.partition(":")
        if not command.strip():
            raise InputError(
                [Problem("must say how long it thinks, and which command begins it: engine:1s:COMMAND", text[:40])]
            )
        return partial(_engine, engine=EnginePlayer(command, _seconds(told, text)))
    known: dict[str, Player] = {"greedy": _greedy, "random": _at_random, "person": _person}
    if text not in known:
        raise InputError([Problem(f"a player must be {WAYS}, not {text[:40]!r}", "player")])
    return known[text]


def _seconds(told: str, text: str) -> float:
    """Read how long a player thinks."""
    try:
        seconds = float(told.removesuffix("s"))
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < float("inf"):
        raise InputError([Problem(f"seconds must be a finite number above 0, not {told[:20]!r}", text[:40])])
    return seconds


def _settle(position: Position, dice: random.Random) -> bool:
    """Roll whatever is due; tell whether anything was."""
    rolled = False
    while position.outcomes:
        position.roll(dice)
        rolled = True
    return rolled


def _units(position: Position) -> list[str]:
    """Return who may move, in the order of the scenario: games are repeated by their seeds, whatever the order of sets."""
    game = position.scenario.game
    return [unit for unit in game.units if game.may_be_moved(unit) and unit in position.at]


# -- suggest


def _suggested(position: Position, dice: random.Random, seconds: float) -> None:
    """Make the moves of the best plan that is found; ask again after each roll, and at last be content with any end."""
    while True:
        result = position.suggest(time_limit=seconds)
        todo: list[Move | DeclaredAttack] = [] if result.plan is None else [*result.plan.moves]
        if result.plan is not None:
            todo += result.plan.attacks or ()
        for one in todo:
            try:
                _push(position, one, todo)
            except PlannerError:  # what was rolled has made it impossible, or needless
                break
            if _settle(position, dice):
                break
        else:
            break
    _fulfil(position, dice)


def _fixed(position: Position, dice: random.Random, seconds: float) -> None:
    """Make the moves of the best plan that is found at first, as far as they can be made, whatever is rolled."""
    plan = position.suggest(time_limit=seconds).plan
    if plan is not None:
        _make(position, dice, [*plan.moves, *(plan.attacks or ())])
    _fulfil(position, dice)


def _make(position: Position, dice: random.Random, todo: Sequence[Move | DeclaredAttack]) -> None:
    """Make moves and attacks as far as they can be made, whatever is rolled."""
    for one in todo:
        with suppress(PlannerError):  # what was rolled has made it impossible, or needless
            _push(position, one, todo)
            _settle(position, dice)


def _push(position: Position, one: Move | DeclaredAttack, todo: Sequence[Move | DeclaredAttack]) -> None:
    """Make a move or an attack, the first of these once all are declared that are to be made."""
    if isinstance(one, DeclaredAttack):
        _declare(position, [other for other in todo if isinstance(other, DeclaredAttack)])
    position.push(one)


def _adaptive(position: Position, dice: random.Random, seconds: float) -> None:
    """Play by a plan that reacts; where it doesn't say how to go on, ask for another one."""
    node: Node | None = None
    while True:
        if node is None:
            node = None if position.scenario.asks_for_attacks else position.suggest(seconds, adaptive=True).root
        if node is None:  # plans with attacks are asked for again after each roll
            _suggested(position, dice, seconds)
            return
        rolled = None
        for move in node.moves:
            try:
                position.push(move)
            except PlannerError:
                break
            while position.outcomes:
                rolled = position.roll(dice).move
            if rolled is not None:
                break
        if rolled is None:
            break
        node = next((branch.then for branch in node.branches if rolled in branch.made), None)
    _fulfil(position, dice)


def _engine(position: Position, dice: random.Random, engine: EnginePlayer) -> None:
    """Let another program play, and do what it has left undone that must be done."""
    engine(position, dice)
    _fulfil(position, dice)


# -- greedy


def _greedy(position: Position, dice: random.Random) -> None:
    """Let each unit in turn do what improves the objective most at once; attack where the enemy loses more on average."""
    for unit in _units(position):
        if unit not in position.at:
            continue
        stay, best = worth(position), None
        for move in list(position.legal_moves(unit)):
            then = hoped(position, [move])
            if then is not None and then > stay:
                stay, best = then, move
        if best is not None:
            _try(position, dice, best)
    _attack_those(position, dice, partial(_pays, position))
    _fulfil(position, dice)


def _pays(position: Position, attack: DeclaredAttack) -> bool:
    """Tell whether the enemy loses more by an attack, on average."""
    told = position.check(str(attack))
    if not told.attacks or not told.legal:
        return False
    own, enemy = told.attacks[0].losses
    return enemy.strength > own.strength


def _try(position: Position, dice: random.Random, move: Move | DeclaredAttack) -> None:
    """Make a move, and whatever is rolled for it, unless it makes an end of the phase impossible."""
    open_before = _stacked(position)
    if not position.is_legal(move):
        return
    position.push(move)
    if not position.outcomes and _stacked(position) > open_before:
        position.pop()
        return
    _settle(position, dice)


def _stacked(position: Position) -> int:
    """Return how much of the position must change before the phase may end, attacks aside."""
    return len(position.problems()) - len(position.attacks_due())


# -- local search


def _local(position: Position, dice: random.Random, seconds: float) -> None:
    """Make the moves that a local search finds, as far as they can be made; attack where the enemy loses more on average."""
    _make(position, dice, improved(position, seconds, random.Random(0)))
    _attack_those(position, dice, partial(_pays, position))
    _fulfil(position, dice)


# -- random


def _at_random(position: Position, dice: random.Random) -> None:
    """Let each unit make some move, or none."""
    for unit in _units(position):
        moves: list[Move] = list(position.legal_moves(unit)) if unit in position.at else []
        if moves and dice.random() < 0.8:
            _try(position, dice, dice.choice(moves))
    _attack_those(position, dice, lambda _: dice.random() < 0.5)
    _fulfil(position, dice)


# -- attacks


def _attacks(position: Position, busy: Set[str] = frozenset()) -> Iterator[DeclaredAttack]:
    """Yield a legal attack on each hex that may be attacked, by as many as may take part and aren't busy by then.

    Once attacks have been declared, what is left of these by then, on as many hexes as it may be, and no others.
    """
    if position.declared is not None:
        still = (position.left_of(attack) for attack in position.declared)
        yield from (attack for attack in still if attack is not None and position.is_legal(attack))
        return
    for label in list(position.targets()):
        units = tuple(unit for unit in position.targets().get(label, ()) if unit not in busy)
        attacks = (DeclaredAttack(units[:count], (label,)) for count in range(len(units), 0, -1))
        legal = next((attack for attack in attacks if position.is_legal(attack)), None)
        if legal is not None:
            yield legal


def _attack_those(position: Position, dice: random.Random, wanted: Callable[[DeclaredAttack], bool]) -> None:
    """Make the attacks that are wanted; where all are declared before the first is rolled, with others that must be made."""
    if position.to_declare:
        busy: set[str] = set()
        chosen = []
        for attack in _attacks(position, busy):
            if wanted(attack):
                chosen.append(attack)
                busy.update(attack.attackers)
        _declare(position, chosen)
        if position.declared is None:
            return
    for attack in _attacks(position):
        if position.declared is not None or wanted(attack):
            _try(position, dice, attack)


def _declare(position: Position, attacks: Sequence[DeclaredAttack]) -> None:
    """Declare attacks before the first is rolled, with as many others as must be made, where all are declared then."""
    if not attacks or not position.to_declare:
        return
    chosen = list(attacks)
    busy = {unit for attack in chosen for unit in attack.attackers}
    hexes = {label for attack in chosen for label in attack.hexes}
    others = _attacks(position, busy)
    while position.declared is None:
        try:
            position.declare(chosen)
        except InputError:  # others must be made, too; or they can't be made as they were thought of
            other = next((one for one in others if not hexes.intersection(one.hexes)), None)
            if other is None:
                return
            chosen.append(other)
            busy.update(other.attackers)


# -- what must be done before a phase may end


def _fulfil(position: Position, dice: random.Random) -> None:
    """Do what must be done before the phase may end; take moves back, for which nothing was rolled, that allow no end."""
    _do_what_must_be(position, dice)
    while position.problems() and position.can_take_back:
        position.pop()
        _attack(position, dice)
    _do_what_must_be(position, dice)


def _do_what_must_be(position: Position, dice: random.Random) -> None:
    """Make attacks, and moves without dice, as long as some forbid the end of the phase less than before."""
    while (due := duty(position)) is not None:
        _push(position, due, [due])
        _settle(position, dice)


def duty(position: Position) -> Move | DeclaredAttack | None:
    """Return an attack, or a move without dice, after which less forbids the end of the phase; None: there is none."""
    attack = _missing(position)
    if attack is not None or not position.problems():
        return attack
    trial = position.copy()
    return trial.made[-1] if _mended(trial) else None


def together_with(position: Position, due: Move | DeclaredAttack) -> tuple[DeclaredAttack, ...]:
    """Return the attacks that are to be declared together, one of which is due; empty: it is made by itself."""
    trial = position.copy()
    if isinstance(due, DeclaredAttack):
        _declare(trial, [due])
    return () if position.declared is not None else trial.declared or ()


def _missing(position: Position) -> DeclaredAttack | None:
    """Return an attack if nothing but attacks is missing."""
    return next(_attacks(position), None) if position.problems() and not _stacked(position) else None


def _attack(position: Position, dice: random.Random) -> None:
    """Make an attack if nothing but attacks is missing."""
    legal = _missing(position)
    if legal is not None:
        _push(position, legal, [legal])
        _settle(position, dice)


def _mended(position: Position) -> bool:
    """Make a move without dice after which less forbids the end of the phase; tell whether there was one."""
    before = _forbidding(position)
    named = [unit for one in position.problems() for unit in (*([] if one.unit is None else [one.unit]), *one.blame)]
    for unit in dict.fromkeys(unit for unit in named if unit in position.at):
        for move in list(position.legal_moves(unit)):
            position.push(move)
            if not position.outcomes and _forbidding(position) < before:
                return True
            position.pop()
    return False


def _forbidding(position: Position) -> tuple[int, int]:
    """Return by how many units too many, or missing, the phase can't end yet, and then by how many attacks."""
    due = position.attacks_due()
    others = (one for one in position.problems() if one not in due)
    return sum(1 + len(one.blame) for one in others), len(due)


# -- a person


def _person(position: Position, dice: random.Random) -> None:
    """Ask at the terminal for move after move: `legal a`, `pop`, `end`; dice are rolled here, or entered after `=`."""
    print(f"{position.side}, {position.phase}: a move, 'legal UNIT', 'targets', 'best', 'pop' or 'end'")
    while True:
        if sys.stdin is None:  # closed before the planner was called
            return
        try:
            said = input("> ").strip()
        except EOFError:
            return
        word, _, rest = said.partition(" ")
        try:
            if said == "end":
                if not position.problems():
                    return
                print("\n".join(str(one) for one in position.problems()))
            elif said == "pop":
                if position.can_take_back:
                    position.pop()
            elif word == "legal":
                print("\n".join(str(move) for move in position.legal_moves(rest.strip() or None)))
            elif said == "targets":
                print("\n".join(f"{label}: {'+'.join(units)}" for label, units in position.targets().items()))
            elif said == "best":
                found = position.suggest(time_limit=5)
                print(found.plan if found.plan is not None else "nothing was found")
            elif said:
                position.push(said)
                while position.outcomes:
                    print(f"rolled: {position.roll(dice).move}")
        except PlannerError as error:
            print(error)
