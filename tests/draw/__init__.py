"""Pictures: what they show is what is so."""
