"""Lets ``python -m planner`` do what ``planner`` does."""

from planner.cli import main

main()
