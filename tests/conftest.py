"""What all tests share."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

DEEP = os.environ.get("PLANNER_DEEP") == "1"

# Shared machines stall now and then: a slow draw is no finding, and CI runs the same examples every time.
settings.register_profile(
    "planner",
    deadline=None,
    derandomize=not DEEP,
    max_examples=1_000 if DEEP else 50,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("planner")
