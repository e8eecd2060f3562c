"""The promises from the view of a method: which candidate groups keep them, and which promises it can keep at all."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from shoal.data import Microdata
from shoal.engines import Engine
from shoal.errors import WordingError
from shoal.evidence import GroupCounts, Grouping, NeedGroups, NeedItemSets, NeedPartition, ValueCounts
from shoal.models import PrivacyModel

__all__ = [
    "GroupPromises",
    "are_kept_by_profiles",
    "are_kept_upward",
    "fewest_holders",
    "fewest_raters",
    "refuse_unless_merge_safe",
    "refuse_without_groups",
]


class GroupPromises:
    """Judges groups of records of one table, many times over."""

    def __init__(
        self, table: Microdata, models: Sequence[PrivacyModel], engine: Engine, everybody: GroupCounts | None = None
    ) -> None:
        """Judge groups of a table, among the records of ``everybody`` where these are more than the table has."""
        # only the columns that are counted are carried along
        self._counted = replace(table, columns=table.sensitive or table.quasi_identifiers[:1])
        self.n_records = len(table)
        """How many records groups may be made of."""
        self.in_people = table.has_repeated_people
        """Whether a person may have several records, so that counts of groups in people do not add up."""
        self._models = [model for model in models if model.sufficient_values != 0]
        self._sensitive = any(isinstance(model.need, NeedGroups) and model.need.sensitive for model in self._models)
        self._engine = engine
        # promises relative to the whole release compare with all records, not with the candidates
        all_in_one = Grouping(np.zeros(len(table), np.int64), min(len(table), 1))
        if everybody is None:
            everybody = engine.count(self._counted, all_in_one, sensitive=self._sensitive)
        self.everybody = everybody if self._sensitive else replace(everybody, sensitive=())
        """The counts of all records as one group, with the sensitive attributes if promises need them."""
        self.fewest = max(model.fewest_records for model in models)
        """No group of fewer people, and so of fewer records, keeps the promises."""

    @property
    def by_size(self) -> bool:
        """Whether every group of at least ``fewest`` records keeps the promises."""
        return not self._models and not self.in_people

    @property
    def sensitive_codes(self) -> list[np.ndarray]:
        """The codes of all records in the sensitive attributes, if promises need them."""
        return [column.codes for column in self._counted.columns] if self._sensitive else []

    def counted(self, rows: np.ndarray, labels: np.ndarray, n_groups: int) -> GroupCounts:
        """Count the records and sensitive values of groups; ``rows[i]`` is in group ``labels[i]``."""
        grouping = Grouping(labels, n_groups)
        counts = self._engine.count(self._counted.take(rows), grouping, sensitive=self._sensitive)
        return counts.among(self.everybody)

    def kept(self, rows: np.ndarray, labels: np.ndarray, n_groups: int) -> np.ndarray:
        """Return the mask of the groups that keep the promises; ``rows[i]`` is in group ``labels[i]``.

        An empty group does not keep them.
        """
        sizes = np.bincount(labels, minlength=n_groups)
        good = sizes >= self.fewest
        if self.by_size or not good.any():
            return good
        some = good[labels]
        numbers = np.cumsum(good) - 1
        good[good] = self._judged(self.counted(rows[some], numbers[labels[some]], int(good.sum())))
        return good

    def kept_by_counts(
        self, sizes: np.ndarray, entries: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]]
    ) -> np.ndarray:
        """Return the mask of the groups that keep the promises, from counts.

        For each sensitive attribute, ``entries`` are groups, ascending, the values that occur in each, ascending, and
        their counts.
        """
        pairs = zip(entries, self.everybody.sensitive, strict=True)
        counts = GroupCounts(sizes, tuple(_counts(len(sizes), *pair) for pair in pairs))
        return (sizes >= self.fewest) & self._judged(counts)

    @property
    def keep_everybody(self) -> bool:
        """Whether all records as one group keep the promises."""
        entries = [(each.groups, each.values, each.counts) for each in self.everybody.sensitive]
        return bool(self.kept_by_counts(self.everybody.sizes, entries).all())

    def keeps(self, rows: np.ndarray) -> bool:
        """Decide whether these records as one group keep the promises."""
        return bool(self.kept(rows, np.zeros(len(rows), np.int64), 1)[0])

    def _judged(self, counts: GroupCounts) -> np.ndarray:
        broken = counts.sizes < self.fewest
        for model in self._models:
            broken |= model.judge(counts).violating
        return ~broken


def _counts(n_groups: int, entries: tuple[np.ndarray, np.ndarray, np.ndarray], like: ValueCounts) -> ValueCounts:
    groups, values, counts = entries
    indptr = np.searchsorted(groups, np.arange(n_groups + 1)).astype(np.int64)
    return ValueCounts(indptr, values.astype(np.int32), counts, like.n_values, like.known)


def refuse_unless_merge_safe(method: str, models: Sequence[PrivacyModel]) -> None:
    """Raise if two groups that keep a promise may break it once they are merged."""
    for model in models:
        if not model.merge_safe:
            raise WordingError(f"The method {method!r} cannot keep {model}: merging two groups may break it.")


def refuse_without_groups(method: str, models: Sequence[PrivacyModel]) -> None:
    """Raise if a promise is not judged on groups."""
    for model in models:
        if not isinstance(model.need, NeedGroups):
            raise WordingError(f"The method {method!r} cannot keep {model}: it is not judged on groups.")


def are_kept_upward(models: Sequence[PrivacyModel], *, withholding: bool, in_people: bool = False) -> bool:
    """Decide whether every node above one that keeps the promises keeps them too.

    Where a person may have several records, two groups may have people in common, and the merged group has fewer people
    than both together; ``withholding`` also changes what is merged. Then only promises that hold for any larger group
    are kept upward.
    """
    return all(model.merge_safe and (model.grow_safe or not (withholding or in_people)) for model in models)


def are_kept_by_profiles(model: PrivacyModel) -> bool:
    """Decide whether a promise can be kept by profiles that stand for several people each."""
    return not model.needs_sensitive and not isinstance(model.need, NeedPartition)


def fewest_holders(method: str, models: Sequence[PrivacyModel], longest: int) -> np.ndarray:
    """Return how many people must hold a set of one item, of two, and so on; refuse promises on anything else.

    Nobody has more than ``longest`` items, so no larger set is held, however many items a promise allows to be known.
    """
    fewest: list[int] = []
    for model in models:
        need = model.need
        if not isinstance(need, NeedItemSets) or not need.people:
            raise WordingError(f"The method {method!r} cannot keep {model}.", "It keeps km-anonymity.")
        size = min(need.items, max(longest, 1))
        fewest += [1] * (size - len(fewest))
        fewest[:size] = [max(each, need.enough) for each in fewest[:size]]
    return np.array(fewest, np.int64)


def fewest_raters(models: Sequence[PrivacyModel]) -> int:
    """Return how many people must have rated an item: as many as hide anybody, or as promises need at all."""
    hiding = [model.hidden_among or model.kept_by_equal for model in models]
    sizes = [size for size in hiding if size is not None]
    return max(sizes or [model.fewest_records for model in models], default=1)
