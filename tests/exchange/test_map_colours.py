"""Terrain by the colours of a map's picture: a draft has a word for each colour, and an import goes by these words."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest

from planner.exchange import map_colours
from planner.scenario import load_scenario
from tests.command import run
from tests.exchange.made_up import hex_grid, module_xml, write_zip

Image = pytest.importorskip("PIL.Image", reason="needs the extra colours")
ImageDraw = pytest.importorskip("PIL.ImageDraw", reason="needs the extra colours")

SIZE = (340, 300)
PLAIN, WOOD, WATER = (200, 210, 160), (90, 140, 70), (120, 170, 220)
TERRAIN = {(1, 2): WOOD, (3, 1): WOOD, (5, 4): WATER, (6, 4): WATER}
"""Columns and rows of hexes that are no plain; 0302 is half of each."""


def picture(kind: str = "PNG", noise: float = 0.08) -> bytes:
    """Return a map with grain like that of paper, borders and labels; 0101 is at 30, 30 and columns are 40 pixels apart."""
    image = Image.new("RGB", SIZE, PLAIN)
    pen = ImageDraw.Draw(image)
    for column in range(1, 9):
        for row in range(1, 8):
            x, y = 30 + 40 * (column - 1), 30 + 46 * (row - 1) + (0 if column % 2 else 23)
            corners = [(x - 26, y), (x - 13, y - 23), (x + 13, y - 23), (x + 26, y), (x + 13, y + 23), (x - 13, y + 23)]
            pen.polygon(corners, fill=TERRAIN.get((column, row), PLAIN), outline=(60, 60, 60))
            pen.text((x - 9, y - 21), f"{column:02}{row:02}", fill=(20, 20, 20))
    pen.rectangle((30 + 80 - 20, 30 + 46 - 16, 30 + 80, 30 + 46 + 16), fill=WOOD)
    pen.line((0, 140, 340, 150), fill=(150, 60, 50), width=4)  # a road, which is no terrain
    grain = Image.frombytes("RGB", SIZE, random.Random(1).randbytes(3 * SIZE[0] * SIZE[1]))
    image = Image.blend(image, grain, noise)
    written = io.BytesIO()
    image.save(written, kind)
    return written.getvalue()


def module(folder: Path, content: bytes) -> Path:
    xml = module_xml(hex_grid(), board='image="map.png"')
    return write_zip(folder / "ford.vmod", {"buildFile.xml": xml, "images/map.png": content})


def drafted(folder: Path) -> dict[str, str]:
    """Return the lines of the table of terrain of a draft: by word what stands behind."""
    done = run("import", "ford.vmod", "--draft", "map.toml", "--model", "crossroads", "--force", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    text = (folder / "map.toml").read_text(encoding="utf-8")
    table = text.partition("[terrain]\n")[2].partition("\n\n")[0]
    return {line[1:8]: line.partition("#")[2].partition("# ")[2] for line in table.splitlines()}


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_draft_has_a_word_for_each_colour_and_the_import_goes_by_them(kind: str, tmp_path: Path) -> None:
    module(tmp_path, picture(kind))
    words = drafted(tmp_path)
    assert len(words) == 3, words
    plain, *others = words
    wood, water = sorted(others, key=lambda word: int(word[5:7], 16))  # by their blue
    draft = (tmp_path / "map.toml").read_text(encoding="utf-8")
    assert "# the picture has several colours or none in 0302: it doesn't say what terrain is there" in draft
    says = {plain: "clear", wood: "woods", water: "lake"}
    mapping = "\n".join(f'"{word}" = "{says[word]}"' for word in words)
    (tmp_path / "map.toml").write_text(
        f'format = "planner/mapping-1"\nmodel = "crossroads"\n[board]\nrest = "hills"\n[terrain]\n{mapping}\n'
    )
    done = run("import", "ford.vmod", "--mapping", "map.toml", "-o", "s.toml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "no colour that the mapping has in 0302" in done.stderr
    hexes = load_scenario(tmp_path / "s.toml").game.board.hexes
    assert len(hexes) > 40
    expected = {f"{column:02}{row:02}": colour for (column, row), colour in TERRAIN.items()}
    named = {WOOD: "woods", WATER: "lake", None: "clear"}
    wrong = {
        label: one.terrain
        for label, one in hexes.items()
        if label != "0302" and one.terrain != named[expected.get(label)]
    }
    assert not wrong
    assert hexes["0302"].terrain == "hills"


def test_a_colour_that_the_mapping_has_not_is_told_and_not_guessed(tmp_path: Path) -> None:
    module(tmp_path, picture())
    (tmp_path / "map.toml").write_text(
        'format = "planner/mapping-1"\nmodel = "crossroads"\n[board]\nrest = "hills"\n[terrain]\n"#c8d2a0" = "clear"\n'
    )
    done = run("import", "ford.vmod", "--mapping", "map.toml", "-o", "s.toml", cwd=tmp_path)
    assert done.returncode == 0
    assert all(label in done.stderr for label in ("0102", "0301", "0504", "0604"))
    assert load_scenario(tmp_path / "s.toml").game.board.hexes["0102"].terrain == "hills"


def test_without_colours_in_the_mapping_no_picture_is_read(tmp_path: Path) -> None:
    module(tmp_path, picture()[:200])
    (tmp_path / "map.toml").write_text(
        'format = "planner/mapping-1"\nmodel = "crossroads"\n[board]\nrest = "clear"\n[terrain]\nwood = "woods"\n'
    )
    done = run("import", "ford.vmod", "--mapping", "map.toml", "-o", "s.toml", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("content", [picture()[:200], picture("JPEG")[:900], picture("GIF")[:60]], ids=str)
def test_a_damaged_picture_is_told(content: bytes, tmp_path: Path) -> None:
    module(tmp_path, content)
    done = run("import", "ford.vmod", "--draft", "map.toml", cwd=tmp_path)
    assert done.returncode == 0
    assert "must be a picture (PNG, GIF, JPEG) that can be read" in (tmp_path / "map.toml").read_text(encoding="utf-8")
    (tmp_path / "map.toml").write_text(
        'format = "planner/mapping-1"\nmodel = "crossroads"\n[board]\nrest = "hills"\n[terrain]\n"#c8d2a0" = "clear"\n'
    )
    done = run("import", "ford.vmod", "--mapping", "map.toml", "-o", "s.toml", cwd=tmp_path)
    assert (done.returncode, "this one is damaged" in done.stderr) == (2, True)


def test_a_picture_that_unpacks_to_far_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module(tmp_path, picture())
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1_000)
    run("import", "ford.vmod", "--draft", "map.toml", cwd=tmp_path)
    assert "larger than allowed" in (tmp_path / "map.toml").read_text(encoding="utf-8")


def test_without_the_extra_a_draft_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from planner.exchange import vassal_board

    monkeypatch.setattr(vassal_board, "available", lambda: False)
    module(tmp_path, picture())
    run("import", "ford.vmod", "--draft", "map.toml", cwd=tmp_path)
    assert "pip install pillow" in (tmp_path / "map.toml").read_text(encoding="utf-8")


def test_colours_that_are_alike_have_one_word_and_others_have_two() -> None:
    near = {"a": (200, 210, 160), "b": (210, 200, 170), "c": (90, 140, 70)}
    words = map_colours.grouped(near)
    assert words["a"] == words["b"] != words["c"]
    assert words["c"] == "#5a8c46"
