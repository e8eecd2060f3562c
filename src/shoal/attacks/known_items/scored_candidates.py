"""The distinct published records, scored by how well they agree with what is known of a person."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.sparse import csr_array

from shoal.attacks.exposure import Exposure
from shoal.data import RatingMatrix, Ratings
from shoal.kernels.compiled import get_num_threads
from shoal.kernels.compressed_rows import rows_of_columns
from shoal.kernels.matching.scoreboard import prediction_errors, score_records, usual_codes
from shoal.kernels.numbering import distinct_keys
from shoal.kernels.row_comparison import equal_rows

from .background_knowledge import BackgroundKnowledge, KnownItems

__all__ = ["ScoredCandidates", "Scores", "inferred_rating_errors"]


_ONE = 2.0**40  # scores are whole numbers, so that their sum does not depend on the order of addition
_RATING_POINTS = 1.5
_DAYS = 30.0


@dataclass(frozen=True, eq=False)
class Scores:
    """For each target, the best-scoring candidates and their lead."""

    people_on_top: np.ndarray
    """The number of people behind the candidates with the best score."""
    own_on_top: np.ndarray
    """Whether the target's own candidate is one of them."""
    chosen: np.ndarray
    """One of these candidates, drawn in proportion to their people."""
    lead: np.ndarray
    """The difference between the best and the second score."""
    spread: np.ndarray
    """The standard deviation of the scores of all candidates."""

    def stand_out(self, eccentricity: Fraction) -> np.ndarray:
        """Return where the best score leads by ``eccentricity`` standard deviations; a tie never does."""
        return (self.lead > 0) & (self.lead >= float(eccentricity) * self.spread)


class ScoredCandidates:
    """The published records as candidates: equal records are one candidate, which stands for the people of all of them.

    Where dates are known, records are equal only if their dates are.
    """

    def __init__(self, exposure: Exposure) -> None:
        assert isinstance(exposure.truth, Ratings)
        assert isinstance(exposure.seen, Ratings)
        self.exposure, self._seen = exposure, exposure.seen
        self._of_row, first = _alike(exposure)
        self.matrix = self._seen.observable if len(first) == len(self._seen) else self._seen.observable.take(first)
        self.people = np.bincount(self._of_row, exposure.people, minlength=len(first)).astype(np.int64)
        self.parts = int(exposure.truth.scale.step / self._seen.scale.step)
        self.rounded = (2 * np.arange(self._seen.scale.points) + self.parts) // (2 * self.parts)
        """For each published code, the nearest code on the scale of the truth; halves are rounded up."""
        self._by_item = self.matrix.by_item()
        self._days = _days_by_item(exposure, self.matrix, first)
        self.support, self.sums, self.modes = usual_codes(*self._raters, self.people, self.rounded)

    @property
    def _raters(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self._by_item.indptr, self._by_item.indices, self._by_item.codes

    def own(self, targets: np.ndarray) -> np.ndarray:
        """Return the candidate of each target."""
        return self._of_row[self.exposure.place[targets]]

    def scores(self, known: BackgroundKnowledge, own: np.ndarray, generator: np.random.Generator) -> Scores:
        """Score every candidate against what is known of each target."""
        weights = _ONE / np.log(np.maximum(self.support, 2))
        like_rating = np.exp(-np.arange(self._seen.scale.points) * float(self._seen.scale.step) / _RATING_POINTS)
        like_day = np.exp(-np.arange(_DAYS * np.log(_ONE)) / _DAYS)
        best, second, spread, people, own_on_top, chosen = score_records(
            *self._raters,
            self._days,
            self.people,
            weights,
            like_rating,
            like_day,
            known.items,
            known.codes,
            known.days,
            own,
            generator.random(len(own)),
            get_num_threads(),
        )
        lead = np.where(second >= 0, best - second, 0)
        return Scores(people, own_on_top, chosen, lead, spread)


def _alike(exposure: Exposure) -> tuple[np.ndarray, np.ndarray]:
    """Number distinct records by first occurrence; return each record's number and the first row of each number."""
    labels, found = exposure.grouping.labels, exposure.grouping.n_groups
    if exposure.dates is not None:
        matrix = _observable(exposure)
        by_days, n_by_days = equal_rows(matrix.indptr, matrix.indices, exposure.dates)
        labels, found = distinct_keys(labels * n_by_days + by_days)
    first = np.empty(found, np.int64)
    first[labels[::-1]] = np.arange(len(labels))[::-1]
    return labels, first


def _days_by_item(exposure: Exposure, candidates: RatingMatrix, first: np.ndarray) -> np.ndarray:
    """Return the dates of the candidates' ratings by item, in the order of the raters."""
    if exposure.dates is None:
        return np.zeros(0, np.int32)
    matrix, days = _observable(exposure), exposure.dates
    if len(first) < len(matrix):
        shape = (len(matrix), len(matrix.items))
        days = csr_array((days, matrix.indices, matrix.indptr), shape=shape)[first].data
    columns = candidates.indptr, candidates.indices, days
    return rows_of_columns(*columns, 0, len(candidates), len(candidates.items), get_num_threads())[2]


def _observable(exposure: Exposure) -> RatingMatrix:
    assert isinstance(exposure.seen, Ratings)
    assert exposure.dates is not None
    assert len(exposure.dates) == exposure.seen.observable.n_ratings, "dates are known for raw ratings only"
    return exposure.seen.observable


def inferred_rating_errors(candidates: ScoredCandidates, known: KnownItems, chosen: np.ndarray) -> dict[str, float]:
    """Return the errors of inferring the unknown ratings from the chosen candidates, beside those from item means.

    Empty where every rating was known, and of sets, which have no ratings to infer.
    """
    truth, seen = candidates.exposure.truth, candidates.exposure.seen
    assert isinstance(truth, Ratings)
    assert isinstance(seen, Ratings)
    if truth.is_sets:
        return {}
    held = np.maximum(candidates.support, 1)
    overall = candidates.sums.sum() / max(candidates.support.sum(), 1)
    nobody = candidates.support == 0
    means = np.where(nobody, overall, candidates.sums / held)
    modes = np.where(nobody, candidates.rounded[round(overall)], candidates.modes)
    true, published = truth.observable, candidates.matrix
    counts, squares, right = prediction_errors(
        true.indptr,
        true.indices,
        true.codes,
        known.targets,
        known.entries,
        published.indptr,
        published.indices,
        published.codes,
        chosen,
        means,
        modes,
        candidates.rounded,
        candidates.parts,
    )
    n, step = int(counts.sum()), float(seen.scale.step)
    if not n:
        return {}
    errors, rates = squares.sum(axis=0) / n, right.sum(axis=0) / n
    return {
        "value_rmse": math.sqrt(errors[0]) * step,
        "value_rmse_by_item_mean": math.sqrt(errors[1]) * step,
        "value_exact_rate": float(rates[0]),
        "value_exact_rate_by_item_mode": float(rates[1]),
    }
