"""Of many units, a rule is told of the few that it has to bind; and what isn't in force is in nobody's way."""

from __future__ import annotations

import pytest

import planner
from tests.instances import instance


@pytest.mark.thorough
def test_mp_are_told_of_the_unit_that_lacks_them_among_26_of_which_most_may_have_any_number() -> None:
    # panzer_1 and panzer_2 come to 6 + 5, and two air units in range to 3 + 3: 17, where it takes 6 times 2 + 1.
    # With the third one, which has no MP to come up with, it would be 19.
    found = planner.explain("a_world_at_war/through_the_line", "corps_3 to H9", time_limit=60)
    [reason] = found.reasons
    assert reason.confirmed
    said = [str(one) for one in reason.instances]
    assert said[0] == "13.41: corps_3 can't pay for G7-G8-G9-H9 with 3 MP"
    assert said[1].startswith(
        "13.531: H8 can't be overrun: the 2 strongest together, with all support, would come to 17 to 2"
    )
    assert said[2:] == ["13.41: luftflotte_3 has to pay for every step out of its 0 MP"]


@pytest.mark.thorough
def test_mp_alone_are_told_where_nobody_gets_beside_the_enemy_in_the_way() -> None:
    # That overruns need odds, and that air units support them, is needed for nothing: it was told as well.
    found = planner.explain(instance("joint", "12", 0), "u4 to K5", time_limit=60)
    [reason] = found.reasons
    assert reason.confirmed
    assert {one.paragraph for one in reason.instances} == {"13.41"}
