"""The audit of the insensitive columns of a survey, whose answers others may know as they know quasi-identifiers.

Columns are judged beside the parts that promises are made on. Beside answers they are judged a few items at a time:
relations of two items are looked for among the items of a block, not across blocks.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from shoal.data import Column, Microdata, Part, Role, Survey
from shoal.evidence import Grouping

from .audited_table import AuditedTable
from .dependent_columns import dependent_columns
from .revealing_columns import Objection, revealing_columns

__all__ = ["audit_survey"]

_ITEMS = 100
"""The largest number of items that are looked at: those that most people rated."""
_TOGETHER = 10
"""The number of items in a block: the time it takes grows with its square."""


def audit_survey(
    published: Survey, original: Survey, promised: Mapping[Part | None, tuple[Grouping, int]], k: int
) -> tuple[Objection, ...]:
    """Judge the insensitive columns of a survey together, beside its demographics and beside its answers.

    ``original`` has the same people in the same order. ``promised`` has, for every part that promises are made on, its
    equivalence classes as published and the required number of people in each; None is both parts together. ``k`` is
    the number that people who share the values of insensitive columns are compared with.
    """
    columns = published.table.with_role(Role.INSENSITIVE)
    if not columns or not len(published):
        return ()
    revealing = revealing_columns(columns, k)
    spared = () if revealing is None else revealing.columns
    dependent: list[Objection] = []
    for part, (grouping, size) in promised.items():
        for records in _audited(columns, published, original, part, grouping):
            against = {name for objection in dependent for name in objection.columns}
            left = [each.name for each in columns if each.name not in against]
            dependent += dependent_columns(records, left, size, spared)
    return (*(() if revealing is None else (revealing,)), *dependent)


def _audited(
    columns: Sequence[Column], published: Survey, original: Survey, part: Part | None, grouping: Grouping
) -> Iterator[AuditedTable]:
    """Yield the columns beside the quasi-identifiers, then beside the items of each block."""
    if part != "answers":
        yield AuditedTable(columns, published.table, original.table, grouping)
    if part != "demographics":
        yield from _beside_answers(columns, published, original, grouping)


def _beside_answers(
    columns: Sequence[Column], published: Survey, original: Survey, grouping: Grouping
) -> Iterator[AuditedTable]:
    """Yield the columns beside the items of each block, those that most people rated first."""
    matrix = original.ratings.observable
    raters = np.bincount(matrix.indices, minlength=len(matrix.items))
    often = np.argsort(-raters, kind="stable")[: min(_ITEMS, int(np.count_nonzero(raters)))]
    for start in range(0, len(often), _TOGETHER):
        items = often[start : start + _TOGETHER]
        places = published.ratings.observable.items.codes(matrix.items.take(items))
        known, seen = Microdata(tuple(original.observable_answers(items))), published.observable_answers(places)
        yield AuditedTable(columns, Microdata(tuple(seen)), known, grouping, hidden="changed answer")
