"""What of the backend on Spark runs without Spark: blocks, reading in ranges, and errors on their way back."""

import sys
import tracemalloc
from base64 import b64decode
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.backends.division import n_partitions, scattered
from shoal.backends.spark import SparkBackend, blocks
from shoal.backends.spark.blocks import blocks_of, frames_of, gathered
from shoal.backends.spark.failures import TaskFailure, failure_behind, told_failures
from shoal.backends.spark.ranges import Range, ranges_of
from shoal.backends.spark.tasks import ReadRanges
from shoal.errors import ClusterError, DataError, FileError, InternalError, MissingExtraError, WriteError

_FRAME = pl.DataFrame(
    {"key": [2**64 - 1, 0, 5], "text": ["a", None, "ü"]}, schema={"key": pl.UInt64, "text": pl.String}
)


@given(st.lists(st.tuples(st.integers(0, 2**64 - 1), st.none() | st.text(max_size=3))), st.integers(1, 60))
def test_rows_are_the_same_after_they_were_blocks(rows: list, size: int) -> None:
    frame = pl.DataFrame(rows, schema=_FRAME.schema, orient="row")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "_BLOCK_BYTES", size)
        made = list(blocks_of(frame, 3))
    assert all(batch.column("place").to_pylist() == [3] for batch in made)
    frames = list(gathered(frames_of(made), frame.schema, whole=True))
    assert len(frames) == 1
    assert frames[0].equals(frame)


def test_blocks_that_were_sent_are_not_kept() -> None:
    """A worker lives as long as the cluster, and makes blocks of everything."""
    rows = pl.DataFrame({"key": range(200_000)})
    tracemalloc.start()
    try:
        for _ in range(20):
            assert sum(batch.num_rows for batch in blocks_of(rows)) == 1
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 3 * rows.estimated_size()


def test_batches_are_gathered_up_to_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_BATCH_BYTES", 2 * _FRAME.estimated_size())
    heights = [frame.height for frame in gathered([_FRAME] * 5, _FRAME.schema, whole=False)]
    assert heights == [6, 6, 3]
    assert [*gathered([], _FRAME.schema, whole=False)] == []


@given(st.lists(st.integers(0, 3) | st.integers(0, 2**64 - 1)), st.integers(1, 5))
def test_each_row_goes_to_one_partition_and_each_key_too(keys: list[int], n: int) -> None:
    rows = pl.DataFrame({"key": keys, "row": range(len(keys))}, schema={"key": pl.UInt64, "row": pl.Int64})
    parts = dict(scattered(rows, "key", n))
    assert set(parts) <= set(range(n))
    assert Counter(row for part in parts.values() for row in part.iter_rows()) == Counter(rows.iter_rows())
    assert sum(part["key"].n_unique() for part in parts.values()) == len(set(keys))


def test_partitions_are_so_many_that_each_fits() -> None:
    columns = {"key": pl.UInt64(), "code": pl.UInt8(), "text": pl.String()}
    assert n_partitions(0, columns, 1000) == 1
    assert n_partitions(1000, columns, 33 * 8 * 100) == 10


@dataclass(frozen=True)
class _Value:
    value: Sequence


@given(st.lists(st.integers(0, 20), min_size=1, max_size=4), st.integers(1, 10), st.integers(1, 10))
def test_ranges_cover_each_row_of_each_part_once(sizes: list[int], per_range: int, per_batch: int) -> None:
    import pyarrow as pa

    parts = [(pl.LazyFrame({"key": range(n)}, schema={"key": pl.Int64}), n) for n in sizes]
    ranges = ranges_of(parts, per_range)
    assert all(each.rows <= per_range for each in ranges), "frames in memory are read in ranges"
    plans = [scan.serialize() for scan, _ in parts]
    read = ReadRanges("rows", _Value(plans), _Value(ranges), per_batch, "number")
    numbers = pa.RecordBatch.from_pydict({"id": range(len(ranges))})
    rows = [row for batch in read([numbers], whole=False) for row in batch.rows()]
    keys = [key for n in sizes for key in range(n)]
    assert rows == [(key, number) for number, key in enumerate(keys)]


def test_a_part_that_cannot_be_sliced_is_one_range(tmp_path: Path) -> None:
    pl.DataFrame({"key": range(10)}).write_csv(tmp_path / "rows.csv")
    pl.DataFrame({"key": range(7)}).write_parquet(tmp_path / "rows.parquet")
    parts = [(pl.scan_csv(tmp_path / "rows.csv"), 10), (pl.scan_parquet(tmp_path / "rows.parquet"), 7)]
    assert ranges_of(parts, 4) == (Range(0, 0, 10, 0), Range(1, 0, 4, 10), Range(1, 4, 3, 14))


def test_a_range_that_is_not_there_is_refused(tmp_path: Path) -> None:
    import pyarrow as pa

    pl.DataFrame({"key": [1, 2]}).write_parquet(tmp_path / "rows.parquet")
    plans = _Value([pl.scan_parquet(tmp_path / "rows.parquet").serialize()])
    first = pa.RecordBatch.from_pydict({"id": [0]})
    with pytest.raises(FileError, match="could not be read completely"):
        list(ReadRanges("rows", plans, _Value([Range(0, 0, 3, 0)]), 5)([first], whole=False))
    (tmp_path / "rows.parquet").unlink()
    with pytest.raises(FileError, match="cannot be read by the executors"):
        list(ReadRanges("rows", plans, _Value([Range(0, 0, 2, 0)]), 5)([first], whole=False))


@pytest.mark.parametrize(
    "error", [DataError("Row 3 has no key.", "Give it one."), WriteError("/there/part", 28), FileError("It is away.")]
)
def test_errors_of_ours_come_back_as_they_were(error: DataError) -> None:
    with pytest.raises(TaskFailure) as failed, told_failures():
        raise error
    found = failure_behind(RuntimeError(f"at org.apache.spark\n{failed.value}\n"), "counting", "/staging")
    assert type(found) is type(error)
    assert (str(found), found.message, found.cure) == (str(error), error.message, error.cure)


def test_other_errors_come_back_by_type_and_place_alone() -> None:
    with pytest.raises(TaskFailure) as failed, told_failures():
        int("secret")
    assert failed.value.__suppress_context__
    assert b"secret" not in b64decode(str(failed.value).partition(":")[2])
    found = failure_behind(RuntimeError(str(failed.value)), "counting", "/staging")
    assert isinstance(found, InternalError)
    assert "ValueError in test_other_errors_come_back_by_type_and_place_alone (test_spark_parts.py" in str(found)


def test_a_lack_of_memory_on_an_executor_is_told_with_the_cure() -> None:
    with pytest.raises(TaskFailure) as failed, told_failures():
        raise MemoryError
    found = failure_behind(RuntimeError(str(failed.value)), "counting", "/staging")
    assert isinstance(found, ClusterError)
    assert "memoryOverhead" in found.cure


def test_failures_of_spark_are_told_in_words_of_ours() -> None:
    def told(text: str) -> str:
        return str(failure_behind(RuntimeError(text), "counting", "/staging/shoal"))

    assert "the disk is full" in told("java.io.IOException: No space left on device")
    for text, message in (
        ("bigger than spark.driver.maxResultSize (1 MiB)", "too large for this process"),
        ("ModuleNotFoundError: No module named 'shoal'", "their Python lacks a package"),
        ("[PYTHON_VERSION_MISMATCH] Python in worker", "Python is of another version"),
        ("ExecutorLostFailure (executor 1 exited unrelated to the running tasks)", "Too many executors were lost"),
        ("Python worker exited unexpectedly (crashed)", "for lack of memory"),
        ("Cannot call methods on a stopped SparkContext.", "The session of Spark ended while counting"),
    ):
        failure = failure_behind(RuntimeError(f"secret {text}"), "counting", "/staging/shoal")
        assert isinstance(failure, ClusterError)
        assert failure.cure
        assert message in str(failure)
        assert "secret" not in str(failure)
    assert told("secret").startswith("Spark failed while counting (RuntimeError).")
    assert "secret" not in told("secret")


@pytest.mark.parametrize("missing", ["pyspark", "pyarrow", "pandas"])
def test_a_missing_part_is_named_with_the_cure(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'shoal\[spark\]'"):
        SparkBackend("local[1]")
