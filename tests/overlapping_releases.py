"""Several releases of the same people, each with groups of its own, for attackers who join them."""

from dataclasses import replace

import numpy as np
import polars as pl
from hypothesis import strategies as st

from shoal.attacks import Exposure
from shoal.data import Column, Microdata, RatingMatrix, Ratings, Records, Role
from shoal.models import PrivacyModel
from shoal.testing import records


def in_groups(
    truth: Records, groups: list[int | None], promised: tuple[PrivacyModel, ...] = (), finer: int = 1
) -> Exposure:
    """Publish people in these groups, the last first; None: the person is withheld."""
    rows = np.array([row for row, group in enumerate(groups) if group is not None][::-1], np.int64)
    place = np.full(len(truth), -1, np.int64)
    place[rows] = np.arange(len(rows))
    labels = [groups[row] for row in rows]
    seen = truth.take(rows)
    if isinstance(seen, Ratings):
        codes = np.full(seen.observable.dense().shape, -1, np.int32)
        codes[:, 0] = labels
        published = replace(seen, observable=RatingMatrix.from_dense(seen.observable.items, codes, seen.scale.dtype))
        return Exposure(truth, published.on(published.scale.finer(finer)), place, promised)
    assert isinstance(seen, Microdata)
    words = pl.Series([f"group {label}" for label in labels], dtype=pl.String)
    columns = (Column.encode(c.name, c.role, words) if c.role is Role.QUASI_IDENTIFIER else c for c in seen.columns)
    return Exposure(truth, Microdata(tuple(columns)), place, promised)


@st.composite
def several_releases(draw: st.DrawFn, kind: str, **sizes) -> tuple[Exposure, list[list[int | None]]]:
    """Return two or three releases as one exposure, and the group of each person in each; None: not in it."""
    truth: Records = draw(records(kind, **sizes))
    most = truth.scale.points - 1 if isinstance(truth, Ratings) else 3
    group = st.none() | st.integers(0, min(most, 3))
    everyone = st.lists(group, min_size=len(truth), max_size=len(truth)).filter(lambda drawn: set(drawn) != {None})
    groups = draw(st.lists(everyone, min_size=2, max_size=3))
    made = [in_groups(truth, each, finer=draw(st.sampled_from([1, 3]))) for each in groups]
    return replace(made[0], also=tuple(made[1:])), groups
