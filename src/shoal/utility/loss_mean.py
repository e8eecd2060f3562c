"""Loss-mean: the share of a column's other leaves that a cell may also be.

*Definition.* Per quasi-identifier, the mean over all records of (n − 1)/(N − 1), where n is the number of leaves
under the published label and N the number of leaves of the column; 1 for a record that is withheld. Then the mean
over the quasi-identifiers. How labels are read, and what leaves are, is said in :mod:`shoal.labels.told_column`.
*Unit.* A share: 0 where everything is told exactly, 1 where nothing is told.

*Reference.* Iyengar 2002; as ARX reckons it with the arithmetic mean. Leaves that nobody has count, as there.
"""

from shoal.anonymizers.told_loss import label_losses

from .comparison import Comparison
from .measure import measure
from .told_columns import mean_loss

__all__ = ["loss_mean"]


@measure("loss-mean", unit="share of a column's other leaves")
def loss_mean(comparison: Comparison) -> float:
    """Give the mean share of a column's other leaves that a cell may also be."""
    return mean_loss(comparison, label_losses)
