"""What a result shows of itself: a title, facts, tables and sentences, and in a notebook pictures."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Picture", "Summary", "Table", "listed", "printable"]

_LONGEST = 200


def printable(text: str, longest: int = _LONGEST) -> str:
    """Return a text on one line, without control characters, shortened to ``longest`` letters."""
    plain = "".join(letter if letter.isprintable() else "�" for letter in text[: longest + 1])
    return plain if len(plain) <= longest else f"{plain[: longest - 1]}…"


def listed(names: Sequence[str], most: int = 8) -> str:
    """Return names in a line; of more than ``most``, the last are counted."""
    shown = ", ".join(printable(name, 40) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"


@dataclass(frozen=True)
class Table:
    """Rows under a head; the first column names the row, and the others stand to the right unless they are words."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: tuple[str, ...] = ()
    """The columns, by their heads, that stand to the left."""
    more: int = 0
    """How many further rows there are that are not in the table."""

    def __post_init__(self) -> None:
        assert all(len(row) == len(self.head) for row in self.rows)

    @classmethod
    def of(
        cls,
        caption: str,
        head: Iterable[str],
        rows: Sequence[Iterable[str]],
        words: tuple[str, ...] = (),
        *,
        most: int = 30,
    ) -> "Table":
        """Return a table of the first ``most`` rows."""
        shown = tuple(tuple(row) for row in rows[:most])
        return cls(caption, tuple(head), shown, words, max(len(rows) - most, 0))


@dataclass(frozen=True)
class Picture:
    """A chart with its title and explanation."""

    title: str
    note: str
    chart: str
    """SVG, in which every name is escaped already."""
    small: bool = False
    """Whether it stands beside others."""
    table: Table | None = None
    """The numbers behind the chart, where they are to be read, too."""


@dataclass(frozen=True)
class Summary:
    """What a result shows of itself."""

    title: str
    holds: bool | None = None
    """Whether it keeps what it promises; None where it promises nothing."""
    facts: tuple[tuple[str, str], ...] = ()
    """Names and what is to be said about each, in words."""
    tables: tuple[Table, ...] = ()
    sentences: tuple[str, ...] = ()
