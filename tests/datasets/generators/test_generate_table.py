"""Generated tables: dependent columns, valid hierarchies, names that are distinct."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.data import Microdata, Role
from shoal.datasets import generate_table
from shoal.datasets.generators.table_model import TREES, leaves
from shoal.errors import WordingError


@pytest.fixture(scope="module")
def table() -> Microdata:
    return generate_table(70_000, 3)


@settings(max_examples=20)
@given(st.integers(1, 2_000), st.integers(0, 2**63))
def test_a_table_has_the_rows_and_roles_asked_for(rows, seed):
    found = generate_table(rows, seed)
    assert len(found) == rows
    assert [column.name for column in found.with_role(Role.IDENTIFIER)] == ["name"]
    assert len(found.quasi_identifiers) == 8
    assert [column.name for column in found.sensitive] == ["salary-class"]


def test_the_same_seed_gives_the_same_table_and_a_longer_one_begins_alike(table):
    assert generate_table(500, 3).frame().equals(table.frame().head(500))
    assert not generate_table(500, 4).frame().equals(table.frame().head(500))


def test_names_are_distinct(table):
    assert table["name"].values.n_unique() == len(table)


def test_every_value_is_in_its_domain_and_every_value_occurs(table):
    for name, tree in TREES.items():
        assert set(table[name].vocabulary.values) == set(leaves(tree))
    ages = table["age"].values
    assert set(range(17, 86)) <= set(ages) <= set(range(17, 91))


def test_every_quasi_identifier_has_a_hierarchy_that_ends_in_one_root(table):
    for column in table.quasi_identifiers:
        hierarchy = column.hierarchy
        assert hierarchy is not None
        assert hierarchy.n_values == len(column.vocabulary)
        sizes = [len(set(hierarchy.generalized(column.codes, level).tolist())) for level in range(hierarchy.height + 1)]
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[-1] == 1
    assert table["age"].hierarchy.height == 4  # type: ignore[union-attr]


def test_no_label_of_a_tree_means_two_different_sets_of_values():
    """A label that is also a value must stand for that value alone, or a mixed release would be ambiguous."""

    def walk(tree):
        for label, branch in tree.items():
            yield label, frozenset(leaves(branch))
            if isinstance(branch, dict):
                yield from walk(branch)

    for tree in TREES.values():
        if isinstance(tree, dict):
            meaning = {leaf: frozenset([leaf]) for leaf in leaves(tree)}
            for label, values in walk(tree):
                assert meaning.setdefault(label, values) == values


def test_columns_depend_on_each_other_as_such_things_do(table):
    frame = table.frame().with_columns((pl.col("salary-class") == ">50K").alias("high"))

    def share(of: pl.Expr, where: pl.Expr) -> float:
        return frame.filter(where).select(of.mean()).item()

    degree = pl.col("education").is_in(["Bachelor", "Master", "Doctorate", "Professional school"])
    assert 0.15 < share(pl.col("high"), pl.lit(value=True)) < 0.3
    assert share(pl.col("high"), degree) > 3 * share(pl.col("high"), ~degree)
    widowed = pl.col("marital-status") == "Widowed"
    assert share(widowed, pl.col("age") >= 60) > 5 * share(widowed, pl.col("age") < 40)
    assert share(degree, pl.col("age") < 19) == 0
    foreign = pl.col("native-country") != "United States"
    assert share(foreign, pl.col("race") == "Asian or Pacific Islander") > 5 * share(foreign, pl.col("race") == "White")


def test_many_records_are_unique_on_their_quasi_identifiers(table):
    keys = np.stack([column.codes for column in table.quasi_identifiers])
    _, counts = np.unique(keys, axis=1, return_counts=True)
    assert 0.1 < np.count_nonzero(counts == 1) / len(table) < 0.9


@pytest.mark.parametrize(("asked", "named"), [((0, 1), "rows"), ((5, -1), "seed")])
def test_sizes_that_cannot_be_are_refused(asked, named):
    with pytest.raises(WordingError, match=named):
        generate_table(*asked)
