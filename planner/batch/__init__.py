"""Many questions of many positions: jobs, their results, and who answers them."""
