"""What the larger commands of the command line print and write, a file for each; `planner.cli` registers them."""
