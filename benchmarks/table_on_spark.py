"""A table published on Spark and on the disk of this machine, with the lattice: equal answers, times, peaks of memory.

Spark has two executors of one core and 1 GiB each, on this machine. Its driver may take 1 GiB for Java and, once Spark
runs, 1 GiB for Python. `--rows` says how many rows the table has; 50 million unless said. Overheads are those of the
processor's seconds of all processes, as other work on the machine lengthens those of the clock.
"""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from shoal.anonymizers import methods
from shoal.backends import Backend
from shoal.io.formats.data_files import open_data
from shoal.io.schemas import TableSchema, read_schema
from shoal.models import promises
from shoal.partitioned import judge_partitioned, read_partitioned_table
from shoal.partitioned.publish_table import publish_table
from shoal.partitioned.write_parts import Destination
from spark_and_stream import compared, run_here
from table_on_disk import write_table

__all__ = ["jobs", "main"]

_PROMISES = ("k-anonymity:k=5", "l-diversity:l=2", "t-closeness:t=0.5")
_WITHHELD = Fraction(1, 50)


def main(folder: Path, rows: int = 50_000_000) -> dict[str, Any]:
    """Publish the same table on both and compare what is known of the releases."""
    write_table(folder / "table", rows)
    return {"rows": rows, **compared(__file__, folder)}


def jobs(backend: Backend, folder: Path, done: Callable[[str], None]) -> dict[str, Any]:
    """Check and publish a table, and judge the release anew from its files; return the answers."""
    data, release = folder / "table", folder / f"release-{backend.name}"
    models = [promises.read(each) for each in _PROMISES]
    release.mkdir()
    verdicts = judge_partitioned(_read(data, data / "schema.toml", backend)[0], models).verdicts
    done("check")
    table, schema = _read(data, data / "schema.toml", backend)
    to = Destination(release, None)
    made = publish_table(table, schema, {}, models, methods.read("lattice"), to, withhold=_WITHHELD)
    done("publish")
    written, _ = _read(release, release / "schema.toml", backend)
    again = judge_partitioned(written, models)
    done("verify")
    assert again.holds
    assert len(written) == made.certificate.records == len(table) - made.report["records withheld"]
    known = {"groups": made.certificate.groups, "records_out": made.certificate.records}
    levels = [[dict(each.level), each.violations] for each in (*verdicts, *again.verdicts)]
    report = {name: round(float(value), 9) for name, value in made.report.items()}
    return {"known": {**known, "loss": report["loss-mean"]}, "levels": levels, "report": report}


def _read(data: Path, schema_file: Path, backend: Backend) -> tuple[Any, TableSchema]:
    schema = read_schema(schema_file)
    assert isinstance(schema, TableSchema)
    return read_partitioned_table(open_data(data, schema), schema, backend)


if __name__ == "__main__":
    run_here(jobs)
