"""What a first mapping says of the pieces that it finds."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from planner.exchange.draft import draft
from planner.exchange.found import Found, FoundPiece
from tests.command import run
from tests.exchange.made_up import piece, save_text, stack, write_save


@pytest.mark.parametrize(
    ("labels", "named"),
    [(("1st Guards", "2nd Guards"), True), (("1st Guards", "1st Guards"), False), (("1st Guards", ""), False)],
)
def test_pieces_of_one_name_are_called_by_the_label_in_which_they_differ(labels: tuple[str, ...], named: bool) -> None:
    pieces = [
        FoundPiece(str(at), "infantry", f"010{at}", "Main Map", "", "infantry.png", {"Side": "Blue", "label": label})
        for at, label in enumerate(labels)
    ]
    [rule] = tomllib.loads(draft(Found(pieces=pieces), "", None, ["m.vmod"]))["piece"]
    assert (rule.get("id"), rule.get("called")) == (("{label}", "{label}") if named else (None, None))


def test_a_draft_takes_the_board_of_another_mapping_where_no_module_has_the_grid(tmp_path: Path) -> None:
    """Otherwise a save without its module has no first mapping: its pieces have pixels only."""
    write_save(
        tmp_path / "s.vsav", save_text([piece("1", "Guns", "Main Map;30;30"), stack("2", "Main Map;30;30", "1")])
    )
    grid = {"dx": 40.0, "dy": 46.0, "x0": 30, "y0": 30, "h_off": 1, "v_off": 1}
    said = ", ".join(f"{key} = {value}" for key, value in grid.items())
    board = f'[board]\nlabel = "{{label}}"\nsize = [200, 200]\ngrid = {{ {said} }}\n'
    (tmp_path / "grid.toml").write_text(f'format = "planner/mapping-1"\nmodel = "crossroads"\n{board}')
    done = run("import", "s.vsav", "--draft", "d.toml", "--mapping", "grid.toml", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    text = (tmp_path / "d.toml").read_text(encoding="utf-8")
    made = tomllib.loads(text)
    assert (made["model"], made["board"]) == (
        "crossroads",
        {"rest": "?", "label": "{label}", "size": [200, 200], "grid": grid},
    )
    assert 'name = "Guns"  # 1: 0101' in text


@pytest.mark.parametrize("more", [("-o", "s.toml"), ("--mapping", "grid.toml", "--model", "crossroads")])
def test_what_a_draft_wouldnt_take_is_refused(more: tuple[str, ...], tmp_path: Path) -> None:
    done = run("import", "s.vsav", "--draft", "d.toml", *more, cwd=tmp_path)
    assert (done.returncode, list(tmp_path.iterdir())) == (2, [])
    assert done.stderr.endswith(("@ command line\n", "@ --model\n"))
