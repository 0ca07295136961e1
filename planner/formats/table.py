"""What every table of a file is read into."""

from pydantic import BaseModel, ConfigDict


class Table(BaseModel):
    """A table of a file: a key that it doesn't know is a fault, and what has been read doesn't change."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
