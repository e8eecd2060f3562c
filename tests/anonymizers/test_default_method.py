"""Where nobody names a method, it is the one that fits the data and can keep the promises."""

import sys

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
import shoal
from shoal import road
from shoal.anonymizers import Align, Joined, Mondrian, Predictive, TopDown
from shoal.anonymizers.default_method import default_method
from shoal.data import Column, Microdata, Ratings, Role, Survey
from shoal.datasets import generate_demographics, generate_ratings, load, write_generated
from shoal.engines import LocalEngine
from shoal.errors import DataError, ShoalError
from shoal.models import promises
from shoal.plan import Plan
from shoal.randomness import Randomness
from shoal.testing.strategies import promises_on, ratings
from surveys import survey

SPARSE = survey([[1, None, None, None], [None, 2, None, None], [None, None, 3, 3], [4, None, None, None]], 5)
SURVEY = survey([[1, 2, 3, None], [2, 2, 2, 2], [1, 1, 5, 5], [4, 4, 4, 4]], 5)
SECRET = survey([[1, None, None], [None, 2, None], [None, None, 3], [4, None, None]], 5, [1, 2, 3, 4])


@pytest.mark.parametrize(
    ("records", "asked", "method", "reason"),
    [
        (SURVEY, "k-anonymity:k=2", Align(), "these ratings are a survey (93.8 % of the cells hold a rating)"),
        (SURVEY, "b-l-diversity:b=1,l=2", Predictive(), "align cannot keep b-l-diversity"),
        (SPARSE, "k-anonymity:k=2", Predictive(), "these ratings are sparse (31.2 % of the cells hold a rating)"),
        (SPARSE, "k-epsilon:k=2,epsilon=1", Predictive(), "sparse"),
        (SPARSE, "k-epsilon:k=2,epsilon=1,semantics=partition", Align(), "predictive cannot keep k-epsilon"),
        (SECRET, "k-epsilon:k=2,epsilon=1", Align(), "some items are sensitive"),
        (SECRET, "k-epsilon:k=2,epsilon=1,l=1", Align(), "predictive cannot keep k-epsilon"),
        (SPARSE, "k-anonymity:k=3", Align(), "no item has the 3 raters that predictive needs"),
        (SECRET, "b-l-diversity:b=1,l=2", Predictive(), "sparse"),  # neither can: the one that fits will say why
    ],
)
def test_the_method_fits_the_data_or_else_the_promise(records, asked, method, reason):
    chosen, why = default_method(records, [promises.read(asked)])
    assert chosen == method
    assert why is not None
    assert why.startswith(f"Method: {method.name}, ")
    assert reason in why


def table_of(**columns) -> Microdata:
    made = (Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series(values)) for name, values in columns.items())
    return Microdata(tuple(made))


BY_RANGE = table_of(number=[1, 2, 15, 17, 31, 33, 40, 90])
"""Numbers whose neighbors lie across powers of two."""
BY_NODE = table_of(word=list("aabbccdd") * 3, number=[1, 1, 2, 2, 3, 3, 4, 4] * 3)


@pytest.mark.parametrize("table", [BY_RANGE, BY_NODE, load("thesis-2.1")])
@pytest.mark.parametrize("asked", ["k-anonymity:k=2", "k-anonymity:k=3"])
def test_of_tables_the_method_is_taken_that_loses_less_on_the_table_at_hand(table, asked):
    model = promises.read(asked)
    lost = {}
    for method in (Mondrian(), TopDown()):
        _, ledger = road.publish(table, [model], method, randomness=Randomness(1), accept=("empty",))
        lost[method.name] = ledger.report["loss-mean"]
    chosen, why = default_method(table, [model])
    assert lost[chosen.name] == min(lost.values())
    assert why is not None
    assert why.startswith(f"Method: {chosen.name}, ")
    other = next(name for name in lost if name != chosen.name)
    assert f"loses {100 * lost[chosen.name]:.3g} % where {other} would lose {100 * lost[other]:.3g} %" in why


def test_a_large_table_is_tried_on_some_of_its_records_in_any_order_the_same(monkeypatch):
    chance = np.random.default_rng(1)
    table = table_of(a=chance.integers(0, 50, 300).tolist(), b=chance.integers(0, 9, 300).tolist())
    monkeypatch.setattr(sys.modules["shoal.anonymizers.default_method"], "_TRIED", 100)
    asked = [promises.read("k-anonymity:k=3")]
    chosen, why = default_method(table, asked)
    assert why is not None
    assert "(tried on 100 of 300 records)" in why
    assert default_method(table.take(chance.permutation(300)), asked) == (chosen, why)


def test_where_neither_can_the_road_says_why():
    chosen, why = default_method(BY_RANGE, [promises.read("k-anonymity:k=9")])
    assert why is None
    with pytest.raises(DataError):
        road.publish(BY_RANGE, [promises.read("k-anonymity:k=9")], chosen)
    assert default_method(BY_RANGE, [promises.read("k-epsilon:k=2,epsilon=1")])[1] is None


def test_the_ledger_names_the_method_that_was_taken_and_repeats_the_run(tmp_path):
    write_generated("table", tmp_path / "people.csv", rows=60, seed=1)
    first = shoal.publish(
        tmp_path / "people.csv",
        schema=str(tmp_path / "people.schema.toml"),
        models=["k-anonymity:k=3"],
        out=str(tmp_path / "release"),
        ledger=str(tmp_path / "ledger"),
    )
    plan = Plan.read(tmp_path / "ledger" / "plan.toml")
    assert plan.method is not None
    assert any(note.startswith(f"Method: {plan.method.partition(':')[0]}, ") for note in first.notes)
    data = (tmp_path / "release" / "data.csv").read_bytes()
    shoal.publish(plan, force=True)
    assert (tmp_path / "release" / "data.csv").read_bytes() == data


@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_three_quarters_of_the_cells_make_a_survey(n, width, data):
    rows = [[data.draw(st.none() | st.just(3)) for _ in range(width)] for _ in range(n)]
    given = sum(rating is not None for row in rows for rating in row)
    chosen, _ = default_method(survey(rows, 5), [promises.read("k-anonymity:k=2")])
    raters = max(sum(row[item] is not None for row in rows) for item in range(width))
    # predictive leaves out items with fewer raters than k, and must not be left with none
    assert isinstance(chosen, Align if 4 * given >= 3 * n * width or raters < 2 else Predictive)


@given(ratings(min_records=4, max_records=8), st.data())
def test_it_is_never_one_that_refuses_where_the_other_does_not(data, choice):
    asked = [promises.read(choice.draw(st.sampled_from(promises_on(data))))]
    chosen, _ = default_method(data, asked)
    if not _publishes(chosen, data, asked):
        assert not any(_publishes(other, data, asked) for other in (Align(), Predictive()))


def _publishes(method, data, asked) -> bool:
    try:
        recoding = method.recode(data, asked, LocalEngine(), Randomness(1))
    except ShoalError:
        return False
    assert isinstance(recoding.records, Ratings)
    people = np.arange(len(data)) if recoding.stands_for is None else recoding.stands_for
    return oracles.holds(recoding.records.of_each(people), asked[0])


def test_publish_takes_it_and_says_why(tmp_path):
    films, answers = tmp_path / "films.csv", tmp_path / "answers.csv"
    write_generated("ratings", films, users=40, items=60, ratings=400, seed=1)
    schema = write_generated("survey", answers, respondents=40, issues=4, sensitive=0, seed=1)
    settings = {"models": ["k-anonymity:k=5"], "seed": 1}
    sparse = shoal.publish(films, out=str(tmp_path / "profiles"), **settings)
    dense = shoal.publish(answers, schema=str(schema), out=str(tmp_path / "records"), **settings)
    named = shoal.publish(films, method="align", out=str(tmp_path / "named"), **settings)
    for result, folder, method in ((sparse, "profiles", "predictive"), (dense, "records", "align")):
        assert result.to_json()["notes"][0].startswith(f"Method: {method}, since ")
        assert f'"method": "{method}:' in (tmp_path / folder / "certificate.json").read_text(encoding="utf-8")
    assert not any(note.startswith("Method") for note in named.notes)


def test_leaders_are_published_with_their_risk(tmp_path):
    rows = np.random.default_rng(1).integers(1, 6, (40, 6))
    lines = [",".join(["respondent", *(f"q{i}" for i in range(6))])]
    lines += [",".join(map(str, [i, *row])) for i, row in enumerate(rows.tolist())]
    (tmp_path / "answers.csv").write_text("\n".join(lines), encoding="utf-8")
    schema = tmp_path / "schema.toml"
    schema.write_text('kind = "ratings"\nlayout = "wide"\nscale = [1, 5]\nid = ["respondent"]\n', encoding="utf-8")
    for method, warned in (("align:groups=led", True), ("align", False)):
        result = shoal.publish(
            tmp_path / "answers.csv",
            schema=str(schema),
            models=["k-epsilon:k=5,epsilon=1"],
            method=method,
            out=str(tmp_path / str(warned)),
        )
        assert any("nearest record" in note for note in result.notes) == warned


def test_a_survey_is_joined_and_its_answers_published_as_their_kind_is():
    asked = [promises.read("k-anonymity:k=3")]
    by_partition = [promises.read("k-epsilon:k=3,epsilon=1,semantics=partition")]
    dense = generate_demographics(60, 6, 0, seed=1)
    method, reason = default_method(dense, asked)
    assert method == Joined(answers="align")
    assert reason is not None
    assert reason.startswith("Method: joined, with align for the answers, since these ratings are a survey")
    sparse = Survey(dense.table, generate_ratings(60, 30, 500, seed=1))
    assert default_method(sparse, asked)[0] == Joined(answers="predictive", spread=4)
    assert default_method(sparse, by_partition)[0] == Joined(answers="align")
