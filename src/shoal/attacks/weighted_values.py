"""What attackers hold likely, and how often their best guess is right."""

import numpy as np

__all__ = ["WeightedValues"]

_ROUNDING = 1e-9


class WeightedValues:
    """For each owner (a group, for example) the values that are possible, each with a weight.

    Of values with the same largest weight the attacker takes one by lot. An owner without any weight has nothing to
    guess from: its share and its guess are NaN.
    """

    def __init__(
        self, owners: np.ndarray, values: np.ndarray, weights: np.ndarray, *, n_owners: int, n_values: int
    ) -> None:
        """Take weights by owner and value; those of the same owner and value are added."""
        assert len(owners) == len(values) == len(weights)
        self._n_values = n_values
        keys, place = np.unique(owners.astype(np.int64) * n_values + values, return_inverse=True)
        summed = np.bincount(place, weights, minlength=len(keys))
        self._keys, self._weights = keys[summed > 0], summed[summed > 0]
        of = self._keys // n_values
        self._totals = np.bincount(of, self._weights, minlength=n_owners)
        self._most = np.zeros(n_owners)
        np.maximum.at(self._most, of, self._weights)
        best = self._weights >= self._most[of] * (1 - _ROUNDING)
        self._n_best = np.bincount(of[best], minlength=n_owners)
        self.n_possible = np.bincount(of, minlength=n_owners)
        """How many values are possible, for each owner."""

    @classmethod
    def counted(cls, owners: np.ndarray, values: np.ndarray, *, n_owners: int, n_values: int) -> "WeightedValues":
        """Weigh values by how often they occur."""
        return cls(owners, values, np.ones(len(owners)), n_owners=n_owners, n_values=n_values)

    @property
    def entries(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The owners, the values and their weights, in order."""
        return self._keys // self._n_values, self._keys % self._n_values, self._weights

    @property
    def largest_shares(self) -> np.ndarray:
        """The probability of the likeliest value, for each owner."""
        with np.errstate(invalid="ignore"):
            return self._most / self._totals

    def weight(self, owners: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Give the weight of values; 0 where a value is not possible."""
        asked = owners.astype(np.int64) * self._n_values + values
        if not len(self._keys):
            return np.zeros(len(asked))
        place = np.minimum(np.searchsorted(self._keys, asked), len(self._keys) - 1)
        return np.where(self._keys[place] == asked, self._weights[place], 0.0)

    def share(self, owners: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Give the probability of values."""
        with np.errstate(invalid="ignore"):
            return self.weight(owners, values) / self._totals[owners]

    def guessed(self, owners: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Give the chance that the best guess is this value."""
        best = self.weight(owners, values) >= self._most[owners] * (1 - _ROUNDING)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self._n_best[owners] == 0, np.nan, best / self._n_best[owners])
