"""Levels that somebody chose are published if they keep the promises, and refused if not; nothing else is looked at."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lattice_oracle
from shoal import road
from shoal.anonymizers import Lattice, methods
from shoal.anonymizers.lattice.fixed_levels import fixed_node, levels_in_words
from shoal.data import Microdata
from shoal.errors import PromiseNotKept, WordingError
from shoal.models import promises
from shoal.testing import tables

NAMES = st.text(st.sampled_from("ab ,;:=\"'1é"), min_size=1, max_size=5)


@given(st.lists(st.tuples(NAMES, st.integers(0, 12)), min_size=1, max_size=4, unique_by=lambda each: each[0]))
def test_levels_are_read_as_they_are_written_in_a_wording_too(chosen) -> None:
    names, node = zip(*chosen, strict=True)
    written = levels_in_words(names, node)
    assert fixed_node(written, names, [12] * len(names)) == node
    read = methods.read(str(Lattice(levels=written)))
    assert isinstance(read, Lattice)
    assert fixed_node(read.levels or "", names, [12] * len(names)) == node


@pytest.mark.parametrize(
    "levels", ["", "age", "age:", "age:x", "age:1;2", "age:-1", "age:1.5", "age:1;", "age:12345", "age:1;age:2"]
)
def test_what_names_no_levels_is_refused(levels) -> None:
    with pytest.raises(WordingError):
        fixed_node(Lattice(levels=levels).levels or "", ["age", "zip"], [2, 2])


@pytest.mark.parametrize(
    ("levels", "says"),
    [
        ("age:1", "one level for each"),
        ("age:1;zip:1;sex:0", "one level for each"),
        ("age:1;sex:1", "one level for each"),
        ("1", "one level for each"),
        ("age:1;zip:3", "'zip' are 0 to 2"),
    ],
)
def test_levels_that_the_lattice_does_not_have_are_refused(levels, says) -> None:
    with pytest.raises(WordingError, match=says):
        fixed_node(levels, ["age", "zip"], [2, 2])


@settings(max_examples=60, deadline=None)
@given(tables(min_records=4, max_records=8, others=False), st.integers(2, 4), st.sampled_from(["0", "1/4"]), st.data())
def test_a_node_is_published_exactly_if_it_keeps_the_promise(table: Microdata, k: int, share: str, draw) -> None:
    node = draw.draw(st.sampled_from(lattice_oracle.all_nodes(table)))
    groups = lattice_oracle.groups_at(table, node).values()
    broken = sum(len(members) for members in groups if len(members) < k)
    method = Lattice(levels=levels_in_words([column.name for column in table.quasi_identifiers], node))
    models = [promises.read(f"k-anonymity:k={k}")]
    if broken > Fraction(share) * len(table) or broken == len(table):
        with pytest.raises(PromiseNotKept, match="levels that were chosen"):
            road.publish(table, models, method, withhold=Fraction(share), accept=[road.EMPTY])
        return
    release, ledger = road.publish(table, models, method, withhold=Fraction(share), accept=[road.EMPTY])
    published, labels = release.records, lattice_oracle.labels_by_level(table)
    assert isinstance(published, Microdata)
    for row, origin in enumerate(ledger.origins.tolist()):
        told = [str(column.values[row]) for column in published.quasi_identifiers]
        assert told == [str(labels[i][level][origin]) for i, level in enumerate(node)]
    assert len(published) == len(table) - broken


def test_levels_leave_nothing_to_search() -> None:
    with pytest.raises(WordingError, match="nothing to search"):
        Lattice(levels="age:1", search="samarati")
