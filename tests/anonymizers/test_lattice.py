"""What the search of the lattice finds, against going through every node."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lattice_oracle
from shoal.anonymizers import Lattice
from shoal.anonymizers.generalisation_strategies import generalisation_strategies
from shoal.anonymizers.lattice_descent import lattice_descent
from shoal.anonymizers.node_evaluation import NodeEvaluation
from shoal.anonymizers.node_loss import node_loss
from shoal.anonymizers.table_lattice import TableLattice
from shoal.data import Column, Microdata, Role
from shoal.engines import LocalEngine
from shoal.errors import WordingError
from shoal.models import promises
from shoal.testing import tables

ASKED = {
    "table": tables(min_records=2, max_records=9, max_sensitive=1),
    "k": st.integers(2, 3),
    "spare": st.integers(0, 3),
}
GOLDEN = Path(__file__).parents[1] / "golden" / "adult_lattice.json"


def promised(table: Microdata, k: int, l: int) -> list:  # noqa: E741
    return [
        promises.read(f"k-anonymity:k={k}"),
        *([promises.read(f"l-diversity:l={l}")] if table.has_sensitive else []),
    ]


def by_hand(table: Microdata, k: int, l: int, spare: int) -> dict[tuple[int, ...], set[int]]:  # noqa: E741
    """Give the nodes that keep the promises, with the records each withholds."""
    gone = {node: lattice_oracle.withheld_at(table, node, k, l) for node in lattice_oracle.all_nodes(table)}
    return {node: some for node, some in gone.items() if len(some) <= spare and len(some) < len(table)}


@pytest.mark.parametrize("loss", sorted(lattice_oracle.LOSSES))
@pytest.mark.parametrize("search", ["bounded", "incognito"])
@settings(max_examples=20)
@given(**ASKED)
def test_nothing_in_the_whole_lattice_is_better(search, loss, table, k, spare) -> None:
    good = by_hand(table, k, 2, spare)
    method = Lattice(loss=loss, search=search)
    found = method.searched(TableLattice(table, LocalEngine()), promised(table, k, 2), spare)
    assert found.whole
    if not good:
        assert found.best is None
        return
    assert found.best is not None
    costs = {node: lattice_oracle.LOSSES[loss](table, node, gone) for node, gone in good.items()}
    assert found.best.loss == pytest.approx(min(costs.values()))
    assert costs[found.best.node] == pytest.approx(found.best.loss)
    assert found.best.withheld == len(good[found.best.node])


@settings(max_examples=30)
@given(**ASKED)
def test_minimal_nodes_are_those_with_none_below(table, k, spare) -> None:
    good = by_hand(table, k, 2, spare)
    minimal = [
        node
        for node in good
        if not any(other != node and all(a <= b for a, b in zip(other, node, strict=True)) for other in good)
    ]
    outcome = Lattice().searched(TableLattice(table, LocalEngine()), promised(table, k, 2), spare, minimal=True)
    assert outcome.minimal is not None
    assert sorted(outcome.minimal) == sorted(minimal)


@settings(max_examples=30)
@given(**ASKED)
def test_binary_search_finds_the_least_height(table, k, spare) -> None:
    good = by_hand(table, k, 2, spare)
    method = Lattice(search="samarati", loss="loss-mean")
    found = method.searched(TableLattice(table, LocalEngine()), promised(table, k, 2), spare).best
    if not good:
        assert found is None
        return
    least = min(sum(node) for node in good)
    there = {node: lattice_oracle.loss_mean(table, node, good[node]) for node in good if sum(node) == least}
    assert found is not None
    assert found.node in there
    assert found.loss == pytest.approx(min(there.values()))


@settings(max_examples=20)
@given(table=tables(min_records=3, max_records=9, max_sensitive=0), data=st.data())
def test_order_of_rows_changes_nothing(table, data) -> None:
    shuffled = table.take(np.array(data.draw(st.permutations(range(len(table))))))
    models = [promises.read("k-anonymity:k=2")]
    one, other = (
        Lattice().searched(TableLattice(each, LocalEngine()), models, 1, minimal=True) for each in (table, shuffled)
    )
    assert one.minimal == other.minimal
    assert (one.best is None) == (other.best is None)
    if one.best is not None and other.best is not None:
        assert one.best.node == other.best.node
        assert one.best.loss == pytest.approx(other.best.loss)


@settings(max_examples=20)
@given(**ASKED)
def test_a_descent_with_time_enough_goes_everywhere_it_can(table, k, spare) -> None:
    """Everything that keeps the promises is connected to the top by nodes that do, so all of it is found."""
    good = by_hand(table, k, 2, spare)
    base = TableLattice(table, LocalEngine()).hash_table(promised(table, k, 2))
    loss = node_loss("loss-mean", base, [1.0] * len(table.quasi_identifiers))
    best, whole = lattice_descent(NodeEvaluation(base, promised(table, k, 2), spare, loss), 60)
    assert whole
    assert (best is None) == (not good)
    if best is not None:
        assert best.loss == pytest.approx(min(lattice_oracle.loss_mean(table, node, good[node]) for node in good))


def test_a_descent_without_time_says_so() -> None:
    numbers = [Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series(range(9))) for name in ("one", "other")]
    table = Microdata(tuple(numbers))
    base = TableLattice(table, LocalEngine()).hash_table([promises.read("k-anonymity:k=2")])
    loss = node_loss("loss-mean", base, [1.0] * len(table.quasi_identifiers))
    best, whole = lattice_descent(NodeEvaluation(base, [promises.read("k-anonymity:k=2")], 0, loss), -1)
    assert best is not None
    assert not whole


@pytest.mark.parametrize(("heights", "paths"), [((1, 2), 3), ((1, 1, 1), 6), ((0,), 1), ((2, 2), 6), ((3,), 1)])
def test_strategies_are_counted(heights, paths) -> None:
    assert generalisation_strategies(heights) == paths


@pytest.mark.parametrize("wrong", ["age", "age:x", "age:0", "age:-1", "age:inf"])
def test_weights_that_are_none_are_refused(wrong) -> None:
    with pytest.raises(WordingError):
        Lattice(weights=wrong)


@pytest.fixture(scope="module")
def adult(tmp_path_factory) -> Microdata:
    data = Path(__file__).resolve().parents[3] / "shared" / "data" / "tables" / "adult" / "arx"
    if not data.is_dir():
        pytest.skip("the real data sets are not beside this checkout")
    from shoal.io import read
    from shoal.io.schema import read_schema

    order = json.loads(GOLDEN.read_text())["quasi_identifiers"]
    lines = ['kind = "table"']
    for name in [*order, "occupation"]:
        role = "sensitive" if name == "occupation" else "quasi-identifier"
        lines += [f"[columns.{name}]", f'role = "{role}"', f'hierarchy = "{data / f"adult_hierarchy_{name}.csv"}"']
    schema = tmp_path_factory.mktemp("adult") / "adult.toml"
    schema.write_text("\n".join(lines) + "\n")
    table = read(data / "adult.csv", read_schema(schema)).records
    assert isinstance(table, Microdata)
    return Microdata(tuple(table[name] for name in [*order, "occupation"]))


@pytest.mark.parametrize("entry", json.loads(GOLDEN.read_text())["optima"], ids=lambda entry: entry["id"])
def test_the_optima_of_adult_are_those_of_going_through_all_nodes(adult, entry) -> None:
    models = [promises.read(wording) for wording in entry["promises"]]
    spare = int(entry["withheld_share"] * len(adult))
    found = Lattice(loss=entry["loss"]).searched(TableLattice(adult, LocalEngine()), models, spare).best
    assert found is not None
    assert [list(found.node), found.withheld] in entry["optima"]
    assert found.loss == pytest.approx(entry["best"], rel=1e-9)


@pytest.mark.parametrize("k", [2, 5, 10, 100])
def test_the_minimal_nodes_of_adult(adult, k) -> None:
    expected = json.loads(GOLDEN.read_text())["minimal"][str(k)]
    outcome = Lattice().searched(
        TableLattice(adult, LocalEngine()), [promises.read(f"k-anonymity:k={k}")], 0, minimal=True
    )
    assert outcome.minimal is not None
    assert sorted(map(list, outcome.minimal)) == sorted(expected)
