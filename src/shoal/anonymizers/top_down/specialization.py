"""Specialization: a group of records takes one attribute down a level, as far as the promises allow.

The records of a group share a label in every attribute. One step down a hierarchy splits them by the label below. Parts
that keep the promises go on; the others are pushed back and keep the old label, as one group. If this group does not
keep the promises, records of parts with a surplus are lifted back to it: the fewest with which both sides keep them
(:mod:`.lifting`). Thousands of groups take their steps at once, so that promises judge their parts in one call.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.anonymizers.generalization.node_loss import leaf_costs
from shoal.anonymizers.promises import GroupPromises
from shoal.data import Hierarchy
from shoal.kernels.groups.segments import common_levels, cut_by_level, part_sizes, reordered, segment_rows

from .lifting import Lifting

__all__ = ["LabeledGroups", "Specialization", "Steps", "step_worth", "value_costs"]

_SPREAD = 0.1
"""The penalty for each record and bit by which a step scatters records, in shares of the cost of an attribute."""


@dataclass(frozen=True, eq=False)
class LabeledGroups:
    """Records by group; each attribute is at the lowest level at which all records of a group share a label."""

    rows: np.ndarray
    begins: np.ndarray
    """Group g is ``rows[begins[g]:begins[g + 1]]``."""
    closed: np.ndarray
    """By group and attribute, whether these records were pushed back there."""
    owners: np.ndarray
    """The number of the trial that each group descends from, where trials are compared."""

    def __len__(self) -> int:
        return len(self.owners)

    @property
    def sizes(self) -> np.ndarray:
        """The number of records of each group."""
        return np.diff(self.begins)

    @property
    def group_of(self) -> np.ndarray:
        """The group of each place."""
        return np.repeat(np.arange(len(self)), self.sizes)

    @classmethod
    def joined(cls, several: Sequence["LabeledGroups"]) -> Self:
        """Concatenate groups."""
        sizes = np.concatenate([each.sizes for each in several])
        return cls(
            np.concatenate([each.rows for each in several]),
            np.concatenate([[0], np.cumsum(sizes)]),
            np.concatenate([each.closed for each in several]),
            np.concatenate([each.owners for each in several]),
        )

    def take(self, chosen: np.ndarray) -> "LabeledGroups":
        """Return the groups of a mask only."""
        rows = self.rows[np.repeat(chosen, self.sizes)]
        begins = np.concatenate([[0], np.cumsum(self.sizes[chosen])])
        return LabeledGroups(rows, begins, self.closed[chosen], self.owners[chosen])

    def owned(self, owners: np.ndarray) -> "LabeledGroups":
        """Return the same groups with other owners."""
        return LabeledGroups(self.rows, self.begins, self.closed, owners)

    def cut(self, attributes: np.ndarray, n_kept: np.ndarray, part: np.ndarray) -> "LabeledGroups":
        """Cut each group in one attribute; records in no kept part stay one group, which is closed there."""
        n_parts = np.maximum.reduceat(part, self.begins[:-1]) + 1
        rows, begins = reordered(self.rows, self.begins, n_parts, part)
        parents = np.repeat(np.arange(len(self)), n_parts)
        number = np.arange(len(parents)) - np.repeat(np.cumsum(n_parts) - n_parts, n_parts)
        closed = self.closed[parents]
        back = number == n_kept[parents]
        closed[back, attributes[parents][back]] = True
        return LabeledGroups(rows, begins, closed, self.owners[parents])


@dataclass(frozen=True, eq=False)
class Steps:
    """The possible steps of some groups, one per attribute."""

    worth: np.ndarray
    """By group and attribute, the worth of a step; −∞ where it is not possible."""
    parts: list[np.ndarray]
    """By attribute, the part of each row of the groups; rows that are pushed back have the number after the parts."""
    n_kept: np.ndarray
    """By group and attribute, the number of parts, without the records pushed back."""

    @property
    def possible(self) -> np.ndarray:
        """By group and attribute, whether a step is possible."""
        return np.greater(self.worth, -np.inf)

    @property
    def n_possible(self) -> np.ndarray:
        """The number of possible steps of each group."""
        return np.count_nonzero(self.possible, axis=1)

    def taken(self, groups: LabeledGroups, chosen: np.ndarray, attributes: np.ndarray) -> LabeledGroups:
        """Return the groups that result when each chosen group takes a step in its entry of ``attributes``."""
        places = np.flatnonzero(np.repeat(chosen, groups.sizes))
        own = np.repeat(attributes[chosen], groups.sizes[chosen])
        part = np.empty(len(places), np.int64)
        for attribute, numbers in enumerate(self.parts):
            here = own == attribute
            part[here] = numbers[places[here]]
        n_kept = self.n_kept[chosen, attributes[chosen]]
        return groups.take(chosen).cut(attributes[chosen], n_kept, part)


class Specialization:
    """Steps down the hierarchies of one table."""

    def __init__(self, codes: Sequence[np.ndarray], hierarchies: Sequence[Hierarchy], promises: GroupPromises) -> None:
        """Value a step by :func:`step_worth`."""
        self._promises, self._lifting = promises, Lifting(promises)
        self._codes = codes
        self._maps = [np.stack(hierarchy.maps).astype(np.int32) for hierarchy in hierarchies]
        self._costs = [value_costs(hierarchy) for hierarchy in hierarchies]

    @property
    def n_attributes(self) -> int:
        """The number of quasi-identifiers."""
        return len(self._codes)

    def levels(self, groups: LabeledGroups) -> np.ndarray:
        """Return by group and attribute the lowest level at which all records of the group share a label."""
        everyone = np.arange(len(groups))
        pairs = zip(self._codes, self._maps, strict=True)
        return np.stack([common_levels(groups.rows, groups.begins, everyone, *pair) for pair in pairs], axis=1)

    def costs(self, groups: LabeledGroups, levels: np.ndarray) -> np.ndarray:
        """Return the loss of each group at these levels, summed over its records."""
        firsts = groups.rows[groups.begins[:-1]]
        each = [costs[levels[:, i], self._codes[i][firsts]] for i, costs in enumerate(self._costs)]
        return groups.sizes * np.sum(each, axis=0)

    def steps(self, groups: LabeledGroups, levels: np.ndarray) -> Steps:
        """Return every possible step."""
        shape = (len(groups), len(self._maps))
        steps = Steps(np.full(shape, -np.inf), [np.zeros(0, np.int64)] * shape[1], np.zeros(shape, np.int64))
        for attribute in range(shape[1]):
            chosen = np.flatnonzero((levels[:, attribute] > 0) & ~groups.closed[:, attribute])
            if len(chosen):
                self._step(groups, attribute, chosen, levels[chosen, attribute] - 1, steps)
        return steps

    def _step(self, groups: LabeledGroups, attribute: int, chosen: np.ndarray, below: np.ndarray, steps: Steps) -> None:
        """Write worth and parts of a step of the chosen groups in one attribute, to the levels ``below``."""
        codes, maps, costs = self._codes[attribute], self._maps[attribute], self._costs[attribute]
        part = np.zeros(len(groups.rows), np.int64)
        cut_by_level(groups.rows, groups.begins, chosen, codes, maps, below, part)
        n_parts = part_sizes(groups.begins, chosen, part)
        offsets = np.concatenate([[0], np.cumsum(n_parts)])
        rows, labels = segment_rows(groups.rows, groups.begins, chosen, part, offsets)
        homes = np.repeat(np.arange(len(chosen)), n_parts)
        kept = self._promises.kept(rows, labels, len(homes))
        goes, possible = self._settled(rows, labels, homes, kept, len(chosen))
        firsts = np.empty(len(homes), np.int64)
        firsts[labels[::-1]] = rows[::-1]
        saved = costs[below[homes] + 1, codes[firsts]] - costs[below[homes], codes[firsts]]
        going, sizes = (np.bincount(each, minlength=len(homes)) for each in (labels[goes], labels))
        worth = step_worth(going * saved, sizes, homes, kept, groups.sizes[chosen])
        steps.worth[chosen, attribute] = np.where(possible, worth, -np.inf)
        n_kept = np.bincount(homes, kept, minlength=len(chosen)).astype(np.int64)
        steps.n_kept[chosen, attribute] = n_kept
        numbers = np.cumsum(kept) - 1
        numbers -= np.concatenate([[0], np.cumsum(n_kept)])[homes]
        in_chosen = np.zeros(len(groups), bool)
        in_chosen[chosen] = True
        part[np.repeat(in_chosen, groups.sizes)] = np.where(goes, numbers[labels], n_kept[homes[labels]])
        steps.parts[attribute] = part

    def _settled(
        self, rows: np.ndarray, labels: np.ndarray, homes: np.ndarray, kept: np.ndarray, n_groups: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the mask of the rows that go on, and the mask of the groups in which both sides keep the promises."""
        goes = kept[labels]
        possible = np.bincount(homes, kept, minlength=n_groups) > 0
        groups = homes[labels]
        back = np.flatnonzero(~goes & possible[groups])
        broken = np.zeros(n_groups, bool)
        broken[groups[back]] = True
        broken &= ~self._promises.kept(rows[back], groups[back], n_groups)
        if broken.any() and self._promises.in_people:
            possible[broken] = False
            goes = self._joined_whole(rows, labels, homes, kept, broken, possible)
        elif broken.any():
            here = np.flatnonzero(broken[groups])
            numbers = np.cumsum(broken) - 1
            surplus = np.where(kept, np.bincount(labels, minlength=len(homes)) - self._promises.fewest, 0)
            parts = np.where(goes[here], labels[here], -1)
            lifted, found = self._lifting.lifted(rows[here], numbers[groups[here]], parts, surplus, int(broken.sum()))
            goes[here[lifted]] = False
            possible[np.flatnonzero(broken)[~found]] = False
        return goes, possible

    def _joined_whole(
        self,
        rows: np.ndarray,
        labels: np.ndarray,
        homes: np.ndarray,
        kept: np.ndarray,
        broken: np.ndarray,
        possible: np.ndarray,
    ) -> np.ndarray:
        """Push back a whole part where the records pushed back do not keep the promises: the smallest that helps.

        Where a person may have several records, records cannot be lifted one by one. Parts that are pushed back are
        cleared from ``kept``, and groups in which that helped are set in ``possible``. Return the rows that go on.
        """
        sizes = np.bincount(labels, minlength=len(homes))
        order = np.lexsort((sizes, homes))
        order = order[(kept & broken[homes])[order]]
        turn = _ranks(homes[order])
        for now in range(int(turn.max(initial=-1)) + 1):
            tried = order[turn == now]
            tried = tried[~possible[homes[tried]]]
            joining = np.zeros(len(homes), bool)
            joining[tried] = True
            joining |= ~kept & np.isin(homes, homes[tried])
            here = np.flatnonzero(joining[labels])
            good = self._promises.kept(rows[here], homes[labels[here]], len(broken))
            helped = tried[good[homes[tried]]]
            kept[helped] = False
            possible[homes[helped]] = True
        return kept[labels]


def _ranks(labels: np.ndarray) -> np.ndarray:
    """Number the entries of each label from 0; equal labels are adjacent."""
    begins = np.flatnonzero(np.diff(labels, prepend=-1))
    return np.arange(len(labels)) - np.repeat(begins, np.diff(begins, append=len(labels)))


def value_costs(hierarchy: Hierarchy) -> np.ndarray:
    """Return by level and value the cost of the label of the value."""
    return np.stack([costs[codes] for costs, codes in zip(leaf_costs(hierarchy), hierarchy.maps, strict=True)])


def step_worth(
    saved: np.ndarray, sizes: np.ndarray, homes: np.ndarray, kept: np.ndarray, of_group: np.ndarray
) -> np.ndarray:
    """Return the worth of a step of each group; −∞ where it saves nothing.

    It is what its parts save, less a penalty for each record and bit by which the step scatters the records: small
    groups cannot take steps in other attributes. ``homes`` has the group of each part, ``sizes`` the records of the
    part before any was lifted, and ``of_group`` those of each group.
    """
    gains = np.bincount(homes, saved, minlength=len(of_group))
    return np.where(gains > 0, gains - _SPREAD * _scattered(sizes, homes, kept, of_group) * of_group, -np.inf)


def _scattered(sizes: np.ndarray, homes: np.ndarray, kept: np.ndarray, of_group: np.ndarray) -> np.ndarray:
    """Return by how many bits the kept parts scatter the records of each group."""
    shares = np.where(kept, sizes, 1) / np.where(kept, of_group[homes], 1)
    return np.bincount(homes, -shares * np.log2(shares), minlength=len(of_group))
