"""A position as data: board, forces, charts, and where everybody stands."""
