"""Small releases of ratings to attack, and who fits what is known of somebody, told by going through everybody."""

from fractions import Fraction

import numpy as np
import polars as pl
from hypothesis import strategies as st

import oracles
from shoal.attacks import Exposure
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary

COARSE, FINE = Scale.of(1, 5), Scale.of(1, 5, "0.5")


def ratings_of(rows, scale: Scale = COARSE, people: list[int] | None = None) -> Ratings:
    """Ratings from rows of numbers, None where there is none."""
    codes = [[-1 if x is None else int((Fraction(x) - scale.lowest) / scale.step) for x in row] for row in rows]
    width = len(codes[0])
    items = Vocabulary(pl.Series([f"item {i}" for i in range(width)], dtype=pl.String))
    matrix = RatingMatrix.from_dense(items, np.array(codes, np.int32).reshape(len(rows), width), scale.dtype)
    several = None if people is None else np.array(people, np.int64)
    nothing = RatingMatrix.empty(len(rows), scale.dtype)
    return Ratings(Vocabulary.numbered(len(rows)), matrix, nothing, scale, several)


@st.composite
def releases(draw, max_people: int = 7, max_items: int = 5) -> Exposure:
    """Raw ratings; or other ratings, perhaps on a finer scale, in the place of some people or of several each.

    What is published is like the truth in many cells, or attackers would find nobody.
    """
    width = draw(st.integers(1, max_items))
    row = st.tuples(*[st.none() | st.integers(1, 5) | st.integers(2, 3)] * width)
    truth = draw(st.lists(row, min_size=1, max_size=max_people))
    if draw(st.booleans()):
        return Exposure.of_itself(ratings_of(truth))
    place = draw(st.lists(st.integers(-1, 3), min_size=len(truth), max_size=len(truth)).filter(lambda p: max(p) >= 0))
    rows = {row: i for i, row in enumerate(sorted(set(place) - {-1}))}
    scale = draw(st.sampled_from([COARSE, FINE]))
    seen = []
    for row in rows:
        first = truth[place.index(row)]
        cell = st.none() | st.integers(0, scale.points - 1).map(lambda code: scale.lowest + code * scale.step)
        seen.append([draw(st.just(rating) | cell) for rating in first])
    people = [place.count(row) for row in rows]
    published = ratings_of(seen, scale, people)
    return Exposure(ratings_of(truth), published, np.array([rows.get(row, -1) for row in place]))


def fitting(exposure: Exposure, known: dict[int, Fraction], tolerance: Fraction | None) -> dict[int, int]:
    """The published rows that have a rating of each known item, within the tolerance, with their people."""
    assert isinstance(exposure.seen, Ratings)
    rows = zip(oracles.profiles(exposure.seen), exposure.people.tolist(), strict=True)
    return {
        row: people
        for row, (profile, people) in enumerate(rows)
        if all(_agrees(profile[item], rating, tolerance) for item, rating in known.items())
    }


def chance(exposure: Exposure, person: int, known: dict[int, Fraction], tolerance: Fraction | None) -> float:
    """The chance to hit a person among those who fit what is known; among all, where nobody does."""
    rows = fitting(exposure, known, tolerance)
    if not rows:
        return 1 / sum(exposure.people.tolist())
    return 1 / sum(rows.values()) if exposure.place[person] in rows else 0.0


def _agrees(rating: Fraction | None, true: Fraction, tolerance: Fraction | None) -> bool:
    return rating is not None and (tolerance is None or abs(rating - true) <= tolerance)
