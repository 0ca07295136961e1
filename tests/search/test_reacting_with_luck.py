"""Plans that react where none that is fixed in advance is worth anything: they begin as if all rolls went well."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.cli.explanation_text import print_explanation
from planner.objective import Tier
from planner.objective.goals import End
from planner.scenario import Scenario
from planner.search.policy_judge import judge_policy
from tests.plain_game import JOINT, SHUT, Variant, build

TWICE = 'after_failure = "go_on"\nattempts = 2\n'
OBLIGED = '[[rule]]\nid = "go"\nkind = "obligation"\nparagraph = "go"\nwho = { types = "scout" }\n'
ODDS = [
    pytest.param("", Fraction(1, 2), id="once"),
    pytest.param(TWICE, Fraction(3, 4), id="twice"),
    pytest.param(OBLIGED, Fraction(1, 2), id="who has to move goes elsewhere if the overrun fails"),
]


def behind_enemies(folder: Path, more: str = "", ma: int = 9) -> Scenario:
    """Enemies hold all of the third column; f, which alone can overrun, has 2 MP, and beats any by one roll of two."""
    enemies = tuple(f"scout e{row} 03.0{row} 4" for row in range(1, 7))
    units = ("foot f 02.03 2", f"scout s 01.03 {ma}")
    rules = f"{JOINT}by = {{ types = 'foot' }}\n{more}{SHUT}"
    return build(Variant("behind", rules, units=units, enemies=enemies), folder)


@pytest.mark.parametrize(("more", "chance"), ODDS)
def test_who_can_only_follow_an_overrun_gets_as_far_as_that_is_likely_to_go_through(
    more: str, chance: Fraction, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No plan takes s to 04.03 whatever is rolled; f tries 03.03, or 03.04, for 1 MP each time, and s follows."""
    for name in ("steps_first", "steps", "steps_again"):  # where every step is tried, it is known anyway
        monkeypatch.setattr(f"planner.solver.tuning.Adapting.{name}", 1)
    goal = Tier(terms=(End(kind="end", unit="s", at=("04.03",)),))
    scenario = replace(behind_enemies(tmp_path, more), tiers=(goal,))
    assert planner.suggest(scenario).value == (0,)
    found = planner.suggest(scenario, adaptive=True)
    assert (found.value, found.fixed) == ((chance,), (0,))
    assert found.root is not None
    assert judge_policy(scenario, found.root).legal


@pytest.mark.parametrize(("more", "chance"), ODDS)
def test_a_destination_that_takes_waiting_for_a_result_is_not_called_impossible(
    more: str, chance: Fraction, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = planner.explain(behind_enemies(tmp_path, more), "s to 04.03", time_limit=5)
    assert (found.status, found.chances) == ("forbidden", ())
    assert found.reacting is not None
    assert found.reacting.probability == chance
    print_explanation(found)
    told = capsys.readouterr().out
    assert "s to 04.03: not for certain, proved." in told
    assert f"Whoever waits for each result may get it there (suggest --adaptive): {found.reacting}" in told
    assert "possible" not in told
    # Without one of the twelve it would be certain, as where f might count on its overrun of just that hex.
    [reason] = found.reasons
    assert (len(reason.instances), reason.minimal, reason.confirmed) == (12, True, True)


def test_where_even_luck_takes_nobody_there_it_is_impossible(tmp_path: Path) -> None:
    """With 3 MP s comes to 04.03 by 03.03, but no further."""
    scenario = behind_enemies(tmp_path, ma=3)
    assert planner.explain(scenario, "s to 04.03", time_limit=2).reacting is not None
    assert planner.explain(scenario, "s to 05.03", time_limit=2).reacting is None


def test_who_can_only_follow_a_combat_that_is_won_is_not_said_to_have_no_way(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """On 0404 to 0407, x and y with 3 each against e with 4 in 0405: who fights goes no further.

    By itself x takes 0405 with 1/6 (3 to 4, -50 %: 0,1), e retreats to 0406, demoralized. Then y follows, and takes 0406
    with 2/3 (3 to 2, +50 %): 1/9. Nobody is left who could go on to 0407.
    """
    found = planner.explain("classic_hex/six_against_four", "y to 0406", time_limit=30)
    assert (found.status, found.chances, found.chances_known) == ("forbidden", (), True)
    assert found.reacting is not None
    assert (found.reacting.plan.lines, found.reacting.probability) == (
        ["x 0404x0405", "y 0404-0405x0406"],
        Fraction(1, 9),
    )
    assert found.reacting.odds == (("0405", 3, 4), ("0406", 3, 2))
    print_explanation(found)
    assert "y to 0406: not for certain, proved." in capsys.readouterr().out
    beyond = planner.explain("classic_hex/six_against_four", "y to 0407", time_limit=30)
    assert (beyond.status, beyond.reacting, beyond.chances_known) == ("forbidden", None, True)


def test_where_every_step_is_too_much_it_is_not_known_whether_luck_in_combats_may_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("planner.solver.tuning.Adapting.steps_first", 1)
    found = planner.explain("classic_hex/six_against_four", "y to 0406", time_limit=30)
    assert (found.status, found.reacting, found.chances_known) == ("forbidden", None, False)
    print_explanation(found)
    assert "Whether it may get there if rolls go well isn't known." in capsys.readouterr().out
