"""An item and the period in which it was rated, as one name: ``item · period``."""

from typing import Final

import polars as pl

__all__ = ["with_periods", "without_periods"]

_BETWEEN: Final = " · "


def with_periods(items: pl.Series, periods: pl.Series) -> pl.Series:
    """Return the pairs of items and periods; an item that is missing or empty stays so."""
    pair = pl.concat_str("item", "period", separator=_BETWEEN)
    named = pl.when(pl.col("item") != "").then(pair).otherwise("item")
    return pl.DataFrame({"item": items.cast(pl.String), "period": periods}).select(named).to_series()


def without_periods(pairs: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Return the items and the periods of pairs; an empty period is null.

    A period has no dot in it, so the last one of a pair divides it, whatever the item is called.
    """
    parts = pairs.to_frame("pair").select(
        item=pl.col("pair").str.extract(f"(?s)^(.*){_BETWEEN}[^·]*$"),
        period=pl.col("pair").str.extract(f"{_BETWEEN}([^·]+)$"),
    )
    return parts["item"], parts["period"]
