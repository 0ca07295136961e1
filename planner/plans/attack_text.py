"""Attacks as players write them: ``a+b -> 0303``; see `planner.world.declared_attack.DeclaredAttack`."""

from __future__ import annotations

import re

from planner.errors import InputError, Problem
from planner.formats.ids import HEX_LABEL, RESULT_CODE, UNIT_ID
from planner.world.declared_attack import DeclaredAttack

_UNITS = rf"{UNIT_ID}(?:\s*\+\s*{UNIT_ID})*"
_HEXES = rf"{HEX_LABEL}(?:\s*\+\s*{HEX_LABEL})*"
_WAY = rf"{UNIT_ID}\s+{HEX_LABEL}(?:\s*-\s*{HEX_LABEL})+"
_SIGN = re.compile("[>\u2190-\u21ff]|attack")
"""What no attack is without. The longer patterns below are texts: few plans have attacks, and compiling takes its time."""
_ATTACK = (
    rf"\s*(?P<attackers>{_UNITS})\s*->\s*(?P<hexes>{_HEXES})(?:\s*\(\s*(?P<defenders>{_UNITS})\s*\))?"
    rf"(?:\s*=\s*(?P<result>{RESULT_CODE})(?:\s+(?P<ways>{_WAY}(?:\s*,\s*{_WAY})*))?)?\s*"
)
_NONE = re.compile(r"\s*no\s+(?P<other>other\s+)?attacks\s*", re.ASCII)
_MEANT = rf"\s*{_UNITS}\s*(?:(?:->|=>|>|[\u2190-\u21ff])\s*{HEX_LABEL}\s*(?:[+(=:,&]|[A-Z]{{2}}\b|$)|attacks?\s)"
_OTHER_SIGNS = (
    (r"=>|-{2,}>|[\u2190-\u21ff]|\battacks?\b|(?<=\s)>", "->"),
    (rf"(?<=\w)\s*(?:,|&|\band\b)\s*(?={UNIT_ID}\s*(?:->|\+))", "+"),
    (rf"(?<=\d)\s*(?:,|&|\band\b)\s*(?={HEX_LABEL}\s*(?:[+(=]|$))", "+"),
    (rf"(?<=\d)(?:\s*:\s*(?={RESULT_CODE}\b)|\s+(?=[A-Z]{{2}}(?:\s|$)))", "="),
    (r"[\u2010-\u2015\u2212]", "-"),
)

NO_ATTACKS = "no attacks"
"""The line of a plan that declares none."""

NO_OTHERS = "no other attacks"
"""The line that says that no others are declared, or have been, than those that are written."""


_BARE = rf"\s*(?P<units>{_UNITS})\s*->\s*"
"""An attack, or a destination, of which nobody has said where to."""

_ODDS = r"(?<=\s)(at\s+(?:\d{1,4}\s*:\s*\d{1,4}|[-+]\d{1,4}))(?![\w:])"
"""Odds, or a difference, as a question about an attack has them."""


def is_no_attack(text: str) -> bool:
    """Tell whether a line says that no attacks, or no others, are declared."""
    return _NONE.fullmatch(text) is not None


def is_attack(text: str) -> bool:
    """Tell whether a line is, or is meant to be, an attack, not a move."""
    if _SIGN.search(text) is None:
        return False
    found = (re.fullmatch(_ATTACK, text, re.ASCII), re.fullmatch(_BARE, text, re.ASCII), re.match(_MEANT, text))
    return any(one is not None for one in found)


def parse_attack(text: str) -> DeclaredAttack:
    """Read an attack as players write it.

    Raises
    ------
    InputError
        If the text isn't an attack, or names somebody or something twice.
    """
    match = re.fullmatch(_ATTACK, text, re.ASCII)
    if (bare := re.fullmatch(_BARE, text, re.ASCII)) is not None:
        raise InputError([Problem(f"after -> must come a hex, as in '{bare['units']} -> 0303'", f"line {text[:80]!r}")])
    if match is None:
        what = 'an attack must look like "a+b -> 0303" or "a+b -> 0303+0304"'
        raise InputError([Problem(odds_beside(text) or what + _spelling(text), f"attack {text[:80]!r}")])
    found = DeclaredAttack(
        tuple(re.findall(UNIT_ID, match["attackers"])),
        tuple(re.split(r"\s*\+\s*", match["hexes"])),
        tuple(re.findall(UNIT_ID, match["defenders"] or "")),
        match["result"] or "",
        tuple(map(_way, re.split(r"\s*,\s*", match["ways"]))) if match["ways"] else (),
    )
    if problems := [Problem(what, f"attack {text[:80]!r}") for what in faults(found)]:
        raise InputError(problems)
    return found


def odds_beside(text: str) -> str:
    """Return what is wrong with a move, or an attack, beside which odds are written; empty: none are."""
    odds = re.search(_ODDS, text, re.ASCII | re.IGNORECASE)
    if odds is None:
        return ""
    return f"{odds[1]!r} must be left out: odds aren't chosen, and `explain` tells why they are no others"


def faults(attack: DeclaredAttack) -> list[str]:
    """Return what is wrong with an attack whatever the scenario: what it names twice."""
    found = []
    for what, names in (
        ("attacker", attack.attackers),
        ("hex", attack.hexes),
        ("defender", attack.defenders),
        ("way of a unit", tuple(unit for unit, _ in attack.ways)),
    ):
        twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
        found += [f"each {what} must come once, but {name!r} comes twice" for name in twice]
    return found


def _way(text: str) -> tuple[str, tuple[str, ...]]:
    unit, path = text.split(None, 1)
    return unit, tuple(re.split(r"\s*-\s*", path.strip()))


def _spelling(text: str) -> str:
    """Return what was meant, where only signs that look alike keep a text from being an attack."""
    if len(text) > 1_000:
        return ""
    for pattern, sign in _OTHER_SIGNS:
        text = re.sub(pattern, sign, text, flags=re.ASCII)
    meant = re.fullmatch(_ATTACK, text.strip().rstrip(".,;"), re.ASCII)
    return "" if meant is None else f"; did you mean '{parse_attack(meant[0])}'?"
