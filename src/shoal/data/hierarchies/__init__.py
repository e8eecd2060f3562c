"""Generalization hierarchies: levels of labels above the values of a column.

Read first :mod:`.hierarchy`; :mod:`.category_levels` and :mod:`.ordered_levels` build the levels of words and codes,
and of numbers.
"""

from .hierarchy import Hierarchy

__all__ = ["Hierarchy"]
