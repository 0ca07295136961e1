"""Why not: what forbids a move, a destination, a goal or a value, and what would make it possible."""
