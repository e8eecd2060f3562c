"""The best k, ε and l that ratings meet.

:mod:`.job` reads what is given and asks either :mod:`.neighborhood_limits` or :mod:`.partition_limits` for the rest;
the bounds of the thesis that both prune with are in the former.
"""

from .job import LimitsResult, limits

__all__ = ["LimitsResult", "limits"]
