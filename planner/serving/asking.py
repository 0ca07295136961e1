"""What verbs are made of, whatever they ask: a session, how a question is worked on, and the shapes that several share."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from planner.errors import PlannerError
from planner.formats.table import Table
from planner.playing.position import Position
from planner.serving.shelf import Shelf

Answer = dict[str, object]
Seconds = Annotated[float, Field(ge=0, le=86_400)]
Text = Annotated[str, Field(max_length=4_000)]
Beside = Annotated[str, Field(max_length=1_000)]
BESIDE = Field(
    default="", description="Of a text: where in a folder of the server's it lies, if its game is given by a path"
)


NO_POSITION = "there is no position yet: send one first"


class NoPositionError(PlannerError):
    """Something is asked of a position before there is one."""


@dataclass
class Session:
    """What one client plays on.

    Attributes
    ----------
    dice : random.Random
        What rolls where nobody says what was rolled.
    shelf : Shelf or None
        The scenarios that a client may name, who may read no other file; None: it may read any.
    text : str
        The scenario file with which it began, comments and all; empty: there is none.
    """

    dice: random.Random = field(default_factory=random.Random)
    shelf: Shelf | None = None
    text: str = ""
    _position: Position | None = None

    @property
    def position(self) -> Position:
        """The position.

        Raises
        ------
        NoPositionError
            If there is none yet.
        """
        if self._position is None:
            raise NoPositionError(NO_POSITION)
        return self._position

    @position.setter
    def position(self, position: Position) -> None:
        self._position = position

    def now(self) -> Session:
        """Return a session with the position as it is now, whatever becomes of this one."""
        position = None if self._position is None else self._position.copy()
        return Session(copy(self.dice), self.shelf, self.text, position)


@dataclass(frozen=True)
class Task:
    """How a question is worked on.

    Attributes
    ----------
    stop : threading.Event
        Set: the question is to be answered with what is known.
    tell : callable
        Gets what is found meanwhile.
    """

    stop: threading.Event
    tell: Callable[[Answer], None]


class Asked(Table):
    """What is said with a verb: types are what they claim to be, so that nobody is answered something else than meant."""

    model_config = ConfigDict(strict=True)


class Nothing(Asked):
    """Nothing more is said."""


class MovesAsked(Asked):
    """Moves, in their order."""

    moves: tuple[Text, ...] = Field(max_length=2_000, strict=False)


@dataclass(frozen=True)
class Verb:
    """Something that may be asked.

    Attributes
    ----------
    text : str
        What it does, in a sentence.
    asks : type
        The shape of what is said with it.
    answer : callable
        Works it out.
    slow : bool
        Whether it may take its time, so that others are answered meanwhile.
    changes : bool
        Whether the position is another one after it.
    """

    text: str
    asks: type[Asked]
    answer: Callable[[Session, Any, Task], Answer]
    slow: bool = False
    changes: bool = False
