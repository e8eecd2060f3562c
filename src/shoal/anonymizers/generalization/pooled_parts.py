"""Parts of a cut that break a promise are pooled, so that one rare branch does not prevent the cut for all others."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.anonymizers.promises import GroupPromises

__all__ = ["CandidateParts", "CutParts", "pooled_parts"]


@dataclass(frozen=True, eq=False)
class CandidateParts(ABC):
    """A candidate cut of groups into parts, which are numbered consecutively, group after group."""

    n_parts: np.ndarray
    """For each group, its number of parts."""

    @cached_property
    def owners(self) -> np.ndarray:
        """For each part, its group."""
        return np.repeat(np.arange(len(self.n_parts)), self.n_parts)

    @property
    @abstractmethod
    def sizes(self) -> np.ndarray:
        """For each part, its number of records."""

    @abstractmethod
    def kept_alone(self) -> np.ndarray:
        """Return the mask of the parts that keep the promises."""

    @abstractmethod
    def kept_together(self, chosen: np.ndarray) -> np.ndarray:
        """Return the mask of the groups of which the chosen parts, taken together, keep the promises."""


@dataclass(frozen=True, eq=False)
class CutParts(CandidateParts):
    """Parts of which all rows are known."""

    rows: np.ndarray
    part_of: np.ndarray
    """For each row, its part."""
    promises: GroupPromises
    """Judges groups of the rows."""

    @property
    def sizes(self) -> np.ndarray:
        """For each part, its number of rows."""
        return np.bincount(self.part_of, minlength=int(self.n_parts.sum()))

    def kept_alone(self) -> np.ndarray:
        """Return the mask of the parts that keep the promises."""
        return self.promises.kept(self.rows, self.part_of, len(self.owners))

    def kept_together(self, chosen: np.ndarray) -> np.ndarray:
        """Return the mask of the groups of which the chosen parts, taken together, keep the promises."""
        here = chosen[self.part_of]
        return self.promises.kept(self.rows[here], self.owners[self.part_of[here]], len(self.n_parts))


def pooled_parts(parts: CandidateParts) -> tuple[np.ndarray, np.ndarray]:
    """Return for each part its number in its group after pooling, and for each group its number of parts.

    Parts that break a promise are pooled into one rest. Where the rest breaks one too, the smallest part that keeps the
    promises joins it, and the next, until it keeps them. A group in which no part stays apart is not cut: it counts 1
    part, and the numbers of its parts are meaningless.
    """
    owners, sizes, n_groups = parts.owners, parts.sizes, len(parts.n_parts)
    alone = parts.kept_alone()
    n_good = _counts(owners, alone, n_groups)
    ranks = _ranks(owners, sizes, alone)
    joined = np.zeros(n_groups, np.int64)
    """For each group, how many of its smallest good parts have joined the rest."""
    pending = (n_good < parts.n_parts) & (n_good > 0)
    settled = n_good == parts.n_parts
    while pending.any():
        found = parts.kept_together(pending[owners] & (~alone | (ranks < joined[owners])))
        settled |= found & pending
        pending &= ~found & (joined < n_good - 1)
        joined[pending] += 1
    rest = ~alone | (ranks < joined[owners])
    n_apart = _counts(owners, ~rest, n_groups)
    firsts = np.concatenate([[0], np.cumsum(n_apart)[:-1]])
    numbers = np.where(rest, n_apart[owners], np.cumsum(~rest) - 1 - firsts[owners])
    n_cut = n_apart + (n_apart < parts.n_parts)
    return numbers, np.where(settled, n_cut, 1)


def _counts(owners: np.ndarray, chosen: np.ndarray, n_groups: int) -> np.ndarray:
    return np.bincount(owners[chosen], minlength=n_groups)


def _ranks(owners: np.ndarray, sizes: np.ndarray, good: np.ndarray) -> np.ndarray:
    """Return the rank of each good part among those of its group, the smallest first; others rank behind all."""
    ranks = np.full(len(owners), len(owners))
    order = np.lexsort([sizes, owners])
    order = order[good[order]]
    begins = np.searchsorted(owners[order], owners[order])
    ranks[order] = np.arange(len(order)) - begins
    return ranks
