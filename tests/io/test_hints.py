"""A refusal says what to write, and whoever writes it gets on."""

from pathlib import Path

import pytest

import shoal
from shoal.data import Microdata, Ratings
from shoal.errors import DataError, InputError, SchemaError
from shoal.io import RatingsSchema, TableSchema, read

from .hints import follow

PAIRS = [(user, item) for user in range(12) for item in range(8) if (user * 7 + item * 3) % 5]


def write(path: Path, header: str, line: str, marks: list[str]) -> Path:
    lines = [line.format(u=u, i=i, m=marks[place % len(marks)]) for place, (u, i) in enumerate(PAIRS)]
    path.write_text("\n".join([header, *lines] if header else lines) + "\n", encoding="utf-8")
    return path


def refused(path: Path, error: type[InputError] = InputError) -> InputError:
    with pytest.raises(error) as caught:
        read(path)
    return caught.value


def ratings_after_following(path: Path) -> Ratings:
    follow(refused(path))
    records = read(path).records
    assert isinstance(records, Ratings)
    return records


def test_marks_for_no_rating_are_suspected_and_can_be_declared(tmp_path: Path) -> None:
    path = write(tmp_path / "anime.csv", "User_ID,Anime_ID,Feedback", "{u},{i},{m}", ["-1", "6", "7", "8", "10"])
    error = refused(path, SchemaError)
    assert "null = [-1]" in str(error)
    assert "scale = [-1, 10]" in str(error)
    ratings = ratings_after_following(path)
    assert str(ratings.scale) == "6 to 10"
    assert ratings.n_ratings == sum(place % 5 != 0 for place in range(len(PAIRS)))


def test_a_suspected_mark_can_be_declared_a_rating(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", "user,item,rating", "{u},{i},{m}", ["-1", "6", "7", "8", "10"])
    beside = follow(refused(path))
    beside.write_text(beside.read_text().replace("null = [-1]", "scale = [-1, 10]"))
    assert str(read(path).records.scale) == "-1 to 10"  # type: ignore[union-attr]


def test_likes_are_read_as_sets(tmp_path: Path) -> None:
    path = write(tmp_path / "likes.csv", "user,item,rating", "{u},{i},1", [""])
    assert 'kind = "sets"' in str(refused(path))
    ratings = ratings_after_following(path)
    assert (ratings.is_sets, ratings.n_ratings) == (True, len(PAIRS))


def test_purchases_without_ratings_are_read_as_sets_if_their_columns_may_be_others(tmp_path: Path) -> None:
    path = write(tmp_path / "purchases.csv", "account_id,title_id,date", "{u},{i},2020-01-01", [""])
    assert "has users and items, but no column of ratings" in str(refused(path))
    ratings = ratings_after_following(path)
    assert (ratings.is_sets, ratings.n_ratings) == (True, len(PAIRS))


@pytest.mark.parametrize(
    ("marks", "declared"),
    [
        (["1", "2", "NA"], 'null = ["NA"]'),
        (["1", "2", "n/a", "."], 'null = [".", "n/a"]'),
        (["1,5", "2,0", "3"], 'decimal = ","'),
        (["1,5", "2,0", "3", "NULL"], 'null = ["NULL"]'),
    ],
)
def test_marks_and_decimal_commas_are_named_with_the_line_that_declares_them(
    tmp_path: Path, marks: list[str], declared: str
) -> None:
    path = write(tmp_path / "r.csv", "user;item;rating", "{u};{i};{m}", marks)
    assert declared in str(refused(path, DataError))
    numbers = [mark for mark in marks if mark[0].isdigit()]
    expected = sum(marks[place % len(marks)] in numbers for place in range(len(PAIRS)))
    assert ratings_after_following(path).n_ratings == expected


def test_what_no_line_can_mend_is_counted_and_named(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", "user;item;rating", "{u};{i};{m}", ["50%", "70 %"])
    assert str(refused(path)).startswith(f"{len(PAIRS)} ratings end in a percent sign. Write them without the sign.")
    path = write(tmp_path / "r.csv", "user;item;rating", "{u};{i};{m}", ["1,500", "2,250"])
    assert "If it is a decimal comma, say" in str(refused(path))
    path = write(tmp_path / "r.csv", "user;item;rating", "{u};{i};{m}", ["1 500", "2 250"])
    assert "separators between thousands" in str(refused(path))


def test_a_column_that_is_not_named_as_ratings_are_is_offered(tmp_path: Path) -> None:
    path = write(tmp_path / "clicks.csv", "user,item,clicks", "{u},{i},{m}", list(map(str, range(1, 40))))
    assert "'clicks' holds the ratings" in str(refused(path))
    assert str(ratings_after_following(path).scale) == "1 to 39"


def test_ratings_beside_other_columns_are_offered(tmp_path: Path) -> None:
    path = write(tmp_path / "e.csv", "account,title,stars,device", "{u},{i},{m},tv", ["1", "2", "3"])
    assert "other columns are not read" in str(refused(path))
    assert ratings_after_following(path).n_ratings == len(PAIRS)


def test_ratings_without_a_header_line_are_offered_and_no_field_is_printed(tmp_path: Path) -> None:
    path = write(tmp_path / "r.txt", "", "70{u} 80{i} {m}", ["1", "2", "3"])
    message = str(refused(path))
    assert not any(field in message for field in ("700", "801"))
    assert ratings_after_following(path).n_ratings == len(PAIRS)


def test_a_first_line_with_the_same_number_twice_is_a_record_and_no_header(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", "", "{u},{i},{m}", ["5", "2", "3"])
    text = path.read_text()
    path.write_text("7777,7777,5\n" + text)
    message = str(refused(path))
    assert "no header line" in message
    assert "7777" not in message
    assert ratings_after_following(path).n_ratings == len(PAIRS) + 1


def test_a_table_is_not_taken_for_ratings(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age,sex,zip\n" + "".join(f"{i % 40},{i % 2},{i % 7}\n" for i in range(100)))
    message = str(refused(path))
    assert f"`shoal describe {path} --out {tmp_path}/t.schema.toml`" in message
    assert "    " not in message


@pytest.mark.parametrize(
    ("values", "declare", "rest"),
    [
        (["20", "NA", "30"], {"null": ["NA"]}, [20, None, 30]),
        (["20,5", "1.000,5", "30"], {"decimal": ","}, [20.5, 1000.5, 30]),
        (["20,5", "?", "30"], {"decimal": ",", "null": ["?"]}, [20.5, None, 30]),
    ],
)
def test_the_numbers_of_a_table_become_numbers_by_what_the_refusal_declares(
    tmp_path: Path, values: list[str], declare: dict[str, object], rest: list[float]
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age;sex\n" + "".join(f"{value};f\n" for value in values))
    columns = {"age": {"role": "quasi-identifier", "type": "number"}, "sex": {"role": "quasi-identifier"}}
    with pytest.raises(DataError) as caught:
        read(path, TableSchema(columns=columns))  # type: ignore[arg-type]
    assert caught.value.declare == declare
    assert "column 'age'" in str(caught.value)
    table = read(path, TableSchema(columns=columns, **declare)).records  # type: ignore[arg-type]
    assert isinstance(table, Microdata)
    assert table["age"].values.to_list() == rest


def test_a_column_that_one_mark_turns_into_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age\n" + "".join(f"{value}\n" for value in [*range(20, 60), "NA"]))
    columns = {"age": {"role": "quasi-identifier"}}
    notes = " ".join(read(path, TableSchema(columns=columns)).notes)  # type: ignore[arg-type]
    assert "The column 'age' is read as text: 1 of its values are not numbers but marks such as NA." in notes
    source = read(path, TableSchema(columns=columns, null=("NA",)))  # type: ignore[arg-type]
    assert "read as text" not in " ".join(source.notes)
    assert source.records["age"].vocabulary.is_numeric  # type: ignore[index]


def test_describe_writes_the_schema_that_a_refusal_tells(tmp_path: Path) -> None:
    path = write(tmp_path / "anime.csv", "User_ID,Anime_ID,Feedback", "{u},{i},{m}", ["-1", "6", "7", "8", "10"])
    description = shoal.describe(path, out=tmp_path / "anime.schema.toml")
    assert description.facts["records"] == len(PAIRS)
    assert str(read(path).records.scale) == "6 to 10"  # type: ignore[union-attr]


def test_describe_finds_the_scale_of_a_survey_and_its_marks_for_no_answer(tmp_path: Path) -> None:
    questions = [f"Q{i}. Wie zufrieden sind Sie mit Ä{i}?" for i in range(6)]
    lines = [";".join(["Nr", "Alter", *questions])]
    marks = [[(i * 7 + j * 3) % 5 + 1 if (i + j) % 9 else 99 for j in range(1, 7)] for i in range(90)]
    lines += [";".join([f"T{i}", str(18 + i % 50), *map(str, row)]) for i, row in enumerate(marks)]
    path = tmp_path / "umfrage.csv"
    path.write_bytes("\n".join(lines).encode("cp1252"))
    shoal.describe(path, out=tmp_path / "umfrage.schema.toml")
    ratings = read(path).records
    assert isinstance(ratings, Ratings)
    assert (str(ratings.scale), len(ratings.observable.items)) == ("1 to 5", 6)
    assert ratings.n_ratings == sum(mark != 99 for row in marks for mark in row)


def test_a_column_written_in_another_case_is_asked_for_and_a_value_never_is(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("Zip Code,sex\n1,f\n")
    columns = {"zip_code": {"role": "drop"}, "sex": {"role": "drop"}}
    with pytest.raises(SchemaError, match=r"Is 'zip_code' meant\?"):
        read(path, TableSchema(columns=columns))  # type: ignore[arg-type]
    path = write(tmp_path / "r.csv", "User,Item,Stars", "{u},{i},{m}", ["1", "2"])
    with pytest.raises(SchemaError, match=r"Is 'Stars' meant\?"):
        read(path, RatingsSchema(user="User", item="Item", rating="stars"))
    with pytest.raises(SchemaError) as caught:
        read(path, RatingsSchema(user="User", item="Item", rating="star"))
    assert "meant" not in str(caught.value)
