"""Plans of combats are annealed: what two units do at once may be worth it where neither is by itself."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import planner
from planner.objective.scoring import values_of
from planner.scenario import Scenario, build_scenario
from planner.solver.tuning import Combats, Enumeration

pytestmark = pytest.mark.thorough

ROWS = """
f . . . f .
. . . . . f
. . . . . h
. . . . . .
f . . . . .
f f f . . .
"""
UNITS = (
    ("u0", "blue", "6-4", "0708"),
    ("u1", "blue", "4-2", "0408"),
    ("u2", "blue", "4-2", "0307"),
    ("e0", "red", "1-2", "0306"),
    ("e1", "red", "4-2", "0506"),
    ("e2", "red", "3-2", "0306"),
)
KNOWN = """\
u0 0708-0607-0606-0605x0506
u1 0408-0407-0406
u2 0307-0406x0306"""
"""u0 comes up on the other side of e1, so that it gives way towards u1; by itself neither way is worth a detour."""


def drawn() -> Scenario:
    """Return two stacks of enemies on 36 hexes, each enemy worth something, and where they stand, too."""
    terms: list[dict[str, Any]] = [
        {"kind": "eliminate", "units": [unit], "weight": weight} for unit, weight in (("e0", 3), ("e1", 4), ("e2", 3))
    ]
    terms += [{"kind": "hold", "hexes": label, "weight": weight} for label, weight in (("0306", 2), ("0506", 3))]
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "classic_hex",
            "phase": "movement",
            "phasing": "blue",
            "map": {"origin": "0303", "rows": ROWS},
            "unit": [
                {"id": name, "side": side, "type": "infantry", "values": values, "at": at}
                for name, side, values, at in UNITS
            ],
            "tier": [{"terms": terms}, {"terms": [{"kind": "units_moved"}]}],
        },
        "the test",
    )


def test_what_two_units_do_at_once_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """26/3 is to be had, as the referee says of a plan; proposals alone, one combat by itself, come to less."""
    monkeypatch.setattr(Enumeration, "work", 0)  # so that neither every plan nor every step is tried
    monkeypatch.setattr(Enumeration, "walked", 0)
    monkeypatch.setattr("planner.search.combat_search.best_way", lambda *_: None)
    scenario = drawn()
    verdict = planner.check(scenario, KNOWN)
    assert verdict.legal
    assert values_of(scenario.game, scenario.tiers, verdict)[0] == Fraction(26, 3)
    assert planner.suggest(scenario).value[0] == Fraction(26, 3)
    monkeypatch.setattr(Combats, "around", 0)
    assert planner.suggest(scenario).value[0] < Fraction(26, 3)
