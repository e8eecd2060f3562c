"""A first look at a million made records of twenty columns, beside a Polars read of the same file: CSV and Parquet.

The ratios are those of the best of three runs each, in one process and in turn: of the time that passes, and of that of
the processors, which other work on the machine changes less. There are two unique columns, one of them
text, two of doubles that hardly repeat, two of dates, codes of 29,000 and 1,200 values, and twelve of few values. The
region follows from the zip code.
"""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

import shoal
from shoal.peak_memory import PeakMemory

ROWS = 1_000_000
RUNS = 3


def main(folder: Path) -> dict[str, float]:
    """Tell seconds, ratios and the memory that was needed at most."""
    frame = made(ROWS)
    results: dict[str, float] = {"rows": ROWS, "columns": 20}
    for ending, write, read in (
        ("csv", frame.write_csv, pl.read_csv),
        ("parquet", frame.write_parquet, pl.read_parquet),
    ):
        path = folder / f"million.{ending}"
        write(path)
        memory = PeakMemory()
        reading, looking = _best_in_turn(lambda: read(path), lambda: shoal.describe(path))  # noqa: B023
        seconds, processor = looking / reading
        results |= {
            f"{ending}_polars_read_seconds": round(float(reading[0]), 2),
            f"{ending}_describe_seconds": round(float(looking[0]), 2),
            f"{ending}_ratio": round(float(seconds), 1),
            f"{ending}_polars_read_processor_seconds": round(float(reading[1]), 2),
            f"{ending}_describe_processor_seconds": round(float(looking[1]), 2),
            f"{ending}_processor_ratio": round(float(processor), 1),
            f"{ending}_peak_mib": memory.mib,
        }
    return results


def _best_in_turn(*jobs: Callable[[], object]) -> np.ndarray:
    """Return for each job the least seconds, and the least seconds of all processors together."""
    best = np.full((len(jobs), 2), np.inf)
    for _ in range(RUNS):
        for place, job in enumerate(jobs):
            began = time.perf_counter(), time.process_time()
            job()
            taken = time.perf_counter() - began[0], time.process_time() - began[1]
            best[place] = np.minimum(best[place], taken)
    return best


def made(rows: int) -> pl.DataFrame:
    """Return the table."""
    generator = np.random.default_rng(1)

    def drawn(words: list[str]) -> pl.Series:
        return pl.Series(words).gather(generator.integers(0, len(words), rows))

    def days(first: int, last: int) -> pl.Series:
        return pl.Series(generator.integers(first, last, rows)).cast(pl.Int32).cast(pl.Date)

    def few(stem: str, n: int) -> pl.Series:
        return drawn([f"{stem} {i}" for i in range(n)])

    numbers = pl.Series(generator.permutation(rows))
    columns = {
        "record": np.arange(rows) + 1_000_000,
        "email": "user" + numbers.cast(pl.String) + "@mail.example",
        "age": generator.integers(0, 95, rows),
        "sex": drawn(["F", "M"]),
        "zip": drawn([f"{i:05d}" for i in range(1_000, 30_000)]),
        "birth": days(0, 20_000),
        "visit": days(18_000, 20_000),
        "income": np.round(generator.lognormal(10, 1, rows), 2),
        "weight": generator.random(rows),
        "score": np.round(generator.normal(0, 1, rows), 1),
        "hours": generator.integers(1, 99, rows),
        "stay": generator.geometric(0.2, rows),
        "diagnosis": few("diagnosis", 1_200),
    }
    for name, n in {"race": 5, "marital": 4, "education": 16, "occupation": 60, "country": 40, "ward": 25}.items():
        columns[name] = few(name, n)
    return pl.DataFrame(columns).with_columns(region=pl.col("zip").str.slice(0, 2))
