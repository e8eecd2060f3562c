"""What labels of groups lose, as numbers for the kernel that exchanges people between groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.anonymizers.generalization.node_loss import leaf_costs
from shoal.anonymizers.generalization.tree_order import tree_places
from shoal.data import Column

__all__ = ["LabelCosts"]


@dataclass(frozen=True, eq=False)
class LabelCosts:
    """For each quasi-identifier, the places of values in an order, and what the label from one to another loses."""

    places: np.ndarray
    """People by columns: where the value of each is in an order in which those under one label are adjacent."""
    slopes: np.ndarray
    """By column, what a range loses for each place; −1 where labels are those of the hierarchy."""
    nodes: np.ndarray
    """By column with a hierarchy, level and place, the label."""
    losses: np.ndarray
    """What that label loses."""

    @classmethod
    def of(cls, columns: Sequence[Column], by_hierarchy: Sequence[bool], price: float) -> Self:
        """Prepare columns for labels by hierarchy or by range; the label of all values costs the price."""
        trees = [column.hierarchy if chosen else None for column, chosen in zip(columns, by_hierarchy, strict=True)]
        levels = max((len(tree.maps) for tree in trees if tree is not None), default=1)
        shape = len(columns), levels, max(len(column.vocabulary) for column in columns)
        nodes, losses = np.zeros(shape, np.int32), np.zeros(shape, np.float64)
        slopes, places = np.full(len(columns), -1.0), []
        for number, (column, tree) in enumerate(zip(columns, trees, strict=True)):
            if tree is None:
                used = column.counts > 0
                order = np.cumsum(used) - 1  # only values that occur are counted in ranges
                slopes[number] = price / max(int(used.sum()) - 1, 1)
            else:
                order = tree_places(column, tree)
                for level, (codes, costs) in enumerate(zip(tree.maps, leaf_costs(tree), strict=True)):
                    nodes[number, level, order] = codes
                    losses[number, level, order] = price * costs[codes]
            places.append(order[column.codes])
        return cls(np.stack(places, axis=1).astype(np.int32), slopes, nodes, losses)
