"""Verify a release of a table where its records are."""

from pathlib import Path

from shoal.backends import Backend
from shoal.column_audit import Objection
from shoal.column_audit.revealing_columns import columns_taking_part
from shoal.data import Role
from shoal.errors import FileError
from shoal.io.folders.ledger import open_ledger
from shoal.io.folders.release import OpenedRelease, ReleaseFolder, certificate_sha256
from shoal.io.schemas import TableSchema
from shoal.jobs.engine_choice import TableOnDisk, opened_backend
from shoal.jobs.release_and_truth import GivenRelease, other_certificate, unlinked
from shoal.jobs.verify import Compared, Judging, VerifyResult, verified
from shoal.partitioned import PartitionedTable, judge_partitioned, read_partitioned_table
from shoal.partitioned.audit import PartitionedPeople
from shoal.partitioned.linked_records import unlinked_records

__all__ = ["verified_on_disk"]


def verified_on_disk(
    folder: GivenRelease, opened: OpenedRelease, table: TableOnDisk, ledger: str | Path | None = None
) -> VerifyResult:
    """Verify a release whose files are those of its certificate, and with its ledger, if that is given."""
    with opened_backend(table.memory, table.where) as backend:
        records, schema = read_partitioned_table(table.file, table.schema, backend)
        release = ReleaseFolder(records, opened.written(schema), opened.certificate, opened.states_people)
        compared = None if ledger is None else _compared(table, certificate_sha256(opened.data.parent), ledger, backend)
        return verified(folder, release, compared, Judging(judge_partitioned, _objection))


def _compared(table: TableOnDisk, sha256: str, ledger: str | Path, backend: Backend) -> Compared:
    """Compare the records of a release with the links of a ledger, record by record."""
    truth = open_ledger(ledger)
    if not isinstance(truth.schema, TableSchema):
        raise FileError("The release and the ledger hold different kinds of data.", "Are they a pair?")
    name = next(name for name, column in table.schema.columns.items() if column.role is Role.IDENTIFIER)
    found = unlinked_records(table.file, name, truth.links, backend)
    reasons = unlinked(found.unknown, found.absent, found.several)
    return Compared((*reasons, *other_certificate(sha256, truth.release)), truth.release is not None)


def _objection(table: PartitionedTable, k: int) -> Objection | None:
    """Return what the audit objects to in the insensitive columns of a table in which everybody has one record."""
    columns = tuple(column for column in table.columns if column.role is Role.INSENSITIVE)
    if not columns:
        return None
    places = dict(zip((column.name for column in columns), table.codes_of(columns), strict=True))
    rows = table.rows.persist("looking at insensitive columns") if len(columns) > 1 else table.rows
    return columns_taking_part(columns, k, PartitionedPeople(rows, places, table.n_records, table.n_people))
