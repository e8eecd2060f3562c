"""Tables and ratings as somebody published some of them, for attackers to be tried on."""

from dataclasses import replace

import numpy as np
import polars as pl
from hypothesis import strategies as st

from shoal.attacks import Exposure
from shoal.data import Column, Microdata, RatingMatrix, Ratings, Records, Role
from shoal.testing import records


@st.composite
def released(draw: st.DrawFn, kind: str, **sizes) -> Exposure:
    """Some of the records in any order, with some of what is observable told less exactly or not at all."""
    truth: Records = draw(records(kind, **sizes))
    rows = np.array(draw(st.lists(st.integers(0, len(truth) - 1), min_size=1, unique=True)))
    place = np.full(len(truth), -1)
    place[rows] = np.arange(len(rows))
    published = truth.take(rows)
    if isinstance(published, Microdata):
        seen = Microdata(tuple(draw(_published(column)) for column in published.columns))
    else:
        assert isinstance(published, Ratings)
        codes = published.observable.dense()
        codes[:, draw(st.sets(st.integers(0, codes.shape[1] - 1)).map(list))] = -1
        items, dtype = published.observable.items, published.scale.dtype
        seen = replace(published, observable=RatingMatrix.from_dense(items, codes, dtype))
        seen = seen.on(seen.scale.finer(draw(st.sampled_from([1, 1, 3]))))
    return Exposure(truth, seen, place)


@st.composite
def _published(draw: st.DrawFn, column: Column) -> Column:
    if column.role is Role.QUASI_IDENTIFIER and draw(st.booleans()):
        return Column.encode(column.name, column.role, pl.Series(["*"] * len(column), dtype=pl.String))
    return column.compacted() if draw(st.booleans()) else column
