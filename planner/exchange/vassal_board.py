"""A save of VASSAL on the board of its module: in which hex each piece lies, and which hexes there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from planner.errors import InputError, Problem
from planner.exchange.found import Found, FoundPiece
from planner.exchange.hex_grid import GridNumbers, HexGrid, Pixel, neighbours
from planner.exchange.mapping import BoardEntry, GridEntry
from planner.exchange.patterns import fill
from planner.exchange.vassal_module import Board, Module, Window, load_module
from planner.exchange.vassal_piece import Piece
from planner.exchange.vassal_save import SavedGame, load_save


@dataclass
class VassalBoard:
    """One board of a module, with a save on it.

    Attributes
    ----------
    window : Window
        The map on which it lies.
    board : Board
        The board.
    reversed : bool
        Whether it lies the other way round.
    form : str
        The label of a hex in the scenario, of what VASSAL calls it.
    save : SavedGame or None
        The save.
    where : str
        What to call the files in messages.
    """

    window: Window
    board: Board
    reversed: bool
    form: str
    save: SavedGame | None
    where: str

    def place(self, piece: Piece) -> tuple[str, str]:
        """Return the label of the hex in which a piece lies, or else empty; and the map or zone in which it is.

        Raises
        ------
        InputError
            If it can't be told because nothing says how large the board is.
        """
        if piece.map != self.window.name:
            return "", piece.map
        try:
            name, hexagonal = self.board.place(*self._on_board(piece.x, piece.y))
        except ValueError as error:
            raise self._too_little(error) from error
        return (fill(self.form, {"label": name}), piece.map) if hexagonal else ("", name or piece.map)

    def hexes(self) -> Iterator[tuple[str, Pixel, HexGrid, tuple[int, int]]]:
        """Yield each hex: its label, where its pieces lie on the map, its grid, and line and place in it.

        Raises
        ------
        InputError
            If nothing says how large the board is, or it has too many.
        """
        try:
            for name, grid, cell in self.board.cells():
                x, y = self._on_board(*grid.centre(*cell), back=True)
                yield fill(self.form, {"label": name}), (x, y), grid, cell
        except ValueError as error:
            raise self._too_little(error) from error

    def _on_board(self, x: int, y: int, back: bool = False) -> Pixel:
        """Return the pixel of the board at which one of the map lies, or the other way round."""
        left, top = self.window.edge
        if not back:
            x, y = x - left, y - top
        if self.reversed:
            if self.board.size is None:
                raise ValueError("the size of a board that is turned round must be known")
            x, y = self.board.size[0] - x, self.board.size[1] - y
        return (x + left, y + top) if back else (x, y)

    def _too_little(self, error: ValueError) -> InputError:
        return InputError(
            [Problem(f"{error}; the mapping may say it, as board.size", f"{self.where}: {self.board.name}")]
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
    window, name = _chosen(told, chosen, entry, where)
    turned = name.endswith("/rev") and name not in window.boards
    board = window.boards.get(name.removesuffix("/rev"), Board(name))
    if entry.size is not None:
        board = replace(board, size=entry.size)
    if entry.grid is not None:
        board = replace(board, grid=_grid(entry.grid), zones=())
    if board.grid is None and not any(zone.grid for zone in board.zones):
        what = "a board must have a hex grid; where no module has it, the mapping may say it, as board.grid"
        raise InputError([Problem(what, f"{where}: {board.name or window.name}")])
    return VassalBoard(window, board, turned, entry.label, game, where), told


def _chosen(
    module: Module, chosen: dict[str, list[tuple[str, int, int]]], entry: BoardEntry, where: str
) -> tuple[Window, str]:
    """Return the map and the name of the board that are meant."""
    windows = dict(module.windows)
    for name in chosen:
        windows.setdefault(name, Window(name, (0, 0), {}))
    if not windows:
        raise InputError([Problem("must have a map", where)])
    if entry.window and entry.window not in windows:
        names = ", ".join(map(repr, windows))
        raise InputError([Problem(f"board.window must be one of {names}, not {entry.window!r}", where)])
    window = windows[entry.window] if entry.window else max(windows.values(), key=_worth)
    on_it = chosen.get(window.name, [])
    if len({(x, y) for _, x, y in on_it}) > 1 and not entry.board:
        what = (
            f"{window.name} shows {len(on_it)} boards beside each other; only one can be read: have board.board name it"
        )
        raise InputError([Problem(what, where)])
    if entry.board and any(name.removesuffix("/rev") == entry.board and (x or y) for name, x, y in on_it):
        raise InputError([Problem(f"board {entry.board!r} must be the first of those on {window.name}", where)])
    known = [*(name for name, *_ in on_it), *window.boards]
    if entry.board and entry.board not in (one.removesuffix("/rev") for one in known):
        raise InputError(
            [Problem(f"board.board must be one of {', '.join(map(repr, known))}, not {entry.board!r}", where)]
        )
    return window, next((one for one in known if entry.board in ("", one.removesuffix("/rev"))), entry.board)


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


def read_vassal(module: Path | None, save: Path | None, entry: BoardEntry) -> Found:
    """Return what a module and a save hold; parameters and errors as `open_board`."""
    board, told = open_board(module, save, entry)
    found = Found(remarks=list(told.remarks))
    found.notes.append(f"board {board.board.name!r} on {board.window.name!r}")
    if told.sides:
        found.notes.append(f"sides of the module: {', '.join(told.sides)}")
    if board.board.size is not None or board.board.grid is None:
        _tell_hexes(board, found)
    if board.save is not None:
        found.remarks += board.save.remarks
        decks = {piece for stack in board.save.stacks.values() if stack.deck for piece in stack.pieces}
        for piece in board.save.pieces.values():
            if piece.id not in decks:
                found.pieces.append(_piece(piece, board))
    return found


def _tell_hexes(board: VassalBoard, found: Found) -> None:
    """Note the hexes of a board and which lie next to which."""
    labels: dict[tuple[HexGrid, tuple[int, int]], str] = {}
    for label, _, grid, cell in board.hexes():
        if label in found.hexes:
            found.remarks.append(f"hex {label} is on the board twice: the second one is passed over")
            continue
        found.hexes[label] = []
        labels[grid, cell] = label
    for (grid, cell), label in labels.items():
        beside = (labels.get((grid, other)) for other in neighbours(*cell))
        found.near[label] = {other for other in beside if other is not None}


def _piece(piece: Piece, board: VassalBoard) -> FoundPiece:
    label, area = board.place(piece)
    where = f"{piece.map or 'on no map'} {piece.x},{piece.y}"
    return FoundPiece(piece.id, piece.name, label, area, where, piece.image, piece.properties)
