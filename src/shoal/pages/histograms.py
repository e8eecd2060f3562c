"""Histograms of a first look at data."""

from shoal.display import Picture
from shoal.profiling import ColumnProfile, RatingsProfile
from shoal.wording.format import format_count, format_number

from .charts import columns_chart

__all__ = ["column_histogram", "rating_histogram"]


def column_histogram(column: ColumnProfile) -> Picture:
    """Draw how many records have which value; between the 1 % and 99 % quantiles where there are many values."""
    seen = f"{column.type}, {format_count(column.distinct, 'distinct value')}, {column.missing:,} missing"
    if column.quantiles is not None:
        ends = (_written(end) for end in (column.quantiles.lowest, column.quantiles.median, column.quantiles.highest))
        seen += ", from {} by {} to {}".format(*ends)
    if column.histogram is None:
        return Picture(column.name, f"{seen}. No value is drawn, because hardly any occurs twice.", "")
    chart = columns_chart(column.histogram.labels, [("records", column.histogram.counts)], share=False)
    return Picture(column.name, f"{seen}.", chart)


def _written(end: float | str) -> str:
    return end if isinstance(end, str) else format_number(end)


def rating_histogram(ratings: RatingsProfile) -> Picture:
    """Draw how many ratings there are at each point of the scale."""
    labels = [f"{point:g}" for point in ratings.points]
    chart = columns_chart(labels, [("ratings", ratings.counts)], share=False)
    return Picture("How high ratings are", f"{sum(ratings.counts):,} ratings.", chart)
