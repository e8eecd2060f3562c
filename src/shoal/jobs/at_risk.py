"""The records that break a promise: how many others there are for each, and what sets it apart from them."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.data import Microdata, Ratings, Records
from shoal.engines import Engine, Judgement
from shoal.engines.nearest_others import NearestOthers, nearest_others
from shoal.evidence import (
    GroupCounts,
    Grouping,
    NeedGroups,
    NeedItemSets,
    NeedNeighbourhoods,
    NeedPartition,
    RatingMoments,
)
from shoal.models import KEpsilon, PrivacyModel, Verdict
from shoal.models.spread import Spread, root_below

from .lacking_values import lacking_values

__all__ = ["AtRisk", "TooAlike", "at_risk"]


@dataclass(frozen=True, eq=False, repr=False)
class TooAlike:
    """The sensitive values around each record at risk, where it is they that break the promise."""

    names: pl.Series
    worst: np.ndarray
    """Which of the names is spread least; −1 where all are spread enough."""
    spread: np.ndarray
    """By how much it spreads: of ratings the spread, rounded down; of other values what a promise asks for."""
    needed: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class AtRisk:
    """The records that break one promise."""

    model: PrivacyModel
    rows: np.ndarray
    others: np.ndarray
    """How many others are within ε of each or, for promises on groups, look like it: int64.

    For promises on sets of items, how many other profiles hold the set of its items that the fewest do.
    """
    nearest: NearestOthers | None = None
    """The nearest other that is not within ε."""
    too_alike: TooAlike | None = None

    def __len__(self) -> int:
        return len(self.rows)


def at_risk(records: Records, model: PrivacyModel, verdict: Verdict, judgement: Judgement, engine: Engine) -> AtRisk:
    """Give the records that break a promise that was judged, with what can be said about each."""
    need = model.need
    if isinstance(need, NeedGroups):
        return _in_groups(records, model, verdict, judgement.groups.grouping, judgement.groups.counts)
    assert isinstance(records, Ratings)
    if isinstance(need, NeedItemSets):
        grouping = judgement.groups.grouping
        rows = np.flatnonzero(grouping.members(verdict.violating))
        fewest = engine.item_sets(records, grouping, need).fewest
        return AtRisk(model, rows, fewest[grouping.labels[rows]] - 1)
    return _in_neighbourhoods(records, model, need, np.flatnonzero(verdict.violating), engine)


def _in_groups(
    records: Records, model: PrivacyModel, verdict: Verdict, grouping: Grouping, counts: GroupCounts
) -> AtRisk:
    rows = np.flatnonzero(grouping.members(verdict.violating))
    groups = grouping.labels[rows]
    too_alike = None
    lacking = lacking_values(model, counts)
    if lacking is not None and isinstance(records, Microdata):
        names = pl.Series([column.name for column in records.sensitive])
        here = lacking.take(groups)
        too_alike = TooAlike(names, here.worst, here.reached, here.needed)
    return AtRisk(model, rows, counts.sizes[groups] - 1, too_alike=too_alike)


def _in_neighbourhoods(
    ratings: Ratings,
    model: PrivacyModel,
    need: NeedNeighbourhoods | NeedPartition,
    rows: np.ndarray,
    engine: Engine,
) -> AtRisk:
    radius = ratings.scale.steps_within(need.epsilon)
    too_alike = None
    if isinstance(need, NeedNeighbourhoods):
        # as it was judged, so that an engine that remembers need not count again
        found = engine.neighbours(ratings, need.epsilon, enough=need.enough, sensitive=need.sensitive)
        # items that nobody rated have no moments
        rated = ratings.sensitive.items.take(np.unique(ratings.sensitive.indices))
        if isinstance(model, KEpsilon) and found.moments is not None and len(rated):
            too_alike = _too_alike(model, found.moments.take(rows), rated)
    else:
        found = engine.neighbours(ratings, need.epsilon)
    nearest = nearest_others(ratings.observable, ratings.scale, rows, radius)
    return AtRisk(model, rows, found.others[rows], nearest, too_alike)


def _too_alike(model: KEpsilon, moments: RatingMoments, names: pl.Series) -> TooAlike:
    """Find in each neighbourhood the sensitive issue that spreads least, exactly."""
    assert model.l is not None
    assert moments.given.shape[1] == len(names)
    spread = Spread(model.spread or "non-null", model.all_null or "refuse")
    fails = np.flatnonzero(~spread.reaches(moments, model.l))
    some = moments.take(fails)
    one_by_one = RatingMoments(
        some.scale,
        np.repeat(some.sizes, len(names)),
        *(part.reshape(-1, 1) for part in (some.given, some.sums, some.squares)),
    )
    least = spread.ranks(one_by_one).reshape(len(fails), len(names)).argmin(axis=1)
    worst, amounts = np.full(len(moments), -1, np.int64), np.zeros(len(moments))
    worst[fails] = least
    at = (np.arange(len(fails)), least)
    numbers = zip(
        *(part.tolist() for part in (some.sizes, some.given[at], some.sums[at], some.squares[at])), strict=True
    )
    amounts[fails] = [root_below(spread.square(some.scale, *number)) for number in numbers]
    return TooAlike(names, worst, amounts, np.full(len(worst), float(model.l)))
