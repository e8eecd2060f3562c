"""Files of SPSS."""

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

__all__ = ["SPSS"]

_LIMITS = Limits(
    title="SPSS",
    name=re.compile(r"(?![\d_])[\w@#$.]*[\w@#$]"),
    names="A name has letters, digits, ., _, @, # and $, and begins with a letter",
    bytes_of_name=64,
    bytes_of_text=32_767,
    bytes_of_column_label=256,
    letters_of_column_label=256,
    bytes_of_value_label=120,
)
_CREATED = slice(92, 109)
"""Where the header says when the file was made: nine letters of the day and eight of the time."""


@formats.add
@dataclass(frozen=True)
class SPSS(Statistical):
    """SPSS data files; portable ones are only read."""

    name: ClassVar[str] = "spss"
    title: ClassVar[str] = "SPSS"
    endings: ClassVar[tuple[str, ...]] = (".sav", ".zsav", ".por")
    readers: ClassVar[Mapping[str, str]] = {".sav": "read_sav", ".zsav": "read_sav", ".por": "read_por"}
    default_reader: ClassVar[str] = "read_sav"

    def recognizes(self, contents: Contents) -> bool:
        """Tell whether this is, or is named as, a file of SPSS."""
        return contents.head(4) in (b"$FL2", b"$FL3") or super().recognizes(contents)

    def write(self, frames: Iterator[pl.DataFrame], path: Path, schema: Schema | None) -> None:
        """Write codes and labels; the file does not say when it was made."""
        data = labeled_frame(pl.concat(list(frames)), schema, _LIMITS)
        whole = {name: "F11.0" for name, dtype in data.codes.schema.items() if dtype.is_integer()}
        with unwritable_as_refusal(path, _LIMITS):
            pyreadstat_module().write_sav(
                data.codes,
                str(path),
                column_labels=data.texts,
                variable_value_labels=data.values,
                variable_format=whole,
                row_compress=path.suffix.lower() == ".sav",
                compress=path.suffix.lower() == ".zsav",
            )
        with path.open("r+b") as file:
            file.seek(_CREATED.start)
            file.write(b"01 Jan 7000:00:00")
        refuse_unfaithful(data.codes, self.open(Contents(path.name, path, None), None), self.title)
