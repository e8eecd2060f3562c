"""The folders of a release and its ledger, claimed before the long work, so that a bad path is told at once."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from shoal.errors import FileError, InternalError
from shoal.io.folders.ledger import LEDGER_FILES
from shoal.io.folders.release import RELEASE_FILES
from shoal.io.folders.staging import Claim, staged_together

from .verify import verify

__all__ = ["claimed_folders", "proof_read"]


def claimed_folders(
    folders: ExitStack, out: str | Path, ledger: str | Path | None, *, force: bool | None, private: bool = False
) -> tuple[Path, Path | None]:
    """Return folders to write into; they get their names when the stack is left without an error.

    Folders that exist are replaced with ``force``; None says that there is no such way. A ledger is readable by its
    owner alone, and so is a ``private`` release.
    """
    return folders.enter_context(_claimed(out, ledger, force=force, private=private))


@contextmanager
def _claimed(
    out: str | Path, ledger: str | Path | None, *, force: bool | None, private: bool
) -> Iterator[tuple[Path, Path | None]]:
    target = Path(os.path.abspath(out))
    own = None if ledger is None else Path(os.path.abspath(ledger))
    if own is not None and (own == target or target in own.parents or own in target.parents):
        raise FileError("The ledger and the release must be in separate folders.", "The ledger must never leave.")
    release = Claim(target, RELEASE_FILES, force=force, private=private)
    if own is None:
        with staged_together(release) as (folder,):
            yield folder, None
        return
    # the release is named last: it appears when its ledger is safe, and is the last thing to happen
    with staged_together(Claim(own, LEDGER_FILES, force=force, private=True), release) as (kept, folder):
        yield folder, kept


def proof_read(folder: Path) -> None:
    """Verify what was written as anybody could; a writer's fault must not leave the house either."""
    if not verify(folder).holds:
        raise InternalError("The release as written does not keep its promises; nothing was published.", "Report this.")
