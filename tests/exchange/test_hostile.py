"""Archives and XML of strangers do no harm."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import pytest

from planner.errors import InputError
from planner.exchange import archive, xml
from planner.exchange.archive import Archive
from planner.exchange.vassal_module import load_module
from tests.exchange.made_up import hex_grid, module_xml, write_zip


@pytest.mark.parametrize("name", ["../up", "/root", "a/../../b", "C:\\x", "..\\up", "a\\..\\..\\b"])
def test_names_that_lead_out_of_an_archive_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="must not lead out of it"):
        Archive(write_zip(tmp_path / "a.zip", {"buildFile.xml": b"", name: b""}))


def test_bombs_are_refused_before_they_are_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = Archive(write_zip(tmp_path / "a.zip", {"a": b"\0" * (4 * 2**20)}))
    with pytest.raises(InputError, match="must not grow to more than 250 times its size"):
        bomb.read("a")
    with pytest.raises(InputError, match="must have at most 1,000 bytes"):
        bomb.read("a", 1_000)
    monkeypatch.setattr(archive, "MOST_MEMBERS", 3)
    with pytest.raises(InputError, match="must hold at most 3 files"):
        Archive(write_zip(tmp_path / "b.zip", {str(one): b"" for one in range(4)}))


def test_a_member_that_is_larger_than_it_says_is_refused(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"a": b"\0" * 100_000})
    content = path.read_bytes().replace(struct.pack("<I", 100_000), struct.pack("<I", 10))
    path.write_bytes(content)
    with pytest.raises(InputError, match="must be a sound zip archive"):
        Archive(path).read("a")


@pytest.mark.parametrize("damage", [b"", b"PK", b"PK\3\4" + b"\0" * 40, "cut"])
def test_damaged_archives_are_refused(tmp_path: Path, damage: bytes | str) -> None:
    whole = write_zip(tmp_path / "a.zip", {"buildFile.xml": module_xml(hex_grid())})
    whole.write_bytes(whole.read_bytes()[:-30] if isinstance(damage, str) else damage)
    with pytest.raises(InputError, match="must be a sound zip archive"):
        Archive(whole)


def test_encrypted_and_double_members_are_refused(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"a": b"x"})
    with zipfile.ZipFile(path, "a") as file, pytest.warns(UserWarning, match="Duplicate"):
        file.writestr("a", b"y")
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\1\2") + 8] |= 1
    path.write_bytes(content)
    with pytest.raises(InputError) as told:
        Archive(path)
    assert [problem.what for problem in told.value.problems] == [
        "must not be encrypted",
        "names in an archive must differ, but this one comes twice",
    ]


LAUGHS = b'<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;</a>'
OUTSIDE = b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (LAUGHS, "no document type and no entities"),
        (OUTSIDE, "no document type and no entities"),
        (b"<a>" * 200 + b"</a>" * 200, "nested more than 100 deep"),
        (b"<a><b></a>", "well-formed XML"),
        (b"<a", "well-formed XML"),
        (b"", "well-formed XML"),
        (b"\xff\xfe\0", "well-formed XML"),
        (b'<?xml version="1.0" encoding="nonsense"?><a/>', "well-formed XML"),
    ],
)
def test_xml_that_does_harm_is_refused(content: bytes, says: str) -> None:
    with pytest.raises(InputError, match=says):
        xml.parse_xml(content, "a.xml")


def test_xml_with_too_many_elements_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml, "MOST_ELEMENTS", 10)
    with pytest.raises(InputError, match="more than 10 elements"):
        xml.parse_xml(b"<a>" + b"<b/>" * 10 + b"</a>", "a.xml")


@pytest.mark.parametrize(
    ("grid", "says"),
    [
        (hex_grid(dx="1e999"), "dx must be a number of pixels"),
        (hex_grid(dx="nan"), "dx must be a number of pixels"),
        (hex_grid(dx="0"), "dx of a HexGrid must be at least 1"),
        (hex_grid(x0="99999999999"), "x0 must be a whole number below a million"),
        (hex_grid('hLeading="x"'), "hLeading must be a whole number"),
    ],
)
def test_grids_without_sense_are_refused(tmp_path: Path, grid: str, says: str) -> None:
    path = write_zip(tmp_path / "m.vmod", {"buildFile.xml": module_xml(grid)})
    with pytest.raises(InputError, match=says):
        load_module(path)


def test_a_board_of_too_many_hexes_is_refused(tmp_path: Path) -> None:
    content = module_xml(hex_grid(dx=1, dy=1), 'width="900000" height="900000"')
    board = load_module(write_zip(tmp_path / "m.vmod", {"buildFile.xml": content})).windows["Main Map"].boards["Field"]
    with pytest.raises(ValueError, match="at most 200,000 hexes"):
        list(board.cells())
