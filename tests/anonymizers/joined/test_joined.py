"""The method joined: what it keeps of each part, what it leaves alone, and how it is written."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from shoal import road
from shoal.anonymizers import Allowance, Joined, methods
from shoal.anonymizers.default_method import default_method
from shoal.data import PARTS, PRESENT, RatingMatrix, Survey
from shoal.datasets import generate_customers, generate_demographics
from shoal.engines import LocalEngine, judge
from shoal.errors import WordingError
from shoal.models import KmAnonymity, promises
from shoal.randomness import Randomness
from shoal.testing import surveys
from surveys import ACCEPTED

SURVEY = generate_demographics(240, 6, 1, seed=3)


def published(models: list[str], method: str = "joined", **asked_for) -> Survey:
    asked = [promises.read(model) for model in models]
    release, _ = road.publish(SURVEY, asked, methods.read(method), **asked_for)
    assert isinstance(release.records, Survey)
    return release.records


@pytest.mark.parametrize("spread", [1, 3, 20])
@pytest.mark.parametrize(
    "models",
    [
        ["k-anonymity:k=4"],
        ["k-epsilon:k=4,epsilon=1"],
        ["k-anonymity:k=3", "l-diversity:l=2"],
        ["p-sensitive:p=2,k=4"],
        ["t-closeness:t=0.6"],
        ["k-anonymity:k=4", "l-diversity:l=3,part=demographics"],
        ["k-anonymity:k=4,part=demographics", "k-epsilon:k=4,epsilon=1,part=answers"],
    ],
    ids=str,
)
def test_promises_on_the_join_and_on_parts_are_kept(models, spread):
    made = published(models, f"joined:spread={spread}")
    assert all(oracles.holds(made, promises.read(model)) for model in models)


def test_a_larger_spread_keeps_answers_and_costs_demographics():
    def costs(spread: int) -> tuple[int, int]:
        method = Joined(spread=spread, weight=Fraction(0))
        made = method.recode(SURVEY, [promises.read("k-anonymity:k=4")], LocalEngine(), Randomness(1))
        assert isinstance(made.records, Survey)
        before, after = SURVEY.ratings.observable.dense(), made.records.ratings.observable.dense()
        return LocalEngine().group(made.records.table).n_groups, int(np.count_nonzero(before != after))

    (few, unlike), (many, alike) = costs(16), costs(1)
    assert few < many
    assert unlike < alike


def test_a_promise_on_one_part_leaves_the_other_alone():
    for part, other in zip(PARTS, reversed(PARTS), strict=True):
        asked = [promises.read(f"k-anonymity:k=4,part={part}")]
        made = Joined().recode(SURVEY, asked, LocalEngine(), Randomness(1)).records
        assert isinstance(made, Survey)
        assert made.part(other) is SURVEY.part(other)
        assert judge(made, asked, LocalEngine()).holds


def test_withheld_people_are_within_the_allowance_and_spare_others():
    asked = [promises.read("k-anonymity:k=8")]
    release, ledger = road.publish(SURVEY, asked, Joined(), withhold=Fraction(1, 10))
    assert len(ledger.origins) >= 0.9 * len(SURVEY)
    assert judge(release.records, asked, LocalEngine()).holds
    made = Joined().recode(SURVEY, asked, LocalEngine(), Randomness(1), max_withheld=Allowance.of_records(SURVEY, 24))
    assert made.withheld is None or made.withheld.sum() <= 24


SETS = generate_customers(150, 12, 500, 3, hierarchy=True)


@pytest.mark.parametrize("method", ["joined", "joined:answers=item-suppression,spread=1", "joined:answers=align"])
@pytest.mark.parametrize("withhold", [Fraction(0), Fraction(1, 10)])
def test_sets_of_items_are_shared_within_classes(method, withhold):
    asked = promises.read("km-anonymity:k=3,m=2")
    answers = default_method(SETS, [asked])[0] if method == "joined" else methods.read(method)
    release, _ = road.publish(SETS, [asked], answers, withhold=withhold, accept=ACCEPTED)
    assert oracles.holds(release.records, asked)


def test_items_are_generalized_alike_in_all_classes():
    asked, method = promises.read("km-anonymity:k=3,m=1"), Joined(answers="item-generalization", spread=10)
    release, ledger = road.publish(SETS, [asked], method, accept=ACCEPTED)
    published = release.records
    assert isinstance(published, Survey)
    assert oracles.holds(published, asked)
    assert SETS.ratings.hierarchy is not None
    above = np.array([labels.take(codes).cast(pl.String).to_list() for labels, codes in zip(
        SETS.ratings.hierarchy.labels, SETS.ratings.hierarchy.maps, strict=True)]).T  # fmt: skip
    names = published.ratings.observable.items.values.cast(pl.String).to_list()
    label_of = [next(name for name in words if name in names) for words in above.tolist()]
    for row, origin in enumerate(ledger.origins):
        own = SETS.ratings.observable.take(np.array([origin])).indices
        held = published.ratings.observable.take(np.array([row])).indices
        assert {names[item] for item in held} == {label_of[item] for item in own}


TINY = surveys(min_records=3, max_records=9, max_items=4, max_quasi_identifiers=1, scales=[PRESENT], others=False)


@settings(max_examples=50)
@given(TINY, st.integers(2, 3), st.integers(1, 3))
@pytest.mark.parametrize("wording", ["item-suppression", "item-generalization"])
def test_within_classes_that_are_large_enough_no_set_is_rare(wording, data, k, m):
    """Whoever is in a class of at least k people keeps the promise, and the demographics stay as they are."""
    if wording == "item-generalization" and data.ratings.hierarchy is None:
        return
    made = methods.read(wording).recode(data, [KmAnonymity(k, m)], LocalEngine(), Randomness(1)).records
    assert isinstance(made, Survey)
    assert made.table is data.table
    sizes = oracles.alike(oracles.tuples(data.table))
    fewest = oracles.fewest_of_class(made, m)
    assert all(number >= k for number, size in zip(fewest, sizes, strict=True) if size >= k)


@settings(max_examples=40)
@given(TINY, st.integers(2, 3), st.integers(1, 3))
def test_no_deleted_item_could_have_stayed_alone(data, k, m):
    asked = KmAnonymity(k, m)
    made = methods.read("item-suppression").recode(data, [asked], LocalEngine(), Randomness(1)).records
    assert isinstance(made, Survey)
    before, after = data.ratings.observable.dense(), made.ratings.observable.dense()
    broken, sizes = oracles.violations(made, asked), oracles.alike(oracles.tuples(data.table))
    for row, item in np.argwhere(before != after):
        if sizes[row] < k:
            continue  # whatever such a class holds is rare
        other = after.copy()
        other[row, item] = before[row, item]
        matrix = RatingMatrix.from_dense(made.ratings.observable.items, other, made.ratings.scale.dtype)
        back = replace(made, ratings=replace(made.ratings, observable=matrix))
        assert oracles.violations(back, asked) > broken


def test_sensitive_answers_differ_where_values_must():
    made = published(["l-diversity:l=2"])
    groups = LocalEngine().group(made).labels
    answers = made.ratings.sensitive.dense()[:, 0]
    assert all(len(set(answers[groups == group])) >= 2 for group in range(groups.max() + 1))


def test_predictions_may_replace_answers():
    plain = Survey(SURVEY.table, generate_demographics(240, 6, 0, seed=3).ratings)
    release, _ = road.publish(plain, [promises.read("k-anonymity:k=4")], Joined(answers="predictive"))
    assert oracles.holds(release.records, promises.read("k-anonymity:k=4"))
    assert Joined(answers="predictive").instead_of_ratings


@pytest.mark.parametrize(
    ("wording", "said"),
    [
        ("joined:spread=0", "at least 1"),
        ("joined:weight=-1", "at least 0"),
        ("joined:table=align", "a method on table for 'table'"),
        ("joined:answers=mondrian", "a method on ratings for 'answers'"),
        ("joined:table=microaggregation", "are not"),
        ("joined:table=nonsense", "no method named 'nonsense'"),
        ("joined:table=mondrian:nonsense=1", "no setting 'nonsense'"),
    ],
)
def test_methods_that_do_not_fit_are_refused(wording, said):
    with pytest.raises(WordingError, match=said):
        methods.read(wording)


def test_settings_of_methods_inside_are_written_and_read_back():
    wording = "joined:table=mondrian:mode=relaxed;labels=tight,answers=align:rounds=2,spread=7,weight=0.5"
    method = methods.read(wording)
    assert methods.read(str(method)) == method
    assert str(method) == wording
