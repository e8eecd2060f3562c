"""From a finer published scale back to the original one."""

import numpy as np

from shoal.data import Scale

__all__ = ["original_points"]


def original_points(original: Scale, published: Scale) -> np.ndarray:
    """Give for each code of the published scale the code of the nearest original rating, the higher of two."""
    parts = int(original.step / published.step)
    return (np.arange(published.points) + parts // 2) // parts
