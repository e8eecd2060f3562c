"""The survey ratings of Sun, Wang, Li and Pei, *Publishing anonymous survey rating data* (2011).

The thesis prints the same tables again as 6.1, 6.2 and 6.3, and Table 2 once more as 7.1.
"""

from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary

__all__ = [
    "Answers",
    "interval_ratings_1",
    "interval_ratings_2",
    "interval_ratings_3",
    "ratings_of",
    "survey_ratings_1",
    "survey_ratings_2",
    "survey_ratings_3",
]


Answers = Sequence[int | None]


def ratings_of(answers: Sequence[Answers], highest: int, sensitive: int = 1) -> Ratings:
    """Return the participants t1, t2, … with their ratings from 1 to ``highest``; the last issues are sensitive."""
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


_TABLE_2: tuple[Answers, ...] = (
    (3, 6, None, 6),
    (2, 5, None, 1),
    (4, 7, None, 4),
    (5, 6, None, 1),
    (1, None, 5, 1),
    (2, None, 6, 5),
)


def survey_ratings_1() -> Ratings:
    """Return Table 1(a): five participants, of whom t1 is linked to Alice by her public comments.

    The ratings go up to 6, which the paper's distance between a rating and none confirms (r = 6). Thesis: Table 6.1(a).
    """
    answers = ((6, 1, None, 6), (1, 6, None, 1), (2, 5, None, 1), (1, None, 5, 1), (2, None, 6, 5))
    return ratings_of(answers, highest=6)


def survey_ratings_2() -> Ratings:
    """Return Table 2: six participants in two Hamming groups, on a scale from 1 to 7.

    Thesis: Tables 6.2 and 7.1. The text of Section 7.2.4 takes ε = 6 for one that joins all; on this scale only 7 does.
    """
    return ratings_of(_TABLE_2, highest=7)


def survey_ratings_3() -> Ratings:
    """Return Table 3: Table 2 and two participants more, on a scale from 1 to 7.

    Thesis: Table 6.3. The text says that with k = 3 and ε = 2 no component meets the promise; by Definition 2 the
    first one does.
    """
    return ratings_of((*_TABLE_2, (6, None, 6, 3), (5, None, 5, 2)), highest=7)


_TABLE_1: tuple[Answers, ...] = (
    (6, 1, None, 6),
    (3, 6, None, 1),
    (4, 5, None, 4),
    (2, 5, None, 1),
    (1, None, 5, 1),
    (2, None, 6, 5),
)


def interval_ratings_1() -> Ratings:
    """Return Table I(a): six participants in two Hamming groups, on a scale from 1 to 6."""
    return ratings_of(_TABLE_1, highest=6)


def interval_ratings_2() -> Ratings:
    """Return what Table II anonymizes: eight ratings of one issue, with ε = 2.

    The paper gives no scale; the smallest that holds them is from 1 to 8. Its intervals are meant closed, and there
    are four of them: the printed loop bound would try only two.
    """
    return ratings_of([(rating,) for rating in (3, 4, 5, 6, 7, 7, 8, 8)], highest=8, sensitive=0)


def interval_ratings_3() -> Ratings:
    """Return what Table III anonymizes: the first Hamming group of Table I(a), with k = 2 and ε = 1."""
    return ratings_of(_TABLE_1[:4], highest=6)
