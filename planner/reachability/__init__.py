"""What each unit, team or stack can do, and what it would need of the others."""
