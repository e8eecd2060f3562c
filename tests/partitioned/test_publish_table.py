"""A table that is not in memory is published as one that is: the same labels, levels and losses."""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import road
from shoal.anonymizers import methods
from shoal.backends.stream import StreamBackend
from shoal.data import Microdata, Role
from shoal.errors import ShoalError
from shoal.io.schemas import ColumnSchema, TableSchema
from shoal.io.schemas.schema_of import schema_of
from shoal.jobs.verify import verify
from shoal.models import promises
from shoal.partitioned import partitioned
from shoal.partitioned.publish_table import publish_table
from shoal.partitioned.write_parts import Destination
from shoal.testing import tables

_PROMISES = ("k-anonymity:k=2", "l-diversity:l=2", "t-closeness:t=0.4", "p-sensitive:p=2")


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StreamBackend]:
    folder: Path = tmp_path_factory.mktemp("backend") / "spill"
    with StreamBackend(folder, 4_000) as backend:
        yield backend


@settings(max_examples=60, deadline=None)
@given(
    table=tables(min_records=2, others=False),
    wordings=st.lists(st.sampled_from(_PROMISES), min_size=1, max_size=2, unique=True),
    withhold=st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1, 2)]),
    method=st.sampled_from(["lattice", "none"]),
)
def test_what_is_published_is_what_is_published_from_memory(
    backend, tmp_path_factory, table: Microdata, wordings, withhold, method
) -> None:
    folder = tmp_path_factory.mktemp("release")
    models, method = [promises.read(each) for each in wordings], methods.read(method)
    schema = schema_of(table, TableSchema(columns={"any": ColumnSchema(role=Role.DROP)}))
    assert isinstance(schema, TableSchema)
    to = Destination(folder, None)
    in_memory = _made(lambda: road.publish(table, models, method, withhold=withhold))
    made = _made(lambda: publish_table(partitioned(table, backend), schema, {}, models, method, to, withhold=withhold))
    if isinstance(in_memory, str) or isinstance(made, str):
        assert made == in_memory
        return
    expected, ledger = in_memory
    assert isinstance(expected.records, Microdata)
    assert made.certificate == expected.certificate
    assert made.group_sizes == dict(ledger.group_sizes)
    assert {name: ledger.report[name] for name in made.report} == pytest.approx(dict(made.report))
    assert _rows(pl.read_parquet(folder / "data")) == _rows(expected.records.frame())
    if not any((each.vocabulary.values.cast(pl.String) == "").any() for each in table.columns):
        assert verify(folder).holds  # in files an empty text is a missing value


Made = TypeVar("Made")


def _made(making: Callable[[], Made]) -> Made | str:
    """Return what is made, or the kind of error."""
    try:
        return making()
    except ShoalError as error:
        return type(error).__name__


def _rows(frame: pl.DataFrame) -> Counter:
    """Return the records without their pseudonyms, which are all different."""
    assert frame.to_series(0).n_unique() == frame.height
    return Counter(frame[:, 1:].cast(pl.String).iter_rows())
