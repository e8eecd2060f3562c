"""The method ``decomposition``: a degree of anonymization, distributed over attributes by the purpose of the data.

Read ``purpose`` first (how useful each attribute is), then ``generalization_chain`` (the levels of each degree),
``further_generalization`` (what the promises need beyond it) and ``decomposition``, which puts them together.
"""

from .decomposition import Decomposition
from .generalization_chain import GeneralizationChain
from .purpose import Purpose

__all__ = ["Decomposition", "GeneralizationChain", "Purpose"]
