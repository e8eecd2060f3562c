"""What promises are judged on: groups and their counts, neighbourhoods, or a partition. Arrays only; no thresholds."""

from .group_counts import GroupCounts
from .grouping import Grouping
from .need import Need, NeedGroups, NeedNeighbourhoods, NeedPartition, NeedSpread
from .neighbourhoods import Neighbourhoods
from .proximate_partition import ProximatePartition
from .rating_moments import RatingMoments
from .value_counts import ValueCounts

Evidence = GroupCounts | Neighbourhoods | ProximatePartition

__all__ = [
    "Evidence",
    "GroupCounts",
    "Grouping",
    "Need",
    "NeedGroups",
    "NeedNeighbourhoods",
    "NeedPartition",
    "NeedSpread",
    "Neighbourhoods",
    "ProximatePartition",
    "RatingMoments",
    "ValueCounts",
]
