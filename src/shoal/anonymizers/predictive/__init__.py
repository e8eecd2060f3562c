"""The method ``predictive``: ratings are padded by prediction, and one profile is published for each group of users.

Read ``predictive`` first, then ``points``, ``bins`` and ``size_constrained_kmeans`` (the groups), ``similarity`` and
``bounded_t_means`` (groups by another similarity), ``profile_items`` and ``homogenization`` (the profile of a group),
``factor_space`` and ``supported_factors`` (no rating weighs more than one of k), and ``confident_cells`` and
``diverse_cells`` (which cells of a profile are published).
"""

from .predictive import Predictive

__all__ = ["Predictive"]
