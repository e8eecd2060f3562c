"""Ratings are judged on Spark as in this process."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal.backends.spark import SparkBackend
from shoal.engines import LocalEngine, judge
from shoal.io.ratings.long import long_layout
from shoal.io.read import open_long
from shoal.io.schemas import RatingsSchema, given_schema
from shoal.jobs.read import read
from shoal.models import promises
from shoal.partitioned.ratings import judge_partitioned_ratings, pattern_blocks, read_partitioned_ratings

_PROMISES = ("k-epsilon:k=3,epsilon=1", "k-epsilon:k=2,epsilon=2,l=1", "k-anonymity:k=2")
_SETS = ("km-anonymity:k=3,m=1", "km-anonymity:k=3,m=2", "b-l-diversity:b=1,l=2")


def _films(*, complete: bool) -> pl.DataFrame:
    """Return ratings of six items by users who rated all, or about half of them."""
    drawn = np.random.default_rng(7)
    users, items = (each.ravel() for each in np.meshgrid(np.arange(300), np.arange(6), indexing="ij"))
    films = pl.DataFrame({"user": users, "item": items, "rating": drawn.integers(1, 6, len(users))})
    kept = np.ones(len(users), bool) if complete else drawn.random(len(users)) < 0.5
    return films.filter(pl.Series(kept)).with_columns(pl.col("item").cast(pl.String))


@pytest.mark.parametrize("complete", [False, True])
def test_verdicts_are_those_of_ratings_in_memory(
    backend: SparkBackend, complete: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if complete:
        monkeypatch.setattr(pattern_blocks, "_LARGEST_BLOCK", 100)
    monkeypatch.chdir(tmp_path)
    _films(complete=complete).write_parquet("films.parquet")
    schema = {"kind": "ratings", "layout": "long", "scale": [1, 5], "sensitive": ["5"]}
    models = [promises.read(each) for each in (*_PROMISES, *_SETS)]
    described = given_schema(schema)
    assert isinstance(described, RatingsSchema)
    file = open_long("films.parquet", described)
    assert file is not None
    found = judge_partitioned_ratings(read_partitioned_ratings(file, long_layout(file, described), backend), models)
    expected = judge(read("films.parquet", schema).records, models, LocalEngine()).verdicts
    assert [(dict(each.level), each.violations, each.why) for each in found] == [
        (dict(each.level), each.violations, each.why) for each in expected
    ]
