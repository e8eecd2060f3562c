"""What two columns have in common: a part that is known from the value of either."""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from shoal.evidence import PairCounts

__all__ = ["common_parts"]

_RARE = 20
"""A pair that not even one in so many has, of those with the one value or with the other, is taken for an error."""


def common_parts(pairs: PairCounts) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the part of each value of the first column, that of each of the second, and how many parts there are.

    Values that occur together, but for rare pairs, are in one part: a district and its postal codes, where codes belong
    to several districts and districts to several codes. Columns that have nothing to do with each other are one part.
    """
    rare = (_RARE * pairs.counts <= pairs.of_one[pairs.one]) & (_RARE * pairs.counts <= pairs.of_other[pairs.other])
    one, other = pairs.one[~rare], pairs.other[~rare] + pairs.n_one
    n_values = pairs.n_one + pairs.n_other
    graph = coo_array((np.ones(len(one), np.int8), (one, other)), shape=(n_values, n_values))
    n_parts, part_of = connected_components(graph, directed=False)
    part_of = part_of.astype(np.int64)
    return part_of[: pairs.n_one], part_of[pairs.n_one :], int(n_parts)
