"""Microaggregation in blocks makes the same blocks and groups wherever the records are."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import road
from shoal.anonymizers import methods
from shoal.backends.stream import StreamBackend
from shoal.data import Column, Microdata, Role
from shoal.errors import ShoalError, WordingError
from shoal.io.schemas import ColumnSchema, TableSchema
from shoal.io.schemas.schema_of import schema_of
from shoal.jobs.verify import verify
from shoal.models import promises
from shoal.partitioned import partitioned
from shoal.partitioned.publish_table import publish_table
from shoal.partitioned.write_parts import Destination
from shoal.randomness import Randomness
from shoal.testing import tables

_SECRET = Randomness(1, bytes(range(32)))
_PROMISES = ("k-anonymity:k=2", "k-anonymity:k=3", "l-diversity:l=2", "t-closeness:t=0.4")
_METHODS = ("mdav,blocks=4", "mdav,blocks=100", "v-mdav,blocks=6", "refined,passes=1,blocks=8", "approximate,blocks=5")


class _SomeGroups(StreamBackend):
    """Works in little memory, and yet brings some groups here."""

    @property
    def most_groups(self) -> int:
        return 100


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StreamBackend]:
    with _SomeGroups(tmp_path_factory.mktemp("backend") / "spill", 4_000, threads=1) as backend:
        yield backend


class _Same:
    def with_secret(self) -> Randomness:
        return _SECRET


@pytest.fixture(autouse=True)
def _same_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let methods draw with one secret, here and there."""
    monkeypatch.setattr("shoal.road.pipeline._for_method", lambda *_: _SECRET)
    monkeypatch.setattr("shoal.partitioned.recoding.Randomness", _Same)


_BY_CHANCE = ("weighted attribute distribution distance",)
"""What depends on the weights of records that are published alike otherwise: the order of rows decides who is where."""


def _schema(table: Microdata) -> TableSchema:
    schema = schema_of(table, TableSchema(columns={"any": ColumnSchema(role=Role.DROP)}))
    assert isinstance(schema, TableSchema)
    return schema


@settings(max_examples=80, deadline=None)
@given(
    table=tables(min_records=2, max_records=30, others=True),
    wordings=st.lists(st.sampled_from(_PROMISES), min_size=1, max_size=2, unique=True),
    method=st.sampled_from(_METHODS),
)
def test_what_is_published_is_what_is_published_from_memory(backend, tmp_path_factory, table, wordings, method) -> None:
    folder, models = tmp_path_factory.mktemp("release"), [promises.read(each) for each in wordings]
    method, to = methods.read(f"microaggregation:method={method}"), Destination(folder, None)
    try:
        expected, ledger = road.publish(table, models, method, accept=("empty",), randomness=_SECRET)
    except ShoalError as error:
        with pytest.raises(type(error)):
            publish_table(partitioned(table, backend), _schema(table), {}, models, method, to, accept=("empty",))
        return
    made = publish_table(partitioned(table, backend), _schema(table), {}, models, method, to, accept=("empty",))
    assert isinstance(expected.records, Microdata)
    assert made.certificate == replace(expected.certificate, engine="stream")
    assert "blocks=" in made.certificate.method
    assert made.group_sizes == dict(ledger.group_sizes)
    report = {name: value for name, value in made.report.items() if name not in _BY_CHANCE}
    assert {name: ledger.report[name] for name in report} == pytest.approx(report)
    assert _rows(pl.read_parquet(folder / "data")) == _rows(expected.records.frame())


def _rows(frame: pl.DataFrame) -> Counter:
    """Return the records without their pseudonyms, which are all different."""
    assert frame.to_series(0).n_unique() == frame.height
    return Counter(frame[:, 1:].cast(pl.String).iter_rows())


def _numbers() -> Microdata:
    ages, ill = pl.Series([20, 30, 40, 50, 60, 70]), pl.Series(list("ababab"))
    return Microdata((Column.encode("age", Role.QUASI_IDENTIFIER, ages), Column.encode("ill", Role.SENSITIVE, ill)))


def test_a_release_verifies(backend, tmp_path) -> None:
    table, method = _numbers(), methods.read("microaggregation:blocks=4")
    models = [promises.read("k-anonymity:k=2")]
    publish_table(partitioned(table, backend), _schema(table), {}, models, method, Destination(tmp_path, None))
    assert verify(tmp_path).holds


@pytest.mark.parametrize(
    ("method", "withhold"), [("microaggregation", 0), ("microaggregation:blocks=4", Fraction(1, 2))]
)
def test_without_blocks_or_with_withholding_it_is_refused(backend, tmp_path, method, withhold) -> None:
    table, models, to = _numbers(), [promises.read("k-anonymity:k=2")], Destination(tmp_path, None)
    with pytest.raises(WordingError, match="blocks"):
        publish_table(
            partitioned(table, backend),
            _schema(table),
            {},
            models,
            methods.read(method),
            to,
            withhold=Fraction(withhold),
        )
