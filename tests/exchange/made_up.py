"""Small modules and saves of the formats that `planner.exchange` reads, put together here by hand, and apart from it."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

BOARD = "VASSAL.build.module.map.boardPicker."
GRID = f"{BOARD}board."


def nested(texts: list[str], sign: str) -> str:
    """Join a chain of traits as VASSAL nests it: each text with all that follows it, escaped once more at each level."""
    inner = texts[-1]
    for text in reversed(texts[:-1]):
        inner = text.replace(sign, "\\" + sign) + sign + quoted(inner, sign)
    return inner


def quoted(text: str, sign: str) -> str:
    escaped = text.replace(sign, "\\" + sign)
    return f"'{escaped}'" if text.endswith("\\") or (text and text[0] == text[-1] == "'") else escaped


def piece(ident: str, name: str, place: str, traits: Iterable[tuple[str, str]] = ()) -> str:
    """Return the command that adds a piece; `place` is ``map;x;y``."""
    every = [*traits, (f"piece;;;{name}.png;{name}", f"{place};7;0")]
    types, states = (nested([one[index] for one in every], "\t") for index in (0, 1))
    return "+/" + "/".join(quoted(text, "/") for text in (ident, types, states))


def stack(ident: str, place: str, *pieces: str) -> str:
    return f"+/{ident}/stack/{';'.join((place, *pieces))};@@1"


def save_text(commands: Iterable[str], board: str = "Main MapBoardPicker\tField\t0\t0") -> str:
    """Return the text of a save: each stack is nested in what stands before it, as VASSAL does it."""
    text = "begin_save"
    for command in commands:
        text += ("\\\x1b" if "/stack/" in command else "\x1b") + command
    return f"{text}\x1b{board}\x1bend_save"


def hidden(text: str, key: int = 0x5A) -> bytes:
    return f"!VCSK{key:02x}".encode() + "".join(f"{byte ^ key:02x}" for byte in text.encode()).encode()


def write_zip(path: Path, members: Mapping[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


def write_save(path: Path, text: str) -> Path:
    return write_zip(path, {"moduledata": b"<data/>", "savedata": b"<data/>", "savedGame": hidden(text)})


def hex_grid(numbers: str = "", **grid: object) -> str:
    """Return a hex grid; by default columns run straight, 40 pixels apart, hexes 46 pixels high, and 0101 is at 30, 30."""
    said = {"dx": 40.0, "dy": 46.0, "x0": 30, "y0": 30, "sideways": "false", **grid}
    attributes = " ".join(f'{name}="{value}"' for name, value in said.items())
    how = 'first="H" sep="" hType="N" vType="N" hLeading="1" vLeading="1" hOff="1" vOff="1" stagger="false"'
    return f"<{GRID}HexGrid {attributes}><{GRID}mapgrid.HexGridNumbering {numbers or how}/></{GRID}HexGrid>"


def module_xml(grid: str, board: str = 'width="340" height="300"', prototypes: str = "") -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<VASSAL.build.GameModule name="Ford" version="1">'
        "<VASSAL.build.module.PlayerRoster><entry>Blue</entry><entry>Red</entry></VASSAL.build.module.PlayerRoster>"
        f'{prototypes}<VASSAL.build.module.Map mapName="Main Map"><{BOARD[:-1]}>'
        f'<{BOARD}Board name="Field" {board}>{grid}</{BOARD}Board></{BOARD[:-1]}></VASSAL.build.module.Map>'
        "</VASSAL.build.GameModule>"
    ).encode()


def prototype(name: str, *traits: tuple[str, str]) -> str:
    every = [*traits, ("piece;;;;", "null;0;0")]
    types, states = (nested([one[index] for one in every], "\t") for index in (0, 1))
    text = "+/null/" + "/".join(quoted(part, "/") for part in (types, states))
    return f'<VASSAL.build.module.PrototypeDefinition name="{name}">{text}</VASSAL.build.module.PrototypeDefinition>'
