"""The method ``align``: groups of ratings that cost little to be made alike, on sparse data too.

Read ``align`` first, then ``grouping_task`` (what a grouping is made for), ``alike_groups`` and ``leader_groups`` (the
two ways to group), ``sensitive_spread`` and ``spread_repair`` (groups whose sensitive ratings must spread), and
``coarsest_scale``.
"""

from .align import Align

__all__ = ["Align"]
