"""Users as points that are as far apart as their padded ratings."""

import numpy as np

__all__ = ["padded_points"]


def padded_points(users: np.ndarray, items: np.ndarray) -> np.ndarray:
    """Give a point for each user; points are as far apart as the rows of users @ items.T, which are never made.

    |(u − v)·itemsᵀ|² is (u − v)·itemsᵀ·items·(u − v)ᵀ. With itemsᵀ·items = L·Lᵀ, by eigenvalues so that factors may
    depend on each other, it is |(u − v)·L|². Directions in which items do not differ from nothing are left out; the
    first column is the direction that counts most. Points lie around 0, where float32 is most exact.
    """
    items = items.astype(np.float64)
    values, directions = np.linalg.eigh(items.T @ items)
    values, directions = values[::-1], directions[:, ::-1]
    seen = values > max(float(values.max(initial=0)), 0) * len(values) * np.finfo(np.float64).eps
    root = directions[:, seen] * np.sqrt(values[seen])
    middle = users.mean(axis=0, dtype=np.float64) if len(users) else np.zeros(users.shape[1])
    return np.ascontiguousarray(((users - middle) @ root).astype(np.float32))
