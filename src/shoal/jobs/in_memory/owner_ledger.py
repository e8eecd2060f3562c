"""The owner's truth behind a release that was made in memory: an object of its own, which no release refers to."""

from dataclasses import dataclass, field
from pathlib import Path

from shoal.display import Displayed, Summary
from shoal.errors import FileError
from shoal.io.folders.ledger import LEDGER_FILES, LedgerFolder, write_ledger
from shoal.io.folders.release import certificate_sha256, read_release
from shoal.io.folders.staging import Claim, staged_together
from shoal.io.schemas import Schema
from shoal.jobs.release_and_truth import against_ledger
from shoal.release import Ledger
from shoal.wording.format import format_count

__all__ = ["OwnerLedger"]


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class OwnerLedger(Displayed, LedgerFolder):
    """The originals, which record became which, and what the release cost. It must never leave.

    :func:`shoal.attack`, :func:`shoal.measure`, :func:`shoal.report` and :func:`shoal.verify` take it as they take the
    folder of a ledger.
    """

    truth: Ledger
    schema: Schema
    """The schema of the originals."""
    plan: str
    """How the release was made, as the plan of a ledger folder says it (TOML)."""
    kept: str = ""
    """What was kept and lost, in one line."""
    warnings: tuple[str, ...] = ()
    """What the owner must know before the release is handed out, in sentences."""
    notes: tuple[str, ...] = field(default=())
    """What the owner should know of how it was made, in sentences."""

    def _summary(self) -> Summary:
        records = f"{len(self.truth.origins):,} of {format_count(len(self.truth.original), 'record')}"
        sentences = (*(f"Warning: {warning}" for warning in self.warnings), *self.notes)
        return Summary(f"OwnerLedger: {records} published", None, (("kept", self.kept),), sentences=sentences)

    def save(self, folder: str | Path, release: str | Path, *, force: bool = False) -> None:
        """Write the ledger folder of a release that was saved; only its owner can read it.

        ``release`` is the folder of the release, which must be the one that was made with this ledger.
        """
        sha256 = certificate_sha256(release)
        if against_ledger(read_release(release), None, self):
            raise FileError(f"The release {release} was not made with this ledger.", "Save the one that was.")
        own = Path(folder).absolute()
        with staged_together(Claim(own, LEDGER_FILES, force=force, private=True)) as (kept,):
            write_ledger(self.truth, self.schema, self.plan, kept, sha256)
