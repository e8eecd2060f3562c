"""What promises are judged on: groups and counts, neighbourhoods, a partition, sets of items. Arrays; no thresholds.

Also how much columns tell of each other, which methods choose attributes by.
"""

from .binned_column import binned_column
from .binning import BINS, BinKind, binned
from .column_keys import column_keys
from .conditional_entropy import conditional_entropy
from .distinct_pairs import distinct_pairs
from .entropy import entropy
from .equal_tuples import equal_codes, equal_tuples
from .group_counts import GroupCounts
from .grouping import Grouping
from .key_attributes import key_attributes
from .level_maps import LevelMaps
from .need import Need, NeedGroups, NeedItemSets, NeedNeighbourhoods, NeedPartition, NeedSpread
from .neighbourhoods import Neighbourhoods
from .pair_counts import PairCounts
from .people_among import people_among
from .people_by_class import people_by_class
from .privacy_hash_table import PrivacyHashTable
from .proximate_partition import ProximatePartition
from .rating_moments import RatingMoments
from .sensitive_values import SensitiveValues
from .shared_item_sets import SharedItemSets
from .spanning_tree import spanning_tree
from .value_counts import ValueCounts
from .variation_matrix import variation_matrix
from .variation_of_information import variation_of_information

Evidence = GroupCounts | Neighbourhoods | ProximatePartition | SharedItemSets

__all__ = [
    "BINS",
    "BinKind",
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
    "PairCounts",
    "PrivacyHashTable",
    "ProximatePartition",
    "RatingMoments",
    "SensitiveValues",
    "SharedItemSets",
    "ValueCounts",
    "binned",
    "binned_column",
    "column_keys",
    "conditional_entropy",
    "distinct_pairs",
    "entropy",
    "equal_codes",
    "equal_tuples",
    "key_attributes",
    "people_among",
    "people_by_class",
    "spanning_tree",
    "variation_matrix",
    "variation_of_information",
]
