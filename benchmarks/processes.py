"""How the processes are begun that are measured: with the planner compiled to bytecode, as it is after its first start."""

from __future__ import annotations

import compileall
import os
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent


def compile_bytecode(*copies: Path) -> None:
    """Have the planner and the peers compiled to bytecode, as an installation or their first start leaves them.

    Where Python may write no bytecode, every process would compile every module of theirs again. What else is installed
    was compiled when it was.

    Parameters
    ----------
    copies : Path
        Copies of the checkout from which the planner is run, too.
    """
    for copy in copies:
        compileall.compile_dir(copy / "planner", quiet=2)
    for package in ("planner", "peers"):
        found = find_spec(package)
        if found is not None and found.origin is not None:
            compileall.compile_dir(Path(found.origin).parent, quiet=2)
    for file in HERE.glob("*.py"):
        compileall.compile_file(file, quiet=2)


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a process that is measured, with `more`.

    Like the planner's command line, all peers pass over plugins of pydantic: to look for some takes longer than the
    smallest instances.
    """
    return {**os.environ, "PYDANTIC_DISABLE_PLUGINS": "__all__", **more}
