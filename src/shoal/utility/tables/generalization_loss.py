"""Generalization loss: how much less published labels say than the original values.

How labels are read, and what leaves are, is defined in :mod:`shoal.labels.published_column`. All measures are shares.

**Loss-mean** (information loss after Iyengar 2002, as in ARX with the arithmetic mean). Per quasi-identifier, the mean
over all records of (n − 1)/(N − 1), where n is the number of leaves under the published label and N the number of
leaves of the column; 1 for a record that is withheld. Then the mean over the quasi-identifiers. It is 0 where every
value is published exactly, and 1 where every label is the root. Leaves that nobody has count.

**Normalized certainty penalty.** A label of a column of numbers or dates costs its range, the highest less the lowest
value it may stand for, divided by the range of the column. A label of any other column that stands for n > 1 of N
leaves costs n/N, and one leaf costs nothing. Where a label may stand for a missing value and for others, leaves are
counted in a numeric column too. A withheld record costs 1 in every column. The mean over all records, then over the
quasi-identifiers. Of sets whose items are generalized, the mean over all items that people have; an item that is not
published costs 1. *Reference.* Xu et al. 2006, without weights; divided by records and attributes as Ghinita et al.
2007 do (global certainty penalty).

**Entropy loss.** A cell with the value a, published under a label that may stand for the values B, loses
−log₂(f(a)/f(B)) bits, where f counts original records, the withheld ones included; a withheld record loses
−log₂(f(a)/n) in every column, as if its label were the root. The sum over all quasi-identifier cells is divided by what
it would be if everything were withheld. *Reference.* The non-uniform entropy of Gionis and Tassa 2007 (after de Waal
and Willenborg 1999), as a share.

**Precision and distortion ratio.** A cell published under a label of height h in a hierarchy of height H is generalized
by h/H; a withheld record is generalized to the top in every column. *Precision* is 1 minus the mean of h/H over all
records and quasi-identifiers. *Distortion ratio* is the sum of all h divided by that of the table in which everything
is generalized to the top: columns with higher hierarchies weigh more. *Reference.* Sweeney 2002 (Prec); thesis 3.5
(distortion ratio).
"""

import numpy as np
import polars as pl

from shoal.labels import PublishedColumn
from shoal.labels.label_loss import label_losses
from shoal.utility.comparison import Comparison
from shoal.utility.measure import Unmeasurable, measure
from shoal.utility.published_columns import mean_loss, published_quasi_identifiers

__all__ = ["certainty_penalties", "certainty_penalty", "distortion_ratio", "entropy_loss", "loss_mean", "precision"]


@measure("loss-mean", unit="share of a column's other leaves", place=180, unchanged=0)
def loss_mean(comparison: Comparison) -> float:
    """The mean share of a column's other leaves that the published label also covers (Iyengar's loss metric)."""
    return mean_loss(comparison, label_losses)


@measure("normalized certainty penalty", unit="share of a column's range", place=190, unchanged=0)
def certainty_penalty(comparison: Comparison) -> float:
    """The mean share of a column's range, or of its leaves, that the published label spans."""
    if comparison.exact is not None and comparison.ratings is not None:
        given, by_published = comparison.n_given
        lost = given - by_published + comparison.ratings.dropped
        return (lost + comparison.ratings.penalty) / max(given, 1)
    return mean_loss(comparison, certainty_penalties)


def certainty_penalties(column: PublishedColumn) -> np.ndarray:
    """Return the penalty of each label of a column."""
    by_leaves = np.where(column.leaves > 1, column.leaves / column.n_leaves, 0.0)
    kind = column.values.dtype
    if not (kind.is_numeric() or kind.is_temporal()):
        return by_leaves
    numbers = column.values.to_physical().cast(pl.Float64)
    missing = numbers.null_count()
    places = numbers.fill_null(0.0).to_numpy()
    with np.errstate(over="ignore"):  # the range from the lowest double to the highest is not a double
        span = places[-1] - places[min(missing, len(places) - 1)]
    if not (np.isfinite(span) and span > 0):
        return by_leaves
    ranges = (places[column.highest] - places[column.lowest]) / span
    mixed = (column.lowest < missing) & (column.highest >= missing)
    return np.where(column.highest < missing, 0.0, np.where(mixed, by_leaves, ranges))


@measure("entropy loss", unit="share of the bits", place=220, unchanged=0)
def entropy_loss(comparison: Comparison) -> float:
    """The share of the quasi-identifiers' information, in bits, that is lost."""
    columns = published_quasi_identifiers(comparison)
    before = sum(_bits_before(column) for column in columns)
    if not before:
        raise Unmeasurable("In every quasi-identifier all values are equal: there is nothing to lose.")
    return sum(_bits_lost(column, comparison.origins) for column in columns) / before


def _bits_before(column: PublishedColumn) -> float:
    counts = np.bincount(column.before)
    return float(counts @ np.log2(len(column.before) / counts))


def _bits_lost(column: PublishedColumn, origins: np.ndarray) -> float:
    counts = np.bincount(column.before)
    covered = np.full(len(column.before), len(column.before))
    covered[origins] = column.sums(counts)[column.labels]
    return float(np.log2(covered / counts[column.before]).sum())


@measure("precision", unit="share of the heights of hierarchies", place=200, unchanged=1)
def precision(comparison: Comparison) -> float:
    """1 minus the mean share of its hierarchy's height by which a cell is generalized (Sweeney's Prec)."""
    return 1 - mean_loss(comparison, lambda column: column.heights / column.height)


@measure("distortion ratio", unit="share of the heights of hierarchies", place=210, unchanged=0)
def distortion_ratio(comparison: Comparison) -> float:
    """The number of levels by which cells are generalized, divided by that of generalizing everything to the top."""
    columns = published_quasi_identifiers(comparison)
    levels = sum(column.height for column in columns)
    climbed = sum(int(column.counts @ column.heights) for column in columns) + comparison.withheld * levels
    return climbed / (levels * len(comparison.whole))
