"""The attack ``rare-rater``: where a column was fitted to few ratings, the profile that stands out is a rater's.

*Knowledge.* That the target rated an item which few people rated.

*Success.* Among all profiles that hold the item, the attacker picks the one whose cell is farthest from the profile's
mean, and then one of the people behind it. Profiles that stand out equally are all candidates. Where all do, or none
holds the item, everybody is a candidate.

*Baseline.* One of all people. *Control.* The same with the item of another target.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from shoal.attacks.base import attacks
from shoal.attacks.exposure import Exposure
from shoal.attacks.finding import Outcome, Yardstick
from shoal.models import promised_k

from .rare_columns import RareColumns, RareItemAttack, RatedRarely

__all__ = ["RareRater"]


@attacks.add
@dataclass(frozen=True)
class RareRater(RareItemAttack):
    """Re-identifies the rater of a rare item by the profile that stands out in its column."""

    name: ClassVar[str] = "rare-rater"
    yardstick: ClassVar[Yardstick] = "singling out"

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        return f"{self.known} The profile that stands out is taken to be the person's."

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple[Self, ...]:
        """Attack through the rarest items, and through those with about as many raters as a profile has people."""
        k = promised_k(exposure.promises)
        return (cls(),) if k is None or k < 2 else (cls(), cls(fewest=k, most=2 * k - 1))

    def _outcome(self, exposure: Exposure, columns: RareColumns, rated: RatedRarely, others: np.ndarray) -> Outcome:
        everybody, own = int(exposure.people.sum()), exposure.place[rated.people]
        sizes = exposure.group_sizes[exposure.group_of[rated.people]]
        main, control = (_chances(columns, own, looked_at, everybody) for looked_at in (rated.columns, others))
        return Outcome(
            main,
            1 / everybody,
            control,
            {
                "items": columns.n_items,
                "share_of_items_published": columns.share_published,
                "own_profile_is_taken": float(np.mean(main * sizes)),
                "own_profile_is_taken_by_guessing": float(np.mean(sizes / everybody)),
                "own_profile_is_taken_by_control": float(np.mean(control * sizes)),
            },
        )


def _chances(columns: RareColumns, own: np.ndarray, looked_at: np.ndarray, everybody: int) -> np.ndarray:
    """Return the probability of picking each target among the people behind the profiles that stand out."""
    people = columns.people[looked_at]
    candidates = np.where(people > 0, people, everybody)
    return np.where((people == 0) | columns.stands_out(own, looked_at), 1 / candidates, 0.0)
