"""Surveys from file to release and back: both layouts, by every command that knows them."""

import json
from pathlib import Path

import polars as pl
import pytest

import oracles
import shoal
from shoal.data import Survey
from shoal.datasets import write_generated
from shoal.errors import FileError, InputError, VacuousPromise
from shoal.io import RatingsSchema, read, read_schema
from shoal.io.folders.ledger import read_ledger
from shoal.io.folders.release import read_release
from shoal.models import promises


@pytest.fixture(scope="module")
def wide(tmp_path_factory) -> tuple[Path, Path]:
    """A survey with one person a line."""
    path = tmp_path_factory.mktemp("wide") / "survey.csv"
    schema = write_generated("survey", path, respondents=120, issues=5, sensitive=1, seed=2, demographics=True)
    return path, schema


@pytest.fixture(scope="module")
def long(wide, tmp_path_factory) -> tuple[Path, Path]:
    """The same survey with one rating a line, and its people in a file of their own."""
    folder = tmp_path_factory.mktemp("long")
    frame, schema = pl.read_csv(wide[0]), read_schema(wide[1])
    assert isinstance(schema, RatingsSchema)
    people = ["respondent", *schema.columns]
    frame.select(people).sort("age").write_csv(folder / "people.csv")
    answers = frame.drop(*schema.columns).unpivot(index="respondent", variable_name="item", value_name="rating")
    answers.write_csv(folder / "answers.csv")
    columns = {"id": (), "layout": "long", "user": "respondent", "item": "item", "rating": "rating"}
    written = RatingsSchema(**{**schema.model_dump(), **columns, "attributes": {"file": "people.csv"}})
    (folder / "answers.toml").write_text(written.to_toml())
    return folder / "answers.csv", folder / "answers.toml"


def known(survey: Survey) -> dict[str, tuple]:
    """Everything that is known of each person, whatever the order of people and items."""
    issues = [matrix.items.values.to_list() for matrix in (survey.ratings.observable, survey.ratings.sensitive)]
    sides = [oracles.profiles(survey.ratings), oracles.profiles(survey.ratings, survey.ratings.sensitive)]
    rated = [
        {issue: mark for names, row in zip(issues, rows, strict=True) for issue, mark in zip(names, row, strict=True)}
        for rows in zip(*sides, strict=True)
    ]
    rows = survey.table.frame().rows()
    people = survey.ratings.users.values.cast(pl.String).to_list()
    return dict(zip(people, zip(rows, rated, strict=True), strict=True))


def test_both_layouts_are_read_as_the_same_survey(wide, long):
    one, other = (read(data, read_schema(schema)).records for data, schema in (wide, long))
    assert isinstance(one, Survey)
    assert isinstance(other, Survey)
    assert known(one) == known(other)


@pytest.mark.parametrize("layout", ["wide", "long"])
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_release_is_read_back_verified_and_keeps_its_promises(layout, form, request, tmp_path):
    data, schema = request.getfixturevalue(layout)
    models = ["k-anonymity:k=3", "l-diversity:l=2"]
    out, ledger = tmp_path / "release", tmp_path / "ledger"
    made = shoal.publish(data, schema=schema, models=models, out=out, ledger=ledger, format=form)
    assert made.demographics_loss is not None
    assert shoal.verify(out).holds
    assert not shoal.verify(out, ledger).claimed
    published = read_release(out).records
    assert isinstance(published, Survey)
    assert all(oracles.holds(published, promises.read(model)) for model in models)
    names = {file.name for file in out.iterdir()}
    assert (f"attributes.{form}" in names) == (layout == "long")
    certificate = json.loads((out / "certificate.json").read_text())
    assert ("attributes" in certificate) == (layout == "long")
    measured = shoal.measure(out, ledger)
    assert {"demographics: loss-mean", "answers: rating loss", "original and unique"} <= measured.measures.keys()


def test_a_certificate_says_of_which_part_a_promise_is(wide, tmp_path):
    models = ["k-anonymity:k=3,part=demographics", "k-anonymity:k=2,part=answers"]
    shoal.publish(wide[0], schema=wide[1], models=models, out=tmp_path / "release")
    assert shoal.verify(tmp_path / "release").holds
    certificate = json.loads((tmp_path / "release" / "certificate.json").read_text())
    meanings = [promise["meaning"] for promise in certificate["promises"]]
    assert meanings[0].startswith("Of the demographics alone: ")
    assert meanings[1].startswith("Of the answers alone: ")


def test_demographics_that_were_altered_are_found_out(long, tmp_path):
    data, schema = long
    shoal.publish(data, schema=schema, models=["k-anonymity:k=3"], out=tmp_path / "release")
    file = tmp_path / "release" / "attributes.csv"
    file.write_text(file.read_text().replace("female", "male"))
    with pytest.raises(FileError, match=r"attributes\.csv of the release .* was altered"):
        shoal.verify(tmp_path / "release")


def test_a_release_says_nothing_of_whom_it_is_about(long, tmp_path):
    data, schema = long
    shoal.publish(data, schema=schema, models=["k-anonymity:k=3"], out=tmp_path / "release")
    ids = set(pl.read_csv(data)["respondent"].cast(pl.String).to_list())
    for file in ("data.csv", "attributes.csv"):
        published = pl.read_csv(tmp_path / "release" / file)["respondent"].cast(pl.String)
        assert not ids & set(published.to_list())
        assert published.is_sorted()


def test_a_part_is_refused_where_there_are_none(wide):
    schema = read_schema(wide[1])
    assert isinstance(schema, RatingsSchema)
    plain = schema.model_copy(update={"columns": {}, "ignore": tuple(schema.columns)})
    with pytest.raises(InputError, match="asked of the answers, and these data are ratings alone"):
        shoal.check(wide[0], ["k-anonymity:k=2,part=answers"], plain)


def test_who_breaks_a_promise_is_explained_on_the_join_and_on_parts(wide, tmp_path):
    models = ["k-anonymity:k=3,part=answers", "k-epsilon:k=3,epsilon=1", "l-diversity:l=2"]
    result = shoal.check(wide[0], models, wide[1], explain=tmp_path / "why.csv")
    lines = pl.read_csv(tmp_path / "why.csv")
    counted = dict(lines.group_by("promise").len().rows())
    assert counted == {verdict.promise: verdict.violations for verdict in result.verdicts if verdict.violations}


def test_attacks_meet_the_join_or_the_part_that_they_know(wide):
    found = shoal.attack(wide[0], schema=wide[1])
    names = {finding.attack.partition(":")[0] for finding in found.findings}
    assert {"risk", "known-answers", "homogeneity", "unicity", "label"} <= names


@pytest.mark.parametrize("answers", ["item-suppression", "item-generalization"])
def test_sets_with_demographics_go_from_file_to_release_and_back(answers, tmp_path):
    data, out, ledger = tmp_path / "b.csv", tmp_path / "release", tmp_path / "ledger"
    write_generated(
        "baskets", data, people=200, items=12, purchases=500, seed=2, hierarchy=True, demographics=True, exponent=0.2
    )
    asked = "km-anonymity:k=3,m=1"
    shoal.publish(
        data, models=asked, method=f"joined:answers={answers},spread=8", out=out, ledger=ledger, accept=["empty"]
    )
    published = read_release(out).records
    assert isinstance(published, Survey)
    assert published.ratings.is_sets
    assert oracles.holds(published, promises.read(asked))
    assert not shoal.verify(out, ledger).claimed
    kept = read_ledger(ledger).original
    assert isinstance(kept, Survey)
    assert kept.ratings.hierarchy is not None
    measures = shoal.measure(out, ledger).measures
    assert measures["answers: ratings invented"] == 0
    assert shoal.attack(out, ledger=ledger, wordings=["known-answers:demographics=2,items=1"]).findings


def test_people_of_whom_nothing_is_left_keep_the_types_of_a_file_that_has_types(tmp_path):
    data, out = tmp_path / "b.parquet", tmp_path / "release"
    write_generated("baskets", data, people=150, items=30, purchases=500, seed=1, demographics=True)
    shoal.publish(data, models="km-anonymity:k=5,m=2", out=out)
    published = pl.read_parquet(out / "data.parquet")
    assert published["count"].null_count() > 0
    assert published["item"].dtype == pl.read_parquet(data)["item"].dtype
    assert shoal.verify(out).holds


def me(folder: Path, values: dict[str, object]) -> Path:
    """What somebody knows of themselves, as one line."""
    path = folder / "me.csv"
    pl.DataFrame({name: [value] for name, value in values.items()}).write_csv(path)
    return path


@pytest.mark.parametrize("layout", ["wide", "long"])
def test_everybody_finds_their_record_by_demographics_and_answers(layout, request, tmp_path):
    """As many records fit as a look at every published line says: by the labels, the answers, and both."""
    data, schema = request.getfixturevalue(layout)
    shoal.publish(data, schema=schema, models=["k-anonymity:k=3"], out=tmp_path / "release", ledger=tmp_path / "l")
    published, original = read_release(tmp_path / "release").records, read_ledger(tmp_path / "l").original
    assert isinstance(published, Survey)
    assert isinstance(original, Survey)
    items = [str(item) for item in published.ratings.observable.items.values]
    places = [original.ratings.observable.items.values.cast(pl.String).to_list().index(item) for item in items]
    rows, own = oracles.profiles(published.ratings), oracles.profiles(original.ratings)
    labels = published.table.frame().to_dicts()
    for person in range(0, len(original), 17):
        values = original.table.frame().row(person, named=True)
        known = {"age": values["age"], "sex": values["sex"], "income": values["income"], "hobby": "chess"}
        answers = {item: own[person][place] for item, place in zip(items[:2], places[:2], strict=True)}
        found = shoal.lookup(tmp_path / "release", me(tmp_path, {**known, **answers}), tolerance=1, schema=schema)
        by_labels = [covers_age(line["age"], values["age"]) and line["sex"] in (values["sex"], "*") for line in labels]
        for fit, tolerance in zip(found.fits, (0, 1), strict=True):
            near = [oracles.proximate(row[:2], tuple(answers.values()), tolerance, 5) for row in rows]
            assert fit.records == sum(one and other for one, other in zip(by_labels, near, strict=True))
            assert fit.unclear == 0
            assert {share.name for share in fit.sensitive} == {"income", "issue_5"}
        assert (found.named, found.compared, found.absent) == (6, 4, 1)
        assert found.k == 3


def covers_age(label: object, age: int) -> bool:
    """Whether an age is in a published label: a number, or [low, high]."""
    text = str(label)
    if text == "*":
        return True
    low, _, high = text.strip("[]").partition(", ")
    return int(low) <= age <= int(high or low)


def test_a_record_of_sets_is_found_by_what_somebody_has_and_has_not(tmp_path):
    data = tmp_path / "b.csv"
    sizes = {"people": 200, "items": 12, "purchases": 500, "seed": 2, "exponent": 0.2}
    write_generated("baskets", data, hierarchy=True, demographics=True, **sizes)
    shoal.publish(data, models="km-anonymity:k=3,m=1", out=tmp_path / "release", accept=["empty"])
    published = read_release(tmp_path / "release").records
    assert isinstance(published, Survey)
    names = published.ratings.observable.items.values.cast(pl.String).to_list()
    has, has_not = names[:2]
    held = [{names[place] for place, mark in enumerate(row) if mark} for row in oracles.profiles(published.ratings)]
    found = shoal.lookup(tmp_path / "release", me(tmp_path, {has: 1, has_not: 0}))
    assert found.fits[0].records == sum(has in items and has_not not in items for items in held)
    assert found.k is None
    general = tmp_path / "general"
    method = "joined:answers=item-generalization,spread=20"
    shoal.publish(data, models="km-anonymity:k=3,m=1", method=method, out=general, accept=["empty"])
    with pytest.raises(InputError, match="under their own names"):
        shoal.lookup(general, me(tmp_path, {"no such item": 1}))


def test_lookup_in_a_survey_refuses_what_does_not_fit(wide, tmp_path):
    shoal.publish(wide[0], schema=wide[1], models=["k-anonymity:k=3"], out=tmp_path / "release")
    with pytest.raises(InputError, match="lines below its header"):
        shoal.lookup(tmp_path / "release", wide[0])
    table = {"kind": "table", "columns": {"age": {"role": "quasi-identifier"}}}
    with pytest.raises(InputError, match="not one of a survey"):
        shoal.lookup(tmp_path / "release", me(tmp_path, {"age": 30}), schema=table)


def test_limits_of_a_survey_are_found_on_both_parts_and_on_answers(wide):
    joined = shoal.limits(wide[0], {"epsilon": 5}, wide[1])
    answers = shoal.limits(wide[0], {"epsilon": 5}, wide[1], part="answers")
    assert joined.k is not None
    assert answers.k is not None
    assert joined.k < answers.k
    assert str(answers.promise).endswith("part=answers")


def test_a_survey_that_is_two_tables_is_refused_in_memory_before_the_long_work(long, monkeypatch):
    monkeypatch.setattr("shoal.anonymizers.Joined._recode", lambda *_, **__: pytest.fail("the long work began"))
    with pytest.raises(InputError, match="no single frame"):
        shoal.anonymize(long[0], long[1], "k-anonymity:k=3")


@pytest.fixture(scope="module")
def sampled(wide, tmp_path_factory) -> tuple[Path, Path]:
    """The same survey as a sample: with weights, households and strata."""
    folder = tmp_path_factory.mktemp("sampled")
    frame, schema = pl.read_csv(wide[0]), read_schema(wide[1])
    assert isinstance(schema, RatingsSchema)
    rows = pl.int_range(pl.len())
    frame = frame.with_columns((1 + rows % 3).alias("w"), (rows // 2).alias("home"), (rows % 2).alias("region"))
    frame.write_csv(folder / "sample.csv")
    roles = {"w": "weight", "home": "household", "region": "stratum"}
    columns = {**schema.model_dump()["columns"], **{name: {"role": role} for name, role in roles.items()}}
    (folder / "sample.schema.toml").write_text(RatingsSchema(**{**schema.model_dump(), "columns": columns}).to_toml())
    return folder / "sample.csv", folder / "sample.schema.toml"


@pytest.mark.parametrize(
    "model", ["k-anonymity:k=3", "k-epsilon:k=3,epsilon=1", "t-closeness:t=0.5", "l-diversity:l=2"]
)
def test_no_class_of_a_sampled_survey_crosses_strata_and_weights_stay_home(model, sampled, tmp_path):
    data, schema = sampled
    out, ledger = tmp_path / "release", tmp_path / "ledger"
    shoal.publish(data, schema=schema, models=model, out=out, ledger=ledger)
    published, kept = read_release(out).records, read_ledger(ledger)
    assert isinstance(published, Survey)
    assert isinstance(kept.original, Survey)
    assert oracles.holds(published, promises.read(model))
    assert {"w", "home"}.isdisjoint(published.table.names)
    rows, _ = kept.linked(published.ratings.users.values.cast(pl.String))
    assert published.table["region"].values.to_list() == kept.original.table["region"].values.gather(rows).to_list()
    assert kept.original.table.weights is not None


def test_a_sampled_survey_is_described_checked_measured_attacked_and_looked_up(sampled, tmp_path):
    data, schema = sampled
    out, ledger = tmp_path / "release", tmp_path / "ledger"
    shoal.publish(data, schema=schema, models="k-anonymity:k=3", out=out, ledger=ledger)
    assert shoal.describe(data, schema=schema)
    shoal.check(data, "k-anonymity:k=3", schema, explain=tmp_path / "who.csv")
    risks = pl.read_csv(tmp_path / "who.csv")["sample_risk"]
    assert risks.is_between(0, 1).all()
    measures = shoal.measure(out, ledger, everything=True).measures
    assert any("weighted" in name for name in measures)
    assert not any(name.startswith("demographics: ratings") for name in measures)
    found = shoal.attack(out, ledger, ["sample-risk", "risk", "known-answers:demographics=2,items=2"])
    assert all(0 <= finding.main <= 1 for finding in found.findings)
    assert len(found.findings) == 3
    assert shoal.limits(data, {"epsilon": 1}, schema).k is not None
    looked = shoal.lookup(out, me(tmp_path, {"region": 0, "age": 30, "issue_1": 3}), schema=schema)
    assert looked.compared == 3


def test_attackers_of_the_answers_may_know_their_dates(long, tmp_path):
    dated = pl.read_csv(long[0]).with_columns(day=pl.lit("2020-05-17"))
    dated.write_csv(tmp_path / "answers.csv")
    schema = read_schema(long[1])
    found = shoal.attack(tmp_path / "answers.csv", None, "scoreboard:items=3", schema=schema, dates="day")
    assert found.findings[0].main > 0


def few(folder: Path, answers: str) -> tuple[Path, RatingsSchema]:
    """Write six people in two towns; everybody has an answer that is secret."""
    lines = [f"u{i},{item},{mark}" for i in range(6) for item, mark in ((answers.format(i), 3), ("secret", 1 + i % 2))]
    (folder / "answers.csv").write_text("\n".join(["user,item,rating", *lines]))
    (folder / "people.csv").write_text(
        "\n".join(["user,town", *(f"u{i},{'Rye' if i < 3 else 'Ash'}" for i in range(6))])
    )
    columns = {"town": {"role": "quasi-identifier"}}
    people = str(folder / "people.csv")
    settings = {"layout": "long", "scale": (1, 5), "sensitive": ("secret",), "attributes": people, "columns": columns}
    return folder / "answers.csv", RatingsSchema(**settings)


def test_a_release_without_an_answer_that_others_may_know_is_read_back(tmp_path):
    data, schema = few(tmp_path, "item {}")
    models = ["k-anonymity:k=2", "k-anonymity:k=2,part=answers"]
    shoal.publish(data, schema=schema, models=models, out=tmp_path / "release", accept="empty")
    verified = shoal.verify(tmp_path / "release")
    assert verified.holds
    assert "No record has an answer that others may know." in str(verified)


def test_a_release_is_measured_that_names_an_item_which_nobody_ever_rated(tmp_path):
    data, schema = few(tmp_path, "item {}")
    data.write_text(data.read_text() + "\nu0,an item,")
    out, ledger = tmp_path / "release", tmp_path / "ledger"
    shoal.publish(data, schema=schema, models="k-anonymity:k=2", out=out, ledger=ledger, accept="empty")
    assert shoal.measure(out, ledger).measures["answers: ratings kept"] == 0


def test_a_vacuous_promise_on_the_answers_is_refused_before_the_long_work(tmp_path, monkeypatch):
    data, schema = few(tmp_path, "item")
    monkeypatch.setattr("shoal.anonymizers.Joined._recode", lambda *_, **__: pytest.fail("the long work began"))
    with pytest.raises(VacuousPromise):
        shoal.publish(data, schema=schema, models="k-epsilon:k=2,epsilon=4,part=answers", out=tmp_path / "release")


def test_a_method_on_one_part_is_refused_with_the_way_to_use_it(wide, tmp_path):
    with pytest.raises(InputError, match=r"these data are a survey\. Write joined:table=mondrian"):
        shoal.publish(wide[0], schema=wide[1], models="k-anonymity:k=3", method="mondrian", out=tmp_path / "release")
    with pytest.raises(InputError, match=r"these data are a survey\. Write joined:answers=graph"):
        shoal.sweep(wide[0], k=[2], method="graph", schema=wide[1], out=tmp_path / "sweep")


def test_columns_of_a_survey_have_hierarchies_as_those_of_a_table_have(wide, long, tmp_path):
    for data, schema in (wide, long):
        made = shoal.suggest_hierarchy(data, schema, column="age", out=tmp_path / f"{data.stem}.csv")
        assert len(made.levels) > 2
        assert shoal.check_hierarchy(tmp_path / f"{data.stem}.csv", data=data, schema=schema, column="age").holds


def test_what_is_about_tables_alone_says_that_it_has_a_survey(wide):
    with pytest.raises(InputError, match="these data are a survey"):
        shoal.lattice(wide[0], "k-anonymity:k=2", wide[1])
    with pytest.raises(InputError, match="these data are a survey"):
        shoal.attack(wide[0], None, "risk:model=journalist", schema=wide[1], population=wide[0])
