"""Counts of pairs and of people are those that counting by hand gives."""

from collections import Counter
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.evidence import PairCounts, people_among, people_by_class

RECORDS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(0, 4)), min_size=1, max_size=30)


@pytest.mark.parametrize("places", [0, 4, 1000])
@given(records=RECORDS, known=st.booleans())
def test_pairs_are_counted_in_people(places, records, known) -> None:
    one, other, persons = (np.array(part, np.int64) for part in zip(*records, strict=True))
    seen = {(a, b, p) for a, b, p in records} if known else list(records)
    expected = Counter((a, b) for a, b, _ in seen)
    with patch("shoal.evidence.pair_counts._PLACES", places):
        pairs = PairCounts.of(one, 4, other, 6, persons if known else None)
        coarse = pairs.coarsened(np.array([0, 0, 1, 1, 2, 2]), 3)
    assert as_counter(pairs) == expected
    assert as_counter(pairs.swapped) == Counter({(b, a): count for (a, b), count in expected.items()})
    folded: Counter[tuple[int, int]] = Counter()
    for (a, b), count in expected.items():
        folded[a, b // 2] += count
    assert as_counter(coarse) == folded
    assert pairs.of_one.tolist() == [sum(c for (a, _), c in expected.items() if a == value) for value in range(4)]
    assert pairs.of_other.tolist() == [sum(c for (_, b), c in expected.items() if b == value) for value in range(6)]


def as_counter(pairs: PairCounts) -> Counter[tuple[int, int]]:
    published = zip(pairs.one.tolist(), pairs.other.tolist(), pairs.counts.tolist(), strict=True)
    return Counter({(a, b): count for a, b, count in published})


@given(RECORDS)
def test_people_of_a_class_are_counted_once(records) -> None:
    labels, _, persons = (np.array(part, np.int64) for part in zip(*records, strict=True))
    expected = [len({p for a, _, p in records if a == value}) for value in range(4)]
    assert people_by_class(labels, 4, persons).tolist() == expected
    assert people_by_class(labels, 4).tolist() == [sum(a == value for a, _, _ in records) for value in range(4)]
    assert people_among(labels == 2, persons) == expected[2]
    assert people_among(labels == 2) == sum(a == 2 for a, _, _ in records)
