"""(k,ε) where a profile stands for several people: the level counts people, as the promise does."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.engines import LocalEngine, judge
from shoal.models import promises

SCALE = Scale(Fraction(1), Fraction(5))
ROWS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 4)), min_size=2, max_size=6)


@given(rows=ROWS, epsilon=st.integers(0, 4))
def test_the_level_is_that_of_as_many_equal_records(rows: list[tuple[int, int, int]], epsilon: int) -> None:
    people = np.array([row[2] for row in rows], np.int64)
    items = Vocabulary(pl.Series(["a", "b"]))
    matrix = RatingMatrix.from_dense(items, np.array([row[:2] for row in rows]), SCALE.dtype)
    profiles = Ratings(Vocabulary.numbered(len(rows)), matrix, RatingMatrix.empty(len(rows)), SCALE, people=people)
    persons = replace(profiles, people=None).of_each(np.repeat(np.arange(len(rows)), people))
    model = promises.read(f"k-epsilon:k=2,epsilon={epsilon}")
    found, expected = (judge(each, [model], LocalEngine()).verdicts[0] for each in (profiles, persons))
    assert (found.holds, found.level, found.violations) == (expected.holds, expected.level, expected.violations)
