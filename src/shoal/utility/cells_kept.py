"""Cells kept: the share of the original cells that are published exactly as they were.

*Definition.* On ratings, the non-sensitive ratings given that are published unmoved, divided by all of them; 0 where a
method publishes something else in the place of ratings. On tables, the quasi-identifier cells whose published label is
the original value, divided by all of them. Cells of withheld records are not kept. *Unit.* A share.
"""

from shoal.data import Ratings

from .cells_changed import cells_changed
from .comparison import Comparison
from .measure import measure

__all__ = ["cells_kept"]


@measure("cells kept", unit="share of cells")
def cells_kept(comparison: Comparison) -> float:
    """Return the share of the ratings given, or of the quasi-identifier cells, that are published as they were."""
    whole, ratings = comparison.whole, comparison.ratings
    if ratings is not None:
        original = comparison.original
        assert isinstance(whole, Ratings)
        assert isinstance(original, Ratings)
        cells, there = whole.observable.n_ratings, original.observable.n_ratings - ratings.dropped
    else:
        width = len(comparison.columns)
        cells, there = len(whole) * width, len(comparison.origins) * width
    if comparison.replaced:
        return 0.0
    return (there - cells_changed(comparison)) / cells if cells else 1.0
