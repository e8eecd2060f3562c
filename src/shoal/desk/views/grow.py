"""The tree of a table: cut as Mondrian does, useful attributes first, as long as every part keeps the promises.

Mondrian cuts a group on the attribute on which it is widest. Here the width counts in proportion to the priority of the
attribute for the purpose; those of priority 0 are cut where no other can be. Without a purpose, the finest view of the
tree has the groups of Mondrian.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from shoal.anonymizers.generalization.cut_segments import CutRound, cut_rounds, table_attributes
from shoal.anonymizers.generalization.cuts import Segments
from shoal.anonymizers.promises import GroupPromises
from shoal.data import Microdata
from shoal.engines import Engine
from shoal.models import PrivacyModel

from .cut_tree import CutTree

__all__ = ["grown_tree"]

_USELESS = 1e-9
"""The weight of an attribute of priority 0: less than any other has."""


def grown_tree(
    table: Microdata, models: Sequence[PrivacyModel], priorities: Sequence[Fraction], engine: Engine
) -> CutTree | None:
    """Return the tree of a table; None where its records do not keep the promises as one group."""
    promises = GroupPromises(table, models, engine)
    if not promises.keeps(np.arange(len(table))):
        return None
    everybody = Segments(np.arange(len(table)), np.array([0, len(table)]))
    weights = [float(each) or _USELESS for each in priorities]
    rounds = cut_rounds(everybody, table_attributes(table, by_hierarchy=False), promises, weights)
    on, parts = (np.concatenate([getattr(each, name) for each in rounds]) for name in ("on", "parts"))
    at, nodes = _rules(rounds, len(on))
    return CutTree(parts, np.zeros(0, np.int64), on, at, nodes, tuple(priorities))


def _rules(rounds: Sequence[CutRound], n_groups: int) -> tuple[np.ndarray, np.ndarray]:
    """Return at which value or level each group is cut, and the part of each node of a hierarchy."""
    at, lines, first = np.zeros(n_groups, np.int64), [np.zeros((0, 3), np.int64)], 0
    for each in rounds:
        for groups, rules in each.rules:
            at[first + groups] = rules.at
            lines.append(np.column_stack([first + groups[rules.nodes[:, 0]], rules.nodes[:, 1:]]))
        first += len(each.on)
    nodes = np.concatenate(lines)
    return at, nodes[np.lexsort([nodes[:, 1], nodes[:, 0]])]
