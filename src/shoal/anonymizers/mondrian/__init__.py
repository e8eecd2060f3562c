"""The method ``mondrian``: groups are cut in two, again and again, as long as every part keeps the promises.

Read ``mondrian`` first, then ``cut_table`` (the cutting itself is in
:mod:`shoal.anonymizers.generalization.cut_segments`) and ``withholding`` (which records it pays to withhold).
"""

from .mondrian import Mondrian

__all__ = ["Mondrian"]
