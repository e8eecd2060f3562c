"""Top-Down Specialization, step by step against the same on dictionaries, and what holds of every cut it finds."""

from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from shoal.anonymizers import Allowance, Recoding, Specialization, methods
from shoal.anonymizers.specialization.specialization import SCORES
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.engines import LocalEngine
from shoal.errors import InputError, PromiseNotKept, WordingError
from shoal.models import promises
from shoal.randomness import Randomness
from shoal.testing import tables
from specialization_oracle import ByHand

ASKED = {
    "table": tables(min_records=2, max_records=14, max_sensitive=1),
    "k": st.integers(1, 4),
    "spare": st.integers(0, 3),
    "score": st.sampled_from(["ratio", "plus-one", "gain"]),
    "numbers": st.sampled_from(["hierarchy", "split"]),
    "asks_target": st.booleans(),
}


def promised(table: Microdata, k: int, l: int = 2) -> list:  # noqa: E741
    diverse = [promises.read(f"l-diversity:l={l}")] if table.has_sensitive else []
    return [promises.read(f"k-anonymity:k={max(k, 2)}"), *diverse]


def recoded(table: Microdata, method: Specialization, *wordings: str, spare: int = 0) -> Recoding:
    models = [promises.read(wording) for wording in wordings]
    allowance = Allowance.of_records(table, spare)
    return method.recode(table, models, LocalEngine(), Randomness(1), max_withheld=allowance)


def labels(made: Recoding) -> list[tuple]:
    assert isinstance(made.records, Microdata)
    return oracles.tuples(made.records)


@settings(max_examples=150, deadline=None)
@given(**ASKED)
def test_every_step_is_the_one_that_is_found_by_hand(table, k, spare, score, numbers, asks_target) -> None:
    target = table.sensitive[0].name if asks_target and table.has_sensitive else None
    by_hand = ByHand(table, max(k, 2), 2, spare, target, score, numbers == "split")
    possible = by_hand.run()
    method = Specialization(target=target, score=score, numbers=numbers)
    asked = table, promised(table, k), LocalEngine(), Allowance.of_records(table, spare)
    if not possible:
        with pytest.raises(PromiseNotKept):
            method.descent(*asked)
        return
    descent = method.descent(*asked)
    assert descent is not None
    found = [
        (step.attribute, frozenset(step.label.values.tolist()), tuple(frozenset(b.values.tolist()) for b in step.below))
        for step in descent.taken
    ]
    assert found == by_hand.taken
    assert [[frozenset(label.values.tolist()) for label in cut] for cut in descent.cuts] == by_hand.cuts


@settings(max_examples=60, deadline=None)
@given(**ASKED)
def test_labels_are_a_cut_and_no_step_more_is_possible(table, k, spare, score, numbers, asks_target) -> None:
    target = table.sensitive[0].name if asks_target and table.has_sensitive else None
    method = Specialization(target=target, score=score, numbers=numbers)
    try:
        descent = method.descent(table, promised(table, k), LocalEngine(), Allowance.of_records(table, spare))
    except PromiseNotKept:
        return
    assert descent is not None
    by_hand = ByHand(table, max(k, 2), 2, spare, target, score, numbers == "split")
    by_hand.cuts = [[frozenset(label.values.tolist()) for label in cut] for cut in descent.cuts]
    for cut, column in zip(by_hand.cuts, table.quasi_identifiers, strict=True):
        assert sorted(code for label in cut for code in label) == sorted(set(column.codes.tolist()))
    assert not by_hand._step(), "a step more keeps the promises and gains something"


@settings(max_examples=60, deadline=None)
@given(
    table=tables(min_records=2, max_records=14),
    wording=st.sampled_from(
        ["k-anonymity:k=2", "l-diversity:l=2", "l-diversity:l=3/2,kind=entropy", "t-closeness:t=1/3"]
    ),
)
def test_promises_hold(table, wording) -> None:
    wording = wording if table.has_sensitive else "k-anonymity:k=2"
    try:
        made = recoded(table, Specialization(), wording)
    except (InputError, PromiseNotKept):
        return
    assert oracles.holds(made.records, promises.read(wording))


@settings(max_examples=40, deadline=None)
@given(table=tables(min_records=3, max_records=12), data=st.data())
def test_the_order_of_rows_changes_nothing(table, data) -> None:
    order = np.array(data.draw(st.permutations(range(len(table)))))
    target = table.sensitive[0].name if table.has_sensitive else None
    one, other = (
        labels(recoded(each, Specialization(target=target, numbers="split"), "k-anonymity:k=2"))
        for each in (table, table.take(order))
    )
    assert [one[row] for row in order] == other


# ── by hand ───────────────────────────────────────────────────────────────────────────────────────────────────────


def people(education: list[str], sex: list[str], income: list[str]) -> Microdata:
    tree = {"school": ["9th", "10th"], "college": ["bachelor", "master"]}
    column = Column.encode("education", Role.QUASI_IDENTIFIER, pl.Series(education))
    return Microdata(
        (
            column.with_hierarchy(Hierarchy.from_tree(column.vocabulary, tree)),
            Column.encode("sex", Role.QUASI_IDENTIFIER, pl.Series(sex)),
            Column.encode("income", Role.SENSITIVE, pl.Series(income)),
        )
    )


SMALL = people(
    ["9th", "9th", "10th", "10th", "bachelor", "bachelor", "master", "master"],
    ["f", "m", "f", "m", "f", "m", "f", "m"],
    ["low", "low", "low", "low", "low", "low", "high", "high"],
)


def test_what_informs_about_the_target_is_specialized_and_the_rest_is_not() -> None:
    made = recoded(SMALL, Specialization(target="income"), "k-anonymity:k=2")
    assert sorted(set(labels(made))) == [("bachelor", "*"), ("master", "*"), ("school", "*")]
    assert made.notes == {"specializations": 2}


def test_without_a_target_loss_is_saved() -> None:
    made = recoded(SMALL, Specialization(), "k-anonymity:k=2")
    assert set(labels(made)) == {("school", "f"), ("school", "m"), ("college", "f"), ("college", "m")}


@pytest.mark.parametrize(("score", "first"), [("ratio", "even"), ("plus-one", "even"), ("gain", "uneven")])
def test_the_score_weighs_the_gain_by_the_anonymity_that_it_costs(score: str, first: str) -> None:
    uneven = ["a"] * 14 + ["b"] * 2
    even = ["x"] * 6 + ["y"] * 4 + ["x"] + ["y"] * 5
    classes = ["0"] * 10 + ["1"] * 6
    columns = [("uneven", uneven), ("even", even)]
    table = Microdata(
        (
            *(Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series(values)) for name, values in columns),
            Column.encode("class", Role.SENSITIVE, pl.Series(classes)),
        )
    )
    by_hand = ByHand(table, 2, 1, 0, "class", score, split=False)
    assert by_hand.information(0, *_only(by_hand, 0)) > by_hand.information(1, *_only(by_hand, 1))
    method = methods.read(f"specialization:target=class,score={score}")
    assert isinstance(method, Specialization)
    descent = method.descent(table, [promises.read("k-anonymity:k=2")], LocalEngine(), Allowance(0, 0))
    assert descent is not None
    assert table.quasi_identifiers[descent.taken[0].attribute].name == first


def _only(by_hand: ByHand, at: int):
    label = by_hand.cuts[at][0]
    return label, by_hand.below(at, label)


def test_where_no_anonymity_is_lost_the_ratio_is_the_gain() -> None:
    found = {name: [score(0.5, loss) for loss in (0, 1, 2)] for name, score in SCORES.items()}
    assert found == {"ratio": [0.5, 0.5, 0.25], "plus-one": [0.5, 0.25, 0.5 / 3], "gain": [0.5] * 3}


def test_numbers_without_a_hierarchy_are_split_where_the_classes_change() -> None:
    ages = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([20, 25, 31, 40, 41, None]))
    classes = Column.encode("class", Role.INSENSITIVE, pl.Series(["a", "a", "a", "b", "b", "a"]))
    made = recoded(Microdata((ages, classes)), Specialization(target="class"), "k-anonymity:k=2")
    assert [label for (label,) in labels(made)] == ["missing or [20, 31]"] * 3 + ["[40, 41]"] * 2 + [
        "missing or [20, 31]"
    ]
    assert "values that occur" in made.remarks[0]


def test_what_distinguishes_nobody_is_published_exactly() -> None:
    table = people(["master"] * 4, ["f", "f", "m", "m"], ["low", "high"] * 2)
    assert set(labels(recoded(table, Specialization(), "k-anonymity:k=4"))) == {("master", "*")}


def test_records_may_be_withheld_for_it() -> None:
    table = people(["9th"] * 6 + ["master"], ["f", "m"] * 3 + ["m"], ["low"] * 6 + ["high"])
    without = recoded(table, Specialization(), "k-anonymity:k=3")
    assert set(labels(without)) == {("*", "f"), ("*", "m")}
    allowed = recoded(table, Specialization(), "k-anonymity:k=3", spare=1)
    assert set(labels(allowed)) == {("9th", "f"), ("9th", "m"), ("master", "m")}


def test_a_target_that_is_generalized_or_not_there_is_refused() -> None:
    with pytest.raises(WordingError, match="quasi-identifier"):
        recoded(SMALL, Specialization(target="sex"), "k-anonymity:k=2")
    with pytest.raises(InputError, match="no column"):
        recoded(SMALL, Specialization(target="height"), "k-anonymity:k=2")


def test_a_promise_that_all_records_together_break_is_refused() -> None:
    with pytest.raises(PromiseNotKept):
        recoded(SMALL, Specialization(), "k-anonymity:k=9")


def test_groups_of_adult_are_large_enough(shared_data: Path) -> None:
    from experiments.data import ADULT, load
    from experiments.data.tables import with_roles
    from experiments.experiment import FULL

    del shared_data
    seven = ("age", "workclass", "education", "native-country", "marital-status", "race", "sex")
    table = with_roles(load(ADULT, FULL), seven, ["salary-class"])
    made = recoded(table, Specialization(target="salary-class"), "k-anonymity:k=20")
    assert min(Counter(labels(made)).values()) >= 20
