"""What tests hold the planner against: slow, plain, and written without it where that is possible."""
