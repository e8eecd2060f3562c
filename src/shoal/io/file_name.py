"""Names of files in a schema."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import polars as pl
from pydantic import AfterValidator

from shoal.errors import FileError, WriteError

__all__ = ["FileName", "refuse_unfit_name", "unwritable_as_error"]


def _without_zero_byte(name: str) -> str:
    if "\0" in name:
        raise ValueError("the name of a file holds no zero byte")
    return name


FileName = Annotated[str, AfterValidator(_without_zero_byte)]


def refuse_unfit_name(target: Path) -> None:
    """Refuse to write what the system cannot have under this name, or what cannot be told in a file of UTF-8 text."""
    try:
        str(target).encode()
        target.lstat()
    except (FileNotFoundError, NotADirectoryError):
        pass  # nothing is there yet
    except UnicodeEncodeError:
        raise FileError("The name of a file or folder to write is not UTF-8 text.", "Choose another name.") from None
    except ValueError:
        raise FileError("The name of a file or folder to write holds a zero byte.", "Choose another name.") from None
    except OSError as error:
        raise WriteError(target, error) from None


@contextmanager
def unwritable_as_error(target: str | Path) -> Iterator[None]:
    """Tell a fault of the operating system or of the writer underneath as one of the target."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError) as error:
        raise WriteError(target, error) from None
