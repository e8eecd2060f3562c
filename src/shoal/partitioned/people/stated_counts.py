"""Groups of a release counted in people: the numbers are those that it states, at the records that name classes."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.evidence import GroupCounts, Grouping, SensitiveValues, ValueCounts
from shoal.kernels.groups.counts import merge_counts
from shoal.partitioned.persons import STATED

__all__ = ["stated_counts"]


def stated_counts(
    rows: pl.DataFrame, grouping: Grouping, records: np.ndarray, sensitive: Sequence[SensitiveValues]
) -> GroupCounts:
    """Return the people of groups, of which there are no more than ``records``, as they are stated.

    Of values, where it is not stated how many people have them, records are counted: only which occur is looked at.
    """
    sizes = np.zeros(grouping.n_groups, np.int64)
    people = rows[f"{STATED}0"]
    sizes[grouping.labels[people.is_not_null().to_numpy()]] = people.drop_nulls().to_numpy()
    values = tuple(_of_values(rows, grouping, place, known) for place, known in enumerate(sensitive))
    return GroupCounts(np.minimum(sizes, records), values)


def _of_values(rows: pl.DataFrame, grouping: Grouping, place: int, known: SensitiveValues) -> ValueCounts:
    codes, labels = rows[f"s{place}"].to_numpy().astype(np.int32), grouping.labels
    people = np.ones(rows.height, np.int64)
    if (name := f"{STATED}{place + 1}") in rows.columns:
        there = rows[name].is_not_null().to_numpy()
        codes, labels, people = codes[there], labels[there], rows[name].drop_nulls().to_numpy()
    alone, n_values = np.arange(len(codes) + 1), len(known.totals)
    indptr, found, counts = merge_counts(labels, grouping.n_groups, alone, codes, people, n_values)
    return ValueCounts(indptr, found, counts, n_values, known)
