"""Groups of rows are counted and joined in one way, however wide rows are."""

import math
from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.data import Column, CountedColumn, Role
from shoal.partitioned import group_rows
from shoal.partitioned.group_rows import RECORDS, GroupLayout, packings

_SIZES = (3, 2, 4)
_ROW = st.tuples(*(st.integers(0, size - 1) for size in _SIZES), st.integers(0, 2), st.integers(0, 1))
_LARGE = st.sampled_from([1, 2, 5, 2**40])


def _sensitive(name: str, n_values: int) -> CountedColumn:
    values = pl.Series([f"{name}{code}" for code in range(n_values)])
    return CountedColumn.of(Column.encode(name, Role.SENSITIVE, values), np.ones(n_values, np.int64))


def _layout(n_sensitive: int) -> GroupLayout:
    words = packings([f"c{i}" for i in range(len(_SIZES))], _SIZES)
    return GroupLayout(words, (_sensitive("a", 3), _sensitive("b", 2))[:n_sensitive])


def _rows(layout: GroupLayout, rows: list[tuple[int, ...]], records: list[int]) -> pl.DataFrame:
    codes = pl.DataFrame({f"c{i}": pl.Series([row[i] for row in rows], dtype=pl.UInt8) for i in range(len(_SIZES))})
    words = {f"w{i}": pl.Series(word.packed(codes)) for i, word in enumerate(layout.words)}
    held = {f"s{i}": pl.Series([r[3 + i] for r in rows], dtype=pl.UInt8) for i in range(len(layout.sensitive))}
    return layout.keyed(pl.DataFrame({**words, **held, RECORDS: pl.Series(records, dtype=pl.UInt64)}))


@pytest.mark.parametrize("largest", [2**63, 40, 7], ids=["one number", "apart from values", "several numbers"])
@given(drawn=st.lists(st.tuples(_ROW, _LARGE), min_size=1, max_size=20), n=st.integers(0, 2), alone=st.booleans())
def test_groups_and_joined_rows_are_those_of_a_dictionary(largest, drawn, n, alone) -> None:
    rows, records = [row for row, _ in drawn], [1 if alone else number for _, number in drawn]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(group_rows, "_LARGEST", largest)
        layout = _layout(n)
        assert len(layout.words) == (1 if largest > math.prod(_SIZES) else 2)
        given_rows = _rows(layout, rows, records)
        codes, counts = layout.groups(given_rows)
        joined = layout.joined(given_rows)
    expected: dict[tuple[int, ...], Counter[tuple[int, ...]]] = {}
    for row, number in zip(rows, records, strict=True):
        expected.setdefault(row[:3], Counter())[row[3 : 3 + n]] += number
    found = list(zip(*(each.tolist() for each in codes), strict=True))
    assert sorted(found) == sorted(expected)
    assert counts.sizes.tolist() == [sum(expected[group].values()) for group in found]
    for place, each in enumerate(counts.sensitive):
        for i, group in enumerate(found):
            here = slice(int(each.indptr[i]), int(each.indptr[i + 1]))
            held: Counter[int] = Counter()
            for values, number in expected[group].items():
                held[values[place]] += number
            assert list(zip(each.values[here].tolist(), each.counts[here].tolist(), strict=True)) == sorted(
                held.items()
            )
    kinds = list(zip(*(each.tolist() for each in layout.observable(joined)), strict=True))
    held_codes = list(zip(*(joined[f"s{i}"].to_list() for i in range(n)), strict=True)) if n else [()] * len(kinds)
    again = dict(zip(zip(kinds, held_codes, strict=True), joined[RECORDS].to_list(), strict=True))
    assert again == {(group, values): number for group, held in expected.items() for values, number in held.items()}
    assert joined.height == len(again)
    assert joined.schema == given_rows.schema


@given(rows=st.lists(_ROW, min_size=1, max_size=9), worths=st.lists(st.integers(0, 2**40), min_size=9, max_size=9))
@pytest.mark.parametrize("table", [1 << 14, 1], ids=["columns together", "columns apart"])
def test_worths_of_codes_are_added_up(table, rows, worths) -> None:
    by_column = [np.array(worths[:3], np.uint64), np.array(worths[3:5], np.uint64), np.array(worths[5:], np.uint64)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(group_rows, "_TABLE", table)
        layout = _layout(0)
        added = layout.added(_rows(layout, rows, [1] * len(rows)), by_column)
    assert added.tolist() == [sum(int(by_column[i][row[i]]) for i in range(3)) for row in rows]
