"""The privacy hash table, rolled up by any way, against counting records at the node."""

from collections import Counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lattice_oracle
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.engines import LocalEngine
from shoal.evidence import PrivacyHashTable
from shoal.models import promises
from shoal.testing import tables

ASKED = [promises.read("l-diversity:l=2")]


def published(table: PrivacyHashTable) -> Counter:
    """Return the combinations of labels with their sizes and, by sensitive column, the counts of values."""
    names = [
        each.labels[level].values.to_list() for each, level in zip(table.maps.hierarchies, table.node, strict=True)
    ]
    found: Counter = Counter()
    for group, codes in enumerate(table.labels.tolist()):
        values = []
        for counts in table.counts.sensitive:
            here = slice(int(counts.indptr[group]), int(counts.indptr[group + 1]))
            values.append(tuple(zip(counts.values[here].tolist(), counts.counts[here].tolist(), strict=True)))
        labels = tuple(name[code] for name, code in zip(names, codes, strict=True))
        found[labels, int(table.counts.sizes[group]), tuple(values)] += 1
    return found


def counted(table: Microdata, node: tuple[int, ...]) -> Counter:
    found: Counter = Counter()
    for labels, members in lattice_oracle.groups_at(table, node).items():
        values = tuple(
            tuple(sorted(Counter(int(column.codes[row]) for row in members).items())) for column in table.sensitive
        )
        found[labels, len(members), values] += 1
    return found


@pytest.mark.parametrize("places", [0, 1_000_000], ids=["by hash", "in places"])
@given(table=tables(min_records=1, max_records=12), data=st.data())
def test_any_way_up_gives_what_counting_gives(places, table, data) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shoal.evidence.privacy_hash_table._PLACES", places)
        patch.setattr("shoal.evidence.privacy_hash_table._WIDEST", data.draw(st.sampled_from([1, 6, 1000])))
        models = ASKED if table.has_sensitive else [promises.read("k-anonymity:k=2")]
        base = TableLattice(table, LocalEngine()).hash_table(models)
        node = data.draw(st.sampled_from(lattice_oracle.all_nodes(table)))
        between = tuple(data.draw(st.integers(0, level)) for level in node)
        expected = counted(table, node)
        assert published(base.rolled_up(node)) == expected
        assert published(base.rolled_up(between).rolled_up(node)) == expected


def test_people_who_share_a_bucket_of_the_thesis_are_two_groups() -> None:
    """Both fall into bucket 0 of (age − 20 + zip − 4350) mod 4, and are told apart by their values."""
    columns = []
    for name, values in (("age", [22, 26]), ("zip", [4352, 4348])):
        column = Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series(values))
        columns.append(column.with_hierarchy(Hierarchy.from_intervals(column.vocabulary, [10])))
    base = TableLattice(Microdata(tuple(columns)), LocalEngine()).hash_table([promises.read("k-anonymity:k=2")])
    assert base.counts.sizes.tolist() == [1, 1]
    assert base.rolled_up((1, 2)).counts.sizes.tolist() == [2]
