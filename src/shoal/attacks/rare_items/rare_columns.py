"""Items that few people rated: who rated them, and what is published of them."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.attacks.base import Attack
from shoal.attacks.exposure import Exposure, control_targets
from shoal.attacks.finding import Outcome
from shoal.data import RatingMatrix, Ratings
from shoal.errors import WordingError
from shoal.randomness import Randomness

__all__ = ["RareColumns", "RareItemAttack", "RatedRarely", "rare_items"]


def rare_items(exposure: Exposure, fewest: int, most: int | None) -> np.ndarray:
    """Return the items rated by ``fewest`` to ``most`` people, at least one of whom is published.

    Without ``most``, the items with the smallest number of raters that is at least ``fewest``.
    """
    assert isinstance(exposure.truth, Ratings)
    matrix = exposure.truth.observable
    raters = np.where(matrix.take(exposure.published).raters > 0, matrix.raters, 0)
    looked_at = raters[raters >= max(fewest, 1)]
    if most is None:
        most = int(looked_at.min(initial=len(matrix)))
    return np.flatnonzero((raters >= max(fewest, 1)) & (raters <= most))


@dataclass(frozen=True, eq=False)
class RareColumns:
    """The published cells of some items, one column each.

    A profile *stands out* in a column if the distance of its cell from the profile's mean is the largest of all
    profiles, ties included; unless all published records do, or none holds the item.
    """

    n_items: int
    outstanding: np.ndarray
    """Column × number of records + record of each profile that stands out, ascending."""
    people: np.ndarray
    """By column, the number of people behind the profiles that stand out; 0 where none does."""
    readings: np.ndarray
    """By column and rating of the true scale, the probability that it is the rounded cell of a profile that stands out,
    drawn by people; where none does, that of the guess."""
    guess: np.ndarray
    """The probability that each rating is guessed: 1 for the mean of all cells, or uniform where there is no cell."""
    totals: np.ndarray
    """The sum of the cells of each column, weighted by people, in codes of the published scale."""
    holders: np.ndarray
    """By column, the number of people behind the records that hold the item."""
    n_records: int
    columns: RatingMatrix
    """The published cells, one row for each item, by records."""
    parts: int
    """The number of published steps in one step of the true scale."""

    @classmethod
    def of(cls, exposure: Exposure, items: np.ndarray) -> "RareColumns":
        """Read the columns of these items."""
        truth, seen = exposure.truth, exposure.seen
        assert isinstance(truth, Ratings)
        assert isinstance(seen, Ratings)
        parts, points = int(truth.scale.step / seen.scale.step), truth.scale.points
        sizes, sums = np.diff(seen.observable.indptr), _row_sums(seen.observable)
        guess = _guess(int(exposure.people @ sizes), int(exposure.people @ sums), parts, points)
        columns = seen.observable.of_items(items).by_item()
        outstanding, people = [], np.zeros(len(items), np.int64)
        readings, (totals, holders) = np.tile(guess, (len(items), 1)), np.zeros((2, len(items)), np.int64)
        for column in np.flatnonzero(np.diff(columns.indptr)).tolist():
            here = slice(int(columns.indptr[column]), int(columns.indptr[column + 1]))
            rows, codes = columns.indices[here].astype(np.int64), columns.codes[here].astype(np.int64)
            totals[column], holders[column] = exposure.people[rows] @ codes, exposure.people[rows].sum()
            farthest = _farthest(np.abs(codes * sizes[rows] - sums[rows]), sizes[rows])
            weights = exposure.people[rows[farthest]]
            if weights.sum() == exposure.people.sum():
                continue
            people[column] = weights.sum()
            outstanding.append(column * len(seen) + rows[farthest])
            rounded = (2 * codes[farthest] + parts) // (2 * parts)
            readings[column] = np.bincount(rounded, weights, points) / weights.sum()
        found = np.concatenate(outstanding) if outstanding else np.zeros(0, np.int64)
        return cls(len(items), found, people, readings, guess, totals, holders, len(seen), columns, parts)

    def stands_out(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return for each pair of a published record and a column whether the record stands out there."""
        return np.isin(columns * self.n_records + rows, self.outstanding)

    def cells(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return for each pair of a published record and a column the code of the cell; −1 where there is none."""
        matrix = self.columns
        if not matrix.n_ratings:
            return np.full(len(rows), -1, np.int64)
        here = np.repeat(np.arange(len(matrix)), np.diff(matrix.indptr)) * self.n_records + matrix.indices  # ascends
        wanted = columns * self.n_records + rows
        places = np.minimum(np.searchsorted(here, wanted), len(here) - 1)
        return np.where(here[places] == wanted, matrix.codes[places].astype(np.int64), -1)

    def read(self, cells: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Return the probability that each true rating is inferred from a cell: rounded, or guessed without one."""
        rounded = (2 * cells + self.parts) // (2 * self.parts)
        return np.where(cells < 0, self.guess[codes], rounded == codes)

    def read_averages(self, columns: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Return the probability that each true rating is inferred from the mean of a column."""
        totals, holders = self.totals[columns], self.holders[columns]
        rounded = (2 * totals + holders * self.parts) // np.maximum(2 * holders * self.parts, 1)
        return np.where(holders == 0, self.guess[codes], rounded == codes)

    def farthest_of_each(self, cells: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return for each column with any of these cells the index of the one farthest from the column's mean.

        Among ties it is the first; cells of a column are compared in whole numbers.
        """
        far = np.where(cells < 0, -1, np.abs(cells * self.holders[columns] - self.totals[columns]))
        order = np.lexsort((np.arange(len(far)), -far, columns))
        order = order[cells[order] >= 0]
        return order[np.unique(columns[order], return_index=True)[1]]

    @property
    def share_published(self) -> float:
        """The share of the items that any record holds."""
        return float(np.mean(self.holders > 0))

    @property
    def averages(self) -> np.ndarray:
        """The mean cell of each column, in codes of the published scale; NaN where no record holds the item."""
        return np.where(self.holders > 0, self.totals / np.maximum(self.holders, 1), np.nan)


def _row_sums(matrix: RatingMatrix) -> np.ndarray:
    """Return the sum of the codes of each record."""
    sums, given = np.zeros(len(matrix), np.int64), np.diff(matrix.indptr) > 0
    if given.any():
        sums[given] = np.add.reduceat(matrix.codes, matrix.indptr[:-1][given], dtype=np.int64)
    return sums


def _farthest(numerators: np.ndarray, denominators: np.ndarray) -> np.ndarray:
    """Return the positions of the largest fractions, which are compared as whole numbers."""
    largest = np.argmax(numerators / denominators)
    return np.flatnonzero(numerators * denominators[largest] == numerators[largest] * denominators)


def _guess(cells: int, total: int, parts: int, points: int) -> np.ndarray:
    if not cells:
        return np.full(points, 1 / points)
    return np.eye(points)[(2 * total + cells * parts) // (2 * cells * parts)]


@dataclass(frozen=True, eq=False)
class RatedRarely:
    """Ratings of rare items: each is a target."""

    people: np.ndarray
    """Rows of the truth."""
    columns: np.ndarray
    """The columns of the items they rated."""
    codes: np.ndarray
    """Their ratings."""


@dataclass(frozen=True)
class RareItemAttack(Attack):
    """Knows that a person rated an item which few people rated, and inspects it in all published profiles."""

    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})

    fewest: int = 1
    """The fewest raters an item may have."""
    most: int | None = None
    """The most raters it may have; None: those of the rarest item with at least ``fewest``."""
    targets: int | None = None

    def __post_init__(self) -> None:
        if self.fewest < 1 or (self.most is not None and self.most < self.fewest):
            raise WordingError(
                f"{self.name}: fewest must be at least 1, and most at least fewest.",
                "Write fewest=5,most=9, for example.",
            )
        if self.targets is not None and self.targets < 1:
            raise WordingError(f"{self.name} needs at least one target.")

    @property
    def known(self) -> str:
        """The background knowledge in words."""
        if self.most is None:
            few = "the fewest people" if self.fewest == 1 else f"{self.fewest:,} people, or the next larger number,"
        else:
            few = f"at most {self.most:,} people" if self.fewest == 1 else f"{self.fewest:,} to {self.most:,} people"
        return f"Knows that a person rated an item that {few} rated, and inspects it in all profiles."

    def _misfit(self, exposure: Exposure) -> str | None:
        assert isinstance(exposure.truth, Ratings)
        if exposure.truth.people is not None:
            return "Who rated what behind profiles that stand for several people is only in the ledger."
        if not len(rare_items(exposure, self.fewest, self.most)):
            return "Nobody who is published rated an item with that number of raters."
        return None

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        generator = randomness.generator(self.name)
        items = rare_items(exposure, self.fewest, self.most)
        rated = self._rated(exposure, items, generator)
        columns = RareColumns.of(exposure, items)
        others = rated.columns[control_targets(np.arange(len(rated.people)), generator)]
        return self._outcome(exposure, columns, rated, others)

    def _rated(self, exposure: Exposure, items: np.ndarray, generator: np.random.Generator) -> RatedRarely:
        assert isinstance(exposure.truth, Ratings)
        matrix = exposure.truth.observable.of_items(items)
        people = np.repeat(np.arange(len(matrix)), np.diff(matrix.indptr))
        chosen = np.flatnonzero(exposure.place[people] >= 0)
        if self.targets is not None and self.targets < len(chosen):
            chosen = np.sort(generator.choice(chosen, self.targets, replace=False))
        return RatedRarely(people[chosen], matrix.indices[chosen].astype(np.int64), matrix.codes[chosen])

    @abstractmethod
    def _outcome(self, exposure: Exposure, columns: RareColumns, rated: RatedRarely, others: np.ndarray) -> Outcome:
        """Return the outcome; ``others`` are the columns that the control attack inspects."""
