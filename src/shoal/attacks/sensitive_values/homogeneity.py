"""The attack ``homogeneity``: an equivalence class whose records share a sensitive value discloses it.

*Knowledge.* All observable values of the target, as published: the quasi-identifiers, or the non-sensitive ratings.
Where the release promises an ε, up to that distance.

*Success.* The attacker guesses the most frequent value among the candidates, and is right; ties are broken at random.
Candidates without a value do not count; where there are no others, the attacker guesses among all records.

*Reference.* Machanavajjhala, Gehrke, Kifer and Venkitasubramaniam, ℓ-diversity (2006), section 2.1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.attacks.base import attacks
from shoal.attacks.exposure import Exposure
from shoal.attacks.sensitive_attribute import SensitiveAttribute

from .value_inference import CandidateValues, ValueInference

__all__ = ["Homogeneity"]


@attacks.add
@dataclass(frozen=True)
class Homogeneity(ValueInference):
    """Infers the most frequent sensitive value among the records that match the target."""

    name: ClassVar[str] = "homogeneity"

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        what = "sensitive value" if self.of is None else f"value of {self.of}"
        return f"Knows a person's observable values, and guesses the most frequent {what} among the matching records."

    def _chances(self, candidates: CandidateValues, groups: np.ndarray, true: np.ndarray) -> np.ndarray:
        return candidates.chances_of_guess(groups, true)

    def _details(
        self, exposure: Exposure, attribute: SensitiveAttribute, candidates: CandidateValues, groups: np.ndarray
    ) -> Mapping[str, int | float]:
        with_values = groups[candidates.totals[groups] > 0]
        one_value = candidates.counts.n_distinct == 1
        return {
            "largest_posterior": float(
                (candidates.most / np.maximum(candidates.totals, 1))[with_values].max(initial=0)
            ),
            "groups": len(np.unique(with_values)),
            "groups_with_one_value": int(one_value[np.unique(with_values)].sum()),
            "people_in_groups_with_one_value": int(one_value[with_values].sum()),
            **_shared_by_all(exposure, attribute),
        }


def _shared_by_all(exposure: Exposure, attribute: SensitiveAttribute) -> dict[str, int]:
    """Count the people in groups whose members all have a value in common, where people have several records."""
    if exposure.persons is None:
        return {}
    rows = exposure.published
    groups, persons = exposure.group_of[rows], exposure.persons[rows]
    triples = np.unique(np.stack([groups, attribute.true[rows], persons]), axis=1)
    pairs, people = np.unique(triples[:2], axis=1, return_counts=True)
    shared = np.unique(pairs[0][people == exposure.group_sizes[pairs[0]]])
    return {"people_in_groups_that_share_a_value": len(np.unique(persons[np.isin(groups, shared)]))}
