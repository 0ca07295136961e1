"""What no plan comes to, whichever likely results it relies on, is proved without trying plans one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.errors import OutOfTimeError
from planner.search import likely_results
from planner.search.context import SearchContext
from tests.plain_game import LIMIT, unit_entry, write_model

ASSAULT = (
    '[[rule]]\nid = "assault"\nkind = "joint_overrun"\nparagraph = "assault"\neliminated_to = [{ box = "dead" }]\n'
    'results = [{ odds = "1:1", chance = "2/3" }]\n'
    '[[rule]]\nid = "enemies"\nkind = "entry_restriction"\nparagraph = "enemies"\nenemy_units = {}\nunless_overrun = true\n'
)


def test_what_has_no_objective_is_impossible_as_soon_as_nothing_that_might_be_relied_on_makes_it_possible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of f and k may come to 01.02, but not both: whoever comes second is one too many there, whatever is rolled."""
    monkeypatch.setattr(likely_results, "Census", None)
    write_model(tmp_path / "any_game", ASSAULT + LIMIT + "limits = [{ units = 1 }]\n", turns="stacks = true\n")
    (tmp_path / "both.toml").write_text(
        'format = "planner/scenario-1"\nmodel = "./any_game"\nphase = "day"\nphasing = "south"\nconfidence = "1/2"\n'
        '[map]\norigin = "01.01"\nrows = """\n. . .\n. . .\n"""\n'
        + unit_entry("foot f 01.01 2-3", "south", {})
        + unit_entry("foot k 02.02 2-3", "south", {})
        + unit_entry("guard e 02.01 1-2", "north", {})
        + '[[require]]\nkind = "end"\nunit = "f"\nat = "01.02"\n[[require]]\nkind = "end"\nunit = "k"\nat = "01.02"\n'
    )
    assert planner.suggest(tmp_path / "both.toml").status == "infeasible"


def test_the_best_plan_that_relies_on_no_roll_is_known_before_what_else_units_can_do_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Overrun by f, e goes in 2 of 3 cases: 4. k goes round: 1.

    By hand, nobody overruns: 1. That is what was known until all was listed.
    """

    def out_of_time(_: object, context: SearchContext) -> bool:
        if context.scenario.game.situation.confidence < 1:
            raise OutOfTimeError("the time ran out while moves were listed")
        return False

    write_model(tmp_path / "any_game", ASSAULT + LIMIT + "limits = [{ units = 1 }]\n", turns="stacks = true\n")
    (tmp_path / "one.toml").write_text(
        'format = "planner/scenario-1"\nmodel = "./any_game"\nphase = "day"\nphasing = "south"\nconfidence = "1/2"\n'
        '[map]\norigin = "01.01"\nrows = """\n. . .\n. . .\n"""\n'
        + unit_entry("foot f 01.01 2-3", "south", {})
        + unit_entry("foot k 02.02 2-3", "south", {})
        + unit_entry("guard e 02.01 1-2", "north", {})
        + '[[tier]]\nterms = [{ kind = "eliminate", units = "e", weight = 6 }, { kind = "end", unit = "k", at = "03.01" }]'
    )
    monkeypatch.setattr(likely_results.LikelyProposals, "suits", out_of_time)
    found = planner.suggest(tmp_path / "one.toml")
    assert (found.status, found.value) == ("feasible", (5,))
