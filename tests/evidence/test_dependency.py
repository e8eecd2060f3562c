"""What columns tell of each other: entropies, the tree that joins them, the attributes that hold it together."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from shoal.datasets.papers import thesis_tables
from shoal.errors import DataError, InputError
from shoal.evidence import (
    binned,
    conditional_entropy,
    entropy,
    key_attributes,
    spanning_tree,
    variation_matrix,
    variation_of_information,
)

TABLES = st.integers(1, 12).flatmap(
    lambda n: st.lists(st.lists(st.sampled_from([0, 1, 2, 5, 900]), min_size=n, max_size=n), min_size=1, max_size=5)
)
NUMBERS = st.lists(st.floats(-1e300, 1e300) | st.integers(0, 5).map(float), min_size=1, max_size=30)


def as_columns(table) -> list[np.ndarray]:
    return [np.array(column, np.int32) for column in table]


def quasi_identifiers(table) -> list[np.ndarray]:
    return [column.codes for column in table.quasi_identifiers]


@given(table=TABLES)
def test_entropies_are_those_of_the_definition(table):
    columns = as_columns(table)
    assert entropy(*columns) == pytest.approx(oracles.information(list(zip(*table, strict=True))), abs=1e-12)
    first, last = columns[0], columns[-1]
    assert conditional_entropy(first, last) == pytest.approx(oracles.unknown(table[0], table[-1]), abs=1e-12)
    assert variation_of_information(first, last) == pytest.approx(oracles.variation(table[0], table[-1]), abs=1e-12)


@given(table=TABLES, draw=st.randoms(use_true_random=False))
def test_the_order_of_records_and_the_names_of_values_change_no_digit(table, draw):
    columns = as_columns(table)
    order = draw.sample(range(len(columns[0])), len(columns[0]))
    names = dict(zip([0, 1, 2, 5, 900], draw.sample(range(50), 5), strict=True))
    others = [np.array([names[int(value)] for value in column[order]]) for column in columns]
    assert np.array_equal(variation_matrix(columns), variation_matrix(others))


@given(table=TABLES)
def test_the_matrix_is_a_distance(table):
    columns = as_columns(table)
    matrix = variation_matrix(columns)
    assert np.array_equal(matrix, matrix.T)
    assert not np.diag(matrix).any()
    assert (matrix[:, :, None] + matrix[None, :, :] + 1e-12 >= matrix[:, None, :]).all()
    assert matrix[0, -1] == (variation_of_information(columns[0], columns[-1]) if len(columns) > 1 else 0)


def test_columns_that_name_the_same_groups_are_exactly_no_distance_apart():
    one = np.array([3, 3, 7, 7, 7, 1, 1, 1, 1, 1, 1])
    assert variation_of_information(one, 100 - one) == 0
    assert conditional_entropy(one % 2, one) == 0
    assert entropy(np.zeros(0, np.int64)) == 0


@given(wide=st.lists(st.tuples(st.integers(0, 10**9), st.integers(-(10**9), 10**9)), min_size=1, max_size=20))
def test_values_may_be_many_more_than_records(wide):
    one, other = (np.array(column) for column in zip(*wide, strict=True))
    assert entropy(one, other) == pytest.approx(oracles.information(wide), abs=1e-12)


def test_chapter_4s_entropies_are_these():
    """H(A1|A2) and H(A2|A1) are printed the other way round."""
    gender, age, postcode = quasi_identifiers(thesis_tables.thesis_4_1a())
    assert entropy(gender) == 1
    assert entropy(age) == pytest.approx(math.log2(3))
    assert entropy(gender, age) == pytest.approx(1.918296, abs=5e-7)
    assert conditional_entropy(gender, age) == pytest.approx(0.333333, abs=5e-7)
    assert conditional_entropy(age, gender) == pytest.approx(0.918296, abs=5e-7)
    expected = [[0, 1.251629, 0.918296], [1.251629, 0, 0.333333], [0.918296, 0.333333, 0]]
    assert variation_matrix([gender, age, postcode]) == pytest.approx(np.array(expected), abs=5e-7)


def test_table_5_1_has_the_printed_matrix_another_tree_and_the_printed_keys():
    """The printed tree has A2-A5 (1.6681) in place of A3-A5 (1.6217)."""
    matrix = variation_matrix(quasi_identifiers(thesis_tables.thesis_5_1()))
    printed = (
        (0, 1.3796, 1.5339, 1.8777, 1.8777, 1.8126),
        (1.3796, 0, 1.3753, 1.7772, 1.6681, 1.3180),
        (1.5339, 1.3753, 0, 1.3368, 1.6217, 1.6217),
        (1.8777, 1.7772, 1.3368, 0, 1.9586, 1.9586),
        (1.8777, 1.6681, 1.6217, 1.9586, 0, 1.7510),
        (1.8126, 1.3180, 1.6217, 1.9586, 1.7510, 0),
    )
    assert matrix == pytest.approx(np.array(printed), abs=1e-4)
    tree = spanning_tree(matrix)
    assert tree == ((1, 5), (2, 3), (1, 2), (0, 1), (2, 4))
    assert key_attributes(tree, 6) == (1, 2)


@given(
    weights=st.integers(1, 5).flatmap(
        lambda n: st.lists(st.integers(0, 4), min_size=n * (n - 1) // 2, max_size=n * (n - 1) // 2).map(
            lambda above: square(n, above)
        )
    )
)
def test_the_tree_is_the_lightest(weights):
    tree = spanning_tree(weights)
    assert sum(weights[edge] for edge in tree) == oracles.lightest_tree(weights.tolist())
    assert [weights[edge] for edge in tree] == sorted(weights[edge] for edge in tree)
    if len(weights) > 1:
        assert len(key_attributes(tree, len(weights))) == oracles.fewest_keys(tree, len(weights))


def square(n: int, above: list[int]) -> np.ndarray:
    matrix = np.zeros((n, n))
    matrix[np.triu_indices(n, 1)] = above
    return matrix + matrix.T


def test_ties_go_to_the_columns_that_stand_first():
    assert spanning_tree(np.ones((4, 4))) == ((0, 1), (0, 2), (0, 3))
    nearly = np.ones((3, 3))
    nearly[0, 1] = nearly[1, 0] = 1 + 1e-15
    assert spanning_tree(nearly) == ((0, 1), (0, 2)), "a difference that is rounding is none"


@pytest.mark.parametrize(
    ("tree", "n", "keys"),
    [
        ((), 1, (0,)),
        (((0, 1),), 2, (0, 1)),
        (((0, 1), (1, 2)), 3, (0, 1)),
        (((0, 1), (1, 2), (2, 3), (3, 4)), 5, (1, 2, 3)),
        (tuple((3, other) for other in (0, 1, 2, 4, 5)), 6, (0, 3)),
    ],
    ids=["one", "pair", "path of 3", "path of 5", "star of 6"],
)
def test_keys_of_small_trees(tree, n, keys):
    assert key_attributes(tree, n) == keys


@given(values=NUMBERS, bins=st.integers(2, 6))
def test_bins_of_equal_frequency_hold_the_middle_of_their_values(values, bins):
    found = binned(np.array(values), bins).tolist()
    if len(set(values)) > bins:
        assert found == [oracles.bin_by_frequency(values, value, bins) for value in values]
    else:
        assert found == [sorted(set(values)).index(value) for value in values]


@given(values=NUMBERS, bins=st.integers(2, 6), draw=st.randoms(use_true_random=False))
def test_bins_of_equal_width_follow_the_order_of_numbers_and_not_that_of_records(values, bins, draw):
    found = binned(np.array(values), bins, "equal-width")
    order = draw.sample(range(len(values)), len(values))
    assert np.array_equal(binned(np.array(values)[order], bins, "equal-width"), found[order])
    assert (np.diff(found[np.argsort(values, kind="stable")]) >= 0).all()
    assert len(set(found.tolist())) <= bins


def test_bins_of_equal_width_are_as_wide_each():
    assert binned(np.array([0, 1, 2, 3, 4, 7, 99, 100]), 4, "equal-width").tolist() == [0] * 6 + [3, 3]
    assert binned(np.arange(8), 4, "equal-width").tolist() == [0, 0, 1, 1, 2, 2, 3, 3]


def test_missing_numbers_are_a_bin_of_their_own_and_others_must_be_finite():
    assert binned(np.array([2.0, np.nan, 1.0, np.nan]), 2).tolist() == [1, 2, 0, 2]
    assert binned(np.array([np.nan]), 2).tolist() == [0]
    assert binned(np.zeros(0), 2).tolist() == []
    with pytest.raises(DataError, match="finite"):
        binned(np.array([1.0, np.inf]))
    with pytest.raises(InputError, match="2 or more"):
        binned(np.array([1.0]), 1)
    with pytest.raises(InputError, match="equal-width"):
        binned(np.array([1.0]), 5, "quantile")  # pyright: ignore[reportArgumentType]
