"""The engine of this process: NumPy and compiled loops on the cores at hand."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from operator import add
from typing import TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from shoal.data import Microdata, Ratings, Records, Survey
from shoal.errors import InternalError, WordingError
from shoal.evidence import (
    GroupCounts,
    Grouping,
    NeedItemSets,
    NeedPartition,
    Neighborhoods,
    ProximatePartition,
    RatingMoments,
    SensitiveValues,
    SharedItemSets,
    ValueCounts,
    equal_codes,
    equal_tuples,
)
from shoal.kernels.compiled import set_num_threads
from shoal.kernels.groups.counts import value_counts
from shoal.kernels.row_comparison import equal_rows

from .base import rating_amounts
from .item_set_search import fewest_groups_with_items
from .item_support_search import fewest_people_with_items
from .neighbor_search import Search, sums_within
from .partition_search import partition_search
from .people_by_group import people_by_group
from .within_classes import answers_within_classes, items_within_classes

__all__ = ["LocalEngine", "RememberingEngine"]


Block = TypeVar("Block")
Result = TypeVar("Result")


@dataclass(frozen=True)
class LocalEngine:
    """Runs on the cores of this machine."""

    block: int = 4_000_000
    """How many records are counted at a time."""
    search: Search = "auto"
    """How neighbors are found; the numbers are the same."""

    def group(self, records: Records) -> Grouping:
        """Put records with equal observable parts into one group."""
        if isinstance(records, Ratings):
            matrix = records.observable
            labels, found = equal_rows(matrix.indptr, matrix.indices, matrix.codes)
        elif isinstance(records, Survey):
            parts = [self.group(part) for part in (records.table, records.ratings)]
            labels, found = equal_codes([(part.labels, part.n_groups) for part in parts], len(records))
        else:
            labels, found = equal_tuples(_microdata(records).observable, len(records))
        return Grouping(labels, found)

    def count(self, records: Records, grouping: Grouping, *, sensitive: bool) -> GroupCounts:
        """Count by blocks of records, which add up; people who have several records are counted once."""
        if isinstance(records, Survey):
            return self.count(records.with_sensitive_answers, grouping, sensitive=sensitive)
        if isinstance(records, Microdata) and records.has_repeated_people:
            return people_by_group(records, grouping, sensitive=sensitive)
        attributes = _sensitive_attributes(records) if sensitive else []
        starts = range(0, max(len(records), 1), self.block)
        people = records.people if isinstance(records, Ratings) else None
        parts = self.map_blocks(lambda start: self._count_block(start, grouping, attributes, people), starts)
        counts = reduce(add, parts)
        if not isinstance(records, Microdata) or not sensitive:
            return counts
        pairs = zip(counts.sensitive, records.sensitive, strict=True)
        known = tuple(replace(values, known=SensitiveValues.of(column)) for values, column in pairs)
        return replace(counts, sensitive=known)

    def _count_block(
        self, start: int, grouping: Grouping, attributes: "list[_Attribute]", people: np.ndarray | None
    ) -> GroupCounts:
        stop = start + self.block
        each = None if people is None else people[start:stop]
        sizes = np.bincount(grouping.labels[start:stop], each, minlength=grouping.n_groups).astype(np.int64)
        counted = []
        for rows, codes, n_values in attributes:
            here = slice(*np.searchsorted(rows, [start, stop]))
            labels = grouping.labels[rows[here]]
            indptr, values, counts = value_counts(labels, grouping.n_groups, codes[here], n_values)
            counted.append(ValueCounts(indptr, values, counts, n_values))
        return GroupCounts(sizes, tuple(counted))

    def neighbors(
        self, records: Records, epsilon: Fraction, *, enough: int | None = None, sensitive: bool = False
    ) -> Neighborhoods:
        """Count the other records within ε of each record.

        Records with different patterns of nulls are r apart, so unless ε ≥ r only records of one pattern are
        compared, and equal records are compared once. In a survey only people of equal demographics are near.
        """
        if isinstance(records, Survey):
            answers, within = answers_within_classes(records, self.group(records.table), epsilon)
            found = self.neighbors(answers, within, enough=enough, sensitive=sensitive)
            return replace(found, epsilon=epsilon)
        if not isinstance(records, Ratings):
            raise InternalError("Neighborhoods are defined on ratings only.")
        enough = None if sensitive else enough
        amounts = rating_amounts(records, sensitive=sensitive)
        radius = records.scale.steps_within(epsilon)
        if radius >= records.scale.null_steps:
            sums = np.broadcast_to(amounts.sum(axis=0), amounts.shape)
        else:
            limit = None if enough is None else enough + 1
            points = records.scale.points
            sums = sums_within(records.observable, points, radius, amounts, enough=limit, search=self.search)
        others = sums[:, 0] - 1
        if enough is not None and len(others):
            others = np.minimum(others, max(enough, int(others.min())))
        return Neighborhoods(epsilon, others, RatingMoments.of_columns(records.scale, sums) if sensitive else None)

    def partition(self, records: Records, need: NeedPartition) -> ProximatePartition:
        """Look for a split of the records into groups that are pairwise within ε; of a survey, of one class each."""
        if isinstance(records, Survey):
            answers, within = answers_within_classes(records, self.group(records.table), need.epsilon)
            return replace(self.partition(answers, replace(need, epsilon=within)), epsilon=need.epsilon)
        if not isinstance(records, Ratings):
            raise InternalError("Partitions within ε are defined on ratings only.")
        if records.people is not None:
            raise WordingError(
                "A partition is looked for among people, and some of these records stand for several.",
                "Promise it by neighborhoods, or publish with --expand.",
            )
        return partition_search(records, need, self.search)

    def item_sets(self, records: Records, grouping: Grouping, need: NeedItemSets) -> SharedItemSets:
        """Count, for each group of equal records, who holds the rarest set of a few of its items: groups or people.

        In a survey, only people of equal demographics are counted, and all of them hold the set of no items.
        """
        if isinstance(records, Survey):
            return self._item_sets_within_classes(records, grouping, need)
        if not isinstance(records, Ratings):
            raise InternalError("Sets of items are defined on ratings only.")
        sizes = self.count(records, grouping, sensitive=False).sizes
        if need.people:
            fewest = fewest_people_with_items(records.observable, grouping, sizes, need.items, need.enough)
        else:
            fewest = fewest_groups_with_items(records.observable, grouping, need.items, need.enough)
        return SharedItemSets(need.items, sizes, fewest, need.people)

    def _item_sets_within_classes(self, survey: Survey, grouping: Grouping, need: NeedItemSets) -> SharedItemSets:
        classes = self.group(survey.table)
        items, _ = items_within_classes(survey.ratings.observable, classes)
        found = self.item_sets(replace(survey.ratings, observable=items, hierarchy=None), grouping, need)
        assert found.people, "groups of equal profiles are counted among everybody"
        rows = np.unique(grouping.labels, return_index=True)[1]
        sizes = np.bincount(classes.labels, minlength=classes.n_groups)[classes.labels[rows]]
        fewest = np.minimum(found.fewest, sizes)
        return replace(found, fewest=np.minimum(fewest, max(need.enough, int(fewest.min(initial=len(survey))))))

    def map_blocks(self, function: Callable[[Block], Result], blocks: Iterable[Block]) -> list[Result]:
        """Apply a function to blocks in threads; compiled loops leave the interpreter to the others."""
        several = list(blocks)
        if len(several) <= 1:  # as small groups are, and there are many of them
            return [function(each) for each in several]
        # cores are busy with blocks, and some threading layers allow no parallel loops side by side
        with ThreadPoolExecutor(os.cpu_count(), initializer=set_num_threads, initargs=(1,)) as pool:
            return list(pool.map(function, several))


_Attribute = tuple[np.ndarray, np.ndarray, int]


def _microdata(records: Records) -> Microdata:
    if not isinstance(records, Microdata):
        raise InternalError(f"The local engine does not know records of kind {records.kind!r}.")
    return records


def _sensitive_attributes(records: Records) -> list[_Attribute]:
    """Return, for each sensitive attribute, which rows have a value, the value, and how many values there are."""
    if isinstance(records, Ratings):
        matrix, points = records.sensitive, records.scale.points
        from scipy.sparse import csr_array

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


_Answers = dict[object, Result]


@dataclass(frozen=True)
class RememberingEngine(LocalEngine):
    """Runs on this machine and remembers what it found of a data set for as long as the data set is in use.

    Data sets are compared by identity and held weakly, so that a new one at the address of an old one is not mistaken.
    """

    _found: "WeakKeyDictionary[Records, _Answers[Neighborhoods]]" = field(
        default_factory=WeakKeyDictionary, repr=False, compare=False
    )
    _shared: "WeakKeyDictionary[Records, WeakKeyDictionary[Grouping, _Answers[SharedItemSets]]]" = field(
        default_factory=WeakKeyDictionary, repr=False, compare=False
    )

    def neighbors(
        self, records: Records, epsilon: Fraction, *, enough: int | None = None, sensitive: bool = False
    ) -> Neighborhoods:
        """Count the other records within ε of each record, unless that was done before."""
        answers = self._found.setdefault(records, {})
        asked = (epsilon, enough, sensitive)
        if asked not in answers:
            answers[asked] = super().neighbors(records, epsilon, enough=enough, sensitive=sensitive)
        return answers[asked]

    def item_sets(self, records: Records, grouping: Grouping, need: NeedItemSets) -> SharedItemSets:
        """Count who holds the rarest sets of items, unless that was done before."""
        answers = self._shared.setdefault(records, WeakKeyDictionary()).setdefault(grouping, {})
        if need not in answers:
            answers[need] = super().item_sets(records, grouping, need)
        return answers[need]
