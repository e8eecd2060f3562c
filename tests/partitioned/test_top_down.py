"""Top-down without its local search, on a table that is not in memory, makes the groups that it makes in memory."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beyond_memory import backends_of, schema_without_file
from shoal import road
from shoal.anonymizers import TopDown, methods
from shoal.backends.stream import StreamBackend
from shoal.data import Column, Microdata, Role
from shoal.errors import ShoalError, WordingError
from shoal.models import promises
from shoal.partitioned import partitioned
from shoal.partitioned.everybody import everybody_of
from shoal.partitioned.local_recoding.lifted_records import in_random_order
from shoal.partitioned.local_recoding.top_steps import first_steps
from shoal.partitioned.publish_table import publish_table
from shoal.partitioned.table import PartitionedTable
from shoal.partitioned.write_parts import Destination, drawn
from shoal.testing import tables

_SIZES = ("k-anonymity:k=2", "k-anonymity:k=3")
_VALUES = (
    "l-diversity:l=2",
    "l-diversity:l=1.5,kind=entropy",
    "t-closeness:t=0.4",
    "p-sensitive:p=2",
    "p-alpha-sensitive:p=2,alpha=1",
)
_METHODS = (
    "top-down:search=0,looked_ahead=0",
    "top-down:search=0,looked_ahead=4",
    "top-down:search=0,looked_ahead=0,numbers=hierarchy",
    "top-down:search=0,looked_ahead=0,labels=tight",
)
_MEMORY = (400, 2_000, 1 << 30)
"""Groups of 1, 5 or all records go to one worker."""

_BY_CHANCE = ("weighted attribute distribution distance",)
"""What depends on which of equal records is lifted: chance decides that."""


@pytest.fixture(scope="module")
def backends(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[int, StreamBackend]]:
    with backends_of(tmp_path_factory.mktemp("backend"), _MEMORY) as made:
        yield made


def _compared(backend: StreamBackend, folder, table: Microdata, wordings, wording: str, withhold=Fraction(0)) -> None:
    """Publish in memory and on disk, and compare."""
    models, method = [promises.read(each) for each in wordings], methods.read(wording)
    try:
        expected, ledger = road.publish(table, models, method, accept=("empty",), withhold=withhold)
    except ShoalError as error:
        with pytest.raises(type(error)):
            _published(table, backend, models, method, folder, withhold)
        return
    made = _published(table, backend, models, method, folder, withhold)
    assert isinstance(expected.records, Microdata)
    assert made.certificate == replace(expected.certificate, engine="stream")
    assert made.group_sizes == dict(ledger.group_sizes)
    assert made.remarks == ledger.remarks
    # where promises do not look at sensitive values, chance decides which of equal records is lifted
    decided = any(model.needs_sensitive for model in models)
    leaves = [column for column in table.columns if column.role.leaves]
    columns = [column.name for column in leaves if decided or column.role is Role.QUASI_IDENTIFIER]
    written = pl.read_parquet(folder / "data")
    assert _rows(written.select(columns)) == _rows(expected.records.frame().select(columns))
    report = {name: value for name, value in made.report.items() if name not in _BY_CHANCE}
    assert {name: ledger.report[name] for name in report} == pytest.approx(report)


def _published(table: Microdata, backend: StreamBackend, models, method, folder, withhold=Fraction(0)):
    there, to = partitioned(table, backend), Destination(folder, None)
    return publish_table(
        there, schema_without_file(table), {}, models, method, to, accept=("empty",), withhold=withhold
    )


def _rows(frame: pl.DataFrame) -> Counter:
    return Counter(frame.cast(pl.String).iter_rows())


@settings(max_examples=60, deadline=None)
@given(
    table=tables(min_records=2, max_records=30),
    wordings=st.lists(st.sampled_from(_SIZES + _VALUES), min_size=1, max_size=2, unique=True),
    method=st.sampled_from(_METHODS),
    memory=st.sampled_from(_MEMORY),
)
def test_what_is_published_is_what_is_published_from_memory(
    backends, tmp_path_factory, table: Microdata, wordings, method, memory
) -> None:
    _compared(backends[memory], tmp_path_factory.mktemp("release"), table, wordings, method)


_ROWS = st.tuples(
    st.integers(0, 9), st.sampled_from([None, 1.5, 2.0, 700.0]), st.sampled_from("aaabc"), st.sampled_from("xyz")
)


@settings(max_examples=40, deadline=None)
@given(
    rows=st.lists(_ROWS, min_size=30, max_size=60),
    wordings=st.sampled_from(
        [_SIZES[1:], ("l-diversity:l=2",), (_SIZES[0], "t-closeness:t=0.5"), ("p-sensitive:p=3",)]
    ),
    method=st.sampled_from(_METHODS[::3]),
)
def test_records_are_lifted_where_the_table_is(backends, tmp_path_factory, rows, wordings, method) -> None:
    roles = [Role.QUASI_IDENTIFIER] * 3 + [Role.SENSITIVE]
    columns = zip(("number", "other", "word", "ill"), roles, zip(*rows, strict=True), strict=True)
    table = Microdata(tuple(Column.encode(name, role, pl.Series(values)) for name, role, values in columns))
    _compared(backends[_MEMORY[0]], tmp_path_factory.mktemp("release"), table, wordings, method)


def _words(words: str, ills: str) -> Microdata:
    known = Column.encode("word", Role.QUASI_IDENTIFIER, pl.Series(list(words)))
    return Microdata((known, Column.encode("ill", Role.SENSITIVE, pl.Series(list(ills)))))


def _drawn(table: Microdata, backend: StreamBackend) -> PartitionedTable:
    there = partitioned(table, backend)
    return replace(there, rows=drawn(there.rows))


@pytest.mark.parametrize(
    ("wording", "words", "ills", "lifted"),
    [
        ("k-anonymity:k=3", "aaaaaabbbc", "uuuuuuuuuu", {"a": 2}),
        ("k-anonymity:k=2", "aaabbbc", "uuuvvvw", {"a": 1}),
        ("p-sensitive:p=2", "aaaauuucc", "xyyxxyxxx", {"a": 1}),
    ],
)
def test_the_fewest_are_lifted(backends, wording: str, words: str, ills: str, lifted: dict[str, int]) -> None:
    """Those of the last word are too few, or too alike: others join them."""
    table = _words(words, ills)
    there = _drawn(table, backends[_MEMORY[0]])
    hierarchies = TopDown().hierarchies(there.quasi_identifiers)
    steps = first_steps(there, [promises.read(wording)], everybody_of(there), hierarchies, 1)
    rows = there.rows.collect("all")
    leaves = steps.tree.followed()(rows, there.codes_of(there.quasi_identifiers))
    own = table.columns[0].vocabulary.words.gather(rows["c0"]).to_list()
    with_last = {leaf for leaf, word in zip(leaves.tolist(), own, strict=True) if word == words[-1]}
    found = Counter(word for leaf, word in zip(leaves.tolist(), own, strict=True) if leaf in with_last)
    assert len(with_last) == 1
    assert {word: n for word, n in found.items() if word != words[-1]} == lifted
    assert sum(len(moves) for moves in steps.tree.lifted.values()) == sum(lifted.values())
    assert steps.closed[with_last.pop()].all()


def test_groups_are_specialized_until_they_are_small_enough(backends) -> None:
    table = Microdata((Column.encode("number", Role.QUASI_IDENTIFIER, pl.Series(range(64))),))
    there, models = _drawn(table, backends[_MEMORY[0]]), [promises.read("k-anonymity:k=2")]
    hierarchies = TopDown().hierarchies(there.quasi_identifiers)
    trees = [first_steps(there, models, everybody_of(there), hierarchies, most).tree for most in (64, 8)]
    assert [sum(cut is None for cut in tree.cuts) for tree in trees] == [1, 8]


def test_which_of_equal_records_is_lifted_is_not_how_they_are_published(backends) -> None:
    """The order among equal records is another one than that of the numbers by which they are shuffled."""
    numbers = pl.DataFrame({"drawn": np.arange(100, dtype=np.uint64)})
    order = np.argsort(in_random_order(numbers))
    assert sorted(order.tolist()) == list(range(100))
    assert not (np.diff(order) > 0).all()


def test_the_local_search_is_refused_with_the_reason(backends, tmp_path) -> None:
    table, models = _words("aabb", "xyxy"), [promises.read("k-anonymity:k=2")]
    there, to = partitioned(table, backends[_MEMORY[0]]), Destination(tmp_path, None)
    with pytest.raises(WordingError, match=r"moves records between groups .* Say search=0"):
        publish_table(there, schema_without_file(table), {}, models, methods.read("top-down"), to)


def test_nothing_is_withheld_where_it_may_be(backends, tmp_path) -> None:
    table = _words("aaaaaabbbc", "uuuuuuuuuu")
    _compared(backends[_MEMORY[0]], tmp_path, table, ["k-anonymity:k=3"], _METHODS[0], Fraction(1, 2))
