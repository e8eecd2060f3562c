"""What a specialization is worth: the information it gives about a target, or else the loss that it saves.

*Information gain.* H(classes) − H(classes | parts) in bits, over the records under the label that is specialized.

*Saved loss.* By how much the loss-mean of the table falls: the share of other values that labels stand for, on average
over records and quasi-identifiers, a withheld record counting as lost in all of them.
"""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from shoal.evidence import conditional_entropy, entropy

from .partition import Partition

if TYPE_CHECKING:
    from .descent import Step

__all__ = ["Gain", "InformationGain", "SavedLoss"]

_DIGITS = 12
"""Gains are compared to so many decimals: a smaller difference is one of rounding."""
_CUT_DIGITS = 9
"""Those of the cuts of one range, which are added up record by record."""


class Gain(ABC):
    """The worth of specializations."""

    @abstractmethod
    def of(self, step: "Step", before: Partition, after: Partition) -> float:
        """Return what a step gains that leads from one partition of the records to another."""

    @abstractmethod
    def best_cut(self, rows: np.ndarray, places: np.ndarray, n_places: int) -> int:
        """Return how many of the values of a range go to the left where it is cut in two, the fewest of the best.

        ``places`` has for each of the records ``rows`` the place of its value in the range; every place occurs.
        """

    def taken(self, step: "Step") -> None:  # noqa: B027 - most need not know
        """Take note of a step that was taken."""


class InformationGain(Gain):
    """How many bits about the class of a record a step gives, on average over the records under the label."""

    def __init__(self, classes: np.ndarray) -> None:
        """Begin with the class of each record, as a code."""
        self._classes = classes
        self._known: dict[Step, float] = {}

    def of(self, step: "Step", before: Partition, after: Partition) -> float:  # noqa: ARG002
        """Return the gain, which depends on the step alone."""
        if step not in self._known:
            classes = self._classes[step.rows]
            gained = entropy(classes) - conditional_entropy(classes, step.parts)
            self._known[step] = round(max(0.0, gained), _DIGITS)
        return self._known[step]

    def best_cut(self, rows: np.ndarray, places: np.ndarray, n_places: int) -> int:
        """Try every cut: records move from the right to the left one by one, in the order of their values."""
        order = np.argsort(places, kind="stable")
        classes = self._classes[rows][order]
        seen, total = _occurrences(classes)
        left = np.cumsum(_bits(seen) - _bits(seen - 1))
        right = np.cumsum(_bits(total - seen) - _bits(total - seen + 1)) + _bits(np.bincount(classes)).sum()
        moved = np.cumsum(np.bincount(places, minlength=n_places))[:-1]
        within = _bits(moved) - left[moved - 1] + _bits(len(rows) - moved) - right[moved - 1]
        return int(np.argmin(np.round(within / len(rows), _CUT_DIGITS))) + 1


def _occurrences(classes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each entry how many of its class there are up to it, itself included, and in all."""
    order = np.argsort(classes, kind="stable")
    counts = np.bincount(classes)
    begins = np.cumsum(counts) - counts
    seen = np.empty(len(classes), np.int64)
    seen[order] = np.arange(len(classes)) - begins[classes[order]] + 1
    return seen, counts[classes]


def _bits(counts: np.ndarray) -> np.ndarray:
    """Return c·log₂ c of each count."""
    return counts * np.log2(np.maximum(counts, 1))


class SavedLoss(Gain):
    """By how much the loss-mean of the table falls."""

    def __init__(self, losses: np.ndarray, n_attributes: int) -> None:
        """Begin with the loss of each record, summed over its quasi-identifiers."""
        self._losses, self._n_attributes = losses, n_attributes

    def of(self, step: "Step", before: Partition, after: Partition) -> float:
        """Return the gain; it may be negative where more records are withheld."""
        if before.is_whole and after.is_whole:
            saved = -float(step.changes.sum())
        else:
            changed = self._losses.copy()
            changed[step.rows] += step.changes
            saved = self._lost(self._losses, before) - self._lost(changed, after)
        return round(saved / (len(self._losses) * self._n_attributes), _DIGITS)

    def best_cut(self, rows: np.ndarray, places: np.ndarray, n_places: int) -> int:
        """Find where the values that records no longer stand for are most."""
        moved = np.cumsum(np.bincount(places, minlength=n_places))[:-1]
        values = np.arange(1, n_places)
        return int(np.argmax(moved * (n_places - values) + (len(rows) - moved) * values)) + 1

    def taken(self, step: "Step") -> None:
        """Change the losses of the records under the label."""
        self._losses[step.rows] += step.changes

    def _lost(self, losses: np.ndarray, partition: Partition) -> float:
        return float(np.where(partition.gone[partition.groups], self._n_attributes, losses).sum())
