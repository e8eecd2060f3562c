"""What a file format is: how its files are recognized, opened and written."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import polars as pl

from shoal.errors import FileError
from shoal.io.schemas import Schema
from shoal.wording import Worded

from .contents import Contents
from .tabular_file import TabularFile

__all__ = ["Format"]


@dataclass(frozen=True)
class Format(Worded, ABC):
    """A way to keep named columns in a file. One that only reads leaves :meth:`write` as it is."""

    title: ClassVar[str]
    """What people call it, such as ``Parquet``."""
    endings: ClassVar[tuple[str, ...]]
    """How names of such files end, in lower case; the first one is written."""
    is_text: ClassVar[bool] = False
    """Whether fields are text as written: the header may be missing, and spreadsheets may run a cell as a formula."""
    streamed: ClassVar[bool] = True
    """Whether a file is read and written block by block, and may thus be larger than the memory."""
    keeps_types: ClassVar[bool] = False
    """Whether a file keeps the types of Polars: the width of numbers, categories, time zones."""
    selected_by: ClassVar[str | None] = None
    """The setting of a location that says which part is read, such as ``sheet``, if there is one."""

    def recognizes(self, contents: Contents) -> bool:
        """Tell whether this is such a file; unless overridden, by the ending of its name."""
        return contents.name.lower().endswith(self.endings)

    @abstractmethod
    def open(self, contents: Contents, schema: Schema | None) -> TabularFile:
        """Find out names, types and number of rows; nothing else need be read yet."""

    def write(self, frames: Iterator[pl.DataFrame], path: Path, schema: Schema | None) -> None:  # noqa: ARG002
        """Write frames one after the other; the first has no rows and shows the columns."""
        raise FileError(f"Shoal reads {self.title} files, but does not write them.")

    @property
    def is_written(self) -> bool:
        """Whether files of this format can be written."""
        return type(self).write is not Format.write

    @property
    def ending(self) -> str:
        """The ending that a new file gets."""
        return self.endings[0]
