"""Puzzles found by machine: positions with one solution, whose order matters, and which greedy play misses."""
