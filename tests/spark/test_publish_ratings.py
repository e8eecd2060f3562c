"""Ratings on a cluster are published as from memory: the same profiles, whoever makes them."""

from pathlib import Path

import numpy as np
import polars as pl

import shoal
from shoal.backends.spark import SparkBackend


def test_ratings_are_published_and_verified(backend: SparkBackend, tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    users, items = rng.integers(0, 60, 700), rng.integers(0, 15, 700)
    frame = pl.DataFrame({"user": users, "item": items, "rating": rng.integers(1, 6, 700)}).unique(["user", "item"])
    frame.write_parquet(tmp_path / "ratings.parquet")
    session, file, release, ledger = (
        backend._cluster.session,
        tmp_path / "ratings.parquet",
        tmp_path / "release",
        tmp_path / "ledger",
    )
    asked = {"models": ["k-anonymity:k=4"], "method": "predictive:predictor=als:factors=2;sweeps=2"}
    made = shoal.publish(file, out=release, ledger=ledger, engine=session, **asked)
    assert made.records_out == frame["user"].n_unique()
    for engine in ("local", "stream"):
        assert shoal.verify(release, engine=engine).holds
    assert shoal.verify(release, ledger).holds
