"""The judge of plans, without a solver: verdicts, outcomes, what a plan comes to."""
