"""Precision and distortion ratio: how high published labels stand in their hierarchies.

*Definition.* A cell told by a label of height h in a hierarchy of height H is generalised by h/H; a withheld record
is generalised to the top in every column. *Precision* is 1 less the mean over all records and quasi-identifiers of
h/H. *Distortion ratio* is the sum of all h divided by that of the table in which everything is generalised to the
top: columns with higher hierarchies weigh more. Heights are read as :mod:`shoal.labels.told_column` says. *Unit.* A
share.

*Reference.* Sweeney 2002 (Prec); thesis 3.5 (distortion ratio).
"""

from .comparison import Comparison
from .measure import measure
from .told_columns import mean_loss, told_quasi_identifiers

__all__ = ["distortion_ratio", "precision"]


@measure("precision", unit="share of the heights of hierarchies")
def precision(comparison: Comparison) -> float:
    """Give 1 less the mean share of their hierarchies by which cells are generalised."""
    return 1 - mean_loss(comparison, lambda column: column.heights / column.height)


@measure("distortion ratio", unit="share of the heights of hierarchies")
def distortion_ratio(comparison: Comparison) -> float:
    """Give the levels by which cells are generalised, divided by all the levels there are."""
    columns = told_quasi_identifiers(comparison)
    levels = sum(column.height for column in columns)
    climbed = sum(int(column.counts @ column.heights) for column in columns) + comparison.withheld * levels
    return climbed / (levels * len(comparison.whole))
