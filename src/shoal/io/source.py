"""Records together with what was understood of the file they were read from."""

from dataclasses import dataclass, field

from shoal.data import Microdata, Ratings

from .formats.tabular_file import TabularFile
from .schemas import Schema

__all__ = ["Source"]


@dataclass(frozen=True)
class Source:
    """Records as read from a file."""

    records: Ratings | Microdata
    schema: Schema
    """The schema as understood: complete, so that it can be written down and used again."""
    notes: tuple[str, ...]
    """What was recognized, in sentences."""
    columns: tuple[str, ...]
    """The names of the columns in file order."""
    file: TabularFile | None = field(default=None, repr=False, compare=False)
    """For a table, the file with its fields as written; they are read only when asked for."""
