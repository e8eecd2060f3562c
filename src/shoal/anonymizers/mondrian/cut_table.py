"""The cutting of a table, or of the records that are not withheld, into groups that keep the promises."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.anonymizers.canonical_order import canonical_order
from shoal.anonymizers.generalization.cuts import Attribute, Segments, attribute
from shoal.anonymizers.promises import GroupPromises
from shoal.data import Microdata
from shoal.engines import Engine
from shoal.kernels.groups.segments import part_sizes, reordered, segment_rows
from shoal.labels.label_loss import published_loss
from shoal.models import PrivacyModel
from shoal.progress import stage
from shoal.randomness import Randomness

__all__ = ["CutParts", "CutTable", "TableCutting", "pooled_parts"]


@dataclass(frozen=True, eq=False)
class CutParts:
    """A candidate cut of groups into parts, which are numbered consecutively, group after group."""

    rows: np.ndarray
    part_of: np.ndarray
    """For each row, its part."""
    n_parts: np.ndarray
    """For each group, its number of parts."""

    @property
    def owners(self) -> np.ndarray:
        """For each part, its group."""
        return np.repeat(np.arange(len(self.n_parts)), self.n_parts)

    @property
    def sizes(self) -> np.ndarray:
        """For each part, its number of rows."""
        return np.bincount(self.part_of, minlength=int(self.n_parts.sum()))


def pooled_parts(parts: CutParts, promises: GroupPromises) -> tuple[np.ndarray, np.ndarray]:
    """Return for each part its number in its group after pooling, and for each group its number of parts.

    Parts that break a promise are pooled into one rest. Where the rest breaks one too, the smallest part that keeps the
    promises joins it, and the next, until it keeps them. A group in which no part stays apart is not cut: it counts 1
    part, and the numbers of its parts are meaningless.
    """
    owners, sizes, n_groups = parts.owners, parts.sizes, len(parts.n_parts)
    alone = promises.kept(parts.rows, parts.part_of, len(owners))
    n_good = _counts(owners, alone, n_groups)
    ranks = _ranks(owners, sizes, alone)
    joined = np.zeros(n_groups, np.int64)
    """For each group, how many of its smallest good parts have joined the rest."""
    pending = (n_good < parts.n_parts) & (n_good > 0)
    settled = n_good == parts.n_parts
    while pending.any():
        in_rest = pending[owners] & (~alone | (ranks < joined[owners]))
        found = _rests_kept(parts, in_rest, promises)
        settled |= found & pending
        pending &= ~found & (joined < n_good - 1)
        joined[pending] += 1
    rest = ~alone | (ranks < joined[owners])
    n_apart = _counts(owners, ~rest, n_groups)
    firsts = np.concatenate([[0], np.cumsum(n_apart)[:-1]])
    numbers = np.where(rest, n_apart[owners], np.cumsum(~rest) - 1 - firsts[owners])
    n_cut = n_apart + (n_apart < parts.n_parts)
    return numbers, np.where(settled, n_cut, 1)


def _rests_kept(parts: CutParts, in_rest: np.ndarray, promises: GroupPromises) -> np.ndarray:
    """Return the mask of the groups whose rests keep the promises."""
    here = in_rest[parts.part_of]
    rests = parts.owners[parts.part_of[here]]
    return promises.kept(parts.rows[here], rests, len(parts.n_parts))


def _counts(owners: np.ndarray, chosen: np.ndarray, n_groups: int) -> np.ndarray:
    return np.bincount(owners[chosen], minlength=n_groups)


def _ranks(owners: np.ndarray, sizes: np.ndarray, good: np.ndarray) -> np.ndarray:
    """Return the rank of each good part among those of its group, the smallest first; others rank behind all."""
    ranks = np.full(len(owners), len(owners))
    order = np.lexsort([sizes, owners])
    order = order[good[order]]
    begins = np.searchsorted(owners[order], owners[order])
    ranks[order] = np.arange(len(order)) - begins
    return ranks


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
        columns = _rows(self._table, rows).quasi_identifiers
        attributes = [
            attribute(column, by_hierarchy=self._by_hierarchy or not column.vocabulary.is_ordered) for column in columns
        ]
        made = _Cutting(segments, attributes, promises, split_ties=self._ties is not None).run()
        return CutTable(self._table, rows, made, attributes, self._widened, promises)


def _rows(table: Microdata, rows: np.ndarray) -> Microdata:
    return table if len(rows) == len(table) else table.take(rows)


class _Cutting:
    """One run: the partition so far, which is cut until no cut keeps the promises.

    Rows move with their segments, so that the codes of a segment lie together: ``_rows`` are those that are now at the
    places of the segments.
    """

    def __init__(
        self, segments: Segments, attributes: Sequence[Attribute], promises: GroupPromises, *, split_ties: bool
    ) -> None:
        self._rows, self._places = segments.order, np.arange(len(segments.order))
        self._segments = Segments(self._places, segments.begins)
        self._attributes = [each.moved(segments.order) for each in attributes]
        self._promises, self._split_ties = promises, split_ties
        self._extents = [each.extents(self._segments) for each in self._attributes]
        """By attribute, the extents of the segments that are not final."""

    def run(self) -> Segments:
        """Cut until no segment can be cut."""
        active = np.arange(len(self._segments))
        with stage("cutting groups", len(self._rows)) as progress:
            while len(active):
                before = int(self._segments.sizes[active].sum())
                active = self._cut_once(active)
                after = int(self._segments.sizes[active].sum())
                progress.advance(before - after)
        return Segments(self._rows, self._segments.begins)

    def _cut_once(self, active: np.ndarray) -> np.ndarray:
        """Cut each active segment on its widest attribute that can be cut; return the new segments."""
        found = zip(self._attributes, self._extents, strict=True)
        widths = np.stack([each.widths(extents) for each, extents in found], axis=1)
        left = widths.copy()
        part = np.zeros(len(self._rows), np.int64)
        parts = np.ones(len(self._segments), np.int64)
        pending = np.arange(len(active))
        while len(pending := pending[left[pending].max(axis=1) > 0]):
            wanted = left[pending].argmax(axis=1)
            left[pending, wanted] = 0.0
            for index in np.unique(wanted):
                here = pending[wanted == index]
                extents = self._extents[index][here]
                cut = self._attributes[index].cut
                cut(self._segments, active[here], extents, part, split_ties=self._split_ties)
            parts[active[pending]] = self._kept(active[pending], part)
            pending = pending[parts[active[pending]] == 1]
        return self._move(active, widths, parts, part)

    def _move(self, active: np.ndarray, widths: np.ndarray, parts: np.ndarray, part: np.ndarray) -> np.ndarray:
        """Move rows to their parts; return the new segments, the extents of which are found too."""
        moved, begins = reordered(self._places, self._segments.begins, parts, part)
        self._rows, self._segments = self._rows[moved], Segments(self._places, begins)
        parents = np.repeat(np.arange(len(active)), np.where(parts[active] > 1, parts[active], 0))
        made = np.flatnonzero(np.repeat(parts > 1, parts))
        for index, each in enumerate(self._attributes):
            self._attributes[index] = each.moved(moved)
            # where a segment has one value, its parts have it too
            extents, wide = self._extents[index][parents], np.flatnonzero(widths[parents, index] > 0)
            extents[wide] = self._attributes[index].extents(self._segments, made[wide])
            self._extents[index] = extents
        return made

    def _kept(self, chosen: np.ndarray, part: np.ndarray) -> np.ndarray:
        """Return into how many parts each chosen segment is cut, or 1 where no cut keeps the promises.

        Parts that break a promise are pooled, and renumbered in ``part``.
        """
        segments = self._segments
        sizes = part_sizes(segments.begins, chosen, part)
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        rows, labels = segment_rows(self._rows, segments.begins, chosen, part, offsets)
        numbers, cut = pooled_parts(CutParts(rows, labels, sizes), self._promises)
        part[segments.places(chosen)] = numbers[labels]
        return cut
