"""What promises are judged on: groups and counts, neighbourhoods, a partition, sets of items. Arrays; no thresholds."""

from .group_counts import GroupCounts
from .grouping import Grouping
from .need import Need, NeedGroups, NeedItemSets, NeedNeighbourhoods, NeedPartition, NeedSpread
from .neighbourhoods import Neighbourhoods
from .privacy_hash_table import LevelMaps, PrivacyHashTable
from .proximate_partition import ProximatePartition
from .rating_moments import RatingMoments
from .sensitive_values import SensitiveValues
from .shared_item_sets import SharedItemSets
from .value_counts import ValueCounts

Evidence = GroupCounts | Neighbourhoods | ProximatePartition | SharedItemSets

__all__ = [
    "Evidence",
    "GroupCounts",
    "Grouping",
    "LevelMaps",
    "Need",
    "NeedGroups",
    "NeedItemSets",
    "NeedNeighbourhoods",
    "NeedPartition",
    "NeedSpread",
    "Neighbourhoods",
    "PrivacyHashTable",
    "ProximatePartition",
    "RatingMoments",
    "SensitiveValues",
    "SharedItemSets",
    "ValueCounts",
]
