"""Tables published under labels of every kind, for tests of measures."""

import datetime as dt
from typing import Any

import numpy as np
import polars as pl
from hypothesis import strategies as st

from comparisons import sizes
from label_oracle import PlainColumn, ranges
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.testing import tables
from shoal.utility import Comparison


@st.composite
def published_tables(draw: st.DrawFn, **limits) -> Comparison:
    """Some people of a table published under values, labels of hierarchies, ranges, stars and words of no meaning.

    Now and then labels are those of others, and do not cover what is published under them.
    """
    table = draw(tables(others=False, **limits))
    rows = np.array(draw(st.lists(st.integers(0, len(table) - 1), min_size=1, max_size=12)))
    whole = Microdata(tuple(_fewer(column, rows, draw(st.booleans())) for column in table.columns))
    origins = np.array(draw(st.lists(st.integers(0, len(rows) - 1), min_size=1, unique=True)))
    published = []
    for column in whole.take(origins).columns:
        if column.role is Role.QUASI_IDENTIFIER and draw(st.booleans()):
            domain = _domain(whole[column.name])
            truth = draw(st.sampled_from([True, True, False]))
            codes = column.codes.tolist() if truth else draw(st.permutations(column.codes.tolist()))
            labels = [draw(st.sampled_from(_choices(column, domain, code))) for code in codes]
            published.append(Column.encode(column.name, column.role, pl.Series(labels, dtype=pl.String)))
        else:
            published.append(column if draw(st.booleans()) else column.compacted())
    released = Microdata(tuple(published))
    return Comparison(whole, origins, released, sizes(released), k=draw(st.none() | st.integers(2, 4)))


def _fewer(column: Column, rows: np.ndarray, compact: bool) -> Column:
    """Return some records; compacted, so that the hierarchy has leaves that nobody has, or with its unused values."""
    some = column.take(rows)
    if not compact:
        return some
    fewer = some.compacted()
    if column.hierarchy is None:
        return fewer
    levels = zip(column.hierarchy.labels, column.hierarchy.maps, strict=True)
    written = [labels.take(codes).cast(pl.String) for labels, codes in levels]
    return fewer.with_hierarchy(Hierarchy.from_columns(written).rebased(fewer.vocabulary))


def _words(column: Column) -> list[str | None]:
    return column.vocabulary.values.cast(pl.String).to_list()


def _domain(column: Column) -> list[int]:
    """The codes that occur, in the order of their values."""
    values = column.vocabulary.values.to_list()
    return sorted(set(column.codes.tolist()), key=lambda code: (values[code] is not None, values[code]))


def _choices(column: Column, domain: list[int], code: int) -> list[str | None]:
    words = _words(column)
    place = domain.index(code)
    labels = [words[code], "*", None, "x"]
    written = ranges([words[each] for each in domain], column.vocabulary.is_ordered)
    labels += [text for text, places in written.items() if place in places]
    if column.hierarchy is not None:
        levels = zip(column.hierarchy.labels, column.hierarchy.maps, strict=True)
        labels += [labels.values.cast(pl.String).to_list()[maps[code]] for labels, maps in levels]
    return labels


def plain(comparison: Comparison, *roles: Role) -> dict[str, PlainColumn]:
    """Columns of these roles by name, in plain values."""
    whole, released = comparison.whole, comparison.released
    assert isinstance(whole, Microdata)
    assert isinstance(released, Microdata)
    found = {}
    for after in released.columns:
        if after.role in (roles or (Role.QUASI_IDENTIFIER,)):
            before = whole[after.name]
            labels = [_words(after)[code] for code in after.codes.tolist()]
            words = dict(zip(before.vocabulary.values.to_list(), _words(before), strict=True))
            found[after.name] = PlainColumn(
                before.values.to_list(),
                comparison.origins.tolist(),
                labels,
                _paths(before),
                before.vocabulary.is_ordered,
                words,
            )
    return found


def _paths(column: Column) -> dict | None:
    if column.hierarchy is None:
        return None
    whole = column.hierarchy.declared or column.hierarchy
    leaves = [_value(word, column.vocabulary.values.dtype) for word in whole.labels[0].values.cast(pl.String)]
    levels = [
        labels.take(codes).cast(pl.String).to_list() for labels, codes in zip(whole.labels, whole.maps, strict=True)
    ]
    paths = zip(*levels[1:], strict=True) if len(levels) > 1 else [("*",)] * len(leaves)
    return dict(zip(leaves, paths, strict=True))


def _value(word: str | None, kind: pl.DataType) -> Any:
    if word is None or kind == pl.String:
        return word
    if kind == pl.Date:
        return dt.date.fromisoformat(word)
    return word == "true" if kind == pl.Boolean else int(word) if kind == pl.Int64 else float(word)
