"""Groups of equal demographics and answers, merged within their class until sensitive values keep the promises."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from shoal.anonymizers.rating_groups.aligned_groups import aligned, replace_rows
from shoal.anonymizers.rating_groups.rating_costs import RatingCosts
from shoal.data import Ratings, Survey
from shoal.engines import Engine, judge
from shoal.evidence import Grouping
from shoal.kernels.clustering.nearest_groups import row_costs
from shoal.models import PrivacyModel

__all__ = ["with_merged_groups"]


def with_merged_groups(survey: Survey, withheld: np.ndarray, models: Sequence[PrivacyModel], engine: Engine) -> Survey:
    """Return the survey with groups merged among the people who are not withheld."""
    rows = np.flatnonzero(~withheld)
    if not len(rows):
        return survey
    merged = _with_merged_groups(survey.take(rows), models, engine)
    observable = replace_rows(survey.ratings.observable, rows, merged.ratings.observable)
    return replace(survey, ratings=replace(survey.ratings, observable=observable))


def _with_merged_groups(survey: Survey, models: Sequence[PrivacyModel], engine: Engine) -> Survey:
    """Return the survey with answers made equal in more and more people, until the promises hold or a class is one.

    Demographics stay: groups of one class are merged. A class as a whole keeps what its generalization was made for.
    """
    classes = engine.group(survey.table).labels
    while True:
        judgment = judge(survey, models, engine)
        groups = judgment.groups.grouping
        labels = _merged(survey.ratings, classes, groups, judgment.violating)
        if labels is None:
            return survey
        scale = survey.ratings.scale
        survey = replace(survey, ratings=aligned(survey.ratings, labels, 0, RatingCosts.on(scale)))


def _merged(ratings: Ratings, classes: np.ndarray, groups: Grouping, violating: np.ndarray) -> np.ndarray | None:
    """Return new groups of violating ones and those nearest to them, −1 for all others; None where there are none."""
    firsts = np.full(groups.n_groups, -1, np.int64)
    firsts[groups.labels[::-1]] = np.arange(len(groups))[::-1]
    broken = np.zeros(groups.n_groups, bool)
    broken[groups.labels[violating]] = True
    target = np.full(groups.n_groups, -1, np.int64)
    by_class = np.argsort(classes[firsts], kind="stable")
    for members in np.split(by_class, np.flatnonzero(np.diff(classes[firsts][by_class])) + 1):
        for group in members[broken[members]] if len(members) > 1 else ():
            if target[group] < 0:
                others = members[members != group]
                nearest = others[_nearest(ratings, int(firsts[group]), firsts[others])]
                target[group] = target[nearest] = group if target[nearest] < 0 else target[nearest]
    return target[groups.labels] if (target >= 0).any() else None


def _nearest(ratings: Ratings, row: int, among: np.ndarray) -> int:
    """Return the place of the record that is made equal to another at least cost."""
    matrix, quarter = ratings.observable, (ratings.scale.points - 1) / 4
    costs = row_costs(matrix.indptr, matrix.indices, matrix.codes, len(matrix.items), row, among, 0, quarter)
    return int(costs.argmin())
