"""The audit of the insensitive columns of a survey, whose answers others may know as they know quasi-identifiers.

Columns are judged beside the parts that promises are made on. Beside answers they are judged a few items at a time:
relations of two items are looked for among the items of a block, not across blocks.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from shoal.data import Microdata, Part, Role, Survey
from shoal.evidence import Grouping

from .dependent_columns import dependent_columns
from .revealing_columns import Objection, revealing_columns
from .table_inferences import TableInferences

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
        for inferences in _inferences(published, original, part, grouping):
            against = {name for objection in dependent for name in objection.columns}
            left = [each for each in columns if each.name not in against]
            dependent += dependent_columns(inferences, left, size, spared)
    return (*(() if revealing is None else (revealing,)), *dependent)


def _inferences(
    published: Survey, original: Survey, part: Part | None, grouping: Grouping
) -> Iterator[TableInferences]:
    """Yield what may be inferred from the quasi-identifiers, then from the items of each block."""
    if part != "answers":
        yield TableInferences(published.table, original.table, grouping)
    if part != "demographics":
        yield from _from_answers(published, original, grouping)


def _from_answers(published: Survey, original: Survey, grouping: Grouping) -> Iterator[TableInferences]:
    """Yield what may be inferred from the items of each block, those that most people rated first."""
    matrix = original.ratings.observable
    raters = np.bincount(matrix.indices, minlength=len(matrix.items))
    often = np.argsort(-raters, kind="stable")[: min(_ITEMS, int(np.count_nonzero(raters)))]
    for start in range(0, len(often), _TOGETHER):
        items = often[start : start + _TOGETHER]
        places = published.ratings.observable.items.codes(matrix.items.take(items))
        known, seen = original.observable_answers(items), published.observable_answers(places)
        yield TableInferences(Microdata(tuple(seen)), Microdata(tuple(known)), grouping, hidden="changed answer")
