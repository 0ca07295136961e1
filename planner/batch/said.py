"""What becomes of jobs."""

from __future__ import annotations

Said = dict[str, object]
"""What becomes of a job: ``answer``, or ``error`` with its ``kind`` and ``text``."""

FAILURES = ("died", "hung", "memory", "lost")
"""Kinds of errors that may be none in another process: such jobs are tried once more."""


def failed(kind: str, text: str) -> Said:
    """Return what becomes of a job that can't be answered."""
    return {"error": {"kind": kind, "text": text}}


def is_sound(said: Said) -> bool:
    """Tell whether the process that has said it may go on with other jobs."""
    error = said.get("error")
    return not (isinstance(error, dict) and error["kind"] in FAILURES)
