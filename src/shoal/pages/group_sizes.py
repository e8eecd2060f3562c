"""The sizes of equivalence classes as a chart."""

import numpy as np

from shoal.display import Picture, Table

from .charts import columns_chart

__all__ = ["group_sizes_picture"]

_BARS = 12


def group_sizes_picture(sizes: np.ndarray) -> Picture:
    """Draw how many people are in groups of each size, given the size of every group."""
    borders = np.unique(np.geomspace(sizes.min(), sizes.max() + 1, _BARS + 1).astype(np.int64))
    places = np.clip(np.searchsorted(borders, sizes, side="right") - 1, 0, None)
    people = np.bincount(places, sizes, minlength=max(len(borders) - 1, 1))
    ends = [*(borders[1:] - 1).tolist(), int(sizes.max())][: len(people)]
    labels = [f"{a:,}" if a >= b else f"{a:,}–{b:,}" for a, b in zip(borders.tolist(), ends, strict=False)]
    title = "How many people look alike"
    rows = [(label, f"{count:,.0f}") for label, count in zip(labels, people.tolist(), strict=True)]
    return Picture(
        title,
        "People by the size of the group of records that are equal in all that others may know.",
        columns_chart(labels, [("people", people.tolist())], share=False),
        table=Table.of(title, ("size of the group", "people"), rows),
    )
