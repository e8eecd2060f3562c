"""Entropy loss: the share of what quasi-identifiers tell, in bits, that is told no more.

*Definition.* A cell with the value a, told by a label that may stand for the values B, loses −log₂(f(a)/f(B)) bits,
where f counts original records, the withheld ones included; a withheld record loses −log₂(f(a)/n) in every column, as
if nothing were told. The sum over all cells of quasi-identifiers is divided by what it would be if everything were
withheld. *Unit.* A share of the bits.

*Reference.* The non-uniform entropy of Gionis and Tassa 2007 (after de Waal and Willenborg 1999), made a share.
"""

import numpy as np

from shoal.labels import ToldColumn

from .comparison import Comparison
from .measure import Unmeasurable, measure
from .told_columns import told_quasi_identifiers

__all__ = ["entropy_loss"]


@measure("entropy loss", unit="share of the bits")
def entropy_loss(comparison: Comparison) -> float:
    """Give the share of the bits told by quasi-identifiers that are lost."""
    columns = told_quasi_identifiers(comparison)
    told = sum(_bits_told(column) for column in columns)
    if not told:
        raise Unmeasurable("In every quasi-identifier all values are equal: there is nothing to lose.")
    return sum(_bits_lost(column, comparison.origins) for column in columns) / told


def _bits_told(column: ToldColumn) -> float:
    counts = np.bincount(column.before)
    return float(counts @ np.log2(len(column.before) / counts))


def _bits_lost(column: ToldColumn, origins: np.ndarray) -> float:
    counts = np.bincount(column.before)
    covered = np.full(len(column.before), len(column.before))
    covered[origins] = column.sums(counts)[column.labels]
    return float(np.log2(covered / counts[column.before]).sum())
