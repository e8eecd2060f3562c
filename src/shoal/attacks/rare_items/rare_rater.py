"""The attack ``rare-rater``: where a column was fitted to few ratings, the profile that stands out is the rater's.

*Knowledge.* That the target rated an item which few people rated.

*Success.* Of all profiles that hold the item, the attacker takes the one whose cell lies farthest from what the profile
says on average, and one of the people behind it for the target. Profiles that stand out equally are candidates all of
them. Where all are, or none holds the item, so is everybody.

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
    """Takes the profile that stands out in the column of a rare item for that of a person who rated it."""

    name: ClassVar[str] = "rare-rater"
    yardstick: ClassVar[Yardstick] = "singling out"

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        return f"{self.known} The profile that stands out there is taken for the person's."

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple[Self, ...]:
        """Look at the rarest items, and at those that as many people rated as a profile stands for."""
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
    """Return the chance to hit each target among the people behind what stands out in a column."""
    people = columns.people[looked_at]
    candidates = np.where(people > 0, people, everybody)
    return np.where((people == 0) | columns.stands_out(own, looked_at), 1 / candidates, 0.0)
