"""Files that have been damaged at random are read, or refused in a sentence: no traceback, nothing without end."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

from tests.command import run
from tests.conftest import sized
from tests.exchange.made_up import hex_grid, hidden, module_xml, save_text, write_zip
from tests.exchange.test_import import MAPPING, PIECES, TERRAIN, UNITS
from tests.exchange.test_tiled import GROUND, TSX, XML_DATA, layer, tiled
from tests.exchange.test_tiled import HEAD as MAP_HEAD
from tests.seeds import in_chunks

INPUTS = sized(12, 25, 5_000)
SLOWEST = 10
"""Seconds of work for one input."""

TMX = f"""{MAP_HEAD}<tileset firstgid="1" source="l.tsx"/>
<layer name="a" width="4" height="3">{XML_DATA["base64"]}</layer></map>"""
SAVE = save_text(PIECES)
GOOD = {
    "ford.vmod": module_xml(hex_grid()),
    "turn1.vsav": SAVE.encode(),
    "m.tmj": json.dumps(tiled(layer(GROUND))).encode(),
    "m.tmx": TMX.encode(),
    "l.tsx": TSX.encode(),
    "u.csv": UNITS.encode(),
    "t.csv": TERRAIN.encode(),
    "map.toml": MAPPING.encode(),
}
SIGNS = [
    b"\\",
    b"/",
    b"\t",
    b"\x1b",
    b";",
    b'"',
    b"<",
    b"&x;",
    b"\xff",
    b"\0",
    b"-",
    b"9" * 30,
    b"1e999",
    b"{",
    b"]",
    b"*",
    b"",
    b"\r\n",
]


def damaged(content: bytes, dice: random.Random) -> bytes:
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(content) + 1)
        end = min(len(content), at + dice.choice([0, 1, 1, 2, 30, 5_000]))
        middle = dice.choice([dice.choice(SIGNS), dice.choice(SIGNS) * 200, content[at:end] * 3])
        content = content[:at] + middle + content[end:]
    return content


def write(folder: Path, victim: str, dice: random.Random) -> None:
    """Write all files, one of them damaged: inside its archive, or the archive itself."""
    whole = dice.random() < 0.3
    for name, content in GOOD.items():
        inner = damaged(content, dice) if name == victim and not whole else content
        if name == "ford.vmod":
            write_zip(folder / name, {"buildFile.xml": inner})
        elif name == "turn1.vsav":
            text = hidden(inner.decode("latin-1")) if inner != content else hidden(SAVE)
            write_zip(folder / name, {"savedGame": text})
        else:
            (folder / name).write_bytes(inner)
        if name == victim and whole:
            (folder / name).write_bytes(damaged((folder / name).read_bytes(), dice))


@in_chunks(INPUTS)
def test_damaged_files_are_answered_like_any_other(seeds: range, tmp_path: Path) -> None:
    for seed in seeds:
        dice = random.Random(seed)
        folder = tmp_path / str(seed)
        folder.mkdir()
        victim = dice.choice(sorted(GOOD))
        write(folder, victim, dice)
        files = (
            ["m.tmj"]
            if victim == "m.tmj"
            else ["m.tmx"]
            if victim in ("m.tmx", "l.tsx")
            else ["ford.vmod", "turn1.vsav"]
        )
        files = ["u.csv", "t.csv"] if victim in ("u.csv", "t.csv") else files
        how = ["--draft", "d.toml"] if dice.random() < 0.4 else ["--mapping", "map.toml", "-o", "s.toml"]
        begin = time.process_time()
        done = run("import", *files, *how, cwd=folder)
        told = f"seed {seed}: {victim}\n{done.stderr[-2000:]}"
        assert done.returncode in (0, 2), told
        assert "Traceback" not in done.stdout + done.stderr, told
        assert done.returncode == 0 or (done.stderr and not (folder / how[-1]).exists()), told
        assert time.process_time() - begin < SLOWEST, told
