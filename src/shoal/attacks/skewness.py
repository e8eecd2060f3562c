"""The attack ``skewness``: what is rare among all may be common among those who look alike.

*Knowledge.* That of ``homogeneity``.

*Success.* The attacker believes of each sensitive value what its share among the candidates is. Success is the belief
in the value that is true: the share of bets that are won if they are laid by the candidates, beside that of bets laid
by all published records.

*Reference.* Li, Li and Venkatasubramanian, t-closeness (2007), sections 3 and 4: the distance between the values of a
group and those of all. It is that of ordered values for ratings (in steps of the scale) and for numbers and dates (in
ranks of what is published), and that of equal distances for words and where values are missing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .base import attacks
from .candidate_values import CandidateValues
from .distance_to_everybody import distance_to_everybody
from .exposure import Exposure
from .sensitive_attribute import SensitiveAttribute
from .value_inference import ValueInference

__all__ = ["Skewness"]


@attacks.add
@dataclass(frozen=True)
class Skewness(ValueInference):
    """Believes of sensitive values what their shares are among those who look like the target."""

    name: ClassVar[str] = "skewness"

    @property
    def meaning(self) -> str:
        """What the attacker knows and wants."""
        what = "sensitive values" if self.of is None else f"values of {self.of}"
        return f"Knows what is observable of a person, and bets on {what} by their shares in published records like it."

    def _told(self, exposure: Exposure, attribute: SensitiveAttribute) -> SensitiveAttribute:
        del exposure
        return attribute if attribute.positions is None else attribute.in_order()

    def _chances(self, candidates: CandidateValues, groups: np.ndarray, true: np.ndarray) -> np.ndarray:
        return candidates.shares(groups, true)

    def _details(
        self, exposure: Exposure, attribute: SensitiveAttribute, candidates: CandidateValues, groups: np.ndarray
    ) -> Mapping[str, int | float]:
        del exposure
        distances = distance_to_everybody(candidates, attribute.positions)
        of_targets = distances[candidates.informative(groups)]
        return {"largest_distance": float(of_targets.max()), "average_distance": float(of_targets.mean())}
