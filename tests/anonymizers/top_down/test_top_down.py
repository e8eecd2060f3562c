"""Top-down local recoding: what it publishes is true, keeps the promises, and lifts as few as need be."""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.anonymizers import TopDown
from shoal.anonymizers.top_down import descent as module
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.datasets import generate_table
from shoal.engines import LocalEngine
from shoal.errors import WordingError
from shoal.models import KAnonymity, promises
from shoal.randomness import Randomness
from shoal.testing import tables


def recoded(table: Microdata, *wordings: str, ahead: int = 300) -> Microdata:
    models = [promises.read(wording) for wording in wordings]
    made = TopDown(looked_ahead=ahead).recode(table, models, LocalEngine(), Randomness(1)).records
    assert isinstance(made, Microdata)
    return made


def thesis_table() -> Microdata:
    """Table 3.6: four people of two postcodes."""
    zips, ills = ["14248", "14248", "14248", "14247"], ["HIV", "Indigestion", "Flu", "Cancer"]
    postcode = Column.encode("zip", Role.QUASI_IDENTIFIER, pl.Series(zips))
    categories = (("HIV", "Cancer"), ("Phthisis", "Hepatitis"), ("Obesity", "Asthma"), ("Flu", "Indigestion"))
    illness = Column.encode("illness", Role.SENSITIVE, pl.Series(ills), categories)
    return Microdata((postcode.with_hierarchy(Hierarchy.from_masks(postcode.vocabulary)), illness))


def test_the_table_of_the_thesis() -> None:
    """One of the three is lifted, and it is not the first: HIV and cancer together weigh nothing."""
    made = recoded(thesis_table(), "k-anonymity:k=2", "p-alpha-sensitive:p=2,alpha=1")
    told = made["zip"].values.to_list()
    assert told in (["14248", "14248", "1424*", "1424*"], ["14248", "1424*", "14248", "1424*"])


def test_who_is_alone_is_not_told_more_exactly_than_the_others() -> None:
    made = recoded(thesis_table(), "k-anonymity:k=3")
    assert made["zip"].values.to_list() == ["1424*"] * 4


@pytest.mark.parametrize("ahead", [0, 300])
@settings(max_examples=30)
@given(table=tables(min_records=2, max_records=12), k=st.integers(2, 4), data=st.data())
def test_every_group_has_k_members_and_equal_people_in_any_order_get_equal_labels(ahead, table, k, data) -> None:
    if len(table) < k:
        return
    made = recoded(table, f"k-anonymity:k={k}", ahead=ahead)
    assert min(Counter(published(made)).values()) >= k
    order = np.array(data.draw(st.permutations(range(len(table)))))
    again = recoded(table.take(order), f"k-anonymity:k={k}", ahead=ahead)
    assert Counter(published(made)) == Counter(published(again))


@settings(max_examples=30)
@given(table=tables(min_records=4, max_records=12, max_sensitive=1))
def test_promises_of_sensitive_values_are_kept(table) -> None:
    if not table.has_sensitive:
        return
    everybody = {len(set(column.codes.tolist())) for column in table.sensitive}
    if min(everybody) < 2:
        return
    made = recoded(table, "k-anonymity:k=2", "l-diversity:l=2")
    groups: dict[tuple, list[int]] = {}
    for row, labels in enumerate(published(made)):
        groups.setdefault(labels, []).append(row)
    for members in groups.values():
        assert len(members) >= 2
        for column in table.sensitive:
            assert len({int(column.codes[row]) for row in members}) >= 2


def test_looking_ahead_is_never_worse_on_this_table() -> None:
    chance = np.random.default_rng(3)
    columns = []
    for name, values in (("a", 16), ("b", 8), ("c", 4)):
        column = Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series(chance.integers(0, values, 200)))
        widths = [width for width in (2, 4, 8) if width < values]
        columns.append(column.with_hierarchy(Hierarchy.from_intervals(column.vocabulary, widths)))
    table = Microdata(tuple(columns))
    losses = [loss(table, recoded(table, "k-anonymity:k=5", ahead=ahead)) for ahead in (0, 300)]
    assert losses[1] <= losses[0]
    assert losses[0] < 0.5


def test_promises_whose_groups_may_not_be_joined_are_refused() -> None:
    @dataclass(frozen=True)
    class Fickle(KAnonymity):
        merge_safe: ClassVar[bool] = False

    with pytest.raises(WordingError, match="cannot keep"):
        TopDown().recode(thesis_table(), [Fickle(k=2)], LocalEngine(), Randomness(1))


def test_a_negative_number_to_look_ahead_for_is_refused() -> None:
    with pytest.raises(WordingError):
        TopDown(looked_ahead=-1)


def published(table: Microdata) -> list[tuple]:
    columns = [column.values.cast(pl.String).to_list() for column in table.quasi_identifiers]
    return list(zip(*columns, strict=True))


def loss(original: Microdata, made: Microdata) -> float:
    """The share of the other values that a label stands for as well, on average."""
    total = 0.0
    for column in original.quasi_identifiers:
        assert column.hierarchy is not None
        under: dict[str, set[str]] = {}
        values = column.vocabulary.values.cast(pl.String).to_list()
        for codes, labels in zip(column.hierarchy.maps, column.hierarchy.labels, strict=True):
            names = labels.values.cast(pl.String).to_list()
            for value, code in zip(values, codes, strict=True):
                under.setdefault(names[code], set()).add(value)
        told = made[column.name].values.cast(pl.String).to_list()
        total += sum(len(under[label]) - 1 for label in told) / (len(values) - 1) / len(told)
    return total / len(original.quasi_identifiers)


def test_groups_are_compared_with_the_whole_table() -> None:
    """Of the men six in ten have flu, of those of one town seven: near to all men, and too far from everybody."""
    told = []
    for sex, town, flu in (("m", "a", 7), ("m", "b", 5), ("f", "a", 3), ("f", "b", 5)):
        told += [(sex, town, "flu" if person < flu else "gout") for person in range(10)]
    columns = [
        Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series([row[i] for row in told]))
        for i, name in enumerate(("sex", "town"))
    ]
    illness = Column.encode("illness", Role.SENSITIVE, pl.Series([row[2] for row in told]))
    made = recoded(Microdata((*columns, illness)), "t-closeness:t=0.15")
    ill: dict[tuple, list[str]] = {}
    for labels, (_, _, name) in zip(published(made), told, strict=True):
        ill.setdefault(labels, []).append(name)
    assert len(ill) > 1
    for names in ill.values():
        assert abs(names.count("flu") / len(names) - 0.5) <= 0.15


@pytest.mark.parametrize("wordings", [["k-anonymity:k=3"], ["k-anonymity:k=3", "l-diversity:l=2,kind=distinct"]])
def test_blocks_that_are_carried_through_side_by_side_change_nothing(monkeypatch, wordings) -> None:
    table = generate_table(300, seed=4)
    alone = recoded(table, *wordings)
    monkeypatch.setattr(module, "_AT_ONCE", 20)
    monkeypatch.setattr(module, "_WORTH_A_THREAD", 20)
    blocks = recoded(table, *wordings)
    assert blocks.frame().equals(alone.frame())
