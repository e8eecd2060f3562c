"""The attack ``single-rater``: the average of a single rating discloses it.

*Knowledge.* Which published profile stands for the target, and that the target rated an item.

*Success.* The attacker reads the profile's cell of the item, rounded to the scale on which ratings are given, and is
right if that is the target's rating. Success is the share of a target's ratings that are inferred correctly. Where the
profile does not hold the item the attacker guesses like the baseline.

*Baseline.* The average of the item over all profiles, weighted by people and rounded likewise; where no
profile holds the item, any rating of the scale.

*Reference.* The homogenization of Chang, Thompson, Wang and Yao, Predictive Anonymization (2010), section 5, which
averages over the ratings there are, even if there is only one.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.attacks.base import Attack, attacks
from shoal.attacks.exposure import Exposure, control_targets
from shoal.attacks.finding import Outcome, Yardstick
from shoal.data import Ratings
from shoal.kernels.compiled import get_num_threads
from shoal.kernels.rater_sums import CELLS, EXACT, NO_RATER, ONE_RATER, item_sums, raters_of_cells, readings_of_cells
from shoal.randomness import Randomness

__all__ = ["SingleRater"]


@attacks.add
@dataclass(frozen=True)
class SingleRater(Attack):
    """Infers a person's ratings from the cells of the profile that stands for them."""

    name: ClassVar[str] = "single-rater"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})
    yardstick: ClassVar[Yardstick] = "inference"

    targets: int | None = None

    @property
    def needs_ratings(self) -> bool:
        """A rating is inferred."""
        return True

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        return (
            "Knows which profile stands for a person and that the person rated an item, and takes the profile's cell "
            "to be the person's rating. Where only one person behind a cell rated the item, the cell is their rating."
        )

    def _misfit(self, exposure: Exposure) -> str | None:
        assert isinstance(exposure.truth, Ratings)
        if exposure.truth.people is not None:
            return "Who rated what behind profiles that stand for several people is only in the ledger."
        return None if len(_raters(exposure)) else "Nobody who is published rated an observable item."

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        generator = randomness.generator(self.name)
        chosen = exposure.targets(self.targets, generator, _raters(exposure))
        profiles = _Profiles(exposure)
        own = exposure.place[chosen]
        readings = profiles.readings(chosen, own)
        mistaken = profiles.readings(chosen, control_targets(own, generator))
        ratings = np.diff(profiles.truth.observable.indptr)[chosen]
        anything = 1 / profiles.truth.scale.points
        nowhere = ratings - readings[:, 0] - readings[:, 2]
        baseline = (readings[:, 4] + nowhere * anything) / ratings
        main = (readings[:, 1] + readings[:, 3] + nowhere * anything) / ratings
        others = ratings - mistaken[:, 0] - mistaken[:, 2]
        control = (mistaken[:, 1] + mistaken[:, 3] + others * anything) / ratings
        return Outcome(main, float(baseline.mean()), control, profiles.details(chosen, readings))


def _raters(exposure: Exposure) -> np.ndarray:
    """Return the published people who rated an observable item."""
    assert isinstance(exposure.truth, Ratings)
    given = np.diff(exposure.truth.observable.indptr)
    return exposure.published[given[exposure.published] > 0]


class _Profiles:
    """The profiles and the people behind them; equal records are one profile."""

    def __init__(self, exposure: Exposure) -> None:
        assert isinstance(exposure.truth, Ratings)
        assert isinstance(exposure.seen, Ratings)
        self.truth, self._exposure = exposure.truth, exposure
        self._parts = int(self.truth.scale.step / exposure.seen.scale.step)
        true, seen = self.truth.observable, exposure.seen.observable
        self._true = true.indptr, true.indices, true.codes
        self._seen = seen.indptr, seen.indices, seen.codes
        people, sums, _ = item_sums(*self._seen, exposure.people, len(seen.items), get_num_threads()).T
        average = (2 * sums + people * self._parts) // np.maximum(2 * people * self._parts, 1)
        self._guesses = np.where(people > 0, average, -1)

    def readings(self, people: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Compare people's ratings with published rows; see the kernel for the figures returned."""
        return readings_of_cells(*self._true, people, *self._seen, rows, self._guesses, self._parts)

    def details(self, chosen: np.ndarray, readings: np.ndarray) -> dict[str, int | float]:
        """Return figures on cells, and on the targets' ratings by whether they are the only ones behind theirs."""
        grouping, group_of = self._exposure.grouping, self._exposure.group_of
        shown = np.unique(grouping.labels, return_index=True)[1]
        members = np.argsort(group_of, kind="stable")
        begins = np.searchsorted(group_of[members], np.arange(grouping.n_groups + 1))
        width = len(self.truth.observable.items)
        counts, alone = raters_of_cells(*self._true, members, begins, *self._seen, shown, self._parts, width)
        cells, ratings = counts.sum(axis=0), int(np.diff(self.truth.observable.indptr)[chosen].sum())
        single, given_away = alone[chosen].sum(axis=0)
        held, right = readings[:, :2].sum(axis=0)
        return {
            "published_cells": int(cells[CELLS]),
            "share_of_cells_with_one_rater": _share(cells[ONE_RATER], cells[CELLS]),
            "share_of_cells_with_no_rater": _share(cells[NO_RATER], cells[CELLS]),
            "exact_rate_in_single_rater_cells": _share(cells[EXACT], cells[ONE_RATER]),
            "exact_rate_in_cells_of_several_raters": _share(right - given_away, held - single),
            "share_of_ratings_alone_in_a_cell": _share(single, ratings),
            "share_of_ratings_without_a_cell": _share(ratings - held, ratings),
            "share_of_targets_alone_in_a_cell": float(np.mean(alone[chosen, 0] > 0)),
        }


def _share(part: int, whole: int) -> float:
    return float(part / whole) if whole else 0.0
