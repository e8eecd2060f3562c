"""Every backend judges as this process does: the same verdicts, levels and violations."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.backends.stream import StreamBackend
from shoal.data import Column, Microdata, Role
from shoal.engines import LocalEngine, judge
from shoal.errors import InputError, WordingError
from shoal.models import promises
from shoal.partitioned import judge_partitioned, partitioned
from shoal.testing import tables

_PROMISES = (
    "k-anonymity:k=2",
    "k-anonymity:k=4",
    "l-diversity:l=2",
    "l-diversity:l=2,kind=entropy",
    "l-diversity:l=2,kind=recursive,c=2",
    "t-closeness:t=0.3",
    "t-closeness:t=0.3,distance=ordered",
    "p-sensitive:p=2",
    "p-plus-sensitive:p=2",
    "p-alpha-sensitive:p=2,alpha=1",
    "p-plus-alpha-sensitive:p=2,alpha=1",
)
_SEVERAL_PARTITIONS = 2_000
"""So little memory that a dozen records make several partitions."""


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StreamBackend]:
    folder: Path = tmp_path_factory.mktemp("backend") / "spill"
    with StreamBackend(folder, _SEVERAL_PARTITIONS) as backend:
        yield backend


@st.composite
def tables_of_people(draw: st.DrawFn) -> Microdata:
    table = draw(tables())
    people = draw(st.none() | st.lists(st.integers(0, 4), min_size=len(table), max_size=len(table)))
    if people is None or len(set(people)) == len(people):
        return table
    return Microdata(table.columns, np.array(people, np.int64))


@settings(max_examples=150, deadline=None)
@given(table=tables_of_people(), wordings=st.lists(st.sampled_from(_PROMISES), min_size=1, max_size=2, unique=True))
def test_verdicts_are_those_of_the_table_in_memory(backend, table: Microdata, wordings: list[str]) -> None:
    models = [promises.read(each) for each in wordings]
    expected = _judged(lambda: judge(table, models, LocalEngine()))
    found = _judged(lambda: judge_partitioned(partitioned(table, backend), models))
    if isinstance(expected, str) or isinstance(found, str):
        assert found == expected
        return
    assert [_plain(each) for each in found.verdicts] == [_plain(each) for each in expected.verdicts]
    sizes, groups = np.unique(expected.groups.counts.sizes, return_counts=True)
    assert found.group_sizes == dict(zip(sizes.tolist(), groups.tolist(), strict=True))
    assert found.n_groups == expected.n_groups
    assert found.holds == expected.holds


Judged = TypeVar("Judged")


def _judged(judging: Callable[[], Judged]) -> Judged | str:
    """Return what is judged, or why it is refused."""
    try:
        return judging()
    except InputError as error:
        return f"{type(error).__name__}: {error}"


def _plain(verdict) -> tuple:
    return verdict.promise, verdict.holds, dict(verdict.level), verdict.violations, verdict.remarks


def test_promises_that_are_not_judged_on_groups_are_refused(backend) -> None:
    table = Microdata((Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([1, 1])),))
    with pytest.raises(WordingError):
        judge_partitioned(partitioned(table, backend), [promises.read("k-epsilon:k=2,epsilon=1")])
