"""Columns of a file that is not in memory: which values they have, and the code of the value of each record.

The different values of a column are brought here and typed as those of a column in memory are; so a table is
understood in the same way wherever its records are. What is left of a record is a small number a column.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

import numpy as np
import polars as pl

from shoal.backends import Backend, Columns, Partitions, Scannable, Shared
from shoal.errors import SchemaError

__all__ = ["Coding", "code_type", "coded", "encode_batches", "values_of_columns"]

_MOST_DIFFERENT = 1 << 22
"""How many different values a column may have: all of them are brought here."""


def values_of_columns(backend: Backend, file: Scannable, names: Sequence[str]) -> dict[str, pl.DataFrame]:
    """Return by column the different values in a file, ``value``, and how many records have each, ``records``."""
    if not names:
        return {}
    counting = _CountValues(tuple(names))
    found = backend.scan(file, *names).map_batches(counting, _COUNTED).collect(f"looking at the values of {file.name}")
    return {name: _merged(found, place, name) for place, name in enumerate(names)}


_COUNTED: Columns = {"column": pl.UInt32(), "counted": pl.Binary()}


@dataclass(frozen=True)
class _CountValues:
    """Counts the values of each column of a batch; a frame of values of any type travels as bytes."""

    names: tuple[str, ...]

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        counted = [_written(_counts(batch[name])) for name in self.names]
        places = pl.int_range(len(counted), dtype=pl.UInt32, eager=True)
        return pl.DataFrame({"column": places, "counted": pl.Series(counted, dtype=pl.Binary)})


def _counts(values: pl.Series) -> pl.DataFrame:
    return values.to_frame("value").group_by("value").agg(pl.len().cast(pl.Int64).alias("records"))


def _written(frame: pl.DataFrame) -> bytes:
    stream = BytesIO()
    frame.write_ipc_stream(stream, compression="lz4")
    return stream.getvalue()


def _merged(found: pl.DataFrame, place: int, name: str) -> pl.DataFrame:
    parts = [pl.read_ipc_stream(each) for each in found.filter(pl.col("column") == place)["counted"]]
    whole = pl.concat(parts).group_by("value").agg(pl.col("records").sum())
    if whole.height > _MOST_DIFFERENT:
        raise SchemaError(
            f"The column {name!r} has {whole.height:,} different values, and in a table of this size it may have "
            f"{_MOST_DIFFERENT:,}.",
            'Round its values or join them to fewer, give it the role "identifier" or "drop", or publish in memory '
            "(--engine local).",
        )
    return whole


def code_type(n_values: int) -> pl.DataType:
    """Return the smallest type of numbers that has a code for each of so many values."""
    return pl.UInt8() if n_values <= 1 << 8 else pl.UInt16() if n_values <= 1 << 16 else pl.UInt32()


@dataclass(frozen=True)
class Coding:
    """Which code each value of a column has, as it is in the file."""

    name: str
    target: str
    values: pl.Series
    codes: pl.Series

    def __call__(self, batch: pl.DataFrame) -> pl.Series:
        """Return the codes of a batch."""
        values = batch[self.name]
        if values.dtype == pl.String and not self.values.null_count():
            # texts are looked up several times as fast among the words of a type of their own
            places = values.cast(pl.Enum(self.values)).to_physical()
            return self.codes.gather(places).rename(self.target)
        return values.replace_strict(self.values, self.codes, return_dtype=self.codes.dtype).rename(self.target)


@dataclass(frozen=True)
class _Encode:
    """Writes the codes of all columns in the place of their values; other columns stay as they are."""

    codings: Shared[tuple[Coding, ...]]
    others: tuple[str, ...]

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        return pl.DataFrame([*(coding(batch) for coding in self.codings.value), *(batch[name] for name in self.others)])


def coded(name: str, target: str, values: pl.Series, codes: np.ndarray, n_codes: int) -> Coding:
    """Return how the ``values`` of a column of a file, all of which are given, become codes in a column ``target``."""
    return Coding(name, target, values, pl.Series(codes).cast(code_type(n_codes)))


def encode_batches(
    backend: Backend, rows: Partitions, codings: Sequence[Coding], others: Sequence[str] = ()
) -> Partitions:
    """Return rows of codes; the columns ``others`` stay as they are."""
    columns = {coding.target: coding.codes.dtype for coding in codings}
    columns |= {name: rows.columns[name] for name in others}
    return rows.map_batches(_Encode(backend.shared(tuple(codings)), tuple(others)), columns)
