"""Groups of a table counted in people, where a person may have several records.

A person counts once in a group, and once for every different sensitive value among the person's records there. Numbers
of blocks of records do not add up then, so the whole table is counted at once.

Of a published table the persons are not known; there the numbers are those that the publisher states.
"""

from collections.abc import Sequence

import numpy as np

from shoal.data import ClassPeople, Column, Microdata, Ratings, Records
from shoal.evidence import GroupCounts, Grouping, SensitiveValues, ValueCounts, distinct_pairs
from shoal.kernels.groups.counts import value_counts

__all__ = ["dominated_groups", "people_by_group", "records_by_group", "stated_people"]


def people_by_group(table: Microdata, grouping: Grouping, *, sensitive: bool) -> GroupCounts:
    """Count the different people of each group and, if asked, those of each sensitive value in it."""
    columns = table.sensitive if sensitive else ()
    if table.stated is not None:
        return _as_stated(table.stated, columns, grouping)
    assert table.persons is not None
    pairs, firsts = distinct_pairs(grouping.labels, table.persons)
    # a person counts in the group of the pair's first record
    sizes = np.bincount(grouping.labels[firsts], minlength=grouping.n_groups).astype(np.int64)
    return GroupCounts(sizes, tuple(_counted(column, pairs, grouping) for column in columns))


def stated_people(table: Microdata, grouping: Grouping, *, values: bool) -> ClassPeople:
    """Return what a publisher states about the people behind the classes of a table to be released.

    How many people have each sensitive value is stated only if ``values`` are asked for: it reveals that
    equal records of a class belong to one person, which most promises do not need.
    """
    counts = people_by_group(table, grouping, sensitive=values)
    with_value = {}
    for column, people in zip(table.sensitive if values else (), counts.sensitive, strict=True):
        # entries lie in the order of their keys, so that of each record is found by halving
        keys = people.groups * people.n_values + people.values
        own = grouping.labels * people.n_values + column.codes
        with_value[column.name] = people.counts[np.searchsorted(keys, own)]
    return ClassPeople(counts.sizes[grouping.labels], with_value)


def records_by_group(records: Records, grouping: Grouping) -> np.ndarray:
    """Count the records of each group; a profile that stands for several people counts once for each of them.

    What is lost of use is lost record by record, so measures of use count records where promises count people.
    """
    several = records.people if isinstance(records, Ratings) else None
    return np.bincount(grouping.labels, several, minlength=grouping.n_groups).astype(np.int64)


def dominated_groups(table: Microdata, grouping: Grouping, k: int) -> int:
    """Count the groups in which more than 1 of k records are of one person."""
    assert table.persons is not None
    numbers, firsts = distinct_pairs(grouping.labels, table.persons)
    groups = grouping.labels[firsts]
    held = np.bincount(numbers) * k > records_by_group(table, grouping)[groups]
    return len(np.unique(groups[held]))


def _counted(column: Column, pairs: np.ndarray, grouping: Grouping) -> ValueCounts:
    """Count a person once for every different value in a group."""
    firsts = distinct_pairs(pairs, column.codes)[1]
    return _values(column, grouping.labels[firsts], column.codes[firsts], grouping.n_groups)


def _values(column: Column, labels: np.ndarray, codes: np.ndarray, n_groups: int) -> ValueCounts:
    n_values = len(column.vocabulary)
    totals = np.bincount(codes, minlength=n_values).astype(np.int64)
    indptr, values, counts = value_counts(labels, n_groups, codes, n_values)
    return ValueCounts(indptr, values, counts, n_values, SensitiveValues(column, totals))


def _as_stated(stated: ClassPeople, columns: Sequence[Column], grouping: Grouping) -> GroupCounts:
    records = np.bincount(grouping.labels, minlength=grouping.n_groups).astype(np.int64)
    sizes = np.zeros(grouping.n_groups, np.int64)
    sizes[grouping.labels] = stated.in_class  # the same for all records of a class
    counts = tuple(_stated_values(stated, column, grouping) for column in columns)
    return GroupCounts(np.minimum(sizes, records), counts)


def _stated_values(stated: ClassPeople, column: Column, grouping: Grouping) -> ValueCounts:
    """Take the stated numbers. Where none are stated records are counted: only which values occur is looked at."""
    counted = _values(column, grouping.labels, column.codes, grouping.n_groups)
    if column.name not in stated.with_value:
        return counted
    keys = counted.groups * counted.n_values + counted.values
    own = grouping.labels * counted.n_values + column.codes
    people = np.zeros(len(keys), np.int64)
    people[np.searchsorted(keys, own)] = stated.with_value[column.name]
    totals = np.bincount(counted.values, people, minlength=counted.n_values).astype(np.int64)
    return ValueCounts(counted.indptr, counted.values, people, counted.n_values, SensitiveValues(column, totals))
