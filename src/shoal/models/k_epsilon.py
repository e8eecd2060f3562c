"""(k,ε)-anonymity of ratings: every record has at least k−1 others within ε of it, on every issue.

*Definition* (2 of the survey-rating paper, 6.2 of the thesis; neighbourhood semantics). The dissimilarity of two
ratings is their difference; of two nulls 0; of a rating and a null r, the highest rating (see
:class:`shoal.data.Scale` for other scales). Two records are ε-proximate when no non-sensitive issue has a
dissimilarity above ε. Every record has at least k−1 *other* records ε-proximate to it.

*Guarantee.* An attacker who knows a person's ratings no better than up to ε, and searches with a tolerance of at least
that error plus ε, finds at least k records that fit. Against one who knows the exact ratings it promises nothing: the
records within ε may all differ, and the right one can be the only exact fit.

*Assumption.* Attackers know the non-sensitive ratings only approximately; ε is in units of the ratings.

*Reference.* Sun, Wang, Li, Pei 2010, Definition 2; thesis ch. 6. Larger ε is the *weaker* promise: (k,ε) implies
(k,ε′) for every ε′ ≥ ε, against what the thesis says in 6.2.2 and 6.4.3. It is not merge-safe: it is no promise on
groups at all. The partition meaning (records split into groups that are pairwise within ε) is a stronger promise and
not this one.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from shoal.errors import WordingError
from shoal.evidence import GroupCounts, NeedNeighbourhoods, Neighbourhoods

from .base import PrivacyModel, Verdict, promises

__all__ = ["KEpsilon"]


@promises.add
@dataclass(frozen=True)
class KEpsilon(PrivacyModel):
    """Every record has at least k−1 others within ε on every non-sensitive issue."""

    name: ClassVar[str] = "k-epsilon"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})
    merge_safe: ClassVar[bool] = False

    k: int
    epsilon: Fraction

    def __post_init__(self) -> None:
        if self.k < 2:
            raise WordingError("k-epsilon needs a k of at least 2: with k = 1 nobody is hidden.")
        if self.epsilon < 0:
            raise WordingError("k-epsilon needs an epsilon of at least 0: no two ratings differ by less than nothing.")

    @property
    def need(self) -> NeedNeighbourhoods:
        """How many records are within ε of each."""
        return NeedNeighbourhoods(self.epsilon)

    @property
    def fewest_records(self) -> int:
        """A record and its k−1 neighbours."""
        return self.k

    @property
    def meaning(self) -> str:
        """In words."""
        return (
            f"Every record has at least {self.k - 1} others that differ from it by no more than "
            f"{float(self.epsilon):g} on any non-sensitive issue. It protects against those who know a person's "
            "ratings only roughly, and not against those who know them exactly."
        )

    def judge(self, evidence: GroupCounts | Neighbourhoods) -> Verdict:
        """Compare the number of neighbours of every record with k−1."""
        assert isinstance(evidence, Neighbourhoods)
        assert evidence.epsilon == self.epsilon
        lonely = evidence.others < self.k - 1
        level = {"k": int(evidence.others.min(initial=max(len(evidence) - 1, 0))) + 1}
        return Verdict(str(self), not lonely.any(), level, int(lonely.sum()), lonely)
