"""What answers say of how far they are from what is proved."""

from __future__ import annotations

from fractions import Fraction

import pytest

import planner
from planner.search.result import Result, spoken_gap


@pytest.mark.parametrize(
    ("values", "bounds", "told"),
    [
        ((1,), (107,), "106"),  # 10600 % of next to nothing
        ((0,), (Fraction(41, 7),), "5.86"),  # rounded up: no plan is more than that better
        ((Fraction(1, 2),), (Fraction(3, 2),), "1"),
        ((-3,), (2,), "5"),
        ((8,), (9,), "12.50%"),
        ((-5,), (-2,), "60.00%"),
        ((30_000,), (30_001,), "below 0.01%"),  # as 0.00 % it would be proved
        ((8, -4), (8, -3), "25.00% in tier 2"),
        ((8, 0), (8, 7), "7 in tier 2"),
    ],
)
def test_a_gap_is_a_share_of_the_value_only_where_that_is_worth_as_much_as_what_is_missing(
    values: tuple[Fraction, ...], bounds: tuple[Fraction, ...], told: str
) -> None:
    assert spoken_gap(tuple(map(Fraction, values)), tuple(map(Fraction, bounds))) == told


def test_a_sentence_tells_the_gap_as_the_terminal_does_and_json_has_the_share() -> None:
    plan = planner.Plan()
    verdict = planner.check("dai_senso/manchuria", plan)
    result = Result("feasible", 1.0, (Fraction(1),), (Fraction(107),), plan, verdict)
    assert "Value 1, bound 107, gap 106." in result.sentence()
    assert result.gap == 106.0


def test_a_sentence_has_numbers_as_players_write_them_and_bounds_as_decimals() -> None:
    plan = planner.Plan()
    verdict = planner.check("dai_senso/manchuria", plan)
    result = Result(
        "feasible", 1.0, (Fraction(395, 9), Fraction(-919, 4)), (Fraction(401, 9), Fraction(0)), plan, verdict
    )
    assert "Value 43 8/9 / -229¾, bound 44.56 / 0," in result.sentence()


def test_the_mp_of_moves_are_told_of_a_plan_that_has_been_played_before_it_was_the_best_one() -> None:
    """To w5425 inf goes in one step, which costs 1 MP; asked again, the answer is the same."""
    asked = ("dai_senso/manchuria", ["inf -> w5425", "plv stays"])
    for _ in range(2):
        told = planner.complete(*asked, time_limit=20).to_dict()["plan"]
        assert told is not None
        assert told["moves"] == [{"units": ["inf"], "path": ["w5525", "w5425"], "mp": 1}]
