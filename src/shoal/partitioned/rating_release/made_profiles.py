"""Published records made where their people are: those of a record are brought together by what was drawn for it.

For each published record a number is drawn from the operating system, once. It decides the pseudonym, the part that
the record is in, and its place there.
"""

import os
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import polars as pl

from shoal.backends import Backend, Columns, Partitions, Shared
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.partitioned.ratings.ratings_by_user import RatingsByUser
from shoal.partitioned.ratings.side_rows import NUMBER, Side, rows_for_bytes
from shoal.randomness import pseudonym_names

__all__ = [
    "KEY",
    "AsTheyAre",
    "MadeProfiles",
    "MakeProfiles",
    "OwnRatings",
    "PartOfRelease",
    "Profiles",
    "gathered_profiles",
]

KEY = "drawn"
_CELL_BYTES = 8
"""What a published rating takes while it is made and written, in bytes."""


class Profiles(Protocol):
    """How published records are made of people."""

    @property
    def labels(self) -> np.ndarray | None:
        """The published record of each user; None: one each."""
        ...

    @property
    def n_published(self) -> int:
        """How many published records there are."""
        ...

    @property
    def scale(self) -> Scale:
        """The scale of published ratings."""
        ...

    def made(self, whole: Ratings, numbers: np.ndarray, labels: np.ndarray) -> Ratings:
        """Return records, given with all their people: the ratings and numbers of these, and whose record is which."""
        ...


@dataclass(frozen=True)
class AsTheyAre:
    """Publishes everybody's own ratings."""

    n_published: int
    scale: Scale

    @property
    def labels(self) -> None:
        """Everybody has one record."""
        return

    def made(self, whole: Ratings, numbers: np.ndarray, labels: np.ndarray) -> Ratings:  # noqa: ARG002 - as it is asked
        """Return the ratings in the order of their records."""
        return whole.take(np.argsort(labels))


@dataclass(frozen=True, eq=False)
class MadeProfiles:
    """Rows of users, those of a published record in one partition, and how it is made of them."""

    rows: Partitions
    make: "MakeProfiles"
    drawn: np.ndarray
    """What was drawn for each published record: uint64, all different."""


@dataclass(frozen=True)
class OwnRatings:
    """Makes ratings in memory of rows of users."""

    side: Side
    items: Vocabulary
    n_observable: int

    def of(self, rows: pl.DataFrame) -> Ratings:
        """Return the ratings of the users of some rows, in their order."""
        matrix = self.side.matrix(rows)
        borders = (0, self.n_observable), (self.n_observable, len(self.items))
        sides = (_between(matrix, self.items, first, last) for first, last in borders)
        observable, sensitive = sides
        return Ratings(Vocabulary.numbered(rows.height), observable, sensitive, self.side.scale)


@dataclass(frozen=True)
class MakeProfiles:
    """Makes the published records of a partition; they are in the order of what was drawn for each."""

    own: OwnRatings
    profiles: Shared[Profiles]

    def made(self, rows: pl.DataFrame) -> "PartOfRelease":
        """Return the published records of a partition, and those of whom they are."""
        rows = rows.sort(NUMBER)  # the members of a group are added up in their order
        drawn, labels = np.unique(rows[KEY].to_numpy(), return_inverse=True)
        whole, numbers = self.own.of(rows), rows[NUMBER].to_numpy()
        made = self.profiles.value.made(whole, numbers, labels)
        names = pl.Series(pseudonym_names(drawn)).cast(pl.String)
        return PartOfRelease(made.renamed(Vocabulary(names)).rebuilt(), whole, numbers, labels, drawn)

    def published(self, rows: pl.DataFrame) -> Ratings:
        """Return the published records of a partition."""
        return self.made(rows).published


@dataclass(frozen=True, eq=False)
class PartOfRelease:
    """The published records of a part, with the originals of their people."""

    published: Ratings
    whole: Ratings
    numbers: np.ndarray
    """The numbers of the people."""
    labels: np.ndarray
    """The published record of each."""
    drawn: np.ndarray
    """What was drawn for each published record."""


def _between(matrix: RatingMatrix, items: Vocabulary, first: int, last: int) -> RatingMatrix:
    chosen = np.arange(first, last)
    part = matrix.of_items(chosen)
    return RatingMatrix(items.select(chosen), part.indptr, part.indices, part.codes)


def gathered_profiles(ratings: RatingsByUser, profiles: Profiles, backend: Backend) -> MadeProfiles:
    """Bring the people of each published record together."""
    drawn = _drawn(profiles.n_published)
    keys = drawn if profiles.labels is None else drawn[profiles.labels]
    columns: Columns = {KEY: pl.UInt64(), **ratings.side.columns}
    keyed = ratings.rows.map_batches(_Keyed(backend.shared(keys)), columns)
    cells = ratings.n_ratings + profiles.n_published * (0 if profiles.labels is None else len(ratings.items))
    size = rows_for_bytes(cells * _CELL_BYTES, columns)
    rows = keyed.shuffle(KEY, max(size, len(ratings)), "shuffling records")
    own = OwnRatings(ratings.side, ratings.items, ratings.n_observable)
    make = MakeProfiles(own, backend.shared(profiles))
    return MadeProfiles(rows, make, drawn)


@dataclass(frozen=True)
class _Keyed:
    keys: Shared[np.ndarray]

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        keys = self.keys.value[batch[NUMBER].to_numpy()]
        return batch.select(pl.Series(KEY, keys), *batch.columns)


def _drawn(n: int) -> np.ndarray:
    """Draw a number of 60 bits for each of n records, all different."""
    while True:
        numbers = np.frombuffer(os.urandom(8 * n), np.uint64) >> np.uint64(4)
        if len(np.unique(numbers)) == n:
            return numbers
