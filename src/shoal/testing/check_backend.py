"""The laws of backends: no row is lost, invented or changed, wherever it is kept and whatever is shuffled."""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.backends import Backend, Columns, Shared

__all__ = ["check_backend"]

_COLUMNS: Columns = {"key": pl.UInt64(), "text": pl.String(), "number": pl.Int32()}
_LARGEST = 2**64 - 1

_rows = st.lists(
    st.tuples(
        st.integers(0, 3) | st.integers(0, _LARGEST),
        st.none() | st.text(max_size=3),
        st.none() | st.integers(-(2**31), 2**31 - 1),
    ),
    max_size=30,
)


@dataclass(frozen=True)
class _File:
    """Rows that are scanned in batches of two."""

    rows_: tuple[tuple[int, str | None, int | None], ...]
    name: str = "rows"

    @property
    def rows(self) -> int:
        return len(self.rows_)

    @property
    def scan(self) -> pl.LazyFrame:
        return self._frame.lazy()

    @property
    def _frame(self) -> pl.DataFrame:
        return pl.DataFrame(list(self.rows_), schema=dict(_COLUMNS), orient="row")

    def batches(self, *columns: str) -> Iterator[pl.DataFrame]:
        yield from self._frame.select(columns).iter_slices(2)


def check_backend(backend: Backend, *, examples: int = 40) -> None:
    """Check every law of backends on one backend.

    * What is scanned, mapped, shuffled, persisted and collected are the same rows, each as often as before; a union has
      those of both.
    * Rows have the numbers that they have in the file.
    * A function of batches sees each row once; a function of partitions sees all rows with the same key together.
    * What is persisted is computed once, also where it is drawn at random, and of unions too.
    * A shared value reaches every function.
    """
    _check_rows(backend, examples)
    _check_numbers(backend, examples)
    _check_unions(backend, examples)
    _check_keys(backend, examples)
    _check_persisted(backend)
    _check_persisted_unions(backend)
    _check_shared(backend)


_MANY = 10**9
"""A number of rows that no partition holds, so that there are several."""


def _check_rows(backend: Backend, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(_rows, st.sampled_from([1, _MANY]))
    def law(rows: list, at_most: int) -> None:
        scanned = backend.scan(_File(tuple(rows)), *_COLUMNS)
        expected = Counter(rows)
        assert _counted(scanned.collect("scanning")) == expected, "rows differ after they were scanned"
        assert scanned.count("counting") == len(rows)
        mapped = scanned.map_batches(_raised, _COLUMNS)
        raised = Counter((key, f"{text}+", number) for key, text, number in rows)
        assert _counted(mapped.collect("mapping")) == raised, "rows differ after they were mapped"
        assert mapped.persist("persisting").count("counting") == mapped.count("counting") == len(rows)
        shuffled = mapped.shuffle("key", at_most, "shuffling")
        assert _counted(shuffled.collect("collecting")) == raised, "rows differ after they were shuffled"
        assert _counted(shuffled.persist("persisting").collect("collecting")) == raised, "rows were not persisted"

    law()


def _check_numbers(backend: Backend, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(_rows)
    def law(rows: list) -> None:
        scanned = backend.scan(_File(tuple(rows)), "number", "key", number="row")
        assert list(scanned.columns) == ["number", "key", "row"]
        found = scanned.persist("persisting").collect("collecting")
        numbered = {row: (number, key) for number, key, row in found.iter_rows()}
        assert numbered == {row: (number, key) for row, (key, _, number) in enumerate(rows)}, "rows have other numbers"

    law()


def _check_unions(backend: Backend, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(_rows, _rows)
    def law(first: list, second: list) -> None:
        raised = backend.scan(_File(tuple(first)), *_COLUMNS).map_batches(_raised, _COLUMNS)
        shuffled = backend.scan(_File(tuple(second)), *_COLUMNS).shuffle("key", _MANY, "shuffling")
        expected = Counter((key, f"{text}+", number) for key, text, number in first) + Counter(second)
        both = raised.union(shuffled)
        del raised, shuffled  # whoever has the union needs nothing else
        assert _counted(both.collect("collecting")) == expected, "rows differ in a union"
        assert both.count("counting") == len(first) + len(second)
        together = both.map_batches(_raised, _COLUMNS).shuffle("key", _MANY, "shuffling")
        counted = together.map_partitions(_numbers_of_keys, _PER_KEY).collect("counting")
        assert dict(counted.select("key", "rows").iter_rows()) == Counter(key for key, *_ in [*first, *second])

    law()


def _check_keys(backend: Backend, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(_rows)
    def law(rows: list) -> None:
        scanned = backend.scan(_File(tuple(rows)), *_COLUMNS)
        counted = scanned.shuffle("key", _MANY, "shuffling").map_partitions(_numbers_of_keys, _PER_KEY)
        found = counted.collect("counting")
        assert dict(found.select("key", "rows").iter_rows()) == Counter(key for key, *_ in rows)
        assert found["key"].n_unique() == found.height, "rows with the same key are in several partitions"

    law()


def _check_persisted(backend: Backend) -> None:
    rows = tuple((number, None, None) for number in range(20))
    drawn = backend.scan(_File(rows), "key").map_batches(_drawn, {"key": pl.UInt64(), "drawn": pl.UInt64()})
    kept = drawn.persist("persisting")
    again = [kept.collect("collecting").sort("key") for _ in range(2)]
    assert again[0].equals(again[1]), "what was persisted was drawn anew"
    assert kept.shuffle("drawn", _MANY, "shuffling").collect("collecting").sort("key").equals(again[0])


def _check_persisted_unions(backend: Backend) -> None:
    columns: Columns = {"key": pl.UInt64(), "drawn": pl.UInt64()}
    parts = [range(7), range(7, 20), range(5)]
    first, *others = [
        backend.scan(_File(tuple((number, None, None) for number in part)), "key").map_batches(_drawn, columns)
        for part in parts
    ]
    together = first.union(others[0], others[1].persist("persisting")).persist("persisting")
    again = [together.collect("collecting").sort("key", "drawn") for _ in range(2)]
    assert again[0].equals(again[1]), "what was persisted of a union was drawn anew"
    assert again[0]["key"].to_list() == sorted(number for part in parts for number in part), "rows differ"
    counted = together.shuffle("key", _MANY, "shuffling").map_partitions(_numbers_of_keys, _PER_KEY).collect("counting")
    assert dict(counted.select("key", "rows").iter_rows()) == Counter(number for part in parts for number in part)


def _check_shared(backend: Backend) -> None:
    added = _Added(backend.shared(5))
    made = backend.scan(_File(((1, None, None), (2, None, None))), "key").map_batches(added, {"key": pl.UInt64()})
    assert sorted(made.collect("adding")["key"]) == [6, 7]


@dataclass(frozen=True)
class _Added:
    amount: Shared[int]

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        return batch.select((pl.col("key") + self.amount.value).cast(pl.UInt64))


def _raised(batch: pl.DataFrame) -> pl.DataFrame:
    return batch.with_columns(pl.col("text").fill_null("None") + "+")


_PER_KEY: Columns = {"key": pl.UInt64(), "rows": pl.UInt32(), "partition": pl.Int32()}


def _numbers_of_keys(rows: pl.DataFrame, number: int) -> pl.DataFrame:
    counted = rows.group_by("key").agg(pl.len().cast(pl.UInt32).alias("rows"))
    return counted.with_columns(pl.lit(number, pl.Int32).alias("partition"))


def _drawn(batch: pl.DataFrame) -> pl.DataFrame:
    words = [int.from_bytes(os.urandom(8), "little") for _ in range(batch.height)]
    return batch.with_columns(pl.Series("drawn", words, pl.UInt64))


def _counted(frame: pl.DataFrame) -> Counter:
    assert dict(frame.schema) == _COLUMNS
    return Counter(frame.iter_rows())
