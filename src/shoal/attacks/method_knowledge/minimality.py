"""The attack ``minimality``: a group that could have been cut and was not discloses that a cut would break a promise.

*Knowledge.* The quasi-identifiers and the group of everybody; the promises; and that the method
cuts a group wherever the parts keep the promises. So a group whose parts would be large enough, and which is published
uncut, must have had a part in which the sensitive values broke the promise. It is not run on releases of methods that
cut no groups.

*Success.* All assignments of a group's published sensitive values to its members are equally likely, except those under
which some cut would have been allowed: these are ruled out. The attacker guesses the value that the target has in most
of the remaining assignments, and is right. Every sensitive value of everybody published is a target.

*Reference.* Wong, Fu, Wang and Pei, Minimality Attack in Privacy Preserving Data Publishing (2007). There groups are
joined or cut by one quasi-identifier; here every quasi-identifier gives a cut, and none of them may be allowed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import gammaln

from shoal.attacks.base import Attack, attacks
from shoal.attacks.exposure import Exposure, control_targets
from shoal.attacks.finding import Outcome, Yardstick
from shoal.attacks.sensitive_attribute import SensitiveAttribute, WeightedValues
from shoal.errors import WordingError
from shoal.evidence import GroupCounts, NeedGroups, SensitiveValues, ValueCounts
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .allowable_cuts import AllowableCuts
from .minimal_labels import why_labels_are_not_minimal

__all__ = ["ContingencyTables", "Minimality", "contingency_tables"]


@dataclass(frozen=True, eq=False)
class ContingencyTables:
    """The tables of parts × values with given margins: all of them with their weights, or a random sample."""

    counts: np.ndarray
    """By table, part and value."""
    weights: np.ndarray
    """Proportional to the probability of each table under a random assignment of values to the group's members."""
    are_all: bool


def contingency_tables(
    sizes: np.ndarray, counts: np.ndarray, limit: int, generator: np.random.Generator
) -> ContingencyTables:
    """Enumerate the tables with row sums ``sizes`` and column sums ``counts``; if over ``limit``, draw ``limit``."""
    assert sizes.sum() == counts.sum()
    found = _all_tables(sizes, counts, limit)
    if found is None:
        return ContingencyTables(_sampled_tables(sizes, counts, limit, generator), np.ones(limit), are_all=False)
    # proportional to the number of assignments with these counts
    logarithms = -gammaln(found + 1.0).sum(axis=(1, 2))
    return ContingencyTables(found, np.exp(logarithms - logarithms.max()), are_all=True)


def _all_tables(sizes: np.ndarray, counts: np.ndarray, limit: int) -> np.ndarray | None:
    """Return all tables, filled part by part and value by value; None if there are more than ``limit``."""
    left = counts[None].astype(np.int64)
    filled = np.zeros((1, 0), np.int64)
    for size in sizes.tolist():
        room = np.full(len(left), size)
        for value in range(len(counts)):
            fewest = np.maximum(room - left[:, value + 1 :].sum(axis=1), 0)
            choices = np.minimum(left[:, value], room) - fewest + 1
            if choices.sum() > limit:  # every partial table can be completed, so there are at least as many tables
                return None
            row = np.repeat(np.arange(len(left)), choices)
            taken = fewest[row] + np.arange(len(row)) - np.repeat(np.cumsum(choices) - choices, choices)
            left, room, filled = left[row], room[row] - taken, np.column_stack([filled[row], taken])
            left[:, value] -= taken
    return filled.reshape(len(filled), len(sizes), len(counts))


def _sampled_tables(sizes: np.ndarray, counts: np.ndarray, n: int, generator: np.random.Generator) -> np.ndarray:
    left = np.tile(counts.astype(np.int64), (n, 1))
    ways = np.empty((n, len(sizes), len(counts)), np.int64)
    for part, size in enumerate(sizes.tolist()):
        room = np.full(n, size)
        for value in range(len(counts)):
            taken = generator.hypergeometric(left[:, value], left[:, value + 1 :].sum(axis=1), room)
            ways[:, part, value] = taken
            left[:, value] -= taken
            room -= taken
    return ways


_FEWEST_LEFT = 30
"""The fewest sampled tables that must remain for an inference."""


@attacks.add
@dataclass(frozen=True)
class Minimality(Attack):
    """Infers sensitive values from groups that could have been cut and were not."""

    name: ClassVar[str] = "minimality"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    yardstick: ClassVar[Yardstick] = "inference"

    ways: int = 5000
    """The most assignments of a group's values to its parts to enumerate; if there are more, as many are drawn."""

    def __post_init__(self) -> None:
        if self.ways < 1:
            raise WordingError("minimality: ways must be at least 1.")

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        return (
            "Knows everybody's quasi-identifiers, and that the method cuts groups wherever the promises allow, and "
            "guesses a person's sensitive value from groups that were not cut."
        )

    def _misfit(self, exposure: Exposure) -> str | None:
        if not _promised(exposure, sensitive=True):
            return "No promise is about sensitive values in groups."
        if not SensitiveAttribute.names(exposure):
            return "No sensitive attribute is published."
        if exposure.persons is not None:
            return "It counts records, and people in this table may have several."
        return why_labels_are_not_minimal(exposure)

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        generator = randomness.generator("minimality")
        attributes = [SensitiveAttribute.read(exposure, name) for name in SensitiveAttribute.names(exposure)]
        inside = _InsideGroups(exposure, attributes, self.ways, generator)
        targets = exposure.published
        known = inside.owners(targets)
        groups = exposure.group_of[targets]
        everybody = np.full(len(targets), inside.everybody)
        others = control_targets(np.arange(len(targets)), generator)
        weights = [inside.weighted(attribute) for attribute in attributes]

        def values(what: str, owners: np.ndarray) -> np.ndarray:
            pairs = zip(weights, attributes, strict=True)
            return np.concatenate([getattr(each, what)(owners, of.true[targets]) for each, of in pairs])

        gains = values("share", known) - values("share", groups)
        details = {
            "without_minimality": float(values("guessed", groups).mean()),
            "groups": exposure.grouping.n_groups,
            "groups_that_could_be_cut": inside.n_decided + inside.n_open,
            "groups_decided_by_every_way": inside.n_exact,
            "groups_left_open": inside.n_open,
            "largest_gain": float(gains.max()),
            "average_gain": float(gains.mean()),
            "largest_posterior": max(float(each.largest_shares[known].max()) for each in weights),
            "largest_posterior_without_minimality": max(float(each.largest_shares[groups].max()) for each in weights),
        }
        baseline = float(values("guessed", everybody).mean())
        return Outcome(values("guessed", known), baseline, values("guessed", known[others]), details)


def _promised(exposure: Exposure, *, sensitive: bool) -> list[PrivacyModel]:
    return [
        promise
        for promise in exposure.promises
        if isinstance(promise.need, NeedGroups) and promise.needs_sensitive == sensitive
    ]


class _InsideGroups:
    """The weighted sensitive values of every group, of every part into which cuts divide a group, and of everybody.

    Owners are numbered in this order: first the groups, then the parts, and last everybody.
    """

    def __init__(
        self,
        exposure: Exposure,
        attributes: Sequence[SensitiveAttribute],
        ways: int,
        generator: np.random.Generator,
    ) -> None:
        self._exposure, self._attributes, self._ways, self._generator = exposure, attributes, ways, generator
        self._promises = _promised(exposure, sensitive=True)
        self._known = [_known(exposure, attribute) for attribute in attributes]
        self._owner = exposure.group_of.copy()
        rows = np.arange(len(exposure.seen))
        # an owner, a published record whose sensitive values it may have, and the weight
        self._entries = [(exposure.grouping.labels, rows, np.ones(len(rows)))]
        self.everybody = exposure.grouping.n_groups
        self.n_decided = self.n_exact = self.n_open = 0
        groups = AllowableCuts(exposure, _promised(exposure, sensitive=False))
        # a single group was never cut, and nothing shows that its method cuts where it may
        for members, cuts in groups if len(groups) > 1 else ():
            if cuts:
                self._look_into(members, cuts)
        self._entries.append((np.full(len(rows), self.everybody), rows, np.ones(len(rows))))

    def owners(self, rows: np.ndarray) -> np.ndarray:
        """Return the part of each record of the truth, or its group where nothing is known of its parts."""
        return self._owner[rows]

    def weighted(self, attribute: SensitiveAttribute) -> WeightedValues:
        """Return the weighted values of one attribute."""
        owners, rows, times = (np.concatenate(each) for each in zip(*self._entries, strict=True))
        return WeightedValues(
            owners, attribute.seen[rows], times, n_owners=self.everybody + 1, n_values=attribute.n_values
        )

    def _look_into(self, members: np.ndarray, cuts: Sequence[np.ndarray]) -> None:
        """Weigh the assignments of one group under which none of its cuts is allowed."""
        places = self._exposure.place[members]
        values = np.stack([attribute.seen[places] for attribute in self._attributes])
        kinds, firsts, counts = np.unique(values, axis=1, return_index=True, return_counts=True)
        parts, part = np.unique(np.stack(cuts), axis=1, return_inverse=True)
        ways = contingency_tables(np.bincount(part.ravel()), counts, self._ways, self._generator)
        left = np.all([self._is_refused(cut, ways.counts, kinds) for cut in parts], axis=0)
        if np.count_nonzero(left) < (1 if ways.are_all else _FEWEST_LEFT):
            self.n_open += 1
            return
        self.n_decided += 1
        self.n_exact += ways.are_all
        times = np.tensordot(ways.weights[left] / ways.weights[left].max(), ways.counts[left], axes=1)
        inside, which = np.nonzero(times)
        self._entries.append((self.everybody + inside, places[firsts[which]], times[inside, which]))
        self._owner[members] = self.everybody + part.ravel()
        self.everybody += len(times)

    def _is_refused(self, cut: np.ndarray, ways: np.ndarray, kinds: np.ndarray) -> np.ndarray:
        """Return for each table whether a side of the cut breaks a promise; ``cut`` is the side of every part."""
        sides = np.stack([ways[:, cut == side].sum(axis=1) for side in range(int(cut.max()) + 1)], axis=1)
        flat = sides.reshape(-1, sides.shape[2])
        counted = (_value_counts(flat, of, known) for of, known in zip(kinds, self._known, strict=True))
        counts = GroupCounts(flat.sum(axis=1), tuple(counted))
        broken = np.any([promise.judge(counts).violating for promise in self._promises], axis=0)
        return broken.reshape(sides.shape[:2]).any(axis=1)


def _known(exposure: Exposure, attribute: SensitiveAttribute) -> SensitiveValues:
    """Return what promises may need of a column beside the counts of a group: it is published too."""
    column = exposure.tables[0][attribute.name]
    totals = np.bincount(attribute.seen, minlength=len(column.vocabulary)).astype(np.int64)
    return SensitiveValues(column, totals)


def _value_counts(counts: np.ndarray, values: np.ndarray, known: SensitiveValues) -> ValueCounts:
    """Count values by row; several columns may stand for the same value."""
    occurring, column = np.unique(values, return_inverse=True)
    by_value = counts @ (column.ravel()[:, None] == np.arange(len(occurring)))
    rows, columns = np.nonzero(by_value)
    indptr = np.searchsorted(rows, np.arange(len(counts) + 1)).astype(np.int64)
    return ValueCounts(indptr, occurring[columns].astype(np.int32), by_value[rows, columns], len(known.totals), known)
