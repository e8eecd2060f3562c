"""Steps of ``top-down`` in groups of which only counts are here: where the values of a group go, and what is saved."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.anonymizers.top_down.specialization import step_worth, value_costs
from shoal.data import Hierarchy

__all__ = ["Branches", "Branching", "Step"]


@dataclass(frozen=True, eq=False)
class Step:
    """A possible step of a group."""

    attribute: int
    worth: float
    values: np.ndarray
    """The values that occur, ascending."""
    parts: np.ndarray
    """By value, its part; values that are pushed back have the number after the parts."""
    n_kept: int
    sizes: np.ndarray
    """How many records each part has, and behind them how many are pushed back."""
    cells: np.ndarray
    """The part and the kind of those that records are lifted from."""
    wanted: np.ndarray
    """How many are lifted from each."""


@dataclass(frozen=True, eq=False)
class Branching:
    """The parts of a group one level down in an attribute."""

    attribute: int
    values: np.ndarray
    """The values that occur, ascending."""
    parts: np.ndarray
    """By value, its part."""
    saved: np.ndarray
    """By part, what a record in it saves."""

    @property
    def n_parts(self) -> int:
        """How many parts there are."""
        return len(self.saved)

    def step(self, kept: np.ndarray, sizes: np.ndarray, going: np.ndarray) -> Step | None:
        """Return the step in which the ``kept`` parts go on, if it saves anything; nobody is lifted yet.

        ``sizes`` are the records of each part, and ``going`` those of them that go on.
        """
        homes, total = np.zeros(self.n_parts, np.int64), int(sizes.sum())
        worth = float(step_worth(going * self.saved, sizes, homes, kept, np.array([total]))[0])
        if worth == -np.inf:
            return None
        n_kept, nobody = int(kept.sum()), np.zeros(0, np.int64)
        new_sizes = np.append(going[kept], total - int(going.sum()))
        parts = self.numbers(kept)[self.parts]
        return Step(self.attribute, worth, self.values, parts, n_kept, new_sizes, nobody.reshape(0, 2), nobody)

    def numbers(self, kept: np.ndarray) -> np.ndarray:
        """Return by part its number among those that go on; those that are pushed back have the one after these."""
        return np.where(kept, np.cumsum(kept) - 1, int(kept.sum()))


class Branches:
    """Finds the parts of groups of one table."""

    def __init__(self, hierarchies: Sequence[Hierarchy]) -> None:
        self._maps = [np.stack(hierarchy.maps) for hierarchy in hierarchies]
        self._costs = [value_costs(hierarchy) for hierarchy in hierarchies]

    def of(self, attribute: int, values: np.ndarray) -> Branching | None:
        """Return the parts of a group in which these values occur, ascending; None where it has one value."""
        maps, costs = self._maps[attribute], self._costs[attribute]
        level = int((maps[:, values] == maps[:, values[:1]]).all(axis=1).argmax())
        if level == 0:
            return None
        _, firsts, parts = np.unique(maps[level - 1][values], return_index=True, return_inverse=True)
        saved = costs[level, values[firsts]] - costs[level - 1, values[firsts]]
        return Branching(attribute, values, parts.ravel(), saved)
