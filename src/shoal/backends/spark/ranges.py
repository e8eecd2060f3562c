"""Ranges of the rows of a file, each of which is read by one task."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

__all__ = ["Range", "ranges_of"]

_SLICED = ("Parquet SCAN", "Ipc SCAN", "DF [")
"""What scans begin with, in the words of Polars, of which some rows can be read without those before."""


@dataclass(frozen=True)
class Range:
    """Some rows of a file that are read together."""

    part: int
    """The number of the part that they are in."""
    begin: int
    """The first of them, counted in the part."""
    rows: int
    first: int
    """The first of them, counted in the whole file."""


def ranges_of(parts: Sequence[tuple[pl.LazyFrame, int]], most: int) -> tuple[Range, ...]:
    """Return how parts, each with its number of rows, are read: so many at a time where that is cheap, else at once."""
    found, first = list[Range](), 0
    for number, (scan, rows) in enumerate(parts):
        size = most if scan.explain(optimized=False).startswith(_SLICED) else max(1, rows)
        found += [Range(number, begin, min(size, rows - begin), first + begin) for begin in range(0, rows, size)]
        first += rows
    return tuple(found)
