"""Attacks on tables in which a person has several records count people."""

from dataclasses import replace

import numpy as np
import polars as pl
from hypothesis import assume, given
from hypothesis import strategies as st

import oracles
import people_oracle
import shoal
from shoal.attacks import Exposure, Homogeneity, Linkability, RiskyColumns, TableRisk
from shoal.attacks.exposure import control_targets
from shoal.data import ClassPeople, Column, Microdata, Role
from shoal.randomness import Randomness
from shoal.testing import strategies

CHANCE = Randomness(1)


@given(st.data())
def test_a_prosecutor_finds_somebody_by_the_record_with_the_fewest_people(data):
    table = data.draw(strategies.tables())
    persons = data.draw(people_oracle.person_lists(len(table)))
    exposure = Exposure.of_itself(replace(table, persons=np.array(persons)))
    found = TableRisk().run(exposure, CHANCE)
    people = people_oracle.class_people(table, persons)
    risks: dict[int, float] = {}
    for row, person in zip(oracles.tuples(table), persons, strict=True):
        risks[person] = max(risks.get(person, 0.0), 1 / len(people[row]))
    assert found.targets == len(set(persons))
    assert np.isclose(found.main, np.mean(list(risks.values())))
    assert np.isclose(found.baseline, 1 / len(set(persons)))
    assert np.isclose(found.details["expected_people_found"], sum(risks.values()))


def test_five_visits_are_found_for_certain():
    patients = np.repeat(np.arange(20), 5)
    age = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(patients + 20))
    table = Microdata((age,), persons=patients)
    for attack in (TableRisk(), RiskyColumns()):
        found = attack.run(Exposure.of_itself(table), CHANCE)
        assert (found.main, found.targets, found.largest) == (1.0, 20, 1.0)
    alone = TableRisk().run(Exposure.of_itself(replace(table, persons=None)), CHANCE)
    assert np.isclose(alone.main, 0.2)


def test_without_the_ledger_only_classes_are_counted():
    age = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([30] * 6 + [40] * 3))
    ill = Column.encode("ill", Role.SENSITIVE, pl.Series(["flu", "gout", "HIV"] * 3))
    table = Microdata((age, ill), stated=ClassPeople(np.array([3] * 6 + [2] * 3)))
    found = TableRisk().run(Exposure.of_itself(table), CHANCE)
    assert found.targets == 5  # three people in one class and two in the other
    assert np.isclose(found.main, 2 / 5)
    assert np.isclose(found.details["expected_people_found"], 2)
    for attack in (RiskyColumns(), Homogeneity(), Linkability()):
        assert "needs the ledger" in str(attack.misfit(Exposure.of_itself(table)))


def test_guessing_without_looking_counts_people_too():
    """One person with three hundred records is one person, for whoever guesses as for whoever looks."""
    place = Column.encode("place", Role.QUASI_IDENTIFIER, pl.Series(["x"] * 3 + ["y"] * 302))
    ill = Column.encode("ill", Role.SENSITIVE, pl.Series(["b"] * 3 + ["a"] * 300 + ["c", "d"]))
    table = Microdata((place, ill), persons=np.array([0, 1, 2, *[3] * 300, 4, 5]))
    found = Homogeneity().run(Exposure.of_itself(table), CHANCE)
    assert (found.main, found.baseline) == (4 / 6, 1 / 6)


def test_a_value_that_everybody_has_beside_others_is_told():
    place = Column.encode("place", Role.QUASI_IDENTIFIER, pl.Series(["x"] * 4 + ["y"] * 2))
    ill = Column.encode("ill", Role.SENSITIVE, pl.Series(["flu", "flu", "gout", "HIV", "flu", "gout"]))
    table = Microdata((place, ill), persons=np.array([0, 1, 1, 1, 2, 3]))
    found = Homogeneity().run(Exposure.of_itself(table), CHANCE)
    assert found.details["people_in_groups_that_share_a_value"] == 2
    assert found.details["people_in_groups_with_one_value"] == 0


def test_how_much_of_a_class_one_person_holds_is_told():
    age = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([30] * 8))
    table = Microdata((age,), persons=np.array([0, 0, 0, 0, 0, 0, 1, 2]))
    found = TableRisk().run(Exposure.of_itself(table), CHANCE)
    assert found.main == 1 / 3
    assert found.details["largest_share_of_a_group_held_by_one_person"] == 6 / 8


@given(st.data())
def test_guesses_of_values_count_everybody_alike(data):
    table = data.draw(strategies.tables(max_sensitive=1, missing=False))
    assume(table.sensitive)
    persons = data.draw(people_oracle.person_lists(len(table)))
    found = Homogeneity().run(Exposure.of_itself(replace(table, persons=np.array(persons))), CHANCE)
    rows, values = oracles.tuples(table), table.sensitive[0].values.to_list()
    chances: dict[int, list[float]] = {}
    for row, value, person in zip(rows, values, persons, strict=True):
        group = [other for where, other in zip(rows, values, strict=True) if where == row]
        most = max(group.count(each) for each in set(group))
        best = [each for each in set(group) if group.count(each) == most]
        chances.setdefault(person, []).append((value in best) / len(best))
    assert found.targets == len(chances)
    assert np.isclose(found.main, np.mean([np.mean(each) for each in chances.values()]))


@given(st.integers(2, 30), st.data())
def test_another_person_stands_in_for_somebody_with_several_records(n, data):
    persons = np.array(data.draw(people_oracle.person_lists(n)))
    targets = np.arange(n)
    others = control_targets(targets, CHANCE.generator("control"), persons)
    assert sorted(others.tolist()) == targets.tolist()
    if 2 * np.bincount(persons).max() <= n:
        assert (persons[others] != persons).all()


def test_linkability_is_of_people():
    patients = np.repeat(np.arange(20), 3)
    age = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(patients + 20))
    town = Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series(patients % 7))
    table = Microdata((age, town), persons=patients)
    found = Linkability(left=("age",), right=("town",)).run(Exposure.of_itself(table), CHANCE)
    assert found.targets == 20


@given(st.data())
def test_a_journalist_counts_the_people_of_the_population(data):
    table = data.draw(strategies.tables(max_quasi_identifiers=2, max_sensitive=0, missing=False, others=False))
    everybody = data.draw(st.lists(st.integers(0, len(table) - 1), min_size=1, max_size=20))
    persons = data.draw(people_oracle.person_lists(len(everybody)))
    population = replace(table.take(np.array(everybody)), persons=np.array(persons))
    found = TableRisk("journalist").run(Exposure.of_itself(table, population=population), CHANCE)
    there, own = people_oracle.class_people(population, persons), oracles.tuples(table)
    largest = max(len(set(persons)), len(table))
    counts = [max(len(there[row]), own.count(row)) if row in there else largest for row in own]
    assert np.isclose(found.main, np.mean([1 / count for count in counts]))


def test_the_ledger_says_who_is_a_person_of_the_population(tmp_path):
    lines = "".join(f"p{person},{20 + person % 2}\n" for person in range(12) for _ in range(3))
    (tmp_path / "visits.csv").write_text("patient,age\n" + lines)
    (tmp_path / "schema.toml").write_text(
        'kind = "table"\nperson = "patient"\n[columns.patient]\nrole = "identifier"\n'
        '[columns.age]\nrole = "quasi-identifier"\n'
    )
    shoal.publish(
        tmp_path / "visits.csv",
        schema=str(tmp_path / "schema.toml"),
        models=["k-anonymity:k=3"],
        method="none",
        out=str(tmp_path / "release"),
        ledger=str(tmp_path / "ledger"),
    )
    asked = [TableRisk("journalist")]
    population = tmp_path / "visits.csv"
    found = shoal.attack(tmp_path / "release", tmp_path / "ledger", wordings=asked, population=population).findings[0]
    assert np.isclose(found.main, 1 / 6)  # six people of each age, and not their eighteen visits
