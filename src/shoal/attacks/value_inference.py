"""What attackers who guess sensitive values have in common."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np

from shoal.errors import WordingError
from shoal.randomness import Randomness

from .base import Attack
from .candidate_values import CandidateValues
from .exposure import Exposure
from .finding import Yardstick
from .outcome import Outcome
from .sensitive_attribute import SensitiveAttribute
from .someone_else import someone_else

__all__ = ["ValueInference"]

_MOST_ATTRIBUTES = 5


@dataclass(frozen=True)
class ValueInference(Attack):
    """Finds the published records that look like a person's, and concludes from their sensitive values.

    Targets are the published people who have a value. Without ``of``, the attribute is the one by which the attacker
    gains most over guessing. ``within`` is how far, in ratings, a candidate may be from the person's published record:
    the ε that is promised unless said, and 0 where none is.
    """

    kinds: ClassVar[frozenset[str]] = frozenset({"ratings", "table"})
    yardstick: ClassVar[Yardstick] = "inference"

    of: str | None = None
    within: Fraction | None = None

    def __post_init__(self) -> None:
        if self.within is not None and self.within < 0:
            raise WordingError(f"{self.name}: within must not be negative.")

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple[Attack, ...]:
        """Attack each sensitive attribute; if they are many, or a name cannot be written, the one that is worst off."""
        if exposure.truth.kind not in cls.kinds:
            return (cls(),)
        names = SensitiveAttribute.names(exposure)
        one_by_one = 1 < len(names) <= _MOST_ATTRIBUTES and all(map(_can_be_written, names))
        return tuple(cls(of=name) for name in names) if one_by_one else (cls(),)

    def _misfit(self, exposure: Exposure) -> str | None:
        names = SensitiveAttribute.names(exposure)
        if self.within is not None and exposure.truth.kind != "ratings":
            return "Only ratings are within a distance of each other."
        if not names:
            return "Nothing sensitive is published."
        if self.of is not None and self.of not in names:
            return f"Nothing sensitive that is named {self.of!r} is published."
        asked = (self.of,) if self.of is not None else names
        if all(self._missing(exposure, name) for name in asked):
            return self._missing(exposure, asked[0])
        return None

    def _missing(self, exposure: Exposure, name: str) -> str | None:
        """Say what is missing to attack one attribute."""
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
        attribute = self._told(exposure, SensitiveAttribute.read(exposure, name))
        candidates = CandidateValues(exposure, attribute, self._reach(exposure))
        targets = _targets(exposure, attribute)
        groups, true = exposure.group_of[targets], attribute.true[targets]
        others = someone_else(groups, randomness.generator(self.name), exposure.persons_of(targets))
        guessing = self._chances(candidates, np.full_like(groups, candidates.everybody), true)
        return Outcome(
            self._chances(candidates, groups, true),
            exposure.mean_by_person(guessing, targets),
            self._chances(candidates, others, true),
            self._details(exposure, attribute, candidates, groups),
            rows=targets,
        )

    def _reach(self, exposure: Exposure) -> Fraction:
        """Give how far candidates may be from the target's record."""
        return self.within if self.within is not None else exposure.epsilon or Fraction(0)

    def _told(self, exposure: Exposure, attribute: SensitiveAttribute) -> SensitiveAttribute:  # noqa: ARG002
        """Give the attribute as exactly as it is attacked."""
        return attribute

    @abstractmethod
    def _chances(self, candidates: CandidateValues, groups: np.ndarray, true: np.ndarray) -> np.ndarray:
        """Give for each target, found in a group, the chance that the attacker is right."""

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
