"""The survey ratings of Sun, Wang, Li and Pei, *Publishing anonymous survey rating data* (2011).

The thesis prints the same tables again as 6.1, 6.2 and 6.3, and Table 2 once more as 7.1.
"""

from shoal.data import Ratings

from .ratings_of import Answers, ratings_of

__all__ = ["survey_ratings_1", "survey_ratings_2", "survey_ratings_3"]

_TABLE_2: tuple[Answers, ...] = (
    (3, 6, None, 6),
    (2, 5, None, 1),
    (4, 7, None, 4),
    (5, 6, None, 1),
    (1, None, 5, 1),
    (2, None, 6, 5),
)


def survey_ratings_1() -> Ratings:
    """Give Table 1(a): five participants, of whom t1 is linked to Alice by her public comments.

    The ratings go up to 6, which the paper's distance between a rating and none confirms (r = 6). Thesis: Table 6.1(a).
    """
    answers = ((6, 1, None, 6), (1, 6, None, 1), (2, 5, None, 1), (1, None, 5, 1), (2, None, 6, 5))
    return ratings_of(answers, highest=6)


def survey_ratings_2() -> Ratings:
    """Give Table 2: six participants in two Hamming groups, on a scale from 1 to 7.

    Thesis: Tables 6.2 and 7.1. The text of Section 7.2.4 takes ε = 6 for one that joins all; on this scale only 7 does.
    """
    return ratings_of(_TABLE_2, highest=7)


def survey_ratings_3() -> Ratings:
    """Give Table 3: Table 2 and two participants more, on a scale from 1 to 7.

    Thesis: Table 6.3. The text says that with k = 3 and ε = 2 no component meets the promise; by Definition 2 the
    first one does.
    """
    return ratings_of((*_TABLE_2, (6, None, 6, 3), (5, None, 5, 2)), highest=7)
