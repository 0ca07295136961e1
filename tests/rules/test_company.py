"""Units that may not be alone: which friends don't count is told."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from tests.plain_game import Variant, build


@pytest.mark.parametrize(
    ("within", "others", "told"),
    [
        (0, ("foot f 03.01 9",), "in 03.03"),
        (0, ("train t 03.03 9", "foot f 03.04 9"), "in 03.03: t doesn't count"),
        (1, ("train t 03.03 9", "guard g 03.02 9"), "within 1 hex of 03.03: t and g don't count"),
    ],
)
def test_nobody_is_said_to_be_without_a_friend_who_stands_with_one_that_does_not_count(
    within: int, others: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    """A scout ends in 03.03, where it would take somebody on foot."""
    rule = '[[rule]]\nid = "alone"\nkind = "company"\nparagraph = "alone"\nwho = { types = "scout" }\n'
    rule += f'friends = {{ types = "foot" }}\nwithin = {within}\n'
    scenario = build(Variant("alone", rule, units=("scout s 03.06 9", *others)), tmp_path)
    [wrong] = planner.check(scenario, "s 03.06-02.05-02.04-02.03-03.03").violations
    assert wrong.message == f"s may not be without a friend {told}"
