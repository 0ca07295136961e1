"""The kinds of rules, one file each."""
