"""An interrupt that comes when all is known, and is about to be told, loses nothing."""

from __future__ import annotations

import json
import os
import signal
from importlib import import_module

import pytest

from tests.command import run

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")

ASKED = {
    "suggest dai_senso/manchuria": 0,
    "reach dai_senso/manchuria inf": 0,
    "reach dai_senso/manchuria --all": 0,
    "explain dai_senso/manchuria --value 100": 1,
    "verify dai_senso/puzzles/after_you": 0,
    "play dai_senso/manchuria --turns 1": 0,
    "match classic_hex/no_way_out --player greedy --player random --games 2 --turns 1": 0,
    "sweep dai_senso/manchuria --vary units.inf.count=1 --workers 1": 0,
}
"""Commands, and the exit code of each where nothing interrupts it."""


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        pytest.param(*one, marks=pytest.mark.thorough) if one[0].startswith(("match", "sweep")) else one
        for one in ASKED.items()
    ],
)
def test_an_interrupt_while_it_is_told_loses_nothing(asked: str, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [*asked.split(), "--json"]
    command = import_module(f"planner.cli.{words[0]}")
    real, known = command.print_json, list[dict[str, object]]()

    def interrupted(answer: dict[str, object]) -> None:
        known.append(answer)
        os.kill(os.getpid(), signal.SIGINT)
        real(answer)

    monkeypatch.setattr(command, "print_json", interrupted)
    done = run(*words)
    assert done.returncode == code
    assert [json.loads(done.stdout).keys()] == [answer.keys() for answer in known]
