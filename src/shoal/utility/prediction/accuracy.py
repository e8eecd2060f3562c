"""Naive Bayes accuracy: how well one rating or column can be predicted from the others by multiplying shares.

*Definition.* The share of values that naive Bayes guesses right, learning from some records and asked about others, all
as published (or all as they were, for the accuracy *before*). What is predicted from what, and how records are split,
is said in :mod:`shoal.utility.prediction.accuracy`. A feature has one category for each point of the scale and one for
null, or one for each value or label of a column; every count begins at one (Laplace). *Unit.* A share of the guesses.

*Reference.* Section 5.3 and Figure 16 of the survey-rating paper, which uses Weka, 2,000 records and 50 trials, and
does not say what is predicted.

A value to be predicted from others: what is learned from, and what is asked.

*What is predicted.* On ratings, the first sensitive item with two different ratings; where there is none, the non-
sensitive item that the originals rate most often. On tables, the column that is named; or else the first sensitive
one with two to 100 different values, or else the first such insensitive one. *From what.* On ratings, from the 50
other non-sensitive items that the originals rate most often; null is a value of its own. On tables, from the other
quasi-identifiers and insensitive columns, each label being a category; categories stand in the order of values,
labels in that of the middle between the lowest and the highest value they cover. *On what.* At most 5,000 published
records, drawn at random among those of which the target is known before or after; in each of 5 random splits, two
thirds are learned from and one third is asked about, on each side those that have the target. What is predicted from
what, and the splits, are the same before and after; accuracy is the average over the splits.

Decision tree accuracy: how well one rating or column can be predicted from the others by a chain of questions.

*Definition.* The share of values that a decision tree guesses right, learning from some records and asked about others,
all as published (or all as they were, for the accuracy *before*). What is predicted from what, and how records are
split, is said in :mod:`shoal.utility.prediction.accuracy`. The tree cuts by Gini impurity until a leaf would have fewer
than 5 records; null stands one step below the lowest rating, so that one cut tells it from all ratings. *Unit.* A share
of the guesses.

*Reference.* Beside the naive Bayes of the survey-rating paper (section 5.3), as a model that does not take ratings to
be independent.
"""

import numpy as np

from shoal.data import Microdata, Ratings
from shoal.utility.comparison import Comparison
from shoal.utility.measure import measure

from .classification_task import ClassificationTask, Classifier, rating_prediction, table_prediction

__all__ = [
    "decision_tree_accuracy",
    "decision_tree_accuracy_before",
    "naive_bayes_accuracy",
    "naive_bayes_accuracy_before",
    "prediction_task",
]


@measure("naive Bayes accuracy", unit="share of guesses that are right", quick=False, place=350, draws=True)
def naive_bayes_accuracy(comparison: Comparison) -> float:
    """Return how often naive Bayes, taught and tested on published records, guesses a value right."""
    return comparison.once(prediction_task).accuracy(_naive_bayes, after=True)


@measure("naive Bayes accuracy before", unit="share of guesses that are right", quick=False, place=340, draws=True)
def naive_bayes_accuracy_before(comparison: Comparison) -> float:
    """Return how often naive Bayes, taught and tested on the original records, guesses a value right."""
    return comparison.once(prediction_task).accuracy(_naive_bayes, after=False)


def _naive_bayes(n_values: np.ndarray) -> Classifier:
    from sklearn.naive_bayes import CategoricalNB

    return CategoricalNB(min_categories=n_values)


def prediction_task(comparison: Comparison) -> ClassificationTask:
    """Choose what to predict from what, and split the records."""
    if isinstance(comparison.whole, Ratings):
        return rating_prediction(comparison)
    assert isinstance(comparison.whole, Microdata)
    return table_prediction(comparison)


@measure("decision tree accuracy", unit="share of guesses that are right", quick=False, place=370, draws=True)
def decision_tree_accuracy(comparison: Comparison) -> float:
    """Return how often a decision tree, taught and tested on published records, guesses a value right."""
    return comparison.once(prediction_task).accuracy(_tree, after=True)


@measure("decision tree accuracy before", unit="share of guesses that are right", quick=False, place=360, draws=True)
def decision_tree_accuracy_before(comparison: Comparison) -> float:
    """Return how often a decision tree, taught and tested on the original records, guesses a value right."""
    return comparison.once(prediction_task).accuracy(_tree, after=False)


def _tree(n_values: np.ndarray) -> Classifier:
    del n_values  # a tree asks for more or less, and need not know the values
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(min_samples_leaf=5, random_state=0)
