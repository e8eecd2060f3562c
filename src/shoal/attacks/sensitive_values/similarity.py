"""The attack ``similarity``: an equivalence class whose sensitive values fall into one category discloses it.

*Knowledge.* That of ``homogeneity``, and into which categories the sensitive values fall: those of the schema, the
labels of a ``level`` of the column's hierarchy, or, for ratings, numbers and dates, ``parts`` of equal length of the
scale or the range.

*Success.* The attacker guesses the most frequent category among the candidates, and is right.

*Reference.* Sun, Privacy Preserving Data Sharing in Data Mining Environment (2010), chapter 3: a group all of whose
values fall into one category is vulnerable to a similarity attack.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.attacks.base import attacks
from shoal.attacks.exposure import Exposure
from shoal.attacks.sensitive_attribute import SensitiveAttribute, value_categories
from shoal.errors import WordingError

from .value_inference import CandidateValues, ValueInference

__all__ = ["Similarity"]


@attacks.add
@dataclass(frozen=True)
class Similarity(ValueInference):
    """Infers the most frequent category of sensitive values among the records that match the target."""

    name: ClassVar[str] = "similarity"

    level: int = 1
    """The level of a sensitive column's hierarchy whose labels are the categories."""
    parts: int = 3
    """The number of parts of equal length of a scale or a range: low, middle and high."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.level < 1 or self.parts < 2:
            raise WordingError("similarity needs a level of at least 1 and at least 2 parts.")

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        what = "sensitive value" if self.of is None else f"value of {self.of}"
        return f"Knows a person's observable values, and guesses the category of their {what}."

    def _missing(self, exposure: Exposure, name: str) -> str | None:
        attribute = SensitiveAttribute.read(exposure, name)
        if value_categories(exposure, attribute, self.level, self.parts) is None:
            return "No similarity of sensitive values is defined: give the column categories or a hierarchy."
        return super()._missing(exposure, name)

    def _attacked(self, exposure: Exposure, attribute: SensitiveAttribute) -> SensitiveAttribute:
        categories = value_categories(exposure, attribute, self.level, self.parts)
        assert categories is not None
        return attribute.numbered(categories, int(categories.max()) + 1)

    def _chances(self, candidates: CandidateValues, groups: np.ndarray, true: np.ndarray) -> np.ndarray:
        return candidates.chances_of_guess(groups, true)

    def _details(
        self, exposure: Exposure, attribute: SensitiveAttribute, candidates: CandidateValues, groups: np.ndarray
    ) -> Mapping[str, int | float]:
        with_values = groups[candidates.totals[groups] > 0]
        one = candidates.counts.n_distinct == 1
        whole = SensitiveAttribute.read(exposure, attribute.name)
        several = CandidateValues(exposure, whole, self._reach(exposure)).counts.n_distinct > 1
        return {
            "largest_posterior": float(
                (candidates.most / np.maximum(candidates.totals, 1))[with_values].max(initial=0)
            ),
            "groups": len(np.unique(with_values)),
            "groups_in_one_category": int(one[np.unique(with_values)].sum()),
            "people_in_groups_in_one_category": int(one[with_values].sum()),
            "people_in_one_category_with_several_values": int((one & several)[with_values].sum()),
        }
