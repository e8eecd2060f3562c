"""The different items and marks of batches of ratings, and how often each occurs, as bytes that can be collected."""

from io import BytesIO

import numpy as np
import polars as pl

from shoal.kernels.numbering import count_values

__all__ = ["counted_values", "merged_values"]


def counted_values(values: pl.Series) -> bytes:
    """Return the different values, ``value``, and how often each occurs, ``records``: a frame, written as bytes."""
    stream = BytesIO()
    _counts(values).write_ipc_stream(stream, compression="lz4")
    return stream.getvalue()


def _counts(values: pl.Series) -> pl.DataFrame:
    if values.dtype.is_integer() and values.dtype != pl.UInt64 and len(values) and not values.null_count():
        lowest, highest = int(values.min()), int(values.max())  # type: ignore[arg-type]
        if highest - lowest < len(values):
            times = count_values(values.to_numpy(), lowest, highest)
            found = np.flatnonzero(times)
            own = pl.Series("value", found + lowest).cast(values.dtype)
            return pl.DataFrame([own, pl.Series("records", times[found])])
    return values.to_frame("value").group_by("value").agg(pl.len().cast(pl.Int64).alias("records"))


def merged_values(counted: pl.Series) -> pl.DataFrame:
    """Return the different values of all batches, of each of which they were counted."""
    return pl.concat([pl.read_ipc_stream(each) for each in counted]).group_by("value").agg(pl.col("records").sum())
