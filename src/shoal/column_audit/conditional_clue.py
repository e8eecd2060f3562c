"""What a reader rules out by an insensitive column that tells something of some people only."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from shoal.evidence import Grouping

from .clue import Clue

__all__ = ["ConditionalClue"]


@dataclass(frozen=True, eq=False)
class ConditionalClue:
    """Clues that each hold for the people of one stratum: whoever looks for one of them knows the stratum."""

    columns: tuple[str, ...]
    about: tuple[str, ...]
    of_strata: Sequence[Clue]
    """One clue a stratum, in which whoever is of another is looked for in all classes."""
    whole = False
    exact = False

    def left(self, grouping: Grouping, persons: np.ndarray | None = None) -> np.ndarray:
        """Return for the person behind each record how many people of the group are not ruled out."""
        return reduce(np.minimum, (clue.left(grouping, persons) for clue in self.of_strata))
