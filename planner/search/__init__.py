"""What drives the solver: the search for the best plan, and for alternatives to it."""
