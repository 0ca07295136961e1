"""Matches: two ways of playing on mirrored starts, and which of them is stronger."""
