"""Answers a job: what it asks, or why that can't be answered, as data."""

from __future__ import annotations

import os
from pathlib import Path

from planner.batch.jobs import Job
from planner.batch.questions import ANSWERS
from planner.batch.said import Said, failed
from planner.errors import DisagreementError, InputError, OutOfTimeError, PlannerError
from planner.formats.files import data_folder
from planner.formats.toml_lines import with_lines
from planner.scenario import Scenario, load_scenario


def answer(job: Job) -> Said:
    """Answer a job in this process; whatever goes wrong is part of what is returned.

    Paths of scenarios count from the working folder.
    """
    try:
        asked = job.asked()
        after = getattr(asked, "after", ())
        if isinstance(asked.scenario, str):
            scenario = load_scenario(asked.scenario)
        else:
            scenario = Scenario.from_dict(asked.scenario, "scenario", Path())
        scenario = scenario.after(after) if after else scenario
        return {"answer": _without_times(dict(ANSWERS[job.verb](scenario, asked)))}
    except InputError as error:
        problems = [{"what": _anywhere(one.what), "where": _anywhere(one.where)} for one in with_lines(error.problems)]
        return {"error": {"kind": "input", "text": _anywhere(str(error)), "problems": problems}}
    except OutOfTimeError as error:
        return failed("out of time", str(error))
    except DisagreementError as error:
        return failed("fault", f"{error}\n{error.dump}")
    except PlannerError as error:
        return failed("refused", _anywhere(str(error)))
    except MemoryError:
        return failed("memory", "there was not enough memory")
    except Exception as error:  # one bad job must not end the others
        return failed("fault", f"{type(error).__name__}: {error}")


def _anywhere(text: str) -> str:
    """Take out where the planner is installed: results are the same on all machines."""
    return text.replace(f"{data_folder('scenarios')}{os.sep}", "")


def _without_times(told: dict[str, object]) -> dict[str, object]:
    """Take out how long it took, which is never twice the same; results say it beside the answer, if that is asked."""
    told.pop("seconds", None)
    for one in told.get("plans") or () if told.get("format") == "planner/alternatives-1" else ():  # type: ignore[attr-defined]
        one["result"].pop("seconds", None)
    return told
