"""`planner engine`: the verbs as lines of JSON on standard input and output, for programs in any language."""

from __future__ import annotations

import json
import sys
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from planner.cli.verbs import Answer, Session, Verb

LONGEST_LINE = 32 * 2**20
"""Bytes; as long as a scenario file may be."""


def engine() -> None:
    """Answer questions of another program: a line of JSON each, on standard input and output. See docs/engine.md.

    Exit 0 when it is told to quit, or when its input ends.
    """
    _Engine().run()


class _Engine:
    """One conversation: slow questions are worked on in a thread, one at a time, so that `stop` is heard meanwhile."""

    def __init__(self) -> None:
        from planner.cli.verbs import Session

        self._session: Session = Session()
        self._writing = threading.Lock()
        self._stop = threading.Event()
        self._work: threading.Thread | None = None

    def run(self) -> None:
        """Read until the end."""
        for line in iter(lambda: sys.stdin.buffer.readline(LONGEST_LINE + 1), b""):
            if len(line) > LONGEST_LINE:
                while line and not line.endswith(b"\n"):
                    line = sys.stdin.buffer.readline(LONGEST_LINE)
                self._fail(None, "input", f"a line must have at most {LONGEST_LINE // 2**20} MiB")
            elif line.strip() and not self._hear(line):
                break
        self._stop.set()
        if self._work is not None:
            self._work.join()

    def _hear(self, line: bytes) -> bool:
        """Take one line; tell whether to go on."""
        from planner.errors import InputError
        from planner.formats.files import parse_json

        try:
            said = parse_json(line.decode("utf-8"), "request")
        except (InputError, UnicodeDecodeError) as error:
            self._fail(None, "input", str(error))
            return True
        if not isinstance(said, dict):
            self._fail(None, "input", "a request must be an object")
            return True
        asked: dict[str, Any] = dict(said)
        number, name = asked.pop("id", None), asked.pop("do", None)
        if name == "quit":
            return False
        if name == "stop":
            self._stop.set()
            self._write({"id": number, "answer": {}})
            return True
        self._answer(number, name, asked)
        return True

    def _answer(self, number: object, name: object, asked: dict[str, Any]) -> None:
        from planner.cli.verbs import VERBS
        from planner.formats.spelling import did_you_mean

        verb = VERBS.get(name) if isinstance(name, str) else None
        if verb is None:
            near = did_you_mean(str(name), [*VERBS, "stop", "quit"])
            self._fail(
                number,
                "input",
                f"do must be one of {', '.join(sorted(VERBS))}, stop, quit, not {str(name)[:80]!r}{near}",
            )
        elif not verb.slow:
            self._try(number, verb, asked, self._session)
        elif self._work is not None and self._work.is_alive():
            self._fail(number, "busy", "a question is being worked on: wait for its answer, or stop it")
        else:
            self._stop.clear()
            # What is asked is asked of the position as it is now, whatever is pushed meanwhile.
            self._work = threading.Thread(target=self._try, args=(number, verb, asked, self._session.now()))
            self._work.start()

    def _try(self, number: object, verb: Verb, asked: dict[str, Any], session: Session) -> None:
        """Answer a question; whatever goes wrong is an answer, too."""
        from planner.cli.json_output import violation_to_json
        from planner.cli.verbs import Task, read_asked
        from planner.errors import InputError, PlannerError
        from planner.playing.moment import RollDueError
        from planner.referee.verdict import IllegalPlanError

        task = Task(self._stop, lambda told: self._write({"id": number, "info": told}))
        try:
            answer = verb.answer(session, read_asked(verb, asked), task)
        except InputError as error:
            problems = [{"what": one.what, "where": one.where} for one in error.problems]
            self._fail(number, "input", str(error), {"problems": problems})
        except IllegalPlanError as error:
            violations = [violation_to_json(one) for one in error.verdict.violations]
            self._fail(number, "illegal", str(error), {"violations": violations})
        except RollDueError as error:
            self._fail(number, "roll_due", str(error))
        except PlannerError as error:
            self._fail(number, "refused", str(error))
        except Exception as error:
            self._fail(number, "fault", f"a fault of planner: {type(error).__name__}: {error}")
        else:
            self._write({"id": number, "answer": answer})

    def _fail(self, number: object, kind: str, text: str, more: Answer | None = None) -> None:
        self._write({"id": number, "error": {"kind": kind, "text": text, **(more or {})}})

    def _write(self, answer: Answer) -> None:
        told = {key: value for key, value in answer.items() if key != "id" or value is not None}
        with self._writing:
            sys.stdout.write(json.dumps(told, ensure_ascii=True) + "\n")
            sys.stdout.flush()
