"""What was read, and what was understood on the way."""

from dataclasses import dataclass, field

from shoal.data import Microdata, Ratings

from .schema import Schema
from .tabular_file import TabularFile

__all__ = ["Source"]


@dataclass(frozen=True)
class Source:
    """Records as read from a file."""

    records: Ratings | Microdata
    schema: Schema
    """The description as understood: complete, so that it can be written down and used again."""
    notes: tuple[str, ...]
    """What was recognised, in sentences."""
    columns: tuple[str, ...]
    """The names of the columns in file order."""
    file: TabularFile | None = field(default=None, repr=False, compare=False)
    """Of a table: where its fields stand as they are written; nothing is read before it is asked for."""
