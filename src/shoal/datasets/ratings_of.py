"""Ratings from a table as papers print it."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary

__all__ = ["Answers", "ratings_of"]

Answers = Sequence[int | None]


def ratings_of(answers: Sequence[Answers], highest: int, sensitive: int = 1) -> Ratings:
    """Give the participants t1, t2, … with their ratings from 1 to ``highest``; the last issues are sensitive."""
    codes = np.array([[-1 if rating is None else rating - 1 for rating in line] for line in answers], np.int32)
    observable = codes.shape[1] - sensitive
    scale = Scale.of(1, highest)
    names = [f"issue {number}" for number in range(1, codes.shape[1] + 1)]
    return Ratings(
        Vocabulary(pl.Series([f"t{number}" for number in range(1, len(codes) + 1)])),
        RatingMatrix.from_dense(Vocabulary(pl.Series(names[:observable])), codes[:, :observable], scale.dtype),
        RatingMatrix.from_dense(
            Vocabulary(pl.Series(names[observable:], dtype=pl.String)), codes[:, observable:], scale.dtype
        ),
        scale,
    )
