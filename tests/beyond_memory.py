"""The same work in memory and beyond it, for tests that compare the two."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar

import polars as pl
import pytest

from shoal.backends.stream import StreamBackend
from shoal.data import Microdata, Role
from shoal.errors import ShoalError
from shoal.io.schemas import ColumnSchema, TableSchema
from shoal.io.schemas.schema_of import schema_of
from shoal.randomness import Randomness

__all__ = [
    "SAME_SECRET",
    "SomeGroups",
    "backends_of",
    "draw_the_same",
    "made_or_error",
    "records_without_names",
    "schema_without_file",
]

SAME_SECRET = Randomness(1, bytes(range(32)))
T = TypeVar("T")


class SomeGroups(StreamBackend):
    """Works in little memory, and yet brings some groups here."""

    @property
    def most_groups(self) -> int:
        """A hundred, whatever the memory is."""
        return 100


@contextmanager
def backends_of(folder: Path, memory: Sequence[int]) -> Iterator[dict[int, StreamBackend]]:
    """Yield a backend for each amount of memory."""
    made: dict[int, StreamBackend] = {each: SomeGroups(folder / f"spill {each}", each, threads=1) for each in memory}
    with ExitStack() as stack:
        for backend in made.values():
            stack.enter_context(backend)
        yield made


def schema_without_file(table: Microdata) -> TableSchema:
    """Return the schema of a table that was never in a file."""
    schema = schema_of(table, TableSchema(columns={"any": ColumnSchema(role=Role.DROP)}))
    assert isinstance(schema, TableSchema)
    return schema


def made_or_error(making: Callable[[], T]) -> T | str:
    """Return what is made, or the kind of error."""
    try:
        return making()
    except ShoalError as error:
        return type(error).__name__


def records_without_names(frame: pl.DataFrame) -> Counter:
    """Return the records without their pseudonyms, which are all different."""
    assert frame.to_series(0).n_unique() == frame.height
    return Counter(frame[:, 1:].cast(pl.String).iter_rows())


class _Same:
    def with_secret(self) -> Randomness:
        return SAME_SECRET


def draw_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let methods draw with one secret, in memory and beyond."""
    monkeypatch.setattr("shoal.road.pipeline._for_method", lambda *_: SAME_SECRET)
    monkeypatch.setattr("shoal.partitioned.recoding.Randomness", _Same)
