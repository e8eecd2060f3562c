"""Distinction, separation, keys and dependencies are those that comparing all records one by one finds."""

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from profiling_oracle import alone, is_function, minimal_keys, ratios
from shoal.profiling import ColumnValues
from shoal.profiling.column_dependencies import column_dependencies
from shoal.profiling.minimal_keys import minimal_keys as found_keys
from shoal.profiling.row_sample import RowSample
from shoal.profiling.separation import riskiest_sets, separation

ROWS = st.integers(1, 25).flatmap(
    lambda n: st.lists(st.lists(st.none() | st.integers(0, 4), min_size=n, max_size=n), min_size=1, max_size=5)
)


def columns_of(table: dict[str, list]) -> list[ColumnValues]:
    return [ColumnValues(name, pl.Series(values, dtype=pl.Int64)) for name, values in table.items()]


def named(lists: list[list]) -> dict[str, list]:
    return {f"c{i}": values for i, values in enumerate(lists)}


@given(ROWS, st.data())
def test_ratios_and_who_is_alone(lists: list[list], data) -> None:
    rows = [*zip(*lists, strict=True)]
    persons = data.draw(st.lists(st.integers(0, 5), min_size=len(rows), max_size=len(rows)))
    found = separation(columns_of(named(lists)))
    assert (found.distinction, found.separation) == ratios(rows)
    assert found.alone == alone(rows, range(len(rows)))
    assert separation(columns_of(named(lists)), np.array(persons)).alone == alone(rows, persons)


@given(ROWS, st.integers(1, 30))
def test_sets_that_are_shown_are_counted_in_all_records(lists: list[list], sampled: int) -> None:
    table = named(lists)
    columns = columns_of(table)
    for found in riskiest_sets(columns, sample=RowSample(columns, sampled)):
        rows = [*zip(*(table[name] for name in found.columns), strict=True)]
        assert (found.distinction, found.separation) == ratios(rows)


@given(ROWS, st.integers(1, 30))
def test_minimal_keys_are_all_there_are(lists: list[list], sampled: int) -> None:
    table = named(lists)
    columns = columns_of(table)
    found = found_keys(columns, RowSample(columns, sampled))
    telling = {name: values for name, values in table.items() if len(set(values)) > 1}
    assert {frozenset(key) for key in found.keys} == minimal_keys(telling, 4)
    assert found.complete


def test_a_mark_that_is_there_or_missing_tells_records_apart() -> None:
    half = [*range(100)] * 2
    mark = [1] * 100 + [None] * 100
    columns = columns_of({"half": half, "mark": mark, "again": mark, "other": [0] * 100 + [1] * 100})
    assert ("half", "mark") in found_keys(columns).keys
    assert ("mark",) in [each.columns for each in riskiest_sets(columns)]
    assert {(each.column, each.determines, each.same) for each in column_dependencies(columns)} == {
        ("mark", "again", True),
        ("mark", "other", False),
        ("again", "other", False),
    }


def test_keys_say_where_the_budget_ended(monkeypatch) -> None:
    monkeypatch.setattr("shoal.profiling.minimal_keys._BUDGET", 0)
    columns = columns_of({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]})
    found = found_keys(columns, RowSample(columns, 1))
    assert (found.keys, found.complete) == ((), False)


def test_dependencies_are_found_with_and_without_a_sample() -> None:
    generator = np.random.default_rng(1)
    town = generator.integers(0, 400, 5_000)
    county = town // 20
    noisy = np.where(generator.random(5_000) < 0.02, 0, county)
    free = generator.integers(0, 9, 5_000)
    rare = np.arange(5_000) // 2  # everybody has one twin
    table = {"town": town, "county": county, "noisy": noisy, "free": free, "rare": rare, "again": town.copy()}
    columns = columns_of({name: values.tolist() for name, values in table.items()})
    every = column_dependencies(columns)
    assert {(each.column, each.determines, each.exact) for each in every if not each.mutual} >= {
        ("town", "county", True),
        ("town", "noisy", False),
    }
    assert [(each.column, each.determines) for each in every if each.same] == [("town", "again")]
    for each in every:
        assert each.exact == is_function(table[each.column].tolist(), table[each.determines].tolist())
    assert not any("free" in (each.column, each.determines) for each in every)
    for sampled in (300, 2_500):
        assert column_dependencies(columns, sample=RowSample(columns, sampled)) == every


def test_people_with_many_records_count_once() -> None:
    # one person has two values of the second column in forty records; everybody else has what the first says
    first = [0] * 40 + [*range(1, 21)] * 4
    second = [0, 1] * 20 + [each % 5 for each in range(1, 21)] * 4
    persons = np.array([0] * 40 + [*range(1, 81)])
    columns = columns_of({"a": first, "b": second})
    assert not any(each.column == "a" for each in column_dependencies(columns))
    assert [each.column for each in column_dependencies(columns, persons)] == ["a"]
