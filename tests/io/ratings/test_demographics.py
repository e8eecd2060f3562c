"""Demographics beside ratings: who gets which line, and what is refused."""

from pathlib import Path

import polars as pl
import pytest

from shoal.data import Role, Survey
from shoal.errors import DataError, FileError, SchemaError
from shoal.io import ColumnSchema, RatingsSchema, read, read_schema

ANSWERS = "user,item,rating\nben,tea,5\nann,tea,1\nann,milk,2\ncy,milk,3\n"
PEOPLE = "user,age,town\ncy,40,Rye\nann,31,Ash\nben,,Elm\n"
ROLES = {"age": ColumnSchema(role=Role.QUASI_IDENTIFIER), "town": ColumnSchema(role=Role.SENSITIVE)}


def written(folder: Path, people: str = PEOPLE, **settings) -> tuple[Path, RatingsSchema]:
    (folder / "answers.csv").write_text(ANSWERS)
    (folder / "people.csv").write_text(people)
    attributes = settings.pop("attributes", str(folder / "people.csv"))
    return folder / "answers.csv", RatingsSchema(
        **{"scale": (1, 5), "attributes": attributes, "columns": ROLES, **settings}
    )


def rows(survey: Survey) -> dict[str, tuple]:
    """Everything that is known of each person."""
    answers = survey.ratings.observable.dense().tolist()
    people = survey.ratings.users.values.to_list()
    return dict(zip(people, zip(survey.table.frame().rows(), answers, strict=True), strict=True))


def test_everybody_gets_their_own_line_whatever_the_order_of_the_files(tmp_path):
    survey = read(*written(tmp_path)).records
    assert isinstance(survey, Survey)
    assert rows(survey) == {"ann": ((31, "Ash"), [1, 0]), "ben": ((None, "Elm"), [-1, 4]), "cy": ((40, "Rye"), [2, -1])}


def test_a_wide_file_has_both_and_everything_else_is_an_item(tmp_path):
    (tmp_path / "wide.csv").write_text("who,age,tea,town,milk\nann,31,1,Ash,2\nben,,5,Elm,\n")
    source = read(tmp_path / "wide.csv", RatingsSchema(layout="wide", id=("who",), scale=(1, 5), columns=ROLES))
    assert isinstance(source.records, Survey)
    assert rows(source.records) == {"ann": ((31, "Ash"), [0, 1]), "ben": ((None, "Elm"), [4, -1])}
    assert isinstance(source.schema, RatingsSchema)
    assert source.schema.columns["age"].type == "number"


def test_lines_of_people_without_a_rating_are_left_out_and_counted(tmp_path):
    source = read(*written(tmp_path, PEOPLE + "di,50,Oak\ned,51,Oak\n"))
    assert len(source.records) == 3
    assert "2 of its lines are of people without a rating, and are left out." in source.notes


def test_the_file_of_people_may_be_laid_out_otherwise(tmp_path):
    (tmp_path / "u.user").write_text("ann|31|Ash\nben||Elm\ncy|40|Rye\n")
    layout = {"file": str(tmp_path / "u.user"), "names": ("who", "age", "town"), "delimiter": "|", "user": "who"}
    assert len(read(*written(tmp_path, attributes=layout)).records) == 3


def test_marks_of_missing_values_are_those_of_the_file_they_are_in(tmp_path):
    layout = {"file": str(tmp_path / "people.csv"), "null": (40, "Ash")}
    survey = read(*written(tmp_path, PEOPLE.replace(",,", ",5,"), attributes=layout, null=(5,))).records
    assert isinstance(survey, Survey)
    assert rows(survey) == {"ann": ((31, None), [1, 0]), "ben": ((5, "Elm"), [-1, -1]), "cy": ((None, "Rye"), [2, -1])}


@pytest.mark.parametrize(
    ("people", "error", "said"),
    [
        (PEOPLE.replace("ben,,Elm\n", ""), DataError, "1 people have ratings and no line in people.csv"),
        (PEOPLE + "ann,7,Oak\n", DataError, "1 lines of people.csv name somebody who has a line already"),
        (PEOPLE.replace("user,", "person,"), SchemaError, "no column 'user', which names the person"),
        (PEOPLE.replace("town", "city"), SchemaError, "no role to the column 'city'"),
        ("user,age,town\n", DataError, "people.csv has a header but no records"),
    ],
)
def test_a_file_of_people_that_does_not_fit_is_refused(tmp_path, people, error, said):
    with pytest.raises(error, match=said) as refused:
        read(*written(tmp_path, people))
    assert "Ash" not in str(refused.value)


def test_a_file_of_people_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(FileError, match="There is no file"):
        read(*written(tmp_path, attributes=str(tmp_path / "nobody.csv")))


def test_columns_without_a_file_of_people_are_refused_where_lines_are_ratings(tmp_path):
    with pytest.raises(SchemaError, match="one rating a line"):
        read(*written(tmp_path, attributes=None))


def test_an_item_named_as_a_column_is_refused(tmp_path):
    path, schema = written(tmp_path)
    path.write_text(ANSWERS.replace("milk", "age"))
    with pytest.raises(SchemaError, match="1 items have the name of a column"):
        read(path, schema)


def test_an_identifier_that_repeats_is_refused(tmp_path):
    (tmp_path / "wide.csv").write_text("mail,age,town,tea\na,31,Ash,1\na,32,Elm,5\n")
    columns = {**ROLES, "mail": ColumnSchema(role=Role.IDENTIFIER)}
    with pytest.raises(DataError, match="The identifier 'mail' repeats in 1 lines"):
        read(tmp_path / "wide.csv", RatingsSchema(layout="wide", scale=(1, 5), columns=columns))


def test_people_without_a_value_of_an_identifier_do_not_share_it(tmp_path):
    (tmp_path / "wide.csv").write_text("mail,age,town,tea\n,31,Ash,1\n,32,Elm,5\n")
    columns = {**ROLES, "mail": ColumnSchema(role=Role.IDENTIFIER)}
    schema = RatingsSchema(layout="wide", scale=(1, 5), columns=columns)
    assert len(read(tmp_path / "wide.csv", schema).records) == 2


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"attributes": "p.csv"}, "no .columns. say what is in it"),
        ({"attributes": "p.csv", "layout": "wide", "columns": ROLES}, "a wide file has its columns itself"),
        ({"layout": "wide", "columns": {"age": {"role": "identifier"}}}, "would be published"),
        ({"layout": "wide", "columns": ROLES, "people": "people.csv"}, "who have no demographics"),
        ({"layout": "wide", "columns": ROLES, "ignore": ("age",)}, "'age' has a role and is in another list"),
        ({"layout": "wide", "columns": ROLES, "sensitive": ("town",)}, "'town' has a role and is in another list"),
    ],
)
def test_a_schema_that_contradicts_itself_is_refused(settings, said):
    with pytest.raises(SchemaError, match=said):
        RatingsSchema(**settings)


def test_files_that_a_schema_names_are_beside_it(tmp_path):
    (tmp_path / "schema.toml").write_text(
        'kind = "ratings"\nattributes = "people.csv"\n[columns.age]\nrole = "quasi-identifier"\n'
    )
    schema = read_schema(tmp_path / "schema.toml")
    assert isinstance(schema, RatingsSchema)
    assert schema.attributes is not None
    assert schema.attributes.file == str(tmp_path / "people.csv")


def test_frames_may_be_surveys_too(tmp_path):
    frame = pl.DataFrame({"who": ["a", "b"], "age": [31, 32], "tea": [1, 5]})
    schema = RatingsSchema(layout="wide", id=("who",), scale=(1, 5), columns={"age": ROLES["age"]})
    assert isinstance(read(frame, schema).records, Survey)
