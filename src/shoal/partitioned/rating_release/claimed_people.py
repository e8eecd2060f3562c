"""The pseudonyms of published ratings that are not in memory, and how many people each record claims to be of."""

from dataclasses import dataclass

import polars as pl

from shoal.backends import Partitions, Shared
from shoal.partitioned.linked_records import CLAIMED, CLAIMS, PSEUDONYM
from shoal.partitioned.ratings import PartitionedRatings, ProfileLayout

from .released_ratings import ReleasedRatings, record_names

__all__ = ["claimed_people"]


def claimed_people(released: PartitionedRatings | ReleasedRatings) -> Partitions:
    """Return the pseudonym of each record, with how many people it claims to be of: one, unless they are stated."""
    if isinstance(released, PartitionedRatings):
        return released.rows.map_batches(_Claims(released.layout, None), CLAIMS)
    records = released.records
    return records.rows.map_batches(_Claims(records.layout, records.backend.shared(released.people)), CLAIMS)


@dataclass(frozen=True)
class _Claims:
    layout: ProfileLayout
    people: Shared[pl.DataFrame] | None

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        names = record_names(self.layout, batch)
        if self.people is None:
            return names.to_frame(PSEUDONYM).with_columns(pl.lit(1, pl.Int64).alias(CLAIMED))
        stated = names.to_frame("record").join(self.people.value, on="record", how="left", maintain_order="left")
        # whoever has no number is told of where promises are judged
        return stated.select(pl.col("record").alias(PSEUDONYM), pl.col("people").fill_null(0).alias(CLAIMED))
