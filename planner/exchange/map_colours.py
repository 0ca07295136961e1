"""The colour that most of a hex has on the picture of a map: a word for its terrain, where no file has another.

Roads, rivers and whatever lies on hexsides isn't looked for, nor are symbols: only the one colour of each hex.
"""

from __future__ import annotations

import io
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping
from math import hypot
from typing import cast

from planner.errors import InputError, Problem
from planner.exchange.hex_grid import Pixel

Colour = tuple[int, int, int]

ALIKE = 40
"""So far apart, as red, green and blue from 0 to 255 go, colours of one terrain may be: shades, paper, compression."""
MOST_OF = 0.55
"""What part of the middle of a hex must be of one colour."""
MIDDLE = 0.36
"""How far the middle of a hex reaches, of its height: its edge and its label lie outside."""
FINE = 20
"""Pixels that a hex is high when it is looked at: paper and hatching have become one colour then."""
_COARSE = 16
_WORD = re.compile(r"#[0-9a-f]{6}", re.ASCII)


def colours_among(words: Iterable[str]) -> dict[str, Colour]:
    """Return the words that are colours, such as ``#c8d2a0``, with what they stand for."""
    return {word: _colour(word) for word in words if _WORD.fullmatch(word)}


def _colour(word: str) -> Colour:
    return int(word[1:3], 16), int(word[3:5], 16), int(word[5:7], 16)


def available() -> bool:
    """Tell whether pictures can be read; the extra ``colours`` brings what reads them."""
    try:
        import PIL  # noqa: F401
    except ImportError:
        return False
    return True


def colours_of(content: bytes, spots: Mapping[str, Pixel], height: float, where: str) -> dict[str, Colour]:
    """Return the colour of each hex that has one; those of which no colour has the most are left out.

    Parameters
    ----------
    content : bytes
        The picture.
    spots : mapping from labels to pairs of int
        The middle of each hex, in pixels.
    height : float
        How high a hex is.
    where : str
        What to call the picture.

    Raises
    ------
    InputError
        If the extra isn't installed, or it is no picture that can be read, or too large a one.
    """
    if not available():
        raise InputError([Problem("colours of a map need another package: pip install pillow", where)])
    from PIL import Image, UnidentifiedImageError

    step = max(1, int(height / FINE))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # what is far too large is an error
            with Image.open(io.BytesIO(content), formats=("PNG", "GIF", "JPEG")) as picture:
                width = picture.width
                picture.draft("RGB", (width // step, picture.height // step))
                small = picture.convert("RGB")
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError, ValueError) as error:
        told = (
            "larger than allowed" if isinstance(error, Image.DecompressionBombError) else "damaged, or of another sort"
        )
        what = f"must be a picture (PNG, GIF, JPEG) that can be read: this one is {told}"
        raise InputError([Problem(what, where)]) from error
    small = small.reduce(max(1, small.width * step // width))
    scale = small.width / width
    radius = int(MIDDLE * height * scale)
    disc = [
        (dx, dy)
        for dx in range(-radius, radius + 1)
        for dy in range(-radius, radius + 1)
        if dx * dx + dy * dy <= radius * radius
    ]
    found = {}
    for label, (x, y) in spots.items():
        seen = [
            small.getpixel((column, row))
            for column, row in ((int(x * scale) + dx, int(y * scale) + dy) for dx, dy in disc)
            if 0 <= column < small.width and 0 <= row < small.height
        ]
        colour = _most_of(cast("list[Colour]", seen))
        if colour is not None:
            found[label] = colour
    return found


def _most_of(seen: list[Colour]) -> Colour | None:
    """Return the colour that most pixels are alike to; None if it is not `MOST_OF` them."""
    if not seen:
        return None
    coarse = Counter(map(_coarse, seen))
    (most, _), *_ = coarse.most_common(1)
    centre = (most[0] * _COARSE + _COARSE // 2, most[1] * _COARSE + _COARSE // 2, most[2] * _COARSE + _COARSE // 2)
    alike = [one for one in seen if _apart(one, centre) <= ALIKE]
    return _mean(alike) if len(alike) >= MOST_OF * len(seen) else None


def _apart(one: Colour, other: Colour) -> float:
    return hypot(*(a - b for a, b in zip(one, other, strict=True)))


def _mean(colours: list[Colour]) -> Colour:
    red, green, blue = (sum(one[index] for one in colours) // len(colours) for index in range(3))
    return red, green, blue


def grouped(colours: Mapping[str, Colour]) -> dict[str, str]:
    """Return a word for the colour of each hex, one word for those that are alike: that of the mean of these.

    The colours that most hexes are near to come first.
    """
    coarse = Counter(map(_coarse, colours.values()))
    order = sorted(colours, key=lambda label: (-coarse[_coarse(colours[label])], colours[label]))
    groups: list[tuple[Colour, list[str]]] = []
    for label in order:
        near = min(groups, key=lambda group: _apart(group[0], colours[label]), default=None)
        if near is not None and _apart(near[0], colours[label]) <= ALIKE:
            near[1].append(label)
        else:
            groups.append((colours[label], [label]))
    return {label: word for _, labels in groups for word in [_word(colours, labels)] for label in labels}


def _coarse(colour: Colour) -> Colour:
    return colour[0] // _COARSE, colour[1] // _COARSE, colour[2] // _COARSE


def _word(colours: Mapping[str, Colour], labels: list[str]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*_mean([colours[label] for label in labels]))


def nearest(colours: Mapping[str, Colour], known: Mapping[str, Colour]) -> dict[str, str]:
    """Return for each hex the word among some that is nearest to its colour; those are left out that are near to none."""
    found = {}
    for label, colour in colours.items():
        word = min(known, key=lambda one: _apart(known[one], colour))
        if _apart(known[word], colour) <= 1.5 * ALIKE:
            found[label] = word
    return found
