"""VASSAL's saves and modules are read as VASSAL reads them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.errors import InputError
from planner.exchange.hex_grid import GridNumbers, HexGrid, neighbours
from planner.exchange.sequences import decode
from planner.exchange.vassal_module import load_module
from planner.exchange.vassal_save import deobfuscate, load_save, obfuscate
from tests.exchange import made_up
from tests.exchange.made_up import hex_grid, module_xml, piece, prototype, save_text, stack, write_save, write_zip

TRAITS = [
    ("emb2;Flip;128;A;;128;;;128;;;;1;false;0;0;back.png,third.png;,;true;Flip;;;false;;1;1;false;70,130;;", "2"),
    ("prototype;Blue", ""),
    ("mark;Side,Army", "Blue,1\\,2"),
    ("PROP;stats;false,0,100,false;Set:85\\,195:P\\,U", "4-4-4"),
    ("label;;Change;18;;0,0,0;c;12;c;0;c;c;$label$;Dialog;1;0;TextLabel;Strength;false", "is $stats$"),
    ("markmoved;moved.gif;35;-35", "true"),
    ("hide;72;Hide;0", "somebody"),
]


def write_module(path: Path, content: bytes, **images: bytes) -> Path:
    return write_zip(path, {"buildFile.xml": content, **{f"images/{name}.png": one for name, one in images.items()}})


def test_pieces_are_read_with_what_their_traits_say(tmp_path: Path) -> None:
    text = save_text([piece("1", "1/4 Guards", "Main Map;5;6", TRAITS), stack("9", "Main Map;30;76", "1")])
    module = load_module(
        write_module(
            tmp_path / "m.vmod",
            module_xml(hex_grid(), prototypes=prototype("Blue", ("mark;Nation", "France"), TRAITS[5])),
        )
    )
    found = load_save(write_save(tmp_path / "s.vsav", text), module.prototypes)
    [one] = found.pieces.values()
    assert (one.name, one.image, one.map, one.x, one.y) == ("1/4 Guards", "1/4 Guards.png", "Main Map", 30, 76)
    assert one.properties == {
        "Flip_Level": "2",
        "Flip_Active": "true",
        "Flip_Image": "third.png",
        "Nation": "France",
        "Moved": "true",
        "Side": "Blue",
        "Army": "1,2",
        "stats": "4-4-4",
        "TextLabel": "is 4-4-4",
        "label": "is 4-4-4",
        "HiddenBy": "somebody",
    }
    assert found.boards == {"Main Map": [("Field", 0, 0)]}
    assert module.sides == ["Blue", "Red"]


def test_later_commands_move_change_and_remove_pieces(tmp_path: Path) -> None:
    text = save_text(
        [
            *(piece(str(one), f"P{one}", "Main Map;5;6", [("mark;Side", "Blue")]) for one in range(3)),
            "M/0/Main Map/30/76/null/Main Map/5/6/null/me",
            "D/1/Red\tMain Map;70;80;7;0/Blue\tMain Map;5;6;7;0",
            "-/2",
        ]
    )
    found = load_save(write_save(tmp_path / "s.vsav", text)).pieces
    assert [(one.name, one.x, one.y, one.properties["Side"]) for one in found.values()] == [
        ("P0", 30, 76, "Blue"),
        ("P1", 70, 80, "Red"),
    ]


@given(st.text(alphabet="ab\\'/;,\t", max_size=12).map(lambda text: [text, text[::-1], "x"]), st.sampled_from("/;,\t"))
def test_sequences_that_are_written_are_read_again(texts: list[str], sign: str) -> None:
    assert decode(sign.join(made_up.quoted(text, sign) for text in texts), sign) == texts


@pytest.mark.thorough
@given(st.text(max_size=30), st.integers(0, 255))
def test_what_is_obfuscated_is_read_again(text: str, key: int) -> None:
    hidden = made_up.hidden(text, key)
    assert deobfuscate(hidden, "save") == (key, text)
    assert obfuscate(key, text) == hidden


@pytest.mark.parametrize(
    ("grid", "pixel", "label"),
    [
        ({}, (30, 30), "0101"),
        ({}, (70, 53), "0201"),
        ({}, (70, 29), "0200"),
        ({"stagger": "true"}, (70, 53), "0202"),
        ({"sideways": "true"}, (30, 30), "0101"),
        ({"sideways": "true"}, (53, 70), "0201"),  # VASSAL calls the straight lines columns, whichever way they lie
        ({"hOff": 0, "vOff": 5}, (30, 76), "0006"),
        ({"first": "V"}, (30, 76), "0201"),
        ({"sep": "."}, (30, 76), "01.02"),
        ({"hType": "A", "hOff": 0}, (30, 76), "A02"),
        ({"vLeading": 0, "hLeading": 2}, (30, 76), "0012"),
        # 340 pixels are 7 hexes of 46, 300 are 8 lines of 40: VASSAL divides one by the other.
        ({"hDescend": "true"}, (30, 30), "0801"),
        ({"vDescend": "true"}, (30, 30), "0109"),
        ({"vDescend": "true", "stagger": "true"}, (70, 53), "0208"),
        ({"sideways": "true", "vDescend": "true"}, (30, 30), "0901"),
        ({"sideways": "true", "hDescend": "true"}, (30, 30), "0108"),
    ],
)
def test_hexes_are_numbered_as_vassal_numbers_them(
    tmp_path: Path, grid: dict[str, object], pixel: tuple[int, int], label: str
) -> None:
    sideways = grid.pop("sideways", "false")
    how = {"first": "H", "sep": "", "hType": "N", "vType": "N", "hOff": 1, "vOff": 1, "stagger": "false", **grid}
    numbers = " ".join(f'{name}="{value}"' for name, value in how.items())
    module = load_module(write_module(tmp_path / "m.vmod", module_xml(hex_grid(numbers, sideways=sideways))))
    assert module.windows["Main Map"].boards["Field"].place(*pixel) == (label, True)


def test_zones_have_grids_and_names_of_their_own(tmp_path: Path) -> None:
    zone = f'<{made_up.GRID}mapgrid.Zone name="Left" path="0,0;100,0;100,300;0,300" locationFormat="L$gridLocation$">'
    box = f'<{made_up.GRID}mapgrid.Zone name="Reserve" path="100,0;340,0;340,100;100,100" locationFormat="$name$"/>'
    grid = (
        f"<{made_up.GRID}ZonedGrid>{zone}{hex_grid()}</{made_up.GRID}mapgrid.Zone>{box}"
        f"{hex_grid(x0=110)}</{made_up.GRID}ZonedGrid>"
    )
    board = load_module(write_module(tmp_path / "m.vmod", module_xml(grid))).windows["Main Map"].boards["Field"]
    assert board.place(30, 30) == ("L0101", True)
    assert board.place(200, 50) == ("Reserve", False)
    assert board.place(110, 168) == ("0104", True)
    labels = [label for label, *_ in board.cells()]
    assert len(labels) == len(set(labels))
    assert {"L0101", "L0206", "0104"} <= set(labels)


def test_the_size_of_a_board_is_that_of_its_picture(tmp_path: Path) -> None:
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (340).to_bytes(4, "big") + (300).to_bytes(4, "big")
    path = write_module(tmp_path / "m.vmod", module_xml(hex_grid(), 'image="map.png"'), map=png)
    assert load_module(path).windows["Main Map"].boards["Field"].size == (340, 300)


@given(st.booleans(), st.integers(-5, 40), st.integers(-5, 40), st.floats(8, 200), st.floats(8, 200))
def test_the_centre_of_a_hex_lies_in_it_and_its_neighbours_around_it(
    sideways: bool, line: int, place: int, dx: float, dy: float
) -> None:
    grid = HexGrid(dx, dy, (17, 23), sideways, GridNumbers())
    assert grid.cell(*grid.centre(line, place)) == (line, place)
    x, y = grid.centre(line, place)
    for other in neighbours(line, place):
        far = [abs(a - b) for a, b in zip(grid.centre(*other), (x, y), strict=True)]
        across, along = far[::-1] if sideways else far
        assert (across <= 1 and abs(along - dy) <= 2) or (abs(across - dx) <= 2 and abs(along - dy / 2) <= 2)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"!VCSK5", "pairs of hex digits must follow"),
        (b"!VCSK5agg", "pairs of hex digits must follow"),
        (made_up.hidden("begin_save\x1b")[:-1], "pairs of hex digits must follow"),
        (made_up.hidden("begin_save\x1b+/1"), "the file has been cut off"),
        (made_up.hidden("hello"), "must begin with begin_save"),
        (b"!VCSK00ff", "must be UTF-8 text, but byte 0 is not"),
    ],
)
def test_damaged_saves_are_refused(tmp_path: Path, content: bytes, says: str) -> None:
    with pytest.raises(InputError, match=says):
        load_save(write_zip(tmp_path / "s.vsav", {"savedGame": content}))


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (piece("1", "deep", "Main Map;5;6", [("mark;A", "1")] * 60).replace("piece;;;", "what;;;"), "innermost trait"),
        (piece("1", "far", "Main Map;99999999;6"), "below a million"),
        ("+/1/piece;;;a.png;a/Main Map", "its map and two coordinates"),
        (piece("1", "deep", "Main Map;5;6", [("mark;A", "1")] * 300), "at most 200 traits"),
        ("+/1/piece;;;;" + "a" * 300_000 + "/Main Map;1;1", "letters"),
    ],
)
def test_a_piece_that_cant_be_read_is_told_and_the_others_are_read(tmp_path: Path, command: str, says: str) -> None:
    found = load_save(write_save(tmp_path / "s.vsav", save_text([command, piece("2", "sound", "Main Map;5;6")])))
    assert list(found.pieces) == ["2"]
    [remark] = found.remarks
    assert says in remark
