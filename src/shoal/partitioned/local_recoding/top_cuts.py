"""The first cuts of Mondrian, made of counts: the segments of a table, each with few enough records for one worker.

A cut depends on which values a segment has and how many records have each; whether it keeps the promises, on how many
records of each part have which sensitive value. All of that is counted for all segments in one pass over the records,
before a cut is decided; so there is about one pass a depth. The cuts are those that are made in memory. Where people
may have several records, parts are judged in people, which takes other passes (:mod:`.people_of_parts`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from shoal.anonymizers.generalization.cut_segments import table_attributes
from shoal.anonymizers.generalization.cuts import Attribute, Segments
from shoal.anonymizers.generalization.pooled_parts import CandidateParts, pooled_parts
from shoal.anonymizers.promises import GroupPromises
from shoal.data import Microdata
from shoal.evidence import GroupCounts
from shoal.models import PrivacyModel
from shoal.partitioned.table import PartitionedTable

from .cut_tree import CutTree
from .people_of_parts import Division, PeopleOfParts
from .promises_by_counts import promises_by_counts
from .segment_counts import SegmentCounts, ValuesOfSegments, count_segments

__all__ = ["top_cuts"]


def top_cuts(
    table: PartitionedTable,
    models: Sequence[PrivacyModel],
    everybody: GroupCounts,
    *,
    by_hierarchy: bool,
    most: int,
) -> CutTree:
    """Cut a table until each segment has at most so many records, or no cut of it keeps the promises.

    Groups are judged among ``everybody``. Where people may have several records, those of each are in one partition.
    """
    return _TopCuts(table, models, everybody, by_hierarchy=by_hierarchy, most=most).run()


@dataclass(frozen=True, eq=False)
class _CountedParts(CandidateParts):
    """Parts of which the values are counted."""

    counts: SegmentCounts
    """Of the parts: the sensitive columns are the last ones."""
    promises: GroupPromises
    by_size: bool = False
    """Whether only the number of records is looked at."""

    @property
    def sizes(self) -> np.ndarray:
        return self.counts.sizes

    def kept_alone(self) -> np.ndarray:
        return self._kept(self.counts)

    def kept_together(self, chosen: np.ndarray) -> np.ndarray:
        return self._kept(self.counts.into(np.where(chosen, self.owners, -1), len(self.n_parts)))

    def _kept(self, counts: SegmentCounts) -> np.ndarray:
        sizes = counts.sizes
        good = sizes >= self.promises.fewest
        if self.by_size or not good.any():
            return good
        numbers = np.where(good, np.cumsum(good) - 1, -1)
        some = counts.into(numbers, int(good.sum()))
        sensitive = some.columns[len(some.columns) - len(self.promises.everybody.sensitive) :]
        entries = [(each.segments, each.values, each.records) for each in sensitive]
        good[good] = self.promises.kept_by_counts(some.sizes, entries)
        return good


@dataclass(frozen=True, eq=False)
class _PartsOfPeople(CandidateParts):
    """Parts whose people are counted whenever they are judged."""

    counts: SegmentCounts
    divided: Sequence[Division]
    """By group, how its values are divided into parts."""
    judged: Callable[[Sequence[Division]], list[np.ndarray]]
    """Returns the mask of the parts of each division that keep the promises."""

    @property
    def sizes(self) -> np.ndarray:
        return self.counts.sizes

    def kept_alone(self) -> np.ndarray:
        return np.concatenate(self.judged(self.divided))

    def kept_together(self, chosen: np.ndarray) -> np.ndarray:
        kept = np.zeros(len(self.n_parts), bool)
        some = np.unique(self.owners[chosen])
        firsts = np.cumsum(self.n_parts) - self.n_parts
        together = []
        for group in some.tolist():
            each = self.divided[group]
            joins = np.append(chosen[firsts[group] : firsts[group] + self.n_parts[group]], False)  # −1 is the last
            together.append(replace(each, parts=np.where(joins[each.parts], 0, -1)))
        kept[some] = [mask[0] for mask in self.judged(together)]
        return kept


@dataclass(frozen=True)
class _Candidate:
    """A cut of an open segment that is tried."""

    segment: int
    """Its place among the open segments."""
    attribute: int
    values: np.ndarray
    records: np.ndarray
    """By value, how many records have it."""
    parts: np.ndarray
    """By value, the part that it goes to."""

    @property
    def sizes(self) -> np.ndarray:
        """How many records each part has."""
        return np.bincount(self.parts, self.records).astype(np.int64)  # exact: < 2⁵³


class _TopCuts:
    """One run: the tree so far, and the counts of its leaves that may be cut further."""

    def __init__(
        self,
        table: PartitionedTable,
        models: Sequence[PrivacyModel],
        everybody: GroupCounts,
        *,
        by_hierarchy: bool,
        most: int,
    ) -> None:
        self._table, self._by_hierarchy, self._most = table, by_hierarchy, most
        self._promises = promises_by_counts(table, models, everybody)
        self._people = PeopleOfParts(table, self._promises)
        counted = self._promises.everybody.sensitive and not self._promises.in_people
        sensitive = table.sensitive if counted else ()
        self._columns = (*table.quasi_identifiers, *sensitive)
        self._names = table.codes_of(table.quasi_identifiers), table.codes_of(sensitive)
        self._n_values = tuple(len(column.vocabulary) for column in self._columns)
        self._tree = CutTree()

    def run(self) -> CutTree:
        """Cut segments of too many records."""
        leaves, counts = np.zeros(1, np.int64), self._of_all()
        left = self._widths(counts)
        while len(leaves):
            large = counts.sizes > self._most
            leaves, counts, left = leaves[large], self._only(counts, large), left[large]
            tried = self._candidates(counts, left)
            cut = np.array([each.segment for each in tried], np.int64)
            leaves, counts, left = leaves[cut], self._only(counts, cut), left[cut]
            if not tried:
                break
            if self._promises.by_size and all((each.sizes <= self._most).all() for each in tried):
                self._cut(tried, leaves, *self._pooled_by_size(tried))
                break  # nothing need be counted of segments that are not cut further here
            leaves, counts, left = self._tried(tried, leaves, counts, left)
        return self._tree

    def _of_all(self) -> SegmentCounts:
        columns = [
            ValuesOfSegments(np.zeros(len(used), np.int64), used, column.counts[used])
            for column in self._columns
            for used in [np.flatnonzero(column.counts)]
        ]
        return SegmentCounts(1, tuple(columns), self._n_values)

    def _only(self, counts: SegmentCounts, chosen: np.ndarray) -> SegmentCounts:
        """Return the counts of some segments, a mask or ascending numbers."""
        numbers = np.full(counts.n_segments, -1, np.int64)
        places = np.arange(counts.n_segments)[chosen]
        numbers[places] = np.arange(len(places))
        return counts.into(numbers, len(places))

    def _attributes(self, counts: SegmentCounts) -> list[tuple[Attribute, Segments]]:
        """Return each attribute with the values of segments in the place of their records."""
        found = []
        for place, column in enumerate(self._table.quasi_identifiers):
            each = counts.columns[place]
            values = Microdata((column.among_all(each.values),))
            begins = np.searchsorted(each.segments, np.arange(counts.n_segments + 1))
            (attribute,) = table_attributes(values, by_hierarchy=self._by_hierarchy)
            found.append((attribute, Segments(np.arange(len(each.values)), begins)))
        return found

    def _widths(self, counts: SegmentCounts) -> np.ndarray:
        """Return how wide each segment is in each attribute."""
        found = self._attributes(counts)
        return np.stack([each.widths(each.extents(segments)) for each, segments in found], axis=1)

    def _candidates(self, counts: SegmentCounts, left: np.ndarray) -> list[_Candidate]:
        """Return for each segment the cut by its widest attribute that leaves enough records in two parts, if any.

        The attributes that were tried are no longer ``left``.
        """
        attributes, tried = self._attributes(counts), []
        for segment in range(counts.n_segments):
            while left[segment].max(initial=0.0) > 0:
                wanted = int(left[segment].argmax())
                left[segment, wanted] = 0.0
                candidate = self._candidate(counts, segment, wanted, *attributes[wanted])
                if candidate is not None:
                    tried.append(candidate)
                    break
        return tried

    def _candidate(
        self, counts: SegmentCounts, segment: int, wanted: int, attribute: Attribute, segments: Segments
    ) -> _Candidate | None:
        column, chosen = counts.columns[wanted], np.array([segment])
        places = segments.places(chosen)
        parts = attribute.cut_values(segments, chosen, attribute.extents(segments, chosen), column.records)
        candidate = _Candidate(segment, wanted, column.values[places], column.records[places], parts)
        return candidate if self._pooled_by_size([candidate])[1][0] > 1 else None

    def _pooled_by_size(self, tried: Sequence[_Candidate]) -> tuple[np.ndarray, np.ndarray]:
        """Pool parts by their numbers of records alone."""
        sizes = np.concatenate([each.sizes for each in tried])
        counts = ValuesOfSegments(np.arange(len(sizes)), np.zeros(len(sizes), np.int64), sizes)
        by_size = SegmentCounts(len(sizes), (counts,), (1,))
        return pooled_parts(_CountedParts(_n_parts(tried), by_size, self._promises, by_size=True))

    def _tried(
        self, tried: Sequence[_Candidate], leaves: np.ndarray, counts: SegmentCounts, left: np.ndarray
    ) -> tuple[np.ndarray, SegmentCounts, np.ndarray]:
        """Cut the segments whose cuts keep the promises; return what is open, with its counts and attributes left."""
        tentative = self._tree.copy()
        made = [
            tentative.cut(int(leaf), each.attribute, each.values, each.parts)
            for leaf, each in zip(leaves, tried, strict=True)
        ]
        parts = self._counted(tentative, np.concatenate(made))
        numbers, cut = pooled_parts(self._judged_parts(tried, leaves, parts))
        new, into = self._cut(tried, leaves, numbers, cut)
        counted = parts.into(into, len(new))
        again = np.flatnonzero(cut == 1)
        left = np.concatenate([left[again], self._widths(counted)])
        return np.concatenate([leaves[again], new]), self._only(counts, again).and_also(counted), left

    def _judged_parts(self, tried: Sequence[_Candidate], leaves: np.ndarray, parts: SegmentCounts) -> CandidateParts:
        """Return the parts of candidates, to be judged by what is counted of them, or in people."""
        if not self._promises.in_people:
            return _CountedParts(_n_parts(tried), parts, self._promises)
        divided = [
            Division.of(int(leaf), each.attribute, each.values, each.parts, self._n_values[each.attribute])
            for leaf, each in zip(leaves, tried, strict=True)
        ]
        return _PartsOfPeople(_n_parts(tried), parts, divided, lambda some: self._people.kept(self._tree, some))

    def _cut(
        self, tried: Sequence[_Candidate], leaves: np.ndarray, numbers: np.ndarray, cut: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Cut segments into pooled parts; return the new segments, and by part which of these it belongs to, or −1."""
        firsts = np.concatenate([[0], np.cumsum(_n_parts(tried))])
        into, new = np.full(firsts[-1], -1, np.int64), []
        for place in np.flatnonzero(cut > 1).tolist():
            own, each = slice(*firsts[place : place + 2]), tried[place]
            children = self._tree.cut(int(leaves[place]), each.attribute, each.values, numbers[own][each.parts])
            into[own] = len(new) + numbers[own]
            new += children.tolist()
        return np.array(new, np.int64), into

    def _counted(self, tree: CutTree, leaves: np.ndarray) -> SegmentCounts:
        table = self._table
        return count_segments(table.rows, table.backend, tree, leaves, self._names, self._n_values)


def _n_parts(tried: Sequence[_Candidate]) -> np.ndarray:
    return np.array([int(each.parts.max()) + 1 for each in tried], np.int64)
