"""Naive Bayes accuracy: how well one rating or column can be predicted from the others by multiplying shares.

*Definition.* The share of values that naive Bayes guesses right, learning from some records and asked about others,
all as published (or all as they were, for the accuracy *before*). What is predicted from what, and how records are
split, is said in :mod:`shoal.utility.prediction_task`. A feature has one category for each point of the scale and one
for null, or one for each value or label of a column; every count begins at one (Laplace). *Unit.* A share of the
guesses.

*Reference.* Section 5.3 and Figure 16 of the survey-rating paper, which uses Weka, 2,000 records and 50 trials, and
does not say what is predicted.
"""

import numpy as np

from .comparison import Comparison
from .guesses import Classifier
from .measure import measure
from .prediction_task import prediction_task

__all__ = ["naive_bayes_accuracy", "naive_bayes_accuracy_before"]


@measure("naive Bayes accuracy", unit="share of guesses that are right", quick=False)
def naive_bayes_accuracy(comparison: Comparison) -> float:
    """Give how often naive Bayes, taught and tested on published records, guesses a value right."""
    return comparison.once(prediction_task).accuracy(_naive_bayes, after=True)


@measure("naive Bayes accuracy before", unit="share of guesses that are right", quick=False)
def naive_bayes_accuracy_before(comparison: Comparison) -> float:
    """Give how often naive Bayes, taught and tested on the original records, guesses a value right."""
    return comparison.once(prediction_task).accuracy(_naive_bayes, after=False)


def _naive_bayes(n_values: np.ndarray) -> Classifier:
    from sklearn.naive_bayes import CategoricalNB

    return CategoricalNB(min_categories=n_values)
