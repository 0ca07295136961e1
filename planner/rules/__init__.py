"""What a rule is, rulebooks, and the kinds of rules: a rulebook's rules are instances of these."""
