"""The steps of groups in which every record is of another person: judged, and records lifted, by counts alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from shoal.anonymizers.promises import GroupPromises
from shoal.anonymizers.top_down.lifting import Lifting, PushedBack
from shoal.partitioned.table import PartitionedTable

from .cut_tree import CutTree
from .lifted_records import Cells, lifted_records
from .segment_counts import NO_KINDS, Kinds, ValuesOfSegments, count_segments
from .steps import Branches, Step

__all__ = ["StepsOfRecords"]


@dataclass(frozen=True, eq=False)
class _Counted:
    """The records of a group by value of an attribute and kind."""

    values: np.ndarray
    kinds: np.ndarray
    records: np.ndarray


class StepsOfRecords:
    """Finds the best step of each group; what is counted of a group also tells which records are lifted."""

    def __init__(self, table: PartitionedTable, promises: GroupPromises, branches: Branches) -> None:
        """Find steps of groups of a table; a number is drawn for each of its rows."""
        self._table, self._promises, self._branches = table, promises, branches
        self._lifting = Lifting(promises)
        self._names = table.codes_of(table.quasi_identifiers)
        self._n_values = tuple(len(column.vocabulary) for column in table.quasi_identifiers)
        self._kinds = NO_KINDS
        if promises.everybody.sensitive:
            sensitive = table.sensitive
            self._kinds = Kinds(table.codes_of(sensitive), tuple(len(column.vocabulary) for column in sensitive))

    def best(self, tree: CutTree, closed: Mapping[int, np.ndarray]) -> dict[int, Step]:
        """Return the step that is worth most of some leaves, which are ``closed`` in some attributes, if it has any."""
        leaves = list(closed)
        found = zip(leaves, self._counted(tree, leaves), strict=True)
        steps = {leaf: self._best(counts, closed[leaf]) for leaf, counts in found}
        return {leaf: step for leaf, step in steps.items() if step is not None}

    def lifted(self, tree: CutTree, steps: Mapping[int, Step]) -> dict[int, np.ndarray]:
        """Return what was drawn for the records that are lifted in steps, by the group that takes it."""
        cells = []
        for leaf, step in steps.items():
            if len(step.wanted):
                parts = np.full(self._n_values[step.attribute], -1, np.int64)
                parts[step.values] = step.parts
                cells.append(Cells(leaf, step.attribute, parts, step.cells, step.wanted))
        if not cells:
            return {}
        found = lifted_records(self._table, tree, cells, self._kinds)
        return {each.segment: numbers for each, numbers in zip(cells, found, strict=True)}

    def _counted(self, tree: CutTree, leaves: list[int]) -> Iterator[list[_Counted]]:
        """Yield for each leaf what is counted of each attribute."""
        table, n_kinds = self._table, len(self._kinds)
        counts = count_segments(
            table.rows, table.backend, tree, np.array(leaves), (self._names, ()), self._n_values, self._kinds
        )
        borders = [np.searchsorted(each.segments, np.arange(len(leaves) + 1)) for each in counts.columns]
        for place in range(len(leaves)):
            found = []
            for each, begins in zip(counts.columns, borders, strict=True):
                here = slice(begins[place], begins[place + 1])
                found.append(_Counted(each.values[here] // n_kinds, each.values[here] % n_kinds, each.records[here]))
            yield found

    def _best(self, counts: Sequence[_Counted], closed: np.ndarray) -> Step | None:
        """Return the step that is worth most, the first of equals, if any is possible."""
        steps = [
            step
            for attribute in np.flatnonzero(~closed).tolist()
            if (step := self._step(attribute, counts[attribute])) is not None
        ]
        return max(steps, key=lambda step: step.worth, default=None)

    def _step(self, attribute: int, counts: _Counted) -> Step | None:
        branching = self._branches.of(attribute, np.unique(counts.values))
        if branching is None:
            return None
        n_parts = branching.n_parts
        own = branching.parts[np.searchsorted(branching.values, counts.values)]
        cells = ValuesOfSegments.added(own, counts.kinds, counts.records, len(self._kinds))
        kept = self._kept(cells, n_parts)
        if not kept.any():
            return None
        sizes = _sizes(cells.segments, cells.records, n_parts)
        wanted = self._wanted(cells, kept, sizes)
        if wanted is None:
            return None
        step = branching.step(kept, sizes, np.where(kept, sizes, 0) - _sizes(cells.segments, wanted, n_parts))
        if step is None:
            return None
        lifting = np.flatnonzero(wanted)
        lifted_from = np.stack([branching.numbers(kept)[cells.segments[lifting]], cells.values[lifting]], axis=1)
        return replace(step, cells=lifted_from, wanted=wanted[lifting])

    def _kept(self, cells: ValuesOfSegments, n_groups: int) -> np.ndarray:
        """Return the mask of the groups, none of which is empty, that keep the promises."""
        sizes = _sizes(cells.segments, cells.records, n_groups)
        good = sizes >= self._promises.fewest
        if self._promises.by_size or not good.any():
            return good
        codes = self._kinds.codes(cells.values)
        some, numbers = good[cells.segments], np.cumsum(good) - 1
        entries = []
        for values, many in zip(codes.T, self._kinds.n_values, strict=True):
            own = numbers[cells.segments[some]]
            each = ValuesOfSegments.added(own, values[some], cells.records[some], many)
            entries.append((each.segments, each.values, each.records))
        good[good] = self._promises.kept_by_counts(sizes[good], entries)
        return good

    def _wanted(self, cells: ValuesOfSegments, kept: np.ndarray, sizes: np.ndarray) -> np.ndarray | None:
        """Return how many records of each cell join those pushed back; None where these cannot keep the promises."""
        nobody = np.zeros(len(cells.segments), np.int64)
        back = ~kept[cells.segments]
        if not back.any():
            return nobody
        pushed = ValuesOfSegments.added(nobody[back], cells.values[back], cells.records[back], len(self._kinds))
        if self._kept(pushed, 1)[0]:
            return nobody
        kinds = np.concatenate([cells.values[~back], pushed.values])
        n_inside, all_one = int((~back).sum()), np.zeros(len(kinds), np.int64)
        numbers = np.unique(kinds, return_inverse=True)[1].ravel()
        parts = np.append(cells.segments[~back], all_one[n_inside:] - 1)
        records = np.append(cells.records[~back], pushed.records)
        surplus = np.where(kept, sizes - self._promises.fewest, 0)
        together = PushedBack(all_one, parts, numbers, self._kinds.codes(kinds), records, surplus)
        wanted, possible = self._lifting.wanted(together, 1)
        nobody[~back] = wanted[:n_inside]
        return nobody if possible[0] else None


def _sizes(groups: np.ndarray, records: np.ndarray, n_groups: int) -> np.ndarray:
    return np.bincount(groups, records, minlength=n_groups).astype(np.int64)  # exact: < 2⁵³
