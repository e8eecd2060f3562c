"""The records that break a promise: how many others hide each, and which sensitive attribute falls short.

What falls short, and in which units, the promise says (:meth:`shoal.models.PrivacyModel.shortfall`).
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.data import Microdata, Ratings, Records, Survey, part_of
from shoal.engines import Engine, Judgment
from shoal.engines.nearest_others import NearestOthers, nearest_others
from shoal.engines.smallest_rare_sets import SmallestRareSets, smallest_rare_sets
from shoal.engines.within_classes import items_within_classes
from shoal.evidence import (
    GroupCounts,
    Grouping,
    NeedGroups,
    NeedItemSets,
    NeedNeighborhoods,
    NeedPartition,
)
from shoal.models import PrivacyModel, Shortfall, Verdict

__all__ = ["AtRisk", "TooAlike", "at_risk"]


@dataclass(frozen=True, eq=False, repr=False)
class TooAlike:
    """The sensitive values around each record at risk, where it is they that break the promise."""

    names: pl.Series
    shortfall: Shortfall
    """Which of the names is to blame for each record, what it reaches, and what it should reach."""


@dataclass(frozen=True, eq=False, repr=False)
class AtRisk:
    """The records that break one promise."""

    model: PrivacyModel
    rows: np.ndarray
    others: np.ndarray
    """How many others are within ε of each or, for promises on groups, look like it: int64.

    For promises on sets of items, how many others, people or profiles, hold the set of its items that the fewest do.
    """
    nearest: NearestOthers | None = None
    """The nearest other that is not within ε."""
    too_alike: TooAlike | None = None
    rare: SmallestRareSets | None = None
    """The smallest rare set of items of each, for promises on sets of items."""

    def __len__(self) -> int:
        return len(self.rows)


def at_risk(records: Records, model: PrivacyModel, verdict: Verdict, judgment: Judgment, engine: Engine) -> AtRisk:
    """Return the records that break a promise that was judged, with what can be said about each."""
    need, groups = model.need, judgment.groups_by_part[model.part]
    records = part_of(records, model.part)
    if isinstance(need, NeedGroups):
        return _in_groups(records, model, verdict, groups.grouping, groups.counts)
    if isinstance(need, NeedItemSets):
        grouping = groups.grouping
        rows = np.flatnonzero(grouping.members(verdict.violating))
        found = engine.item_sets(records, grouping, need)
        rare = _rare_sets(records, grouping, found.sizes, need, rows, engine)
        return AtRisk(model, rows, found.fewest[grouping.labels[rows]] - 1, rare=rare)
    return _in_neighborhoods(records, model, need, np.flatnonzero(verdict.violating), engine)


def _rare_sets(
    records: Records, grouping: Grouping, sizes: np.ndarray, need: NeedItemSets, rows: np.ndarray, engine: Engine
) -> SmallestRareSets:
    """Return the smallest rare set of each of these rows; in a survey within its class, of which all may be too few."""
    if isinstance(records, Ratings):
        return smallest_rare_sets(records.observable, grouping, sizes, need, rows)
    assert isinstance(records, Survey)
    classes = engine.group(records.table)
    matrix, items = items_within_classes(records.ratings.observable, classes)
    if not len(items):  # nobody has any, so it is the classes that are too small
        return SmallestRareSets(np.zeros(len(rows), np.int64), np.full((len(rows), 1), -1, np.int64))
    found = smallest_rare_sets(matrix, grouping, sizes, need, rows)
    few = np.bincount(classes.labels)[classes.labels[rows]] < need.enough
    own = np.where(few[:, None] | (found.items < 0), -1, items[found.items])
    return SmallestRareSets(np.where(few, 0, found.sizes), own)


def _in_groups(
    records: Records, model: PrivacyModel, verdict: Verdict, grouping: Grouping, counts: GroupCounts
) -> AtRisk:
    rows = np.flatnonzero(grouping.members(verdict.violating))
    groups = grouping.labels[rows]
    shortfall = model.shortfall(counts)
    too_alike = None if shortfall is None else TooAlike(_sensitive_names(records), shortfall.take(groups))
    return AtRisk(model, rows, counts.sizes[groups] - 1, too_alike=too_alike)


def _sensitive_names(records: Records) -> pl.Series:
    table = records.with_sensitive_answers if isinstance(records, Survey) else records
    if isinstance(table, Microdata):
        return pl.Series([column.name for column in table.sensitive])
    assert isinstance(records, Ratings)
    return records.sensitive.items.values


def _in_neighborhoods(
    records: Records,
    model: PrivacyModel,
    need: NeedNeighborhoods | NeedPartition,
    rows: np.ndarray,
    engine: Engine,
) -> AtRisk:
    ratings = records.ratings if isinstance(records, Survey) else records
    assert isinstance(ratings, Ratings)
    radius = ratings.scale.steps_within(need.epsilon)
    too_alike = None
    if isinstance(need, NeedNeighborhoods):
        # as it was judged, so that an engine that remembers need not count again
        found = engine.neighbors(records, need.epsilon, enough=need.enough, sensitive=need.sensitive)
        shortfall = model.shortfall(found.take(rows))
        if shortfall is not None:
            # items that nobody rated have no moments
            rated = ratings.sensitive.items.take(np.unique(ratings.sensitive.indices))
            too_alike = TooAlike(rated, shortfall)
    else:
        found = engine.neighbors(records, need.epsilon)
    nearest = nearest_others(ratings.observable, ratings.scale, rows, radius)
    return AtRisk(model, rows, found.others[rows], nearest, too_alike)
