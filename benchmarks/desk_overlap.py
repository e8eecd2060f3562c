"""How surely a release desk notices people who are in two data sets, and what noticing costs.

Two samples of 10,000 records each are taken from 30,000 generated ones: of different people, or with some in common.
By identifiers everybody in common is counted. Without them records are compared: reported are the share of records that
the desk takes to be in common, by how many columns there are, and whether it takes them for an overlap. Then
the CPU time to register a data set of 30,000 people at a desk that knows ten others.
"""

import secrets
import time
from pathlib import Path
from typing import Any

import numpy as np

from shoal.data import Microdata
from shoal.datasets import generate_table
from shoal.desk import Desk, Policy, Purpose
from shoal.desk.people.marks import AsWritten, Marks

ROWS, SAMPLE, OTHERS = 30_000, 10_000, 10
COMMON = (0, 1, 2_500, 5_000, 9_000)
COLUMNS = (9, 5, 3)


def main(folder: Path) -> dict[str, Any]:
    """Measure both."""
    table, secret = generate_table(ROWS, 1), secrets.token_bytes(32)
    order = np.random.default_rng(1).permutation(ROWS)
    results: dict[str, Any] = {"rows": ROWS, "sample": SAMPLE}
    for width in COLUMNS:
        narrow = Microdata((table["name"], *[column for column in table.columns if column.name != "name"][:width]))
        for common in COMMON:
            samples = order[:SAMPLE], order[SAMPLE - common : 2 * SAMPLE - common]
            case = f"columns_{width}_common_{common}"
            first, second = (_marks(narrow.take(sample), secret) for sample in samples)
            results[f"{case}_people_found_by_identifiers"] = second.people_among(first.people)
            nameless = Microdata(narrow.columns[1:])
            first, second = (_marks(nameless.take(sample), secret) for sample in samples)
            in_common = second.records_among(first.records)
            results[f"{case}_records_in_common"] = round(in_common / SAMPLE, 3)
            results[f"{case}_noticed_by_records"] = int(in_common > 0)
    return results | _registering(folder, table)


def _marks(table: Microdata, secret: bytes) -> Marks:
    return Marks.of(table, AsWritten.of(table), secret)


def _registering(folder: Path, table: Microdata) -> dict[str, float]:
    desk = Desk.create(folder / "desk.sqlite")
    desk.add_purpose("income", Purpose(target="salary-class"))
    policy = Policy(("k-anonymity:k=5",), purpose="income", identifier="name")
    desk.add_dataset("alone", table, policy)  # compiles
    for number in range(OTHERS - 1):
        desk.add_dataset(f"other {number}", generate_table(ROWS, 2 + number), policy)
    late = generate_table(ROWS, 99)
    began = time.process_time()
    _marks(late, b"0" * 32)
    marked = time.process_time() - began
    began = time.process_time()
    desk.add_dataset("late", late, policy)
    seconds = time.process_time() - began
    size = (folder / "desk.sqlite").stat().st_size / 2**20
    return {
        "marks_cpu_seconds": round(marked, 3),
        "register_beside_ten_cpu_seconds": round(seconds, 3),
        "store_mib": round(size, 1),
    }
