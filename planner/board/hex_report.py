"""What may be done to one hex now: who can come there, and who can fight there, at which odds."""

from __future__ import annotations

import threading

from planner.errors import InputError, Problem
from planner.formats.probability import format_probability
from planner.formats.spoken_numbers import spoken_number
from planner.plans.plan import Move
from planner.playing.position import Position
from planner.referee.attacks import assessed
from planner.referee.verdict_data import told_attack_data
from planner.world.declared_attack import DeclaredAttack


def way(move: Move, position: Position) -> dict[str, object]:
    """Return a legal move as the board needs it: where it ends, its MP, whether it fights or rolls, why it must stop."""
    played = position.preview(move)
    return {
        "move": str(move),
        "to": move.end if not played.combats and not move.overruns else move.path[-1],
        "mp": spoken_number(played.mp),
        "path": list(move.path),
        "fights": bool(move.overruns or played.combats),
        "rolls": bool(played.rolls),
        "stop": [{"rule": stop.paragraph, "why": stop.reason} for stop in played.stopped],
    }


def hex_report(position: Position, label: str, stop: threading.Event) -> dict[str, object]:
    """Say who of the side that moves can come to a hex by itself, and who can fight there.

    Parameters
    ----------
    position : Position
        No roll is due in it.
    label : str
        The hex.
    stop : threading.Event
        Set: it isn't gone on with.

    Returns
    -------
    dict
        ``come``: the moves that end there, as `way` has them. ``fights``: those that fight there, with ``odds``, the
        strengths (empty where there are none), and ``chance``, how likely they succeed. ``attacks``: each attack that one
        unit can make on it by itself, then that of all who can take part, as plan files have them.

    Raises
    ------
    InputError
        If the hex isn't on the map.
    OutOfTimeError
        If it was stopped.
    """
    game = position.scenario.game
    if label not in game.board:
        raise InputError([Problem(f"no hex of the map is called {label!r}", "hex")])
    come, fights = [], []
    for move in position.legal_moves(to=label, stop=stop):
        if move.path[-1] != label:
            continue
        told = way(move, position)
        if told["fights"]:
            fights.append({**told, **_chances(move, position)})
        elif told["to"] == label:
            come.append(told)
    return {"come": come, "fights": fights, "attacks": _attacks(position, label)}


def _chances(move: Move, position: Position) -> dict[str, object]:
    rolls = position.preview(move).rolls
    strengths = ":".join(spoken_number(one) for one in rolls[-1].strengths or ()) if rolls else ""
    return {"odds": strengths, "chance": format_probability(rolls[-1].chance) if rolls else ""}


def _attacks(position: Position, label: str) -> list[dict[str, object]]:
    """Return the attacks of one unit each, then of all who may take part together, as far as the rules allow them."""
    who = position.targets().get(label, ())
    teams = [(unit,) for unit in who] + [who] * (len(who) > 1)
    attacks = [DeclaredAttack(team, (label,)) for team in teams]
    legal = [attack for attack in attacks if position.is_legal(attack)]
    told = [one for attack in legal for one in assessed(position.scenario.game, position.scenario.start, [attack])]
    return [{"attack": str(one.attack), **told_attack_data(one.attack, one)} for one in told]
