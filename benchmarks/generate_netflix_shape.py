"""Ratings of the shape of the Netflix Prize data, generated straight to Parquet: minutes, and within 6 GiB."""

import time
from pathlib import Path

import numpy as np
import polars as pl

from run import peak_mib
from shoal import datasets

USERS, ITEMS, RATINGS = 480_189, 17_770, 100_480_507


def main(folder: Path) -> dict[str, float]:
    """Generate the file, look at it, and give how long it took and how much like the real one it is."""
    # compiling is not what is measured; a second run of anybody's finds the kernels compiled
    datasets.generate_ratings(10, 10, 50, 1)
    path = folder / "netflix.parquet"
    began = time.perf_counter()
    datasets.write_generated("ratings", path, users=USERS, items=ITEMS, ratings=RATINGS, seed=1, force=True)
    seconds = time.perf_counter() - began
    peak = peak_mib()
    rating = pl.col("rating")
    figures = pl.scan_parquet(path).select(
        ratings=pl.len(), users=pl.col("user").n_unique(), mean=rating.mean(), deviation=rating.std()
    )
    return {
        "write_seconds": round(seconds, 2),
        "write_peak_mib": peak,
        "million_ratings_a_second": round(RATINGS / seconds / 1e6, 2),
        "file_mib": path.stat().st_size >> 20,
        **_rounded(figures.collect().row(0, named=True)),
        **_popularity(path),
        "read_seconds": _reading(path),
    }


def _rounded(figures: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 3) for name, value in figures.items()}


def _popularity(path: Path) -> dict[str, float]:
    """Return how the ratings are spread over the items; the real data have a median of 561 and a largest of 232,944."""
    counts = np.sort(pl.scan_parquet(path).group_by("item").len().collect()["len"].to_numpy())
    return {
        "items": len(counts),
        "item_median": int(np.median(counts)),
        "item_largest": int(counts[-1]),
        "top_tenth_share": round(float(counts[-len(counts) // 10 :].sum() / counts.sum()), 3),
    }


def _reading(path: Path) -> float:
    began = time.perf_counter()
    pl.read_parquet(path)
    return round(time.perf_counter() - began, 2)
