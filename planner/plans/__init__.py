"""Plans and partial plans, as text and as files."""
