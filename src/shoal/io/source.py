"""What was read, and what was understood on the way."""

from dataclasses import dataclass

from shoal.data import Microdata, Ratings

from .schema import Schema

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
