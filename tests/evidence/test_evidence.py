"""Counts of blocks add up to the counts of all; evidence keeps its shape and names nobody."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.data import Column, Role
from shoal.evidence import (
    GroupCounts,
    Grouping,
    NeedGroups,
    NeedItemSets,
    NeedNeighborhoods,
    Neighborhoods,
    SensitiveValues,
    SharedItemSets,
    ValueCounts,
)

N_GROUPS, N_VALUES = 4, 5
PAIRS = st.lists(st.tuples(st.integers(0, N_GROUPS - 1), st.integers(0, N_VALUES - 1)), max_size=20)


def counted(pairs: list[tuple[int, int]]) -> ValueCounts:
    """Count by hand."""
    counts = Counter(pairs)
    group_offsets = [sorted((v, n) for (g, v), n in counts.items() if g == group) for group in range(N_GROUPS)]
    indptr = np.cumsum([0, *map(len, group_offsets)]).astype(np.int64)
    flat = [pair for group in group_offsets for pair in group]
    values, numbers = ([pair[i] for pair in flat] for i in range(2))
    return ValueCounts(indptr, np.array(values, np.int32), np.array(numbers, np.int64), N_VALUES)


def published(counts: ValueCounts) -> tuple[list[int], ...]:
    return counts.indptr.tolist(), counts.values.tolist(), counts.counts.tolist()


@given(one=PAIRS, other=PAIRS)
def test_value_counts_of_blocks_add(one, other):
    total = counted(one) + counted(other)
    assert published(total) == published(counted(one + other))
    assert (total.indptr.dtype, total.values.dtype, total.counts.dtype) == (np.int64, np.int32, np.int64)


@given(pairs=PAIRS, gone=st.lists(st.booleans(), min_size=N_GROUPS, max_size=N_GROUPS))
def test_what_is_left_without_some_groups_is_counted_as_if_they_had_never_been(pairs, gone):
    column = Column.encode("disease", Role.SENSITIVE, pl.Series([*"abcde"]))
    totals = np.bincount([value for _, value in pairs], minlength=N_VALUES).astype(np.int64)
    whole = replace(counted(pairs), known=SensitiveValues(column, totals))
    staying = [group for group in range(N_GROUPS) if not gone[group]]
    kept = [(staying.index(group), value) for group, value in pairs if group in staying]
    sizes = np.bincount([group for group, _ in pairs], minlength=N_GROUPS).astype(np.int64)
    left = GroupCounts(sizes, (whole,)).without(np.array(gone))
    assert left.sizes.tolist() == sizes[staying].tolist()
    assert len(left.sensitive[0]) == len(staying)
    indptr, values, numbers = published(counted(kept))
    assert published(left.sensitive[0]) == (indptr[: len(staying) + 1], values, numbers)
    assert left.sensitive[0].known is not None
    assert left.sensitive[0].known.totals.tolist() == [sum(value == v for _, value in kept) for v in range(N_VALUES)]


@given(pairs=PAIRS)
def test_distinct_values_are_counted_by_group(pairs):
    expected = [len({value for group, value in pairs if group == g}) for g in range(N_GROUPS)]
    assert counted(pairs).n_distinct.tolist() == expected


@given(pairs=PAIRS, labels=st.lists(st.integers(0, 2), min_size=N_VALUES, max_size=N_VALUES))
def test_values_are_counted_by_their_labels(pairs, labels):
    found = counted(pairs).by_label(np.array(labels), 3)
    expected = counted([(group, labels[value]) for group, value in pairs])
    assert published(found) == published(expected)
    assert found.n_values == 3


@given(pairs=PAIRS)
def test_amounts_are_added_up_by_group_be_it_empty_or_not(pairs):
    counts = counted(pairs)
    assert counts.sizes.tolist() == [sum(g == group for g, _ in pairs) for group in range(N_GROUPS)]
    large = counts.sums(np.array([2**70] * len(counts.values), object))
    assert large.tolist() == [2**70 * int(number) for number in counts.n_distinct]
    assert counts.groups.tolist() == [group for group, number in enumerate(counts.n_distinct) for _ in range(number)]


def known(*numbers: int) -> SensitiveValues:
    column = Column.encode("grade", Role.SENSITIVE, pl.Series(range(N_VALUES)))
    return SensitiveValues(column, np.array(numbers, np.int64))


def test_what_is_known_of_all_records_adds_and_can_be_taken_from_elsewhere():
    some, others = (replace(counted([(0, 1)]), known=known(*numbers)) for numbers in ((0, 1, 0, 0, 0), (4, 0, 0, 0, 2)))
    together = (some + others).known
    assert together is not None
    assert together.totals.tolist() == [4, 1, 0, 0, 2]
    with pytest.raises(AssertionError):
        _ = some + counted([])
    whole, part = (GroupCounts(np.ones(N_GROUPS, np.int64), (counts,)) for counts in (others, counted([(0, 1)])))
    assert part.among(whole).sensitive[0].known is others.known
    assert published(part.among(whole).sensitive[0]) == published(some)
    with pytest.raises(AssertionError):
        known(1, 2)


def test_places_are_among_the_values_that_occur():
    assert known(0, 3, 0, 1, 1).positions.tolist() == [-1, 0, -1, 1, 2]


@given(one=PAIRS, other=PAIRS)
def test_group_counts_of_blocks_add(one, other):
    def of(pairs):
        sizes = np.bincount([group for group, _ in pairs] or [0], minlength=N_GROUPS).astype(np.int64)
        sizes -= 0 if pairs else np.eye(1, N_GROUPS, dtype=np.int64)[0]
        return GroupCounts(sizes, (counted(pairs), counted([(g, (v + 1) % N_VALUES) for g, v in pairs])))

    total, together = of(one) + of(other), of(one + other)
    assert total.sizes.tolist() == together.sizes.tolist()
    assert [published(counts) for counts in total.sensitive] == [published(counts) for counts in together.sensitive]


def test_counts_that_do_not_belong_together_are_not_added():
    few = ValueCounts(np.array([0, 0]), np.zeros(0, np.int32), np.zeros(0, np.int64), N_VALUES)
    many = ValueCounts(np.array([0, 0]), np.zeros(0, np.int32), np.zeros(0, np.int64), N_VALUES + 1)
    with pytest.raises(AssertionError):
        _ = few + many
    with pytest.raises(AssertionError):
        _ = few + counted([])
    with pytest.raises(AssertionError):
        _ = GroupCounts(np.array([1]), (few,)) + GroupCounts(np.array([1]))
    with pytest.raises(AssertionError):
        GroupCounts(np.array([1, 2]), (few,))


def test_members_are_the_records_of_the_groups():
    grouping = Grouping(np.array([2, 0, 2, 1]), 3)
    assert grouping.members(np.array([False, False, True])).tolist() == [True, False, True, False]
    with pytest.raises(ValueError, match="read-only"):
        grouping.labels[0] = 1


@pytest.mark.parametrize(
    "make",
    [
        lambda a: Grouping(a, 1),
        GroupCounts,
        lambda a: Neighborhoods(Fraction(1), a),
        lambda a: SharedItemSets(1, a, a),
    ],
)
def test_counts_are_whole_numbers_of_full_width(make):
    assert len(make(np.array([0, 0], np.int64))) == 2
    for dtype in (np.int32, np.float64):
        with pytest.raises(AssertionError):
            make(np.array([0, 0], dtype))


def test_evidence_is_shown_by_its_size_alone():
    assert repr(known(1, 2, 3, 4, 5)) == "SensitiveValues(5 values)"
    assert repr(counted([(1, 3)])) == "ValueCounts(4 groups, 5 values)"
    assert repr(GroupCounts(np.array([7, 9]))) == "GroupCounts(2 groups, 0 sensitive attributes)"
    assert repr(Grouping(np.array([0, 0, 1]), 2)) == "Grouping(3 records in 2 groups)"
    assert repr(Neighborhoods(Fraction(1), np.array([77, 88, 99]))) == "Neighborhoods(3 records)"
    assert repr(SharedItemSets(2, np.array([77]), np.array([88]))) == "SharedItemSets(1 groups, sets of up to 2 items)"


def test_needs_are_compared_by_what_they_ask():
    assert NeedGroups() == NeedGroups(sensitive=False) != NeedGroups(sensitive=True)
    assert NeedNeighborhoods(Fraction(1, 2)) == NeedNeighborhoods(Fraction(2, 4)) != NeedNeighborhoods(Fraction(1))
    assert NeedItemSets(1, 2) != NeedItemSets(2, 2)
    assert not NeedItemSets(1, 2).sensitive
