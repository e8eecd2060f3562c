"""NDJSON: one object a line; what has no place in a table is refused."""

from pathlib import Path

import pytest

from shoal.errors import InputError, SchemaError
from shoal.io.formats.data_files import open_data


def test_objects_are_records_and_a_missing_key_is_a_missing_value(tmp_path: Path) -> None:
    (tmp_path / "a[1].jsonl").write_text('{"age": 30, "sex": "f"}\n{"sex": "m", "income": 1.5}\n\n')
    file = open_data(tmp_path / "a[1].jsonl")
    assert file.frame(*file.names).rows(named=True) == [
        {"age": 30, "sex": "f", "income": None},
        {"age": None, "sex": "m", "income": 1.5},
    ]


def test_a_key_that_comes_late_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.ndjson").write_text('{"a": 1}\n' * 5000 + '{"a": 2, "late": "x"}\n')
    assert open_data(tmp_path / "a.ndjson").names == ("a", "late")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": {"b": 1}}', "The values of 'a' in a.ndjson are lists or objects"),
        ('{"a": [1]}', "The values of 'a' in a.ndjson are lists or objects"),
        ('{"a": 123456789012345678901234}', "more than 64 bits"),
        ("{}", "has no keys"),
    ],
)
def test_what_a_table_cannot_hold_is_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "a.ndjson").write_text(text + "\n")
    with pytest.raises(SchemaError, match=message):
        open_data(tmp_path / "a.ndjson")


@pytest.mark.parametrize("text", ['{"a": 1', "[1, 2]", "5", "secret", '{"a": 1}\nsecret\n', '{"a": true}\n{"a": 1}'])
def test_what_is_not_ndjson_is_refused_without_a_word_of_it(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.ndjson").write_text(text)
    with pytest.raises(InputError) as caught:
        open_data(tmp_path / "a.ndjson").frame("a")
    assert "secret" not in str(caught.value)


def test_a_file_without_an_ending_is_recognized(tmp_path: Path) -> None:
    (tmp_path / "events").write_text('{"a": 1, "b": 2}\n')
    assert open_data(tmp_path / "events").names == ("a", "b")
