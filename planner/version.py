"""The version, here alone."""

__version__ = "0.1.0"
