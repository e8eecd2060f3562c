"""The survey ratings of Sun and Wang, *Towards identify anonymization in large survey rating data* (2010)."""

from shoal.data import Ratings

from .ratings_of import Answers, ratings_of

__all__ = ["interval_ratings_1", "interval_ratings_2", "interval_ratings_3"]

_TABLE_1: tuple[Answers, ...] = (
    (6, 1, None, 6),
    (3, 6, None, 1),
    (4, 5, None, 4),
    (2, 5, None, 1),
    (1, None, 5, 1),
    (2, None, 6, 5),
)


def interval_ratings_1() -> Ratings:
    """Give Table I(a): six participants in two Hamming groups, on a scale from 1 to 6."""
    return ratings_of(_TABLE_1, highest=6)


def interval_ratings_2() -> Ratings:
    """Give what Table II anonymises: eight ratings of one issue, with ε = 2.

    The paper gives no scale; the smallest that holds them is from 1 to 8. Its intervals are meant closed, and there
    are four of them: the printed loop bound would try only two.
    """
    return ratings_of([(rating,) for rating in (3, 4, 5, 6, 7, 7, 8, 8)], highest=8, sensitive=0)


def interval_ratings_3() -> Ratings:
    """Give what Table III anonymises: the first Hamming group of Table I(a), with k = 2 and ε = 1."""
    return ratings_of(_TABLE_1[:4], highest=6)
