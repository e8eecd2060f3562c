"""Whether several quasi-identifiers together determine what is read in a column, decided where the records are.

Records with equal values of the quasi-identifiers come together; how often the most frequent value is right among them
is added up. If they determine it, each record is told what its quasi-identifiers determine.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions, Shared
from shoal.column_audit.dependency import Guesses
from shoal.evidence import PairCounts, equal_codes
from shoal.kernels.groups.counts import leading_counts

from .release_rows import ONE_EACH, Reading, ReleaseRows, keys_of, sought_name

__all__ = ["SeveralKnown"]

_KEY = "key"
_GUESSES: Columns = dict.fromkeys((*Guesses.__dataclass_fields__, "different"), pl.Int64())


@dataclass(frozen=True)
class SeveralKnown:
    """Quasi-identifiers that may determine what is read in columns."""

    reading: Shared[Reading]
    columns: tuple[str, ...]
    n_read: int
    usual: int
    """What is read most often, among one record of everybody."""
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    """How many values each quasi-identifier may have."""

    def together(self, rows: Partitions, n_records: int) -> Partitions:
        """Return rows in partitions in which those with equal quasi-identifiers are together."""
        keyed = rows.map_batches(_Keyed(self), {**rows.columns, _KEY: pl.UInt64()})
        return keyed.shuffle(_KEY, n_records, "auditing columns")

    def guessed(self, together: Partitions) -> tuple[Guesses, bool]:
        """Return how many guesses are right, and whether what is determined is what is read everywhere."""
        found = together.map_partitions(self._guess, _GUESSES).collect("auditing columns").sum()
        numbers = found.row(0, named=True)
        different = numbers.pop("different")
        return Guesses(**{name: int(number) for name, number in numbers.items()}), not different

    def told(self, together: Partitions, columns: Columns) -> Partitions:
        """Return rows with what is determined of each."""
        name = sought_name(self.columns, self.names)
        return together.map_partitions(self._tell, {**columns, name: pl.Int64()})

    def _guess(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        if not rows.height:
            return pl.DataFrame(schema=dict(_GUESSES))
        pairs, sought, read = self._determined(rows)
        guesses = Guesses.of(pairs, self.usual)
        different = int(np.count_nonzero(sought != read))
        return pl.DataFrame([{**vars(guesses), "different": different}], schema=dict(_GUESSES))

    def _tell(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        name = sought_name(self.columns, self.names)
        sought = self._determined(rows)[1] if rows.height else np.zeros(0, np.int64)
        return rows.drop(_KEY).with_columns(pl.Series(name, sought))

    def _determined(self, rows: pl.DataFrame) -> tuple[PairCounts, np.ndarray, np.ndarray]:
        """Return the pairs of one record of everybody, and by row what is determined and what is read."""
        audited = ReleaseRows(self.reading.value, rows)
        parts: Sequence[tuple[np.ndarray, int]] = [
            (audited.known(name), size) for name, size in zip(self.names, self.sizes, strict=True)
        ]
        labels, n_labels = equal_codes(parts, len(audited))
        read = audited.read(self.columns)
        chosen = rows[ONE_EACH].to_numpy() if ONE_EACH in rows.columns else slice(None)
        pairs = PairCounts.of(labels[chosen], n_labels, read[chosen], self.n_read)
        _, mode, _ = leading_counts(pairs.one, pairs.other, pairs.counts, n_labels)
        return pairs, np.where(pairs.of_one > 0, mode, -1)[labels], read


@dataclass(frozen=True)
class _Keyed:
    known: SeveralKnown

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        coded = self.known.reading.value.coded(self.known.names)
        return batch.with_columns(keys_of(batch, coded).alias(_KEY))
