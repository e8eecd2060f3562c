"""The different values of the columns of a file that is not in memory, and how many records have each.

They are brought into this process, where a column is typed as one in memory is. So they are bounded, in number and in
bytes, and no more than these bounds comes here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO

import numpy as np
import polars as pl

from shoal.backends import Backend, Columns, Partitions, Scannable
from shoal.backends.division import row_bytes
from shoal.errors import SchemaError
from shoal.kernels.key_table import number_few

__all__ = ["MOST_DIFFERENT", "is_hashed", "values_of_columns"]

MOST_DIFFERENT = 1 << 22
"""How many different values a column may have: all of them are brought here."""
_FEW = 1 << 14
"""Up to so many different values, those of a batch are counted by their hashes."""
_LEAST_ROOM = 1 << 26
_SHARE_OF_MEMORY = 8
"""Values of all columns may take such a part of the memory of this process, or 64 MiB: they are held several times."""
_BUCKETS = 256
"""Into how many parts the values of a column are divided where they are too many for one process."""


def values_of_columns(backend: Backend, file: Scannable, names: Sequence[str]) -> dict[str, pl.DataFrame]:
    """Return by column the different values in a file, ``value``, and how many records have each, ``records``.

    They are counted batch by batch, and batches are merged here, or wherever they are if they are too large for that.
    """
    if not names:
        return {}
    room, title = max(_LEAST_ROOM, backend.memory // _SHARE_OF_MEMORY), f"looking at the values of {file.name}"
    scanned = backend.scan(file, *names)
    counted = scanned.map_batches(_CountValues(tuple(names)), _COUNTED).persist(title)
    size = int(_sizes(counted, title)["size"].sum())
    if size > room:
        divided = counted.map_batches(_Divide(), {**_COUNTED, _PART: pl.UInt64()})
        together = divided.shuffle(_PART, size // row_bytes(_COUNTED), title)
        counted = together.map_partitions(_merge, _COUNTED).persist(title)
        _refuse_too_large(_sizes(counted, title), names, room)
    found = counted.collect(title)
    merged = {name: _merged(found.filter(pl.col("column") == place)) for place, name in enumerate(names)}
    _refuse_too_many({name: values.height for name, values in merged.items()})
    return merged


_COUNTED: Columns = {"column": pl.UInt32(), "different": pl.Int64(), "size": pl.Int64(), "counted": pl.Binary()}
_PART = "part of the values"


def _counted_row(column: int, counts: pl.DataFrame) -> pl.DataFrame:
    """Return how many values were counted, how many bytes they take, and the counts: of any type, so as bytes."""
    stream = BytesIO()
    counts.write_ipc_stream(stream, compression="lz4")
    row = {"column": [column], "different": [counts.height], "size": [int(counts.estimated_size())]}
    return pl.DataFrame({**row, "counted": [stream.getvalue()]}, schema=dict(_COUNTED))


@dataclass(frozen=True)
class _CountValues:
    """Counts the values of each column of a batch."""

    names: tuple[str, ...]

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        return pl.concat(_counted_row(place, _counts(batch[name])) for place, name in enumerate(self.names))


def _counts(values: pl.Series) -> pl.DataFrame:
    if is_hashed(values.dtype) and (few := _few_counts(values)) is not None:
        return few
    return values.to_frame("value").group_by("value").agg(pl.len().cast(pl.Int64).alias("records"))


def _few_counts(values: pl.Series) -> pl.DataFrame | None:
    """Count values of which few are different, by their hashes: several times as fast as by the values.

    Nothing is returned where many are different, or two different ones have the same hash.
    """
    first, numbers = number_few(values.hash().to_numpy(), _FEW)
    different = values.gather(first)
    if not len(first) or not different.gather(pl.Series(numbers)).eq_missing(values).all():
        return None
    return pl.DataFrame({"value": different, "records": pl.Series(np.bincount(numbers)).cast(pl.Int64)})


def is_hashed(dtype: pl.DataType) -> bool:
    """Tell whether equal values have equal hashes, wherever they are."""
    return dtype == pl.String or dtype.is_integer()


class _Divide:
    """Divides the values that were counted into parts, the same value into the same."""

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        parts = [pl.DataFrame(schema={**_COUNTED, _PART: pl.UInt64()})]
        for column, counted in rows.select("column", "counted").iter_rows():
            counts = pl.read_ipc_stream(counted)
            places = counts["value"].hash() % _BUCKETS
            for place in places.unique():
                row = _counted_row(column, counts.filter(places == place))
                parts.append(row.with_columns(pl.lit(column * _BUCKETS + place, pl.UInt64).alias(_PART)))
        return pl.concat(parts)


def _merge(rows: pl.DataFrame, _: int) -> pl.DataFrame:
    """Return the counts of each part of the values, all of which are in this partition."""
    parts = rows.partition_by(_PART)
    merged = (_counted_row(part["column"][0], _merged(part)) for part in parts)
    return pl.concat([pl.DataFrame(schema=dict(_COUNTED)), *merged])


def _merged(rows: pl.DataFrame) -> pl.DataFrame:
    counts = pl.concat(pl.read_ipc_stream(each) for each in rows["counted"])
    return counts.group_by("value").agg(pl.col("records").sum())


def _sizes(counted: Partitions, title: str) -> pl.DataFrame:
    """Return how many values there are of each column, and how many bytes they take."""
    columns = {name: _COUNTED[name] for name in ("column", "different", "size")}
    sizes = counted.map_batches(_without_counts, columns).collect(title)
    return sizes.group_by("column").agg(pl.all().exclude("column").sum())


def _without_counts(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.drop("counted")


_CURE = (
    'Round its values or join them to fewer, give it the role "identifier" or "drop", or publish in memory '
    "(--engine local)."
)


def _refuse_too_many(different: Mapping[str, int]) -> None:
    for name, n in different.items():
        if n > MOST_DIFFERENT:
            raise SchemaError(
                f"The column {name!r} has {n:,} different values, and in a table of this size it may have "
                f"{MOST_DIFFERENT:,}.",
                _CURE,
            )


def _refuse_too_large(sizes: pl.DataFrame, names: Sequence[str], room: int) -> None:
    """Refuse values that do not fit into this process, by the column that has most of them."""
    named = [names[int(column)] for column in sizes["column"]]
    _refuse_too_many(dict(zip(named, sizes["different"], strict=True)))
    if (taken := int(sizes["size"].sum())) > room:
        column, largest = sizes.sort("size").select("column", "size").row(-1)
        raise SchemaError(
            f"The different values of all columns take {taken >> 20:,} MiB, {largest >> 20:,} of them those of "
            f"{names[column]!r}, and this process has room for {room >> 20:,} MiB.",
            f"{_CURE} More memory gives more room (--memory).",
        )
