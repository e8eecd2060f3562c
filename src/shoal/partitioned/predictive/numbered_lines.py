"""Lines of numbers that partitions send back, each under the number of its user or item."""

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions
from shoal.partitioned.ratings.side_rows import NUMBER

__all__ = ["gathered_lines", "line_columns", "numbered_lines"]


def line_columns(width: int, dtype: pl.DataType) -> Columns:
    """Return the columns of lines of this length."""
    return {NUMBER: pl.UInt32(), **{f"x{i}": dtype for i in range(width)}}


def numbered_lines(numbers: pl.Series, lines: np.ndarray) -> pl.DataFrame:
    """Return lines as rows."""
    return pl.DataFrame([numbers, *(pl.Series(f"x{i}", lines[:, i]) for i in range(lines.shape[1]))])


def gathered_lines(found: Partitions, n: int, title: str) -> np.ndarray:
    """Return an array with a line for each number below n: those that were found, and zeros."""
    frame = found.collect(title)
    names = [name for name in found.columns if name != NUMBER]
    lines = np.zeros((n, len(names)), frame.select(names).to_numpy().dtype)
    if names:
        lines[frame[NUMBER].to_numpy()] = frame.select(names).to_numpy()
    return lines
