"""The method ``lattice``: one level of its hierarchy for each quasi-identifier, found exactly.

Read ``lattice`` first, with ``fixed_levels`` for levels that somebody chose, then the search it uses in
:mod:`shoal.anonymizers.generalization`, and last ``comparison_searches``, which has the searches of other papers.
"""

from .lattice import Lattice, LatticeOutcome

__all__ = ["Lattice", "LatticeOutcome"]
