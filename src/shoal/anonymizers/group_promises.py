"""Which groups of some records would keep the promises."""

from collections.abc import Sequence

import numpy as np

from shoal.data import Microdata
from shoal.engines import Engine
from shoal.evidence import Grouping, NeedGroups
from shoal.models import KAnonymity, PrivacyModel

__all__ = ["GroupPromises"]


class GroupPromises:
    """Judges groups of records of one table, many times over."""

    def __init__(self, table: Microdata, models: Sequence[PrivacyModel], engine: Engine) -> None:
        # only what is counted is carried along
        self._counted = Microdata(table.sensitive or table.quasi_identifiers[:1])
        self._models = [model for model in models if not isinstance(model, KAnonymity)]
        self._sensitive = any(isinstance(model.need, NeedGroups) and model.need.sensitive for model in self._models)
        self._engine = engine
        # what is published together is all records, whichever of them are candidates
        all_in_one = Grouping(np.zeros(len(table), np.int64), min(len(table), 1))
        self._everybody = engine.count(self._counted, all_in_one, sensitive=self._sensitive)
        self.fewest = max(model.fewest_records for model in models)
        """No smaller group keeps the promises."""

    @property
    def by_size(self) -> bool:
        """Whether every group of the fewest records, or more, keeps the promises."""
        return not self._models

    def kept(self, rows: np.ndarray, labels: np.ndarray, n_groups: int) -> np.ndarray:
        """Give the mask of the groups that keep the promises; row i is in group labels[i]. An empty one does not."""
        sizes = np.bincount(labels, minlength=n_groups)
        good = sizes >= self.fewest
        if self.by_size or not good.any():
            return good
        some = good[labels]
        numbers = np.cumsum(good) - 1
        grouping = Grouping(numbers[labels[some]], int(good.sum()))
        counts = self._engine.count(self._counted.take(rows[some]), grouping, sensitive=self._sensitive)
        counts = counts.among(self._everybody)
        broken = np.zeros(len(counts), bool)
        for model in self._models:
            broken |= model.judge(counts).violating
        good[np.flatnonzero(good)[broken]] = False
        return good

    def keeps(self, rows: np.ndarray) -> bool:
        """Tell whether these records together keep the promises."""
        return bool(self.kept(rows, np.zeros(len(rows), np.int64), 1)[0])

    def alike(self, rows: np.ndarray) -> np.ndarray:
        """Number rows that are the same in everything promises look at."""
        labels = np.zeros(len(rows), np.int64)
        if not self._sensitive:
            return labels
        for column in self._counted.columns:
            labels = np.unique(labels * len(column.vocabulary) + column.codes[rows], return_inverse=True)[1]
        return labels
