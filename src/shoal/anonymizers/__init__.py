"""How a promise is kept, one algorithm a file. An anonymizer may be wrong: the road out checks what it made."""

from .align import Align
from .base import Anonymizer, Recoding, methods
from .graph import Graph
from .greedy_interval import GreedyInterval
from .lattice import Lattice, LatticeOutcome
from .mondrian import Mondrian
from .nothing import Nothing
from .predictive import Predictive
from .top_down import TopDown

__all__ = [
    "Align",
    "Anonymizer",
    "Graph",
    "GreedyInterval",
    "Lattice",
    "LatticeOutcome",
    "Mondrian",
    "Nothing",
    "Predictive",
    "Recoding",
    "TopDown",
    "methods",
]
