import gc
from pathlib import Path

import polars as pl
import pytest

from shoal.backends.stream import StreamBackend
from shoal.backends.stream.spill import SpillFolder
from shoal.errors import InternalError, WriteError
from shoal.progress import listening
from shoal.testing import check_backend

_SEVERAL = 10**11
"""So much memory that a billion rows make a handful of partitions."""


class _Numbers:
    """A file of the numbers below n, in batches of a thousand."""

    name = "numbers"

    def __init__(self, n: int) -> None:
        self.rows = n

    @property
    def scan(self) -> pl.LazyFrame:
        return pl.DataFrame({"key": pl.int_range(self.rows, dtype=pl.UInt64, eager=True)}).lazy()

    def batches(self, *columns: str):
        yield from self.scan.collect().select(columns).iter_slices(1000)


def test_the_laws_of_backends(tmp_path: Path) -> None:
    with StreamBackend(tmp_path / "spill", _SEVERAL) as backend:
        check_backend(backend)


def test_the_laws_of_backends_hold_with_one_thread(tmp_path: Path) -> None:
    with StreamBackend(tmp_path / "spill", _SEVERAL, threads=1) as backend:
        check_backend(backend, examples=10)


def test_rows_are_divided_so_that_partitions_fit_into_memory(tmp_path: Path) -> None:
    with StreamBackend(tmp_path / "spill", memory=8 * 8 * 2_000, threads=2) as backend:
        shuffled = backend.scan(_Numbers(20_000), "key").shuffle("key", 20_000, "shuffling")
        sizes = shuffled.map_partitions(_height, {"rows": pl.UInt32()}).collect("counting")["rows"]
        assert sizes.sum() == 20_000
        assert len(sizes) == 20
        assert max(sizes.to_list()) < 2 * 20_000 / 20, "keys that follow one another must not fall together"


def _height(rows: pl.DataFrame, _: int) -> pl.DataFrame:
    return pl.DataFrame({"rows": [rows.height]}, schema={"rows": pl.UInt32()})


def test_a_file_has_no_partitions_before_it_is_shuffled(tmp_path: Path) -> None:
    with StreamBackend(tmp_path / "spill", _SEVERAL) as backend, pytest.raises(InternalError):
        backend.scan(_Numbers(5), "key").map_partitions(_height, {"rows": pl.UInt32()})


def test_spilled_rows_are_private_and_gone_when_nobody_needs_them(tmp_path: Path) -> None:
    with StreamBackend(tmp_path / "spill", _SEVERAL) as backend:
        kept = backend.scan(_Numbers(5_000), "key").persist("persisting")
        files = list((tmp_path / "spill").iterdir())
        assert len(files) == 5
        assert all(file.stat().st_mode & 0o077 == 0 for file in files)
        assert (tmp_path / "spill").stat().st_mode & 0o077 == 0
        assert backend.peak_spilled == sum(file.stat().st_size for file in files)
        del kept
        gc.collect()
        assert not list((tmp_path / "spill").iterdir())
    assert not (tmp_path / "spill").exists()


def test_an_error_in_a_function_reaches_the_caller_and_leaves_nothing(tmp_path: Path) -> None:
    def fail(batch: pl.DataFrame) -> pl.DataFrame:
        raise ZeroDivisionError

    with StreamBackend(tmp_path / "spill", _SEVERAL) as backend, pytest.raises(ZeroDivisionError):
        backend.scan(_Numbers(50_000), "key").map_batches(fail, {"key": pl.UInt64()}).collect("failing")
    assert not (tmp_path / "spill").exists()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (part,) = SpillFolder(tmp_path / "missing").partitions(1)
    with pytest.raises(WriteError, match="cannot be written"):
        part.append(pl.DataFrame({"key": [1]}))


def test_progress_is_heard_in_rows(tmp_path: Path) -> None:
    heard: list[tuple[str, int | None, int]] = []

    class Ear:
        def begin(self, name: str, total: int | None, parent: object | None = None) -> object:
            heard.append((name, total, 0))
            return len(heard) - 1

        def advance(self, token: object, amount: int) -> None:
            assert isinstance(token, int)
            name, total, done = heard[token]
            heard[token] = name, total, done + amount

        def end(self, token: object) -> None: ...

    with StreamBackend(tmp_path / "spill", _SEVERAL) as backend, listening(Ear()):
        backend.scan(_Numbers(5_500), "key").shuffle("key", 5_500, "shuffling")
    assert heard == [("shuffling", 5_500, 5_500)]
