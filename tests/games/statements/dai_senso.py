"""Dai Senso: the cases of every paragraph."""

from __future__ import annotations

from tests.games.statements import (
    dai_senso_3,
    dai_senso_31,
    dai_senso_32,
    dai_senso_311,
    dai_senso_314,
    dai_senso_others,
    dai_senso_politics,
    dai_senso_sea,
)

CASES = (
    *dai_senso_3.CASES,
    *dai_senso_31.CASES,
    *dai_senso_311.CASES,
    *dai_senso_314.CASES,
    *dai_senso_32.CASES,
    *dai_senso_others.CASES,
    *dai_senso_sea.CASES,
    *dai_senso_politics.CASES,
)
