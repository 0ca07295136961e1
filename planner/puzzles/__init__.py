"""Puzzles: scenarios with a question and a claimed answer, and whether it holds."""

from planner.puzzles.verification import Check, Outcome, Verification

__all__ = ["Check", "Outcome", "Verification"]
