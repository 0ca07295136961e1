"""The verbs as lines of JSON on standard input and output, for programs in any language. See docs/engine.md."""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from planner.errors import InputError
from planner.formats.files import parse_json
from planner.formats.spelling import did_you_mean
from planner.interrupts import INTERRUPTED
from planner.serving.answering import answer_to, failure
from planner.serving.asking import Answer, Nothing, Session, Task, Verb
from planner.serving.shelf import Shelf
from planner.serving.verbs import VERBS

LONGEST_LINE = 32 * 2**20
"""Bytes; as long as a scenario file may be."""

MOST_WAITING = 1_000
"""Questions that may wait for their answers; whoever asks more waits before the next one is read."""

PATIENCE = 10.0
"""Seconds for what has been asked before the end."""

CLOSE = Verb("Forget a session.", Nothing, lambda _session, _asked, _task: {})
STOP = Verb("End what is being worked on.", Nothing, lambda _session, _asked, _task: {})
QUIT = Verb("End the engine.", Nothing, lambda _session, _asked, _task: {})
OTHERS = {"close": CLOSE, "stop": STOP, "quit": QUIT}
"""What may be said besides the verbs."""

BESIDE = ("id", "do", "session")
"""The keys that any request may have."""


class _Request(NamedTuple):
    """A question that waits for its answer, or is being worked on."""

    id: object
    verb: Verb
    said: dict[str, Any]
    session: str
    stop: threading.Event


class LineEngine:
    """One conversation.

    A thread listens, so that `stop` and `quit` are heard whatever is worked on. Another one answers in the order of the
    questions; what may take its time is worked on in a third, one at a time, of the position as it then is.

    Parameters
    ----------
    reader_gone : int
        The exit code of the process, should nobody read its answers any more.
    unwritable : int
        The same, should they not be written for another reason.
    shelf : Shelf, optional
        The scenarios that may be named; absent: any file may be.
    """

    def __init__(self, reader_gone: int, unwritable: int, shelf: Shelf | None = None) -> None:
        self._reader_gone, self._unwritable = reader_gone, unwritable
        self._shelf = shelf
        self._sessions: dict[str, Session] = {}
        self._writing = threading.Lock()
        self._waiting: queue.Queue[_Request | None] = queue.Queue(MOST_WAITING)
        self._open: list[_Request] = []
        self._slow: threading.Thread | None = None

    def run(self) -> None:
        """Read until the end; what has been asked before the input ends is answered, before `quit` it is stopped.

        Raises
        ------
        KeyboardInterrupt
            If it was interrupted: that is heard as `quit` is, and all is answered with what is known by then.
        """
        answering = threading.Thread(target=self._work, daemon=True)
        answering.start()
        interrupted = False
        try:
            told_to_quit = self._read()
        except KeyboardInterrupt:
            told_to_quit = interrupted = True
        self._stop_all(lambda one: told_to_quit or one.verb.slow)
        self._waiting.put(None)
        answering.join(PATIENCE)
        self._stop_all(lambda one: True)
        for thread in (answering, self._slow):
            if thread is not None:
                thread.join(PATIENCE / 2)
                if thread.is_alive():  # it won't listen; nobody waits for it either
                    os._exit(INTERRUPTED if interrupted else 0)
        if interrupted:
            raise KeyboardInterrupt

    def _read(self) -> bool:
        """Read until the end; tell whether it was told to quit."""
        if sys.stdin is None:  # closed before the planner was called: it has ended
            return False
        for line in iter(lambda: sys.stdin.buffer.readline(LONGEST_LINE + 1), b""):
            if len(line) > LONGEST_LINE:
                while line and not line.endswith(b"\n"):
                    line = sys.stdin.buffer.readline(LONGEST_LINE)
                self._fail(None, "input", f"a line must have at most {LONGEST_LINE // 2**20} MiB")
            elif line.strip() and not self._hear(line):
                return True
        return False

    def _stop_all(self, which: Callable[[_Request], bool]) -> None:
        with self._writing:
            for one in filter(which, self._open):
                one.stop.set()

    def _hear(self, line: bytes) -> bool:
        """Take one line; tell whether to go on."""
        try:
            said = parse_json(line.decode("utf-8"), "request")
        except UnicodeDecodeError:
            self._fail(None, "input", "a request must be UTF-8 text")
            return True
        except InputError as error:
            self._fail(None, "input", str(error))
            return True
        if not isinstance(said, dict):
            self._fail(None, "input", "a request must be an object")
            return True
        asked: dict[str, Any] = dict(said)
        number, name, session = asked.pop("id", None), asked.pop("do", None), asked.pop("session", "")
        if not isinstance(session, str):
            self._fail(number, "input", "session must be text")
            return True
        if name not in ("stop", "quit"):
            self._take(number, name, session, asked)
            return True
        answer = answer_to(OTHERS[name], Session(), asked, Task(threading.Event(), lambda told: None), BESIDE)
        if "error" not in answer:
            if name == "quit":
                return False
            self._stop_all(lambda one: True)
        self._write({"id": number, **answer})
        return True

    def _take(self, number: object, name: object, session: str, asked: dict[str, Any]) -> None:
        verb = CLOSE if name == "close" else VERBS.get(name) if isinstance(name, str) else None
        if verb is None:
            near = did_you_mean(str(name), [*VERBS, *OTHERS])
            self._fail(
                number,
                "input",
                f"do must be one of {', '.join([*sorted(VERBS), *OTHERS])}, not {str(name)[:80]!r}{near}",
            )
        elif verb.slow and any(one.verb.slow for one in list(self._open)):
            self._fail(number, "busy", "a question is being worked on: wait for its answer, or stop it")
        else:
            request = _Request(number, verb, asked, session, threading.Event())
            with self._writing:
                self._open.append(request)
            self._waiting.put(request)

    def _work(self) -> None:
        """Answer one question after another, until there are no more."""
        while (one := self._waiting.get()) is not None:
            session = self._sessions.setdefault(one.session, Session(shelf=self._shelf))
            if one.verb.slow:
                # What is asked is asked of the position as it is now, whatever is pushed meanwhile.
                self._slow = threading.Thread(target=self._try, args=(one, session.now()), daemon=True)
                self._slow.start()
                continue
            if one.verb is CLOSE:
                del self._sessions[one.session]
            self._try(one, session)

    def _try(self, request: _Request, session: Session) -> None:
        """Answer a question; whatever goes wrong is an answer, too."""
        task = Task(request.stop, lambda told: self._write({"id": request.id, "info": told}))
        answer = answer_to(request.verb, session, request.said, task, BESIDE)
        with self._writing:  # before the answer is read, so that the next question finds nobody busy
            self._open.remove(request)
        self._write({"id": request.id, **answer})

    def _fail(self, number: object, kind: str, text: str) -> None:
        self._write({"id": number, **failure(kind, text)})

    def _write(self, answer: Answer) -> None:
        told = {key: value for key, value in answer.items() if key != "id" or value is not None}
        line = json.dumps(told, ensure_ascii=True, allow_nan=False) + "\n"
        with self._writing:
            try:
                sys.stdout.write(line)
                sys.stdout.flush()
            except BrokenPipeError:  # nobody listens any more, and the next line may never come
                os._exit(self._reader_gone)
            except OSError as error:
                with suppress(OSError, AttributeError):
                    sys.stderr.write(f"the answer can't be written: {error.strerror or error}\n")
                    sys.stderr.flush()
                os._exit(self._unwritable)
