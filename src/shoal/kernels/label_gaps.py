"""How far values are from what labels stand for."""

import numpy as np
from numba import njit, prange

__all__ = ["UNIT", "label_gaps"]

UNIT = 1_000_000_000
"""A distance of 1: distances are whole billionths, so that sums of them are equal where they should be."""


@njit(cache=True, nogil=True, parallel=True)
def label_gaps(
    values: np.ndarray,
    begins: np.ndarray,
    lows: np.ndarray,
    highs: np.ndarray,
    with_missing: np.ndarray,
    span: float,
) -> np.ndarray:
    """Return for each value, in a line, its distance to each label in billionths.

    Label i stands for the stretches from ``lows[j]`` to ``highs[j]`` with ``begins[i] <= j < begins[i + 1]``, and for
    what is missing (NaN) where ``with_missing[i]``. A distance is 0 for what a label stands for; otherwise the gap to
    the nearest stretch by ``span``, at least a billionth and at most 1, and 1 where there is no stretch, a value is
    missing, or the span is 0, as it is told for values that are alike or not.
    """
    gaps = np.full((len(values), len(with_missing)), UNIT, np.int32)
    for i in prange(len(values)):  # pyright: ignore[reportGeneralTypeIssues]
        value = values[i]
        for label in range(len(with_missing)):
            if np.isnan(value):
                if with_missing[label]:
                    gaps[i, label] = 0
                continue
            least = np.inf
            for j in range(begins[label], begins[label + 1]):
                least = min(least, max(lows[j] - value, value - highs[j], 0.0))
            if least == 0:
                gaps[i, label] = 0
            elif least < span:
                gaps[i, label] = max(int(np.rint(least / span * UNIT)), 1)
    return gaps
