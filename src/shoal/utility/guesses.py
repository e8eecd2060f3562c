"""What models are taught and asked, before and after."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from .measure import Unmeasurable

__all__ = ["Classifier", "Guesses"]

_RECORDS = 5_000
_SPLITS = 5
_FEWEST = 20

Pair = tuple[np.ndarray, np.ndarray]
"""Before and after."""


class Classifier(Protocol):
    """What learns from examples and guesses."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> object:  # noqa: N803 - scikit-learn calls them so
        """Learn."""
        ...

    def predict(self, X: np.ndarray) -> np.ndarray:  # noqa: N803
        """Guess."""
        ...


@dataclass(frozen=True)
class Guesses:
    """The same records before and after: what to predict, −1 being unknown, and the categories to predict it from."""

    targets: Pair
    features: Pair
    n_values: Pair
    """How many categories each feature has."""
    splits: tuple[tuple[np.ndarray, np.ndarray], ...]
    """Which records to learn from and which to ask about."""

    @classmethod
    def drawn(
        cls, targets: Pair, features: Callable[[np.ndarray], Pair], n_values: Pair, chance: np.random.Generator
    ) -> Self:
        """Draw records, take their features, and split them."""
        rows = _enough(targets, chance)
        splits = tuple(_split(len(rows), chance) for _ in range(_SPLITS))
        return cls((targets[0][rows], targets[1][rows]), features(rows), n_values, splits)

    def accuracy(self, make: Callable[[np.ndarray], Classifier], *, after: bool) -> float:
        """Give the share of right guesses, on average over the splits; make is told how many categories there are."""
        accuracies = [*self._accuracies(make, after=after)]
        if not accuracies:
            raise Unmeasurable("No split has a value to learn from and one to ask about.")
        return float(np.mean(accuracies))

    def _accuracies(self, make: Callable[[np.ndarray], Classifier], *, after: bool) -> Iterator[float]:
        target, features = self.targets[after], self.features[after]
        for rows in self.splits:
            learnt, asked = (part[target[part] >= 0] for part in rows)
            if not (len(learnt) and len(asked)):
                continue
            if 2 * len(np.unique(target[learnt])) > len(learnt):
                raise Unmeasurable("What is to be predicted has too many different values for so few records.")
            model = make(self.n_values[after])
            model.fit(features[learnt], target[learnt])
            yield float(np.mean(model.predict(features[asked]) == target[asked]))


def _enough(targets: Pair, chance: np.random.Generator) -> np.ndarray:
    """Draw records of which the target is known before or after, and make sure that it often is on both sides."""
    known = [target >= 0 for target in targets]
    rows = np.sort(chance.permutation(np.flatnonzero(known[0] | known[1]))[:_RECORDS])
    if min(np.count_nonzero(side[rows]) for side in known) < _FEWEST:
        raise Unmeasurable(f"What is to be predicted is known of fewer than {_FEWEST} records before or after.")
    return rows


def _split(n: int, chance: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two thirds to learn from, one third to ask about."""
    order = chance.permutation(n)
    return order[: 2 * n // 3], order[2 * n // 3 :]
