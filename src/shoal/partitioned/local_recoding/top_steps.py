"""The first steps of ``top-down``, made of counts: groups of a table, each with few enough records for one worker.

What a step of a group saves, and whether its parts keep the promises, depends on how many records of the group have
which value of an attribute with which sensitive values. All of that is counted for all groups that are too large in one
pass over the records, so there is a pass a depth, and another one where records are lifted (:mod:`.steps_of_records`).
Where people may have several records, parts are judged in people, which takes other passes (:mod:`.steps_of_people`).
The steps are those that are taken in memory (:mod:`shoal.anonymizers.top_down.specialization`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.data import Hierarchy
from shoal.evidence import GroupCounts
from shoal.models import PrivacyModel
from shoal.partitioned.table import PartitionedTable

from .cut_tree import CutTree
from .promises_by_counts import promises_by_counts
from .steps import Branches
from .steps_of_people import StepsOfPeople
from .steps_of_records import StepsOfRecords

__all__ = ["FirstSteps", "first_steps"]


@dataclass(frozen=True)
class FirstSteps:
    """What was made of counts."""

    tree: CutTree
    closed: dict[int, np.ndarray]
    """By leaf, in which attributes its records were pushed back; leaves that are not there, in none."""


def first_steps(
    table: PartitionedTable,
    models: Sequence[PrivacyModel],
    everybody: GroupCounts,
    hierarchies: Sequence[Hierarchy],
    most: int,
) -> FirstSteps:
    """Specialize until each group has at most so many records, or can take no step; a number is drawn for each row.

    Groups are judged among ``everybody``. Where people may have several records, those of each are in one partition.
    """
    promises = promises_by_counts(table, models, everybody)
    finding = StepsOfPeople if promises.in_people else StepsOfRecords
    steps_of = finding(table, promises, Branches(hierarchies))
    tree, closed = CutTree(), {0: np.zeros(len(hierarchies), bool)}
    large = [0] if len(table) > most and promises.keep_everybody else []
    while large:
        steps = steps_of.best(tree, {leaf: closed[leaf] for leaf in large})
        lifted = steps_of.lifted(tree, steps)
        large = []
        for leaf, step in steps.items():
            children = tree.cut(leaf, step.attribute, step.values, step.parts)
            if leaf in lifted:  # to those pushed back, who come last
                tree.lift(leaf, int(children[step.n_kept]), lifted[leaf].tolist())
            for number, child in enumerate(children.tolist()):
                closed[child] = closed[leaf].copy()
                closed[child][step.attribute] |= number == step.n_kept
            large += children[step.sizes[: len(children)] > most].tolist()
    return FirstSteps(tree, {leaf: each for leaf, each in closed.items() if each.any()})
