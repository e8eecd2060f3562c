"""What the owner's report draws of a release beside its originals."""

import numpy as np
import polars as pl

from shoal.data import Ratings
from shoal.pages import Picture
from shoal.pages.charts import columns_chart
from shoal.utility import Comparison
from shoal.utility.rating_histogram import rating_histograms

__all__ = ["report_pictures"]

_BARS = 12


def report_pictures(comparison: Comparison, people: np.ndarray) -> tuple[Picture, ...]:
    """Draw how many people groups are of, and what became of ratings or of columns."""
    of_kind = _of_ratings(comparison) if isinstance(comparison.released, Ratings) else _of_table(comparison)
    return (_group_sizes(people), *of_kind)


def _group_sizes(sizes: np.ndarray) -> Picture:
    borders = np.unique(np.geomspace(sizes.min(), sizes.max() + 1, _BARS + 1).astype(np.int64))
    places = np.clip(np.searchsorted(borders, sizes, side="right") - 1, 0, None)
    people = np.bincount(places, sizes, minlength=max(len(borders) - 1, 1))
    ends = [*(borders[1:] - 1).tolist(), int(sizes.max())][: len(people)]
    labels = [f"{a:,}" if a >= b else f"{a:,}–{b:,}" for a, b in zip(borders.tolist(), ends, strict=False)]
    return Picture(
        "How many people look alike",
        "People by the size of the group of records that are equal in all that others may know.",
        columns_chart(labels, [("people", people.tolist())], share=False),
    )


def _of_ratings(comparison: Comparison) -> tuple[Picture, ...]:
    differences = comparison.ratings
    assert differences is not None
    assert isinstance(comparison.original, Ratings)
    given = comparison.original.observable.n_ratings
    kept = given - differences.changed - differences.dropped
    became = {
        "kept": kept,
        "changed": differences.changed,
        "dropped": differences.dropped,
        "invented": differences.invented,
    }
    fate = Picture(
        "What became of the ratings",
        f"Of {given:,} ratings that were given; invented are those that nobody gave, in the records of people who are "
        "published.",
        columns_chart(list(became), [("ratings", list(became.values()))], share=False),
    )
    before, after = (counts[1:] / max(counts[1:].sum(), 1) for counts in rating_histograms(comparison))
    whole = comparison.whole
    assert isinstance(whole, Ratings)
    points = [f"{float(whole.scale.lowest + code * whole.scale.step):g}" for code in range(whole.scale.points)]
    marks = Picture(
        "How high ratings are",
        "Shares of the ratings there are, before and after; published ratings are counted at the nearest point.",
        columns_chart(points, [("before", before.tolist()), ("published", after.tolist())], share=True),
    )
    return fate, marks


def _of_table(comparison: Comparison) -> tuple[Picture, ...]:
    names, exact = [], []
    for before, after in comparison.columns:
        same = before.values.cast(pl.String).eq_missing(after.values.cast(pl.String))
        names.append(after.name)
        exact.append(float(same.mean() or 0))  # type: ignore[arg-type]
    return (
        Picture(
            "How much is told exactly",
            "For each quasi-identifier, the share of the published records that have its original value.",
            columns_chart(names, [("told exactly", exact)], share=True),
        ),
    )
