"""Whatever a position is given that it can't be given is said in a sentence, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import planner
from planner import InputError, Move, PartialPlan, Plan, Position, Scenario
from planner.playing.game_record import GameRecord

WRONG: dict[str, Callable[[Position], object]] = {
    "push a number": lambda position: position.push(3),  # type: ignore[arg-type]
    "push nothing": lambda position: position.push(None),  # type: ignore[arg-type]
    "push nobody": lambda position: position.push(Move(("nobody",), ("w5525", "w5425"))),
    "push nowhere": lambda position: position.push(Move(("plv",), ("w5525", "nowhere"))),
    "push nothing at all": lambda position: position.push(""),
    "ask about a number": lambda position: position.is_legal(3),  # type: ignore[arg-type]
    "moves of a number": lambda position: position.legal_moves(3),  # type: ignore[arg-type]
    "moves of nobody": lambda position: position.legal_moves("nobody"),
    "dice that aren't": lambda position: position.roll(3),  # type: ignore[arg-type]
    "reach of a number": lambda position: position.reach(3),  # type: ignore[call-overload]
    "search for ever so long": lambda position: position.suggest(time_limit="long"),  # type: ignore[call-overload]
    "a position of a number": lambda position: Position(3),  # type: ignore[arg-type]
    "text of a number": lambda position: Scenario.loads(3),  # type: ignore[arg-type]
    "the same": lambda position: planner.loads(3),  # type: ignore[arg-type]
    "a table of nothing": lambda position: Scenario.from_dict(None),  # type: ignore[arg-type]
    "a table of a list": lambda position: Scenario.from_dict([]),  # type: ignore[arg-type]
    "keys that are numbers": lambda position: Scenario.from_dict({3: 4}),  # type: ignore[dict-item]
    "a table, not a list": lambda position: position.scenario.with_units({"id": "plv"}),  # type: ignore[arg-type]
    "a number": lambda position: position.scenario.with_units(3),  # type: ignore[arg-type]
    "numbers": lambda position: position.scenario.with_units([3]),  # type: ignore[list-item]
    "a text": lambda position: position.scenario.with_units(without="plv"),
    "another number": lambda position: position.scenario.with_units(without=3),  # type: ignore[arg-type]
    "after a number": lambda position: position.scenario.after(3),  # type: ignore[arg-type]
    "numbers to leave out": lambda position: position.scenario.with_units(without=["plv", 3]),  # type: ignore[list-item]
    "a unit that is a number": lambda position: position.scenario.unit(3),  # type: ignore[arg-type]
    "preview a text": lambda position: position.preview("plv w5525-w5425"),  # type: ignore[arg-type]
    "preview a list": lambda position: position.preview([]),  # type: ignore[arg-type]
    "moves to a list": lambda position: position.legal_moves(to=[]),  # type: ignore[arg-type]
    "declare a number": lambda position: position.declare(3),  # type: ignore[arg-type]
    "declare a text": lambda position: position.declare("plv -> w5426"),
    "explain a number": lambda position: position.explain(3),  # type: ignore[arg-type]
    "why a half": lambda position: position.explain(value=0.5),  # type: ignore[arg-type]
    "why a list of a half": lambda position: position.explain(value=[1.5]),  # type: ignore[list-item]
    "why a list of truth": lambda position: position.explain(value=[True]),
    "why bytes": lambda position: position.explain(bytearray(b"plv to w5426")),  # type: ignore[arg-type]
    "goals in bytes": lambda position: position.explain(require=bytearray(b"hold w5426")),  # type: ignore[arg-type]
    "a value in bytes": lambda position: position.explain(value=bytearray(b"1")),
    "a plan in nothing": lambda position: Plan.read("plv w5525-w5425", None, "moves"),  # type: ignore[arg-type]
    "a partial plan in a text": lambda position: PartialPlan.read("plv stays", "dai_senso/manchuria", ""),  # type: ignore[arg-type]
    "what is left of a text": lambda position: position.left_of("plv -> w5426"),  # type: ignore[arg-type]
    "moves until a number": lambda position: position.legal_moves("plv", stop=3),  # type: ignore[arg-type]
    "a move that is a number": lambda position: Move.parse(3),  # type: ignore[arg-type]
    "count from nowhere": lambda position: planner.perft("dai_senso/manchuria", 1),  # type: ignore[arg-type]
    "a record of nothing": lambda position: GameRecord.from_dict(None),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_given_is_told_and_changes_nothing(what: str) -> None:
    position = Position("dai_senso/manchuria")
    before = position.copy()
    with pytest.raises(InputError) as told:
        WRONG[what](position)
    assert all(problem.what and problem.where for problem in told.value.problems)
    assert position == before
    assert len(position) == 0


def test_a_scenario_is_played_on_and_every_unit_of_its_side_is_asked_about() -> None:
    position = planner.load("dai_senso/manchuria").position()
    assert position == Position("dai_senso/manchuria")
    asked = position.reach(alone=True)
    assert [one.unit for one in asked] == [unit for unit in position.at if unit in position.scenario.game.friends]
    assert [one.hex for one in asked[0].alone] == [one.hex for one in position.reach(asked[0].unit, alone=True).alone]


def test_a_text_is_read_as_its_file_would_be() -> None:
    scenario = planner.load("dai_senso/manchuria")
    text = __import__("json").dumps(scenario.to_dict())
    assert planner.loads(text).position() == scenario.position()
