"""The attack ``intersection``: releases that each hide a person in a group together hide them only in its intersection.

*Knowledge.* Who is in which of the releases, and in which group: for example because the attacker has the
quasi-identifiers of everybody, or because the releases are views of one table whose rows can be matched.

*Success.* The candidates are the people whose groups are those of the target in every release, and who are missing
where the target is missing. The attacker picks one of them: the probability of success is 1 divided by their number.

*Reference.* The intersection attack of Ganta, Kasiviswanathan and Smith, Composition Attacks and Auxiliary Information
in Data Privacy (2008). The attack ``intersection-values`` needs no knowledge of who is in both.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.attacks.base import Attack, attacks
from shoal.attacks.exposure import Exposure, control_targets
from shoal.attacks.finding import Outcome, Yardstick
from shoal.engines import LocalEngine
from shoal.evidence import Grouping, NeedGroups
from shoal.randomness import Randomness

__all__ = ["Intersection"]


@attacks.add
@dataclass(frozen=True)
class Intersection(Attack):
    """Re-identifies people by the intersection of their groups in several releases."""

    name: ClassVar[str] = "intersection"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings", "table"})
    yardstick: ClassVar[Yardstick] = "linkability"

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        return (
            "Knows everybody's group in every release, and looks for a person among those who share the person's "
            "groups in all of them."
        )

    @property
    def heeds(self) -> frozenset[str]:
        """The other releases."""
        return frozenset({"also"})

    def _misfit(self, exposure: Exposure) -> str | None:
        return None if exposure.also else "It needs another release about the same people."

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        releases = (exposure, *exposure.also)
        groups = np.stack([each.group_of for each in releases])
        overlap, candidates = _alike(groups, exposure)
        # whoever guesses without looking at groups still knows who is in which release
        _, among = _alike(groups >= 0, exposure)
        alone = [_alike(each.group_of[None], exposure)[1] for each in releases]

        targets = exposure.published
        found = candidates[targets]
        others = control_targets(targets, randomness.generator("intersection"), exposure.persons_of(targets))
        control = np.where(overlap[targets] == overlap[others], 1 / found, 0.0)
        fewest = np.rint(1 / exposure.worst_by_person(1 / found)).astype(np.int64)
        details = {
            "releases": len(releases),
            "fewest_candidates": int(found.min()),
            "average_candidates": float(fewest.mean()),
            "singled_out": float(np.mean(fewest == 1)),
            "best_single_release": max(float(exposure.worst_by_person(1 / each[targets]).mean()) for each in alone),
            "fewest_candidates_in_a_single_release": min(int(each[targets].min()) for each in alone),
        }
        promised = _promised_k(releases)
        if promised is not None:
            details |= {"promised_k": promised, "share_below_k": float(np.mean(fewest < promised))}
        return Outcome(
            1 / found, float(exposure.worst_by_person(1 / among[targets]).mean()), control, details, rows=targets
        )


def _alike(labels: np.ndarray, exposure: Exposure) -> tuple[np.ndarray, np.ndarray]:
    """Return for each record the number of its combination of labels, and the number of people who share it."""
    found, which = np.unique(labels, axis=1, return_inverse=True)
    grouping = Grouping(which.ravel().astype(np.int64), found.shape[1])
    return grouping.labels, LocalEngine().count(exposure.truth, grouping, sensitive=False).sizes[grouping.labels]


def _promised_k(releases: tuple[Exposure, ...]) -> int | None:
    """Return the smallest k that any of the releases promises; None where none does."""
    found = []
    for each in releases:
        promised = [promise.hidden_among or 0 for promise in each.promises if isinstance(promise.need, NeedGroups)]
        found += [max(promised)] if any(promised) else []
    return min(found, default=None)
