"""A frame is read as the same values as a file of it would be, whatever holds it."""

import datetime as dt
import subprocess
import sys
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import check, describe, read
from shoal.data import Microdata, Ratings
from shoal.errors import DataError, SchemaError, ShoalError, WordingError
from shoal.io import TableSchema
from shoal.jobs.read import read_population


class Streamed:
    """Has an Arrow stream and nothing else."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self._table = frame.to_arrow()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


class Interchanged:
    """Has the interchange protocol and nothing else."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self._table = frame.to_arrow()

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any:
        return self._table.__dataframe__(nan_as_null, allow_copy)


HOLDERS = {
    "polars": lambda frame: frame,
    "lazy": lambda frame: frame.lazy(),
    "arrow": lambda frame: frame.to_arrow(),
    "reader": lambda frame: frame.to_arrow().to_reader(),
    "stream": Streamed,
    "pandas": lambda frame: frame.to_pandas(),
    "pandas of Arrow": lambda frame: frame.to_pandas(use_pyarrow_extension_array=True),
}

TEXTS = ["a", "b", "7", "07", "true", "", " c ", "NaN"]
COLUMNS = {
    "whole": (st.integers(-(2**31), 2**31 - 1), pl.Int64),
    "narrow": (st.integers(-128, 127), pl.Int8),
    "unsigned": (st.integers(0, 2**16), pl.UInt64),
    "float": (st.floats(-1e6, 1e6, width=32), pl.Float64),
    "single": (st.floats(-1e3, 1e3, width=32), pl.Float32),
    "text": (st.sampled_from(TEXTS), pl.String),
    "categorical": (st.sampled_from(TEXTS), pl.Categorical),
    "enum": (st.sampled_from(TEXTS), pl.Enum(TEXTS)),
    "boolean": (st.booleans(), pl.Boolean),
    "date": (st.dates(dt.date(1950, 1, 1), dt.date(2030, 1, 1)), pl.Date),
    "time": (st.datetimes(dt.datetime(1950, 1, 1), dt.datetime(2030, 1, 1)), pl.Datetime("us")),
    "zoned": (st.datetimes(dt.datetime(1950, 1, 1), dt.datetime(2030, 1, 1)), pl.Datetime("us", "UTC")),
    "decimal": (st.decimals(-999, 999, places=2), pl.Decimal(6, 2)),
}


@st.composite
def frames(draw: st.DrawFn) -> pl.DataFrame:
    rows = draw(st.integers(2, 8))
    names = draw(st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, max_size=4, unique=True))
    columns = []
    for name in names:
        values, dtype = COLUMNS[name]
        column = draw(st.lists(st.none() | values, min_size=rows, max_size=rows))
        columns.append(pl.Series(name, column, dtype=dtype, strict=False))
    return pl.DataFrame(columns)


def outcome(data: object, schema: TableSchema) -> object:
    """Return the values of each record and the verdicts on them, or the kind of the refusal."""
    try:
        source = read(data, schema)  # type: ignore[arg-type]
    except ShoalError as error:
        return type(error)
    assert isinstance(source.records, Microdata)
    columns = {each.name: each.values.to_list() for each in source.records.columns}
    return columns, check(source, "k-anonymity:k=2").verdicts[0].level


@settings(max_examples=150, deadline=None)
@given(frames(), st.sampled_from(sorted(HOLDERS)))
def test_a_frame_reads_as_the_file_of_it(tmp_path_factory, frame, holder):
    file = tmp_path_factory.mktemp("frames") / "data.parquet"
    held = HOLDERS[holder](frame)
    held.to_parquet(file) if isinstance(held, pd.DataFrame) else frame.write_parquet(file)
    schema = TableSchema(columns=dict.fromkeys(frame.columns, "quasi-identifier"))  # type: ignore[arg-type]
    assert outcome(held, schema) == outcome(file, schema)


SIMPLE = pl.DataFrame({"age": [1, 2, None], "name": ["x", None, "y"]})


def test_the_older_protocol_is_read_through_arrow():
    source = read(Interchanged(SIMPLE), {"age": "quasi-identifier", "name": "sensitive"})
    assert isinstance(source.records, Microdata)
    assert source.records["age"].values.to_list() == [1, 2, None]
    assert source.records["name"].values.to_list() == ["x", None, "y"]


RATED = pl.DataFrame({"user": [1, 1, 2, 3], "item": ["a", "b", "a", "b"], "rating": [5, 4, 5, 3]})


@pytest.mark.parametrize("holder", sorted(HOLDERS))
@pytest.mark.parametrize("dtype", [pl.Int8, pl.Float32, pl.Float64, pl.Decimal(4, 1), pl.String])
@pytest.mark.parametrize("items", [pl.String, pl.Categorical, pl.Enum(["b", "a"])])
def test_ratings_are_read_from_frames(holder, dtype, items):
    frame = RATED.with_columns(pl.col("rating").cast(dtype), pl.col("item").cast(items))
    records = read(HOLDERS[holder](frame)).records
    expected = read(RATED).records
    assert isinstance(records, Ratings)
    assert isinstance(expected, Ratings)
    assert records.users.values.to_list() == [1, 2, 3]
    assert records.observable.items.values.to_list() == ["a", "b"]
    assert (records.observable.codes == expected.observable.codes).all()


def test_a_survey_with_missing_answers_is_read_from_pandas():
    frame = pd.DataFrame({"who": [1, 2, 3], "q1": [1, np.nan, 3], "q2": [5.0, 4.0, np.nan]})
    records = read(frame, {"layout": "wide", "id": ["who"], "scale": [1, 5]}).records
    assert isinstance(records, Ratings)
    assert records.n_ratings == 4
    assert records.scale.step == 1


def test_whole_numbers_with_gaps_are_whole_numbers_though_pandas_has_floats():
    frame = pd.DataFrame({"age": [30, None, 40], "height": [1.5, None, 2.0], "size": [1.0, 2.0, 3.0]})
    table = read(frame, dict.fromkeys(frame.columns, "quasi-identifier")).records
    assert isinstance(table, Microdata)
    assert [column.vocabulary.values.dtype for column in table.columns] == [pl.Int64, pl.Float64, pl.Float64]
    assert table["age"].values.to_list() == [30, None, 40]


def test_a_named_index_is_data():
    frame = pd.DataFrame({"age": [1, 2, 3], "patient": [7, 7, 8]}).set_index("patient")
    source = read(frame, {"columns": {"patient": "identifier", "age": "quasi-identifier"}, "person": "patient"})
    assert source.columns == ("patient", "age")
    assert source.records.n_people == 2
    assert "Its index is read as the column 'patient'." in source.notes


def test_an_index_without_a_name_is_not_data_and_said():
    frame = pd.DataFrame({"age": [1, 2, 3]})[1:].sort_index(ascending=False)
    frame.index = pd.Index([9, 4])
    source = read(frame, {"age": "quasi-identifier"})
    assert source.columns == ("age",)
    assert any("index has no name and is not read" in note for note in source.notes)
    plain = read(pd.DataFrame({"age": [1, 2]}), {"age": "quasi-identifier"})
    assert not any("index" in note for note in plain.notes)


def test_names_that_are_numbers_become_text():
    assert read(pd.DataFrame([[1, 2]]), {"0": "quasi-identifier", "1": "sensitive"}).columns == ("0", "1")


@pytest.mark.parametrize(
    ("frame", "phrase"),
    [
        (pl.DataFrame({"a": [[1]]}), r"'a' of the frame holds values that are not simple, of type list. .*drop\('a'\)"),
        (pl.DataFrame({"a": [{"secret": 1}]}), "of type struct"),
        (pl.DataFrame({"a": [dt.timedelta(1)]}), "number of seconds"),
        (pl.DataFrame({"a": [b"secret"]}), "of type binary"),
        (pl.DataFrame({"a": [object()]}), "of type object"),
        (pl.DataFrame(), "The frame has no columns"),
        (pd.DataFrame({"a": ["secret", 5, {}]}), r"Python objects of several kinds. .*astype\('string'\)"),
        (pd.DataFrame({"a": pd.period_range("2024", periods=2, freq="M")}), "not simple"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "Two columns of the frame are named 'a'"),
        (pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])), "several levels"),
        (pd.DataFrame({"a": [1]}, index=pd.Index([1], name="a")), "index of the frame has the name of a column"),
        (pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]), "Two columns of the frame have the same name"),
    ],
)
def test_what_is_not_simple_is_refused_with_the_line_to_write(frame, phrase):
    with pytest.raises(SchemaError, match=phrase) as refusal:
        read(frame, {"a": "quasi-identifier"})
    assert "secret" not in str(refusal.value)


def test_a_stream_that_fails_is_refused_without_its_words():
    class Broken:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            raise RuntimeError("secret")

    with pytest.raises(DataError, match="cannot be read through Arrow") as refusal:
        read(Broken())
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize("data", [{"a": [1]}, [1, 2], 5, None])
def test_other_objects_are_no_data(data):
    with pytest.raises(WordingError, match="Data are a file, a folder or a frame"):
        read(data)  # type: ignore[arg-type]


def test_an_empty_frame_is_refused():
    with pytest.raises(DataError, match=r"^The frame has a header but no records"):
        read(SIMPLE.clear(), {"age": "quasi-identifier", "name": "sensitive"})


def test_numbers_beyond_64_bits_are_not_quoted():
    frame = pl.DataFrame({"a": pl.Series([2**100, 1], dtype=pl.Int128)})
    table = read(frame, {"a": {"role": "quasi-identifier", "type": "text"}}).records
    assert isinstance(table, Microdata)
    assert table["a"].values.to_list() == [str(2**100), "1"]
    assert read(frame, {"a": "quasi-identifier"}).records.kind == "table"


def test_a_query_is_run_once():
    runs = []

    def counted(frame: pl.DataFrame) -> pl.DataFrame:
        runs.append(1)
        return frame

    query = RATED.lazy().map_batches(counted, schema=RATED.schema)
    read(query)
    assert len(runs) == 1


@pytest.mark.parametrize("schema", [None, {"age": "quasi-identifier", "name": "sensitive"}])
def test_streams_are_described_though_they_end_and_queries_run_once(schema):
    runs = []

    def counted(frame: pl.DataFrame) -> pl.DataFrame:
        runs.append(1)
        return frame

    assert describe(SIMPLE.to_arrow().to_reader(), schema).facts["records"] == 3
    assert describe(SIMPLE.lazy().map_batches(counted, schema=SIMPLE.schema), schema).facts["records"] == 3
    assert len(runs) == 1


def test_a_population_may_be_a_stream():
    schema = TableSchema(columns={"age": "quasi-identifier", "name": "sensitive"})  # type: ignore[dict-item]
    assert len(read_population(SIMPLE.to_arrow().to_reader(), schema)) == 3


def test_decimals_are_numbers():
    frame = pl.DataFrame({"a": [Decimal("1.50"), None]})
    table = read(frame, {"a": "quasi-identifier"}).records
    assert isinstance(table, Microdata)
    assert table["a"].values.to_list() == [1.5, None]


def test_reading_a_frame_of_polars_imports_no_other_library():
    program = (
        "import polars, shoal, sys; shoal.read(polars.DataFrame({'user': [1, 2], 'item': [1, 1], 'rating': [1, 2]}));"
        "assert not {'pandas', 'pyarrow'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
