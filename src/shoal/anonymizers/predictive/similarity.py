"""Similarity of users: the mean over items of a penalty for the difference between two padded ratings.

With the difference d as a share of the span of the scale, all of these are 0 for equal users and 1 for those who differ
as much as they can on every item:

- *squared*: d²;
- *printed*: 1 − (1 − d)², the formula of the paper, which calls it a similarity;
- *weighted*: the number of whole half steps in the difference, as a share of all half steps of the scale. The paper
  says that ranges of differences have weights, and not which;
- *closeness-0.5*, *closeness-1.0*: 1 where the ratings are more than half a step, or one step, apart, and 0 elsewhere.

*Reference.* Sections 4.2 and 7.3 of Chang, Thompson, Wang and Yao, Predictive Anonymization (2010).
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.data import RatingMatrix
from shoal.kernels.clustering.bounded_groups import BEYOND, CONCAVE, HALVES, SQUARES, dissimilarities, padded_rows
from shoal.predictors import Factors

from .bounded_t_means import bounded_t_means

__all__ = ["PaddedUsers", "Similarity"]

Similarity = Literal["squared", "printed", "weighted", "closeness-0.5", "closeness-1.0"]
_PENALTIES: dict[Similarity, tuple[int, float]] = {
    "squared": (SQUARES, 0),
    "printed": (CONCAVE, 0),
    "weighted": (HALVES, 0),
    "closeness-0.5": (BEYOND, 0.5),
    "closeness-1.0": (BEYOND, 1.0),
}


@dataclass(frozen=True, eq=False)
class PaddedUsers:
    """The padded ratings of users, computed for some of them on demand, and how dissimilar they are."""

    matrix: RatingMatrix
    factors: Factors
    similarity: Similarity
    own_ratings: bool
    """Whether ratings stand in the place of their predictions; otherwise all are predictions."""

    def __len__(self) -> int:
        return len(self.matrix)

    @property
    def width(self) -> int:
        """The number of items."""
        return len(self.factors.items)

    def rows(self, users: np.ndarray) -> np.ndarray:
        """Return the padded ratings of these users in codes of the scale: float32, users × items."""
        highest = float(self.factors.points - 1)
        ratings = self.matrix.indptr, self.matrix.indices, self.matrix.codes
        return padded_rows(*ratings, self.factors.users, self.factors.items, users, highest, self.own_ratings)

    def apart(self, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return, rows × others, how dissimilar padded ratings are, from 0 to 1: float32."""
        penalty, limit = _PENALTIES[self.similarity]
        return dissimilarities(rows, others, penalty, limit, float(self.factors.points - 1))

    def nearest(self, rows: np.ndarray, centers: np.ndarray) -> np.ndarray:
        """Return the least dissimilar center of each row, of equals the first."""
        return self.apart(rows, centers).argmin(axis=1)

    def clusters(self, rows: np.ndarray, size: int, generator: np.random.Generator) -> np.ndarray:
        """Label rows by cluster, of at least ``size`` and less than twice as many."""
        return bounded_t_means(rows, self.apart, size, generator)
