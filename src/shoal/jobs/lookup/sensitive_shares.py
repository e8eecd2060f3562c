"""The sensitive values among some records, beside those among all."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from shoal.data import Microdata, Ratings, Records, Survey

__all__ = ["SensitiveShares", "sensitive_shares"]


@dataclass(frozen=True, repr=False)
class SensitiveShares:
    """One sensitive issue or column: how many of some records, and of all, have each value."""

    name: str
    among: Mapping[str | None, int]
    """By value, the most frequent first; None is no value."""
    overall: Mapping[str | None, int]

    @property
    def largest_share(self) -> float:
        """The share of the most frequent value among the records: how sure somebody could be; 0 without records."""
        return max(self.among.values(), default=0) / max(sum(self.among.values()), 1)

    @property
    def largest_share_overall(self) -> float:
        """The same among all records: how sure anybody is."""
        return max(self.overall.values(), default=0) / max(sum(self.overall.values()), 1)

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints; the key of no value is empty."""
        return {
            "name": self.name,
            "largest_share": self.largest_share,
            "largest_share_overall": self.largest_share_overall,
            "among": {value or "": count for value, count in self.among.items()},
            "overall": {value or "": count for value, count in self.overall.items()},
        }


def sensitive_shares(records: Records, chosen: np.ndarray) -> tuple[SensitiveShares, ...]:
    """Count the values of every sensitive issue or column among the records of a mask."""
    return tuple(
        SensitiveShares(name, _counts(values.filter(pl.Series(chosen))), _counts(values))
        for name, values in _sensitive(records)
    )


def _sensitive(records: Records) -> list[tuple[str, pl.Series]]:
    if isinstance(records, Survey):
        return [*_sensitive(records.table), *_sensitive(records.ratings)]
    if isinstance(records, Microdata):
        return [(column.name, column.values.cast(pl.String)) for column in records.sensitive]
    assert isinstance(records, Ratings)
    matrix = records.sensitive.by_item()
    given = []
    for item, name in enumerate(records.sensitive.items.values.cast(pl.String)):
        here = slice(int(matrix.indptr[item]), int(matrix.indptr[item + 1]))
        words = pl.Series(records.scale.decode(matrix.codes[here])).cast(pl.String)
        values = pl.Series([None], dtype=pl.String).extend_constant(None, len(records) - 1)
        given.append((str(name), values.scatter(matrix.indices[here], words)))
    return given


def _counts(values: pl.Series) -> dict[str | None, int]:
    counted = values.alias("value").value_counts().sort("count", "value", descending=[True, False])
    return dict(zip(counted["value"].to_list(), counted["count"].to_list(), strict=True))
