"""How many people there are in each class of records."""

import numpy as np

from shoal.kernels.distinct_keys import distinct_keys

__all__ = ["people_by_class"]


def people_by_class(labels: np.ndarray, n_classes: int, persons: np.ndarray | None = None) -> np.ndarray:
    """Return how many different people each class has; without ``persons``, every record is another person.

    ``persons`` says whose each record is, as a code from 0 on.
    """
    if persons is None or not len(labels):
        return np.bincount(labels, minlength=n_classes)
    pairs, found = distinct_keys(labels.astype(np.int64) * (int(persons.max()) + 1) + persons)
    class_of = np.zeros(found, np.int64)
    class_of[pairs] = labels
    return np.bincount(class_of, minlength=n_classes)
