"""Published ratings that are not in memory, each of which may stand for several people, and promises judged on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.backends import Shared
from shoal.data import Ratings
from shoal.engines import refuse_misfits
from shoal.errors import DataError, InternalError
from shoal.evidence import NeedGroups
from shoal.models import PrivacyModel, Verdict
from shoal.partitioned.ratings import NAME, USER, PartitionedRatings, ProfileLayout, judge_partitioned_ratings
from shoal.partitioned.ratings.side_rows import Side

from .record_groups import HASHES, group_sizes, hashed
from .size_verdicts import verdicts_on_sizes

__all__ = ["JudgedRelease", "ReleasedRatings", "judge_released", "record_names"]


@dataclass(frozen=True, eq=False, repr=False)
class ReleasedRatings:
    """Published records, and how many people each stands for."""

    kind: ClassVar[str] = "ratings"

    records: PartitionedRatings
    people: pl.DataFrame
    """``people`` by ``record``, sorted by the latter."""

    def __len__(self) -> int:
        return self.n_people

    def __repr__(self) -> str:
        return f"ReleasedRatings({len(self.records):,} records of {self.n_people:,} people)"

    @property
    def n_people(self) -> int:
        """How many people the records stand for."""
        return int(self.people["people"].sum())

    @property
    def stated(self) -> None:
        """Everybody is in one record."""
        return

    @property
    def has_observable(self) -> bool:
        """Whether any item is not sensitive."""
        return self.records.has_observable

    @property
    def has_sensitive(self) -> bool:
        """Whether any item is sensitive."""
        return self.records.has_sensitive

    def take(self, rows: np.ndarray) -> "ReleasedRatings":  # noqa: ARG002 - of all records
        """Refuse: records that are elsewhere have no numbers here."""
        raise InternalError("Records that are not in memory cannot be chosen by their numbers.")


@dataclass(frozen=True)
class JudgedRelease:
    """The verdicts on a release, and how many groups there are of each size."""

    verdicts: tuple[Verdict, ...]
    group_sizes: Mapping[int, int]

    @property
    def n_groups(self) -> int:
        """How many groups of equal records there are."""
        return sum(self.group_sizes.values())


def judge_released(released: PartitionedRatings | ReleasedRatings, models: Sequence[PrivacyModel]) -> JudgedRelease:
    """Judge promises on published ratings as they stand."""
    refuse_misfits(released, models)
    if isinstance(released, PartitionedRatings):
        return JudgedRelease(judge_partitioned_ratings(released, models), _sizes(released, None))
    assert all(isinstance(model.need, NeedGroups) for model in models)
    if len(released.people) != len(released.records) or released.has_sensitive:
        raise _unfit()
    sizes = _sizes(released.records, released.people)
    caveats = (model.caveat(released.records) for model in models)
    judged = zip(verdicts_on_sizes(models, sizes), caveats, strict=True)
    return JudgedRelease(tuple(replace(verdict, caveat=caveat) for verdict, caveat in judged), sizes)


def _sizes(ratings: PartitionedRatings, people: pl.DataFrame | None) -> dict[int, int]:
    backend = ratings.backend
    made = _Records(ratings.layout, None if people is None else backend.shared(people))
    found = ratings.rows.map_partitions(_Hash(made), HASHES).collect("grouping records")
    side = Side(ratings.layout.n_observable, ratings.scale)
    return group_sizes(found, ratings.rows, made, side, backend)


@dataclass(frozen=True)
class _Records:
    """Makes records of rows, with how many people each stands for."""

    layout: ProfileLayout
    people: Shared[pl.DataFrame] | None

    def __call__(self, rows: pl.DataFrame) -> Ratings:
        records = self.layout.ratings(rows)
        if self.people is None:
            return records
        names = record_names(self.layout, rows).to_frame("record")
        numbers = names.join(self.people.value, on="record", how="left", maintain_order="left")
        if numbers["people"].null_count():
            raise _unfit()
        return replace(records, people=numbers["people"].to_numpy())


def record_names(layout: ProfileLayout, rows: pl.DataFrame) -> pl.Series:
    """Return the names of records, as texts."""
    return rows[NAME] if layout.names else pl.Series(rows[USER].to_numpy().view(np.int64)).cast(pl.String)


@dataclass(frozen=True)
class _Hash:
    records: _Records

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        return hashed(self.records(rows)) if rows.height else pl.DataFrame(schema=dict(HASHES))


def _unfit() -> DataError:
    return DataError(
        "The numbers of people must be stated of every record once, and data with such numbers must not have sensitive "
        "ratings."
    )
