"""How many people there are in each class of records."""

import numpy as np

from .distinct_pairs import distinct_pairs

__all__ = ["people_by_class"]


def people_by_class(labels: np.ndarray, n_classes: int, persons: np.ndarray | None = None) -> np.ndarray:
    """Return how many different people each class has; without ``persons``, every record is another person.

    ``persons`` says whose each record is, as a code from 0 on.
    """
    each = labels if persons is None else labels[distinct_pairs(labels, persons)[1]]
    return np.bincount(each, minlength=n_classes)
