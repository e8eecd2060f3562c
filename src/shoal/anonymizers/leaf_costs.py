"""What a label costs by the values it stands for."""

import numpy as np

from shoal.data import Hierarchy

__all__ = ["leaf_costs"]


def leaf_costs(hierarchy: Hierarchy) -> list[np.ndarray]:
    """Give by level what each label costs: the share of all other values that it stands for as well."""
    others = max(hierarchy.n_leaves - 1, 1)
    return [(leaves - 1) / others for leaves in hierarchy.leaves]
