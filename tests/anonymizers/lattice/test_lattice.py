"""What the search of the lattice finds, against going through every node."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lattice_oracle
from shoal.anonymizers import Allowance, Lattice
from shoal.anonymizers.generalization.node_evaluation import NodeEvaluation
from shoal.anonymizers.generalization.node_loss import node_loss
from shoal.anonymizers.generalization.search import lattice_descent
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.engines import LocalEngine
from shoal.errors import WordingError
from shoal.jobs.lattice import generalization_strategies
from shoal.models import promises
from shoal.testing import tables

ASKED = {
    "table": tables(min_records=2, max_records=9, max_sensitive=1),
    "k": st.integers(2, 3),
    "spare": st.integers(0, 3),
}
GOLDEN = Path(__file__).parents[2] / "golden" / "adult_lattice.json"


def promised(table: Microdata, k: int, l: int) -> list:  # noqa: E741
    return [
        promises.read(f"k-anonymity:k={k}"),
        *([promises.read(f"l-diversity:l={l}")] if table.has_sensitive else []),
    ]


def by_hand(table: Microdata, k: int, l: int, spare: int) -> dict[tuple[int, ...], set[int]]:  # noqa: E741
    """Return the nodes that keep the promises, with the records each withholds."""
    gone = {node: lattice_oracle.withheld_at(table, node, k, l) for node in lattice_oracle.all_nodes(table)}
    return {node: some for node, some in gone.items() if len(some) <= spare and len(some) < len(table)}


@pytest.mark.parametrize("loss", sorted(lattice_oracle.LOSSES))
@pytest.mark.parametrize("search", ["bounded", "incognito"])
@settings(max_examples=20)
@given(**ASKED)
def test_nothing_in_the_whole_lattice_is_better(search, loss, table, k, spare) -> None:
    good = by_hand(table, k, 2, spare)
    method = Lattice(loss=loss, search=search)
    found = method.searched(
        TableLattice(table, LocalEngine()), promised(table, k, 2), Allowance.of_records(table, spare)
    )
    assert found.whole
    if not good:
        assert found.best is None
        return
    assert found.best is not None
    costs = {node: lattice_oracle.LOSSES[loss](table, node, gone) for node, gone in good.items()}
    assert found.best.rank == min((cost, sum(node), node) for node, cost in costs.items()), "the lowest of the best"
    assert found.best.loss == float(found.best.rank[0])
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
    outcome = Lattice().searched(
        TableLattice(table, LocalEngine()), promised(table, k, 2), Allowance.of_records(table, spare), minimal=True
    )
    assert outcome.minimal is not None
    assert sorted(outcome.minimal) == sorted(minimal)


@settings(max_examples=30)
@given(**ASKED)
def test_binary_search_finds_the_least_height(table, k, spare) -> None:
    good = by_hand(table, k, 2, spare)
    method = Lattice(search="samarati", loss="loss-mean")
    found = method.searched(
        TableLattice(table, LocalEngine()), promised(table, k, 2), Allowance.of_records(table, spare)
    ).best
    if not good:
        assert found is None
        return
    least = min(sum(node) for node in good)
    there = {node: lattice_oracle.loss_mean(table, node, good[node]) for node in good if sum(node) == least}
    assert found is not None
    assert found.rank == min((cost, least, node) for node, cost in there.items())


@settings(max_examples=20)
@given(table=tables(min_records=3, max_records=9, max_sensitive=0), data=st.data())
def test_order_of_rows_changes_nothing(table, data) -> None:
    shuffled = table.take(np.array(data.draw(st.permutations(range(len(table))))))
    models = [promises.read("k-anonymity:k=2")]
    one, other = (
        Lattice().searched(TableLattice(each, LocalEngine()), models, Allowance(1, 1), minimal=True)
        for each in (table, shuffled)
    )
    assert one.minimal == other.minimal
    assert (one.best is None) == (other.best is None)
    if one.best is not None and other.best is not None:
        assert one.best.rank == other.best.rank


@settings(max_examples=20)
@given(**ASKED)
def test_a_descent_with_time_enough_goes_everywhere_it_can(table, k, spare) -> None:
    """Everything that keeps the promises is connected to the top by nodes that do, so all of it is found."""
    good = by_hand(table, k, 2, spare)
    base = TableLattice(table, LocalEngine()).hash_table(promised(table, k, 2))
    loss = node_loss("loss-mean", base, [Fraction(1)] * len(table.quasi_identifiers))
    best, whole = lattice_descent(
        NodeEvaluation(base, promised(table, k, 2), Allowance.of_records(table, spare), loss), 60
    )
    assert whole
    assert (best is None) == (not good)
    if best is not None:
        assert best.rank == min((lattice_oracle.loss_mean(table, node, good[node]), sum(node), node) for node in good)


def test_a_descent_without_time_says_so() -> None:
    numbers = [Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series(range(9))) for name in ("one", "other")]
    table = Microdata(tuple(numbers))
    base = TableLattice(table, LocalEngine()).hash_table([promises.read("k-anonymity:k=2")])
    loss = node_loss("loss-mean", base, [Fraction(1)] * len(table.quasi_identifiers))
    best, whole = lattice_descent(NodeEvaluation(base, [promises.read("k-anonymity:k=2")], Allowance(0, 0), loss), -1)
    assert best is not None
    assert not whole


def test_a_descent_without_time_tells_a_column_of_one_value_as_it_is() -> None:
    columns = [
        Column.encode("country", Role.QUASI_IDENTIFIER, pl.Series(["Norway"] * 9)),
        Column.encode("number", Role.QUASI_IDENTIFIER, pl.Series(range(9))),
    ]
    table = Microdata(tuple(column.with_hierarchy(Hierarchy.from_masks(column.vocabulary)) for column in columns))
    models = [promises.read("k-anonymity:k=2")]
    base = TableLattice(table, LocalEngine()).hash_table(models)
    best, whole = lattice_descent(
        NodeEvaluation(base, models, Allowance(0, 0), node_loss("loss-mean", base, [Fraction(1)] * 2)), -1
    )
    assert not whole
    assert best is not None
    assert best.node == (0, 1)


def of_many_levels() -> Microdata:
    """Codes of 300 letters, of which the first three tell most: people alike in these are alike for k = 4."""
    codes = [f"{place:03b}" + "x" * 287 + f"{place * 4 + person:010b}" for place in range(8) for person in range(4)]
    column = Column.encode("code", Role.QUASI_IDENTIFIER, pl.Series(codes))
    other = Column.encode("number", Role.QUASI_IDENTIFIER, pl.Series([str(person % 2) for person in range(32)]))
    return Microdata(tuple(each.with_hierarchy(Hierarchy.from_masks(each.vocabulary)) for each in (column, other)))


@pytest.mark.parametrize("search", ["bounded", "incognito", "samarati"])
def test_a_hierarchy_may_have_more_levels_than_a_byte_can_count(search) -> None:
    table, models = of_many_levels(), [promises.read("k-anonymity:k=4")]
    assert table.quasi_identifiers[0].hierarchy is not None
    assert table.quasi_identifiers[0].hierarchy.height == 300
    outcome = Lattice(search=search).searched(TableLattice(table, LocalEngine()), models, Allowance(0, 0), minimal=True)
    assert outcome.best is not None
    # the last two letters tell people of a place apart, and the first three places
    minimal = [(2, 1), (298, 0)]
    assert outcome.minimal == tuple(minimal)
    for node, keeps in {(2, 1): True, (1, 1): False, (2, 0): False, (298, 0): True, (297, 0): False}.items():
        assert keeps == (not lattice_oracle.withheld_at(table, node, 4, 1))
    if search == "samarati":
        assert outcome.best.node == (2, 1)
    else:
        costs = {node: lattice_oracle.loss_mean(table, node, set()) for node in minimal}
        assert outcome.best.rank == min((cost, sum(node), node) for node, cost in costs.items())


@pytest.mark.parametrize("wording", ["t-closeness:t=0.3", "l-diversity:l=3,kind=entropy"])
def test_what_withholding_cannot_mend_is_ruled_out_with_all_below(wording) -> None:
    """Growing a group may break these promises, and yet few of the nodes are looked at."""
    draw, columns = np.random.default_rng(1), []
    for at, name in enumerate(("one", "two", "three", "four")):
        numbers = np.minimum(draw.geometric(0.1 + 0.1 * at, 2000) - 1, 15)
        column = Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series(numbers))
        columns.append(column.with_hierarchy(Hierarchy.from_intervals(column.vocabulary, [2, 4, 8])))
    disease = Column.encode("disease", Role.SENSITIVE, pl.Series(draw.choice([*"abcd"], 2000)))
    lattice = TableLattice(Microdata((*columns, disease)), LocalEngine())
    models = [promises.read("k-anonymity:k=5"), promises.read(wording)]
    outcome = Lattice().searched(lattice, models, Allowance(40, 40))
    assert outcome.best is not None
    alone = node_loss("loss-mean", lattice.hash_table(models), [Fraction(1)] * 4).alone
    cheaper = sum(alone(node) < outcome.best.rank[0] for node in product(range(5), repeat=4))
    assert len(outcome.evaluated) <= cheaper / 3, "what costs less unless it withholds was looked at one by one"


@pytest.mark.parametrize(("heights", "paths"), [((1, 2), 3), ((1, 1, 1), 6), ((0,), 1), ((2, 2), 6), ((3,), 1)])
def test_strategies_are_counted(heights, paths) -> None:
    assert generalization_strategies(heights) == paths


@pytest.mark.parametrize("wrong", ["age", "age:x", "age:0", "age:-1", "age:inf"])
def test_weights_that_are_none_are_refused(wrong) -> None:
    with pytest.raises(WordingError):
        Lattice(weights=wrong)


@pytest.fixture(scope="module")
def adult(tmp_path_factory) -> Microdata:
    data = Path(__file__).resolve().parents[4] / "shared" / "data" / "tables" / "adult" / "arx"
    if not data.is_dir():
        pytest.skip("the real data sets are not beside this checkout")
    from shoal.io import read
    from shoal.io.schemas import read_schema

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
    found = (
        Lattice(loss=entry["loss"])
        .searched(TableLattice(adult, LocalEngine()), models, Allowance.of_records(adult, spare))
        .best
    )
    assert found is not None
    assert [list(found.node), found.withheld] in entry["optima"]
    assert found.loss == pytest.approx(entry["best"], rel=1e-9)


@pytest.mark.parametrize(
    ("wording", "most"),
    [("t-closeness:t=0.2", 100), ("t-closeness:t=0.4", 800), ("l-diversity:l=3,kind=entropy", 400)],
)
def test_few_nodes_of_adult_are_looked_at(adult, wording, most) -> None:
    """Going by bounds alone, 4,301 of 4,320 were, 3,207 and 897."""
    models = [promises.read("k-anonymity:k=5"), promises.read(wording)]
    outcome = Lattice().searched(
        TableLattice(adult, LocalEngine()), models, Allowance.of_records(adult, int(0.02 * len(adult)))
    )
    assert len(outcome.evaluated) <= most


@pytest.mark.parametrize("k", [2, 5, 10, 100])
def test_the_minimal_nodes_of_adult(adult, k) -> None:
    expected = json.loads(GOLDEN.read_text())["minimal"][str(k)]
    outcome = Lattice().searched(
        TableLattice(adult, LocalEngine()), [promises.read(f"k-anonymity:k={k}")], Allowance(0, 0), minimal=True
    )
    assert outcome.minimal is not None
    assert sorted(map(list, outcome.minimal)) == sorted(expected)
