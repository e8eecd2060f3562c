"""The best k, ε and l that ratings meet, the best k and m of sets of items, and the best k, l and t of tables.

:mod:`.job` reads what is given and asks either :mod:`.neighborhood_limits` or :mod:`.partition_limits` for the rest;
the bounds of the thesis that both prune with are in the former. :mod:`.limits_on_disk` is for ratings that are not in
memory, :mod:`.limits_result` is what is found, and :mod:`.item_limits` is about items alone. :mod:`.table_limits` is
about tables, of which nothing is given.
"""

from .item_limits import ItemLimitsResult
from .job import limits
from .limits_result import LimitsResult
from .table_limits import TableLimitsResult

__all__ = ["ItemLimitsResult", "LimitsResult", "TableLimitsResult", "limits"]
