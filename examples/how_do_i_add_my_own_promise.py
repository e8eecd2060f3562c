"""How do I add a promise of my own?

A promise is a frozen dataclass that judges counts. This one allows no sensitive value to fill more than a given share
of a group; registered, it can be written in a plan and kept by every method that keeps merge-safe promises.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from shoal.anonymizers import methods
from shoal.datasets import generate_table
from shoal.evidence import Evidence, GroupCounts, NeedGroups
from shoal.models import PrivacyModel, Verdict
from shoal.road import publish
from shoal.wording import Registry

my_promises: Registry[PrivacyModel] = Registry("promise")


@my_promises.add
@dataclass(frozen=True)
class LargestShare(PrivacyModel):
    """No sensitive value is carried by more than this share of a group."""

    name: ClassVar[str] = "largest-share"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    merge_safe: ClassVar[bool] = True

    share: Fraction

    @property
    def need(self) -> NeedGroups:
        """Sensitive counts."""
        return NeedGroups(sensitive=True)

    @property
    def fewest_records(self) -> int:
        """Two different ones."""
        return 2

    @property
    def meaning(self) -> str:
        """In words."""
        return f"No sensitive value is carried by more than {self.share} of the records that look alike."

    def judge(self, evidence: Evidence) -> Verdict:
        """Compare whole numbers: count · denominator against size · numerator."""
        assert isinstance(evidence, GroupCounts)
        largest = np.max([np.maximum.reduceat(c.counts, c.indptr[:-1]) for c in evidence.sensitive], axis=0)
        broken = largest * self.share.denominator > evidence.sizes * self.share.numerator
        level = {"share": float((largest / evidence.sizes).max())}
        return Verdict(str(self), not broken.any(), level, int(evidence.sizes[broken].sum()), broken)


def main() -> None:
    promise = my_promises.read("largest-share:share=0.85")
    release, _ = publish(generate_table(3000, seed=1), [promise], methods.read("mondrian"))
    certified = release.certificate.promises[0]
    print(certified.promise, "is kept; reached:", round(certified.level["share"], 3))
    print(release.certificate.groups, "groups")


if __name__ == "__main__":
    main()
