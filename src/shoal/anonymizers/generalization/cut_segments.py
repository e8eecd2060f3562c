"""Segments of records cut by their quasi-identifiers, as long as every part keeps the promises."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.anonymizers.promises import GroupPromises
from shoal.data import Microdata
from shoal.kernels.groups.segments import part_sizes, reordered, segment_rows
from shoal.progress import stage

from .cuts import Attribute, CutRules, Segments, attribute
from .pooled_parts import CutParts, pooled_parts

__all__ = ["CutRound", "cut_rounds", "cut_segments", "table_attributes"]


def table_attributes(table: Microdata, *, by_hierarchy: bool) -> list[Attribute]:
    """Return how each quasi-identifier is cut; ``by_hierarchy`` says whether numbers are cut along theirs too."""
    return [
        attribute(column, by_hierarchy=by_hierarchy or not column.vocabulary.is_ordered)
        for column in table.quasi_identifiers
    ]


def cut_segments(
    segments: Segments,
    attributes: Sequence[Attribute],
    promises: GroupPromises,
    *,
    split_ties: bool = False,
    enough: int = 0,
) -> Segments:
    """Cut segments of rows, each by itself, until no cut keeps the promises or none has more than ``enough`` rows."""
    return _Cutting(segments, attributes, promises, split_ties=split_ties, enough=enough).run()


@dataclass(frozen=True, eq=False)
class CutRound:
    """What became of the segments of one depth: those that are cut become the segments of the next, in their order."""

    on: np.ndarray
    """For each segment, the number of the quasi-identifier that it is cut on; -1 where it is final."""
    parts: np.ndarray
    """For each segment, into how many parts it is cut; 0 where it is final."""
    rules: tuple[tuple[np.ndarray, CutRules], ...]
    """For each quasi-identifier that segments are cut on, which these are, and by which values."""


def cut_rounds(
    segments: Segments, attributes: Sequence[Attribute], promises: GroupPromises, weights: Sequence[float]
) -> list[CutRound]:
    """Cut segments as :func:`cut_segments` does, and return how, depth by depth.

    Widths of quasi-identifiers are multiplied by their weights, which are positive: the larger one is cut first.
    """
    cutting = _Cutting(segments, attributes, promises, split_ties=False, enough=0, weights=weights)
    cutting.run()
    return cutting.rounds


class _Cutting:
    """One run: the partition so far, which is cut until no cut keeps the promises.

    Rows move with their segments, so that the codes of a segment lie together: ``_rows`` are those that are now at the
    places of the segments.
    """

    def __init__(
        self,
        segments: Segments,
        attributes: Sequence[Attribute],
        promises: GroupPromises,
        *,
        split_ties: bool,
        enough: int,
        weights: Sequence[float] | None = None,
    ) -> None:
        self._weights = weights
        self.rounds: list[CutRound] = []
        """How segments were cut, if there are weights."""
        self._rows, self._places = segments.order, np.arange(len(segments.order))
        self._segments = Segments(self._places, segments.begins)
        self._attributes = [each.moved(segments.order) for each in attributes]
        self._promises, self._split_ties, self._enough = promises, split_ties, enough
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
        left = widths.copy() if self._weights is None else widths * np.asarray(self._weights)
        part = np.zeros(len(self._rows), np.int64)
        parts = np.ones(len(self._segments), np.int64)
        on = np.full(len(active), -1)
        pending = np.flatnonzero(self._segments.sizes[active] > self._enough)
        while len(pending := pending[left[pending].max(axis=1) > 0]):
            wanted = left[pending].argmax(axis=1)
            left[pending, wanted] = 0.0
            for index in np.unique(wanted):
                here = pending[wanted == index]
                extents = self._extents[index][here]
                cut = self._attributes[index].cut
                cut(self._segments, active[here], extents, part, split_ties=self._split_ties)
            parts[active[pending]] = self._kept(active[pending], part)
            on[pending] = np.where(parts[active[pending]] > 1, wanted, -1)
            pending = pending[parts[active[pending]] == 1]
        if self._weights is not None:
            self.rounds.append(CutRound(on, np.where(on < 0, 0, parts[active]), self._rules(active, on, part)))
        return self._move(active, widths, parts, part)

    def _rules(self, active: np.ndarray, on: np.ndarray, part: np.ndarray) -> tuple[tuple[np.ndarray, CutRules], ...]:
        """Return, for each attribute that active segments are cut on, which these are, and by which values."""
        found = []
        for index, each in enumerate(self._attributes):
            here = np.flatnonzero(on == index)
            if len(here):
                found.append((here, each.rules(self._segments, active[here], self._extents[index][here], part)))
        return tuple(found)

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
        numbers, cut = pooled_parts(CutParts(sizes, rows, labels, self._promises))
        part[segments.places(chosen)] = numbers[labels]
        return cut
