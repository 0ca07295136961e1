"""An interrupt that comes when all is known, and is about to be told, loses nothing."""

from __future__ import annotations

import json
import os
import signal
from importlib import import_module

import pytest

from tests.command import run

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")

ASKED = [
    "suggest dai_senso/manchuria",
    "reach dai_senso/manchuria inf",
    "reach dai_senso/manchuria --all",
    "explain dai_senso/manchuria --value 100",
    "verify crossroads/puzzles/not_all_across",
    "play crossroads/start --turns 1",
    "match crossroads/start --player greedy --player random --games 2 --turns 1",
    "sweep dai_senso/manchuria --vary units.inf.count=0..1",
]


@pytest.mark.parametrize("asked", ASKED)
def test_an_interrupt_while_it_is_told_loses_nothing(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [*asked.split(), "--json"]
    calm, command = run(*words), import_module(f"planner.cli.{words[0]}")
    real = command.print_json

    def interrupted(answer: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        real(answer)

    monkeypatch.setattr(command, "print_json", interrupted)
    done = run(*words)
    assert done.returncode == calm.returncode
    assert json.loads(done.stdout).keys() == json.loads(calm.stdout).keys()
