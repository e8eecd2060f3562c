"""A table, or what is left of it when records are withheld, cut into groups that keep the promises."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.data import Microdata
from shoal.engines import Engine
from shoal.kernels.segments import part_sizes, reordered, segment_rows
from shoal.models import PrivacyModel
from shoal.progress import stage
from shoal.randomness import Randomness

from .attribute import Attribute, Segments, attribute
from .canonical_order import canonical_order
from .group_promises import GroupPromises
from .pooled_parts import CutParts, pooled_parts
from .told_loss import told_loss

__all__ = ["CutTable", "TableCutting"]


@dataclass(frozen=True, eq=False)
class CutTable:
    """Some records of a table in groups."""

    table: Microdata
    """The whole table."""
    rows: np.ndarray
    """The records of the table that are told."""
    segments: Segments
    """The groups, of places among the rows."""
    attributes: Sequence[Attribute]
    widened: bool
    """Whether the ends of ranges are rounded outward."""
    promises: GroupPromises
    """Judges groups of the rows."""

    @cached_property
    def told(self) -> Microdata:
        """The rows, each told by the label of its group."""
        told = []
        for each in self.attributes:
            extents = each.extents(self.segments)
            told.append(each.recoded(self.segments, each.widened(extents) if self.widened else extents))
        return _rows(self.table, self.rows).replaced(tuple(told))

    @cached_property
    def loss(self) -> float:
        """What is lost of the whole table."""
        return told_loss(self.table, self.told, self.rows)


class TableCutting:
    """Cuts a table, or some of its records, in one way."""

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
        """Take the table and the promises.

        With ``ties`` equal values may be parted, by lot; ``by_hierarchy`` says whether numbers are cut along theirs;
        ``widened`` whether the ends of ranges are rounded outward.
        """
        self._table, self._models, self._engine, self._ties = table, models, engine, ties
        self._by_hierarchy, self._widened = by_hierarchy, widened

    def of_all(self) -> CutTable:
        """Cut all records; where they do not keep the promises together, they stay together."""
        rows = np.arange(len(self._table))
        promises = GroupPromises(self._table, self._models, self._engine)
        return self._cut(rows, promises, self._one(self._table))

    def of(self, rows: np.ndarray, segments: Segments | None = None) -> CutTable | None:
        """Cut some records, or segments of them further; None where they do not keep the promises to begin with.

        Segments are of places among the rows. Promises relative to all records are relative to these.
        """
        rest = _rows(self._table, rows)
        promises = GroupPromises(rest, self._models, self._engine)
        begin = self._one(rest) if segments is None else segments
        labels = np.repeat(np.arange(len(begin)), begin.sizes)
        if not len(rows) or not promises.kept(begin.order, labels, len(begin)).all():
            return None
        return self._cut(rows, promises, begin)

    def _one(self, table: Microdata) -> Segments:
        # only where equal values are parted does it matter who comes first
        order = np.arange(len(table)) if self._ties is None else canonical_order(table, self._ties)
        return Segments(order, np.array([0, len(table)]))

    def _cut(self, rows: np.ndarray, promises: GroupPromises, segments: Segments) -> CutTable:
        columns = _rows(self._table, rows).quasi_identifiers
        attributes = [
            attribute(column, by_hierarchy=self._by_hierarchy or not column.vocabulary.is_ordered) for column in columns
        ]
        made = _Cutting(segments, attributes, promises, split_ties=self._ties is not None).run()
        return CutTable(self._table, rows, made, attributes, self._widened, promises)


def _rows(table: Microdata, rows: np.ndarray) -> Microdata:
    return table if len(rows) == len(table) else table.take(rows)


class _Cutting:
    """One run: the partition so far, and which of its segments may still be cut."""

    def __init__(
        self, segments: Segments, attributes: Sequence[Attribute], promises: GroupPromises, *, split_ties: bool
    ) -> None:
        self._segments, self._attributes, self._promises = segments, attributes, promises
        self._split_ties = split_ties

    def run(self) -> Segments:
        """Cut until nothing can be cut."""
        active = np.arange(len(self._segments))
        with stage("cutting groups", len(self._segments.order)) as progress:
            while len(active):
                before = int(np.diff(self._segments.begins)[active].sum())
                active = self._cut_once(active)
                after = int(np.diff(self._segments.begins)[active].sum())
                progress.advance(before - after)
        return self._segments

    def _cut_once(self, active: np.ndarray) -> np.ndarray:
        """Cut each active segment on its widest attribute that can be cut; give the segments that came of it."""
        segments = self._segments
        widths = np.stack([each.widths(segments, active) for each in self._attributes], axis=1)
        preferred = np.argsort(-widths, axis=1, kind="stable")
        part = np.zeros(len(segments.order), np.int64)
        parts = np.ones(len(segments), np.int64)
        pending = np.arange(len(active))
        for choice in range(len(self._attributes)):
            wanted = preferred[pending, choice]
            pending, wanted = self._still_wide(pending, wanted, widths)
            if not len(pending):
                break
            for index in np.unique(wanted):
                chosen = active[pending[wanted == index]]
                self._attributes[index].cut(segments, chosen, part, split_ties=self._split_ties)
            cut = self._kept(active[pending], part)
            parts[active[pending]] = cut
            pending = pending[cut == 1]
        self._segments = Segments(*reordered(segments.order, segments.begins, parts, part))
        firsts = np.concatenate([[0], np.cumsum(parts)])
        done = parts > 1
        return np.concatenate(
            [np.arange(firsts[s], firsts[s + 1]) for s in np.flatnonzero(done)] or [np.zeros(0, np.int64)]
        )

    @staticmethod
    def _still_wide(pending: np.ndarray, wanted: np.ndarray, widths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        wide = widths[pending, wanted] > 0
        return pending[wide], wanted[wide]

    def _kept(self, chosen: np.ndarray, part: np.ndarray) -> np.ndarray:
        """Judge the parts of the chosen segments; give into how many each is cut, or 1 where no cut keeps the promises.

        Parts that break a promise are pooled, and renumbered where they are.
        """
        segments = self._segments
        sizes = part_sizes(segments.begins, chosen, part)
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        rows, labels = segment_rows(segments.order, segments.begins, chosen, part, offsets)
        numbers, cut = pooled_parts(CutParts(rows, labels, sizes), self._promises)
        part[segments.places(chosen)] = numbers[labels]
        return cut
