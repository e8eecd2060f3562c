"""Strata of a sample: a method works on one after the other, so that no group crosses them.

A stratum is published as it is, and others may know it. A group over two strata would therefore be two classes of the
release, each with fewer people than the group. Strata with fewer people than any group must have are withheld as far as
that is allowed; what may be withheld beyond is divided among the others by their sizes. A promise that compares groups
with all records (t-closeness) compares them with those of all strata.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import polars as pl

from shoal.data import Column, Microdata, Role
from shoal.engines import Engine
from shoal.errors import PromiseNotKept
from shoal.evidence import GroupCounts, Grouping, NeedGroups, equal_tuples, people_among
from shoal.models import PrivacyModel, Verdict

from .allowance import Allowance

if TYPE_CHECKING:
    from .base import Recoding

__all__ = ["Strata", "among_everybody", "divided_allowance"]


@dataclass(frozen=True, eq=False, repr=False)
class Strata:
    """The records of a table by stratum: those to be recoded, each part with its allowance, and those withheld."""

    table: Microdata
    rows: tuple[np.ndarray, ...]
    """By stratum that is large enough, its rows."""
    allowances: tuple[Allowance, ...]
    too_small: np.ndarray
    """The mask of the records of strata with too few people."""

    @classmethod
    def of(cls, table: Microdata, models: Sequence[PrivacyModel], max_withheld: Allowance) -> Self:
        """Divide a table; raise where strata with too few people have more records than may be withheld."""
        labels, found = equal_tuples(table.with_role(Role.STRATUM), len(table))
        order = np.argsort(labels, kind="stable")
        parts = np.split(order, np.cumsum(np.bincount(labels, minlength=found))[:-1])
        fewest = max((model.fewest_records for model in models), default=1)
        large = [table.take(rows).n_people >= fewest for rows in parts]
        too_small = np.zeros(len(table), bool)
        for rows in (rows for rows, enough in zip(parts, large, strict=True) if not enough):
            too_small[rows] = True
        if not any(large) or not max_withheld.covers(too_small, table.persons):
            raise PromiseNotKept(
                f"{large.count(False):,} of {found:,} strata have fewer than {fewest:,} people, "
                f"{np.count_nonzero(too_small):,} records together; nothing was published.",
                "Join strata, allow more to be withheld, or promise less.",
            )
        kept = tuple(rows for rows, enough in zip(parts, large, strict=True) if enough)
        return cls(table, kept, _divided(table, kept, too_small, max_withheld), too_small)

    def __iter__(self) -> Iterator[tuple[Microdata, Allowance]]:
        return ((self.table.take(rows), some) for rows, some in zip(self.rows, self.allowances, strict=True))

    def promises(self, models: Sequence[PrivacyModel], engine: Engine) -> list[PrivacyModel]:
        """Return the promises as they are kept within a stratum: all records are those of all strata."""
        if not any(_compares(model) for model in models):
            return list(models)
        table = self.table.take(np.concatenate(self.rows))
        everybody = engine.count(table, Grouping(np.zeros(len(table), np.int64), 1), sensitive=True)
        return among_everybody(models, everybody)

    def together(self, recodings: Sequence["Recoding"]) -> "Recoding":
        """Return the recodings of the strata, in their order, as one of the whole table."""
        small = np.flatnonzero(self.too_small)
        tables = [each.records for each in recodings]
        order = np.argsort(np.concatenate([*self.rows, small]), kind="stable")
        columns = []
        for column in self.table.columns:
            parts = [table[column.name] for table in tables if isinstance(table, Microdata)]
            columns.append(_joined(column, parts, len(small)).take(order))
        withheld = self.too_small.copy()
        for rows, each in zip(self.rows, recodings, strict=True):
            withheld[rows] = False if each.withheld is None else each.withheld
        return replace(
            recodings[0],
            records=replace(self.table, columns=tuple(columns)),
            notes=_in_common(recodings),
            remarks=tuple(dict.fromkeys(remark for each in recodings for remark in each.remarks)),
            withheld=withheld if withheld.any() else None,
        )


def among_everybody(models: Sequence[PrivacyModel], everybody: GroupCounts) -> list[PrivacyModel]:
    """Return the promises such that those that compare groups with all records compare them with everybody."""
    return [_among(everybody, model) if _compares(model) else model for model in models]


def divided_allowance(left: Allowance, sizes: Sequence[tuple[int, int]]) -> list[Allowance]:
    """Divide what may be withheld by the records and the people of each part, rounded down."""
    n_records = sum(records for records, _ in sizes)
    everybody = sum(people for _, people in sizes)  # somebody in several strata may lose a record in each
    return [
        Allowance(left.records * records // n_records, left.people * people // everybody) for records, people in sizes
    ]


def _compares(model: PrivacyModel) -> bool:
    return isinstance(model.need, NeedGroups) and model.need.overall


def _among(everybody: GroupCounts, model: PrivacyModel) -> PrivacyModel:
    """Return the same promise, which compares whatever groups it judges with everybody."""
    kind: Any = type(model)

    class AmongEverybody(kind):
        def __reduce__(self) -> tuple[Any, ...]:  # it may be needed where groups are, and has no name to be found by
            return _among, (everybody, model)

        def judge(self, evidence: GroupCounts) -> Verdict:
            return super().judge(evidence.among(everybody))

        def fewest_broken(self, evidence: GroupCounts) -> np.ndarray:
            return super().fewest_broken(evidence.among(everybody))

    return AmongEverybody(**{each.name: getattr(model, each.name) for each in fields(model)})


def _divided(
    table: Microdata, parts: Sequence[np.ndarray], gone: np.ndarray, allowed: Allowance
) -> tuple[Allowance, ...]:
    """Divide what may still be withheld."""
    left = Allowance(allowed.records - people_among(gone), allowed.people - people_among(gone, table.persons))
    return tuple(divided_allowance(left, [(len(rows), table.take(rows).n_people) for rows in parts]))


def _joined(original: Column, parts: Sequence[Column], n_withheld: int) -> Column:
    """Return the columns of the strata one after the other, and values that do not matter for what is withheld."""
    if all(part.vocabulary is original.vocabulary for part in parts):
        codes = np.concatenate([*(part.codes for part in parts), np.zeros(n_withheld, np.int32)])
        return replace(parts[0], codes=codes)
    types = {part.vocabulary.values.dtype for part in parts}
    values = [part.values if len(types) == 1 else part.vocabulary.words.gather(part.codes) for part in parts]
    everything = pl.concat([*values, values[0].head(1).new_from_index(0, n_withheld)])
    return Column.encode(original.name, original.role, everything, original.categories)


def _in_common(recodings: Sequence["Recoding"]) -> dict[str, int | float]:
    """Return the figures that are the same for all strata."""
    first, *others = (each.notes for each in recodings)
    return {name: value for name, value in first.items() if all(each.get(name) == value for each in others)}
