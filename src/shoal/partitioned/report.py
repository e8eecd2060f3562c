"""What a release of a table that is not in memory costs: measures that follow from how its labels are used.

They are defined where those of tables in memory are, in ``utility``; here they are summed by label, not by record.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.data import Role
from shoal.labels import PublishedColumn
from shoal.labels.label_loss import label_losses
from shoal.utility.published_columns import is_root_for_all
from shoal.utility.tables.distributions import distance
from shoal.utility.tables.generalization_loss import certainty_penalties

from .label_uses import LabelUse
from .label_weights import Weights

__all__ = ["nothing_is_left", "report_of"]


def report_of(
    uses: Sequence[LabelUse],
    n: int,
    sizes: Mapping[int, int],
    unique: int,
    k: int | None,
    weights: Sequence[Weights] | None = None,
) -> dict[str, int | float]:
    """Return measures by name of what is published of ``n`` records; ``unique`` of those are like no other.

    ``sizes`` say how many groups there are of each number of records; ``weights``, by column, what labels weigh.
    """
    report = _Report(uses, n, sizes, unique, k, weights)
    return {**report.of_cells(), **report.of_groups(), **report.of_labels(), **report.of_distributions()}


def nothing_is_left(uses: Sequence[LabelUse]) -> bool:
    """Decide whether every quasi-identifier that has something to lose is published as its root."""
    columns = [column for column in (use.published for use in _generalized(uses)) if column.n_leaves > 1]
    return bool(columns) and all(map(is_root_for_all, columns))


def _generalized(uses: Sequence[LabelUse]) -> list[LabelUse]:
    return [use for use in uses if use.column.role is Role.QUASI_IDENTIFIER]


@dataclass(frozen=True)
class _Report:
    uses: Sequence[LabelUse]
    n: int
    sizes: Mapping[int, int]
    unique: int
    k: int | None
    weights: Sequence[Weights] | None

    def of_cells(self) -> dict[str, int | float]:
        generalized, published = _generalized(self.uses), self._published
        cells, changed = published * len(generalized), sum(use.changed for use in generalized)
        distortion = float(sum(map(_distortion, generalized)))
        return {
            "distortion": distortion,
            **({"distortion per cell": distortion / cells} if cells else {}),
            "cells changed": changed,
            "ratings invented": 0,
            "ratings dropped": 0,
            "records withheld": self._withheld,
            "cells kept": (cells - changed) / (self.n * len(generalized)) if generalized else 1.0,
            "original and unique": self.unique / published,
        }

    def of_groups(self) -> dict[str, int | float]:
        average = self._published / sum(self.sizes.values())
        pairs = sum(size * size * number for size, number in self.sizes.items())
        return {
            "discernability": pairs + self._withheld * self.n,
            "average group size": average,
            **({} if self.k is None else {"normalized average group size": average / self.k}),
        }

    def of_labels(self) -> dict[str, float]:
        """Return what labels say less than values did; nothing where there is no quasi-identifier."""
        uses, withheld = _generalized(self.uses), self._withheld
        if not uses:
            return {}
        columns = [use.published for use in uses]
        levels = sum(column.height for column in columns)
        pairs = list(zip(uses, columns, strict=True))
        climbed = sum(int(_counts(use) @ column.heights) for use, column in pairs) + withheld * levels
        bits = sum(_bits_before(use) for use in uses)
        lost = sum(_bits_lost(use, column, withheld) for use, column in pairs)
        return {
            "loss-mean": self._mean(pairs, label_losses),
            "normalized certainty penalty": self._mean(pairs, certainty_penalties),
            "precision": 1 - self._mean(pairs, lambda column: column.heights / column.height),
            "distortion ratio": climbed / (levels * self.n),
            **({"entropy loss": max(lost / bits, 0.0)} if bits else {}),
        }

    def _mean(
        self, pairs: Sequence[tuple[LabelUse, PublishedColumn]], of_labels: Callable[[PublishedColumn], np.ndarray]
    ) -> float:
        """Return a loss of labels as the mean over all records and quasi-identifiers; a withheld record loses 1."""
        losses = [float(_counts(use) @ of_labels(column)) + self._withheld for use, column in pairs]
        return sum(losses) / len(losses) / self.n

    def of_distributions(self) -> dict[str, float]:
        """Return how far counts of values are off for an analyst of the release."""
        places = [i for i, use in enumerate(self.uses) if _is_compared(use)]
        columns = [(self.uses[i], self.uses[i].published) for i in places]
        if not columns:
            return {}
        distances = [distance(column, _before(use), _counts(use)) for use, column in columns]
        means = {"attribute distribution distance": sum(distances) / len(distances)}
        if self.weights is not None:
            pairs = zip(columns, (self.weights[i] for i in places), strict=True)
            weighted = [
                distance(column, _ordered(use, w.before), w.after[use.records > 0]) for (use, column), w in pairs
            ]
            means["weighted attribute distribution distance"] = sum(weighted) / len(weighted)
        return means

    @property
    def _published(self) -> int:
        return int(self.uses[0].records.sum())

    @property
    def _withheld(self) -> int:
        return self.n - self._published


def _is_compared(use: LabelUse) -> bool:
    return use.column.role.is_observable or use.column.role is Role.SENSITIVE


def _counts(use: LabelUse) -> np.ndarray:
    """Return by label that is used how many published records have it."""
    return use.records[use.records > 0]


def _ordered(use: LabelUse, by_value: np.ndarray) -> np.ndarray:
    """Return what each value of the originals has, in the order of the values that occur."""
    occurring = np.flatnonzero(use.column.counts)
    order = use.column.vocabulary.take(occurring).arg_sort(nulls_last=False).to_numpy()
    return by_value[occurring[order]]


def _before(use: LabelUse) -> np.ndarray:
    return _ordered(use, use.column.counts)


def _bits_before(use: LabelUse) -> float:
    counts = _before(use)
    return float(counts @ np.log2(counts.sum() / counts))


def _bits_lost(use: LabelUse, column: PublishedColumn, withheld: int) -> float:
    """Return the bits by which labels say less than values; a withheld record says nothing."""
    counts = _before(use)
    by_labels = float(_counts(use) @ np.log2(column.sums(counts)))
    return by_labels + withheld * float(np.log2(counts.sum())) - float(counts @ np.log2(counts))


def _distortion(use: LabelUse) -> float:
    """Return the share of the values that occur that each record's label stands for besides its own, summed."""
    if use.n_values < 2:
        return 0.0
    return float((use.records @ (use.covered - 1)) / (use.n_values - 1))
