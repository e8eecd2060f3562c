"""What a published label gives away to somebody who knows how labels are chosen."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from shoal.anonymizers import Decomposition, Lattice, Microaggregation, TopDown
from shoal.attacks.exposure import Exposure
from shoal.labels import PublishedColumn

__all__ = ["MinimalLabel", "cuts_in_value_order", "minimal_labels", "why_labels_are_not_minimal"]


Form = Literal["value", "range", "node", "unknown"]


@dataclass(frozen=True, eq=False)
class MinimalLabel:
    """The values a label may stand for, and what a method that tells no less than it must gives away by it.

    * A *value* is told as it is.
    * A *range* reaches from the lowest value in the group to the highest: both occur, and what is missing does where it
      stands for that as well. So does ``*`` where a method cuts
      values without a hierarchy in their order: it is the range of all of them.
    * A *node* of a hierarchy is the lowest that covers the group: not all of the group is in one of its branches.
    * Of any other label (*unknown*) nothing follows but that not all in the group are equal, or their value would have
      been published. Each value is a branch. A node whose name has two meanings is such a label: it is not known which
      of them is meant in a group.
    """

    form: Form
    values: np.ndarray
    """Ascending, numbered as in the column that is told."""
    branches: np.ndarray
    """For each of them the number of its branch, ascending from 0 in the order of the hierarchy's labels."""
    with_missing: bool = False
    """Whether the first of the values is the missing one."""

    @property
    def occurring(self) -> list[int]:
        """Which of the values of a range occur in its group."""
        return sorted({0, int(self.with_missing), len(self.values) - 1})


def minimal_labels(published: PublishedColumn, *, in_order: bool) -> list[MinimalLabel]:
    """Say of every label of a column what it gives away; ``in_order`` where values without a hierarchy are cut so."""
    return [_reading(published, label, in_order=in_order) for label in range(len(published.forms))]


def _reading(published: PublishedColumn, label: int, *, in_order: bool) -> MinimalLabel:
    form, values = published.forms[label], published.values_of(label)
    if form == "node":
        return MinimalLabel("node", values, _branches(published, int(published.node_levels[label]), values))
    each = np.arange(len(values))
    is_range = (form == "range" or (form == "everything" and in_order)) and len(values) > 1
    with_missing = published.values[int(values[0])] is None
    return MinimalLabel("value" if form == "value" else "range" if is_range else "unknown", values, each, with_missing)


def _branches(published: PublishedColumn, level: int, values: np.ndarray) -> np.ndarray:
    """Part values by their labels on the next lower level that tells them apart."""
    for below in reversed(published.levels[:level]):
        nodes, branches = np.unique(below[values], return_inverse=True)
        if len(nodes) > 1:
            return branches.ravel()
    return np.zeros(len(values), np.int64)


_ONE_LEVEL: Final = "tells each column at one level for everybody, so a label may be wider than its group needs."
_MIDDLES: Final = "publishes means, medians and most common values, which are no labels of what is behind them."
_OTHERWISE: Final = {Lattice.name: _ONE_LEVEL, Decomposition.name: _ONE_LEVEL, Microaggregation.name: _MIDDLES}
"""What other methods do than to tell every group on its own, as exactly as the promises allow."""


def why_labels_are_not_minimal(exposure: Exposure) -> str | None:
    """Say in a sentence why the method that was used does not tell every group as exactly as it can; None if it may.

    Raw data are told as exactly as can be, and a method that is not known is supposed to do its best.
    """
    method = (exposure.method or "").partition(":")[0]
    return f"The method {method!r} {_OTHERWISE[method]}" if method in _OTHERWISE else None


def cuts_in_value_order(exposure: Exposure) -> bool:
    """Tell whether values without a hierarchy are cut in their order: ``*`` is then the range of all of them.

    ``top-down`` tells such values as they are or not at all. A method that is not known is taken for the usual one.
    """
    return (exposure.method or "").partition(":")[0] != TopDown.name
