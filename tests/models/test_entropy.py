"""Diversity by entropy, at the edge and beyond what doubles can tell."""

import math
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.evidence import GroupCounts, ValueCounts
from shoal.models import LDiversity
from shoal.models.entropy import is_diverse, least_diversity

COUNTS = st.lists(st.lists(st.integers(1, 12), min_size=1, max_size=6), min_size=1, max_size=6)


def of_groups(groups: list[list[int]]) -> ValueCounts:
    indptr = np.cumsum([0, *map(len, groups)]).astype(np.int64)
    values = [value for group in groups for value in range(len(group))]
    counts = [count for group in groups for count in group]
    return ValueCounts(indptr, np.array(values, np.int32), np.array(counts, np.int64), max(map(len, groups)))


def reaches(group: list[int], l: Fraction) -> bool:  # noqa: E741
    """By whole numbers alone."""
    n = sum(group)
    return l.denominator**n * n**n >= l.numerator**n * math.prod(count**count for count in group)


@given(groups=COUNTS, l=st.fractions(1, 5, max_denominator=40))
def test_diversity_is_that_of_whole_numbers(groups, l):  # noqa: E741
    assert is_diverse(of_groups(groups), l).tolist() == [reaches(group, l) for group in groups]


@given(groups=COUNTS)
def test_the_level_is_reached_and_a_millionth_more_is_not(groups):
    least = least_diversity(of_groups(groups))
    more = least + Fraction(1, 10**6)
    assert all(reaches(group, least) for group in groups)
    assert not all(reaches(group, more) for group in groups)
    assert least * 10**6 == int(least * 10**6)


@pytest.mark.parametrize(
    ("group", "l"),
    [
        ([3, 3], 2),
        ([1, 1, 1], 3),
        ([7] * 11, 11),
        ([4, 1, 1, 1, 1], 4),
        ([16, 4, 4, 4, 4], 4),
        ([4_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000], 4),
        ([10**15] * 6, 6),
    ],
)
def test_equality_is_enough(group, l):  # noqa: E741
    """Doubles put some of these a little above and some a little below."""
    counts = of_groups([group])
    assert is_diverse(counts, Fraction(l)).tolist() == [True]
    assert is_diverse(counts, Fraction(l) + Fraction(1, 10**30)).tolist() == [False]
    assert least_diversity(counts) == l


def test_what_is_closer_than_doubles_can_tell_is_told():
    """One record in 10¹² less even: its entropy is less than that of an even split by a part in 10²⁴."""
    half = 10**12
    groups = of_groups([[half, half], [half + 1, half - 1], [half + 1, half - 1, 1]])
    assert is_diverse(groups, Fraction(2)).tolist() == [True, False, True]
    assert is_diverse(groups, Fraction(2) - Fraction(1, 10**20)).tolist() == [True, True, True]
    assert float(least_diversity(of_groups([[half + 1, half - 1]]))) == 1.999999


def test_a_threshold_of_many_digits_is_compared_in_full():
    near = Fraction(2) + Fraction(1, 10**140)
    assert is_diverse(of_groups([[5, 5]]), near).tolist() == [False]
    assert is_diverse(of_groups([[5, 5]]), 2 - Fraction(1, 10**140)).tolist() == [True]
    assert is_diverse(of_groups([[4, 1, 1, 1, 1]]), 4 - Fraction(1, 10**140)).tolist() == [True]
    assert is_diverse(of_groups([[4, 1, 1, 1, 1]]), 4 + Fraction(1, 10**140)).tolist() == [False]


@pytest.mark.parametrize("l", [Fraction(3, 2), Fraction(2), Fraction(3), Fraction(5, 2)])
def test_groups_that_are_diverse_are_so_together(l):  # noqa: E741
    """Every two groups of up to three values and six records, joined."""
    groups = [group for n in range(1, 7) for group in _splits(n)]
    diverse = [group for group in groups if reaches([count for count in group if count], l)]
    joined = [[a + b for a, b in zip(one, other, strict=True)] for one in diverse for other in diverse]
    assert is_diverse(of_groups([[count for count in group if count] for group in joined]), l).all()
    assert 0 < len(diverse) < len(groups)


def _splits(n: int) -> list[tuple[int, int, int]]:
    borders = combinations_with_replacement(range(n + 1), 2)
    return [(low, high - low, n - high) for low, high in borders]


def test_many_groups_are_judged_at_once():
    groups = [[2, 1], [4, 1, 1, 1, 1], [3, 3], [9, 1]] * 5000
    verdict = LDiversity(2, "entropy").judge(GroupCounts(of_groups(groups).sizes, (of_groups(groups),)))
    assert verdict.violating.tolist() == [True, False, False, True] * 5000
    assert verdict.violations == 13 * 5000
