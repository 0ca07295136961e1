"""Where units get that fight their way: whatever may be drawn counts, not the best results alone."""

from __future__ import annotations

from fractions import Fraction

import planner

HARM_BOTH = """
format = "planner/scenario-1"
model = "classic_hex"
phase = "movement"
phasing = "blue"
map.hexes = { "0404 0804" = "city", "0504" = "forest", "0603 0703 0704 0705" = "clear" }
unit = [
  { id = "u0", side = "blue", type = "infantry", at = "0504", values = "3-3" },
  { id = "u1", side = "blue", type = "infantry", at = "0603", values = "3-2", traits = "demoralized" },
  { id = "e0", side = "red", type = "infantry", at = "0804", values = "4-2" },
]
"""


def test_a_hex_is_told_that_is_only_reached_by_results_that_harm_both_sides() -> None:
    # u1 fights 1 to 4, in the worst column: 1 of 6 demoralizes both; its best result is that u1 is thrown back. After that
    # one, u0 fights 3 to 2, +50 %, two columns worse for the city, -50 %: 1 of 6 drives out who is demoralized.
    [u0, u1] = planner.reach_all(planner.loads(HARM_BOTH))
    [entry] = u0.with_help
    assert (entry.hex, entry.chance) == ("0804", Fraction(1, 36))
    assert list(map(str, entry.help)) == ["u1 in the fight for 0804"]
    assert not u1.with_help
    assert not u0.open
    assert not u1.open
