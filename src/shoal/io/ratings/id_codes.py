"""Codes for the ids of users and items, assigned batch by batch."""

import numpy as np
import polars as pl

from shoal.data import Vocabulary
from shoal.errors import DataError
from shoal.kernels.numbering import first_seen

__all__ = ["CANONICAL_INTEGER", "IdCodes", "TextNumbers", "as_ids", "refuse_missing_ids"]


class TextNumbers:
    """A growing dictionary of texts, held by Polars as the categories of a type."""

    def __init__(self) -> None:
        self._categories = pl.Categories.random()
        # Polars forgets the categories of a type that no series is of
        self._held = pl.Series(dtype=pl.Categorical(self._categories))

    def add(self, texts: pl.Series) -> np.ndarray:
        """Return the number of each text, none of which may be missing: uint32."""
        return texts.cast(self._held.dtype).to_physical().to_numpy()

    def texts(self) -> pl.Series:
        """Return all texts in the order of their numbers."""
        return self._categories.to_series()


_LARGEST_IN_TABLE = 1 << 26
_A_FEW = 1000
CANONICAL_INTEGER = r"^(?:0|-?[1-9][0-9]{0,17})$"


class IdCodes:
    """Numbers distinct ids in order of first occurrence, and finally returns their sorted vocabulary.

    Whole numbers that are not too large are looked up in a table, everything else in a dictionary of texts.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._missing = 0
        self._table = np.zeros(0, np.int32)
        self._seen = 0
        self._texts: TextNumbers | None = None

    def add(self, ids: pl.Series) -> np.ndarray:
        """Return the number of each id of a batch: int32."""
        ids = ids.fill_nan(None) if ids.dtype.is_float() else ids
        missing = ids.null_count() + (int((ids == "").sum()) if ids.dtype == pl.String else 0)
        self._missing += missing
        if missing:
            ids = ids.fill_null(strategy="zero") if ids.dtype.is_integer() else ids.cast(pl.String).fill_null("")
        if self._texts is None and ids.dtype.is_integer() and _fits_table(ids):
            return self._looked_up(ids)
        return self._as_texts(ids)

    def finish(self) -> tuple[Vocabulary, np.ndarray]:
        """Return the sorted vocabulary, and for each number the code of its id there."""
        refuse_missing_ids(self._what, self._missing)
        ids = self._ids()
        order = ids.arg_sort().to_numpy()
        codes = np.empty(len(ids), np.int32)
        codes[order] = np.arange(len(ids), dtype=np.int32)
        return Vocabulary(ids.gather(order)), codes

    def _looked_up(self, ids: pl.Series) -> np.ndarray:
        values = ids.to_numpy()
        needed = int(values.max(initial=0)) + 1
        if needed > len(self._table):
            grown = np.full(min(max(needed, 2 * len(self._table)), _LARGEST_IN_TABLE), -1, np.int32)
            grown[: len(self._table)] = self._table
            self._table = grown
        numbers, self._seen = first_seen(values, self._table, self._seen)
        return numbers

    def _as_texts(self, ids: pl.Series) -> np.ndarray:
        if self._texts is None:
            self._texts = TextNumbers()
            known = self._texts.add(self._ids_in_table().cast(pl.String))
            assert np.array_equal(known, np.arange(len(known))), "numbers given so far stay as they are"
        ids = ids.cast(pl.String)
        if 4 * ids.head(_A_FEW).rle_id().n_unique() > len(ids.head(_A_FEW)):
            return self._texts.add(ids).astype(np.int32)
        # long runs of one id, as in files sorted by user: comparing neighbors is faster than looking up each
        runs = ids.rle().struct
        return np.repeat(self._texts.add(runs.field("value")).astype(np.int32), runs.field("len").to_numpy())

    def _ids(self) -> pl.Series:
        return self._ids_in_table() if self._texts is None else as_ids(self._texts.texts())

    def _ids_in_table(self) -> pl.Series:
        values = np.flatnonzero(self._table >= 0)
        ordered = np.empty(self._seen, np.int64)
        ordered[self._table[values]] = values
        return pl.Series(ordered)


def refuse_missing_ids(what: str, missing: int) -> None:
    """Refuse ratings so many of which name no user or no item."""
    if missing:
        raise DataError(f"{missing:,} {what} ids are empty.", "Every rating needs a user and an item.")


def as_ids(texts: pl.Series) -> pl.Series:
    """Return ids as integers if all are written as integers, otherwise unchanged: 007 and 7 are two ids."""
    canonical = bool(texts.str.contains(CANONICAL_INTEGER).all())
    return texts.cast(pl.Int64) if canonical and len(texts) else texts


def _fits_table(ids: pl.Series) -> bool:
    lowest, highest = ids.min(), ids.max()
    return lowest is None or (lowest >= 0 and highest < _LARGEST_IN_TABLE)  # type: ignore[operator]
