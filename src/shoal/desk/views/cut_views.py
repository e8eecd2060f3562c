"""The nested views of a table that are cut from one tree: one for every degree of anonymization.

*Labels.* A group is labeled, in each quasi-identifier, by the narrowest range or node of the hierarchy that covers the
labels of its parts; the ends of ranges are rounded outward (as with ``mondrian:labels=safe``), and the whole table is
labeled by the root of each hierarchy. So a coarser view follows from a finer one and the tree, record by record: nobody
learns from its labels what a finer one does not say.

*Degrees.* The degree of a group is that of its label: Σ P·Deg / Σ P over the attributes (thesis, Definition 4.5), each
attribute counting the steps from its value up to the label (:meth:`.Attribute.levels`), among the values that are not
withheld; the degree of a view is the mean over its records (Definition 4.6), so that of a single group is 1. The view
at a place cuts every group whose degree is at least that of the place. What is wide is cut first, wherever it is; a
part is never of a larger degree than the whole, so views are nested.
"""

from fractions import Fraction
from functools import cached_property

import numpy as np

from shoal.anonymizers.decomposition.generalization_chain import WeightName, anonymization_degree, level_degrees
from shoal.anonymizers.generalization.cut_segments import table_attributes
from shoal.anonymizers.generalization.cuts import Attribute, Segments
from shoal.data import Microdata

from .cut_tree import CutTree
from .nested_views import NestedViews

__all__ = ["CutViews"]


class CutViews(NestedViews[CutTree]):
    """A tree and a table, whose records are in the groups of the tree."""

    def __init__(
        self,
        tree: CutTree,
        table: Microdata,
        weight: WeightName = "uniform",
        beta: Fraction = Fraction(1),
        identifier: str | None = None,
    ) -> None:
        """Prepare views; steps are weighed in degrees, and people known again by the identifier, as a policy says."""
        super().__init__(tree, table, identifier)
        self._weight: WeightName = weight
        self._beta = beta

    @cached_property
    def attributes(self) -> list[Attribute]:
        """The quasi-identifiers of the table; what is withheld from all is no value that a label could hide."""
        found = table_attributes(self.table, by_hierarchy=False)
        return [each.with_steps_among(self.is_shown) for each in found]

    def _smallest_groups(self) -> np.ndarray:
        return self.tree.smallest_groups(self.attributes)

    def attribute_degrees(self, cuts: np.ndarray) -> dict[str, Fraction]:
        """Return the degree of each quasi-identifier in a view: the mean over its records."""
        groups, found = self.groups(cuts)[self.is_shown], {}
        for each, extents, degrees in zip(self.attributes, self._extents, self._level_degrees, strict=True):
            counts = np.bincount(each.levels(extents[groups]), minlength=len(degrees)).tolist()
            total = sum((count * degree for count, degree in zip(counts, degrees, strict=True)), Fraction(0))
            found[each.column.name] = (total + len(self.tree.withheld)) / len(self.table)
        return found

    def published(self, cuts: np.ndarray) -> Microdata:
        """Return the table with the labels of a view; those of records that are withheld mean nothing."""
        used, codes = np.unique(self.groups(cuts), return_inverse=True)
        columns = []
        for each, extents in zip(self.attributes, self._extents, strict=True):
            labels, by_group = each.labels(extents[used])
            columns.append(each.column.recoded(labels, by_group[codes].astype(np.int32)))
        return self.table.replaced(tuple(columns))

    @cached_property
    def _extents(self) -> list[np.ndarray]:
        """By quasi-identifier, the extents of the label of each group; those of a group without records are 0."""
        order = np.argsort(self.smallest, kind="stable")
        order = order[self.is_shown[order]]
        present, begins = np.unique(self.smallest[order], return_index=True)
        smallest = Segments(order, np.append(begins, len(order)))
        return [self._labeled(each, present, each.widened(each.extents(smallest))) for each in self.attributes]

    def _labeled(self, attribute: Attribute, present: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """Return the extents of all groups from those of the smallest ones."""
        extents = np.zeros((len(self.tree), labels.shape[1]), np.int64)
        extents[present] = labels
        for begin, end in reversed(self.tree.depths[1:]):
            parts = begin + np.flatnonzero(self.sizes[begin:end])
            wholes, begins = np.unique(self.tree.parents[parts], return_index=True)
            extents[wholes] = attribute.widened(attribute.covers(extents[parts], begins))
        if attribute.hierarchy is not None:
            extents[0] = attribute.height, 0
        return extents

    @cached_property
    def _level_degrees(self) -> list[tuple[Fraction, ...]]:
        """By quasi-identifier, the degree of each level; where there is but one value, nothing is left to hide."""
        heights = [each.height for each in self.attributes]
        return [level_degrees(each, self._weight, self._beta) if each else (Fraction(1),) for each in heights]

    def _ranked(self) -> tuple[list[Fraction], np.ndarray]:
        """Return the degrees that groups have, ascending, and which of them each group has."""
        levels = [each.levels(extents) for each, extents in zip(self.attributes, self._extents, strict=True)]
        kinds, of_group = np.unique(np.stack(levels, axis=1), axis=0, return_inverse=True)
        degrees = [
            anonymization_degree(
                [of_level[level] for of_level, level in zip(self._level_degrees, kind, strict=True)],
                self.tree.priorities,
            )
            for kind in kinds.tolist()
        ]
        distinct = sorted(set(degrees))
        number = {degree: rank for rank, degree in enumerate(distinct)}
        return distinct, np.array([number[each] for each in degrees])[of_group.ravel()]
