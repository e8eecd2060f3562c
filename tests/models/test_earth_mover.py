"""Earth mover's distances of groups from everybody: against the transport problem, and in numbers of any size."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.engines import LocalEngine, judge
from shoal.evidence import GroupCounts, SensitiveValues, ValueCounts
from shoal.models import TCloseness
from shoal.models.earth_mover import Distance, EarthMover

DISTANCES: list[Distance] = ["equal", "ordered", "hierarchical"]


def column_of(n_values: int, parents: list[int]) -> Column:
    """A column of numbers, with a level of labels between them and the root."""
    column = Column.encode("number", Role.SENSITIVE, pl.Series(range(n_values)))
    levels = [pl.Series([f"label {parent}" for parent in parents]), pl.Series(["*"] * n_values)]
    return column.with_hierarchy(Hierarchy.from_columns([column.vocabulary.values, *levels]))


def evidence(column: Column, table: list[list[int]], totals: list[int] | None = None) -> ValueCounts:
    """Count groups as a table of groups and values says; all records are those groups, unless said."""
    dense = np.array(table, np.int64)
    rows, values = np.nonzero(dense)
    indptr = np.searchsorted(rows, np.arange(len(table) + 1)).astype(np.int64)
    overall = dense.sum(axis=0) if totals is None else np.array(totals, np.int64)
    known = SensitiveValues(column, overall)
    return ValueCounts(indptr, values.astype(np.int32), dense[rows, values], dense.shape[1], known)


def by_definition(column: Column, row: list[int], totals: list[int], distance: Distance) -> Fraction:
    """Solve the transport problem of shares that are given as numbers of any size."""
    n, everybody = sum(row), sum(totals)
    present = [value for value, total in enumerate(totals) if total]
    surplus = {value: Fraction(row[value], n) - Fraction(totals[value], everybody) for value in present}
    supply = [(value, amount) for value, amount in surplus.items() if amount > 0]
    demand = [(value, -amount) for value, amount in surplus.items() if amount < 0]
    if distance == "ordered":
        return oracles.cheapest_transport(
            supply, demand, lambda a, b: Fraction(abs(present.index(a) - present.index(b)), max(len(present) - 1, 1))
        )
    return oracles.cheapest_transport(supply, demand, oracles.value_distance(column, distance))


@st.composite
def tables(draw: st.DrawFn, most: int) -> tuple[Column, list[list[int]]]:
    n_values = draw(st.integers(1, 6))
    column = column_of(n_values, draw(st.lists(st.integers(0, 2), min_size=n_values, max_size=n_values)))
    row = st.lists(st.integers(0, most) | st.just(0), min_size=n_values, max_size=n_values).filter(any)
    return column, draw(st.lists(row, min_size=1, max_size=4))


@settings(deadline=None)
@given(drawn=tables(9) | tables(2**40), distance=st.sampled_from(DISTANCES))
def test_distances_are_those_of_the_transport_problem(drawn, distance):
    """Counts up to 2⁴⁰, whose products are far beyond 64 bits."""
    column, table = drawn
    totals = np.array(table).sum(axis=0).tolist()
    expected = [by_definition(column, row, totals, distance) for row in table]
    moved = EarthMover.of(evidence(column, table), distance)
    assert moved.farthest() == max(expected)
    for t in {*expected, Fraction(1, 3), Fraction(0)} - {Fraction(1)}:
        assert moved.is_within(t).tolist() == [far <= t for far in expected]
    for far in expected:
        assert EarthMover.of(evidence(column, table), distance).is_within(
            far * Fraction(10**9 - 1, 10**9)
        ).tolist() == [other <= far * Fraction(10**9 - 1, 10**9) for other in expected]


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("rows", [1_200_000, 3_000_000_000, 10**15])
def test_a_large_table_is_not_taken_for_a_close_one(distance, rows):
    """29 % too much of a value is not within 0.2, however many records there are."""
    column = column_of(2, [0, 1])
    groups = [[79 * rows // 200, 21 * rows // 200], [21 * rows // 200, 79 * rows // 200]]
    counts = evidence(column, groups)
    verdict = TCloseness(Fraction("0.2"), distance).judge(GroupCounts(counts.sizes, (counts,)))
    assert (verdict.holds, dict(verdict.level)) == (False, {"t": 0.29})
    assert verdict.violating.tolist() == [True, True]
    assert TCloseness(Fraction("0.29"), distance).judge(GroupCounts(counts.sizes, (counts,))).holds


@settings(deadline=None)
@given(drawn=tables(4), distance=st.sampled_from(DISTANCES), data=st.data())
def test_groups_that_are_close_are_close_together(drawn, distance, data):
    """Against any fixed distribution that has their values, not only that of their union."""
    column, table = drawn
    extra = data.draw(st.lists(st.integers(0, 5), min_size=len(table[0]), max_size=len(table[0])))
    totals = (np.array(table).sum(axis=0) + extra).tolist()
    apart = EarthMover.of(evidence(column, table, totals), distance).farthest()
    joined = np.array(table).sum(axis=0, keepdims=True).tolist()
    assert EarthMover.of(evidence(column, joined, totals), distance).farthest() <= apart


def people(groups: list, values: list, **options) -> Microdata:
    return Microdata(
        (
            Column.encode("group", Role.QUASI_IDENTIFIER, pl.Series(groups)),
            Column.encode("secret", Role.SENSITIVE, pl.Series(values), **options),
        )
    )


def test_the_example_of_the_paper():
    """Li, Li and Venkatasubramanian 2007, section 4: salaries 3K…11K, and the groups {3,4,5} and {6,8,11}."""
    salaries = [3, 4, 5, 6, 11, 8, 7, 9, 10]
    table = people([0, 0, 0, 1, 1, 1, 2, 2, 2], salaries)
    counts = LocalEngine().count(table, LocalEngine().group(table), sensitive=True).sensitive[0]
    moved = EarthMover.of(counts, "ordered")
    distances = [Fraction(int(a), moved.scale * int(n)) for a, n in zip(moved.amounts, moved.sizes, strict=True)]
    assert distances[:2] == [Fraction(3, 8), Fraction(1, 6)]  # 0.375 and 0.167, as they say


def test_words_are_in_the_order_of_their_categories_and_missing_ones_before_all():
    words = ["low", "middle", "high", None]
    far = people([0, 0, 1, 1], words, categories=(("low",), ("middle", "high")))
    level = judge(far, [TCloseness(Fraction(0), "ordered")], LocalEngine()).verdicts[0].level
    # in order: missing, low, middle, high; the group {low, middle} and the group {missing, high} are 1/6 off
    assert level == {"t": 0.166667}


@pytest.mark.parametrize("distance", DISTANCES)
def test_a_column_of_one_value_is_close(distance):
    column = column_of(1, [0])
    table = Microdata(
        (Column.encode("group", Role.QUASI_IDENTIFIER, pl.Series([1, 2, 2])), column.take(np.zeros(3, np.int64)))
    )
    assert judge(table, [TCloseness(Fraction(0), distance)], LocalEngine()).holds
