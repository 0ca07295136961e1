"""Plans in which hexes are overrun are put together before they are searched; what begins illegally is played once."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import planner
from planner.errors import OutOfTimeError, TooManyOutcomesError
from planner.limits import Limits
from planner.plans.plan import Plan
from planner.referee.sharing_referee import SharingReferee
from planner.referee.verdict import Verdict
from planner.rules.atoms import Friend
from planner.scenario import build_scenario
from planner.search.known_plans import KnownPlans
from planner.search.overrun_plans import OverrunPlans
from planner.search.reach_cache import ReachCache
from planner.search.reach_report import Witnesses
from planner.search.witness_judge import WitnessJudge
from planner.world.position import Position


def test_what_overruns_open_is_told_without_a_plan_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """L12 is the only way to L13. Panzer (4) and motorized (2) are six to one there, with five to one needed; 4 or 2 aren't.

    L13 costs each of them two of its MP, after which the panzer (6) has two left and the motorized (4) one: both get on to
    L14, two armor or mechanized corps stay in L13, and the corps (3) comes as far as L14 after them.
    """
    monkeypatch.setattr(Witnesses, "_accept_all", lambda *_: pytest.fail("it is searched"))
    told = planner.reach_all("a_world_at_war/rendezvous", time_limit=None)
    assert not any(one.open for one in told)
    assert [one.unit for one in told] == ["panzer", "motorized", "corps"]
    assert all({"L13", "L14"} <= {entry.hex for entry in one.with_help} for one in told)


def test_who_could_overrun_hexes_is_looked_for_until_somebody_stops_it() -> None:
    """However many hexes are overrun before one that nobody can: no plan need come of all that."""
    limits = Limits()
    known = ReachCache(planner.load("a_world_at_war/rendezvous"), limits)
    plans = OverrunPlans(known.events, known.itineraries, limits)
    assert list(plans.of("corps", "L14"))
    limits.stop.set()
    with pytest.raises(OutOfTimeError):
        next(plans.of("corps", "L14"))


@pytest.mark.thorough
def test_in_a_large_position_the_search_has_but_to_prove_that_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search found 80 of 130 hexes, in 13 plans: joint overruns, and hexes that must be left again after them."""
    monkeypatch.setattr(Witnesses, "_accept_all", lambda *_: pytest.fail("it is searched"))
    told = planner.reach_all("a_world_at_war/through_the_line", time_limit=None)
    assert not any(one.open for one in told)
    assert sum(len(one.with_help) for one in told) == 130


def test_a_move_that_goes_on_from_an_illegal_beginning_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """B stands in E2, one unit a hex, and nobody passes it: a gets neither to E3 nor, that way, to E4."""
    unit: dict[str, Any] = {"side": "allied", "type": "infantry", "traits": "ordered"}
    judge = WitnessJudge(
        build_scenario(
            {
                "format": "planner/scenario-1",
                "model": "great_war",
                "phase": "movement",
                "phasing": "allied",
                "map": {"hexes": {"E1 E2 E3 E4": "countryside"}},
                "unit": [{**unit, "id": "a", "at": "E1"}, {**unit, "id": "b", "at": "E2"}],
            },
            "a lane",
        )
    )
    assert judge.goes(Plan.parse(["b E2-E3"]), "b", "E3") is not None
    assert judge.goes(Plan.parse(["a E1-E2-E3"]), "a", "E3") is None
    monkeypatch.setattr(judge.referee, "play", lambda *_, **__: pytest.fail("it is played"))
    assert judge.goes(Plan.parse(["a E1-E2-E3-E4"]), "a", "E4") is None
    with pytest.raises(pytest.fail.Exception):
        judge.goes(Plan.parse(["b E2-E3-E4", "a E1-E2-E3"]), "a", "E3")


@pytest.mark.parametrize(("confidence", "waited_for"), [(1, False), ("9/10", True)])
def test_a_friend_who_may_fail_to_come_is_waited_for_only_if_that_is_likely_enough(
    confidence: int | str, waited_for: bool
) -> None:
    """The tank gets into 10.11 with 1 - (1/12)^2 by 12 to 1: nobody who needs it there could be sure of it."""
    scenario = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "ocs",
            "phase": "movement",
            "phasing": "axis",
            "confidence": confidence,
            "map": {"hexes": {"10.10 10.11 10.12 10.13": "open"}},
            "unit": [
                {"id": "tank", "side": "axis", "type": "tank", "values": "12-4-8", "at": "10.10"},
                {"id": "truck", "side": "axis", "type": "motorized", "values": "2-2-18", "at": "10.10"},
                {"id": "e", "side": "allied", "type": "infantry", "values": "1-1-4", "at": "10.11"},
            ],
        },
        "a road",
    )
    witnesses = Witnesses(scenario, Limits())
    reach = ReachCache(scenario, Limits()).reach
    with_tank = next(name for name, members in reach.groups.items() if "tank" in members)
    known = {unit: witnesses.alone(unit)[0] for unit in ("tank", "truck")}
    assert known["tank"]["10.11"][1].chance_to_end("tank", ("10.11",)) == 1 - Fraction(1, 12) ** 2
    helpers = KnownPlans(reach, known, witnesses.alone, twice=False)
    assert bool(list(helpers.doing([Friend("10.11", with_tank)], ("truck",), "10.13"))) is waited_for


def test_a_plan_whose_rolls_cannot_be_told_is_counted_whenever_it_is_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever looks through all that a unit can do by itself must know of it, though it was judged before."""
    scenario = planner.load("classic_hex/six_against_four")
    judge = WitnessJudge(scenario)
    play = judge.referee.play

    def too_many(plan: Plan, start: Position, *, rolls: bool = True) -> Verdict:
        if rolls:
            raise TooManyOutcomesError([])
        return play(plan, start, rolls=False)

    monkeypatch.setattr(judge.referee, "play", too_many)
    for asked in (1, 2):
        assert judge.goes(Plan.parse(["x+y 0404x0405"]), "x", "0405") is None
        assert judge.untold == asked


def test_where_the_rolls_of_a_move_alone_cannot_be_told_it_is_open_whether_the_unit_gets_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`first` may overrun 10.11 alone, and go on to 10.12: nothing else takes it there."""
    scenario = planner.load("ocs/look_first")
    found, left = Witnesses(scenario, Limits(None)).alone("first")
    assert (found.keys() >= {"10.11", "10.12"}, left) == (True, frozenset())
    play = SharingReferee.play

    def too_many(self: SharingReferee, plan: Plan, start: Position, rolls: bool = True) -> Verdict:
        if rolls:
            raise TooManyOutcomesError([])
        return play(self, plan, start, rolls=False)

    monkeypatch.setattr(SharingReferee, "play", too_many)
    found, left = Witnesses(scenario, Limits(None)).alone("first")
    assert not found.keys() & left
    assert left >= {"10.11", "10.12"}
