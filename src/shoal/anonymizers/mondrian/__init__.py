"""The method ``mondrian``: groups are cut in two, again and again, as long as every part keeps the promises.

Read ``mondrian`` first, then ``cut_table`` (the cutting itself), ``cuts`` (how one quasi-identifier is cut and labeled)
and ``withholding`` (which records it pays to withhold).
"""

from .mondrian import Mondrian

__all__ = ["Mondrian"]
