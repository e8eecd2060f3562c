"""What the candidates whom an attacker finds say about a sensitive attribute."""

from fractions import Fraction
from functools import cached_property

import numpy as np

from shoal.engines.neighbour_search import sums_within
from shoal.evidence import ValueCounts
from shoal.kernels.value_counts import value_counts

from .exposure import Exposure
from .sensitive_attribute import SensitiveAttribute

__all__ = ["CandidateValues"]


class CandidateValues:
    """How often each value occurs among the candidates for each group of alike records, and among all.

    The candidates for a group are its records or, for ratings, all published records within a distance of it.
    """

    def __init__(self, exposure: Exposure, attribute: SensitiveAttribute, within: Fraction) -> None:
        radius = exposure.ratings[1].scale.steps_within(within) if exposure.truth.kind == "ratings" else 0
        self.counts = _near(exposure, attribute, radius) if radius else _alike(exposure, attribute)
        """Of each group, and last of all published records together."""

    @property
    def everybody(self) -> int:
        """The number under which all published records together are counted."""
        return len(self.counts) - 1

    @cached_property
    def totals(self) -> np.ndarray:
        """How many candidates have a value."""
        return np.bincount(self.owners, self.counts.counts, minlength=len(self.counts)).astype(np.int64)

    @cached_property
    def most(self) -> np.ndarray:
        """How many candidates have the most frequent value."""
        most = np.zeros(len(self.counts), np.int64)
        np.maximum.at(most, self.owners, self.counts.counts)
        return most

    @cached_property
    def owners(self) -> np.ndarray:
        """The group of each count."""
        return np.repeat(np.arange(len(self.counts)), np.diff(self.counts.indptr))

    def informative(self, groups: np.ndarray) -> np.ndarray:
        """Put everybody in place of groups none of whose candidates has a value."""
        return np.where(self.totals[groups] == 0, self.everybody, groups)

    def chances_of_guess(self, groups: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Give the chance that the most frequent value in a group is this value; several as frequent are drawn from."""
        groups = self.informative(groups)
        is_most = self.counts.counts == self.most[self.owners]
        as_frequent = np.bincount(self.owners, is_most, minlength=len(self.counts))
        return np.where(self._number_of(groups, values) == self.most[groups], 1 / as_frequent[groups], 0.0)

    def shares(self, groups: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Give the share of this value among the candidates for a group."""
        groups = self.informative(groups)
        return self._number_of(groups, values) / self.totals[groups]

    def _number_of(self, groups: np.ndarray, values: np.ndarray) -> np.ndarray:
        keys = self.owners * self.counts.n_values + self.counts.values
        asked = groups * self.counts.n_values + values
        place = np.minimum(np.searchsorted(keys, asked), len(keys) - 1)
        return np.where(keys[place] == asked, self.counts.counts[place], 0)


def _alike(exposure: Exposure, attribute: SensitiveAttribute) -> ValueCounts:
    given = np.flatnonzero(attribute.seen >= 0)
    labels, n_groups = exposure.grouping.labels[given], exposure.grouping.n_groups
    values = attribute.seen[given]
    twice = np.concatenate([labels, np.full(len(given), n_groups)]), np.concatenate([values, values])
    counted = value_counts(twice[0], n_groups + 1, twice[1], attribute.n_values)
    return ValueCounts(*counted, attribute.n_values)


def _near(exposure: Exposure, attribute: SensitiveAttribute, radius: int) -> ValueCounts:
    """Count among all records within the radius of the first record of each group."""
    seen = exposure.ratings[1]
    occurring = np.unique(attribute.seen[attribute.seen >= 0])
    amounts = np.zeros((len(seen), 1 + len(occurring)), np.int64)
    amounts[:, 0] = 1
    given = np.flatnonzero(attribute.seen >= 0)
    amounts[given, 1 + np.searchsorted(occurring, attribute.seen[given])] = 1
    everybody = amounts[:, 1:].sum(axis=0)
    firsts = np.unique(exposure.grouping.labels, return_index=True)[1]
    if radius >= seen.scale.null_steps:
        found = np.broadcast_to(everybody, (len(firsts), len(occurring)))
    else:
        found = sums_within(seen.observable, seen.scale.points, radius, amounts)[firsts, 1:]
    table = np.vstack([found, everybody])
    owners, columns = np.nonzero(table)
    indptr = np.searchsorted(owners, np.arange(len(table) + 1)).astype(np.int64)
    return ValueCounts(indptr, occurring[columns].astype(np.int32), table[owners, columns], attribute.n_values)
