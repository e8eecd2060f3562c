"""The review graph of Chang, Thompson, Wang and Yao, *Predictive anonymization* (2010), Figures 1 and 2.

The text says who reviewed what and of three ratings whether they are high or low, but gives no numbers: here a high
rating is 5, a low one 1, and every other 3, on a scale from 1 to 5. There are no other edges than the text needs.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary

__all__ = ["review_graph_1a", "review_graph_1b"]

_USERS = ("0001", "0002", "0003", "0004")
_MOVIES = ("Star Wars", "Godfather", "English Patient", "Pretty in Pink")
_LOW, _OTHER, _HIGH = 1, 3, 5


def review_graph_1a() -> Ratings:
    """Return Figure 1(a): four users with their names replaced.

    By what the text says, Alice is 0004, who alone reviewed *Pretty in Pink* and likes *Star Wars*; Ben is 0002, who
    alone reviewed both *Godfather* and *English Patient*; Tim is 0003, who rated *English Patient* low, which the only
    other reviewer rated high; and 0001 reviewed *Star Wars* and *Godfather*.
    """
    return _review_graph(
        (
            {"Star Wars": _OTHER, "Godfather": _OTHER},
            {"Godfather": _OTHER, "English Patient": _HIGH},
            {"English Patient": _LOW},
            {"Star Wars": _HIGH, "Pretty in Pink": _OTHER},
        )
    )


def review_graph_1b() -> Ratings:
    """Return Figure 1(b): 2-anonymous, the users of each group with the movies of both, each at its average rating.

    The average is that of the users of the group who reviewed the movie, so a movie that one of them reviewed is
    published with that user's rating.
    """
    first = {"Star Wars": _OTHER, "Godfather": _OTHER, "English Patient": _HIGH}
    second = {"Star Wars": _HIGH, "English Patient": _LOW, "Pretty in Pink": _OTHER}
    return _review_graph((first, first, second, second))


def _review_graph(reviews: Sequence[Mapping[str, int]]) -> Ratings:
    scale = Scale.of(1, 5)
    codes = [[each.get(movie, scale.lowest - 1) - scale.lowest for movie in _MOVIES] for each in reviews]
    return Ratings(
        Vocabulary(pl.Series(_USERS)),
        RatingMatrix.from_dense(Vocabulary(pl.Series(_MOVIES)), np.array(codes, np.int32), scale.dtype),
        RatingMatrix.empty(len(_USERS), scale.dtype),
        scale,
    )
