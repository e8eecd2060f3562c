"""Original and published records side by side, for tests of measures."""

import dataclasses
from collections import Counter
from fractions import Fraction

import numpy as np
import polars as pl
from hypothesis import strategies as st

import oracles
from shoal.data import Column, Microdata, RatingMatrix, Ratings, Records, Scale, Vocabulary
from shoal.testing import ratings, tables
from shoal.utility import Comparison


def sizes(records: Records) -> np.ndarray:
    return np.array(list(Counter(oracles.observable(records)).values()), np.int64)


def compared(original: Records, published: Records, withheld: int = 0, epsilon: Fraction | None = None) -> Comparison:
    """Records published as others, after some that are withheld, which are like the first."""
    rows = np.maximum(np.arange(withheld + len(original)) - withheld, 0)
    if isinstance(original, Ratings):
        parts = {"observable": original.observable.take(rows), "sensitive": original.sensitive.take(rows)}
        whole = dataclasses.replace(original, users=Vocabulary.numbered(len(rows)), **parts)
    else:
        whole = original.take(rows)
    return Comparison(whole, np.arange(withheld, len(rows)), published, sizes(published), epsilon)


@st.composite
def ratings_before_and_after(draw: st.DrawFn, **limits) -> tuple[Ratings, Ratings]:
    """The same people on the same issues, with other ratings."""
    before = draw(ratings(**limits))
    cell = st.integers(-1, before.scale.points - 1)
    shape = (len(before), len(before.observable.items))
    row = st.lists(cell, min_size=shape[1], max_size=shape[1])
    codes = np.array(draw(st.lists(row, min_size=shape[0], max_size=shape[0])), np.int32).reshape(shape)
    keep = np.array(draw(st.lists(st.booleans(), min_size=shape[0], max_size=shape[0])))
    codes = np.where(keep[:, None], before.observable.dense(), codes)
    matrix = RatingMatrix.from_dense(before.observable.items, codes, before.scale.dtype)
    return before, dataclasses.replace(before, observable=matrix)


def profiled(
    whole: Ratings, origins: list[int], profiles: list[list[int]], places: list[int], parts: int
) -> Comparison:
    """Some people published by profiles, rows of codes on a scale so many times finer; −1 is null."""
    scale = whole.scale.finer(parts)
    codes = np.array(profiles, np.int32).reshape(len(profiles), len(whole.observable.items))
    matrix = RatingMatrix.from_dense(whole.observable.items, codes, scale.dtype)
    people = np.bincount(places, minlength=len(profiles))
    nothing = RatingMatrix.empty(len(profiles), scale.dtype)
    released = Ratings(Vocabulary.numbered(len(profiles)), matrix, nothing, scale, people)
    equal = Counter(tuple(profiles[place]) for place in places)
    counts = np.array(list(equal.values()), np.int64)
    return Comparison(whole, np.array(origins, np.int64), released, counts, Fraction(0), 0, np.array(places, np.int64))


@st.composite
def profiles_of_groups(draw: st.DrawFn) -> Comparison:
    """People published by profiles that stand for one or more of them, some of the people withheld."""
    whole = draw(ratings(max_records=12, max_items=5, max_sensitive=0))
    parts = draw(st.sampled_from([1, 2, 5]))
    origins = draw(st.lists(st.integers(0, len(whole) - 1), min_size=1, unique=True).map(sorted))
    n_profiles = draw(st.integers(1, len(origins)))
    more = len(origins) - n_profiles
    drawn = draw(st.lists(st.integers(0, n_profiles - 1), min_size=more, max_size=more))
    cell = st.integers(-1, whole.scale.finer(parts).points - 1)
    width = len(whole.observable.items)
    row = st.lists(cell, min_size=width, max_size=width)
    profiles = draw(st.lists(row, min_size=n_profiles, max_size=n_profiles))
    return profiled(whole, origins, profiles, [*range(n_profiles), *drawn], parts)


@st.composite
def tables_before_and_after(draw: st.DrawFn) -> tuple[Microdata, Microdata]:
    """The same people with some of their values joined under labels."""
    before = draw(tables())
    told = []
    for column in before.quasi_identifiers:
        n = len(column.vocabulary)
        labels = draw(st.lists(st.sampled_from(["x", "y", None, "own"]), min_size=n, max_size=n))
        words = column.vocabulary.values.cast(pl.String).to_list()
        new = [word if label == "own" else label for word, label in zip(words, labels, strict=True)]
        if draw(st.booleans()):
            values = pl.Series([new[code] for code in column.codes.tolist()], dtype=pl.String)
            told.append(Column.encode(column.name, column.role, values))
    return before, before.replaced(tuple(told))


def rated(observable: list[list[int]], sensitive: list[list[int]] | None = None, scale: Scale | None = None) -> Ratings:
    """Ratings from rows of codes, −1 for null."""
    scale = scale or Scale.of(1, 5)
    secrets = sensitive or [[] for _ in observable]
    return Ratings(
        Vocabulary.numbered(len(observable)),
        _matrix("item", observable, scale),
        _matrix("secret", secrets, scale),
        scale,
    )


def _matrix(kind: str, rows: list[list[int]], scale: Scale) -> RatingMatrix:
    names = pl.Series([f"{kind} {place}" for place in range(len(rows[0]))], dtype=pl.String)
    return RatingMatrix.from_dense(Vocabulary(names), np.array(rows, np.int32).reshape(len(rows), -1), scale.dtype)
