"""The backend on Spark: the laws of backends, and what only a cluster can get wrong."""

import gc
import os
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from shoal.backends.spark import SparkBackend, SparkTable
from shoal.errors import ClusterError, FileError, InputError, InternalError, WriteError
from shoal.io.formats.data_files import open_data
from shoal.progress import listening
from shoal.testing import check_backend
from spark_functions import AddsUp, KillsAnExecutor, counted, drawn, heights, n_keys, quotes_its_data, refuses, sleeps

_MANY = 10**10
_DRAWN = {"key": pl.UInt64(), "drawn": pl.UInt64()}


class _File:
    """A file of a lazy frame."""

    name = "the file"

    def __init__(self, scan: pl.LazyFrame, rows: int) -> None:
        self.scan, self.rows = scan, rows

    def batches(self, *columns: str):
        raise AssertionError("rows must not come through this process")


def _numbers(n: int) -> _File:
    return _File(pl.DataFrame({"key": pl.int_range(n, dtype=pl.UInt64, eager=True)}).lazy(), n)


def test_the_laws_of_backends(backend: SparkBackend) -> None:
    check_backend(backend, examples=3)


def test_every_type_of_column_comes_back_as_it_was(backend: SparkBackend) -> None:
    frame = pl.DataFrame(
        {
            "key": pl.Series([2**64 - 1, 0, 7], dtype=pl.UInt64),
            "small": pl.Series([1, None, 255], dtype=pl.UInt8),
            "category": pl.Series(["a", None, "b"], dtype=pl.Enum(["b", "a"])),
            "list": pl.Series([[1, 2], [], None], dtype=pl.List(pl.UInt16)),
            "time": pl.Series([1, 2, None], dtype=pl.Datetime("us", "Europe/Rome")),
            "money": pl.Series(["1.25", None, "2.50"]).cast(pl.Decimal(9, 2)),
        }
    )
    shuffled = backend.scan(_File(frame.lazy(), 3), *frame.columns).shuffle("key", _MANY, "shuffling")
    assert shuffled.collect("collecting").sort("key").equals(frame.sort("key"))


def test_partitions_stay_as_they_are_when_they_are_persisted(backend: SparkBackend) -> None:
    shuffled = backend.scan(_numbers(1000), "key").shuffle("key", _MANY, "shuffling")
    kept = shuffled.persist("persisting").map_partitions(heights, {"partition": pl.Int64(), "rows": pl.UInt32()})
    sizes = kept.collect("counting")
    before = shuffled.map_partitions(heights, {"partition": pl.Int64(), "rows": pl.UInt32()}).collect("counting")
    assert sizes.height > 1
    assert sizes["partition"].n_unique() == sizes.height
    assert sorted(sizes["rows"]) == sorted(before["rows"])
    assert sizes["rows"].sum() == 1000


def test_files_are_read_by_the_executors_in_ranges(backend: SparkBackend, tmp_path: Path) -> None:
    frame = pl.DataFrame({"key": pl.int_range(5000, dtype=pl.UInt64, eager=True), "text": ["x", "y"] * 2500})
    frame.write_parquet(tmp_path / "rows.parquet", row_group_size=700)
    frame.write_csv(tmp_path / "rows.csv")
    for scan in (pl.scan_parquet(tmp_path / "rows.parquet"), pl.scan_csv(tmp_path / "rows.csv")):
        file = _File(scan.with_columns(pl.col("key").cast(pl.UInt64)), 5000)
        assert backend.scan(file, "text", "key").collect("reading").sort("key").equals(frame.select("text", "key"))


def test_the_parts_of_a_folder_are_read_by_several_tasks(backend: SparkBackend, tmp_path: Path) -> None:
    frame = pl.DataFrame({"key": pl.int_range(900, dtype=pl.UInt64, eager=True), "text": ["x", "y", "z"] * 300})
    for number, part in enumerate(frame.iter_slices(300)):
        part.write_parquet(tmp_path / f"part-{number}.parquet")
    scanned = backend.scan(open_data(tmp_path, None), "text", "key", number="row")
    source: Any = scanned._source
    assert source.rdd.getNumPartitions() > 1
    found = scanned.collect("reading").sort("row")
    assert found.equals(frame.select("text", "key", pl.int_range(pl.len(), dtype=pl.UInt64).alias("row")))


def test_a_file_that_is_shorter_than_it_was_is_refused(backend: SparkBackend, tmp_path: Path) -> None:
    pl.DataFrame({"key": [1, 2]}).write_parquet(tmp_path / "rows.parquet")
    short = backend.scan(_File(pl.scan_parquet(tmp_path / "rows.parquet"), 3), "key")
    with pytest.raises(FileError, match="could not be read completely"):
        short.collect("reading")
    (tmp_path / "rows.parquet").unlink()
    with pytest.raises(FileError, match="cannot be read by the executors"):
        short.collect("reading")


def test_a_source_that_only_this_process_can_read_is_refused(backend: SparkBackend) -> None:
    from threading import Lock

    from polars.io.plugins import register_io_source

    lock = Lock()

    def rows(*_: object):
        with lock:
            yield pl.DataFrame({"key": [1]})

    with pytest.raises(FileError, match="Write it as Parquet"):
        backend.scan(_File(register_io_source(rows, schema={"key": pl.Int64()}), 1), "key")


def test_a_dataframe_of_spark_is_scanned_where_it_is(backend: SparkBackend) -> None:
    spark = backend._cluster.session.newSession()
    frame = spark.range(1000).selectExpr("id AS `the ``key`", "CAST(id % 7 AS STRING) AS text")
    table = SparkTable(frame)
    assert table.rows == 1000
    assert dict(table.scan.collect_schema()) == {"the `key": pl.Int64(), "text": pl.String()}
    assert table.scan.select("text").head(5).collect()["text"].to_list() == ["0", "1", "2", "3", "4"]
    rows = backend.scan(table, "text", "the `key").collect("reading")
    assert rows.columns == ["text", "the `key"]
    assert Counter(rows.iter_rows()) == Counter((str(n % 7), n) for n in range(1000))


def test_an_executor_that_dies_takes_nothing_with_it(backend: SparkBackend, tmp_path: Path) -> None:
    n = 40_000
    frame = pl.DataFrame({"key": np.arange(n, dtype=np.uint64)})
    frame.write_parquet(tmp_path / "rows.parquet", row_group_size=2000)
    kills = KillsAnExecutor(tmp_path / "killed")
    rows = backend.scan(_File(pl.scan_parquet(tmp_path / "rows.parquet"), n), "key").map_batches(drawn, _DRAWN)
    kept = rows.map_batches(kills, _DRAWN).persist("persisting")
    assert kills.marker.exists()
    first = kept.collect("collecting").sort("key")
    assert first["key"].equals(frame["key"])
    kills = KillsAnExecutor(tmp_path / "killed again")
    shuffled = kept.shuffle("drawn", _MANY, "shuffling").map_batches(kills, _DRAWN).persist("persisting")
    assert kills.marker.exists()
    assert shuffled.collect("collecting").sort("key").equals(first), "what was drawn is drawn once"


def test_keys_that_most_rows_have_are_in_one_partition(backend: SparkBackend) -> None:
    keys = np.where(np.arange(20_000) % 10 == 0, np.arange(20_000), 7).astype(np.uint64)
    file = _File(pl.DataFrame({"key": keys}).lazy(), len(keys))
    columns = {"key": pl.UInt64(), "rows": pl.UInt32(), "partition": pl.Int32()}
    found = backend.scan(file, "key").shuffle("key", _MANY, "shuffling").map_partitions(counted, columns)
    assert dict(found.collect("counting").select("key", "rows").iter_rows()) == Counter(keys.tolist())


def test_large_arrays_are_sent(backend: SparkBackend) -> None:
    """Encrypted, as everything that is sent."""
    numbers = np.arange(1_000_000)
    shared = backend.shared(numbers)
    added = backend.scan(_numbers(3), "key").map_batches(AddsUp(shared), {"sum": pl.Int64()}).collect("adding up")
    assert set(added["sum"]) == {int(numbers.sum())}
    assert shared.value is numbers


def test_errors_on_executors_are_told_without_values(backend: SparkBackend, capfd: pytest.CaptureFixture) -> None:
    file = _File(pl.DataFrame({"text": ["secret-7261"]}).lazy(), 1)
    with pytest.raises(InternalError, match="ValueError in quotes_its_data") as failed:
        backend.scan(file, "text").map_batches(quotes_its_data, {"text": pl.String()}).collect("failing")
    assert failed.value.__cause__ is None
    assert failed.value.__suppress_context__
    assert "secret" not in str(failed.value)
    with pytest.raises(WriteError, match="the disk is full"):
        backend.scan(file, "text").map_batches(refuses, {"text": pl.String()}).persist("failing")
    assert "secret" not in "".join(capfd.readouterr())


def test_results_that_are_too_large_are_refused(backend: SparkBackend) -> None:
    from dataclasses import replace

    small = backend.scan(_numbers(10_000), "key")
    small._cluster = replace(small._cluster, most_collected=10_000)
    with pytest.raises(ClusterError, match="too large for this process"):
        small.collect("collecting")


def test_a_file_has_no_partitions_before_it_is_shuffled(backend: SparkBackend) -> None:
    with pytest.raises(InternalError):
        backend.scan(_numbers(5), "key").map_partitions(heights, {})


def test_a_second_session_is_not_begun_beside_the_first(backend: SparkBackend) -> None:
    with pytest.raises(InputError, match="session already"):
        SparkBackend("local[1]")


def test_a_session_of_ones_own_is_used_and_left_as_it_was(backend: SparkBackend, tmp_path: Path) -> None:
    own = backend._cluster.session.newSession()
    before = own.conf.get("spark.sql.adaptive.enabled")
    with SparkBackend(own, str(tmp_path)) as second:
        assert (tmp_path / os.listdir(tmp_path)[0]).stat().st_mode & 0o077 == 0
        assert second.scan(_numbers(5), "key").persist("persisting").collect("collecting").height == 5
    assert own.conf.get("spark.sql.adaptive.enabled") == before
    assert not os.listdir(tmp_path)
    assert own.range(3).count() == 3, "the session goes on"


def test_staged_rows_are_gone_when_nobody_needs_them(backend: SparkBackend) -> None:
    folder = Path(backend._cluster.staging.path)
    kept = backend.scan(_numbers(5), "key").persist("persisting")
    held = set(os.listdir(folder))
    del kept
    gc.collect()
    again = backend.scan(_numbers(5), "key").persist("persisting")
    assert len(held - set(os.listdir(folder))) >= 1
    del again


def test_progress_is_heard_in_tasks(backend: SparkBackend) -> None:
    heard: dict[str, list[int]] = {}

    class Ear:
        def begin(self, name: str, total: int | None, parent: object | None = None) -> object:
            heard[name] = [total or 0, 0]
            return name

        def advance(self, token: object, amount: int) -> None:
            heard[str(token)][1] += amount

        def end(self, token: object) -> None: ...

    with listening(Ear()):
        backend.scan(_numbers(50_000), "key").shuffle("key", _MANY, "shuffling")
    assert heard["shuffling"][0] > 1
    assert heard["shuffling"][0] == heard["shuffling"][1]


def test_a_job_ends_with_whoever_waited_for_it(backend: SparkBackend) -> None:
    class Interrupted:
        def begin(self, name: str, total: int | None, parent: object | None = None) -> object:
            raise KeyboardInterrupt

        def advance(self, token: object, amount: int) -> None: ...

        def end(self, token: object) -> None: ...

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt), listening(Interrupted()):
        backend.scan(_numbers(5), "key").map_batches(sleeps, {"key": pl.UInt64()}).collect("sleeping")
    for _ in range(3):  # on both executors
        assert backend.scan(_numbers(5), "key").collect("collecting").height == 5
    assert time.monotonic() - began < 90


def test_no_array_with_an_entry_a_record_comes_here(backend: SparkBackend, tmp_path: Path) -> None:
    n = 4_000_000
    keys = np.random.default_rng(1).integers(0, 2**63, n, dtype=np.uint64)
    pl.DataFrame({"key": keys, "drawn": keys}).write_parquet(tmp_path / "rows.parquet")
    expected, file = len(np.unique(keys)), _File(pl.scan_parquet(tmp_path / "rows.parquet"), n)
    del keys
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # begin the peak anew
    before = _memory("VmRSS")
    shuffled = backend.scan(file, "key", "drawn").shuffle("key", n, "shuffling")
    sizes = shuffled.map_partitions(n_keys, {"keys": pl.UInt32()}).collect("counting")
    assert sizes["keys"].sum() == expected
    assert _memory("VmHWM") - before < 30 << 10, "kB for a table of 62,500"


def _memory(name: str) -> int:
    (kilobytes,) = re.findall(rf"{name}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(kilobytes)
