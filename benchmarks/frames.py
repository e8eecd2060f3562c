"""Frame in, frame out beside file in, file out: Adult by two methods, and ratings of the Netflix Prize shape.

The ways are timed in turns, each after a run that compiles, and the medians are compared. A frame should cost at most
1.3 times what a file does. Adult needs the data set beside the project.
"""

import gc
import statistics
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

import shoal
from adult import ADULT, SALARY_SENSITIVE, adult_schema
from shoal.datasets.generators import generate_ratings
from shoal.io import RatingsSchema, write_records
from shoal.peak_memory import PeakMemory

_TIMES = 3
_USERS, _ITEMS, _RATINGS = 48_019, 1_777, 2_000_000


def main(folder: Path) -> dict[str, float]:
    """Compare seconds and the peaks of memory of both ways; the frame itself is in memory in all of them."""
    warnings.simplefilter("ignore")  # what little is left is not the question here
    measured: dict[str, float] = {}
    if ADULT.exists():
        schema = adult_schema(folder, *SALARY_SENSITIVE)
        frame = shoal.read(ADULT / "adult.csv", schema).records.frame()  # type: ignore[union-attr]
        for method in ("mondrian", "lattice"):
            settings = {"schema": schema, "models": "k-anonymity:k=5", "method": method, "withhold": "5%"}
            measured |= _compared(f"adult_{method}", frame, folder, settings)
    ratings = generate_ratings(_USERS, _ITEMS, _RATINGS, seed=1)
    file = folder / "ratings.parquet"
    write_records(ratings, RatingsSchema(layout="long"), file)
    settings = {"models": "k-anonymity:k=50", "method": "predictive"}
    return measured | _compared("netflix_shape", pl.read_parquet(file), folder, settings)


def _compared(name: str, frame: pl.DataFrame, folder: Path, settings: dict[str, Any]) -> dict[str, float]:
    file, out = folder / f"{name}.parquet", folder / f"{name}-release"
    frame.write_parquet(file)
    pandas = frame.to_pandas()
    ways: dict[str, Callable[[], object]] = {
        "file": lambda: shoal.publish(file, out=out, force=True, **settings),
        "polars": lambda: shoal.anonymize(frame, **settings).to_polars(),
        "pandas": lambda: shoal.anonymize(pandas, **settings).to_pandas(),
    }
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    peaks: dict[str, int] = {}
    for _ in range(_TIMES + 1):
        for way, job in ways.items():
            gc.collect()
            peak, began = PeakMemory(), time.perf_counter()
            job()
            seconds[way].append(time.perf_counter() - began)
            peaks[way] = peak.mib
    medians = {way: statistics.median(each[1:]) for way, each in seconds.items()}
    ratios = {f"{name}_{way}_by_file": round(medians[way] / medians["file"], 2) for way in ("polars", "pandas")}
    memory = {f"{name}_{way}_peak_mib": peak for way, peak in peaks.items()}
    return {f"{name}_{way}_seconds": round(median, 2) for way, median in medians.items()} | ratios | memory
