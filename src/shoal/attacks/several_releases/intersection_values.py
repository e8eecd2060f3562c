"""The attack ``intersection-values``: the sensitive value of a person occurs in the person's group in every release.

*Knowledge.* The group of the target in each release, but not who else is in more than one of them.

*Success.* The weight of a value is the smallest number of records that have it in any of the target's groups: the
groups are intersected as multisets of values. The attacker guesses the value of the largest weight, and is right. Every
sensitive value of everybody who is in all of the releases is a target.

*Reference.* Ganta, Kasiviswanathan and Smith, Composition Attacks and Auxiliary Information in Data Privacy (2008), who
intersect the sets of values; multisets also weight the remaining ones.

"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.attacks.base import Attack, attacks
from shoal.attacks.exposure import Exposure, control_targets
from shoal.attacks.finding import Outcome, Yardstick
from shoal.attacks.sensitive_attribute import SensitiveAttribute, WeightedValues
from shoal.randomness import Randomness

__all__ = ["IntersectionValues"]


@attacks.add
@dataclass(frozen=True)
class IntersectionValues(Attack):
    """Infers the sensitive value that a person's groups in several releases have in common."""

    name: ClassVar[str] = "intersection-values"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings", "table"})
    yardstick: ClassVar[Yardstick] = "inference"

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        return (
            "Knows a person's group in every release, and guesses the sensitive value that is most frequent in the "
            "intersection of these groups."
        )

    @property
    def heeds(self) -> frozenset[str]:
        """The other releases."""
        return frozenset({"also"})

    def _misfit(self, exposure: Exposure) -> str | None:
        if not exposure.also:
            return "It needs another release about the same people."
        if not _shared_names(exposure):
            return "No sensitive attribute is published in all of the releases."
        if not any(len(_targets(exposure, name)) for name in _shared_names(exposure)):
            return "Nobody who is in all of the releases has a sensitive value."
        return None

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        names = [name for name in _shared_names(exposure) if len(_targets(exposure, name))]
        joined = [_Joined(exposure, name) for name in names]
        generator = randomness.generator("intersection-values")
        main = np.concatenate([each.guessed(each.targets) for each in joined])
        blind = np.concatenate([each.guessed_blindly() for each in joined])
        control = np.concatenate([each.guessed(control_targets(each.targets, generator)) for each in joined])
        alone = np.concatenate([each.guessed_alone() for each in joined], axis=1)
        left = np.concatenate([each.values_left() for each in joined])
        left_alone = np.concatenate([each.values_left_alone() for each in joined])
        rows = np.concatenate([each.targets for each in joined])
        details = {
            "releases": 1 + len(exposure.also),
            "best_single_release": max(exposure.mean_by_person(each, rows) for each in alone),
            "average_values_left": float(left.mean()),
            "certain": float(np.mean(left == 1)),
            "certain_from_a_single_release": float(np.mean(left_alone == 1)),
        }
        return Outcome(main, exposure.mean_by_person(blind, rows), control, details, rows=rows)


def _shared_names(exposure: Exposure) -> list[str]:
    found = [set(SensitiveAttribute.names(each)) for each in (exposure, *exposure.also)]
    return sorted(set.intersection(*found))


def _targets(exposure: Exposure, name: str) -> np.ndarray:
    """Return the rows of the truth that are in every release and have a value."""
    everywhere = np.all([each.place >= 0 for each in (exposure, *exposure.also)], axis=0)
    return np.flatnonzero(everywhere & (SensitiveAttribute.read(exposure, name).true >= 0))


class _Joined:
    """One sensitive attribute in every release: the values of the groups, and of their intersections."""

    def __init__(self, exposure: Exposure, name: str) -> None:
        releases = (exposure, *exposure.also)
        here, *there = (SensitiveAttribute.read(each, name) for each in releases)
        attributes = [here, *(_recoded_as(here, each) for each in there)]
        self.targets = _targets(exposure, name)
        self._groups = np.stack([each.group_of for each in releases])
        self._true = here.true
        self._size = max(each.n_values for each in attributes)
        self._alone = [
            self._counted(each.grouping.labels, of.seen, each.grouping.n_groups)
            for each, of in zip(releases, attributes, strict=True)
        ]
        self._overall = self._counted(np.zeros(len(here.seen), np.int64), here.seen, 1)
        combinations, which = np.unique(self._groups[:, self.targets], axis=1, return_inverse=True)
        self._which = np.full(len(self._true), -1, np.int64)
        self._which[self.targets] = which.ravel()
        entries = self._intersected(combinations)
        self._joined = WeightedValues(*entries, n_owners=combinations.shape[1], n_values=self._size)

    def guessed(self, known: np.ndarray) -> np.ndarray:
        """Return the probability of guessing each target's value from the groups of the people ``known``."""
        found = self._joined.guessed(self._which[known], self._true[self.targets])
        return np.where(np.isnan(found), self.guessed_blindly(), found)

    def guessed_blindly(self) -> np.ndarray:
        """Return the probability of guessing each target's value by the most frequent one of all records."""
        return self._overall.guessed(np.zeros(len(self.targets), np.int64), self._true[self.targets])

    def guessed_alone(self) -> np.ndarray:
        """Return the probability of guessing each target's value from each release alone."""
        own, true = self._groups[:, self.targets], self._true[self.targets]
        found = np.stack([alone.guessed(groups, true) for alone, groups in zip(self._alone, own, strict=True)])
        return np.where(np.isnan(found), self.guessed_blindly(), found)

    def values_left(self) -> np.ndarray:
        """Return the number of values that remain possible for each target."""
        return self._joined.n_possible[self._which[self.targets]]

    def values_left_alone(self) -> np.ndarray:
        """Return the fewest values that remain possible for each target by one release alone."""
        own = self._groups[:, self.targets]
        return np.min([alone.n_possible[groups] for alone, groups in zip(self._alone, own, strict=True)], axis=0)

    def _counted(self, groups: np.ndarray, values: np.ndarray, n_groups: int) -> WeightedValues:
        given = values >= 0
        return WeightedValues.counted(groups[given], values[given], n_owners=n_groups, n_values=self._size)

    def _intersected(self, combinations: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return for each combination of groups the values they have in common, with their smallest counts."""
        groups, values, weights = self._alone[0].entries
        first = combinations[0]
        begins, ends = (np.searchsorted(groups, first, side=side) for side in ("left", "right"))
        owners = np.repeat(np.arange(len(first)), ends - begins)
        places = np.arange(len(owners)) - np.searchsorted(owners, owners) + begins[owners]
        values, weights = values[places], weights[places]
        for others, there in zip(combinations[1:], self._alone[1:], strict=True):
            weights = np.minimum(weights, there.weight(others[owners], values))
        return owners, values, weights


def _recoded_as(here: SensitiveAttribute, there: SensitiveAttribute) -> SensitiveAttribute:
    """Recode the values of another release as here: both code the same truth.

    A value that nobody has in the truth gets a code of its own, so that it is not mistaken for another.
    """
    numbers = here.n_values + np.arange(there.n_values)
    given = here.true >= 0
    numbers[there.true[given]] = here.true[given]
    return there.numbered(numbers, here.n_values + there.n_values)
