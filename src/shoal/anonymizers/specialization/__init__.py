"""The method ``specialization``: one cut through each hierarchy, specialized label by label from the root.

Read ``specialization`` first, then ``descent`` (the greedy choice), ``taxonomy`` (labels and what is below them),
``gain`` (what a step is worth) and ``partition`` (the groups of a cut, and whether they keep the promises).
"""

from .specialization import Specialization

__all__ = ["Specialization"]
