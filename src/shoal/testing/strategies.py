"""Small records of every shape, for hypothesis: the odd ones come up as often as the plain ones."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from hypothesis import strategies as st

from shoal.data import (
    PARTS,
    PRESENT,
    Column,
    Hierarchy,
    Microdata,
    RatingMatrix,
    Ratings,
    Records,
    Role,
    Scale,
    Survey,
    Vocabulary,
)

__all__ = ["ratings", "records", "surveys", "tables"]

_SCALES = (
    Scale.of(1, 5),
    Scale.of(1, 2),
    Scale.of("0.5", "5", "0.5"),
    Scale.of(-10, 10),
    Scale.of(0, 1, "0.1"),
)

_ZIP_CODES = ("4350", "4351", "4370", "43", "9")
_WORDS = ("ash", "birch", "cedar", 'Ärgernis, "quoted"', "")
_DAYS = tuple(dt.date(2020, 1, day) for day in (1, 2, 15, 31))
_DOMAINS: dict[str, tuple[tuple[Any, ...], Any]] = {
    "whole": ((-3, 0, 1, 17, 25, 2**40), pl.Int64),
    "real": ((-0.5, 0.1, 0.3, 2.5, 1e20), pl.Float64),
    "zip": (_ZIP_CODES, pl.String),
    "word": (_WORDS, pl.String),
    "day": (_DAYS, pl.Date),
    "yes": ((False, True), pl.Boolean),
}


def records(kind: str, **sizes: Any) -> st.SearchStrategy[Any]:
    """Return records of one kind, ``ratings``, ``survey`` or ``table``; some ratings are sets."""
    if kind == "ratings":
        return ratings(scales=(*_SCALES, PRESENT), **sizes)
    return tables(**sizes) if kind == "table" else surveys(**sizes)


@st.composite
def ratings(
    draw: st.DrawFn,
    *,
    min_records: int = 1,
    max_records: int = 10,
    max_items: int = 4,
    max_sensitive: int = 2,
    scales: Sequence[Scale] = _SCALES,
) -> Ratings:
    """Return ratings with nulls, records that are equal, records without a rating, and up to a few sensitive issues.

    Those on a scale of one point are sets.
    """
    scale = draw(st.sampled_from(scales))
    n = draw(st.integers(min_records, max_records))
    items = draw(st.integers(1, max_items))
    sensitive = draw(st.integers(0, max_sensitive))
    rating = st.none() | st.integers(0, scale.points - 1) | st.integers(0, min(2, scale.points - 1))
    row = st.tuples(*[rating] * (items + sensitive)) | st.just((None,) * (items + sensitive))
    pool = draw(st.lists(row, min_size=1, max_size=max(n, 1)))
    rows = draw(st.lists(st.sampled_from(pool) | row, min_size=n, max_size=n))
    codes = np.array([[-1 if code is None else code for code in row] for row in rows], np.int32)
    codes = codes.reshape(n, items + sensitive)
    names = pl.Series([f"issue {number}" for number in range(items + sensitive)], dtype=pl.String)
    return Ratings(
        Vocabulary(pl.Series([f"person {number}" for number in range(n)], dtype=pl.String)),
        RatingMatrix.from_dense(Vocabulary(names[:items]), codes[:, :items], scale.dtype),
        RatingMatrix.from_dense(Vocabulary(names[items:]), codes[:, items:], scale.dtype),
        scale,
        hierarchy=draw(_item_hierarchies(names[:items])) if scale.points == 1 else None,
    )


def _item_hierarchies(items: pl.Series) -> st.SearchStrategy[Hierarchy | None]:
    """Return no hierarchy of items, or one with pairs of them between the items and the root."""
    pairs = pl.Series([f"pair {place // 2}" for place in range(len(items))], dtype=pl.String)
    root = pl.Series(["*"] * len(items), dtype=pl.String)
    return st.sampled_from([None, Hierarchy.from_columns([items, pairs, root])])


@st.composite
def tables(
    draw: st.DrawFn,
    *,
    min_records: int = 1,
    max_records: int = 12,
    min_quasi_identifiers: int = 1,
    max_quasi_identifiers: int = 3,
    max_sensitive: int = 2,
    missing: bool = True,
    others: bool = True,
) -> Microdata:
    """Return a table of numbers, words, codes and days, with missing values, hierarchies, and columns of every role.

    In most tables, sensitive values are sorted into categories and have a hierarchy.
    """
    n = draw(st.integers(min_records, max_records))
    roles = [Role.QUASI_IDENTIFIER] * draw(st.integers(min_quasi_identifiers, max_quasi_identifiers))
    roles += [Role.SENSITIVE] * draw(st.integers(0, max_sensitive))
    columns = [draw(_columns(f"{role.value} {at}", role, n, missing=missing)) for at, role in enumerate(roles)]
    if draw(st.sampled_from([True, True, False])):
        columns = [draw(_declared(column)) if column.role is Role.SENSITIVE else column for column in columns]
    if others:
        columns += draw(_other_columns(n))
    return Microdata(tuple(draw(st.permutations(columns))) or (_identifier("name", n),))


@st.composite
def surveys(
    draw: st.DrawFn,
    *,
    min_records: int = 1,
    max_records: int = 9,
    max_items: int = 3,
    max_quasi_identifiers: int = 2,
    max_sensitive: int = 1,
    scales: Sequence[Scale] = _SCALES,
    **settings: Any,
) -> Survey:
    """Return demographics and answers of the same people; the other ``settings`` are those of tables."""
    n = draw(st.integers(min_records, max_records))
    size = {"min_records": n, "max_records": n, "max_sensitive": max_sensitive}
    table = draw(tables(**size, max_quasi_identifiers=max_quasi_identifiers, **settings))
    return Survey(table, draw(ratings(**size, max_items=max_items, scales=scales)))


@st.composite
def _columns(draw: st.DrawFn, name: str, role: Role, n: int, *, missing: bool) -> Column:
    domain, dtype = _DOMAINS[draw(st.sampled_from(sorted(_DOMAINS)))]
    value = st.sampled_from(domain)
    values = draw(st.lists(value | st.none() if missing else value, min_size=n, max_size=n))
    column = Column.encode(name, role, pl.Series(values, dtype=dtype))
    if role is not Role.QUASI_IDENTIFIER or n == 0:
        return column
    build = draw(st.sampled_from(["none", "suggested", "masks", "intervals", "levels"]))
    if build == "suggested":
        return column.with_hierarchy(Hierarchy.suggest(column.vocabulary))
    if build == "masks":
        return column.with_hierarchy(Hierarchy.from_masks(column.vocabulary))
    if build == "intervals" and column.vocabulary.is_numeric:
        return column.with_hierarchy(Hierarchy.from_intervals(column.vocabulary, [0.5, 10]))
    if build == "levels":
        return column.with_hierarchy(draw(_hierarchies(column.vocabulary)))
    return column


@st.composite
def _declared(draw: st.DrawFn, column: Column) -> Column:
    """Return a column with categories that hold all its values, and perhaps others that nobody has, and a hierarchy."""
    words = [*column.vocabulary.values.cast(pl.String).drop_nulls(), "nobody has this"]
    categories: list[list[str]] = [[] for _ in range(draw(st.integers(1, 4)))]
    for word in draw(st.permutations(words)):
        categories[draw(st.integers(0, len(categories) - 1))].append(word)
    declared = replace(column, categories=tuple(tuple(category) for category in categories))
    return declared.with_hierarchy(draw(_hierarchies(column.vocabulary)))


@st.composite
def _hierarchies(draw: st.DrawFn, vocabulary: Vocabulary) -> Hierarchy:
    """Return any hierarchy over a vocabulary: level by level, labels are joined under fewer labels."""
    labels = list(range(len(vocabulary)))
    columns = [vocabulary.values]
    for level in range(draw(st.integers(0, 2))):
        parents = {label: draw(st.integers(0, 2)) for label in sorted(set(labels))}
        labels = [parents[label] for label in labels]
        columns.append(pl.Series([f"level {level + 1} label {label}" for label in labels], dtype=pl.String))
    return Hierarchy.from_columns([*columns, pl.Series(["*"] * len(vocabulary), dtype=pl.String)])


@st.composite
def _other_columns(draw: st.DrawFn, n: int) -> list[Column]:
    """Return some columns outside every promise: an identifier, one to drop, one that is insensitive, and the weights
    and households of a sample."""
    weights = draw(st.lists(st.sampled_from([0.5, 1.0, 2.5, 400.0]), min_size=n, max_size=n))
    made = [
        _identifier("name", n),
        Column.encode("row number", Role.DROP, pl.Series(np.arange(n))),
        Column.encode("shoe", Role.INSENSITIVE, pl.Series(["left"] * n, dtype=pl.String)),
        Column.encode("weight", Role.WEIGHT, pl.Series(weights, dtype=pl.Float64)),
        Column.encode("household", Role.HOUSEHOLD, pl.Series(np.arange(n) // 2)),
    ]
    return [column for column in made if draw(st.booleans())]


def _identifier(name: str, n: int) -> Column:
    return Column.encode(name, Role.IDENTIFIER, pl.Series([f"person {i}" for i in range(n)], dtype=pl.String))


def promises_on(given: Records) -> list[str]:
    """Return wordings of promises that can be asked of records, weak ones first."""
    both = ["k-anonymity:k=2", "k-anonymity:k=3"]
    if isinstance(given, Survey):
        return _promises_on_survey(given)
    if given.kind == "ratings":
        return [*both, "k-epsilon:k=2,epsilon=1", "k-epsilon:k=3,epsilon=1/2", "km-anonymity:k=2,m=2"]
    if not given.has_sensitive:
        return both
    kinds = ["l-diversity:l=2", "l-diversity:l=1.5,kind=entropy", "l-diversity:l=2,kind=recursive,c=2"]
    wordings = [*both, *kinds, "p-sensitive:p=2,k=3", "t-closeness:t=0.4"]
    assert isinstance(given, Microdata)
    if not all(column.categories and column.hierarchy is not None for column in given.sensitive):
        return wordings
    by_category = ["p-plus-sensitive:p=2", "p-alpha-sensitive:p=2,k=2,alpha=0.5", "p-plus-alpha-sensitive:p=2,alpha=1"]
    return [*wordings, *by_category, "t-closeness:t=0.3,distance=ordered", "t-closeness:t=0.3,distance=hierarchical"]


def _promises_on_survey(given: Survey) -> list[str]:
    """Return promises on the join, and on each part alone."""
    parts = {part: promises_on(given.part(part)) for part in PARTS}
    alone = [f"{wording},part={part}" for part, wordings in parts.items() for wording in wordings]
    joined = promises_on(given.with_sensitive_answers)
    return [*joined, *(wording for wording in parts["answers"] if wording not in joined), *alone]
