"""Texts numbered in the order they are first seen."""

import numpy as np
import polars as pl

__all__ = ["TextNumbers"]


class TextNumbers:
    """A growing dictionary of texts, held by Polars as the categories of a type."""

    def __init__(self) -> None:
        self._categories = pl.Categories.random()
        # Polars forgets the categories of a type that no series is of
        self._held = pl.Series(dtype=pl.Categorical(self._categories))

    def add(self, texts: pl.Series) -> np.ndarray:
        """Give the number of each text, none of which may be missing: uint32."""
        return texts.cast(self._held.dtype).to_physical().to_numpy()

    def texts(self) -> pl.Series:
        """Give all texts in the order of their numbers."""
        return self._categories.to_series()
