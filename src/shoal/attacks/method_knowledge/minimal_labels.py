"""Minimal labels: what a published label discloses to an attacker who knows how labels are chosen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from shoal.anonymizers import Decomposition, GreedyClustering, Lattice, Microaggregation, Specialization, TopDown
from shoal.attacks.exposure import Exposure
from shoal.labels import PublishedColumn

__all__ = ["MinimalLabel", "cuts_in_value_order", "minimal_labels", "why_labels_are_not_minimal"]


Form = Literal["value", "range", "node", "unknown"]


@dataclass(frozen=True, eq=False)
class MinimalLabel:
    """The values a label may stand for, and what follows if it is no more general than necessary.

    * A *value* is published exactly.
    * A *range* reaches from the lowest value in the group to the highest: both occur, and so does the missing value
      where the label stands for it as well. ``*`` is such a range, of all values, where a method cuts values without a
      hierarchy in their order.
    * A *node* of a hierarchy is the lowest that covers the group: not all of the group is in one of its branches.
    * From any other label (*unknown*) it only follows that not all values in the group are equal, or their value would
      have been published. Each value is a branch. A node whose name has two meanings is such a label.
    """

    form: Form
    values: np.ndarray
    """Ascending codes of the published column's values."""
    branches: np.ndarray
    """For each of them the number of its branch, from 0 in the order of the hierarchy's labels."""
    with_missing: bool = False
    """Whether the first of the values is the missing one."""

    @property
    def occurring(self) -> list[int]:
        """The positions of the values of a range that must occur in its group."""
        return sorted({0, int(self.with_missing), len(self.values) - 1})


def minimal_labels(published: PublishedColumn, *, in_order: bool) -> list[MinimalLabel]:
    """Return what every label of a column discloses; ``in_order`` where values without a hierarchy are cut in order."""
    levels = _levels_of_labels(published)
    return [_reading(published, label, levels, in_order=in_order) for label in range(len(published.forms))]


def _levels_of_labels(published: PublishedColumn) -> list[int]:
    """Return the levels on which a group may have got its label: those of halves where a label is one.

    A method that does not halve publishes the lowest label of the hierarchy itself, though a half may be lower.
    """
    heights = published.level_heights
    own = [level for level, height in enumerate(heights) if height not in heights[level + 1 :]]
    nodes = [label for label, form in enumerate(published.forms) if form == "node"]
    if all(any(_is_node(published.levels[level], published.values_of(label)) for level in own) for label in nodes):
        return own
    return list(range(len(heights)))


def _is_node(level: np.ndarray, values: np.ndarray) -> bool:
    """Whether these values are all the values under one label of a level."""
    return np.array_equal(np.flatnonzero(level == level[values[0]]), values)


def _reading(published: PublishedColumn, label: int, levels: list[int], *, in_order: bool) -> MinimalLabel:
    form, values = published.forms[label], published.values_of(label)
    if form == "node":
        below = [published.levels[level] for level in levels if level < published.node_levels[label]]
        return MinimalLabel("node", values, _branches(below, values))
    each = np.arange(len(values))
    is_range = (form == "range" or (form == "everything" and in_order)) and len(values) > 1
    with_missing = published.values[int(values[0])] is None
    return MinimalLabel("value" if form == "value" else "range" if is_range else "unknown", values, each, with_missing)


def _branches(lower: Sequence[np.ndarray], values: np.ndarray) -> np.ndarray:
    """Divide values by their labels on the highest of the lower levels that distinguishes them."""
    for below in reversed(lower):
        nodes, branches = np.unique(below[values], return_inverse=True)
        if len(nodes) > 1:
            return branches.ravel()
    return np.zeros(len(values), np.int64)


_ONE_LEVEL: Final = "generalizes each column to one level for everybody, so a label may be more general than necessary."
_ONE_CUT: Final = "publishes a value under one label for everybody, so a label may be more general than necessary."
_CENTROIDS: Final = "publishes means, medians and most frequent values, which are not labels of the original values."
_NOT_MINIMAL: Final = {
    Lattice.name: _ONE_LEVEL,
    Decomposition.name: _ONE_LEVEL,
    Specialization.name: _ONE_CUT,
    Microaggregation.name: _CENTROIDS,
}
"""Methods that do not choose minimal labels for each group, and what they do instead."""


def why_labels_are_not_minimal(exposure: Exposure) -> str | None:
    """Return a sentence on why the method does not choose minimal labels for every group; None if it may.

    Raw data are published exactly, and an unknown method is assumed to choose minimal labels.
    """
    method = (exposure.method or "").partition(":")[0]
    return f"The method {method!r} {_NOT_MINIMAL[method]}" if method in _NOT_MINIMAL else None


def cuts_in_value_order(exposure: Exposure) -> bool:
    """Return whether values without a hierarchy are cut in their order: ``*`` is then the range of all of them.

    ``top-down`` and ``greedy-clustering`` publish such values exactly or suppress them. An unknown method is
    assumed to cut in order.
    """
    return (exposure.method or "").partition(":")[0] not in (TopDown.name, GreedyClustering.name)
