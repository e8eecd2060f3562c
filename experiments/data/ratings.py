"""MovieLens, ratings of the shape of Netflix, and a survey, each with a random income that is sensitive."""

from dataclasses import replace

import numpy as np
import polars as pl

import shoal
from shoal.data import RatingMatrix, Ratings, Vocabulary
from shoal.datasets import generate_ratings, generate_survey
from shoal.io import RatingsSchema

from .data_set import FOLDER, DataSet

__all__ = ["BIG_FIVE", "MOVIELENS", "MOVIELENS_1M", "NETFLIX", "with_income"]

_SMALL = "ratings/ml-100k/u.data"
_LARGE = "ratings/ml-1m/ratings.dat.gz"
_SURVEY = "surveys/big5/data.csv"
_ABOUT_PEOPLE = ("race", "age", "engnat", "gender", "hand", "source", "country")
_USERS, _ITEMS, _A_USER = 10_000, 17_770, 209
"""As many items, and as many ratings a user, as the Netflix Prize data have; of its users, one in 48."""


def with_income(ratings: Ratings, seed: int = 0) -> Ratings:
    """Return the ratings with one sensitive item, an income from the scale drawn at random, as the papers have it."""
    income = np.random.default_rng(seed).integers(0, ratings.scale.points, len(ratings)).astype(ratings.scale.dtype)
    ends = np.arange(len(ratings) + 1, dtype=ratings.observable.indptr.dtype)
    columns = np.zeros(len(ratings), ratings.observable.indices.dtype)
    return replace(ratings, sensitive=RatingMatrix(Vocabulary(pl.Series(["income"])), ends, columns, income))


def _movielens(path: str) -> Ratings:
    records = shoal.read(FOLDER / path, RatingsSchema(layout="movielens", scale=(1, 5))).records
    assert isinstance(records, Ratings)
    return with_income(records)


def _big_five() -> Ratings:
    schema = RatingsSchema(layout="wide", scale=(1, 5), null=(0,), ignore=_ABOUT_PEOPLE)
    records = shoal.read(FOLDER / _SURVEY, schema).records
    assert isinstance(records, Ratings)
    return with_income(records)


def _generated(users: int) -> Ratings:
    return with_income(generate_ratings(users, 60, users * 12, 1))


MOVIELENS = DataSet(
    "MovieLens 100K",
    "943 users, 1,682 movies, 100,000 ratings from 1 to 5: the papers' own, with a random income as they have it.",
    (_SMALL,),
    lambda: _movielens(_SMALL),
    _generated,
)
MOVIELENS_1M = DataSet(
    "MovieLens 1M",
    "6,040 users, 3,706 movies, 1,000,209 ratings from 1 to 5, with a random income.",
    (_LARGE,),
    lambda: _movielens(_LARGE),
    _generated,
)
NETFLIX = DataSet(
    "Netflix shape",
    "10,000 generated users with 209 ratings each of 17,770 movies on average, as the Netflix Prize data have them, "
    "and a random income. The papers took the Netflix Prize data, which are no longer given out.",
    (),
    lambda: with_income(generate_ratings(_USERS, _ITEMS, _USERS * _A_USER, 1)),
    _generated,
)
BIG_FIVE = DataSet(
    "Big Five",
    "19,719 people who answered nearly all of 50 statements about themselves from 1 to 5, with a random income. It is "
    "none of the papers': a survey in which people rated the same things, as they never do in MovieLens and Netflix.",
    (_SURVEY,),
    _big_five,
    lambda users: with_income(generate_survey(users, 6, 0, 1)),
)
