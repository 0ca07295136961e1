"""The command line: one file a command, and the text and JSON of answers."""
