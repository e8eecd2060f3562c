"""Withholding of the records that make the labels of their groups wide, where that lowers the loss of the whole table.

*Costly records* (:class:`.CostlyRecords`). In each group and for each quasi-identifier, the candidates are the records
that alone widen its label: those with the few lowest or highest values, or all that are not in the largest branch.
Withholding them narrows the labels of the others in all quasi-identifiers, and costs 1 for each record and
quasi-identifier. The candidates that save most per record are withheld, then those that save most without them, as long
as they save more than they cost.

*Search.* Costly records are withheld and the rest is cut again: from the beginning, or from the groups that there were.
The table of least loss is taken, a withheld record counting as lost in every quasi-identifier, and the search goes on
from there as long as the loss falls. So the loss is never larger than without withholding.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from shoal.anonymizers.allowance import Allowance
from shoal.anonymizers.base import Recoding
from shoal.anonymizers.generalization.cuts import Attribute, Segments
from shoal.anonymizers.withholding import Removal, chosen_removals, withholding_all_but
from shoal.evidence import people_among
from shoal.progress import stage

from .cut_table import CutTable, TableCutting

__all__ = ["CostlyRecords", "with_costly_records_withheld"]


_LEAST = 1e-9
"""A smaller saving is a rounding error."""

Keeps = Callable[[Segments], np.ndarray]
"""Returns the mask of the segments that keep the promises."""


class CostlyRecords:
    """The records of a partition that cost the others of their groups more than a withheld record costs."""

    def __init__(
        self,
        segments: Segments,
        attributes: Sequence[Attribute],
        limit: int,
        *,
        widened: bool,
        keeps: Keeps | None = None,
    ) -> None:
        """Find removals of at most ``limit`` records each, without which ``keeps`` (if given) holds for the group.

        ``widened`` says whether groups are published with the narrowest labels or with widened ones.
        """
        self._attributes, self._limit, self._widened, self._keeps = attributes, limit, widened, keeps
        self.removals: list[list[Removal]] = [[] for _ in range(len(segments))]
        """For each group, its removals in order."""
        numbers, left = np.arange(len(segments)), segments
        while len(numbers):
            numbers, left = self._narrowed(numbers, left)

    def chosen(self, allowance: Allowance, persons: np.ndarray | None) -> np.ndarray:
        """Return the rows to withhold, those first that save most per record, as far as the allowance goes."""
        return chosen_removals(self.removals, allowance, persons)

    def _narrowed(self, numbers: np.ndarray, segments: Segments) -> tuple[np.ndarray, Segments]:
        """Remove from each group the records that save most; return the groups that lost some, and what is left."""
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
        """Return the saving in each group by withholding its records of the fringe, and the number of these."""
        n_fringe = np.add.reduceat(fringe, segments.begins[:-1], dtype=np.int64)
        saved = np.zeros(len(segments))
        some = np.flatnonzero((n_fringe > 0) & (n_fringe < segments.sizes) & (n_fringe <= self._limit))
        if len(some):
            left = segments.only(some, fringe)
            saved[some] = costs[some] - self._costs(left) - n_fringe[some] * len(self._attributes)
            if self._keeps is not None:
                saved[some[~self._keeps(left)]] = 0.0
        return saved, n_fringe

    def _costs(self, segments: Segments) -> np.ndarray:
        """Return the loss of each group, summed over its records."""
        extents = ((each, each.extents(segments)) for each in self._attributes)
        losses = (each.losses(each.widened(some) if self._widened else some) for each, some in extents)
        return segments.sizes * sum(losses, np.zeros(len(segments)))


_ROUNDS = 6
"""The most rounds, each of which begins with the best table so far."""
_LITTLE = 0.001
"""The share of the loss that a round must save for another to follow."""
_DIVISORS = (1, 2, 4)
"""All records that seem to pay are tried, and the best half and quarter: some pay only without others."""


def with_costly_records_withheld(cutting: TableCutting, cut: CutTable, allowance: Allowance) -> Recoding:
    """Return the table with its costly records withheld, as far as the allowance goes and the loss falls."""
    best = cut
    with stage("withholding records"):
        for _ in range(_ROUNDS):
            tried = min(_tried(cutting, best, allowance), key=lambda each: each.loss, default=best)
            gained = best.loss - tried.loss
            if gained > 0:
                best = tried
            if gained <= _LITTLE * cut.loss:
                break
    return withholding_all_but(cut.table, best.rows, best.published)


def _tried(cutting: TableCutting, cut: CutTable, allowance: Allowance) -> Iterator[CutTable]:
    """Yield tables in which more records are withheld than already are."""
    left = _remaining(allowance, cut)
    persons = None if cut.table.persons is None else cut.table.persons[cut.rows]
    for kept_groups in (True, False):
        keeps = (lambda segments: _kept(cut, segments)) if kept_groups else None
        costly = CostlyRecords(cut.segments, cut.attributes, left.records, widened=cut.widened, keeps=keeps)
        for divisor in _DIVISORS:
            leaving = costly.chosen(left.divided(divisor), persons)
            if not len(leaving):
                break
            staying = np.ones(len(cut.rows), bool)
            staying[leaving] = False
            segments = _without(cut.segments, staying) if kept_groups else None
            found = cutting.of(cut.rows[staying], segments)
            if found is not None:
                yield found


def _remaining(allowance: Allowance, cut: CutTable) -> Allowance:
    """Return how much more may be withheld; people who already lose a record may lose others as well."""
    withheld = np.ones(len(cut.table), bool)
    withheld[cut.rows] = False
    losing = people_among(withheld, cut.table.persons)
    return Allowance(allowance.records - int(withheld.sum()), allowance.people - losing)


def _kept(cut: CutTable, segments: Segments) -> np.ndarray:
    labels = np.repeat(np.arange(len(segments)), segments.sizes)
    return cut.promises.kept(segments.order, labels, len(segments))


def _without(segments: Segments, staying: np.ndarray) -> Segments:
    """Return the segments of the records that stay, renumbered among these."""
    left = segments.only(np.arange(len(segments)), ~staying[segments.order])
    return Segments((np.cumsum(staying) - 1)[left.order], left.begins)
