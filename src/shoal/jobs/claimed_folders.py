"""The folders of a release and its ledger, claimed before the long work, so that a bad path is told at once."""

import os
from contextlib import ExitStack
from pathlib import Path

from shoal.errors import FileError
from shoal.io.ledger_folder import LEDGER_FILES
from shoal.io.release_folder import RELEASE_FILES
from shoal.io.staging import staged

__all__ = ["claimed_folders"]


def claimed_folders(
    folders: ExitStack, out: str | Path, ledger: str | Path | None, *, force: bool | None
) -> tuple[Path, Path | None]:
    """Give folders to write into; they get their names when the stack is left without an error.

    Folders that exist are replaced with ``force``; None says that there is no such way.
    """
    target = Path(os.path.abspath(out))
    # entered first, so left last: the release appears when its ledger is safe, and is the last thing to happen
    release = folders.enter_context(staged(target, files=RELEASE_FILES, force=force))
    if ledger is None:
        return release, None
    own = Path(os.path.abspath(ledger))
    if own == target or target in own.parents or own in target.parents:
        raise FileError("The ledger and the release must be in separate folders.", "The ledger must never leave.")
    return release, folders.enter_context(staged(own, files=LEDGER_FILES, force=force, private=True))
