"""``downcoding``: a label that is no wider than it must be says more than it seems to."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cut_tables import cut
from shoal.attacks import Downcoding, Exposure
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.errors import WordingError
from shoal.randomness import Randomness

CHANCE = Randomness(1)
TOWNS = {"North": ["Oslo", "Bergen"], "South": ["Rome", "Bari", "Pisa"]}


# ── the oracle: every group that could have been drawn ──────────────────────────────────────────────────────────────


def makes_necessary(values: list, label: str) -> bool:
    """Whether a group with these values would have been given the label, and no narrower one."""
    if label.startswith("["):
        low, high = map(int, label[1:-1].split(", "))
        return min(values) == low and max(values) == high
    if label == "*":
        return len({next(name for name in TOWNS if value in TOWNS[name]) for value in values}) > 1
    return len(set(values)) > 1


def under(label: str, everybody: list) -> list:
    """The people whose value a label may stand for."""
    if label.startswith("["):
        low, high = map(int, label[1:-1].split(", "))
        return [value for value in everybody if low <= value <= high]
    return [value for value in everybody if label == "*" or value in TOWNS.get(label, [])]


def likely(label: str, size: int, everybody: list) -> Counter:
    """How often each value is one of a group that could have been drawn and got the label."""
    if label in map(str, everybody):
        return Counter([next(value for value in everybody if str(value) == label)])
    found = Counter()
    for group in combinations(under(label, everybody), size):
        if makes_necessary(list(group), label):
            found.update(group)
    return found or Counter(under(label, everybody))


def guess(value: object, weights: Counter) -> Fraction:
    best = [each for each in weights if weights[each] == max(weights.values())]
    return Fraction(value in best, len(best))


@st.composite
def people(draw: st.DrawFn) -> Microdata:
    n = draw(st.integers(1, 9))
    ages = draw(st.lists(st.integers(20, 26), min_size=n, max_size=n))
    towns = draw(st.lists(st.sampled_from([town for each in TOWNS.values() for town in each]), min_size=n, max_size=n))
    return table(ages, towns)


@settings(max_examples=60)
@given(people(), st.sampled_from([2, 3]))
def test_values_are_as_likely_as_they_are_in_all_groups_that_get_the_label(data: Microdata, k: int) -> None:
    exposure = cut(data, f"k-anonymity:k={k}")
    truth, seen = exposure.tables
    labels = list(zip(*[column.values.cast(pl.String) for column in seen.columns], strict=True))
    guesses, alone, blind = [], [], []
    for original, at in zip(truth.columns, range(2), strict=True):
        everybody = original.values.to_list()
        for row, value in enumerate(everybody):
            weights = likely(labels[row][at], labels.count(labels[row]), everybody)
            guesses.append(guess(value, weights))
            label = labels[row][at]
            alone.append(Fraction(1) if label == str(value) else guess(value, Counter(under(label, everybody))))
            blind.append(guess(value, Counter(everybody)))
    found = Downcoding().run(exposure, CHANCE)
    assert found.targets == len(data)
    assert found.main == pytest.approx(float(np.mean(guesses)))
    assert found.baseline == pytest.approx(float(np.mean(blind)))
    assert found.details["by_labels_alone"] == pytest.approx(float(np.mean(alone)))


@settings(max_examples=60)
@given(people(), st.sampled_from([2, 3]))
def test_what_must_be_true_of_somebody_is_counted_person_by_person(data: Microdata, k: int) -> None:
    exposure = cut(data, f"k-anonymity:k={k}")
    truth, seen = exposure.tables
    labels = list(zip(*[column.values.cast(pl.String) for column in seen.columns], strict=True))
    deduced, hold, sole, general, isolated = 0, [], 0, 0, set()
    for at, original in enumerate(truth.columns):
        values = original.values.to_list()
        for group in set(labels):
            members = [row for row, each in enumerate(labels) if each == group]
            label = group[at]
            if label in map(str, values):
                continue
            general += len(members)
            possible = set(under(label, values))
            if len(possible) == 1:
                sole += len(members)
            for must in certain(label, possible):
                deduced += 1
                having = [row for row in members if values[row] in must]
                hold.append(len(having))
                isolated |= set(having) if len(having) == 1 else set()
    details = Downcoding().run(exposure, CHANCE).details
    assert details["predicates_deduced"] == deduced
    assert details["predicates_that_hold"] == (1.0 if deduced else 0.0)
    assert 0 not in hold
    assert details["predicates_that_single_out"] == pytest.approx(hold.count(1) / max(deduced, 1))
    assert details["people_singled_out"] == pytest.approx(len(isolated) / len(data))
    groups = {labels[row] for row in isolated}
    assert details["groups_with_someone_singled_out"] == pytest.approx(len(groups) / len(set(labels)))
    assert details["generalized_cells"] == pytest.approx(general / (2 * len(data)))
    assert details["cells_downcoded"] == pytest.approx((deduced + sole) / max(general, 1))


def certain(label: str, possible: set) -> list[set]:
    """The sets of values of which somebody in the group must have one."""
    if label.startswith("["):
        low, high = map(int, label[1:-1].split(", "))
        return [{low}, {high}]
    below = [set(each) & possible for each in TOWNS.values()] if label == "*" else [{value} for value in possible]
    below = [each for each in below if each]
    return below if len(below) == 2 else []


# ── by hand ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_two_people_in_a_range_have_its_ends() -> None:
    ages = [20, 25, 22, 22, 22]
    found = Downcoding().run(as_published(ages, ["[20, 25]"] * 2 + ["22"] * 3), CHANCE)
    # of all between 20 and 25, 22 is the commonest; but of two people one is 20 and the other 25
    assert found.main == pytest.approx((2 * (1 / 2) + 3) / 5)
    assert found.details["by_labels_alone"] == pytest.approx(3 / 5)
    assert found.baseline == pytest.approx(3 / 5)
    assert found.details["generalized_cells_guessed"] == pytest.approx(1 / 2)
    assert found.details["generalized_cells_guessed_by_labels_alone"] == 0.0
    assert found.details["predicates_that_single_out"] == 1.0
    assert found.details["people_singled_out"] == pytest.approx(2 / 5)
    assert found.details["groups_with_someone_singled_out"] == pytest.approx(1 / 2)
    assert found.details["cells_downcoded"] == 1.0


def test_ends_that_nobody_has_are_told_as_untrue() -> None:
    # a range that is wider than it must be: 20 occurs elsewhere, 25 occurs, and only one of them in the group
    ages = [21, 25, 22, 20, 20]
    found = Downcoding().run(as_published(ages, ["[20, 25]"] * 3 + ["20"] * 2), CHANCE)
    assert found.details["predicates_deduced"] == 2
    assert found.details["predicates_that_hold"] == 0.5
    assert found.details["cells_downcoded"] == pytest.approx(1 / 3)


def test_a_label_of_more_people_than_there_are_gives_nothing_away() -> None:
    # 20 and 21 are told as between 21 and 22: no group of three can be drawn where two people are
    found = Downcoding().run(as_published([20, 21, 22, 23], ["[21, 22]"] * 3 + ["23"]), CHANCE)
    assert found.details["generalized_cells_guessed"] == pytest.approx((1 / 2 + 1 / 2) / 3)


def test_a_value_that_is_the_only_one_below_its_label_is_known() -> None:
    data = table([30, 30, 30], ["Oslo", "Oslo", "Rome"])
    published = data.replaced((Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series(["North", "North", "Rome"])),))
    found = Downcoding().run(Exposure(data, published, np.arange(3)), CHANCE)
    assert found.main == 1.0
    assert found.details["cells_downcoded"] == 1.0
    assert found.details["predicates_deduced"] == 0


def test_raw_data_are_known_and_no_cell_is_general() -> None:
    found = Downcoding().run(Exposure.of_itself(table([20, 30, 40], ["Rome", "Oslo", "Rome"])), CHANCE)
    assert (found.main, found.baseline) == (1.0, pytest.approx((1 / 3 + 2 / 3) / 2))
    assert found.details["generalized_cells"] == found.details["generalized_cells_guessed"] == 0.0
    assert found.details["cells_downcoded"] == found.details["people_singled_out"] == 0.0


def test_the_control_is_taken_for_somebody_else() -> None:
    found = Downcoding().run(as_published([20, 30], ["20", "30"]), CHANCE)
    assert (found.main, found.baseline, found.control) == (1.0, 0.5, 0.0)


def test_who_is_withheld_counts_nowhere() -> None:
    whole = as_published([20, 25, 22, 22, 22], ["[20, 25]"] * 2 + ["22"] * 3)
    truth, seen = whole.tables
    found = Downcoding().run(Exposure(truth, seen.take(np.array([1, 0])), np.array([1, 0, -1, -1, -1])), CHANCE)
    # only 20 and 25 are published at all
    assert found.targets == 2
    assert found.main == found.baseline == 0.5


def test_a_table_without_quasi_identifiers_has_nothing_to_guess() -> None:
    plain = Microdata((Column.encode("illness", Role.SENSITIVE, pl.Series(["flu"])),))
    with pytest.raises(WordingError, match="There is no quasi-identifier"):
        Downcoding().run(Exposure.of_itself(plain), CHANCE)


def as_published(ages: list[int], labels: list[str]) -> Exposure:
    data = Microdata((Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(ages)),))
    published = Microdata((Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(labels)),))
    return Exposure(data, published, np.arange(len(ages)))


def table(ages: list[int], towns: list[str]) -> Microdata:
    town = Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series(towns))
    used = {name: [town for town in below if town in towns] for name, below in TOWNS.items()}
    tree = {name: below for name, below in used.items() if below}
    return Microdata(
        (
            Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(ages)),
            town.with_hierarchy(Hierarchy.from_tree(town.vocabulary, tree)),
        )
    )
