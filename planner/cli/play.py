"""`planner play`: a game from its scenario to its end, each side played by a person or in one of several ways."""

from __future__ import annotations

import json
import signal
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperCommand

from planner.cli.terminal import (
    BAD_INPUT,
    LEGAL,
    ForceOption,
    JsonOption,
    ScenarioArgument,
    ensure_outputs,
    leave,
    print_json,
    print_text,
)
from planner.interrupts import ensure_heard
from planner.waiting import held


class SidesCommand(TyperCommand):
    """A command to which `--axis WHO` is what `--side axis=WHO` is: names of sides are options of their own."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Read the command line."""
        known = {name for one in self.get_params(ctx) for name in (*one.opts, *one.secondary_opts)}
        read: list[str] = []
        rest = iter(args)
        for word in rest:
            name, is_there, who = word.partition("=")
            if word == "--" or not word.startswith("--") or name in known:
                read.append(word)
            elif (value := who if is_there else next(rest, None)) is None:
                read.append(word)  # it says itself that it doesn't know it
            else:
                read += ["--side", f"{name[2:]}={value}"]
        return super().parse_args(ctx, read)


def play(
    scenario: ScenarioArgument,
    side: Annotated[
        list[str] | None,
        typer.Option(
            "--side",
            metavar="SIDE=PLAYER",
            help="Who plays a side: suggest:SECONDS, fixed:SECONDS, adaptive:SECONDS, local:SECONDS, greedy, random, "
            "engine:SECONDS:COMMAND or person; once for each, or --SIDE PLAYER, such as --axis suggest:1s. "
            "By default greedy.",
        ),
    ] = None,
    turns: Annotated[
        int | None, typer.Option(min=1, help="How many turns; by default up to the scenario's last, or one.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the dice.")] = 0,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the record of the game to a file.")
    ] = None,
    json_: JsonOption = False,
    force: ForceOption = False,
) -> None:
    """Play a game on, both sides, through its phases and turns.

    With dice; `planner check` judges its record. Exit 2 if a program that plays has failed; what was played is kept.
    """
    from planner.errors import InputError, Problem
    from planner.formats import files
    from planner.formats.spoken_numbers import spoken_number
    from planner.playing.game_record import PhaseEntry, play_on
    from planner.playing.players import player_of
    from planner.playing.position import Position
    from planner.scenario import load_scenario

    ensure_outputs([scenario], [output], force)
    begin = load_scenario(scenario)
    sides = begin.game.rulebook.forces.sides
    problems: list[Problem] = []
    players = {name: ("greedy", player_of("greedy")) for name in sides}
    named = set[str]()
    for text in side or ():
        name, _, who = text.partition("=")
        if name in named:
            problems.append(Problem("who plays it is said twice", f"--side {name}"))
        named.add(name)
        if name not in sides:
            problems.append(Problem(f"a side must be one of {', '.join(sides)}, not {name[:40]!r}", "--side"))
            continue
        try:
            players[name] = (who, player_of(who))
        except InputError as error:
            problems += [Problem(one.what, f"--side {name}") for one in error.problems]
    if problems:
        raise InputError(problems)

    def tell(entry: PhaseEntry, position: Position) -> None:
        turn = "" if entry.turn is None else f"turn {entry.turn}, "
        print_text(f"{turn}{entry.side}, {entry.phase}\n" + "".join(f"  {one}\n" for one in entry.made))

    signal.signal(
        signal.SIGTERM, signal.default_int_handler
    )  # ends the game as Ctrl-C does: what has been played is kept
    ensure_heard()
    record = play_on(begin, players, seed, turns, None if json_ else tell)
    # What can't be written is at least printed, and what can't be printed written; an interrupt loses neither.
    with held(threading.Event()), ExitStack() as outputs:
        if output is not None:
            outputs.callback(files.write_text, output, json.dumps(record.to_dict(portable=True), indent=1) + "\n")
        if json_:
            print_json(record.to_dict(portable=True))
        else:
            print_text(f"{record.ended}\n")
            for name, score in record.score.items():
                print_text(f"{name}: {' / '.join(map(spoken_number, score))}\n")
    leave(BAD_INPUT if record.failed else LEGAL, record.interrupted)


def judge_game(path: Path, json_: bool) -> None:
    """Judge the record of a game from its first phase to its last; what is wrong with it is an error of the input."""
    from planner.playing.game_record import GameRecord

    record = GameRecord.load(path)
    moves = sum(len(entry.made) for entry, *_ in record.positions(str(path)))
    if json_:
        told = {"format": "planner/game-verdict-1", "legal": True, "phases": len(record.phases), "moves": moves}
        print_json({**told, "ended": record.ended})
        return
    phases = f"{len(record.phases)} phase{'s' * (len(record.phases) != 1)}"
    made = "1 move or attack" if moves == 1 else f"{moves} moves and attacks"
    print_text(f"Legal: {phases}, {made}. {record.ended}\n")
