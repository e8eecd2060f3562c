"""Decision tree accuracy: how well one rating or column can be predicted from the others by a chain of questions.

*Definition.* The share of values that a decision tree guesses right, learning from some records and asked about
others, all as published (or all as they were, for the accuracy *before*). What is predicted from what, and how
records are split, is said in :mod:`shoal.utility.prediction_task`. The tree cuts by Gini impurity until a leaf would
have fewer than 5 records; null stands one step below the lowest rating, so that one cut tells it from all ratings.
*Unit.* A share of the guesses.

*Reference.* Beside the naive Bayes of the survey-rating paper (section 5.3), as a model that does not take ratings to
be independent.
"""

import numpy as np

from .comparison import Comparison
from .guesses import Classifier
from .measure import measure
from .prediction_task import prediction_task

__all__ = ["decision_tree_accuracy", "decision_tree_accuracy_before"]


@measure("decision tree accuracy", unit="share of guesses that are right", quick=False)
def decision_tree_accuracy(comparison: Comparison) -> float:
    """Give how often a decision tree, taught and tested on published records, guesses a value right."""
    return comparison.once(prediction_task).accuracy(_tree, after=True)


@measure("decision tree accuracy before", unit="share of guesses that are right", quick=False)
def decision_tree_accuracy_before(comparison: Comparison) -> float:
    """Give how often a decision tree, taught and tested on the original records, guesses a value right."""
    return comparison.once(prediction_task).accuracy(_tree, after=False)


def _tree(n_values: np.ndarray) -> Classifier:
    del n_values  # a tree asks for more or less, and need not know the values
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(min_samples_leaf=5, random_state=0)
