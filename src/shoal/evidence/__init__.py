"""What promises are judged on: groups and their counts, or neighbourhoods. Arrays only; no thresholds."""

from .group_counts import GroupCounts
from .grouping import Grouping
from .need import NeedGroups, NeedNeighbourhoods
from .neighbourhoods import Neighbourhoods
from .value_counts import ValueCounts

__all__ = ["GroupCounts", "Grouping", "NeedGroups", "NeedNeighbourhoods", "Neighbourhoods", "ValueCounts"]
