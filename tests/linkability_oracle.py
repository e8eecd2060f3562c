"""Which records are nearest and how likely two picks of them meet: once more, record by record, in plain Python."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import polars as pl

from shoal.data import Column, Microdata
from shoal.testing.check_anonymizer import covers

BILLION = 10**9


def to_label(original: Column, published: Column, code: int, label_code: int) -> int:
    """The distance of an original value to a published label, in billionths."""
    label = published.vocabulary.values.cast(pl.String)[label_code]
    values = original.vocabulary.values
    covered = [other for other in range(len(values)) if _stands_for(label, original, published, other, label_code)]
    if code in covered:
        return 0
    if values[code] is None or not original.vocabulary.is_ordered:
        return BILLION
    places = _places(values)
    known = [places[each] for each in set(original.codes.tolist()) if values[each] is not None]
    gaps = [abs(places[code] - places[each]) for each in covered if values[each] is not None]
    if not covered:
        point = _point(published.vocabulary.values, values, label_code)
        gaps = [] if point is None else [abs(places[code] - point)]
    span = max(known) - min(known)
    if not gaps or min(gaps) >= span:
        return BILLION
    return max(round(min(gaps) / span * BILLION), 1)


def _stands_for(label: str | None, original: Column, published: Column, code: int, label_code: int) -> bool:
    one, other = original.vocabulary.values[code], published.vocabulary.values[label_code]
    both = original.vocabulary.is_numeric and published.vocabulary.is_numeric
    return (one == other) if both and None not in (one, other) else covers(label, original, code)


def _places(values: pl.Series) -> list[Any]:
    numbers = values if values.dtype.is_numeric() else values.to_physical()
    return [None if each is None else Fraction(each) for each in numbers]


def _point(labels: pl.Series, values: pl.Series, code: int) -> Fraction | None:
    if labels[code] is None:
        return None
    if labels.dtype.is_numeric() and values.dtype.is_numeric():
        return Fraction(labels[code])
    return Fraction(labels.to_physical()[code]) if labels.dtype == values.dtype == pl.Date else None


def distances(truth: Microdata, seen: Microdata, names: Sequence[str], row: int) -> list[int]:
    """The distance of an original record to every published one by some columns."""
    return [
        sum(to_label(truth[name], seen[name], int(truth[name].codes[row]), int(seen[name].codes[at])) for name in names)
        for at in range(len(seen))
    ]


def picks(apart: list[int], wanted: int) -> list[frozenset[int]]:
    """Every set of so many nearest records; each is as likely as any other."""
    order = sorted(apart)
    limit = order[min(wanted, len(order)) - 1]
    near = [at for at, distance in enumerate(apart) if distance < limit]
    tied = [at for at, distance in enumerate(apart) if distance == limit]
    return [frozenset([*near, *some]) for some in combinations(tied, min(wanted, len(order)) - len(near))]


def chance(left: list[int], right: list[int], wanted: int, is_met: Callable[[frozenset[int]], bool] = bool) -> float:
    """The share of pairs of picks that meet, anywhere or where is asked for."""
    pairs = [is_met(one & other) for one in picks(left, wanted) for other in picks(right, wanted)]
    return sum(pairs) / len(pairs)
