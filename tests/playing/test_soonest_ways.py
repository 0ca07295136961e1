"""Where units can go, as it is listed before it is judged: what the referee then says of the same position."""

from __future__ import annotations

import pytest

from planner.formats.files import data_folder
from planner.playing.position import Position
from tests.conftest import sized

FOLDER = data_folder("scenarios")
FEW = ("dai_senso/manchuria", "dai_senso/island_campaign", "classic_hex/puzzles/one_after_the_other")
ALL = tuple(sorted(one.relative_to(FOLDER).with_suffix("").as_posix() for one in FOLDER.rglob("*.toml")))


@pytest.mark.parametrize("name", sized(FEW, ALL, ALL))
def test_what_is_listed_soonest_is_what_may_be_done(name: str) -> None:
    position = Position(FOLDER / f"{name}.toml")
    for unit in position.at.keys() & set(position.scenario.game.friends):
        soonest = {end: mp for end, (mp, _) in position.generator().ends(unit).items()}
        moves = list(position.legal_moves(unit))
        judged = {move.end: position.preview(move) for move in moves}
        plain = {end: played.mp for end, played in judged.items() if not played.combats and not played.move.overruns}
        assert soonest.items() <= plain.items()
        if not position.scenario.game.rulebook.overrunning:  # ways up to an overrun are found by judging alone
            assert soonest == plain
