"""Of the MP that a unit would have spent, and of those that may have been spent in a hex, it is told which are which."""

from __future__ import annotations

from pathlib import Path

import planner
from tests.plain_game import Variant, build

RULE = '[[rule]]\nid = "mud"\nkind = "area_allowance"\nparagraph = "mud"\n'
RULE += 'limits = [{ where = { terrain = "town" }, most = 1 }]\n'


def test_what_would_have_been_spent_is_not_taken_for_what_a_unit_has(tmp_path: Path) -> None:
    """The second hex is a town; the unit has 9 MP, and would have spent 2."""
    rows = ". . . . .\n. . . . .\n. . t . .\n" + ". . . . .\n" * 3
    scenario = build(Variant("mud", RULE, units=("foot f 03.01 9",), rows=rows), tmp_path)
    [violation] = planner.check(scenario, "f 03.01-03.02-03.03").violations
    told = "f may not enter 03.03: it would have spent 2 MP, where no more than 1 may have been spent"
    assert str(violation).endswith(told)
