"""The items of profiles, and the scale that profiles are on: rare items are left out, and averages need more points."""

from dataclasses import dataclass

import numpy as np

from shoal.data import RatingMatrix, Scale
from shoal.errors import GuaranteeError

__all__ = ["LeftOut", "finer", "items_rated_by"]

_FINEST = 255
_PARTS = (100, 50, 20, 10, 5, 2, 1)


def items_rated_by(raters: np.ndarray, fewest: int) -> np.ndarray:
    """Return the items with at least ``fewest`` raters; refuse ratings without any."""
    items = np.flatnonzero(raters >= fewest)
    if not len(items):
        raise GuaranteeError(
            f"No item was rated by at least {fewest:,} people, and others are left out.",
            "Promise less, or allow fewer with min_item_raters=….",
        )
    return items


@dataclass(frozen=True)
class LeftOut:
    """How many items and ratings were left out, of how many; for the owner only."""

    items: int
    of_items: int
    ratings: int
    of_ratings: int
    end_is_left_out: bool
    """Whether an end of the scale occurs only in ratings that are left out."""

    @classmethod
    def of(cls, before: RatingMatrix, after: RatingMatrix, scale: Scale) -> "LeftOut":
        """Return what differs between all ratings and those that are left."""
        items, ratings = len(before.items) - len(after.items), before.n_ratings - after.n_ratings
        ends = (0, scale.points - 1) if items else ()
        revealed = any((before.codes == end).any() and not (after.codes == end).any() for end in ends)
        return cls(items, len(before.items), ratings, before.n_ratings, revealed)

    @property
    def notes(self) -> dict[str, int | float]:
        """The numbers by name."""
        return {"items left out": self.items, "ratings of items left out": self.ratings}

    def remarks(self, fewest: int) -> tuple[str, ...]:
        """Return what the owner should know, if items of fewer raters were left out."""
        if not self.items:
            return ()
        few = f"fewer than {fewest:,} raters" if fewest > 1 else "no rater"
        sentence = f"{self.items:,} of {self.of_items:,} items have {few} and are left out"
        remarks = [f"{sentence}, with {self.ratings:,} of {self.of_ratings:,} ratings."]
        if self.end_is_left_out:
            remarks.append(
                "An end of the scale occurs only in ratings that are left out, and the scale is published: "
                "unless the schema declares it, it reveals them. Declare scale = […]."
            )
        return tuple(remarks)


def finer(scale: Scale) -> Scale:
    """Return the finest scale whose codes fit a byte: averages lie between the points of the original."""
    return scale.finer(next(parts for parts in _PARTS if parts == 1 or (scale.points - 1) * parts < _FINEST))
