"""Inference of a sensitive value from the candidates for a person's record: shared by this family of attacks."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np

from shoal.attacks.base import Attack
from shoal.attacks.exposure import Exposure, control_targets
from shoal.attacks.finding import Outcome, Yardstick
from shoal.attacks.sensitive_attribute import SensitiveAttribute
from shoal.data import Ratings, Survey
from shoal.engines import LocalEngine
from shoal.engines.neighbor_search import sums_within
from shoal.engines.within_classes import answers_within_classes
from shoal.errors import WordingError
from shoal.evidence import ValueCounts
from shoal.kernels.groups.counts import value_counts
from shoal.randomness import Randomness

__all__ = ["CandidateValues", "ValueInference"]


class CandidateValues:
    """The number of occurrences of each value among the candidates for each group, and among all records.

    The candidates for an equivalence class are its records or, for ratings, all published records within a distance;
    of a survey, all of them that have the same demographics.
    """

    def __init__(self, exposure: Exposure, attribute: SensitiveAttribute, within: Fraction) -> None:
        near = exposure.truth.kind != "table" and _answers(exposure, within)[0].scale.steps_within(within)
        self.counts = _near(exposure, attribute, within) if near else _alike(exposure, attribute)
        """By group; the last entry counts all published records together."""

    @property
    def everybody(self) -> int:
        """The index under which all published records together are counted."""
        return len(self.counts) - 1

    @cached_property
    def totals(self) -> np.ndarray:
        """The number of candidates with a value, by group."""
        return np.bincount(self.owners, self.counts.counts, minlength=len(self.counts)).astype(np.int64)

    @cached_property
    def most(self) -> np.ndarray:
        """The number of candidates with the most frequent value, by group."""
        most = np.zeros(len(self.counts), np.int64)
        np.maximum.at(most, self.owners, self.counts.counts)
        return most

    @cached_property
    def owners(self) -> np.ndarray:
        """The group of each count."""
        return np.repeat(np.arange(len(self.counts)), np.diff(self.counts.indptr))

    def informative(self, groups: np.ndarray) -> np.ndarray:
        """Replace groups none of whose candidates has a value by everybody."""
        return np.where(self.totals[groups] == 0, self.everybody, groups)

    def chances_of_guess(self, groups: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return the probability that the guess, a most frequent value of the group, is this value."""
        groups = self.informative(groups)
        is_most = self.counts.counts == self.most[self.owners]
        as_frequent = np.bincount(self.owners, is_most, minlength=len(self.counts))
        return np.where(self._number_of(groups, values) == self.most[groups], 1 / as_frequent[groups], 0.0)

    def shares(self, groups: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return the share of this value among the candidates for a group."""
        groups = self.informative(groups)
        return self._number_of(groups, values) / self.totals[groups]

    def _number_of(self, groups: np.ndarray, values: np.ndarray) -> np.ndarray:
        keys = self.owners * self.counts.n_values + self.counts.values
        asked = groups * self.counts.n_values + values
        place = np.minimum(np.searchsorted(keys, asked), len(keys) - 1)
        return np.where(keys[place] == asked, self.counts.counts[place], 0)


def _alike(exposure: Exposure, attribute: SensitiveAttribute) -> ValueCounts:
    given = np.flatnonzero(attribute.seen >= 0)
    labels, n_groups = exposure.grouping.labels[given], exposure.grouping.n_groups
    values = attribute.seen[given]
    twice = np.concatenate([labels, np.full(len(given), n_groups)]), np.concatenate([values, values])
    indptr, codes, counts = value_counts(twice[0], n_groups + 1, twice[1], attribute.n_values)
    return ValueCounts(indptr, codes, counts, attribute.n_values)


def _answers(exposure: Exposure, within: Fraction) -> tuple[Ratings, int]:
    """Return published ratings and how many steps apart candidates may be; of a survey, only within a class."""
    if not isinstance(exposure.seen, Survey):
        seen = exposure.ratings[1]
    else:
        classes = LocalEngine().group(exposure.seen.table)
        seen, within = answers_within_classes(exposure.seen, classes, within)
    return seen, seen.scale.steps_within(within)


def _near(exposure: Exposure, attribute: SensitiveAttribute, within: Fraction) -> ValueCounts:
    """Count among all records within the distance of the first record of each group."""
    seen, radius = _answers(exposure, within)
    occurring = np.unique(attribute.seen[attribute.seen >= 0])
    amounts = np.zeros((len(seen), 1 + len(occurring)), np.int64)
    amounts[:, 0] = 1
    given = np.flatnonzero(attribute.seen >= 0)
    amounts[given, 1 + np.searchsorted(occurring, attribute.seen[given])] = 1
    everybody = amounts[:, 1:].sum(axis=0)
    firsts = np.unique(exposure.grouping.labels, return_index=True)[1]
    if radius >= seen.scale.null_steps:
        found = np.broadcast_to(everybody, (len(firsts), len(occurring)))
    else:
        found = sums_within(seen.observable, seen.scale.points, radius, amounts)[firsts, 1:]
    table = np.vstack([found, everybody])
    owners, columns = np.nonzero(table)
    indptr = np.searchsorted(owners, np.arange(len(table) + 1)).astype(np.int64)
    return ValueCounts(indptr, occurring[columns].astype(np.int32), table[owners, columns], attribute.n_values)


_MOST_ATTRIBUTES = 5


@dataclass(frozen=True)
class ValueInference(Attack):
    """Finds the equivalence class of a person, and infers the sensitive value from those of its records.

    Targets are the published people who have a value. Without ``of``, the attribute is the one on which the attacker
    gains most over guessing. ``within`` is how far, in rating points, a candidate may be from the person's published
    record: by default the promised ε, and 0 where none is promised.
    """

    kinds: ClassVar[frozenset[str]] = frozenset({"ratings", "survey", "table"})
    yardstick: ClassVar[Yardstick] = "inference"

    of: str | None = None
    within: Fraction | None = None

    def __post_init__(self) -> None:
        if self.within is not None and self.within < 0:
            raise WordingError(f"{self.name}: within must not be negative.")

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple[Attack, ...]:
        """Attack each sensitive attribute; if they are many, or a name cannot be written, the one at highest risk."""
        if exposure.truth.kind not in cls.kinds:
            return (cls(),)
        names = SensitiveAttribute.names(exposure)
        one_by_one = 1 < len(names) <= _MOST_ATTRIBUTES and all(map(_can_be_written, names))
        return tuple(cls(of=name) for name in names) if one_by_one else (cls(),)

    def _misfit(self, exposure: Exposure) -> str | None:
        names = SensitiveAttribute.names(exposure)
        if self.within is not None and exposure.truth.kind == "table":
            return "Only ratings have distances: within does not apply to tables."
        if not names:
            return "No sensitive attribute is published."
        if self.of is not None and self.of not in names:
            return f"No sensitive attribute named {self.of!r} is published."
        asked = (self.of,) if self.of is not None else names
        if all(self._missing(exposure, name) for name in asked):
            return self._missing(exposure, asked[0])
        return None

    def _missing(self, exposure: Exposure, name: str) -> str | None:
        """Return what is missing to attack one attribute; None if nothing is."""
        attribute = SensitiveAttribute.read(exposure, name)
        if not attribute.someone_published or not len(_targets(exposure, attribute)):
            return "Nobody has a sensitive value that is published."
        return None

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        names = SensitiveAttribute.names(exposure) if self.of is None else (self.of,)
        outcomes = {
            number: self._of_one(exposure, name, randomness)
            for number, name in enumerate(names, start=1)
            if self._missing(exposure, name) is None
        }
        worst = max(outcomes, key=lambda number: _gain(outcomes[number]))
        if len(outcomes) == 1:
            return outcomes[worst]
        found = outcomes[worst]
        return replace(found, details={**found.details, "number_of_the_worst": worst})

    def _of_one(self, exposure: Exposure, name: str, randomness: Randomness) -> Outcome:
        attribute = self._attacked(exposure, SensitiveAttribute.read(exposure, name))
        candidates = CandidateValues(exposure, attribute, self._reach(exposure))
        targets = _targets(exposure, attribute)
        groups, true = exposure.group_of[targets], attribute.true[targets]
        others = control_targets(groups, randomness.generator(self.name), exposure.persons_of(targets))
        guessing = self._chances(candidates, np.full_like(groups, candidates.everybody), true)
        return Outcome(
            self._chances(candidates, groups, true),
            exposure.mean_by_person(guessing, targets),
            self._chances(candidates, others, true),
            self._details(exposure, attribute, candidates, groups),
            rows=targets,
        )

    def _reach(self, exposure: Exposure) -> Fraction:
        """Return how far candidates may be from the target's record."""
        return self.within if self.within is not None else exposure.epsilon or Fraction(0)

    def _attacked(self, exposure: Exposure, attribute: SensitiveAttribute) -> SensitiveAttribute:  # noqa: ARG002
        """Return the attribute at the level of detail that is attacked."""
        return attribute

    @abstractmethod
    def _chances(self, candidates: CandidateValues, groups: np.ndarray, true: np.ndarray) -> np.ndarray:
        """Return for each target, attacked through a group, the probability that the attacker is right."""

    @abstractmethod
    def _details(
        self, exposure: Exposure, attribute: SensitiveAttribute, candidates: CandidateValues, groups: np.ndarray
    ) -> Mapping[str, int | float]: ...


def _targets(exposure: Exposure, attribute: SensitiveAttribute) -> np.ndarray:
    return exposure.published[attribute.true[exposure.published] >= 0]


def _gain(outcome: Outcome) -> float:
    return float(outcome.main.mean()) - outcome.baseline


def _can_be_written(name: str | None) -> bool:
    return bool(name) and "," not in str(name) and str(name) == str(name).strip()
