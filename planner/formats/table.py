"""What every table of a file is read into."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from planner.formats.ids import UNIT_ID


class Table(BaseModel):
    """A table of a file: a key that it doesn't know is a fault, and what has been read doesn't change."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


UnitId = Annotated[str, Field(pattern=rf"^{UNIT_ID}$")]
"""The id of a unit."""
