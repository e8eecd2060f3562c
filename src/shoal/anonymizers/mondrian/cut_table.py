"""The cutting of a table, or of the records that are not withheld, into groups that keep the promises."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.anonymizers.canonical_order import canonical_order
from shoal.anonymizers.generalization.cut_segments import cut_segments, table_attributes
from shoal.anonymizers.generalization.cuts import Attribute, Segments
from shoal.anonymizers.promises import GroupPromises
from shoal.data import Microdata
from shoal.engines import Engine
from shoal.labels.label_loss import published_loss
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

__all__ = ["CutTable", "TableCutting"]


@dataclass(frozen=True, eq=False)
class CutTable:
    """Some records of a table in groups."""

    table: Microdata
    """The whole table."""
    rows: np.ndarray
    """The records of the table that are published."""
    segments: Segments
    """The groups, as segments of indices into ``rows``."""
    attributes: Sequence[Attribute]
    widened: bool
    """Whether the ends of ranges are rounded outward."""
    promises: GroupPromises
    """Judges groups of the rows."""

    @cached_property
    def published(self) -> Microdata:
        """The rows, each with the labels of its group."""
        columns = []
        for each in self.attributes:
            extents = each.extents(self.segments)
            columns.append(each.recoded(self.segments, each.widened(extents) if self.widened else extents))
        return _rows(self.table, self.rows).replaced(tuple(columns))

    @cached_property
    def loss(self) -> float:
        """The information loss of the whole table, withheld records included."""
        return published_loss(self.table, self.published, self.rows)


class TableCutting:
    """Cuts a table, or some of its records, with one choice of settings."""

    def __init__(
        self,
        table: Microdata,
        models: Sequence[PrivacyModel],
        engine: Engine,
        *,
        ties: Randomness | None,
        by_hierarchy: bool,
        widened: bool,
    ) -> None:
        """Prepare to cut the table.

        With ``ties`` equal values may be separated, at random; ``by_hierarchy`` says whether numbers are cut along
        their hierarchies, ``widened`` whether the ends of ranges are rounded outward.
        """
        self._table, self._models, self._engine, self._ties = table, models, engine, ties
        self._by_hierarchy, self._widened = by_hierarchy, widened

    def of_all(self) -> CutTable:
        """Cut all records; where they do not keep the promises as one group, they stay one group."""
        rows = np.arange(len(self._table))
        promises = GroupPromises(self._table, self._models, self._engine)
        return self._cut(rows, promises, self._one(self._table))

    def of(self, rows: np.ndarray, segments: Segments | None = None) -> CutTable | None:
        """Cut some records, or further segments of them; None where they do not keep the promises to begin with.

        Segments are of indices into ``rows``. Promises relative to all records are relative to these.
        """
        rest = _rows(self._table, rows)
        promises = GroupPromises(rest, self._models, self._engine)
        begin = self._one(rest) if segments is None else segments
        labels = np.repeat(np.arange(len(begin)), begin.sizes)
        if not len(rows) or not promises.kept(begin.order, labels, len(begin)).all():
            return None
        return self._cut(rows, promises, begin)

    def _one(self, table: Microdata) -> Segments:
        # the order matters only where equal values are separated
        order = np.arange(len(table)) if self._ties is None else canonical_order(table, self._ties)
        return Segments(order, np.array([0, len(table)]))

    def _cut(self, rows: np.ndarray, promises: GroupPromises, segments: Segments) -> CutTable:
        attributes = table_attributes(_rows(self._table, rows), by_hierarchy=self._by_hierarchy)
        made = cut_segments(segments, attributes, promises, split_ties=self._ties is not None)
        return CutTable(self._table, rows, made, attributes, self._widened, promises)


def _rows(table: Microdata, rows: np.ndarray) -> Microdata:
    return table if len(rows) == len(table) else table.take(rows)
