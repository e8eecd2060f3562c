"""What fits into memory: check and publish a table and ratings there, in seconds of the processor.

A million people with eight quasi-identifiers and five million ratings. Each job is done three times, in turns, and the
least is told; everything is compiled before, on small data. The same program on the code of another commit says what
has changed since.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import shoal
from measuring import peak
from shoal.datasets import write_generated

_TIMES = 3
_K = "k-anonymity:k=5"


def main(folder: Path) -> dict[str, Any]:
    """Do each job on small data once and on the others in turns."""
    for name, rows, users, items, ratings in (
        ("small", 20_000, 2_000, 300, 20_000),
        ("large", 1_000_000, 48_000, 5_000, 5_000_000),
    ):
        if not (folder / f"{name}-ratings.parquet").exists():
            write_generated("table", folder / f"{name}-table.parquet", rows=rows, seed=1)
            write_generated(
                "ratings", folder / f"{name}-ratings.parquet", users=users, items=items, ratings=ratings, seed=1
            )
    for _, job in _jobs(folder, "small"):
        job()
    taken: dict[str, list[float]] = {}
    for _ in range(_TIMES):
        for name, job in _jobs(folder, "large"):
            began = time.process_time()
            job()
            taken.setdefault(name, []).append(time.process_time() - began)
    return {**{f"{name}_processor": round(min(each), 2) for name, each in taken.items()}, "peak_mib_of_all": peak()}


def _jobs(folder: Path, size: str) -> Iterator[tuple[str, Callable[[], object]]]:
    table, ratings = folder / f"{size}-table.parquet", folder / f"{size}-ratings.parquet"
    schema = str(table.with_suffix(".schema.toml"))
    made: dict[str, Any] = {"out": str(folder / "release"), "seed": 1, "force": True}
    yield "check_table", lambda: shoal.check(table, [_K, "l-diversity:l=2"], schema)
    yield "check_ratings", lambda: shoal.check(ratings, ["k-epsilon:k=5,epsilon=1"])
    yield "mondrian", lambda: shoal.publish(table, schema, _K, method="mondrian", **made)
    yield "lattice", lambda: shoal.publish(table, schema, _K, method="lattice", withhold="2%", **made)
    yield "predictive", lambda: shoal.publish(ratings, models=_K, method="predictive", **made)
