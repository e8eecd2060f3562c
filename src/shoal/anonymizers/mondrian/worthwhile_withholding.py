"""Which records of a table that is cut into groups to withhold, so that it loses less than with all of them.

*How.* Records that cost the others of their groups more than they tell (:mod:`.costly_records`) are left out, and what
is left is cut again: from the beginning, or the groups that were there further. Of all that was tried what loses least
is taken, a withheld record counting as lost in every quasi-identifier; it is tried again from there for as long as
something is gained. So it never loses more than without withholding.

Records without which those they are told with would be told more exactly.

*How they are found.* In each group, and for each quasi-identifier, those are tried that alone widen its label: the few
lowest or highest values, or all that are not in the largest branch. Leaving them out saves what the labels of the
others get narrower, in all quasi-identifiers, and costs what a record that is left out loses, which is 1 in each. What
saves most a record is left out, and then what saves most without it, for as long as it saves more than it costs.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from shoal.anonymizers.base import Recoding
from shoal.anonymizers.withholding import Allowance, Removal, chosen_removals, with_left_out
from shoal.evidence import people_among
from shoal.progress import stage

from .cut_table import CutTable, TableCutting
from .cuts import Attribute, Segments

__all__ = ["CostlyRecords", "worthwhile_withholding"]


_LEAST = 1e-9
"""What saves no more than that saves nothing but for rounding."""

Keeps = Callable[[Segments], np.ndarray]
"""Gives the mask of the segments that keep the promises."""


class CostlyRecords:
    """The records of a partition that cost the others of their groups more than they tell."""

    def __init__(
        self,
        segments: Segments,
        attributes: Sequence[Attribute],
        most: int,
        *,
        widened: bool,
        keeps: Keeps | None = None,
    ) -> None:
        """Look for at most so many a time; with ``keeps``, only groups that keep the promises without them count.

        ``widened`` says how groups are told: by the narrowest labels, or by those that are widened.
        """
        self._attributes, self._most, self._widened, self._keeps = attributes, most, widened, keeps
        self.removals: list[list[Removal]] = [[] for _ in range(len(segments))]
        """For each group, what to leave out, one after the other."""
        numbers, left = np.arange(len(segments)), segments
        while len(numbers):
            numbers, left = self._narrowed(numbers, left)

    def chosen(self, allowance: Allowance, persons: np.ndarray | None) -> np.ndarray:
        """Return the rows to leave out, those first that save most a record, as far as is allowed."""
        return chosen_removals(self.removals, allowance, persons)

    def _narrowed(self, numbers: np.ndarray, segments: Segments) -> tuple[np.ndarray, Segments]:
        """Take from each group what saves most; return the groups that lost some, and what is left of them."""
        costs = self._costs(segments)
        hopeful = np.flatnonzero(costs > len(self._attributes))
        numbers, segments, costs = numbers[hopeful], segments.only(hopeful), costs[hopeful]
        best, leaving = np.zeros(len(numbers)), np.zeros(len(segments.order), bool)
        own = np.repeat(np.arange(len(segments)), segments.sizes)
        for fringe in self._fringes(segments):
            saved, n_fringe = self._saved(segments, costs, fringe)
            rates = saved / np.maximum(n_fringe, 1)
            better = rates > best + _LEAST
            best[better] = rates[better]
            leaving = np.where(better[own], fringe, leaving)
        found = np.flatnonzero(best > 0)
        for at in found.tolist():
            places = np.arange(segments.begins[at], segments.begins[at + 1])
            rows = segments.order[places[leaving[places]]]
            self.removals[numbers[at]].append(Removal(rows, float(best[at]) * len(rows)))
        return numbers[found], segments.only(found, leaving)

    def _fringes(self, segments: Segments) -> Iterator[np.ndarray]:
        if len(segments):
            for each in self._attributes:
                yield from each.fringes(segments)

    def _saved(self, segments: Segments, costs: np.ndarray, fringe: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what is saved in each group by leaving out its places of the fringe, and how many these are."""
        n_fringe = np.add.reduceat(fringe, segments.begins[:-1], dtype=np.int64)
        saved = np.zeros(len(segments))
        some = np.flatnonzero((n_fringe > 0) & (n_fringe < segments.sizes) & (n_fringe <= self._most))
        if len(some):
            left = segments.only(some, fringe)
            saved[some] = costs[some] - self._costs(left) - n_fringe[some] * len(self._attributes)
            if self._keeps is not None:
                saved[some[~self._keeps(left)]] = 0.0
        return saved, n_fringe

    def _costs(self, segments: Segments) -> np.ndarray:
        """Return what all records of each group lose together."""
        extents = ((each, each.extents(segments)) for each in self._attributes)
        losses = (each.losses(each.widened(some) if self._widened else some) for each, some in extents)
        return segments.sizes * sum(losses, np.zeros(len(segments)))


_ROUNDS = 6
"""So often it is tried again from the best there is."""
_LITTLE = 0.001
"""Where no larger share of the loss is gained, it is not tried again: that would take long for nothing."""
_SHARES = (1, 2, 4)
"""All that seem to pay are left out, and the best half and quarter of what may be: some pay only without others."""


def worthwhile_withholding(cutting: TableCutting, cut: CutTable, allowance: Allowance) -> Recoding:
    """Return the table told with the records withheld that are worth it, as far as is allowed; or as it was cut."""
    best = cut
    with stage("withholding records"):
        for _ in range(_ROUNDS):
            tried = min(_tried(cutting, best, allowance), key=lambda each: each.loss, default=best)
            gained = best.loss - tried.loss
            if gained > 0:
                best = tried
            if gained <= _LITTLE * cut.loss:
                break
    return with_left_out(cut.table, best.rows, best.published)


def _tried(cutting: TableCutting, cut: CutTable, allowance: Allowance) -> Iterator[CutTable]:
    """Yield what comes of withholding more records than were withheld already."""
    left = _left_of(allowance, cut)
    persons = None if cut.table.persons is None else cut.table.persons[cut.rows]
    for kept_groups in (True, False):
        keeps = (lambda segments: _kept(cut, segments)) if kept_groups else None
        costly = CostlyRecords(cut.segments, cut.attributes, left.records, widened=cut.widened, keeps=keeps)
        for share in _SHARES:
            leaving = costly.chosen(Allowance(left.records // share, left.people // share), persons)
            if not len(leaving):
                break
            staying = np.ones(len(cut.rows), bool)
            staying[leaving] = False
            segments = _without(cut.segments, staying) if kept_groups else None
            found = cutting.of(cut.rows[staying], segments)
            if found is not None:
                yield found


def _left_of(allowance: Allowance, cut: CutTable) -> Allowance:
    """Return how much more may be withheld; people who lose a record already may lose others as well."""
    withheld = np.ones(len(cut.table), bool)
    withheld[cut.rows] = False
    losing = people_among(withheld, cut.table.persons)
    return Allowance(allowance.records - int(withheld.sum()), allowance.people - losing)


def _kept(cut: CutTable, segments: Segments) -> np.ndarray:
    labels = np.repeat(np.arange(len(segments)), segments.sizes)
    return cut.promises.kept(segments.order, labels, len(segments))


def _without(segments: Segments, staying: np.ndarray) -> Segments:
    """Return the segments of those that stay, numbered among them."""
    left = segments.only(np.arange(len(segments)), ~staying[segments.order])
    return Segments((np.cumsum(staying) - 1)[left.order], left.begins)
