"""One kind of identifier, and how it is recognized."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.data import Role

__all__ = ["IdentifierKind", "words_of"]


@dataclass(frozen=True)
class IdentifierKind:
    """One kind of identifier, and how it is recognized."""

    name: str
    paragraph: str
    """The letter of the paragraph in the safe harbor; European numbers stand where the American ones do."""
    role: Role = Role.IDENTIFIER
    """The role that a column of this kind usually has."""
    column: str | None = None
    """A regular expression for the name of the column in small words with spaces between."""
    pattern: str | None = None
    """A regular expression for a whole value."""
    check: Callable[[pl.Series], np.ndarray] | None = None
    """Tells which values carry the right check digits, once what is neither letter nor digit is removed."""
    specific: bool = True
    """Whether the pattern is met by hardly anything else."""
    inside: str | None = None
    """A regular expression for what gives such a value away inside longer text."""

    def named(self, column: str) -> bool:
        """Return whether a column is named so: by the last words, since a phone brand is a brand and no phone.

        Whether somebody has a phone, and how many, names nobody.
        """
        words = words_of(column)
        if self.column is None or re.match(r"(?:has|have|had|is|num|n|count|(?:number|no|count) of) ", words):
            return False
        return re.search(rf"\b(?:{self.column})(?: \d+)?$", words) is not None

    def matching(self, values: pl.Series) -> np.ndarray:
        """Return which of these texts have the pattern and the right check digits."""
        if self.pattern is None:
            return np.zeros(len(values), np.bool_)
        fits = values.str.contains(self.pattern).to_numpy().copy()
        if self.check is not None and fits.any():
            plain = values.filter(pl.Series(fits)).str.to_uppercase().str.replace_all("[^0-9A-Z]", "")
            fits[fits] = self.check(plain)
        return fits


def words_of(column: str) -> str:
    """Return the name of a column in small words: ``homeZIPCode_2`` becomes "home zip code 2"."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)", " ", column)
    return re.sub(r"[\W_]+", " ", parted).strip().lower()
