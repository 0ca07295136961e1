"""A first mapping, written from what some files hold: what can be guessed is, the rest is marked ``?``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from planner.exchange.found import Found, FoundPiece
from planner.exchange.mapping import named
from planner.formats.files import parse_toml, read_text
from planner.formats.hex_lists import shortly
from planner.printable import printable
from planner.rules.rulebook import Rulebook

MOST_RULES = 500
"""So many sorts of pieces get a rule."""
_VALUES = re.compile(r"(?<![\d-])\d+(?:-\d+){1,3}(?![\d-])", re.ASCII)
_UNASKED = re.compile(r"_Image$|_Active$|^Moved$|^Facing$|^label$|^Notes$")
"""Properties that hardly say what a piece is."""


def board_lines(mapping: Path) -> list[str]:
    """Return what a mapping says of the board, each key on a line.

    Raises
    ------
    InputError
        If it isn't TOML.
    """
    board = parse_toml(read_text(mapping), str(mapping)).get("board", {})
    return [f"{key} = {_value(value)}" for key, value in board.items()] if isinstance(board, Mapping) else []


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _quoted(key)


def _value(value: object) -> str:
    """Return a value of a mapping on one line."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(key)} = {_value(one)}' for key, one in value.items())} }}"
    return json.dumps(value, ensure_ascii=False)


def draft(
    found: Found, model: str, rulebook: Rulebook | None, sources: Sequence[str], board: Sequence[str] = ()
) -> str:
    """Return a mapping file.

    Parameters
    ----------
    found : Found
        What the files hold.
    model : str
        The game; empty if nobody has said it.
    rulebook : Rulebook or None
        The same, read.
    sources : sequence of str
        The names of the files.
    board : sequence of str
        What is known of the board already, as `board_lines` has it.
    """
    lines = [
        f'# A first mapping of {", ".join(sources)}: what is marked "?" is for you to say.',
        "# docs/importing.md tells what else can be said.",
        *(f"# {note}" for note in found.notes),
        'format = "planner/mapping-1"',
        f"model = {_quoted(model or '?')}",
        '# template = "MAP.toml"         # a scenario of the game: everything is taken from it but the units',
    ]
    if rulebook is not None:
        forces = rulebook.forces
        lines += [
            f"phase = {_quoted(rulebook.turn[0].phase)}  # one of {', '.join(forces.phases)}",
            f"phasing = {_quoted(rulebook.turn[0].side)}  # one of {', '.join(forces.sides)}",
            "",
            f"# Types of units: {', '.join(forces.unit_types)}",
            f"# Terrain: {', '.join(rulebook.terrain.terrain)}",
            f"# On hexsides: {', '.join(sorted(rulebook.terrain.features()))}",
        ]
    lines += ["", "[board]", *board]
    named_already = {line.partition(" = ")[0] for line in board}
    if "rest" in named_already:
        pass
    elif found.hexes and not any(found.hexes.values()):
        lines.append(f'rest = "?"  # the terrain of the {len(found.hexes)} hexes, of which the files say none')
    elif not all(found.hexes.values()):
        lines.append('# rest = "?"                    # the terrain of hexes of which the files say none')
    if "label" not in named_already:
        lines.append('# label = "w{label}"            # how a hex is called in the game, of what the file calls it')
    lines.append("")
    lines += _words(found, rulebook)
    areas = dict.fromkeys(piece.area for piece in found.pieces if piece.area and not piece.place)
    if areas:
        lines += [
            "[boxes]                         # of pieces that lie in no hex",
            *(f'# {_quoted(one)} = "?"' for one in areas),
            "",
        ]
    groups: dict[tuple[str, ...], list[FoundPiece]] = {}
    for piece in found.pieces:
        groups.setdefault((piece.name, *_guess(piece, rulebook)), []).append(piece)
    for (name, side, kind, values), pieces in list(groups.items())[:MOST_RULES]:
        lines += _rule(name, pieces, {"side": side, "type": kind, "values": values})
    if len(groups) > MOST_RULES:
        lines.append(
            f'# and {len(groups) - MOST_RULES} more sorts of pieces, for which patterns such as name = "INF-*" will do'
        )
    return "\n".join(printable(line) for line in lines) + "\n"


def _quoted(text: str) -> str:
    """Return a text as a TOML string."""
    return json.dumps(printable(text), ensure_ascii=False)


def _words(found: Found, rulebook: Rulebook | None) -> Iterable[str]:
    """Yield the tables of words for terrain and for hexsides."""
    hexes: dict[str, list[str]] = {}
    for label, words in found.hexes.items():
        for word in dict.fromkeys(words):
            hexes.setdefault(word, []).append(label)
    sides: dict[str, list[str]] = {}
    for word, a, b in found.hexsides:
        sides.setdefault(word, []).append(f"{a}/{b}")
    for table, chart, told in (("terrain", "terrain", hexes), ("hexsides", "features", sides)):
        if told:
            yield f"[{table}]"
            for word, labels in told.items():
                known = word if rulebook is None else named(rulebook, chart, word)
                guess = known if rulebook is not None and known in rulebook.known(chart) else "?"
                yield f"{_quoted(word)} = {_quoted(guess)}  # {shortly(labels, 'of them')}"
            yield ""


def _guess(piece: FoundPiece, rulebook: Rulebook | None) -> tuple[str, str, str]:
    """Return side, type and values of a piece, as far as its name and properties give them away."""
    said = [*piece.properties.values(), *re.split(r"[\s_\-/]+", piece.name)]
    side = kind = "?"
    if rulebook is not None:
        forces = rulebook.forces
        side = next((name for text in said if (name := named(rulebook, "sides", text)) in forces.sides), "?")
        kinds = (named(rulebook, "unit_types", text) for text in (*said, piece.name))
        kind = next((name for name in kinds if name in forces.unit_types), "?")
    count = 0 if rulebook is None else len(rulebook.forces.counter)
    values = ""
    for key, text in (*piece.properties.items(), ("", piece.name)):
        printed = _VALUES.fullmatch(text) if key else _VALUES.search(text)
        if printed and (not count or printed[0].count("-") + 1 == count):
            values = f"{{{key}}}" if key and "{" not in key and "}" not in key else printed[0]
            break
    return side, kind, values


def _rule(name: str, pieces: list[FoundPiece], said: dict[str, str]) -> list[str]:
    """Return the rule for some pieces, with what tells them apart in a remark."""
    telling = {key: value for key, value in pieces[0].properties.items() if value and not _UNASKED.search(key)}
    places = [piece.place or piece.area or "nowhere" for piece in pieces]
    properties = "; ".join(f"{key} = {value[:40]}" for key, value in list(telling.items())[:8])
    lines = ["[[piece]]", f"name = {_quoted(name)}  # {len(pieces)}: {shortly(list(dict.fromkeys(places)), 'places')}"]
    if properties:
        lines.append(f"# {properties}")
    lines += [f"{key} = {_quoted(value)}" for key, value in said.items() if value]
    own = _own_name(pieces)
    if own:
        lines += [f"{key} = {_quoted(f'{{{own}}}')}  # by which these {len(pieces)} differ" for key in ("id", "called")]
    if not any(piece.place for piece in pieces):
        lines.append("# skip = true                   # if it is no unit")
    return [*lines, ""]


def _own_name(pieces: list[FoundPiece]) -> str:
    """Return the property by which pieces of one name are told apart, such as a label on each; empty if there is none."""
    for key in pieces[0].properties if len(pieces) > 1 else ():
        said = {piece.properties.get(key, "").strip() for piece in pieces}
        if len(said) == len(pieces) and all(re.search(r"[^\W\d_]", one) for one in said) and not {"{", "}"} & {*key}:
            return key
    return ""
