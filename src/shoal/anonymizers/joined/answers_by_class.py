"""Answers made alike within classes of demographics: a method on ratings is run on the people of each class.

A method that knows surveys, and so classes, is run once.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from shoal.anonymizers.allowance import Allowance
from shoal.anonymizers.base import Anonymizer
from shoal.anonymizers.grouping import group_offsets
from shoal.anonymizers.rating_groups.aligned_groups import replace_rows
from shoal.data import RatingMatrix, Ratings, Scale, Survey
from shoal.engines import Engine
from shoal.models import PrivacyModel
from shoal.progress import listening, stage
from shoal.randomness import Randomness

__all__ = ["answers_by_class", "within_all_classes"]


def answers_by_class(
    ratings: Ratings,
    classes: np.ndarray,
    method: Anonymizer,
    models: Sequence[PrivacyModel],
    engine: Engine,
    randomness: Randomness,
    max_withheld: Allowance,
) -> Ratings:
    """Return the answers after a method made those of each class keep the promises; in a class of −1 they stay.

    A class may have its share of the records that may be withheld left as they are.
    """
    rows, begins = group_offsets(classes)
    made = []
    allowed = (np.arange(len(rows) + 1) * max_withheld.records // max(len(rows), 1))[begins]
    with stage("making answers alike", len(begins) - 1) as progress:
        for place in range(len(begins) - 1):
            own = ratings.take(rows[begins[place] : begins[place + 1]])
            allowance = Allowance.of_records(own, int(allowed[place + 1] - allowed[place]))
            with listening(None):  # thousands of classes, each of them quick
                made.append(_alike(own, method, models, engine, _of_class(randomness, place), allowance))
            progress.advance(1)
    return _in_place(ratings, rows, made)


def within_all_classes(
    survey: Survey,
    chosen: np.ndarray,
    method: Anonymizer,
    models: Sequence[PrivacyModel],
    engine: Engine,
    randomness: Randomness,
) -> Ratings:
    """Return the answers after a method that knows surveys was run on the people of a mask; others lose theirs."""
    rows = np.flatnonzero(chosen)
    made = method.recode(survey.take(rows), models, engine, randomness).records
    assert isinstance(made, Survey)
    if len(rows) == len(survey):
        return made.ratings
    lengths = np.zeros(len(survey), np.int64)
    lengths[rows] = np.diff(made.ratings.observable.indptr)
    indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    observable = replace(made.ratings.observable, indptr=indptr)
    return replace(survey.ratings, observable=observable, hierarchy=made.ratings.hierarchy)


def _of_class(randomness: Randomness, place: int) -> Randomness:
    """Return other chance for each class, where it is secret."""
    return randomness if randomness.secret is None else randomness.bound_to(f"class {place}".encode())


def _alike(
    ratings: Ratings,
    method: Anonymizer,
    models: Sequence[PrivacyModel],
    engine: Engine,
    randomness: Randomness,
    max_withheld: Allowance,
) -> Ratings:
    """Return the answers of one class; a profile that stands for several people is given to each of them."""
    made = method.recode(ratings, models, engine, randomness, max_withheld=max_withheld)
    assert isinstance(made.records, Ratings)
    if made.stands_for is None:
        return made.records
    return made.records.of_each(made.stands_for).renamed(ratings.users)


def _in_place(ratings: Ratings, rows: np.ndarray, made: Sequence[Ratings]) -> Ratings:
    """Return the ratings with the answers made in the places of the originals, on the finest scale of all."""
    scale = min((each.scale for each in (ratings, *made)), key=lambda scale: scale.step)
    parts = [_on(each, scale) for each in (ratings, *made)]
    changed = _stacked([part.observable for part in parts[1:]]) if made else parts[0].observable
    return replace(parts[0], observable=replace_rows(parts[0].observable, rows, changed))


def _on(ratings: Ratings, scale: Scale) -> Ratings:
    return ratings if ratings.scale == scale else ratings.on(scale)


def _stacked(matrices: Sequence[RatingMatrix]) -> RatingMatrix:
    """Return the records of matrices over the same items, one matrix after the other."""
    ends = np.cumsum([0, *(matrix.n_ratings for matrix in matrices)])
    starts = [matrix.indptr[1:] + end for matrix, end in zip(matrices, ends, strict=False)]
    return RatingMatrix(
        matrices[0].items,
        np.concatenate([np.zeros(1, np.int64), *starts]),
        np.concatenate([matrix.indices for matrix in matrices]),
        np.concatenate([matrix.codes for matrix in matrices]),
    )
