"""`planner draw`, and `--draw`."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from planner import draw
from planner.draw import png
from planner.errors import InputError
from tests.command import invoke

MANCHURIA = "dai_senso/manchuria"


@pytest.fixture
def font() -> None:
    """A machine may be without fonts; there no PNG can be drawn."""
    if not png.has_font():
        pytest.skip("this machine has no font")


def run(*words: str | Path) -> tuple[int, str]:
    result = invoke(*map(str, words))
    problem = result.exception
    return (2, str(problem)) if isinstance(problem, InputError) else (result.exit_code, result.output)


@pytest.mark.thorough
@pytest.mark.usefixtures("font")
def test_the_name_of_the_file_says_what_is_written(tmp_path: Path) -> None:
    for name, begins in (("a.svg", b"<svg "), ("a.HTML", b"<!doctype html>"), ("a.png", b"\x89PNG")):
        code, said = run("draw", MANCHURIA, "inf w5525-w5425", "-o", tmp_path / name)
        assert (code, said.split()) == (0, ["Written:", str(tmp_path / name)])
        assert (tmp_path / name).read_bytes().startswith(begins)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-o", "a.gif"), "must end with .svg, .png, .html"),
        (("-o", "a"), "must end with .svg, .png, .html"),
        (("-o", "nowhere/a.svg"), "no such folder"),
        (("inf w5525-w5425", "--reach", "plv", "-o", "a.svg"), "moves, --policy, --reach or --explain, one of them"),
        (("nobody w5525-w5425", "-o", "a.svg"), "no unit has the id 'nobody'"),
        (("--reach", "nobody", "-o", "a.svg"), "no unit is called 'nobody'"),
        (("inf w5525-w5425", "--step", "2", "-o", "a.svg"), "from 0 to 1, not 2"),
    ],
)
def test_bad_input_is_a_sentence_and_leaves_no_file(
    words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, output = run("draw", MANCHURIA, *words)
    assert code == 2
    assert said in output
    assert not list(tmp_path.iterdir())


def test_check_draws_what_it_judges(tmp_path: Path) -> None:
    code, _ = run("check", MANCHURIA, "plv w5525-w5425xw5426", "--draw", tmp_path / "a.svg")
    assert code == 1
    assert 'data-violation="w5425"' in (tmp_path / "a.svg").read_text()


def test_suggest_draws_what_it_finds(tmp_path: Path) -> None:
    code, _ = run("suggest", MANCHURIA, "--draw", tmp_path / "a.html")
    assert code == 0
    page = (tmp_path / "a.html").read_text()
    assert "Optimal, proved: no plan is better. Value 1 / -23." in page
    assert "plv w5525-w5425xw5426" in page
    assert "Not before the moves of others: 3.1: plv must stop in w5425: EZOC of kwantung4" in page


def test_a_picture_that_can_not_be_written_is_noticed_before_the_search(tmp_path: Path) -> None:
    code, output = run("suggest", MANCHURIA, "--draw", tmp_path / "a.bmp")
    assert (code, "Optimal" in output) == (2, False)
    draw.ready(None)
    draw.save(None, None, None)  # type: ignore[arg-type]


def test_png_without_its_extra_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(InputError, match=r"pip install resvg-py"):
        draw.ready(tmp_path / "a.png")


def test_a_png_asks_for_a_font_where_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "has_font", lambda: False)
    code, said = run("draw", MANCHURIA, "-o", tmp_path / "a.png")
    assert (code, said) == (2, "PNG needs a font: install DejaVu Sans, say @ --output")
    assert not (tmp_path / "a.png").exists()


@pytest.mark.usefixtures("font")
def test_a_png_has_the_shape_of_its_svg(tmp_path: Path) -> None:
    """Two pixels for one; width and height stand in bytes 16 to 24 of a PNG."""
    for name in ("a.png", "a.svg"):
        assert run("draw", MANCHURIA, "-o", tmp_path / name)[0] == 0
    root = ET.parse(tmp_path / "a.svg").getroot()
    header = (tmp_path / "a.png").read_bytes()[16:24]
    size = [int.from_bytes(header[:4], "big"), int.from_bytes(header[4:], "big")]
    wanted = [2 * float(root.get("width") or 0), 2 * float(root.get("height") or 0)]
    assert size == pytest.approx(wanted, abs=2)


def test_a_map_of_5000_hexes_and_200_units_stays_under_5_megabytes() -> None:
    from benchmarks.draw_map import made

    assert len(made().svg().encode()) < 5_000_000
