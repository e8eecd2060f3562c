"""``minimality``: what was not cut gives away what a cut would have shown."""

from itertools import permutations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import inference_oracle as oracle
from cut_tables import cut, cut_tables
from shoal.attacks import Exposure, Minimality
from shoal.attacks.method_knowledge.allowable_cuts import AllowableCuts
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.errors import WordingError
from shoal.models import promises
from shoal.randomness import Randomness

CHANCE = Randomness(1)
TOWNS = {"North": ["Oslo", "Bergen"], "South": ["Rome", "Bari", "Pisa"]}


# ── the oracle: every member may have every value, unless a cut would have been made ────────────────────────────────


def parted(values: list, label: str) -> list[list[int]] | None:
    """The parts into which a label is cut, as lists of members; None where there is no cut."""
    if len(set(values)) == 1:
        return None
    if isinstance(values[0], int):
        borders = sorted(set(values))[1:]
        apart = {border: abs(2 * sum(value < border for value in values) - len(values)) for border in borders}
        border = min(borders, key=lambda each: (apart[each], each))
        sides = [value < border for value in values]
    else:
        sides = [next(name for name in TOWNS if value in TOWNS[name]) if label == "*" else value for value in values]
    return [[member for member, side in enumerate(sides) if side == each] for each in sorted(set(sides))]


def expected(exposure: Exposure, k: int, l: int) -> list[tuple[object, list, list]]:  # noqa: E741
    """For each person the true value, what they have in each way that is left, and what their group has."""
    truth, seen = exposure.tables
    labels = list(zip(*[column.values.cast(pl.String) for column in seen.quasi_identifiers], strict=True))
    known = list(zip(*[column.values for column in truth.quasi_identifiers], strict=True))
    secrets = truth["illness"].values.to_list()
    out: list = [None] * len(truth)
    for group in set(labels):
        members = [row for row, each in enumerate(labels) if each == group]
        values = [secrets[row] for row in members]
        cuts = [parted([known[row][at] for row in members], label) for at, label in enumerate(group)]
        cuts = [parts for parts in cuts if parts and min(map(len, parts)) >= k] if len(set(labels)) > 1 else []
        ways = [
            way
            for way in set(permutations(values))
            if all(any(len({way[member] for member in part}) < l for part in parts) for parts in cuts)
        ]
        assert ways, "the truth is never ruled out"
        for at, row in enumerate(members):
            out[row] = (secrets[row], [way[at] for way in ways], values)
    return out


@st.composite
def people(draw: st.DrawFn) -> Microdata:
    n = draw(st.integers(2, 7))
    ages = draw(st.lists(st.integers(20, 23), min_size=n, max_size=n))
    towns = draw(st.lists(st.sampled_from([town for each in TOWNS.values() for town in each]), min_size=n, max_size=n))
    illnesses = draw(st.lists(st.sampled_from(["flu", "gout", "cold"]), min_size=n, max_size=n))
    return table(ages, towns, illnesses)


@settings(max_examples=50)
@given(people(), st.sampled_from([1, 2]))
def test_the_ways_left_are_those_in_which_no_cut_was_allowed(data: Microdata, k: int) -> None:
    asked = ("k-anonymity:k=2", "l-diversity:l=2") if k == 2 else ("l-diversity:l=2",)
    exposure = cut(data, *asked)
    people = expected(exposure, k, 2)
    found = Minimality(ways=100_000).run(exposure, CHANCE)
    everybody = exposure.tables[0]["illness"].values.to_list()
    assert found.main == pytest.approx(np.mean([oracle.guess(value, ways) for value, ways, _ in people]))
    assert found.baseline == pytest.approx(np.mean([oracle.guess(value, everybody) for value, _, _ in people]))
    without = [oracle.guess(value, values) for value, _, values in people]
    assert found.details["without_minimality"] == pytest.approx(np.mean(without))
    gains = [oracle.share(value, ways) - oracle.share(value, values) for value, ways, values in people]
    assert found.details["largest_gain"] == pytest.approx(max(gains), abs=1e-9)
    assert found.details["average_gain"] == pytest.approx(np.mean(gains), abs=1e-9)
    posteriors = [max(oracle.share(each, ways) for each in ways) for _, ways, _ in people]
    assert found.details["largest_posterior"] == pytest.approx(max(posteriors))
    assert found.details["groups_left_open"] == 0


@settings(max_examples=30)
@given(cut_tables(("k-anonymity:k=2", "l-diversity:l=2"), max_records=14))
def test_no_group_that_mondrian_made_could_have_been_cut(exposure: Exposure) -> None:
    truth, seen = exposure.tables
    for members, cuts in AllowableCuts(exposure, exposure.promises[:1]):
        for sides in cuts:
            parts = [members[sides == side] for side in set(sides.tolist())]
            assert min(map(len, parts)) >= 2
            secrets = [[{int(column.codes[row]) for row in part} for part in parts] for column in truth.sensitive]
            assert any(len(values) < 2 for column in secrets for values in column)
            labels = {tuple(int(column.codes[row]) for column in seen.quasi_identifiers) for row in members}
            assert len(labels) == 1


# ── by hand ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_two_of_five_who_could_be_told_apart_must_have_the_value_that_occurs_twice() -> None:
    found = Minimality().run(five_and_two("l-diversity:l=2"), CHANCE)
    # a cut would leave the two of 20 apart; it was not made, so both have HIV, and the three of 21 share the rest
    assert found.main == pytest.approx((2 * 1 + 3 * (1 / 3) + 2 * (1 / 2)) / 7)
    assert found.details["without_minimality"] == pytest.approx((2 * 1 + 2 * (1 / 2)) / 7)
    assert found.baseline == pytest.approx((6 * (1 / 3)) / 7)
    assert found.details["largest_gain"] == pytest.approx(1 - 2 / 5)
    assert found.details["largest_posterior"] == 1.0
    assert found.details["largest_posterior_without_minimality"] == 0.5
    assert (found.details["groups"], found.details["groups_that_could_be_cut"]) == (2, 1)


def test_where_parts_would_be_too_small_nothing_follows() -> None:
    found = Minimality().run(five_and_two("k-anonymity:k=3", "l-diversity:l=2"), CHANCE)
    assert found.main == found.details["without_minimality"]
    assert found.details["groups_that_could_be_cut"] == 0
    assert found.details["largest_gain"] == 0.0


def test_ways_that_are_too_many_are_drawn() -> None:
    many = table([20] * 12 + [21] * 13 + [60], ["Rome"] * 26, ["flu"] * 12 + ["gout", "cold"] * 6 + ["flu", "flu"])
    exposure = as_published(many, ["[20, 21]"] * 25 + ["60"], "l-diversity:l=2")
    every, drawn = (Minimality(ways=ways).run(exposure, CHANCE) for ways in (5000, 30))
    assert every.details["groups_decided_by_every_way"] == 1
    assert drawn.details["groups_decided_by_every_way"] == 0
    # hardly any of the ways that are drawn leaves one side with one value: nothing is concluded
    assert drawn.details["groups_left_open"] == 1
    assert drawn.main == drawn.details["without_minimality"]


def test_ways_that_are_drawn_come_near_all_ways() -> None:
    ages = [20, 20] + [21] * 10 + [60, 60]
    towns = ["Bari"] * 5 + ["Pisa"] * 6 + ["Rome"] * 3
    secrets = ["HIV", "HIV", "HIV", "HIV", *"abcdefgh", "a", "b"]
    exposure = as_published(table(ages, towns, secrets), ["[20, 21]"] * 12 + ["60"] * 2, "l-diversity:l=2")
    drawn = Minimality(ways=3000).run(exposure, CHANCE)
    assert drawn.details["groups_that_could_be_cut"] == 1
    assert drawn.details["groups_decided_by_every_way"] == 0
    assert drawn.details["groups_left_open"] == 0
    # the one in Rome could not be cut off whatever they have; but both of 20 have HIV, as have 2 of the others
    assert drawn.main == pytest.approx((2 + 2 + 2 * (1 / 2)) / 14)
    assert drawn.details["largest_gain"] == pytest.approx(1 - 4 / 12)


def test_a_label_that_nobody_can_read_is_cut_only_if_there_is_but_one_way() -> None:
    words = ["ash", "birch", "birch", "cedar"]
    for trees, n_cuts in ((words, 0), (words[:3], 1)):
        tree = Column.encode("tree", Role.QUASI_IDENTIFIER, pl.Series(trees))
        published = Column.encode("tree", Role.QUASI_IDENTIFIER, pl.Series(["leafy"] * len(trees)))
        ((_, cuts),) = AllowableCuts(Exposure(Microdata((tree,)), Microdata((published,)), np.arange(len(trees))), ())
        assert len(cuts) == n_cuts


def test_a_contradiction_is_left_open() -> None:
    # a cut was allowed, and was not made: the method is not one that cuts where it may
    exposure = as_published(
        table([20, 20, 21, 21, 60, 60], ["Rome"] * 6, ["flu", "gout", "cold", "HIV", "flu", "gout"]),
        ["[20, 21]"] * 4 + ["60"] * 2,
        "l-diversity:l=2",
    )
    found = Minimality().run(exposure, CHANCE)
    assert found.details["groups_left_open"] == 1
    assert found.main == found.details["without_minimality"]


def test_one_group_for_all_says_nothing_about_the_method() -> None:
    data = table([20, 20, 21, 21, 21], ["Rome"] * 5, ["HIV", "HIV", "flu", "gout", "cold"])
    found = Minimality().run(as_published(data, ["[20, 21]"] * 5, "l-diversity:l=2"), CHANCE)
    assert found.main == found.baseline == pytest.approx(2 / 5)


def test_records_with_two_secrets_keep_them_together() -> None:
    data = five_and_two("l-diversity:l=2")
    more = Column.encode("drug", Role.SENSITIVE, pl.Series(["x", "x", "y", "z", "w", "x", "y"]))
    exposure = Exposure(
        Microdata((*data.tables[0].columns, more)),
        Microdata((*data.tables[1].columns, more)),
        data.place,
        data.promises,
    )
    found = Minimality().run(exposure, CHANCE)
    assert found.targets == 14
    # who has HIV takes x
    assert found.main == pytest.approx(2 * (2 * 1 + 3 * (1 / 3) + 2 * (1 / 2)) / 14)


def test_who_is_withheld_is_in_no_group() -> None:
    whole = five_and_two("l-diversity:l=2")
    truth, seen = whole.tables
    rows = np.array([1, 0, 4, 3, 6, 5])  # one of 21 is withheld
    place = np.full(7, -1)
    place[rows] = np.arange(6)
    found = Minimality().run(Exposure(truth, seen.take(rows), place, whole.promises), CHANCE)
    assert found.targets == 6
    # two and two: the cut is refused if HIV is twice on either side
    assert found.details["largest_gain"] == pytest.approx(0.0)


def test_the_control_is_taken_for_somebody_else() -> None:
    data = table([20, 30], ["Rome"] * 2, ["flu", "gout"])
    found = Minimality().run(as_published(data, ["20", "30"], "l-diversity:l=2"), CHANCE)
    assert (found.main, found.baseline, found.control) == (1.0, 0.5, 0.0)


def test_it_takes_a_promise_about_sensitive_values_and_one_way() -> None:
    data = table([20, 30], ["Rome"] * 2, ["flu", "gout"])
    with pytest.raises(WordingError, match="No promise is about sensitive values"):
        Minimality().run(as_published(data, ["20", "30"], "k-anonymity:k=2"), CHANCE)
    plain = Microdata(data.quasi_identifiers)
    silent = Exposure.of_itself(plain, promises=(promises.read("l-diversity:l=2"),))
    assert Minimality().misfit(silent) == "No sensitive attribute is published."
    with pytest.raises(WordingError, match="ways must be at least 1"):
        Minimality(ways=0)


def five_and_two(*asked: str) -> Exposure:
    data = table([20, 20, 21, 21, 21, 60, 60], ["Rome"] * 7, ["HIV", "HIV", "flu", "gout", "cold", "flu", "gout"])
    return as_published(data, ["[20, 21]"] * 5 + ["60"] * 2, *asked)


def as_published(data: Microdata, ages: list[str], *asked: str) -> Exposure:
    words = data["town"].values.to_list()
    inside = [age != "60" and len(set(words)) > 1 for age in ages]
    towns = ["South" if published else word for published, word in zip(inside, words, strict=True)]
    published = data.replaced(
        (
            Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(ages)),
            Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series(towns)),
        )
    )
    return Exposure(data, published, np.arange(len(data)), tuple(promises.read(each) for each in asked))


def table(ages: list[int], towns: list[str], illnesses: list[str]) -> Microdata:
    town = Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series(towns))
    used = {name: [town for town in below if town in towns] for name, below in TOWNS.items()}
    tree = {name: below for name, below in used.items() if below}
    return Microdata(
        (
            Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(ages)),
            town.with_hierarchy(Hierarchy.from_tree(town.vocabulary, tree)),
            Column.encode("illness", Role.SENSITIVE, pl.Series(illnesses)),
        )
    )
