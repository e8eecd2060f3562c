"""The people of a table in an order that depends on their records, and not on the order in which these came.

Whoever is first matters where distances are equal. Records that are published alike are interchangeable, and yet those
of two people are not, if others of their records differ. So people are ordered by all of their records, each of which
is told by the first one in canonical order that is equal to it; people with equal records are interchangeable.
"""

import numpy as np

from shoal.data import Microdata
from shoal.evidence import equal_tuples
from shoal.kernels.numbering import distinct_keys
from shoal.kernels.sampling import GOLDEN, mixed
from shoal.randomness import Randomness

__all__ = ["people_in_order"]


def people_in_order(table: Microdata, randomness: Randomness) -> tuple[np.ndarray, int]:
    """Return the number of the person of each record of a table in canonical order, and how many people there are.

    Of people whose first records are equal, a hash of all their records decides, with a secret key, as between records.
    """
    assert table.persons is not None
    kinds, _ = equal_tuples((column for column in table.columns if column.role.leaves), len(table))
    persons, found = distinct_keys(table.persons)
    first = np.full(found, len(table), np.int64)
    np.minimum.at(first, persons, kinds)
    words = np.zeros(found, np.uint64)
    key = randomness.words(1, "equal people")
    np.add.at(words, persons, mixed(key + (kinds.astype(np.uint64) + np.uint64(1)) * GOLDEN))
    numbers = np.empty(found, np.int64)
    numbers[np.lexsort([words, first])] = np.arange(found)
    return numbers[persons], found
