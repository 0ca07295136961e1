"""Text and numbers of files: exact values, lists of hexes, what is wrong with a file and where."""
