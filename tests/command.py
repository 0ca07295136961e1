"""The command line without a process of its own, whose start takes longer than most answers."""

from __future__ import annotations

import io
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from typer.testing import CliRunner, Result

from planner.__main__ import main
from planner.cli import app


@dataclass(frozen=True)
class Done:
    """What a command came to, named as `subprocess` does."""

    returncode: int
    stdout: str
    stderr: str


def run(*words: str, stdin: str = "", cwd: Path | None = None) -> Done:
    """Run a command as `python -m planner` does up to the end of its process."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    given = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    code = 0
    with patch.object(sys, "argv", ["planner", *words]), patch.object(sys, "stdin", given), chdir(cwd or Path.cwd()):
        try:
            with redirect_stdout(out), redirect_stderr(err):
                main()
        except SystemExit as end:
            code = int(end.code or 0)
    out.seek(0)
    err.seek(0)
    return Done(code, out.read(), err.read())


def invoke(*words: str) -> Result:
    """Run a command with its errors as they are; reading the options of every other command takes longer than it."""
    return CliRunner().invoke(app._with(words[:1]), words)
