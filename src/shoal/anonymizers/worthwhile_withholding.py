"""Which records of a table that is cut into groups to withhold, so that it loses less than with all of them.

*How.* Records that cost the others of their groups more than they tell (:mod:`.costly_records`) are left out, and what
is left is cut again: from the beginning, or the groups that were there further. Of all that was tried what loses least
is taken, a withheld record counting as lost in every quasi-identifier; it is tried again from there for as long as
something is gained. So it never loses more than without withholding.
"""

from collections.abc import Iterator

import numpy as np

from shoal.evidence import people_among
from shoal.progress import stage

from .allowance import Allowance
from .attribute import Segments
from .base import Recoding
from .costly_records import CostlyRecords
from .cut_table import CutTable, TableCutting
from .with_left_out import with_left_out

__all__ = ["worthwhile_withholding"]

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
    return with_left_out(cut.table, best.rows, best.told)


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
