"""``risky-columns``: which few quasi-identifiers single people out."""

from dataclasses import replace
from itertools import combinations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from released import released
from shoal.attacks import Exposure, RiskyColumns
from shoal.data import Column, Microdata, Role
from shoal.datasets.papers.thesis_tables import thesis_3_1
from shoal.errors import WordingError
from shoal.randomness import Randomness

CHANCE = Randomness(1)


@given(released("table", max_quasi_identifiers=5), st.integers(1, 4))
def test_every_combination_is_tried(exposure: Exposure, most: int) -> None:
    seen = exposure.tables[1]
    columns = [column for column in seen.columns if column.role == "quasi-identifier"]
    some = [few for n in range(1, most + 1) for few in combinations(columns, n)]
    rows = {few: list(zip(*(column.values.to_list() for column in few), strict=True)) for few in some}
    unique = {few: sum(rows[few].count(row) == 1 for row in rows[few]) / len(seen) for few in some}
    found = RiskyColumns(most).run(exposure, CHANCE)
    published = [place for place in exposure.place if place >= 0]
    by_classes = {few: len(set(rows[few])) / len(published) for few in some}
    assert found.main == pytest.approx(max(by_classes.values()))
    assert found.baseline == pytest.approx(1 / len(seen))
    told = {f"unique_by {'+'.join(column.name for column in few)}": share for few, share in unique.items()}
    details = dict(found.details)
    assert details.pop("combinations") == len(some)
    assert details.pop("largest_unique_share") == pytest.approx(max(unique.values()))
    assert list(details.values()) == pytest.approx(sorted(filter(None, unique.values()), reverse=True)[:10])
    assert all(told[name] == pytest.approx(share) for name, share in details.items())


def test_of_combinations_that_do_as_well_the_smaller_comes_first() -> None:
    columns = {"town": [1, 1, 2, 2], "card": [1, 2, 3, 4], "sex": [1, 2, 1, 2]}
    table = Microdata(tuple(_column(name, values) for name, values in columns.items()))
    found = RiskyColumns().run(Exposure.of_itself(table), CHANCE)
    assert list(found.details.items()) == [
        ("combinations", 7),
        ("largest_unique_share", 1.0),
        ("unique_by card", 1.0),
        ("unique_by town+card", 1.0),
        ("unique_by town+sex", 1.0),
        ("unique_by card+sex", 1.0),
        ("unique_by town+card+sex", 1.0),
    ]
    one = RiskyColumns(1).run(Exposure.of_itself(table.replaced((_column("card", [1, 1, 1, 4]),))), CHANCE)
    # two classes of two by town or sex tell as much as classes of three and one by card; the first is taken
    assert one.main == pytest.approx(2 / 4)
    assert one.largest == 0.5
    assert one.details["unique_by card"] == 0.25


def test_two_columns_may_single_out_where_none_does() -> None:
    exposure = Exposure.of_itself(Microdata((_column("town", [1, 1, 2, 2]), _column("sex", [1, 2, 1, 2]))))
    assert RiskyColumns(1).run(exposure, CHANCE).main == 0.5
    assert RiskyColumns(2).run(exposure, CHANCE).main == 1.0


def test_nobody_else_is_found_by_the_knowledge_of_somebody_else() -> None:
    found = RiskyColumns().run(Exposure.of_itself(Microdata((_column("age", [1, 2]),))), CHANCE)
    assert (found.main, found.baseline, found.control) == (1.0, 0.5, 0.0)


def test_fewer_columns_are_usually_combined_where_there_are_many() -> None:
    assert RiskyColumns.usual(Exposure.of_itself(thesis_3_1())) == (RiskyColumns(3),)
    for records, columns, most in ((5_547, 60, 3), (5_548, 60, 2), (4_430, 300, 1)):
        one = _column("column", [1] * records)
        wide = Microdata(tuple(replace(one, name=f"column {at}") for at in range(columns)))
        assert RiskyColumns.usual(Exposure.of_itself(wide)) == (RiskyColumns(most),)


def test_it_says_why_it_cannot_be_run() -> None:
    secret = Microdata((Column.encode("shoe", Role.SENSITIVE, pl.Series([1])),))
    assert RiskyColumns().misfit(Exposure.of_itself(secret)) == "The table has no quasi-identifier."
    with pytest.raises(WordingError):
        RiskyColumns(0)


def _column(name: str, values: list[int]) -> Column:
    return Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series(values))
