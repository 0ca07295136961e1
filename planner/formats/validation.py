"""Faults of the shape of files, in players' words: what must hold, what stands there, and what is sound."""

from __future__ import annotations

import copy
import re
import types
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from planner.errors import MOST_PROBLEMS, Problem
from planner.formats.by_kind import ByKind
from planner.formats.ids import BOX_ID, HEX_LABEL, UNIT_ID
from planner.formats.spelling import did_you_mean

Place = tuple[int | str, ...]

_FORMS = {
    rf"^{UNIT_ID}$": "must be an id: letters, digits and _, a letter first",
    rf"^({UNIT_ID})?$": "must be an id: letters, digits and _, a letter first",
    rf"^{BOX_ID}$": "must be an id: small letters, digits and _, a letter first",
    rf"^({HEX_LABEL}|{BOX_ID})$": "must be the label of a hex, or the id of a box",
    r"^[a-z][a-z0-9_]*$": "must be a name: small letters, digits and _, a letter first",
}
"""What patterns say."""

_SORTS = {
    "string": "text",
    "int": "a whole number",
    "bool": "true or false",
    "list": "a list",
    "tuple": "a list",
    "dict": "a table",
    "model": "a table",
    "model_attributes": "a table",
    "float": "a number",
}
"""What the sorts of values are called, by how the names of errors begin."""

_NO_SUCH_SORT = re.compile(rf"must be ({'|'.join(dict.fromkeys(_SORTS.values()))}), not (.*)", re.DOTALL)


def problems_of(
    error: ValidationError, where: str, schema: type[BaseModel] | None = None, data: object = None
) -> list[Problem]:
    """Turn a schema error into problems as players read them.

    Parameters
    ----------
    error : ValidationError
        The error.
    where : str
        What to call the input.
    schema : type of BaseModel, optional
        The schema, for names that are much like an unknown one.
    data : object, optional
        What was validated, so that the place is told as it stands there.
    """
    return _problems(error.errors(include_url=False), where, schema, data)


def _problems(
    items: Sequence[ErrorDetails],
    where: str,
    schema: type[BaseModel] | None,
    data: object,
    thinned: Collection[Place] = (),
    numbers: Mapping[str, Sequence[int]] = MappingProxyType({}),
) -> list[Problem]:
    """Turn schema errors into problems; places are told as they were before lists were thinned.

    Nobody is to blame that a list of which something has been left out is too short, nor that a table without what has
    been left out of it doesn't fit together.
    """
    found: list[Problem] = []
    incomplete = {written_place(place[:end], data) for place in thinned for end in range(1, len(place) + 1)}
    # A list that is too short without its faulty entries is another one's fault.
    thinned = {*thinned, *(item["loc"][:end] for item in items for end in range(len(item["loc"])))}
    for item in items:
        if item["type"] == "too_short" and item["loc"] in thinned:
            continue
        if item["type"] == "missing" and isinstance(item["loc"][-1], int) and item["loc"][:-1] in thinned:
            continue
        if item["type"] == "value_error" and written_place(item["loc"], data) in incomplete:
            continue
        place = renumbered(written_place(item["loc"], data, item["type"] == "missing"), numbers)
        # What nobody will be told needs no words: looking for names that were meant takes its time.
        what = _told(item, schema) if len(found) < MOST_PROBLEMS else str(item["msg"])
        found.append(Problem(what, f"{where}: {place}" if place else where))
    return list(dict.fromkeys(_joined(found)))


def _joined(problems: Sequence[Problem]) -> Iterator[Problem]:
    """Yield problems; where a value may be of several sorts and is of none, one that names them all.

    Of what is of one of these sorts, and yet faulty, nobody is told that it is none of the others.
    """
    of_sorts: dict[tuple[str, str], list[str]] = {}
    meant: set[str] = set()
    for problem in problems:
        if (match := _NO_SUCH_SORT.fullmatch(problem.what)) is not None:
            of_sorts.setdefault((problem.where, match[2]), []).append(match[1])
        else:
            meant.add(problem.where)
    for problem in problems:
        match = _NO_SUCH_SORT.fullmatch(problem.what)
        if match is None:
            yield problem
        elif problem.where not in meant:
            sorts = dict.fromkeys(of_sorts[problem.where, match[2]])
            yield replace(problem, what=f"must be {' or '.join(sorts)}, not {match[2]}")


def written_place(loc: Place, data: object, missing: bool = False) -> str:
    """Return a place as files have it, without the names by which schemas tell alternatives apart."""
    place, node = "", data
    for index, part in enumerate(loc):
        last = index == len(loc) - 1
        if isinstance(part, int):
            place += f"[{part}]"
            node = node[part] if isinstance(node, (list, tuple)) and part < len(node) else None
            continue
        if isinstance(node, Mapping) and part in node:
            node = node[part]
        elif data is not None and not (last and missing):
            continue  # it stands for one of several alternatives
        if part == "[key]":
            continue
        place += f".{part}" if place else str(part)
    return place


def renumbered(place: str, numbers: Mapping[str, Sequence[int]]) -> str:
    """Return a place with the numbers that the entries of its lists had before some were left out.

    Parameters
    ----------
    place : str
        Such as ``unit[0].side``.
    numbers : mapping from places to numbers
        By the place of each list of which something was left out: the numbers of the entries that are left.
    """
    told, end = "", 0
    for found in re.finditer(r"\[(\d+)\]", place) if numbers else ():
        told += place[end : found.start()]
        index, left = int(found[1]), numbers.get(told, ())
        told += f"[{left[index] if index < len(left) else index}]"
        end = found.end()
    return told + place[end:]


def _told(item: ErrorDetails, schema: type[BaseModel] | None) -> str:
    """Say what is wrong in one place."""
    kind, context, loc = item["type"], item.get("ctx", {}), item["loc"]
    if kind == "extra_forbidden":
        known = () if schema is None else known_keys(schema, loc[:-1])
        value = "" if schema is None else _as_value(schema, loc)
        return f"unknown key {str(loc[-1])!r}{value or did_you_mean(loc[-1], known)}"
    if kind == "missing":
        return f"{str(loc[-1])!r} must be given"
    if kind == "union_tag_not_found":
        return f"{context['discriminator']} must be given"
    if kind == "union_tag_invalid":
        tags = [tag.strip().strip("'") for tag in context["expected_tags"].split(",")]
        what = f"{context['discriminator']} must be one of {', '.join(sorted(tags))}, not {context['tag']!r}"
        return what.replace("'kind'", "kind") + did_you_mean(context["tag"], tags)
    given = _given(item["input"])
    if kind == "literal_error":
        names = [name.strip().strip("'") for name in context["expected"].replace(" or ", ", ").split(",")]
        several = f"one of {', '.join(names)}" if len(names) > 1 else repr(names[0])
        return f"must be {several}, not {given}{did_you_mean(item['input'], names)}"
    if kind == "string_pattern_mismatch":
        return f"{_FORMS.get(context['pattern'], 'must be written otherwise')}, not {given}"
    if kind in ("greater_than_equal", "less_than_equal", "greater_than", "less_than"):
        bound = next(iter(context.values()))
        words = {"g": "more than", "l": "less than"}[kind[0]] if not kind.endswith("equal") else ""
        words = words or {"g": "at least", "l": "at most"}[kind[0]]
        return f"must be {words} {bound}, not {given}"
    if kind.endswith(("too_long", "too_short")):
        number = context.get("max_length", context.get("min_length"))
        one, many = ("letter", "letters") if kind.startswith("string") else ("entry", "entries")
        counted = one if number == 1 else many
        return f"must have at {'most' if kind.endswith('long') else 'least'} {number} {counted}"
    if kind in ("value_error", "assertion_error"):
        return str(item["msg"]).split("error, ", 1)[-1]
    if kind == "int_parsing_size":
        return "must have fewer digits"
    sort = next((words for name, words in _SORTS.items() if kind.startswith(f"{name}_")), None)
    if sort is not None:
        return f"must be {sort}, not {given}"
    return str(item["msg"]).replace("Input should be", "must be") + f", not {given}"


def _given(value: object) -> str:
    """Return what stands there, if it is short."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, (list, tuple)):
        return "a list"
    if value is None:
        return "nothing"
    told = repr(value) if isinstance(value, str) else str(value)
    return told if len(told) <= 60 else f"{told[:57]}…"


def known_keys(schema: type[BaseModel], loc: Place) -> set[str]:
    """Return the keys that a table may have which stands in a place.

    Parameters
    ----------
    schema : type of BaseModel
        The schema of the whole.
    loc : tuple of int or str
        The place, with the tags of unions in it, as validation tells it.
    """
    return {key for form in _tables(schema, loc) for key in form.model_fields}


def _as_value(schema: type[BaseModel], loc: Place) -> str:
    """Return ``; did you mean when = "always"?`` if an unknown key is a value of one of the keys beside it."""
    for form in _tables(schema, loc[:-1]):
        for key, field_ in form.model_fields.items():
            for one in _forms(field_.annotation):
                if get_origin(one) is Literal and key != "kind" and loc[-1] in get_args(one):
                    return f'; did you mean {key} = "{loc[-1]}"?'
    return ""


def _tables(schema: type[BaseModel], loc: Place) -> list[type[BaseModel]]:
    """Return the tables that may stand in a place."""
    here: list[object] = [schema]
    for part in loc:
        forms = [form for annotation in here for form in _forms(annotation)]
        inner: list[object] = []
        for form in forms:
            arguments = get_args(form)
            if isinstance(form, type) and issubclass(form, BaseModel):
                if part in form.model_fields:
                    inner.append(form.model_fields[str(part)].annotation)
            elif get_origin(form) in (list, tuple, Sequence) and isinstance(part, int):
                inner += [argument for argument in arguments if argument is not Ellipsis]
            elif get_origin(form) in (dict, Mapping) and len(arguments) == 2:
                inner.append(arguments[1])
        tagged = [form for form in forms if isinstance(part, str) and part in _tags(form)]
        here = inner or tagged or here
    forms = [form for annotation in here for form in _forms(annotation)]
    return [form for form in forms if isinstance(form, type) and issubclass(form, BaseModel)]


def _forms(annotation: object) -> Iterator[object]:
    """Yield the alternatives of an annotation, without what is said about them."""
    annotation = getattr(annotation, "__value__", annotation)
    if get_origin(annotation) is Annotated:
        kinds = [said for said in get_args(annotation)[1:] if isinstance(said, ByKind)]
        for one in kinds[0].classes if kinds else get_args(annotation)[:1]:
            yield from _forms(one)
    elif get_origin(annotation) in (Union, types.UnionType):
        for one in get_args(annotation):
            yield from _forms(one)
    else:
        yield annotation


def _tags(form: object) -> tuple[object, ...]:
    """Return the kinds that a model may be of."""
    if not (isinstance(form, type) and issubclass(form, BaseModel)) or "kind" not in form.model_fields:
        return ()
    kind = form.model_fields["kind"].annotation
    return get_args(kind) if get_origin(kind) is Literal else ()


_MOST_ROUNDS = 50
"""Each round takes out every fault that it sees; more than a few mean that nothing sound is left."""

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True)
class Sound(Generic[T]):
    """What is sound of an input, and what is wrong with the rest.

    Attributes
    ----------
    value : BaseModel or None
        The sound part; None if there is none.
    problems : tuple of Problem
        Every fault of the shape.
    lost : frozenset of str
        The names that faulty parts bear: whoever uses them later on isn't to blame.
    numbers : mapping from places to numbers
        By the place of each list that has lost some of its entries: the numbers of those that are left.
    thinned : frozenset of str
        The tables and lists of which something has been left out, as their places are written.
    """

    value: T | None
    problems: tuple[Problem, ...] = ()
    lost: frozenset[str] = frozenset()
    numbers: Mapping[str, Sequence[int]] = field(default_factory=dict)
    thinned: frozenset[str] = frozenset()

    def concerns(self, problem: Problem) -> bool:
        """Tell whether a further problem is none, because a name in it has been lost."""
        return any(repr(name) in problem.what for name in self.lost)


def read_sound(
    data: dict[str, object],
    where: str,
    schema: type[T],
    mends: Mapping[str, object] | None = None,
    deep: Collection[str] | None = None,
) -> Sound[T]:
    """Validate the shape of an input; report what is wrong, leave it out, and go on with the rest.

    Parameters
    ----------
    data : dict
        What was decoded; left as it is.
    where : str
        What to call the input in messages.
    schema : type of BaseModel
        The shape.
    mends : mapping from keys to values, optional
        What stands in for a faulty top-level value, so that the rest can be looked at.
    deep : collection of str, optional
        The top-level tables of which a faulty entry is left out by itself; absent: all.
    """
    found: dict[Problem, None] = {}
    lost: set[str] = set()
    thinned: dict[Place, str] = {}
    numbers: dict[str, list[int]] = {}
    for _ in range(_MOST_ROUNDS):
        try:
            sound = schema.model_validate(data)
            return Sound(sound, tuple(found), frozenset(lost), numbers, frozenset(thinned.values()))
        except ValidationError as error:
            items = error.errors(include_url=False)
            places = [item["loc"] for item in items]
            told = {problem.where for problem in found}  # what was faulty has been taken out, and isn't missing
            new = [
                item
                for item in items
                if item["type"] != "missing"
                or f"{where}: {renumbered(written_place(item['loc'], data, True), numbers)}" not in told
            ]
            found.update(dict.fromkeys(_problems(new, where, schema, data, thinned, numbers)))
            if len(found) > MOST_PROBLEMS:
                break  # nothing more would be told
            data = data if thinned else copy.deepcopy(data)
            mended = {key: mend for key, mend in (mends or {}).items() if (key,) in places}
            data.update(mended)
            places = [place for place in places if not place or place[0] not in mended]
            if places and not _prune(data, places, deep, lost, thinned, numbers):
                break
    return Sound(None, tuple(found), frozenset(lost), numbers)


def _prune(
    data: dict[str, object],
    places: list[Place],
    deep: Collection[str] | None,
    lost: set[str],
    thinned: dict[Place, str],
    numbers: dict[str, list[int]],
) -> bool:
    """Take the innermost table or list item around each faulty place out of the data.

    Returns
    -------
    bool
        Whether anything could be taken out; if not, validating again would only repeat the errors.
    """
    doomed: set[Place] = set()
    for place in places:
        node: object = data
        reached: list[int | str] = []
        cut: Place | None = None
        for part in place:
            if isinstance(node, dict) and part in node:
                node = node[part]
                reached.append(part)
                inside = deep is None or reached[0] in deep
                if (len(reached) >= 2 and inside) or (len(reached) == 1 and not inside):
                    cut = tuple(reached)
            elif isinstance(node, list) and isinstance(part, int) and part < len(node):
                node = node[part]
                reached.append(part)
                cut = tuple(reached)
            elif not isinstance(part, int) and isinstance(node, dict):
                continue  # the tag of a union, or a missing key
            else:
                break
        if cut is None:
            return False
        doomed.add(cut)
    for cut in sorted(
        doomed,
        key=lambda c: [(isinstance(p, int), p if isinstance(p, int) else 0, str(p)) for p in c],
        reverse=True,
    ):
        inner: Any = data
        try:
            for part in cut[:-1]:
                inner = inner[part]
            written = renumbered(written_place(cut[:-1], data), numbers)
            if isinstance(inner, list):
                numbers.setdefault(written, list(range(len(inner)))).pop(int(cut[-1]))
            gone = inner.pop(cut[-1])
        except (KeyError, IndexError, TypeError, AttributeError):
            continue  # an outer cut took it along
        thinned[cut[:-1]] = written
        if isinstance(cut[-1], str):
            lost.update(cut[-1].split())
        if isinstance(gone, dict) and isinstance(gone.get("id"), str):
            lost.add(gone["id"])
    return bool(doomed)
