"""The method ``top-down``: local recoding that begins with everything at the root and specializes group by group.

Read ``top_down`` first, then ``specialization`` and ``lifting`` (one step down, and how it is made to keep the
promises), ``local_search`` and ``stretch_costs`` (better groups after the descent).
"""

from .top_down import TopDown

__all__ = ["TopDown"]
