"""The answers of a survey, compared only among people of equal demographics.

Everybody is given one more answer, to a question that only people with the same demographics are asked. Records that
answer different questions are as far apart as a missing rating is from a rating, so whatever searches for near ratings
searches within classes. Where only items matter, each class has items of its own: whatever counts who holds a set of
items counts within classes.
"""

from fractions import Fraction

import numpy as np

from shoal.data import RatingMatrix, Ratings, Survey, Vocabulary
from shoal.evidence import Grouping

__all__ = ["answers_within_classes", "items_within_classes"]


def answers_within_classes(survey: Survey, classes: Grouping, epsilon: Fraction) -> tuple[Ratings, Fraction]:
    """Return ratings and a distance: two of them are within it exactly if the people are of one class and within ε.

    Where ε covers a missing rating, no answer sets people apart: only the question of their class is left, and 0.
    """
    ratings = survey.ratings
    observable = ratings.observable
    if ratings.scale.steps_within(epsilon) >= ratings.scale.null_steps:
        observable, epsilon = RatingMatrix.empty(len(survey), ratings.scale.dtype), Fraction(0)
    asked = _with_question_of_class(observable, classes)
    return Ratings(ratings.users, asked, ratings.sensitive, ratings.scale), epsilon


def _with_question_of_class(matrix: RatingMatrix, classes: Grouping) -> RatingMatrix:
    """Return the ratings with one more item for each class, which everybody of the class rates alike."""
    ends = matrix.indptr[1:]
    n_items = len(matrix.items)
    return RatingMatrix(
        Vocabulary.numbered(n_items + classes.n_groups),
        matrix.indptr + np.arange(len(matrix) + 1),
        np.insert(matrix.indices, ends, (n_items + classes.labels).astype(np.int32)),
        np.insert(matrix.codes, ends, 0),
    )


def items_within_classes(matrix: RatingMatrix, classes: Grouping) -> tuple[RatingMatrix, np.ndarray]:
    """Return the same records over items that are told apart by class, and the item that each of these is.

    Only people of one class share any. Where all are of one class, nothing changes.
    """
    if classes.n_groups <= 1:
        return matrix, np.arange(len(matrix.items), dtype=np.int32)
    held = np.repeat(classes.labels, np.diff(matrix.indptr)) * len(matrix.items) + matrix.indices
    found, indices = np.unique(held, return_inverse=True)
    own = RatingMatrix(Vocabulary.numbered(len(found)), matrix.indptr, indices.astype(np.int32), matrix.codes)
    return own, (found % max(len(matrix.items), 1)).astype(np.int32)
