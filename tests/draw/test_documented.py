"""The pictures of the documentation are those that the program makes."""

from __future__ import annotations

import pytest

from tests.draw.documented import FOLDER, made


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.iterdir()))
def test_the_pictures_of_the_documentation_are_current(name: str) -> None:
    """Mended by: python -m tests.draw.documented."""
    assert (FOLDER / name).read_text(encoding="utf-8") == made()[name]


def test_every_picture_in_the_folder_is_one_of_them() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(made())
