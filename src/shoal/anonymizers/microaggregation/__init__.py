"""The method ``microaggregation``: groups of similar records, in which every value is replaced by the group's centroid.

Read ``microaggregation`` first, then ``standardized_points`` (records as points), ``initial_groups`` and
``refined_groups`` (the groups), ``record_groups`` (their loss, and the records it pays to withhold), ``blocks`` and
``centroids``.
"""

from .microaggregation import Microaggregation

__all__ = ["Microaggregation"]
