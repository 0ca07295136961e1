"""A piece of VASSAL: a chain of traits around a name, and the properties that they give it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from planner.exchange.sequences import decode, decode_pair

MOST_TRAITS = 200
"""More traits around one piece are refused; those of real games have a few dozen."""
LONGEST_PIECE = 256 * 2**10
"""Characters of a piece's type and of its state."""
_PROTOTYPES_DEEP = 10

Chain = tuple[tuple[str, str], ...]
"""Traits and their states, outermost first; the last is the piece itself."""


class TraitError(ValueError):
    """A chain of traits that can't be read; the message says what must hold."""


@dataclass(frozen=True)
class Piece:
    """A piece.

    Attributes
    ----------
    id : str
        By which the save calls it.
    map : str
        The window of the map on which it lies; empty if on none.
    x, y : int
        Where it lies there, in pixels.
    name : str
        Its basic name.
    image : str
        The file of its picture.
    properties : mapping from str to str
        What its traits say of it, by the names that VASSAL gives the properties: those of markers, dynamic properties,
        labels and property sheets by their own; of a layer ``L``, ``L_Level``, ``L_Active`` and ``L_Image``;
        ``Moved``; ``Facing``; ``HiddenBy``, ``MaskedBy`` and ``OwnedBy`` for whoever has hidden, masked or taken it.
    """

    id: str
    map: str
    x: int
    y: int
    name: str
    image: str
    properties: Mapping[str, str]


def chain(types: str, states: str) -> Chain:
    """Return the traits of a piece with their states.

    Raises
    ------
    TraitError
        If there are too many, or it is too long.
    """
    if max(len(types), len(states)) > LONGEST_PIECE:
        raise TraitError(f"a piece must have at most {LONGEST_PIECE:,} letters")
    found: list[tuple[str, str]] = []
    inner: str | None = types
    state: str | None = states
    while inner is not None:
        if len(found) == MOST_TRAITS:
            raise TraitError(f"a piece must have at most {MOST_TRAITS} traits")
        one, inner = decode_pair(inner, "\t")
        own, state = ("", None) if state is None else decode_pair(state, "\t")
        found.append((one, own))
    return tuple(found)


def read_piece(ident: str, types: str, states: str, prototypes: Mapping[str, Chain]) -> Piece:
    """Read a piece.

    Parameters
    ----------
    ident : str
        By which the save calls it.
    types, states : str
        Its type and its state, as they stand in the command that adds it.
    prototypes : mapping from names to chains
        The prototypes of the module.

    Raises
    ------
    TraitError
        If it can't be read.
    """
    traits = chain(types, states)
    basic, state = traits[-1]
    if not basic.startswith("piece;"):
        raise TraitError("the innermost trait of a piece must be piece")
    kind, place = decode(basic, ";"), decode(state, ";")
    if len(place) < 3:
        raise TraitError("the state of a piece must have its map and two coordinates")
    properties: dict[str, str] = {}
    _tell(traits[:-1], prototypes, properties, _PROTOTYPES_DEEP)
    name = _at(kind, 4)
    for key, text in properties.items():
        properties[key] = re.sub(
            r"\$(\w{1,60})\$", lambda found: properties.get(found[1], found[0])[:200], text[:1_000]
        )
    return Piece(
        ident, "" if place[0] == "null" else place[0], pixel(place[1]), pixel(place[2]), name, _at(kind, 3), properties
    )


def pixel(text: str) -> int:
    """Read a coordinate.

    Raises
    ------
    TraitError
        If it is none, or so large that no map has it.
    """
    if not re.fullmatch(r"-?\d{1,6}", text, re.ASCII):
        raise TraitError(f"a coordinate must be a whole number below a million, not {text[:20]!r}")
    return int(text)


def _at(items: list[str], index: int) -> str:
    return items[index] if index < len(items) else ""


def _tell(traits: Chain, prototypes: Mapping[str, Chain], properties: dict[str, str], deep: int) -> None:
    """Note what traits say; where two say it, the outer one counts, as in VASSAL."""
    for kind, state in traits:
        fields = decode(kind, ";")
        if fields[0] == "prototype" and deep:
            _tell(prototypes.get(_at(fields, 1), ())[:-1], prototypes, properties, deep - 1)
            continue
        for key, value in _told(fields, kind, state):
            if key and len(properties) < 1_000:
                properties.setdefault(key, value)


def _told(fields: list[str], kind: str, state: str) -> list[tuple[str, str]]:
    """Return the properties that one trait gives."""
    first = decode(state, ";")[0]
    match fields[0]:
        case "mark":
            values = decode(state, ",")
            return [(key, _at(values, index)) for index, key in enumerate(decode(kind.partition(";")[2], ","))]
        case "PROP":
            return [(_at(fields, 1), state)]
        case "emb2":
            return _layer(fields, first)
        case "label":
            return [(_at(fields, 16) or "TextLabel", state), ("label", state)]
        case "propertysheet":
            names = [name[1:] for name in decode(_at(fields, 1), "~")]
            return list(zip(names, decode(state, "~"), strict=False))
        case "markmoved":
            return [("Moved", first)]
        case "rotate":
            return [("Facing", first)]
        case "hide":
            return [("HiddenBy", "" if first == "null" else first)]
        case "obs":
            return [("MaskedBy", "" if first == "null" else first)]
        case "restrict":
            return [("OwnedBy", "" if first == "null" else first)]
    return []


def _layer(fields: list[str], state: str) -> list[tuple[str, str]]:
    """Return the properties of a layer: the level is negative where it isn't shown."""
    name = _at(fields, 19)
    if not name or not re.fullmatch(r"-?\d{1,4}", state, re.ASCII):
        return []
    level = int(state)
    images = decode(_at(fields, 16), ",")
    shown = images[level - 1] if 0 < level <= len(images) else ""
    return [
        (f"{name}_Level", str(abs(level))),
        (f"{name}_Active", "true" if level > 0 else "false"),
        (f"{name}_Image", shown),
    ]
