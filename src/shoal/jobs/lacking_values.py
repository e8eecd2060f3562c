"""Which sensitive attribute of a group falls shortest of what a promise asks, and by how much.

What is told depends on the promise: how many different values there are or, with a plus, categories; for recursive
l-diversity the l that is reached, for entropy as how many equally likely values it counts; for (p,α) the weight, where
it is not values that lack; for t-closeness the distance, which is too great and not too small.
"""

from dataclasses import dataclass, replace

import numpy as np

from shoal.evidence import GroupCounts, ValueCounts
from shoal.models import LDiversity, PrivacyModel, TCloseness
from shoal.models.earth_mover import EarthMover
from shoal.models.entropy import diversities
from shoal.models.recursive_diversity import largest_l
from shoal.models.sensitive_k_anonymity import SensitiveKAnonymity

__all__ = ["LackingValues", "lacking_values"]

_UNIT = 1e-6
"""What is told has six digits, and never looks as if it were enough."""


@dataclass(frozen=True, eq=False, repr=False)
class LackingValues:
    """By group, what its worst sensitive attribute reaches and what it should."""

    worst: np.ndarray
    """Which attribute; −1 where none breaks the promise."""
    reached: np.ndarray
    needed: np.ndarray

    def take(self, groups: np.ndarray) -> "LackingValues":
        """Give those of some groups, in this order."""
        return LackingValues(self.worst[groups], self.reached[groups], self.needed[groups])


def lacking_values(model: PrivacyModel, counts: GroupCounts) -> LackingValues | None:
    """Find the worst attribute of each group; None for promises that are not known to speak of sensitive values."""
    if not counts.sensitive or not isinstance(model, LDiversity | SensitiveKAnonymity | TCloseness):
        return None
    alone = replace(model, k=None) if isinstance(model, SensitiveKAnonymity) else model
    breaks = np.stack([alone.judge(GroupCounts(counts.sizes, (each,))).violating for each in counts.sensitive])
    found = LackingValues(np.full(len(counts), -1), np.zeros(len(counts)), np.zeros(len(counts)))
    if isinstance(model, SensitiveKAnonymity):
        different = np.stack([model.n_different(each) for each in counts.sensitive])
        few = breaks & (different < model.p)
        if model.least_weight is not None:
            weighed = [model.weights(each) for each in counts.sensitive]
            weights = np.stack([steps / unit for steps, unit in weighed])
            _write(found, breaks & ~few, weights, float(model.least_weight))
        _write(found, few, different, model.p)  # written last: of a group that lacks both, values are told
    elif isinstance(model, TCloseness):
        distances = [EarthMover.of(each, model.distance).distances for each in counts.sensitive]
        _write(found, breaks, np.stack(distances), float(model.t), at_most=True)
    else:
        _write(found, breaks, np.stack([_diversity(model, each) for each in counts.sensitive]), float(model.l))
    return found


def _diversity(model: LDiversity, values: ValueCounts) -> np.ndarray:
    if model.kind == "entropy":
        return diversities(values)
    return values.n_distinct if model.c is None else largest_l(values, model.c)


def _write(
    found: LackingValues, lacks: np.ndarray, reached: np.ndarray, needed: float, *, at_most: bool = False
) -> None:
    """Write the worst of the attributes that lack, for the groups in which one does."""
    here = np.flatnonzero(lacks.any(axis=0))
    rounded = np.round(reached[:, here] / _UNIT) * _UNIT  # equal but for the order in which it was added up is equal
    worst = np.where(lacks[:, here], rounded if at_most else -rounded, -np.inf).argmax(axis=0)
    told = rounded[worst, np.arange(len(here))]
    found.worst[here] = worst
    found.reached[here] = np.maximum(told, needed + _UNIT) if at_most else np.minimum(told, needed - _UNIT)
    found.needed[here] = needed
