"""A release beside the originals in its ledger."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self, TypeAlias

import numpy as np
import polars as pl

from shoal.data import Microdata, RatingMatrix, Ratings, Records, Role, Survey, Vocabulary, as_published
from shoal.engines import LocalEngine
from shoal.engines.people_by_group import stated_people
from shoal.errors import FileError
from shoal.io.folders.ledger import LedgerFolder, read_ledger
from shoal.io.folders.release import ReleaseFolder, read_release
from shoal.release import Certificate

__all__ = [
    "OTHER_PEOPLE",
    "GivenLedger",
    "GivenRelease",
    "ReleaseAndTruth",
    "against_ledger",
    "given_ledger",
    "given_release",
    "other_certificate",
    "pseudonyms_of",
    "unlinked",
]


GivenRelease: TypeAlias = str | Path | ReleaseFolder
"""What jobs on releases take: a folder, or a release in memory."""

GivenLedger: TypeAlias = str | Path | LedgerFolder
"""The same of the owner's ledger."""


def given_release(release: GivenRelease) -> ReleaseFolder:
    """Return a release, read from its folder unless it is in memory."""
    return release if isinstance(release, ReleaseFolder) else read_release(release)


def given_ledger(ledger: GivenLedger) -> LedgerFolder:
    """Return a ledger, read from its folder unless it is in memory."""
    return ledger if isinstance(ledger, LedgerFolder) else read_ledger(ledger)


@dataclass(frozen=True, eq=False, repr=False)
class ReleaseAndTruth:
    """What was published, and of whom."""

    certificate: Certificate
    published: Records
    """Over the same items as the originals."""
    original: Records
    """Of sets, under the items that are published: whoever knows the items of a person can look them up."""
    origins: np.ndarray
    """For each person published, the row of the original."""
    places: np.ndarray | None
    """For each person published, the row among the published; None: one after the other."""
    exact: Ratings | None = None
    """The original sets under their own items, where items are published generalized."""

    @classmethod
    def read(cls, folder: GivenRelease, ledger: GivenLedger) -> "ReleaseAndTruth":
        """Read a release and its ledger; refuse two that are no pair."""
        return cls.of(given_release(folder), given_ledger(ledger))

    @classmethod
    def of(cls, release: ReleaseFolder, truth: LedgerFolder) -> "ReleaseAndTruth":
        """Put together what was read."""
        if release.records.kind != truth.original.kind:
            raise FileError("The release and the ledger hold different kinds of data.", "Are they a pair?")
        origins, places = truth.linked(pseudonyms_of(release.records))
        return cls(release.certificate, release.records, truth.original, origins, places).over_same_items()

    def over_same_items(self) -> Self:
        """Return the same with originals and published records over the same items."""
        original, exact = as_published(self.original, self.published)
        return replace(self, published=_over_same_items(self.published, original), original=original, exact=exact)

    @property
    def place_of_each(self) -> np.ndarray:
        """For each original record the row among the published that stands for it; −1 where it was withheld."""
        out = np.full(len(self.original), -1, np.int64)
        out[self.origins] = np.arange(len(self.origins)) if self.places is None else self.places
        return out


def _over_same_items(published: Records, original: Records) -> Records:
    """A long file names only items that somebody rated; count over all the items there were."""
    if isinstance(published, Survey) and isinstance(original, Survey):
        ratings = _over_same_items(published.ratings, original.ratings)
        assert isinstance(ratings, Ratings)
        return replace(published, ratings=ratings)
    if not (isinstance(published, Ratings) and isinstance(original, Ratings)):
        return published
    return replace(
        published,
        observable=_over_items(published.observable, original.observable.items),
        sensitive=_over_items(published.sensitive, original.sensitive.items),
    )


def _over_items(matrix: RatingMatrix, items: Vocabulary) -> RatingMatrix:
    """Return ratings over the items that there were.

    A long file that has no rating of any item names one all the same, and the ledger does not if nobody ever rated it.
    """
    known = Vocabulary(items.values.cast(pl.String)).codes(matrix.items.values.cast(pl.String)) >= 0
    return matrix.of_items(np.flatnonzero(known | (matrix.raters > 0))).over(items)


def against_ledger(release: ReleaseFolder, sha256: str | None, ledger: LedgerFolder) -> tuple[str, ...]:
    """Say where a release, whose certificate has this SHA-256, contradicts the ledger; refuse two that are no pair."""
    if release.records.kind != ledger.original.kind:
        raise FileError("The release and the ledger hold different kinds of data.", "Are they a pair?")
    claimed = pl.DataFrame({"pseudonym": pseudonyms_of(release.records), "claimed": _people(release.records)})
    linked = ledger.links.group_by("pseudonym").len("linked")
    both = claimed.join(linked, on="pseudonym", how="full", coalesce=True)
    others = both.filter(pl.col("claimed") != pl.col("linked")).height
    reasons = unlinked(both["linked"].null_count(), both["claimed"].null_count(), others)
    if not reasons and not _as_stated(release.records, ledger):
        reasons = (OTHER_PEOPLE,)
    return (*reasons, *other_certificate(sha256, ledger.release))


OTHER_PEOPLE = "The people of its classes are not as many as the ledger says."


def unlinked(unknown: int, absent: int, others: int) -> tuple[str, ...]:
    """Say how many records of a release are not in its ledger, the other way round, and stand for other people."""
    faults = {
        "records of the release are not in the ledger": unknown,
        "records of the ledger are not in the release": absent,
        "records stand for another number of people than the ledger says": others,
    }
    return tuple(f"{number:,} {fault}." for fault, number in faults.items() if number)


def other_certificate(sha256: str | None, kept: str | None) -> tuple[str, ...]:
    """Say whether a certificate is another than the one whose SHA-256 a ledger keeps."""
    return () if kept in (None, sha256) else ("The certificate is not the one that was made with the ledger.",)


def pseudonyms_of(published: Records) -> pl.Series:
    """Return the pseudonym of each published record."""
    ratings = published.ratings if isinstance(published, Survey) else published
    if isinstance(ratings, Ratings):
        return ratings.users.values.cast(pl.String)
    assert isinstance(published, Microdata)
    return published.with_role(Role.IDENTIFIER)[0].values.cast(pl.String)


def _people(published: Records) -> np.ndarray:
    several = published.people if isinstance(published, Ratings) else None
    return np.ones(len(published), np.int64) if several is None else several


def _as_stated(published: Records, ledger: LedgerFolder) -> bool:
    """Return whether the classes of a table are of as many people as it states, counted by whose records they are."""
    original = ledger.original
    if not (isinstance(published, Microdata) and isinstance(original, Microdata)) or published.stated is None:
        return True
    if original.persons is None:
        return False
    rows, _ = ledger.linked(pseudonyms_of(published))
    table, stated = replace(published, stated=None, persons=original.persons[rows]), published.stated
    counted = stated_people(table, LocalEngine().group(table), values=bool(stated.with_value))
    return np.array_equal(counted.in_class, stated.in_class) and all(
        np.array_equal(counted.with_value[name], people) for name, people in stated.with_value.items()
    )
