"""What every table of a file is read into."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema

from planner.formats.ids import UNIT_ID


class Table(BaseModel):
    """A table of a file: a key that it doesn't know is a fault, and what has been read doesn't change.

    Numbers are numbers, and true and false nothing else: pydantic would take ``true`` for 1, ``"3"`` for 3, and ``"yes"``
    for true, which published schemas refuse.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type[BaseModel], handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return how it is read."""
        schema = handler(source)
        _make_strict(schema, cls)
        return schema


def _make_strict(schema: CoreSchema, table: type[Table]) -> None:
    """Have numbers, and what is true or false, read as what they are, but lists as tuples; tables inside are so already."""
    inside: list[object] = [schema]
    while inside:
        node = inside.pop()
        if isinstance(node, dict):
            if node.get("type") in ("int", "float", "bool"):
                node["strict"] = True
            if node.get("type") != "model" or node["cls"] is table:
                inside += node.values()
        elif isinstance(node, (list, tuple)):
            inside += node


UnitId = Annotated[str, Field(pattern=rf"^{UNIT_ID}$")]
"""The id of a unit."""
