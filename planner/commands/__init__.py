"""What the larger commands of the command line read, print and write, a file for each; `planner.cli` registers them."""
