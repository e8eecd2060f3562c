"""Whatever goes wrong while a file or folder is written, told of it in our own words."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from shoal.errors import WriteError

__all__ = ["told_as_unwritable"]


@contextmanager
def told_as_unwritable(target: str | Path) -> Iterator[None]:
    """Tell a fault of the operating system or of the writer underneath as one of the target."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError) as error:
        raise WriteError(target, error) from None
