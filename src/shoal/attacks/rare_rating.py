"""The attack ``rare-rating``: where a column was fitted to few ratings, what stands out in it is about what they were.

*Knowledge.* That the target rated an item which few people rated.

*Success.* Of all profiles that hold the item, the attacker takes the one whose cell lies farthest from what the profile
says on average, rounds the cell to the scale on which ratings are given, and is right if the target rated so. Of
profiles that stand out equally one is taken by lot, by the people they stand for. Where all do, or none holds the item,
the attacker guesses like the baseline.

*Baseline.* The average of all published cells, rounded likewise; where there are none, any rating of the scale.

*Control.* The same with the item of another target.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .base import attacks
from .exposure import Exposure
from .finding import Yardstick
from .outcome import Outcome
from .rare_columns import RareColumns
from .rare_item_attack import RareItemAttack, RatedRarely

__all__ = ["RareRating"]


@attacks.add
@dataclass(frozen=True)
class RareRating(RareItemAttack):
    """Takes what stands out in the column of a rare item for the rating of a person who rated it."""

    name: ClassVar[str] = "rare-rating"
    yardstick: ClassVar[Yardstick] = "inference"

    @property
    def meaning(self) -> str:
        """What the attacker knows and wants."""
        return f"{self.known} The cell that stands out there is taken for the person's rating."

    def _outcome(self, exposure: Exposure, columns: RareColumns, rated: RatedRarely, others: np.ndarray) -> Outcome:
        del exposure
        main, control = (columns.readings[looked_at, rated.codes] for looked_at in (rated.columns, others))
        details = {
            "items": columns.n_items,
            "share_of_items_published": columns.share_published,
            "correlation_with_the_average_of_the_item": _correlation(columns.averages[rated.columns], rated.codes),
        }
        return Outcome(main, float(np.mean(columns.guess[rated.codes])), control, details)


def _correlation(averages: np.ndarray, codes: np.ndarray) -> float:
    """Return the correlation of ratings with what is published of their items on average; 0 where there is none."""
    held = ~np.isnan(averages)
    left, right = averages[held], codes[held].astype(np.float64)
    if len(left) < 2 or np.ptp(left) == 0 or np.ptp(right) == 0:
        return 0.0
    return float(np.corrcoef(left, right)[0, 1])
