"""The labels of strata, each of which was recoded by itself, as those of one column."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.data import Vocabulary

__all__ = ["joined_labels"]


def joined_labels(several: Sequence[Vocabulary]) -> tuple[Vocabulary, list[np.ndarray]]:
    """Return all labels of vocabularies, and for each vocabulary the code there of each of its labels.

    Labels of different types, such as numbers and ranges of them, are joined as texts.
    """
    one_type = len({each.values.dtype for each in several}) == 1
    values = [each.values if one_type else each.words for each in several]
    labels, _ = Vocabulary.encode(pl.concat(values))
    return labels, [labels.codes(each) for each in values]
