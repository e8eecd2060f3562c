"""Background knowledge on ratings: which of a target's items an attacker knows, and with which errors."""

from dataclasses import dataclass

import numpy as np

from shoal.attacks.exposure import Exposure
from shoal.data import RatingMatrix, Ratings
from shoal.kernels.matching.scoreboard import UNKNOWN_DAY

__all__ = [
    "BackgroundKnowledge",
    "KnownItems",
    "draw_known_items",
    "outside_most_rated",
    "perturbed_knowledge",
    "rows_with_enough_ratings",
]


@dataclass(frozen=True, eq=False)
class KnownItems:
    """The same number of known ratings for each target."""

    targets: np.ndarray
    """The rows of the targets with enough ratings."""
    entries: np.ndarray
    """For each target a row: the positions of the known ratings in the matrix; items ascend."""


def draw_known_items(
    matrix: RatingMatrix, targets: np.ndarray, known: int, outside_top: int, generator: np.random.Generator
) -> KnownItems:
    """Draw ``known`` ratings of each target uniformly; none of the ``outside_top`` most rated items."""
    begins, ends = matrix.indptr[targets], matrix.indptr[targets + 1]
    lengths = ends - begins
    owners = np.repeat(np.arange(len(targets)), lengths)
    places = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths) + np.repeat(begins, lengths)
    if outside_top:
        left = outside_most_rated(matrix, outside_top)[places]
        owners, places = owners[left], places[left]
    # ratings in random order within each target, of which the first ``known`` are known
    order = np.lexsort((generator.random(len(places)), owners))
    starts = np.searchsorted(owners, np.arange(len(targets)))
    rank = np.arange(len(places)) - starts[owners]
    counts = np.bincount(owners, minlength=len(targets))
    enough = np.flatnonzero(counts >= known)
    chosen = order[(rank < known) & (counts[owners] >= known)]
    return KnownItems(targets[enough], np.sort(places[chosen].reshape(len(enough), known), axis=1))


@dataclass(frozen=True, eq=False)
class BackgroundKnowledge:
    """For each target a row: items, and what the attacker believes their ratings and days to be."""

    items: np.ndarray
    codes: np.ndarray
    """On the published scale."""
    days: np.ndarray
    """Empty where the days are unknown."""

    def take(self, rows: np.ndarray) -> "BackgroundKnowledge":
        """Return these rows in this order."""
        return BackgroundKnowledge(self.items[rows], self.codes[rows], self.days[rows])


def perturbed_knowledge(
    exposure: Exposure,
    known: KnownItems,
    wrong: np.ndarray,
    error: int,
    date_error: int,
    generator: np.random.Generator,
) -> BackgroundKnowledge:
    """Perturb what is known: the ratings ``wrong`` replace some of each target's, and all are off by random errors.

    Errors are uniform up to ``error`` steps of the true scale and up to ``date_error`` days; ratings are clipped to the
    scale.
    """
    truth, seen = exposure.truth, exposure.seen
    assert isinstance(truth, Ratings)
    assert isinstance(seen, Ratings)
    entries = generator.permuted(known.entries, axis=1)
    entries[:, : wrong.shape[1]] = wrong
    off = generator.integers(-error, error + 1, entries.shape)
    codes = np.clip(truth.observable.codes[entries] + off, 0, truth.scale.points - 1)
    parts = int(truth.scale.step / seen.scale.step)
    days_off = generator.integers(-date_error, date_error + 1, entries.shape)
    return BackgroundKnowledge(
        truth.observable.indices[entries], codes * parts, _days(exposure.dates, entries, days_off)
    )


def _days(dates: np.ndarray | None, entries: np.ndarray, off: np.ndarray) -> np.ndarray:
    if dates is None:
        return off[:, :0]
    return np.where(dates[entries] == UNKNOWN_DAY, UNKNOWN_DAY, dates[entries] + off)


def outside_most_rated(matrix: RatingMatrix, outside_top: int) -> np.ndarray:
    """Return for each rating in the matrix whether its item is outside the ``outside_top`` most rated.

    Of items rated equally often, the first come first.
    """
    counts = np.bincount(matrix.indices, minlength=len(matrix.items))
    unpopular = np.ones(len(matrix.items), bool)
    unpopular[np.argsort(-counts, kind="stable")[:outside_top]] = False
    return unpopular[matrix.indices]


def rows_with_enough_ratings(matrix: RatingMatrix, rows: np.ndarray, known: int, outside_top: int) -> np.ndarray:
    """Return the rows with at least ``known`` ratings outside the ``outside_top`` most rated items."""
    counts = np.diff(matrix.indptr)
    if outside_top:
        before = np.zeros(matrix.n_ratings + 1, np.int64)
        np.cumsum(outside_most_rated(matrix, outside_top), out=before[1:])
        counts = np.diff(before[matrix.indptr])
    return rows[counts[rows] >= known]
