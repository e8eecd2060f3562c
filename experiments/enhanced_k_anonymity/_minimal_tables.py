"""The minimal generalizations of a table that keep the promises, and whom a similarity attack finds in them."""

import numpy as np

from experiments.recoded import ENGINE
from shoal.anonymizers import Allowance, Lattice
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.data import Microdata
from shoal.models import promises

__all__ = ["minimal_tables", "vulnerable_groups"]


def minimal_tables(table: Microdata, wordings: list[str]) -> list[Microdata]:
    """Return the table at every node that keeps the promises and below which no node does; nothing is withheld."""
    models = [promises.read(wording) for wording in wordings]
    lattice = TableLattice(table, ENGINE)
    outcome = Lattice(loss="height").searched(lattice, models, Allowance(0, 0), minimal=True)
    assert outcome.minimal is not None
    return [lattice.generalized(node) for node in outcome.minimal]


def vulnerable_groups(table: Microdata) -> np.ndarray:
    """Return the sizes of the groups whose sensitive values are all of one category."""
    (hidden,) = table.sensitive
    categories = hidden.category_of[hidden.codes]
    grouping = ENGINE.group(table)
    pairs = np.unique(np.stack([grouping.labels, categories]), axis=1)[0]
    alone = np.bincount(pairs, minlength=grouping.n_groups) == 1
    return np.bincount(grouping.labels, minlength=grouping.n_groups)[alone]
