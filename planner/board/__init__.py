"""The board in the browser: what its page is made of, and scenarios edited as data. Nothing here searches."""

from __future__ import annotations

from pathlib import Path

STATIC = Path(__file__).parent / "static"
"""The page, its style, and its script as modules, as a browser asks for them; nothing of it needs a network."""
