"""The best k, ε and l that ratings meet, and the best k and m of sets of items.

:mod:`.job` reads what is given and asks either :mod:`.neighborhood_limits` or :mod:`.partition_limits` for the rest;
the bounds of the thesis that both prune with are in the former. :mod:`.item_limits` is about items alone.
"""

from .item_limits import ItemLimitsResult
from .job import LimitsResult, limits

__all__ = ["ItemLimitsResult", "LimitsResult", "limits"]
