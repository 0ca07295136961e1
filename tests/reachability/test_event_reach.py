"""Where units may wait, what the form of events doesn't know is left to others: it must say so."""

from __future__ import annotations

from pathlib import Path

from planner.search.search import Search
from tests.plain_game import JOINT, LIMIT, SHUT, TERRAIN, effect, placed, write_model

STOP = effect('on = "enter", does = "stop"')
FOOT = {"side": "south", "type": "foot", "values": "1-2"}
WAITING = "waiting = {}\n"


def test_who_waits_where_moves_end_by_rules_of_their_own_heeds_these(tmp_path: Path) -> None:
    # Neither may end a move where the other one stands: they can't change places.
    limit = LIMIT + 'limits = [{ units = 1 }]\nwhen = "move"\n'
    scenario = placed(
        write_model(tmp_path / "any_game", limit, turns=WAITING),
        {"03.01 03.02": "plain"},
        [{"id": "f", **FOOT, "at": "03.01"}, {"id": "k", **FOOT, "at": "03.02"}],
        tier=[{"terms": [{"kind": "end", "unit": "f", "at": "03.02"}, {"kind": "end", "unit": "k", "at": "03.01"}]}],
    )
    result = Search(scenario).run()
    assert result.value == (0,)


def test_who_waits_heeds_what_is_added_up_of_its_steps(tmp_path: Path) -> None:
    # Two rivers lie before 03.01, of which one may be crossed.
    once = '[[rule]]\nid = "once"\nkind = "step_limit"\nparagraph = "once"\nacross = { features = "river" }\nmost = 1\n'
    scenario = placed(
        write_model(
            tmp_path / "any_game", STOP + once, terrain=TERRAIN + "hexsides.river = { mp = 0 }\n", turns=WAITING
        ),
        {},
        [{"id": "f", **FOOT, "at": "03.03"}],
        map={"hexes": {"03.01 03.02 03.03": "plain"}, "hexsides": {"river": "03.01 03.02 03.03"}},
        tier=[{"terms": [{"kind": "end", "unit": "f", "at": "03.01"}]}],
    )
    assert Search(scenario).run().value == (0,)


def test_who_waits_to_overrun_with_others_heeds_how_many_may_do_so_from_a_hex(tmp_path: Path) -> None:
    # Against the scout it takes both, whose size together is 2.
    sure = JOINT.replace('odds = "1:1", chance = "1/2"', 'odds = "2:1", chance = 1') + "size_at_most = 1\n"
    scenario = placed(
        write_model(tmp_path / "any_game", sure + SHUT, turns=WAITING + "stacks = true\n"),
        {"03.01 03.02": "plain"},
        [
            {"id": "f", **FOOT, "at": "03.02"},
            {"id": "k", **FOOT, "at": "03.02"},
            {"id": "e", "side": "north", "type": "scout", "values": "1-0", "at": "03.01"},
        ],
        tier=[{"terms": [{"kind": "eliminate", "units": "e"}]}],
    )
    assert Search(scenario).run().value == (0,)
