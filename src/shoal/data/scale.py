"""The scale ratings are given on, and its exact mapping to small integers."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final, Self

import numpy as np

from shoal.errors import DataError, SchemaError

__all__ = ["PRESENT", "Scale"]


@dataclass(frozen=True)
class Scale:
    """The ratings ``lowest, lowest + step, …, highest``; inside, the codes 0, 1, 2, …

    Distances are counted in steps, exactly. *Null* is no code: a rating that was not given is not stored. The papers
    put a given and a missing rating at distance r, the highest rating of the scale 1…r; on any other scale the same
    role is played by one step more than the whole span (:attr:`null_steps`), so that a missing rating is always
    further from a rating than two ratings can be from each other. A scale of a single point (:data:`PRESENT`) has no
    ratings to tell apart: an item is held or not, as in sets.
    """

    lowest: Fraction
    highest: Fraction
    step: Fraction = field(default=Fraction(1))
    rounding: bool = False
    """Whether a rating between two points is moved to the nearer one on reading, instead of being refused."""

    def __post_init__(self) -> None:
        if self.step <= 0:
            raise SchemaError("The step of a rating scale must be positive.")
        if self.highest < self.lowest:
            raise SchemaError("A rating scale needs a highest rating above its lowest.", "Write scale = [1, 5].")
        if (self.highest - self.lowest) % self.step != 0:
            raise SchemaError("The highest rating of a scale must be a whole number of steps above its lowest.")
        if self.points > 65_535:
            raise SchemaError("A rating scale may have at most 65,535 points.", "Choose a larger step.")

    @classmethod
    def of(cls, lowest: float | str, highest: float | str, step: float | str = 1, *, rounding: bool = False) -> Self:
        """Build a scale from numbers as people write them; 0.1 means one tenth, not its nearest double."""
        return cls(Fraction(str(lowest)), Fraction(str(highest)), Fraction(str(step)), rounding)

    @property
    def points(self) -> int:
        """How many different ratings there are."""
        return int((self.highest - self.lowest) / self.step) + 1

    @property
    def null_steps(self) -> int:
        """The distance in steps between a rating and none (the papers' r)."""
        return self.points

    @property
    def dtype(self) -> type[np.unsignedinteger]:
        """The smallest type that holds every code."""
        return np.uint8 if self.points <= 255 else np.uint16

    @property
    def is_integer(self) -> bool:
        """Whether every rating on the scale is a whole number."""
        return self.lowest.denominator == 1 and self.step.denominator == 1

    def finer(self, parts: int) -> Self:
        """Return the scale with every step divided into ``parts``."""
        return replace(self, step=self.step / parts)

    def refines(self, other: "Scale") -> bool:
        """Decide whether every point of another scale from and to the same ratings is on this one."""
        same_ends = self.lowest == other.lowest and self.highest == other.highest
        return same_ends and (other.step / self.step).denominator == 1

    def steps_within(self, distance: Fraction) -> int:
        """Return the largest number of steps that is at most this distance, exactly."""
        return int(distance // self.step)

    def encode(self, ratings: np.ndarray, what: str = "the ratings") -> np.ndarray:
        """Return the codes of ratings, all of which must be on the scale."""
        exact = ratings.astype(np.float64, copy=False)
        if not np.isfinite(exact).all():
            raise DataError(f"There are NaN or infinite values among {what}.", "Leave missing ratings empty.")
        codes = np.rint((exact - float(self.lowest)) / float(self.step))
        off = int(np.count_nonzero((codes < 0) | (codes >= self.points) | self._beyond(ratings)))
        if off:
            raise DataError(
                f"{off:,} of {what} lie off the declared scale {self}.",
                "Correct the scale in the schema, or declare such marks as null = […].",
            )
        if not self.rounding:
            self._refuse_fractions(codes, ratings, what)
        return codes.astype(self.dtype)

    def _beyond(self, ratings: np.ndarray) -> np.ndarray:
        """Return the mask of ratings outside the scale, compared in the precision they are held in."""
        kind = ratings.dtype.type if ratings.dtype.kind == "f" else np.float64
        return (ratings < kind(float(self.lowest))) | (ratings > kind(float(self.highest)))

    def _refuse_fractions(self, codes: np.ndarray, ratings: np.ndarray, what: str) -> None:
        points = np.array([float(self.lowest + i * self.step) for i in range(self.points)])
        # a rating held in single precision is compared in single precision
        points = points.astype(ratings.dtype) if ratings.dtype.kind == "f" else points
        between = int(np.count_nonzero(points[codes.astype(np.int64)] != ratings))
        if between:
            raise DataError(
                f"{between:,} of {what} lie between the points of the declared scale {self}.",
                "Declare the step (step = 0.5), or round = true to move them to the nearest point.",
            )

    def decode(self, codes: np.ndarray) -> np.ndarray:
        """Return the ratings that codes stand for: whole numbers on a whole-number scale."""
        if self.is_integer:
            return codes.astype(np.int64) * int(self.step) + int(self.lowest)
        points = np.array([float(self.lowest + i * self.step) for i in range(self.points)])
        return points[codes]

    def __str__(self) -> str:
        if self.points == 1:
            return f"{float(self.lowest):g} alone"
        steps = "" if self.step == 1 else f" in steps of {float(self.step):g}"
        return f"{float(self.lowest):g} to {float(self.highest):g}{steps}"


PRESENT: Final = Scale(Fraction(1), Fraction(1))
"""The scale of data that say who has what, and nothing about how it is rated: its only point means *present*."""
