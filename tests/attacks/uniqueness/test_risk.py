"""``risk``: prosecutor, journalist and marketer."""

from typing import Literal

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from released import released
from shoal.anonymizers import Mondrian
from shoal.attacks import Exposure, TableRisk
from shoal.attacks.uniqueness.risk import population_sizes
from shoal.data import Column, Microdata, Role
from shoal.datasets.papers.thesis_tables import microdata_of, thesis_3_1, thesis_3_2
from shoal.engines import LocalEngine
from shoal.models import KAnonymity
from shoal.randomness import Randomness
from shoal.testing import tables
from shoal.testing.check_anonymizer import covers

CHANCE = Randomness(1)


@given(released("table"))
def test_a_prosecutor_has_as_many_candidates_as_look_alike(exposure: Exposure) -> None:
    rows = oracles.tuples(exposure.tables[1])
    sizes = [rows.count(rows[place]) for place in exposure.place if place >= 0]
    found = TableRisk("prosecutor").run(exposure, CHANCE)
    assert found.targets == len(sizes)
    assert found.main == pytest.approx(sum(1 / size for size in sizes) / len(sizes))
    assert found.largest == pytest.approx(1 / min(sizes))
    assert found.baseline == pytest.approx(1 / len(rows))
    assert dict(found.details) == pytest.approx(
        {
            "unique_records": sizes.count(1) / len(sizes),
            "records_at_risk_above_0_09": sum(size <= 11 for size in sizes) / len(sizes),
            "smallest_group": min(sizes),
            "expected_people_found": len(set(rows)),
        }
    )
    assert TableRisk("marketer").run(exposure, CHANCE).main == pytest.approx(found.main)


@settings(max_examples=30)
@given(tables(min_records=2, max_records=8), st.integers(2, 4), st.sampled_from(["cut", "hierarchy"]), st.data())
def test_a_journalist_has_as_many_candidates_as_the_labels_cover(
    table: Microdata, k: int, numbers: Literal["cut", "hierarchy"], data: st.DataObject
) -> None:
    """The population is the table itself and some more; labels are those of Mondrian."""
    k = min(k, len(table))
    recoding = Mondrian(numbers=numbers).recode(table, [KAnonymity(k)], LocalEngine(), CHANCE)
    more = data.draw(st.lists(st.integers(0, len(table) - 1), max_size=5))
    population = table.take(np.array([*range(len(table)), *more]))
    exposure = Exposure(table, recoding.records, np.arange(len(table)), population=population)
    sizes = population_sizes(exposure)
    assert sizes.covered.tolist() == sizes.possible.tolist(), "with hierarchies, all is known"
    counted = sizes.covered[exposure.group_of]
    everybody = [*range(len(table)), *more]
    for row in range(len(table)):
        assert counted[row] == sum(fits(*exposure.tables, row, person) for person in everybody)
    found = TableRisk("journalist").run(exposure, CHANCE)
    assert found.main == pytest.approx(np.mean(1 / counted))
    assert found.baseline == pytest.approx(1 / len(population))


def fits(table: Microdata, seen: Microdata, row: int, person: int) -> bool:
    """Whether the labels of a row are true of a person."""
    pairs = ((column, seen[column.name]) for column in table.quasi_identifiers)
    return all(
        covers(
            published.vocabulary.values.cast(pl.String)[int(published.codes[row])], column, int(column.codes[person])
        )
        for column, published in pairs
    )


def test_the_population_of_a_published_table() -> None:
    header = {"Age": Role.QUASI_IDENTIFIER, "Country": Role.QUASI_IDENTIFIER, "Zip Code": Role.QUASI_IDENTIFIER}
    people = (
        *((27, "USA", "14248"), (28, "Canada", "14207"), (25, "USA", "14211"), (29, "USA", "15211")),
        *((41, "China", "13053"), (48, "Japan", "13074"), (29, "USA", "14199"), (29, "USA", "14299")),
    )
    exposure = Exposure(thesis_3_1(), thesis_3_2(), np.arange(12), population=microdata_of(header, people))
    sizes = population_sizes(exposure)
    # <30 is a label of the hierarchy: 29 is not in the table, so nothing says whether it is below
    assert sizes.covered.tolist() == [2 + 1, 2, 0]
    assert sizes.possible.tolist() == [2 + 1 + 1, 2, 0]
    found = TableRisk("journalist").run(exposure, CHANCE)
    # as many records as people look alike in the table; nobody fits the third group, so anybody of 12 is guessed
    assert found.main == pytest.approx((4 / 4 + 4 / 4 + 4 / 12) / 12)


def test_nobody_else_is_found_by_the_knowledge_of_somebody_else() -> None:
    table = Microdata((Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([1, 2])),))
    found = TableRisk().run(Exposure.of_itself(table), CHANCE)
    assert (found.main, found.baseline, found.control) == (1.0, 0.5, 0.0)


def test_eleven_are_above_the_threshold_and_twelve_are_not() -> None:
    for size, share in ((11, 1.0), (12, 0.0)):
        table = Microdata((Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([1] * size)),))
        found = TableRisk().run(Exposure.of_itself(table), CHANCE)
        assert found.details["records_at_risk_above_0_09"] == share


def test_it_says_why_it_cannot_be_run() -> None:
    table = thesis_3_1()
    assert TableRisk("journalist").misfit(Exposure.of_itself(table)) == "It needs a table of the population."
    other = Microdata((Column.encode("shoe", Role.QUASI_IDENTIFIER, pl.Series([1])),))
    lacking = Exposure.of_itself(table, population=other)
    assert TableRisk("marketer").misfit(lacking) == "The population lacks quasi-identifiers of the table."
    assert TableRisk("prosecutor").misfit(lacking) is None
    secret = Exposure.of_itself(Microdata((Column.encode("shoe", Role.SENSITIVE, pl.Series([1])),)))
    assert TableRisk().misfit(secret) == "The table has no quasi-identifier."


@given(released("table"), st.data())
def test_who_also_knows_the_insensitive_columns_has_the_candidates_alike_in_both(
    exposure: Exposure, data: st.DataObject
) -> None:
    truth, seen = exposure.tables
    shoes = data.draw(st.lists(st.integers(0, 2), min_size=len(seen), max_size=len(seen)))
    plain = [column for column in seen.columns if column.role is not Role.INSENSITIVE]
    worn = Column.encode("shoes", Role.INSENSITIVE, pl.Series(shoes))
    exposure = Exposure(truth, Microdata((*plain, worn)), exposure.place, promises=(KAnonymity(2),))
    rows = list(zip(oracles.tuples(seen), shoes, strict=True))
    sizes = [rows.count(rows[place]) for place in exposure.place if place >= 0]
    found = TableRisk("prosecutor", "insensitive").run(exposure, CHANCE)
    assert str(TableRisk("prosecutor", "insensitive")) == "risk:model=prosecutor,knows=insensitive"
    assert found.main == pytest.approx(sum(1 / size for size in sizes) / len(sizes))
    assert found.details["unique_records"] == pytest.approx(sizes.count(1) / len(sizes))
    assert found.details["records_below_promised_k"] == pytest.approx(sum(size < 2 for size in sizes) / len(sizes))
    assert TableRisk("marketer", "insensitive").run(exposure, CHANCE).main == pytest.approx(found.main)
    assert found.main >= TableRisk().run(exposure, CHANCE).main
    assert TableRisk("prosecutor", "insensitive") in TableRisk.usual(exposure)


def test_whoever_knows_insensitive_columns_needs_some_and_no_population() -> None:
    table = thesis_3_1()
    also = TableRisk("prosecutor", "insensitive")
    assert also.misfit(Exposure.of_itself(table)) == "The table has no insensitive column."
    plain = Microdata((*table.columns, Column.encode("shoe", Role.INSENSITIVE, pl.Series([1] * len(table)))))
    assert also.misfit(Exposure.of_itself(plain)) is None
    alone = "A population is searched by quasi-identifiers alone."
    for model in ("journalist", "marketer"):
        assert TableRisk(model, "insensitive").misfit(Exposure.of_itself(plain, population=plain)) == alone


def test_all_three_are_usually_run() -> None:
    assert [str(each) for each in TableRisk.usual(Exposure.of_itself(thesis_3_1()))] == [
        "risk:model=prosecutor",
        "risk:model=journalist",
        "risk:model=marketer",
    ]
