"""How a promise is kept, one algorithm a file. An anonymizer may be wrong: the road out checks what it made."""

from shoal.anonymizers.align.align import Align
from shoal.anonymizers.decomposition.decomposition import Decomposition
from shoal.anonymizers.decomposition.generalization_chain import GeneralisationChain
from shoal.anonymizers.decomposition.purpose import Purpose
from shoal.anonymizers.graph.graph import Graph
from shoal.anonymizers.microaggregation.microaggregation import Microaggregation
from shoal.anonymizers.mondrian.mondrian import Mondrian
from shoal.anonymizers.predictive.predictive import Predictive
from shoal.anonymizers.top_down.top_down import TopDown

from .base import Anonymizer, Recoding, methods
from .default_method import default_method
from .greedy_interval import GreedyInterval
from .lattice import Lattice, LatticeOutcome
from .nothing import Nothing

__all__ = [
    "Align",
    "Anonymizer",
    "Decomposition",
    "GeneralisationChain",
    "Graph",
    "GreedyInterval",
    "Lattice",
    "LatticeOutcome",
    "Microaggregation",
    "Mondrian",
    "Nothing",
    "Predictive",
    "Purpose",
    "Recoding",
    "TopDown",
    "default_method",
    "methods",
]
