"""Items: their mean ratings, popularity, sparsity and histogram of ratings before and after.

**Centroid shift**: how far the mean rating of an item moved.

*Definition.* For each non-sensitive item that is rated in the original and in the release, the absolute difference of
its mean rating among all original records and among the published ones, nulls left out; averaged over those items.
*Unit.* Rating points.

*Reference.* Section 5.4 of the survey-rating paper, thesis 6.4.4. The paper compares inner products of the vectors of
means, in which an item that rose hides one that fell; here every shift counts.

**Standard deviation shift**: how much more or less the ratings of an item differ from each other.

*Definition.* For each non-sensitive item that is rated in the original and in the release, the absolute difference of
the standard deviation (of the whole, not of a sample) of its ratings among all original records and among the
published ones, nulls left out; averaged over those items. *Unit.* Rating points.

*Reference.* Section 5.4 of the survey-rating paper, thesis 6.4.4. The paper compares the average deviation before with
the average after, in which an item that spread hides one that shrank. It also says that ε/2 bounds the deviation after;
that holds inside a group of ε-proximate records, not for the data as a whole.

**Item popularity correlation**: whether popular items are still popular.

*Definition.* Spearman's rank correlation, over the non-sensitive items that are rated before or after, between how
many of all original people rated an item and how many published people have a rating of it, a profile that stands for
several people counting for each of them; equal counts share the mean of their ranks. *Unit.* From −1 to 1. There is
none where all counts of one side are equal, as they are where complete profiles are published: everybody rates
everything then, and no item is more popular than another.

*Reference.* Chang, Thompson, Wang and Yao, Predictive Anonymization (2010), section 7.4, name the loss and do not
measure it.

**Sparsity**: the share of cells without a rating.

*Definition.* The share of the cells, people times non-sensitive items, that hold no rating: among all original people,
or among all published ones, a profile that stands for several counting for each of them. *Unit.* A share of the cells.

*Reference.* The first line of Table 2 of Chang, Thompson, Wang and Yao, Predictive Anonymization (2010): 98.84 % of
the cells of the Netflix Prize, and none once they are padded.

**Rating histogram distance**: how far the distribution of ratings moved.

*Definition.* The total variation distance between the shares of the ratings at each point of the original scale, before
and after: half the sum of the absolute differences. *Before* are the non-sensitive ratings of all originals, *after*
those of all published people, a profile that stands for several counting for each of them; on a finer scale, a
rating counts at the nearest original point, the higher of two. Nulls are left out: they are the sparsity. *Unit.* The
share of the ratings that would have to move.

*Reference.* Table 2 of Chang, Thompson, Wang and Yao, Predictive Anonymization (2010), which shows both histograms,
with nulls (:func:`rating_histograms`).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shoal.data import RatingMatrix, Ratings, Records, Scale
from shoal.kernels.compiled import get_num_threads
from shoal.kernels.rater_sums import item_sums
from shoal.utility.comparison import Comparison, nearest_original_codes
from shoal.utility.measure import Unmeasurable, measure

__all__ = [
    "ItemMoments",
    "centroid_shift",
    "deviation_shift",
    "item_popularity_correlation",
    "moments_of_both",
    "rating_blocks",
    "rating_histogram_distance",
    "rating_histograms",
    "shared_moments",
    "sparsity",
    "sparsity_before",
]


@dataclass(frozen=True)
class ItemMoments:
    """Number, mean and standard deviation of ratings by item, in rating points; 0 for an item never rated."""

    counts: np.ndarray
    means: np.ndarray
    deviations: np.ndarray

    @classmethod
    def of(cls, ratings: Ratings) -> "ItemMoments":
        """Add up codes and their squares, weighted by people, and divide once."""
        matrix = ratings.observable
        people = np.ones(len(ratings), np.int64) if ratings.people is None else ratings.people
        arrays = (matrix.indptr, matrix.indices, matrix.codes, people)
        return cls.of_sums(item_sums(*arrays, len(matrix.items), get_num_threads()), ratings.scale)

    @classmethod
    def of_sums(cls, added: np.ndarray, scale: Scale) -> "ItemMoments":
        """Return the moments of items whose ratings, codes and squares of codes add up to these: items × 3."""
        counts, sums, squares = added.T.astype(np.float64)
        given = np.maximum(counts, 1)
        variances = np.maximum(given * squares - sums * sums, 0) / given**2
        means = np.where(counts > 0, float(scale.lowest) + sums / given * float(scale.step), 0)
        return cls(counts.astype(np.int64), means, np.sqrt(variances) * float(scale.step))


def moments_of_both(comparison: Comparison) -> tuple[ItemMoments, ItemMoments]:
    """Return the moments of the items rated before and after: of all originals, and of what is published."""
    before, after = comparison.whole, comparison.released
    if not (isinstance(before, Ratings) and isinstance(after, Ratings)):
        raise Unmeasurable("Defined on ratings only.")
    return shared_moments(ItemMoments.of(before), ItemMoments.of(after))


def shared_moments(before: ItemMoments, after: ItemMoments) -> tuple[ItemMoments, ItemMoments]:
    """Return the moments of the items that are rated before and after."""
    both = (before, after)
    shared = (both[0].counts > 0) & (both[1].counts > 0)
    if not shared.any():
        raise Unmeasurable("No non-sensitive item is rated both before and after.")
    old, new = (ItemMoments(each.counts[shared], each.means[shared], each.deviations[shared]) for each in both)
    return old, new


_BLOCK = 1 << 22


def rating_blocks(
    matrix: RatingMatrix, people: np.ndarray | None
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield blocks of ratings: their items, their codes, and the number of people of the record of each.

    ``people`` are given by record; None stands for one each.
    """
    for start in range(0, matrix.n_ratings, _BLOCK):
        stop = min(start + _BLOCK, matrix.n_ratings)
        times = np.ones(stop - start, np.int64) if people is None else _repeated(people, matrix.indptr, start, stop)
        yield matrix.indices[start:stop], matrix.codes[start:stop], times


def _repeated(people: np.ndarray, indptr: np.ndarray, start: int, stop: int) -> np.ndarray:
    """Return for a span of ratings the number of people of the record of each."""
    first, last = np.searchsorted(indptr, start, side="right") - 1, np.searchsorted(indptr, stop, side="left")
    lengths = np.diff(np.clip(indptr[first : last + 1], start, stop))
    return np.repeat(people[first:last], lengths)


@measure("centroid shift", unit="rating points", place=130, unchanged=0, of_marks=True)
def centroid_shift(comparison: Comparison) -> float:
    """The mean absolute change of an item's mean rating, over the items rated before and after."""
    before, after = comparison.once(moments_of_both)
    return float(np.abs(after.means - before.means).mean())


@measure("standard deviation shift", unit="rating points", place=140, unchanged=0, of_marks=True)
def deviation_shift(comparison: Comparison) -> float:
    """The mean absolute change of an item's standard deviation, over the items rated before and after."""
    before, after = comparison.once(moments_of_both)
    return float(np.abs(after.deviations - before.deviations).mean())


@measure("item popularity correlation", unit="from -1 to 1", quick=False, place=430, unchanged=1, of_items=True)
def item_popularity_correlation(comparison: Comparison) -> float:
    """Spearman's rank correlation between the numbers of people who rate an item before and after."""
    whole, released = comparison.whole, comparison.released
    if not (isinstance(whole, Ratings) and isinstance(released, Ratings)):
        raise Unmeasurable("Defined on ratings only.")
    counts = np.stack([_raters(whole), _raters(released)])
    before, after = counts[:, counts.any(axis=0)]
    for side, raters in (("before", before), ("after", after)):
        if len(np.unique(raters)) < 2:
            raise Unmeasurable(f"All items have the same number of raters {side}: none is more popular.")
    return float(np.corrcoef(_middle_ranks(before), _middle_ranks(after))[0, 1])


def _raters(ratings: Ratings) -> np.ndarray:
    counts = np.zeros(len(ratings.observable.items))  # whole numbers below 2⁵³: exact
    for items, _, people in rating_blocks(ratings.observable, ratings.people):
        counts += np.bincount(items, people, minlength=len(counts))
    return counts


def _middle_ranks(values: np.ndarray) -> np.ndarray:
    """Rank values from 1; equal ones share the mean of their ranks."""
    _, place, sizes = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(sizes) - (sizes - 1) / 2)[place]


@measure("sparsity", unit="share of the cells", quick=False, place=450, of_items=True)
def sparsity(comparison: Comparison) -> float:
    """The share of the published cells that hold no rating."""
    return _without_rating(comparison.released)


@measure("sparsity before", unit="share of the cells", quick=False, place=440, of_items=True)
def sparsity_before(comparison: Comparison) -> float:
    """The share of the original cells that hold no rating."""
    return _without_rating(comparison.whole)


def _without_rating(records: Records) -> float:
    if not isinstance(records, Ratings):
        raise Unmeasurable("Defined on ratings only.")
    matrix = records.observable
    cells = records.n_people * len(matrix.items)
    if not cells:
        raise Unmeasurable("There is no cell that could hold a rating.")
    lengths = np.diff(matrix.indptr)
    rated = int(lengths.sum() if records.people is None else lengths @ records.people)
    return (cells - rated) / cells


@measure("rating histogram distance", unit="share of the ratings", quick=False, place=460, unchanged=0, of_marks=True)
def rating_histogram_distance(comparison: Comparison) -> float:
    """The total variation distance between the distributions of ratings before and after."""
    before, after = (counts[1:] for counts in rating_histograms(comparison))
    if not (before.any() and after.any()):
        raise Unmeasurable("There are no non-sensitive ratings to compare, before or after.")
    return float(np.abs(before / before.sum() - after / after.sum()).sum() / 2)


def rating_histograms(comparison: Comparison) -> tuple[np.ndarray, np.ndarray]:
    """Count the cells before and after: first the nulls, then each point of the original scale from the lowest."""
    whole, released = comparison.whole, comparison.released
    if not (isinstance(whole, Ratings) and isinstance(released, Ratings)):
        raise Unmeasurable("Defined on ratings only.")
    return _histogram(whole, whole.scale), _histogram(released, whole.scale)


def _histogram(ratings: Ratings, original: Scale) -> np.ndarray:
    points = nearest_original_codes(original, ratings.scale)
    counts = np.zeros(original.points + 1, np.int64)
    for _, codes, people in rating_blocks(ratings.observable, ratings.people):
        times = np.bincount(codes, people, minlength=len(points)).astype(np.int64)  # below 2⁵³: exact
        np.add.at(counts, points + 1, times)
    counts[0] = ratings.n_people * len(ratings.observable.items) - counts.sum()
    return counts
