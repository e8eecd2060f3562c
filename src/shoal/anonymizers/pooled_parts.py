"""Parts of a cut that break a promise, pooled so that the others may be told apart all the same."""

from dataclasses import dataclass

import numpy as np

from .group_promises import GroupPromises

__all__ = ["CutParts", "pooled_parts"]


@dataclass(frozen=True, eq=False)
class CutParts:
    """Groups that would be cut into parts: the parts of all groups are numbered on, group after group."""

    rows: np.ndarray
    part_of: np.ndarray
    """For each row, its part."""
    n_parts: np.ndarray
    """For each group, of how many parts it is."""

    @property
    def owners(self) -> np.ndarray:
        """For each part, its group."""
        return np.repeat(np.arange(len(self.n_parts)), self.n_parts)

    @property
    def sizes(self) -> np.ndarray:
        """For each part, how many rows it has."""
        return np.bincount(self.part_of, minlength=int(self.n_parts.sum()))


def pooled_parts(parts: CutParts, promises: GroupPromises) -> tuple[np.ndarray, np.ndarray]:
    """Return for each part its number in its group after pooling, and into how many each group is cut.

    Parts that break a promise become one rest. Where the rest breaks one too, the smallest part that keeps the promises
    joins it, and the next, until it keeps them. A group of which nothing would be told apart is not cut: it counts 1,
    and the numbers of its parts mean nothing.
    """
    owners, sizes, n_groups = parts.owners, parts.sizes, len(parts.n_parts)
    alone = promises.kept(parts.rows, parts.part_of, len(owners))
    n_good = _counts(owners, alone, n_groups)
    ranks = _ranks(owners, sizes, alone)
    joined = np.zeros(n_groups, np.int64)
    """How many of its smallest good parts have joined the rest of each group."""
    pending = (n_good < parts.n_parts) & (n_good > 0)
    settled = n_good == parts.n_parts
    while pending.any():
        in_rest = pending[owners] & (~alone | (ranks < joined[owners]))
        found = _rests_kept(parts, in_rest, promises)
        settled |= found & pending
        pending &= ~found & (joined < n_good - 1)
        joined[pending] += 1
    rest = ~alone | (ranks < joined[owners])
    n_apart = _counts(owners, ~rest, n_groups)
    firsts = np.concatenate([[0], np.cumsum(n_apart)[:-1]])
    numbers = np.where(rest, n_apart[owners], np.cumsum(~rest) - 1 - firsts[owners])
    n_cut = n_apart + (n_apart < parts.n_parts)
    return numbers, np.where(settled, n_cut, 1)


def _rests_kept(parts: CutParts, in_rest: np.ndarray, promises: GroupPromises) -> np.ndarray:
    """Return the mask of the groups whose rests keep the promises."""
    here = in_rest[parts.part_of]
    rests = parts.owners[parts.part_of[here]]
    return promises.kept(parts.rows[here], rests, len(parts.n_parts))


def _counts(owners: np.ndarray, chosen: np.ndarray, n_groups: int) -> np.ndarray:
    return np.bincount(owners[chosen], minlength=n_groups)


def _ranks(owners: np.ndarray, sizes: np.ndarray, good: np.ndarray) -> np.ndarray:
    """Return the place of each good part among those of its group, the smallest first; of others one behind all."""
    ranks = np.full(len(owners), len(owners))
    order = np.lexsort([sizes, owners])
    order = order[good[order]]
    begins = np.searchsorted(owners[order], owners[order])
    ranks[order] = np.arange(len(order)) - begins
    return ranks
