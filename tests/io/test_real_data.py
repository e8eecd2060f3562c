"""The real data sets are read to the counts their owners give."""

import zipfile
from pathlib import Path
from typing import Any

import pytest

from shoal.data import Microdata, Ratings
from shoal.errors import DataError, FileError, HierarchyError, SchemaError
from shoal.io import RatingsSchema, TableSchema, read, read_hierarchy, read_schema
from shoal.jobs.describe import describe

pytestmark = pytest.mark.shared

# where, the schema, and people × items, ratings, lowest, highest, step
RATINGS: dict[str, tuple[str, dict[str, Any] | None, tuple[float, ...]]] = {
    "ml-100k": ("ratings/ml-100k", None, (943, 1682, 100_000, 1, 5, 1)),
    "ml-100k by its file": ("ratings/ml-100k/u.data", None, (943, 1682, 100_000, 1, 5, 1)),
    "ml-1m": ("ratings/ml-1m", None, (6040, 3706, 1_000_209, 1, 5, 1)),
    "ml-latest-small": ("ratings/ml-latest-small/ml-latest-small.zip", None, (610, 9724, 100_836, 0.5, 5, 0.5)),
    "movietweetings": ("ratings/movietweetings-100k", None, (16_554, 10_506, 100_000, 0, 10, 1)),
    "a Netflix movie": ("ratings/netflix-prize-part/mv_0002043.txt", None, (7871, 1, 7871, 1, 5, 1)),
    "Netflix sample": (
        "ratings/netflix-prize-part/netflix-user-ratings-10k.csv",
        None,
        (9687, 3451, 10_000, 1, 5, 1),
    ),
    "Netflix part": (
        "ratings/netflix-prize-part/utd-subset/TestingRatings.txt",
        {"names": ("item", "user", "rating")},
        (27_555, 1701, 100_478, 1, 5, 1),
    ),
    "jester": (
        "ratings/jester-1/jester-data-1.zip",
        {"layout": "wide", "header": False, "ignore": ("column_1",), "scale": (-10, 10), "round": True, "null": (99,)},
        (24_983, 100, 1_810_455, -10, 10, 1),
    ),
    "turkiye": (
        "surveys/turkiye-student-evaluation/turkiye-student-evaluation_generic.csv",
        {"layout": "wide", "ignore": ("instcode", "course code", "repeat", "attendance", "difficulty")},
        (5820, 28, 162_960, 1, 5, 1),
    ),
    "big5": (
        "surveys/big5/data.csv",
        {
            "layout": "wide",
            "null": (0,),
            "ignore": ("race", "age", "engnat", "gender", "hand", "source", "country"),
        },
        (19_719, 50, 985_900, 1, 5, 1),
    ),
    "ecr": (
        "surveys/ecr/data.csv",
        {"layout": "wide", "null": (0,), "ignore": ("age", "gender", "country")},
        (51_491, 36, 1_844_142, 1, 5, 1),
    ),
    "sd3": (
        "surveys/sd3/data.csv",
        {"layout": "wide", "null": (0,), "ignore": ("country", "source")},
        (18_192, 27, 490_436, 1, 5, 1),
    ),
    "bfi": (
        "surveys/bfi/bfi.csv",
        {"layout": "wide", "ignore": ("gender", "education", "age")},
        (2800, 25, 69_492, 1, 6, 1),
    ),
}


@pytest.mark.parametrize("name", RATINGS)
def test_ratings_have_the_counts_their_owners_give(name: str, shared_data: Path) -> None:
    place, settings, expected = RATINGS[name]
    source = read(shared_data / place, None if settings is None else RatingsSchema(**settings))
    records = source.records
    assert isinstance(records, Ratings)
    scale = records.scale
    seen = (len(records), len(records.observable.items), records.n_ratings, scale.lowest, scale.highest, scale.step)
    assert seen == expected
    again = read(shared_data / place, source.schema).records
    assert isinstance(again, Ratings)
    assert (again.observable.codes == records.observable.codes).all()


def test_filmtrust_has_three_duplicates(shared_data: Path) -> None:
    total, refused = 0, 0
    for i in range(4):
        path = shared_data / f"ratings/filmtrust/rating/ratings_{i}.txt"
        schema = RatingsSchema(names=("user", "item", "rating"), delimiter=" ")
        records = read(path, schema, duplicates="last").records
        assert isinstance(records, Ratings)
        total += records.n_ratings
        try:
            read(path, schema)
        except DataError:
            refused += 1
    assert total == 35_497 - 3
    assert refused >= 1


def test_book_crossing_is_read_from_its_unpacked_file(shared_data: Path, tmp_path: Path) -> None:
    archive = shared_data / "ratings/book-crossing/book_crossing.zip"
    with pytest.raises(FileError, match="holds 5 files"):
        read(archive)
    with zipfile.ZipFile(archive) as files:
        (tmp_path / "ratings.dat").write_bytes(files.read("book_crossing/book_ratings.dat"))
    records = read(tmp_path).records
    assert isinstance(records, Ratings)
    assert (records.n_ratings, records.scale.lowest, records.scale.highest) == (62_656, 1, 10)


def test_the_young_people_survey_is_read_by_its_starter(shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / "surveys/young-people-survey/responses.csv"
    with pytest.raises(SchemaError, match="Write a schema"):
        read(path)
    with pytest.raises(DataError, match="'Smoking'"):
        read(path, RatingsSchema(layout="wide", scale=(1, 5)))
    (tmp_path / "schema.toml").write_text(str(describe(path).starter), encoding="utf-8")
    source = read(path, read_schema(tmp_path / "schema.toml"))
    assert isinstance(source.records, Ratings)
    # all 135 rated columns, also the one that never got the lowest rating
    assert (len(source.records), len(source.records.observable.items), len(source.columns)) == (1010, 135, 150)


def test_adult_with_its_hierarchies(shared_data: Path) -> None:
    folder = shared_data / "tables/adult/arx"
    names = (folder / "adult.csv").read_text().split("\n")[0].split(";")
    columns: Any = {
        name: {"role": "quasi-identifier", "hierarchy": str(folder / f"adult_hierarchy_{name}.csv")} for name in names
    }
    table = read(folder / "adult.csv", TableSchema(columns=columns)).records
    assert isinstance(table, Microdata)
    assert (len(table), len(table.columns)) == (30_162, 9)
    heights = {column.name: column.hierarchy.height for column in table.columns if column.hierarchy}
    assert (heights["age"], heights["sex"], heights["education"], len(heights)) == (4, 1, 3, 9)
    assert table["age"].vocabulary.is_numeric


def test_the_files_of_uci_adult_hold_their_complete_rows(shared_data: Path) -> None:
    names = tuple(f"c{i}" for i in range(15))
    columns: Any = {name: {"role": "insensitive"} for name in names}
    complete = 0
    for file, skipped, rows in (("adult.data", 0, 32_561), ("adult.test", 1, 16_281)):
        schema = TableSchema(names=names, null=("?",), skip_lines=skipped, columns=columns)
        table = read(shared_data / "tables/adult" / file, schema).records
        assert isinstance(table, Microdata)
        assert len(table) == rows
        complete += table.frame().drop_nulls().height
    assert complete == 45_222


@pytest.mark.parametrize(("part", "rows"), [("train", 199_523), ("test", 99_762)])
def test_census_income(part: str, rows: int, shared_data: Path) -> None:
    names = tuple(f"c{i}" for i in range(42))
    columns: Any = {name: {"role": "insensitive"} for name in names}
    path = shared_data / f"tables/census-income-kdd/census_income_1994_1995_{part}.csv.gz"
    table = read(path, TableSchema(names=names, columns=columns)).records
    assert isinstance(table, Microdata)
    assert (len(table), len(table.columns)) == (rows, 42)


@pytest.mark.parametrize(("file", "rows", "numbers"), [("census", 1080, 13), ("eia", 4092, 13)])
def test_the_reference_tables_of_microaggregation(file: str, rows: int, numbers: int, shared_data: Path) -> None:
    path = shared_data / f"tables/casc/{file}.csv"
    columns: Any = {name: {"role": "insensitive"} for name in path.read_text().split("\n")[0].strip().split(",")}
    table = read(path, TableSchema(columns=columns)).records
    assert isinstance(table, Microdata)
    assert (len(table), sum(column.vocabulary.is_numeric for column in table.columns)) == (rows, numbers)


def test_every_hierarchy_of_adult_is_read_or_refused_for_being_ragged(shared_data: Path) -> None:
    folder = shared_data / "tables/adult"
    files = [*folder.glob("arx/*hierarchy*.csv"), *folder.glob("hierarchies-*/*")]
    ragged = set()
    for file in files:
        try:
            assert read_hierarchy(file).n_values >= 2
        except HierarchyError as error:
            ragged.add((file.name, "levels, the first line" in str(error)))
    assert len(files) == 25
    assert ragged == {("adult_marital_status.txt", True), ("adult_workclass.txt", True)}
