"""How a promise is kept, one algorithm a file. An anonymizer may be wrong: the road out checks what it made."""

from .align import Align
from .base import Anonymizer, Recoding, methods
from .decomposition import Decomposition
from .default_method import default_method
from .generalisation_chain import GeneralisationChain
from .graph import Graph
from .greedy_interval import GreedyInterval
from .lattice import Lattice, LatticeOutcome
from .microaggregation import Microaggregation
from .mondrian import Mondrian
from .nothing import Nothing
from .predictive import Predictive
from .purpose import Purpose
from .top_down import TopDown

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
