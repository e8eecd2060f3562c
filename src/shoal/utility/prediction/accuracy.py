"""Prediction accuracy: how well one rating or column can be predicted from the others, before and after.

*Definition.* The share of values that a classifier predicts correctly, trained on some records and tested on others,
all as published (or all original, for the accuracy *before*). *Unit.* A share of the predictions.

*What is predicted.* The item or column that is named. Unless one is: on ratings, the first sensitive item with two
different ratings; where there is none, the non-sensitive item rated most often in the originals. On tables, the first
sensitive column with 2 to 100 different values, or else the first such insensitive one. *From what.* On ratings, from
the 50 other non-sensitive items rated most often in the originals; null is a value of its own. On tables, from the
other quasi-identifiers and insensitive columns, each label being a category; categories are in the order of values,
labels in that of the middle between the lowest and the highest value they cover. *On what.* In each of 5 trials, at
most 5,000 published records, drawn at random among those whose target is known before or after; two thirds are for
training and one third for testing, on each side those that have the target. Target, features, records and splits are
the same before and after; accuracy is the average over the trials. *Settings.* All these numbers but 100
(:class:`~shoal.utility.prediction_settings.Prediction`).

*Training and test records anonymized apart.* Where the comparison names another one to be tested on, trials draw the
records for training from the first and those for testing from the other, at most 5,000 each; *before*, from the
originals of each. Items, columns, values and labels are matched by name, and what is predicted from what is chosen
over the records of both. This is how the papers and chapter 4 of the thesis train and test.

**Naive Bayes.** A feature has one category for each point of the scale and one for null, or one for each value or label
of a column; every count begins at one (Laplace), and a category that no training record has is left out of the
product. *Reference.* Section 5.3 and Figure 16 of the survey-rating paper, which uses Weka, 2,000 records and 50
trials, and does not say what is predicted.

**Decision tree.** The tree splits by Gini impurity until a leaf would have fewer than 5 records; null is one step below
the lowest rating, so that one split separates it from all ratings. *Reference.* Beside the naive Bayes of the
survey-rating paper (section 5.3), as a model that does not assume ratings to be independent.
"""

import numpy as np

from shoal.data import Ratings
from shoal.utility.comparison import Comparison
from shoal.utility.measure import measure

from .classification_task import ClassificationTask, Classifier
from .joined import joined
from .rating_material import rating_material
from .table_material import table_material

__all__ = [
    "decision_tree_accuracy",
    "decision_tree_accuracy_before",
    "naive_bayes_accuracy",
    "naive_bayes_accuracy_before",
    "prediction_task",
]


@measure("naive Bayes accuracy", unit="share of correct predictions", quick=False, place=350, draws=True, of_marks=True)
def naive_bayes_accuracy(comparison: Comparison) -> float:
    """The share of values that naive Bayes predicts correctly, trained and tested on published records."""
    return comparison.once(prediction_task).accuracy(_NaiveBayes, after=True)


@measure(
    "naive Bayes accuracy before",
    unit="share of correct predictions",
    quick=False,
    place=340,
    draws=True,
    of_marks=True,
)
def naive_bayes_accuracy_before(comparison: Comparison) -> float:
    """The share of values that naive Bayes predicts correctly, trained and tested on original records."""
    return comparison.once(prediction_task).accuracy(_NaiveBayes, after=False)


class _NaiveBayes:
    """Naive Bayes on categories; one that no training record has says nothing.

    With the usual Laplace counts alone it would speak for the rarest target, the more so the more such features there
    are: test records that were generalized apart would nearly all be given the rarest one.
    """

    def __init__(self, n_values: np.ndarray) -> None:
        from sklearn.naive_bayes import CategoricalNB

        self._model = CategoricalNB(min_categories=n_values)

    def fit(self, X: np.ndarray, y: np.ndarray) -> None:  # noqa: N803
        self._model.fit(X, y)
        for counts, logarithms in zip(self._model.category_count_, self._model.feature_log_prob_, strict=True):
            logarithms[:, counts.sum(axis=0) == 0] = 0

    def predict(self, X: np.ndarray) -> np.ndarray:  # noqa: N803
        return self._model.predict(X)


def prediction_task(comparison: Comparison) -> ClassificationTask:
    """Choose the target and the features, and draw the trials."""
    tested_on = comparison.tested_on
    both = comparison if tested_on is None else joined(comparison, tested_on)
    material = rating_material(both) if isinstance(both.whole, Ratings) else table_material(both)
    n_training = None if tested_on is None else len(comparison.origins)
    return ClassificationTask.drawn(material, comparison.prediction, comparison.generator("prediction"), n_training)


@measure(
    "decision tree accuracy", unit="share of correct predictions", quick=False, place=370, draws=True, of_marks=True
)
def decision_tree_accuracy(comparison: Comparison) -> float:
    """The share of values that a decision tree predicts correctly, trained and tested on published records."""
    return comparison.once(prediction_task).accuracy(_tree, after=True)


@measure(
    "decision tree accuracy before",
    unit="share of correct predictions",
    quick=False,
    place=360,
    draws=True,
    of_marks=True,
)
def decision_tree_accuracy_before(comparison: Comparison) -> float:
    """The share of values that a decision tree predicts correctly, trained and tested on original records."""
    return comparison.once(prediction_task).accuracy(_tree, after=False)


def _tree(n_values: np.ndarray) -> Classifier:
    del n_values  # a tree compares codes, and need not know how many there are
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(min_samples_leaf=5, random_state=0)
