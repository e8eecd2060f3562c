"""Every kind of clue."""

from .clue import Clue
from .conditional_clue import ConditionalClue
from .exclusion_clue import ExclusionClue
from .range_clue import RangeClue

__all__ = ["AnyClue"]

AnyClue = Clue | ConditionalClue | ExclusionClue | RangeClue
