"""What the results of games say about strength: Elo with its interval, and when enough has been played.

The scale is that of Elo, "The Rating of Chessplayers" (1978), the interval that of Wilson, "Probable inference" (1927).
The test is that of Wald, "Sequential tests of statistical hypotheses" (1945), generalized to more than two kinds of
results, with the greatest likelihood under each hypothesis: Van den Bergh, "The generalized SPRT".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, log, log10, sqrt
from statistics import pvariance

Z_95 = 1.959964
"""The normal quantile of a two-sided interval of 95 %."""

UNSEEN = 1e-3
"""How often a result counts that hasn't come yet, so that nothing is thought impossible."""


def elo_of(score: float) -> float:
    """Return by how much Elo one is stronger who scores so much on average, from 0 to 1; infinite at the ends."""
    if score <= 0:
        return -inf
    return inf if score >= 1 else 400 * log10(score / (1 - score))


def score_of(elo: float) -> float:
    """Return what one scores on average who is stronger by so much Elo."""
    return float(1 / (1 + 10 ** (-elo / 400)))


@dataclass(frozen=True)
class Strength:
    """How strong one player is beside the other.

    Attributes
    ----------
    score : float
        What the player has scored on average, from 0 to 1.
    low, high : float
        The interval of 95 % around it.
    """

    score: float
    low: float
    high: float

    @property
    def elo(self) -> tuple[float, float, float]:
        """The same as Elo: low, middle, high."""
        return elo_of(self.low), elo_of(self.score), elo_of(self.high)


def strength(pairs: Sequence[float]) -> Strength | None:
    """Return what the scores of pairs of mirrored games say; None if there are none.

    Parameters
    ----------
    pairs : sequence of float
        What the player has scored in each pair on average: 0, 1/4, 1/2, 3/4 or 1.

    Returns
    -------
    Strength or None
        With Wilson's interval for so many trials as the spread of the pairs is worth: at least one a pair, at most two. It
        isn't narrow where all pairs came to the same.
    """
    number = len(pairs)
    if not number:
        return None
    score = sum(pairs) / number
    spread, most = pvariance(pairs), score * (1 - score)
    trials = number * (min(2.0, max(1.0, most / spread)) if spread else 1.0)
    middle = (score + Z_95**2 / (2 * trials)) / (1 + Z_95**2 / trials)
    aside = Z_95 * sqrt(most / trials + Z_95**2 / (4 * trials**2)) / (1 + Z_95**2 / trials)
    return Strength(score, middle - aside if score else 0.0, middle + aside if score < 1 else 1.0)


@dataclass(frozen=True)
class Sprt:
    """A test that ends once it is decided between two hypotheses.

    Attributes
    ----------
    elo0, elo1 : float
        By how much Elo the first player is stronger by each of them; `elo0` is less.
    alpha, beta : float
        How often it may decide for the second if the first is true, and the other way round.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The logarithms of the ratio of likelihoods at which it ends, for the first and for the second."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratio(self, scores: Mapping[float, float]) -> float:
        """Return the logarithm of the ratio of likelihoods, second to first, of how often each score has come."""
        return log_likelihood_ratio(scores, score_of(self.elo0), score_of(self.elo1))

    def decided(self, pairs: Sequence[float]) -> str | None:
        """Return which hypothesis is decided for, "elo0" or "elo1"; None: neither yet."""
        ratio, (low, high) = self.ratio(Counter(pairs)), self.bounds
        return "elo1" if ratio >= high else "elo0" if ratio <= low else None


def log_likelihood_ratio(scores: Mapping[float, float], first: float, second: float) -> float:
    """Return the logarithm of how much likelier scores are if the mean is `second` than if it is `first`.

    Parameters
    ----------
    scores : mapping from float to float
        By score, from 0 to 1: how often it has come.
    first, second : float
        The means.
    """
    counts = dict.fromkeys((0.0, 0.5, 1.0), UNSEEN)
    counts |= {score: max(UNSEEN, count) for score, count in scores.items()}
    total = sum(counts.values())
    seen = {score: count / total for score, count in counts.items()}
    one, two = _likeliest(seen, first), _likeliest(seen, second)
    return sum(counts[score] * log(two[score] / one[score]) for score in counts)


def _likeliest(seen: Mapping[float, float], mean: float) -> dict[float, float]:
    """Return the probabilities with a given mean under which what has been seen is likeliest.

    They are seen/(1 + t·(score - mean)), with the t at which the mean comes out: Van den Bergh, proposition 1.1.
    """
    low, high = -1 / (max(seen) - mean), 1 / (mean - min(seen))
    for _ in range(200):
        middle = (low + high) / 2
        if sum(chance * (score - mean) / (1 + middle * (score - mean)) for score, chance in seen.items()) > 0:
            low = middle
        else:
            high = middle
    return {score: chance / (1 + middle * (score - mean)) for score, chance in seen.items()}
