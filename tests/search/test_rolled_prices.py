"""Prices of EZOCs that depend on rolls are averaged, as the referee does it, and the best plan is proved all the same."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.scenario import Scenario
from planner.solver.tuning import Enumeration
from tests.plain_game import BOGGING, JOINT, Variant, effect, unit_entry, write_model

COSTLY = effect('on = "enter", does = "cost", mp = 1, negatable = false')
KEPT_OUT = '[[rule]]\nid = "enemies"\nkind = "entry_restriction"\nparagraph = "enemies"\n'
KEPT_OUT += "enemy_units = {}\nunless_overrun = true\n"
ELIMINATE = (
    '[[tier]]\nterms = [{ kind = "eliminate", units = ["e", "f"] }]\n[[tier]]\nterms = [{ kind = "mp_spent" }]\n'
)
SMALL = ". . . .\n. . . .\n"


def position(folder: Path, variant: Variant, objective: str) -> Scenario:
    """Return a position under a variant, on a map of its own."""
    write_model(folder / "any_game", variant.rules, turns="stacks = true\n" if "joint" in variant.rules else "")
    head = 'format = "planner/scenario-1"\nmodel = "./any_game"\nphase = "day"\nphasing = "south"\n'
    units = [unit_entry(text, "south", {}) for text in variant.units]
    enemies = [unit_entry(text, "north", {}) for text in variant.enemies]
    path = folder / "asked.toml"
    ground = f'[map]\norigin = "01.01"\nrows = """\n{variant.rows}"""\n'
    path.write_text(head + ground + "".join([*units, *enemies, objective]))
    return planner.load(path)


def two_overruns(folder: Path, more: str = "") -> Scenario:
    """Return two units beside two enemies in each other's way, whom each overruns with a probability of 1/2."""
    units, enemies = ("foot a 01.01 2-4", "foot b 01.02 2-4"), ("guard e 02.01 2-3", "guard f 03.02 2-3")
    rules = COSTLY + KEPT_OUT + JOINT + more
    return position(folder, Variant("two", rules, units=units, enemies=enemies, rows=SMALL), ELIMINATE)


def test_who_comes_after_an_overrun_pays_for_the_zone_of_whoever_is_still_there(tmp_path: Path) -> None:
    """Unit b pays 2 MP for 02.02, in the ZOC of both, and 2 for 03.02; a pays 1 for 02.01, 1 more if f is there."""
    found = planner.suggest(two_overruns(tmp_path))
    assert (found.status, found.value) == ("optimal", (Fraction(1), Fraction(-11, 2)))


def test_whoever_tries_twice_does_so_before_others_need_the_zone_gone(tmp_path: Path) -> None:
    """If a goes first, for 3 MP, e is left with a probability of 1/4; b pays 2 for 02.02, and 1 + 1/4 for 03.02."""
    found = planner.suggest(two_overruns(tmp_path, "attempts = 2\n"))
    assert (found.status, found.value) == ("optimal", (Fraction(5, 4), Fraction(-25, 4)))


@pytest.mark.thorough
def test_plans_by_rank_are_valued_and_proved_likewise(tmp_path: Path) -> None:
    first, second = planner.alternatives(two_overruns(tmp_path), 2).plans
    assert [(one.result.status, one.result.value) for one in (first, second)] == [
        ("optimal", (Fraction(1), Fraction(-11, 2))),
        ("optimal", (Fraction(1), Fraction(-6))),
    ]


def test_a_friend_who_may_have_bogged_down_before_lifts_the_zone_on_average(tmp_path: Path) -> None:
    """The foot spends 2 MP and the scout 2; with a probability of 1/6 it is 1, and 1 more for who enters alone."""
    zone = effect('on = "enter", does = "cost", mp = 1, movers = { types = "scout" }')
    bogging = BOGGING.replace("who = {}", 'who = { types = "foot" }')
    objective = '[[tier]]\nterms = [{ kind = "end", unit = "h", at = "03.02" }]\n[[tier]]\n'
    objective += 'terms = [{ kind = "end", unit = "s", at = "03.02" }]\n[[tier]]\nterms = [{ kind = "mp_spent" }]\n'
    variant = Variant(
        "bog",
        zone + bogging,
        units=("foot h 01.01 3", "scout s 01.03 4"),
        enemies=("guard e 03.01",),
        rows=". . .\n" * 3,
    )
    scenario = position(tmp_path, variant, objective)
    found = planner.suggest(scenario)
    assert (found.status, found.value) == ("optimal", (Fraction(5, 6), Fraction(1), Fraction(-4)))


def test_trying_again_at_once_is_a_way_of_playing_where_a_failed_unit_may_go_on(tmp_path: Path) -> None:
    """At once, a zone costs 1 MP for both attempts together, so that 3 MP are enough; step by step it costs 1 each time."""
    variant = Variant(
        "again",
        COSTLY + KEPT_OUT + JOINT + 'attempts = 2\nafter_failure = "go_on"\n',
        units=("foot a 01.01 2-3",),
        enemies=("guard e 02.01 2-3", "guard f 02.02 1-3"),
        rows=". . .\n" * 2,
    )
    objective = ELIMINATE.replace('["e", "f"]', '"e"')
    scenario = position(tmp_path, variant, objective)
    found = planner.suggest(scenario, adaptive=True)
    assert (found.status, found.value) == ("optimal", (Fraction(3, 4), Fraction(-3)))


def test_where_too_many_plans_are_left_it_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No move relies on a likely result: the zone's price is what is rolled for."""
    monkeypatch.setattr(Enumeration, "walked", 0)
    found = planner.suggest(two_overruns(tmp_path))
    assert found.status == "feasible"
    assert found.bound[0] == found.value[0]
    assert found.reason == (
        "What moves cost depends on rolls, so plans are looked at one by one, and are too many to try all: fixing some "
        "moves, or units that stay, leaves fewer (--plan)."
    )


@pytest.mark.parametrize(
    ("at", "value"),
    [
        ("01.06", (0, 0)),  # too far for both
        (
            "03.03",
            (1, -3),
        ),  # 01.03 to 03.03 takes 2 MP, and 1 for the ZOC of e; the foot, who might help there, would pay 3
    ],
)
def test_what_single_units_come_to_or_all_with_luck_proves_it_without_trying_every_plan(
    at: str, value: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Enumeration, "work", 0)
    zone = effect('on = "enter", does = "cost", mp = 1, movers = { types = "scout" }')
    bogging = BOGGING.replace("who = {}", 'who = { types = "foot" }')
    objective = f'[[tier]]\nterms = [{{ kind = "end", unit = "s", at = "{at}" }}]\n'
    objective += '[[tier]]\nterms = [{ kind = "mp_spent" }]\n'
    units = ("foot h 01.01 3", "scout s 01.03 2" if at == "01.06" else "scout s 01.03 4")
    variant = Variant("bog", zone + bogging, units=units, enemies=("guard e 04.02",), rows=". . . .\n" * 6)
    found = planner.suggest(position(tmp_path, variant, objective))
    assert (found.status, found.value) == ("optimal", value)
