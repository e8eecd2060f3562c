"""Small surveys written as lists."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary

__all__ = ["ACCEPTED", "SURVEY_PAPER", "survey"]

Row = Sequence[int | None]

ACCEPTED = ("vacuous", "empty")
"""For laws on data drawn at random, of which nothing may be left and of which a promise may ask nothing."""

SURVEY_PAPER: list[list[int | None]] = [
    [3, 6, None],
    [2, 5, None],
    [4, 7, None],
    [5, 6, None],
    [1, None, 5],
    [2, None, 6],
    [6, None, 6],
    [5, None, 5],
]
"""Table 3 of the survey-rating paper."""


def survey(rows: Sequence[Row], r: int, secrets: Sequence[int | None] | None = None) -> Ratings:
    """Build ratings 1…r of issues, None where there is none, and of one sensitive issue if there is any."""
    sensitive = RatingMatrix.empty(len(rows)) if secrets is None else _matrix([[s] for s in secrets], "secret")
    return Ratings(Vocabulary.numbered(len(rows)), _matrix(rows, "issue"), sensitive, Scale.of(1, r))


def _matrix(rows: Sequence[Row], name: str) -> RatingMatrix:
    codes = np.array([[-1 if rating is None else rating - 1 for rating in row] for row in rows], np.int32)
    return RatingMatrix.from_dense(Vocabulary(pl.Series([f"{name} {i}" for i in range(codes.shape[1])])), codes)
