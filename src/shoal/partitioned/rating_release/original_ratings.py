"""The originals that a ledger keeps of ratings, in parts: each user is whole in one of them."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from shoal.backends import Columns, Shared
from shoal.data import Vocabulary
from shoal.io.folders.certificate_file import file_sha256
from shoal.io.folders.data_parts import DataPart, n_rows, part_name
from shoal.io.folders.write_records import write_records
from shoal.io.schemas import RatingsSchema
from shoal.io.schemas.schema_of import schema_of
from shoal.partitioned.ratings.ratings_by_user import RatingsByUser
from shoal.partitioned.ratings.side_rows import NUMBER
from shoal.partitioned.whole_parts import folders_of_parts, whole_part
from shoal.partitioned.write_parts import refuse_lost

from .made_profiles import OwnRatings
from .nobody import nobody_of

__all__ = ["write_original_ratings"]


def write_original_ratings(
    ratings: RatingsByUser, source: RatingsSchema, folder: Path
) -> tuple[RatingsSchema, tuple[DataPart, ...]]:
    """Write all ratings into a new folder, under the names of users; return the schema to read them with, and parts."""
    schema = schema_of(nobody_of(ratings, ratings.scale), source)
    assert isinstance(schema, RatingsSchema)
    own = OwnRatings(ratings.side, ratings.items, ratings.n_observable)
    writing = _Write(own, ratings.backend.shared(ratings.users), schema, folder)
    with folders_of_parts(folder):
        found = ratings.rows.map_partitions(writing, _WRITTEN).collect("keeping the originals")
    refuse_lost(len(ratings), int(found["users"].sum()))
    parts = found.select("file", "rows", "sha256").iter_rows(named=True)
    return schema, tuple(DataPart(**part) for part in parts)


_WRITTEN: Columns = {"file": pl.String(), "rows": pl.Int64(), "sha256": pl.String(), "users": pl.Int64()}


@dataclass(frozen=True)
class _Write:
    own: OwnRatings
    users: Shared[pl.Series]
    schema: RatingsSchema
    folder: Path

    def __call__(self, rows: pl.DataFrame, number: int) -> pl.DataFrame:
        if not rows.height:
            return pl.DataFrame(schema=dict(_WRITTEN))
        names = self.users.value.gather(rows[NUMBER].to_numpy())
        ratings = self.own.of(rows).renamed(Vocabulary(names))
        with whole_part(self.folder / part_name(number)) as file:
            write_records(ratings, self.schema, file)
            written = [part_name(number), n_rows(file), file_sha256(file), rows.height]
        return pl.DataFrame([written], schema=dict(_WRITTEN), orient="row")
