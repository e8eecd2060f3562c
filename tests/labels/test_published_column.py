"""A published column says of every label which values it may stand for, how many they are, and what is lost."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import label_oracle
from published_tables import plain, published_tables
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.labels import published_column
from shoal.labels.label_loss import label_losses, published_loss


@settings(max_examples=60)
@given(comparison=published_tables(), data=st.data())
def test_a_label_stands_for_the_values_it_means_and_sums_run_over_them(comparison, data):
    whole, released = comparison.whole, comparison.released
    for name, column in plain(comparison).items():
        read = published_column(whole[name], released[name], comparison.origins)
        amounts = np.array(data.draw(st.lists(st.integers(0, 9), min_size=len(read.values), max_size=len(read.values))))
        sums, codes = read.sums(amounts), read.labels.tolist()
        assert [column.domain[place] for place in read.before.tolist()] == column.originals
        for label, text in zip(codes, column.labels, strict=True):
            meant, leaves, _ = label_oracle.meaning(column, text)
            places = [place for place, value in enumerate(column.domain) if value in meant]
            assert read.values_of(label).tolist() == places
            assert sums[label] == sum(int(amounts[place]) for place in places)
            assert read.covers[label] == len(places)
            assert (read.lowest[label], read.highest[label]) == (places[0], places[-1])
            assert read.counts[label] == column.labels.count(text)
            assert label_losses(read)[label] == pytest.approx((leaves - 1) / max(label_oracle.size(column)[0] - 1, 1))


@settings(max_examples=60)
@given(comparison=published_tables())
def test_the_levels_of_a_column_nest_from_single_values_to_one_root(comparison):
    for name in plain(comparison):
        read = published_column(comparison.whole[name], comparison.released[name], comparison.origins)
        assert len(set(read.levels[0].tolist())) == len(read.values), "on the lowest level every value is itself"
        for lower, upper in zip(read.levels, read.levels[1:], strict=False):
            pairs = set(zip(lower.tolist(), upper.tolist(), strict=True))
            assert len(pairs) == len({label for label, _ in pairs}), "a label lies under one label"
        assert len(set(read.levels[-1].tolist())) <= 1 or read.height == len(read.levels) - 1


@settings(max_examples=60)
@given(comparison=published_tables())
def test_what_is_lost_adds_up_over_people_and_columns(comparison):
    columns = list(plain(comparison).values())
    assert isinstance(comparison.whole, Microdata)
    cells = len(comparison.whole) * len(columns)
    expected = Fraction(label_oracle.loss_mean(columns)) * cells
    found = published_loss(comparison.whole, comparison.released, comparison.origins)
    assert found == pytest.approx(float(expected), abs=1e-9)
    assert -1e-9 <= found <= cells + 1e-9


def test_values_of_a_label_need_not_stand_side_by_side():
    column = Column.encode("tree", Role.QUASI_IDENTIFIER, pl.Series(["ash", "oak", "pear"]))
    levels = [pl.Series(["ash", "oak", "pear"]), pl.Series(["tall", "oak", "tall"]), pl.Series(["*"] * 3)]
    column = column.with_hierarchy(Hierarchy.from_columns(levels))
    published = Column.encode("tree", Role.QUASI_IDENTIFIER, pl.Series(["tall", "oak", "tall"]))
    read = published_column(column, published, np.arange(3))
    tall, oak = read.labels[0], read.labels[1]
    assert read.values_of(tall).tolist() == [0, 2]
    assert read.sums(np.array([1, 10, 100]))[[tall, oak]].tolist() == [101, 10]
