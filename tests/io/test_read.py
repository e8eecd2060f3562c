"""Every layout is read for what it is, and says how it was understood."""

import gzip
import io
import sys
import zipfile
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pyreadstat
import pytest

from shoal.data import Microdata, Ratings
from shoal.errors import DataError, MissingExtraError, SchemaError
from shoal.io import RatingsSchema, Schema, Source, TableSchema, read, read_schema
from shoal.jobs.describe import describe


def table_schema(columns: dict[str, Any], **settings: Any) -> TableSchema:
    return TableSchema(columns=columns, **settings)


Cells = dict[tuple[object, object], float]

U_DATA = "196\t242\t3\t881250949\n186\t302\t4\t891717742\n196\t302\t1\t881250949\n"
RATINGS_DAT = "1::0104257::8::1364690142\n1::12::9::\n2::0104257::10::1364690142\n"


def test_movielens_tabs_are_recognized(tmp_path: Path) -> None:
    source = read_text(tmp_path / "u.data", U_DATA)
    assert cells(source) == {(196, 242): 3, (186, 302): 4, (196, 302): 1}
    assert source.schema == RatingsSchema(layout="movielens", scale=(1, 4))
    assert "taken from the data, not declared" in " ".join(source.notes)
    assert source.columns == ("user", "item", "rating", "timestamp")


def test_movielens_double_colons_keep_leading_zeros_and_empty_times(tmp_path: Path) -> None:
    source = read_text(tmp_path / "ratings.dat", RATINGS_DAT, RatingsSchema(scale=(0, 10)))
    assert cells(source) == {(1, "0104257"): 8, (1, "12"): 9, (2, "0104257"): 10}


def test_movielens_csv_is_read_in_halves_without_its_times(tmp_path: Path) -> None:
    text = "userId,movieId,rating,timestamp\n1,1,4.0,964982703\n1,3,0.5,964981247\n"
    source = read_text(tmp_path / "ratings.csv", text)
    assert cells(source) == {(1, 1): 4, (1, 3): 0.5}
    assert isinstance(source.schema, RatingsSchema)
    assert (source.schema.layout, source.schema.step, source.schema.user) == ("long", 0.5, "userId")
    assert "Not read: 'timestamp'." in source.notes


@pytest.mark.parametrize("name", ["u.data", "ratings.dat.gz", "ratings.csv"])
def test_a_movielens_folder_is_read_by_its_ratings_file(name: str, tmp_path: Path) -> None:
    text = {"u.data": U_DATA, "ratings.dat.gz": RATINGS_DAT, "ratings.csv": "user,item,rating\n1,2,3\n1,3,4\n"}[name]
    (tmp_path / name).write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    (tmp_path / "README").write_text("about")
    assert len(cells(read(tmp_path))) == len(text.strip().split("\n")) - name.endswith("csv")


def test_netflix_files_folders_and_combined_files_say_the_same(tmp_path: Path) -> None:
    one, two = "3:\n716091,2,2003-10-02\n5,5,2001-09-27\n", "20:\r\n716091,1\r\n\r\n"
    (tmp_path / "mv_0000003.txt").write_text(one)
    (tmp_path / "mv_0000020.txt").write_text(two, newline="")
    (tmp_path / "combined.txt").write_text(one + two.strip(), newline="")
    expected = {(716091, 3): 2, (5, 3): 5, (716091, 20): 1}
    assert cells(read(tmp_path)) == cells(read(tmp_path / "combined.txt")) == expected
    assert cells(read(tmp_path / "mv_0000003.txt")) == {(716091, 3): 2, (5, 3): 5}
    assert "2 Netflix Prize files" in " ".join(read(tmp_path).notes)


def test_netflix_lines_are_whole_across_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["shoal.io.formats.contents"], "_BLOCK", 7)
    path = tmp_path / "combined.txt"
    path.write_text("1:\n10,1,2005-01-01\n11,2,2005-01-01\n2:\n10,5,2005-01-01")
    assert cells(read(path)) == {(10, 1): 1, (11, 1): 2, (10, 2): 5}


def test_quoted_fields_are_whole_across_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["shoal.io.formats.contents"], "_BLOCK", 3)
    text = 'user,item,rating\n"a""\r\né","x,y",1\nb,"x,y",2\n'
    source = read_text(tmp_path / "data.csv", text, RatingsSchema(delimiter=",", scale=(1, 5)))
    assert cells(source) == {('a"\r\né', "x,y"): 1, ("b", "x,y"): 2}


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", " "])
def test_delimiters_are_recognized_and_told(delimiter: str, tmp_path: Path) -> None:
    text = "user,item,rating\na,x,1\nb,y,2\n".replace(",", delimiter)
    source = read_text(tmp_path / "data.txt", text)
    assert cells(source) == {("a", "x"): 1, ("b", "y"): 2}
    words = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}
    assert words[delimiter] in source.notes[0]
    assert source.schema.delimiter == delimiter


def test_a_delimiter_that_may_be_two_is_asked_for(tmp_path: Path) -> None:
    text = "a;b,c;d\n1;2,3;4\n"
    with pytest.raises(SchemaError, match="commas or by semicolons"):
        read_text(tmp_path / "data.csv", text, RatingsSchema(layout="wide"))
    source = read_text(tmp_path / "data.csv", text, RatingsSchema(layout="wide", ignore=("b,c",)))
    assert source.columns == ("a", "b,c", "d")


def test_the_schema_as_understood_reads_the_same_again(tmp_path: Path) -> None:
    text = "respondent;tea;coffee;income;when\np;1;;5;x\nq;3;NA;4;y\n"
    schema = RatingsSchema(layout="wide", id=("respondent",), ignore=("when",), sensitive=("income",), null=("NA",))
    source = read_text(tmp_path / "data.csv", text, schema)
    (tmp_path / "schema.toml").write_text(source.schema.to_toml())
    understood = read_schema(tmp_path / "schema.toml")
    assert understood == source.schema
    again = read(tmp_path / "data.csv", understood)
    assert cells(again) == cells(source) == {("p", "tea"): 1, ("p", "income"): 5, ("q", "tea"): 3, ("q", "income"): 4}
    assert again.schema == source.schema
    assert isinstance(source.records, Ratings)
    assert source.records.sensitive.items.values.to_list() == ["income"]
    assert source.records.observable.items.values.to_list() == ["tea", "coffee"]
    assert "2 ratings are null." in source.notes


def test_people_without_an_id_or_with_several_are_numbered(tmp_path: Path) -> None:
    text = "first,last,tea\na,x,1\na,x,2\n"
    for schema in (
        RatingsSchema(layout="wide", id=("first", "last")),
        RatingsSchema(layout="wide", ignore=("first", "last")),
    ):
        source = read_text(tmp_path / "data.csv", text, schema)
        assert cells(source) == {(0, "tea"): 1, (1, "tea"): 2}


def test_ids_are_numbers_only_if_all_are_written_as_numbers(tmp_path: Path) -> None:
    schema = RatingsSchema(scale=(1, 5))
    for ids, expected in (
        (["7", "-3", "0"], [-3, 0, 7]),
        (["7", "007"], ["007", "7"]),
        (["+7", "7"], ["+7", "7"]),
        (["1.0", "1"], ["1", "1.0"]),
        (["-0", "0"], ["-0", "0"]),
        ([" 1", "1"], [" 1", "1"]),
        (["9" * 18, "1"], [1, 10**18 - 1]),
        (["9" * 19, "1"], ["1", "9" * 19]),
    ):
        text = "user,item,rating\n" + "".join(f"{user},a,1\n" for user in ids)
        source = read_text(tmp_path / "data.csv", text, schema)
        assert isinstance(source.records, Ratings)
        assert source.records.users.values.to_list() == expected


def test_large_parquet_ids_are_read_like_small_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["shoal.io.formats.tabular_file"], "_BATCH", 2)
    users = [5, 3, 2**40, -1, 3, 7]
    frame = pl.DataFrame({"user": users, "item": [1, 2, 3, 4, 5, 6], "rating": [1, 2, 3, 4, 5, 1]})
    frame.write_parquet(tmp_path / "data.parquet")
    source = read(tmp_path / "data.parquet")
    assert cells(source) == dict(zip(zip(users, [1, 2, 3, 4, 5, 6], strict=True), [1, 2, 3, 4, 5, 1], strict=True))
    assert isinstance(source.records, Ratings)
    assert source.records.users.values.to_list() == sorted(set(users))


@pytest.mark.parametrize("dtype", [pl.Int8, pl.UInt64, pl.Float32, pl.Float64, pl.String, pl.Decimal(5, 2)])
def test_parquet_ratings_of_any_type_are_read(dtype: type[pl.DataType], tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"user": ["a", "b", "c"], "item": ["x", "x", "x"], "rating": pl.Series([1, None, 3]).cast(dtype)}
    )
    frame.write_parquet(tmp_path / "data.parquet")
    source = read(tmp_path / "data.parquet", RatingsSchema(scale=(1, 5)))
    assert cells(source) == {("a", "x"): 1, ("c", "x"): 3}
    assert isinstance(source.records, Ratings)
    assert source.records.users.values.to_list() == ["a", "b", "c"]


def test_single_precision_ratings_are_the_decimals_they_were_written_as(tmp_path: Path) -> None:
    frame = pl.DataFrame({"user": ["a", "b"], "item": ["x", "x"], "rating": pl.Series([0.1, 0.7], dtype=pl.Float32)})
    frame.write_parquet(tmp_path / "data.parquet")
    assert cells(read(tmp_path / "data.parquet", RatingsSchema(scale=(0, 1), step=0.1))) == {
        ("a", "x"): 0.1,
        ("b", "x"): 0.7,
    }


def test_rounding_moves_to_the_nearest_point_and_halves_upwards(tmp_path: Path) -> None:
    marks = {"-9.82": -10, "-0.5": 0, "0.49999999999999999": 0, "0.5": 1, "2.5": 3, "9.5": 10, "-1.5": -1}
    text = "user,item,rating\n" + "".join(f"u{i},a,{mark}\n" for i, mark in enumerate(marks))
    source = read_text(tmp_path / "data.csv", text, RatingsSchema(scale=(-10, 10), round=True))
    assert list(cells(source).values()) == list(marks.values())


def test_a_rating_beyond_the_ends_is_refused_even_where_others_are_rounded(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="1 ratings lie outside"):
        read_text(tmp_path / "data.csv", "user,item,rating\na,b,10.2\n", RatingsSchema(scale=(-10, 10), round=True))


def test_null_marks_are_numbers_and_texts(tmp_path: Path) -> None:
    text = "user,item,rating\na,a,99\na,b,99.0\na,c,NA\na,d,\na,e,5\na,f, 4 \n"
    source = read_text(tmp_path / "data.csv", text, RatingsSchema(scale=(1, 5), null=(99, "NA")))
    assert cells(source) == {("a", "e"): 5, ("a", "f"): 4}
    assert "4 ratings are null." in source.notes


def test_duplicates_are_merged_as_asked(tmp_path: Path) -> None:
    text = "user,item,rating\na,x,1\na,x,2\nb,x,5\na,x,5\na,y,4\na,y,1\nb,x,\n"
    path = tmp_path / "data.csv"
    path.write_text(text)
    schema = RatingsSchema(scale=(1, 5), sensitive=("y",))
    with pytest.raises(DataError, match="3 ratings"):
        read(path, schema)
    assert cells(read(path, schema, duplicates="last")) == {("a", "x"): 5, ("b", "x"): 5, ("a", "y"): 1}
    # 8 / 3 = 2.67 → 3; 5 / 2 = 2.5 → 3
    assert cells(read(path, schema, duplicates="mean")) == {("a", "x"): 3, ("b", "x"): 5, ("a", "y"): 3}


def test_the_order_of_the_lines_changes_nothing(tmp_path: Path) -> None:
    lines = ["b,x,1", "a,y,2", "c,x,3", "a,x,4"]
    sources = []
    for order in (lines, lines[::-1]):
        source = read_text(tmp_path / "data.csv", "user,item,rating\n" + "\n".join(order))
        assert isinstance(source.records, Ratings)
        sources.append((source.records.users.values.to_list(), source.records.observable.dense().tolist()))
    assert sources[0] == sources[1]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_encodings_are_read_as_declared(encoding: Any, tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes("user,item,rating\né,ü,1\nb,ü,2\n".encode(encoding))
    source = read(path, RatingsSchema(encoding=encoding, scale=(1, 5)))
    assert cells(source) == {("é", "ü"): 1, ("b", "ü"): 2}
    again = read(path, source.schema)
    assert cells(again) == cells(source)


def test_lines_before_the_header_are_skipped(tmp_path: Path) -> None:
    source = read_text(
        tmp_path / "d.csv", 'about "this"\nuser,item,rating\na,x,1\n', RatingsSchema(skip_lines=1, scale=(1, 5))
    )
    assert cells(source) == {("a", "x"): 1}


def test_quotes_may_mean_nothing(tmp_path: Path) -> None:
    source = read_text(
        tmp_path / "d.csv", 'user,item,rating\n5" nail,"x,1\n', RatingsSchema(quotes=False, scale=(1, 5))
    )
    assert cells(source) == {('5" nail', '"x'): 1}


def test_a_zip_is_read_by_its_only_file_or_its_ratings(tmp_path: Path) -> None:
    for names in (["odd.csv"], ["ml/ratings.csv", "ml/movies.csv", "__MACOSX/ml/ratings.csv"]):
        with zipfile.ZipFile(tmp_path / "data.zip", "w") as archive:
            for name in names:
                archive.writestr(name, "user,item,rating\na,x,1\nb,x,2\n")
        assert cells(read(tmp_path / "data.zip")) == {("a", "x"): 1, ("b", "x"): 2}


def test_a_release_folder_is_read_by_its_own_schema(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("who,tea\np,1\nq,2\n")
    (tmp_path / "schema.toml").write_text('kind = "ratings"\nlayout = "wide"\nid = ["who"]\nscale = [1, 5]\n')
    assert cells(read(tmp_path)) == {("p", "tea"): 1, ("q", "tea"): 2}


def test_table_columns_are_numbers_only_if_written_so(tmp_path: Path) -> None:
    text = (
        "a, b, c, d, e, f, g\n1, 02139, 1.5, ?, 2020-01-31, 12345678901234567890, x \n-2, 2139, 3, 4, 2020-02-01, 1, \n"
    )
    columns = {name: {"role": "insensitive"} for name in "abcdefg"}
    columns["e"] = {"role": "insensitive", "type": "date"}
    source = read_text(tmp_path / "data.csv", text, table_schema(columns=columns, null=("?",)))
    assert isinstance(source.records, Microdata)
    assert source.records.frame().rows() == [
        (1, "02139", 1.5, None, date(2020, 1, 31), "12345678901234567890", "x"),
        (-2, "2139", 3.0, 4, date(2020, 2, 1), "1", None),
    ]
    assert isinstance(source.schema, TableSchema)
    kinds = [source.schema.columns[name].type for name in "abcdefg"]
    assert kinds == ["number", "text", "number", "number", "date", "text", "text"]
    assert read(tmp_path / "data.csv", source.schema).records.frame().rows() == source.records.frame().rows()  # type: ignore[union-attr]


def test_hierarchies_of_every_kind_are_attached(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("zip,age,job,town\n4370,17,cook,a\n4378,31,clerk,\n")
    (tmp_path / "town.csv").write_text('a;"big, old";*\n?;unknown;*\nz;small;*\n')
    (tmp_path / "schema.toml").write_text(
        'kind = "table"\nnull = ["?"]\n'
        '[columns.zip]\nrole = "quasi-identifier"\nhierarchy = { kind = "mask" }\n'
        '[columns.age]\nrole = "quasi-identifier"\nhierarchy = { kind = "interval", widths = [5, 10] }\n'
        '[columns.job]\nrole = "quasi-identifier"\nhierarchy = { kind = "tree", tree = { work = ["cook", "clerk"] } }\n'
        '[columns.town]\nrole = "quasi-identifier"\nhierarchy = "town.csv"\n'
    )
    table = read(tmp_path / "data.csv", read_schema(tmp_path / "schema.toml")).records
    assert isinstance(table, Microdata)
    published = {}
    for column in table.columns:
        assert column.hierarchy is not None
        published[column.name] = (
            column.hierarchy.labels[1].take(column.hierarchy.generalized(column.codes, 1)).to_list()
        )
    assert published == {
        "zip": ["437*", "437*"],
        "age": ["[15, 20)", "[30, 35)"],
        "job": ["work", "work"],
        "town": ["big, old", "unknown"],
    }


@pytest.mark.parametrize("suffix", ["sav", "zsav", "por", "dta", "xpt"])
def test_survey_files_are_read_by_codes_for_ratings_and_labels_for_tables(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"data.{suffix}"
    frame: Any = pl.DataFrame({"WHO": ["p", "q"], "TEA": [1.0, 5.0], "RUM": [3.0, None]})
    labels: Any = {"TEA": {1: "never", 5: "daily"}}
    if suffix in ("sav", "zsav"):
        pyreadstat.write_sav(frame, path, variable_value_labels=labels, compress=suffix == "zsav")
    elif suffix == "dta":
        pyreadstat.write_dta(frame, path, variable_value_labels=labels)
    else:
        {"por": pyreadstat.write_por, "xpt": pyreadstat.write_xport}[suffix](frame, path)
    source = read(path, RatingsSchema(layout="wide", id=("WHO",), scale=(1, 5)))
    assert cells(source) == {("p", "TEA"): 1, ("q", "TEA"): 5, ("p", "RUM"): 3}
    table = read(path, table_schema(columns={name: {"role": "insensitive"} for name in frame.columns})).records
    assert isinstance(table, Microdata)
    expected = ["never", "daily"] if suffix in ("sav", "zsav", "dta") else [1.0, 5.0]
    assert table["TEA"].values.to_list() == expected
    assert table["RUM"].values.to_list() == [3.0, None]


def test_a_survey_file_without_its_reader_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    (tmp_path / "data.sav").write_bytes(b"$FL2")
    with pytest.raises(MissingExtraError, match=r"pip install 'shoal\[surveys\]'"):
        read(tmp_path / "data.sav", RatingsSchema(layout="wide"))


def test_an_overview_counts_and_a_starter_leaves_roles_open(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("name,age,town\nann,30,\nbob,30,x\ncid,41,x\n")
    described = describe(path)
    published = [tuple(column[key] for key in ("name", "type", "distinct", "missing")) for column in described.columns]
    assert published == [("name", "text", 3, 0), ("age", "number", 2, 0), ("town", "text", 1, 1)]
    starter = str(described.starter)
    assert starter.count('role = ""') == 3
    assert "perhaps identifier" in starter.split("[columns.age]")[0]


def test_a_file_without_a_header_is_overviewed_without_telling_its_first_record(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("ann,30,x\nbob,31,y\n")
    described = describe(path)
    assert [column["name"] for column in described.columns] == ["column_1", "column_2", "column_3"]
    assert "header = false" in str(described.starter)
    assert "ann" not in str(described.starter)


def test_the_starter_of_a_survey_reads_it_once_checked(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("age,a,b,c,d,e\n" + "".join(f"{20 + i},{i},{i},{6 - i},{i},{i}\n" for i in range(1, 6)))
    (tmp_path / "schema.toml").write_text(str(describe(path).starter))
    source = read(path, read_schema(tmp_path / "schema.toml"))
    assert isinstance(source.records, Ratings)
    assert source.records.observable.items.values.to_list() == ["a", "b", "c", "d", "e"]
    assert source.records.scale.lowest == Fraction(1)


def read_text(path: Path, text: str, schema: Schema | None = None) -> Source:
    path.write_bytes(text.encode())
    return read(path, schema)


def cells(source: Source) -> Cells:
    """Tell ratings cell by cell."""
    ratings = source.records
    assert isinstance(ratings, Ratings)
    published: Cells = {}
    for part in (ratings.observable, ratings.sensitive):
        items = part.items.values.to_list()
        for i, user in enumerate(ratings.users.values.to_list()):
            for j in range(part.indptr[i], part.indptr[i + 1]):
                assert (user, items[part.indices[j]]) not in published
                published[user, items[part.indices[j]]] = float(
                    ratings.scale.lowest + int(part.codes[j]) * ratings.scale.step
                )
    return published


def test_in_memory_archives_of_parquet_are_read(tmp_path: Path) -> None:
    memory = io.BytesIO()
    pl.DataFrame({"user": [1, 2], "item": [3, 3], "rating": [4, 5]}).write_parquet(memory)
    (tmp_path / "data.parquet.gz").write_bytes(gzip.compress(memory.getvalue()))
    assert cells(read(tmp_path / "data.parquet.gz")) == {(1, 3): 4, (2, 3): 5}
