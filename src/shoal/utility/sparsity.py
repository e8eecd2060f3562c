"""Sparsity: how many cells hold no rating.

*Definition.* The share of the cells, people times non-sensitive items, that hold no rating: among all original people,
or among all published ones, a profile that stands for several counting for each of them. *Unit.* A share of the cells.

*Reference.* The first line of Table 2 of Chang, Thompson, Wang and Yao, Predictive Anonymization (2010): 98.84 % of
the cells of the Netflix Prize, and none once they are padded.
"""

import numpy as np

from shoal.data import Ratings, Records

from .comparison import Comparison
from .measure import Unmeasurable, measure

__all__ = ["sparsity", "sparsity_before"]


@measure("sparsity", unit="share of the cells", quick=False)
def sparsity(comparison: Comparison) -> float:
    """Give the share of the cells that hold no rating in what is published."""
    return _without_rating(comparison.released)


@measure("sparsity before", unit="share of the cells", quick=False)
def sparsity_before(comparison: Comparison) -> float:
    """Give the share of the cells that held no rating in the originals."""
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
