"""Another program that plays: it is asked in the lines of JSON that `planner engine` answers."""

from __future__ import annotations

import json
import queue
import random
import shlex
import shutil
import subprocess
import threading
import time
import weakref
from typing import IO

from planner.errors import InputError, PlannerError, Problem
from planner.playing.position import Position

PATIENCE = 30.0
"""Seconds that a program may take longer than it was told to think: to begin, and to read a position."""


class EngineError(PlannerError):
    """A program that plays has said nothing in time, has ended, or has said what nobody understands."""


class EnginePlayer:
    """Plays what is left of a phase as a program says, which is asked again after each roll.

    Parameters
    ----------
    command : str
        What begins it; it is begun when it is first asked, and ended with this object.
    seconds : float
        How long it is told to think.

    Raises
    ------
    InputError
        If there is no such command; nothing is begun.
    """

    def __init__(self, command: str, seconds: float) -> None:
        _ensure_there(command)
        self.command, self.seconds = command, seconds
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._last = 0

    def __call__(self, position: Position, dice: random.Random) -> None:
        """Make the moves that it answers, and roll; what can't be made is left out.

        Raises
        ------
        EngineError
            If it can't be begun, or doesn't answer as an engine does.
        """
        while True:
            self._ask("position", scenario=position.settled.portable())
            moves = self._ask("go", time=self.seconds).get("moves", [])
            if not isinstance(moves, list):
                raise EngineError(f"{self.command[:60]}: moves must be a list")
            if not self._made(position, dice, [str(one) for one in moves]):
                return

    @staticmethod
    def _made(position: Position, dice: random.Random, moves: list[str]) -> bool:
        """Make moves up to the first roll, but those that can't be made; tell whether there was one."""
        for move in moves:
            try:
                position.push(move)
            except PlannerError:
                continue
            if position.outcomes:
                while position.outcomes:
                    position.roll(dice)
                return True
        return False

    def _ask(self, verb: str, **said: object) -> dict[str, object]:
        """Ask it something, and return its answer."""
        stdin = self._begun()
        self._last += 1
        until = time.monotonic() + self.seconds + PATIENCE
        try:
            stdin.write(json.dumps({"id": self._last, "do": verb, **said}) + "\n")
            stdin.flush()
        except OSError:
            raise EngineError(f"{self.command[:60]}: it has ended") from None
        while (left := until - time.monotonic()) > 0:  # of one that never pauses there is always another line
            try:
                line = self._lines.get(timeout=left)
            except queue.Empty:
                break
            if line is None:
                raise EngineError(f"{self.command[:60]}: it has ended")
            try:
                told = json.loads(line)
            except (ValueError, RecursionError):
                raise EngineError(f"{self.command[:60]}: it says {line[:60]!r}, which is no JSON") from None
            if isinstance(told, dict) and told.get("id") == self._last and "info" not in told:
                answer = told.get("answer")
                if not isinstance(answer, dict):
                    raise EngineError(f"{self.command[:60]}: it can't answer {verb}: {str(told.get('error'))[:200]}")
                return answer
        raise EngineError(f"{self.command[:60]}: it hasn't answered {verb} in time")

    def _begun(self) -> IO[str]:
        """Begin the program, if it isn't yet; return where it listens."""
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    shlex.split(self.command),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    encoding="utf-8",
                )
            except (OSError, ValueError) as error:
                raise EngineError(f"{self.command[:60]}: it can't be begun: {error}") from None
            weakref.finalize(self, self._process.kill)
            threading.Thread(target=_listen, args=(self._process.stdout, self._lines), daemon=True).start()
        assert self._process.stdin is not None
        return self._process.stdin


def _ensure_there(command: str) -> None:
    """Ensure that a command can be read, and that its program is there: a match must not find out in its first game."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError([Problem(f"the command can't be read: {error}", command[:60])]) from None
    if not words or shutil.which(words[0]) is None:
        raise InputError([Problem("it can't be begun: there is no such program", command[:60])])


def _listen(lines: IO[str], heard: queue.Queue[str | None]) -> None:
    """Pass on what a program says, and that it has ended."""
    for line in lines:
        heard.put(line)
    heard.put(None)
