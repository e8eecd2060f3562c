"""What a promise asks to be counted before it judges."""

from dataclasses import dataclass
from fractions import Fraction

__all__ = ["NeedGroups", "NeedNeighbourhoods"]


@dataclass(frozen=True)
class NeedGroups:
    """The records grouped by their observable part, and counted."""

    sensitive: bool = False
    """Whether the sensitive values in each group are counted too."""


@dataclass(frozen=True)
class NeedNeighbourhoods:
    """For each record, how many others are within ε of it."""

    epsilon: Fraction
