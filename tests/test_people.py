"""The unit of protection is the person: however often somebody is in a table, they count once."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
import people_oracle
from shoal import road
from shoal.anonymizers import (
    Allowance,
    Decomposition,
    Lattice,
    Microaggregation,
    Mondrian,
    Nothing,
    Specialization,
    TopDown,
)
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.engines import LocalEngine, judge
from shoal.errors import GuaranteeError, InputError, WordingError
from shoal.evidence import NeedGroups
from shoal.models import (
    KAnonymity,
    LDiversity,
    PAlphaSensitive,
    PPlusAlphaSensitive,
    PPlusSensitive,
    PrivacyModel,
    PSensitive,
    TCloseness,
)
from shoal.randomness import Randomness
from shoal.testing import strategies

MODELS = [
    KAnonymity(2),
    KAnonymity(3),
    LDiversity(2),
    LDiversity(Fraction(3, 2), kind="entropy"),
    LDiversity(2, kind="recursive", c=Fraction(2)),
    PSensitive(2, k=3),
    PPlusSensitive(2),
    PAlphaSensitive(2, alpha=Fraction(1)),
    PPlusAlphaSensitive(2, k=2, alpha=Fraction(1, 2)),
    TCloseness(Fraction(1, 3)),
    TCloseness(Fraction(2, 5), distance="ordered"),
]
METHODS = [
    Nothing(),
    Mondrian(),
    Mondrian(mode="relaxed"),
    TopDown(),
    TopDown(looked_ahead=0),
    Specialization(),
    Specialization(numbers="split", score="plus-one"),
    Lattice(),
    Lattice(loss="discernability"),
    Microaggregation(passes=1),
    Microaggregation(method="mdav"),
    Microaggregation(method="v-mdav"),
    Decomposition(Fraction(1, 3)),
    Decomposition(Fraction(1, 3), further="chain"),
]


@st.composite
def tables_of_people(draw, **sizes):
    """Tables in which people have several records, some of them the same in everything."""
    few = draw(strategies.tables(max_records=6, **sizes))
    rows = draw(st.lists(st.integers(0, len(few) - 1), min_size=1, max_size=16))
    persons = draw(people_oracle.person_lists(len(rows)))
    return replace(few.take(np.array(rows, np.int64)), persons=np.array(persons, np.int64)), persons


def cannot_be_asked(table: Microdata, persons: list[int], model: PrivacyModel) -> bool:
    """Whether there are too few people for a promise, or not what it speaks of."""
    need = model.need
    assert isinstance(need, NeedGroups)
    lacks = need.sensitive and (not table.sensitive or need.declared is not None)
    return len(set(persons)) < model.fewest_records or lacks


def visits() -> Microdata:
    """Two hundred patients with five visits each, of whom nobody looks like anybody else."""
    patients = np.repeat(np.arange(200), 5)
    return Microdata(
        (
            Column.encode("patient", Role.IDENTIFIER, pl.Series([f"p{each}" for each in patients])),
            Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(18 + patients % 40)),
            Column.encode("zip", Role.QUASI_IDENTIFIER, pl.Series(1000 + patients // 40)),
            Column.encode("disease", Role.SENSITIVE, pl.Series(np.tile(["flu", "HIV", "gout", "flu", "cold"], 200))),
        ),
        persons=patients.astype(np.int64),
    )


@pytest.mark.parametrize("model", MODELS, ids=str)
@given(data=st.data())
def test_promises_count_people_as_the_oracle_does(model, data):
    table, persons = data.draw(tables_of_people())
    try:
        verdict = judge(table, [model], LocalEngine()).verdicts[0]
    except InputError:
        assert cannot_be_asked(table, persons, model)
        return
    assert verdict.holds == people_oracle.holds(table, persons, model)
    assert verdict.violations == people_oracle.violating_people(table, persons, model)
    if "k" in verdict.level:
        assert verdict.level["k"] == people_oracle.reached_k(table, persons)


@pytest.mark.parametrize("model", MODELS, ids=str)
@given(data=st.data())
def test_repeating_rows_of_a_person_changes_no_verdict(model, data):
    """So it never turns "does not hold" into "holds"."""
    table, persons = data.draw(tables_of_people())
    rows = data.draw(st.lists(st.integers(0, len(table) - 1), max_size=10))
    repeated = table.take(np.array([*range(len(table)), *rows], np.int64))
    try:
        before, after = (judge(each, [model], LocalEngine()).verdicts[0] for each in (table, repeated))
    except InputError:
        assert cannot_be_asked(table, persons, model)
        return
    assert (before.holds, dict(before.level)) == (after.holds, dict(after.level))


@given(tables_of_people(max_sensitive=0))
def test_several_people_are_never_fewer_than_one_by_one(pair):
    """Who has several records makes a class smaller, never larger."""
    table, persons = pair
    if len(set(persons)) == 1:
        return
    in_people = judge(table, [KAnonymity(2)], LocalEngine()).verdicts[0].level["k"]
    in_records = judge(replace(table, persons=None), [KAnonymity(2)], LocalEngine()).verdicts[0].level["k"]
    assert in_people <= in_records
    if len(set(persons)) == len(persons):
        assert in_people == in_records


def test_five_visits_of_one_patient_are_one_patient():
    verdict = judge(visits(), [KAnonymity(5)], LocalEngine()).verdicts[0]
    assert (verdict.holds, verdict.level["k"], verdict.violations) == (False, 1, 200)
    with pytest.raises(GuaranteeError, match="200 of 200 people"):
        road.publish(visits(), [KAnonymity(5)], Nothing())


@pytest.mark.parametrize("method", METHODS, ids=str)
@given(data=st.data())
def test_every_method_publishes_classes_of_k_people(method, data):
    table, persons = data.draw(tables_of_people())
    models = data.draw(
        st.sampled_from([(MODELS[0],), (MODELS[1],), (MODELS[0], MODELS[2]), (MODELS[5],), (MODELS[3],)])
    )
    share = data.draw(st.sampled_from([Fraction(0), Fraction(1, 4)]))
    try:
        release, ledger = road.publish(
            table, models, method, randomness=Randomness(1), withhold=share, accept=_insensitive(table)
        )
    except (GuaranteeError, InputError):
        return
    published = release.records
    assert isinstance(published, Microdata)
    whose = [persons[row] for row in ledger.origins]
    for model in models:
        assert people_oracle.holds(published, whose, model)
    counted = people_oracle.class_people(published, whose)
    assert published.stated is not None
    assert published.stated.in_class.tolist() == [len(counted[row]) for row in oracles.tuples(published)]
    assert len(table) - len(published) <= share * len(table)


def _insensitive(table: Microdata) -> list[str]:
    return [column.name for column in table.columns if column.role is Role.INSENSITIVE]


@pytest.mark.parametrize("method", METHODS[1:], ids=str)
def test_every_method_can_publish_visits(method):
    release, ledger = road.publish(visits(), [KAnonymity(5), LDiversity(2)], method, randomness=Randomness(1))
    whose = (np.repeat(np.arange(200), 5)[ledger.origins]).tolist()
    assert isinstance(release.records, Microdata)
    assert len(release.records) == 1000
    assert people_oracle.reached_k(release.records, whose) >= 5


@given(tables_of_people(max_quasi_identifiers=2, others=False), st.integers(0, 3))
def test_the_lattice_finds_the_best_generalization_in_people(pair, spare):
    table, persons = pair
    model = KAnonymity(2)
    lattice = TableLattice(table, LocalEngine())
    try:
        found = Lattice(loss="height").searched(lattice, [model], Allowance.of_records(table, spare)).best
    except InputError:
        assert cannot_be_asked(table, persons, model)
        return
    nodes = product(*(range(hierarchy.height + 1) for hierarchy in lattice.hierarchies))
    keeping = [node for node in nodes if _is_within(lattice.generalized(node), persons, model, spare)]
    best = min(map(sum, keeping), default=None)
    if spare >= len(table):
        return  # a release of nobody is none
    assert (None if found is None else found.loss) == best


def _is_within(table: Microdata, persons: list[int], model: KAnonymity, spare: int) -> bool:
    """Whether no more records are withheld than allowed, and no larger share of the people than of the records."""
    people = people_oracle.class_people(table, persons)
    gone = [person for row, person in zip(oracles.tuples(table), persons, strict=True) if len(people[row]) < model.k]
    return len(gone) <= spare and len(set(gone)) * len(table) <= spare * len(set(persons))


def test_how_often_somebody_occurs_is_not_published():
    """Pseudonyms are of records, nothing else names a person, and only numbers of people are stated."""
    release, _ = road.publish(visits(), [KAnonymity(5)], Mondrian())
    published = release.records
    assert isinstance(published, Microdata)
    assert published.persons is None
    assert set(published.names) == {"record", "age", "zip", "disease"}
    assert max(Counter(published["record"].values.to_list()).values()) == 1
    assert published.stated is not None
    assert not published.stated.with_value
    release, _ = road.publish(visits(), [KAnonymity(5), TCloseness(Fraction(9, 10))], Mondrian())
    assert isinstance(release.records, Microdata)
    assert release.records.stated is not None
    assert set(release.records.stated.with_value) == {"disease"}


def test_a_person_with_most_records_of_a_class_is_remarked_on():
    ages = pl.Series([30] * 12)
    persons = np.array([0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4])
    table = Microdata((Column.encode("age", Role.QUASI_IDENTIFIER, ages),), persons=persons)
    _, ledger = road.publish(table, [KAnonymity(5)], Nothing())
    assert "one class more than 1 of 5 records are of one person" in " ".join(ledger.remarks)
    even = replace(table, persons=np.arange(12) % 6)
    assert road.publish(even, [KAnonymity(5)], Nothing())[1].remarks == ()


def test_one_person_with_two_diseases_is_not_diverse():
    table = Microdata(
        (
            Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([30, 30])),
            Column.encode("disease", Role.SENSITIVE, pl.Series(["flu", "HIV"])),
        ),
        persons=np.zeros(2, np.int64),
    )
    with pytest.raises(InputError, match="fewer than the 2"):
        judge(table, [LDiversity(2)], LocalEngine())
    two = Microdata(tuple(column.take(np.array([0, 1, 0])) for column in table.columns), persons=np.array([0, 0, 1]))
    assert judge(two, [LDiversity(2), PSensitive(2)], LocalEngine()).holds
    older = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([30, 30, 31]))
    apart = judge(two.replaced((older,)), [LDiversity(2), PSensitive(2)], LocalEngine()).verdicts
    assert [(each.holds, each.violations, dict(each.level)) for each in apart] == [
        (False, 2, {"l": 1}),
        (False, 2, {"p": 1}),
    ]


def test_what_was_published_is_not_published_again():
    release, _ = road.publish(visits(), [KAnonymity(5)], Mondrian())
    with pytest.raises(WordingError, match="were published"):
        road.publish(release.records, [KAnonymity(5)], Mondrian())


def test_a_table_with_a_wide_hierarchy_is_rolled_up_in_people():
    """Two people with two records each: at no level is a class of three people, however many records it has."""
    ages = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([1, 2, 3, 4]))
    levels = [ages.vocabulary.values, pl.Series(["low", "low", "high", "high"]), pl.Series(["*"] * 4)]
    table = Microdata((ages.with_hierarchy(Hierarchy.from_columns(levels)),), persons=np.array([0, 1, 0, 1]))
    lattice = TableLattice(table, LocalEngine())
    assert Lattice().searched(lattice, [KAnonymity(2)], Allowance(0, 0)).best.node == (1,)  # pyright: ignore
    assert Lattice().searched(lattice, [KAnonymity(3)], Allowance(0, 0)).best is None


def test_many_records_of_one_person_do_not_pay_for_withholding_others():
    """A share of the records may be withheld, and of the people: one with forty records buys no other's absence."""
    ages = pl.Series([30] * 5 + [31] + [30] * 40)
    persons = np.array([0, 1, 2, 3, 4, 5, *[0] * 40])
    table = Microdata((Column.encode("age", Role.QUASI_IDENTIFIER, ages),), persons=persons)
    with pytest.raises(GuaranteeError, match="1 of the 6 people would have to be withheld, more than the 0"):
        road.publish(table, [KAnonymity(5)], Nothing(), withhold=Fraction(1, 20))
    release, _ = road.publish(table, [KAnonymity(5)], Nothing(), withhold=Fraction(1, 5))
    assert len(release.records) == 45
