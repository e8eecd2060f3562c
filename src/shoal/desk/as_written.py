"""The fields of a file as they are written, whatever they are understood as.

The same data can be read as numbers or as words, with other marks for missing values, from CSV or from Parquet. To
notice that they are the same, fields are compared as they stand in the file, brought into one form: without spaces
around them, letters in the normal form NFC, numbers by their value (``007``, ``7`` and ``7.0`` are alike) and times by
when they begin. What only looks alike is taken to be the same; that errs on the careful side.
"""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Self

import polars as pl

from shoal.data import Microdata
from shoal.data.time_span import time_span
from shoal.data.written_label import written_values

__all__ = ["AsWritten", "as_written"]

_PLAIN: Final = r"^-?[1-9][0-9]*$|^0$"
"""Whole numbers in the one form."""
_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
_TRUTH: Final = ("true", "false")


@dataclass(frozen=True, repr=False)
class AsWritten:
    """What a file holds, and which of its columns name the person a record is of."""

    fields: pl.DataFrame
    person: tuple[str, ...] = ()

    @classmethod
    def of(cls, table: Microdata) -> Self:
        """Return it of a table of which no file is known: its values as they would be written."""
        return cls(table.frame())

    def __repr__(self) -> str:
        return f"AsWritten({self.fields.height:,} records, {self.fields.width} columns)"


def as_written(values: pl.Series) -> pl.Series:
    """Return fields in the one form, missing ones as empty."""
    texts = written_values(values).str.strip_chars().fill_null("")
    distinct = texts.unique()
    odd = distinct.filter(~distinct.str.contains(_PLAIN))
    forms = pl.Series(map(_form, odd), dtype=pl.String)
    return texts.replace(odd, forms)


def _form(word: str) -> str:
    if word.isascii() and _NUMBER.fullmatch(word):
        return _number(word)
    if word.lower() in _TRUTH:
        return word.lower()
    span = time_span(word)
    return unicodedata.normalize("NFC", word) if span is None else f"time {span[0]}"


def _number(word: str) -> str:
    """Return a decimal number without an exponent and without zeros that mean nothing."""
    number = Decimal(word)
    if not number:
        return "0"
    plain = f"{number:f}"
    return plain.rstrip("0").rstrip(".") if "." in plain else plain
