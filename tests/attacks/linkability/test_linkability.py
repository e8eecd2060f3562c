"""``linkability``: values from two sources are linked where the nearest published records meet."""

import datetime as dt
import operator
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkability_oracle import chance, distances, to_label
from released import released
from shoal.anonymizers import Mondrian, methods
from shoal.attacks import Exposure, Linkability, attacks
from shoal.attacks.linkability import nearest_records
from shoal.attacks.linkability.label_distances import LabelDistances
from shoal.attacks.linkability.linkability import halved_columns
from shoal.attacks.linkability.nearest_records import NearestRecords
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.engines import LocalEngine
from shoal.errors import WordingError
from shoal.models import KAnonymity
from shoal.randomness import Randomness
from shoal.testing import tables

CHANCE = Randomness(1)
METHODS = ("mondrian", "mondrian:numbers=hierarchy", "microaggregation:method=mdav")


@st.composite
def exposures(draw: st.DrawFn) -> Exposure:
    """Tables of two to four columns as methods publish them, or with some columns told as nothing at all."""
    if draw(st.booleans()):
        return draw(released("table", min_quasi_identifiers=2, max_quasi_identifiers=4, max_records=6))
    table = draw(tables(min_records=2, max_records=6, min_quasi_identifiers=2))
    method = methods.read(draw(st.sampled_from(METHODS)))
    recoding = method.recode(table, [KAnonymity(2)], LocalEngine(), CHANCE)
    return Exposure(table, recoding.records, np.arange(len(table)))


@settings(max_examples=60, deadline=None)
@given(exposures(), st.integers(1, 3))
def test_success_is_how_often_picks_of_the_nearest_meet(exposure: Exposure, neighbors: int) -> None:
    truth, seen = exposure.tables
    left, right = ([column.name for column in side] for side in halved_columns(_known(exposure)))
    found = Linkability(tuple(left), tuple(right), neighbors).run(exposure, CHANCE)
    by_left, by_right = ([distances(truth, seen, side, row) for row in range(len(truth))] for side in (left, right))
    chances = [chance(*apart, neighbors) for apart in zip(by_left, by_right, strict=True)]
    expected = [chances[row] for row in exposure.published]
    assert found.main == pytest.approx(np.mean(expected), abs=1e-12)
    assert found.largest == pytest.approx(max(expected), abs=1e-12)
    own = [
        chance(by_left[row], by_right[row], neighbors, lambda both, at=exposure.place[row]: at in both)
        for row in exposure.published
    ]
    assert found.details["meets_at_own_record"] == pytest.approx(np.mean(own), abs=1e-12)
    assert found.baseline == pytest.approx(chance([0] * len(seen), [0] * len(seen), neighbors), abs=1e-12)
    outside = [chances[row] for row in range(len(truth)) if exposure.place[row] < 0]
    assert found.details["people_outside"] == len(outside)
    if outside:
        assert found.details["control_of_people_outside"] == pytest.approx(np.mean(outside), abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=7), st.integers(1, 4))
def test_the_chance_of_meeting_is_the_share_of_pairs_of_picks_that_do(
    apart: list[tuple[int, int]], wanted: int
) -> None:
    wanted = min(wanted, len(apart))
    left, right = ([each[side] for each in apart] for side in (0, 1))
    limits = sorted(left)[wanted - 1], sorted(right)[wanted - 1]
    near, tied = (
        [{at for at, each in enumerate(apart) if test(each[side], limits[side])} for side in (0, 1)]
        for test in (operator.lt, operator.eq)
    )
    both = [len(one & other) for one in (near[0], tied[0]) for other in (near[1], tied[1])]
    met = nearest_records._meet(wanted, len(near[0]), len(tied[0]), len(near[1]), len(tied[1]), *both)
    assert met == pytest.approx(chance(left, right, wanted), abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(exposures(), st.integers(1, 2), st.data())
def test_any_two_halves_are_looked_for(exposure: Exposure, neighbors: int, data: st.DataObject) -> None:
    truth, seen = exposure.tables
    left, right = ([column.name for column in side] for side in halved_columns(_known(exposure)))
    rows = st.lists(st.integers(0, len(truth) - 1), min_size=3, max_size=3).map(np.array)
    ones, others = data.draw(rows), data.draw(rows)
    records = NearestRecords(truth, seen, tuple(left), tuple(right))
    met = records.met(truth.take(ones), truth.take(others), None, neighbors)
    expected = [
        chance(distances(truth, seen, left, one), distances(truth, seen, right, other), neighbors)
        for one, other in zip(ones, others, strict=True)
    ]
    assert met.chances == pytest.approx(expected, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(tables(min_records=2, max_records=12, min_quasi_identifiers=2, missing=False, others=False), st.integers(2, 4))
def test_a_half_of_what_is_alike_for_k_people_never_links_better_than_one_in_k(table: Microdata, k: int) -> None:
    k = min(k, len(table))
    recoding = Mondrian().recode(table, [KAnonymity(k)], LocalEngine(), CHANCE)
    found = Linkability().run(Exposure(table, recoding.records, np.arange(len(table))), CHANCE)
    assert found.largest <= 1 / k + 1e-12


def test_the_distance_to_a_label_is_that_to_the_nearest_value_it_may_stand_for() -> None:
    ages = _column("age", [20, 25, 30, 40, None])
    told = ["[20, 25]", "40", "*", "missing or [30, 40]", "nonsense", "27.5", None]
    published = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(told))
    read = LabelDistances(ages, published)
    numbers = read.numbers(ages)
    gaps = read.to_labels(numbers)[:, read.codes]
    quarter, whole = 250_000_000, 10**9
    assert gaps.tolist() == [
        [0, whole, 0, 2 * quarter, whole, 375_000_000, whole],
        [0, 3 * quarter, 0, quarter, whole, 125_000_000, whole],
        [quarter, 2 * quarter, 0, 0, whole, 125_000_000, whole],
        [3 * quarter, 0, 0, 0, whole, 625_000_000, whole],
        [whole, whole, 0, 0, whole, whole, 0],
    ]


def test_days_are_near_and_words_are_not() -> None:
    days = _column("day", [dt.date(2020, 1, day) for day in (1, 3, 11)])
    mean = Column.encode("day", Role.QUASI_IDENTIFIER, pl.Series([dt.date(2020, 1, 2), dt.date(2020, 1, 11)]))
    read = LabelDistances(days, mean)
    assert read.to_labels(read.numbers(days))[:, read.codes].tolist() == [
        [10**8, 10**9],
        [10**8, 8 * 10**8],
        [9 * 10**8, 0],
    ]
    before = Column.encode("day", Role.QUASI_IDENTIFIER, pl.Series([dt.date(2019, 12, 31)]))
    read = LabelDistances(days, before)
    assert read.to_labels(read.numbers(days)).ravel().tolist() == [10**8, 3 * 10**8, 10**9]
    towns = _column("town", ["ash", "birch", "cedar"])
    told = Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series(["ash | cedar", "birch … cedar", "birch"]))
    read = LabelDistances(towns, told)
    assert (read.to_labels(read.numbers(towns))[:, read.codes] > 0).tolist() == [
        [False, True, True],
        [True, False, False],
        [False, False, True],
    ]


def test_whole_numbers_beyond_doubles_are_told_apart() -> None:
    far = _column("id", [2**60, 2**60 + 1, 2**60 + 4])
    read = LabelDistances(far, far)
    assert read.to_labels(read.numbers(far)).tolist()[0] == [0, 250_000_000, 10**9]


@given(tables(min_records=2, max_records=8, others=False))
def test_a_column_published_as_it_is_has_the_distances_of_its_values(table: Microdata) -> None:
    for column in table.quasi_identifiers:
        read = LabelDistances(column, column.compacted())
        gaps = read.to_labels(read.numbers(column))[:, read.codes]
        assert [line.tolist() for line in gaps] == [
            [to_label(column, column, int(one), int(other)) for other in column.codes] for one in column.codes
        ]


def test_a_hierarchy_says_what_is_under_a_label() -> None:
    age = _column("age", [21, 22, 38])
    age = age.with_hierarchy(
        Hierarchy.from_columns([pl.Series([21, 22, 38]), pl.Series(["young", "young", "old"]), pl.Series(["*"] * 3)])
    )
    told = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(["young", "old"]))
    read = LabelDistances(age, told)
    assert read.to_labels(read.numbers(age))[:, read.codes].tolist() == [
        [0, 10**9],
        [0, round(16 / 17 * 10**9)],
        [round(16 / 17 * 10**9), 0],
    ]


def test_columns_are_halved_by_what_they_tell_and_the_left_has_nothing_sensitive() -> None:
    many, some, few = (
        _column("many", list(range(8))),
        _column("some", [0, 0, 1, 1, 2, 2, 3, 3]),
        _column("few", [0] * 8),
    )
    secret = replace(_column("secret", [0, 1] * 4), role=Role.SENSITIVE)
    assert _names(halved_columns((few, some, many))) == (["many"], ["few", "some"])
    # some and what is sensitive tell together as much as many does, and are two columns
    assert _names(halved_columns((few, some, many, secret))) == (["few", "many"], ["some", "secret"])
    assert _names(halved_columns((few, secret))) == (["few"], ["secret"])
    assert _names(halved_columns((few,))) == (["few"], [])
    assert _names(halved_columns((few, replace(few, name="none")))) == (["few"], ["none"])


def test_columns_may_be_named_and_one_side_is_then_all_the_others() -> None:
    exposure = Exposure.of_itself(_table())
    both = attacks.read("linkability:left=age+sex,right=job").run(exposure, CHANCE)
    assert "bits_known_on_the_left age+sex" in both.details
    assert "bits_known_on_the_right job" in both.details
    rest = attacks.read("linkability:left=job").run(exposure, CHANCE)
    assert "bits_known_on_the_right age+sex+illness" in rest.details
    assert str(Linkability(("age", "sex"), ("Zip Code",))) == "linkability:left=age+sex,right=Zip Code,neighbors=1"


def test_the_control_is_of_people_outside_where_there_are_enough() -> None:
    n = 300
    age, job = np.arange(n), (np.arange(n) * 7) % n
    table = Microdata((_column("age", age.tolist()), _column("job", job.tolist())))
    for published, control_of in ((200, "people outside the release"), (201, "two different people")):
        place = np.where(np.arange(n) < published, np.arange(n), -1)
        found = Linkability().run(Exposure(table, table.take(np.arange(published)), place), CHANCE)
        assert found.control_of == control_of
        assert found.main == 1
        assert found.control < 0.05
        assert found.risk == 1
        assert {"control_of_people_outside", "control_of_two_different_people"} <= found.details.keys()
    asked = Linkability(control="outside").run(Exposure(table, table.take(np.arange(201)), place), CHANCE)
    assert asked.control_of == "people outside the release"
    assert asked.details["people_outside"] == 99


def test_people_outside_who_have_several_records_are_counted_once() -> None:
    """As many records are outside as are published, of other people: they are not taken for those of the targets."""
    pairs = [(0, 0), (1, 1), (2, 2), (3, 3), (0, 0), (1, 1), (0, 3), (1, 2)]
    columns = (_column("age", [age for age, _ in pairs]), _column("job", [job for _, job in pairs]))
    table = Microdata(columns, np.array([0, 0, 1, 1, 2, 3, 2, 3]))
    place = np.array([0, 1, 2, 3, -1, -1, -1, -1])
    seen = replace(table.take(np.arange(4)), persons=None)
    found = Linkability(control="outside").run(Exposure(table, seen, place), CHANCE)
    assert (found.main, found.control, found.targets, found.details["people_outside"]) == (1, 1, 2, 2)


def test_people_outside_may_be_given_with_values_that_nobody_has() -> None:
    table = Microdata((_column("age", [20, 30, 40]), _column("town", ["a", "b", "c"])))
    told = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(["[20, 30)", "[30, 40)", "[40, 50)"]))
    seen = table.replaced((told,))
    outside = Microdata((_column("age", [29.0, 31.0]), _column("town", ["a", "x"])))
    exposure = Exposure(table, seen, np.arange(3), outside=outside)
    found = Linkability(("age",), ("town",), control="outside").run(exposure, CHANCE)
    # 29 is in the first range, as is town a; 31 is in the second, and any town is as far from x
    assert found.details["control_of_people_outside"] == pytest.approx((1 + 1 / 3) / 2)
    assert found.control == found.details["control_of_people_outside"]
    lacking = replace(exposure, outside=Microdata((_column("age", [1]),)))
    assert Linkability().misfit(lacking) == "The table of people outside lacks columns of the table."
    words = replace(exposure, outside=Microdata((_column("age", ["1"]), _column("town", ["a"]))))
    assert Linkability().misfit(words) == "The table of people outside has values of another type than the table."


def test_nobody_links_where_all_are_published_alike_and_everybody_where_all_differ() -> None:
    table = Microdata((_column("age", list(range(9))), _column("job", list(range(9)))))
    raw = Linkability().run(Exposure.of_itself(table), CHANCE)
    assert (raw.main, raw.baseline, raw.control, raw.risk) == (1, pytest.approx(1 / 9), 0, 1)
    nothing = Microdata(
        tuple(Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series(["*"] * 9)) for name in ("age", "job"))
    )
    alike = Linkability().run(Exposure(table, nothing, np.arange(9)), CHANCE)
    assert (alike.main, alike.control, alike.risk) == (pytest.approx(1 / 9), pytest.approx(1 / 9), pytest.approx(0))


def test_it_takes_nearest_records_even_where_none_fits() -> None:
    """Labels that cannot be read match nobody: no record is nearer than another."""
    table = Microdata((_column("age", [1, 2]), _column("job", [3, 4])))
    nonsense = Microdata(
        tuple(Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series(["?", "!"])) for name in ("age", "job"))
    )
    assert Linkability().run(Exposure(table, nonsense, np.arange(2)), CHANCE).main == 0.5


def test_of_many_people_some_are_usually_attacked() -> None:
    for records, targets in ((10_000, None), (10_001, 9_999), (200_000, 1_000)):
        exposure = Exposure.of_itself(Microdata((_column("age", [1] * records),)))
        assert Linkability.usual(exposure) == (Linkability(targets=targets),)


def test_it_says_why_it_cannot_be_run() -> None:
    exposure = Exposure.of_itself(_table())
    takes_two = "It needs two columns, one of them not sensitive: one from each source."
    assert Linkability().misfit(Exposure.of_itself(Microdata((_column("age", [1]),)))) == takes_two
    not_published = "A named column is not published, or is an identifier."
    assert Linkability(("age",), ("shoe",)).misfit(exposure) == not_published
    assert Linkability(("age",), ("name",)).misfit(exposure) == not_published
    nobody = "Nobody is known to be outside: nobody was withheld, and no table of people outside was given."
    assert Linkability(control="outside").misfit(exposure) == nobody
    for wrong in ("neighbors=0", "targets=0", "left=a,right=a", "left=a+a", "control=inside"):
        with pytest.raises(WordingError):
            attacks.read(f"linkability:{wrong}")


def test_taking_more_records_links_more() -> None:
    exposure = Exposure.of_itself(_table())
    rates = [Linkability(neighbors=n).run(exposure, CHANCE).main for n in (1, 2, 6, 60)]
    assert rates == sorted(rates)
    assert rates[-1] == 1


def _table() -> Microdata:
    return Microdata(
        (
            Column.encode("name", Role.IDENTIFIER, pl.Series(list("abcdef"))),
            _column("age", [20, 20, 30, 40, 40, 50]),
            _column("sex", ["f", "m"] * 3),
            _column("job", ["a", "a", "b", "b", "c", "c"]),
            replace(_column("illness", ["x", "y", "z"] * 2), role=Role.SENSITIVE),
        )
    )


def _known(exposure: Exposure) -> tuple[Column, ...]:
    roles = (Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.INSENSITIVE)
    return tuple(
        column
        for column in exposure.tables[0].columns
        if column.role in roles and column.name in exposure.tables[1].names
    )


def _names(sides) -> tuple[list[str], list[str]]:
    left, right = ([column.name for column in side] for side in sides)
    return left, right


def _column(name: str, values: list) -> Column:
    return Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series(values))
