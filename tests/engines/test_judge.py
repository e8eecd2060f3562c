"""Judging: every promise on its own evidence, the records that break any of them, and what cannot be judged."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar
from unittest.mock import patch

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from shoal.data import Column, Microdata, RatingMatrix, Ratings, Records, Role, Scale, Survey, Vocabulary
from shoal.engines import LocalEngine, judge, refuse_misfits
from shoal.errors import DataError, InputError, InternalError, SchemaError, WordingError
from shoal.evidence import Grouping
from shoal.models import (
    KAnonymity,
    KEpsilon,
    LDiversity,
    PAlphaSensitive,
    PPlusSensitive,
    PrivacyModel,
    PSensitive,
    TCloseness,
)
from shoal.testing import ratings, tables

ENGINE = LocalEngine()


def table(**columns: tuple[str, list]) -> Microdata:
    return Microdata(tuple(Column.encode(name, Role(role), pl.Series(v)) for name, (role, v) in columns.items()))


def rated(rows: list[list[int]], *, sensitive: int = 0) -> Ratings:
    """Codes on 1…5, −1 for null; the last columns are sensitive."""
    codes = np.array(rows, np.int32)
    observable = codes.shape[1] - sensitive
    names = pl.Series([f"issue {i}" for i in range(codes.shape[1])], dtype=pl.String)
    return Ratings(
        Vocabulary.numbered(len(rows)),
        RatingMatrix.from_dense(Vocabulary(names[:observable]), codes[:, :observable]),
        RatingMatrix.from_dense(Vocabulary(names[observable:]), codes[:, observable:]),
        Scale.of(1, 5),
    )


def breaks(records: Records, models: list[PrivacyModel]) -> list[bool]:
    """Who breaks any of the promises: person by person."""
    rows = oracles.observable(records)
    broken = [False] * len(rows)
    for model in models:
        if isinstance(model, KEpsilon):
            assert isinstance(records, Ratings)
            near = oracles.neighbors(rows, model.epsilon, oracles.farthest(records))
            mine = [others + 1 < model.k for others in near]
        elif isinstance(model, KAnonymity):
            mine = [size < model.k for size in oracles.alike(rows)]
        else:
            assert isinstance(model, LDiversity)
            assert isinstance(records, Microdata)
            values = [c.values.to_list() for c in records.columns if c.role == "sensitive"]
            counts = [oracles.different_values(rows, column) for column in values]
            mine = [min(count[row] for count in counts) < model.l for row in range(len(rows))]
        broken = [one or other for one, other in zip(broken, mine, strict=True)]
    return broken


@given(ratings(min_records=3))
def test_the_records_that_break_any_promise_on_ratings_are_marked(data):
    models = [KAnonymity(2), KEpsilon(3, Fraction(1)), KEpsilon(2, Fraction(1, 2))]
    judgment = judge(data, models, ENGINE)
    assert judgment.violating.tolist() == breaks(data, models)
    assert judgment.holds == (not any(breaks(data, models)))
    assert [verdict.violations for verdict in judgment.verdicts] == [sum(breaks(data, [model])) for model in models]
    assert judgment.n_groups == len(set(oracles.observable(data)))


@given(tables(min_records=3))
def test_the_records_that_break_any_promise_on_tables_are_marked(data):
    models: list[PrivacyModel] = [KAnonymity(3), *([LDiversity(2)] if data.has_sensitive else [])]
    judgment = judge(data, models, ENGINE)
    assert judgment.violating.tolist() == breaks(data, models)
    assert [verdict.violations for verdict in judgment.verdicts] == [sum(breaks(data, [model])) for model in models]
    assert judgment.n_groups == len(set(oracles.observable(data)))


PEOPLE = table(age=("quasi-identifier", [31, 31]), ill=("sensitive", ["flu", "cold"]))
UNSEEN = table(name=("identifier", ["Ann", "Bob"]), ill=("sensitive", ["flu", "cold"]))
SOME = Microdata((PEOPLE.columns[0], replace(PEOPLE["ill"], categories=(("flu",), ("ill",)))))
HARMLESS = table(age=("quasi-identifier", [31, 31]))
ISSUES = rated([[0, 1], [0, 1]])
SECRETS = rated([[0, 1], [0, 1]], sensitive=2)
SURVEY = Survey(HARMLESS, rated([[0, 1], [0, 1]], sensitive=1))
UNANSWERED = Survey(HARMLESS, rated([[0, -1], [0, -1]], sensitive=1))


@pytest.mark.parametrize(
    ("records", "model", "error", "phrase"),
    [
        (
            PEOPLE,
            KEpsilon(2, Fraction(1)),
            WordingError,
            "made on ratings and surveys, and these data are a table",
        ),
        (
            ISSUES,
            LDiversity(2),
            WordingError,
            "'l-diversity' is made on surveys and tables, and these data are ratings",
        ),
        (UNSEEN, KAnonymity(2), SchemaError, "no part of the records is declared as known to others"),
        (SECRETS, KEpsilon(2, Fraction(1)), SchemaError, "no part of the records is declared as known to others"),
        (HARMLESS, LDiversity(2), SchemaError, "is about sensitive values, and none is declared"),
        (PEOPLE, KAnonymity(3), DataError, "2 records, fewer than the 3 that k-anonymity:k=3 needs"),
        (PEOPLE, LDiversity(3), DataError, "fewer than the 3"),
        (PEOPLE, PPlusSensitive(2), SchemaError, "needs categories, and the column 'ill' has none"),
        (PEOPLE, PAlphaSensitive(2, alpha=Fraction(1)), SchemaError, "needs categories, and the column 'ill'"),
        (PEOPLE, TCloseness(Fraction(0), "ordered"), SchemaError, "needs an order of the values, and the column"),
        (PEOPLE, TCloseness(Fraction(0), "hierarchical"), SchemaError, "needs a hierarchy, and the column 'ill'"),
        (SOME, PPlusSensitive(2), SchemaError, "1 values of the column 'ill' are in no category"),
        (SOME, TCloseness(Fraction(0), "ordered"), SchemaError, "1 values of the column 'ill' are in no category"),
        (ISSUES, KEpsilon(3, Fraction(9)), DataError, "fewer than the 3"),
        (ISSUES, KEpsilon(2, Fraction(1), Fraction(1)), SchemaError, "no item is declared as sensitive"),
        (SURVEY, LDiversity(2, part="answers"), WordingError, "and the answers are ratings"),
        (SURVEY, KEpsilon(2, Fraction(1), part="demographics"), WordingError, "and the demographics are a table"),
        (UNANSWERED, LDiversity(2), SchemaError, "nobody answered a sensitive item"),
        (SURVEY, PPlusSensitive(2), SchemaError, "alone (part=demographics)"),
    ],
)
def test_a_promise_that_cannot_be_made_on_such_records_is_refused(records, model, error, phrase):
    for attempt in (lambda: refuse_misfits(records, [model]), lambda: judge(records, [model], ENGINE)):
        with pytest.raises(error) as refusal:
            attempt()
        assert phrase in str(refusal.value)


def test_promises_that_fit_are_not_refused():
    refuse_misfits(PEOPLE, [KAnonymity(2), LDiversity(2), PSensitive(2), TCloseness(Fraction(0))])
    refuse_misfits(SOME.take(np.array([0, 0])), [PPlusSensitive(2), TCloseness(Fraction(0), "ordered")])
    refuse_misfits(ISSUES, [KAnonymity(2), KEpsilon(2, Fraction(0))])


def test_one_misfit_among_many_promises_is_enough():
    with pytest.raises(InputError):
        refuse_misfits(PEOPLE, [KAnonymity(2), LDiversity(2), KAnonymity(3)])


@dataclass(frozen=True)
class Letters:
    """Records of a kind nobody knows."""

    kind: ClassVar[str] = "letters"
    has_observable = has_sensitive = True
    n_people = 2
    stated = None

    def __len__(self) -> int:
        return 2

    def take(self, rows: np.ndarray) -> "Letters":
        return self


def test_records_of_an_unknown_kind_are_our_own_fault():
    for attempt in (
        lambda: ENGINE.group(Letters()),
        lambda: ENGINE.count(Letters(), Grouping(np.array([0, 0]), 1), sensitive=True),
        lambda: ENGINE.neighbors(PEOPLE, Fraction(1)),
    ):
        with pytest.raises(InternalError):
            attempt()


@given(tables(max_quasi_identifiers=5), st.sampled_from([2, 7, 40, 2**62]))
def test_groups_are_the_same_however_many_columns_fit_into_a_key(data, largest):
    with patch("shoal.evidence.grouping._LARGEST_KEY", largest):
        labels = ENGINE.group(data).labels.tolist()
    seen = oracles.observable(data)
    first = {row: number for number, row in enumerate(dict.fromkeys(seen))}
    assert labels == [first[row] for row in seen]


def test_sensitive_values_are_not_counted_unless_a_promise_asks():
    asked = []

    class Watching(LocalEngine):
        def count(self, records, grouping, *, sensitive):
            asked.append(sensitive)
            return super().count(records, grouping, sensitive=sensitive)

    judge(PEOPLE, [KAnonymity(2)], Watching())
    judge(PEOPLE, [KAnonymity(2), LDiversity(2)], Watching())
    assert asked == [False, True]


def test_sensitive_ratings_are_no_part_of_the_groups_and_are_counted_where_given():
    data = rated([[0, 4], [0, 0], [0, -1], [1, 4]], sensitive=1)
    grouping = ENGINE.group(data)
    counts = ENGINE.count(data, grouping, sensitive=True)
    assert grouping.labels.tolist() == [0, 0, 0, 1]
    assert counts.sizes.tolist() == [3, 1]
    assert counts.sensitive[0].values.tolist() == [0, 4, 4]
    assert counts.sensitive[0].counts.tolist() == [1, 1, 1]
    assert ENGINE.neighbors(data, Fraction(0)).others.tolist() == [2, 2, 2, 0]


def test_records_without_a_rating_are_alike():
    data = rated([[-1, -1], [-1, -1], [0, -1]])
    assert ENGINE.group(data).labels.tolist() == [0, 0, 1]
    assert ENGINE.neighbors(data, Fraction(4)).others.tolist() == [1, 1, 0]
    assert ENGINE.neighbors(data, Fraction(5)).others.tolist() == [2, 2, 2]  # r = 5: a null matches anything


def test_people_are_counted_where_records_stand_for_several():
    profiles = replace(rated([[0, 0], [0, 1], [4, 4], [4, 4]]), people=np.array([3, 1, 2, 1]))
    assert profiles.n_people == 7
    near = judge(profiles, [KEpsilon(4, Fraction(1))], ENGINE)
    assert near.verdicts[0].violations == 3
    assert near.verdicts[0].level == {"k": 3}
    assert near.violating.tolist() == [False, False, True, True]
    equal = judge(profiles, [KAnonymity(2)], ENGINE)
    assert equal.verdicts[0].violations == 1
    assert equal.verdicts[0].level == {"k": 1}
    assert judge(profiles, [KAnonymity(3)], ENGINE).verdicts[0].violations == 1
    assert judge(profiles, [KEpsilon(3, Fraction(1))], ENGINE).holds
    with pytest.raises(DataError):
        judge(profiles, [KAnonymity(8)], ENGINE)
    with pytest.raises(WordingError):
        judge(profiles, [KEpsilon(2, Fraction(1), semantics="partition")], ENGINE)
