"""Distinct l-diversity: every group holds at least l different values of each sensitive attribute.

*Definition.* Records with the same quasi-identifiers form a group; in every group each sensitive column takes at least
l different values. A missing value counts as a value of its own only once, like any other.

*Guarantee.* Whoever finds the group of a person cannot be certain of the sensitive value, and must rule out l−1 values
to become so. It does not bound the attacker's confidence: 99 times one value and once another is 2-diverse.

*Assumption.* As for k-anonymity; and different values mean different things (two names of one disease do not).

*Reference.* Machanavajjhala et al. 2006, the distinct form. l-diversity implies k-anonymity with k = l, no more.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from shoal.errors import WordingError
from shoal.evidence import Evidence, GroupCounts, NeedGroups

from .base import PrivacyModel, Verdict, promises

__all__ = ["LDiversity"]


@promises.add
@dataclass(frozen=True)
class LDiversity(PrivacyModel):
    """Every group has at least l different values of each sensitive attribute."""

    name: ClassVar[str] = "l-diversity"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    merge_safe: ClassVar[bool] = True

    l: int  # noqa: E741 - the letter of the literature
    kind: Literal["distinct"] = "distinct"

    def __post_init__(self) -> None:
        if self.l < 2:
            raise WordingError("l-diversity needs an l of at least 2: one value in a group discloses it.")

    @property
    def need(self) -> NeedGroups:
        """Group sizes and the sensitive values in each group."""
        return NeedGroups(sensitive=True)

    @property
    def fewest_records(self) -> int:
        """One group with l values."""
        return self.l

    @property
    def meaning(self) -> str:
        """In words."""
        return (
            f"Among records that look alike, every sensitive attribute takes at least {self.l} different values. "
            "It does not bound how likely one of them is."
        )

    def judge(self, evidence: Evidence) -> Verdict:
        """Compare the number of different values in every group with l, for the worst sensitive attribute."""
        assert isinstance(evidence, GroupCounts)
        assert evidence.sensitive, "judged only on records with a sensitive part"
        fewest = np.min([counts.n_distinct for counts in evidence.sensitive], axis=0)
        uniform = fewest < self.l
        level = {"l": int(fewest.min(initial=max(counts.n_values for counts in evidence.sensitive)))}
        return Verdict(str(self), not uniform.any(), level, int(evidence.sizes[uniform].sum()), uniform)
