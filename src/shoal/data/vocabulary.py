"""Outside ids and the inside codes that stand for them."""

from typing import Self

import numpy as np
import polars as pl

from .written_label import written_values

__all__ = ["Vocabulary", "rebuilt"]

_FEW = 1_000
"""Up to this many values a dictionary is quicker than a join, which takes a hundred times as long to begin."""


def _is_plain(dtype: pl.DataType) -> bool:
    """Whether values are equal exactly if they are equal in Python: not so NaN, nor times finer than microseconds."""
    return dtype.is_integer() or dtype in (pl.String, pl.Boolean, pl.Date)


def rebuilt(values: pl.Series) -> pl.Series:
    """Return the same values in memory of their own, which holds no others.

    A series shares the texts of the one it was taken from, and Polars leaves any text beneath a missing value. Nobody
    sees them in the frame, but they are pickled and exported to Arrow with it.
    """
    if values.dtype != pl.String and not values.null_count():
        return values
    plain = values.to_physical()
    return pl.Series(values.name, plain.to_list(), dtype=plain.dtype).cast(values.dtype)


class Vocabulary:
    """Distinct outside values; the position of a value is its code.

    Everything else in Shoal works on codes. A missing value may be in a vocabulary (once): it is then a value like any
    other, equal to itself. The repr shows the size and type, never a value.
    """

    __slots__ = ("_values",)

    def __init__(self, values: pl.Series) -> None:
        assert values.n_unique() == len(values), "a vocabulary holds each value once"
        self._values = values.rename("")

    @classmethod
    def encode(cls, values: pl.Series) -> tuple[Self, np.ndarray]:
        """Return the sorted vocabulary of a column and its codes; missing values, if any, come first.

        The order depends on the values alone, so codes never depend on the order of the rows.
        """
        vocabulary = cls.__new__(cls)
        # each value is there once: there is no need to make sure
        vocabulary._values = values.unique().sort(nulls_last=False).rename("")  # noqa: SLF001
        return vocabulary, vocabulary.codes(values)

    @classmethod
    def numbered(cls, n: int) -> Self:
        """Return the vocabulary 0…n−1, for records that came without an id."""
        return cls(pl.int_range(n, eager=True))

    @property
    def values(self) -> pl.Series:
        """The outside values in the order of their codes."""
        return self._values

    @property
    def words(self) -> pl.Series:
        """The values as labels write them: times as ISO 8601 does, without zeros at the end."""
        return written_values(self._values)

    @property
    def is_numeric(self) -> bool:
        """Whether the values are numbers."""
        return self._values.dtype.is_numeric()

    @property
    def is_ordered(self) -> bool:
        """Whether the values are numbers or dates, so that an interval of them means something."""
        return self._values.dtype.is_numeric() or self._values.dtype.is_temporal()

    @property
    def numbers(self) -> np.ndarray:
        """The values as doubles, dates and times by how far they are from a day that is 0; NaN for a missing one."""
        values = self._values if self.is_numeric else self._values.to_physical()
        return values.cast(pl.Float64).fill_null(np.nan).to_numpy()

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Vocabulary({len(self)} values of type {self._values.dtype})"

    def take(self, codes: np.ndarray) -> pl.Series:
        """Return the outside values of codes."""
        return self._values.gather(codes)

    def select(self, codes: np.ndarray) -> Self:
        """Return the vocabulary of these distinct codes alone, in this order; nothing is left of the other values."""
        return type(self)(rebuilt(self._values.gather(codes)))

    def codes(self, values: pl.Series) -> np.ndarray:
        """Return the codes of outside values as int32; −1 where a value is not in the vocabulary."""
        if len(self) + len(values) <= _FEW and self._values.dtype == values.dtype and _is_plain(values.dtype):
            places = {value: code for code, value in enumerate(self._values.to_list())}
            return np.array([places.get(value, -1) for value in values.to_list()], np.int32)
        table = pl.DataFrame({"value": self._values, "code": pl.int_range(len(self), dtype=pl.Int32, eager=True)})
        asked = values.cast(self._values.dtype, strict=False)
        found = asked.to_frame("value").join(table, on="value", how="left", nulls_equal=True, maintain_order="left")
        codes = found["code"].fill_null(-1).to_numpy().astype(np.int32, copy=False)
        if asked.dtype == values.dtype:
            return codes
        # what does not survive the way there and back is another value: 1.5 is not 1, and a word is not missing
        same = asked.cast(values.dtype, strict=False).eq_missing(values).to_numpy()
        return np.where(same, codes, np.int32(-1))
