"""How generated ratings are written: column types, and the scale in a schema."""

from typing import Any

import polars as pl

from shoal.data import Scale
from shoal.errors import WordingError

__all__ = ["outside_dtype", "refuse_outside", "scale_settings"]


def outside_dtype(scale: Scale) -> pl.DataType:
    """Return the smallest type of column that holds the ratings of a scale exactly as they are."""
    if not scale.is_integer:
        return pl.Float64()
    for dtype, limit in ((pl.Int8(), 2**7), (pl.Int16(), 2**15), (pl.Int32(), 2**31)):
        if -limit <= scale.lowest and scale.highest < limit:
            return dtype
    return pl.Int64()


def scale_settings(scale: Scale) -> dict[str, Any]:
    """Return what a schema says of a scale."""
    ends = (scale.lowest, scale.highest, scale.step)
    lowest, highest, step = (int(end) if end.denominator == 1 else float(end) for end in ends)
    return {"scale": (lowest, highest), "step": step}


def refuse_outside(least: float, most: float, **sizes: float) -> None:
    """Refuse any size that is not between the least and the most, by its name."""
    for name, size in sizes.items():
        if not least <= size <= most:  # so that NaN is refused too
            raise WordingError(
                f"{name} = {size:,} cannot be generated.", f"Ask for a number from {least:,} to {most:,}."
            )
