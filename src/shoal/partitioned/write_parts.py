"""Write published records in parts: in random order, under fresh pseudonyms, each part by whoever has its records.

What decides order and pseudonym is drawn once for each record, from the operating system, and persisted before anything
is made of it: whoever must do a part again does the same again.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions, Shared
from shoal.data import ClassPeople, Column, CountedColumn, Microdata, Role
from shoal.errors import InternalError
from shoal.io.folders.certificate_file import file_sha256
from shoal.io.folders.data_parts import DATA_FOLDER, DataPart, part_name
from shoal.io.folders.ledger import LINKS_FOLDER
from shoal.io.folders.release import write_certificate
from shoal.io.folders.write_records import write_records
from shoal.io.frames.kept_types import kept_types
from shoal.io.schemas import TableSchema
from shoal.io.schemas.schema_of import schema_of
from shoal.io.tables.profile_sizes import PEOPLE_FILE, join_people, people_lines, write_people_lines
from shoal.io.write_errors import unwritable_as_error
from shoal.randomness import pseudonym_names
from shoal.release import Certificate, pseudonym_name

from .labeled_table import LabeledTable, Labeling
from .persons import STATED
from .table import ROW, PartitionedTable
from .whole_parts import folders_of_parts, whole_part

__all__ = ["DRAWN", "Destination", "drawn", "refuse_lost", "write_release_of"]

DRAWN = "drawn"
_PEOPLE_PARTS = "people"
"""The folder of parts of the file of people, until they are one."""


def drawn(rows: Partitions) -> Partitions:
    """Return rows with a random number of 60 bits each, drawn once."""
    return rows.map_batches(_draw, {**rows.columns, DRAWN: pl.UInt64()}).persist("drawing pseudonyms")


def _draw(batch: pl.DataFrame) -> pl.DataFrame:
    numbers = np.frombuffer(os.urandom(8 * batch.height), np.uint64) >> np.uint64(4)
    return batch.with_columns(pl.Series(DRAWN, numbers))


@dataclass(frozen=True)
class Destination:
    """Where a release and its ledger are written: empty folders."""

    release: Path
    ledger: Path | None


@dataclass(frozen=True)
class _PartWriter:
    """Writes the records of a partition, and for their owner which row of the file each was."""

    release: Path
    ledger: Path | None
    columns: tuple[CountedColumn, ...]
    """The published columns; only values that occur in the release are in their vocabularies."""
    labeling: Labeling
    codes: tuple[np.ndarray, ...]
    """By column, the code there of each label that a record may have."""
    name: str
    """The column of pseudonyms."""
    schema: TableSchema
    types: dict[str, pl.DataType]
    stated: tuple[str | None, ...] = ()
    """Of what people are counted: of each class (None), or of each value of a sensitive column in it."""

    def __call__(self, rows: pl.DataFrame, number: int) -> pl.DataFrame:
        """Write one part, and return its name, how many rows it has, its SHA-256, and that of its links."""
        if not rows.height:
            return pl.DataFrame(schema=dict(_PARTS))
        rows = rows.sort(DRAWN, maintain_order=True)  # whoever does it again writes the same file
        names = _distinct_names(rows[DRAWN].to_numpy())
        with whole_part(self.release / DATA_FOLDER / part_name(number)) as file:
            written = self._write(rows, names, file)
        if self.stated:
            self._write_people(rows, names, number)
        linked = None if self.ledger is None else self._write_links(rows, names, self.ledger / LINKS_FOLDER, number)
        part = {"file": [part_name(number)], "rows": [rows.height], "sha256": [written], "links": [linked]}
        return pl.DataFrame(part, schema=dict(_PARTS))

    def _write(self, rows: pl.DataFrame, names: pl.Series, file: Path) -> str:
        pseudonyms = _pseudonyms(self.name, names)
        columns = (
            column.with_codes(codes[self.labeling.codes(rows, place)])
            for place, (column, codes) in enumerate(zip(self.columns, self.codes, strict=True))
        )
        write_records(Microdata((pseudonyms, *columns)), self.schema, file, self.types)
        return file_sha256(file)

    def _write_links(self, rows: pl.DataFrame, names: pl.Series, folder: Path, number: int) -> str:
        links = pl.DataFrame({"pseudonym": names, "row": rows[ROW].cast(pl.Int64)})
        with whole_part(folder / part_name(number)) as file:
            links.write_parquet(file)
            return file_sha256(file)

    def _write_people(self, rows: pl.DataFrame, names: pl.Series, number: int) -> None:
        """Write how many people the classes are of that records of this part name."""
        lines = []
        for i, attribute in enumerate(self.stated):
            people = rows[f"{STATED}{i}"]
            lines.append(people_lines(names, attribute, people.is_not_null().arg_true().to_numpy(), people.to_numpy()))
        with whole_part(self.release / _PEOPLE_PARTS / f"{number:05d}.csv") as file:
            write_people_lines(pl.concat(lines), file, header=False)


def _distinct_names(numbers: np.ndarray) -> pl.Series:
    """Return a name for each of some sorted numbers; equal ones, which are in one partition, get one letter more each.

    Two of a hundred million coincide once in 250 releases.
    """
    names = pl.Series(pseudonym_names(numbers)).cast(pl.String)
    again = np.flatnonzero(numbers[1:] == numbers[:-1]) + 1
    if not len(again):
        return names
    texts = names.to_list()
    for place in again.tolist():  # each longer than the one before
        texts[place] = texts[place - 1] + "0"
    return pl.Series(texts, dtype=pl.String)


_PARTS: Columns = {"file": pl.String(), "rows": pl.Int64(), "sha256": pl.String(), "links": pl.String()}


def write_release_of(
    labeled: LabeledTable,
    leaving: PartitionedTable,
    source: TableSchema,
    types: Mapping[str, pl.DataType],
    certificate: Certificate,
    to: Destination,
    stated: tuple[str | None, ...] = (),
) -> tuple[DataPart, ...]:
    """Write the records that leave in parts, and then the schema and the certificate; return the parts of links.

    ``stated`` says of what people are counted, where a person may have several records: rows have these numbers.
    """
    compact = [_occurring(column) for column in leaving.columns]
    columns, codes = tuple(column for column, _ in compact), tuple(codes for _, codes in compact)
    name = pseudonym_name([column.name for column in columns])
    nobody = ClassPeople(np.zeros(0, np.int64)) if stated else None
    empty = Microdata((_pseudonyms(name, pl.Series([], dtype=pl.String)), *columns), None, nobody, leaving.unit)
    schema = schema_of(empty, source, certificate.accepted_against_audit)
    assert isinstance(schema, TableSchema)
    kept_as = kept_types(empty, schema, types)
    writer = _PartWriter(to.release, to.ledger, columns, labeled.labeling, codes, name, schema, kept_as, stated)
    written = _write_parts(leaving.rows, len(leaving), leaving.backend.shared(writer))
    parts = [DataPart(**part) for part in written.drop("links").iter_rows(named=True)]
    refuse_lost(len(leaving), sum(part.rows for part in parts))
    if stated:
        with unwritable_as_error(to.release):
            parts_of_people = sorted((to.release / _PEOPLE_PARTS).iterdir())
            join_people(parts_of_people, to.release / PEOPLE_FILE)
            (to.release / _PEOPLE_PARTS).rmdir()
    write_certificate(certificate, schema, parts, to.release)
    return _parts_of_links(written)


def _parts_of_links(written: pl.DataFrame) -> tuple[DataPart, ...]:
    """Return the parts of links that were written with parts of a release, under the same names and of as many rows."""
    of_links = written.filter(pl.col("links").is_not_null()).select("file", "rows", sha256="links")
    return tuple(DataPart(**part) for part in of_links.iter_rows(named=True))


def refuse_lost(expected: int, found: int) -> None:
    """Raise unless there are as many records as there must be: none may be lost or come twice on the way."""
    if expected != found:
        raise InternalError("Records were lost or written twice; nothing was published.", "Report this.")


def _pseudonyms(name: str, names: pl.Series) -> Column:
    return Column.unencoded(name, Role.IDENTIFIER, names)


def _write_parts(rows: Partitions, n_rows: int, writer: Shared[_PartWriter]) -> pl.DataFrame:
    """Write rows in parts, in the order of what was drawn for each; return what is to be stated of them."""
    release, ledger = writer.value.release, writer.value.ledger
    folders = [release / DATA_FOLDER, *(() if ledger is None else (ledger / LINKS_FOLDER,))]
    if writer.value.stated:
        with unwritable_as_error(release):
            (release / _PEOPLE_PARTS).mkdir(mode=0o700)
    shuffled = rows.shuffle(DRAWN, n_rows, "shuffling records")
    with folders_of_parts(*folders):
        return shuffled.map_partitions(_Write(writer), _PARTS).collect("writing the release")


@dataclass(frozen=True)
class _Write:
    writer: Shared[_PartWriter]

    def __call__(self, rows: pl.DataFrame, number: int) -> pl.DataFrame:
        return self.writer.value(rows, number)


def _occurring(column: CountedColumn) -> tuple[CountedColumn, np.ndarray]:
    """Return a column with the values that occur alone, and the code there of each value."""
    used = np.flatnonzero(column.counts)
    codes = np.zeros(len(column.vocabulary), np.int32)
    codes[used] = np.arange(len(used))
    compact = column.with_codes(np.repeat(np.arange(len(column.vocabulary)), column.counts > 0)).compacted()
    return CountedColumn.of(compact, column.counts[used]), codes
