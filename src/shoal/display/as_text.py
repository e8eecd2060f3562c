"""A summary as a few lines for a terminal."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from textwrap import wrap

from .summary import Summary, Table, printable

__all__ = ["aligned", "as_text"]

_WIDTH = 100
_CELL = 44
_ROWS = 10
_SENTENCES = 8


def as_text(summary: Summary) -> str:
    """Return the lines of a summary; long names are shortened, long tables and lists cut off."""
    lines = [printable(summary.title, _WIDTH)]
    facts = [(printable(name, _CELL), printable(words)) for name, words in summary.facts]
    widest = max((len(name) for name, _ in facts), default=0)
    for name, words in facts:
        lines += wrap(
            words or "–", _WIDTH, initial_indent=f"  {name:<{widest}}  ", subsequent_indent=" " * (widest + 4)
        )
    for table in summary.tables:
        lines += [f"  {printable(table.caption, _WIDTH)}:"] if len(summary.tables) > 1 else []
        lines += _table(table)
    for sentence in summary.sentences[:_SENTENCES]:
        lines += wrap(printable(sentence, 4 * _WIDTH), _WIDTH, initial_indent="  ", subsequent_indent="  ")
    if len(summary.sentences) > _SENTENCES:
        lines.append(f"  … and {len(summary.sentences) - _SENTENCES:,} more remarks")
    return "\n".join(lines)


def _table(table: Table) -> Iterator[str]:
    """Return the lines of a table, without the columns for which there is no room, and rows beyond the tenth."""
    rows = [[printable(cell, _CELL) for cell in row] for row in (table.head, *table.rows[:_ROWS])]
    widths = [max(len(row[i]) for row in rows) + 2 for i in range(len(table.head))]
    fitting = max(sum(reach <= _WIDTH for reach in accumulate(widths)), 1)
    if fitting < len(table.head):
        rows = [[*row[:fitting], "…"] for row in rows]
    left = [i for i, head in enumerate(table.head) if head in table.words]
    yield from (f"  {line}" for line in aligned(rows[0], rows[1:], left))
    more = table.more + len(table.rows) - len(rows) + 1
    if more:
        yield f"  … and {more:,} more"


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = ()) -> Iterator[str]:
    """Return the lines of a table whose columns are as wide as they need to be.

    The first column and those of ``left`` are text, the others stand to the right.
    """
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, ["─" * width for width in widths], *rows]:
        cells = (
            cell.ljust(width) if not i or i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()
