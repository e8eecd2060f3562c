"""A schema says what it means, keeps it when written, and refuses what it does not know."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.errors import FileError, SchemaError
from shoal.io import RatingsSchema, TableSchema, read_schema

NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6)
LISTS = st.lists(NAMES, max_size=3, unique=True).map(tuple)


@given(
    low=st.integers(-10, 0),
    high=st.integers(1, 10),
    step=st.sampled_from([1, 0.5]),
    sensitive=LISTS,
    names=st.none() | LISTS,
    null=st.lists(st.integers() | NAMES | st.floats(allow_nan=False, allow_infinity=False), max_size=3).map(tuple),
    delimiter=st.sampled_from([None, ",", "\t", ";"]),
)
def test_a_ratings_schema_is_read_as_it_was_written(
    low, high, step, sensitive, names, null, delimiter, tmp_path_factory
):
    schema = RatingsSchema(
        scale=(low, high), step=step, sensitive=sensitive, names=names, null=null, delimiter=delimiter, layout="long"
    )
    path = tmp_path_factory.mktemp("schema") / "schema.toml"
    path.write_text(schema.to_toml(), encoding="utf-8", newline="")
    assert read_schema(path) == schema


def test_a_table_schema_is_read_as_it_was_written(tmp_path: Path) -> None:
    text = """kind = "table"
    null = ["?"]
    [columns."a b"]
    role = "quasi-identifier"
    hierarchy = { kind = "interval", widths = [5, 10] }
    [columns.c]
    role = "sensitive"
    categories = [["HIV", "Cancer"], ["Flu"]]
    hierarchy = { kind = "tree", tree = { bad = ["HIV", "Cancer"], mild = { x = ["Flu"] } } }
    [columns.d]
    role = "drop"
    hierarchy = { kind = "mask" }
    """
    (tmp_path / "one.toml").write_text(text)
    schema = read_schema(tmp_path / "one.toml")
    (tmp_path / "two.toml").write_text(schema.to_toml())
    assert read_schema(tmp_path / "two.toml") == schema
    assert isinstance(schema, TableSchema)
    assert schema.columns["c"].categories == (("HIV", "Cancer"), ("Flu",))


def test_hierarchy_files_are_looked_for_beside_the_schema(tmp_path: Path) -> None:
    (tmp_path / "schema.toml").write_text('kind = "table"\n[columns.a]\nrole = "drop"\nhierarchy = "h/a.csv"\n')
    schema = read_schema(tmp_path / "schema.toml")
    assert isinstance(schema, TableSchema)
    assert schema.columns["a"].hierarchy == str(tmp_path / "h" / "a.csv")


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ('kind = "ratings"\nsclae = [1, 5]', "unknown setting 'sclae'. Known are: .*scale"),
        ('kind = "table"\n[columns.a]\nrole = "drop"\nroles = 1', "unknown setting 'columns.a.roles'. Known are: role"),
        ('kind = "table"\n[columns.a]\n', "lacks 'columns.a.role'. Every column needs a role"),
        ('kind = "table"\n[columns.a]\nrole = "key"', "'columns.a.role': it must be 'identifier'"),
        ('kind = "table"\n', "lacks 'columns'"),
        ('kind = "survey"', "does not say its kind"),
        ("kind = 3", "does not say its kind"),
        ("", "does not say its kind"),
        ("kind = ", "is not TOML"),
        ('kind = "ratings"\nscale = [5, 1]', "highest rating above its lowest"),
        ('kind = "ratings"\nscale = [1, 5]\nstep = 0.3', "whole number of steps"),
        ('kind = "ratings"\nscale = [1, true]', "finite number"),
        ('kind = "ratings"\nscale = [1, inf]', "finite number"),
        ('kind = "ratings"\nlayout = "tall"', "'layout': it must be 'long'"),
        ('kind = "ratings"\ndelimiter = "ab"', "one ASCII character"),
        ('kind = "ratings"\ndelimiter = "\\n"', "cannot be a delimiter"),
        ('kind = "ratings"\nnames = ["a", "a"]', "distinct"),
        ('kind = "ratings"\nid = ["a"]\nignore = ["a"]', "'a' is in id and in another"),
        ('kind = "ratings"\nsensitive = ["a"]\nignore = ["a"]', "'a' is in ignore and among the items"),
        ('kind = "ratings"\nencoding = "utf-7"', "'encoding'"),
        ('kind = "ratings"\nskip_lines = -1', "'skip_lines'"),
        (
            'kind = "table"\n[columns.a]\nrole = "drop"\nhierarchy = { kind = "x" }',
            "kind = 'mask', 'interval', 'quantile', 'date', 'frequency' or 'tree'",
        ),
    ],
)
def test_a_wrong_schema_is_refused(text: str, phrase: str, tmp_path: Path) -> None:
    (tmp_path / "schema.toml").write_text(text)
    with pytest.raises(SchemaError, match=phrase):
        read_schema(tmp_path / "schema.toml")


def test_a_schema_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        read_schema(tmp_path / "schema.toml")
    (tmp_path / "schema.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(SchemaError, match="not UTF-8"):
        read_schema(tmp_path / "schema.toml")


def test_a_wrong_setting_in_python_is_refused_alike() -> None:
    with pytest.raises(SchemaError, match="unknown setting 'sclae'"):
        RatingsSchema(sclae=(1, 5))  # type: ignore[call-arg]


def test_a_word_is_in_one_category_once():
    for categories in ([["flu"], ["flu"]], [["flu", "flu"]]):
        with pytest.raises(SchemaError, match="to one category, and is listed there once"):
            TableSchema(columns={"ill": {"role": "sensitive", "categories": categories}})  # type: ignore[dict-item]
