"""What ``lattice`` publishes, against telling the table at every node and sending each down the road."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lattice_oracle
import people_oracle
from shoal import road
from shoal.anonymizers import Anonymizer, Lattice
from shoal.anonymizers.allowance import Allowance
from shoal.anonymizers.generalization.node_evaluation import NodeEvaluation
from shoal.anonymizers.generalization.node_loss import node_loss
from shoal.anonymizers.generalization.search import lattice_descent
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.desk.request import FixedGeneralization
from shoal.engines import LocalEngine
from shoal.errors import DataError, PromiseNotKept, SchemaError
from shoal.models import PrivacyModel, promises
from shoal.testing import tables

ASKED = [
    ["t-closeness:t=0.3"],
    ["k-anonymity:k=2", "t-closeness:t=0.4"],
    ["t-closeness:t=0.3,distance=ordered"],
    ["t-closeness:t=0.2,distance=hierarchical"],
    ["k-anonymity:k=3", "l-diversity:l=1.5,kind=entropy"],
    ["l-diversity:l=2,kind=recursive,c=2", "t-closeness:t=0.5"],
    ["l-diversity:l=2", "p-plus-sensitive:p=2"],
    ["p-alpha-sensitive:p=2,k=2,alpha=0.5"],
]
SHARES = st.sampled_from([Fraction(0), Fraction(1, 5), Fraction(1, 4), Fraction(1, 3), Fraction(3, 5)])
Gone = set[int] | None


def published(table: Microdata, models: list[PrivacyModel], method: Anonymizer, share: Fraction) -> Gone:
    """Send a table down the road: the records that were withheld, or None where it is refused."""
    try:
        _, ledger = road.publish(table, models, method, withhold=share, accept=[road.EMPTY])
    except PromiseNotKept:
        return None
    return set(range(len(table))) - set(ledger.origins.tolist())


def best_of_all(
    table: Microdata, models: list[PrivacyModel], share: Fraction, loss: str
) -> tuple[tuple[Fraction, int, tuple[int, ...]], set[int]] | None:
    """Tell the table at every node: what the best costs and which it is, the lowest of several; what it withholds."""
    ranked = []
    for node in lattice_oracle.all_nodes(table):
        gone = published(table, models, FixedGeneralization.node(node), share)
        if gone is not None:
            ranked.append(((lattice_oracle.LOSSES[loss](table, node, gone), sum(node), node), gone))
    return min(ranked, key=lambda each: each[0], default=None)


def check(table: Microdata, asked: list[str], share: Fraction, loss: str) -> None:
    models = [promises.read(wording) for wording in asked]
    try:
        best = best_of_all(table, models, share, loss)
    except (SchemaError, DataError):
        return  # there is nothing sensitive, nothing declared, or too few records
    method = Lattice(loss=loss)  # pyright: ignore[reportArgumentType]
    found = method.searched(TableLattice(table, LocalEngine()), models, Allowance.of_share(table, share)).best
    if best is None:
        assert found is None
        assert published(table, models, method, share) is None
        return
    (rank, gone) = best
    assert found is not None, "a table that can be published was refused"
    assert found.rank == rank
    assert found.withheld == len(gone)
    assert published(table, models, method, share) == gone


@pytest.mark.parametrize("asked", ASKED, ids=" and ".join)
@settings(max_examples=40)
@given(data=st.data(), share=SHARES, loss=st.sampled_from(sorted(lattice_oracle.LOSSES)))
def test_a_table_is_published_at_the_best_node_that_the_road_lets_pass(asked, data, share, loss) -> None:
    table = data.draw(tables(min_records=3, max_records=10, max_quasi_identifiers=2, max_sensitive=1, others=False))
    check(table, asked, share, loss)


@st.composite
def tables_of_people(draw: st.DrawFn) -> Microdata:
    """Return a table in which people have several records, some of them the same in everything."""
    few = draw(tables(min_records=2, max_records=5, max_quasi_identifiers=2, max_sensitive=1, others=False))
    rows = draw(st.lists(st.integers(0, len(few) - 1), min_size=4, max_size=12))
    persons = draw(people_oracle.person_lists(len(rows)))
    return replace(few.take(np.array(rows, np.int64)), persons=np.array(persons, np.int64))


@pytest.mark.parametrize("asked", ASKED[:6], ids=" and ".join)
@settings(max_examples=30)
@given(table=tables_of_people(), share=SHARES)
def test_so_is_one_of_people_with_several_records(asked, table, share) -> None:
    check(table, asked, share, "loss-mean")


def check_minimal(table: Microdata, asked: list[str], share: Fraction) -> None:
    models = [promises.read(wording) for wording in asked]
    nodes = lattice_oracle.all_nodes(table)
    try:
        good = {node for node in nodes if published(table, models, FixedGeneralization.node(node), share) is not None}
    except (SchemaError, DataError):
        return
    lowest = {
        node
        for node in good
        if not any(other != node and all(a <= b for a, b in zip(other, node, strict=True)) for other in good)
    }
    lattice = TableLattice(table, LocalEngine())
    found = Lattice().searched(lattice, models, Allowance.of_share(table, share), minimal=True).minimal
    assert found is not None
    assert sorted(found) == sorted(lowest)


@pytest.mark.parametrize("asked", ASKED, ids=" and ".join)
@settings(max_examples=25)
@given(data=st.data(), share=SHARES)
def test_minimal_nodes_keep_the_promises_and_nothing_below_them_does(asked, data, share) -> None:
    table = data.draw(tables(min_records=3, max_records=8, max_quasi_identifiers=2, max_sensitive=1, others=False))
    check_minimal(table, asked, share)


@pytest.mark.parametrize("asked", ASKED[:6], ids=" and ".join)
@settings(max_examples=40)
@given(table=tables_of_people(), share=SHARES)
def test_minimal_nodes_are_so_in_people(asked, table, share) -> None:
    check_minimal(table, asked, share)


@pytest.mark.parametrize("asked", ASKED, ids=" and ".join)
@settings(max_examples=20)
@given(table=tables(min_records=3, max_records=8, max_quasi_identifiers=2, max_sensitive=1, others=False), share=SHARES)
def test_a_descent_with_time_enough_finds_the_best_of_all(asked, table, share) -> None:
    models = [promises.read(wording) for wording in asked]
    try:
        best = best_of_all(table, models, share, "loss-mean")
    except (SchemaError, DataError):
        return
    base = TableLattice(table, LocalEngine()).hash_table(models)
    loss = node_loss("loss-mean", base, [Fraction(1)] * len(table.quasi_identifiers))
    found, whole = lattice_descent(NodeEvaluation(base, models, Allowance.of_share(table, share), loss), 60)
    assert whole
    assert (None if found is None else found.rank) == (None if best is None else best[0])


def test_a_descent_goes_on_where_the_top_breaks_the_promise() -> None:
    """All together have too many x; told apart, those who have nothing else are few and are withheld."""
    table = table_of([*"aaaabbb"], [*"xyxyxxx"])
    models = [promises.read("l-diversity:l=2,kind=entropy")]
    base = TableLattice(table, LocalEngine()).hash_table(models)
    loss = node_loss("loss-mean", base, [Fraction(1)])
    found, whole = lattice_descent(NodeEvaluation(base, models, Allowance(3, 3), loss), 60)
    assert whole
    assert found is not None
    assert (found.node, found.withheld) == ((0,), 3)
    cut_off, whole = lattice_descent(NodeEvaluation(base, models, Allowance(3, 3), loss), -1)
    assert (cut_off, whole) == (None, False)


def test_that_the_time_was_up_before_anything_was_found_is_said(monkeypatch) -> None:
    monkeypatch.setattr("shoal.anonymizers.generalization.search._MOST_NODES", 0)
    descend = lattice_descent
    monkeypatch.setattr(
        "shoal.anonymizers.lattice.lattice.lattice_descent", lambda evaluation, _: descend(evaluation, -1)
    )
    table = table_of([*"aaaabbb"], [*"xyxyxxx"])
    with pytest.raises(PromiseNotKept, match="The time was up"):
        road.publish(table, [promises.read("l-diversity:l=2,kind=entropy")], Lattice(), withhold=Fraction(3, 7))


def table_of(values: list[str], diseases: list[str], persons: list[int] | None = None) -> Microdata:
    columns = (
        Column.encode("place", Role.QUASI_IDENTIFIER, pl.Series(values)),
        Column.encode("disease", Role.SENSITIVE, pl.Series(diseases)),
    )
    return Microdata(columns, persons=None if persons is None else np.array(persons, np.int64))


def test_what_breaks_when_others_are_gone_is_withheld_too() -> None:
    """At the lowest node c is too far from all; without it b is too, and both are more than may be withheld."""
    table = table_of([*"aaaaaabbcc"], [*"zyxyyyxzxx"])
    models, share = [promises.read("t-closeness:t=0.4")], Fraction(1, 5)
    assert published(table, models, FixedGeneralization.node((0,)), share) is None
    assert published(table, models, Lattice(), share) == set()
    found = Lattice().searched(TableLattice(table, LocalEngine()), models, Allowance(4, 4)).best
    assert found is not None
    assert (found.node, found.withheld) == ((0,), 4)
    assert published(table, models, Lattice(), Fraction(2, 5)) == {6, 7, 8, 9}


def test_a_node_may_break_between_two_that_keep_the_promises() -> None:
    """Withholding b and d helps; joined to a and c they break what these kept; all together are even again."""
    place = Column.encode("place", Role.QUASI_IDENTIFIER, pl.Series([*"aabccd"]))
    levels = [place.vocabulary.values, pl.Series(["ab", "ab", "cd", "cd"]), pl.Series(["*"] * 4)]
    disease = Column.encode("disease", Role.SENSITIVE, pl.Series([*"xyxxyy"]))
    table = Microdata((place.with_hierarchy(Hierarchy.from_columns(levels)), disease))
    asked, share = ["l-diversity:l=2,kind=entropy"], Fraction(1, 3)
    models = [promises.read(wording) for wording in asked]
    assert [published(table, models, FixedGeneralization.node((level,)), share) for level in range(3)] == [
        {2, 5},
        None,
        set(),
    ]
    assert Lattice().searched(TableLattice(table, LocalEngine()), models, Allowance(2, 2), minimal=True).minimal == (
        (0,),
    )
    check(table, asked, share, "loss-mean")


def test_classes_of_the_same_people_may_break_together_what_they_keep_apart() -> None:
    """Somebody is in both with the same disease, and counts once where they are joined."""
    table = table_of([*"aabb"], [*"xyxy"], [0, 1, 0, 2])
    models = [promises.read("l-diversity:l=2,kind=entropy")]
    assert published(table, models, FixedGeneralization.node((1,)), Fraction(0)) is None
    assert published(table, models, Lattice(), Fraction(0)) == set()
    check(table, ["l-diversity:l=2,kind=entropy"], Fraction(0), "loss-mean")


def test_as_many_people_may_lose_a_record_as_the_share_says() -> None:
    """A fifth of 5 people is one, though 9 of 49 records, all that a fifth comes to, are less than a fifth."""
    persons = [0] * 9 + [1 + each % 4 for each in range(40)]
    table = table_of(["odd"] * 9 + ["even"] * 40, ["x", "y"] * 24 + ["x"], persons)
    models = [promises.read("k-anonymity:k=2")]
    assert published(table, models, FixedGeneralization.node((0,)), Fraction(1, 5)) == set(range(9))
    assert published(table, models, Lattice(), Fraction(1, 5)) == set(range(9))


def test_a_column_that_need_not_be_generalized_is_not() -> None:
    """A column of one value costs the same at every level, and is told as it is."""
    columns = [
        Column.encode("country", Role.QUASI_IDENTIFIER, pl.Series(["Norway"] * 6)),
        Column.encode("zip", Role.QUASI_IDENTIFIER, pl.Series(["4350", "4351", "4352", "4350", "4351", "4352"])),
    ]
    table = Microdata(tuple(column.with_hierarchy(Hierarchy.from_masks(column.vocabulary)) for column in columns))
    for k, zips in ((2, {"4350", "4351", "4352"}), (6, {"435*"})):
        for loss in lattice_oracle.LOSSES:
            release, _ = road.publish(table, [promises.read(f"k-anonymity:k={k}")], Lattice(loss=loss))  # pyright: ignore
            assert isinstance(release.records, Microdata)
            assert set(release.records["country"].values) == {"Norway"}
            assert set(release.records["zip"].values) == zips
