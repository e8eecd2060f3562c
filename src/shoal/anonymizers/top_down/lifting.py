"""Lifting: a few records join those that were pushed back, so that both sides keep the promises.

Sets of records are judged by counts: how often each value occurs among the records pushed back, and how often in what
is left of the parts that records are taken from. Records of one part with the same sensitive values are alike to
promises. Not every set is tried (:mod:`shoal.kernels.groups.lift_candidates`), so a set that is found keeps the
promises, but is not always the smallest possible.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.anonymizers.promises import GroupPromises
from shoal.evidence import SensitiveValues
from shoal.kernels.groups.lift_candidates import lift_candidates

__all__ = ["GroupValues", "Lifting", "PushedBack"]


@dataclass(frozen=True, eq=False)
class GroupValues:
    """The values of each group: a column of a table of counts stands for a different value in each group."""

    columns: np.ndarray
    """By cell and attribute, the column of its value."""
    names: tuple[np.ndarray, ...]
    """By attribute, the value of each column in each group."""

    @classmethod
    def of(cls, cells: np.ndarray, groups: np.ndarray, n_groups: int) -> Self:
        """Number the values that occur in each group, ascending; the columns of one attribute follow another's.

        ``cells`` has the values of each cell, by attribute, and ``groups`` the group of each.
        """
        columns, names, width = np.empty(cells.shape, np.int64), [], 0
        for i, values in enumerate(cells.T):
            n = int(values.max(initial=0)) + 1
            keys, place = np.unique(groups * n + values, return_inverse=True)
            owners = keys // n
            begins = np.searchsorted(owners, np.arange(n_groups + 1))
            numbers = np.arange(len(keys)) - begins[owners]
            named = np.zeros((n_groups, int(np.diff(begins).max(initial=0))), np.int64)
            named[owners, numbers] = keys % n
            columns[:, i] = width + numbers[place]
            names.append(named)
            width += named.shape[1]
        return cls(columns, tuple(names))

    @property
    def width(self) -> int:
        """The number of columns."""
        return sum(named.shape[1] for named in self.names)

    def counted(self, cells: np.ndarray, records: np.ndarray, labels: np.ndarray, n: int) -> np.ndarray:
        """Return the table of counts of the values of some cells, of so many records each, by label 0 … ``n`` − 1."""
        table = np.zeros((n, self.width), np.int64)
        self.move(table, labels, cells, records)
        return table

    def move(self, table: np.ndarray, owners: np.ndarray, cells: np.ndarray, records: np.ndarray | int) -> None:
        """Add so many records of some cells to the lines of a table that own them; fewer than 0 are subtracted."""
        for columns in self.columns[cells].T:
            np.add.at(table, (owners, columns), records)

    def entries(self, table: np.ndarray, groups: np.ndarray) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Return for each attribute the lines of a table, the values that occur in each, and their counts.

        ``groups`` holds the group of each line.
        """
        found, begin = [], 0
        for named in self.names:
            part = table[:, begin : begin + named.shape[1]]
            lines, columns = np.nonzero(part)
            found.append((lines, named[groups[lines], columns], part[lines, columns]))
            begin += named.shape[1]
        return found


_FURTHER = 6
"""The most records lifted beyond those that the least group size requires."""

_MOST_CELLS = 4_000_000
"""The most counts held at once, of sets by values."""

_SETS = 100
"""About the number of sets that are tried for a group."""


@dataclass(frozen=True, eq=False)
class PushedBack:
    """Groups of records in parts, and records that were pushed back and do not keep the promises alone.

    Records of one part, or of those pushed back in one group, that are alike to the promises are one cell.
    """

    groups: np.ndarray
    """The group of each cell."""
    parts: np.ndarray
    """The part of each cell, numbered through all groups; −1 for those pushed back. The cells of parts come first, by
    part and kind."""
    kinds: np.ndarray
    """Which cells of different parts are alike; larger numbers are larger values."""
    values: np.ndarray
    """By cell and sensitive attribute, the value."""
    records: np.ndarray
    """How many records each cell has."""
    surplus: np.ndarray
    """How many records each part has beyond the least group size."""

    def taken(self, groups: np.ndarray) -> tuple[np.ndarray, "PushedBack"]:
        """Return the cells of some groups, and these groups only."""
        number = np.full(int(self.groups.max(initial=-1)) + 1, -1, np.int64)
        number[groups] = np.arange(len(groups))
        here = np.flatnonzero(number[self.groups] >= 0)
        parts, kinds, values, records = (each[here] for each in (self.parts, self.kinds, self.values, self.records))
        return here, PushedBack(number[self.groups[here]], parts, kinds, values, records, self.surplus)


class Lifting:
    """Finds the records to lift in the groups of one table."""

    def __init__(self, promises: GroupPromises) -> None:
        self._promises = promises
        if promises.by_size or promises.in_people:
            return
        codes = promises.sensitive_codes
        self._kinds = _kinds(codes, promises.n_records)
        self._codes = np.stack(codes, axis=1) if codes else np.zeros((promises.n_records, 0), np.int64)
        known = [counts.known for counts in promises.everybody.sensitive if counts.known is not None]
        self._worth = [np.stack([_weights(each), each.totals / max(each.totals.sum(), 1)]) for each in known]

    def lifted(
        self, rows: np.ndarray, groups: np.ndarray, parts: np.ndarray, surplus: np.ndarray, n_groups: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the mask of the rows to lift, and the mask of the groups in which lifting is possible.

        ``groups`` has the group of each row, ascending; ``parts`` its part, numbered through all groups, −1 for those
        pushed back; ``surplus`` how many records each part has beyond the least group size. Of alike rows the first are
        lifted.
        """
        by_size = self._promises.by_size
        kinds = np.zeros(len(rows), np.int64) if by_size else self._kinds[rows]
        n_kinds, n_parts = int(kinds.max(initial=0)) + 1, len(surplus)
        keys = np.where(parts < 0, n_parts + groups, parts) * n_kinds + kinds
        _, firsts, place, records = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        values = np.zeros((len(firsts), 0), np.int64) if by_size else self._codes[rows[firsts]]
        pushed = PushedBack(groups[firsts], parts[firsts], kinds[firsts], values, records, surplus)
        wanted, possible = self.wanted(pushed, n_groups)
        return _ranks(place, len(firsts)) < wanted[place], possible

    def wanted(self, pushed: PushedBack, n_groups: int) -> tuple[np.ndarray, np.ndarray]:
        """Return how many records to lift of each cell, and the mask of the groups in which lifting is possible."""
        assert not self._promises.in_people, "promises that count people distinguish the records of one person"
        if self._promises.by_size:
            return self._by_size(pushed, n_groups)
        wanted, possible = np.zeros(len(pushed.groups), np.int64), np.zeros(n_groups, bool)
        for groups in _blocks(np.bincount(pushed.groups, minlength=n_groups)):
            here, some = pushed.taken(groups)
            wanted[here], possible[groups] = self._by_counts(some, len(groups))
        return wanted, possible

    def _n_back(self, pushed: PushedBack, n_groups: int) -> np.ndarray:
        back = pushed.parts < 0
        return np.bincount(pushed.groups[back], pushed.records[back], minlength=n_groups).astype(np.int64)

    def _by_size(self, pushed: PushedBack, n_groups: int) -> tuple[np.ndarray, np.ndarray]:
        """Lift as many records as are needed from the parts with the largest surplus."""
        needed = self._promises.fewest - self._n_back(pushed, n_groups)
        inside = np.flatnonzero(pushed.parts >= 0)
        homes, surplus = pushed.groups[inside], pushed.surplus[pushed.parts[inside]]
        order = np.lexsort((-surplus, homes))
        before = np.cumsum(surplus[order]) - surplus[order]
        begins = np.searchsorted(homes[order], np.arange(n_groups))
        taken = np.empty(len(inside), np.int64)
        taken[order] = np.clip(needed[homes[order]] - (before - before[begins[homes[order]]]), 0, surplus[order])
        possible = np.bincount(homes, taken, minlength=n_groups) == needed
        wanted = np.zeros(len(pushed.groups), np.int64)
        wanted[inside] = np.where(possible[homes], taken, 0)
        return wanted, possible

    def _by_counts(self, pushed: PushedBack, n_groups: int) -> tuple[np.ndarray, np.ndarray]:
        """Try sets of records, and take the smallest of each group with which both sides keep the promises."""
        table = GroupValues.of(pushed.values, pushed.groups, n_groups)
        cells = np.flatnonzero((pushed.parts >= 0) & (pushed.surplus[pushed.parts] > 0))
        begins = np.searchsorted(pushed.groups[cells], np.arange(n_groups + 1)).astype(np.int64)
        is_back = np.flatnonzero(pushed.parts < 0)
        sizes = self._n_back(pushed, n_groups)
        back = table.counted(is_back, pushed.records[is_back], pushed.groups[is_back], n_groups)
        owners, set_begins, chosen = lift_candidates(
            (begins, pushed.parts[cells], pushed.kinds[cells], pushed.records[cells].astype(np.int64)),
            pushed.surplus.astype(np.int64),
            np.maximum(self._promises.fewest - sizes, 1),
            back,
            table.columns[cells],
            self._worth_of(pushed.values[cells]),
            int(pushed.kinds.max(initial=0)) + 1,
            _FURTHER,
        )
        lengths = np.diff(set_begins)
        sets = np.repeat(np.arange(len(owners)), lengths)
        moved = cells[chosen]
        table.move(back_now := back[owners], sets, moved, 1)
        good = self._promises.kept_by_counts(sizes[owners] + lengths, table.entries(back_now, owners))
        good &= self._parts_kept(pushed, table, sets, moved, good)
        # the smallest set of each group, and of equal ones the first
        valid = np.flatnonzero(good)
        valid = valid[np.lexsort((valid, lengths[valid], owners[valid]))]
        found, first = np.unique(owners[valid], return_index=True)
        wanted = np.bincount(moved[np.isin(sets, valid[first])], minlength=len(pushed.groups))
        possible = np.zeros(n_groups, bool)
        possible[found] = True
        return wanted, possible

    def _worth_of(self, values: np.ndarray) -> np.ndarray:
        """Return, for the value of each cell in each attribute, its weight and its share of all records."""
        worth = np.zeros((2, *values.shape))
        for i, each in enumerate(self._worth):
            worth[:, :, i] = each[:, values[:, i]]
        return worth

    def _parts_kept(
        self, pushed: PushedBack, table: GroupValues, sets: np.ndarray, moved: np.ndarray, good: np.ndarray
    ) -> np.ndarray:
        """Return the mask of the ``good`` sets after whose removal every part still keeps the promises."""
        tried = good[sets]
        sets, moved = sets[tried], moved[tried]
        touched, numbers = np.unique(pushed.parts[moved], return_inverse=True)
        number = np.full(len(pushed.surplus) + 1, -1, np.int64)  # the last is for those in no part
        number[touched] = np.arange(len(touched))
        own = number[pushed.parts]
        here = np.flatnonzero(own >= 0)
        records = pushed.records[here]
        sizes = np.bincount(own[here], records, minlength=len(touched)).astype(np.int64)
        counts = table.counted(here, records, own[here], len(touched))
        pairs, place, first = _paired(sets, numbers, len(touched))
        owners, of_part = pairs
        table.move(left := counts[of_part], place, moved, -1)
        n_left = sizes[of_part] - np.bincount(place, minlength=len(owners))
        still = self._promises.kept_by_counts(n_left, table.entries(left, pushed.groups[moved[first]]))
        kept = np.ones(len(good), bool)
        kept[owners[~still]] = False
        return kept


def _paired(one: np.ndarray, other: np.ndarray, n: int) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray, np.ndarray]:
    """Return the distinct pairs, the index of each pair among them, and its first occurrence; ``other`` is below n."""
    keys, first, place = np.unique(one * max(n, 1) + other, return_index=True, return_inverse=True)
    return np.divmod(keys, max(n, 1)), place, first


def _weights(known: SensitiveValues) -> np.ndarray:
    """Return how insensitive each value is, from 0 to 1."""
    steps = np.where(known.categories < known.n_categories, known.categories, 0)
    return steps / max(int(steps.max(initial=0)), 1)


def _blocks(sizes: np.ndarray) -> Iterator[np.ndarray]:
    """Yield groups of similar size in blocks for which the counts of all candidate sets fit into memory."""
    classes = np.ceil(np.log2(np.maximum(sizes, 1))).astype(np.int64)
    for each in np.unique(classes):
        groups = np.flatnonzero(classes == each)
        at_once = max(_MOST_CELLS // (_SETS << int(each)), 1)
        for begin in range(0, len(groups), at_once):
            yield groups[begin : begin + at_once]


def _kinds(codes: list[np.ndarray], n: int) -> np.ndarray:
    """Number rows that are the same in all of some columns."""
    kinds = np.zeros(n, np.int64)
    for column in codes:
        kinds = np.unique(kinds * (int(column.max(initial=0)) + 1) + column, return_inverse=True)[1]
    return kinds


def _ranks(labels: np.ndarray, n_labels: int) -> np.ndarray:
    """Number the entries of each label from 0 in their order."""
    order = np.argsort(labels, kind="stable")
    begins = np.concatenate([[0], np.cumsum(np.bincount(labels, minlength=n_labels))])
    ranks = np.empty(len(labels), np.int64)
    ranks[order] = np.arange(len(labels)) - begins[labels[order]]
    return ranks
