"""Random COUNT queries against answering them person by person."""

import dataclasses
import math
from datetime import date
from fractions import Fraction
from statistics import fmean, median

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import label_oracle
import utility_oracle
from comparisons import compared, rated, ratings_before_and_after, tables_before_and_after
from published_tables import plain, published_tables
from shoal.data import PRESENT, Column, Microdata, Ratings, Role
from shoal.errors import WordingError
from shoal.utility import MEASURES, Comparison, Queries
from shoal.utility.queries.attributes import domain_sizes, ordered_names
from shoal.utility.queries.query_error import count_queries, query_errors

AVERAGE, MEDIAN = MEASURES["average query error"], MEASURES["median query error"]


def told(comparison: Comparison) -> tuple[list[list], list[list], list[dict]]:
    """Originals and published as rows of values and labels, and by place what a label may stand for."""
    whole, published = comparison.whole, comparison.published
    if isinstance(whole, Ratings) and isinstance(published, Ratings):
        rows = [_codes(each, null=whole.scale.points) for each in (whole, published)]
        places = len(whole.observable.items) + len(whole.sensitive.items)
        return rows[0], rows[1], [{code: {code} for code in range(whole.scale.points + 1)}] * places
    assert isinstance(whole, Microdata)
    assert isinstance(published, Microdata)
    columns = plain(comparison, *Role).values()
    before = [[column.domain.index(value) for value in column.originals] for column in columns]
    after = [column.labels for column in columns]
    stands = [
        {
            label: {column.domain.index(value) for value in label_oracle.meaning(column, label)[0]}
            for label in column.labels
        }
        for column in columns
    ]
    return [list(row) for row in zip(*before, strict=True)], [list(row) for row in zip(*after, strict=True)], stands


def _codes(ratings: Ratings, null: int) -> list[list[int]]:
    both = zip(ratings.observable.dense().tolist(), ratings.sensitive.dense().tolist(), strict=True)
    return [[null if code < 0 else code for code in seen + secret] for seen, secret in both]


def compared_pair(pair: tuple[Ratings, Ratings], withheld: int) -> Comparison:
    return compared(*pair, withheld=withheld)


def expected_errors(comparison: Comparison, queries) -> list[float]:
    originals, published, stands = told(comparison)
    shift = len(comparison.whole.observable.items) if isinstance(comparison.whole, Ratings) else 0
    errors = []
    for query in queries:
        asked = {
            place + shift * sensitive: set(np.flatnonzero(chosen).tolist())
            for (sensitive, place), chosen in query.items()
        }
        act, est = utility_oracle.count_query(originals, published, stands, asked)
        if comparison.queries.sanity == 0:
            errors += [abs(act - est) / act] if act else []
        else:
            errors.append(abs(act - est) / max(act, 1, len(originals) * comparison.queries.sanity))
    return errors


ASKED = st.builds(
    Queries,
    st.integers(1, 5),
    st.fractions(Fraction(1, 1000), 1, max_denominator=1000),
    st.integers(1, 20),
    st.just(Fraction(0)) | st.fractions(0, 1, max_denominator=1000),
)


@settings(max_examples=30)
@given(
    comparison=st.builds(compared_pair, ratings_before_and_after(), st.integers(0, 3)) | published_tables(), asked=ASKED
)
def test_queries_are_answered_as_person_by_person(comparison, asked):
    comparison = dataclasses.replace(comparison, queries=asked)
    sizes = domain_sizes(comparison)
    if all(sensitive for sensitive, _ in sizes):
        return
    queries = count_queries(sizes, np.random.default_rng(0), asked, ordered_names(comparison))
    assert query_errors(comparison, queries).tolist() == pytest.approx(expected_errors(comparison, queries))


def test_average_and_median_are_of_the_errors_of_a_hundred_queries():
    before = rated(np.random.default_rng(1).integers(-1, 5, (60, 6)).tolist())
    after = rated(np.random.default_rng(2).integers(-1, 5, (60, 6)).tolist())
    comparison = compared(before, after)
    queries = count_queries(domain_sizes(comparison), comparison.generator("count queries"), Queries())
    errors = expected_errors(comparison, queries)
    assert len(errors) == 100
    assert AVERAGE(comparison) == pytest.approx(fmean(errors)) != 0
    assert MEDIAN(comparison) == pytest.approx(median(errors))


def test_queries_ask_for_as_much_as_they_should():
    """Three plain attributes and a sensitive one: ⌈|A| · 0.1^¼⌉ values each, none of them beyond the domain."""
    sizes = {(False, place): 5 + place % 2 for place in range(8)} | {(True, 0): 20}
    for query in count_queries(sizes, np.random.default_rng(0), Queries()):
        assert [name[0] for name in query] == [False, False, False, True]
        for name, chosen in query.items():
            assert chosen.sum() == math.ceil(sizes[name] * 0.1**0.25)
            assert not chosen[sizes[name] :].any()


def test_of_sets_one_of_two_values_is_asked_for_so_that_what_was_dropped_counts():
    """By the formula, three items and a sensitive one would be asked for both values each: who has it or not."""
    chance = np.random.default_rng(1)
    secret = np.where(chance.random((40, 1)) < 0.5, 0, -1).tolist()
    before, after = (np.where(chance.random((40, 6)) < share, 0, -1).tolist() for share in (0.5, 0.3))
    comparison = compared(rated(before, secret, PRESENT), rated(after, secret, PRESENT))
    sizes, draws = domain_sizes(comparison), comparison.generator("count queries")
    queries = count_queries(sizes, draws, Queries(), one_value=True)
    assert all(chosen.sum() == 1 for query in queries for chosen in query.values())
    assert AVERAGE(comparison) == pytest.approx(fmean(expected_errors(comparison, queries)))
    assert AVERAGE(comparison) > 0


@settings(max_examples=60)
@given(
    plain=st.lists(st.integers(1, 30), min_size=1, max_size=6),
    sensitive=st.lists(st.integers(1, 30), max_size=2),
    asked=ASKED,
)
def test_width_selectivity_and_count_are_settings(plain, sensitive, asked):
    """b is the least number of values that would select at least s if values were spread evenly: (b/|A|)^q ≥ s."""
    sizes = {(False, i): n for i, n in enumerate(plain)} | {(True, i): n for i, n in enumerate(sensitive)}
    queries = count_queries(sizes, np.random.default_rng(0), asked)
    assert len(queries) == asked.count
    predicates = min(asked.width, len(plain)) + bool(sensitive)
    for query in queries:
        assert len(query) == predicates
        assert sum(name[0] for name in query) == bool(sensitive)
        for name, chosen in query.items():
            enough = [b for b in range(sizes[name] + 1) if Fraction(b, sizes[name]) ** predicates >= asked.selectivity]
            assert chosen.sum() == enough[0]


def test_a_comparison_asks_its_own_queries():
    before = rated(np.random.default_rng(1).integers(-1, 5, (60, 6)).tolist())
    after = rated(np.random.default_rng(2).integers(-1, 5, (60, 6)).tolist())
    asked = Queries(width=1, selectivity=Fraction(1, 2), count=7)
    comparison = dataclasses.replace(compared(before, after), queries=asked)
    queries = count_queries(domain_sizes(comparison), comparison.generator("count queries"), asked)
    assert AVERAGE(comparison) == pytest.approx(fmean(expected_errors(comparison, queries)))
    assert AVERAGE(comparison) != AVERAGE(compared(before, after))


@pytest.mark.parametrize(
    "wrong", [{"width": 0}, {"selectivity": 0}, {"selectivity": "3/2"}, {"count": 0}, {"sanity": -1}, {"sanity": 2}]
)
def test_queries_that_ask_nothing_are_refused(wrong):
    with pytest.raises(WordingError, match=next(iter(wrong))):
        Queries(**wrong)


@settings(max_examples=30)
@given(pair=ratings_before_and_after() | tables_before_and_after())
def test_what_is_published_as_it_is_answers_every_query(pair):
    comparison = compared(pair[0], pair[0])
    if any(not sensitive for sensitive, _ in domain_sizes(comparison)):
        assert AVERAGE(comparison) == pytest.approx(0, abs=1e-12)


def test_an_answer_of_nothing_is_held_against_one_record_in_a_thousand():
    """All 3,000 rate 5 and are published as 1: a query for 1 is 0 and estimated 3,000; off by 3,000 / 3."""
    comparison = compared(rated([[4]] * 3000), rated([[0]] * 3000))
    assert query_errors(comparison, [{(False, 0): np.array([True, False, False, False, False, False])}]) == [1000]
    assert query_errors(comparison, [{(False, 0): np.array([False, False, False, False, True, False])}]) == [1]


def test_without_a_sanity_bound_a_query_whose_answer_is_nothing_has_no_error():
    """All rate 5 and are published as 1; of the two queries one is 0, and the other is off by all it counts."""
    comparison = dataclasses.replace(
        compared(rated([[4]] * 3000), rated([[0]] * 3000)), queries=Queries(sanity=Fraction(0))
    )
    queries = [{(False, 0): np.array(mask)} for mask in ([1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0])]
    queries = [{name: chosen.astype(bool) for name, chosen in query.items()} for query in queries]
    assert query_errors(comparison, queries).tolist() == [1]
    assert not len(query_errors(comparison, queries[:1]))


def test_labels_of_two_columns_are_taken_to_be_independent():
    """Two of four people are (31, north): each label stands for two values, so a quarter of four is expected."""
    ages, places = [31, 31, 47, 47], ["north", "north", "south", "south"]
    before, after = (
        Microdata(tuple(Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series(values)) for name, values in columns))
        for columns in ((("age", ages), ("place", places)), (("age", ["*"] * 4), ("place", ["*"] * 4)))
    )
    query = {(False, 0): np.array([True, False, False]), (False, 1): np.array([True, False, False])}
    assert query_errors(compared(before, after), [query]) == [abs(2 - 4 / 4) / 2]


def test_numbers_are_asked_about_by_ranges():
    """Two thirds of ten numbers, one beside the other; and words in no order."""
    sizes, ordered = {(False, 0): 10, (False, 1): 10}, {(False, 0)}
    queries = count_queries(sizes, np.random.default_rng(0), Queries(), ordered)
    wanted = math.ceil(10 * 0.1**0.5)
    asked = [np.flatnonzero(query[False, 0]).tolist() for query in queries]
    assert all(places == list(range(places[0], places[0] + wanted)) for places in asked)
    assert {places[0] for places in asked} == set(range(10 - wanted + 1))
    words = [np.flatnonzero(query[False, 1]).tolist() for query in queries]
    assert any(places[-1] - places[0] >= wanted for places in words)


def test_only_columns_of_numbers_and_dates_have_ranges():
    columns = [("age", [31, 47]), ("place", ["north", "south"]), ("born", [date(1990, 1, 1), date(1991, 1, 1)])]
    table = Microdata(
        (
            *(Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series(values)) for name, values in columns),
            Column.encode("pay", Role.SENSITIVE, pl.Series([1.5, 2.5])),
            Column.encode("shoe", Role.INSENSITIVE, pl.Series([40, 41])),
        )
    )
    assert ordered_names(compared(table, table)) == {(False, 0), (False, 2), (True, 3)}


def test_null_is_a_value_where_not_everybody_rated():
    ratings = rated([[0, 1, -1], [0, -1, -1]], [[1], [-1]])
    assert domain_sizes(compared(ratings, ratings)) == {(False, 0): 5, (False, 1): 6, (True, 0): 6}


def test_the_seed_decides_which_queries_are_asked():
    before = rated(np.random.default_rng(1).integers(-1, 5, (60, 6)).tolist())
    after = rated(np.random.default_rng(2).integers(-1, 5, (60, 6)).tolist())
    found = [AVERAGE(Comparison(before, np.arange(60), after, np.array([60]), seed=seed)) for seed in (0, 0, 1)]
    assert found[0] == found[1] != found[2]
