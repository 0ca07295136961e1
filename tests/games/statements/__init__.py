"""Every enforced statement of a rulebook with the positions that show it: at least one on each side of the line."""
