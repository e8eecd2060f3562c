"""Bad input gets a clear sentence of the right class, and the sentence holds no value of a record."""

import gzip
import io
import zipfile
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from shoal.errors import DataError, FileError, HierarchyError, InputError, SchemaError
from shoal.io import RatingsSchema, Schema, TableSchema, read, read_hierarchy, read_schema
from shoal.jobs.describe import describe


def table_schema(columns: dict[str, Any], **settings: Any) -> TableSchema:
    return TableSchema(columns=columns, **settings)


SECRETS = ("zyx917", "4711", "Quasimodo", "31.25", "é")
LONG = RatingsSchema(layout="long", user="user", item="item", rating="rating", scale=(1, 5))
WIDE = RatingsSchema(layout="wide", id=("who",), scale=(1, 5))
TABLE = table_schema(
    columns={"name": {"role": "identifier"}, "age": {"role": "quasi-identifier"}, "ill": {"role": "sensitive"}}
)
HEADER = "user,item,rating\n"

CASES: dict[str, tuple[bytes, Schema | None, type[InputError], str]] = {
    "an empty file": (b"", LONG, FileError, "is empty"),
    "an empty file without a schema": (b"", None, FileError, "is empty"),
    "only line ends": (b"\n\n\n", LONG, FileError, "has no lines"),
    "a header only": (HEADER.encode(), LONG, DataError, "no records"),
    "a header only, without a schema": (HEADER.encode(), None, DataError, "no records"),
    "a wide header only": (b"who,a,b\n", WIDE, DataError, "no records"),
    "a table's header only": (b"name,age,ill\n", TABLE, DataError, "no records"),
    "a missing column": (b"user,thing,rating\nzyx917,4711,3\n", LONG, SchemaError, "no column 'item'"),
    "a missing id column": (b"a,b\n1,2\n", WIDE, SchemaError, "no column 'who'"),
    "a doubled column": (b"user,item,rating,item\nzyx917,4711,3,1\n", LONG, SchemaError, "columns 2 and 4"),
    "a doubled column of a table": (b"name,age,ill,age\nzyx917,1,2,3\n", TABLE, SchemaError, "columns 2 and 4"),
    "a column without a name": (b"name,,ill\nzyx917,1,2\n", TABLE, SchemaError, "has no name"),
    "a column without a role": (
        b"name,age,ill,zip\nzyx917,1,x,4711\n",
        TABLE,
        SchemaError,
        "no role to the column 'zip'",
    ),
    "a column the table lacks": (b"name,ill\nzyx917,x\n", TABLE, SchemaError, "no column 'age'"),
    "a record for a header": (b"Quasimodo,31,zyx917\nQ,32,z\n", TABLE, SchemaError, "none of the columns"),
    "a rating off the scale": (f"{HEADER}zyx917,4711,9\n".encode(), LONG, DataError, "1 ratings lie outside"),
    "a rating far off the scale": (f"{HEADER}zyx917,4711,1e99\n".encode(), LONG, DataError, "1 ratings lie outside"),
    "a wide rating off the scale": (
        b"who,a,b\nzyx917,1,6\n",
        WIDE,
        DataError,
        "outside the declared scale 1 to 5, in the column 'b'",
    ),
    "a fraction on an integer scale": (f"{HEADER}zyx917,4711,3.5\n".encode(), LONG, DataError, "between the points"),
    "a fraction of no known step": (f"{HEADER}zyx917,4711,31.25\n".encode(), None, SchemaError, "not declared"),
    "text where a rating belongs": (
        f"{HEADER}zyx917,4711,Quasimodo\n".encode(),
        LONG,
        DataError,
        "are not numbers",
    ),
    "text where a wide rating belongs": (
        b"who,a\nzyx917,Quasimodo\n",
        WIDE,
        DataError,
        "are not numbers, in the column 'a'",
    ),
    "an odd numeral": (f"{HEADER}zyx917,4711,٣\n".encode(), LONG, DataError, "are not numbers"),
    "a ratio": (f"{HEADER}zyx917,4711,6/2\n".encode(), LONG, DataError, "are not numbers"),
    "an endless exponent": (f"{HEADER}zyx917,4711,1e999999999\n".encode(), LONG, DataError, "are not numbers"),
    "NaN": (f"{HEADER}zyx917,4711,nan\n".encode(), LONG, DataError, "NaN or infinite"),
    "infinity": (f"{HEADER}zyx917,4711,-Infinity\n".encode(), LONG, DataError, "NaN or infinite"),
    "NaN in a column of numbers": (b"name,age,ill\nzyx917,4711,x\nb,NaN,y\n", TABLE, DataError, "'age' are NaN"),
    "the same rating twice": (
        f"{HEADER}zyx917,4711,3\na,b,1\nzyx917,4711,4\n".encode(),
        LONG,
        DataError,
        "1 ratings repeat",
    ),
    "the same person twice": (b"who,a\nzyx917,1\nzyx917,2\n", WIDE, DataError, "1 lines repeat an id"),
    "an empty user id": (f"{HEADER},4711,3\n".encode(), LONG, DataError, "1 user ids are empty"),
    "an empty quoted item id": (f'{HEADER}zyx917,"",3\n'.encode(), LONG, DataError, "1 item ids are empty"),
    "an empty wide id": (b"who,a\nzyx917,1\n,2\n", WIDE, DataError, "1 ids are empty"),
    "a short record": (f"{HEADER}zyx917,4711,3\nQuasimodo,4711\n".encode(), LONG, DataError, "line 3"),
    "a long record": (f"{HEADER}zyx917,4711,3\n\nQuasimodo,4711,4,4\n".encode(), LONG, DataError, "Line 3"),
    "a longer record": (f"{HEADER}zyx917,4711,3\nQuasimodo,4711,4,4\n".encode(), LONG, DataError, "line 3"),
    "a blank line between": (
        f"{HEADER}zyx917,4711,3\n\nQuasimodo,4711,4\n".encode(),
        LONG,
        DataError,
        "Line 3 of data.csv is blank",
    ),
    "a stray quote": (f'{HEADER}zyx917,47"11,3\n'.encode(), LONG, DataError, "line 2 of data.csv there is a quote"),
    "an open quote": (f'{HEADER}zyx917,"4711,3\n'.encode(), LONG, DataError, "not closed"),
    "another encoding": (f"{HEADER}zyx917,жжж,3\n".encode("cp1251"), LONG, FileError, "not UTF-8 text: see line 2"),
    "another encoding, no schema": (f"{HEADER}zyx917,жжж,3\n".encode("cp1251"), None, FileError, "not UTF-8"),
    "another encoding than declared": (
        f"{HEADER}zyx917,é,3\n".encode("latin-1"),
        RatingsSchema(layout="long", encoding="utf-8"),
        FileError,
        "not UTF-8 text: see line 2",
    ),
    "an unfinished letter": (f"{HEADER}zyx917,4711,3é".encode()[:-1], LONG, FileError, "not UTF-8"),
    "half a letter of UTF-16": (f"{HEADER}zyx917,4711,3\n".encode("utf-16")[:-1], LONG, FileError, "not "),
    "binary junk": (bytes(range(256)) * 4, LONG, FileError, "not "),
    "zeros": (b"\0" * 100, None, FileError, "not text"),
    "nothing but nulls": (f"{HEADER}zyx917,4711,\n".encode(), None, DataError, "no rating"),
    "a table without a schema": (b"name,age\nQuasimodo,4711\n", None, SchemaError, "Write a schema"),
    "a headerless file without a schema": (b"zyx917,4711,3\n", None, SchemaError, "Write a schema"),
    "an unknown sensitive item": (
        f"{HEADER}zyx917,4711,3\n".encode(),
        LONG.model_copy(update={"sensitive": ("income",)}),
        SchemaError,
        "1 of the 1 sensitive items",
    ),
    "an undeclared wide column": (
        b"who,a,b\nzyx917,1,2\n",
        WIDE.model_copy(update={"items": ("a",)}),
        SchemaError,
        "what the column 'b'",
    ),
    "a layout nobody can know": (b"a,b\n4711,2\n", RatingsSchema(scale=(1, 5)), SchemaError, "not clear whether"),
    "a bad line of a Netflix file": (b"2043:\n4711,3,2003-01-01\nzyx917,3\n", None, DataError, "Line 3 of data.csv"),
    "a Netflix file without ratings": (b"2043:\n", None, DataError, "no ratings"),
    "a Netflix line before any heading": (b"4711,3,2003-01-01\n", RatingsSchema(layout="netflix"), DataError, "Line 1"),
    "a MovieLens file with single colons": (
        b"".join(b"4711::%d::3::9\n" % i for i in range(6)) + b"4711:1:8:2:3:3:9\n",
        None,
        FileError,
        "single colons",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_text_is_refused_with_a_sentence_that_tells_no_record(case: str, tmp_path: Path) -> None:
    data, schema, error, phrase = CASES[case]
    path = tmp_path / "data.csv"
    path.write_bytes(data)
    assert_refused(path, schema, error, phrase)


@pytest.mark.parametrize("case", [case for case, (data, *_) in CASES.items() if data])
def test_bad_text_is_refused_alike_when_compressed(case: str, tmp_path: Path) -> None:
    data, schema, error, phrase = CASES[case]
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress(data))
    assert_refused(path, schema, error, phrase)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert_refused(tmp_path / "none.csv", LONG, FileError, "no file")


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    assert_refused(tmp_path, None, FileError, "holds no data")


def test_a_truncated_gzip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress(f"{HEADER}zyx917,4711,3\n".encode() * 1000)[:-20])
    assert_refused(path, LONG, FileError, "truncated gzip")


def test_a_file_named_gz_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.csv.gz"
    path.write_bytes(f"{HEADER}zyx917,4711,3\n".encode())
    assert_refused(path, LONG, FileError, "not a gzip file")


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.95])
def test_a_truncated_parquet_is_refused(kept: float, tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    pl.DataFrame({"user": ["zyx917"] * 50, "item": range(4711, 4761), "rating": [3] * 50}).write_parquet(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * kept)])
    assert_refused(path, LONG, FileError, "damaged, truncated")


def test_a_parquet_with_a_damaged_middle_is_refused_or_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    pl.DataFrame({"user": ["zyx917"] * 50, "item": range(4711, 4761), "rating": [3] * 50}).write_parquet(path)
    whole = bytearray(path.read_bytes())
    whole[4:60] = b"\xff" * 56
    path.write_bytes(whole)
    assert_refused(path, LONG, InputError, "")


@pytest.mark.parametrize("suffix", ["parquet", "sav", "dta", "sas7bdat", "xpt", "por"])
def test_junk_under_the_name_of_a_format_is_refused(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"data.{suffix}"
    path.write_bytes(b"zyx917,4711\n" * 50)
    assert_refused(path, LONG, FileError, "not of the format its name says")


def test_a_parquet_with_nested_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    pl.DataFrame({"name": [["zyx917"]], "age": [4711], "ill": ["Quasimodo"]}).write_parquet(path)
    assert_refused(path, TABLE, SchemaError, "'name' of data.parquet is not of a simple type")


def test_infinite_numbers_in_a_parquet_table_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    pl.DataFrame({"name": ["zyx917"], "age": [float("inf")], "ill": ["Quasimodo"]}).write_parquet(path)
    assert_refused(path, TABLE, DataError, "1 values of the column 'age' are NaN or infinite")


def test_nan_among_parquet_ratings_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    pl.DataFrame({"user": ["zyx917"], "item": [4711], "rating": [float("nan")]}).write_parquet(path)
    assert_refused(path, LONG, DataError, "1 ratings are NaN")


def test_a_corrupt_zip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.zip"
    path.write_bytes(zipped({"ratings.csv": f"{HEADER}zyx917,4711,3\n" * 100})[:-30])
    assert_refused(path, LONG, FileError, "damaged or locked zip")


def test_a_zip_with_several_files_is_refused_with_their_names(tmp_path: Path) -> None:
    path = tmp_path / "data.zip"
    path.write_bytes(zipped({"one.csv": HEADER, "two.csv": HEADER}))
    assert_refused(path, LONG, FileError, "one.csv, two.csv")


def test_text_where_a_declared_number_belongs_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("name,age,ill\nzyx917,Quasimodo,x\nb,4711,y\n")
    columns = {**TABLE.model_dump()["columns"], "age": {"role": "quasi-identifier", "type": "number"}}
    assert_refused(path, table_schema(columns=columns), DataError, "1 values of the column 'age' are not numbers")


def test_a_date_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("name,age,ill\nzyx917,Quasimodo,x\nb,2024-02-30,y\n")
    columns = {**TABLE.model_dump()["columns"], "age": {"role": "quasi-identifier", "type": "date"}}
    assert_refused(path, table_schema(columns=columns), DataError, "not dates")


HIERARCHIES: dict[str, tuple[str, str]] = {
    "misses a value": ("31;*\n", "misses 1 of the 2 values of the column 'age'"),
    "does not nest": ("4711;a;b;*\n31;a;c;*\n", "do not nest"),
    "has two roots": ("4711;a\n31;b\n", "one root"),
    "is ragged": ("4711;a;*\n31;*\n", "Line 2 of the hierarchy age.csv has 2 levels"),
    "lists a value twice": ("4711;*\n31;*\n31;*\n", "more than once"),
    "is empty": ("\n", "is empty"),
    "has an open quote": ('4711;*\n"31;*\n', "is not delimited text"),
}


@pytest.mark.parametrize("case", HIERARCHIES)
def test_a_hierarchy_is_refused_that(case: str, tmp_path: Path) -> None:
    text, phrase = HIERARCHIES[case]
    (tmp_path / "age.csv").write_text(text)
    (tmp_path / "data.csv").write_text("name,age,ill\nzyx917,4711,x\nQuasimodo,31,y\n")
    columns = TABLE.model_dump()["columns"]
    columns["age"] = {"role": "quasi-identifier", "hierarchy": str(tmp_path / "age.csv")}
    assert_refused(tmp_path / "data.csv", table_schema(columns=columns), HierarchyError, phrase)


def test_a_hierarchy_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        read_hierarchy(tmp_path / "none.csv")


def test_intervals_of_text_are_refused_with_the_column(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("name,age,ill\nzyx917,4711x,x\nQuasimodo,31,y\n")
    columns = TABLE.model_dump()["columns"]
    columns["age"] = {"role": "quasi-identifier", "hierarchy": {"kind": "interval", "widths": [5]}}
    assert_refused(tmp_path / "data.csv", table_schema(columns=columns), HierarchyError, "Column 'age': Intervals need")


@pytest.mark.parametrize(
    ("values", "levels", "type_"),
    [
        (["1e+300", "31"], {"kind": "interval", "widths": [5]}, "number"),
        (["1e+300", "31"], {"kind": "quantile", "parts": [2]}, "number"),
        (["1990-05-01", "2001-12-31"], {"kind": "quantile", "parts": [2]}, "date"),
    ],
)
def test_of_text_that_looks_like_numbers_or_dates_the_type_to_declare_is_named(tmp_path, values, levels, type_) -> None:
    rows = "".join(f"{name},{value},x\n" for name, value in zip("ab", values, strict=True))
    (tmp_path / "data.csv").write_text(f"name,age,ill\n{rows}")
    columns = TABLE.model_dump()["columns"]
    columns["age"] = {"role": "quasi-identifier", "hierarchy": levels}
    assert_refused(tmp_path / "data.csv", table_schema(columns=columns), HierarchyError, f'type = "{type_}"')
    columns["age"]["type"] = type_
    assert read(tmp_path / "data.csv", table_schema(columns=columns)) is not None


def test_a_starter_schema_is_refused_until_its_roles_are_filled(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("name,age\nQuasimodo,4711\nzyx917,31\n")
    text = str(describe(tmp_path / "data.csv").starter)
    (tmp_path / "schema.toml").write_text(text)
    with pytest.raises(SchemaError, match="role"):
        read_schema(tmp_path / "schema.toml")
    assert not any(secret in text for secret in SECRETS)
    (tmp_path / "schema.toml").write_text(text.replace('role = ""', 'role = "quasi-identifier"'))
    assert len(read(tmp_path / "data.csv", read_schema(tmp_path / "schema.toml")).records) == 2


def assert_refused(path: Path, schema: Schema | None, error: type[InputError], phrase: str) -> None:
    with pytest.raises(error) as caught:
        read(path, schema)
    message = str(caught.value).replace(str(path.parent), "")  # the folder's name is the test's own
    assert phrase in message
    assert not [secret for secret in SECRETS if secret in message]
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None or caught.value.__suppress_context__


def zipped(files: dict[str, str]) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return memory.getvalue()
