"""Codes with more and more of their end hidden."""

import polars as pl

__all__ = ["mask_levels"]


def mask_levels(values: pl.Series) -> list[pl.Series]:
    """Mask codes from the right, one letter a level: ``4370 → 437* → 43** → 4***``.

    Shorter values are first filled with ``*`` on the right, so that levels nest whatever the lengths.
    """
    text = values.cast(pl.String).fill_null("")
    width = max(int(text.str.len_chars().max() or 1), 1)  # type: ignore[arg-type]
    return [text.str.slice(0, width - hidden).str.pad_end(width, "*") for hidden in range(1, width)]
