"""Arguments of the Python interface: what each must be, and a sentence for each that isn't, all at once."""

from __future__ import annotations

import inspect
import math
import random
import threading
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache, wraps
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec, TypeAlias, TypeVar

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, PlainValidator, TypeAdapter, ValidationError

from planner.errors import InputError, Problem
from planner.formats.validation import problems_of
from planner.gc_pause import seldom
from planner.limits import Limits, Running
from planner.plans.plan import Plan
from planner.scenario import Scenario, load_scenario

if TYPE_CHECKING:
    from planner.plans.partial_plan import PartialPlan

P = ParamSpec("P")
R = TypeVar("R")


Moves = Plan | str | Iterable[str]
"""A plan, or moves as players write them: one, several lines, or an iterable."""


Partial: TypeAlias = "PartialPlan | str | Iterable[str]"
"""A partial plan, or its lines as players write them."""


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function raise `InputError` for arguments of the wrong sort, before it does anything.

    What each argument must be follows from its name: it is the same throughout the interface.
    """
    signature = _spelled_out(function)

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise TypeError(f"{function.__name__}() {error}") from None
        # What may be left out may be None, if that is what it is then.
        absent = {name for name, value in given.items() if value is None and signature.parameters[name].default is None}
        ensure(**{name: value for name, value in given.items() if name not in absent})
        # What it leaves behind is gone before the collector looks again.
        with seldom():
            return function(*args, **kwargs)

    call.__dict__["__signature__"] = signature
    return call


def _spelled_out(function: Callable[..., object]) -> inspect.Signature:
    """Return a signature as help shows it: with each option of `Running`, where it takes them."""
    signature = inspect.signature(function)
    own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
    if len(own) < len(signature.parameters):
        options = inspect.signature(Limits.within).parameters
        own += [options[name].replace(kind=inspect.Parameter.KEYWORD_ONLY) for name in Running.__annotations__]
    return signature.replace(parameters=own)


def ensure(**given: object) -> None:
    """Ensure that arguments are of the sort that their names say; a time limit may be None.

    Raises
    ------
    InputError
        With every problem at once.
    """
    problems: list[Problem] = []
    for name, value in given.items():
        if name in _SHAPES and not (value is None and name == "time_limit"):
            try:
                _adapter(name).validate_python(value)
            except ValidationError as error:
                problems += problems_of(error, name)
    if problems:
        raise InputError(problems)


def _a_position(value: object) -> object:
    if not isinstance(value, (str, Path, Scenario)):
        raise ValueError(f"must be a scenario, or the path of one, not {_short(value)}")
    return value


def _a_path(value: object) -> object:
    if not isinstance(value, (str, Path)):
        raise ValueError(f"must be the path of a scenario, not {_short(value)}")
    return value


def _an_event(value: object) -> object:
    if not isinstance(value, threading.Event):
        raise ValueError(f"must be a threading.Event, not {_short(value)}")
    return value


def _a_generator(value: object) -> object:
    if not isinstance(value, random.Random):
        raise ValueError(f"must be a random.Random, not {_short(value)}")
    return value


def _a_function(value: object) -> object:
    if not callable(value):
        raise ValueError(f"must be a function, not {_short(value)}")
    return value


def _texts(value: object) -> object:
    """Look at one text or several; what can be gone through only once is left to the function."""
    several = value if isinstance(value, (list, tuple, set, frozenset)) else ()
    found = isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray, memoryview, Mapping))
    if not found or not all(isinstance(one, str) for one in several):
        raise ValueError(f"must be text, or several texts, not {_short(value)}")
    return value


def _goals(value: object) -> object:
    try:
        return _texts(value)
    except ValueError as error:
        raise ValueError(f'goals must be text, such as "hold w5427", not {_short(value)}') from error


def _a_report(value: object) -> object:
    from planner.search.reachable import ReachReport

    if not isinstance(value, ReachReport):
        raise ValueError(f"must be what reach answers, not {_short(value)}")
    return value


def _some_notes(value: object) -> object:
    """Look at notes; what can be gone through only once is left to the function."""
    from planner.draw.notes import Note

    several = value if isinstance(value, (list, tuple, set, frozenset)) else ()
    found = isinstance(value, Iterable) and not isinstance(value, (str, bytes))
    if not found or not all(isinstance(one, Note) for one in several):
        raise ValueError(f"must be Notes, not {_short(value)}")
    return value


def _a_share(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, (int, str, Fraction)):
        raise ValueError(f'must be a Fraction, or text such as "10%", not {_short(value)}')
    return value


def _whole(value: object) -> object:
    """Take whole numbers of other libraries for what they are."""
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else value


def _real(value: object) -> object:
    """Take numbers of other libraries for what they are."""
    return float(value) if isinstance(value, Real) and not isinstance(value, bool) else value


def _some_seconds(value: float) -> float:
    if math.isnan(value) or value < 0:
        raise ValueError(f"must be at least 0 seconds, not {value:g}")
    return value


def _short(value: object) -> str:
    told = repr(value)
    return told if len(told) <= 60 else f"{told[:57]}…"


_SHAPES: dict[str, Any] = {
    "scenario": Annotated[object, PlainValidator(_a_position)],
    "path": Annotated[object, PlainValidator(_a_path)],
    "time_limit": Annotated[float, BeforeValidator(_real), AfterValidator(_some_seconds)],
    "workers": Annotated[int, Field(ge=1, le=64), BeforeValidator(_whole)],
    "seed": Annotated[int, Field(ge=0, le=2**31 - 1), BeforeValidator(_whole)],
    "stop": Annotated[object, PlainValidator(_an_event)],
    "on_progress": Annotated[object, PlainValidator(_a_function)],
    "count": Annotated[int, BeforeValidator(_whole)],
    "cooks": Annotated[int, Field(ge=0, le=100), BeforeValidator(_whole)],
    "most": Annotated[int, Field(ge=0), BeforeValidator(_whole)],
    "depth": Annotated[int, Field(ge=0), BeforeValidator(_whole)],
    "within": Annotated[object, PlainValidator(_a_share)],
    "place": Annotated[object, PlainValidator(_texts)],
    "require": Annotated[object, PlainValidator(_goals)],
    "remarks": Annotated[object, PlainValidator(_texts)],
    "notes": Annotated[object, PlainValidator(_some_notes)],
    "reach": Annotated[object, PlainValidator(_a_report)],
    "dice": Annotated[object, PlainValidator(_a_generator)],
    "move": str,
    "text": str,
    "units": str,
    "to": str,
    "unit": str,
    "solver": bool,
    "adaptive": bool,
    "diverse": bool,
    "every": bool,
}
"""What the arguments that bear these names must be; moves and partial plans say themselves what they must look like."""


@cache
def _adapter(name: str) -> TypeAdapter[object]:
    return TypeAdapter(_SHAPES[name], config=ConfigDict(strict=True))


def as_scenario(scenario: Scenario | str | Path, after: Moves | None = None) -> Scenario:
    """Return a scenario, read if only its path is given, as it is after moves that have been made."""
    found = scenario if isinstance(scenario, Scenario) else load_scenario(scenario)
    return found if after is None else found.after(after)


def as_plan(scenario: Scenario, moves: Moves) -> Plan:
    """Return moves as a plan whose names are those of the scenario."""
    if not isinstance(moves, Plan):
        return Plan.read(moves, scenario, "moves")
    scenario.check_names(moves, "moves")
    return moves


def as_share(count: int, diverse: bool, within: Fraction | str | None) -> Fraction:
    """Return by which share diverse plans may fall short, given what is asked of alternatives.

    Raises
    ------
    InputError
        If count or share is out of range, or a share is given where the best plans are wanted.
    """
    from planner.formats.probability import parse_share
    from planner.search.alternatives import DEFAULT_SHARE, MOST_ALTERNATIVES

    problems = []
    if within is not None and not diverse:
        problems.append(Problem("must be given only with diverse", "within"))
    share = DEFAULT_SHARE if within is None else within
    if isinstance(share, str):
        try:
            share = parse_share(share)
        except ValueError as error:
            raise InputError([*problems, Problem(str(error), "within")]) from error
    if not 1 <= count <= MOST_ALTERNATIVES:
        problems.append(Problem(f"must be from 1 to {MOST_ALTERNATIVES}, not {count}", "alternatives"))
    if not 0 <= share <= 1:
        problems.append(Problem(f"must be from 0 to 1, not {share}", "within"))
    if problems:
        raise InputError(problems)
    return Fraction(share)


def as_texts(texts: str | Iterable[str]) -> tuple[str, ...]:
    """Return one text or several as a tuple."""
    return (texts,) if isinstance(texts, str) else tuple(texts)


def as_partial(scenario: Scenario, partial: Partial | None) -> PartialPlan:
    """Return what is settled as a partial plan whose names are those of the scenario; None: nothing is."""
    from planner.plans.partial_plan import PartialPlan

    if partial is None:
        return PartialPlan()
    if isinstance(partial, PartialPlan):
        return partial.meant_in(scenario, "moves")
    return PartialPlan.read(partial, scenario, "moves")
