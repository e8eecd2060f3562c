"""The attack ``rare-rating``: where a column was fitted to few ratings, what stands out in it is about what they were.

*Knowledge.* That the target rated an item which few people rated; with ``profile=own``, which profile stands for the
target too.

*Success.* Of all profiles that hold the item, the attacker takes the one whose cell lies farthest from what the profile
says on average, rounds the cell to the scale on which ratings are given, and is right if the target rated so. Of
profiles that stand out equally one is taken by lot, by the people they stand for. Where all do, or none holds the item,
the attacker guesses like the baseline. With ``profile=own`` it is the cell of the target's own profile.

*Baseline.* The average of all published cells, rounded likewise; where there are none, any rating of the scale. With
``profile=own``, the average of the item's own cells: what it tells is no matter of the profile.

*Control.* The same with the item of another target.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np

from shoal.attacks.base import attacks
from shoal.attacks.exposure import Exposure
from shoal.attacks.finding import Outcome, Yardstick
from shoal.models import promised_k

from .rare_columns import RareColumns, RareItemAttack, RatedRarely

__all__ = ["RareRating"]


_TIMES = 5
"""Own profiles are looked at for items with up to so many times as many raters as one stands for, unless said."""


@attacks.add
@dataclass(frozen=True)
class RareRating(RareItemAttack):
    """Takes what stands out in the column of a rare item for the rating of a person who rated it."""

    name: ClassVar[str] = "rare-rating"
    yardstick: ClassVar[Yardstick] = "inference"

    profile: Literal["outstanding", "own"] = "outstanding"
    """Which cell is read: what stands out in the column, or that of the target's profile."""

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        if self.profile == "own":
            return f"{self.known} Knows the person's profile, and takes its cell for the person's rating."
        return f"{self.known} The cell that stands out there is taken for the person's rating."

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple[Self, ...]:
        """Look at the rarest items, and in own profiles at items that few times as many rated as one stands for."""
        k = promised_k(exposure.promises)
        if k is None or k < 2:
            return (cls(),)
        return cls(), cls(fewest=k, most=_TIMES * k, profile="own")

    def _outcome(self, exposure: Exposure, columns: RareColumns, rated: RatedRarely, others: np.ndarray) -> Outcome:
        details = {"items": columns.n_items, "share_of_items_published": columns.share_published}
        if self.profile == "own":
            return _of_own_profiles(exposure, columns, rated, others, details)
        main, control = (columns.readings[looked_at, rated.codes] for looked_at in (rated.columns, others))
        correlation = _correlation(columns.averages[rated.columns], rated.codes)
        details |= {"correlation_with_the_average_of_the_item": correlation}
        return Outcome(main, float(np.mean(columns.guess[rated.codes])), control, details)


def _of_own_profiles(
    exposure: Exposure,
    columns: RareColumns,
    rated: RatedRarely,
    others: np.ndarray,
    details: dict[str, int | float],
) -> Outcome:
    own = exposure.place[rated.people]
    cells = columns.cells(own, rated.columns)
    main, guessed = columns.read(cells, rated.codes), columns.read_averages(rated.columns, rated.codes)
    control = columns.read(columns.cells(own, others), rated.codes)
    worst = columns.farthest_of_each(cells, rated.columns)
    known = np.where(cells < 0, np.nan, cells)
    details = details | {
        "correlation_with_the_cell": _correlation(known, rated.codes),
        "worst_raters": len(worst),
        "worst_raters_read": _mean(main[worst]),
        "worst_raters_read_by_guessing": _mean(guessed[worst]),
        "worst_raters_correlation": _correlation(known[worst], rated.codes[worst]),
    }
    return Outcome(main, float(np.mean(guessed)), control, details)


def _mean(chances: np.ndarray) -> float:
    return float(np.mean(chances)) if len(chances) else 0.0


def _correlation(told: np.ndarray, codes: np.ndarray) -> float:
    """Return the correlation of ratings with what is published; 0 where there is none."""
    held = ~np.isnan(told)
    left, right = told[held], codes[held].astype(np.float64)
    if len(left) < 2 or np.ptp(left) == 0 or np.ptp(right) == 0:
        return 0.0
    return float(np.corrcoef(left, right)[0, 1])
