"""Census-Income with hierarchies as they are suggested, for benchmarks; it is not one itself."""

from collections.abc import Mapping

import numpy as np
import polars as pl

from measuring import SHARED
from shoal.data import Column, Hierarchy, Role

FOLDER = SHARED / "tables" / "census-income-kdd"


def census_frame() -> pl.DataFrame | None:
    """Read both files, 299,285 lines of words; None if they are not beside the project."""
    if not FOLDER.exists():
        return None
    files = [FOLDER / f"census_income_1994_1995_{name}.csv.gz" for name in ("train", "test")]
    frame = pl.concat([pl.read_csv(file, has_header=False, infer_schema=False) for file in files])
    return frame.select(pl.all().str.strip_chars())


def census_columns(frame: pl.DataFrame, places: Mapping[str, int], numbers: tuple[str, ...]) -> list[Column]:
    """Make quasi-identifiers of the columns at these places."""
    columns = []
    for name, place in places.items():
        values = frame[:, place].cast(pl.Int64) if name in numbers else frame[:, place]
        column = Column.encode(name, Role.QUASI_IDENTIFIER, values)
        columns.append(column.with_hierarchy(Hierarchy.suggest(column.vocabulary, np.bincount(column.codes))))
    return columns
