"""People grouped by both parts: promises hold on the join, labels cover values, and less is lost than by classes."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from shoal.anonymizers import Allowance, Joined, methods
from shoal.anonymizers.generalization.cuts import Segments, attribute
from shoal.anonymizers.grouping import group_offsets
from shoal.anonymizers.joined.label_costs import LabelCosts
from shoal.anonymizers.joined.narrower_labels import narrower_labels
from shoal.data import Microdata, Survey
from shoal.datasets import generate_demographics
from shoal.engines import LocalEngine
from shoal.kernels.groups.exchange import exchange
from shoal.labels import published_column
from shoal.labels.label_loss import published_loss
from shoal.models import KAnonymity, promises
from shoal.randomness import Randomness
from shoal.testing import surveys, tables

ENGINE = LocalEngine()
SURVEY = generate_demographics(600, 10, 0, seed=5)


def made(method: Joined, survey: Survey, models: list[str]) -> Survey:
    recoding = method.recode(survey, [promises.read(model) for model in models], ENGINE, Randomness(1))
    assert isinstance(recoding.records, Survey)
    return recoding.records


def losses(survey: Survey, published: Survey) -> tuple[float, float]:
    """The loss of the demographics, and the mean distance of answers."""
    rows = np.arange(len(survey))
    before, after = survey.ratings.observable.dense(), published.ratings.observable.dense()
    return published_loss(survey.table, published.table, rows), float(np.abs(before - after).mean())


def test_at_the_same_loss_of_answers_less_is_lost_of_demographics_than_by_classes():
    both = losses(SURVEY, made(Joined(weight=Fraction(1, 2)), SURVEY, ["k-anonymity:k=4"]))
    by_class = losses(SURVEY, made(Joined(weight=Fraction(0), spread=2), SURVEY, ["k-anonymity:k=4"]))
    assert both[0] < by_class[0]
    assert both[1] < by_class[1]


def test_a_larger_weight_keeps_demographics_and_costs_answers():
    light, heavy = (
        losses(SURVEY, made(Joined(weight=Fraction(weight)), SURVEY, ["k-anonymity:k=4"])) for weight in ("1/8", "8")
    )
    assert light[0] > heavy[0]
    assert light[1] < heavy[1]


def test_groups_share_labels_and_answers_and_have_their_own():
    published = made(Joined(spread=20), SURVEY, ["k-anonymity:k=4"])
    groups = ENGINE.group(published)
    assert np.bincount(groups.labels).min() >= 4
    assert ENGINE.group(published.table).n_groups > len(SURVEY) // (4 * 20)


@pytest.mark.parametrize("table", ["mondrian", "mondrian:labels=tight", "top-down", "lattice"])
def test_labels_of_groups_cover_the_values_of_everybody(table):
    published = made(Joined(table=table), SURVEY, ["k-anonymity:k=4"])
    for column in SURVEY.table.quasi_identifiers:
        read = published_column(column, published.table[column.name], np.arange(len(SURVEY)))
        assert "unknown" not in read.forms
        assert ((read.lowest[read.labels] <= read.before) & (read.before <= read.highest[read.labels])).all()


TINY = surveys(min_records=2, max_records=9, max_quasi_identifiers=2)
WORDINGS = ("k-anonymity:k={k}", "k-epsilon:k={k},epsilon=1", "k-epsilon:k={k},epsilon=1,semantics=partition")


@settings(max_examples=150)
@given(
    TINY,
    st.integers(2, 3),
    st.sampled_from(
        ["k-anonymity:k={k}", "k-epsilon:k={k},epsilon=1", "k-epsilon:k={k},epsilon=1,semantics=partition"]
    ),
    st.sampled_from([1, 2, 4]),
    st.sampled_from(["0", "1/2", "5"]),
)
def test_wherever_there_are_enough_people_the_promise_holds_on_the_join(survey, k, wording, spread, weight):
    if len(survey) < k or not survey.has_observable:
        return
    asked = promises.read(wording.format(k=k))
    recoding = Joined(spread=spread, weight=Fraction(weight)).recode(survey, [asked], ENGINE, Randomness(1))
    assert oracles.holds(recoding.records, asked)


@settings(max_examples=60)
@given(TINY, st.integers(2, 3), st.integers(0, 4))
def test_no_more_people_are_withheld_than_allowed_and_the_others_keep_the_promise(survey, k, allowed):
    if len(survey) < k or not (survey.table.has_observable and survey.ratings.has_observable):
        return
    allowance = Allowance.of_records(survey, allowed)
    recoding = Joined(spread=1).recode(survey, [KAnonymity(k)], ENGINE, Randomness(1), max_withheld=allowance)
    withheld = np.zeros(len(survey), bool) if recoding.withheld is None else recoding.withheld
    left = recoding.records.take(np.flatnonzero(~withheld))
    broken = oracles.violations(left, KAnonymity(k)) if len(left) else 0  # left to the road, which withholds them
    assert withheld.sum() + broken <= allowed


def test_promises_on_demographics_alone_keep_labels_of_classes():
    asked = ["k-anonymity:k=3", "k-anonymity:k=40,part=demographics"]
    published = made(Joined(), SURVEY, asked)
    assert all(oracles.holds(published, promises.read(model)) for model in asked)


def test_people_are_grouped_by_both_only_with_a_method_that_aligns():
    plain = made(Joined(answers="graph", weight=Fraction(1)), SURVEY, ["k-anonymity:k=4"])
    assert oracles.holds(plain, promises.read("k-anonymity:k=4"))
    assert ENGINE.group(plain.table).n_groups < ENGINE.group(made(Joined(), SURVEY, ["k-anonymity:k=4"]).table).n_groups
    assert all(method.costs(SURVEY.ratings.scale) is None for method in map(methods.read, ("graph", "predictive")))


@settings(max_examples=60)
@given(tables(min_records=2, max_records=9, max_quasi_identifiers=3), st.data())
def test_labels_of_groups_are_no_wider_than_those_of_classes_and_cover_their_values(table, data):
    if not table.quasi_identifiers:
        return
    groups = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(table), max_size=len(table))))
    groups = np.unique(groups, return_inverse=True)[1].ravel()
    rows = np.arange(len(table))
    of_all = methods.read("mondrian").recode(table, [KAnonymity(len(table))], ENGINE, Randomness(1)).records
    assert isinstance(of_all, Microdata)
    narrowed = narrower_labels(table, of_all, groups)
    assert published_loss(table, narrowed, rows) <= published_loss(table, of_all, rows)
    for column in table.quasi_identifiers:
        texts = narrowed[column.name].values.cast(pl.String).to_list()
        assert all(len({texts[i] for i in np.flatnonzero(groups == group)}) == 1 for group in set(groups.tolist()))
        read = published_column(column, narrowed[column.name], rows)
        assert "unknown" not in read.forms


@settings(max_examples=60)
@given(tables(min_records=2, max_records=9, max_quasi_identifiers=3), st.booleans(), st.data())
def test_what_labels_are_expected_to_lose_is_what_they_lose(table, trees, data):
    """The numbers handed to the kernel, with nothing rated, give the losses of the tight labels of each group."""
    columns = table.quasi_identifiers
    if not columns:
        return
    groups = np.array(data.draw(st.lists(st.integers(0, 1), min_size=len(table), max_size=len(table))))
    rows, begins = group_offsets(np.unique(groups, return_inverse=True)[1].ravel())
    chosen = [trees and column.hierarchy is not None for column in columns]
    costs = LabelCosts.of(columns, chosen, 1.0)
    sizes = np.diff(begins)
    lines = np.zeros((len(sizes), sizes.max()), np.int64)
    lines[np.arange(lines.shape[1]) < sizes[:, None]] = rows
    nothing = np.zeros(len(table) + 1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.uint8)
    labels = costs.places, costs.slopes, costs.nodes, costs.losses
    found = exchange(*nothing, lines, sizes, np.array([0, len(sizes)]), (1, 1), 0, 0.0, 0.0, *labels, 0)
    expected = np.zeros(len(sizes))
    for column, by_hierarchy in zip(columns, chosen, strict=True):
        own = attribute(column, by_hierarchy=by_hierarchy)
        expected += sizes * own.losses(own.extents(Segments(rows, begins)))
    if all(column.values.null_count() == 0 for column in columns):  # a label may name the missing value alone
        assert found == pytest.approx(expected)
