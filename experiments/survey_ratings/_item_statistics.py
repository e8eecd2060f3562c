"""Statistics of movies as the paper has them, before and after: the centroid, and the average standard deviation."""

from collections.abc import Iterator

from experiments.experiment import Point, Row
from experiments.recoded import Recoded
from shoal.data import Ratings
from shoal.utility.ratings.items import ItemMoments, moments_of_both

from ._publication import OF_PAPER, ORIGINAL

__all__ = ["ALL", "DEVIATION", "LARGEST", "SHARED", "SHIFT", "statistics"]

ALL = "inner product"
"""Of the vector of mean ratings with itself; a movie that nobody rated has 0 there."""
SHARED = "inner product, movies still rated"
"""The same over the movies that are rated before and after, divided by how many these are."""
SHIFT = "centroid shift"
DEVIATION = "average standard deviation"
"""Over the movies that are rated."""
LARGEST = "largest standard deviation"
"""That of the movie whose ratings differ most."""


def statistics(point: Point, made: Recoded) -> Iterator[Row]:
    """Yield the statistics of a release and, once for all methods, of the originals."""
    whole, released = made.comparison.whole, made.comparison.released
    assert isinstance(whole, Ratings)
    assert isinstance(released, Ratings)
    of_release = made.measured(SHIFT, "ratings kept")
    kept = ItemMoments.of(released)
    if not kept.counts.any():  # everything was dropped: there is no movie left to speak of
        yield {**of_release, ALL: 0.0}
        return
    before, after = moments_of_both(made.comparison)
    yield {**of_release, ALL: _product(kept), SHARED: _product(after) / len(after.counts), **_deviations(kept)}
    if point["method"] == OF_PAPER["method"]:
        given = ItemMoments.of(whole)
        shared = _product(before) / len(before.counts)
        yield {"method": ORIGINAL, ALL: _product(given), SHARED: shared, **_deviations(given)}


def _product(moments: ItemMoments) -> float:
    return float(moments.means @ moments.means)


def _deviations(moments: ItemMoments) -> dict[str, float]:
    rated = moments.deviations[moments.counts > 0]
    return {DEVIATION: float(rated.mean()), LARGEST: float(rated.max())}
