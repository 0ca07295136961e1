"""A question is answered, or it is said in a fixed shape why not: the same for every transport."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from planner.errors import DisagreementError, InputError, OutOfTimeError, PlannerError
from planner.playing.moment import RollDueError
from planner.referee.verdict import IllegalPlanError
from planner.serving.asking import Answer, Session, Task, Verb
from planner.serving.verbs import read_asked


def answer_to(
    verb: Verb, session: Session, said: Mapping[str, object], task: Task, beside: Collection[str] = ()
) -> Answer:
    """Answer a question; whatever goes wrong is an answer, too. `beside`: other keys that a request may have.

    Returns
    -------
    dict
        Either ``{"answer": …}`` or ``{"error": {"kind": …, "text": …}}``, which has changed nothing.
    """
    try:
        return {"answer": verb.answer(session, read_asked(verb, said, beside), task)}
    except InputError as error:
        return refusal(error)
    except IllegalPlanError as error:
        violations = [one.to_dict() for one in error.verdict.violations]
        return failure("illegal", str(error), {"violations": violations})
    except RollDueError as error:
        return failure("roll_due", str(error))
    except OutOfTimeError as error:
        # Whatever works under a limit takes being stopped for the end of its time.
        return failure("stopped", "it was stopped before there was an answer" if task.stop.is_set() else str(error))
    except DisagreementError as error:
        return failure("fault", f"a fault of planner: {error}", {"dump": error.dump})
    except PlannerError as error:
        return failure("refused", str(error))
    except Exception as error:
        return failure("fault", f"a fault of planner: {type(error).__name__}: {error}")


def refusal(error: InputError) -> Answer:
    """Return what is sent instead of an answer to what can't be read, or isn't there."""
    problems = [{"what": one.what, "where": one.where} for one in error.problems]
    return failure("input", str(error), {"problems": problems})


def failure(kind: str, text: str, more: Answer | None = None) -> Answer:
    """Return what is sent instead of an answer: the kind of error, a sentence, and what else is known of it.

    What is wrong with what was said has problems in any case.
    """
    if kind == "input" and more is None:
        more = {"problems": [{"what": text.removesuffix(" @ request"), "where": "request"}]}
    return {"error": {"kind": kind, "text": text, **(more or {})}}
