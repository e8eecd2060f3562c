"""What can go wrong when a file or folder is written, reported by its name."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from shoal.errors import FileError, WriteError

__all__ = ["refuse_unfit_name", "unwritable_as_error"]


def refuse_unfit_name(target: Path) -> None:
    """Refuse a name that the file system does not accept, or that cannot be written into a file of UTF-8 text."""
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
    """Report an error of the operating system or of Polars while writing as one of the target."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError) as error:
        raise WriteError(target, error) from None
