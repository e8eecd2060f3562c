"""The attack ``rare-rating``: where a column was fitted to few ratings, the cell that stands out approximates them.

*Knowledge.* That the target rated an item which few people rated; with ``profile=own``, also which profile stands for
the target.

*Success.* Among all profiles that hold the item, the attacker picks the one whose cell is farthest from the profile's
mean, rounds the cell to the scale on which ratings are given, and is right if that is the target's rating. Among
profiles that stand out equally one is drawn, weighted by people. Where all do, or none holds the item, the attacker
guesses like the baseline. With ``profile=own`` the cell of the target's own profile is read.

*Baseline.* The average of all published cells, rounded likewise; where there are none, any rating of the scale. With
``profile=own``, the average of the item's own cells, which does not depend on the profile.

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
"""By default own profiles are attacked through items with up to this multiple of k raters."""


@attacks.add
@dataclass(frozen=True)
class RareRating(RareItemAttack):
    """Infers the rating of a rare item from the cell that stands out in its column."""

    name: ClassVar[str] = "rare-rating"
    yardstick: ClassVar[Yardstick] = "inference"

    profile: Literal["outstanding", "own"] = "outstanding"
    """The cell that is read: the one that stands out in the column, or that of the target's profile."""

    @property
    def needs_ratings(self) -> bool:
        """A rating is inferred."""
        return True

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        if self.profile == "own":
            return f"{self.known} Also knows the person's profile, and takes its cell to be the person's rating."
        return f"{self.known} The cell that stands out is taken to be the person's rating."

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple[Self, ...]:
        """Attack through the rarest items, and through own profiles on items with k to ``_TIMES`` · k raters."""
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


def _correlation(published: np.ndarray, codes: np.ndarray) -> float:
    """Return the correlation of ratings with what is published; 0 where there is none."""
    held = ~np.isnan(published)
    left, right = published[held], codes[held].astype(np.float64)
    if len(left) < 2 or np.ptp(left) == 0 or np.ptp(right) == 0:
        return 0.0
    return float(np.corrcoef(left, right)[0, 1])
