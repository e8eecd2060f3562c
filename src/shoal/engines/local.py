"""The engine of this process: NumPy and compiled loops on the cores at hand."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add
from typing import TypeVar

import numpy as np
from scipy.sparse import csr_array

from shoal.data import Microdata, RatingMatrix, Ratings, Records
from shoal.errors import InternalError
from shoal.evidence import GroupCounts, Grouping, Neighbourhoods, ValueCounts
from shoal.kernels.distinct_keys import distinct_keys
from shoal.kernels.equal_rows import equal_patterns, equal_rows
from shoal.kernels.value_counts import value_counts
from shoal.kernels.weighted_neighbours import weighted_neighbours

__all__ = ["LocalEngine"]

Block = TypeVar("Block")
Result = TypeVar("Result")


@dataclass(frozen=True)
class LocalEngine:
    """Runs on the cores of this machine."""

    block: int = 4_000_000
    """How many records are counted at a time."""

    def group(self, records: Records) -> Grouping:
        """Put records with equal observable parts into one group."""
        if isinstance(records, Ratings):
            matrix = records.observable
            labels, found = equal_rows(matrix.indptr, matrix.indices, matrix.codes)
        else:
            labels, found = _equal_tuples(_microdata(records))
        return Grouping(labels, found)

    def count(self, records: Records, grouping: Grouping, *, sensitive: bool) -> GroupCounts:
        """Count by blocks of records, which add up."""
        attributes = _sensitive_attributes(records) if sensitive else []
        starts = range(0, max(len(records), 1), self.block)
        parts = self.map_blocks(lambda start: self._count_block(start, grouping, attributes), starts)
        return reduce(add, parts)

    def _count_block(self, start: int, grouping: Grouping, attributes: "list[_Attribute]") -> GroupCounts:
        stop = start + self.block
        sizes = np.bincount(grouping.labels[start:stop], minlength=grouping.n_groups).astype(np.int64)
        counted = []
        for rows, codes, n_values in attributes:
            here = slice(*np.searchsorted(rows, [start, stop]))
            labels = grouping.labels[rows[here]]
            counted.append(ValueCounts(*value_counts(labels, grouping.n_groups, codes[here], n_values), n_values))
        return GroupCounts(sizes, tuple(counted))

    def neighbours(self, records: Records, epsilon: Fraction) -> Neighbourhoods:
        """Count the other records within ε of each record.

        Records with different patterns of nulls are r apart, so unless ε ≥ r only records of one pattern are
        compared, and equal records are compared once.
        """
        if not isinstance(records, Ratings):
            raise InternalError("Neighbourhoods are defined on ratings only.")
        radius = records.scale.steps_within(epsilon)
        if radius >= records.scale.null_steps:
            others = np.full(len(records), len(records) - 1, np.int64)
        else:
            others = _neighbours_by_pattern(records.observable, radius)
        return Neighbourhoods(epsilon, others)

    def map_blocks(self, function: Callable[[Block], Result], blocks: Iterable[Block]) -> list[Result]:
        """Apply a function to blocks in threads; compiled loops leave the interpreter to the others."""
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            return list(pool.map(function, blocks))


_Attribute = tuple[np.ndarray, np.ndarray, int]


def _microdata(records: Records) -> Microdata:
    if not isinstance(records, Microdata):
        raise InternalError(f"The local engine does not know records of kind {records.kind!r}.")
    return records


def _equal_tuples(table: Microdata) -> tuple[np.ndarray, int]:
    """Number equal combinations of quasi-identifiers, column by column, exactly."""
    labels, found = np.zeros(len(table), np.int64), min(len(table), 1)
    for column in table.quasi_identifiers:
        width = len(column.vocabulary)
        assert found * width < 2**62, "labels are renumbered after each column, so keys stay small"
        labels, found = distinct_keys(labels * width + column.codes)
    return labels, found


def _sensitive_attributes(records: Records) -> list[_Attribute]:
    """Give, for each sensitive attribute, which rows have a value, the value, and how many values there are."""
    if isinstance(records, Ratings):
        matrix, points = records.sensitive, records.scale.points
        by_item = csr_array(
            (matrix.codes.astype(np.int32) + 1, matrix.indices, matrix.indptr), shape=(len(matrix), len(matrix.items))
        ).tocsc()
        begins = by_item.indptr
        return [
            (by_item.indices[begins[i] : begins[i + 1]], by_item.data[begins[i] : begins[i + 1]] - 1, points)
            for i in range(len(matrix.items))
        ]
    table = _microdata(records)
    rows = np.arange(len(table))
    return [(rows, column.codes, len(column.vocabulary)) for column in table.sensitive]


def _neighbours_by_pattern(matrix: RatingMatrix, radius: int) -> np.ndarray:
    patterns, n_patterns = equal_patterns(matrix.indptr, matrix.indices)
    profiles, n_profiles = equal_rows(matrix.indptr, matrix.indices, matrix.codes)
    weights = np.bincount(profiles, minlength=n_profiles).astype(np.int64)
    firsts = np.empty(n_profiles, np.int64)
    firsts[profiles[::-1]] = np.arange(len(profiles) - 1, -1, -1)  # the first record of each profile
    order = np.argsort(patterns[firsts], kind="stable")
    begins = np.searchsorted(patterns[firsts][order], np.arange(n_patterns + 1))
    near = weights.copy()  # a profile alone in its pattern is near itself only
    for pattern in np.flatnonzero(np.diff(begins) > 1):
        same = order[begins[pattern] : begins[pattern + 1]]
        start = matrix.indptr[firsts[same]]
        width = int(matrix.indptr[firsts[same[0]] + 1] - start[0])
        points = matrix.codes[start[:, None] + np.arange(width)]
        near[same] = weighted_neighbours(points, weights[same], radius)
    return near[profiles] - 1
