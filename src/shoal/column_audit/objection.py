"""What the audit has against insensitive columns."""

from dataclasses import dataclass

__all__ = ["Objection"]


@dataclass(frozen=True)
class Objection:
    """Columns outside the promises by which people could be found, and by how many."""

    columns: tuple[str, ...]
    """The insensitive columns that take part, in the order of the table: all must be accepted by name."""
    instead: tuple[str, ...]
    """Columns of them that it would be enough to leave out."""
    reason: str
    """A sentence with names of columns and numbers of people, and without a value of a record."""
