"""What the board asks beyond what programs ask: pictures, ways, charts, and scenarios edited as data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from planner.errors import InputError, Problem
from planner.formats.spoken_numbers import spoken_number
from planner.plans.plan import Plan
from planner.rules.rulebook import Rulebook
from planner.rules.rulebook_file import load_rulebook, model_folder, shipped_models
from planner.serving.asking import BESIDE, Answer, Asked, Beside, Nothing, Session, Task, Text, Verb
from planner.serving.shelf import Shelf

LongText = Annotated[str, Field(max_length=32 * 2**20)]


class PictureAsked(Asked):
    """Which moves, to be made from here, are drawn as arrows."""

    moves: tuple[Text, ...] = Field(default=(), strict=False, max_length=2_000)


class WaysAsked(Asked):
    """Who is to go: a unit, or several that stand together."""

    units: Text = Field(description='"a", or "a+b" for two who move together')
    quick: bool = Field(
        default=False,
        description="One unit's plain ways alone, as they are listed before they are judged: `to`, `mp`, `path`",
    )


class HexAsked(Asked):
    """Which hex."""

    hex: Text


class ChartAsked(Asked):
    """Of which game; absent: that of the position."""

    model: Annotated[str, Field(max_length=200)] | None = None


class NewAsked(Asked):
    """Of which game, and how large."""

    model: Annotated[str, Field(max_length=200)]
    columns: int = Field(ge=1, le=500)
    rows: int = Field(ge=1, le=500)


class EditAsked(Asked):
    """What is done to the text of a scenario."""

    text: LongText
    edits: Annotated[tuple[object, ...], Field(max_length=10_000, strict=False)] = ()
    beside: Beside = BESIDE


class SourceAsked(Asked):
    """Of which position."""

    now: bool = Field(default=False, description="As it is now, instead of as it began")


class PageAsked(PictureAsked):
    """Which moves, and as what."""

    kind: Literal["html", "svg", "diagram"] = Field(
        default="html", description="A page; a picture; a puzzle as a diagram with what it asks, on one sheet"
    )


class HintAsked(Asked):
    """Which hint."""

    number: int = Field(ge=1, le=100)


def _picture(session: Session, asked: PictureAsked, _task: Task) -> Answer:
    from planner.board.map_parts import map_parts

    scenario = session.position.scenario
    plan = Plan.read(list(asked.moves), scenario, "moves") if asked.moves else None
    return map_parts(scenario, plan).to_dict()


def _ways(session: Session, asked: WaysAsked, task: Task) -> Answer:
    from planner.board.hex_report import way

    position = session.position
    if asked.quick:
        generator = position.generator(task.stop)
        if generator.unknown([asked.units]):
            raise InputError([Problem(f"no unit has the id {asked.units!r}", "units")])
        listed = generator.ends(asked.units).items()
        return {"ways": [{"to": end, "mp": spoken_number(mp), "path": list(path)} for end, (mp, path) in listed]}
    return {"ways": [way(move, position) for move in position.legal_moves(asked.units, stop=task.stop)]}


def _hex(session: Session, asked: HexAsked, task: Task) -> Answer:
    from planner.board.hex_report import hex_report

    return hex_report(session.position, asked.hex, task.stop)


def _shipped(session: Session, _asked: Nothing, _task: Task) -> Answer:
    from planner.board.shipped import listed, shipped

    if session.shelf is None or not session.shelf.places:
        return dict(shipped())
    return listed(session.shelf.names(), session.shelf.own_models())


def _chart(session: Session, asked: ChartAsked, _task: Task) -> Answer:
    from planner.board.chart import chart

    if asked.model is None:
        return chart(session.position.scenario.game.rulebook)
    return chart(_game(session, asked.model))


def _game(session: Session, name: str) -> Rulebook:
    shelf = session.shelf or Shelf()
    own = shelf.own_models()
    if name not in shipped_models() and name not in own:
        raise InputError([Problem(f"no game is called {name!r}", "model")])
    try:
        return load_rulebook(own.get(name) or model_folder(name))
    except InputError as error:
        raise InputError(shelf.told(error.problems)) from None


def _new(session: Session, asked: NewAsked, _task: Task) -> Answer:
    from planner.scenario.first_scenario import first_scenario

    rulebook = _game(session, asked.model)
    return {"text": first_scenario(rulebook, asked.model, asked.columns, asked.rows, empty=True)}


def _edit(session: Session, asked: EditAsked, _task: Task) -> Answer:
    from planner.board.editing import edited, problems_of, read_edits

    shelf = session.shelf or Shelf()

    def base(model: object) -> Path | None:
        return shelf.base_of(model, asked.beside)

    try:
        text = edited(asked.text, read_edits(asked.edits), base)
    except InputError as error:
        raise InputError(shelf.told(error.problems)) from None
    problems = shelf.told(problems_of(text, base=base))
    return {"text": text, "problems": [{"what": one.what, "where": one.where} for one in problems]}


def _source(session: Session, asked: SourceAsked, _task: Task) -> Answer:
    from planner.board.editing import written

    if asked.now:
        return {"text": written(session.position.settled)}
    from planner.playing.game_record import phases_of

    begin = phases_of(session.position)[0].begin
    return {"text": session.text or written(begin)}


def _page(session: Session, asked: PageAsked, _task: Task) -> Answer:
    from planner.draw.picture import Picture

    if asked.kind == "diagram":
        from planner.board.puzzle import diagram

        return {"html": diagram(session.position)}
    scenario = session.position.settled
    plan = Plan.read(list(asked.moves), scenario, "moves") if asked.moves else None
    picture = Picture(scenario, plan)
    return {"svg": picture.svg()} if asked.kind == "svg" else {"html": picture.html()}


def _duty(session: Session, _asked: Nothing, _task: Task) -> Answer:
    from planner.playing.players import duty, together_with

    due = duty(session.position)
    if due is None:
        return {"move": None}
    return {"move": str(due), "declare": [str(one) for one in together_with(session.position, due)]}


def _record(session: Session, _asked: Nothing, _task: Task) -> Answer:
    from planner.playing.game_record import record_of

    return record_of(session.position).to_dict()


def _puzzle(session: Session, _asked: Nothing, _task: Task) -> Answer:
    from planner.board.puzzle import puzzle

    return puzzle(session.position)


def _hint(session: Session, asked: HintAsked, _task: Task) -> Answer:
    from planner.board.puzzle import hint

    return hint(session.position, asked.number)


BOARD_VERBS: dict[str, Verb] = {
    "picture": Verb(
        "Draw the position, and moves as arrows: the parts of an SVG, and its legend.", PictureAsked, _picture
    ),
    "ways": Verb("List where units can go now by themselves, each with the cheapest way and its MP.", WaysAsked, _ways),
    "hex": Verb("Say who can come to a hex, and who can fight there, at which odds.", HexAsked, _hex),
    "shipped": Verb("List the games and scenarios that ship with the planner.", Nothing, _shipped),
    "chart": Verb("List what a game has: sides, phases, types, terrain, hexsides, terms.", ChartAsked, _chart),
    "new": Verb("Begin a scenario: an empty map of a size.", NewAsked, _new),
    "edit": Verb("Change the text of a scenario, comments kept, and say what is wrong with it.", EditAsked, _edit),
    "source": Verb("Return the text of the scenario as it began, or as it is now.", SourceAsked, _source),
    "page": Verb("Return the position, and moves, as a page, a picture, or a puzzle's diagram.", PageAsked, _page),
    "duty": Verb("Name a move or an attack that must be made before the phase may end, if any.", Nothing, _duty),
    "record": Verb("Return the record of the game so far.", Nothing, _record),
    "puzzle": Verb("Say what a puzzle asks, and whether what has been made solves it.", Nothing, _puzzle),
    "hint": Verb("Return one of a puzzle's hints.", HintAsked, _hint),
}
"""What the board may ask besides."""
