"""The example tables of the papers, as printed.

``load`` returns one by its name; ``paper_ratings``, ``review_graph`` and ``thesis_tables`` hold them.
"""

from .load import TABLES, load

__all__ = ["TABLES", "load"]
