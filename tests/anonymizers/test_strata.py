"""Methods work within strata: no class crosses them, and they are published as they are."""

import pickle
from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from shoal.anonymizers import Allowance, Anonymizer, Recoding, methods
from shoal.anonymizers.strata import Strata, among_everybody
from shoal.data import Column, Microdata, Role
from shoal.engines import LocalEngine
from shoal.errors import DataError, PromiseNotKept
from shoal.evidence import Grouping
from shoal.models import promises
from shoal.randomness import Randomness
from shoal.road import publish
from shoal.testing.strategies import tables

_METHODS = ["lattice", "mondrian", "top-down", "microaggregation"]


@st.composite
def samples(draw: st.DrawFn, most: int = 30) -> Microdata:
    """Return a table with one or two strata columns, and numbers and words to generalize."""
    n = draw(st.integers(4, most))
    ages = draw(st.lists(st.integers(20, 40), min_size=n, max_size=n))
    towns = draw(st.lists(st.sampled_from(["ash", "birch", "cedar"]), min_size=n, max_size=n))
    columns = [
        Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(ages)),
        Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series(towns)),
    ]
    for name in ("region", "size")[: draw(st.integers(1, 2))]:
        values = draw(st.lists(st.sampled_from("ab"), min_size=n, max_size=n))
        columns.append(Column.encode(name, Role.STRATUM, pl.Series(values)))
    persons = draw(st.none() | st.lists(st.integers(0, n // 2), min_size=n, max_size=n))
    return Microdata(tuple(columns), persons=None if persons is None else np.array(persons, np.int64))


def people_by_class(table: Microdata, persons: np.ndarray | None) -> dict[tuple[object, ...], int]:
    """Count people by their published labels and strata, with nothing but dictionaries."""
    found: dict[tuple[object, ...], set[int]] = defaultdict(set)
    whose = range(len(table)) if persons is None else persons.tolist()
    names = [name for name in table.names if table[name].role in (Role.QUASI_IDENTIFIER, Role.STRATUM)]
    for person, key in zip(whose, table.frame().select(names).iter_rows(), strict=True):
        found[key].add(person)
    return {key: len(people) for key, people in found.items()}


@st.composite
def ill_or_well(draw: st.DrawFn) -> Microdata:
    """Return people of two regions in which an illness need not be equally common."""
    n = draw(st.integers(4, 24))
    ages, ill, regions = (
        draw(st.lists(some, min_size=n, max_size=n))
        for some in (st.integers(20, 40), st.sampled_from(["ill", "well", "?"]), st.sampled_from("ab"))
    )
    return Microdata(
        (
            Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(ages)),
            Column.encode("region", Role.STRATUM, pl.Series(regions)),
            Column.encode("illness", Role.SENSITIVE, pl.Series(ill)),
        )
    )


@pytest.mark.parametrize("name", ["lattice", "mondrian", "top-down"])
@settings(max_examples=40, deadline=None)
@given(table=ill_or_well(), t=st.sampled_from(["0.1", "0.25", "0.4"]))
def test_closeness_to_all_records_is_refused_only_where_a_whole_stratum_is_too_far(name, table, t) -> None:
    """If every class is within t of all records, so is each stratum; if each stratum is, it can be one class."""
    asked = promises.read(f"t-closeness:t={t}")
    column = table["illness"]
    regions = table["region"].values.to_list()
    possible = all(
        oracles.attribute_keeps(column, [row for row, each in enumerate(regions) if each == region], asked)
        for region in set(regions)
    )
    try:
        release, _ = publish(table, [asked], methods.read(name), accept=["empty"])
    except PromiseNotKept:
        assert not possible
        return
    assert possible
    assert oracles.holds(release.records, asked)


@pytest.mark.parametrize("name", _METHODS)
@settings(max_examples=25, deadline=None)
@given(table=samples(), k=st.integers(2, 3), share=st.sampled_from([Fraction(0), Fraction(1, 4)]))
def test_a_release_keeps_its_promise_within_each_stratum(name: str, table: Microdata, k: int, share: Fraction) -> None:
    try:
        release, ledger = publish(
            table, [promises.read(f"k-anonymity:k={k}")], methods.read(name), withhold=share, accept=["empty"]
        )
    except (PromiseNotKept, DataError):  # too few people in all, or in a stratum
        return
    published = release.records
    assert isinstance(published, Microdata)
    persons = None if table.persons is None else table.persons[ledger.origins]
    assert min(people_by_class(published, persons).values()) >= k
    for column in table.with_role(Role.STRATUM):
        assert published[column.name].role is Role.STRATUM
        assert published[column.name].values.to_list() == column.values.gather(ledger.origins).to_list()
    assert len(table) - len(published) <= share * len(table)


@settings(max_examples=50, deadline=None)
@given(samples())
def test_equivalence_classes_are_equal_in_strata_too(table: Microdata) -> None:
    grouping = LocalEngine().group(table)
    keys = list(table.frame().iter_rows())
    sizes = Counter(keys)
    assert grouping.n_groups == len(sizes)
    assert [int(np.count_nonzero(grouping.labels == label)) for label in grouping.labels] == [sizes[k] for k in keys]


def test_promises_among_all_strata_can_be_sent_elsewhere() -> None:
    everybody = LocalEngine().count(_ill(5), Grouping(np.zeros(10, np.int64), 1), sensitive=True)
    (model,) = among_everybody([promises.read("t-closeness:t=0.4")], everybody)
    groups = LocalEngine().count(_ill(8), Grouping(np.zeros(10, np.int64), 1), sensitive=True)
    sent = pickle.loads(pickle.dumps(model))
    alone = promises.read("t-closeness:t=0.4").judge(groups)
    assert sent.judge(groups).reached == model.judge(groups).reached != alone.reached


def _ill(n: int) -> Microdata:
    """Return ten people, so many of whom are ill."""
    return Microdata((Column.encode("ill", Role.SENSITIVE, pl.Series(["ill"] * n + ["well"] * (10 - n))),))


@settings(max_examples=50, deadline=None)
@given(samples(), st.integers(0, 10), st.integers(0, 10))
def test_the_parts_of_an_allowance_are_never_more_than_the_whole(table: Microdata, records: int, people: int) -> None:
    allowed = Allowance(records, people)
    try:
        strata = Strata.of(table, [promises.read("k-anonymity:k=3")], allowed)
    except PromiseNotKept:
        return
    gone = strata.too_small
    spent = len(gone.nonzero()[0]), len(set(gone.nonzero()[0] if table.persons is None else table.persons[gone]))
    assert spent[0] + sum(each.records for each in strata.allowances) <= records
    assert spent[1] + sum(each.people for each in strata.allowances) <= people
    assert sorted([*np.concatenate(strata.rows), *gone.nonzero()[0]]) == list(range(len(table)))


def test_strata_with_too_few_people_are_withheld_where_that_is_allowed() -> None:
    regions = pl.Series(["a"] * 8 + ["b"] * 2)
    table = Microdata(
        (
            Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([30, 31] * 5)),
            Column.encode("region", Role.STRATUM, regions),
        )
    )
    asked, method = [promises.read("k-anonymity:k=3")], methods.read("mondrian")
    with pytest.raises(PromiseNotKept, match="1 of 2 strata have fewer than 3 people"):
        publish(table, asked, method)
    release, _ = publish(table, asked, method, withhold=Fraction(1, 5))
    assert isinstance(release.records, Microdata)
    assert set(release.records["region"].values) == {"a"}


@settings(max_examples=60, deadline=None)
@given(tables(min_records=1), st.data())
def test_a_table_put_together_from_strata_is_the_table(table: Microdata, data: st.DataObject) -> None:
    values = data.draw(st.lists(st.sampled_from("xyz"), min_size=len(table), max_size=len(table)))
    table = Microdata((*table.columns, Column.encode("stratum", Role.STRATUM, pl.Series(values, dtype=pl.String))))
    none: Anonymizer = methods.read("none")
    again = none.recode(table, [], LocalEngine(), Randomness(1)).records
    assert isinstance(again, Microdata)
    assert again.frame().equals(table.frame(), null_equal=True)
    assert again.names == table.names


@dataclass(frozen=True)
class _WithoutTheOldest(Anonymizer):
    """Withholds the oldest records of what it is given."""

    name = "without-the-oldest"
    kinds = frozenset({"table"})

    def _recode(self, records, models, engine, randomness, max_withheld):
        assert isinstance(records, Microdata)
        ages = records["age"].values.to_numpy()
        return Recoding(records, withheld=ages == ages.max(), remarks=("Some are too old.",))


@settings(max_examples=50, deadline=None)
@given(samples())
def test_what_a_method_withholds_in_a_stratum_stays_withheld(table: Microdata) -> None:
    recoding = _WithoutTheOldest().recode(table, [], LocalEngine(), Randomness(1))
    strata = [tuple(row) for row in table.frame().select(c.name for c in table.with_role(Role.STRATUM)).iter_rows()]
    ages = table["age"].values.to_list()
    oldest = {here: max(age for age, there in zip(ages, strata, strict=True) if there == here) for here in strata}
    assert recoding.withheld is not None
    assert recoding.withheld.tolist() == [age == oldest[here] for age, here in zip(ages, strata, strict=True)]
    assert recoding.remarks == ("Some are too old.",)
