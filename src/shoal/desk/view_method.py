"""The method that makes the view of data for somebody who asks."""

from fractions import Fraction

from shoal.anonymizers import Decomposition, Purpose
from shoal.anonymizers.level_degrees import WeightName

from .projection import Projection

__all__ = ["view_method"]


def view_method(
    purpose: Purpose,
    projection: Projection,
    trust: Fraction | float,
    *,
    weight: WeightName = "uniform",
    beta: Fraction = Fraction(1),
) -> Decomposition:
    """Give the method for a purpose and a trust; promises are kept along the chain, so that all views nest."""
    return Decomposition(
        degree=projection.degree(trust),
        priorities=purpose.priorities,
        most=purpose.most,
        least=purpose.least,
        target=purpose.target,
        bins=purpose.bins,
        weight=weight,
        beta=beta,
        further="chain",
    )
