"""Figures of ratings are those that counting one by one finds."""

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from profiling_oracle import ratings_of
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.profiling import answers_profile, ratings_profile

CELLS = st.dictionaries(st.tuples(st.integers(0, 5), st.integers(0, 7)), st.integers(0, 4), min_size=1)


@given(CELLS, st.integers(0, 8))
def test_ratings_are_counted(cells: dict[tuple[int, int], int], split: int) -> None:
    dense = np.full((6, 8), -1)
    for (user, item), rating in cells.items():
        dense[user, item] = rating
    items = [Vocabulary(pl.Series(range(8))[part]) for part in (slice(0, split), slice(split, None))]
    sides = [RatingMatrix.from_dense(items[0], dense[:, :split]), RatingMatrix.from_dense(items[1], dense[:, split:])]
    found = ratings_profile(Ratings(Vocabulary.numbered(6), sides[0], sides[1], Scale.of(1, 5)))
    by_item = [[rating for (_, i), rating in cells.items() if i == item] for item in range(8)]
    each_item = [(str(item), len(set(given)), 6 - len(given)) for item, given in enumerate(by_item)]
    answers = answers_profile(Ratings(Vocabulary.numbered(6), sides[0], sides[1], Scale.of(1, 5)))
    assert [(each.name, each.distinct, each.missing) for each in answers] == each_item
    told = ratings_of([(user, item, rating) for (user, item), rating in cells.items()], 6, 8)
    assert found.points == (1, 2, 3, 4, 5)
    assert found.counts == tuple(told["counts"][code] for code in range(5))
    assert (found.rated_once, found.people_of_rated_once) == (told["rated_once"], told["people"])
    assert found.unrated == told["an_item"].count(0)
    for spread, counts in ((found.a_person, told["a_person"]), (found.an_item, told["an_item"])):
        assert (spread.fewest, spread.most) == (counts[0], counts[-1])
        assert spread.median == counts[(len(counts) + 1) // 2 - 1]


def test_of_fine_scales_neighbors_are_counted_together() -> None:
    dense = np.arange(200).reshape(1, 200)
    ratings = Ratings(
        Vocabulary.numbered(1),
        RatingMatrix.from_dense(Vocabulary.numbered(200), dense),
        RatingMatrix.empty(1),
        Scale.of(0, 20, "0.1"),
    )
    found = ratings_profile(ratings)
    assert len(found.points) <= 41
    assert sum(found.counts) == 200
    assert found.points[:2] == (0, 0.5)
