"""Files of Stata."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import polars as pl

from shoal.io.formats.contents import Contents
from shoal.io.formats.faithful import refuse_unfaithful
from shoal.io.formats.registry import formats
from shoal.io.schemas import Schema

from .base import Statistical, pyreadstat_module
from .labeled_frame import Limits, labeled_frame, unwritable_as_refusal

__all__ = ["Stata"]

_LARGEST_WHOLE = 2_147_483_620
"""Whole numbers above this are Stata's marks of missing values."""
_LIMITS = Limits(
    title="Stata",
    name=re.compile(r"(?!\d)\w{1,32}"),
    names="A name has up to 32 letters, digits and underlines, and does not begin with a digit",
    bytes_of_name=128,
    bytes_of_text=2045,
    bytes_of_column_label=320,
    letters_of_column_label=80,
    bytes_of_value_label=32_000,
    largest_code=_LARGEST_WHOLE,
)
_CREATED = re.compile(rb"<timestamp>.\d\d \w{3} \d{4} \d\d:\d\d</timestamp>")


@formats.add
@dataclass(frozen=True)
class Stata(Statistical):
    """Stata data files."""

    name: ClassVar[str] = "stata"
    title: ClassVar[str] = "Stata"
    endings: ClassVar[tuple[str, ...]] = (".dta",)
    readers: ClassVar[Mapping[str, str]] = {".dta": "read_dta"}
    default_reader: ClassVar[str] = "read_dta"

    def recognizes(self, contents: Contents) -> bool:
        """Tell whether this is, or is named as, a file of Stata."""
        return contents.head(11) == b"<stata_dta>" or super().recognizes(contents)

    def write(self, frames: Iterator[pl.DataFrame], path: Path, schema: Schema | None) -> None:
        """Write codes and labels; the file does not say when it was made."""
        data = labeled_frame(pl.concat(list(frames)), schema, _LIMITS)
        small = {name: pl.Int32 for name in data.codes.columns if _is_small(data.codes[name])}
        with unwritable_as_refusal(path, _LIMITS):
            pyreadstat_module().write_dta(
                data.codes.cast(small),  # type: ignore[arg-type]
                str(path),
                column_labels=data.texts,
                variable_value_labels=data.values,
                version=15,
            )
        _make_timeless(path)
        refuse_unfaithful(data.codes, self.open(Contents(path.name, path, None), None), self.title)


def _is_small(column: pl.Series) -> bool:
    return column.dtype.is_integer() and bool((column.cast(pl.Int128).abs() <= _LARGEST_WHOLE).all())


def _make_timeless(path: Path) -> None:
    """Replace the time at which a file was made by the beginning of the era, in as many letters."""
    with path.open("r+b") as file:
        head = file.read(4096)
        found = _CREATED.search(head)
        if found is not None:
            file.seek(found.start())
            file.write(b"<timestamp>\x1101 Jan 1960 00:00</timestamp>")
