"""What a program may pass: a promise as one text, a schema as a dict, shares as text; and what it is told otherwise."""

from fractions import Fraction

import polars as pl
import pytest

import shoal
from shoal.anonymizers import Lattice, Mondrian
from shoal.errors import SchemaError, WordingError
from shoal.io import TableSchema
from shoal.models import KAnonymity

FRAME = pl.DataFrame({"age": [20, 21, 22, 23] * 5, "zip": [1, 2] * 10, "disease": ["a"] * 8 + ["b"] * 12})
SCHEMA = {
    "age": {"role": "quasi-identifier", "hierarchy": {"kind": "interval", "widths": [2, 4]}},
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    "disease": "sensitive",
}


def test_an_unknown_name_of_an_argument_is_explained():
    with pytest.raises(WordingError, match=r"shoal.check has no setting 'modles'. Did you mean 'models'\? It takes:"):
        shoal.check(FRAME, modles="k-anonymity:k=5")  # type: ignore[call-arg]
    with pytest.raises(WordingError, match=r"'modle'. Did you mean 'models'\?"):
        shoal.publish(FRAME, modle="k-anonymity:k=5", out="nowhere")


@pytest.mark.parametrize(
    ("args", "settings", "phrase"),
    [
        ((), {}, "shoal.check is not told 'data'"),
        ((FRAME, "k-anonymity:k=5", SCHEMA, "last"), {}, "takes 3 arguments without a name, and 4 are given"),
        ((FRAME,), {"data": FRAME}, "is given 'data' twice"),
    ],
)
def test_other_calls_that_do_not_fit_are_explained(args, settings, phrase):
    with pytest.raises(WordingError, match=phrase):
        shoal.check(*args, **settings)


def test_every_public_function_explains_calls_that_do_not_fit():
    for name in set(shoal.__all__) - {"Client", "Release", "__version__"}:
        with pytest.raises(WordingError, match="no setting 'colour_of_hair'"):
            getattr(shoal, name)(colour_of_hair="red")


@pytest.mark.parametrize(
    "models", ["k-anonymity:k=5", ["k-anonymity:k=5"], KAnonymity(5), (KAnonymity(5), "l-diversity:l=2")]
)
def test_promises_are_given_alone_or_together_as_text_or_objects(models):
    by_place = shoal.check(FRAME, models, SCHEMA)
    assert by_place.holds
    for name in ("model", "models"):
        assert shoal.check(FRAME, schema=SCHEMA, **{name: models}).verdicts == by_place.verdicts


@pytest.mark.parametrize(
    ("models", "phrase"),
    [
        ("k", "no promise named 'k'"),
        ("k-anonymity:k=5, l-diversity:l=2", r"several promises in one text. .*\[\"k-anonymity:k=5\", "),
        ("k-anonymity:k=5; l-diversity:l=2", "several promises in one text"),
        (5, "Promises are not given as an object of 'int'"),
        ([5], "A promise is text"),
        (SCHEMA, "Name both: models=…, schema=…"),
        ([], "no promise to check"),
    ],
)
def test_promises_that_are_none_are_explained(models, phrase):
    with pytest.raises(WordingError, match=phrase):
        shoal.check(FRAME, models, SCHEMA)


def test_model_and_models_at_once_are_refused():
    with pytest.raises(WordingError, match="Both 'model' and 'models' are given"):
        shoal.check(FRAME, ["k-anonymity:k=5"], SCHEMA, model="k-anonymity:k=5")


@pytest.mark.parametrize("share", ["2%", "0.02", 0.02, Fraction(1, 50)])
def test_the_lattice_withholds_a_share_in_any_form(share):
    assert shoal.lattice(FRAME, "k-anonymity:k=5", SCHEMA, withhold=share).to_json()["best"]["node"] == [0, 0]


def test_the_lattice_takes_its_method_as_text_and_explains_any_other():
    for method in ("lattice:loss=height", Lattice(loss="height")):
        assert shoal.lattice(FRAME, "k-anonymity:k=5", SCHEMA, method=method).loss == "height"
    for other in ("mondrian", Mondrian()):
        with pytest.raises(WordingError, match=r"'mondrian' does not search a lattice. Write lattice:loss=height"):
            shoal.lattice(FRAME, "k-anonymity:k=5", SCHEMA, method=other)  # type: ignore[arg-type]


def test_a_schema_is_a_dict_a_file_or_an_object(tmp_path):
    whole = TableSchema(columns=SCHEMA)  # type: ignore[arg-type]
    file = tmp_path / "schema.toml"
    file.write_text(whole.to_toml(), encoding="utf-8")
    forms = [SCHEMA, {"columns": SCHEMA}, {"kind": "table", "columns": SCHEMA}, whole, file, str(file)]
    assert len({shoal.read(FRAME, schema).schema.to_toml() for schema in forms}) == 1


def test_a_dict_names_files_from_here(tmp_path, monkeypatch):
    (tmp_path / "zip.csv").write_text("1;*\n2;*\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for file in ("zip.csv", tmp_path / "zip.csv"):
        columns = {**SCHEMA, "zip": {"role": "quasi-identifier", "hierarchy": file}}
        assert shoal.lattice(FRAME, "k-anonymity:k=5", columns).heights[1] == 1


@pytest.mark.parametrize(
    ("schema", "phrase"),
    [
        ({"age": "quasi"}, "wrong at 'columns.age.role'"),
        ({"age": 5}, "'columns.age': a column is given by its role"),
        ({"age": "quasi-identifier"}, "gives no role to the column 'zip' of the frame"),
        ({5: "quasi-identifier"}, "keys of a schema are text"),
        ({}, "recognized|role|clear"),
        ({"kind": "tables"}, "does not say its kind"),
    ],
)
def test_a_dict_that_is_no_schema_is_explained(schema, phrase):
    with pytest.raises(SchemaError, match=phrase):
        shoal.check(FRAME, "k-anonymity:k=5", schema)


def test_something_else_is_no_schema():
    with pytest.raises(WordingError, match="A schema is a file, a dict or a Schema"):
        shoal.check(FRAME, "k-anonymity:k=5", 5)  # type: ignore[arg-type]


def test_a_plan_of_data_in_memory_says_so_and_cannot_be_run_again(tmp_path):
    folders = {"out": tmp_path / "release", "ledger": tmp_path / "ledger"}
    shoal.publish(FRAME, schema=SCHEMA, model="k-anonymity:k=5", method="mondrian", **folders)
    text = (tmp_path / "ledger" / "plan.toml").read_text(encoding="utf-8")
    assert 'data = "(in memory)"' in text
    assert 'schema = "(in memory)"' in text
    plan = shoal.plan.Plan.read(tmp_path / "ledger" / "plan.toml")  # type: ignore[attr-defined]
    with pytest.raises(shoal.errors.FileError, match="were in memory"):  # type: ignore[attr-defined]
        shoal.publish(plan, force=True)


def test_everything_that_takes_data_takes_a_frame(tmp_path):
    ratings = pl.DataFrame(
        {"user": [1, 1, 2, 2], "item": [1, 2, 1, 2], "rating": [5, 4, 5, 4], "day": ["2024-01-01"] * 4}
    )
    assert shoal.limits(ratings, {"k": 2}).to_json()["epsilon"] == 0
    assert shoal.describe(FRAME).facts["records"] == 20
    assert shoal.describe(FRAME, SCHEMA).facts["kind"] == "table"
    assert shoal.attack(FRAME, wordings="risk", schema=SCHEMA).findings
    assert shoal.attack(FRAME, schema=SCHEMA, population=FRAME, outside=FRAME).findings
    assert shoal.attack(ratings, wordings="scoreboard:items=1", dates="day").findings
    done = shoal.sweep(
        FRAME, k=[2], method="mondrian", schema=SCHEMA, model="l-diversity:l=2", out=tmp_path / "s", jobs=1
    )
    assert done.points[0]["holds"]
    shoal.publish(FRAME, schema=SCHEMA, model="k-anonymity:k=5", out=tmp_path / "r", ledger=tmp_path / "l")
    assert shoal.lookup(tmp_path / "r", FRAME.head(1), schema=SCHEMA).compared == 2
    assert shoal.report(tmp_path / "r", tmp_path / "l", tmp_path / "page.html", outside=FRAME).holds
    assert shoal.suggest_hierarchy(FRAME, SCHEMA, column="age")


def test_publish_takes_schema_and_models_by_place_as_anonymize_does(tmp_path):
    result = shoal.publish(FRAME, SCHEMA, "k-anonymity:k=5", method="mondrian", out=tmp_path / "release")
    assert result.holds
    with pytest.raises(shoal.errors.WordingError, match="takes 3 arguments without a name, and 4 are given"):  # type: ignore[attr-defined]
        shoal.publish(FRAME, SCHEMA, "k-anonymity:k=5", "mondrian", out=tmp_path / "other")  # type: ignore[misc]
