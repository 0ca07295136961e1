"""The numbers of matches are those that are published, and tests are wrong as rarely as they say."""

from __future__ import annotations

import random
from collections import Counter
from math import inf, log

import pytest

from planner.cli.match import _elo
from planner.match.statistics import Sprt, elo_of, log_likelihood_ratio, score_of, strength
from tests.conftest import sized

SEQUENCES = sized(40, 400, 2_000)


@pytest.mark.parametrize(
    ("score", "elo"), [(0.5, 0), (0.75, 190.85), (0.64, 99.95), (10 / 11, 400), (0, -inf), (1, inf)]
)
def test_elo_is_the_logistic_of_the_score(score: float, elo: float) -> None:
    assert elo_of(score) == pytest.approx(elo, abs=0.01)
    assert score_of(elo) == pytest.approx(score, abs=1e-5)


def test_the_interval_is_wilsons() -> None:
    """81 of 263 is Newcombe's example (1998): 0.2553 to 0.3662. 10 of 10: 1/(1 + z²/10) = 0.7225."""
    found = strength([1.0] * 81 + [0.0] * 182)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    found = strength([1.0] * 10)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert strength([]) is None


def test_pairs_that_differ_less_tell_more_but_never_more_than_two_games_each() -> None:
    even, uneven = strength([0.5] * 10), strength([0.25, 0.75] * 5)
    wild = strength([0.0, 1.0] * 5)
    assert even is not None
    assert uneven is not None
    assert wild is not None
    assert even == wild
    assert uneven.high - uneven.low == pytest.approx((lambda s: s.high - s.low)(strength([0.0, 1.0] * 10)))


def test_without_draws_the_ratio_is_walds() -> None:
    """Won and lost alone: n₁ ln(p₁/p₀) + n₀ ln((1-p₁)/(1-p₀))."""
    for won, lost, first, second in ((60, 40, 0.5, 0.6), (3, 9, 0.4, 0.55), (200, 100, 0.5, 0.64)):
        wald = won * log(second / first) + lost * log((1 - second) / (1 - first))
        assert log_likelihood_ratio({1.0: won, 0.0: lost}, first, second) == pytest.approx(wald, abs=0.01)


def test_the_ratio_is_about_that_of_normal_results() -> None:
    """Van den Bergh: near the mean it is (s₁ - s₀)(2x̄ - s₀ - s₁)n/2σ²."""
    scores = {0.0: 90, 0.25: 160, 0.5: 500, 0.75: 170, 1.0: 80}
    total = sum(scores.values())
    mean = sum(one * count for one, count in scores.items()) / total
    variance = sum((one - mean) ** 2 * count for one, count in scores.items()) / total
    first, second = score_of(0), score_of(5)
    normal = (second - first) * (2 * mean - first - second) * total / (2 * variance)
    assert log_likelihood_ratio(scores, first, second) == pytest.approx(normal, rel=0.01)


def test_the_bounds_are_walds() -> None:
    assert Sprt(0, 100).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert Sprt(0, 100, 0.01, 0.1).bounds == pytest.approx((log(0.1 / 0.99), log(90)))


@pytest.mark.parametrize(("truth", "wrong"), [(0, "elo1"), (150, "elo0")])
def test_a_test_is_wrong_about_as_rarely_as_it_says(truth: float, wrong: str) -> None:
    """Once in 20 times; 4 of 40 and more would come in one of 20 such tests, so three deviations are allowed."""
    draw, test, errors = random.Random(1), Sprt(0, 150), 0
    for _ in range(SEQUENCES):
        pairs: list[float] = []
        found = None
        while found is None:
            pairs.append(sum(draw.random() < score_of(truth) for _ in range(2)) / 2)
            found = test.decided(pairs)
        errors += found == wrong
    assert errors <= SEQUENCES * 0.05 + 3 * (SEQUENCES * 0.05 * 0.95) ** 0.5


def test_it_does_not_decide_on_nothing() -> None:
    assert Sprt(0, 100).decided([]) is None
    assert Counter({None: 1})[Sprt(0, 100).decided([0.5])] == 1


@pytest.mark.parametrize(
    ("pairs", "told"), [([0.0], "at most +234"), ([1.0], "at least -234"), ([0.5], "+0, between -495 and +495")]
)
def test_of_a_score_of_all_or_nothing_only_the_bound_is_told_that_there_is(pairs: list[float], told: str) -> None:
    """Wilson's interval of one trial: up to 1 / (1 + 1 / 1.96²) = 79.3 %, which are 234 Elo."""
    found = strength(pairs)
    assert found is not None
    assert _elo(*found.elo) == told
