"""A save of VASSAL on the boards of its module: in which hex each piece lies, and which hexes there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import floor, hypot
from pathlib import Path

from planner.errors import InputError, Problem
from planner.exchange.archive import Archive
from planner.exchange.found import Found, FoundPiece
from planner.exchange.hex_grid import GridNumbers, HexGrid, Pixel, neighbours
from planner.exchange.map_colours import Colour, available, colours_among, colours_of, grouped, nearest
from planner.exchange.mapping import BoardEntry, GridEntry
from planner.exchange.patterns import fill
from planner.exchange.vassal_module import Module, ModuleBoard, Window, load_module
from planner.exchange.vassal_piece import Piece
from planner.exchange.vassal_save import SavedGame, load_save
from planner.formats.hex_lists import shortly

NEAR = 1.2
"""Hexes of two boards are beside each other up to so many times the distance of neighbours."""
SAME = 0.4
"""They are one hex up to this part of it: the halves of it that each of the boards has."""


@dataclass(frozen=True)
class LaidBoard:
    """A board as it lies on a map.

    Attributes
    ----------
    board : ModuleBoard
        The board.
    reversed : bool
        Whether it lies the other way round.
    corner : pair of int
        Where its upper left corner lies, in pixels of the map.
    form : str
        The label of a hex in the scenario, of what VASSAL calls it.
    """

    board: ModuleBoard
    reversed: bool
    corner: Pixel
    form: str

    def holds(self, x: int, y: int) -> bool:
        """Tell whether a pixel of the map lies on it; a board whose size nobody knows is endless."""
        (left, top), size = self.corner, self.board.size
        return size is None or (0 <= x - left < size[0] and 0 <= y - top < size[1])

    def place(self, x: int, y: int) -> tuple[str, bool]:
        """Return what the place of a pixel of the map is called, and whether it is a hex."""
        name, hexagonal = self.board.place(*self._turned(x - self.corner[0], y - self.corner[1]))
        return (fill(self.form, {"label": name}), True) if hexagonal else (name, False)

    def cells(self) -> Iterator[tuple[str, Pixel, HexGrid, tuple[int, int]]]:
        """Yield each hex: its label, its middle in pixels of the map, its grid, and line and place in it."""
        for name, grid, cell in self.board.cells():
            x, y = self._turned(*grid.centre(*cell))
            yield fill(self.form, {"label": name}), (x + self.corner[0], y + self.corner[1]), grid, cell

    def _turned(self, x: int, y: int) -> Pixel:
        if not self.reversed:
            return x, y
        if self.board.size is None:
            raise ValueError("the size of a board that is turned round must be known")
        return self.board.size[0] - x, self.board.size[1] - y


@dataclass
class VassalBoard:
    """The boards of a map of a module, with a save on them.

    Attributes
    ----------
    window : Window
        The map on which they lie.
    boards : tuple of LaidBoard
        The boards, one or several side by side.
    save : SavedGame or None
        The save.
    where : str
        What to call the files in messages.
    """

    window: Window
    boards: tuple[LaidBoard, ...]
    save: SavedGame | None
    where: str

    @property
    def called(self) -> str:
        """What the boards are called."""
        return ", ".join(repr(one.board.name) for one in self.boards)

    @cached_property
    def _same(self) -> dict[str, str]:
        """The labels of hexes that lie on one of a board before theirs, with its label: each has a part of it."""
        if len(self.boards) == 1:
            return {}
        found: dict[str, str] = {}
        kept: dict[tuple[int, int], list[tuple[str, Pixel]]] = {}
        for one in self.boards:
            new = []
            for label, (x, y), grid, _ in one.cells():
                square = round(x / grid.dy), round(y / grid.dy)
                near = [
                    other
                    for dx in (-1, 0, 1)
                    for dy in (-1, 0, 1)
                    for other in kept.get((square[0] + dx, square[1] + dy), ())
                ]
                same = next((name for name, (a, b) in near if hypot(a - x, b - y) < SAME * grid.dy), None)
                if same is None:
                    new.append((square, (label, (x, y))))
                else:
                    found[label] = same
            for square, told in new:
                kept.setdefault(square, []).append(told)
        return found

    def place(self, piece: Piece) -> tuple[str, str]:
        """Return the label of the hex in which a piece lies, or else empty; and the map or zone in which it is.

        Raises
        ------
        InputError
            If it can't be told because nothing says how large the board is.
        """
        if piece.map != self.window.name:
            return "", piece.map
        laid = next((one for one in self.boards if one.holds(piece.x, piece.y)), None)
        if laid is None and len(self.boards) > 1:
            return "", piece.map
        laid = laid or self.boards[0]  # beside a single board, places are called as if it went on
        try:
            name, hexagonal = laid.place(piece.x, piece.y)
        except ValueError as error:
            raise self._too_little(error, laid) from error
        return (self._same.get(name, name), piece.map) if hexagonal else ("", name or piece.map)

    def hexes(self) -> Iterator[tuple[str, Pixel, HexGrid, tuple[int, int], LaidBoard]]:
        """Yield each hex once: its label, where its pieces lie on the map, its grid, line and place in it, and its board.

        Raises
        ------
        InputError
            If nothing says how large a board is, or it has too many hexes.
        """
        for one in self.boards:
            try:
                for label, pixel, grid, cell in one.cells():
                    if label not in self._same:
                        yield label, pixel, grid, cell, one
            except ValueError as error:
                raise self._too_little(error, one) from error

    def _too_little(self, error: ValueError, laid: LaidBoard) -> InputError:
        return InputError(
            [Problem(f"{error}; the mapping may say it, as board.size", f"{self.where}: {laid.board.name}")]
        )


def open_board(module: Path | None, save: Path | None, entry: BoardEntry) -> tuple[VassalBoard, Module]:
    """Read a module, a save, or both.

    Parameters
    ----------
    module, save : Path or None
        The files; at least one.
    entry : BoardEntry
        Which board is meant, and what no file says of it.

    Raises
    ------
    InputError
        If one can't be read, or no board with a hex grid is found.
    """
    told = Module() if module is None else load_module(module)
    game = None if save is None else load_save(save, told.prototypes)
    where = str(module or save)
    chosen = {} if game is None else game.boards
    window, names = _chosen(told, chosen, entry, where)
    boards = []
    for name, column, row in names:
        board = window.boards.get(name.removesuffix("/rev"), ModuleBoard(name))
        if entry.size is not None:
            board = replace(board, size=entry.size)
        if entry.grid is not None:
            board = replace(board, grid=_grid(entry.grid), zones=())
        boards.append((board, name.endswith("/rev") and name not in window.boards, column, row))
    if not any(board.grid or any(zone.grid for zone in board.zones) for board, *_ in boards):
        what = "a board must have a hex grid; where no module has it, the mapping may say it, as board.grid"
        raise InputError([Problem(what, f"{where}: {boards[0][0].name or window.name}")])
    laid = [
        one for one in _laid(window, boards, entry, where) if entry.board in ("", one.board.name.removesuffix("/rev"))
    ]
    _ensure_distinct(laid, where)
    return VassalBoard(window, tuple(laid), game, where), told


def _laid(
    window: Window, boards: Sequence[tuple[ModuleBoard, bool, int, int]], entry: BoardEntry, where: str
) -> Iterator[LaidBoard]:
    """Yield boards as VASSAL lays them out: each beside those of its row, and below those of its column."""
    sizes = {(column, row): board.size for board, _, column, row in boards}
    for board, turned, column, row in boards:
        beside = [size for (one, other), size in sizes.items() if other == row and 0 <= one < column]
        above = [size for (one, other), size in sizes.items() if one == column and 0 <= other < row]
        if None in beside or None in above:
            what = f"the sizes of boards that lie beside each other on {window.name} must be known: as board.size"
            raise InputError([Problem(what, where)])
        left, top = window.edge
        corner = left + sum(size[0] for size in beside if size), top + sum(size[1] for size in above if size)
        yield LaidBoard(board, turned, corner, entry.boards.get(board.name.removesuffix("/rev"), entry.label))


def _ensure_distinct(boards: Sequence[LaidBoard], where: str) -> None:
    """Ensure that hexes of boards side by side aren't called the same."""
    known: dict[str, str] = {}
    for one in boards if len(boards) > 1 else ():
        try:
            labels = [label for label, *_ in one.cells()]
        except ValueError as error:
            raise InputError([Problem(f"{error}; the mapping may say it, as board.size", where)]) from error
        twice = next((label for label in labels if label in known), None)
        if twice is not None:
            names = ", ".join(
                f'{board.board.name!r} = "{chr(97 + number)}{{label}}"' for number, board in enumerate(boards)
            )
            what = (
                f"the boards {known[twice]!r} and {one.board.name!r} both have a hex {twice}: board.boards must tell them "
                f"apart, as boards = {{ {names} }}, or board.board name the one to read"
            )
            raise InputError([Problem(what, where)])
        known.update(dict.fromkeys(labels, one.board.name))


def _chosen(
    module: Module, chosen: dict[str, list[tuple[str, int, int]]], entry: BoardEntry, where: str
) -> tuple[Window, list[tuple[str, int, int]]]:
    """Return the map that is meant, and the names of the boards on it, with the column and row in which each lies."""
    windows = dict(module.windows)
    for name in chosen:
        windows.setdefault(name, Window(name, (0, 0), {}))
    if not windows:
        raise InputError([Problem("must have a map", where)])
    if entry.window and entry.window not in windows:
        names = ", ".join(map(repr, windows))
        raise InputError([Problem(f"board.window must be one of {names}, not {entry.window!r}", where)])
    window = windows[entry.window] if entry.window else max(windows.values(), key=_worth)
    shown = chosen.get(window.name, [])
    known = [*dict.fromkeys([*(name for name, *_ in shown), *window.boards])]
    for named, key in ((entry.board, "board.board"), *((name, "board.boards") for name in entry.boards)):
        if named and named not in (one.removesuffix("/rev") for one in known):
            raise InputError([Problem(f"{key} must be one of {', '.join(map(repr, known))}, not {named!r}", where)])
    if shown and entry.board in ("", *(name.removesuffix("/rev") for name, *_ in shown)):
        return window, shown
    return window, [(next((one for one in known if entry.board in ("", one)), entry.board), 0, 0)]


def _worth(window: Window) -> tuple[bool, int]:
    """Return by what the map with the hexes is known: it has a hex grid, and is large."""
    boards = window.boards.values()
    hexagonal = any(board.grid is not None or any(zone.grid for zone in board.zones) for board in boards)
    return hexagonal, max((board.size[0] * board.size[1] for board in boards if board.size), default=0)


def _grid(entry: GridEntry) -> HexGrid:
    numbers = GridNumbers(
        entry.first,
        entry.sep,
        offsets=(entry.h_off, entry.v_off),
        descending=(entry.h_descend, entry.v_descend),
        stagger=entry.stagger,
    )
    return HexGrid(entry.dx, entry.dy, (entry.x0, entry.y0), entry.sideways, numbers)


def read_vassal(module: Path | None, save: Path | None, entry: BoardEntry, words: Iterable[str] | None = None) -> Found:
    """Return what a module and a save hold; the first parameters and errors as `open_board`.

    Parameters
    ----------
    module, save, entry : Path or None, Path or None, BoardEntry
        As there.
    words : iterable of str, optional
        The words for terrain that the mapping has: of colours among them, each hex of the picture gets the nearest. Absent:
        none has been said yet, and words are made of all colours that the hexes have.
    """
    board, told = open_board(module, save, entry)
    found = Found(remarks=list(told.remarks))
    found.notes.append(f"{'board' if len(board.boards) == 1 else 'boards'} {board.called} on {board.window.name!r}")
    if told.sides:
        found.notes.append(f"sides of the module: {', '.join(told.sides)}")
    if all(one.board.size is not None or one.board.grid is None for one in board.boards):
        _tell_hexes(board, found)
        known = None if words is None else colours_among(words)
        if module is not None and known != {}:
            _tell_colours(board, module, known, found)
    if board.save is not None:
        found.remarks += board.save.remarks
        decks = {piece for stack in board.save.stacks.values() if stack.deck for piece in stack.pieces}
        for piece in board.save.pieces.values():
            if piece.id not in decks:
                found.pieces.append(_piece(piece, board))
    return found


def _tell_hexes(board: VassalBoard, found: Found) -> None:
    """Note the hexes of the boards and which lie next to which."""
    labels: dict[tuple[LaidBoard, HexGrid, tuple[int, int]], str] = {}
    pixels: dict[str, tuple[Pixel, LaidBoard, HexGrid]] = {}
    for label, pixel, grid, cell, laid in board.hexes():
        if label in found.hexes:
            found.remarks.append(f"hex {label} is on the board twice: the second one is passed over")
            continue
        found.hexes[label] = []
        labels[laid, grid, cell] = label
        pixels[label] = pixel, laid, grid
    for (laid, grid, cell), label in labels.items():
        beside = (labels.get((laid, grid, other)) for other in neighbours(*cell))
        found.near[label] = {other for other in beside if other is not None}
    if len(board.boards) > 1 and pixels:
        for one, other in _across(pixels):
            found.near[one].add(other)


def _tell_colours(board: VassalBoard, module: Path, known: dict[str, Colour] | None, found: Found) -> None:
    """Note the colour of each hex, as a word for its terrain; `known`: the words among which it is to be, None: any."""
    if known is None and not available():
        if any(laid.board.image for laid in board.boards):
            found.notes.append(
                "colours of the map's picture can be read, too, with another package: pip install pillow"
            )
        return
    colours: dict[str, Colour] = {}
    for laid in board.boards:
        spots = {label: grid.centre(*cell) for label, _, grid, cell, one in board.hexes() if one is laid}
        grids = [grid for _, _, grid, _, one in board.hexes() if one is laid]
        if laid.board.image and spots:
            content, where = Archive(module).read(laid.board.image), f"{module}: {laid.board.image}"
            try:
                colours |= colours_of(content, spots, min(grid.dy for grid in grids), where)
            except InputError as error:
                if known is not None:
                    raise
                found.notes += [str(one) for one in error.problems]
    words = grouped(colours) if known is None else nearest(colours, known)
    for label, word in words.items():
        found.hexes[label].append(word)
    bare = [label for label in found.hexes if label not in words]
    if words and known is None:
        found.notes.append("words such as #c8d2a0 are colours of the map's picture: that which most of a hex has")
    if bare and (words or known is not None):
        what = "several colours or none" if known is None else "no colour that the mapping has"
        told = f"the picture has {what} in {shortly(bare)}: it doesn't say what terrain is there"
        (found.notes if known is None else found.remarks).append(told)


def _across(pixels: dict[str, tuple[Pixel, LaidBoard, HexGrid]]) -> Iterator[tuple[str, str]]:
    """Yield the hexes of different boards that lie beside each other, each pair both ways."""
    squares: dict[tuple[int, int], list[str]] = {}
    most = max(NEAR * max(grid.dy, hypot(grid.dx, grid.dy / 2)) for _, _, grid in pixels.values())
    for label, ((x, y), *_) in pixels.items():
        squares.setdefault((floor(x / most), floor(y / most)), []).append(label)
    for label, ((x, y), laid, _) in pixels.items():
        column, row = floor(x / most), floor(y / most)
        for near in ((column + dx, row + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
            for other in squares.get(near, ()):
                (a, b), theirs, _ = pixels[other]
                if theirs is not laid and hypot(a - x, b - y) <= most:
                    yield label, other


def _piece(piece: Piece, board: VassalBoard) -> FoundPiece:
    label, area = board.place(piece)
    where = f"{piece.map or 'on no map'} {piece.x},{piece.y}"
    return FoundPiece(piece.id, piece.name, label, area, where, piece.image, piece.properties)
