"""What was found wrong, and is mended."""
