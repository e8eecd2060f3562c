"""The method ``greedy-clustering``: clusters grow one by one, each by the record that costs it least.

Read ``greedy_clustering`` first, then ``record_kinds`` (what clusters cost, and records that are alike), ``growth``
(how clusters grow until they keep the promises) and ``left_over`` (where records go that made no cluster).
"""

from .greedy_clustering import GreedyClustering

__all__ = ["GreedyClustering"]
