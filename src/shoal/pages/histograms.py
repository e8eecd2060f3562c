"""Histograms of a first look at data."""

from collections.abc import Sequence

from shoal.display import Picture, Table
from shoal.profiling import ColumnProfile, RatingsProfile
from shoal.wording.format import format_count, format_number

from .charts import columns_chart
from .paired_bars import PairedBar, paired_bars
from .small_bars import small_bars

__all__ = ["column_histogram", "rating_histogram", "small_histogram"]


def column_histogram(column: ColumnProfile) -> Picture:
    """Draw how many records have which value; between the 1 % and 99 % quantiles where there are many values."""
    seen = f"{column.type}, {format_count(column.distinct, 'distinct value')}, {column.missing:,} missing"
    if column.quantiles is not None:
        lowest, median, highest = (
            _written(end) for end in (column.quantiles.lowest, column.quantiles.median, column.quantiles.highest)
        )
        seen += f", from {lowest} to {highest}, median {median}"
    if column.histogram is None:
        return Picture(column.name, f"{seen}. No value is drawn, because hardly any occurs twice.", "")
    labels, bars = column.histogram.labels, ("records", column.histogram.counts)
    about = f"Records by value of {column.name}: {seen}."
    if column.quantiles is None:
        chart = _named_bars(labels, column.histogram.counts, about)
    else:
        chart = columns_chart(_readable(labels), [bars], share=False, about=about, narrow=True)
    return Picture(column.name, f"{seen}.", chart, table=_numbers(column.name, "value", bars, labels))


def _named_bars(labels: Sequence[str], counts: Sequence[int], about: str) -> str:
    """Draw a bar for each text; texts are too long to stand below columns."""
    records = sum(counts)
    shares = [count / records for count in counts]
    most = min(-(-max((*shares, 0.01)) // 0.04) * 0.04, 1.0)
    bars = [PairedBar(label, None, share) for label, share in zip(labels, shares, strict=True)]
    return paired_bars(bars, ("", "share of the records"), about=about, most=most, narrow=True)


def small_histogram(column: ColumnProfile) -> Picture | None:
    """Draw the numbers or dates of a column small; None of text, because its bars would need values for names."""
    if column.histogram is None or column.quantiles is None:
        return None
    ends = f"{_written(column.quantiles.lowest)} to {_written(column.quantiles.highest)}"
    return Picture(column.name, ends, small_bars(column.name, column.histogram.counts), small=True)


_ROOM = 36
"""So many letters fit under a chart."""


def _readable(labels: Sequence[str]) -> list[str]:
    """Return labels with most of them blank where they would run into each other; every second one is drawn anyway."""
    widest = max(map(len, labels), default=0)
    every = 2 * -(-len(labels) * (widest + 2) // (2 * _ROOM))
    return [label if every <= 2 or i % every == 0 else "" for i, label in enumerate(labels)]


def _written(end: float | str) -> str:
    return end if isinstance(end, str) else format_number(end)


def rating_histogram(ratings: RatingsProfile) -> Picture:
    """Draw how many ratings there are at each point of the scale."""
    labels = [f"{point:g}" for point in ratings.points]
    bars = ("ratings", ratings.counts)
    chart = columns_chart(labels, [bars], share=False)
    numbers = _numbers("How high ratings are", "rating", bars, labels)
    return Picture("How high ratings are", f"{sum(ratings.counts):,} ratings.", chart, table=numbers)


def _numbers(caption: str, head: str, bars: tuple[str, Sequence[int]], labels: Sequence[str]) -> Table:
    rows = [(label, f"{count:,}") for label, count in zip(labels, bars[1], strict=True)]
    return Table.of(caption, (head, bars[0]), rows, most=50)
