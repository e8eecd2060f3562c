"""How closely the leaders of a group may keep together."""

import numpy as np

__all__ = ["leaders_widths"]


def leaders_widths(radius: int) -> np.ndarray:
    """Give the widths of intervals to try for leaders: first that in which all of a group are near each other."""
    return np.array(sorted({radius, radius // 2, 0}, reverse=True))
