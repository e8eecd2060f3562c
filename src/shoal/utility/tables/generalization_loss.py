"""Loss-mean: the share of a column's other leaves that a cell may also be.

*Definition.* Per quasi-identifier, the mean over all records of (n − 1)/(N − 1), where n is the number of leaves
under the published label and N the number of leaves of the column; 1 for a record that is withheld. Then the mean
over the quasi-identifiers. How labels are read, and what leaves are, is said in :mod:`shoal.labels.published_column`.
*Unit.* A share: 0 where everything is told exactly, 1 where nothing is told.

*Reference.* Iyengar 2002; as ARX reckons it with the arithmetic mean. Leaves that nobody has count, as there.

Normalized certainty penalty: how wide published labels are, by the range of numbers and the count of words.

*Definition.* A label of a column of numbers or dates costs its range, the highest less the lowest value it may stand
for, divided by the range of the column. A label of any other column that stands for n > 1 of N leaves costs n/N, and
one leaf costs nothing. Where a label may stand for a missing value and for others, leaves are counted in a column of
numbers too. A withheld record costs 1 in every column. The mean over all records, then over the quasi-identifiers.
*Unit.* A share.

*Reference.* Xu et al. 2006, without weights; divided by records and attributes as Ghinita et al. 2007 do (they call
it global certainty penalty).

Entropy loss: the share of what quasi-identifiers tell, in bits, that is told no more.

*Definition.* A cell with the value a, told by a label that may stand for the values B, loses −log₂(f(a)/f(B)) bits,
where f counts original records, the withheld ones included; a withheld record loses −log₂(f(a)/n) in every column, as
if nothing were told. The sum over all cells of quasi-identifiers is divided by what it would be if everything were
withheld. *Unit.* A share of the bits.

*Reference.* The non-uniform entropy of Gionis and Tassa 2007 (after de Waal and Willenborg 1999), made a share.

Precision and distortion ratio: how high published labels stand in their hierarchies.

*Definition.* A cell told by a label of height h in a hierarchy of height H is generalized by h/H; a withheld record is
generalized to the top in every column. *Precision* is 1 less the mean over all records and quasi-identifiers of h/H.
*Distortion ratio* is the sum of all h divided by that of the table in which everything is generalized to the top:
columns with higher hierarchies weigh more. Heights are read as :mod:`shoal.labels.published_column` says. *Unit.* A
share.

*Reference.* Sweeney 2002 (Prec); thesis 3.5 (distortion ratio).
"""

import numpy as np
import polars as pl

from shoal.labels import PublishedColumn
from shoal.labels.label_loss import label_losses
from shoal.utility.comparison import Comparison
from shoal.utility.measure import Unmeasurable, measure
from shoal.utility.published_columns import mean_loss, published_quasi_identifiers

__all__ = ["certainty_penalty", "distortion_ratio", "entropy_loss", "loss_mean", "precision"]


@measure("loss-mean", unit="share of a column's other leaves", place=180, unchanged=0)
def loss_mean(comparison: Comparison) -> float:
    """Return the mean share of a column's other leaves that a cell may also be."""
    return mean_loss(comparison, label_losses)


@measure("normalized certainty penalty", unit="share of a column's range", place=190, unchanged=0)
def certainty_penalty(comparison: Comparison) -> float:
    """Return the mean share of a column's range, or of its leaves, that a cell may be anywhere in."""
    return mean_loss(comparison, _penalty)


def _penalty(column: PublishedColumn) -> np.ndarray:
    by_leaves = np.where(column.leaves > 1, column.leaves / column.n_leaves, 0.0)
    kind = column.values.dtype
    if not (kind.is_numeric() or kind.is_temporal()):
        return by_leaves
    numbers = column.values.to_physical().cast(pl.Float64)
    missing = numbers.null_count()
    places = numbers.fill_null(0.0).to_numpy()
    with np.errstate(over="ignore"):  # from the lowest double to the highest is farther than a double can be
        span = places[-1] - places[min(missing, len(places) - 1)]
    if not (np.isfinite(span) and span > 0):
        return by_leaves
    ranges = (places[column.highest] - places[column.lowest]) / span
    mixed = (column.lowest < missing) & (column.highest >= missing)
    return np.where(column.highest < missing, 0.0, np.where(mixed, by_leaves, ranges))


@measure("entropy loss", unit="share of the bits", place=220, unchanged=0)
def entropy_loss(comparison: Comparison) -> float:
    """Return the share of the bits told by quasi-identifiers that are lost."""
    columns = published_quasi_identifiers(comparison)
    published = sum(_bits_told(column) for column in columns)
    if not published:
        raise Unmeasurable("In every quasi-identifier all values are equal: there is nothing to lose.")
    return sum(_bits_lost(column, comparison.origins) for column in columns) / published


def _bits_told(column: PublishedColumn) -> float:
    counts = np.bincount(column.before)
    return float(counts @ np.log2(len(column.before) / counts))


def _bits_lost(column: PublishedColumn, origins: np.ndarray) -> float:
    counts = np.bincount(column.before)
    covered = np.full(len(column.before), len(column.before))
    covered[origins] = column.sums(counts)[column.labels]
    return float(np.log2(covered / counts[column.before]).sum())


@measure("precision", unit="share of the heights of hierarchies", place=200, unchanged=1)
def precision(comparison: Comparison) -> float:
    """Return 1 less the mean share of their hierarchies by which cells are generalized."""
    return 1 - mean_loss(comparison, lambda column: column.heights / column.height)


@measure("distortion ratio", unit="share of the heights of hierarchies", place=210, unchanged=0)
def distortion_ratio(comparison: Comparison) -> float:
    """Return the levels by which cells are generalized, divided by all the levels there are."""
    columns = published_quasi_identifiers(comparison)
    levels = sum(column.height for column in columns)
    climbed = sum(int(column.counts @ column.heights) for column in columns) + comparison.withheld * levels
    return climbed / (levels * len(comparison.whole))
