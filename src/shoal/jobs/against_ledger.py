"""Whether a release is what its owner's ledger says: the records, of how many people, and the certificate itself."""

import numpy as np
import polars as pl

from shoal.data import Microdata, Ratings, Records, Role
from shoal.errors import FileError
from shoal.io.ledger_folder import LedgerFolder
from shoal.io.release_folder import ReleaseFolder

__all__ = ["against_ledger", "pseudonyms_of"]


def against_ledger(release: ReleaseFolder, sha256: str, ledger: LedgerFolder) -> tuple[str, ...]:
    """Say where a release, whose certificate has this SHA-256, contradicts the ledger; refuse two that are no pair."""
    if release.records.kind != ledger.original.kind:
        raise FileError("The release and the ledger hold different kinds of data.", "Are they a pair?")
    claimed = pl.DataFrame({"pseudonym": pseudonyms_of(release.records), "claimed": _people(release.records)})
    linked = ledger.links.group_by("pseudonym").len("linked")
    both = claimed.join(linked, on="pseudonym", how="full", coalesce=True)
    faults = {
        "records of the release are not in the ledger": both["linked"].null_count(),
        "records of the ledger are not in the release": both["claimed"].null_count(),
        "records stand for another number of people than the ledger says": both.filter(
            pl.col("claimed") != pl.col("linked")
        ).height,
    }
    reasons = [f"{number:,} {fault}." for fault, number in faults.items() if number]
    if ledger.release not in (None, sha256):
        reasons.append("The certificate is not the one that was made with the ledger.")
    return tuple(reasons)


def pseudonyms_of(published: Records) -> pl.Series:
    """Return the pseudonym of each published record."""
    if isinstance(published, Ratings):
        return published.users.values.cast(pl.String)
    assert isinstance(published, Microdata)
    return published.with_role(Role.IDENTIFIER)[0].values.cast(pl.String)


def _people(published: Records) -> np.ndarray:
    several = published.people if isinstance(published, Ratings) else None
    return np.ones(len(published), np.int64) if several is None else several
