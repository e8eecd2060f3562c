"""Files of parts that appear whole: whoever writes one may die, or write it a second time beside another."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shoal.io.write_errors import unwritable_as_error

__all__ = ["folders_of_parts", "whole_part"]

_ATTEMPTS = ".attempts"


@contextmanager
def folders_of_parts(*folders: Path) -> Iterator[None]:
    """Make folders that parts are written into; what is left of attempts is removed at the end of the block."""
    for folder in folders:
        with unwritable_as_error(folder):
            folder.mkdir(mode=0o700)
            (folder.parent / _ATTEMPTS).mkdir(mode=0o700)
    yield
    for folder in folders:
        with unwritable_as_error(folder):
            shutil.rmtree(folder.parent / _ATTEMPTS)


@contextmanager
def whole_part(part: Path) -> Iterator[Path]:
    """Yield a path to write to; the file is renamed when it is whole.

    On a cluster the same part may be written twice at a time, and whoever writes it may die: the files of such attempts
    lie in a folder of their own, which is removed before anything is stated of the parts.
    """
    attempt = part.parents[1] / _ATTEMPTS / f"{os.urandom(8).hex()}{part.suffix}"
    with unwritable_as_error(part):
        yield attempt
        attempt.replace(part)
