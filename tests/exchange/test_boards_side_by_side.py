"""Boards that lie side by side on a map of VASSAL are read as one map."""

from __future__ import annotations

from dataclasses import replace
from math import hypot
from pathlib import Path

import pytest

from planner.errors import InputError
from planner.exchange.mapping import BoardEntry
from planner.exchange.vassal_board import open_board, read_vassal
from tests.exchange.made_up import BOARD, hex_grid, piece, save_text, stack, write_save, write_zip

FORMS = {"West": "w{label}", "East": "e{label}"}


def files(
    tmp_path: Path, laid: str, sizes: dict[str, tuple[int, int]], edge: tuple[int, int] = (0, 0), x0: int = 30
) -> tuple[Path, Path]:
    """Write a module with boards of some sizes, and a save with two pieces on them; `laid` is how VASSAL says where."""
    boards = "".join(
        f'<{BOARD}Board name="{name}" width="{width}" height="{height}">{hex_grid(x0=x0)}</{BOARD}Board>'
        for name, (width, height) in sizes.items()
    )
    xml = (
        '<VASSAL.build.GameModule name="Ford" version="1">'
        f'<VASSAL.build.module.Map mapName="Main Map" edgeWidth="{edge[0]}" edgeHeight="{edge[1]}"><{BOARD[:-1]}>{boards}'
        f"</{BOARD[:-1]}></VASSAL.build.module.Map></VASSAL.build.GameModule>"
    )
    place, other = f"Main Map;{edge[0] + 310};{edge[1] + 53}", f"Main Map;{edge[0] + 350};{edge[1] + 30}"
    commands = [
        piece("1", "Guards", place),
        piece("2", "Lancers", other),
        stack("8", place, "1"),
        stack("9", other, "2"),
    ]
    save = write_save(tmp_path / "s.vsav", save_text(commands, f"Main MapBoardPicker\t{laid}"))
    return write_zip(tmp_path / "m.vmod", {"buildFile.xml": xml.encode()}), save


TWO = {"West": (320, 322), "East": (320, 322)}


@pytest.mark.parametrize("edge", [(0, 0), (25, 40)])
def test_hexes_of_two_boards_lie_beside_each_other_where_the_boards_do(tmp_path: Path, edge: tuple[int, int]) -> None:
    module, save = files(tmp_path, "West\t0\t0\tEast\t1\t0", TWO, edge)
    found = read_vassal(module, save, BoardEntry(boards=FORMS))
    assert {piece.name: piece.place for piece in found.pieces} == {"Guards": "w0801", "Lancers": "e0101"}
    assert sorted(found.near["w0801"]) == ["e0101", "e0102", "w0701", "w0702", "w0800", "w0802"]
    assert all(one in found.near[other] for one, near in found.near.items() for other in near)
    board, _ = open_board(module, save, BoardEntry(boards=FORMS))
    where = {label: pixel for label, pixel, *_ in board.hexes()}
    assert where.keys() == found.near.keys()
    for one, (x, y) in where.items():  # as many as lie as near as neighbours do
        assert found.near[one] == {name for name, (a, b) in where.items() if 0 < hypot(a - x, b - y) < 55}


def test_boards_lie_in_rows_and_columns_and_may_be_turned(tmp_path: Path) -> None:
    sizes = {**TWO, "South": (320, 322)}
    module, save = files(tmp_path, "West/rev\t0\t0\tEast\t1\t0\tSouth\t0\t1", sizes)
    entry = BoardEntry(boards={**FORMS, "South": "s{label}"})
    board, _ = open_board(module, save, entry)
    where = {label: pixel for label, pixel, *_ in board.hexes()}
    assert where["e0101"] == (350, 30)
    assert where["s0101"] == (30, 352)
    assert where["w0101"] == (290, 292)
    found = read_vassal(module, save, entry)
    assert {piece.name: piece.place for piece in found.pieces} == {"Guards": "w0106", "Lancers": "e0101"}


def test_one_board_of_several_can_be_read_by_its_name(tmp_path: Path) -> None:
    module, save = files(tmp_path, "West\t0\t0\tEast\t1\t0", TWO)
    found = read_vassal(module, save, BoardEntry(board="East"))
    assert "0101" in found.hexes
    assert {piece.name: piece.place for piece in found.pieces}["Lancers"] == "0101"


def test_a_hex_of_which_each_board_has_a_part_is_one(tmp_path: Path) -> None:
    sizes = {"West": (321, 322), "East": (321, 322)}
    module, save = files(tmp_path, "West\t0\t0\tEast\t1\t0", sizes, x0=0)
    found = read_vassal(module, save, BoardEntry(boards=FORMS))
    assert {"w0901", "e0201"} <= found.hexes.keys()
    assert not [label for label in found.hexes if label.startswith("e01")]
    assert {"w0801", "e0201"} <= found.near["w0901"]
    assert {piece.name: piece.place for piece in found.pieces}["Lancers"] == "e0201"
    board, _ = open_board(module, save, BoardEntry(boards=FORMS))
    assert board.save is not None
    assert board.place(replace(board.save.pieces["2"], x=322, y=30)) == ("w0901", "Main Map")


def test_boards_whose_hexes_are_called_the_same_must_be_told_apart(tmp_path: Path) -> None:
    module, save = files(tmp_path, "West\t0\t0\tEast\t1\t0", TWO)
    with pytest.raises(
        InputError, match=r"the boards 'West' and 'East' both have a hex 0101: board\.boards must tell them"
    ):
        read_vassal(module, save, BoardEntry())
    with pytest.raises(InputError, match=r"board\.boards must be one of 'West', 'East'"):
        read_vassal(module, save, BoardEntry(boards={"Nowhere": "n{label}"}))


def test_boards_without_a_hex_or_far_away_are_read_as_others_are(tmp_path: Path) -> None:
    module, save = files(tmp_path, "West\t0\t0\tEast\t1\t0", {"West": (1, 1), "East": (1, 1)})
    assert not read_vassal(module, save, BoardEntry(boards=FORMS)).hexes
    far = "".join(f"\tNo {number}\t999999\t{number}" for number in range(1_000))
    module, save = files(tmp_path, f"West\t0\t0{far}", TWO)
    with pytest.raises(InputError, match="the sizes of boards that lie beside each other"):
        read_vassal(module, save, BoardEntry(boards={"West": "w{label}"}))
