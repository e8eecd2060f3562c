"""How a promise is kept: a package or a file a method. A method may be wrong: the road out checks what it made.

:mod:`.base` says what a method is; :mod:`.default_method` chooses one where the owner names none. The registry
:data:`methods` finds every method that lies in this room, and loads the one that is asked for.
"""

from typing import TYPE_CHECKING, Any

from .base import Anonymizer, Recoding, methods

if TYPE_CHECKING:
    from .align.align import Align
    from .decomposition.decomposition import Decomposition
    from .graph.graph import Graph
    from .greedy_interval import GreedyInterval
    from .lattice import Lattice
    from .microaggregation.microaggregation import Microaggregation
    from .mondrian.mondrian import Mondrian
    from .nothing import Nothing
    from .predictive.predictive import Predictive
    from .top_down.top_down import TopDown

__all__ = [
    "Align",
    "Anonymizer",
    "Decomposition",
    "Graph",
    "GreedyInterval",
    "Lattice",
    "Microaggregation",
    "Mondrian",
    "Nothing",
    "Predictive",
    "Recoding",
    "TopDown",
    "methods",
]


def __getattr__(name: str) -> Any:
    """Import a method when it is first asked for: a command loads the one it runs."""
    if name in __all__:
        return methods.class_named(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
