"""Whatever the bytes, reading gives records or says what is wrong with them: nothing else ever comes out."""

import gzip
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal.errors import InputError
from shoal.io import (
    RatingsSchema,
    Schema,
    TableSchema,
    open_unexplained,
    read,
    read_hierarchy,
    read_schema,
    typed_columns,
)
from shoal.io.formats.write_frames import write_frames
from shoal.profiling import table_profile


def table_schema(columns: dict[str, Any], **settings: Any) -> TableSchema:
    return TableSchema(columns=columns, **settings)


SCHEMAS: list[Schema | None] = [
    None,
    RatingsSchema(layout="long", user="user", item="item", rating="rating", scale=(1, 5)),
    RatingsSchema(layout="long", names=("user", "item", "rating"), quotes=False, scale=(1, 5)),
    RatingsSchema(layout="long", encoding="latin-1", skip_lines=1),
    RatingsSchema(layout="wide", scale=(1, 5), round=True, null=("NA", 9)),
    RatingsSchema(layout="wide", id=("user",), delimiter=","),
    RatingsSchema(layout="movielens"),
    RatingsSchema(layout="netflix"),
    table_schema(columns={"user": {"role": "drop"}, "item": {"role": "sensitive"}, "rating": {"role": "insensitive"}}),
    table_schema(header=False, columns={"column_1": {"role": "quasi-identifier"}}),
]
VALID = [
    b'user,item,rating\na,x,1\nb,"y""z",2\nb,x,3\n',
    b"\xef\xbb\xbfuser\titem\trating\r\n1\t7\t1\r\n2\t007\t5\r\n",
    b"1::2::3::978300760\n1::3::4::\n2::2::5::978300760\n",
    b"196\t242\t3\t881250949\n186\t302\t4\t891717742\n",
    b"1:\n7,3,2003-01-01\n8,4,2003-01-01\n2:\n7,1\n",
    b"user;a;b;c\np;1;2;3\nq;;5;NA\n",
    'user,item,rating\nä,"x\ny",1\nb,,2\n'.encode(),
]
NAMES = st.sampled_from(
    [
        "data.csv",
        "u.data",
        "data.parquet",
        "data.sav",
        "data.por",
        "data.dta",
        "data.sas7bdat",
        "data.xpt",
        "data.ndjson",
        "data.jsonl",
        "data.xlsx",
        "data.xls",
        "data.xlsb",
        "data.ods",
        "data",
        "data.txt.gz",
        "ratings.dat",
        "data.zip",
    ]
)
MARKS = [
    b",",
    b";",
    b"\t",
    b"|",
    b" ",
    b":",
    b"::",
    b'"',
    b'""',
    b"\n",
    b"\r\n",
    b"\r",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
]
MAGIC = [
    b"PK\x03\x04",
    b"$FL2",
    b"<stata_dta>",
    b"PAR1",
    b"\x1f\x8b",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b'{"a":',
    b"}",
]
WORDS = [b"1", b"5", b"0.5", b"-1", b"nan", b"1e9", b"007", b"99999999999999999999", b"user", b"item", b"rating", b"a"]
TOKENS = st.sampled_from([*MARKS, *WORDS, *MAGIC])
SETTINGS = """kind = "ratings"|kind = "table"|scale = [1, 5]|scale = 3|null = 1|[columns.a]|role = "drop"|role = 3
|columns = 3|hierarchy = 3|hierarchy = {kind = "tree"}|hierarchy = {kind = "mask", x = 1}
|step = nan|names = 3|skip_lines = -1"""


@given(
    data=st.binary(max_size=300) | st.lists(TOKENS, max_size=40).map(b"".join),
    name=NAMES,
    schema=st.sampled_from(SCHEMAS),
)
@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_bytes_are_read_or_refused(data: bytes, name: str, schema: Schema | None, tmp_path: Path) -> None:
    read_or_refused(tmp_path / name, data, schema)


@given(data=st.data(), schema=st.sampled_from(SCHEMAS))
@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_mutated_files_are_read_or_refused(data: st.DataObject, schema: Schema | None, tmp_path: Path) -> None:
    content = data.draw(st.sampled_from(VALID))
    for _ in range(data.draw(st.integers(0, 4))):
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, min(start + 10, len(content))))
        content = content[:start] + data.draw(TOKENS | st.just(b"")) + content[end:]
    read_or_refused(tmp_path / "data.csv", content, schema)


@given(
    data=st.data(),
    ending=st.sampled_from([".xlsx", ".sav", ".dta", ".ndjson", ".parquet"]),
    schema=st.sampled_from(SCHEMAS),
)
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_files_of_other_programs_are_read_or_refused(
    data: st.DataObject, ending: str, schema: Schema | None, tmp_path: Path
) -> None:
    frame = pl.DataFrame({"user": ["a", "b"] * 9, "item": range(18), "rating": [1, 2, 3] * 6})
    write_frames(iter([(0, frame[:0]), (18, frame)]), 18, tmp_path / f"whole{ending}")
    content = bytearray((tmp_path / f"whole{ending}").read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    end = data.draw(st.integers(1, len(content)) | st.just(len(content)))
    read_or_refused(tmp_path / f"data{ending}", bytes(content[:end]), schema)


@given(data=st.data(), compressed=st.booleans())
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_binary_files_are_read_or_refused(data: st.DataObject, compressed: bool, tmp_path: Path) -> None:
    path = tmp_path / "whole.parquet"
    pl.DataFrame({"user": ["a", "b"] * 9, "item": range(18), "rating": [1, 2, 3] * 6}).write_parquet(path)
    content = bytearray(gzip.compress(VALID[0], mtime=0) if compressed else path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    end = data.draw(st.integers(1, len(content)))
    read_or_refused(tmp_path / "data.parquet", bytes(content[:end]), SCHEMAS[1])


@given(data=st.binary(max_size=100) | st.lists(TOKENS, max_size=30).map(b"".join))
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_a_hierarchy_or_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "hierarchy.csv"
    path.write_bytes(data)
    try:
        hierarchy = read_hierarchy(path)
    except InputError:
        return
    assert hierarchy.n_values >= 1


@given(text=st.text(max_size=60) | st.lists(st.sampled_from(SETTINGS.split("|"))).map("\n".join))
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_is_a_schema_or_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "schema.toml"
    path.write_text(text, encoding="utf-8", newline="")
    try:
        schema = read_schema(path)
    except InputError:
        return
    path.write_text(schema.to_toml(), encoding="utf-8", newline="")
    assert read_schema(path) == schema


def read_or_refused(path: Path, content: bytes, schema: Schema | None) -> None:
    path.write_bytes(content)
    try:
        source = read(path, schema, duplicates="last")
    except InputError:
        pass
    else:
        assert len(source.records) > 0
        assert source.schema.kind == source.records.kind
    with suppress(InputError):
        table_profile(typed_columns(open_unexplained(path)).columns)
