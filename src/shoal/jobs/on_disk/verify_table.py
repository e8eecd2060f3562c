"""Verify a release of a table where its records are."""

from pathlib import Path

from shoal.column_audit import Objection
from shoal.column_audit.revealing_columns import columns_taking_part
from shoal.data import Role
from shoal.errors import FileError
from shoal.io.folders.ledger import open_ledger
from shoal.io.folders.release import OpenedRelease, ReleaseFolder, certificate_sha256
from shoal.io.formats.data_files import open_data
from shoal.io.schemas import TableSchema
from shoal.io.tables.table import refuse_other_columns
from shoal.jobs.engine_choice import TableOnDisk, opened_backend
from shoal.jobs.release_and_truth import OTHER_PEOPLE, GivenRelease, other_certificate, unlinked
from shoal.jobs.verify import Compared, Judging, VerifyResult, verified
from shoal.partitioned import PartitionedTable, judge_partitioned, read_partitioned_table
from shoal.partitioned.audit import PartitionedPeople
from shoal.partitioned.linked_records import PSEUDONYM, links_of, pseudonyms_in, unlinked_records
from shoal.partitioned.people.linked_people import people_are_as_stated

__all__ = ["verified_on_disk"]


def verified_on_disk(
    folder: GivenRelease, opened: OpenedRelease, table: TableOnDisk, ledger: str | Path | None = None
) -> VerifyResult:
    """Verify a release whose files are those of its certificate, and with its ledger, if that is given."""
    with opened_backend(table.memory, table.where) as backend:
        pseudonyms = PSEUDONYM if ledger is not None and opened.states_people else None
        records, schema = read_partitioned_table(table.file, table.schema, backend, pseudonyms=pseudonyms)
        release = ReleaseFolder(records, opened.written(schema), opened.certificate, opened.states_people)
        sha256 = certificate_sha256(opened.data.parent)
        compared = None if ledger is None else _compared(table, records, sha256, ledger)
        return verified(folder, release, compared, Judging(judge_partitioned, _objection))


def _compared(table: TableOnDisk, records: PartitionedTable, sha256: str, ledger: str | Path) -> Compared:
    """Compare the records of a release with the links of a ledger, record by record, and the people that it states."""
    truth = open_ledger(ledger)
    if not isinstance(truth.schema, TableSchema):
        raise FileError("The release and the ledger hold different kinds of data.", "Are they a pair?")
    name = next(name for name, column in table.schema.columns.items() if column.role is Role.IDENTIFIER)
    original, backend = open_data(truth.original, truth.schema), records.backend
    refuse_other_columns(original, truth.schema)
    links = links_of(truth.folder, truth.links, original.rows)
    found = unlinked_records(pseudonyms_in(table.file, name, backend), table.file.rows, links, backend)
    reasons = unlinked(found.unknown, found.absent, found.others)
    if not reasons and records.states:
        reasons = () if people_are_as_stated(records, links, original, truth.schema) else (OTHER_PEOPLE,)
    return Compared((*reasons, *other_certificate(sha256, truth.release)), truth.release is not None)


def _objection(table: PartitionedTable, k: int) -> Objection | None:
    """Return what the audit objects to in the insensitive columns of a table in which everybody has one record."""
    columns = tuple(column for column in table.columns if column.role is Role.INSENSITIVE)
    if not columns:
        return None
    places = dict(zip((column.name for column in columns), table.codes_of(columns), strict=True))
    rows = table.rows.persist("looking at insensitive columns") if len(columns) > 1 else table.rows
    return columns_taking_part(columns, k, PartitionedPeople(rows, places, table.n_records, table.n_people))
