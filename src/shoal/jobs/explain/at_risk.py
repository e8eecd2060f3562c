"""The records that break a promise: how many others there are for each, and what sets it apart from them.

Which sensitive attribute of a group falls shortest of what a promise asks, and by how much.

What is told depends on the promise: how many different values there are or, with a plus, categories; for recursive
l-diversity the l that is reached, for entropy as how many equally likely values it counts; for (p,α) the weight, where
it is not values that lack; for t-closeness the distance, which is too great and not too small.
"""

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.data import Microdata, Ratings, Records
from shoal.engines import Engine, Judgment
from shoal.engines.nearest_others import NearestOthers, nearest_others
from shoal.evidence import (
    GroupCounts,
    Grouping,
    NeedGroups,
    NeedItemSets,
    NeedNeighborhoods,
    NeedPartition,
    RatingMoments,
    ValueCounts,
)
from shoal.models import KEpsilon, LDiversity, PrivacyModel, TCloseness, Verdict
from shoal.models.earth_mover import EarthMover
from shoal.models.entropy import diversities
from shoal.models.l_diversity import largest_l
from shoal.models.sensitive_k_anonymity import SensitiveKAnonymity
from shoal.models.spread import Spread, root_below

__all__ = ["AtRisk", "LackingValues", "TooAlike", "at_risk", "lacking_values"]


_UNIT = 1e-6
"""What is told has six digits, and never looks as if it were enough."""


@dataclass(frozen=True, eq=False, repr=False)
class LackingValues:
    """By group, what its worst sensitive attribute reaches and what it should."""

    worst: np.ndarray
    """Which attribute; −1 where none breaks the promise."""
    reached: np.ndarray
    needed: np.ndarray

    def take(self, groups: np.ndarray) -> "LackingValues":
        """Return those of some groups, in this order."""
        return LackingValues(self.worst[groups], self.reached[groups], self.needed[groups])


def lacking_values(model: PrivacyModel, counts: GroupCounts) -> LackingValues | None:
    """Find the worst attribute of each group; None for promises that are not known to speak of sensitive values."""
    if not counts.sensitive or not isinstance(model, LDiversity | SensitiveKAnonymity | TCloseness):
        return None
    alone = replace(model, k=None) if isinstance(model, SensitiveKAnonymity) else model
    breaks = np.stack([alone.judge(GroupCounts(counts.sizes, (each,))).violating for each in counts.sensitive])
    found = LackingValues(np.full(len(counts), -1), np.zeros(len(counts)), np.zeros(len(counts)))
    if isinstance(model, SensitiveKAnonymity):
        different = np.stack([model.n_different(each) for each in counts.sensitive])
        few = breaks & (different < model.p)
        if model.least_weight is not None:
            weighed = [model.weights(each) for each in counts.sensitive]
            weights = np.stack([steps / unit for steps, unit in weighed])
            _write(found, breaks & ~few, weights, float(model.least_weight))
        _write(found, few, different, model.p)  # written last: of a group that lacks both, values are told
    elif isinstance(model, TCloseness):
        distances = [EarthMover.of(each, model.distance).distances for each in counts.sensitive]
        _write(found, breaks, np.stack(distances), float(model.t), at_most=True)
    else:
        _write(found, breaks, np.stack([_diversity(model, each) for each in counts.sensitive]), float(model.l))
    return found


def _diversity(model: LDiversity, values: ValueCounts) -> np.ndarray:
    if model.kind == "entropy":
        return diversities(values)
    return values.n_distinct if model.c is None else largest_l(values, model.c)


def _write(
    found: LackingValues, lacks: np.ndarray, reached: np.ndarray, needed: float, *, at_most: bool = False
) -> None:
    """Write the worst of the attributes that lack, for the groups in which one does."""
    here = np.flatnonzero(lacks.any(axis=0))
    rounded = np.round(reached[:, here] / _UNIT) * _UNIT  # equal but for the order in which it was added up is equal
    worst = np.where(lacks[:, here], rounded if at_most else -rounded, -np.inf).argmax(axis=0)
    published = rounded[worst, np.arange(len(here))]
    found.worst[here] = worst
    found.reached[here] = np.maximum(published, needed + _UNIT) if at_most else np.minimum(published, needed - _UNIT)
    found.needed[here] = needed


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


def at_risk(records: Records, model: PrivacyModel, verdict: Verdict, judgment: Judgment, engine: Engine) -> AtRisk:
    """Return the records that break a promise that was judged, with what can be said about each."""
    need = model.need
    if isinstance(need, NeedGroups):
        return _in_groups(records, model, verdict, judgment.groups.grouping, judgment.groups.counts)
    assert isinstance(records, Ratings)
    if isinstance(need, NeedItemSets):
        grouping = judgment.groups.grouping
        rows = np.flatnonzero(grouping.members(verdict.violating))
        fewest = engine.item_sets(records, grouping, need).fewest
        return AtRisk(model, rows, fewest[grouping.labels[rows]] - 1)
    return _in_neighborhoods(records, model, need, np.flatnonzero(verdict.violating), engine)


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


def _in_neighborhoods(
    ratings: Ratings,
    model: PrivacyModel,
    need: NeedNeighborhoods | NeedPartition,
    rows: np.ndarray,
    engine: Engine,
) -> AtRisk:
    radius = ratings.scale.steps_within(need.epsilon)
    too_alike = None
    if isinstance(need, NeedNeighborhoods):
        # as it was judged, so that an engine that remembers need not count again
        found = engine.neighbors(ratings, need.epsilon, enough=need.enough, sensitive=need.sensitive)
        # items that nobody rated have no moments
        rated = ratings.sensitive.items.take(np.unique(ratings.sensitive.indices))
        if isinstance(model, KEpsilon) and found.moments is not None and len(rated):
            too_alike = _too_alike(model, found.moments.take(rows), rated)
    else:
        found = engine.neighbors(ratings, need.epsilon)
    nearest = nearest_others(ratings.observable, ratings.scale, rows, radius)
    return AtRisk(model, rows, found.others[rows], nearest, too_alike)


def _too_alike(model: KEpsilon, moments: RatingMoments, names: pl.Series) -> TooAlike:
    """Find in each neighborhood the sensitive issue that spreads least, exactly."""
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
