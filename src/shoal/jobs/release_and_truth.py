"""A release beside the originals in its ledger."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from shoal.data import Ratings, Records
from shoal.errors import FileError
from shoal.io.ledger_folder import LedgerFolder, read_ledger
from shoal.io.release_folder import ReleaseFolder, read_release
from shoal.release import Certificate

from .against_ledger import pseudonyms_of

__all__ = ["ReleaseAndTruth"]


@dataclass(frozen=True, eq=False, repr=False)
class ReleaseAndTruth:
    """What was published, and of whom."""

    certificate: Certificate
    published: Records
    """Over the same items as the originals."""
    original: Records
    origins: np.ndarray
    """For each person published, the row of the original."""
    places: np.ndarray | None
    """For each person published, the row among the published; None: one after the other."""

    @classmethod
    def read(cls, folder: str | Path, ledger: str | Path) -> "ReleaseAndTruth":
        """Read a release and its ledger; refuse two that are no pair."""
        return cls.of(read_release(folder), read_ledger(ledger))

    @classmethod
    def of(cls, release: ReleaseFolder, truth: LedgerFolder) -> "ReleaseAndTruth":
        """Put together what was read."""
        if release.records.kind != truth.original.kind:
            raise FileError("The release and the ledger hold different kinds of data.", "Are they a pair?")
        origins, places = truth.linked(pseudonyms_of(release.records))
        published = _over_same_items(release.records, truth.original)
        return cls(release.certificate, published, truth.original, origins, places)

    @property
    def place_of_each(self) -> np.ndarray:
        """For each original record the row among the published that stands for it; −1 where it was withheld."""
        out = np.full(len(self.original), -1, np.int64)
        out[self.origins] = np.arange(len(self.origins)) if self.places is None else self.places
        return out


def _over_same_items(published: Records, original: Records) -> Records:
    """A long file names only items that somebody rated; count over all the items there were."""
    if not (isinstance(published, Ratings) and isinstance(original, Ratings)):
        return published
    return replace(
        published,
        observable=published.observable.over(original.observable.items),
        sensitive=published.sensitive.over(original.sensitive.items),
    )
