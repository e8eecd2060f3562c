"""The evidence that promises are judged on: whole numbers in arrays, without thresholds.

Read first :mod:`.need`, what a promise may ask for; then :mod:`.grouping` and :mod:`.group_counts`, equivalence classes
and the sensitive values in them; :mod:`.neighborhoods`, the records near each record, partitions and shared sets of
items; :mod:`.privacy_hash_table`, the classes at any node of a lattice of generalizations. The rest measures how
columns depend on each other, by which methods choose attributes: :mod:`.entropy`, :mod:`.pair_counts`,
:mod:`.key_attributes`.
"""

from .entropy import conditional_entropy, entropy, entropy_of_counts, variation_matrix, variation_of_information
from .group_counts import GroupCounts, SensitiveValues, ValueCounts
from .grouping import (
    Grouping,
    distinct_pairs,
    equal_codes,
    equal_tuples,
    numbered_codes,
    people_among,
    people_by_class,
    sizes_of_equal_codes,
)
from .key_attributes import (
    BINS,
    BinKind,
    binned,
    binned_column,
    column_keys,
    key_attributes,
    spanning_tree,
    value_bins,
)
from .need import Need, NeedGroups, NeedItemSets, NeedNeighborhoods, NeedPartition, NeedSpread
from .neighborhoods import Neighborhoods, ProximatePartition, RatingMoments, SharedItemSets
from .pair_counts import PairCounts
from .privacy_hash_table import LevelMaps, PrivacyHashTable

Evidence = GroupCounts | Neighborhoods | ProximatePartition | SharedItemSets

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
    "NeedNeighborhoods",
    "NeedPartition",
    "NeedSpread",
    "Neighborhoods",
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
    "entropy_of_counts",
    "equal_codes",
    "equal_tuples",
    "key_attributes",
    "numbered_codes",
    "people_among",
    "people_by_class",
    "sizes_of_equal_codes",
    "spanning_tree",
    "value_bins",
    "variation_matrix",
    "variation_of_information",
]
