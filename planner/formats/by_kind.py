"""Tables of one of several kinds, told apart by `kind`: only the kinds that a file names are loaded.

A shape that is made for all of several dozen kinds takes longer than reading most files: of these, a class is loaded, and
made ready to read, when a table names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, reduce
from importlib import import_module
from operator import or_
from typing import Annotated, Generic, TypeVar, get_args

from pydantic import BaseModel, Field, GetJsonSchemaHandler, TypeAdapter
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticKnownError, SchemaValidator, core_schema

T = TypeVar("T", bound=BaseModel)


class ByKind(Generic[T]):
    """What a field is annotated with, beside what all kinds have in common, so that it is read by kind.

    Parameters
    ----------
    base : type
        What all kinds are.
    homes : mapping from kinds to modules
        Where the class of each is defined, in the order in which schemas list them.
    """

    def __init__(self, base: type[T], homes: Mapping[str, str]) -> None:
        self._base, self._homes = base, homes
        self._readers: dict[str, SchemaValidator] = {}

    @cached_property
    def classes(self) -> tuple[type[T], ...]:
        """The classes of all kinds."""
        return tuple(map(self._class_of, self._homes))

    def read(self, value: object) -> T:
        """Read a table.

        Raises
        ------
        ValidationError or PydanticKnownError
            As a union of all kinds raises them.
        """
        if isinstance(value, self._base):
            return value
        if not isinstance(value, Mapping):
            raise PydanticKnownError("model_attributes_type")
        if "kind" not in value:
            raise PydanticKnownError("union_tag_not_found", {"discriminator": "'kind'"})
        kind = value["kind"]
        if not isinstance(kind, str) or kind not in self._homes:
            known = ", ".join(map(repr, self._homes))
            told = {"discriminator": "'kind'", "tag": str(kind), "expected_tags": known}
            raise PydanticKnownError("union_tag_invalid", told)
        found: T = self._reader(kind).validate_python(value)
        return found

    def _reader(self, kind: str) -> SchemaValidator:
        reader = self._readers.get(kind)
        if reader is None:
            of = self._class_of(kind)
            of.model_rebuild()
            # A union of one, so that errors tell their place as those of a union of all do.
            shape = core_schema.tagged_union_schema({kind: of.__pydantic_core_schema__}, "kind")
            reader = self._readers[kind] = SchemaValidator(shape)
        return reader

    def _class_of(self, kind: str) -> type[T]:
        for value in vars(import_module(self._homes[kind])).values():
            if isinstance(value, type) and issubclass(value, self._base) and _is_of(value, kind):
                return value
        raise LookupError(f"{self._homes[kind]} defines no kind {kind!r}")

    def __get_pydantic_core_schema__(self, source: object, handler: Callable[[object], CoreSchema]) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        every = Annotated[reduce(or_, self.classes), Field(discriminator="kind")]  # type: ignore[valid-type]
        return handler(TypeAdapter[T](every).core_schema)  # type: ignore[arg-type]


def _is_of(table: type[BaseModel], kind: str) -> bool:
    return get_args(table.model_fields["kind"].annotation) == (kind,)
