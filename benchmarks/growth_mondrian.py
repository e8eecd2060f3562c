"""How Mondrian grows with the number of records: 8 quasi-identifiers, k = 5, 10 thousand to 1 million rows."""

import time
from pathlib import Path

from shoal.anonymizers import methods
from shoal.datasets import generate_table
from shoal.engines import LocalEngine, judge
from shoal.models import promises
from shoal.randomness import Randomness


def main(folder: Path) -> dict[str, float]:  # noqa: ARG001
    """Time the recoding alone, warm, and tell the number of groups beside it."""
    method, models, engine = methods.read("mondrian"), [promises.read("k-anonymity:k=5")], LocalEngine()
    method.recode(generate_table(1000, seed=1), models, engine, Randomness(1))
    measured: dict[str, float] = {}
    for rows in (10_000, 100_000, 1_000_000):
        table = generate_table(rows, seed=1)
        began = time.perf_counter()
        recoded = method.recode(table, models, engine, Randomness(1)).records
        measured[f"seconds_{rows}"] = round(time.perf_counter() - began, 2)
        measured[f"groups_{rows}"] = judge(recoded, models, engine).n_groups
    return measured
