"""Anonymization methods: each turns records into a release that keeps the promises, as far as it can.

A method need not be trusted: the road checks what it makes. Read ``base`` first, the contract of a method, then
``allowance`` (how much may be withheld), ``strata`` (how a method works on a stratified sample) and ``promises`` (which
groups keep the promises). Each method has a package or a file of its own, and the registry :data:`methods` finds it
there; ``generalization``, ``rating_groups``, ``grouping``, ``canonical_order`` and ``withholding`` hold what several
methods share, and ``default_method`` chooses among them.
"""

from typing import TYPE_CHECKING

from shoal.on_demand import on_demand

from .allowance import Allowance
from .base import Anonymizer, Recoding, methods

if TYPE_CHECKING:
    from .align import Align
    from .decomposition import Decomposition
    from .graph import Graph
    from .greedy_clustering import GreedyClustering
    from .greedy_interval import GreedyInterval
    from .item_generalization import ItemGeneralization
    from .item_suppression import ItemSuppression
    from .joined import Joined
    from .lattice import Lattice
    from .microaggregation import Microaggregation
    from .mondrian import Mondrian
    from .nothing import Nothing
    from .predictive import Predictive
    from .specialization import Specialization
    from .top_down import TopDown

__all__ = [
    "Align",
    "Allowance",
    "Anonymizer",
    "Decomposition",
    "Graph",
    "GreedyClustering",
    "GreedyInterval",
    "ItemGeneralization",
    "ItemSuppression",
    "Joined",
    "Lattice",
    "Microaggregation",
    "Mondrian",
    "Nothing",
    "Predictive",
    "Recoding",
    "Specialization",
    "TopDown",
    "methods",
]

# a command loads the method that it runs
__getattr__, __dir__ = on_demand(__name__, methods.class_named)
