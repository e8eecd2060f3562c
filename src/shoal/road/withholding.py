"""Withhold the records that break a promise, as far as the owner allows."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from shoal.data import Microdata, Records
from shoal.engines import Engine, judge
from shoal.errors import InternalError, PromiseNotKept, WordingError
from shoal.evidence import people_among
from shoal.models import PrivacyModel
from shoal.release import n_published

__all__ = ["rows_to_publish"]


def rows_to_publish(
    records: Records, left_out: np.ndarray | None, models: Sequence[PrivacyModel], engine: Engine, share: Fraction
) -> np.ndarray:
    """Return the rows that may be published: those that break a promise are left out as far as the budget allows.

    It begins without those that the method itself has ``left_out``, a mask or None: they are of the budget.

    Leaving a record out can rob another of a neighbor, so this is repeated until nothing breaks. The budget is a share
    of the records and, where people have several, of the people too: somebody counts who loses a record.
    """
    if not 0 <= share < 1:
        raise WordingError("The share of records to withhold must be at least 0 and below 1.", "Write --withhold 2%.")
    rows, left = np.arange(len(records)), records
    if left_out is not None:
        _refuse_overspent(records, left_out, share)
        rows = np.flatnonzero(~left_out)
        left = records.take(rows)
    n = n_published(records)
    budget = int(share * n)
    while budget > 0:
        judgment = judge(left, models, engine)
        if judgment.holds:
            break
        staying = np.flatnonzero(~judgment.violating)
        rows, left = rows[staying], left.take(staying)
        gone = n - n_published(left)
        if isinstance(records, Microdata) and records.persons is not None:
            _refuse_too_many(records, rows, share)
        if gone > budget or left.n_people < max(model.fewest_records for model in models):
            raise PromiseNotKept(
                f"At least {gone:,} of the {n:,} records would have to be withheld, more than the {budget:,} allowed.",
                "Allow more, promise less, or choose another method.",
            )
    return rows


def _refuse_overspent(records: Records, left_out: np.ndarray, share: Fraction) -> None:
    """Refuse what a method made that withholds more records, or takes records from more people, than allowed."""
    persons = records.persons if isinstance(records, Microdata) else None
    too_many = np.count_nonzero(left_out) > int(share * len(records))
    if too_many or people_among(left_out, persons) > int(share * records.n_people):
        raise InternalError(
            "The method withheld more than was allowed; nothing was published.",
            "Report this, or choose another method.",
        )


def _refuse_too_many(table: Microdata, staying: np.ndarray, share: Fraction) -> None:
    """Refuse to take records from more people than the share allows, however many records others have."""
    gone = np.ones(len(table), bool)
    gone[staying] = False
    people, allowed = people_among(gone, table.persons), int(share * table.n_people)
    if people > allowed:
        raise PromiseNotKept(
            f"Records of at least {people:,} of the {table.n_people:,} people would have to be withheld, more than the "
            f"{allowed:,} allowed.",
            "Allow more, promise less, or choose another method.",
        )
