"""The points of a sweep as one table."""

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from shoal.utility import QUICK

__all__ = ["sweep_table"]

_TEXTS = {"method": pl.String, "holds": pl.Boolean, "refused": pl.String, "promise": pl.String}
_NOT_ALWAYS = ("epsilon", "l", "l reached")


def sweep_table(points: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Give one row a point, by method, ε and k; what a refused point does not have is null."""
    names = ["method", "k", "epsilon", "l", "holds", "refused", "k reached", "l reached", "records"]
    names += [*(measure.name for measure in QUICK), "seconds", "peak MiB", "promise"]
    rows = [_row(point) for point in points]
    columns = {name: _column(name, [row.get(name) for row in rows]) for name in names}
    kept = {name: column for name, column in columns.items() if name not in _NOT_ALWAYS or column.is_not_null().any()}
    order = [name for name in ("method", "epsilon", "k", "promise") if name in kept]
    return pl.DataFrame(kept).sort(order)


def _row(point: Mapping[str, Any]) -> dict[str, Any]:
    reached = {f"{letter} reached": level for letter, level in point.get("level", {}).items()}
    return {**point, **reached, **point.get("measures", {}), "peak MiB": point["peak_mib"]}


def _column(name: str, values: list[Any]) -> pl.Series:
    """Give a column of texts or numbers; whole numbers stay whole."""
    whole = all(value is None or isinstance(value, int) for value in values)
    return pl.Series(values, dtype=_TEXTS.get(name, pl.Int64 if whole else pl.Float64), strict=False)
