"""Small positions in which it is noticed that a rule, or a family of constraints, is left out."""
