"""Which values of two columns exclude each other.

*Definition.* If N people have a value of the one column and M of all have a value of the other, N·M/all are expected
to have both. A pair of values is *absent* if at most a tenth of those expected have it. Where at least twenty are
expected, an absent pair is excluded. Where at least three are, absent pairs are excluded if there are at least five of
them, and ten times as many as by chance: as the Poisson distribution has it for as many people expected.
"""

import numpy as np
from scipy.special import pdtr

from shoal.evidence import PairCounts

__all__ = ["excluded_values"]

_FEWER = 10
_EXPECTED = 3
_EXPECTED_OF_ONE = 20
_ABSENT = 5
_BEYOND_CHANCE = 10
_PLACES = 4_000_000
"""So many pairs of values are looked at, at most."""


def excluded_values(pairs: PairCounts) -> np.ndarray | None:
    """Return whether values of the first column (first axis) and of the second exclude each other; None if none do."""
    n = int(pairs.counts.sum())
    if not n or pairs.n_one * pairs.n_other > _PLACES or _EXPECTED * n > pairs.of_one.max() * pairs.of_other.max():
        return None
    together = np.zeros((pairs.n_one, pairs.n_other), np.int64)
    together[pairs.one, pairs.other] = pairs.counts
    expected = pairs.of_one[:, None] * pairs.of_other[None, :]  # times n
    looked_at = expected >= _EXPECTED * n
    absent = looked_at & (_FEWER * n * together <= expected)
    if not absent.any():
        return None
    likely = expected[looked_at] / n
    by_chance = float(pdtr(np.floor(likely / _FEWER), likely).sum())
    found = int(np.count_nonzero(absent))
    if found < _ABSENT or found < _BEYOND_CHANCE * by_chance:
        absent &= expected >= _EXPECTED_OF_ONE * n
    return absent if absent.any() else None
