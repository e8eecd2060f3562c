"""Which methods run on disk is said of every method, and is true."""

from pathlib import Path

import pytest

import shoal
from people_on_disk import K20, people
from shoal.anonymizers import methods
from shoal.errors import WordingError
from shoal.partitioned.methods import IN_MEMORY_ALONE, ON_DISK, RATINGS_ON_DISK

OF_TABLES = {cls.name for cls in methods if "table" in cls.kinds}


def test_the_table_names_every_method_once() -> None:
    ours = {cls.name for cls in methods if cls.__module__.startswith("shoal.")}
    assert {*ON_DISK, *RATINGS_ON_DISK, *IN_MEMORY_ALONE} == ours
    assert not {*ON_DISK, *RATINGS_ON_DISK} & {*IN_MEMORY_ALONE}


@pytest.mark.parametrize("method", sorted(OF_TABLES & {*ON_DISK}))
def test_what_runs_on_disk_makes_what_is_made_in_memory(tmp_path: Path, method: str) -> None:
    file, schema = people(tmp_path)
    settings = {"microaggregation": "microaggregation:blocks=100", "top-down": "top-down:search=0"}
    wording = settings.get(method, method)
    k, withhold = ("k-anonymity:k=3", "50%") if method == "none" else (K20, "0")
    made = [
        shoal.publish(file, schema, k, method=wording, withhold=withhold, out=tmp_path / engine, engine=engine)
        for engine in ("local", "stream")
    ]
    assert made[0].group_sizes == made[1].group_sizes
    assert made[0].loss == pytest.approx(made[1].loss)


@pytest.mark.parametrize("method", sorted(OF_TABLES & {*IN_MEMORY_ALONE} - {"decomposition"}))
def test_what_needs_memory_is_refused_with_its_reason(tmp_path: Path, method: str) -> None:
    file, schema = people(tmp_path)
    with pytest.raises(WordingError, match=IN_MEMORY_ALONE[method]):
        shoal.publish(file, schema, K20, method=method, out=tmp_path / "out", engine="stream")
