"""A classification task: one target, features and trials, the same before and after."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from shoal.utility.measure import Unmeasurable
from shoal.utility.prediction_settings import Prediction

__all__ = ["ClassificationTask", "Classifier", "Material"]

_FEWEST = 20

Pair = tuple[np.ndarray, np.ndarray]
"""Before and after."""


class Classifier(Protocol):
    """A classifier with the interface of scikit-learn."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> object:  # noqa: N803 - scikit-learn calls them so
        """Train on examples."""
        ...

    def predict(self, X: np.ndarray) -> np.ndarray:  # noqa: N803
        """Predict the target of each row."""
        ...


@dataclass(frozen=True)
class Material:
    """What trials are drawn from: records before and after."""

    targets: Pair
    """The codes of the target, −1 where it is not known."""
    features: Callable[[np.ndarray], Pair]
    """From rows to the categories of their features."""
    n_values: Pair
    """How many categories each feature has."""


@dataclass(frozen=True)
class ClassificationTask:
    """The same records before and after: targets (−1: unknown), and the categories of their features."""

    targets: Pair
    features: Pair
    n_values: Pair
    """How many categories each feature has."""
    splits: tuple[Pair, ...]
    """The records for training and those for testing, once for each trial."""

    @classmethod
    def drawn(
        cls, material: Material, prediction: Prediction, chance: np.random.Generator, n_training: int | None
    ) -> Self:
        """Draw the records of every trial, and take their features.

        The first ``n_training`` records are for training and the others for testing; None: each may be either.
        """
        known = [target >= 0 for target in material.targets]
        rows = np.flatnonzero(known[0] | known[1])
        trials = [*_trials(rows, prediction, chance, n_training)]
        _refuse_few(known, trials, apart=n_training is not None)
        used = np.unique(np.concatenate([part for trial in trials for part in trial]))
        splits = tuple((np.searchsorted(used, one), np.searchsorted(used, other)) for one, other in trials)
        before, after = material.targets
        return cls((before[used], after[used]), material.features(used), material.n_values, splits)

    def accuracy(self, make: Callable[[np.ndarray], Classifier], *, after: bool) -> float:
        """Return the share of correct predictions, averaged over the trials.

        ``make`` builds a classifier from the number of categories of each feature.
        """
        accuracies = [*self._accuracies(make, after=after)]
        if not accuracies:
            raise Unmeasurable("No split has a value to train on and one to test.")
        return float(np.mean(accuracies))

    def _accuracies(self, make: Callable[[np.ndarray], Classifier], *, after: bool) -> Iterator[float]:
        target, features = self.targets[after], self.features[after]
        for rows in self.splits:
            training, tested = (part[target[part] >= 0] for part in rows)
            if not (len(training) and len(tested)):
                continue
            if 2 * len(np.unique(target[training])) > len(training):
                raise Unmeasurable("The target has too many different values for the number of records.")
            model = make(self.n_values[after])
            model.fit(features[training], target[training])
            yield float(np.mean(model.predict(features[tested]) == target[tested]))


def _trials(
    rows: np.ndarray, prediction: Prediction, chance: np.random.Generator, n_training: int | None
) -> Iterator[Pair]:
    """Draw the rows for training and those for testing, once for each trial."""
    if n_training is None:
        for _ in range(prediction.trials):
            drawn = chance.permutation(rows)[: prediction.records]
            cut = int(len(drawn) * prediction.training)
            yield drawn[:cut], drawn[cut:]
        return
    sides = rows[rows < n_training], rows[rows >= n_training]
    repeated = max(map(len, sides)) > prediction.records  # where everybody takes part, every trial is the same
    for _ in range(prediction.trials if repeated else 1):
        one, other = (chance.permutation(side)[: prediction.records] for side in sides)
        yield one, other


def _refuse_few(known: list[np.ndarray], trials: list[Pair], *, apart: bool) -> None:
    """Raise unless the target is known often enough before and after, in every trial."""
    for trial in trials:
        parts = trial if apart else (np.concatenate(trial),)
        if min(np.count_nonzero(side[part]) for side in known for part in parts) < _FEWEST:
            where = ", among training or test records" if apart else ""
            raise Unmeasurable(f"The target is known for fewer than {_FEWEST} records before or after{where}.")
