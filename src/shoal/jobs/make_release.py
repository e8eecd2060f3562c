"""Make a release and its ledger in folders that get their names at the very end, or nothing at all.

Folders are claimed before the long work, so that a bad path is reported at once. What is written is read back and
verified as anybody could, before it gets its name.
"""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from shoal import road
from shoal.anonymizers import Anonymizer
from shoal.errors import FileError, InternalError
from shoal.io import Source
from shoal.io.folders.ledger import LEDGER_FILES, write_ledger
from shoal.io.folders.release import ReleaseFolder, certificate_sha256, release_files, write_release
from shoal.io.folders.staging import Claim, staged_together
from shoal.io.formats import Format
from shoal.models import PrivacyModel
from shoal.progress import stage
from shoal.randomness import Randomness
from shoal.release import Certificate

from .asked_engine import Where
from .verify import verify

__all__ = ["MadeRelease", "Published", "ReleaseFolders", "claimed_folders", "make_release", "proof_read"]


@dataclass(frozen=True)
class ReleaseFolders:
    """Folders to write into, which have no names yet."""

    release: Path
    ledger: Path | None


@dataclass(frozen=True)
class MadeRelease:
    """What is known of a release that was written: its records are in the folder alone."""

    certificate: Certificate
    report: Mapping[str, int | float]
    """What it cost, measure by measure."""
    group_sizes: Mapping[int, int]
    """How many groups there are of each size."""
    remarks: tuple[str, ...]
    """What the owner should know of how it was made, in sentences."""


@dataclass(frozen=True)
class Published:
    """A release that was made, of how many records, by which method, and why by this one."""

    made: MadeRelease
    records: int
    method: Anonymizer
    reason: str | None


@contextmanager
def claimed_folders(
    out: str | Path, ledger: str | Path | None, *, force: bool | None, private: bool = False
) -> Iterator[ReleaseFolders]:
    """Yield folders to write into; they get their names when the block is left without an error.

    Folders that exist are replaced with ``force``; None says that the caller has no such option. A ledger is readable
    by its owner alone, and so is a ``private`` release.
    """
    target = Path(os.path.abspath(out))
    own = None if ledger is None else Path(os.path.abspath(ledger))
    if own is not None and (own == target or target in own.parents or own in target.parents):
        raise FileError("The ledger and the release must be in separate folders.", "The ledger must never leave.")
    release = Claim(target, release_files(), force=force, private=private)
    if own is None:
        with staged_together(release) as (folder,):
            yield ReleaseFolders(folder, None)
        return
    # the release is named last: it appears when its ledger is safe, and is the last thing to happen
    with staged_together(Claim(own, LEDGER_FILES, force=force, private=True), release) as (kept, folder):
        yield ReleaseFolders(folder, kept)


def make_release(
    source: Source,
    promises: Sequence[PrivacyModel],
    method: Anonymizer,
    folders: ReleaseFolders,
    *,
    origin: str,
    format_: Format,
    randomness: Randomness | None = None,
    withhold: Fraction = Fraction(0),
    accept: Collection[str] = (),
    expand: bool = False,
) -> MadeRelease:
    """Send records down the one road out, write release and ledger, and proof-read the release.

    ``format_`` is that of the published file, and ``origin`` what the ledger keeps of how the release came about
    (TOML). The other settings are those of :func:`shoal.road.publish`; what is drawn is drawn with a secret, as a
    reader could try seeds.
    """
    drawn = (randomness or Randomness()).with_secret()
    published, ledger = road.publish(
        source.records, promises, method, randomness=drawn, withhold=withhold, accept=accept, expand=expand
    )
    release = ReleaseFolder.of(published, source)
    with stage("writing the release"):
        write_release(release, folders.release, format_)
        if folders.ledger is not None:
            write_ledger(ledger, source.schema, origin, folders.ledger, certificate_sha256(folders.release))
    made = MadeRelease(release.certificate, ledger.report, ledger.group_sizes, ledger.remarks)
    del published, release, ledger  # what was written is read anew, and need not be in memory twice
    proof_read(folders.release)
    return made


def proof_read(release: Path | ReleaseFolder, *, engine: Where = "local", memory: str | None = None) -> None:
    """Verify what was written as anybody could; a writer's fault must not leave the house either."""
    with stage("proof-reading the release"):
        holds = verify(release, engine=engine, memory=memory).holds
    if not holds:
        raise InternalError("The release as written does not keep its promises; nothing was published.", "Report this.")
