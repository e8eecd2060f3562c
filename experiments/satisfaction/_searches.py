"""The ways to decide (k,ε,l)-anonymity that are compared: those of Shoal, and the papers' matrix of all distances."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import numpy as np
from scipy.spatial.distance import pdist, squareform

from experiments.cost import Cost, cost_of
from shoal.data import RatingMatrix, Ratings
from shoal.datasets import generate_survey
from shoal.engines import LocalEngine, judge
from shoal.engines.base import rating_amounts
from shoal.evidence import Neighborhoods, RatingMoments
from shoal.models import KEpsilon, Verdict

__all__ = ["GROUPS", "MATRIX", "PAIRWISE", "SLICING", "cost_of_deciding", "decided"]

SLICING = "slicing"
"""Counts the neighbors of each record, as the definition has it, within the thinnest slice."""
GROUPS = "slicing, groups"
"""Looks for groups of k that are pairwise within ε, as the papers' algorithm does."""
PAIRWISE = "pairwise"
"""Compares every two records until an issue separates them, and keeps no distance."""
MATRIX = "matrix"
"""The papers' pairwise: all distances are computed and kept, and then compared with ε."""
_BLOCK = 256


def decided(ratings: Ratings, search: str, k: int, epsilon: Fraction, l: Fraction | None) -> Verdict:  # noqa: E741
    """Decide (k,ε,l), or (k,ε) without an l, in one of the ways."""
    if search == MATRIX:
        return _by_matrix(ratings, KEpsilon(k, epsilon, l))
    model = KEpsilon(k, epsilon, l, semantics="partition" if search == GROUPS else "neighborhood")
    engine = LocalEngine(search="pairwise" if search == PAIRWISE else "slicing")
    return judge(ratings, [model], engine).verdicts[0]


def cost_of_deciding(ratings: Ratings, search: str, k: int, epsilon: float, l: float) -> tuple[Cost, Verdict]:  # noqa: E741
    """Return what it takes to decide; with an l of 0 nothing is asked of sensitive ratings, as the thesis has it."""
    _compiled(search)
    settings = k, Fraction(str(epsilon)), Fraction(str(l)) if l else None
    verdicts = []
    cost = cost_of(lambda: verdicts.append(decided(ratings, search, *settings)))
    return cost, verdicts[0]


@cache
def _compiled(search: str) -> None:
    few = generate_survey(60, 6, 1, 0)
    for spread in (Fraction(1), None):
        decided(few, search, 3, Fraction(1), spread)


def _by_matrix(ratings: Ratings, model: KEpsilon) -> Verdict:
    within = squareform(_distances(ratings) <= ratings.scale.steps_within(model.epsilon))
    np.fill_diagonal(within, val=True)
    amounts = rating_amounts(ratings, sensitive=model.l is not None)
    sums = _sums(within, amounts)
    moments = None if model.l is None else RatingMoments.of_columns(ratings.scale, sums)
    return model.judge(Neighborhoods(model.epsilon, sums[:, 0] - 1, moments))


def _distances(ratings: Ratings) -> np.ndarray:
    """Return the dissimilarity of every two records in steps, as one long row of doubles."""
    apart = ratings.scale.null_steps
    distances = pdist(_dense(ratings.observable, -float(apart)), "chebyshev")
    return np.minimum(distances, apart, out=distances)


def _dense(matrix: RatingMatrix, null: float) -> np.ndarray:
    dense = np.full((len(matrix), len(matrix.items)), null)
    rows = np.repeat(np.arange(len(matrix)), np.diff(matrix.indptr))
    dense[rows, matrix.indices] = matrix.codes
    return dense


def _sums(within: np.ndarray, amounts: np.ndarray) -> np.ndarray:
    """Return the sums of the amounts of all records within ε; whole numbers stay whole as doubles."""
    starts: Sequence[int] = range(0, len(within), _BLOCK)
    parts = [within[start : start + _BLOCK].astype(np.float64) @ amounts for start in starts]
    return np.concatenate(parts).astype(np.int64)
