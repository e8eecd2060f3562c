"""The growth of clusters until they keep the promises.

The number of records, and of different sensitive values where these decide, is seen to while clusters grow. Other
promises are judged afterwards, many clusters at a time: the first cluster that breaks one is given more records, those
whose sensitive values it has too few of, and all that were grown after it are grown anew. So each cluster is what it
would be if it had been judged at every step.
"""

from collections.abc import Sequence

import numpy as np

from shoal.anonymizers.promises import GroupPromises
from shoal.kernels.clustering.greedy_clusters import extend_cluster, farthest_cell, grow_clusters
from shoal.models import PrivacyModel
from shoal.progress import stage

from .record_kinds import RecordKinds, ask_for_categories

__all__ = ["ClusterGrowth"]

_WORK = 400_000_000
"""About how many values are looked at in one call, a second: nobody can interrupt it."""
_ADDED = 8
"""How many records a cluster that breaks a promise is given at first, to see with how many of them it keeps all."""
_MOST_ADDED = 64


class ClusterGrowth:
    """Grows clusters of the records of one table."""

    def __init__(
        self, kinds: RecordKinds, models: Sequence[PrivacyModel], promises: GroupPromises, *, sparing: bool
    ) -> None:
        self._kinds, self._promises, self._sparing = kinds, promises, sparing
        different = 0 if ask_for_categories(models) else max(model.sufficient_values or 0 for model in models)
        self._least = np.full(kinds.layout[4].shape[1], different, np.int64)
        self._taken = np.zeros(kinds.n_cells, np.int64)

    def grown(self, first: int) -> np.ndarray:
        """Return the cluster 0, 1, … of each row, and −1 for those that are left over; ``first`` is the first seed."""
        labels = np.full(len(self._kinds.rows), -1, np.int64)
        seed, n_clusters, at_once = int(self._kinds.cell_of[first]), 0, 16
        most = self._most_at_once()
        with stage("building clusters", len(labels)) as progress:
            while seed >= 0:
                rows, ends, seed, all_kept = self._grown(seed, min(at_once, most))
                labels[rows] = n_clusters + np.searchsorted(ends, np.arange(len(rows)), side="right")
                n_clusters += len(ends)
                at_once = 2 * at_once if all_kept else max(len(ends), 1)
                progress.advance(len(rows))
        return labels

    def _most_at_once(self) -> int:
        n_kinds, width = self._kinds.layout[0].shape
        return max(_WORK // (n_kinds * width * max(self._promises.fewest, int(self._least.max(initial=1)))), 1)

    def _grown(self, seed: int, most: int) -> tuple[np.ndarray, np.ndarray, int, bool]:
        """Grow clusters up to the first that broke a promise; return their rows, their ends, the next seed, and
        whether all that were grown kept the promises.
        """
        kinds, before = self._kinds, self._taken.copy()
        cells, ends, seed = grow_clusters(
            kinds.layout, kinds.ruler, self._taken, self._least, self._promises.fewest, self._sparing, seed, most
        )
        ended = int(ends[-1]) if len(ends) else 0
        self._give_back(cells[ended:])
        cells = cells[:ended]
        rows = kinds.taken_rows(cells, before)
        broken = self._first_broken(rows, ends)
        if broken is None:
            return rows, ends, seed, True
        begin, end = int(ends[broken - 1]) if broken else 0, int(ends[broken])
        self._give_back(cells[end:])
        members = self._completed(cells[begin:end], rows[begin:end])
        if members is None:
            return rows[:begin], ends[:broken], -1, False
        seed = farthest_cell(kinds.layout, kinds.ruler, self._taken, members[0])
        whole = np.concatenate([rows[:begin], members[1]])
        return whole, np.append(ends[:broken], len(whole)), int(seed), False

    def _first_broken(self, rows: np.ndarray, ends: np.ndarray) -> int | None:
        if self._promises.by_size:
            return None
        labels = np.searchsorted(ends, np.arange(len(rows)), side="right")
        broken = np.flatnonzero(~self._promises.kept(rows, labels, len(ends)))
        return int(broken[0]) if len(broken) else None

    def _completed(self, cells: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the cells and rows of a cluster with the fewest more records with which it keeps the promises.

        None where it does with none of the first few, nor with all that are left.
        """
        wanted = _ADDED
        while True:
            before = self._taken.copy()
            added = extend_cluster(self._kinds.layout, self._kinds.ruler, self._taken, cells, wanted)
            more = self._kinds.taken_rows(added, before)
            enough = self._enough(rows, more)
            if enough is not None:
                self._give_back(added[enough:])
                return np.concatenate([cells, added[:enough]]), np.concatenate([rows, more[:enough]])
            cells, rows = np.concatenate([cells, added]), np.concatenate([rows, more])
            everything = np.concatenate([rows, self._kinds.rows_left(self._taken)])
            if len(everything) == len(rows) or (wanted == _ADDED and not self._promises.keeps(everything)):
                return None
            wanted = min(2 * wanted, _MOST_ADDED)

    def _enough(self, rows: np.ndarray, more: np.ndarray) -> int | None:
        """Return with how many more of these rows, at least one, a cluster first keeps the promises."""
        n = np.arange(1, len(more) + 1)
        sizes = len(rows) + n
        tried = [np.concatenate([rows, more[:size]]) for size in n]
        if not tried:
            return None
        kept = self._promises.kept(np.concatenate(tried), np.repeat(n - 1, sizes), len(n))
        return int(np.argmax(kept)) + 1 if kept.any() else None

    def _give_back(self, cells: np.ndarray) -> None:
        np.subtract.at(self._taken, cells, 1)
