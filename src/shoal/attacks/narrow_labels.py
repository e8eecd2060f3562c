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
        chances = _others_occur(reading.occurring, counts, total, size)
    else:
        of_branch = np.bincount(reading.branches, counts).astype(np.int64)[reading.branches]
        # the others are not all in the branch of the one
        chances = np.array([_some_of(total - of, total - 1, size - 1) for of in of_branch.tolist()])
    weights = counts * chances
    return weights if weights.any() else counts.astype(np.float64)


def _others_occur(occurring: list[int], counts: np.ndarray, total: int, size: int) -> np.ndarray:
    """Return for the one of each value the chance that the others have all that occurs and that the one has not."""
    many = {place: int(counts[place]) for place in occurring}
    chances = np.full(len(counts), _all_of(list(many.values()), total - 1, size - 1))
    for place in many:
        chances[place] = _all_of([many[other] for other in many if other != place], total - 1, size - 1)
    return chances


def _all_of(special: list[int], among: int, drawn: int) -> float:
    """Return the chance that at least one of each of some kinds is drawn, of which there are so many."""
    if not special:
        return 1.0
    if len(special) == 1:
        return _some_of(special[0], among, drawn)
    *others, last = special
    # with all others, less those with all others that have none of the last
    without = (1 - _some_of(last, among, drawn)) * _all_of(others, among - last, drawn)
    return max(_all_of(others, among, drawn) - without, 0.0)


def _some_of(special: int, among: int, drawn: int) -> float:
    """Give the chance that at least one of so many special ones is drawn, exact even where it is tiny."""
    if special > among - drawn:
        return 1.0
    fewer, more = sorted((special, drawn))
    return float(-np.expm1(np.log1p(-more / (among - np.arange(fewer))).sum()))


def certain_sides(reading: LabelReading, counts: np.ndarray) -> np.ndarray:
    """Return for each value of a label which of the things that must all occur it is, 0, 1 or 2; −1: none.

    These are the ends of a range, and before them the missing value if it stands for that as well, or the branches
    where somebody is in two of them and nobody in a third.
    """
    sides = np.full(len(counts), -1, np.int64)
    if reading.form == "range":
        sides[reading.occurring] = np.arange(len(reading.occurring))
    elif reading.form in ("node", "unknown"):
        alive = np.unique(reading.branches[counts > 0])
        if len(alive) == 2:
            sides[reading.branches == alive[0]], sides[reading.branches == alive[1]] = 0, 1
    return sides
