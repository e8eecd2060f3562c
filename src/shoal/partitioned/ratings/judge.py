"""Promises on ratings judged where the profiles are, and the verdicts merged.

Only users who rated the same items can be near each other while ε is below the distance of a missing rating. So users
are brought together by pattern, or by profile where profiles must be equal; those who share it with nobody have nobody
near them, and need not be compared. From that distance on everybody is near everybody, and sums are enough.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.backends import Columns
from shoal.data import Scale
from shoal.engines import refuse_misfits
from shoal.engines.neighbor_search import Search, sums_within
from shoal.errors import WordingError
from shoal.evidence import (
    Evidence,
    GroupCounts,
    NeedGroups,
    NeedItemSets,
    NeedNeighborhoods,
    NeedPartition,
    Neighborhoods,
    RatingMoments,
)
from shoal.kernels.compiled import set_num_threads
from shoal.models import PrivacyModel, Verdict

from .item_sets import judge_item_sets
from .pattern_blocks import block_size, judge_by_blocks
from .profiles import PROFILE
from .ratings import PartitionedRatings
from .shared_profiles import AddedUp, Choose, SharedLayout, SharedProfiles, shared_profiles
from .verdict_texts import JUDGED, merged_verdict, read_texts, written

__all__ = ["judge_partitioned_ratings", "why_in_memory"]


def judge_partitioned_ratings(
    ratings: PartitionedRatings, models: Sequence[PrivacyModel], search: Search = "auto"
) -> tuple[Verdict, ...]:
    """Judge promises on ratings as they stand."""
    refuse_misfits(ratings, models)
    why = why_in_memory(models)
    if why is not None:
        raise why
    judged: dict[PrivacyModel, Verdict] = {}
    compared: list[PrivacyModel] = []
    for model in dict.fromkeys(models):
        if isinstance(model.need, NeedItemSets):
            judged[model] = judge_item_sets(ratings, model, model.need)
        elif _covers_everything(model, ratings):
            judged[model] = _judge_everybody(ratings, model)
        else:
            compared.append(model)
    if compared:
        judged.update(zip(compared, _judge_together(ratings, tuple(compared), search), strict=True))
    return tuple(replace(judged[model], caveat=model.caveat(ratings)) for model in models)


def why_in_memory(models: Sequence[PrivacyModel]) -> WordingError | None:
    """Return why promises can be judged on ratings in memory alone; None where they can be judged anywhere."""
    return next((why for why in map(_why_in_memory, models) if why is not None), None)


def _why_in_memory(model: PrivacyModel) -> WordingError | None:
    need, cure = model.need, "Read the ratings into memory (--engine local)"
    if isinstance(need, NeedPartition):
        return WordingError(
            f"The promise {model} needs the ratings in memory: groups are looked for among all records at once.",
            f"{cure}, or ask for semantics=neighborhood.",
        )
    if isinstance(need, NeedItemSets):
        most, letter = (2, "m") if need.people else (1, "b")
        items = "2 items" if most == 2 else "1 item"
        return (
            None
            if need.items <= most
            else WordingError(
                f"The promise {model} needs the ratings in memory: it is about sets of more than {items}.",
                f"{cure}, or ask for {letter}={most}.",
            )
        )
    if isinstance(need, NeedNeighborhoods) or (isinstance(need, NeedGroups) and not need.sensitive):
        return None
    return WordingError(f"The promise {model} needs the ratings in memory.", f"{cure}.")


def _covers_everything(model: PrivacyModel, ratings: PartitionedRatings) -> bool:
    """Decide whether everybody is near everybody."""
    need, scale = model.need, ratings.scale
    return isinstance(need, NeedNeighborhoods) and scale.steps_within(need.epsilon) >= scale.null_steps


def _judge_everybody(ratings: PartitionedRatings, model: PrivacyModel) -> Verdict:
    """Judge a promise under which everybody is near everybody: one neighborhood, which all of them have."""
    need = model.need
    assert isinstance(need, NeedNeighborhoods)
    sums = np.array([[ratings.n_people]], np.int64)
    if need.sensitive:
        layout = SharedLayout(ratings.layout, tuple(ratings.rated.tolist()))
        found = ratings.rows.map_partitions(_AddUp(layout), _SUMS).collect("adding up ratings")
        sums = np.zeros((1, 1 + 3 * len(ratings.rated)), np.int64)
        np.add.at(sums[0], found["place"].to_numpy(), found["sum"].to_numpy())
    moments = RatingMoments.of_columns(ratings.scale, sums) if need.sensitive else None
    times = np.array([ratings.n_people], np.int64)
    return model.judge(Neighborhoods(need.epsilon, sums[:, 0] - 1, moments, times))


_SUMS: Columns = {"place": pl.Int64(), "sum": pl.Int64()}


@dataclass(frozen=True)
class _AddUp:
    """Adds up users, and what they rated of the sensitive items."""

    layout: SharedLayout

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        sums = self.layout.of_users(rows).amounts.sum(axis=0)
        return pl.DataFrame({"place": np.arange(len(sums)), "sum": sums}, schema=dict(_SUMS))


def _judge_together(ratings: PartitionedRatings, models: tuple[PrivacyModel, ...], search: Search) -> list[Verdict]:
    """Judge promises on users who are brought together, and on those who share with nobody."""
    by_pattern = any(isinstance(model.need, NeedNeighborhoods) for model in models)
    sensitive = any(isinstance(model.need, NeedNeighborhoods) and model.need.sensitive for model in models)
    many = block_size(ratings.backend)
    shared = shared_profiles(ratings, "pattern" if by_pattern else "key", many, sensitive=sensitive)
    large = tuple(shared.keys.large)
    judging = _Judge(shared.layout, models, search, large)
    found = shared.rows.map_partitions(judging, JUDGED).collect("comparing users who rated alike")
    said = read_texts(found)
    alone = ratings.n_people - sum(each["people"] for each in said)
    parts = [each["verdicts"] for each in said]
    parts += _judge_alone(ratings, shared, judging, alone) if alone else []
    verdicts = []
    for i, model in enumerate(models):
        mine = [part[i] for part in parts if part[i] is not None]
        if large and isinstance(model.need, NeedNeighborhoods):
            mine += judge_by_blocks(ratings, shared, model, model.need, mine)
        verdicts.append(merged_verdict(model, mine))
    return verdicts


@dataclass(frozen=True)
class _Judge:
    """Judges promises on the profiles of a partition, which has everybody who counts for them."""

    layout: SharedLayout
    models: tuple[PrivacyModel, ...]
    search: Search
    large: tuple[int, ...]
    """Patterns with very many profiles, which are spread over partitions: only equal profiles are together."""

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        if not rows.height:
            return pl.DataFrame(schema=dict(JUDGED))
        set_num_threads(1)  # partitions are judged side by side
        added = self.layout.of_rows(rows).joined()
        whole = added
        if self.large:
            whole = added.take(np.flatnonzero(~np.isin(added.patterns, np.array(self.large, np.uint64))))
        verdicts = [self._judged(model, added, whole) for model in self.models]
        return written(verdicts, people=int(added.people.sum()))

    def _judged(self, model: PrivacyModel, added: AddedUp, whole: AddedUp) -> Verdict | None:
        if not isinstance(model.need, NeedNeighborhoods):
            return model.judge(GroupCounts(added.people))
        return model.judge(self._neighborhoods(model.need, whole)) if len(whole) else None

    def _neighborhoods(self, need: NeedNeighborhoods, added: AddedUp) -> Evidence:
        scale = self.layout.layout.scale
        amounts = added.amounts if need.sensitive else added.people[:, None]
        enough = None if need.sensitive or need.enough is None else need.enough + 1
        matrix, radius = self.layout.matrix(added.profiles), scale.steps_within(need.epsilon)
        sums = sums_within(matrix, scale.points, radius, amounts, enough=enough, search=self.search)
        moments = RatingMoments.of_columns(scale, sums) if need.sensitive else None
        return Neighborhoods(need.epsilon, sums[:, 0] - 1, moments, added.people)


def _judge_alone(ratings: PartitionedRatings, shared: SharedProfiles, judging: _Judge, alone: int) -> list[list]:
    """Judge promises on users who share with nobody; where ratings must spread, those of each user are looked at."""
    if not shared.layout.rated:
        verdicts = [_of_alone(model, ratings.scale, np.ones((1, 1), np.int64), alone) for model in judging.models]
        return [read_texts(written(verdicts))[0]["verdicts"]]
    choose = Choose(shared.layout, ratings.backend.shared(shared.keys))
    found = ratings.rows.map_partitions(_JudgeAlone(choose, judging.models), JUDGED).collect("judging")
    return [said["verdicts"] for said in read_texts(found)]


_MOST_AMOUNTS = 1 << 22


@dataclass(frozen=True)
class _JudgeAlone:
    """Judges the users of a partition who share with nobody."""

    choose: Choose
    models: tuple[PrivacyModel, ...]

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        layout = self.choose.layout
        alone = rows.filter(~self.choose.shares(rows)).select(PROFILE)
        parts = [pl.DataFrame(schema=dict(JUDGED))]
        for some in alone.iter_slices(max(_MOST_AMOUNTS // (1 + 3 * len(layout.rated)), 1)):
            amounts = layout.of_users(some).amounts
            parts.append(written([_of_alone(model, layout.layout.scale, amounts, 1) for model in self.models]))
        return pl.concat(parts)


def _of_alone(model: PrivacyModel, scale: Scale, amounts: np.ndarray, times: int) -> Verdict:
    """Judge a promise on records that nobody is near to, each of which stands for so many of them."""
    need, each = model.need, np.full(len(amounts), times, np.int64)
    if isinstance(need, NeedNeighborhoods):
        moments = RatingMoments.of_columns(scale, amounts) if need.sensitive else None
        return model.judge(Neighborhoods(need.epsilon, np.zeros(len(amounts), np.int64), moments, each))
    verdict = model.judge(GroupCounts(np.ones(len(amounts), np.int64)))
    return replace(verdict, violations=verdict.violations * times)
