"""Columns of a file that is not in memory: the code of the value of each record.

The different values of a column are here, typed as those of a column in memory are; so a table is understood in the
same way wherever its records are. What is left of a record is a small number a column.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from shoal.backends import Backend, Partitions, Shared
from shoal.errors import DataError
from shoal.kernels.key_table import key_slots, look_up_keys

from .column_values import is_hashed

__all__ = ["Coding", "code_type", "coded", "encode_batches"]


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
        if self._hashes is None:
            return values.replace_strict(self.values, self.codes, return_dtype=self.codes.dtype).rename(self.target)
        hashes, slots = self._hashes
        codes = self.codes.to_numpy()
        found = np.zeros(len(values), codes.dtype)
        if look_up_keys(values.hash().to_numpy(), hashes, slots, codes, found):
            raise DataError("The data were changed while they were read.", "Run it again once nobody writes to them.")
        return pl.Series(self.target, found)

    @cached_property
    def _hashes(self) -> tuple[np.ndarray, np.ndarray] | None:
        """The hash of each value and a table of them, where no two are equal: all values of the file are known."""
        if not is_hashed(self.values.dtype):
            return None
        hashes = self.values.hash().to_numpy()
        return (hashes, key_slots(hashes)) if len(np.unique(hashes)) == len(hashes) else None


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
