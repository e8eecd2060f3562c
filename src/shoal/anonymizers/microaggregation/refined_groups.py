"""Refinement of groups by simulated annealing, block by block."""

import time

import numpy as np

from shoal.anonymizers.grouping import group_means, group_offsets
from shoal.kernels.clustering.annealed_groups import annealed_groups
from shoal.progress import stage

__all__ = ["refined_groups"]

_BLOCK = 3000
"""About the most points of a block, which one thread refines."""
_NARROW = 30
"""With more coordinates, blocks have fewer points and fewer rounds, to be as fast."""
_AT_ONCE = 4
"""The number of blocks between two looks at the clock; fixed, because randomness is drawn once for all of them."""
_WORK = 300_000
"""Rounds in a block at a time, times k²: about a quarter of a second."""
_HOTTEST, _COLDEST = 0.3, 0.001
"""The loss that a round may accept at the beginning and at the end, in shares of the loss of a group."""
_LARGEST_K = 200
"""The largest k whose groups are refined; larger groups are too slow. For wide points the limit is smaller."""


def refined_groups(
    points: np.ndarray,
    labels: np.ndarray,
    k: int,
    generator: np.random.Generator,
    *,
    passes: int,
    deadline: float | None,
    values: np.ndarray,
    least: np.ndarray,
) -> tuple[np.ndarray, bool]:
    """Return groups 0, 1, … of at least k points with no larger a sum of squared distances to their means.

    The second result is whether there was time to refine all of them. Without a deadline (of ``time.monotonic``) there
    are ``passes`` passes, and the same random state leads to the same groups. With one, refinement goes on until then,
    whatever the passes. Every group keeps ``least[c]`` distinct values in each column c of ``values`` if all groups had
    them before.
    """
    if k * _wideness(points) ** 0.5 > _LARGEST_K or labels.max(initial=0) < 1:
        return labels, True
    if deadline is not None and time.monotonic() >= deadline:
        return labels, False
    run = _Refinement(points, labels, k, generator, values, least)
    if deadline is None:
        with stage("improving groups", passes + 1) as progress:
            for done in range(passes + 1):
                run.work(0.0 if done == 0 else _heat((done - 1) / max(passes - 1, 1)), settling=done == 0)
                progress.advance()
        return run.best, True
    began = time.monotonic()
    with stage("improving groups"):
        settled = run.work(0.0, settling=True, deadline=deadline)
        first = time.monotonic()
        whole = settled and run.work(0.0, deadline=deadline)
        took = time.monotonic() - first
        while whole:
            now = time.monotonic()
            # where time is short, it must not be up before the annealing has cooled down
            hurry = min(max((deadline - now) / took - 1, 0.0) / 8, 1.0) if took > 0 else 1.0
            whole = run.work(hurry * _heat((now - began) / (deadline - began)), deadline=deadline)
    return run.best, settled


def _wideness(points: np.ndarray) -> float:
    return max(points.shape[1] / _NARROW, 1.0)


def _heat(share: float) -> float:
    return _HOTTEST * (_COLDEST / _HOTTEST) ** share


class _Refinement:
    """One run: the current groups, and the best so far."""

    def __init__(
        self,
        points: np.ndarray,
        labels: np.ndarray,
        k: int,
        generator: np.random.Generator,
        values: np.ndarray,
        least: np.ndarray,
    ) -> None:
        self._points, self._labels, self._k, self._generator = points, labels, k, generator
        self._values, self._least = values, least
        self._most = 6 if k <= 50 else 3
        self._wide = _wideness(points)
        self._longest = {False: 0.0, True: 0.0}
        self.best, self._loss = labels, self._loss_of(labels)
        # compiled now, or the first blocks would seem slow
        none, no_block = np.zeros(0, np.int64), np.zeros(1, np.int64)
        annealed_groups(points[:0], none, no_block, none, k, 2, 0, 0.0, np.uint64(0), values[:0], least)

    def work(self, heat: float, *, settling: bool = False, deadline: float | None = None) -> bool:
        """Refine every block once; return whether there was time for all. None is begun that would end too late."""
        members, begins, local = self._blocks()
        n_blocks = len(begins) - 1
        largest = int(np.diff(begins).max())
        rounds = 0 if settling else min(max(int(_WORK / self._wide) // self._k**2, 5), 40_000, 50 * largest)
        whole = True
        for first in range(0, n_blocks, _AT_ONCE):
            began = time.monotonic()
            if deadline is not None and began + self._longest[settling] / 2 >= deadline:
                whole = False
                break
            key = self._generator.integers(2**63, dtype=np.uint64)
            annealed_groups(
                self._points,
                members,
                begins[first : first + _AT_ONCE + 1],
                local,
                self._k,
                self._most,
                rounds,
                heat,
                key,
                self._values,
                self._least,
            )
            self._longest[settling] = max(self._longest[settling], time.monotonic() - began)
        block_of = np.empty(len(local), np.int64)
        block_of[members] = np.repeat(np.arange(n_blocks), np.diff(begins))
        groups = np.maximum.reduceat(local[members], begins[:-1]) + 1
        self._labels = local + (np.cumsum(groups) - groups)[block_of]
        loss = self._loss_of(self._labels)
        if loss < self._loss:
            self.best, self._loss = self._labels, loss
        return whole

    def _blocks(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Split the groups into blocks by the order of their means in random directions, again and again.

        Return the points block by block, the offsets of blocks, and the number of each point's group in its block.
        """
        means, sizes = group_means(self._points, self._labels), np.bincount(self._labels)
        most = max(_BLOCK / self._wide**0.5, 6 * self._k)
        parts, waiting = [], [np.arange(len(means))]
        while waiting:
            groups = waiting.pop()
            too_large = sizes[groups].sum() > most or (len(groups) == len(means) and len(groups) >= 16)
            if len(groups) < 2 or not too_large:
                parts.append(groups)
                continue
            along = np.argsort(means[groups] @ self._generator.normal(size=means.shape[1]), kind="stable")
            cut = int(len(groups) * self._generator.uniform(0.35, 0.65))
            waiting += [groups[along[:cut]], groups[along[cut:]]]
        block_of, number_in = np.empty(len(means), np.int64), np.empty(len(means), np.int64)
        for block, groups in enumerate(parts):
            block_of[groups], number_in[groups] = block, np.arange(len(groups))
        members, begins = group_offsets(block_of[self._labels])
        return members, begins, number_in[self._labels]

    def _loss_of(self, labels: np.ndarray) -> float:
        return float(((self._points - group_means(self._points, labels)[labels]) ** 2).sum())
