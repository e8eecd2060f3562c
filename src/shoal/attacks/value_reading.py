"""What is learnt of people's other ratings from the records that are taken for theirs."""

import math

import numpy as np

from shoal.data import Ratings
from shoal.kernels.read_off import errors_of_reading

from .known_items import KnownItems
from .scored_candidates import ScoredCandidates

__all__ = ["value_reading"]


def value_reading(candidates: ScoredCandidates, known: KnownItems, chosen: np.ndarray) -> dict[str, float]:
    """Give how near the chosen candidates come to the ratings that were not known, beside the means of the items.

    Nothing is given where everything was known.
    """
    truth, seen = candidates.exposure.truth, candidates.exposure.seen
    assert isinstance(truth, Ratings)
    assert isinstance(seen, Ratings)
    held = np.maximum(candidates.support, 1)
    overall = candidates.sums.sum() / max(candidates.support.sum(), 1)
    nobody = candidates.support == 0
    means = np.where(nobody, overall, candidates.sums / held)
    modes = np.where(nobody, candidates.rounded[round(overall)], candidates.modes)
    true, published = truth.observable, candidates.matrix
    counts, squares, right = errors_of_reading(
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
