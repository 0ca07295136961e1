"""Makes a copy of the checkout whose label search is compiled, for measurements and tests.

Usage: ``python benchmarks/compiled.py FOLDER``. The copy is built as a release would be (the hook in pyproject.toml, which
asks for a C compiler and for what pip gets), and works where it stands: as a `PYTHONPATH`, or for its own tests.

Exit codes: 0; 1 if it can't be compiled here; 2 for a bad command line.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

ROOT = Path(__file__).parents[1]
LEFT_OUT = shutil.ignore_patterns(
    ".*cache*", ".git", ".hypothesis", ".venv", "__pycache__", "build", "dist", "*.egg-info", "*.so", "*.pyd"
)


class CannotCompileError(Exception):
    """There is no compiler, or no way to get what building needs; the text is the end of what pip has to say."""


def make(folder: Path) -> None:
    """Copy the checkout to a folder, and compile there what a release compiles.

    Raises
    ------
    CannotCompileError
        If it can't be compiled here.
    """
    if not any(map(shutil.which, ("cc", "gcc", "clang", "cl"))):
        raise CannotCompileError("there is no C compiler")
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT, dirs_exist_ok=True)
    with tempfile.TemporaryDirectory() as wheels:
        words = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", wheels, str(folder)]
        told = subprocess.run(
            words, env={**os.environ, "HATCH_BUILD_HOOKS_ENABLE": "1"}, capture_output=True, text=True, check=False
        )
    if told.returncode or not any((folder / "planner").glob(f"label_search*{EXTENSION_SUFFIXES[0]}")):
        raise CannotCompileError(told.stderr.strip()[-600:] or "nothing was compiled")


def main() -> None:
    """Read the command line and make the copy."""
    parser = argparse.ArgumentParser(description="Makes a copy of the checkout whose label search is compiled.")
    parser.add_argument("folder", type=Path, help="where the copy goes")
    folder = parser.parse_args().folder
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        parser.error(f"{folder} is there already, and not empty")
    try:
        make(folder)
    except CannotCompileError as error:
        print(error, file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
