"""The lattice finds the same node wherever the records are."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.anonymizers import Allowance
from shoal.anonymizers.generalization import TableLattice, node_evaluation
from shoal.anonymizers.lattice.lattice import Lattice
from shoal.backends.stream import StreamBackend
from shoal.data import Microdata
from shoal.engines import LocalEngine, refuse_misfits
from shoal.errors import InputError
from shoal.models import promises
from shoal.partitioned import partitioned
from shoal.partitioned.lattice import PartitionedLattice
from shoal.testing import tables

_PROMISES = ("k-anonymity:k=2", "k-anonymity:k=3", "l-diversity:l=2", "t-closeness:t=0.4", "p-sensitive:p=2")
_LOSSES = ("loss-mean", "discernability", "height", "precision", "average-group-size")


class _FewGroups(StreamBackend):
    """Brings only tables here that have few groups, so that nodes are judged on both sides."""

    most = 3

    @property
    def most_groups(self) -> int:
        return self.most


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_FewGroups]:
    folder: Path = tmp_path_factory.mktemp("backend") / "spill"
    with _FewGroups(folder, 4_000) as backend:
        yield backend


@settings(max_examples=60, deadline=None)
@given(
    table=tables(min_records=2, others=False),
    persons=st.none() | st.lists(st.integers(0, 5), min_size=12, max_size=12),
    wordings=st.lists(st.sampled_from(_PROMISES), min_size=1, max_size=2, unique=True),
    loss=st.sampled_from(_LOSSES),
    withhold=st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1, 2)]),
    most=st.sampled_from([0, 3, 8, 1000]),
    held=st.sampled_from([1, 20, 1 << 26]),
)
def test_the_node_is_that_of_the_table_in_memory(
    backend, table: Microdata, persons, wordings, loss, withhold, most, held
) -> None:
    models = [promises.read(each) for each in wordings]
    if persons is not None:
        table = replace(table, persons=np.array(persons[: len(table)], np.int64))
    try:
        refuse_misfits(table, models)
    except InputError:
        return
    backend.most = most
    allowed, method = Allowance.of_share(table, withhold), Lattice(loss=loss)
    expected = method.searched(TableLattice(table, LocalEngine()), models, allowed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(node_evaluation, "_HELD", held)
        found = PartitionedLattice(partitioned(table, backend)).searched(method, models, allowed)
    assert found.best == expected.best
    assert (found.nodes, found.whole) == (expected.nodes, expected.whole)
    if expected.evaluated:
        chosen = Lattice(loss=loss, levels=";".join(map(str, expected.evaluated[-1].node)))
        there = PartitionedLattice(partitioned(table, backend)).searched(chosen, models, allowed)
        here = chosen.searched(TableLattice(table, LocalEngine()), models, allowed)
        assert (there.best, len(there.evaluated)) == (here.best, 1)
