"""Questions as players write them: destinations, goals and values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from pydantic import TypeAdapter, ValidationError

from planner.errors import InputError, Problem
from planner.formats.files import parse_toml
from planner.formats.ids import RESULT_CODE, UNIT_ID
from planner.formats.spoken_numbers import SIGNS, spoken_number
from planner.formats.validation import problems_of
from planner.objective import AnyTerm, Term
from planner.objective.goals import End
from planner.objective.together import each_goal
from planner.plans.unit_names import with_ids
from planner.scenario import Scenario
from planner.world.selectors import HexSelector, UnitSelector, selectors_in

_DESTINATION = re.compile(rf"\s*({UNIT_ID})\s+to\s+(\S+)\s*", re.ASCII)
_NUMBER = re.compile(
    r"(?P<minus>[-−]?)\s*(?:"
    r"(?:(?P<whole>[0-9]+)?\s*(?P<sign>[¼½¾⅓⅔]))"
    r"|(?:(?:(?P<mixed>[0-9]+)\s+)?(?P<above>[0-9]+)/(?P<below>[0-9]+))"
    r"|(?P<plain>[0-9]+(?:\.[0-9]+)?))"
)
"""A number: whole, with decimals, a fraction, or both; no exponents, which could ask for more digits than fit anywhere."""

_MIXED = r"(?:[0-9]+\s+[0-9]+/[0-9]+|[0-9]+(?:[/.][0-9]+)?|[0-9]*[¼½¾⅓⅔])"
"""A number of a limit, as players write it."""

_LIMIT = re.compile(rf"(?:(?P<unit>{UNIT_ID})\s+)?at\s+most\s+(?P<most>{_MIXED})\s+(?P<what>mp|MP|units?)", re.ASCII)
"""A limit of what is spent, such as ``at most 6 MP``, ``plv at most 3 MP`` or ``at most 2 units``."""

_SHARE = r"(?:\s+with\s+(?P<share>[0-9]+/[0-9]+|1|0?\.[0-9]+|[¼½¾⅓⅔]))?"
_HEXES = r"(?P<hexes>[^\s,]+(?:[\s,]+(?!with\b)[^\s,]+)*)"
_COLUMN = r"(?P<odds>[0-9]+:[0-9]+|[+-][0-9]+)"
_COUNTED = rf"(?P<much>{_MIXED})\s+(?P<counting>unit|step|strength)s?"
_OF_ATTACKS = {
    kind: re.compile(form, re.ASCII)
    for kind, form in {
        "emptied": rf"empty\s+{_HEXES}{_SHARE}",
        "taken": rf"take\s+{_HEXES}{_SHARE}",
        "attack_odds": rf"{_COLUMN}\s+against\s+{_HEXES}",
        "attack_results": rf"(?P<results>{RESULT_CODE}(?:\s+or\s+{RESULT_CODE})*)\s+against\s+{_HEXES}{_SHARE}",
        "weak_attacks": rf"(?:no|at\s+most\s+(?P<most>[0-9]+))\s+attacks?\s+below\s+{_COLUMN}",
        "open_to_attack": rf"(?:no|at\s+most\s+(?P<most>[0-9]+))\s+units?\s+open\s+to\s+{_COLUMN}",
        "enemy_losses": rf"the\s+enemy\s+loses\s+{_COUNTED}",
        "own_losses": rf"lose\s+at\s+most\s+{_COUNTED}",
    }.items()
}
"""What may be asked of the attacks after the moves, such as ``empty 0303 with 1/2`` or ``DE or EX against 0303``."""

_JOINED = re.compile(r"\s+and\s+")
_ADAPTER: TypeAdapter[Any] = TypeAdapter(AnyTerm)
FORMS = (
    '"hold w5427", "avoid w5427", "control w5427", "eliminate inf111", "plv to w5426", "plv in w5426 w5427", '
    '"plv not in w5426", "plv sound", "stay inf", "surround w5427", "odds 3:1 inf111", "at most 6 MP", "plv at most 3 MP", '
    '"at most 2 units", "empty 0303 with 1/2", "take 0303 with 1/2", "3:1 against 0303", "DE or EX against 0303 with 1/3", '
    '"no attack below 2:1", "no unit open to 3:1", "the enemy loses 2 steps", "lose at most 1 unit", '
    'several joined by "and", or {kind = …}'
)


def is_destination(text: str) -> bool:
    """Tell whether a text asks for a destination, such as ``plv to w5426``."""
    return _DESTINATION.fullmatch(text) is not None


def read_destination(scenario: Scenario, text: str) -> End:
    """Read a destination, such as ``plv to w5426``.

    Raises
    ------
    InputError
        If it isn't one, or the scenario doesn't have the unit or the hex.
    """
    match = _DESTINATION.fullmatch(text)
    if match is None:
        raise InputError([Problem('a destination must look like "plv to w5426"', repr(text[:80]))])
    goal = End(kind="end", unit=match[1], at=(match[2].strip("[]"),))
    _check(scenario, goal, text)
    if goal.unit not in scenario.start.at:
        raise InputError([Problem(f"{goal.unit!r} is not on the map", repr(text[:80]))])
    return goal


def read_goal(scenario: Scenario, text: str) -> Term:
    """Read a goal: in words, or as a requirement of a scenario file has it.

    Raises
    ------
    InputError
        With every problem.
    """
    data = _data(text if text.lstrip().startswith("{") else " ".join(with_ids(text, scenario.game, goals=True)))
    if data is None:
        raise InputError([Problem(f"a goal must look like {FORMS}", repr(text[:80]))])
    try:
        goal: Term = _ADAPTER.validate_python(data)
    except ValidationError as error:
        raise InputError(problems_of(error, repr(text[:80]), data=data)) from error
    _check(scenario, goal, text)
    return goal


def read_goals(scenario: Scenario, text: str) -> list[Term]:
    """Read a goal as `read_goal` does; of several that are joined, each by itself: required together, each must hold.

    Raises
    ------
    InputError
        With every problem of each.
    """
    texts = [text]
    if not text.lstrip().startswith("{"):
        texts = _JOINED.split(" ".join(with_ids(text, scenario.game, goals=True)).strip())
    goals, problems = list[Term](), list[Problem]()
    for one in texts:
        try:
            goals.append(read_goal(scenario, one))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(dict.fromkeys(problems))
    return list(each_goal(goals))


def _data(text: str) -> dict[str, Any] | None:
    text = text.strip()
    if not text.startswith("{") and len(several := _JOINED.split(text)) > 1:
        goals = [_data(one) for one in several]
        return None if None in goals else {"kind": "together", "goals": goals}
    if text.startswith("{"):
        found = parse_toml(f"goal = {text}", repr(text[:80]))["goal"]
        return found if isinstance(found, dict) else None
    if destination := _DESTINATION.fullmatch(text):
        return {"kind": "end", "unit": destination[1], "at": destination[2].strip("[]")}
    for kind, form in _OF_ATTACKS.items():
        if (match := form.fullmatch(text)) and (asked := _of_attacks(kind, match.groupdict())) is not None:
            return asked
    words = text.replace(",", " ").split()
    if len(words) < 2:
        return None
    if limit := _LIMIT.fullmatch(text):
        of = {"units": [limit["unit"]]} if limit["unit"] else {}
        return {
            "kind": "mp_spent" if limit["what"].lower() == "mp" else "units_moved",
            "of": of,
            "most": _exact(limit["most"]),
        }
    if words[1:] == ["sound"]:
        return {"kind": "end", "unit": words[0], "sound": True}
    if words[1] == "in" and len(words) > 2:
        return {"kind": "end", "unit": words[0], "at": [word.strip("[]") for word in words[2:]]}
    if words[1:3] == ["not", "in"] and len(words) > 3:
        return {"kind": "end", "unit": words[0], "not_at": [word.strip("[]") for word in words[3:]]}
    kind, rest = words[0], words[1:]
    if kind in ("hold", "avoid", "control"):
        return {"kind": kind, "hexes": [word.strip("[]") for word in rest]}
    if kind in ("eliminate", "stay"):
        return {"kind": kind, "units": rest}
    if kind == "surround" and len(rest) == 1:
        return {"kind": kind, "target": rest[0]}
    if kind == "odds" and len(rest) == 2:
        return {"kind": kind, "odds": rest[0], "target": rest[1]}
    return None


def _of_attacks(kind: str, said: dict[str, str | None]) -> dict[str, Any] | None:
    """Return a goal of the attacks after the moves; without a share it is to be certain."""
    hexes = [word.strip("[]") for word in (said.get("hexes") or "").replace(",", " ").split()]
    found: dict[str, Any] = {"kind": kind}
    if kind in ("emptied", "taken"):
        if kind == "taken" and said["share"] and len(hexes) > 1:
            return None  # how many of them on average, or how likely each is? That is for {kind = "taken", …} to say
        return found | {"hexes": hexes, "at_least": said["share"] or (len(hexes) if kind == "taken" else 1)}
    if kind in ("attack_odds", "attack_results"):
        found["targets"] = hexes
    if kind == "attack_results":
        return found | {"results": re.split(r"\s+or\s+", said["results"] or ""), "at_least": said["share"] or 1}
    if kind in ("enemy_losses", "own_losses"):
        counting = (said["counting"] or "") + "s" * (said["counting"] != "strength")
        return found | {
            "counting": counting,
            "at_least" if kind == "enemy_losses" else "most": _exact(said["much"] or ""),
        }
    found["odds"] = said["odds"]
    return found if kind == "attack_odds" else found | {"most": int(said["most"] or 0)}


def _check(scenario: Scenario, goal: Term, text: str) -> None:
    """Raise if a goal names what the scenario doesn't have, or can't be asked for in its game."""
    game, where = scenario.game, repr(text[:80])
    wrong = (*goal.problems(game), *goal.out_of_phase(game), *goal.misplaced(required=True))
    problems = [Problem(what, where) for what, _ in wrong]
    if game.rulebook.rolled and not goal.averages:
        problems.append(Problem(f"{goal.kind} can't be averaged over rolls, as this game has them", where))
    problems += [Problem(what, where) for what, _ in game.rulebook.unknown_in(goal)]
    for _, selector in selectors_in(goal):
        labels = selector.labels if isinstance(selector, HexSelector) else ()
        units = selector.units if isinstance(selector, UnitSelector) else ()
        problems += [
            Problem(f"hex {label!r} is not on the map{game.board.did_you_mean(label)}", where)
            for label in labels
            if label not in game.board
        ]
        problems += [Problem(f"no unit has the id {unit!r}", where) for unit in units if unit not in game.units]
    if problems:
        raise InputError(list(dict.fromkeys(problems)))


def read_value(scenario: Scenario, value: object) -> tuple[Fraction, ...]:
    """Read the value of each tier, such as ``"1, -20"``, ``(1, -20)`` or ``859/18``; tiers after the last may be anything.

    Raises
    ------
    InputError
        With everything that is wrong: parts that are no numbers, or too long ones, and more values than tiers.
    """
    text = _value_text(value)
    parts, where = [part.strip() for part in text.split(",")], repr(text[:80])
    values: list[Fraction] = []
    problems: list[Problem] = []
    if not text.strip():
        raise InputError([Problem(f"a value must have {_HOW}", where)])
    for part in parts:
        value = _number(part)
        if isinstance(value, str):
            problems.append(Problem(f"{_quoted(part)} {value}", where))
        else:
            values.append(value)
    if len(parts) > len(scenario.tiers):
        number = len(scenario.tiers)
        few = (
            f"each of the {number} tiers" if number > 1 else "the only tier" if number else "a tier, and there is none"
        )
        problems.append(Problem(f"a value must have at most one number for {few}", where))
    if problems:
        raise InputError(list(dict.fromkeys(problems)))
    return tuple(values)


def _value_text(value: object) -> str:
    """Return a value as players write it; raises InputError if it is none."""
    if isinstance(value, str):
        return value
    parts = list(value) if isinstance(value, Sequence) else [value]
    if isinstance(value, (bytes, bytearray, memoryview)) or not all(map(_is_number, parts)):
        told = f'a value must be text, such as "1, -20", a whole number or a Fraction, or several, not {value!r:.60}'
        raise InputError([Problem(told, "value")])
    return ", ".join(map(str, parts))


def _is_number(part: object) -> bool:
    """Tell whether it is a number as players write it, or an exact one."""
    return isinstance(part, (str, int, Fraction)) and not isinstance(part, bool)


_HOW = 'one number for each tier, such as "1, -20"'
_LONGEST_NUMBER = 12
"""So many digits are plenty, before or after the point."""


def _quoted(part: str) -> str:
    return repr(part if len(part) <= 20 else f"{part[:17]}...") if part else "an empty place"


def _number(part: str) -> Fraction | str:
    """Return a number as players write it, or what is wrong with it."""
    match = _NUMBER.fullmatch(part)
    if match is None:
        return "is not a number such as 20, -22, 1.5 or 859/18"
    if any(len(digits) > _LONGEST_NUMBER for digits in re.findall(r"[0-9]+", part)):
        return f"has too many digits: a number must have at most {_LONGEST_NUMBER} in a row"
    whole, sign = match["whole"] or match["mixed"] or match["plain"] or "0", -1 if match["minus"] else 1
    if match["below"] is not None and int(match["below"]) == 0:
        return "divides by zero"
    found = Fraction(whole)
    if match["below"] is not None:
        found += Fraction(int(match["above"]), int(match["below"]))
    elif match["sign"] is not None:
        found += SIGNS[match["sign"]]
    return sign * found


def _exact(number: str) -> str:
    """Return a number of a limit as files have it."""
    found = _number(number)
    return number if isinstance(found, str) else str(found)  # what is wrong with it is told by who reads files


def worth(values: Sequence[Fraction]) -> str:
    """Return values as messages have them."""
    return " / ".join(map(spoken_number, values))
