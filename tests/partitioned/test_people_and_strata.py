"""Methods that recode locally make the same groups of people and strata wherever the records are."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beyond_memory import SAME_SECRET, backends_of, draw_the_same, made_or_error, schema_without_file
from shoal import road
from shoal.anonymizers import methods
from shoal.anonymizers.generalization.table_lattice import all_or_nothing
from shoal.backends.stream import StreamBackend
from shoal.data import Column, Microdata, Role
from shoal.models import promises
from shoal.partitioned import partitioned
from shoal.partitioned.everybody import everybody_of
from shoal.partitioned.local_recoding.cut_tree import CutTree
from shoal.partitioned.local_recoding.top_steps import first_steps
from shoal.partitioned.persons import persons_together
from shoal.partitioned.publish_table import publish_table
from shoal.partitioned.table import PartitionedTable
from shoal.partitioned.write_parts import Destination
from shoal.testing import tables
from shoal.testing.strategies import promises_on

_MONDRIAN = ("mondrian", "mondrian:numbers=hierarchy", "mondrian:labels=tight")
_TOP_DOWN = (
    "top-down:search=0,looked_ahead=0",
    "top-down:search=0,looked_ahead=4",
    "top-down:search=0,looked_ahead=0,numbers=hierarchy",
    "top-down:search=0,looked_ahead=0,labels=tight",
)
_GROUPINGS = (
    "mdav,blocks=4",
    "mdav,blocks=100",
    "v-mdav,blocks=6",
    "refined,passes=1,blocks=8",
    "approximate,blocks=5",
)
_MICROAGGREGATION = tuple(f"microaggregation:method={each}" for each in _GROUPINGS)
_ALL = (_MONDRIAN, _TOP_DOWN, _MICROAGGREGATION)
_MEMORY = (400, 2_000, 8_000, 1 << 30)
"""Segments of 1, 5, 20 or all records go to one worker."""
_BY_CHANCE = ("weighted attribute distribution distance",)
"""What depends on the weights of records that are published alike otherwise, which may be in different groups: neither
weights nor the order of rows, which is another one on disk, decide who is in which."""


@pytest.fixture(scope="module")
def backends(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[int, StreamBackend]]:
    with backends_of(tmp_path_factory.mktemp("backend"), _MEMORY) as made:
        yield made


@pytest.fixture(autouse=True)
def _same_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_the_same(monkeypatch)


@st.composite
def _of_people(draw: st.DrawFn, table: Microdata) -> Microdata:
    """Return the table as one of people, about every other of whom has several records."""
    persons = draw(st.lists(st.integers(0, 2 * len(table) // 3), min_size=len(table), max_size=len(table)))
    return replace(table, persons=np.array(persons, np.int64))


@st.composite
def _in_strata(draw: st.DrawFn, table: Microdata) -> Microdata:
    """Return the table with strata, of which some are small; in some tables two columns are strata."""
    several = draw(st.sampled_from([("nnns",), ("nnnsw", "uuur")]))
    regions = [draw(st.lists(st.sampled_from(each), min_size=len(table), max_size=len(table))) for each in several]
    strata = [Column.encode(f"stratum {at}", Role.STRATUM, pl.Series(each)) for at, each in enumerate(regions)]
    return replace(table, columns=(*strata[:1], *table.columns, *strata[1:]))


@st.composite
def _cases(draw: st.DrawFn, *, strata: bool) -> Microdata:
    table = draw(tables(min_records=4, max_records=30, others=True))
    if strata:
        table = draw(_in_strata(table))
    return draw(_of_people(table)) if not strata or draw(st.booleans()) else table


def _compared(backend: StreamBackend, folder, table: Microdata, wordings, wording: str, withhold=Fraction(0)) -> None:
    """Publish in memory and on disk, and compare."""
    models, method = [promises.read(each) for each in wordings], methods.read(wording)
    schema, to = schema_without_file(table), Destination(folder, None)
    options = {"withhold": withhold, "accept": ("empty",)}
    in_memory = made_or_error(lambda: road.publish(table, models, method, **options, randomness=SAME_SECRET))
    made = made_or_error(lambda: publish_table(partitioned(table, backend), schema, {}, models, method, to, **options))
    if isinstance(in_memory, str) or isinstance(made, str):
        assert made == in_memory
        return
    expected, ledger = in_memory
    assert isinstance(expected.records, Microdata)
    assert made.certificate == replace(expected.certificate, engine="stream")
    assert made.group_sizes == dict(ledger.group_sizes)
    assert made.remarks == ledger.remarks
    # where each record is of another person, chance decides which of equal ones is lifted
    chance = method.name == "top-down" and table.persons is None
    separates = chance or method.name == "microaggregation"  # equal records
    report = {name: value for name, value in made.report.items() if not separates or name not in _BY_CHANCE}
    assert {name: ledger.report[name] for name in report} == pytest.approx(report)
    leaves = [column for column in table.columns if column.role.leaves]
    compared = [column.name for column in leaves if not chance or column.role.is_observable]
    written = pl.read_parquet(folder / "data")
    assert _rows(written.select(compared)) == _rows(expected.records.frame().select(compared))


def _rows(frame: pl.DataFrame) -> Counter:
    return Counter(frame.cast(pl.String).iter_rows())


@pytest.mark.parametrize("wordings", _ALL, ids=lambda each: each[0].partition(":")[0])
@settings(max_examples=60, deadline=None)
@given(data=st.data(), table=_cases(strata=False), memory=st.sampled_from(_MEMORY))
def test_people_are_counted_as_in_memory(backends, tmp_path_factory, wordings, data, table: Microdata, memory) -> None:
    models = data.draw(st.lists(st.sampled_from(promises_on(table)), min_size=1, max_size=2, unique=True))
    method = data.draw(st.sampled_from(wordings))
    _compared(backends[memory], tmp_path_factory.mktemp("release"), table, models, method)


@pytest.mark.parametrize("wordings", _ALL, ids=lambda each: each[0].partition(":")[0])
@settings(max_examples=60, deadline=None)
@given(data=st.data(), table=_cases(strata=True), memory=st.sampled_from(_MEMORY))
def test_strata_are_recoded_as_in_memory(backends, tmp_path_factory, wordings, data, table: Microdata, memory) -> None:
    models = data.draw(st.lists(st.sampled_from(promises_on(table)), min_size=1, max_size=2, unique=True))
    method = data.draw(st.sampled_from(wordings))
    share = Fraction(data.draw(st.sampled_from([0, 1])), 2) if method.startswith("top-down") else Fraction(0)
    _compared(backends[memory], tmp_path_factory.mktemp("release"), table, models, method, share)


_ROWS = st.tuples(
    st.integers(0, 9), st.sampled_from([None, 1.5, 2.0, 700.0]), st.sampled_from("aaabc"), st.sampled_from("xyz")
)
_VALUES = ("k-anonymity:k=3", "l-diversity:l=1.5,kind=entropy", "t-closeness:t=0.5", "p-sensitive:p=3")


@pytest.mark.parametrize("method", [_MONDRIAN[2], _TOP_DOWN[0], _MICROAGGREGATION[0]])
@settings(max_examples=30, deadline=None)
@given(rows=st.lists(_ROWS, min_size=30, max_size=60), data=st.data(), wording=st.sampled_from(_VALUES))
def test_many_parts_are_judged_in_people(backends, tmp_path_factory, method, rows, data, wording) -> None:
    roles = [Role.QUASI_IDENTIFIER] * 3 + [Role.SENSITIVE]
    columns = zip(("number", "other", "word", "ill"), roles, zip(*rows, strict=True), strict=True)
    table = Microdata(tuple(Column.encode(name, role, pl.Series(values)) for name, role, values in columns))
    table = data.draw(_of_people(table))
    _compared(backends[_MEMORY[0]], tmp_path_factory.mktemp("release"), table, [wording], method)


def _words(words: str, persons: list[int]) -> Microdata:
    return Microdata(
        (Column.encode("word", Role.QUASI_IDENTIFIER, pl.Series(list(words))),), np.array(persons, np.int64)
    )


def test_people_who_together_break_a_promise_stay_together(backends, tmp_path) -> None:
    """Each word has as many people with either illness; both words together have more with one of them."""
    ills = Column.encode("ill", Role.SENSITIVE, pl.Series(list("xyxyxxyy")))
    table = _words("aaaabbbb", [0, 0, 1, 1, 2, 3, 0, 1])
    table = replace(table, columns=(*table.columns, ills))
    model = "l-diversity:l=1.9,kind=entropy"
    there = _gathered(table, backends[_MEMORY[0]])
    hierarchies = [all_or_nothing(each) for each in there.quasi_identifiers]
    steps = first_steps(there, [promises.read(model)], everybody_of(there), hierarchies, 1)
    assert _leaves(steps.tree, there) == {"ab"}
    _compared(backends[_MEMORY[0]], tmp_path, table, [model], _TOP_DOWN[0])


def _leaves(tree: CutTree, there: PartitionedTable) -> set[str]:
    """Return the words of each leaf."""
    rows, (words,) = there.rows.collect("all"), there.quasi_identifiers
    named = pl.DataFrame({"leaf": tree.followed()(rows, ("c0",)), "word": words.vocabulary.words.gather(rows["c0"])})
    return {"".join(sorted(set(each))) for each in named.group_by("leaf").agg("word")["word"].to_list()}


def _gathered(table: Microdata, backend: StreamBackend) -> PartitionedTable:
    there = partitioned(table, backend)
    return replace(there, rows=persons_together(there.rows, len(there)))


@pytest.mark.parametrize(
    ("words", "persons", "leaves"),
    [
        ("aaabbbbcc", [0, 1, 2, 3, 4, 5, 6, 7, 8], {"a", "b", "c"}),
        ("aaabbbbcc", [0, 1, 2, 3, 4, 5, 6, 7, 7], {"ac", "b"}),  # two records of one person are no two people
        ("aaabbbbcc", [7, 7, 1, 3, 4, 5, 6, 7, 7], {"ac", "b"}),
        ("aaabbbbcc", [7, 7, 7, 3, 4, 5, 6, 7, 7], {"abc"}),  # who is in two parts is one person of both
    ],
)
def test_a_whole_part_joins_those_who_are_too_few(backends, words: str, persons: list[int], leaves: set[str]) -> None:
    there, models = _gathered(_words(words, persons), backends[_MEMORY[0]]), [promises.read("k-anonymity:k=2")]
    steps = first_steps(
        there, models, everybody_of(there), [all_or_nothing(each) for each in there.quasi_identifiers], 1
    )
    assert _leaves(steps.tree, there) == leaves
