"""Makes a copy of the checkout whose label search is compiled, for measurements and tests.

Usage: ``python benchmarks/compiled.py FOLDER``. The copy is built as pip builds the planner with the hook in pyproject.toml
switched on, which asks for a C compiler and for what pip gets. It works where it stands: as a `PYTHONPATH`, or for its own
tests.

Exit codes: 0; 1 if compiling fails; 2 for a bad command line; 3 if there is nothing here to compile with.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = (
    *(".*cache*", ".git", ".hypothesis", ".venv", "venv", "env", "__pycache__", "build", "dist"),
    *("*.egg-info", "*.so", "*.pyd"),
)
COMPILERS = ("cc", "gcc", "clang")


class NoCompilerError(Exception):
    """There is no C compiler, or Python's headers are missing; the text says which."""


class CompilingFailedError(Exception):
    """Something went wrong; the text is the end of what pip has to say."""


def make(folder: Path) -> None:
    """Copy the checkout to a folder, and compile there what the hook compiles.

    Parameters
    ----------
    folder : Path
        A folder that isn't there yet, or is empty, outside the checkout.

    Raises
    ------
    NoCompilerError
        If there is nothing to compile with; the folder is as it was.
    CompilingFailedError
        If it can't be copied, or pip fails; the folder is gone.
    """
    wanted = [*shlex.split(os.environ.get("CC", ""))[:1], *COMPILERS]
    if os.name != "nt" and not any(map(shutil.which, wanted)):  # Windows' own is found by its registry, not by its path
        raise NoCompilerError("there is no C compiler")
    if not (Path(sysconfig.get_path("include")) / "Python.h").is_file():
        raise NoCompilerError("Python's headers are not installed")
    try:
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*LEFT_OUT), dirs_exist_ok=True)
        with tempfile.TemporaryDirectory() as wheels:
            place = str(folder.resolve())  # a mere name would be taken for that of a package elsewhere
            words = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", wheels, place]
            hooks = {**os.environ, "HATCH_BUILD_HOOKS_ENABLE": "1"}
            told = subprocess.run(words, env=hooks, capture_output=True, text=True, check=False)
        if told.returncode or not any(
            (folder / "planner" / "reachability").glob(f"label_search*{EXTENSION_SUFFIXES[0]}")
        ):
            raise CompilingFailedError(told.stderr.strip()[-2000:] or "nothing was compiled")
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise CompilingFailedError(f"the copy can't be written: {error}") from error
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def main() -> None:
    """Read the command line and make the copy."""
    parser = argparse.ArgumentParser(description="Makes a copy of the checkout whose label search is compiled.")
    parser.add_argument("folder", type=Path, help="where the copy goes")
    folder = parser.parse_args().folder.resolve()
    if folder.is_relative_to(ROOT):
        parser.error(f"{folder} must be outside the checkout")
    if folder.exists() and not folder.is_dir():
        parser.error(f"{folder} is no folder")
    if folder.is_dir() and any(folder.iterdir()):
        parser.error(f"{folder} is there already, and not empty")
    try:
        make(folder)
    except NoCompilerError as error:
        print(f"it can't be compiled here: {error}", file=sys.stderr)
        sys.exit(3)
    except CompilingFailedError as error:
        print(error, file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
