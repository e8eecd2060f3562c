"""Write published records in parts: each part by whoever has its people, with what it tells its owner.

What is needed of a part afterwards is added up while it is written: how its ratings differ from the originals, and the
moments of its items.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions, Shared
from shoal.data import Ratings
from shoal.io.folders.certificate_file import file_sha256
from shoal.io.folders.data_parts import DATA_FOLDER, DataPart, part_name
from shoal.io.folders.ledger import LINKS_FOLDER
from shoal.io.folders.write_records import write_records
from shoal.io.schemas import RatingsSchema
from shoal.kernels.rater_sums import item_sums
from shoal.partitioned.whole_parts import folders_of_parts, whole_part
from shoal.partitioned.write_parts import Destination
from shoal.utility import Comparison
from shoal.utility.comparison import RatingDifferences

from .made_profiles import MadeProfiles, MakeProfiles, PartOfRelease
from .record_groups import hashed

__all__ = ["WrittenParts", "differences_of", "write_ratings"]

_DIFFERENCES = ("changed", "moved_steps", "invented", "invented_steps", "dropped", "dropped_steps")


@dataclass(frozen=True, eq=False)
class WrittenParts:
    """The parts that were written, and what was added up over them."""

    parts: tuple[DataPart, ...]
    records: int
    people: int
    differences: tuple[int, ...]
    moments: np.ndarray
    """Sums of numbers, codes and squares of codes by observable item, before and after: 2 × items × 3, int64."""
    hashes: pl.DataFrame
    """The hashes of all records."""
    links: tuple[DataPart, ...]
    """The parts of the links that the ledger keeps."""


def write_ratings(
    made: MadeProfiles,
    schema: RatingsSchema,
    types: Mapping[str, pl.DataType],
    users: Shared[pl.Series],
    to: Destination,
) -> WrittenParts:
    """Write records in parts, and for their owner which user each was."""
    folders = [to.release / DATA_FOLDER, *(() if to.ledger is None else (to.ledger / LINKS_FOLDER,))]
    writer = _Writer(made.make, to, schema, dict(types), users)
    with folders_of_parts(*folders):
        return _added_up(made.rows.map_partitions(writer, _WRITTEN))


def _added_up(written: Partitions) -> WrittenParts:
    found = written.collect("writing the release")
    parts = tuple(DataPart(**each) for each in found.select("file", "rows", "sha256").iter_rows(named=True))
    sums = np.frombuffer(b"".join(found["differences"]), np.int64).reshape(len(parts), -1).sum(axis=0)
    moments = sum((np.frombuffer(each, np.int64) for each in found["moments"]), np.zeros(1, np.int64))
    records, people = (int(found[name].sum()) for name in ("records", "people"))
    hashes = pl.concat([pl.read_ipc_stream(each) for each in found["hashes"]])
    kept = found.filter(pl.col("links").is_not_null()).select("file", rows="people", sha256="links")
    links = tuple(DataPart(**each) for each in kept.iter_rows(named=True))
    return WrittenParts(parts, records, people, tuple(sums.tolist()), moments.reshape(2, -1, 3), hashes, links)


_WRITTEN: Columns = {
    "file": pl.String(),
    "rows": pl.Int64(),
    "sha256": pl.String(),
    "records": pl.Int64(),
    "people": pl.Int64(),
    "differences": pl.Binary(),
    "moments": pl.Binary(),
    "hashes": pl.Binary(),
    "links": pl.String(),
}


@dataclass(frozen=True)
class _Writer:
    """Writes the records of a partition."""

    make: MakeProfiles
    to: Destination
    schema: RatingsSchema
    types: dict[str, pl.DataType]
    users: Shared[pl.Series]

    def __call__(self, rows: pl.DataFrame, number: int) -> pl.DataFrame:
        if not rows.height:
            return pl.DataFrame(schema=dict(_WRITTEN))
        part = self.make.made(rows)
        with whole_part(self.to.release / DATA_FOLDER / part_name(number)) as file:
            write_records(part.published, self.schema, file, self.types)
            sha256, lines = file_sha256(file), pl.scan_parquet(file).select(pl.len()).collect().item()
        ledger, name = self.to.ledger, part_name(number)
        links = None if ledger is None else self._write_links(part, ledger / LINKS_FOLDER / name)
        counted = [len(part.published), len(part.numbers)]
        hashes = BytesIO()
        hashed(part.published).write_ipc_stream(hashes)
        sums = [_differences(part).tobytes(), _moments(part).tobytes(), hashes.getvalue()]
        return pl.DataFrame([[name, lines, sha256, *counted, *sums, links]], schema=dict(_WRITTEN), orient="row")

    def _write_links(self, part: PartOfRelease, file: Path) -> str:
        names = part.published.users.values.gather(part.labels)
        users = self.users.value.gather(part.numbers).cast(pl.String)
        links = pl.DataFrame({"pseudonym": names, "row": part.numbers.astype(np.int64), "user": users})
        with whole_part(file) as attempt:
            links.write_parquet(attempt)
            return file_sha256(attempt)


def _differences(part: PartOfRelease) -> np.ndarray:
    """Return how the ratings of a part differ from the originals: int64."""
    n = np.arange(len(part.numbers))
    found = Comparison(part.whole, n, part.published, np.zeros(0, np.int64), places=part.labels).ratings
    assert isinstance(found, RatingDifferences)
    return np.array([getattr(found, name) for name in _DIFFERENCES], np.int64)


def _moments(part: PartOfRelease) -> np.ndarray:
    return np.stack([_of_items(each) for each in (part.whole, part.published)])


def _of_items(ratings: Ratings) -> np.ndarray:
    matrix = ratings.observable
    people = np.ones(len(ratings), np.int64) if ratings.people is None else ratings.people
    return item_sums(matrix.indptr, matrix.indices, matrix.codes, people, len(matrix.items), 1)


def differences_of(sums: Sequence[int], parts: int) -> RatingDifferences:
    """Return the differences that were added up; ``parts`` steps of the published scale are one of the original."""
    return RatingDifferences(**dict(zip(_DIFFERENCES, sums, strict=True)), parts=parts)
