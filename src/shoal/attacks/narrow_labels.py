"""What follows from a label being as narrow as it can be."""

import numpy as np

from .label_reading import LabelReading

__all__ = ["certain_sides", "weights_of_narrow_label"]


def weights_of_narrow_label(reading: LabelReading, counts: np.ndarray, size: int) -> np.ndarray:
    """Give how likely each value of a label is for one of a group of so many people.

    ``counts`` says how many people have each of the values. Were the group drawn among all of them, none twice, and
    did it then get this label, the weights are the numbers of people times the chance that the others of the group
    make the label necessary. Where that never happens the weights are the numbers of people alone.
    """
    total = int(counts.sum())
    if reading.form == "range":
        chances = _ends_occur(counts, total, size)
    else:
        of_branch = np.bincount(reading.branches, counts).astype(np.int64)[reading.branches]
        # the others are not all in the branch of the one
        chances = np.array([_some_of(total - of, total - 1, size - 1) for of in of_branch.tolist()])
    weights = counts * chances
    return weights if weights.any() else counts.astype(np.float64)


def _ends_occur(counts: np.ndarray, total: int, size: int) -> np.ndarray:
    """Give for the one of each value the chance that the others have the ends of the range that the one has not."""
    low, high = int(counts[0]), int(counts[-1])
    has_low, has_high = (_some_of(each, total - 1, size - 1) for each in (low, high))
    # with a low one, less those with a low one that have no high one
    has_both = has_low - (1 - has_high) * _some_of(low, total - 1 - high, size - 1)
    chances = np.full(len(counts), max(has_both, 0.0))
    chances[0], chances[-1] = has_high, has_low
    return chances


def _some_of(special: int, among: int, drawn: int) -> float:
    """Give the chance that at least one of so many special ones is drawn, exact even where it is tiny."""
    if special > among - drawn:
        return 1.0
    fewer, more = sorted((special, drawn))
    return float(-np.expm1(np.log1p(-more / (among - np.arange(fewer))).sum()))


def certain_sides(reading: LabelReading, counts: np.ndarray) -> np.ndarray:
    """Give for each value of a label which of two things that must both occur it is, 0 or 1; −1: neither.

    These are the ends of a range, or the branches where somebody is in two of them and nobody in a third.
    """
    sides = np.full(len(counts), -1, np.int64)
    if reading.form == "range":
        sides[0], sides[-1] = 0, 1
    elif reading.form in ("node", "unknown"):
        alive = np.unique(reading.branches[counts > 0])
        if len(alive) == 2:
            sides[reading.branches == alive[0]], sides[reading.branches == alive[1]] = 0, 1
    return sides
