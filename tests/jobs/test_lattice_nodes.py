"""Every node of a lattice with its k, l and entropy, against counting the groups record by record."""

import math
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings

import lattice_oracle
from cli.files import write_survey, write_table
from shoal.data import Microdata
from shoal.errors import WordingError
from shoal.jobs import lattice_nodes as job
from shoal.jobs.lattice_nodes import lattice_nodes, node_rows
from shoal.testing import tables


def entropy(counts: list[int]) -> float:
    return -sum(c / sum(counts) * math.log2(c / sum(counts)) for c in counts)


def expected(table: Microdata, node: tuple[int, ...]) -> dict[str, float]:
    """The groups of people at a node: who is in several records of a group is one, and so is each of their values."""
    persons = list(range(len(table))) if table.persons is None else table.persons.tolist()
    groups = [*lattice_oracle.groups_at(table, node).values()]
    people = [len({persons[i] for i in group}) for group in groups]
    found: dict[str, float] = {
        f"level of {column.name}": level for column, level in zip(table.quasi_identifiers, node, strict=True)
    }
    found |= {"groups": len(groups), "k": min(people)}
    for column in table.sensitive:
        having = [Counter(code for _, code in {(persons[i], column.codes[i]) for i in group}) for group in groups]
        pairs = [*zip(having, people, strict=True)]
        found[f"l of {column.name}"] = min(min(len(values) for values in having), min(people))
        worth = min(2 ** entropy([*values.values()]) for values, _ in pairs)
        found[f"entropy l of {column.name}"] = min(worth, min(people))
    return found | {"entropy": entropy([len(group) for group in groups])}


@settings(max_examples=40, deadline=None)
@given(tables())
def test_every_node_is_there_once_as_counted_record_by_record(table: Microdata) -> None:
    if not table.quasi_identifiers:
        return
    rows = [*node_rows(table)]
    nodes = lattice_oracle.all_nodes(table)
    assert len(rows) == len(nodes)
    for row, node in zip(rows, nodes, strict=True):
        want = expected(table, node)
        assert row.keys() == want.keys()
        assert row == pytest.approx(want, rel=1e-6, abs=1e-9)


def test_a_lattice_that_is_too_large_is_refused_and_ratings_have_none(tmp_path: Path, monkeypatch) -> None:
    data, schema = write_table(tmp_path)
    monkeypatch.setattr(job, "_MOST_NODES", 3)
    with pytest.raises(WordingError, match="nodes, and at most 3"):
        lattice_nodes(data, schema, out=tmp_path / "nodes.csv")
    assert not (tmp_path / "nodes.csv").exists()
    with pytest.raises(WordingError, match="ratings"):
        lattice_nodes(*write_survey(tmp_path), out=tmp_path / "nodes.csv")
