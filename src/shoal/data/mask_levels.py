"""Codes with more and more of their end hidden."""

import polars as pl

from shoal.errors import HierarchyError

from .many_levels import refuse_many_levels
from .vocabulary import Vocabulary

__all__ = ["mask_levels"]


def mask_levels(vocabulary: Vocabulary) -> list[pl.Series]:
    """Mask codes from the right, one letter a level: ``4370 → 437* → 43** → 4***``.

    Shorter values are first filled with ``*`` on the right, so that levels nest whatever the lengths. Codes
    that look like other codes masked are refused.
    """
    text = vocabulary.words.fill_null("")
    width = max(int(text.str.len_chars().max() or 1), 1)  # type: ignore[arg-type]
    refuse_many_levels(width)  # before they are made
    levels = [text.str.slice(0, width - hidden).str.pad_end(width, "*") for hidden in range(1, width)]
    if any((level.is_in(text.implode()) & (level != text)).any() for level in levels):
        raise HierarchyError("Some values look like others that are masked with '*'.", "Use a file for this column.")
    return levels
