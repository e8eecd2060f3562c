"""Groups, people, sensitive values and neighborhoods are those that counting by hand gives.

The oracles loop over records in plain Python and share no code with the room or with engines.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.data import Column, Hierarchy, Microdata, Ratings, Records, Role
from shoal.engines import LocalEngine, rating_amounts
from shoal.evidence import (
    PrivacyHashTable,
    RatingMoments,
    SensitiveValues,
    distinct_pairs,
    equal_codes,
    equal_tuples,
    people_by_class,
)
from shoal.testing.strategies import ratings, tables


def first_seen(keys: list) -> list[int]:
    """Number keys in the order in which they first occur."""
    order = list(dict.fromkeys(keys))
    return [order.index(key) for key in keys]


CODES = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.tuples(*[st.integers(0, 6)] * n), min_size=1, max_size=15).map(
        lambda rows: np.array(rows, np.int64)
    )
)


@pytest.mark.parametrize("largest", [2, 50, 2**62])
@given(rows=CODES)
def test_equal_combinations_get_one_number_in_the_order_they_first_occur(largest, rows):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shoal.evidence.grouping._LARGEST_KEY", largest)  # so that keys are numbered on the way
        labels, found = equal_codes(((column, 7) for column in rows.T), len(rows))
    expected = first_seen([tuple(row) for row in rows.tolist()])
    assert labels.tolist() == expected
    assert found == len(set(expected))


@given(table=tables(min_records=1))
def test_records_of_a_table_are_grouped_by_their_quasi_identifiers(table):
    columns = table.quasi_identifiers
    keys = [tuple(column.values[row] for column in columns) for row in range(len(table))]
    expected = first_seen(keys)
    labels, found = equal_tuples(columns, len(table))
    assert labels.tolist() == expected
    grouping = LocalEngine().group(table)
    assert (grouping.labels.tolist(), grouping.n_groups) == (expected, len(set(expected))) == (expected, found)


@given(data=ratings())
def test_records_of_ratings_are_grouped_by_their_whole_profile(data: Ratings):
    profiles = [tuple(row) for row in data.observable.dense().tolist()]
    grouping = LocalEngine().group(data)
    pairs = {(label, profile) for label, profile in zip(grouping.labels.tolist(), profiles, strict=True)}
    assert len(pairs) == len(set(profiles)) == grouping.n_groups == len(set(grouping.labels.tolist()))


@given(pairs=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=15))
def test_different_pairs_are_numbered_and_found_where_they_first_stand(pairs):
    one, other = (np.array(part, np.int64) for part in zip(*pairs, strict=True))
    numbers, firsts = distinct_pairs(one, other)
    assert numbers.tolist() == first_seen(pairs)
    assert firsts.tolist() == [pairs.index(pair) for pair in dict.fromkeys(pairs)]


def values_of(records: Records) -> list[list]:
    """By sensitive attribute, the value of each record, or a mark where it has none."""
    if isinstance(records, Microdata):
        return [column.codes.tolist() for column in records.sensitive]
    assert isinstance(records, Ratings)
    return records.sensitive.dense().T.tolist()


@settings(max_examples=60)
@given(data=st.one_of(tables(min_records=1), ratings()), block=st.integers(1, 6), chosen=st.data())
def test_groups_and_their_sensitive_values_are_counted_in_blocks_of_any_size(data: Records, block, chosen):
    people = None
    if isinstance(data, Ratings) and chosen.draw(st.booleans()) and not data.has_sensitive:
        people = chosen.draw(st.lists(st.integers(1, 4), min_size=len(data), max_size=len(data)))
        data = replace(data, people=np.array(people, np.int64))
    engine = LocalEngine(block=block)
    grouping = engine.group(data)
    counts = engine.count(data, grouping, sensitive=True)
    labels = grouping.labels.tolist()
    weights = people or [1] * len(labels)
    for group in range(grouping.n_groups):
        assert counts.sizes[group] == sum(
            weight for weight, label in zip(weights, labels, strict=True) if label == group
        )
    has = isinstance(data, Microdata)
    for counted, values in zip(counts.sensitive, values_of(data), strict=True):
        expected = Counter((label, value) for label, value in zip(labels, values, strict=True) if has or value >= 0)
        found = dict(
            zip(zip(counted.groups.tolist(), counted.values.tolist(), strict=True), counted.counts, strict=True)
        )
        assert found == expected
        assert counted.sizes.tolist() == [
            sum(n for (g, _), n in expected.items() if g == group) for group in range(len(counts))
        ]


@settings(max_examples=60)
@given(table=tables(min_records=1, max_sensitive=2), data=st.data())
def test_a_person_counts_once_in_a_group_and_once_for_each_value_there(table, data):
    persons = data.draw(st.lists(st.integers(0, 3), min_size=len(table), max_size=len(table)))
    owned = replace(table, persons=np.array(persons, np.int64))
    grouping = LocalEngine().group(owned)
    counts = LocalEngine().count(owned, grouping, sensitive=True)
    labels = grouping.labels.tolist()
    expected = [
        len({p for p, label in zip(persons, labels, strict=True) if label == g}) for g in range(grouping.n_groups)
    ]
    assert counts.sizes.tolist() == expected
    assert people_by_class(grouping.labels, grouping.n_groups, np.array(persons)).tolist() == expected
    for counted, column in zip(counts.sensitive, table.sensitive, strict=True):
        triples = {(label, int(code), p) for label, code, p in zip(labels, column.codes, persons, strict=True)}
        found = dict(
            zip(zip(counted.groups.tolist(), counted.values.tolist(), strict=True), counted.counts, strict=True)
        )
        assert found == Counter((label, code) for label, code, _ in triples)


def near(one: list[int], other: list[int], radius: int, null: int) -> bool:
    """Whether two profiles differ by no more than the radius on every item; −1 is no rating."""
    apart = (0 if a == b else null if min(a, b) < 0 else abs(a - b) for a, b in zip(one, other, strict=True))
    return all(each <= radius for each in apart)


@settings(max_examples=60)
@given(data=ratings(), epsilon=st.sampled_from(["0", "1/2", "1", "3", "9"]), enough=st.none() | st.integers(1, 3))
def test_neighborhoods_are_those_of_comparing_everybody_with_everybody(data: Ratings, epsilon, enough):
    scale = data.scale
    radius, profiles = Fraction(epsilon) / scale.step, data.observable.dense().tolist()
    everybody = range(len(data))
    within = [
        [j for j in everybody if near(profiles[i], profiles[j], int(radius), scale.null_steps)] for i in everybody
    ]
    exact = [len(each) - 1 for each in within]
    found = LocalEngine().neighbors(data, Fraction(epsilon), enough=enough)
    limit = len(data) if enough is None else max(enough, min(exact))
    assert [min(n, limit) for n in found.others.tolist()] == [min(n, limit) for n in exact]
    spread = LocalEngine().neighbors(data, Fraction(epsilon), sensitive=True)
    assert spread.others.tolist() == exact
    assert spread.moments is not None
    secrets = data.sensitive.dense()
    rated = [item for item in range(secrets.shape[1]) if (secrets[:, item] >= 0).any()]
    for i, (place, item) in product(everybody, enumerate(rated)):
        given_ = [int(secrets[j, item]) for j in within[i] if secrets[j, item] >= 0]
        moments = (spread.moments.given[i, place], spread.moments.sums[i, place], spread.moments.squares[i, place])
        assert moments == (len(given_), sum(given_), sum(code * code for code in given_))
    some = np.array(everybody)[::2]
    taken = spread.take(some)
    assert (taken.others.tolist(), len(taken)) == ([exact[i] for i in some], len(some))
    assert taken.moments is not None
    assert taken.moments.squares.tolist() == spread.moments.squares[some].tolist()


@given(data=ratings())
def test_moments_of_disjoint_sets_add_up(data: Ratings):
    amounts = rating_amounts(data, sensitive=True)
    half = len(data) // 2
    parts = [
        RatingMoments.of_columns(data.scale, amounts[rows].sum(axis=0, keepdims=True))
        for rows in (slice(half), slice(half, None))
    ]
    whole = RatingMoments.of_columns(data.scale, amounts.sum(axis=0, keepdims=True))
    for field in ("sizes", "given", "sums", "squares"):
        assert (getattr(parts[0], field) + getattr(parts[1], field) == getattr(whole, field)).all()
    assert whole.sizes.tolist() == [len(data)]


@settings(max_examples=60)
@given(values=st.lists(st.sampled_from([None, *"abcdef"]), min_size=1, max_size=12), data=st.data())
def test_what_is_declared_of_sensitive_values_is_said_value_by_value(values, data):
    words = [*"abcdef"]
    cuts = sorted(data.draw(st.sets(st.integers(1, 5), max_size=3)))
    categories = [words[i:j] for i, j in zip([0, *cuts], [*cuts, 6], strict=True)]
    column = Column.encode("secret", Role.SENSITIVE, pl.Series(values, dtype=pl.String))
    column = replace(column, categories=tuple(tuple(each) for each in categories))
    known = SensitiveValues.of(column)
    vocabulary = column.vocabulary.values.to_list()
    assert known.totals.tolist() == [values.count(value) for value in vocabulary]
    assert known.n_categories == len(categories)
    for value, category in zip(vocabulary, known.categories.tolist(), strict=True):
        assert category == (
            len(categories) if value is None else next(i for i, c in enumerate(categories) if value in c)
        )
    occurring = sorted((value for value in vocabulary if value in values), key=lambda value: (value is not None, value))
    for value, position in zip(vocabulary, known.positions.tolist(), strict=True):
        assert position == (occurring.index(value) if value in values else -1)


@settings(max_examples=50)
@given(table=tables(min_records=1, max_records=10, missing=False), data=st.data())
def test_a_privacy_hash_table_counts_labels_and_their_combinations(table, data):
    columns = table.quasi_identifiers
    trees = [
        column.hierarchy
        or Hierarchy.from_columns([column.vocabulary.values, pl.Series(["*"] * len(column.vocabulary))])
        for column in columns
    ]
    grouping = LocalEngine().group(table)
    counts = LocalEngine().count(table, grouping, sensitive=False)
    firsts = np.unique(grouping.labels, return_index=True)[1]
    node = tuple(data.draw(st.integers(0, tree.height)) for tree in trees)
    base = PrivacyHashTable.of_groups(trees, [column.codes[firsts] for column in columns], counts)
    rolled = base.rolled_up(node)
    rows = [
        tuple(int(tree.maps[level][code]) for tree, level, code in zip(trees, node, codes, strict=True))
        for codes in zip(*(column.codes for column in columns), strict=True)
    ]
    assert rolled.records == len(table)
    assert Counter(dict(zip(map(tuple, rolled.labels.tolist()), rolled.counts.sizes.tolist(), strict=True))) == Counter(
        rows
    )
    some = data.draw(st.lists(st.integers(0, len(columns) - 1), min_size=1, unique=True).map(sorted))
    table_of = rolled.value_counts(some)
    for place in product(*(range(size) for size in table_of.shape)):
        assert table_of[place] == sum(tuple(row[i] for i in some) == place for row in rows)
    chosen = np.array(data.draw(st.lists(st.booleans(), min_size=len(rolled), max_size=len(rolled))))
    picked = {tuple(labels) for labels, pick in zip(rolled.labels.tolist(), chosen.tolist(), strict=True) if pick}
    for attribute, (all_counts, some_counts) in enumerate(
        zip(rolled.label_counts(), rolled.label_counts(chosen), strict=True)
    ):
        for label in range(len(all_counts)):
            assert all_counts[label] == sum(row[attribute] == label for row in rows)
            assert some_counts[label] == sum(row[attribute] == label and row in picked for row in rows)
