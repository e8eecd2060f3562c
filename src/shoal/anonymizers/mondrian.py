"""Mondrian: cut the records into ever smaller groups for as long as every part keeps the promises.

*Definition.* Starting with all records in one group, each group is cut on the quasi-identifier on which it is widest
(as a share of the whole domain), or the next widest if that cut breaks a promise; a group none of whose cuts keeps the
promises is final and is published under one label an attribute. Numbers, dates and categories without a hierarchy are
cut in two at the middle of their order; categories with a hierarchy into the branches of the lowest node that covers
the group, of which those that break a promise stay together as one rest (:mod:`.pooled_parts`). ``mode=strict`` never
parts equal values; ``mode=relaxed`` halves the group and may.

*Guarantee.* Any promise that joining groups cannot break (merge-safe), judged on every group before it is made. It is
a heuristic: the result is valid but not the least loss possible.

*Reference.* LeFevre, DeWitt, Ramakrishnan 2006. All groups of one depth are cut at once, so the promises judge
thousands of candidate groups in one call. We differ in the strict cut: it is the change of value nearest to the
middle, on either side of the median, which balances at least as well. And we differ in pooling: one rare branch would
refuse the cut to all others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, cast

import numpy as np

from shoal.data import Column, Microdata, Records
from shoal.engines import Engine
from shoal.errors import SchemaError
from shoal.kernels.segments import part_sizes, reordered, segment_rows
from shoal.models import PrivacyModel
from shoal.progress import stage
from shoal.randomness import Randomness

from .attribute import Attribute, Segments, attribute
from .base import Anonymizer, Recoding, methods
from .canonical_order import canonical_order
from .fitting_promises import refuse_unjoinable
from .group_promises import GroupPromises
from .pooled_parts import CutParts, pooled_parts

__all__ = ["Mondrian"]


@methods.add
@dataclass(frozen=True)
class Mondrian(Anonymizer):
    """Top-down cuts at the middle, widest attribute first."""

    name: ClassVar[str] = "mondrian"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    heeds_rows: ClassVar[bool] = False

    mode: Literal["strict", "relaxed"] = "strict"
    numbers: Literal["cut", "hierarchy"] = "cut"
    """Whether numbers that have a hierarchy are cut at their middle all the same, or along it."""

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        spare: int,  # noqa: ARG002
    ) -> Recoding:
        table = cast(Microdata, records)
        refuse_unjoinable(self.name, models)
        if not table.quasi_identifiers:
            raise SchemaError("There is no quasi-identifier to generalise.", "Give columns that role in the schema.")
        attributes = [attribute(column, by_hierarchy=self._follows(column)) for column in table.quasi_identifiers]
        ties = randomness if self.mode == "relaxed" else None
        segments = _Cutting(table, attributes, models, engine, ties).run()
        return Recoding(table.replaced(tuple(each.recoded(segments) for each in attributes)))

    def _follows(self, column: Column) -> bool:
        return self.numbers == "hierarchy" or not column.vocabulary.is_ordered


class _Cutting:
    """One run: the partition so far, and which of its segments may still be cut."""

    def __init__(
        self,
        table: Microdata,
        attributes: Sequence[Attribute],
        models: Sequence[PrivacyModel],
        engine: Engine,
        ties: Randomness | None,
    ) -> None:
        self._attributes = attributes
        self._promises = GroupPromises(table, models, engine)
        self._split_ties = ties is not None
        # only where equal values are parted does it matter who comes first
        order = np.arange(len(table)) if ties is None else canonical_order(table, ties)
        self._segments = Segments(order, np.array([0, len(table)]))

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
