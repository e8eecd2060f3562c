"""What promises on ratings ask of groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from shoal.data import Scale
from shoal.errors import WordingError
from shoal.models import KAnonymity, KEpsilon, PrivacyModel

__all__ = ["GroupDemand"]


@dataclass(frozen=True)
class GroupDemand:
    """Groups of at least this many records, of one pattern of nulls and pairwise within the radius, keep the promises.

    What l asks of the sensitive ratings is not in it: the road refuses groups that spread too little.
    """

    size: int
    radius: int
    """In steps of the scale; with the distance of a null or more, records need not even share a pattern."""
    by_neighbours: bool
    """Whether records need only have enough neighbours, and not fall into groups."""

    @classmethod
    def of(cls, models: Sequence[PrivacyModel], scale: Scale, method: str) -> Self:
        """Give the demand under which every promise holds; refuse promises of another kind."""
        radii = []
        for model in models:
            if isinstance(model, KEpsilon):
                radii.append(scale.steps_within(model.epsilon))
            elif isinstance(model, KAnonymity):
                radii.append(0)
            else:
                raise WordingError(
                    f"The method {method!r} cannot keep {model}.", "It keeps k-epsilon, and k-anonymity of ratings."
                )
        by_neighbours = all(isinstance(model, KEpsilon) and model.semantics == "neighbourhood" for model in models)
        return cls(max(model.fewest_records for model in models), min(radii), by_neighbours)

    def epsilon(self, scale: Scale) -> Fraction:
        """Give the radius in units of the ratings."""
        return self.radius * scale.step
