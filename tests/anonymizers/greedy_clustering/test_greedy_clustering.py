"""Greedy clustering: clusters are those of its definition, keep the promises, and get labels of their own."""

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import clustering_oracle
import oracles
from shoal.anonymizers import GreedyClustering, methods
from shoal.anonymizers.canonical_order import canonical_order
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.anonymizers.greedy_clustering.growth import ClusterGrowth
from shoal.anonymizers.greedy_clustering.left_over import dispersed, merged
from shoal.anonymizers.greedy_clustering.record_kinds import RecordKinds
from shoal.anonymizers.promises import GroupPromises
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.datasets import generate_table
from shoal.engines import LocalEngine
from shoal.errors import SchemaError, WordingError
from shoal.models import KAnonymity, PrivacyModel, promises
from shoal.randomness import Randomness
from shoal.testing import tables
from shoal.testing.strategies import promises_on

ENGINE = LocalEngine()


def recoded(table: Microdata, *wordings: str, method: GreedyClustering | None = None, seed: int = 1) -> Microdata:
    models = [promises.read(wording) for wording in wordings]
    made = (method or GreedyClustering()).recode(table, models, ENGINE, Randomness(seed)).records
    assert isinstance(made, Microdata)
    return made


def people(ages: list[int], jobs: list[str], ills: list[str]) -> Microdata:
    job = Column.encode("job", Role.QUASI_IDENTIFIER, pl.Series(jobs))
    levels = [["cook", "waiter", "nurse"], ["service", "service", "health"], ["*", "*", "*"]]
    tree = Hierarchy.from_columns([pl.Series(level) for level in levels]).rebased(job.vocabulary)
    age = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(ages))
    return Microdata((age, job.with_hierarchy(tree), Column.encode("ill", Role.SENSITIVE, pl.Series(ills))))


def grown(table: Microdata, model: PrivacyModel, first: int, *, sparing: bool):
    judge = GroupPromises(table, [model], ENGINE)
    order = canonical_order(table, Randomness(1))
    kinds = RecordKinds.of(table, TableLattice(table, ENGINE).hierarchies, [model], order)
    growth = ClusterGrowth(kinds, [model], judge, sparing=sparing)
    return kinds, judge, growth.grown(int(order[first])), order.tolist()


def members(labels: np.ndarray) -> list[list[int]]:
    return [np.flatnonzero(labels == cluster).tolist() for cluster in range(labels.max(initial=-1) + 1)]


@settings(max_examples=120, deadline=None)
@given(table=tables(min_records=2, max_records=24, others=False), data=st.data(), sparing=st.booleans())
def test_clusters_and_where_the_rest_goes_are_as_defined(table: Microdata, data: st.DataObject, sparing: bool) -> None:
    wording = data.draw(st.sampled_from(promises_on(table)))
    model = promises.read(wording)
    first = data.draw(st.integers(0, len(table) - 1))
    kinds, judge, labels, order = grown(table, model, first, sparing=sparing)
    run = clustering_oracle.Clustering(table, model, order, sparing=sparing)
    expected = run.run(next(row for row in order if run.alike(row, order[first])))
    assert members(labels) == [sorted(cluster) for cluster in expected]
    assume(expected)
    left = [row for row in order if labels[row] < 0]
    whole = clustering_oracle.dispersed(run, expected, left)
    labels = dispersed(kinds, labels)
    assert members(labels) == [sorted(cluster) for cluster in whole]
    final = members(merged(kinds, labels, judge))
    assert all(run.keeps(cluster) for cluster in final) or len(final) == 1
    if all(run.keeps(cluster) for cluster in whole):
        assert final == members(labels), "nothing is merged without need"


@settings(max_examples=60, deadline=None)
@given(table=tables(min_records=2, max_records=14), data=st.data())
def test_equal_people_in_any_order_get_equal_labels(table: Microdata, data: st.DataObject) -> None:
    wording = data.draw(st.sampled_from(promises_on(table)))
    order = np.array(data.draw(st.permutations(range(len(table)))))
    made, again = recoded(table, wording), recoded(table.take(order), wording)
    assert Counter(oracles.tuples(made)) == Counter(oracles.tuples(again))


@settings(max_examples=100, deadline=None)
@given(table=tables(min_records=2, max_records=20, others=False), data=st.data())
def test_what_all_records_keep_together_every_cluster_keeps(table: Microdata, data: st.DataObject) -> None:
    model = promises.read(data.draw(st.sampled_from(promises_on(table))))
    everybody = clustering_oracle.Clustering(table, model, list(range(len(table))), sparing=False)
    assume(everybody.keeps(list(range(len(table)))))
    assert oracles.holds(recoded(table, str(model)), model)


def test_the_farthest_record_begins_the_next_cluster_and_the_closest_fill_it() -> None:
    table = people([20, 21, 60, 61, 40, 41], ["cook"] * 6, list("abcdef"))
    made = recoded(table, "k-anonymity:k=2", method=GreedyClustering(labels="tight"))
    assert set(made["age"].values.to_list()) == {"[20, 21]", "[60, 61]", "[40, 41]"}


def test_a_common_label_costs_its_height_and_a_range_its_width() -> None:
    """A nurse 10 of 100 years away costs 0.1 + 1, a waiter 30 years away 0.3 + 0.5."""
    table = people([0, 10, 30, 100], ["cook", "nurse", "waiter", "nurse"], list("abcd"))
    assert clustering_oracle.Clustering(table, KAnonymity(2), [0, 1, 2, 3], sparing=False).cost([0, 1]) == 1.1
    made = recoded(table, "k-anonymity:k=2")
    assert made["job"].values.to_list() == ["service", "nurse", "service", "nurse"]


def test_different_sensitive_values_come_before_closeness() -> None:
    table = people([20, 20, 50, 50], ["cook"] * 4, ["flu", "flu", "cold", "cold"])
    made = recoded(table, "p-sensitive:p=2,k=2", method=GreedyClustering(labels="tight"))
    assert made["age"].values.to_list() == ["[20, 50]"] * 4


def test_sparing_keeps_new_values_for_other_clusters() -> None:
    """The third record of a cluster is one more flu, and not the nearer cough."""
    ages, ills = [20, 21, 22, 26, 90, 91, 92, 93], ["flu", "cold", "cough", "flu", "flu", "cold", "flu", "flu"]
    table = people(ages, ["cook"] * 8, ills)
    model = promises.read("p-sensitive:p=2,k=3")
    found = {}
    for sparing in (False, True):
        order = canonical_order(table, Randomness(1)).tolist()
        labels = grown(table, model, order.index(0), sparing=sparing)[2]
        found[sparing] = np.flatnonzero(labels == labels[0]).tolist()
    assert found == {False: [0, 1, 2], True: [0, 1, 3]}


def test_who_is_left_over_joins_where_the_loss_grows_least() -> None:
    table = people([20, 20, 20, 21, 60, 60, 60], ["cook"] * 7, list("abcdefg"))
    made = recoded(table, "k-anonymity:k=3", method=GreedyClustering(labels="tight"))
    assert sorted(Counter(made["age"].values.to_list()).items()) in (
        [("60", 3), ("[20, 21]", 4)],
        [("[20, 21]", 4), ("[60]", 3)],
    )


def test_records_that_do_not_keep_the_promise_together_stay_together() -> None:
    table = people([20, 40], ["cook", "nurse"], ["flu", "flu"])
    assert recoded(table, "p-sensitive:p=2")["job"].values.to_list() == ["*", "*"]


def test_every_label_of_a_large_table_covers_a_cluster_that_keeps_its_promises() -> None:
    table = generate_table(3000, 7)
    made = recoded(table, "k-anonymity:k=4", "t-closeness:t=0.3")
    assert oracles.holds(made, promises.read("k-anonymity:k=4"))
    counts = ENGINE.count(made, ENGINE.group(made), sensitive=True)
    assert promises.read("t-closeness:t=0.3").judge(counts).holds
    assert len(counts.sizes) > 10, "a cluster grows no more than it must"


def test_the_seed_decides_where_it_begins() -> None:
    table = generate_table(400, 3)
    made = [oracles.tuples(recoded(table, "k-anonymity:k=3", seed=seed)) for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]


@pytest.mark.parametrize("wrong", ["nearest", "", "Closest"])
def test_other_ways_to_fill_are_refused(wrong: str) -> None:
    with pytest.raises(WordingError):
        methods.read(f"greedy-clustering:fill={wrong}")


def test_without_a_quasi_identifier_there_is_nothing_to_cluster() -> None:
    table = Microdata((Column.encode("ill", Role.SENSITIVE, pl.Series(["flu", "cold"])),))
    with pytest.raises(SchemaError):
        recoded(table, "p-sensitive:p=2")
