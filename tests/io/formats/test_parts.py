"""A folder or a pattern of parts is one data set, in the order of the names of its parts."""

import gzip
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal.errors import FileError, InputError, SchemaError
from shoal.io import RatingsSchema, TableSchema, read
from shoal.io.formats import tabular_file
from shoal.io.formats.data_files import find_contents, open_data

RATINGS = pl.DataFrame({"user": ["a", "a", "b"], "item": ["x", "y", "x"], "rating": [1, 2, 5]})


def write(frame: pl.DataFrame, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.write_parquet(path) if path.suffix == ".parquet" else frame.write_csv(path)


@given(sizes=st.lists(st.integers(1, 9), min_size=1, max_size=5), form=st.sampled_from(["parquet", "csv"]))
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_parts_are_read_one_after_the_other_in_the_order_of_their_names(
    sizes: list[int], form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tabular_file, "_BATCH", 2)
    folder = tmp_path / f"{form}-{'-'.join(map(str, sizes))}"
    rows = [(f"{part}", f"{row}") for part, size in enumerate(sizes) for row in range(size)]
    for part in reversed(range(len(sizes))):  # the order of names, not that of writing
        write(
            pl.DataFrame({"p": [p for p, _ in rows if p == f"{part}"], "r": list(range(sizes[part]))}),
            folder / f"part-{part}.{form}",
        )
    for data in (folder, f"{folder}/*.{form}", f"{folder}/part-?.{form}"):
        file = open_data(data)
        assert file.rows == sum(sizes)
        read_rows = [row for batch in file.batches("p", "r") for row in batch.cast(pl.String).rows()]
        assert read_rows == rows


def test_what_engines_leave_behind_is_not_read_and_said(tmp_path: Path) -> None:
    write(RATINGS[:2], tmp_path / "part-0.parquet")
    write(RATINGS[2:], tmp_path / "part-1.parquet")
    for name in ("_SUCCESS", ".part-0.parquet.crc", "_metadata.parquet", "notes.md", "part-2.parquet"):
        (tmp_path / name).touch()
    source = read(tmp_path)
    assert source.records.n_ratings == 3  # type: ignore[union-attr]
    assert "Not read: .part-0.parquet.crc, _SUCCESS, _metadata.parquet, notes.md, part-2.parquet." in source.notes
    assert any("2 parts" in note for note in source.notes)


def test_the_order_of_columns_may_differ_but_not_their_names_or_types(tmp_path: Path) -> None:
    write(RATINGS, tmp_path / "p" / "0.parquet")
    write(RATINGS.select("rating", "item", pl.lit("c").alias("user")), tmp_path / "p" / "1.parquet")
    assert open_data(tmp_path / "p").frame("user")["user"].to_list() == ["a", "a", "b", "c", "c", "c"]
    write(RATINGS.cast({"rating": pl.Float64}), tmp_path / "p" / "2.parquet")
    with pytest.raises(SchemaError, match=r"'rating' is of another type in the part 2\.parquet"):
        open_data(tmp_path / "p")
    write(RATINGS.drop("item"), tmp_path / "p" / "2.parquet")
    with pytest.raises(SchemaError, match=r"0\.parquet has a column 'item', and the part 2\.parquet has none"):
        open_data(tmp_path / "p")
    write(RATINGS.with_columns(x=1), tmp_path / "p" / "2.parquet")
    with pytest.raises(SchemaError, match=r"2\.parquet has a column 'x', and the part 0\.parquet has none"):
        open_data(tmp_path / "p")


def test_a_part_in_which_all_values_are_missing_has_the_type_of_the_others(tmp_path: Path) -> None:
    write(RATINGS.with_columns(rating=pl.lit(None)), tmp_path / "0.parquet")
    write(RATINGS, tmp_path / "1.parquet")
    assert open_data(tmp_path).frame("rating")["rating"].to_list() == [None, None, None, 1, 2, 5]


def test_a_mixture_of_formats_or_layouts_is_refused(tmp_path: Path) -> None:
    write(RATINGS, tmp_path / "m" / "0.parquet")
    write(RATINGS, tmp_path / "m" / "1.csv")
    with pytest.raises(FileError, match="several formats: CSV and Parquet"):
        read(tmp_path / "m")
    assert read(f"{tmp_path}/m/*.parquet").records.n_ratings == 3  # type: ignore[union-attr]
    write(RATINGS, tmp_path / "t" / "0.csv")
    (tmp_path / "t" / "1.csv").write_text(RATINGS.write_csv(separator=";"))
    with pytest.raises(SchemaError, match=r"1\.csv is laid out in another way"):
        read(tmp_path / "t")


def test_folders_named_by_a_value_stand_for_a_column(tmp_path: Path) -> None:
    for year, name in ((2020, "ann"), (2021, "bob")):
        frame = pl.DataFrame({"name": [name], "age": [year - 1990]})
        write(frame, tmp_path / "parquet" / f"year={year}" / "city=S%C3%A3o" / "0.parquet")
        write(frame, tmp_path / "csv" / f"year={year}" / "city=S%C3%A3o" / "0.csv")
    roles = {name: {"role": "quasi-identifier"} for name in ("name", "age", "year", "city")}
    for data in (
        tmp_path / "parquet",
        f"{tmp_path}/parquet/*/*/*.parquet",
        tmp_path / "csv",
        f"{tmp_path}/csv/**/*.csv",
    ):
        table = read(data, TableSchema(columns=roles)).records  # type: ignore[arg-type]
        assert table.frame().rows() == [("ann", 30, 2020, "São"), ("bob", 31, 2021, "São")]  # type: ignore[union-attr]


def test_compressed_parts_and_names_with_brackets_are_read(tmp_path: Path) -> None:
    for part in (0, 1):
        (tmp_path / f"{part}.csv.gz").write_bytes(
            gzip.compress(RATINGS.with_columns(user=pl.lit(f"{part}")).write_csv().encode())
        )
    assert open_data(f"{tmp_path}/*.gz").rows == 6
    write(RATINGS, tmp_path / "a[1].csv")
    assert read(tmp_path / "a[1].csv").records.n_ratings == 3  # type: ignore[union-attr]


def test_a_folder_without_data_and_a_pattern_without_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="holds no data that Shoal recognizes"):
        read(tmp_path)
    with pytest.raises(FileError, match="No file with data matches"):
        read(f"{tmp_path}/*.csv")
    write(RATINGS, tmp_path / "data.csv")
    (tmp_path / "certificate.json").write_text("{}")  # a release without its schema
    with pytest.raises(FileError, match="holds no data that Shoal recognizes"):
        read(tmp_path)


def test_parts_are_found_without_their_own_folder_changing_what_they_are(tmp_path: Path) -> None:
    folder = tmp_path / "x=1"
    write(RATINGS, folder / "0.csv")
    write(RATINGS.with_columns(user=pl.lit("c")), folder / "1.csv")
    assert all(not each.partition for data in (folder, f"{folder}/*.csv") for each in find_contents(data))


def test_a_schema_applies_to_every_part(tmp_path: Path) -> None:
    for part in (0, 1):
        (tmp_path / f"{part}.csv").write_text(f"{part};x;{part + 3}\n")
    schema = RatingsSchema(layout="long", names=("user", "item", "rating"), delimiter=";")
    assert read(tmp_path, schema).records.users.values.to_list() == [0, 1]  # type: ignore[union-attr]
    with pytest.raises(InputError):
        read(tmp_path, RatingsSchema(layout="long", names=("user", "item"), delimiter=";"))


def test_a_part_that_links_lead_to_twice_is_read_once_and_told(tmp_path: Path) -> None:
    write(RATINGS, tmp_path / "p" / "part-0.csv")
    write(RATINGS.with_columns(user=pl.lit("c")), tmp_path / "p" / "part-1.csv")
    (tmp_path / "p" / "latest.csv").symlink_to("part-1.csv")
    file = open_data(tmp_path / "p")
    assert file.frame("user")["user"].to_list() == ["a", "a", "b", "c", "c", "c"]
    assert "Not read: latest.csv (the same file as part-1.csv)." in file.notes


@pytest.mark.parametrize("link", ["loop", "y=2"])
def test_folders_that_lead_to_themselves_are_read_once(link: str, tmp_path: Path) -> None:
    write(RATINGS, tmp_path / "p" / "y=1" / "a.csv")
    (tmp_path / "p" / "y=1" / link).symlink_to("..")
    for place in (str(tmp_path / "p"), str(tmp_path / "p" / "**" / "*.csv")):
        assert open_data(place).rows == RATINGS.height


def test_parts_that_are_the_same_byte_by_byte_are_read_and_told(tmp_path: Path) -> None:
    write(RATINGS, tmp_path / "part-0.csv")
    write(RATINGS.with_columns(user=pl.lit("c")), tmp_path / "part-1.csv")  # as long, but not the same
    assert not any("the same" in note for note in open_data(tmp_path).notes)
    write(RATINGS, tmp_path / "part-2.csv")
    file = open_data(tmp_path)
    assert file.rows == 9
    assert "The parts part-0.csv and part-2.csv are the same, and both were read: is one a copy?" in file.notes


def test_numbers_of_formats_without_types_may_happen_to_be_whole_in_some_parts(tmp_path: Path) -> None:
    for place, ratings in enumerate(["1", "2.5", "3", "null"]):
        (tmp_path / f"{place}.ndjson").write_text(f'{{"user": {place}, "rating": {ratings}}}\n')
    file = open_data(tmp_path)
    assert file.frame("rating")["rating"].to_list() == [1.0, 2.5, 3.0, None]
    assert file.frame("user")["user"].dtype == pl.Int64
    (tmp_path / "4.ndjson").write_text('{"user": 4, "rating": "x"}\n')
    with pytest.raises(SchemaError, match="'rating' is of another type in the part 4"):
        open_data(tmp_path)
