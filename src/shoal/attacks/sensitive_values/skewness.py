"""The attack ``skewness``: a value that is rare among all records may be frequent in an equivalence class.

*Knowledge.* That of ``homogeneity``.

*Success.* The attacker believes in each sensitive value by its share among the candidates. Success is the belief in the
true value: the share of bets won if they are placed by the candidates' values, beside bets placed by those of all
published records.

*Reference.* Li, Li and Venkatasubramanian, t-closeness (2007), sections 3 and 4: the distance between the values of a
group and those of all. It is that of ordered values for ratings (in steps of the scale) and for numbers and dates (in
ranks of what is published), and that of equal distances for words and where values are missing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.attacks.base import attacks
from shoal.attacks.exposure import Exposure
from shoal.attacks.sensitive_attribute import SensitiveAttribute

from .value_inference import CandidateValues, ValueInference

__all__ = ["Skewness", "distance_to_everybody"]


@attacks.add
@dataclass(frozen=True)
class Skewness(ValueInference):
    """Infers the distribution of sensitive values from the records that match the target."""

    name: ClassVar[str] = "skewness"

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        what = "sensitive values" if self.of is None else f"values of {self.of}"
        return f"Knows a person's observable values, and bets on {what} by their shares among the matching records."

    def _attacked(self, exposure: Exposure, attribute: SensitiveAttribute) -> SensitiveAttribute:
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


def distance_to_everybody(candidates: CandidateValues, positions: np.ndarray | None) -> np.ndarray:
    """Return for each group the earth mover's distance between its values and those of all records, from 0 to 1.

    Values lie at ascending ``positions`` from 0 to 1; without positions all are 1 apart, and it is the total variation
    distance.
    """
    return _of_words(candidates) if positions is None else _of_ordered(candidates, positions)


def _of_words(candidates: CandidateValues) -> np.ndarray:
    counts = candidates.counts
    shares = counts.counts / candidates.totals[candidates.owners]
    overall = _shares_of_everybody(candidates)[counts.values]
    # values that the group lacks make up the rest of the whole
    apart = np.bincount(candidates.owners, np.abs(shares - overall) - overall, minlength=len(counts)) + 1
    return np.clip(apart / 2, 0.0, 1.0)


def _of_ordered(candidates: CandidateValues, positions: np.ndarray) -> np.ndarray:
    """Sum the area between the two distribution functions.

    That of a group is flat between its values, and that of everybody crosses each flat stretch at most once.
    """
    everybody = np.cumsum(_shares_of_everybody(candidates))
    widths = np.diff(positions, append=positions[-1])
    width_before = np.concatenate([[0.0], np.cumsum(widths)])
    area_before = np.concatenate([[0.0], np.cumsum(widths * everybody)])
    heights, begins, ends, owners = _stretches(candidates)
    crossing = np.clip(np.searchsorted(everybody, heights), begins, ends)
    above = heights * (width_before[crossing] - width_before[begins]) - (area_before[crossing] - area_before[begins])
    below = area_before[ends] - area_before[crossing] - heights * (width_before[ends] - width_before[crossing])
    return np.clip(np.bincount(owners, above + below, minlength=len(candidates.counts)), 0.0, 1.0)


def _stretches(candidates: CandidateValues) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the flat stretches of the groups' distribution functions: height, first value, value after, and group."""
    counts, owners = candidates.counts, candidates.owners
    added = np.cumsum(counts.counts)
    before = (added - counts.counts)[counts.indptr[:-1]]
    last = np.append(owners[1:] != owners[:-1], True)
    heights = np.where(last, 1.0, (added - before[owners]) / candidates.totals[owners])
    ends = np.where(last, counts.n_values, np.append(counts.values[1:], 0))
    first = np.flatnonzero(np.append(True, last[:-1]))
    return (
        np.concatenate([heights, np.zeros(len(first))]),
        np.concatenate([counts.values, np.zeros(len(first), np.int64)]),
        np.concatenate([ends, counts.values[first]]),
        np.concatenate([owners, owners[first]]),
    )


def _shares_of_everybody(candidates: CandidateValues) -> np.ndarray:
    counts = candidates.counts
    out = np.zeros(counts.n_values)
    last = slice(counts.indptr[-2], counts.indptr[-1])
    out[counts.values[last]] = counts.counts[last] / candidates.totals[candidates.everybody]
    return out
