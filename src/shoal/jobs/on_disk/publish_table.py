"""Publish a table whose records stay on disk: written in parts, proof-read where they are, and named at the end."""

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial

from shoal.anonymizers import Anonymizer, methods
from shoal.backends.spark.spark_table import OnCluster
from shoal.io.folders.release import certificate_sha256
from shoal.jobs.engine_choice import TableOnDisk, opened_backend
from shoal.jobs.make_release import MadeRelease, Published, ReleaseFolders, proof_read
from shoal.partitioned import read_partitioned_table
from shoal.partitioned.methods import ON_DISK
from shoal.partitioned.numbered_rows import numbered_rows
from shoal.partitioned.original_parts import write_partitioned_ledger
from shoal.partitioned.publish_table import publish_table
from shoal.partitioned.write_parts import Destination
from shoal.plan import Plan

__all__ = ["publish_on_disk"]


def publish_on_disk(
    table: TableOnDisk, plan: Plan, folders: ReleaseFolders, origin: Callable[[Anonymizer], str]
) -> Published:
    """Publish a table as a plan says; ``origin`` is what the ledger keeps of how that came about (TOML)."""
    method, reason = plan.method_or(partial(_default, plan))
    with opened_backend(table.memory, table.where) as backend, ExitStack() as stack:
        backend.refuse_unseen(*(each for each in (folders.release, folders.ledger) if each is not None))
        file = table.file
        if folders.ledger is not None and isinstance(file, OnCluster):
            file = stack.enter_context(numbered_rows(file, backend, folders.ledger))
        records, schema = read_partitioned_table(file, table.schema, backend, numbered=folders.ledger is not None)
        made = publish_table(
            records,
            schema,
            file.types,
            plan.promises,
            method,
            Destination(folders.release, folders.ledger),
            withhold=plan.share_withheld,
            accept=plan.accept,
        )
        if folders.ledger is not None:
            certificate = certificate_sha256(folders.release)
            write_partitioned_ledger(records, file, schema, made, origin(method), certificate, folders.ledger)
    proof_read(folders.release, engine=table.where, memory=str(table.memory))
    released = MadeRelease(made.certificate, made.report, made.group_sizes, made.remarks)
    return Published(released, len(records), method, reason)


def _default(plan: Plan) -> tuple[Anonymizer, str]:
    """Return the method for tables on disk, and why it is."""
    name, why = "mondrian", "records stay on disk"
    if plan.share_withheld:
        name, why = "lattice", f"{why} and may be withheld"
    return methods.read(name), f"Method: {name}, since {why}; --method names another, of {', '.join(ON_DISK)}."
