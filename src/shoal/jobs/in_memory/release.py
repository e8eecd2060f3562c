"""A release in a program: its data as a frame, its certificate, and the way into a folder."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from shoal.data import Microdata, Ratings, Records
from shoal.display import Displayed, Summary
from shoal.io.folders.release import ReleaseFolder, read_release, write_release
from shoal.io.folders.write_records import as_written
from shoal.io.formats.registry import release_format
from shoal.io.frames.records_frame import arrow_table, pandas_frame, records_frame
from shoal.io.read import read
from shoal.io.source import Source
from shoal.jobs.make_release import claimed_folders, proof_read
from shoal.release import PublishedRecords

if TYPE_CHECKING:
    from shoal.io.frames.records_frame import ArrowTable, PandasFrame

__all__ = ["Release", "open_release"]


@dataclass(frozen=True, repr=False)
class Release(Displayed, ReleaseFolder):
    """Published data and their certificate. There is nothing of the originals in it, and no way to them.

    The data are in the layout of their source, in random order and under new pseudonyms. A column has the type in which
    it came where that holds what is published of it: an age that is generalized to ``20-29`` is text.
    """

    def to_polars(self) -> pl.DataFrame:
        """Return the published data as a DataFrame of Polars."""
        return records_frame(self.records, self.schema, self.types)

    def to_pandas(self) -> "PandasFrame":
        """Return the published data as a DataFrame of pandas."""
        return pandas_frame(self.to_polars())

    def to_arrow(self) -> "ArrowTable":
        """Return the published data as a table of PyArrow."""
        return arrow_table(self.to_polars())

    def save(self, folder: str | Path, *, format: str = "parquet", force: bool = False) -> None:  # noqa: A002
        """Write the release folder as :func:`shoal.publish` does, whole and proof-read, or nothing."""
        with claimed_folders(folder, None, force=force) as folders:
            write_release(self, folders.release, release_format(format, ""))
            proof_read(folders.release)

    def _summary(self) -> Summary:
        shown = PublishedRecords(self.records, self.certificate)
        return shown._summary()  # noqa: SLF001 - a release shows itself in the same way wherever it comes from


def open_release(folder: str | Path) -> Release:
    """Return the release in a folder; refuse one that was altered after its certificate was made."""
    found = read_release(folder)
    return Release(found.records, found.schema, found.certificate, found.states_people, found.types)


def release_in_memory(published: PublishedRecords, source: Source) -> Release:
    """Return what leaves as a release, after it was proof-read as a frame that anybody could read and verify."""
    made = ReleaseFolder.of(published, source)
    records = as_written(made.records, made.schema)
    release = Release(records, made.schema, made.certificate, made.states_people, made.types)
    proof_read(replace(release, records=_read_back(release)))
    return release


def _read_back(release: Release) -> Records:
    """Return the records that a reader of the frame has; how many people they stand for is stated beside it."""
    back = read(release.to_polars(), release.schema.model_copy(update={"people": None})).records
    if isinstance(back, Microdata):
        return replace(back, stated=release.records.stated)
    if isinstance(back, Ratings):
        assert isinstance(release.records, Ratings)
        return replace(back, people=release.records.people)
    return back
