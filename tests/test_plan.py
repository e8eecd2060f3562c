"""A plan says in a file what the terminal says in options."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.anonymizers import Align, Mondrian, Predictive
from shoal.datasets import load
from shoal.errors import FileError, WordingError
from shoal.models import KAnonymity, LDiversity
from shoal.plan import Plan
from surveys import survey

SURVEY = survey([[1, 2], [2, 1]], 5)

LEAST = {"data": "people.csv", "models": ["k-anonymity:k=5"], "out": "release"}
EVERYTHING = {
    **LEAST,
    "schema": "people.toml",
    "method": "mondrian:mode=relaxed",
    "ledger": "ledger",
    "withhold": "2%",
    "duplicates": "mean",
    "accept": ["shoe"],
    "format": "parquet",
    "seed": 7,
    "secret": "secret.txt",
    "engine": "local",
}


@pytest.mark.parametrize("settings", [LEAST, EVERYTHING], ids=["least", "everything"])
@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_a_plan_is_read_as_it_was_written(settings, suffix, tmp_path):
    plan = Plan.of(**settings)
    published = plan.to_toml()
    if suffix == "json":
        published = json.dumps(plan.model_dump(mode="json", by_alias=True))
    file = tmp_path / f"plan.{suffix}"
    file.write_text(published)
    paths = {
        key: str(tmp_path / settings[key]) for key in ("data", "schema", "out", "ledger", "secret") if key in settings
    }
    assert Plan.read(file) == Plan.of(**{**settings, **paths})


def test_a_path_may_be_given_as_one():
    paths = {"data": "people.csv", "schema": "people.toml", "out": "release", "ledger": "ledger", "secret": "s.txt"}
    as_paths = {key: Path(path) for key, path in paths.items()}
    assert Plan.of(**{**LEAST, **as_paths}) == Plan.of(**{**LEAST, **paths})


def test_a_promise_spelled_the_british_way_is_read_and_written_the_american_way():
    plan = Plan.of(**{**LEAST, "models": ["k-epsilon:k=2,epsilon=1,semantics=neighbourhood"]})
    assert [str(model) for model in plan.promises] == ["k-epsilon:k=2,epsilon=1,semantics=neighborhood"]


def test_an_absolute_path_in_a_plan_stays(tmp_path):
    (tmp_path / "plan.json").write_text(json.dumps({**LEAST, "data": "/elsewhere/people.csv"}))
    assert Plan.read(tmp_path / "plan.json").data == "/elsewhere/people.csv"


def test_what_a_plan_names_is_built():
    plan = Plan.of(**{**EVERYTHING, "models": ["k-anonymity:k=5", "l-diversity:l=2"]})
    assert plan.promises == [KAnonymity(5), LDiversity(2)]
    assert plan.anonymizer(SURVEY) == (Mondrian(mode="relaxed"), None)
    assert plan.share_withheld == Fraction(1, 50)


def test_a_plan_without_a_method_takes_that_of_the_records():
    assert Plan.of(**LEAST).anonymizer(load("thesis-2.1"))[0] == Mondrian()
    assert Plan.of(**LEAST).anonymizer(SURVEY)[0] == Align()


@pytest.mark.parametrize(
    ("withhold", "share"),
    [
        ("0", 0),
        ("2%", Fraction(1, 50)),
        (" 2 % ", Fraction(1, 50)),
        ("0.02", Fraction(1, 50)),
        ("1/3", Fraction(1, 3)),
        ("99.9%", Fraction(999, 1000)),
        (0, 0),
        (0.1, Fraction(1, 10)),
        (1e-05, Fraction(1, 100_000)),
    ],
)
def test_a_share_is_read_exactly(withhold, share):
    assert Plan.of(**LEAST, withhold=withhold).share_withheld == share


@pytest.mark.parametrize(
    ("withhold", "phrase"),
    [
        ("some", "cannot be 'some'"),
        ("", "cannot be ''"),
        ("%", "cannot be '%'"),
        ("1/0", "cannot be '1/0'"),
        ("2%%", "cannot be '2%%'"),
        ("nan", "cannot be 'nan'"),
        ("1e999999999", "cannot be"),
        ("1e-999999999%", "cannot be"),
        ("-1%", "at least 0 and below 1"),
        ("100%", "at least 0 and below 1"),
        ("1", "at least 0 and below 1"),
    ],
)
def test_a_share_that_is_none_is_refused(withhold, phrase):
    with pytest.raises(WordingError) as refusal:
        _ = Plan.of(**LEAST, withhold=withhold).share_withheld
    assert phrase in str(refusal.value)


@pytest.mark.parametrize("boost", ["0.3", "30%", 0.3, " 30 %", "3/10"])
def test_a_boost_is_the_methods_setting_of_that_name(boost):
    plan = Plan.of(**LEAST, method="predictive:variant=padded", boost=boost)
    assert plan.anonymizer(SURVEY)[0] == Predictive(variant="padded", boost=Fraction(3, 10))
    assert plan.method == "predictive:variant=padded"


@pytest.mark.parametrize(
    ("method", "boost", "phrase"),
    [
        (None, "0.3", "'align' has no setting 'boost'"),
        ("mondrian", "0.3", "'mondrian' has no setting 'boost'"),
        ("predictive:boost=0.3", "0.3", "'boost' twice"),
        ("predictive", "much", "The boost cannot be 'much'"),
        ("predictive", "", "The boost cannot be ''"),
        ("predictive", "0", "above 0 and at most 1"),
        ("predictive", "130%", "above 0 and at most 1"),
    ],
)
def test_a_boost_that_means_nothing_is_refused(method, boost, phrase):
    with pytest.raises(WordingError) as refusal:
        Plan.of(**LEAST, method=method, boost=boost).anonymizer(SURVEY)
    assert phrase in str(refusal.value)


@given(st.text(max_size=12) | st.text("0123456789./%e+- ", max_size=12))
def test_any_share_is_understood_or_refused(text):
    try:
        share = Plan.of(**LEAST, withhold=text).share_withheld
    except WordingError:
        return
    assert 0 <= share < 1


@pytest.mark.parametrize(
    ("change", "phrase"),
    [
        ({"color": "red"}, "has no setting 'color'. Known are: data, models, out, schema, method"),
        ({"colour": "red"}, "has no setting 'colour'"),
        ({"seed": "many"}, "wrong at 'seed': it must be a whole number."),
        ({"seed": 1.5}, "wrong at 'seed': it must be a whole number."),
        ({"models": 5}, "wrong at 'models': it must be a list."),
        ({"models": ["k-anonymity:k=5", 5]}, "wrong at 'models': entry 2 must be text."),
        ({"accept": 5}, "wrong at 'accept': it must be a list."),
        ({"expand": "perhaps"}, "wrong at 'expand': it must be true or false."),
        ({"out": 5}, "wrong at 'out': it must be text."),
        ({"out": "a\0b"}, "wrong at 'out': the name of a file or folder holds no zero byte."),
        ({"duplicates": "first"}, "wrong at 'duplicates': it must be 'refuse', 'last' or 'mean'."),
        ({"format": "xlsx"}, "wrong at 'format'"),
        ({"engine": "flink"}, "wrong at 'engine'"),
        ({"withhold": [2]}, "wrong at 'withhold': it must be text."),
    ],
)
def test_a_setting_that_is_wrong_is_told_by_its_place(change, phrase):
    with pytest.raises(WordingError) as refusal:
        Plan.of(**{**LEAST, **change})
    assert phrase in str(refusal.value)


@pytest.mark.parametrize("lacking", sorted(LEAST))
def test_a_setting_that_is_lacking_is_told(lacking):
    with pytest.raises(WordingError, match=f"does not say '{lacking}'"):
        Plan.of(**{key: value for key, value in LEAST.items() if key != lacking})


@pytest.mark.parametrize(
    ("name", "content", "phrase"),
    [
        ("plan.toml", b"data = ", "neither TOML nor JSON"),
        ("plan.json", b"{", "neither TOML nor JSON"),
        ("plan.toml", b"\xff\xfe", "neither TOML nor JSON"),
        ("plan.json", b"[" * 100_000, "neither TOML nor JSON"),
        ("plan.toml", b"data = " + b"[" * 100_000, "neither TOML nor JSON"),
        ("plan.json", b"[1]", "does not hold settings"),
        ("plan.json", b"{}", "does not say 'data'"),
    ],
)
def test_a_file_that_is_no_plan_is_refused(name, content, phrase, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(WordingError, match=phrase):
        Plan.read(tmp_path / name)


def test_a_plan_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(FileError, match="cannot be read"):
        Plan.read(tmp_path / "plan.toml")
    with pytest.raises(FileError, match="cannot be read"):
        Plan.read(tmp_path)
