"""Prediction accuracy: how well one rating or column can be predicted from the others, before and after.

*Definition.* The share of values that a classifier predicts correctly, trained on some records and tested on others,
all as published (or all original, for the accuracy *before*). *Unit.* A share of the predictions.

*What is predicted.* On ratings, the first sensitive item with two different ratings; where there is none, the
non-sensitive item rated most often in the originals. On tables, the column that is named; or else the first sensitive
one with 2 to 100 different values, or else the first such insensitive one. *From what.* On ratings, from the 50 other
non-sensitive items rated most often in the originals; null is a value of its own. On tables, from the other
quasi-identifiers and insensitive columns, each label being a category; categories are in the order of values, labels in
that of the middle between the lowest and the highest value they cover. *On what.* At most 5,000 published records,
drawn at random among those whose target is known before or after; in each of 5 random splits, two thirds are for
training and one third for testing, on each side those that have the target. Target, features and splits are the same
before and after; accuracy is the average over the splits.

**Naive Bayes.** A feature has one category for each point of the scale and one for null, or one for each value or label
of a column; every count begins at one (Laplace). *Reference.* Section 5.3 and Figure 16 of the survey-rating paper,
which uses Weka, 2,000 records and 50 trials, and does not say what is predicted.

**Decision tree.** The tree splits by Gini impurity until a leaf would have fewer than 5 records; null is one step below
the lowest rating, so that one split separates it from all ratings. *Reference.* Beside the naive Bayes of the
survey-rating paper (section 5.3), as a model that does not assume ratings to be independent.
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


@measure("naive Bayes accuracy", unit="share of correct predictions", quick=False, place=350, draws=True)
def naive_bayes_accuracy(comparison: Comparison) -> float:
    """The share of values that naive Bayes predicts correctly, trained and tested on published records."""
    return comparison.once(prediction_task).accuracy(_naive_bayes, after=True)


@measure("naive Bayes accuracy before", unit="share of correct predictions", quick=False, place=340, draws=True)
def naive_bayes_accuracy_before(comparison: Comparison) -> float:
    """The share of values that naive Bayes predicts correctly, trained and tested on original records."""
    return comparison.once(prediction_task).accuracy(_naive_bayes, after=False)


def _naive_bayes(n_values: np.ndarray) -> Classifier:
    from sklearn.naive_bayes import CategoricalNB

    return CategoricalNB(min_categories=n_values)


def prediction_task(comparison: Comparison) -> ClassificationTask:
    """Choose the target and the features, and split the records."""
    if isinstance(comparison.whole, Ratings):
        return rating_prediction(comparison)
    assert isinstance(comparison.whole, Microdata)
    return table_prediction(comparison)


@measure("decision tree accuracy", unit="share of correct predictions", quick=False, place=370, draws=True)
def decision_tree_accuracy(comparison: Comparison) -> float:
    """The share of values that a decision tree predicts correctly, trained and tested on published records."""
    return comparison.once(prediction_task).accuracy(_tree, after=True)


@measure("decision tree accuracy before", unit="share of correct predictions", quick=False, place=360, draws=True)
def decision_tree_accuracy_before(comparison: Comparison) -> float:
    """The share of values that a decision tree predicts correctly, trained and tested on original records."""
    return comparison.once(prediction_task).accuracy(_tree, after=False)


def _tree(n_values: np.ndarray) -> Classifier:
    del n_values  # a tree compares codes, and need not know how many there are
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(min_samples_leaf=5, random_state=0)
