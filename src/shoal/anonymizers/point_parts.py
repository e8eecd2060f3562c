"""Points in an order in which like is beside like."""

import numpy as np

from shoal.kernels.halved_points import halve_points

__all__ = ["point_parts"]


def point_parts(points: np.ndarray, order: np.ndarray, begins: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Cut sets of points into parts of at least ``size`` and less than twice that; give the new order and begins.

    Set s is order[begins[s]:begins[s + 1]]. It is halved again and again across the direction in which its points
    differ most; one of less than twice the size stays whole.
    """
    order = order.copy()
    while (parts := np.diff(begins) // size).max(initial=0) >= 2:
        spare = np.diff(begins) - parts * size
        middles = begins[:-1] + np.where(parts >= 2, parts // 2 * size + spare // 2, 0)
        halve_points(points, order, begins, middles)
        begins = np.union1d(begins, middles)
    return order, begins
