"""An array that grows where it is."""

from typing import Any

import numpy as np

__all__ = ["GrowingArray"]

_STEP = 1 << 24
"""So many places are added at a time, at most."""


class GrowingArray:
    """Values added part by part that lie in one piece, and are in memory once.

    Large arrays are made longer and shorter by the system without being copied, which lists of parts that are joined
    in the end are not. What :attr:`filled` gave is not to be used after the next change.
    """

    def __init__(self, dtype: type[np.generic]) -> None:
        self._array: np.ndarray[Any, Any] = np.empty(0, dtype)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    @property
    def filled(self) -> np.ndarray:
        """The values so far."""
        return self._array[: self._length]

    def add(self, values: np.ndarray) -> None:
        """Add values behind those there are."""
        end = self._length + len(values)
        if end > len(self._array):
            self._resize(max(end, min(2 * len(self._array), len(self._array) + _STEP)))
        self._array[self._length : end] = values
        self._length = end

    def widen(self, dtype: np.dtype) -> None:
        """Make values of a type with more bytes, if it has more."""
        if dtype.itemsize > self._array.dtype.itemsize:
            self._array = self._array.astype(dtype)

    def cut(self, length: int) -> np.ndarray:
        """Let go of all values behind a length and of the memory they took; return those that are left."""
        self._length = min(length, self._length)
        self._resize(self._length)
        return self._array

    def _resize(self, length: int) -> None:
        # views may be left of it that are never used again, such as the loop variables of a caller
        self._array.resize(length, refcheck=False)
