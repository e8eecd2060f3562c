"""The fewest records that can be lifted to those that were pushed back so that both sides keep the promises.

Sets of records are judged by counts: how often each value is among those pushed back, and what is left of it in the
parts records are taken from. Records of one part with the same sensitive values are alike to promises. Not every set
is tried (:mod:`shoal.kernels.lift_candidates`), so one that is found is sound and not always the smallest there is.
"""

from dataclasses import dataclass

import numpy as np

from shoal.kernels.lift_candidates import lift_candidates

from .group_promises import GroupPromises

__all__ = ["Lifting", "PushedBack"]

_FURTHER = 6
"""So many records are lifted at most beyond those that are needed for the number."""

_MOST_CELLS = 4_000_000
"""Counts that are held at once, of groups by values."""


@dataclass(frozen=True, eq=False)
class PushedBack:
    """Groups of records in parts, some of which were pushed back and do not keep the promises alone."""

    rows: np.ndarray
    groups: np.ndarray
    """The group of each row, ascending."""
    parts: np.ndarray
    """The part of each row, numbered through all groups; −1 for those pushed back."""
    spare: np.ndarray
    """How many records each part has over those it must have."""

    def taken(self, begin: int, end: int) -> tuple[slice, "PushedBack"]:
        """Give the places of the groups from one to before another, and those alone."""
        here = slice(*np.searchsorted(self.groups, [begin, end]))
        return here, PushedBack(self.rows[here], self.groups[here] - begin, self.parts[here], self.spare)


class Lifting:
    """Searches in the groups of one table."""

    def __init__(self, promises: GroupPromises) -> None:
        self._promises = promises
        if promises.by_size:
            return
        codes = promises.sensitive_codes
        known = [counts.known for counts in promises.everybody.sensitive]
        widths = [len(each.totals) for each in known if each is not None]
        self._starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
        self._kinds, self._values = _kinds(codes, self._starts, int(promises.everybody.sizes.sum()))
        weights = [np.where(each.categories < each.n_categories, each.categories, 0) for each in known if each]
        shares = [each.totals / max(each.totals.sum(), 1) for each in known if each]
        scaled = [each / max(each.max(initial=0), 1) for each in weights]
        self._worth = np.stack([np.concatenate([[], *scaled]), np.concatenate([[], *shares])])

    def lifted(self, pushed: PushedBack, n_groups: int) -> tuple[np.ndarray, np.ndarray]:
        """Give the mask of the rows that are lifted, and that of the groups in which it is possible."""
        if self._promises.by_size:
            return self._by_size(pushed, n_groups)
        lifted, possible = np.zeros(len(pushed.rows), bool), np.zeros(n_groups, bool)
        at_once = max(_MOST_CELLS // (100 * max(int(self._starts[-1]), 1)), 1)
        for begin in range(0, n_groups, at_once):
            end = min(begin + at_once, n_groups)
            here, some = pushed.taken(begin, end)
            lifted[here], possible[begin:end] = self._by_counts(some, end - begin)
        return lifted, possible

    def _needed(self, pushed: PushedBack, n_groups: int) -> np.ndarray:
        back = np.bincount(pushed.groups[pushed.parts < 0], minlength=n_groups)
        return self._promises.fewest - back

    def _by_size(self, pushed: PushedBack, n_groups: int) -> tuple[np.ndarray, np.ndarray]:
        """Lift as many as are needed from the parts that can spare most."""
        needed = self._needed(pushed, n_groups)
        inside = np.flatnonzero(pushed.parts >= 0)
        parts, firsts, place = np.unique(pushed.parts[inside], return_index=True, return_inverse=True)
        homes, spare = pushed.groups[inside[firsts]], pushed.spare[parts]
        order = np.lexsort((-spare, homes))
        before = np.cumsum(spare[order]) - spare[order]
        begins = np.searchsorted(homes[order], np.arange(n_groups))
        taken = np.empty(len(parts), np.int64)
        taken[order] = np.clip(needed[homes[order]] - (before - before[begins[homes[order]]]), 0, spare[order])
        possible = np.bincount(homes, taken, minlength=n_groups) == needed
        lifted = np.zeros(len(pushed.rows), bool)
        lifted[inside] = (_ranks(place, len(parts)) < taken[place]) & possible[pushed.groups[inside]]
        return lifted, possible

    def _by_counts(self, pushed: PushedBack, n_groups: int) -> tuple[np.ndarray, np.ndarray]:
        """Try sets of records, and keep the smallest of each group that leaves both sides valid."""
        inside = np.flatnonzero((pushed.parts >= 0) & (pushed.spare[pushed.parts] > 0))
        keys = pushed.parts[inside] * len(self._values) + self._kinds[pushed.rows[inside]]
        cells, firsts, place, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        parts, kinds = np.divmod(cells, len(self._values))
        begins = np.searchsorted(pushed.groups[inside[firsts]], np.arange(n_groups + 1)).astype(np.int64)
        needed = np.maximum(self._needed(pushed, n_groups), 1)
        sizes, back = self._table(pushed, pushed.parts < 0, pushed.groups, n_groups)
        spare = pushed.spare.astype(np.int64)
        all_cells = (begins, parts, kinds, counts.astype(np.int64))
        owners, set_begins, chosen = lift_candidates(
            all_cells, spare, needed, back, self._values, self._worth, _FURTHER
        )
        sets = np.repeat(np.arange(len(owners)), np.diff(set_begins))
        lengths = np.diff(set_begins)
        good = self._kept(sizes[owners] + lengths, back[owners], sets, kinds[chosen], 1)
        good = self._parts_kept(pushed, parts, kinds, sets, chosen, good)
        # the smallest of each group, and of those the first
        valid = np.flatnonzero(good)
        valid = valid[np.lexsort((valid, lengths[valid], owners[valid]))]
        found, first = np.unique(owners[valid], return_index=True)
        best = valid[first]
        wanted = np.zeros(len(cells), np.int64)
        np.add.at(wanted, chosen[np.isin(sets, best)], 1)
        lifted, possible = np.zeros(len(pushed.rows), bool), np.zeros(n_groups, bool)
        possible[found] = True
        lifted[inside] = _ranks(place, len(cells)) < wanted[place]
        return lifted, possible

    def _parts_kept(
        self,
        pushed: PushedBack,
        parts: np.ndarray,
        kinds: np.ndarray,
        sets: np.ndarray,
        chosen: np.ndarray,
        good: np.ndarray,
    ) -> np.ndarray:
        """Give the mask of the good sets that leave every part they take from valid."""
        tried = good[sets]
        sets, chosen = sets[tried], chosen[tried]
        touched, numbers = np.unique(parts[chosen], return_inverse=True)
        n_parts = len(pushed.spare)
        number = np.full(n_parts + 1, -1, np.int64)
        number[touched] = np.arange(len(touched))
        own = number[pushed.parts]
        sizes, tables = self._table(pushed, own >= 0, own, len(touched))
        pairs, place = np.unique(sets * max(len(touched), 1) + numbers, return_inverse=True)
        owners, of_part = np.divmod(pairs, max(len(touched), 1))
        left = sizes[of_part] - np.bincount(place, minlength=len(pairs))
        still = self._kept(left, tables[of_part], place, kinds[chosen], -1)
        good = good.copy()
        good[owners[~still]] = False
        return good

    def _table(
        self, pushed: PushedBack, chosen: np.ndarray, labels: np.ndarray, n_groups: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Give sizes of groups of chosen rows, and how often each has each value of every sensitive attribute."""
        counts = self._promises.counted(pushed.rows[chosen], labels[chosen], n_groups)
        table = np.zeros((n_groups, int(self._starts[-1])), np.int64)
        for start, each in zip(self._starts, counts.sensitive, strict=False):
            table[each.groups, start + each.values] = each.counts
        return counts.sizes, table

    def _kept(
        self, sizes: np.ndarray, table: np.ndarray, owners: np.ndarray, kinds: np.ndarray, sign: int
    ) -> np.ndarray:
        """Judge groups after records of these kinds came to their owners, or left them."""
        for values in self._values.T:
            np.add.at(table, (owners, values[kinds]), sign)
        edges = zip(self._starts[:-1], self._starts[1:], strict=True)
        return self._promises.kept_by_counts(sizes, [table[:, begin:end] for begin, end in edges])


def _kinds(codes: list[np.ndarray], starts: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Number rows that are the same in all of some columns; and give the columns of a table of values of each kind."""
    kinds = np.zeros(n, np.int64)
    for column in codes:
        kinds = np.unique(kinds * (int(column.max(initial=0)) + 1) + column, return_inverse=True)[1]
    firsts = np.unique(kinds, return_index=True)[1]
    pairs = zip(codes, starts, strict=False)
    values = [start + column[firsts] for column, start in pairs]
    return kinds, np.array(values, np.int64).reshape(len(codes), len(firsts)).T.copy()


def _ranks(labels: np.ndarray, n_labels: int) -> np.ndarray:
    """Number the entries of each label from 0 in their order."""
    order = np.argsort(labels, kind="stable")
    begins = np.concatenate([[0], np.cumsum(np.bincount(labels, minlength=n_labels))])
    ranks = np.empty(len(labels), np.int64)
    ranks[order] = np.arange(len(labels)) - begins[labels[order]]
    return ranks
